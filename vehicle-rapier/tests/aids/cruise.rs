//! Cruise control: set speeds, grades, and the gap behind a leader.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{
    AidsParams, CruiseParams, CruiseState, Leader, SpeedLimitParams, TractionParams,
};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::scene::{GRAVITY, Result, on_road};
use vehicle_rapier::drivetrain::inputs::{
    DriverInputs, InputParams, RawInputs, SeenMotion, Shifting,
};

fn cruise(car: &mut AnyRapierVehicle) -> Result<&mut CruiseState> {
    Ok(&mut car.vehicle.aided_mut().memory_mut().ok_or("no aids")?.aids.cruise)
}

fn cruising(
    preset: &str,
    params: CruiseParams,
    speed: Real,
    rate: Real,
) -> Result<(PhysicsWorld, AnyRapierVehicle)> {
    let aids = AidsParams { cruise: Some(params), ..AidsParams::default() };
    on_road(preset, aids, [1.0; 2], speed, rate)
}

#[test]
fn a_higher_set_speed_is_reached_without_passing_it() -> Result {
    for (preset, from, to) in [
        ("hot_hatch", 80.0, 120.0),
        ("sports_car", 80.0, 120.0),
        ("pick_up", 80.0, 120.0),
        ("electric_car", 80.0, 120.0),
        ("truck_6x6", 50.0, 70.0),
    ] {
        for rate in [30.0, 60.0, 240.0] {
            let (mut world, mut car) = cruising(preset, CruiseParams::default(), from / 3.6, rate)?;
            cruise(&mut car)?.set(to / 3.6);
            let mut top: Real = 0.0;
            for _ in 0..(90.0 * rate) as usize {
                car.step(&mut world)?;
                top = top.max(3.6 * car.forward_speed());
            }
            let end = 3.6 * car.forward_speed();
            println!("{preset} {rate} Hz: top {top}, {end} km/h at the end");
            assert!(cruise(&mut car)?.is_active());
            assert!(top < to + 1.0, "{preset} {rate} Hz: {top} km/h");
            assert!((end - to).abs() < 0.36, "{preset} {rate} Hz: {end} km/h");
        }
    }
    Ok(())
}

#[test]
fn speeds_are_kept_over_grades_without_hunting_for_gears() -> Result {
    for preset in ["hot_hatch", "sports_car", "pick_up", "electric_car"] {
        for grade in [0.06_f32, -0.06] {
            let params = CruiseParams { use_brakes: true, ..CruiseParams::default() };
            let (mut world, mut car) = cruising(preset, params, 100.0 / 3.6, 60.0)?;
            cruise(&mut car)?.set(100.0 / 3.6);
            let (mut worst, mut steady): (Real, Real) = (0.0, 0.0);
            let mut shifts: Vec<Real> = Vec::new();
            let mut gear = car.vehicle.displayed_gear();
            for step in 0..4_800 {
                let time = step as Real / 60.0;
                if step == 1_200 {
                    let angle = grade.atan();
                    world.gravity = Vector::new(0.0, -angle.cos(), -angle.sin()) * GRAVITY;
                }
                car.step(&mut world)?;
                if 1_200 < step {
                    let off = (3.6 * car.forward_speed() - 100.0).abs();
                    worst = worst.max(off);
                    // In the last 15 s.
                    steady = if 3_900 < step { steady.max(off) } else { 0.0 };
                    let now = car.vehicle.displayed_gear();
                    if now != gear {
                        shifts.push(time);
                    }
                }
                gear = car.vehicle.displayed_gear();
            }
            println!("{preset} {grade}: worst {worst}, {steady} km/h at last, {shifts:?}");
            assert!(worst < 2.0 && steady < 0.3, "{preset} {grade}: {worst}, {steady} km/h");
            let hunts = shifts.windows(3).any(|three| three[2] - three[0] < 3.0);
            assert!(!hunts, "{preset} {grade}: {shifts:?}");
        }
    }
    Ok(())
}

