//! A tire of one's own beside a measured one: two cars drive the same, and their curves carry the
//! points at which their tires have worked.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::core::blueprint::CarBlueprint;
use vehicle_rapier::core::commands::CommandResponseParams;
use vehicle_rapier::core::tire::models::steady::{SteadyInput, SteadyLaw};
use vehicle_rapier::core::tire::models::{MagicFormulaTire, RollingTire};
use vehicle_rapier::core::tire::tir::TirFile;
use vehicle_rapier::prelude::*;

use crate::report::{Chart, LineShape, Report, Series, Table};
use crate::scenes::level_world;
use crate::tanh_tire::TanhTire;
use crate::telemetry::{Channel, Telemetry};

/// Time step (s).
pub const DT: Real = 1.0 / 60.0;
/// Time of each drive (s).
const DURATION: Real = 14.0;
/// The tire whose points are shown: the outer front one.
const WHEEL: usize = 0;
/// Names of the tires.
pub const NAMES: [&str; 2] = ["Magic Formula", "own"];
/// Loads of the curves (N): the outer front tire bears no more than the last.
const LOADS: [Real; 4] = [2_000.0, 4_000.0, 6_000.0, 8_000.0];
/// Quantities of each car.
const QUANTITIES: [(&str, &str); 7] = [
    ("speed", "m/s"),
    ("yaw rate", "rad/s"),
    ("load", "N"),
    ("slip angle", "rad"),
    ("slip ratio", ""),
    ("lateral force", "N"),
    ("longitudinal force", "N"),
];

/// Both tires.
#[derive(Clone, Debug)]
pub struct Tires {
    /// The measured one.
    pub measured: MagicFormulaTire,
    /// One's own.
    pub own: RollingTire<TanhTire>,
}

impl Tires {
    /// The tire of a file in the format of TNO, and one of one's own of about its stiffness.
    ///
    /// # Errors
    ///
    /// If the text is no tire.
    pub fn read(text: &str) -> Result<Self> {
        let file = TirFile::parse(text)?;
        let measured = MagicFormulaTire::from(file.tire);
        Ok(Self { measured, own: RollingTire::new(TanhTire::default()) })
    }
}

/// Name of the channel of a `quantity` on the tire of this `name`.
fn channel(quantity: &str, name: &str) -> String {
    format!("{quantity}, {name}")
}

/// Drives the default car on `tire`: it accelerates, turns in ever more, brakes in the bend.
fn drive<M: TireModel>(tire: &M, mut after_step: impl FnMut()) -> Result<Vec<[f64; 7]>> {
    let mut world = level_world(DT, 1.0);
    let blueprint = CarBlueprint::default();
    let mechanics = blueprint.mechanics()?.with_tires(vec![tire.clone(); 4]);
    let pose = Pose::from_translation(Vector::Y * blueprint.center_of_mass_height);
    let chassis = Chassis::new(&mechanics.rigid_body)
        .pose(pose)
        .collider(ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2));
    let throttle = CommandResponseParams::linear(1_300.0, [0.0, 0.0, 1.0, 1.0]);
    let car = DirectDriveVehicleWith::<M>::new(DirectDriveParams { mechanics, throttle })?;
    let mut car =
        RapierVehicle::insert(&mut world, chassis, car, DirectDriveVehicleWith::sequence());
    car.vehicle.controls.gear = Gear::Forward;
    let mut samples = Vec::new();
    for step in 0..steps() {
        let time = step as Real * DT;
        let commands = &mut car.vehicle.commands;
        commands.throttle = if time < 8.0 { 0.6 } else { 0.1 };
        commands.steer = if time < 6.0 { 0.0 } else { 0.05 * (time - 6.0).min(5.0) };
        commands.brakes[0] = if time < 11.0 { 0.0 } else { 0.25 * (time - 11.0) };
        car.step(&mut world)?;
        let body = world.bodies.get(car.actor.body).context("the car's body is gone")?;
        let tire = car.vehicle.state.mechanics.tires.of(WHEEL);
        let sample = [
            body.linvel().length(),
            body.angvel().y,
            tire.grip.load,
            tire.slip.angle(),
            tire.slip.longitudinal,
            tire.force.lateral_force,
            tire.force.longitudinal_force,
        ];
        samples.push(sample.map(f64::from));
        after_step();
    }
    Ok(samples)
}

fn steps() -> usize {
    (DURATION / DT).round() as usize
}

/// Number of steps of both drives.
pub fn step_count() -> usize {
    2 * steps()
}

