//! Standing still: on slopes, under a push, after a fall. The vehicle's own solver holds the car,
//! or the world's.

use crate::common::hill::{Heading, SLOPE, Trial, parked};
use crate::common::{DT, EXECUTIONS, car_with, drive, with_identity_load_filter};
use rapier3d::prelude::*;
use snippets::scenes::level_world;
use snippets::vehicles::SAMPLE_REST_HEIGHT;
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::{Activity, RapierVehicle};

fn place(world: &PhysicsWorld, car: &RapierVehicle<DirectDriveVehicle>) -> Vector {
    world.bodies[car.actor.body].translation()
}

/// Mean of the points at which the tires hold the car (m): they stay where they are as it rolls.
fn holding_point(world: &PhysicsWorld, car: &RapierVehicle<DirectDriveVehicle>) -> Vector {
    let body = *world.bodies[car.actor.body].position() * car.actor.center_of_mass;
    let suspensions = &car.vehicle.params().mechanics.suspensions;
    let states = &car.vehicle.state.mechanics.suspensions;
    let points = suspensions.iter().zip(states).map(|(suspension, state)| {
        (body * suspension.attachment).transform_point(state.compliance.tire_force_point)
    });
    points.sum::<Vector>() / suspensions.len() as Real
}

#[test]
fn parked_car_does_not_creep() {
    for execution in EXECUTIONS {
        for heading in [Heading::Uphill, Heading::Across] {
            for (rate, substeps) in
                [(30.0, 1), (30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1), (240.0, 3)]
            {
                for can_sleep in [false, true] {
                    let trial =
                        Trial { heading, rate, substeps, can_sleep, execution, ..Trial::default() };
                    let (mut world, mut car) = parked(&trial);
                    drive(&mut world, &mut car, 5.0);
                    let before = place(&world, &car);
                    let activity = drive(&mut world, &mut car, 55.0);
                    let drift = place(&world, &car).distance(before);
                    assert!(drift < 1e-3, "{trial:?}: {drift} m");
                    let expected = if can_sleep { Activity::Asleep } else { Activity::Awake };
                    assert_eq!(activity, expected, "{trial:?}");
                }
            }
        }
    }
}

#[test]
fn braking_car_on_a_hill_never_jumps_back_as_its_tires_begin_to_stick() {
    for execution in EXECUTIONS {
        for heading in [Heading::Uphill, Heading::Across] {
            for substeps in [1, 3] {
                let trial =
                    Trial { heading, substeps, can_sleep: false, execution, ..Trial::default() };
                let (mut world, mut car) = parked(&trial);
                // It settles on its springs first, and creeps before its tires stick across.
                drive(&mut world, &mut car, 0.5);
                let uphill = Vector::new(0.0, SLOPE.sin(), SLOPE.cos());
                let mut fastest: Real = 0.0;
                for _ in 0..150 {
                    car.step(&mut world).expect("the car can be driven");
                    fastest = fastest.max(world.bodies[car.actor.body].linvel().dot(uphill));
                }
                assert!(fastest < 5e-3, "{trial:?}: {fastest} m/s uphill");
            }
        }
    }
}

#[test]
fn slippery_hill_lets_the_car_slide_as_coulomb_says() {
    for execution in EXECUTIONS {
        for heading in [Heading::Uphill, Heading::Across, Heading::Diagonal] {
            for substeps in [1, 3] {
                let friction = 0.2;
                let trial = Trial { heading, friction, substeps, execution, ..Trial::default() };
                let (mut world, mut car) = parked(&trial);
                drive(&mut world, &mut car, 3.0);
                let before = world.bodies[car.actor.body].linvel().length();
                drive(&mut world, &mut car, 2.0);
                let gained = world.bodies[car.actor.body].linvel().length() - before;
                // g (sin φ - μ cos φ) t
                let expected = 9.81 * (SLOPE.sin() - friction * SLOPE.cos()) * 2.0;
                let error = gained / expected - 1.0;
                // A host's joints share the circle of friction askew by what they did in the step
                // before.
                let is_shared = execution == RowExecution::Host && heading == Heading::Diagonal;
                let most = if is_shared { 0.035 } else { 0.03 };
                assert!(error.abs() < most, "{trial:?}: {gained} m/s, not {expected} m/s");
            }
        }
    }
}

#[test]
fn car_pulls_away_from_the_hill_in_the_first_step() {
    for execution in EXECUTIONS {
        let trial = Trial { execution, ..Trial::default() };
        let (mut world, mut car) = parked(&trial);
        assert_eq!(drive(&mut world, &mut car, 5.0), Activity::Asleep);
        car.vehicle.commands.brakes[0] = 0.0;
        car.vehicle.commands.throttle = 1.0;
        drive(&mut world, &mut car, DT);
        let params = car.vehicle.params();
        let (mass, wheel) = (params.mechanics.rigid_body.mass, params.mechanics.wheels[0]);
        // The torque of the wheels against the slope; a part of it still spins the wheels up.
        let thrust = 4.0 * params.throttle.max_response / wheel.radius / mass;
        let expected = (thrust - 9.81 * SLOPE.sin()) * DT;
        let speed = car.forward_speed();
        assert!(
            0.3 * expected < speed,
            "{execution:?}: {speed} m/s after a step, {expected} m/s without inertia"
        );
        drive(&mut world, &mut car, 0.5);
        let speed = car.forward_speed();
        assert!(0.8 * expected * 30.0 < speed, "{execution:?}: {speed} m/s after half a second");
    }
}

