//! Vehicles that give their bodies forces: steps that fail, and steps that are made twice.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use snippets::vehicles::SAMPLE_REST_HEIGHT;
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::fleet::update_together;
use vehicle_rapier::{Activity, Fleet, RapierVehicle, UpdateMode};

use crate::common::{DT, EXECUTIONS, car, drive};

/// A car whose motion reaches its body by forces, half a second after it has started.
fn driven_by_forces() -> (PhysicsWorld, RapierVehicle<DirectDriveVehicle>) {
    let mut world = level_world(DT, 1.0);
    let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
    car.actor.update_mode = UpdateMode::Acceleration;
    car.vehicle.commands.throttle = 1.0;
    drive(&mut world, &mut car, 0.5);
    (world, car)
}

#[test]
fn the_force_of_the_last_step_ends_with_the_step_that_fails() {
    for by in ["itself", "a fleet", "together"] {
        let (mut world, mut car) = driven_by_forces();
        let body = car.actor.body;
        let own = Vector::X * 7.0;
        world.bodies[body].add_force(own, true);
        let before = world.bodies[body].user_force();
        assert!(100.0 < before.length(), "{before} N");
        car.vehicle.commands.throttle = Real::NAN;
        match by {
            "itself" => assert!(car.step(&mut world).is_err()),
            "together" => assert!(update_together([&mut car], &mut world)[0].is_err()),
            _ => {
                let mut fleet = Fleet::new();
                fleet.insert(car);
                assert_eq!(fleet.update(&mut world).len(), 1);
            }
        }
        let left = world.bodies[body].user_force() - own;
        assert!(left.length() < 1e-2, "by {by}: {left} N");
        let left = world.bodies[body].user_torque();
        assert!(left.length() < 1e-2, "by {by}: {left} N·m");
    }
}

#[test]
fn a_body_that_was_disabled_and_got_another_velocity_is_driven_on() {
    let mut world = level_world(DT, 1.0);
    let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
    car.vehicle.commands.throttle = 1.0;
    drive(&mut world, &mut car, 1.0);
    let body = car.actor.body;
    car.update(&mut world).expect("it can be driven");
    world.bodies[body].set_enabled(false);
    world.step();
    assert_eq!(car.step(&mut world), Ok(Activity::Disabled));
    world.bodies[body].set_enabled(true);
    world.bodies[body].set_linvel(Vector::Z * 7.0, false);
    assert_eq!(car.step(&mut world), Ok(Activity::Awake));
}

#[test]
fn a_vehicle_whose_body_gets_forces_may_be_updated_twice() {
    for execution in EXECUTIONS {
        for update_mode in [UpdateMode::Velocity, UpdateMode::Acceleration] {
            let mut world = level_world(DT, 1.0);
            let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
            (car.params.row_execution, car.actor.update_mode) = (execution, update_mode);
            car.vehicle.commands.throttle = 1.0;
            for step in 0..30 {
                for _ in 0..2 {
                    let outcome = car.update(&mut world);
                    assert!(outcome.is_ok(), "{execution:?}, {update_mode:?}, {step}: {outcome:?}");
                }
                world.step();
            }
            assert!(0.5 < world.bodies[car.actor.body].linvel().z);
        }
    }
}

#[test]
fn joints_for_tires_hold_alike_as_the_time_step_changes() {
    let slope: Real = 0.15;
    let mut world = crate::common::sloping_world(60.0, slope);
    let mut car = car(&mut world, 0.0);
    let turn = Rotation::from_rotation_x(slope);
    let pose = Pose::from_parts(turn * (Vector::Y * SAMPLE_REST_HEIGHT), turn);
    world.bodies[car.actor.body].set_position(pose, true);
    world.bodies[car.actor.body].activation_mut().normalized_linear_threshold = -1.0;
    car.params.row_execution = RowExecution::Host;
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 3.0);
    // Force along the road by the impulses of the rows, which are those of a substep.
    let substeps = 3.0;
    let mut force = |rate: Real| {
        world.integration_parameters.dt = 1.0 / rate;
        car.step(&mut world).expect("the car can be driven");
        let rows = &car.vehicle.state.mechanics.rows;
        let impulses =
            (0..4).filter_map(|wheel| rows.of(wheel).longitudinal).map(|row| row.impulse);
        impulses.sum::<Real>() * rate * substeps
    };
    let before = force(60.0);
    assert!(1_000.0 < before.abs(), "{before} N");
    for rate in [240.0, 60.0] {
        let after = force(rate);
        assert!((after / before - 1.0).abs() < 0.2, "{rate} Hz: {after} N, not {before} N");
        for _ in 0..60 {
            force(rate);
        }
    }
}

#[test]
fn a_body_that_was_not_dynamic_comes_back_without_the_force_of_the_vehicle() {
    for has_own in [false, true] {
        let (mut world, mut car) = driven_by_forces();
        let body = car.actor.body;
        let own = if has_own { Vector::X * 7.0 } else { Vector::ZERO };
        world.bodies[body].add_force(own, true);
        assert!(100.0 < world.bodies[body].user_force().length());
        world.bodies[body].set_body_type(RigidBodyType::KinematicPositionBased, true);
        for _ in 0..3 {
            car.step(&mut world).expect_err("it is not dynamic");
            world.step();
        }
        world.bodies[body].set_body_type(RigidBodyType::Dynamic, true);
        car.actor.update_mode = UpdateMode::Velocity;
        drive(&mut world, &mut car, DT);
        let left = world.bodies[body].user_force() - own;
        assert!(left.length() < 1e-2, "own {has_own}: {left} N");
        let left = world.bodies[body].user_torque();
        assert!(left.length() < 1e-2, "own {has_own}: {left} N·m");
    }
}
