//! Stability control: sines with a dwell, and what it leaves alone.

use std::f32::consts::TAU;

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{Aid, AidsParams, AntiLockMode, StabilityParams};
use vehicle_rapier::drivetrain::handling::Handling;
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::scene::{GRAVITY, Result, anti_lock, on_road, side_slip};

/// Speed of the sines with a dwell (m/s), and their friction (dimensionless).
const SPEED: Real = 80.0 / 3.6;
const FRICTION: Real = 0.9;
/// Angle of the steering wheel by that of the road wheels.
const RATIO: Real = 16.0;
/// Greatest angle of the steering wheel (degrees).
const GREATEST: Real = 270.0;

fn lock(car: &AnyRapierVehicle) -> Real {
    car.vehicle.read_mechanics().params.steering.max_response.abs()
}

/// Angle of the steering wheel (degrees) at 0.3 g, as it is turned by 13.5 degrees per second.
fn reference_angle(preset: &str) -> Result<Real> {
    let (mut world, mut car) = on_road(preset, AidsParams::default(), [FRICTION; 2], SPEED, 60.0)?;
    let lock = lock(&car);
    for step in 0..600 {
        let angle = 13.5 * step as Real / 60.0;
        car.commands_mut().steer = angle.to_radians() / RATIO / lock;
        car.commands_mut().throttle = (0.3 + 0.5 * (SPEED - car.forward_speed())).clamp(0.0, 1.0);
        car.step(&mut world)?;
        if 0.3 * GRAVITY <= car.vehicle.body().angular_velocity.y * car.forward_speed() {
            return Ok(angle);
        }
    }
    Err(format!("{preset} does not reach 0.3 g").into())
}

/// A sine of 0.7 Hz with a dwell of 0.5 s at its second peak.
fn sine_with_dwell(time: Real) -> Real {
    let third = 0.75 / 0.7;
    let phase = match time {
        _ if time < third => time,
        _ if time < third + 0.5 => third,
        _ => time - 0.5,
    };
    if 1.0 / 0.7 <= phase { 0.0 } else { (TAU * 0.7 * phase).sin() }
}

#[derive(Debug)]
struct Dwell {
    /// Yaw rates 1 s and 1.75 s after the steering per the peak of the second half.
    ratios: [Real; 2],
    /// Way to the side 1.07 s after the begin (m).
    displacement: Real,
    /// Largest slip angle (degrees).
    slip_angle: Real,
}

impl Dwell {
    fn is_stable(&self) -> bool {
        self.ratios[0] <= 0.35 && self.ratios[1] <= 0.2
    }
}

fn dwell(preset: &str, aids: AidsParams, degrees: Real, side: Real, rate: Real) -> Result<Dwell> {
    let (mut world, mut car) = on_road(preset, aids, [FRICTION; 2], SPEED, rate)?;
    let (lock, start) = (lock(&car), car.pose(&world.bodies)?.translation.x);
    let end = 1.0 / 0.7 + 0.5;
    let mut peak: Real = 0.0;
    let mut dwell = Dwell { ratios: [Real::NAN; 2], displacement: 0.0, slip_angle: 0.0 };
    for step in 0..((end + 1.9) * rate) as usize {
        let time = step as Real / rate;
        let angle = side * degrees.to_radians() * sine_with_dwell(time) / RATIO;
        car.commands_mut().steer = (angle / lock).clamp(-1.0, 1.0);
        car.step(&mut world)?;
        let yaw_rate = car.vehicle.body().angular_velocity.y;
        if 0.5 / 0.7 < time && time < end {
            peak = peak.max(-side * yaw_rate);
        }
        dwell.slip_angle = dwell.slip_angle.max(side_slip(&car).abs().to_degrees());
        if time <= 1.07 {
            dwell.displacement = side * (car.pose(&world.bodies)?.translation.x - start);
        }
        for (ratio, after) in dwell.ratios.iter_mut().zip([1.0, 1.75]) {
            if ratio.is_nan() && end + after <= time {
                *ratio = (yaw_rate / peak).abs();
            }
        }
    }
    Ok(dwell)
}

#[test]
fn sines_with_a_dwell_end_straight_and_still_turn_the_car() -> Result {
    let aids = AidsParams {
        stability: Some(StabilityParams::default()),
        ..anti_lock(AntiLockMode::SlipTarget)
    };
    for (preset, fails_without) in [
        ("hot_hatch", false),
        ("sports_car", false),
        ("gt", false),
        ("pick_up", false),
        ("electric_car", false),
        ("drift_car", true),
    ] {
        let reference = reference_angle(preset)?;
        let mut first_failure = None;
        let mut worst = Dwell { ratios: [0.0; 2], displacement: Real::INFINITY, slip_angle: 0.0 };
        let most = GREATEST.max(6.5 * reference).min(300.0);
        for step in 0.. {
            let amplitude = ((1.5 + 0.5 * step as Real) * reference).min(most);
            for side in [1.0, -1.0] {
                let with = dwell(preset, aids, amplitude, side, 60.0)?;
                let shown = format!("{preset}, {amplitude} degrees to {side}: {with:?}");
                assert!(with.is_stable() && with.slip_angle < 12.0, "{shown}");
                if 5.0 * reference <= amplitude {
                    assert!(1.83 <= with.displacement, "{shown}");
                    worst.displacement = worst.displacement.min(with.displacement);
                }
                worst.ratios = [0, 1].map(|index| worst.ratios[index].max(with.ratios[index]));
                worst.slip_angle = worst.slip_angle.max(with.slip_angle);
            }
            let without = dwell(preset, AidsParams::default(), amplitude, 1.0, 60.0)?;
            if !without.is_stable() && first_failure.is_none() {
                first_failure = Some(amplitude / reference);
            }
            if most <= amplitude {
                break;
            }
        }
        println!(
            "{preset}: A {reference} degrees, {worst:?}; fails without at {first_failure:?} A"
        );
        assert!(!fails_without || first_failure.is_some(), "{preset} needs no stability control");
    }
    Ok(())
}

