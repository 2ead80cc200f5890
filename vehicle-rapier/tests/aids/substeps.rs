//! What aids reach does not depend on how a step is divided.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{
    AidsParams, AntiLockMode, CruiseParams, HillStartParams, LaunchParams, StabilityParams,
    TractionParams,
};
use vehicle_rapier::prelude::*;

use crate::scene::{GRAVITY, Result, anti_lock, on_road_with, with_substeps};

/// Step rate of the game, its substeps, and the rate that they are compared with (1/s).
const RATE: Real = 60.0;
const SUBSTEPS: [u32; 2] = [1, 3];
const FINEST: Real = 240.0;

/// Most that a step of the game may change (%).
const MOST: Real = 5.0;
/// What one substep changes more, and how much (%). Brakes of traction control that meet two wheels
/// on snow at once, and the wheels of a beam axle as they pull away, are coarse in steps of 1/60 s.
/// By themselves, vehicles take three substeps as slowly as that.
const COARSE: [(&str, &str, Real); 2] =
    [("traction", "pick_up", 7.5), ("hill start", "pick_up", 7.5)];

/// How steps are divided: rate (1/s) and substeps.
type Steps = (Real, u32);
type Measure = fn(&str, Steps) -> Result<Real>;

/// Distance in which a vehicle stops from 70 km/h on half of the friction (m).
fn stop(preset: &str, mode: AntiLockMode, (rate, substeps): Steps) -> Result<Real> {
    let model = with_substeps(preset, substeps)?;
    let speed = 70.0 / 3.6;
    let (mut world, mut car) = on_road_with(&model, anti_lock(mode), [0.5; 2], speed, rate)?;
    let start = car.pose(&world.bodies)?.translation.z;
    for _ in 0..(20.0 * rate) as usize {
        car.commands_mut().brakes[0] = 1.0;
        car.step(&mut world)?;
        if car.forward_speed() < 0.05 {
            break;
        }
    }
    Ok(car.pose(&world.bodies)?.translation.z - start)
}

/// Speed after 4 s of full throttle on a fifth of the friction (m/s).
fn start_on_snow(preset: &str, (rate, substeps): Steps) -> Result<Real> {
    let traction = Some(TractionParams::default());
    let aids = AidsParams { traction, ..AidsParams::default() };
    let model = with_substeps(preset, substeps)?;
    let (mut world, mut car) = on_road_with(&model, aids, [0.2; 2], 0.0, rate)?;
    for _ in 0..(4.0 * rate) as usize {
        car.commands_mut().throttle = 1.0;
        car.step(&mut world)?;
    }
    Ok(car.forward_speed())
}

/// How far aside a vehicle is 2.5 s after the beginning of a period of steering that is too much
/// for it without stability control (m).
fn swerve(preset: &str, (rate, substeps): Steps) -> Result<Real> {
    let stability = Some(StabilityParams::default());
    let aids = AidsParams { stability, ..AidsParams::default() };
    let model = with_substeps(preset, substeps)?;
    let speed = 80.0 / 3.6;
    let (mut world, mut car) = on_road_with(&model, aids, [0.9; 2], speed, rate)?;
    let lock = car.vehicle.read_mechanics().params.steering.max_response;
    let start = car.pose(&world.bodies)?.translation.x;
    for step in 0..(2.5 * rate) as usize {
        let phase = 0.7 * (step as Real + 0.5) / rate;
        let angle = if phase < 1.0 { 0.12 * (std::f32::consts::TAU * phase).sin() } else { 0.0 };
        car.commands_mut().steer = angle / lock;
        car.step(&mut world)?;
    }
    Ok(car.pose(&world.bodies)?.translation.x - start)
}

