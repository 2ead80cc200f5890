//! The scene of the tank: its turns with a brake per track, and against the same scene of the
//! reference with the reference's data, where one brake holds all wheels.

use std::f64::consts::PI;
use std::ops::Range;

use anyhow::Result;
use snippets::drivetrains::TankBrakes;
use snippets::scenes;
use snippets::telemetry::Telemetry;
use snippets::wheel_names::CAR_WHEELS;

/// Steps of the phases.
const STRAIGHT: Range<usize> = 121..421;
const SHARP_TURN: Range<usize> = 421..721;
const SPIN: Range<usize> = 721..1_021;
const GENTLE_TURN: Range<usize> = 1_021..1_321;
const BACK: Range<usize> = 1_321..1_621;

/// Distance of a track from the middle (m).
const HALF_TRACK: f64 = 0.795;

fn drive() -> Result<Telemetry> {
    scenes::tank_drive(TankBrakes::PerTrack, None)?.record(&CAR_WHEELS, || ())
}

fn drive_as_the_reference() -> Result<Telemetry> {
    let scene = scenes::tank_drive(TankBrakes::AllWheels, None)?;
    scene.with_explicit_wheels().record(&CAR_WHEELS, || ())
}

/// The last second of `steps`.
fn end_of(steps: &Range<usize>) -> Range<usize> {
    steps.end - 60..steps.end
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// How far the tank turned in `steps`, to the left (rad).
fn turned(telemetry: &Telemetry, steps: Range<usize>) -> Result<f64> {
    let rates = &telemetry.column("yaw rate")?[steps];
    Ok(rates.iter().sum::<f64>() / 60.0)
}

/// Mean speeds of right and left track in `steps` (m/s).
fn track_speeds(telemetry: &Telemetry, steps: Range<usize>) -> Result<[f64; 2]> {
    let right = mean(&telemetry.column("track speed right")?[steps.clone()]);
    let left = mean(&telemetry.column("track speed left")?[steps]);
    Ok([right, left])
}

#[test]
fn equal_thrusts_drive_straight() -> Result<()> {
    let telemetry = drive()?;
    let angle = turned(&telemetry, STRAIGHT)?;
    let aside = telemetry.column("x")?[STRAIGHT.end - 1];
    assert!(angle.abs() < 0.005 && aside.abs() < 0.05, "turned {angle} rad, {aside} m aside");
    let [right, left] = track_speeds(&telemetry, end_of(&STRAIGHT))?;
    let speed = mean(&telemetry.column("forward speed")?[end_of(&STRAIGHT)]);
    assert!((right - left).abs() < 0.01 && (right / speed - 1.0).abs() < 0.01, "{right}, {speed}");
    Ok(())
}

#[test]
fn sharp_turn_pivots_on_the_braked_track() -> Result<()> {
    let telemetry = drive()?;
    let turned = turned(&telemetry, SHARP_TURN)?;
    assert!(turned < -2.0 * PI, "turned {turned} rad to the left, not around to the right");

    let steps = end_of(&SHARP_TURN);
    let braked = &telemetry.column("track speed right")?[steps.clone()];
    assert!(braked.iter().all(|&speed| speed == 0.0), "braked track: {braked:?} m/s");
    let [_, left] = track_speeds(&telemetry, steps.clone())?;
    assert!(5.0 < left, "driven track: {left} m/s");

    // Forward speed over yaw rate is the distance of the point that stands, to the left.
    let forward = mean(&telemetry.column("forward speed")?[steps.clone()]);
    let distance = forward / mean(&telemetry.column("yaw rate")?[steps]);
    let slide = distance + HALF_TRACK;
    assert!(slide.abs() < 0.15, "turns around {distance} m, track at {}", -HALF_TRACK);
    Ok(())
}

#[test]
fn opposite_thrusts_spin_on_the_spot() -> Result<()> {
    let telemetry = drive()?;
    let [right, left] = track_speeds(&telemetry, end_of(&SPIN))?;
    assert!(5.0 < right && left < -5.0, "{right}, {left} m/s");
    let steps = end_of(&SPIN);
    let rate = mean(&telemetry.column("yaw rate")?[steps.clone()]);
    let speed = mean(&telemetry.column("speed")?[steps]);
    assert!(2.0 < rate && speed < 0.5, "{rate} rad/s, {speed} m/s");
    Ok(())
}

#[test]
fn weaker_left_thrust_turns_gently_to_the_left() -> Result<()> {
    let telemetry = drive()?;
    // Once the spin has ended.
    let angle = turned(&telemetry, GENTLE_TURN.start + 90..GENTLE_TURN.end)?;
    assert!(0.0 < angle && angle < 0.5, "turned {angle} rad");
    let speed = mean(&telemetry.column("speed")?[end_of(&GENTLE_TURN)]);
    assert!(10.0 < speed, "{speed} m/s");
    Ok(())
}

#[test]
fn negative_thrusts_drive_back_in_first_gear() -> Result<()> {
    let telemetry = drive()?;
    let steps = end_of(&BACK);
    let speed = mean(&telemetry.column("forward speed")?[steps.clone()]);
    assert!(speed < -10.0, "{speed} m/s");
    assert!(telemetry.column("gear")?.iter().all(|&gear| gear == 1.0), "manual first gear");
    Ok(())
}

#[test]
fn one_brake_for_all_wheels_makes_the_sharp_turn_a_stop_as_in_the_reference() -> Result<()> {
    let telemetry = drive_as_the_reference()?;
    let steps = end_of(&SHARP_TURN);
    let speed = mean(&telemetry.column("speed")?[steps.clone()]);
    // The reference's creeps at 0.004 m/s.
    assert!(speed < 0.004, "{speed} m/s");
    assert_eq!(track_speeds(&telemetry, steps)?, [0.0, 0.0]);
    Ok(())
}

#[test]
fn tank_with_the_data_of_the_reference_drives_as_the_reference() -> Result<()> {
    let telemetry = drive_as_the_reference()?;
    // (step, speed (m/s), yaw rate (rad/s), engine speed (rad/s)) of the reference
    let reference = [
        (420, 12.439, 0.04, 600.0),
        (1_020, 0.234, 1.99, 275.4),
        (1_320, 12.780, 0.05, 600.0),
        (1_620, 12.914, 0.0, 600.0),
    ];
    let columns = ["speed", "yaw rate", "engine speed"].map(|name| telemetry.column(name));
    let [speed, yaw_rate, engine_speed] = columns;
    let (speeds, yaw_rates, engine_speeds) = (speed?, yaw_rate?, engine_speed?);
    for (step, speed, yaw_rate, engine_speed) in reference {
        let found = [speeds, yaw_rates, engine_speeds].map(|values| values[step - 1]);
        let expected = [speed, yaw_rate, engine_speed];
        // Of the top speed, and of the fastest spin. Which track slips first on the straight is a
        // matter of rounding, and with it the side to which the tank drifts.
        let bounds = [0.02 * 12.914, 0.05 * 1.99, 0.02 * 600.0];
        for ((found, expected), bound) in found.into_iter().zip(expected).zip(bounds) {
            assert!((found - expected).abs() < bound, "step {step}: {found}, not {expected}");
        }
    }
    Ok(())
}
