//! A car on wheels with mass over a bump, a kerb, a washboard and potholes, in a fall and on a
//! shaker rig. It is shown at 60, 120 and 240 steps per second, beside the fine solution.
//!
//! The rides are in `src/ride`. Writes telemetry as CSV and a report as HTML.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use snippets::console::{progress, run};
use snippets::program::{Output, Program};
use snippets::ride::{RideCar, record, report, run_count};

const PROGRAM: Program = Program {
    name: "ride",
    title: "Ride",
    description: "A car of 1.5 t on wheels with mass, over obstacles, in a fall and on a shaker rig: in steps of \
                  several lengths, with three substeps each, beside the fine solution.",
};

/// A car on wheels with mass over obstacles, in a fall and on a shaker rig, in steps of several
/// lengths.
///
/// Fine solutions are known of its two cars, so that it takes no other.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    /// Drive a car of hard springs and tires
    #[arg(long)]
    stiff: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| ride(&arguments))
}

fn ride(arguments: &Arguments) -> Result<()> {
    let folder = PROGRAM.folder(&arguments.output)?;
    let bar = progress(run_count(), arguments.output.quiet);
    let car = RideCar::named(if arguments.stiff { "stiff" } else { "standard" })?;
    let rides = record(&car, || bar.inc(1))?;
    bar.finish_and_clear();
    let report = report(PROGRAM.title, PROGRAM.description, &rides)?;
    PROGRAM.write_with_tables(&folder, &rides.telemetry, &report)
}
