//! Checks of cars that are driven: steered a little, let roll, and braked gently, beside closed
//! forms of simple models.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::tire::models::AnyTire;

use super::check::Check;
use super::page::significant;
use super::swings::Decay;
use crate::manoeuvres::{Manoeuvre, Outcome, Run};
use crate::measurements::theory::{
    Resistance, RollingTrack, SingleTrack, slip_angle, slowed, stiffness_part,
};
use crate::measurements::{Setting, Stance};
use crate::presets::vehicle;
use crate::report::{Chart, Series};
use crate::wheel_names::CAR_WHEELS;

/// m/s of 80 km/h.
pub const SPEED: f64 = 22.222;
/// Cars that are steered by the front wheels, on default tires, with differentials that do not
/// lock.
const CARS: [&str; 3] = ["city_car", "electric_car", "pick_up"];
/// Cars that roll and brake.
const ROLLING: [&str; 3] = ["city_car", "pick_up", "drift_car"];
/// Deceleration of a gentle stop (m/s²).
const GENTLE: f64 = 4.0;

/// Where closed forms of cars are.
pub(super) const THEORY: &str = "[closed form](../snippets/src/measurements/theory.rs)";
const STANCE: &str = "[closed form](../snippets/src/measurements/frequencies.rs)";

/// A manoeuvre and the run of a car through it.
pub struct Driven {
    manoeuvre: Manoeuvre,
    run: Run,
}

impl Driven {
    /// The preset `name` in a scenario in JSON, in steps of `rate` (Hz).
    ///
    /// # Errors
    ///
    /// If the scenario has a fault, or the car cannot be driven through it.
    pub fn of(json: &Value, name: &str, rate: f32) -> Result<Self> {
        let manoeuvre = Manoeuvre::from_json(&json.to_string(), Path::new(""))?;
        Self::of_manoeuvre(manoeuvre, name, rate)
    }

    /// The preset `name` in a ready manoeuvre.
    ///
    /// # Errors
    ///
    /// As of [`of`](Self::of).
    pub fn of_ready(manoeuvre: &str, name: &str) -> Result<Self> {
        Self::of_manoeuvre(Manoeuvre::of_name(manoeuvre)?, name, 60.0)
    }

    fn of_manoeuvre(manoeuvre: Manoeuvre, name: &str, rate: f32) -> Result<Self> {
        let setting = Setting { dt: 1.0 / rate, ..Setting::default() };
        match manoeuvre.drive(name, &setting)? {
            Outcome::Driven(run) => Ok(Self { manoeuvre, run }),
            Outcome::NotForIt(why) => bail!("{name}: {why}"),
        }
    }

    /// Steer angle of the rear axle of the preset `name` at the end (rad), if it is a beam that
    /// steers as it rolls.
    ///
    /// # Errors
    ///
    /// If there is no such preset.
    pub fn rear_roll_steer(&self, name: &str) -> Result<f64> {
        let car = vehicle(name)?;
        let mechanics = car.mechanics();
        let Some(axle) = mechanics.beam_axles.iter().find(|axle| axle.wheels == [2, 3]) else {
            return Ok(0.0);
        };
        let jounce = |wheel: &str| -> Result<f64> {
            let values = self.run.telemetry.column(&format!("jounce rear {wheel}"))?;
            values.get(values.len() - 4).copied().context("a value")
        };
        let place = |wheel: usize| f64::from(mechanics.suspensions[wheel].attachment.translation.x);
        let roll = (jounce("right")? - jounce("left")?) / (place(3) - place(2));
        Ok(f64::from(axle.roll_steer) * roll)
    }

    /// The figure of this `name`, in SI units.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn figure(&self, name: &str) -> Result<f64> {
        let source = self.manoeuvre.figures.iter().find(|figure| figure.name == name);
        let source = source.with_context(|| format!("a figure {name}"))?;
        self.run.figure(source).with_context(|| format!("{name} of {}", self.run.vehicle))
    }

    /// The value of a channel at a part of the run (dimensionless).
    fn at(&self, channel: &str, part: f64) -> Result<f64> {
        let values = self.run.telemetry.column(channel)?;
        let index = (part * (values.len() - 1) as f64) as usize;
        values.get(index).copied().context("a value")
    }
}

