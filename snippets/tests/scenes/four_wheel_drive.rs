//! The scene of the car with an engine: against the same scene of the reference with explicit
//! wheels, and on its own with implicit ones.
//!
//! Explicit wheels slip to and fro when a strong drivetrain turns them slowly, which costs the
//! reference a quarter of its speed in first gear.

use std::ops::Range;

use anyhow::Result;
use snippets::drivetrains::SampleDifferential;
use snippets::scenes;
use snippets::telemetry::Telemetry;
use snippets::wheel_names::{CAR_WHEELS, wheel_channel};

/// The steps in first gear, from standstill.
const FIRST_GEAR: Range<usize> = 121..421;
/// The steps of the turn. The shift down to first gear in it slows the inner wheels.
const TURN: Range<usize> = 1_021..1_321;
/// The ratio of speeds beyond which the sample car's limited slip acts.
const BIAS: f64 = 1.3;

/// Highest speed of the reference in first gear from standstill (m/s).
const REFERENCE_TOP_SPEED_IN_FIRST: f64 = 5.6556;
/// Highest speed of the reference (m/s).
const REFERENCE_TOP_SPEED: f64 = 9.5850;
/// Gear that is in and gear that is chosen, with the step from which on, of the reference.
const REFERENCE_GEARS: [(usize, [f64; 2]); 5] = [
    (1, [1.0, 1.0]),
    (880, [0.0, 2.0]),
    (910, [2.0, 2.0]),
    (1_002, [0.0, 1.0]),
    (1_032, [1.0, 1.0]),
];

const OPEN: SampleDifferential = SampleDifferential::FourWheel { is_slip_limited: false };
const LIMITED: SampleDifferential = SampleDifferential::FourWheel { is_slip_limited: true };

fn drive(differential: SampleDifferential) -> Result<Telemetry> {
    scenes::four_wheel_drive(differential, None)?.record(&CAR_WHEELS, || ())
}

fn drive_explicitly() -> Result<Telemetry> {
    scenes::four_wheel_drive(OPEN, None)?.with_explicit_wheels().record(&CAR_WHEELS, || ())
}

fn highest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

/// Gear that is in and gear that is chosen, with the step from which on.
fn gears(telemetry: &Telemetry) -> Result<Vec<(usize, [f64; 2])>> {
    let [current, target] = [telemetry.column("gear")?, telemetry.column("target gear")?];
    let gears = current.iter().zip(target).map(|(&current, &target)| [current, target]);
    let mut gears: Vec<_> = (1..).zip(gears).collect();
    gears.dedup_by_key(|(_, gears)| *gears);
    Ok(gears)
}

fn wheel_speeds(telemetry: &Telemetry) -> Result<Vec<&[f64]>> {
    CAR_WHEELS.iter().map(|wheel| telemetry.column(&wheel_channel("wheel speed", wheel))).collect()
}

/// The largest ratio of the speeds of two wheels in `steps`.
fn largest_ratio(first: &[f64], second: &[f64], steps: Range<usize>) -> f64 {
    let ratios = steps.map(|step| (first[step] / second[step]).max(second[step] / first[step]));
    ratios.fold(0.0, f64::max)
}

#[test]
fn explicit_wheels_reach_the_speeds_of_the_reference() -> Result<()> {
    let ours = drive_explicitly()?;
    let speeds = ours.column("speed")?;
    let cases = [
        (highest(&speeds[..FIRST_GEAR.end]), REFERENCE_TOP_SPEED_IN_FIRST),
        (highest(speeds), REFERENCE_TOP_SPEED),
    ];
    for (ours, reference) in cases {
        assert!((ours / reference - 1.0).abs() < 0.03, "{ours} m/s, not {reference} m/s");
    }
    Ok(())
}

#[test]
fn explicit_wheels_have_the_gears_of_the_reference_at_the_same_times() -> Result<()> {
    let ours = gears(&drive_explicitly()?)?;
    let in_order =
        |gears: &[(usize, [f64; 2])]| -> Vec<_> { gears.iter().map(|(_, gears)| *gears).collect() };
    assert_eq!(in_order(&ours), in_order(&REFERENCE_GEARS));
    for ((step, gears), (expected, _)) in ours.into_iter().zip(REFERENCE_GEARS) {
        // A fifth of a second, in which wheels slip to and fro in another order.
        assert!(step.abs_diff(expected) <= 12, "{gears:?} from step {step}, not {expected}");
    }
    Ok(())
}

