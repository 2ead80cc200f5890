//! Wheels with mass over bumps, kerbs, washboards and hills, beside fine solutions.
//!
//! The curves of `tests/data/ride` are those of `snippets::ride::Curve`.

use crate::common::saloon::{plain_mechanics, saloon_mechanics, stiff_mechanics};
use rapier3d::prelude::*;
use snippets::ride::{Curve, Profile, RideFigures, Trial};
use snippets::vehicles::sample_direct_drive;
use vehicle_rapier::RoadQueryShape;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::vehicle::MechanicalParams;

fn figures(trial: &Trial) -> RideFigures {
    trial.figures().expect("the car can be driven")
}

/// Places within the way of a frame at which a drive begins.
const PHASES: u16 = 12;

/// The figures of `trial`, begun at `count` places within the way of a frame: least and largest.
fn extremes(trial: &Trial, count: u16) -> [RideFigures; 2] {
    let begin = |phase: u16| {
        let way = trial.speed / trial.rate * Real::from(phase) / Real::from(count);
        let phase = trial.phase + way;
        figures(&Trial { phase, ..trial.clone() })
    };
    let of = |pick: fn(Real, Real) -> Real, all: &[RideFigures]| {
        let value = |of: fn(&RideFigures) -> Real| all.iter().map(of).reduce(pick).unwrap_or(0.0);
        RideFigures {
            peak: value(|figures| figures.peak),
            rise: value(|figures| figures.rise),
            uprightness: value(|figures| figures.uprightness),
        }
    };
    let all: Vec<_> = (0..count).map(begin).collect();
    [of(Real::min, &all), of(Real::max, &all)]
}

#[test]
fn bumps_and_kerbs_are_felt_as_by_the_fine_solution() {
    for curve in Curve::of_obstacles().expect("valid data") {
        let [least, most] = extremes(&curve.trial().expect("valid data"), PHASES);
        let Curve { car, profile, speed, peak, rise, .. } = curve;
        let what = format!("{car} over {profile:?} at {speed} m/s");
        let (found, expected) = ((least, most), (peak, rise));
        assert!(most.peak < 1.25 * peak, "{what}: {found:?}, not {expected:?}");
        assert!(0.7 * peak < most.peak, "{what}: {found:?}, not {expected:?}");
        assert!(0.4 * peak < least.peak, "{what}: {found:?}, not {expected:?}");
        assert!(most.rise < 1.25 * rise, "{what}: {found:?}, not {expected:?}");
        assert!(0.65 * rise < least.rise, "{what}: {found:?}, not {expected:?}");
        assert!(0.99 < least.uprightness, "{what}: {found:?}");
    }
}

#[test]
fn washboards_brake_the_car_as_in_the_fine_solution() {
    for curve in Curve::of_washboards().expect("valid data") {
        let trial = curve.trial().expect("valid data");
        let Curve { car, profile, speed, energy_lost, .. } = curve;
        let what = format!("{car} over {profile:?} at {speed} m/s");
        for (rate, substeps, tolerance) in [(60.0, 3, 0.1), (240.0, 1, 0.06)] {
            let trial = Trial { rate, substeps, ..trial.clone() };
            let lost = trial.energy_lost().expect("the car can be driven") / energy_lost;
            assert!((lost - 1.0).abs() < tolerance, "{what}, {rate} Hz: {lost} of {energy_lost} J");
        }
    }
}