/// A turn at a steer angle (rad), in neutral: differentials that lock under torque are open.
fn turn(angle: f64) -> Value {
    let mean = |channel: &str| {
        let end = json!({ "end": "turn" });
        let begin = json!({ "after": { "moment": end, "time": -0.2 } });
        json!({ "name": channel, "value": { "mean": { "channel": channel, "from": begin, "to": end } } })
    };
    let means =
        ["understeer angle", "lateral acceleration", "yaw rate", "steer angle", "speed", "roll"];
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

/// Gradients of understeer and roll and the yaw gain, as lateral acceleration goes to none: what
/// small angles lead to at none, where tires are linear.
///
/// # Errors
///
/// If a car cannot be driven.
pub fn small_angles() -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for name in CARS {
        let model = SingleTrack::of(name)?;
        let at = |angle: f64| -> Result<[f64; 4]> {
            let driven = Driven::of(&turn(angle), name, 60.0)?;
            let lateral = driven.figure("lateral acceleration")?;
            let gain = driven.figure("yaw rate")? / driven.figure("steer angle")?;
            let (understeer, roll) = (driven.figure("understeer angle")?, driven.figure("roll")?);
            let (speed, steered) =
                (driven.figure("speed")?, driven.rear_roll_steer(name)? / lateral);
            Ok([
                understeer / lateral,
                gain / model.yaw_gain_with(steered, speed),
                roll / lateral,
                steered,
            ])
        };
        let [little, more] = [at(0.004)?, at(0.008)?];
        let [gradient, gain, roll, steered] =
            [0, 1, 2, 3].map(|index| 2.0 * little[index] - more[index]);
        let per_g = f64::from(GRAVITY).to_degrees();
        let expected = model.understeer_gradient() + steered;
        let understeer = [gradient, expected].map(|value| value * per_g);
        checks.push(Check::relative(
            format!("{name}: understeer gradient as a → 0"),
            format!("linear single-track model, {THEORY}"),
            understeer,
            "°/g",
            0.01,
        ));
        let expected = model.yaw_gain_with(steered, SPEED);
        checks.push(Check::relative(
            format!("{name}: yaw gain at 80 km/h"),
            format!("linear single-track model, {THEORY}"),
            [gain * expected, expected],
            "1/s",
            0.01,
        ));
        let expected = stance(name)?.roll_gradient();
        checks.push(Check::relative(
            format!("{name}: roll gradient as a → 0"),
            format!("springs, bars, tires and roll centers, {STANCE}"),
            [roll.abs(), expected].map(|value| value * per_g),
            "°/g",
            0.03,
        ));
    }
    Ok(checks)
}

fn stance(name: &str) -> Result<Stance> {
    let car = vehicle(name)?;
    let mechanics = car.mechanics();
    let height = mechanics.standing_height(&car.file().frame, GRAVITY);
    Ok(Stance::of(mechanics, height.into()))
}

/// Understeer at 0.2 g, where tires are not linear any more: the angle beyond the linear one is
/// that of the brush law under the loads of the moment.
///
/// # Errors
///
/// If a car cannot be driven.
pub fn at_a_fifth_of_gravity() -> Result<Vec<Check>> {
    CARS.map(|name| -> Result<Check> {
        let driven = Driven::of(&turn(0.019), name, 60.0)?;
        let car = vehicle(name)?;
        let mechanics = car.mechanics();
        let last = |channel: &str| -> Result<f64> {
            let values = driven.run.telemetry.column(channel)?;
            values.get(values.len() - 4).copied().context("a value")
        };
        let mut wheels = Vec::new();
        let mut moment = 0.0;
        for (wheel, wheel_name) in CAR_WHEELS.iter().enumerate() {
            let AnyTire::Brush(tire) = &mechanics.tires[wheel] else { bail!("{name}") };
            let load = last(&format!("load {wheel_name}"))?;
            let part = stiffness_part(
                3.0 * load / f64::from(tire.rest_load * tire.lateral_stiffness_load),
            );
            wheels.push((f64::from(tire.lateral_stiffness) * part, load));
            let aside = f64::from(mechanics.suspensions[wheel].attachment.translation.x);
            let rolling = f64::from(tire.rolling_resistance) * load * aside;
            moment += last(&format!("aligning moment {wheel_name}"))? + rolling;
        }
        let SingleTrack { mass, places: [front, rear], .. } = SingleTrack::of(name)?;
        let force = mass * last("lateral acceleration")?;
        let on_front = (force * rear - moment) / (front + rear);
        let friction = f64::from(Setting::default().friction);
        let expected = slip_angle(on_front, &wheels[..2], friction)
            - slip_angle(force - on_front, &wheels[2..], friction)
            + driven.rear_roll_steer(name)?;
        Ok(Check::relative(
            format!("{name}: understeer angle at 0.2 g"),
            format!("brush law under the loads of the moment, {THEORY}"),
            [last("understeer angle")?, expected].map(f64::to_degrees),
            "°",
            0.015,
        ))
    })
    .into_iter()
    .collect()
}

