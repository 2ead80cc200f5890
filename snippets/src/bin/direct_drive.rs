//! A car with direct drive drops onto the ground, accelerates, brakes, accelerates and turns.
//!
//! Writes telemetry as CSV and a report as HTML.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use snippets::console::{SummaryTable, progress, run};
use snippets::drive_report::drive_report;
use snippets::drive_summary::DriveSummary;
use snippets::output_folder::OutputFolder;
use snippets::recorder::{CAR_WHEELS, DirectDriveRecorder};
use snippets::scenes::{self, Scene};
use vehicle_rapier::core::WheelCoupling;

const TITLE: &str = "Direct drive";
const DESCRIPTION: &str = "A 2 t car with a torque on each wheel drops onto the ground, accelerates, brakes, \
     accelerates again and turns left.";

/// A car with direct drive drops onto the ground, accelerates, brakes, accelerates and turns.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Folder for telemetry.csv and report.html
    #[arg(long, value_name = "DIR", default_value = "out/direct_drive")]
    out: PathBuf,

    /// Substeps of suspension, tires, wheels and body per step
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=64))]
    substeps: u32,

    /// Turn the wheels explicitly, as the reference does: they chatter at low speed
    #[arg(long)]
    parity: bool,

    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(arguments: &Arguments) -> Result<()> {
    let folder = OutputFolder::create(&arguments.out)?;
    let Scene { mut world, mut vehicle, schedule } = scenes::direct_drive(arguments.substeps)?;
    if arguments.parity {
        vehicle.params.wheel_coupling = WheelCoupling::Explicit;
    }
    let mut recorder = DirectDriveRecorder::new(&CAR_WHEELS)?;
    let bar = progress(schedule.step_count(), arguments.quiet);
    let start = Instant::now();
    for (step, commands) in schedule.enumerate() {
        vehicle.vehicle.commands = commands;
        vehicle.step(&mut world).with_context(|| format!("in step {step}"))?;
        recorder.record(&world, &vehicle)?;
        bar.inc(1);
    }
    let rate = recorder.telemetry.len() as f64 / start.elapsed().as_secs_f64();
    bar.finish_and_clear();

    let (csv, html) = (folder.path("telemetry.csv"), folder.path("report.html"));
    recorder.telemetry.write_csv(&csv)?;
    drive_report(TITLE, DESCRIPTION, &recorder.telemetry, &CAR_WHEELS)?.write(&html)?;
    print_summary(&DriveSummary::of(&recorder.telemetry)?, rate);
    println!("telemetry: {}\nreport:    {}", csv.display(), html.display());
    Ok(())
}

fn print_summary(summary: &DriveSummary, rate: f64) {
    let mut table = SummaryTable::new(TITLE)
        .row("simulated time", format!("{:.1}", summary.duration), "s")
        .row("distance", format!("{:.1}", summary.distance), "m")
        .row("top speed", format!("{:.2}", summary.top_speed), "m/s");
    if let Some(stop) = summary.stop {
        let label = format!("stopping distance from {:.1} m/s", stop.from_speed);
        table = table.row(label, format!("{:.2}", stop.distance), "m").row(
            "stopping time",
            format!("{:.2}", stop.duration),
            "s",
        );
    }
    table.row("speed of simulation", format!("{rate:.0}"), "steps/s").print();
}
