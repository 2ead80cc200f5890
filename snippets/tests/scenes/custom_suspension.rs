//! The scene of the lowrider against the same scene of the reference, and what its own suspension
//! adds to the library's.

use std::f64::consts::TAU;
use std::ops::Range;

use anyhow::Result;
use snippets::scenes;
use snippets::telemetry::Telemetry;
use snippets::wheel_names::{CAR_WHEELS, wheel_channel};

/// Steps of the steady dance: 10 s, 20 pushes.
const DANCE: Range<usize> = 300..900;
/// Frequency of the hydraulics (Hz).
const FREQUENCY: f64 = 2.0;

/// A motion that repeats: its mean, its distance from lowest to highest value and how much of it
/// is in the frequency of the hydraulics.
#[derive(Clone, Copy, Debug)]
struct Motion {
    mean: f64,
    stroke: f64,
    amplitude: f64,
}

/// What the reference's lowrider does in the steady dance: heave (m), pitch (rad), jounces (m).
const REFERENCE: [(&str, Motion); 6] = [
    ("y", Motion { mean: 0.620_96, stroke: 0.037_39, amplitude: 0.018_83 }),
    ("pitch", Motion { mean: -0.010_21, stroke: 0.043_31, amplitude: 0.021_14 }),
    ("jounce front right", Motion { mean: 0.064_22, stroke: 0.068_76, amplitude: 0.034_60 }),
    ("jounce front left", Motion { mean: 0.064_51, stroke: 0.066_23, amplitude: 0.033_15 }),
    ("jounce rear right", Motion { mean: 0.035_78, stroke: 0.071_88, amplitude: 0.036_49 }),
    ("jounce rear left", Motion { mean: 0.036_07, stroke: 0.072_09, amplitude: 0.036_85 }),
];

fn drive() -> Result<Telemetry> {
    scenes::custom_suspension(3)?.record(&CAR_WHEELS, || ())
}

fn motion(times: &[f64], values: &[f64]) -> Motion {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    // The Fourier coefficient of the frequency.
    let waves = times.iter().map(|time| (TAU * FREQUENCY * time).sin_cos());
    let products = waves.zip(values).map(|((sin, cos), value)| {
        let swing = value - mean;
        (sin * swing, cos * swing)
    });
    let (sin, cos) = products.fold((0.0, 0.0), |sum, (sin, cos)| (sum.0 + sin, sum.1 + cos));
    Motion { mean, stroke: highest - lowest, amplitude: 2.0 / count * f64::hypot(sin, cos) }
}

/// Mean time from one rise through `level` to the next (s).
fn period(times: &[f64], values: &[f64], level: f64) -> f64 {
    let rises = values.windows(2).zip(times.windows(2)).filter_map(|(values, times)| {
        let [before, after] = [values[0] - level, values[1] - level];
        let is_rise = before < 0.0 && 0.0 <= after;
        is_rise.then(|| times[0] + (times[1] - times[0]) * before / (before - after))
    });
    let rises: Vec<f64> = rises.collect();
    match rises.as_slice() {
        [first, .., last] => (last - first) / (rises.len() - 1) as f64,
        _ => f64::NAN,
    }
}

#[test]
fn lowrider_dances_as_the_reference_does() -> Result<()> {
    let telemetry = drive()?;
    let times = &telemetry.time()[DANCE];
    for (channel, reference) in REFERENCE {
        let values = &telemetry.column(channel)?[DANCE];
        let ours = motion(times, values);
        let pairs = [
            (ours.mean, reference.mean),
            (ours.stroke, reference.stroke),
            (ours.amplitude, reference.amplitude),
        ];
        for (found, expected) in pairs {
            let error = (found / expected - 1.0).abs();
            assert!(error < 0.01, "{channel}: {ours:?}, not {reference:?}");
        }
        let frequency = 1.0 / period(times, values, ours.mean);
        let error = (frequency / FREQUENCY - 1.0).abs();
        assert!(error < 0.01, "{channel}: {frequency} Hz, not {FREQUENCY} Hz");
    }
    Ok(())
}

#[test]
fn hydraulics_push_only_wheels_on_the_ground_and_not_the_tires() -> Result<()> {
    let telemetry = drive()?;
    let mut pushes_without_load = 0;
    for wheel in CAR_WHEELS {
        let jounces = telemetry.column(&wheel_channel("jounce", wheel))?;
        let forces = telemetry.column(&format!("hydraulic force {wheel}"))?;
        let loads = telemetry.column(&wheel_channel("load", wheel))?;
        for step in 0..telemetry.len() {
            let (force, load) = (forces[step], loads[step]);
            assert!((0.0..7_500.1).contains(&force), "{wheel}, step {step}: {force} N");
            if load == 0.0 {
                // In the air, from which it drops.
                assert_eq!((jounces[step], force), (0.0, 0.0), "{wheel}, step {step}");
            }
            pushes_without_load += usize::from(load < 0.5 * force);
        }
    }
    assert!(0 < pushes_without_load, "springs carry less than hydraulics push, at the top");
    Ok(())
}

#[test]
fn lowrider_stays_awake_while_its_driver_does_nothing() -> Result<()> {
    let telemetry = drive()?;
    assert!(telemetry.column("asleep")?.iter().all(|&asleep| asleep == 0.0));
    Ok(())
}
