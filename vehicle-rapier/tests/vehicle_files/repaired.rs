//! Motions, places and commands that are none: the step says so, nothing changes, and with good
//! ones the vehicle drives on, alone and in a fleet.

use rapier3d::prelude::*;
use snippets::presets::{driven, vehicle};
use snippets::scenes::level_world;
use vehicle_rapier::StepError;
use vehicle_rapier::drivetrain::{DirectDriveVehicle, EngineDriveVehicle, TankVehicle};
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::common::DT;
use crate::common::mixed::{bits, control_all, mixed_fleet};

/// What goes wrong, and how.
type Harm = (&'static str, fn(&mut RigidBody));

const HARMS: [Harm; 8] = [
    ("NaN velocity", |body| body.set_linvel(Vector::splat(Real::NAN), true)),
    ("NaN rotation speed", |body| body.set_angvel(Vector::Y * Real::NAN, true)),
    ("infinite velocity", |body| body.set_linvel(Vector::Z * Real::INFINITY, true)),
    ("infinite rotation speed", |body| body.set_angvel(Vector::X * Real::NEG_INFINITY, true)),
    ("velocity without measure", |body| body.set_linvel(Vector::Z * 1e30, true)),
    ("rotation speed without measure", |body| body.set_angvel(Vector::Z * 1e30, true)),
    ("NaN place", |body| body.set_translation(Vector::X * Real::NAN, true)),
    ("place out of the world", |body| body.set_translation(Vector::X * 1e30, true)),
];

/// A motion of the body: its pose and velocities.
fn motion(body: &RigidBody) -> (Pose, Vector, Vector) {
    (*body.position(), body.linvel(), body.angvel())
}

fn set_motion(body: &mut RigidBody, (pose, linear, angular): (Pose, Vector, Vector)) {
    body.set_position(pose, true);
    body.set_vels(RigidBodyVelocity::new(linear, angular), true);
}

/// A vehicle on level ground that has driven for a second.
fn driving(name: &str) -> (PhysicsWorld, AnyRapierVehicle) {
    let mut world = level_world(DT, 1.0);
    let model = vehicle(name).expect("a preset");
    let height = model.standing_height(9.81);
    let mut car = model.insert(&mut world, Pose::from_translation(Vector::Y * height));
    car.commands_mut().throttle = 0.6;
    for _ in 0..60 {
        car.step(&mut world).expect("a good step");
    }
    (world, car)
}

/// What becomes of the preset `name` that drives on for half a second after `happens` to it, its
/// motion put back: the motion before and after.
fn outcome(
    name: &str,
    happens: impl FnOnce(&mut PhysicsWorld, &mut AnyRapierVehicle),
) -> [(Pose, Vector, Vector); 2] {
    let (mut world, mut car) = driving(name);
    let body = car.body();
    let before = motion(&world.bodies[body]);
    happens(&mut world, &mut car);
    set_motion(&mut world.bodies[body], before);
    for step in 0..30 {
        car.step(&mut world).unwrap_or_else(|error| panic!("{name}, step {step}: {error}"));
    }
    [before, motion(&world.bodies[body])]
}

#[test]
fn vehicles_drive_on_as_if_nothing_had_been_once_their_motion_is_repaired() {
    for name in driven() {
        let expected = outcome(name, |_, _| ());
        let [before, after] = expected.map(|(pose, _, _)| pose.translation);
        assert!(0.01 < after.distance(before), "{name} drives");
        for (harm, spoil) in HARMS {
            let repaired = outcome(name, |world, car| {
                spoil(&mut world.bodies[car.body()]);
                for _ in 0..3 {
                    let error = car.step(world).expect_err(harm);
                    assert!(matches!(error, StepError::Motion(_)), "{name}, {harm}: {error}");
                    assert!(error.to_string().contains("body."), "{name}, {harm}: {error}");
                }
            });
            assert_eq!(repaired, expected, "{name}, {harm}");
        }
        for throttle in [Real::NAN, Real::INFINITY, -2.0] {
            let repaired = outcome(name, |world, car| {
                car.commands_mut().throttle = throttle;
                let error = car.step(world).expect_err("a command").to_string();
                assert!(error.contains("throttle"), "{name}: {error}");
                car.commands_mut().throttle = 0.6;
            });
            assert_eq!(repaired, expected, "{name}, throttle {throttle}");
        }
    }
}

#[test]
fn speeds_that_no_step_can_take_do_not_disable_a_vehicle() {
    // Not beyond what can be simulated: where the step fails all the same, what it has read may not
    // count.
    let mut told = 0;
    for name in driven() {
        for speed in [1e4, 1e5, 1e6, 9e6] {
            let (mut world, mut car) = driving(name);
            let body = car.body();
            let before = motion(&world.bodies[body]);
            world.bodies[body].set_linvel(Vector::Z * speed, true);
            if car.update(&mut world).is_ok() {
                continue;
            }
            told += 1;
            set_motion(&mut world.bodies[body], before);
            for step in 0..30 {
                let fault = car.step(&mut world).err();
                assert_eq!(fault, None, "{name}, {speed} m/s, step {step}");
            }
            let (_, after, _) = motion(&world.bodies[body]);
            let change = after.distance(before.1);
            assert!(change < 30.0, "{name}, {speed} m/s: {after}, before {}", before.1);
        }
    }
    eprintln!("{told} steps failed");
}

#[test]
fn a_vehicle_of_a_fleet_is_repaired_and_the_others_do_not_notice() {
    for (harm, spoil) in HARMS {
        let (mut world, mut fleet, handles) = mixed_fleet(2);
        let body_of = |fleet: &vehicle_rapier::fleet::Fleet| {
            [
                fleet.get::<DirectDriveVehicle>(handles.cars[1]).expect("a car").actor.body,
                fleet.get::<EngineDriveVehicle>(handles.engine_cars[0]).expect("a car").actor.body,
                fleet.get::<TankVehicle>(handles.tanks[1]).expect("a tank").actor.body,
            ]
        };
        let broken = body_of(&fleet);
        for step in 0..60 {
            control_all(&mut fleet, step);
            assert_eq!(fleet.update(&mut world), [], "step {step}");
            if step == 30 {
                let before = broken.map(|body| motion(&world.bodies[body]));
                let expected = bits(&world, &fleet);
                broken.iter().for_each(|&body| spoil(&mut world.bodies[body]));
                let faults = fleet.update(&mut world);
                assert_eq!(faults.len(), 3, "{harm}: {faults:?}");
                for (body, before) in broken.into_iter().zip(before) {
                    set_motion(&mut world.bodies[body], before);
                }
                let now = bits(&world, &fleet);
                let unlike = expected.iter().zip(&now).filter(|(one, other)| one != other);
                // Those that were not broken have taken a step.
                assert_eq!(unlike.count(), 3, "{harm}");
            }
            world.step();
        }
    }
}
