//! Suspensions: what they do to the body.

use vehicle_core::math::Real;
use vehicle_core::suspension::ExpansionSpeed;

use crate::car::{DRY, SETTINGS, Setting, TestCar};

/// Least load of a wheel of the saloon that jumps up with 1.5 m/s (N).
fn least_load(setting: Setting, expansion: ExpansionSpeed) -> Real {
    let mut car = TestCar::with_params(setting, DRY, |mechanics| {
        mechanics.jounce.expansion = expansion;
    });
    car.run(0.5);
    let up = car.frame().vertical();
    car.vehicle.state.mechanics.rigid_body.linear_velocity += up * 1.5;
    let mut least = Real::INFINITY;
    for _ in 0..(0.3 / car.dt()) as usize {
        car.step();
        for force in &car.vehicle.state.mechanics.suspension_forces {
            least = least.min(force.normal_load);
        }
    }
    least
}

#[test]
fn wheels_do_not_pull_the_body_down_unless_they_are_said_to() {
    for setting in SETTINGS {
        let least = least_load(setting, ExpansionSpeed::default());
        assert!(0.0 <= least, "{setting:?}: {least} N");
        let glued = least_load(setting, ExpansionSpeed::Unlimited);
        assert!(glued < -500.0, "{setting:?}: {glued} N");
    }
}