#[test]
fn a_cruise_that_is_set_with_its_aid_in_the_same_step_is_kept() -> Result {
    for preset in ["hot_hatch", "electric_car"] {
        let (mut world, mut car) = cruising(preset, CruiseParams::default(), 25.0, 60.0)?;
        cruise(&mut car)?.set(25.0);
        car.step(&mut world)?;
        assert!(cruise(&mut car)?.is_active(), "{preset}: cancelled as it began");
        // Other aids beside it know as much as those before.
        let aids = *car.vehicle.aids().ok_or("no aids")?;
        car.vehicle.set_aids(AidsParams { speed_limit: None, ..aids })?;
        cruise(&mut car)?.set(25.0);
        car.step(&mut world)?;
        assert!(cruise(&mut car)?.is_active(), "{preset}: cancelled");
        // One that stands has no speed to keep.
        let (mut world, mut car) = cruising(preset, CruiseParams::default(), 0.0, 60.0)?;
        cruise(&mut car)?.set(25.0);
        car.step(&mut world)?;
        assert!(!cruise(&mut car)?.is_active(), "{preset}: on at rest");
    }
    Ok(())
}

/// Distances behind a leader at 20 m/s, who brakes to a stop at 2 m/s² and drives off. They are the
/// least, and those at 20 m/s, at rest and at 20 m/s again (m).
fn followed(preset: &str, rate: Real) -> Result<[Real; 4]> {
    let params = CruiseParams { use_brakes: true, max_deceleration: 4.0, ..Default::default() };
    let (mut world, mut car) = cruising(preset, params, 30.0, rate)?;
    cruise(&mut car)?.set(30.0);
    let (mut distance, mut speed): (Real, Real) = (150.0, 20.0);
    let mut seen = [Real::INFINITY, 0.0, 0.0, 0.0];
    for step in 0..(140.0 * rate) as usize {
        let time = step as Real / rate;
        let acceleration = match time {
            50.0..60.0 => -2.0,
            90.0..110.0 => 1.0,
            _ => 0.0,
        };
        speed = (speed + acceleration / rate).max(0.0);
        cruise(&mut car)?.follow(Some(Leader { gap: distance, speed }));
        car.step(&mut world)?;
        distance += (speed - car.forward_speed()) / rate;
        seen[0] = seen[0].min(distance);
        for (seen, at) in seen[1..].iter_mut().zip([49.0, 89.0, 139.0]) {
            if time <= at {
                *seen = distance;
            }
        }
    }
    Ok(seen)
}

#[test]
fn a_gap_in_time_is_kept_behind_a_leader_who_stops_and_drives_off() -> Result {
    for preset in ["hot_hatch", "sports_car", "electric_car"] {
        let finest = followed(preset, 240.0)?;
        for rate in [30.0, 60.0] {
            let found = followed(preset, rate)?;
            println!("{preset} {rate} Hz: {found:?} m, {finest:?} at 240 Hz");
            let [least, behind, stopped, again] = found;
            let shown = format!("{preset} {rate} Hz: {found:?}");
            assert!(1.5 < least && stopped < 8.0, "{shown}");
            // 5 m and 1.8 s at 20 m/s.
            assert!((behind - 41.0).abs() < 2.0 && (again - 41.0).abs() < 4.0, "{shown}");
            assert!((behind / finest[1] - 1.0).abs() < 0.05, "{shown}");
        }
    }
    Ok(())
}

#[test]
fn a_model_car_cruises_and_keeps_to_its_limit() -> Result {
    for rate in [60.0, 240.0] {
        let (mut world, mut car) = cruising("rc_car", CruiseParams::default(), 6.0, rate)?;
        cruise(&mut car)?.set(9.0);
        for _ in 0..(30.0 * rate) as usize {
            car.step(&mut world)?;
        }
        let speed = car.forward_speed();
        println!("{rate} Hz: {speed} m/s");
        assert!((speed - 9.0).abs() < 0.1, "{rate} Hz: {speed} m/s");
        assert!(cruise(&mut car)?.is_active(), "{rate} Hz");

        let speed_limit = Some(SpeedLimitParams { speed: 5.0 });
        let aids = AidsParams { speed_limit, ..AidsParams::default() };
        let (mut world, mut car) = on_road("rc_car", aids, [1.0; 2], 0.0, rate)?;
        let mut top: Real = 0.0;
        for _ in 0..(20.0 * rate) as usize {
            car.commands_mut().throttle = 1.0;
            car.step(&mut world)?;
            top = top.max(car.forward_speed());
        }
        let speed = car.forward_speed();
        println!("{rate} Hz: {speed} m/s, top {top} m/s");
        assert!((speed - 5.0).abs() < 0.1 && top < 5.5, "{rate} Hz: {speed} m/s, top {top}");
    }
    Ok(())
}