#[test]
fn parked_car_withstands_a_push() {
    for execution in EXECUTIONS {
        let mut world = level_world(DT, 0.8);
        let mut car = car_with(&mut world, with_identity_load_filter(), SAMPLE_REST_HEIGHT);
        car.params.row_execution = execution;
        car.vehicle.commands.brakes[0] = 1.0;
        let handle = world.bodies[car.actor.body].colliders()[0];
        let hull = world.colliders[handle].position().translation;
        let size = 0.3;
        // A box of 300 kg, smooth on the ground, beside the hull.
        let at = Vector::new(hull.x + 0.840_97 + size + 0.002, hull.y, hull.z);
        let pusher =
            RigidBodyBuilder::dynamic().translation(at).lock_rotations().gravity_scale(0.0);
        let density = 300.0 / (2.0 * size).powi(3);
        let shape = ColliderBuilder::cuboid(size, size, size).density(density).friction(0.0);
        let (pusher, _) = world.insert(pusher, shape);
        drive(&mut world, &mut car, 3.0);
        let before = holding_point(&world, &car);
        world.bodies[pusher].add_force(Vector::X * -3_000.0, true);
        let mut farthest: Real = 0.0;
        for _ in 0..(2.0 / DT) as usize {
            car.step(&mut world).expect("the car can be driven");
            let moved = holding_point(&world, &car) - before;
            farthest = farthest.max(Vector::new(moved.x, 0.0, moved.z).length());
        }
        let held = holding_point(&world, &car);
        drive(&mut world, &mut car, 6.0);
        let creep = holding_point(&world, &car).distance(held);
        assert!(world.bodies[pusher].translation().x < at.x - 1e-3, "the box has moved to the car");
        // The box arrives at 0.2 m/s.
        assert!(farthest < 1.5e-3, "{execution:?}: {farthest} m");
        assert!(creep < 1e-4, "{execution:?}: {creep} m");
    }
}

#[test]
fn dropped_car_sleeps_within_three_seconds() {
    for execution in EXECUTIONS {
        for brake in [0.0, 1.0] {
            let mut world = level_world(DT, 1.0);
            let mut car =
                car_with(&mut world, with_identity_load_filter(), SAMPLE_REST_HEIGHT + 1.0);
            car.params.row_execution = execution;
            car.vehicle.commands.brakes[0] = brake;
            // It touches down after sqrt(2 h / g) = 0.4 s, less its travel.
            assert_eq!(
                drive(&mut world, &mut car, 3.4),
                Activity::Asleep,
                "{execution:?}, brake {brake}"
            );
        }
    }
}

/// How far the suspensions of a car on level ground are compressed beyond their travel (m).
fn compression_beyond_travel(
    world: &PhysicsWorld,
    car: &RapierVehicle<DirectDriveVehicle>,
) -> Real {
    let body = *world.bodies[car.actor.body].position() * car.actor.center_of_mass;
    let mechanics = &car.vehicle.params().mechanics;
    let bottoms = mechanics.suspensions.iter().zip(&mechanics.wheels).map(|(suspension, wheel)| {
        body.transform_point(suspension.attachment.translation).y - wheel.radius
    });
    -bottoms.fold(Real::INFINITY, Real::min)
}

#[test]
fn stops_hold_a_soft_suspension() {
    for execution in EXECUTIONS {
        for substeps in [1, 3] {
            let mut world = level_world(DT, 1.0);
            let mut params = with_identity_load_filter();
            for spring in &mut params.mechanics.suspension_forces {
                spring.stiffness *= 0.8;
                spring.damping *= 0.2;
            }
            let pose = Pose::from_translation(Vector::Y * (SAMPLE_REST_HEIGHT + 3.0));
            // Without a hull: nothing but the stops can hold the car.
            let chassis = vehicle_rapier::Chassis::new(&params.mechanics.rigid_body)
                .pose(pose)
                .center_of_mass(Pose::from_translation(snippets::vehicles::SAMPLE_CENTER_OF_MASS));
            let vehicle = DirectDriveVehicle::new(params).expect("valid parameters");
            let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
            let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
            car.params.row_execution = execution;
            let (mut deepest, mut rebound): (Real, Real) = (0.0, 0.0);
            for _ in 0..(3.0 / DT) as usize {
                car.step(&mut world).expect("the car can be driven");
                deepest = deepest.max(compression_beyond_travel(&world, &car));
                let is_at_end = 0.0 < compression_beyond_travel(&world, &car);
                if is_at_end {
                    rebound = rebound.max(world.bodies[car.actor.body].linvel().y);
                }
            }
            assert!(
                0.0 < deepest,
                "{execution:?}, {substeps} substeps: the fall compresses the suspensions fully"
            );
            assert!(
                deepest < 0.02,
                "{execution:?}, {substeps} substeps: {deepest} m beyond the travel"
            );
            // Joints stop the body within the step, and spring and damper act to the end of it.
            let expected = if execution == RowExecution::Local { 0.26 } else { 0.3 };
            assert!(
                rebound < expected,
                "{execution:?}, {substeps} substeps: {rebound} m/s off the stops"
            );
        }
    }
}
