//! A tire of one's own beside a measured one: the same drive on both.
//!
//! The tire is in `src/tanh_tire.rs`, the drive in `src/custom_tire.rs`. Writes telemetry as CSV
//! and a report as HTML.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use snippets::console::{progress, run};
use snippets::custom_tire::{Tires, record, report, step_count};
use snippets::program::{Output, Program};

const PROGRAM: Program = Program {
    name: "custom_tire",
    title: "Custom tire",
    description: "The default car accelerates, turns in and brakes in the bend: on a measured tire by the \
                  Magic Formula, and on a tire of one's own. Curves at four loads, with the points at \
                  which the outer front tire works on them.",
};

/// The tire that is taken if no other is given: that of Pacejka's book.
const TIRE: &str = include_str!("../../../vehicle-core/tests/data/205_60R15.tir");

/// A tire of one's own beside a measured one: the same drive on both.
///
/// The car is the same on both tires: a tire of one's own is code, so that it takes no vehicle from
/// a file.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    /// Property file of the measured tire [default: a 205/60 R15]
    #[arg(long, value_name = "FILE")]
    tir: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(arguments: &Arguments) -> Result<()> {
    let tires = match &arguments.tir {
        Some(path) => {
            let read = std::fs::read_to_string(path);
            let text = read.with_context(|| format!("cannot read {}", path.display()))?;
            Tires::read(&text).with_context(|| format!("{} is no tire", path.display()))?
        }
        None => Tires::read(TIRE)?,
    };
    let folder = PROGRAM.folder(&arguments.output)?;
    let bar = progress(step_count(), arguments.output.quiet);
    let telemetry = record(&tires, || bar.inc(1))?;
    bar.finish_and_clear();
    let report = report(PROGRAM.title, PROGRAM.description, &tires, &telemetry)?;
    PROGRAM.write_with_tables(&folder, &telemetry, &report)
}