#[test]
fn sines_with_a_dwell_are_alike_at_any_rate() -> Result {
    let aids = AidsParams {
        stability: Some(StabilityParams::default()),
        ..anti_lock(AntiLockMode::SlipTarget)
    };
    let finest = dwell("hot_hatch", aids, 150.0, 1.0, 240.0)?;
    for rate in [30.0, 60.0, 120.0] {
        let found = dwell("hot_hatch", aids, 150.0, 1.0, rate)?;
        let off = (found.displacement / finest.displacement - 1.0).abs();
        println!("{rate} Hz: {found:?}, for {finest:?}");
        assert!(found.is_stable() && off < 0.05, "{rate} Hz: {found:?}, for {finest:?}");
    }
    Ok(())
}

/// Whether stability control acts as `drive` steers (rad) and holds the speed by the throttle.
fn is_touched(
    preset: &str,
    speed: Real,
    steer: impl Fn(Real, &AnyRapierVehicle) -> Real,
) -> Result<Option<Real>> {
    let aids = AidsParams { stability: Some(StabilityParams::default()), ..AidsParams::default() };
    let (mut world, mut car) = on_road(preset, aids, [FRICTION; 2], speed, 60.0)?;
    let lock = lock(&car);
    for step in 0..900 {
        let time = step as Real / 60.0;
        car.commands_mut().steer = (steer(time, &car) / lock).clamp(-1.0, 1.0);
        car.commands_mut().throttle = (0.2 + 0.5 * (speed - car.forward_speed())).clamp(0.0, 1.0);
        car.step(&mut world)?;
        if car.vehicle.aided().report().is_active(Aid::Stability) {
            return Ok(Some(time));
        }
    }
    Ok(None)
}

#[test]
fn calm_driving_is_left_alone() -> Result {
    for preset in ["hot_hatch", "sports_car", "pick_up", "electric_car", "truck_6x6"] {
        // Up to 0.6 of gravity, less in a truck that would tip over.
        let share = if preset == "truck_6x6" { 0.25 } else { 0.6 };
        let reached = std::cell::Cell::new(0.0_f32);
        let circle = |time: Real, car: &AnyRapierVehicle| {
            let lateral = car.vehicle.body().angular_velocity.y * car.forward_speed();
            reached.set(reached.get().max(lateral / GRAVITY));
            let wanted = share * GRAVITY * (time / 10.0).min(1.0);
            // The angle of the bend, and more where it lacks lateral acceleration.
            let handling = Handling::of(car.vehicle.read_mechanics().params, car.vehicle.frame());
            let speed = car.forward_speed();
            let bend = handling.map(|it| it.steady_bend(wanted / (speed * speed), speed));
            bend.map_or(0.0, |bend| bend.angle) + 0.002 * (wanted - lateral)
        };
        let touched = is_touched(preset, 20.0, circle)?;
        println!("{preset}: circle up to {} g, touched {touched:?}", reached.get());
        assert_eq!(touched, None, "{preset} in a circle");
        assert!(0.85 * share < reached.get(), "{preset}: {} g", reached.get());
        let slalom = |time: Real, _: &AnyRapierVehicle| 0.06 * (TAU * 0.4 * time).sin();
        assert_eq!(is_touched(preset, 40.0 / 3.6, slalom)?, None, "{preset} in a slalom");
        let parking = |_: Real, _: &AnyRapierVehicle| 1.0;
        assert_eq!(is_touched(preset, 2.0, parking)?, None, "{preset} at parking");
        // A change of the lane by 3.5 m at 60 km/h.
        let lane = |time: Real, _: &AnyRapierVehicle| match time {
            0.0..2.5 => 0.025 * (TAU * time / 2.5).sin(),
            _ => 0.0,
        };
        assert_eq!(is_touched(preset, 60.0 / 3.6, lane)?, None, "{preset} in a change of lane");
    }
    Ok(())
}

#[test]
fn a_mirrored_drive_has_mirrored_help() -> Result {
    let aids = AidsParams { stability: Some(StabilityParams::default()), ..AidsParams::default() };
    let run = |side: Real| -> Result<Vec<[Real; 3]>> {
        let (mut world, mut car) = on_road("hot_hatch", aids, [0.6; 2], 22.0, 60.0)?;
        let mut seen = Vec::new();
        for step in 0..180 {
            car.commands_mut().steer = side * if step < 40 { 0.5 } else { -0.5 };
            car.step(&mut world)?;
            let report = car.vehicle.aided().report();
            let moment = side * report.stability_moment;
            seen.push([moment, side * side_slip(&car), car.forward_speed()]);
        }
        Ok(seen)
    };
    let (left, right) = (run(1.0)?, run(-1.0)?);
    assert!(left.iter().any(|[moment, ..]| *moment != 0.0));
    for (step, (left, right)) in left.iter().zip(&right).enumerate() {
        let alike = (left[1] - right[1]).abs() < 2e-3 && (left[2] - right[2]).abs() < 2e-2;
        assert!(alike, "step {step}: {left:?}, mirrored {right:?}");
    }
    Ok(())
}
