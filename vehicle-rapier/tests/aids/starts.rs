//! Starts: launch control, split friction on a grade, full throttle in a bend.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{Aid, AidsParams, LaunchParams, TractionParams};
use vehicle_rapier::drivetrain::handling::Handling;
use vehicle_rapier::prelude::*;

use crate::scene::{GRAVITY, Result, on_road};

const RATE: Real = 60.0;
/// Time for which both pedals are pressed before a start (s).
const ARMING: Real = 1.5;

/// Time from standing still to 100 km/h (s) at this throttle: with launch control from both pedals.
fn sprint(preset: &str, aids: AidsParams, throttle: Real, rate: Real) -> Result<Option<Real>> {
    let (mut world, mut car) = on_road(preset, aids, [1.0; 2], 0.0, rate)?;
    let arming = if aids.launch.is_some() { ARMING } else { 0.0 };
    let (mut was_active, mut speeds): (bool, Vec<Real>) = (false, Vec::new());
    for step in 0..((40.0 + arming) * rate) as usize {
        let time = step as Real / rate;
        let is_armed = time < arming;
        car.commands_mut().throttle = throttle;
        car.commands_mut().brakes[0] = if is_armed { 1.0 } else { 0.0 };
        car.step(&mut world)?;
        was_active |= car.vehicle.aided().report().is_active(Aid::Launch);
        speeds.push(car.vehicle.engine_speed().unwrap_or(0.0));
        if 100.0 / 3.6 <= car.forward_speed() {
            if aids.launch.is_some() {
                assert!(was_active, "{preset}: launch control has not acted");
                assert!(0.0 < speeds.iter().copied().fold(Real::INFINITY, Real::min), "stalled");
            }
            return Ok(Some(time - arming));
        }
    }
    Ok(None)
}

#[test]
fn launches_are_nearly_as_fast_as_the_best_foot() -> Result {
    let mut faults = Vec::new();
    for preset in ["hot_hatch", "sports_car", "pick_up", "gt", "rally_car"] {
        let launch = Some(LaunchParams::default());
        let traction = Some(TractionParams::default());
        let aids = AidsParams { launch, traction, ..AidsParams::default() };
        let mut best: (Real, Real) = (Real::INFINITY, 0.0);
        for foot in 1..=20 {
            let throttle = foot as Real / 20.0;
            if let Some(time) = sprint(preset, AidsParams::default(), throttle, RATE)? {
                best = if time < best.0 { (time, throttle) } else { best };
            }
        }
        let time = sprint(preset, aids, 1.0, RATE)?.ok_or("100 km/h is not reached")?;
        let finest = sprint(preset, aids, 1.0, 240.0)?.ok_or("100 km/h is not reached")?;
        println!("{preset}: {time} s launched, {finest} s at 240 Hz, best foot {best:?}");
        let is_alike = (time / finest - 1.0).abs() < 0.05;
        if 1.1 * best.0 < time || !is_alike {
            faults.push(format!("{preset}: {time} s, {finest} s at 240 Hz, best foot {best:?}"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    Ok(())
}

/// Way uphill in 5 s (m) on a grade of 10 % with friction 1.0 and 0.1 on the two sides.
fn split_climb(preset: &str, traction: Option<TractionParams>) -> Result<Real> {
    let aids = AidsParams { traction, ..AidsParams::default() };
    let (mut world, mut car) = on_road(preset, aids, [1.0, 0.1], 0.0, RATE)?;
    let angle = 0.1_f32.atan();
    world.gravity = Vector::new(0.0, -angle.cos(), -angle.sin()) * GRAVITY;
    let start = car.pose(&world.bodies)?.translation.z;
    for step in 0..360 {
        let time = step as Real / RATE;
        car.commands_mut().brakes[0] = if time < 1.0 { 1.0 } else { 0.0 };
        car.commands_mut().throttle = if time < 0.5 { 0.0 } else { 0.6 };
        car.step(&mut world)?;
    }
    Ok(car.pose(&world.bodies)?.translation.z - start)
}

#[test]
fn one_wheel_on_ice_does_not_keep_a_car_from_climbing() -> Result {
    for preset in ["hot_hatch", "pick_up", "electric_car"] {
        let climb = |traction| split_climb(preset, traction);
        let (without, with) = (climb(None)?, climb(Some(TractionParams::default()))?);
        println!("{preset}: {with} m uphill, {without} m without");
        assert!(5.0 < with && without < 0.3 * with, "{preset}: {with} m, {without} m without");
    }
    Ok(())
}

/// How far a car that goes in a circle of 50 m by its path leaves it at full throttle (m), and how
/// far it turns from it (degrees).
fn full_throttle_in_circle(preset: &str, aids: AidsParams) -> Result<[Real; 2]> {
    let (radius, speed): (Real, Real) = (50.0, 12.0);
    let (mut world, mut car) = on_road(preset, aids, [0.5; 2], speed, RATE)?;
    let handling = Handling::of(car.vehicle.read_mechanics().params, car.vehicle.frame())
        .ok_or("no wheels")?;
    let center = car.pose(&world.bodies)?.translation + Vector::X * radius;
    let (mut off, mut turned): (Real, Real) = (0.0, 0.0);
    for step in 0..300 {
        let body = *car.vehicle.body();
        let out = car.pose(&world.bodies)?.translation - center;
        let error = (out.x * out.x + out.z * out.z).sqrt() - radius;
        let tangent = Vector::new(out.z, 0.0, -out.x).normalize();
        let forward = body.pose.rotation * Vector::Z;
        let course = forward.cross(tangent).y;
        let v = car.forward_speed();
        let bend = handling.steady_bend(1.0 / radius, v.max(3.0));
        let angle =
            bend.angle + 0.8 * course - 0.2 * (body.angular_velocity.y - v / radius) + 0.05 * error;
        car.commands_mut().steer = handling.command_of(angle);
        let is_full = (120..180).contains(&step);
        let hold = (0.2 + 0.5 * (speed - v)).clamp(0.0, 1.0);
        car.commands_mut().throttle = if is_full { 1.0 } else { hold };
        car.step(&mut world)?;
        if 100 < step {
            off = off.max(error.abs());
            turned = turned.max(course.asin().abs().to_degrees());
        }
    }
    Ok([off, turned])
}

#[test]
fn full_throttle_in_a_bend_keeps_the_bend() -> Result {
    let traction = Some(TractionParams::default());
    for preset in ["sports_car", "pick_up", "electric_car", "drift_car"] {
        let without = full_throttle_in_circle(preset, AidsParams::default())?;
        let with =
            full_throttle_in_circle(preset, AidsParams { traction, ..AidsParams::default() })?;
        println!("{preset}: {with:?} m, degrees; without {without:?}");
        assert!(with[0] < 1.5, "{preset}: {with:?}, without {without:?}");
    }
    Ok(())
}