#[test]
fn implicit_wheels_turn_alike_on_the_straight_and_waste_no_grip() -> Result<()> {
    let (implicit, explicit) = (drive(OPEN)?, drive_explicitly()?);
    let spread = |telemetry: &Telemetry| -> Result<f64> {
        let wheels = wheel_speeds(telemetry)?;
        let of_step = |step: usize| {
            let speeds = wheels.iter().map(|speeds| speeds[step]);
            let range = |(low, high): (f64, f64), speed: f64| (low.min(speed), high.max(speed));
            let (low, high) = speeds.fold((f64::INFINITY, f64::NEG_INFINITY), range);
            high - low
        };
        Ok(FIRST_GEAR.map(of_step).fold(0.0, f64::max))
    };
    let spreads = [spread(&implicit)?, spread(&explicit)?];
    assert!(spreads[0] < 0.1 && 10.0 < spreads[1], "{spreads:?} rad/s");

    let top = |telemetry: &Telemetry| -> Result<f64> {
        Ok(highest(&telemetry.column("speed")?[..FIRST_GEAR.end]))
    };
    let tops = [top(&implicit)?, top(&explicit)?];
    assert!(1.25 * tops[1] < tops[0], "{tops:?} m/s");
    Ok(())
}

#[test]
fn automatic_shift_takes_half_a_second_without_throttle_or_torque() -> Result<()> {
    let telemetry = drive(OPEN)?;
    let [current, target] = [telemetry.column("gear")?, telemetry.column("target gear")?];
    let throttle = telemetry.column("engine throttle")?;
    let torque = telemetry.column(&wheel_channel("drive torque", CAR_WHEELS[0]))?;
    let is_switching = |&step: &usize| current[step] != target[step];
    let switching: Vec<usize> = (0..telemetry.len()).filter(is_switching).collect();
    assert_eq!(switching.len(), 2 * 30, "two shifts of 0.5 s");
    for step in switching {
        let found = [current[step], throttle[step], torque[step]];
        assert_eq!(found, [0.0; 3], "step {step}: gear, throttle, torque");
    }
    Ok(())
}

#[test]
fn four_wheels_without_limited_slip_are_a_multi_wheel_differential() -> Result<()> {
    assert_eq!(drive(OPEN)?, drive(SampleDifferential::MultiWheel)?);
    Ok(())
}

#[test]
fn limited_slip_keeps_wheels_within_its_bias_when_a_shift_slows_one() -> Result<()> {
    // Of the wheels of the front axle, and of the rear.
    let ratios = |differential| -> Result<[f64; 2]> {
        let telemetry = drive(differential)?;
        let wheels = wheel_speeds(&telemetry)?;
        Ok([0, 2].map(|wheel| largest_ratio(wheels[wheel], wheels[wheel + 1], TURN)))
    };
    let (open, limited) = (ratios(OPEN)?, ratios(LIMITED)?);
    for (open, limited) in open.into_iter().zip(limited) {
        assert!(1.2 * BIAS < open, "open: {open}");
        // The solution is of single precision.
        assert!(limited < BIAS * (1.0 + 1e-4), "limited: {limited}");
    }
    Ok(())
}

#[test]
fn tank_differential_turns_the_wheels_of_a_side_as_one() -> Result<()> {
    let telemetry = drive(SampleDifferential::Tank)?;
    let wheels = wheel_speeds(&telemetry)?;
    for (front, rear) in [(0, 2), (1, 3)] {
        let ratio = largest_ratio(wheels[front], wheels[rear], TURN);
        assert!((ratio - 1.0).abs() < 1e-4, "wheels {front} and {rear}: {ratio}");
    }
    let across = largest_ratio(wheels[0], wheels[1], TURN);
    assert!(1.05 < across, "the sides turn {across}");
    Ok(())
}
