//! Cars that nobody brakes: on slopes they stand up to that of their tires' resistance, and roll
//! above it.

use rapier3d::prelude::*;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::DirectDriveParams;

use crate::common::saloon::{
    direct_saloon, insert_saloon, massless_mechanics, saloon_mechanics, saloon_rest_height,
};
use crate::common::{drive, sloping_world};

/// How far the saloon on `mechanics` goes down a slope in 8 s after its brakes are released (m),
/// and its speed then (m/s). The slope is this part of its tires' resistance.
fn released(
    mechanics: MechanicalParams,
    part: Real,
    (rate, substeps): (Real, u32),
) -> (Real, Real) {
    let slope = part * mechanics.tires[0].rolling_resistance;
    let mut world = sloping_world(rate, slope);
    let up = Vector::new(0.0, slope.cos(), slope.sin());
    let pose = Pose::from_parts(up * saloon_rest_height(), Rotation::from_rotation_x(slope));
    let params = DirectDriveParams { mechanics, ..direct_saloon() };
    let mut car = insert_saloon(&mut world, params, pose, substeps);
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 4.0);
    let start = world.bodies[car.actor.body].translation();
    car.vehicle.commands.brakes[0] = 0.0;
    drive(&mut world, &mut car, 8.0);
    let body = &world.bodies[car.actor.body];
    ((body.translation() - start).length(), body.linvel().length())
}

#[test]
fn a_car_without_brakes_stands_on_slopes_up_to_its_resistance() {
    for rate in [(30.0, 1), (60.0, 1), (60.0, 3), (240.0, 3)] {
        for mechanics in [saloon_mechanics(), massless_mechanics()] {
            let resistance = mechanics.tires[0].rolling_resistance;
            assert!((0.0095..0.0115).contains(&resistance), "{resistance}");
            let (way, speed) = released(mechanics.clone(), 0.85, rate);
            assert!(way < 0.02 && speed < 1e-3, "{rate:?}: {way} m, {speed} m/s");
            let (way, speed) = released(mechanics.clone(), 1.5, rate);
            // (θ - f) g t, with the inertia of the wheels.
            let expected = 0.5 * resistance * 9.81 * 8.0 / 1.03;
            assert!((speed / expected - 1.0).abs() < 0.15, "{rate:?}: {speed}, not {expected} m/s");
            assert!(1.0 < way, "{rate:?}: {way} m");
        }
    }
}
