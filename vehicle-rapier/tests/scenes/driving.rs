//! A car with direct drive in a world, against closed forms.

use crate::common::{DT, car, car_with, drive, roll, settled_car, with_identity_load_filter};
use rapier3d::prelude::*;
use snippets::scenes::level_world;
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_direct_drive};
use vehicle_rapier::UpdateMode;
use vehicle_rapier::drivetrain::direct_drive::Gear;

#[test]
fn dropped_car_settles_where_forces_and_moments_balance() {
    let mut world = level_world(DT, 1.0);
    let mut car = car(&mut world, SAMPLE_REST_HEIGHT + 1.0);
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 4.0);
    let expected = [0.180, 0.175, 0.154, 0.149];
    for (wheel, expected) in expected.into_iter().enumerate() {
        let jounce = car.vehicle.state.mechanics.suspensions.of(wheel).compression.jounce.unwrap();
        assert!((jounce - expected).abs() < 1e-3, "wheel {wheel}: {jounce} m, not {expected} m");
    }
}

#[test]
fn suspension_carries_the_weight_at_rest() {
    let (mut world, mut car) = settled_car();
    drive(&mut world, &mut car, 2.0);
    let forces = &car.vehicle.state.mechanics.suspensions;
    let load: Real = forces.iter().map(|force| force.force.normal_load).sum();
    let weight = car.vehicle.params().mechanics.rigid_body.mass * 9.81;
    assert!((load / weight - 1.0).abs() < 1e-3, "load {load} N, weight {weight} N");
}

#[test]
fn torque_accelerates_mass_and_wheels() {
    let (mut world, mut car) = settled_car();
    let wheel = car.vehicle.params().mechanics.wheels[0];
    roll(&mut world, &mut car, 8.0, 8.0 / wheel.radius);
    car.vehicle.commands.throttle = 0.5;
    drive(&mut world, &mut car, 0.5);
    let before = car.forward_speed();
    drive(&mut world, &mut car, 1.0);
    let gained = car.forward_speed() - before;
    // a = Σ T / (R (M + Σ J / R²)), the damping of the wheels taken at the mean speed
    let mass = car.vehicle.params().mechanics.rigid_body.mass;
    let damping = wheel.damping_rate * (before + 0.5 * gained) / wheel.radius;
    let inertia = mass + 4.0 * wheel.inertia / wheel.radius.powi(2);
    let expected = 4.0 * (375.0 - damping) / (wheel.radius * inertia);
    assert!((gained / expected - 1.0).abs() < 0.02, "{gained} m/s, not {expected} m/s");
}

#[test]
fn locked_wheels_stop_the_car_in_the_distance_of_coulomb() {
    // (friction, distance from 100 km/h: v² / (2 μ g))
    for (friction, expected) in [(1.0, 39.33), (0.7, 56.18), (0.3, 131.09)] {
        let mut world = level_world(DT, friction);
        let mut params = with_identity_load_filter();
        // 1875 N·m would not hold the front wheels at full friction.
        params.mechanics.brakes[0].max_response = 10_000.0;
        let mut car = car_with(&mut world, params, SAMPLE_REST_HEIGHT);
        drive(&mut world, &mut car, 0.4);
        roll(&mut world, &mut car, 100.0 / 3.6, 0.0);
        car.vehicle.commands.brakes[0] = 1.0;
        let start = world.bodies[car.actor.body].translation();
        while 0.02 < world.bodies[car.actor.body].linvel().length() {
            car.step(&mut world).unwrap();
        }
        let distance = world.bodies[car.actor.body].translation().distance(start);
        let error = distance / expected - 1.0;
        assert!(error.abs() < 0.03, "friction {friction}: {distance} m, not {expected} m");
    }
}

#[test]
fn brake_counts_against_the_throttle() {
    let (mut world, mut car) = settled_car();
    let radius = car.vehicle.params().mechanics.wheels[0].radius;
    roll(&mut world, &mut car, 10.0, 10.0 / radius);
    // 1875 N·m against 750 N·m per wheel
    car.vehicle.commands.throttle = 1.0;
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 3.0);
    let speed = car.forward_speed();
    assert!(speed.abs() < 0.1, "{speed} m/s");
}

