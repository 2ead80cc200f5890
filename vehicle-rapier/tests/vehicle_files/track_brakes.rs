//! The levers of the preset that is a tank: each brakes one track.

use std::error::Error;

use rapier3d::prelude::RigidBodyActivation;
use snippets::measurements::{ProvingGround, Setting};
use vehicle_rapier::core::math::Real;
use vehicle_rapier::drivetrain::blocks::Selector;

use crate::across_slopes::STEPS;

/// Brake torque of a wheel of the preset at full pedal (N·m).
const BRAKE: Real = 8_200.0;

/// Time for which tracks are braked (s).
const BRAKED: Real = 1.0;

/// Brakes and motion of a tank that has rolled at 8 m/s in neutral and is braked then.
#[derive(Debug, PartialEq)]
struct Braking {
    /// Brake torque of each wheel (N·m).
    torques: Vec<Real>,
    /// How far it has turned to the left (rad).
    turned: Real,
    /// Pose, velocities, wheels, tires, engine and all else, in words.
    all: String,
}

/// Sets the levers of a tank.
fn pull(ground: &mut ProvingGround, track_brakes: [Real; 2]) {
    let transmission = ground.train[0].transmission_mut().expect("a tank has levers");
    transmission.track_brakes = track_brakes;
}

/// How far a tank turns to the left within some `seconds` (rad).
fn turned_in(ground: &mut ProvingGround, seconds: Real) -> Result<Real, Box<dyn Error>> {
    let (mut turned, mut before) = (0.0, ground.motion().forward);
    for _ in 0..(seconds / ground.dt()).round() as usize {
        ground.step()?;
        let now = ground.motion().forward;
        turned += before.cross(now).y.asin();
        before = now;
    }
    Ok(turned)
}

fn brake(
    setting: &Setting,
    [foot, hand]: [Real; 2],
    levers: [Real; 2],
) -> Result<Braking, Box<dyn Error>> {
    let mut ground = ProvingGround::rolling("tank", setting, 8.0)?;
    ground.steps_for(0.5)?;
    ground.train[0].commands_mut().brakes = [foot, hand];
    pull(&mut ground, levers);
    let turned = turned_in(&mut ground, BRAKED)?;
    let state = ground.front().mechanics().state;
    let torques = state.brake_torques.to_vec();
    let body = &ground.world.bodies[ground.front().body()];
    let motion = (body.position(), body.linvel(), body.angvel());
    let all = format!("{motion:?}, {:?}, {:?}", state.wheels, state.tires);
    Ok(Braking { torques, turned, all })
}

/// Asserts that these levers brake the wheels of the right and the left track so (N·m).
fn assert_torques(braking: &Braking, expected: [Real; 2], case: &str) {
    for (wheel, torque) in braking.torques.iter().enumerate() {
        let expected = expected[wheel % 2];
        let error = (torque - expected).abs();
        assert!(error < 1e-2, "{case}, wheel {wheel}: {torque}, not {expected} N·m");
    }
}

#[test]
fn a_tank_turns_towards_its_braked_track_at_any_rate() {
    for lever in [0.3, 1.0] {
        let mut rates = Vec::new();
        for (rate, substeps) in STEPS {
            let dt = Real::recip(rate);
            let setting = Setting { dt, substeps: Some(substeps), ..Setting::default() };
            for (levers, way) in [([lever, 0.0], -1.0), ([0.0, lever], 1.0)] {
                let case = format!("{levers:?}, {rate} Hz, {substeps} substeps");
                let braking = brake(&setting, [0.0; 2], levers)
                    .unwrap_or_else(|error| panic!("{case}: {error}"));
                assert_torques(&braking, levers.map(|lever| lever * BRAKE), &case);
                rates.push(way * braking.turned / BRAKED);
            }
        }
        println!("lever {lever}: {rates:?} rad/s");
        let (least, most) = rates
            .iter()
            .fold((Real::INFINITY, 0.0), |(least, most), rate| (rate.min(least), rate.max(most)));
        assert!(0.05 < least && most < 1.1 * least, "lever {lever}: {rates:?} rad/s");
    }
}

/// Mean yaw rate to the left of a tank that turns from rest about a braked track, at full throttle
/// (rad/s).
fn pivoting(setting: &Setting, levers: [Real; 2]) -> Result<Real, Box<dyn Error>> {
    let mut ground = ProvingGround::new("tank", setting, 0.0)?;
    ground.steps_for(1.0)?;
    ground.train[0].select(Selector::Drive);
    ground.drive(1.0, 0.0, 0.0);
    pull(&mut ground, levers);
    ground.steps_for(2.0)?;
    Ok(turned_in(&mut ground, 3.0)? / 3.0)
}

