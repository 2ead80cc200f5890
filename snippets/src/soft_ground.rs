//! A truck on soft ground: it digs in, gets through with less pressure in its tires, and a second
//! time in its own rut.

use std::fmt;

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::core::stages::RoadGeometry;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::core::tire::soil::SoilTire;
use vehicle_rapier::core::vehicle::{Ruts, SoftGround, WheelInRut};
use vehicle_rapier::prelude::*;

use crate::report::{Chart, Report, Series, Table};
use crate::samples::{SampleFile, hull, mechanics_on, throttle};
use crate::scenes::level_world;
use crate::telemetry::{Channel, Telemetry};

/// Time step (s).
pub const DT: Real = 1.0 / 60.0;
/// Time of each pass (s).
const DURATION: Real = 16.0;
/// Time in which the truck settles before it drives (s).
const SETTLING: Real = 1.0;
/// Speed that the driver wants (m/s).
const SPEED: Real = 3.0;
/// Throttle at most: wheels that spin dig themselves in (dimensionless).
const LIGHT_FOOT: Real = 0.65;
/// Pressure for soft ground (Pa).
const LOW_PRESSURE: Real = 250e3;
/// Distance that counts as getting through (m).
pub const LENGTH: f64 = 25.0;
/// Side of the cells in which the ground remembers ruts (m).
const CELL: Real = 0.3;
/// Wheels that drive, and whose rut is drawn.
const REAR: usize = 2;
/// Distance between the ruts (m).
const TRACK_WIDTH: Real = 1.9;
/// Height of the center of mass from which the truck settles (m).
const START_HEIGHT: Real = 1.2;

type Truck = DirectDriveVehicleWith<SoilTire>;

/// A pass over the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// With the pressure for roads, on fresh ground.
    Road,
    /// With low pressure, on fresh ground.
    Low,
    /// With low pressure, in the rut of the pass before.
    Second,
}

impl Pass {
    /// All, in the order in which they are driven.
    pub const ALL: [Self; 3] = [Self::Road, Self::Low, Self::Second];

    /// Pressure in the tires (Pa), if it is another than that for roads.
    fn pressure(self) -> Option<Real> {
        (self != Self::Road).then_some(LOW_PRESSURE)
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Road => "road pressure",
            Self::Low => "low pressure",
            Self::Second => "second pass",
        })
    }
}

/// The truck of its file, with this pressure in its tires (Pa), and its hull.
fn truck(pressure: Option<Real>) -> Result<(Truck, ColliderBuilder)> {
    let file = SampleFile::SOFT_GROUND_TRUCK.vehicle()?;
    let mut mechanics = mechanics_on(&file, |tire| match tire {
        AnyTire::Soil(tire) => Some(*tire),
        _ => None,
    })?;
    for wheel in &mut mechanics.wheels {
        wheel.inflation_pressure = pressure.unwrap_or(wheel.inflation_pressure);
    }
    let throttle = throttle(&file)?;
    Ok((Truck::new(DirectDriveParams { mechanics, throttle })?, hull(&file)?))
}

/// What is recorded of a step.
type Sample = [f64; 6];

const QUANTITIES: [(&str, &str); 6] = [
    ("distance", "m"),
    ("speed", "m/s"),
    ("slip of a rear wheel", ""),
    ("sinkage of a rear wheel", "m"),
    ("depth of its rut", "m"),
    ("compaction resistance", "N"),
];

/// Name of the channel of a `quantity` in `pass`.
fn channel(quantity: &str, pass: Pass) -> String {
    format!("{quantity}, {pass}")
}

fn drive(pass: Pass, ruts: &mut Ruts, mut after_step: impl FnMut()) -> Result<Vec<Sample>> {
    let mut world = level_world(DT, 1.0);
    let (vehicle, hull) = truck(pass.pressure())?;
    let chassis = Chassis::new(&vehicle.params().mechanics.rigid_body)
        .pose(Pose::from_translation(Vector::Y * START_HEIGHT))
        .collider(hull);
    let sequence = Truck::sequence();
    let sequence =
        sequence.insert_after::<RoadGeometry>(SoftGround).context("a truck finds its road")?;
    let mut truck = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    truck.vehicle.controls.gear = Gear::Forward;
    let mut wheels = [WheelInRut::default(); 4];
    let mut samples = Vec::new();
    for step in 0..pass_steps() {
        let time = step as Real * DT;
        let speed = truck.forward_speed();
        let commands = &mut truck.vehicle.commands;
        commands.brakes[0] = if time < SETTLING { 1.0 } else { 0.0 };
        commands.throttle =
            (0.25 * (time - SETTLING)).min(0.5 * (SPEED - speed)).clamp(0.0, LIGHT_FOOT);
        truck.step(&mut world)?;
        ruts.roll(&mut truck.vehicle, &mut wheels);
        let body = world.bodies.get(truck.actor.body).context("the truck's body is gone")?;
        let state = &truck.vehicle.state.mechanics;
        let (tire, memory) = (state.tires.of(REAR), &state.tire_models[REAR]);
        let resistance: Real = (0..4).map(|wheel| -state.tires.of(wheel).resistance_force()).sum();
        samples.push(
            [
                body.translation().z,
                body.linvel().z,
                tire.slip.longitudinal.clamp(-1.0, 3.0),
                memory.sinkage,
                memory.pressed_depth,
                resistance,
            ]
            .map(f64::from),
        );
        after_step();
    }
    Ok(samples)
}

