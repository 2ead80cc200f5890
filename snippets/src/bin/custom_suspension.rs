//! A lowrider dances: a car with direct drive whose suspension is one of this example's own.
//!
//! The suspension is in `src/lowrider.rs`. Writes telemetry as CSV and a report as HTML.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use snippets::console::run;
use snippets::program::{Output, Program};
use snippets::scenes;

const PROGRAM: Program = Program {
    name: "custom_suspension",
    title: "Custom suspension",
    description: "A 2 t lowrider drops onto the ground and dances: hydraulics push each wheel twice in \
                  a second, the rear wheels a quarter of a push ahead of the front wheels.",
};

/// A lowrider dances: a car with direct drive whose suspension is one of this example's own.
///
/// Its suspension is code, and so it takes no vehicle from a file: `drive --vehicle` drives those.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    /// Substeps of suspension, tires, wheels and body per step
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=64))]
    #[arg(allow_negative_numbers = true)]
    substeps: u32,

    /// Turn the wheels explicitly, as the reference does
    #[arg(long)]
    parity: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(arguments: &Arguments) -> Result<()> {
    let scene = scenes::custom_suspension(arguments.substeps)?;
    let scene = if arguments.parity { scene.with_explicit_wheels() } else { scene };
    PROGRAM.drive(scene, &arguments.output)
}
