//! Cars at rest carry their weight, and moving ones stay finite.

use proptest::prelude::*;
use vehicle_core::context::GRAVITY;
use vehicle_core::math::Real;
use vehicle_core::road_geometry::FlatRoad;
use vehicle_drivetrain::direct_drive_vehicle::DirectDriveState;

use crate::cars::{FRAME, cars};
use crate::common::{DT, seeded};
use crate::motions::{ANYWHERE, Motion, motions};
use crate::scene::Scene;

/// Whether every number of `state` that moves something is finite.
fn is_finite(state: &DirectDriveState) -> bool {
    let mechanics = &state.mechanics;
    let body = &mechanics.rigid_body;
    let vectors = [body.pose.translation, body.linear_velocity, body.angular_velocity];
    let of_wheels = (0..4).all(|wheel| {
        let (tire, spin) = (mechanics.tires.of(wheel), mechanics.wheels.of(wheel));
        let suspension = mechanics.suspensions.of(wheel);
        let numbers = [
            spin.rotation_speed,
            spin.rotation_angle,
            tire.slip.longitudinal,
            tire.slip.tangent,
            tire.force.wheel_torque,
            suspension.compression.jounce.unwrap_or(0.0),
            suspension.compression.jounce_speed,
            mechanics.suspensions.of(wheel).force.normal_load,
            state.drive.torques[wheel],
        ];
        let vectors = [tire.force.force(), tire.force.torque()];
        numbers.iter().all(|number| number.is_finite())
            && vectors.iter().all(|vector| vector.is_finite())
    });
    of_wheels && vectors.iter().all(|vector| vector.is_finite()) && body.pose.rotation.is_finite()
}

proptest! {
    #![proptest_config(seeded(128))]

    #[test]
    fn suspensions_of_a_car_at_rest_carry_its_weight(car in cars(), drop in -0.02_f32..0.02) {
        let mut scene = Scene::new(&car, &Motion::still(drop));
        scene.steps(480, 3, DT);
        let forces = &scene.vehicle.state.mechanics.suspensions;
        let load: Real = forces.iter().map(|force| force.force.normal_load).sum();
        let weight = car.blueprint.mass * GRAVITY;
        prop_assert!((load / weight - 1.0).abs() < 1e-3, "{load} N of {weight} N");
    }
}

proptest! {
    #![proptest_config(seeded(4_000))]

    #[test]
    fn a_car_ends_every_step_in_finite_motion(
        car in cars(),
        motion in motions(ANYWHERE),
        friction in 0.0_f32..1.5,
        substeps in 1_u32..4,
        rate in 20.0_f32..240.0,
    ) {
        let mut scene = Scene::new(&car, &motion);
        scene.road = FlatRoad::with_friction(&FRAME, friction);
        for step in 0..10 {
            scene.steps(1, substeps, 1.0 / rate);
            let state = &scene.vehicle.state;
            prop_assert!(is_finite(state), "step {step}: {state:?}");
        }
    }
}
