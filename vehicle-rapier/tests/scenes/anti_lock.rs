//! A component in the substep changes the torques of the brakes: an anti-lock brake on ice.

use crate::common::{drive, roll};
use rapier3d::prelude::*;
use snippets::anti_lock::{AntiLock, AntiLockBrake, AntiLockParams};
use snippets::scenes::level_world;
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_chassis, sample_direct_drive};
use vehicle_rapier::core::stages::Tire;
use vehicle_rapier::core::tire::BrushTire;
use vehicle_rapier::drivetrain::DirectDriveVehicleWith;
use vehicle_rapier::{Activity, RapierVehicle};

type Car = RapierVehicle<DirectDriveVehicleWith<BrushTire, AntiLock>>;

/// Friction of ice (dimensionless).
const ICE: Real = 0.15;
/// Speed from which the car brakes (m/s).
const SPEED: Real = 15.0;
/// Steering wheel, to the left.
const STEER: Real = 0.3;

/// What comes of a full brake.
#[derive(Debug)]
struct Stop {
    /// Way until 2 m/s (m).
    way: Real,
    /// How far it gets to the left in that (m).
    aside: Real,
    /// Lowest rim speed per speed of a wheel above 5 m/s (dimensionless), from a third of a second
    /// on.
    lowest_ratio: Real,
    /// Fewest and most of the torque of a front brake (N·m).
    torques: [Real; 2],
}

/// How the car brakes.
#[derive(Clone, Copy, Debug)]
struct Braking {
    has_anti_lock: bool,
    /// Steering wheel.
    steer: Real,
    /// Friction of a tire that slides, as a part of its friction (dimensionless).
    sliding_friction: Real,
    /// Steps per time (Hz).
    rate: Real,
    substeps: u32,
}

/// A full brake of the sample car on ice.
fn stop(braking: Braking) -> Stop {
    let Braking { has_anti_lock, steer, sliding_friction, rate, substeps } = braking;
    let mut world = level_world(1.0 / rate, ICE);
    let mut params = sample_direct_drive().expect("valid data");
    for tire in &mut params.mechanics.tires {
        tire.friction_vs_slip = [(0.0, 1.0), (0.15, 1.0), (0.5, sliding_friction)];
    }
    let radius = params.mechanics.wheels[0].radius;
    let pose = Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT);
    let chassis = sample_chassis(&params.mechanics.rigid_body, pose);
    let vehicle = DirectDriveVehicleWith::with_own(params, AntiLockParams::default());
    let vehicle: DirectDriveVehicleWith<BrushTire, AntiLock> = vehicle.expect("valid parameters");
    let mut sequence = DirectDriveVehicleWith::sequence_with_substeps(move |_| substeps);
    if has_anti_lock {
        sequence = sequence.insert_after::<Tire>(AntiLockBrake).expect("tires");
    }
    let mut car: Car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    drive(&mut world, &mut car, 1.0);
    roll(&mut world, &mut car, SPEED, SPEED / radius);

    let start = world.bodies[car.actor.body].translation();
    car.vehicle.commands.brakes[0] = 1.0;
    car.vehicle.commands.steer = steer;
    let mut found =
        Stop { way: 0.0, aside: 0.0, lowest_ratio: 1.0, torques: [Real::INFINITY, 0.0] };
    for step in 0..(60.0 * rate) as usize {
        car.step(&mut world).expect("the car can be driven");
        let mechanics = &car.vehicle.state.mechanics;
        if world.bodies[car.actor.body].linvel().length() < 2.0 {
            break;
        }
        for (wheel, tire) in mechanics.wheels.iter().zip(&mechanics.tires) {
            let speed = tire.speeds.longitudinal;
            if 5.0 < speed && rate < 3.0 * step as Real {
                found.lowest_ratio = found.lowest_ratio.min(wheel.rotation_speed * radius / speed);
            }
        }
        let [least, most] = &mut found.torques;
        *least = least.min(mechanics.brake_torques[0]);
        *most = most.max(mechanics.brake_torques[0]);
    }
    let gone = world.bodies[car.actor.body].translation() - start;
    Stop { way: gone.length(), aside: gone.x, ..found }
}

#[test]
fn anti_lock_brakes_on_ice_lock_no_wheel_and_steer_and_stop_as_soon() {
    for rate in [60.0, 240.0] {
        let mut ways = Vec::new();
        for substeps in [1, 3] {
            let braking = |has_anti_lock, steer, sliding_friction| {
                let braking = Braking { has_anti_lock, steer, sliding_friction, rate, substeps };
                (braking, stop(braking))
            };
            let pair = |steer, sliding_friction| {
                [true, false].map(|has_anti_lock| braking(has_anti_lock, steer, sliding_friction))
            };
            let [straight, turning, slippery] = [pair(0.0, 1.0), pair(STEER, 1.0), pair(0.0, 0.7)];
            for [with, without] in [&straight, &turning, &slippery] {
                assert!(0.4 < with.1.lowest_ratio, "a wheel locks: {with:?}");
                assert!(without.1.lowest_ratio.abs() < 0.01, "wheels do not lock: {without:?}");
                let [least, most] = with.1.torques;
                assert!(least < 0.1 * most, "it does not let go: {with:?}");
            }
            // A tire that slides brakes as well as one that does not, unless its friction falls.
            let ratio = |[with, without]: &[(Braking, Stop); 2]| with.1.way / without.1.way;
            let (equal, falling) = (ratio(&straight), ratio(&slippery));
            assert!(equal < 1.15, "{equal} times as long as locked wheels: {straight:?}");
            assert!(falling < 0.85, "{falling} times as long as locked wheels: {slippery:?}");
            let aside = turning.each_ref().map(|(_, stop)| stop.aside);
            assert!(20.0 < aside[0] && aside[1].abs() < 0.2, "{aside:?} m aside: {turning:?}");
            ways.push(straight[0].1.way);
        }
        let ratio = ways[0] / ways[1];
        assert!((ratio - 1.0).abs() < 0.1, "1 and 3 substeps at {rate} Hz: {ways:?} m");
    }
}

#[test]
fn a_car_with_an_anti_lock_brake_parks_and_sleeps() {
    let mut world = level_world(1.0 / 60.0, ICE);
    let params = sample_direct_drive().expect("valid data");
    let pose = Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT);
    let chassis = sample_chassis(&params.mechanics.rigid_body, pose);
    let vehicle = DirectDriveVehicleWith::with_own(params, AntiLockParams::default());
    let vehicle: DirectDriveVehicleWith<BrushTire, AntiLock> = vehicle.expect("valid parameters");
    let sequence = DirectDriveVehicleWith::sequence();
    let sequence = sequence.insert_after::<Tire>(AntiLockBrake).expect("tires");
    let mut car: Car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    car.vehicle.commands.brakes[0] = 1.0;
    let activity = drive(&mut world, &mut car, 4.0);
    assert_eq!(activity, Activity::Asleep);
    assert_eq!(car.vehicle.state.own.shares[..], [1.0; 4], "below its lowest speed it is open");
}
