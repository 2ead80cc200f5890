//! Figures of manoeuvres against closed forms of simple models.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::json;
use snippets::manoeuvres::{Manoeuvre, Outcome, Run};
use snippets::measurements::Setting;
use snippets::presets::vehicle;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::tire::models::AnyTire;

/// m/s of 80 km/h.
const SPEED: f64 = 22.222;

/// The run of the preset `name` through the scenario of `json`, in steps of `rate` (Hz).
fn run(json: &serde_json::Value, name: &str, rate: f32) -> Result<(Manoeuvre, Run)> {
    let manoeuvre = Manoeuvre::from_json(&json.to_string(), Path::new(""))?;
    let setting = Setting { dt: 1.0 / rate, ..Setting::default() };
    match manoeuvre.drive(name, &setting)? {
        Outcome::Driven(run) => Ok((manoeuvre, run)),
        Outcome::NotForIt(why) => anyhow::bail!("{name}: {why}"),
    }
}

/// The figure of this `name`, in SI units.
fn figure((manoeuvre, run): &(Manoeuvre, Run), name: &str) -> Result<f64> {
    let source = manoeuvre.figures.iter().find(|figure| figure.name == name);
    let source = source.with_context(|| format!("a figure {name}"))?;
    run.figure(source).with_context(|| format!("{name} of {}", run.vehicle))
}

/// Wheelbase (m) and understeer gradient (rad s²/m) of the linear single-track model of a preset
/// on default tires, whose lateral forces act behind the wheels by their trails; outer wheels have
/// more load, and roll with more resistance.
///
/// ```text
/// K = m/l ((b + t + f h)/C_f - (a - t - f h)/C_r)
/// ```
fn single_track(name: &str) -> Result<[f64; 2]> {
    let vehicle = vehicle(name)?;
    let mechanics = vehicle.mechanics();
    let place = |wheel: usize| f64::from(mechanics.suspensions[wheel].attachment.translation.z);
    let (front, rear) = (place(0), -place(2));
    let tire = |wheel: usize| match &mechanics.tires[wheel] {
        AnyTire::Brush(tire) => Ok(*tire),
        _ => anyhow::bail!("{name}: another tire"),
    };
    let stiffness = |wheel: usize| -> Result<f64> {
        let tire = tire(wheel)?;
        let load = 3.0 / f64::from(tire.lateral_stiffness_load);
        let part = if load < 3.0 { load - load.powi(2) / 3.0 + load.powi(3) / 27.0 } else { 1.0 };
        Ok(2.0 * f64::from(tire.lateral_stiffness) * part)
    };
    let trail = |wheel: usize| tire(wheel).map(|tire| f64::from(tire.pneumatic_trail));
    let mass = f64::from(mechanics.rigid_body.mass);
    let base = front + rear;
    let length = base + trail(2)? - trail(0)?;
    let height = f64::from(mechanics.standing_height(&vehicle.file().frame, GRAVITY));
    let rolling = f64::from(tire(0)?.rolling_resistance) * height;
    let front_part = (rear + trail(2)? + rolling) / length / stiffness(0)?;
    let rear_part = (front - trail(0)? - rolling) / length / stiffness(2)?;
    Ok([base, mass * (front_part - rear_part)])
}

/// Steer angle of the rear axle at the end of a run (rad), if it is a beam that steers as it rolls.
fn rear_roll_steer((_, run): &(Manoeuvre, Run), name: &str) -> Result<f64> {
    let vehicle = vehicle(name)?;
    let mechanics = vehicle.mechanics();
    let Some(axle) = mechanics.beam_axles.iter().find(|axle| axle.wheels == [2, 3]) else {
        return Ok(0.0);
    };
    let jounce = |wheel: &str| -> Result<f64> {
        let values = run.telemetry.column(&format!("jounce rear {wheel}"))?;
        values.get(values.len() - 4).copied().context("a value")
    };
    let place = |wheel: usize| f64::from(mechanics.suspensions[wheel].attachment.translation.x);
    let roll = (jounce("right")? - jounce("left")?) / (place(3) - place(2));
    Ok(f64::from(axle.roll_steer) * roll)
}