/// How far the fastest rim is ahead of a car whose cruise control speeds up on ice, after a second
/// (m/s).
fn on_ice(preset: &str, throttle: Real) -> Result<Real> {
    let traction = Some(TractionParams::default());
    let cruise_params = CruiseParams { max_acceleration: 6.0, ..CruiseParams::default() };
    let aids = AidsParams { traction, cruise: Some(cruise_params), ..AidsParams::default() };
    let (mut world, mut car) = on_road(preset, aids, [0.1; 2], 6.0, 60.0)?;
    cruise(&mut car)?.set(25.0);
    let mut ahead: Real = 0.0;
    for step in 0..300 {
        car.commands_mut().throttle = throttle;
        car.step(&mut world)?;
        for wheel in (0..car.wheel_count()).filter(|_| 60 < step) {
            let rim = car.vehicle.wheel_state(wheel).rotation_speed
                * car.vehicle.wheel_params(wheel).radius;
            ahead = ahead.max(rim - car.forward_speed());
        }
    }
    assert!(cruise(&mut car)?.is_active(), "{preset}");
    Ok(ahead)
}

#[test]
fn traction_control_holds_the_wheels_that_a_cruise_control_drives() -> Result {
    for preset in ["hot_hatch", "sports_car", "electric_car"] {
        for throttle in [0.0, 0.1] {
            let ahead = on_ice(preset, throttle)?;
            println!("{preset} with {throttle} beside: {ahead} m/s ahead");
            assert!(ahead < 2.0, "{preset} with {throttle} beside: {ahead} m/s ahead");
        }
    }
    Ok(())
}

/// Least speed behind a leader who stops and drives off, and the speed at the end (m/s), of a
/// driver at a device who presses nothing. `is_told` says whether the inputs know of the cruise.
fn stopped_and_gone(preset: &str, device: InputParams, is_told: bool) -> Result<[Real; 2]> {
    let params = CruiseParams { use_brakes: true, max_deceleration: 4.0, ..Default::default() };
    let (mut world, mut car) = cruising(preset, params, 15.0, 60.0)?;
    let params = car.vehicle.input_params(|_| device, Shifting::Automatic);
    let mut inputs = DriverInputs::new(params)?;
    cruise(&mut car)?.set(15.0);
    let (mut distance, mut speed, mut least): (Real, Real, Real) = (40.0, 15.0, 15.0);
    for step in 0..2_400 {
        let acceleration = match step {
            300..900 => -2.5,
            1_200.. => 1.5,
            _ => 0.0,
        };
        speed = (speed + acceleration / 60.0).clamp(0.0, 12.0);
        cruise(&mut car)?.follow(Some(Leader { gap: distance, speed }));
        let mut seen = car.seen_motion();
        assert_eq!(seen.is_cruising, cruise(&mut car)?.is_active());
        seen = SeenMotion { is_cruising: seen.is_cruising && is_told, ..seen };
        let driven = inputs.update(&RawInputs::default(), &seen, 1.0 / 60.0)?;
        car.drive_by(&driven);
        car.step(&mut world)?;
        distance += (speed - car.forward_speed()) / 60.0;
        least = least.min(car.forward_speed());
    }
    Ok([least, car.forward_speed()])
}

#[test]
fn inputs_of_a_driver_who_presses_nothing_keep_a_cruise_in_traffic() -> Result {
    for preset in ["hot_hatch", "electric_car"] {
        for device in [InputParams::keyboard(None), InputParams::game_pad(None)] {
            let [least, end] = stopped_and_gone(preset, device, true)?;
            println!("{preset}: {least} m/s at least, {end} m/s at the end");
            assert!(least < 0.5 && 10.0 < end, "{preset}: {least} m/s, then {end} m/s");
        }
        // A brake that works by itself is taken for the foot of a driver.
        let [_, end] = stopped_and_gone(preset, InputParams::keyboard(None), false)?;
        assert!(end < 1.0, "{preset}: {end} m/s after its cruise has ended");
    }
    Ok(())
}
