//! A ready-made driveline from blocks drives off, up through its gears and through a bend, and
//! brakes to a stop.
//!
//! The report shows the tree with what each shaft carries, where the energy goes, and all sensors.
//! Vehicles and driver are in `src/drivelines.rs`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use clap::builder::{PossibleValue, PossibleValuesParser};
use snippets::console::{run, say};
use snippets::driveline_report::drive_driveline;
use snippets::drivelines::{DESCRIPTIONS, ready_made_scene, title, wheel_names};
use snippets::program::{Output, Program};

const PROGRAM: Program = Program {
    name: "drivelines",
    title: "Driveline",
    description: "A driveline from blocks drives off, up through its gears and through a bend, and brakes to a \
                  stop.",
};

/// A ready-made driveline from blocks drives off, up through its gears and through a bend, and
/// brakes to a stop.
///
/// What carries a driveline is made for it: choose by `--driveline`; `drive --vehicle` drives
/// vehicles from files.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    /// Which driveline
    #[arg(long, value_name = "NAME", default_value = "rear", value_parser = names())]
    driveline: String,

    /// Print the names of all drivelines, and drive none
    #[arg(long, conflicts_with = "driveline")]
    list: bool,
}

fn names() -> PossibleValuesParser {
    let value = |(name, description)| PossibleValue::new(name).help(description);
    PossibleValuesParser::new(DESCRIPTIONS.map(value))
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(arguments: &Arguments) -> Result<()> {
    if arguments.list {
        return DESCRIPTIONS
            .into_iter()
            .try_for_each(|(name, description)| say(format_args!("{name:<20} {description}")));
    }
    let name = &arguments.driveline;
    let scene = ready_made_scene(name)?;
    let described = DESCRIPTIONS.iter().find(|(each, _)| each == name);
    let program = described.map_or(PROGRAM, |&(name, description)| Program {
        title: title(name),
        description,
        ..PROGRAM
    });
    drive_driveline(&program, scene, &wheel_names(name), &arguments.output)
}
