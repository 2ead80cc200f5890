//! Prints the forces of a tire from a file at the points of a table, as CSV.

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use snippets::console::{run, say};
use snippets::tire_table::{read_tire, tire_table};
use vehicle_rapier::core::tire::magic_formula::OutOfRange;

/// Forces of a Magic Formula tire at the points of a table, in SI units, radians and the axes of
/// ISO 8855.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Tire property file (.tir)
    #[arg(long, value_name = "FILE")]
    tir: PathBuf,

    /// CSV with the columns camber, Fz, slip_ratio and slip_angle; - for the standard input
    #[arg(long, value_name = "CSV")]
    points: PathBuf,

    /// Go on with the formulas beyond the ranges of the measurement, instead of staying at their
    /// ends
    #[arg(long)]
    extrapolate: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| print_table(&arguments))
}

fn print_table(arguments: &Arguments) -> Result<()> {
    let file = read_tire(&arguments.tir)?;
    let out_of_range =
        if arguments.extrapolate { OutOfRange::Extrapolate } else { OutOfRange::default() };
    let table = if arguments.points.as_os_str() == "-" {
        tire_table(&file, std::io::stdin(), out_of_range)?
    } else {
        let path = &arguments.points;
        let points = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        tire_table(&file, points, out_of_range)?
    };
    say(table.trim_end())
}
