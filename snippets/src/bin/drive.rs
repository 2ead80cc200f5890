//! Drives a car over the proving ground: through its gears, an emergency stop, a slalom, a hill
//! start.
//!
//! Writes telemetry as CSV and a report as HTML.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use snippets::console::{progress, run};
use snippets::course::{Course, Failure, check};
use snippets::presets;
use snippets::program::{Output, Program};

const PROGRAM: Program = Program {
    name: "drive",
    title: "Drive over the proving ground",
    description: "pulls away through its gears, stops as in an emergency, weaves between cones and starts on a hill.",
};

/// Progress is shown in thousandths of the way.
const PROGRESS: f64 = 1_000.0;

/// Drives a car over the proving ground: through its gears, an emergency stop, a slalom, a hill
/// start.
///
/// The driver looks at the road ahead and at what the vehicle does, so that any vehicle with a
/// drive of its own gets through, but motorcycles.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    /// Drive this vehicle: a preset, or a file in JSON, RON or TOML; motorcycles and those that
    /// others pull are refused
    #[arg(long, value_name = "FILE|PRESET", default_value = playground::DEFAULT_VEHICLE)]
    vehicle: String,

    /// List the presets that it drives
    #[arg(long)]
    list: bool,

    /// Steps per second; below 50, vehicles without a trailer have three substeps at any speed,
    /// unless their file says how many
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(20..=1000))]
    #[arg(allow_negative_numbers = true)]
    rate: u32,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(Arguments { output, vehicle, list, rate }: &Arguments) -> Result<()> {
    if *list {
        return presets::print_list_of(|vehicle| check(vehicle).is_ok());
    }
    let course = Course::new(vehicle, 1.0 / *rate as f32);
    let course = course.with_context(|| format!("--vehicle {vehicle}"))?;
    if !output.quiet {
        presets::tell_findings(vehicle, 1.0 / *rate as f32)?;
    }
    let folder = PROGRAM.folder(output)?;
    let bar = progress(PROGRESS as usize, output.quiet);
    let start = Instant::now();
    let (drive, failure) = course.attempt(|part| bar.set_position((PROGRESS * part) as u64))?;
    let speed = drive.telemetry.len() as f64 / start.elapsed().as_secs_f64();
    bar.finish_and_clear();

    // One that fails in its first step leaves nothing to look at.
    if failure.is_none() || !drive.telemetry.is_empty() {
        let title = format!("{}: {}", PROGRAM.title, drive.name);
        let report = drive.report(&title, &format!("{} {}", drive.name, PROGRAM.description))?;
        let summary = PROGRAM.summary(drive.figures.figures(), speed);
        PROGRAM.write(&folder, &drive.telemetry, &report, summary)?;
    }
    let Some(Failure { error, findings }) = failure else { return Ok(()) };
    presets::tell(&findings);
    Err(error)
}
