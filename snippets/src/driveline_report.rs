//! The report of a drive with a driveline from blocks: its tree, its energy account and its
//! sensors.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use vehicle_rapier::drivetrain::blocks::{
    BlockTree, DrivelineBlock, EnergyAccount, NamedBlock, Shaft,
};

use crate::console::progress;
use crate::drive::Scene;
use crate::drive_report::drive_report;
use crate::drive_summary::DriveSummary;
use crate::drivelines::{DrivelineRecord, DrivelineRide, ENERGY, ENERGY_PARTS, ShaftFlows, record};
use crate::program::{Output, Program};
use crate::recorder::Recorded;
use crate::report::{Breakdown, Chart, DrawnShaft, LineShape, Part, Report, TreePicture};
use crate::telemetry::Telemetry;
use crate::vehicle_figure::VehicleFigure;
use crate::vehicle_telemetry::sensor_channel;

/// What the parts of an energy account are to its reader, in order.
const ENERGY_LABELS: [&str; 11] = [
    "in: engines",
    "in: batteries",
    "kinetic energy of what turns",
    "tires",
    "brakes",
    "clutches, differentials, couplings",
    "converters",
    "gears",
    "friction of engines, bearings, retarders",
    "motors and their electronics",
    "implicit step",
];

/// Drives through `scene`, writes telemetry and report, and prints the summary.
///
/// # Errors
///
/// If the folder or a file cannot be written, or a step fails.
pub fn drive_driveline<C>(
    program: &Program,
    scene: Scene<DrivelineRide<C>>,
    wheels: &[String],
    output: &Output,
) -> Result<()>
where
    C: DrivelineBlock + Clone + Send + Sync + 'static,
{
    let folder = program.folder(output)?;
    let wheels: Vec<&str> = wheels.iter().map(String::as_str).collect();
    let driveline = Arc::clone(scene.driven.vehicle.vehicle.driveline());
    let bar = progress(scene.schedule.step_count(), output.quiet);
    let start = Instant::now();
    let figures = scene.driven.figures(&scene.world).into_iter();
    let figures: Vec<_> = figures.map(|figure| figure.titled(program.title)).collect();
    let record = record(scene, &wheels, || bar.inc(1))?;
    let rate = record.telemetry.len() as f64 / start.elapsed().as_secs_f64();
    bar.finish_and_clear();

    let report = driveline_report(program, driveline.tree(), &record, &figures)?;
    let summary = program.summary(DriveSummary::of(&record.telemetry)?.figures(), rate);
    program.write(&folder, &record.telemetry, &report, summary)
}

/// The report of a drive on `tree`.
///
/// # Errors
///
/// If a channel is missing.
pub fn driveline_report<C: DrivelineBlock>(
    program: &Program,
    tree: &BlockTree<C>,
    record: &DrivelineRecord,
    figures: &[VehicleFigure],
) -> Result<Report> {
    let telemetry = &record.telemetry;
    let report = drive_report(program.title, program.description, telemetry, figures)?
        .tree(tree_picture(tree, &record.full_power, telemetry))
        .breakdown(energy_breakdown(&record.energy));
    let mut charts = vec![energy_chart(telemetry)?];
    for named in &tree.blocks {
        let block = named.block.as_block();
        // Wheels have charts of their own.
        if block.wheel().is_none() {
            charts.extend(sensor_charts(telemetry, &named.name, block)?);
        }
    }
    Ok(charts.into_iter().fold(report, Report::chart))
}

/// Wheels have the names of their charts.
fn tree_picture<C: DrivelineBlock>(
    tree: &BlockTree<C>,
    flows: &ShaftFlows,
    telemetry: &Telemetry,
) -> TreePicture {
    let wheels: Vec<&str> = telemetry.names_after("load ").collect();
    let name = |named: &NamedBlock<C>| {
        let wheel = named.block.as_block().wheel().and_then(|wheel| wheels.get(wheel));
        wheel.map_or_else(|| named.name.clone(), |wheel| (*wheel).to_owned())
    };
    let shafts = tree.shafts.iter().zip(&flows.shafts);
    let drawn = |(shaft, &(speed, torque)): (&Shaft, &(f64, f64))| DrawnShaft {
        from: shaft.from.0,
        to: shaft.to.0,
        speed,
        torque,
    };
    TreePicture {
        title: "Driveline at full power".into(),
        note: format!(
            "Speed above each shaft, torque and power below it, {:.1} s after the start; wide lines carry much \
             power, orange ones towards the engine.",
            flows.time
        ),
        blocks: tree.blocks.iter().map(name).collect(),
        shafts: shafts.map(drawn).collect(),
    }
}

fn energy_breakdown(account: &EnergyAccount) -> Breakdown {
    let parts = ENERGY_PARTS.iter().zip(ENERGY_LABELS).enumerate();
    let parts = parts.map(|(index, ((_, part), label))| Part {
        label: label.into(),
        value: 1e-3 * part(account),
        is_input: index < 2,
    });
    Breakdown {
        title: "Energy of the driveline".into(),
        note: format!(
            "What engines and batteries gave over the drive, and where it went; {:.1e} J are missing in the account.",
            account.imbalance().abs()
        ),
        unit: "kJ",
        parts: parts.collect(),
    }
}

fn energy_chart(telemetry: &Telemetry) -> Result<Chart> {
    let lines = ENERGY_PARTS.map(|(name, _)| (name, format!("{ENERGY}{name}")));
    let chart = Chart::over_time("Energy of the driveline", "energy (J)").reaching_y(0.0);
    chart.channels(telemetry, lines, LineShape::Straight)
}

/// A chart of the sensors of a block for each of their units.
fn sensor_charts(
    telemetry: &Telemetry,
    name: &str,
    block: &dyn DrivelineBlock,
) -> Result<Vec<Chart>> {
    let sensors = block.channels().sensors;
    let units: BTreeSet<&str> = sensors.iter().map(|sensor| sensor.unit).collect();
    let chart = |unit: &str| {
        let (label, shape) = match unit {
            "rad/s" => ("speed (rad/s)".to_owned(), LineShape::Straight),
            "N·m" => ("torque (N·m)".to_owned(), LineShape::Straight),
            "W" => ("power (W)".to_owned(), LineShape::Straight),
            "" => ("state".to_owned(), LineShape::Stepped),
            _ => (unit.to_owned(), LineShape::Straight),
        };
        let of_unit = sensors.iter().filter(|sensor| sensor.unit == unit);
        let lines = of_unit.map(|sensor| (sensor.name, sensor_channel(name, sensor.name)));
        let quantity = label.split(" (").next().unwrap_or_default();
        let title = format!("{name}: {quantity}");
        Chart::over_time(title, label.clone()).reaching_y(0.0).channels(telemetry, lines, shape)
    };
    units.into_iter().map(chart).collect()
}