/// Both drives, side by side; calls `after_step` after every step.
///
/// # Errors
///
/// If a step fails.
pub fn record(tires: &Tires, mut after_step: impl FnMut()) -> Result<Telemetry> {
    let measured = drive(&tires.measured, &mut after_step)?;
    let own = drive(&tires.own, &mut after_step)?;
    let channels = NAMES.into_iter().flat_map(|name| {
        QUANTITIES.map(|(quantity, unit)| Channel::new(channel(quantity, name), unit))
    });
    let mut telemetry = Telemetry::new(std::iter::once(Channel::new("time", "s")).chain(channels))?;
    for (step, (measured, own)) in measured.iter().zip(&own).enumerate() {
        let time = std::iter::once(f64::from(DT) * (step + 1) as f64);
        let row: Vec<f64> = time.chain(*measured).chain(*own).collect();
        telemetry.push(&row)?;
    }
    Ok(telemetry)
}

/// Force of a law over slip at this load (N): lateral over the slip angle, or longitudinal over the
/// slip ratio.
fn curve<L: SteadyLaw>(law: &L, load: Real, is_lateral: bool) -> Vec<(f64, f64)> {
    let slips = (-60..=60).map(|index| 0.005 * index as Real);
    let point = |slip: Real| {
        let input = SteadyInput { load, friction: 1.0, forward_speed: 20.0, ..Default::default() };
        let output = if is_lateral {
            law.output(&SteadyInput { slip_tangent: slip.tan(), ..input }).lateral_force
        } else {
            law.output(&SteadyInput { slip_ratio: slip, ..input }).longitudinal_force
        };
        (f64::from(slip), f64::from(output))
    };
    slips.map(point).collect()
}

/// The page: curves of both tires at several loads with the points of the drives on them, and the
/// drives.
///
/// # Errors
///
/// If a channel is missing.
pub fn report(title: &str, text: &str, tires: &Tires, telemetry: &Telemetry) -> Result<Report> {
    let most = |quantity: &str, name: &str| -> Result<f64> {
        let values = telemetry.column(&channel(quantity, name))?;
        Ok(values.iter().fold(0.0, |most: f64, value| most.max(value.abs())))
    };
    let largest = [("speed", "m/s", 1), ("yaw rate", "rad/s", 2), ("lateral force", "N", 0)];
    let cases = largest.into_iter().map(|(quantity, unit, digits)| {
        let texts = NAMES.map(|name| anyhow::Ok(format!("{:.digits$}", most(quantity, name)?)));
        anyhow::Ok((format!("{quantity} ({unit})"), texts.into_iter().collect::<Result<Vec<_>>>()?))
    });
    let cases = cases.collect::<Result<Vec<_>>>()?;
    let mut report =
        Report::new(title, text).table(Table::of_cases("Most in this drive", NAMES, cases));
    for (slip, force, is_lateral) in
        [("slip angle", "lateral force", true), ("slip ratio", "longitudinal force", false)]
    {
        for (index, name) in NAMES.into_iter().enumerate() {
            let unit = if is_lateral { "slip angle (rad)" } else { "slip ratio" };
            let label = format!("{force} (N)");
            let mut chart = Chart::over_x(format!("{force} of the tire: {name}"), unit, label);
            for load in LOADS {
                let points = if index == 0 {
                    curve(&tires.measured.law, load, is_lateral)
                } else {
                    curve(&tires.own.law, load, is_lateral)
                };
                chart = chart.series(Series::new(format!("{load} N"), points));
            }
            let (slips, forces) =
                (telemetry.column(&channel(slip, name))?, telemetry.column(&channel(force, name))?);
            // A car that pulls away from rest slips beyond the curves, and rests on none of them.
            let speeds = telemetry.column(&channel("speed", name))?;
            let points = slips.iter().copied().zip(forces.iter().copied()).zip(speeds);
            let points = points.filter(|((slip, _), speed)| slip.abs() <= 0.3 && 1.0 < **speed);
            let points = points.map(|(point, _)| point).step_by(10);
            chart = chart.series(Series::new("drive", points).shaped(LineShape::Dotted));
            report = report.chart(chart);
        }
    }
    for (quantity, unit) in QUANTITIES {
        let label =
            if unit.is_empty() { quantity.to_owned() } else { format!("{quantity} ({unit})") };
        let mut chart = Chart::over_time(quantity, label);
        for name in NAMES {
            chart = chart.series(Series::over_time(name, telemetry, &channel(quantity, name))?);
        }
        report = report.chart(chart);
    }
    Ok(report)
}
