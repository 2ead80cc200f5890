//! A truck on dry sand: it digs in, gets through with less pressure in its tires, and a second time
//! in its own rut.
//!
//! The passes are in `src/soft_ground.rs`. Writes telemetry as CSV and a report as HTML.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use snippets::console::{progress, run};
use snippets::program::{Output, Program};
use snippets::soft_ground::{record, report, step_count};

const PROGRAM: Program = Program {
    name: "soft_ground",
    title: "Soft ground",
    description: "A 7 t truck on dry sand: with the pressure for roads in its tires, with less, and once more \
                  with less in the rut that it has left.",
};

/// A truck on dry sand: digs in, gets through with lower pressure, and a second time in its own
/// rut.
///
/// The truck and the pressures of its tires are made for this sand, so that it takes no other.
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
    let passes = record(|| bar.inc(1))?;
    bar.finish_and_clear();
    let report = report(PROGRAM.title, PROGRAM.description, &passes)?;
    PROGRAM.write_with_tables(&folder, &passes.telemetry, &report)
}
