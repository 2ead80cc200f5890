//! No steering, throttle or brakes make it fall.

use rapier3d::prelude::*;
use vehicle_rapier::RoadQueryShape;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::math::PI;
use vehicle_rapier::drivetrain::blocks::Selector;

use super::ride::{Ride, SETTINGS, Setting, USUAL, note};

/// Frame rates with one substep and three, on wheels round all across.
const STEPS: [Setting; 6] = [
    steps(30.0, 1),
    steps(30.0, 3),
    steps(60.0, 1),
    steps(60.0, 3),
    steps(240.0, 1),
    steps(240.0, 3),
];

const fn steps(rate: Real, substeps: u32) -> Setting {
    Setting { rate, substeps: Some(substeps), shape: RoadQueryShape::Cylinder }
}

/// Lean that it never gets to, with all steering (rad), and how far it is from the lean that its
/// rider has in mind.
const MOST_LEAN: Real = 0.85;
const MOST_ERROR: Real = 0.1;

/// Largest lean, and largest difference of it from that in mind (rad).
#[derive(Default)]
struct Most {
    lean: Real,
    error: Real,
}

impl Most {
    fn see(&mut self, ride: &Ride) {
        let lean = ride.lean();
        self.lean = self.lean.max(lean.abs());
        self.error = self.error.max((lean - ride.rider().lean).abs());
    }
}