/// A turn at a steer angle (rad), in neutral: differentials that lock under torque are open.
fn turn(angle: f64) -> serde_json::Value {
    let mean = |channel: &str| {
        let end = json!({ "end": "turn" });
        let begin = json!({ "after": { "moment": end, "time": -0.2 } });
        json!({ "name": channel, "value": { "mean": { "channel": channel, "from": begin, "to": end } } })
    };
    let means = ["understeer angle", "lateral acceleration", "yaw rate", "steer angle", "speed"];
    json!({
        "version": 1,
        "title": "Turn",
        "start": { "speed": SPEED, "gear": "neutral" },
        "phases": [{
            "name": "turn",
            "steer": { "wheel_angle": { "step": { "to": angle, "rise": 0.5 } } },
            "until": { "time": 4.0 }
        }],
        "figures": means.map(mean)
    })
}

/// Cars that are steered by the front wheels, on default tires, with differentials that do not
/// lock.
const CARS: [&str; 3] = ["city_car", "electric_car", "pick_up"];

/// What small angles lead to at none, where tires are linear.
#[test]
fn understeer_and_yaw_gain_are_those_of_the_linear_single_track_model() -> Result<()> {
    for name in CARS {
        let [base, expected] = single_track(name)?;
        let at = |angle: f64| -> Result<[f64; 3]> {
            let run = run(&turn(angle), name, 60.0)?;
            let of = |name: &str| figure(&run, name);
            let gradient = of("understeer angle")? / of("lateral acceleration")?;
            let gain = of("yaw rate")? / of("steer angle")?;
            let speed = of("speed")?;
            let expected = expected + rear_roll_steer(&run, name)? / of("lateral acceleration")?;
            Ok([gradient, gain * (base + expected * speed * speed) / speed, expected])
        };
        let [little, more] = [at(0.004)?, at(0.008)?];
        let [gradient, gain, expected] = [0, 1, 2].map(|index| 2.0 * little[index] - more[index]);
        let error = gradient / expected - 1.0;
        println!("{name}: gradient {:.2} %, yaw gain {:.2} %", 100.0 * error, 100.0 * (gain - 1.0));
        assert!(error.abs() < 0.01, "{name}: {gradient} rad s²/m, not {expected}");
        assert!((gain - 1.0).abs() < 0.01, "{name}: yaw gain by {gain} of what is expected");
    }
    Ok(())
}

/// Slip angle of the wheels of an axle on brush tires that together push by `force` (N).
fn slip_angle(force: f64, wheels: &[(f64, f64)], friction: f64) -> f64 {
    let pushed = |angle: f64| -> f64 {
        let of = |&(stiffness, load): &(f64, f64)| {
            let limit = friction * load;
            let part = (stiffness * angle / limit).min(3.0);
            limit * (part - part.powi(2) / 3.0 + part.powi(3) / 27.0)
        };
        wheels.iter().map(of).sum()
    };
    let (mut low, mut high) = (0.0, 0.2);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if pushed(middle) < force { low = middle } else { high = middle }
    }
    low
}

