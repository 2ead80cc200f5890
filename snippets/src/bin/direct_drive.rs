//! A car with direct drive drops onto the ground, accelerates, brakes, accelerates and turns.
//!
//! Writes telemetry as CSV and a report as HTML.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use snippets::console::run;
use snippets::program::{Output, Program};
use snippets::scenes;
use snippets::vehicle_choice::VehicleChoice;

const PROGRAM: Program = Program {
    name: "direct_drive",
    title: "Direct drive",
    description: "A 2 t car with a torque on each wheel drops onto the ground, accelerates, brakes, \
                  accelerates again and turns left.",
};

/// A car with direct drive drops onto the ground, accelerates, brakes, accelerates and turns.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    choice: VehicleChoice,

    /// Substeps of suspension, tires, wheels and body per step
    #[arg(long, conflicts_with = "vehicle", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=64))]
    #[arg(allow_negative_numbers = true)]
    substeps: u32,

    /// Turn the wheels explicitly, as the reference does: they chatter at low speed
    #[arg(long, conflicts_with = "vehicle")]
    parity: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(arguments: &Arguments) -> Result<()> {
    let Arguments { choice, output, .. } = arguments;
    if choice.drive(&PROGRAM, scenes::direct_drive_phases(), output)? {
        return Ok(());
    }
    let scene = scenes::direct_drive(arguments.substeps)?;
    let scene = if arguments.parity { scene.with_explicit_wheels() } else { scene };
    PROGRAM.drive(scene, &arguments.output)
}
