//! Suspensions: what they do to the body.

use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::context::GRAVITY;
use vehicle_core::math::Real;
use vehicle_core::suspension::ExpansionSpeed;

use crate::car::{DRY, SETTINGS, Setting, TestCar};

/// Least load of a wheel of the saloon that jumps up with 1.5 m/s (N).
fn least_load(setting: Setting, expansion: ExpansionSpeed) -> Real {
    let mut car = TestCar::with_params(setting, DRY, |mechanics| {
        *mechanics = mechanics.clone().with_massless_wheels(GRAVITY);
        mechanics.jounce.expansion = expansion;
    });
    car.run(0.5);
    let up = car.frame().vertical();
    car.vehicle.state.mechanics.rigid_body.linear_velocity += up * 1.5;
    let mut least = Real::INFINITY;
    for _ in 0..(0.3 / car.dt()) as usize {
        car.step();
        for force in &car.vehicle.state.mechanics.suspensions {
            least = least.min(force.force.normal_load);
        }
    }
    least
}

#[test]
fn wheels_without_mass_do_not_pull_the_body_down_unless_they_are_said_to() {
    for setting in SETTINGS {
        let least = least_load(setting, ExpansionSpeed::default());
        assert!(0.0 <= least, "{setting:?}: {least} N");
        let glued = least_load(setting, ExpansionSpeed::Unlimited);
        assert!(glued < -500.0, "{setting:?}: {glued} N");
    }
}

#[test]
fn a_car_stands_where_it_is_put_from_the_first_step_on() {
    let massless = CarBlueprint { ride: None, ..CarBlueprint::default() };
    let sheets = [massless, CarBlueprint::default()];
    for (setting, sheet) in
        SETTINGS.into_iter().flat_map(|setting| sheets.each_ref().map(|sheet| (setting, sheet)))
    {
        let mut car = TestCar::with_params(setting, DRY, |mechanics| {
            let contact = mechanics.jounce.contact;
            *mechanics = sheet.mechanics().expect("a faultless car");
            mechanics.jounce.contact = contact;
        });
        let up = car.frame().vertical();
        let height =
            |car: &TestCar| car.vehicle.state.mechanics.rigid_body.pose.translation.dot(up);
        let start = height(&car);
        for step in 0..(1.0 / car.dt()) as usize {
            car.step();
            let moved = height(&car) - start;
            assert!(moved.abs() < 5e-4, "{setting:?}: {moved} m in step {step}");
        }
    }
}