#[test]
fn reverse_gear_drives_backward_and_neutral_nowhere() {
    for (gear, sign) in [(Gear::Reverse, -1.0), (Gear::Neutral, 0.0), (Gear::Forward, 1.0)] {
        let (mut world, mut car) = settled_car();
        car.vehicle.controls.gear = gear;
        car.vehicle.commands.throttle = 0.5;
        drive(&mut world, &mut car, 2.0);
        let speed = car.forward_speed();
        let is_right = if sign == 0.0 { speed.abs() < 0.05 } else { 3.0 < sign * speed };
        assert!(is_right, "{gear:?}: {speed} m/s");
    }
}

#[test]
fn both_update_modes_drive_alike() {
    let speeds = [UpdateMode::Velocity, UpdateMode::Acceleration].map(|update_mode| {
        let (mut world, mut car) = settled_car();
        car.actor.update_mode = update_mode;
        car.vehicle.commands.throttle = 0.5;
        car.vehicle.commands.steer = 0.1;
        drive(&mut world, &mut car, 5.0);
        let body = &world.bodies[car.actor.body];
        (body.linvel().length(), body.angvel().y)
    });
    let [velocity, acceleration] = speeds;
    assert!((velocity.0 - acceleration.0).abs() < 0.01 * velocity.0, "{speeds:?}");
    assert!((velocity.1 - acceleration.1).abs() < 0.02 * velocity.1.abs(), "{speeds:?}");
}

#[test]
fn forces_of_the_user_act_beside_those_of_the_vehicle() {
    for update_mode in [UpdateMode::Velocity, UpdateMode::Acceleration] {
        // Far above the ground, the vehicle brings gravity only.
        let mut world = level_world(DT, 1.0);
        let mut car = car(&mut world, 1_000.0);
        car.actor.update_mode = update_mode;
        let mass = car.vehicle.params().mechanics.rigid_body.mass;
        world.bodies[car.actor.body].add_force(Vector::X * mass, true);
        drive(&mut world, &mut car, 1.0);
        let velocity = world.bodies[car.actor.body].linvel();
        let expected = Vector::new(1.0, -9.81, 0.0);
        assert!(velocity.distance(expected) < 0.01, "{update_mode:?}: {velocity}");
    }
}

#[test]
fn same_drive_gives_the_same_bits() {
    let run = || {
        let (mut world, mut car) = settled_car();
        car.vehicle.commands.throttle = 0.7;
        car.vehicle.commands.steer = -0.2;
        drive(&mut world, &mut car, 3.0);
        (car.vehicle.state, *world.bodies[car.actor.body].position())
    };
    assert_eq!(format!("{:?}", run()), format!("{:?}", run()));
}

#[test]
fn chassis_has_the_mass_of_the_vehicle() {
    let mut world = level_world(DT, 1.0);
    let params = sample_direct_drive().unwrap();
    let expected = params.mechanics.rigid_body;
    let car = car_with(&mut world, params, 0.0);
    let properties = world.bodies[car.actor.body].mass_properties().local_mprops;
    assert!((properties.mass() - expected.mass).abs() < 1e-3);
    let inertia = properties.reconstruct_inertia_matrix();
    for axis in [Vector::X, Vector::Y, Vector::Z] {
        let difference = (inertia * axis).distance(expected.inertia * axis);
        assert!(difference < 0.1, "{axis}: {difference} kg m²");
    }
    assert!(properties.local_com.distance(car.actor.center_of_mass.translation) < 1e-6);
}

#[test]
fn forces_of_a_body_that_are_reset_in_each_step_take_none_from_its_vehicle() {
    let speeds = [false, true].map(|resets| {
        let (mut world, mut car) = settled_car();
        car.actor.update_mode = UpdateMode::Acceleration;
        car.vehicle.commands.throttle = 1.0;
        for _ in 0..120 {
            if resets {
                world.bodies[car.actor.body].reset_forces(true);
                world.bodies[car.actor.body].reset_torques(true);
            }
            car.step(&mut world).expect("the car can be driven");
        }
        world.bodies[car.actor.body].linvel()
    });
    let apart = speeds[0].distance(speeds[1]);
    assert!(1.0 < speeds[0].z && apart < 1e-3, "{speeds:?} m/s");
}