/// What the motion of yaw came to.
#[derive(Clone, Debug)]
pub struct YawModes {
    /// Frequencies and damping ratios.
    pub checks: Vec<Check>,
    /// Frequencies and damping ratios of the model that does not roll.
    pub table: Vec<Vec<String>>,
    /// The yaw rate of the first car.
    pub chart: Chart,
}

/// Steps per second in which yaw is measured (1/s).
const YAW_RATE: f32 = 960.0;
/// Steps after which the wheels are straight again.
const STRAIGHT: usize = 104;

/// Natural frequency and damping of yaw, from how it swings out after a touch of the steering
/// wheel.
///
/// # Errors
///
/// If a car cannot be driven.
pub fn yaw_modes() -> Result<YawModes> {
    let json = json!({
        "version": 1,
        "title": "Touch",
        "start": { "speed": 27.778, "gear": "neutral" },
        "phases": [{
            "name": "touch",
            "steer": { "wheel_angle": { "sine": { "amplitude": 0.004, "frequency": 5.0, "periods": 0.5 } } },
            "until": { "time": 1.2 }
        }],
        "figures": []
    });
    let interval = 1.0 / f64::from(YAW_RATE);
    let (mut checks, mut charts) = (Vec::new(), Vec::new());
    let header = ["car", "frequency without roll", "damping ratio without roll"];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    for name in CARS {
        let driven = Driven::of(&json, name, YAW_RATE)?;
        let telemetry = &driven.run.telemetry;
        let (yaw, slip) = (telemetry.column("yaw rate")?, telemetry.column("side slip")?);
        let speed = driven.at("speed", 0.5)?;
        let ours: Vec<[f64; 2]> =
            slip.iter().zip(yaw).map(|(slip, yaw)| [slip * speed, *yaw]).collect();
        let model = RollingTrack::of(name)?;
        let angles = telemetry.column("steer angle")?;
        let rolling = model.response(angles, interval, speed);
        let flat = model.without_roll().response(angles, interval, speed);
        let decay =
            |states: &[[f64; 2]]| Decay::of(&states[STRAIGHT..], interval).context("a swing");
        let [found, expected] = [decay(&ours)?, decay(&rolling)?];
        let source = format!("linear single-track model with roll, {THEORY}");
        checks.push(Check::relative(
            format!("{name}: natural frequency of yaw at 100 km/h"),
            source.clone(),
            [found.frequency, expected.frequency],
            "Hz",
            0.03,
        ));
        checks.push(Check::absolute(
            format!("{name}: damping ratio of yaw at 100 km/h"),
            source,
            [found.damping_ratio, expected.damping_ratio],
            "",
            0.03,
        ));
        let [frequency, damping] = model.flat.yaw_mode(speed);
        table.push(vec![
            name.to_owned(),
            format!("{} Hz", significant(frequency, 3)),
            significant(damping, 3),
        ]);
        let times = telemetry.time();
        let line = |name: &str, states: &[[f64; 2]]| {
            let points =
                times.iter().zip(states).map(|(time, state)| (*time, state[1].to_degrees()));
            Series::new(name, points.collect::<Vec<_>>())
        };
        let chart =
            Chart::over_time("Yaw rate after a touch of the steering wheel", "yaw rate (°/s)")
                .series(line("ours", &ours))
                .series(line("linear, with roll", &rolling))
                .series(line("linear, without roll", &flat));
        charts.push(chart);
    }
    let chart = charts.into_iter().next().context("a car")?;
    Ok(YawModes { checks, table, chart })
}

/// Time and way of a coast-down.
///
/// # Errors
///
/// If a car cannot be driven.
pub fn coast_down() -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for name in ROLLING {
        let driven = Driven::of_ready("coast_down", name)?;
        let resistance = Resistance::of(name)?;
        let force = |speed| resistance.force(speed);
        let [way, time] = slowed(resistance.inertia, force, [16.667, 11.112]);
        let source = format!("rolling resistance, bearings and air, {THEORY}");
        let time = [driven.figure("60 to 40 km/h")?, time];
        checks.push(Check::relative(
            format!("{name}: time from 60 to 40 km/h in neutral"),
            source.clone(),
            time,
            "s",
            0.02,
        ));
        let way = [driven.figure("way")?, way];
        checks.push(Check::relative(format!("{name}: way of it"), source, way, "m", 0.02));
    }
    Ok(checks)
}

