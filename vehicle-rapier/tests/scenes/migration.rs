//! A vehicle in the place of Rapier's own controller, with its numbers.

use rapier3d::control::{DynamicRayCastVehicleController, WheelTuning};
use rapier3d::prelude::*;
use vehicle_rapier::RapierVehicle;
use vehicle_rapier::core::suspension::unsprung::SuspensionDynamics;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::migration::{MigrationError, take_over, write_controls};

use crate::common::DT;
use crate::common::grounds::{block, world_of};

const TUNING: WheelTuning = WheelTuning {
    suspension_stiffness: 24.0,
    suspension_compression: 2.4,
    suspension_damping: 2.8,
    max_suspension_travel: 0.3,
    side_friction_stiffness: 1.0,
    friction_slip: 10.5,
    max_suspension_force: 100_000.0,
};

/// A chassis of 1,440 kg on a road that rises by `grade` (rad) along the car, and the controller of
/// its wheels. `sideways`: forward is x, not z.
fn controlled(grade: Real, sideways: bool) -> (PhysicsWorld, DynamicRayCastVehicleController) {
    let road = block(Vector::new(500.0, 0.5, 500.0), Vector::ZERO).friction(1.0);
    let mut world = world_of([road]);
    world.integration_parameters.dt = DT;
    let (forward, left) = if sideways { (Vector::X, -Vector::Z) } else { (Vector::Z, Vector::X) };
    world.gravity = (Vector::Y * grade.cos() + forward * grade.sin()) * -9.81;
    let half = (forward.abs() * 2.0 + left.abs() * 0.9) + Vector::Y * 0.2;
    let body = RigidBodyBuilder::dynamic().translation(Vector::Y * 0.9).can_sleep(false);
    let body = world.insert_body(body);
    let hull = ColliderBuilder::cuboid(half.x, half.y, half.z).density(500.0);
    world.insert_collider(hull, Some(body));
    world.bodies[body].recompute_mass_properties_from_colliders(&world.colliders);
    let mut controller = DynamicRayCastVehicleController::new(body);
    controller.index_forward_axis = if sideways { 0 } else { 2 };
    for (along, across) in [(1.3, -0.8), (1.3, 0.8), (-1.3, -0.8), (-1.3, 0.8)] {
        let place = forward * along + left * across;
        // Up × axle is forward.
        controller.add_wheel(place, -Vector::Y, -left, 0.4, 0.33, &TUNING);
    }
    world.detect_collisions(&(), &());
    (world, controller)
}

/// Drives for `time` (s) by the controller, or by the vehicle in its place. Place and velocity at
/// the end.
fn drive(
    world: &mut PhysicsWorld,
    controller: &mut DynamicRayCastVehicleController,
    mut car: Option<&mut RapierVehicle<DirectDriveVehicle>>,
    time: Real,
) -> (Vector, Vector) {
    for _ in 0..(time / DT).round() as usize {
        if let Some(car) = &mut car {
            write_controls(&mut car.vehicle, controller, DT).expect("a time step");
            car.update(&mut *world).expect("a step");
        } else {
            let filter = QueryFilter::default().exclude_rigid_body(controller.chassis);
            let queries = world.broad_phase.as_query_pipeline_mut(
                world.narrow_phase.query_dispatcher(),
                &mut world.bodies,
                &mut world.colliders,
                filter,
            );
            controller.update_vehicle(DT, queries);
        }
        world.step();
    }
    let body = &world.bodies[controller.chassis];
    (body.translation(), body.linvel())
}

#[test]
fn the_same_numbers_stand_and_pull_away_alike() {
    for sideways in [false, true] {
        let forward = if sideways { Vector::X } else { Vector::Z };
        let mut found = Vec::new();
        for is_ours in [false, true] {
            let (mut world, mut controller) = controlled(0.0, sideways);
            let mut car = is_ours.then(|| take_over(&mut world, &controller).expect("no faults"));
            assert!((world.bodies[controller.chassis].mass() - 1_440.0).abs() < 0.1);
            for wheel in &mut controller.wheels_mut()[2..] {
                wheel.engine_force = 1_500.0;
            }
            let (place, velocity) = drive(&mut world, &mut controller, car.as_mut(), 4.0);
            found.push((place.y, velocity.dot(forward)));
        }
        let [(height, speed), (our_height, our_speed)] = found[..] else { panic!("two cars") };
        // 3000 N on 1440 kg for 4 s, from a fall of some centimeters; our wheels have inertia.
        assert!((height - our_height).abs() < 0.02, "{found:?}");
        assert!((0.95..1.05).contains(&(our_speed / speed)), "{found:?}");
    }
}

