//! Wheels that are turned from outside: torques and steer angles written before each step.

use crate::common::drive;
use crate::common::saloon::{direct_saloon, saloon_chassis, saloon_rest_height};
use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::WheelList;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::{Activity, RapierVehicle};

type Car = RapierVehicle<DirectDriveVehicle>;

/// A saloon without a driver.
fn robot(rate: Real, substeps: u32) -> (PhysicsWorld, Car) {
    let mut world = level_world(1.0 / rate, 1.0);
    let mut params = direct_saloon();
    params.mechanics.aerodynamics.drag_area = 0.0;
    let pose = Pose::from_translation(Vector::Y * saloon_rest_height());
    let chassis = saloon_chassis(&params.mechanics, pose);
    let vehicle = DirectDriveVehicle::new(params).expect("valid parameters");
    let sequence = DirectDriveVehicle::sequence_of_written_torques(move |_| substeps);
    let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    drive(&mut world, &mut car, 1.0);
    (world, car)
}

#[test]
fn written_torques_accelerate_as_newton_says() {
    for (rate, substeps) in [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)] {
        let (mut world, mut car) = robot(rate, substeps);
        let torques = [50.0, 50.0, 200.0, 200.0];
        let mechanics = car.vehicle.params().mechanics.clone();
        car.vehicle.state.drive.torques = WheelList::from_slice(&torques);
        // Commands have no meaning.
        (car.vehicle.commands.throttle, car.vehicle.controls.gear) = (1.0, Gear::Reverse);
        drive(&mut world, &mut car, 1.0);
        let before = car.forward_speed();
        drive(&mut world, &mut car, 2.0);
        let acceleration = (car.forward_speed() - before) / 2.0;
        // Σ T / R = (m + Σ J / R²) a + Σ c ω / R + f m g
        let wheel = &mechanics.wheels[0];
        let mean = 0.5 * (car.forward_speed() + before);
        let damping = 4.0 * wheel.damping_rate * mean / (wheel.radius * wheel.radius);
        let inertia = 4.0 * wheel.inertia / (wheel.radius * wheel.radius);
        let rolling = mechanics.tires[0].rolling_resistance * mechanics.rigid_body.mass * GRAVITY;
        let force = torques.iter().sum::<Real>() / wheel.radius - damping - rolling;
        let expected = force / (mechanics.rigid_body.mass + inertia);
        let error = acceleration / expected - 1.0;
        let what = format!("{rate} Hz, {substeps} substeps");
        assert!(error.abs() < 0.02, "{what}: {acceleration} m/s², not {expected}");
    }
}

#[test]
fn written_torques_and_angles_do_what_those_of_a_driver_do() {
    // What a driver does with pedals and steering wheel, and the torques and angles that follow.
    let (mut world, mut car) = robot(60.0, 3);
    car.sequence = DirectDriveVehicle::sequence_with_substeps(|_| 3).into();
    car.vehicle.controls.gear = Gear::Forward;
    let mut written = Vec::new();
    for step in 0..240 {
        let commands = &mut car.vehicle.commands;
        (commands.throttle, commands.brakes[0]) = if step < 180 { (0.5, 0.0) } else { (0.0, 0.5) };
        commands.steer = 0.001 * step as Real;
        car.step(&mut world).expect("the car can be driven");
        written.push(car.vehicle.state.clone());
    }
    let expected = *world.bodies[car.actor.body].position();
    assert!(5.0 < expected.translation.z && 0.1 < expected.translation.x, "{expected:?}");

    let (mut world, mut car) = robot(60.0, 3);
    for inputs in written {
        let state = &mut car.vehicle.state;
        state.drive.torques = inputs.drive.torques;
        state.mechanics.brake_torques = inputs.mechanics.brake_torques;
        state.mechanics.steer_angles = inputs.mechanics.steer_angles;
        car.step(&mut world).expect("the car can be driven");
    }
    assert_eq!(*world.bodies[car.actor.body].position(), expected);
}

#[test]
fn a_controller_holds_wakes_and_turns_a_robot_on_the_spot() {
    let (mut world, mut car) = robot(60.0, 3);
    let hold = |car: &mut Car| {
        car.vehicle.state.drive.torques.fill(0.0);
        car.vehicle.state.mechanics.brake_torques.fill(500.0);
    };
    hold(&mut car);
    assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep);
    // Written again each step, the same values let it sleep on.
    for _ in 0..60 {
        hold(&mut car);
        assert_eq!(car.step(&mut world), Ok(Activity::Asleep));
    }
    let snapshot = car.snapshot(&world.bodies).expect("in the world");
    car.restore(&mut world, &snapshot).expect("its own");
    assert_eq!(car.step(&mut world), Ok(Activity::Asleep));
    // Each wheel stands along the circle about the center, and pushes along it.
    let angle = (2.7 / 1.55_f32).atan();
    for _ in 0..120 {
        let state = &mut car.vehicle.state;
        state.mechanics.brake_torques.fill(0.0);
        for (wheel, [steer, torque]) in
            [[angle, 150.0], [-angle, -150.0], [-angle, 150.0], [angle, -150.0]]
                .into_iter()
                .enumerate()
        {
            state.mechanics.steer_angles[wheel] = steer;
            state.drive.torques[wheel] = torque;
        }
        assert_eq!(car.step(&mut world), Ok(Activity::Awake));
    }
    let body = &world.bodies[car.actor.body];
    let place = body.translation();
    assert!(0.3 < body.angvel().y.abs(), "{} rad/s", body.angvel());
    assert!(place.x.hypot(place.z) < 0.5, "{place}");
}

#[test]
fn bad_torques_and_angles_are_named_and_change_nothing() {
    type Fault = (fn(&mut DirectDriveVehicle), &'static str);
    let faults: [Fault; 3] = [
        (
            |car| car.state.drive.torques[2] = Real::NAN,
            "state.drive.torques[2] must be finite, got NaN",
        ),
        (
            |car| car.state.mechanics.brake_torques[1] = -3.0,
            "state.mechanics.brake_torques[1] must be finite and not negative, got -3",
        ),
        (
            |car| car.state.mechanics.steer_angles[0] = 4.0,
            "state.mechanics.steer_angles[0] must be within [-3.1415927, 3.1415927], got 4",
        ),
    ];
    let (mut world, mut car) = robot(60.0, 3);
    car.vehicle.state.mechanics.brake_torques.fill(500.0);
    for seconds in [0.1, 3.0] {
        drive(&mut world, &mut car, seconds);
        for (spoil, message) in faults {
            let mut faulty = car.clone();
            spoil(&mut faulty.vehicle);
            let before = format!("{faulty:?}");
            assert_eq!(faulty.step(&mut world).unwrap_err().to_string(), message);
            assert_eq!(format!("{faulty:?}"), before, "{message}");
        }
    }
}