#[test]
fn a_tank_turns_from_rest_about_its_braked_track() {
    for friction in [0.4, 0.8, 1.1] {
        for (rate, substeps) in [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)] {
            let dt = Real::recip(rate);
            let setting = Setting { dt, friction, substeps: Some(substeps), ..Setting::default() };
            for (levers, way) in [([1.0, 0.0], -1.0), ([0.0, 1.0], 1.0)] {
                let case = format!("{levers:?}, friction {friction}, {rate} Hz, {substeps}");
                let turning =
                    pivoting(&setting, levers).unwrap_or_else(|error| panic!("{case}: {error}"));
                println!("{case}: {} degrees/s", turning.to_degrees());
                assert!(0.2 < way * turning, "{case}: {turning} rad/s");
            }
        }
    }
}

#[test]
fn levers_and_pedal_brake_no_more_than_the_further_of_them() {
    let setting = Setting::default();
    let brake = |pedals, levers| {
        brake(&setting, pedals, levers).unwrap_or_else(|error| panic!("{levers:?}: {error}"))
    };
    let foot = brake([1.0, 0.0], [0.0; 2]);
    assert_torques(&foot, [BRAKE; 2], "foot");
    for (pedal, levers) in [(0.0, [1.0; 2]), (1.0, [1.0; 2]), (1.0, [0.3, 0.0]), (0.4, [1.0; 2])] {
        assert_eq!(brake([pedal, 0.0], levers), foot, "pedal {pedal}, levers {levers:?}");
    }
    // A lever that brakes harder than the foot turns the tank; the hand brake adds to both.
    let part = brake([0.4, 0.0], [0.2, 0.7]);
    assert_torques(&part, [0.4 * BRAKE, 0.7 * BRAKE], "foot and levers");
    assert!(0.01 < part.turned, "{} rad", part.turned);
    let with_hand = brake([0.4, 0.1], [0.2, 0.7]);
    assert_torques(&with_hand, [0.5 * BRAKE, 0.8 * BRAKE], "foot, hand and levers");
}

/// A tank that has stood on a `slope` (rad) for 5 s under its levers alone, in the gear of
/// `selector`, and that may sleep or not.
fn parked(
    setting: &Setting,
    slope: Real,
    selector: Selector,
    may_sleep: bool,
) -> Result<ProvingGround, Box<dyn Error>> {
    let mut ground = ProvingGround::new("tank", setting, slope)?;
    ground.drive(0.0, 0.0, 0.0);
    pull(&mut ground, [1.0; 2]);
    ground.train[0].select(selector);
    if !may_sleep {
        let body = ground.train[0].body();
        *ground.world.bodies[body].activation_mut() = RigidBodyActivation::cannot_sleep();
    }
    ground.steps_for(5.0)?;
    Ok(ground)
}

fn is_asleep(ground: &ProvingGround) -> bool {
    ground.world.bodies[ground.front().body()].is_sleeping()
}

#[test]
fn a_tank_parks_on_its_levers_sleeps_and_wakes_as_one_is_let_go() {
    let slope = 0.1_f32.atan();
    for (rate, substeps) in [(30.0, None), (60.0, Some(1)), (60.0, Some(3)), (240.0, None)] {
        let setting = Setting { dt: Real::recip(rate), substeps, ..Setting::default() };
        for (slope, selector) in [(slope, Selector::Neutral), (-slope, Selector::Drive)] {
            let case = format!("{rate} Hz, {substeps:?} substeps, {slope} rad, {selector:?}");
            let park = || -> Result<(), Box<dyn Error>> {
                let mut awake = parked(&setting, slope, selector, false)?;
                let start = awake.motion().position;
                awake.steps_for(5.0)?;
                let moved = awake.motion().position.distance(start);
                assert!(moved < 1e-3, "{case}: moves by {moved} m in 5 s");
                assert!(!is_asleep(&awake), "{case}: is kept awake");

                let mut ground = parked(&setting, slope, selector, true)?;
                assert!(is_asleep(&ground), "{case}: does not sleep");
                let start = ground.motion().position;
                pull(&mut ground, [1.0, 0.5]);
                ground.step()?;
                assert!(!is_asleep(&ground), "{case}: sleeps on as a lever is let go");
                ground.steps_for(2.0)?;
                assert!(is_asleep(&ground), "{case}: does not sleep again");
                pull(&mut ground, [0.0; 2]);
                ground.steps_for(2.0)?;
                let moved = ground.motion().position.distance(start);
                assert!(0.2 < moved, "{case}: rolls {moved} m in 2 s as both are let go");
                Ok(())
            };
            park().unwrap_or_else(|error| panic!("{case}: {error}"));
        }
    }
}

#[test]
fn a_tank_that_creeps_on_one_track_stays_awake() -> Result<(), Box<dyn Error>> {
    let mut ground = parked(&Setting::default(), 0.0, Selector::Drive, true)?;
    assert!(is_asleep(&ground));
    pull(&mut ground, [1.0, 0.0]);
    for _ in 0..180 {
        ground.step()?;
        assert!(!is_asleep(&ground), "asleep at {} s", ground.time);
    }
    let torques = ground.front().mechanics().state.brake_torques.to_vec();
    assert!(torques.chunks(2).all(|axle| 0.0 < axle[0] && axle[1] == 0.0), "{torques:?}");
    Ok(())
}