/// Time in which a cruise control gains 5 m/s (s).
fn cruise(preset: &str, (rate, substeps): Steps) -> Result<Real> {
    let cruise = Some(CruiseParams::default());
    let aids = AidsParams { cruise, ..AidsParams::default() };
    let model = with_substeps(preset, substeps)?;
    let (mut world, mut car) = on_road_with(&model, aids, [1.0; 2], 14.0, rate)?;
    car.vehicle.aided_mut().memory_mut().ok_or("no aids")?.aids.cruise.set(20.0);
    for step in 0..(60.0 * rate) as usize {
        car.step(&mut world)?;
        if 19.0 <= car.forward_speed() {
            return Ok(step as Real / rate);
        }
    }
    Err(format!("{preset}: {} m/s after a minute", car.forward_speed()).into())
}

/// Time in which launch control comes to 60 km/h (s).
fn launch(preset: &str, (rate, substeps): Steps) -> Result<Real> {
    let (launch, traction) = (Some(LaunchParams::default()), Some(TractionParams::default()));
    let aids = AidsParams { launch, traction, ..AidsParams::default() };
    let model = with_substeps(preset, substeps)?;
    let (mut world, mut car) = on_road_with(&model, aids, [1.0; 2], 0.0, rate)?;
    for step in 0..(30.0 * rate) as usize {
        let time = step as Real / rate;
        car.commands_mut().throttle = 1.0;
        car.commands_mut().brakes[0] = if time < 1.5 { 1.0 } else { 0.0 };
        car.step(&mut world)?;
        if 60.0 / 3.6 <= car.forward_speed() {
            return Ok(time - 1.5);
        }
    }
    Err(format!("{preset}: {} m/s after 30 s", car.forward_speed()).into())
}

/// Way uphill in 4 s from the brake let go on a grade of 15 %, throttle after a second (m).
fn hill_start(preset: &str, (rate, substeps): Steps) -> Result<Real> {
    let hill_start = Some(HillStartParams::default());
    let aids = AidsParams { hill_start, ..AidsParams::default() };
    let model = with_substeps(preset, substeps)?;
    let (mut world, mut car) = on_road_with(&model, aids, [1.0; 2], 0.0, rate)?;
    let angle = 0.15_f32.atan();
    world.gravity = Vector::new(0.0, -angle.cos(), -angle.sin()) * GRAVITY;
    let mut start = 0.0;
    for step in 0..(6.0 * rate) as usize {
        let time = step as Real / rate;
        car.commands_mut().brakes[0] = if time < 2.0 { 1.0 } else { 0.0 };
        car.commands_mut().throttle = if time < 3.0 { 0.0 } else { 0.6 };
        if time < 2.0 {
            start = car.pose(&world.bodies)?.translation.z;
        }
        car.step(&mut world)?;
    }
    Ok(car.pose(&world.bodies)?.translation.z - start)
}

#[test]
fn aids_reach_as_much_with_one_substep_and_with_three() -> Result {
    let all = ["hot_hatch", "sports_car", "pick_up", "electric_car", "truck_6x6"];
    // Launch control is for engines that it knows, a truck has none, and its tires are stronger
    // than what steers it.
    let (cars, engines) = (&all[..4], &all[..3]);
    let measures: [(&str, &[&str], Measure); 7] = [
        ("slip target", &all, |car, steps| stop(car, AntiLockMode::SlipTarget, steps)),
        ("phases", &all, |car, steps| stop(car, AntiLockMode::Phases, steps)),
        ("traction", &all, start_on_snow),
        ("stability", cars, swerve),
        ("cruise", &all, cruise),
        ("launch", engines, launch),
        ("hill start", &all, hill_start),
    ];
    let mut faults = Vec::new();
    for (name, presets, measure) in measures {
        for preset in presets {
            for substeps in SUBSTEPS {
                let finest = measure(preset, (FINEST, substeps))?;
                let found = measure(preset, (RATE, substeps))?;
                let off = 100.0 * (found / finest - 1.0);
                let what = format!(
                    "{name}, {preset}, {substeps} substeps: {found}, {finest} at 240 Hz, {off:+.1} %"
                );
                println!("{what}");
                let coarse = COARSE.iter().find(|it| (it.0, it.1) == (name, *preset));
                let most = coarse.filter(|_| substeps == 1).map_or(MOST, |coarse| coarse.2);
                if most < off.abs() {
                    faults.push(what);
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    Ok(())
}
