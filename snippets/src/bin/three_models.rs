//! One car by forces, by constraints, and on wheels that are bodies, side by side; and once as it
//! changes from one to another by its distance.
//!
//! The models are in `src/three_models`, the trials in its `trial.rs`. Writes telemetry as CSV and
//! a report as HTML.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use snippets::console::{SummaryTable, progress, run};
use snippets::program::{Output, Program};
use snippets::three_models::page::record;
use snippets::three_models::trial::step_count;

const PROGRAM: Program = Program {
    name: "three_models",
    title: "Three models of a car",
    description: "A car of 1.5 t by constraints, by forces, and on wheels that are bodies: at rest, on a hill, over \
                  a kerb, in a slide, hit at a wheel; and once as it changes from one to another by its distance.",
};

/// A car by constraints, by forces and on wheels that are bodies, side by side, and once as it
/// changes from one to another.
///
/// The models are made for this car, so that it takes no other.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(arguments: &Arguments) -> Result<()> {
    let folder = PROGRAM.folder(&arguments.output)?;
    let bar = progress(step_count(), arguments.output.quiet);
    let trials = record(|| bar.inc(1))?;
    bar.finish_and_clear();
    let figures = trials.table()?;
    let mut table = SummaryTable::new(PROGRAM.title);
    for row in &figures.rows {
        for (model, value) in figures.header.iter().zip(row).skip(1) {
            table = table.row(format!("{}, {model}", row[0]), value, "");
        }
    }
    let report = trials.report(PROGRAM.title, PROGRAM.description)?;
    PROGRAM.write(&folder, &trials.telemetry, &report, table)
}