/// At 0.2 g, tires are not linear any more: the angle beyond the linear one is that of the brush
/// law under the loads of the moment.
#[test]
fn understeer_at_a_fifth_of_gravity_is_that_of_its_tires() -> Result<()> {
    for name in CARS {
        let run = run(&turn(0.019), name, 60.0)?;
        let car = vehicle(name)?;
        let mechanics = car.mechanics();
        let last = |channel: &str| -> Result<f64> {
            let values = run.1.telemetry.column(channel)?;
            values.get(values.len() - 4).copied().context("a value")
        };
        let names = ["front right", "front left", "rear right", "rear left"];
        let mut wheels = Vec::new();
        let mut moment = 0.0;
        for (wheel, wheel_name) in names.iter().enumerate() {
            let AnyTire::Brush(tire) = &mechanics.tires[wheel] else { anyhow::bail!("{name}") };
            let load = last(&format!("load {wheel_name}"))?;
            let at = 3.0 * load / f64::from(tire.rest_load * tire.lateral_stiffness_load);
            let part = if at < 3.0 { at - at.powi(2) / 3.0 + at.powi(3) / 27.0 } else { 1.0 };
            wheels.push((f64::from(tire.lateral_stiffness) * part, load));
            let aside = f64::from(mechanics.suspensions[wheel].attachment.translation.x);
            let rolling = f64::from(tire.rolling_resistance) * load * aside;
            moment += last(&format!("aligning moment {wheel_name}"))? + rolling;
        }
        let place = |wheel: usize| f64::from(mechanics.suspensions[wheel].attachment.translation.z);
        let (front, rear) = (place(0), -place(2));
        let force = f64::from(mechanics.rigid_body.mass) * last("lateral acceleration")?;
        let on_front = (force * rear - moment) / (front + rear);
        let friction = f64::from(Setting::default().friction);
        let expected = slip_angle(on_front, &wheels[..2], friction)
            - slip_angle(force - on_front, &wheels[2..], friction)
            + rear_roll_steer(&run, name)?;
        let angle = last("understeer angle")?;
        let error = angle / expected - 1.0;
        println!("{name}: {angle:.6} rad, {expected:.6}: {:.2} %", 100.0 * error);
        assert!(error.abs() < 0.015, "{name}: {angle} rad, not {expected}");
    }
    Ok(())
}

/// What brakes a car at a speed (m/s) beside its brakes (N), and the mass that it brakes, wheels
/// that turn included (kg).
fn resistance(name: &str) -> Result<(impl Fn(f64) -> f64, f64)> {
    let car = vehicle(name)?;
    let mechanics = car.mechanics().clone();
    let mass = f64::from(mechanics.rigid_body.mass);
    let wheels = mechanics.wheels.iter();
    let turning = wheels.map(|wheel| f64::from(wheel.inertia / wheel.radius.powi(2)));
    let inertia = mass + turning.sum::<f64>();
    let rolling = |tire: &AnyTire| match tire {
        AnyTire::Brush(tire) => f64::from(tire.rolling_resistance * tire.rest_load),
        _ => 0.0,
    };
    let rolling: f64 = mechanics.tires.iter().map(rolling).sum();
    let bearings: f64 = mechanics
        .wheels
        .iter()
        .map(|wheel| f64::from(wheel.damping_rate / wheel.radius.powi(2)))
        .sum();
    let air =
        f64::from(0.5 * mechanics.aerodynamics.air_density * mechanics.aerodynamics.drag_area);
    Ok((move |speed: f64| rolling + bearings * speed + air * speed * speed, inertia))
}

/// Way and time from one speed to another (m/s) under a force (N).
fn slowed(inertia: f64, force: impl Fn(f64) -> f64, [from, to]: [f64; 2]) -> [f64; 2] {
    let (mut speed, mut way, mut time) = (from, 0.0, 0.0);
    let dt = 1e-3;
    while to < speed {
        let slower = (speed - dt * force(speed) / inertia).max(to);
        way += 0.5 * (speed + slower) * dt;
        time += dt;
        speed = slower;
    }
    [way, time]
}

#[test]
fn coast_down_is_that_of_rolling_resistance_bearings_and_air() -> Result<()> {
    for name in ["city_car", "pick_up", "drift_car"] {
        let manoeuvre = Manoeuvre::of_name("coast_down")?;
        let Outcome::Driven(run) = manoeuvre.drive(name, &Setting::default())? else {
            anyhow::bail!("{name} rolls");
        };
        let (force, inertia) = resistance(name)?;
        let [way, time] = slowed(inertia, force, [16.667, 11.112]);
        let run = (manoeuvre, run);
        let [time_driven, way_driven] = [figure(&run, "60 to 40 km/h")?, figure(&run, "way")?];
        println!("{name}: {time_driven:.2} s, {time:.2}; {way_driven:.1} m, {way:.1}");
        assert!((time_driven / time - 1.0).abs() < 0.02, "{name}: {time_driven} s, not {time}");
        assert!((way_driven / way - 1.0).abs() < 0.02, "{name}: {way_driven} m, not {way}");
    }
    Ok(())
}