/// Energy that it takes to hold a speed.
///
/// # Errors
///
/// If a car cannot be driven.
pub fn consumption() -> Result<Vec<Check>> {
    let check = |name: &str| -> Result<Check> {
        let driven = Driven::of_ready("constant_speed", name)?;
        let expected = Resistance::of(name)?.force(driven.figure("mean speed")?);
        Ok(Check::relative(
            format!("{name}: energy at the wheels to hold 100 km/h, by the way"),
            format!("rolling resistance, bearings and air, {THEORY}"),
            [driven.figure("consumption")?, expected],
            "J/m",
            0.02,
        ))
    };
    ROLLING.into_iter().map(check).collect()
}

/// A stop at 4 m/s² below the limit of tires, by the brakes alone.
fn gentle_stop(name: &str) -> Result<Driven> {
    let json = json!({
        "version": 1,
        "title": "Gentle stop",
        "start": { "speed": SPEED, "gear": "neutral" },
        "phases": [{
            "name": "brake",
            "pedals": { "deceleration": { "constant": GENTLE } },
            "until": { "time": 20.0, "speed_below": 1.0 }
        }],
        "figures": [{ "name": "way", "value": { "change": {
            "channel": "way", "from": { "start": "brake" }, "to": { "end": "brake" } } } }]
    });
    Driven::of(&json, name, 60.0)
}

/// Way of a gentle stop, and how load and pitch change in it.
///
/// # Errors
///
/// If a car cannot be driven.
pub fn braking() -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for name in ROLLING {
        let driven = gentle_stop(name)?;
        let resistance = Resistance::of(name)?;
        let braked = |speed| resistance.force(speed) + resistance.mass * GENTLE;
        let [way, _] = slowed(resistance.inertia, braked, [SPEED, 1.0]);
        checks.push(Check::relative(
            format!("{name}: way of a stop at 4 m/s² from 80 km/h"),
            format!("torques of the brakes, resistance, inertia of wheels, {THEORY}"),
            [driven.figure("way")?, way],
            "m",
            0.015,
        ));
        let [transfer, expected_transfer, moment] = load_transfer(name, &driven, &resistance)?;
        checks.push(Check::relative(
            format!("{name}: load that goes to the front axle in it"),
            "moments about the contacts: (m a h + Σ I a/R + m g h θ)/l, less the air",
            [transfer, expected_transfer],
            "N",
            0.02,
        ));
        let pitch = driven.at("pitch", AFTER)? - driven.at("pitch", 0.0)?;
        checks.push(Check::relative(
            format!("{name}: pitch in it"),
            format!("springs and tires, {STANCE}"),
            [pitch.abs(), stance(name)?.pitch(moment).abs()].map(f64::to_degrees),
            "°",
            0.05,
        ));
    }
    Ok(checks)
}

/// Part of a gentle stop at which it is steady (dimensionless).
const AFTER: f64 = 0.6;

/// Load that has gone to the front axle (N), what is expected, and by how much the moment of the
/// tires has grown since the car rolled (N·m).
fn load_transfer(name: &str, driven: &Driven, resistance: &Resistance) -> Result<[f64; 3]> {
    let car = vehicle(name)?;
    let mechanics = car.mechanics();
    let front = |part: f64| -> Result<f64> {
        CAR_WHEELS[..2].iter().map(|wheel| driven.at(&format!("load {wheel}"), part)).sum()
    };
    let deceleration = -driven.at("longitudinal acceleration", AFTER)?;
    let speed = driven.at("speed", AFTER)?;
    let wheels = mechanics.wheels.iter();
    let spin: f64 = wheels.map(|wheel| f64::from(wheel.inertia / wheel.radius)).sum();
    let height = f64::from(mechanics.standing_height(&car.file().frame, GRAVITY));
    let pushed = resistance.mass * deceleration - resistance.air * speed * speed;
    let moment = pushed * height + spin * deceleration;
    let SingleTrack { mass, places: [a, b], .. } = SingleTrack::of(name)?;
    let weight = mass * f64::from(GRAVITY);
    // The body leans forward over its contacts.
    let leaned = weight * height * driven.at("pitch", AFTER)?.abs();
    let rolled = resistance.rolling + resistance.bearings * SPEED;
    let transfer = front(AFTER)? - weight * b / (a + b);
    Ok([transfer, (moment + leaned) / (a + b), moment - rolled * height])
}
