//! A vehicle over kerbs, rocks, a log, ruts, a washboard and a rough field. It drives once with
//! wheels that yield to what stands in front of them, and once with wheels that the road only
//! lifts.
//!
//! The drives are in `src/off_road.rs`, the course is the playground's. Writes telemetry as CSV and
//! a report as HTML.

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use playground::worlds::Lane;
use snippets::console::{SummaryTable, progress, run};
use snippets::off_road::{DT, VEHICLE, Wheels, check, record, step_count};
use snippets::presets;
use snippets::program::{Output, Program};
use snippets::vehicle_choice::single;

const PROGRAM: Program = Program {
    name: "off_road",
    title: "Off the road",
    description: "over kerbs of 5 to 40 cm, rocks, a log, ruts, a washboard and a field of 100,000 triangles: once \
                  with wheels that yield to what stands in front of them, once with wheels that the road only lifts.",
};

/// A vehicle over kerbs, rocks, a log, ruts, a washboard and a rough field, with wheels that yield
/// to obstacles and with wheels that the road only lifts.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    /// Drive this vehicle: a preset, or a file in JSON, RON or TOML; trailers and motorcycles are
    /// refused
    #[arg(long, value_name = "FILE|PRESET", default_value = VEHICLE)]
    vehicle: String,

    /// List the presets that it drives
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(Arguments { output, vehicle: name, list }: &Arguments) -> Result<()> {
    if *list {
        return presets::print_list_of(|vehicle| check(vehicle).is_ok());
    }
    let because = || format!("--vehicle {name}");
    let vehicle = single(name).with_context(because)?;
    check(&vehicle).with_context(because)?;
    if !output.quiet {
        presets::tell_findings(name, DT)?;
    }
    let folder = PROGRAM.folder(output)?;
    let bar = progress(step_count(), output.quiet);
    let drive = record(&vehicle, || bar.inc(1))?;
    bar.finish_and_clear();
    let mut table = SummaryTable::new(PROGRAM.title);
    for (lane, wheels) in Lane::ALL.into_iter().flat_map(|lane| Wheels::ALL.map(|it| (lane, it))) {
        let passage = drive.passage(lane, wheels)?;
        let label = format!("{}, {wheels}: {}, peak up or down", lane.name(), passage.end());
        table = table.row(label, format!("{:.1}", passage.peaks[0]), "m/s²");
    }
    let description = format!("{} {}", presets::called(&vehicle, name), PROGRAM.description);
    let report = drive.report(PROGRAM.title, &description)?;
    PROGRAM.write(&folder, &drive.telemetry, &report, table)
}