#[test]
fn consumption_is_what_rolling_resistance_bearings_and_air_take() -> Result<()> {
    let manoeuvre = Manoeuvre::of_name("constant_speed")?;
    for name in ["city_car", "pick_up", "drift_car"] {
        let Outcome::Driven(run) = manoeuvre.drive(name, &Setting::default())? else {
            anyhow::bail!("{name} holds 100 km/h");
        };
        let (force, _) = resistance(name)?;
        let run = (manoeuvre.clone(), run);
        let (energy, speed) = (figure(&run, "consumption")?, figure(&run, "mean speed")?);
        let expected = force(speed);
        println!("{name}: {energy:.1} J/m, {expected:.1} N at {speed:.2} m/s");
        assert!((energy / expected - 1.0).abs() < 0.02, "{name}: {energy} J/m, not {expected} N");
    }
    Ok(())
}

/// Below the limit of its tires, a car stops as its brakes and what else resists say.
#[test]
fn stop_is_that_of_the_torques_of_the_brakes() -> Result<()> {
    let deceleration = 4.0;
    let json = json!({
        "version": 1,
        "title": "Gentle stop",
        "start": { "speed": SPEED, "gear": "neutral" },
        "phases": [{
            "name": "brake",
            "pedals": { "deceleration": { "constant": deceleration } },
            "until": { "time": 20.0, "speed_below": 1.0 }
        }],
        "figures": [{ "name": "way", "value": { "change": {
            "channel": "way", "from": { "start": "brake" }, "to": { "end": "brake" } } } }]
    });
    for name in ["city_car", "pick_up", "drift_car"] {
        let way = figure(&run(&json, name, 60.0)?, "way")?;
        let (force, inertia) = resistance(name)?;
        let mass = f64::from(vehicle(name)?.mechanics().rigid_body.mass);
        let [expected, _] =
            slowed(inertia, |speed| force(speed) + mass * deceleration, [SPEED, 1.0]);
        println!("{name}: {way:.2} m, {expected:.2} m");
        assert!((way / expected - 1.0).abs() < 0.015, "{name}: {way} m, not {expected} m");
    }
    Ok(())
}

/// No stop is shorter than that of all tires at their limit, and the driver comes close to it.
#[test]
fn stops_are_not_shorter_than_friction_allows() -> Result<()> {
    let manoeuvre = Manoeuvre::of_name("braking")?;
    for name in ["city_car", "hot_hatch", "sports_car", "electric_car"] {
        let Outcome::Driven(run) = manoeuvre.drive(name, &Setting::default())? else {
            anyhow::bail!("{name} brakes");
        };
        let way = figure(&(manoeuvre.clone(), run), "100 to 0 km/h")?;
        let (force, _) = resistance(name)?;
        let car = vehicle(name)?;
        let mass = f64::from(car.mechanics().rigid_body.mass);
        // s = v²/2μg, with all that the air takes.
        let limit = f64::from(Setting::default().friction * GRAVITY) * mass;
        let [ideal, _] = slowed(mass, |speed| force(speed) + limit, [27.778, 0.0]);
        println!("{name}: {way:.1} m, ideal {ideal:.1} m");
        assert!(ideal < way && way < 1.25 * ideal, "{name}: {way} m, ideal {ideal} m");
    }
    Ok(())
}

/// The second-order system that yaw and side slip are has a phase that lags at low frequencies as
/// that of its linear model does.
#[test]
fn sweep_at_low_frequency_has_the_gain_of_the_slow_ramp() -> Result<()> {
    for name in ["city_car", "electric_car"] {
        let sweep = Manoeuvre::of_name("on_centre_weave")?;
        let Outcome::Driven(run) = sweep.drive(name, &Setting::default())? else {
            anyhow::bail!("{name} steers");
        };
        let gain = figure(&(sweep, run), "yaw rate gain")?;
        let [base, gradient] = single_track(name)?;
        let speed = 27.778;
        let expected = speed / (base + gradient * speed * speed);
        println!("{name}: {gain:.3} 1/s, {expected:.3} 1/s");
        // Tires that slide a little give less: 7 % at 0.1 g.
        assert!((0.88..1.0).contains(&(gain / expected)), "{name}: {gain} 1/s, not {expected}");
    }
    Ok(())
}