#[test]
fn it_stays_on_its_wheels_at_full_lock_and_however_often_it_is_turned_over() {
    let mut faults: Vec<String> = Vec::new();
    for setting in STEPS {
        for speed in [5.0, 12.0, 20.0, 35.0, 50.0] {
            // Full steering for good, and from side to side after each time (s).
            for period in [Real::INFINITY, 2.0, 0.7, 0.3] {
                let what = format!("{setting:?}, {speed} m/s, every {period} s");
                let mut ride = Ride::rolling(&setting, speed);
                ride.run(0.5, |ride| ride.hold_speed(speed));
                let (start, mut most) = (ride.time, Most::default());
                ride.run(8.0, |ride| {
                    ride.hold_speed(speed);
                    let is_back = ((ride.time - start) / period) as u32 % 2 == 1;
                    ride.steer(if is_back { -1.0 } else { 1.0 });
                    most.see(ride);
                });
                let Most { lean, error } = most;
                note!(faults, lean < MOST_LEAN && 0.4 < lean, "{what}: {lean} rad");
                note!(faults, error < MOST_ERROR, "{what}: {error} rad from what is in mind");
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Numbers in [0, 1) that look random.
struct Dice(u32);

impl Dice {
    fn roll(&mut self) -> Real {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 9) as Real / (1 << 23) as Real
    }
}

/// Rides for 25 s with commands that jump at random; the largest lean (rad).
fn ride_wildly(setting: &Setting, seed: u32) -> Real {
    let mut dice = Dice(seed.wrapping_mul(7919).wrapping_add(17));
    let mut ride = Ride::rolling(setting, 3.0 + 42.0 * dice.roll());
    ride.motorcycle.select(Selector::Drive);
    let (mut steer, mut throttle, mut brake) = (0.0, 0.0, 0.0);
    let (start, mut next, mut most): (Real, [Real; 3], Real) = (ride.time, [0.0; 3], 0.0);
    ride.run(25.0, |ride| {
        let time = ride.time - start;
        for (control, due) in next.iter_mut().enumerate() {
            if time < *due {
                continue;
            }
            *due = time + 3.0 * dice.roll() * dice.roll();
            match control {
                0 => steer = (3.4 * dice.roll() - 1.7).clamp(-1.0, 1.0),
                1 => throttle = (2.0 * dice.roll() - 0.6).clamp(0.0, 1.0),
                _ => brake = (3.0 * dice.roll() - 2.0).clamp(0.0, 1.0),
            }
        }
        ride.steer(steer);
        ride.pedals(throttle, brake);
        most = most.max(ride.lean().abs());
    });
    most
}

#[test]
fn no_sequence_of_commands_makes_it_fall() {
    let mut faults: Vec<String> = Vec::new();
    for setting in STEPS {
        for seed in 0..12 {
            let most = ride_wildly(&setting, seed);
            note!(faults, most < MOST_LEAN, "{setting:?}, seed {seed}: it leans by {most} rad");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn it_brakes_in_a_bend_without_a_fall() {
    let mut faults: Vec<String> = Vec::new();
    for setting in SETTINGS {
        for (speed, steer) in [(10.0, 1.0), (25.0, 0.6), (25.0, 1.0), (45.0, -1.0)] {
            let what = format!("{setting:?}, {speed} m/s, steering {steer}");
            let mut ride = Ride::rolling(&setting, speed);
            ride.run(4.0, |ride| {
                ride.hold_speed(speed);
                ride.steer(steer);
            });
            let lean = ride.lean();
            let body = ride.motorcycle.body();
            ride.world.bodies[body].reset_forces(true);
            let mut most = Most::default();
            ride.run(14.0, |ride| {
                ride.pedals(0.0, 1.0);
                ride.steer(steer);
                most.see(ride);
            });
            let (left, after) = (ride.speed(), ride.lean().abs());
            note!(faults, 0.35 < lean * steer.signum(), "{what}: it leans by {lean} rad");
            note!(faults, most.lean < MOST_LEAN, "{what}: it leans by {} rad", most.lean);
            note!(faults, left < 0.01 && after < 0.03, "{what}: {left} m/s, {after} rad are left");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Rides at 20 m/s in a bend over four bumps that begin at a `distance` (m). Its largest lean
/// (rad), how fast it goes up (m/s), and its lateral acceleration at the end, by gravity.
fn ride_over_bumps(setting: &Setting, distance: Real) -> [Real; 3] {
    let speed = 20.0;
    let mut ride = Ride::rolling(setting, speed);
    // The tops of drums, 3 cm high: half a meter long, or where a frame goes farther than that, a
    // meter.
    let radius = if setting.rate < 60.0 { 4.0 } else { 1.0 };
    for (index, after) in [0.0, 15.0, 22.0, 45.0].into_iter().enumerate() {
        let drum = ColliderBuilder::capsule_x(60.0, radius).friction(1.1);
        let top = 0.03 - 0.003 * index as Real;
        let place = Vector::new(40.0, top - radius, distance + after);
        ride.world.insert_collider(drum.translation(place), None);
    }
    ride.world.detect_collisions(&(), &());
    let (mut most, mut lifted): (Most, Real) = (Most::default(), 0.0);
    ride.run(8.0, |ride| {
        ride.hold_speed(speed);
        ride.steer(0.75);
        most.see(ride);
        lifted = lifted.max(ride.body().linvel().y.abs());
    });
    [most.lean, lifted, ride.speed() * ride.body().angvel().y / GRAVITY]
}

/// Bumps come at other moments of a frame from place to place: one place says little.
#[test]
fn bumps_in_a_bend_do_not_throw_it() {
    let mut faults: Vec<String> = Vec::new();
    for setting in STEPS {
        for place in 0..12 {
            let distance = 30.0 + 0.37 * place as Real;
            let [lean, lifted, lateral] = ride_over_bumps(&setting, distance);
            let what = format!("{setting:?}, {distance} m");
            note!(faults, 0.1 < lifted, "{what}: it met no bump, {lifted} m/s");
            note!(faults, lean < 0.62, "{what}: it leans by {lean} rad");
            note!(faults, 0.4 < lateral, "{what}: {lateral} of gravity to the side");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Rides at 10 m/s up a kerb of 10 cm, at an `angle` to it (rad). Its largest lean (rad), the least
/// speed (m/s), and how high its center of mass is at the end (m).
fn ride_up_a_kerb(setting: &Setting, angle: Real) -> [Real; 3] {
    let speed = 10.0;
    let mut ride = Ride::rolling(setting, speed);
    let turn = Rotation::from_rotation_y(0.5 * PI - angle);
    let place = turn * Vector::Z * 60.0 + Vector::Z * (ride.place().z + 9.0);
    let kerb = ColliderBuilder::cuboid(100.0, 0.1, 60.0).friction(1.0);
    ride.world.insert_collider(kerb.rotation(turn.to_scaled_axis()).translation(place), None);
    ride.world.detect_collisions(&(), &());
    let (mut lean, mut least): (Real, Real) = (0.0, speed);
    ride.run(5.0, |ride| {
        ride.hold_speed(speed);
        lean = lean.max(ride.lean().abs());
        least = least.min(ride.speed());
    });
    [lean, least, ride.place().y]
}

#[test]
fn it_rides_up_kerbs_as_in_the_finest_steps() {
    let mut faults: Vec<String> = Vec::new();
    for degrees in [90.0, 60.0, 34.0] {
        let angle = degrees * PI / 180.0;
        let [_, finest, _] = ride_up_a_kerb(&steps(960.0, 1), angle);
        for setting in STEPS {
            let [lean, least, height] = ride_up_a_kerb(&setting, angle);
            let what = format!("{setting:?}, {degrees} degrees");
            note!(faults, lean < 0.2, "{what}: it leans by {lean} rad");
            note!(faults, (least - finest).abs() < 0.4, "{what}: {least} m/s, {finest} m/s");
            note!(faults, (height - 0.73).abs() < 0.02, "{what}: {height} m high");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_crossfall_and_a_hill_leave_it_upright() {
    let mut faults: Vec<String> = Vec::new();
    for (slope, bank) in [(0.0, 0.1), (0.15, 0.0), (-0.15, 0.0), (0.1, -0.08)] {
        let what = format!("{slope} rad ahead, {bank} rad across");
        let mut ride = Ride::at_rest(&USUAL, slope, bank);
        ride.motorcycle.select(Selector::Drive);
        let mut most: Real = 0.0;
        ride.run(10.0, |ride| {
            ride.pedals(if ride.speed() < 15.0 { 0.7 } else { 0.0 }, 0.0);
            most = most.max(ride.lean().abs());
        });
        note!(faults, 10.0 < ride.speed(), "{what}: {} m/s", ride.speed());
        ride.run(8.0, |ride| {
            ride.pedals(0.0, 1.0);
            most = most.max(ride.lean().abs());
        });
        note!(faults, most < 0.15, "{what}: it leans by {most} rad");
        note!(faults, ride.speed() < 0.01, "{what}: {} m/s are left", ride.speed());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Climbs a hill of 8 degrees and friction 0.4 for 15 s from rest at full throttle, while it is
/// steered to and fro by up to `steer`. Its largest lean (rad), and the speed at the end (m/s).
fn climb(setting: &Setting, steer: Real) -> [Real; 2] {
    let mut ride = Ride::at_rest(setting, 8.0 * PI / 180.0, 0.0);
    ride.world.colliders[ride.ground].set_friction(0.4);
    ride.motorcycle.select(Selector::Drive);
    ride.run(1.0, |ride| ride.pedals(0.0, 1.0));
    let mut most = Most::default();
    ride.run(15.0, |ride| {
        ride.pedals(1.0, 0.0);
        ride.steer(steer * ride.time.sin());
        most.see(ride);
    });
    [most.lean, ride.speed()]
}

#[test]
fn it_climbs_a_slippery_hill_at_full_throttle_alike_in_all_steps() {
    let mut faults: Vec<String> = Vec::new();
    let [_, finest] = climb(&steps(480.0, 1), 0.0);
    for setting in STEPS {
        let [lean, speed] = climb(&setting, 0.0);
        note!(faults, lean < 0.3, "{setting:?}: it leans by {lean} rad");
        note!(faults, 0.85 < speed / finest, "{setting:?}: {speed} m/s, {finest} m/s");
        let [lean, _] = climb(&setting, 0.5);
        note!(faults, lean < 0.3, "{setting:?}, steered: it leans by {lean} rad");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