/// The saloon on wheels with mass: with all that its data sheet knows, without, and on hard springs
/// and tires; and the sample on such wheels.
fn cars() -> [(&'static str, MechanicalParams); 4] {
    let sample = sample_direct_drive().expect("valid data").mechanics;
    [
        ("saloon", saloon_mechanics()),
        ("plain saloon", plain_mechanics()),
        ("stiff saloon", stiff_mechanics()),
        ("sample", sample.with_unsprung_masses(GRAVITY)),
    ]
}

/// A drive of `trial` in the smallest steps at which it converges. Rays do at any; sweeps tell less
/// exactly where a wheel touches an edge, which shakes it the more the shorter the steps.
fn fine(trial: &Trial) -> Trial {
    let rate = match trial.shape {
        RoadQueryShape::Ray => 2_400.0,
        _ => 480.0,
    };
    Trial { rate, substeps: 1, ..trial.clone() }
}

/// Drives that begin at one place, and at `others` within the way of a frame, feel what a fine
/// drive feels. Those from 20 m/s on feel at least half of it: they pass a short bump within a
/// frame, and its edges within a look.
fn assert_felt_as_at_a_small_step(name: &str, trial: &Trial, others: u16) {
    let Trial { profile, speed, shape, .. } = trial;
    let what = format!("{name} over {profile:?} at {speed} m/s, {shape:?}");
    let fine = figures(&fine(trial));
    let [least, most] = extremes(trial, others);
    let found = (least, most);
    assert!(0.99 < least.uprightness, "{what}: {found:?}");
    let least_peak = if *speed < 20.0 { 0.7 } else { 0.5 } * fine.peak;
    let (peak_error, rise_error) = ERRORS;
    assert!(most.peak < 1.25 * fine.peak + peak_error, "{what}: {found:?}, not {fine:?}");
    assert!(least_peak < most.peak, "{what}: {found:?}, not {fine:?}");
    assert!(most.rise < 1.25 * fine.rise + rise_error, "{what}: {found:?}, not {fine:?}");
    assert!(0.7 * fine.rise - rise_error < least.rise, "{what}: {found:?}, not {fine:?}");
}

/// By how much a peak (g) and a rise (m) may be off beside parts of them. The sample car
/// needs 0.134 g on a kerb of 12 cm at 130 km/h: 2.25 g at 60 Hz, 1.70 g in the fine solution.
const ERRORS: (Real, Real) = (0.14, 5e-3);

/// A sample of the bumps and kerbs that the curves are of, with the friction of a dry road.
#[test]
fn saloons_feel_bumps_and_kerbs_as_at_a_small_step() {
    let bump = |height, length| Profile::Bump { height, length };
    let profiles = [
        bump(0.04, 0.4),
        bump(0.1, 0.4),
        bump(0.1, 2.0),
        Profile::Kerb { height: 0.04 },
        Profile::Kerb { height: 0.12 },
        Profile::RoundedKerb { height: 0.12, radius: 0.33 },
    ];
    for (name, mechanics) in cars() {
        for profile in profiles {
            for (speed, shape) in [20.0, 50.0, 130.0].into_iter().flat_map(|speed| {
                [RoadQueryShape::Ray, RoadQueryShape::Cylinder].map(|shape| (speed, shape))
            }) {
                let trial = Trial::new(mechanics.clone(), profile, speed / 3.6);
                let trial = Trial { shape, friction: 1.0, ..trial };
                assert_felt_as_at_a_small_step(name, &trial, 3);
            }
        }
    }
}

/// A long frame before an obstacle changes nothing of it, and one in which the car passes the whole
/// obstacle neither throws the car nor lets it fall through.
#[test]
fn hitches_throw_no_car() {
    let (height, speed) = (0.12, 50.0 / 3.6);
    let kerb = Profile::Kerb { height };
    for (name, mechanics) in cars() {
        for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
            let trial = Trial::new(mechanics.clone(), kerb, speed);
            let trial = Trial { shape, friction: 1.0, ..trial };
            let fine = figures(&fine(&trial));
            for hitch in [0.1, 0.3] {
                let before = Trial { hitch, phase: speed * hitch, ..trial.clone() };
                assert_felt_as_at_a_small_step(name, &before, 3);
                let start = 0.3 - trial.run_up();
                let [least, most] = extremes(&Trial { hitch, phase: start, ..trial.clone() }, 3);
                let what = format!("{name}, {shape:?}, {hitch} s: {least:?}, {most:?}");
                assert!(0.98 < least.uprightness, "{what}");
                assert!(height < least.rise && most.rise < 2.0 * fine.rise, "{what}, not {fine:?}");
            }
        }
    }
}

/// A kerb met by rays at a walk is a wall to each step, up which a wheel is lifted all the same.
#[test]
fn kerbs_are_climbed_at_a_walk() {
    for rate in [30.0, 60.0, 240.0] {
        for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
            let kerb = Profile::Kerb { height: 0.12 };
            let trial = Trial { rate, shape, ..Trial::new(plain_mechanics(), kerb, 2.5) };
            let (mut last, mut rise) = (0.0, 0.0);
            trial
                .drive(6.0, |moment| (last, rise) = (moment.way, moment.rise))
                .expect("the car can be driven");
            assert!((rise - 0.12).abs() < 0.02, "{rate} Hz, {shape:?}: {rise} m high at {last} m");
        }
    }
}

#[test]
fn hills_give_the_height_that_speed_is_worth() {
    for (name, mechanics) in cars() {
        for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
            let top = |rate, substeps| {
                let trial = Trial::new(mechanics.clone(), Profile::Hill { slope: 0.2 }, 20.0 / 3.6);
                let mut top: Real = 0.0;
                Trial { shape, rate, substeps, ..trial }
                    .drive(6.0, |moment| top = top.max(moment.rise))
                    .expect("the car can be driven");
                top
            };
            let fine = top(2_400.0, 1);
            for substeps in [1, 3] {
                let usual = top(60.0, substeps);
                let error = usual / fine - 1.0;
                assert!(error.abs() < 0.01, "{name}, {shape:?}: {usual} m, not {fine} m");
            }
        }
    }
}

/// Galileo's law: a car on a train feels a kerb on it as one at the station. A road that goes away
/// below a car that stands is one that it drives on.
#[test]
fn obstacles_on_moving_roads_are_felt_as_on_standing_ones() {
    let speed = 50.0 / 3.6;
    let profiles = [
        Profile::Bump { height: 0.08, length: 0.6 },
        Profile::RoundedKerb { height: 0.1, radius: 0.33 },
    ];
    let motions = [
        Vector::NEG_Z * speed,
        Vector::Z * 15.0,
        Vector::X * 5.0,
        Vector::Y * 2.0,
        Vector::NEG_Y * 2.0,
    ];
    for (profile, shape) in profiles.into_iter().flat_map(|profile| {
        [RoadQueryShape::Ray, RoadQueryShape::Cylinder].map(|shape| (profile, shape))
    }) {
        for (rate, substeps) in [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)] {
            let standing = Trial::new(saloon_mechanics(), profile, speed);
            let standing = Trial { shape, rate, substeps, friction: 1.0, ..standing };
            let [_, expected] = extremes(&standing, PHASES);
            for road_velocity in motions {
                let [_, found] = extremes(&Trial { road_velocity, ..standing.clone() }, PHASES);
                let what = format!(
                    "{profile:?}, {shape:?}, {rate} Hz, {substeps} substeps, {road_velocity} m/s: {found:?}, not {expected:?}"
                );
                assert!((found.peak / expected.peak - 1.0).abs() < 0.04, "{what}");
                assert!((found.rise / expected.rise - 1.0).abs() < 0.04, "{what}");
            }
        }
    }
}