#[test]
fn brakes_hold_where_they_are_taken_over() {
    let (mut world, mut controller) = controlled(0.26, false);
    let mut car = take_over(&mut world, &controller).expect("no faults");
    for wheel in controller.wheels_mut() {
        wheel.brake = 100.0; // N·s, 6 kN at 60 Hz
    }
    let (settled, _) = drive(&mut world, &mut controller, Some(&mut car), 3.0);
    let (later, _) = drive(&mut world, &mut controller, Some(&mut car), 10.0);
    assert!(settled.distance(later) < 5e-4, "{settled} to {later}");
}

#[test]
fn steering_is_to_the_same_side() {
    let (mut world, mut controller) = controlled(0.0, false);
    let mut car = take_over(&mut world, &controller).expect("no faults");
    for (index, wheel) in controller.wheels_mut().iter_mut().enumerate() {
        wheel.steering = if index < 2 { 0.1 } else { 0.0 };
        wheel.engine_force = 500.0;
    }
    let (place, _) = drive(&mut world, &mut controller, Some(&mut car), 4.0);
    assert!(1.0 < place.x && 5.0 < place.z, "{place}: left is +x");
}

#[test]
fn both_damper_rates_are_taken_over() {
    for (bump, rebound) in [(2.4, 2.8), (0.8, 4.4), (4.4, 0.8)] {
        let (mut world, mut controller) = controlled(0.0, false);
        for wheel in controller.wheels_mut() {
            (wheel.damping_compression, wheel.damping_relaxation) = (bump, rebound);
        }
        let car = take_over(&mut world, &controller).expect("no faults");
        let SuspensionDynamics::Struts(struts) =
            &car.vehicle.params().mechanics.suspension_dynamics
        else {
            panic!("struts have dampers of two rates")
        };
        for strut in struts {
            let damper = strut.damper.expect("a damper");
            let rates = [damper.bump.rate, damper.rebound.rate];
            for (rate, expected) in rates.into_iter().zip([bump, rebound]) {
                assert!((rate / (expected * 1_440.0) - 1.0).abs() < 1e-4, "{rates:?}");
            }
        }
    }
}

#[test]
fn a_soft_bump_and_a_hard_rebound_ride_lower_than_the_other_way_round() {
    // Between bumps, a body is pulled down by dampers that are harder in rebound.
    let settled = |bump: Real, rebound: Real| {
        let (mut world, mut controller) = controlled(0.0, false);
        for wheel in controller.wheels_mut() {
            (wheel.damping_compression, wheel.damping_relaxation) = (bump, rebound);
        }
        let mut car = take_over(&mut world, &controller).expect("no faults");
        drive(&mut world, &mut controller, Some(&mut car), 2.0);
        let mut sum = 0.0;
        for step in 0..240 {
            let push = if step % 10 < 5 { 3_000.0 } else { -3_000.0 };
            world.bodies[controller.chassis].apply_impulse(Vector::Y * (push * DT), true);
            drive(&mut world, &mut controller, Some(&mut car), DT);
            sum += world.bodies[controller.chassis].translation().y / 240.0;
        }
        sum
    };
    let (jacked_down, mean, jacked_up) = (settled(0.8, 4.4), settled(2.6, 2.6), settled(4.4, 0.8));
    assert!(jacked_down < mean - 5e-4, "{jacked_down} m, {mean} m");
    assert!(mean + 5e-4 < jacked_up, "{mean} m, {jacked_up} m");
}

#[test]
fn what_cannot_be_taken_over_is_named_and_stays() {
    let (mut world, mut controller) = controlled(0.0, false);
    let mass = world.bodies[controller.chassis].mass();
    controller.wheels_mut()[2].suspension_stiffness = -1.0;
    let fault = take_over(&mut world, &controller).expect_err("no spring").to_string();
    assert_eq!(fault, "wheels[2].suspension_stiffness must be positive and finite, got -1");
    controller.wheels_mut()[2].suspension_stiffness = 24.0;
    controller.wheels_mut()[2].max_suspension_travel = 0.05;
    take_over(&mut world, &controller).expect("short, and stopped at its end");
    controller.wheels_mut()[0].radius = Real::NAN;
    let fault = take_over(&mut world, &controller).expect_err("no radius").to_string();
    assert_eq!(fault, "wheels[0].radius must be positive and finite, got NaN");
    let (mut world, mut tilted) = controlled(0.0, false);
    for wheel in tilted.wheels_mut() {
        wheel.axle_cs = Vector::new(1.0, 0.0, 1.0).normalize();
    }
    let fault = take_over(&mut world, &tilted).expect_err("no frame");
    assert!(matches!(fault, MigrationError::Axes { .. }), "{fault}");
    let empty = DynamicRayCastVehicleController::new(tilted.chassis);
    let fault = take_over(&mut world, &empty).expect_err("no wheels").to_string();
    assert_eq!(fault, "wheels must be at least 3, got 0");
    world.remove_body(tilted.chassis);
    let fault = take_over(&mut world, &tilted).expect_err("no chassis");
    assert!(matches!(fault, MigrationError::Chassis(_)), "{fault}");
    assert!((mass - 1_440.0).abs() < 0.1);
}