fn pass_steps() -> usize {
    (DURATION / DT).round() as usize
}

/// Number of steps of all passes.
pub fn step_count() -> usize {
    Pass::ALL.len() * pass_steps()
}

/// What the passes have left.
#[derive(Clone, Debug)]
pub struct Passes {
    /// All passes side by side.
    pub telemetry: Telemetry,
    /// Depth of the rut of the rear wheel over the place along the ground, after each pass (m).
    pub profiles: [Vec<(f64, f64)>; 3],
}

/// Fresh ground.
fn field() -> Result<Ruts> {
    Ok(Ruts::new(Frame::Y_UP, Vector::new(-6.0, 0.0, -6.0), [54.0, 12.0], CELL)?)
}

fn profile(ruts: &Ruts) -> Vec<(f64, f64)> {
    let side = 0.5 * TRACK_WIDTH;
    let places = (0..ruts.counts()[0]).map(|cell| -6.0 + (cell as Real + 0.5) * CELL);
    let depth =
        |z| ruts.depth_at(Vector::new(-side, 0.0, z)).max(ruts.depth_at(Vector::new(side, 0.0, z)));
    places.map(|z| (f64::from(z), -f64::from(depth(z)))).collect()
}

/// Drives all passes; calls `after_step` after every step.
///
/// # Errors
///
/// If a step fails.
pub fn record(mut after_step: impl FnMut()) -> Result<Passes> {
    let (mut fresh, mut ruts) = (field()?, field()?);
    let road = drive(Pass::Road, &mut fresh, &mut after_step)?;
    let low = drive(Pass::Low, &mut ruts, &mut after_step)?;
    let after_low = profile(&ruts);
    let second = drive(Pass::Second, &mut ruts, &mut after_step)?;
    let profiles = [profile(&fresh), after_low, profile(&ruts)];
    let channels = Pass::ALL.into_iter().flat_map(|pass| {
        QUANTITIES.map(|(quantity, unit)| Channel::new(channel(quantity, pass), unit))
    });
    let mut telemetry = Telemetry::new(std::iter::once(Channel::new("time", "s")).chain(channels))?;
    for (step, ((road, low), second)) in road.iter().zip(&low).zip(&second).enumerate() {
        let time = std::iter::once(f64::from(DT) * (step + 1) as f64);
        let row: Vec<f64> = time.chain(*road).chain(*low).chain(*second).collect();
        telemetry.push(&row)?;
    }
    Ok(Passes { telemetry, profiles })
}

/// What a pass has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// How far the truck has come (m).
    pub distance: f64,
    /// Speed at the end (m/s).
    pub speed: f64,
    /// How far the rear wheel has sunk below the ground that it found, in the mean of the last 5 s
    /// (m).
    pub sinkage: f64,
}

impl Outcome {
    /// Outcome of `pass`.
    ///
    /// # Errors
    ///
    /// If a channel is missing.
    pub fn of(telemetry: &Telemetry, pass: Pass) -> Result<Self> {
        let column = |quantity| telemetry.column(&channel(quantity, pass));
        let last = |values: &[f64]| values.last().copied().context("nothing has been recorded");
        let tail = 300.min(telemetry.len());
        let mean = |values: &[f64]| values.iter().rev().take(tail).sum::<f64>() / tail as f64;
        let rut = mean(column("depth of its rut")?);
        Ok(Self {
            distance: last(column("distance")?)?,
            speed: last(column("speed")?)?,
            sinkage: mean(column("sinkage of a rear wheel")?) - rut,
        })
    }

    /// Whether the truck has got through.
    pub fn is_through(&self) -> bool {
        LENGTH < self.distance
    }
}

/// The page about the passes.
///
/// # Errors
///
/// If a channel is missing.
pub fn report(title: &str, description: &str, passes: &Passes) -> Result<Report> {
    let telemetry = &passes.telemetry;
    let outcomes =
        Pass::ALL.map(|pass| Outcome::of(telemetry, pass).map(|outcome| (pass, outcome)));
    let outcomes = outcomes.into_iter().collect::<Result<Vec<_>>>()?;
    let columns = ["end", "distance (m)", "speed at the end (m/s)", "sinkage beyond the rut (cm)"];
    let cases = outcomes.iter().map(|(pass, outcome)| {
        let end = if outcome.is_through() { "through" } else { "dug in" };
        let Outcome { distance, speed, sinkage } = outcome;
        let sinkage = format!("{:.1}", 100.0 * sinkage);
        (
            pass.to_string(),
            vec![end.into(), format!("{distance:.1}"), format!("{speed:.2}"), sinkage],
        )
    });
    let mut report =
        Report::new(title, description).table(Table::of_cases("Passes", columns, cases));
    let mut ruts = Chart::over_x("Rut of a rear wheel", "place (m)", "height (m)");
    for (pass, profile) in Pass::ALL.into_iter().zip(&passes.profiles) {
        ruts = ruts.series(Series::new(format!("after {pass}"), profile.iter().copied()));
    }
    report = report.chart(ruts.reaching_y(0.0));
    for (quantity, unit) in QUANTITIES {
        let label =
            if unit.is_empty() { quantity.to_owned() } else { format!("{quantity} ({unit})") };
        let mut chart = Chart::over_time(quantity, label);
        for pass in Pass::ALL {
            let channel = channel(quantity, pass);
            chart = chart.series(Series::over_time(pass.to_string(), telemetry, &channel)?);
        }
        report = report.chart(chart);
    }
    Ok(report)
}
