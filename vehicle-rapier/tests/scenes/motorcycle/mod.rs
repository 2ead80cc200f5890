//! A motorcycle: it leans, rides a slalom, stands on its stand, and does not fall.

mod commands;
mod crashes;
mod ride;

use rapier3d::prelude::*;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::{ComponentSequence, WheelReaction};
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::drivetrain::rider::{RiderSteering, RiderSupport, RiderThrottle};

use self::ride::{FULL_STEER, Ride, SETTINGS, Setting, USUAL, note, track};

/// Rides straight on at `speed` (m/s) and is pushed after 2 s, at the height of the head; the
/// largest lean.
fn push(ride: &mut Ride, speed: Real) -> Real {
    let mut most: Real = 0.0;
    let start = ride.time + 2.0;
    ride.run(8.0, |ride| {
        ride.hold_speed(speed);
        let body = ride.motorcycle.body();
        if (start..start + 0.4).contains(&ride.time) {
            let place = ride.place() + Vector::Y * 0.5;
            ride.world.bodies[body].add_force_at_point(Vector::X * 150.0, place, true);
        }
        most = most.max(ride.lean().abs());
    });
    most
}

#[test]
fn it_stays_upright_at_any_speed_and_rate_however_it_is_pushed() {
    let mut faults: Vec<String> = Vec::new();
    for setting in SETTINGS {
        for speed in [4.0, 8.0, 20.0, 40.0, 60.0] {
            let what = format!("{setting:?}, {speed} m/s");
            let mut ride = Ride::rolling(&setting, speed);
            let most = push(&mut ride, speed);
            note!(faults, 0.005 < most && most < 0.3, "{what}: it leans by {most} rad");
            let (lean, rate) = (ride.lean().abs(), ride.body().angvel().length());
            note!(faults, lean < 2e-3 && rate < 0.02, "{what}: {lean} rad, {rate} rad/s are left");
            note!(
                faults,
                (ride.speed() / speed - 1.0).abs() < 0.05,
                "{what}: {} m/s",
                ride.speed()
            );
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn without_its_rider_it_falls() {
    let mut ride = Ride::rolling(&USUAL, 12.0);
    let stages = ComponentSequence::clone(&ride.motorcycle.sequence);
    let stages = stages.remove::<RiderSteering>().expect("a rider who steers");
    let stages = stages.remove::<RiderThrottle>().expect("a rider who takes back throttle");
    let stages = stages.remove::<RiderSupport>().expect("a rider who holds it up");
    ride.motorcycle.sequence = stages.into();
    push(&mut ride, 12.0);
    assert!(1.0 < ride.lean().abs(), "{} rad", ride.lean());
}

/// A steady bend, after 9 s at constant steering: means of the tenth.
struct Bend {
    /// v r / g.
    lateral: Real,
    /// Of the line from the contacts to the center of mass (rad).
    line: Real,
    /// Of the body (rad).
    lean: Real,
    /// The largest steer angle against the bend (rad).
    kick: Real,
}

fn bend(setting: &Setting, reaction: WheelReaction, speed: Real, steer: Real) -> Bend {
    let mut ride = Ride::rolling(setting, speed);
    ride.motorcycle.params.wheel_reaction = reaction;
    ride.run(1.0, |ride| ride.hold_speed(speed));
    let mut kick: Real = 0.0;
    ride.run(9.0, |ride| {
        ride.hold_speed(speed);
        ride.steer(steer);
        let angle = ride.motorcycle.mechanics().state.steer_angles[0];
        kick = kick.max(-angle * steer.signum());
    });
    let (mut lateral, mut line, mut count) = (0.0, 0.0, 0.0);
    ride.run(1.0, |ride| {
        ride.hold_speed(speed);
        lateral += ride.speed() * ride.body().angvel().y / GRAVITY;
        line += ride.lean_of_line();
        count += 1.0;
    });
    Bend { lateral: lateral / count, line: line / count, lean: ride.lean(), kick }
}

/// Speeds (m/s) and steering commands of steady bends.
const BENDS: [(Real, Real); 8] = [
    (6.0, 0.6),
    (12.0, 0.5),
    (12.0, 1.0),
    (20.0, -0.3),
    (20.0, 1.0),
    (35.0, 0.6),
    (50.0, 0.4),
    (50.0, -0.9),
];

#[test]
fn without_gyroscopes_it_leans_in_a_steady_bend_by_the_line_to_the_center_of_mass() {
    let mut faults: Vec<String> = Vec::new();
    for setting in SETTINGS {
        for (speed, steer) in BENDS {
            let what = format!("{setting:?}, {speed} m/s, steering {steer}");
            let bend = bend(&setting, WheelReaction::Torque, speed, steer);
            let expected = bend.lateral.atan();
            let error = (bend.line / expected - 1.0).abs();
            note!(faults, error < 0.03, "{what}: {} rad, expected {expected} rad", bend.line);
            // A steady bend of the size that was asked for, to that side.
            let part = bend.lateral / (steer * FULL_STEER);
            note!(faults, (0.9..1.1).contains(&part), "{what}: {part} of what was asked for");
            // It begins with a steer angle to the other side.
            note!(faults, 1e-3 < bend.kick, "{what}: {} rad", bend.kick);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn with_gyroscopes_it_leans_more_as_theory_says() {
    let mut faults = Vec::new();
    for setting in SETTINGS {
        let track = track(&Ride::at_rest(&setting, 0.0, 0.0));
        // At 50 m/s, near the limit, what is left of its swing after ten seconds is as much as a
        // tenth of this.
        for (speed, steer) in BENDS.into_iter().filter(|(speed, steer)| speed * steer.abs() < 45.0)
        {
            let [plain, gyroscopic] = [WheelReaction::Torque, WheelReaction::Gyroscopic]
                .map(|reaction| bend(&setting, reaction, speed, steer));
            let beyond = |bend: &Bend| bend.line - bend.lateral.atan();
            let more = beyond(&gyroscopic) - beyond(&plain);
            // tan φ = v r/g (1 + cos φ_body Σ I/R / (m h_body))
            let Bend { lateral, lean, .. } = gyroscopic;
            let height = (track.height - track.tread_radius) * lean.cos() + track.tread_radius;
            let share = lean.cos() * track.spin_inertia / (track.mass * height);
            let theory = (lateral * (1.0 + share)).atan() - lateral.atan();
            let error = (more / theory - 1.0).abs();
            if 0.05 <= error || error.is_nan() {
                faults.push(format!(
                    "{setting:?}, {speed} m/s, steering {steer}: {more} rad more, theory says {theory} rad"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Distance of the cones of the slalom (m).
const CONES: Real = 30.0;
/// How far the way leads beside them (m).
const BESIDE: Real = 1.2;
/// How far ahead its driver looks: the time that a lean takes (s).
const AHEAD: Real = 0.4;

#[test]
fn it_rides_a_slalom_at_20_m_s() {
    let mut faults: Vec<String> = Vec::new();
    let speed = 20.0;
    let wave = std::f32::consts::PI / CONES;
    for setting in SETTINGS {
        let mut ride = Ride::rolling(&setting, speed);
        ride.run(1.0, |ride| ride.hold_speed(speed));
        let (origin, mut before) = (ride.place().z, 0.0);
        let (mut passed, mut most): (Vec<Real>, Real) = (Vec::new(), 0.0);
        ride.run(18.0, |ride| {
            ride.hold_speed(speed);
            let (place, velocity) = (ride.place(), ride.body().linvel());
            let way = place.z - origin;
            // The way winds around cones in its middle, more and more on the first 60 m.
            let size = |way: Real| BESIDE * (way / 60.0).clamp(0.0, 1.0);
            let (sin, cos) = (wave * way).sin_cos();
            let rate = wave * speed;
            let ahead = way + AHEAD * speed;
            let bend = -size(ahead) * rate * rate * (wave * ahead).sin();
            let beside = size(way) * sin - place.x;
            let across = size(way) * rate * cos - velocity.x;
            let wanted = bend + 0.8 * beside + 1.4 * across;
            ride.steer((wanted / (FULL_STEER * GRAVITY)).clamp(-1.0, 1.0));
            most = most.max(ride.lean().abs());
            let cones = |way: Real| (way / CONES - 0.5).floor();
            if cones(before) < cones(way) {
                passed.push(place.x);
            }
            before = way;
        });
        note!(faults, 0.35 < most && most < 0.85, "{setting:?}: it leans by up to {most} rad");
        note!(faults, 11 <= passed.len(), "{setting:?}: {passed:?}");
        for (cone, beside) in passed.iter().enumerate().skip(3) {
            let beside = if cone % 2 == 0 { *beside } else { -*beside };
            note!(faults, (0.5..2.2).contains(&beside), "{setting:?}: cone {cone} of {passed:?} m");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn it_parks_on_its_stand() {
    let mut faults: Vec<String> = Vec::new();
    let tilt = 10.0_f32.to_radians();
    for setting in SETTINGS {
        for (slope, bank) in [(0.0, 0.0), (tilt, 0.0), (-tilt, 0.0), (0.0, tilt), (0.0, -tilt)] {
            let what = format!("{setting:?}, {slope} rad ahead, {bank} rad across");
            let mut ride = Ride::at_rest(&setting, slope, bank);
            ride.motorcycle.select(Selector::Neutral);
            ride.motorcycle.commands_mut().brakes = [0.0, 1.0];
            ride.run(4.0, |_| {});
            let (before, turned) = (ride.place(), *ride.body().rotation());
            let mut was_asleep = false;
            ride.run(60.0, |ride| was_asleep |= ride.body().is_sleeping());
            let moved = ride.place().distance(before);
            let angle = turned.angle_between(*ride.body().rotation());
            note!(faults, moved < 1e-3 && angle < 2e-3, "{what}: {moved} m, {angle} rad");
            note!(faults, was_asleep && ride.body().is_sleeping(), "{what}");
            note!(faults, ride.lean().abs() < 0.03, "{what}: it leans by {} rad", ride.lean());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn it_drives_off_brakes_and_stands_and_never_falls() {
    let mut faults: Vec<String> = Vec::new();
    for setting in SETTINGS {
        let mut ride = Ride::at_rest(&setting, 0.0, 0.0);
        ride.motorcycle.select(Selector::Drive);
        ride.run(1.0, |_| {});
        let nose = |ride: &Ride| (ride.body().rotation() * Vector::Z).y;
        let (mut most, mut lean): (Real, Real) = (0.0, 0.0);
        let start = ride.time;
        let mut hundred = None;
        ride.run(8.0, |ride| {
            ride.pedals(1.0, 0.0);
            lean = lean.max(ride.lean().abs());
            most = most.max(nose(ride));
            hundred = hundred.or((27.78 < ride.speed()).then_some(ride.time - start));
        });
        let hundred = hundred.unwrap_or(Real::INFINITY);
        note!(faults, (3.2..5.0).contains(&hundred), "{setting:?}: 0 to 100 km/h in {hundred} s");
        let (fast, from) = (ride.speed(), ride.place());
        let mut stop = None;
        ride.run(8.0, |ride| {
            ride.pedals(0.0, 1.0);
            lean = lean.max(ride.lean().abs());
            most = most.max(-nose(ride));
            stop = stop.or((ride.speed() < 0.05).then(|| ride.place().distance(from)));
        });
        let deceleration = fast * fast / (2.0 * stop.unwrap_or(Real::INFINITY));
        note!(faults, (8.8..9.9).contains(&deceleration), "{setting:?}: {deceleration} m/s²");
        note!(
            faults,
            most < 0.15 && lean < 0.05,
            "{setting:?}: nose by {most} rad, lean {lean} rad"
        );
        let (speed, lean) = (ride.speed(), ride.lean());
        note!(faults, speed < 1e-3 && lean.abs() < 0.01, "{setting:?}: {speed} m/s, {lean} rad");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn it_goes_on_with_the_same_bits_after_a_snapshot() {
    let mut ride = Ride::rolling(&USUAL, 15.0);
    ride.motorcycle.select(Selector::Drive);
    let control = |ride: &mut Ride, step: usize| {
        ride.pedals(if step < 100 { 0.5 } else { 0.0 }, if step < 200 { 0.0 } else { 0.6 });
        ride.steer(((step / 60) as Real * 2.1).sin());
    };
    let snapshot = |ride: &Ride| ride.motorcycle.snapshot(&ride.world.bodies).expect("a body");
    let mut seen = Vec::new();
    for step in 0..300 {
        seen.push(snapshot(&ride));
        control(&mut ride, step);
        ride.step();
    }
    for start in [30, 120, 250] {
        let text = serde_json::to_string(&seen[start]).expect("plain data");
        let saved = serde_json::from_str(&text).expect("its own");
        ride.motorcycle.restore(&mut ride.world, &saved).expect("its own snapshot");
        for (step, before) in seen.iter().enumerate().skip(start) {
            assert!(snapshot(&ride) == *before, "step {step} after a return to {start}");
            control(&mut ride, step);
            ride.step();
        }
    }
}
