//! A tank drives straight, turns on one track, spins on the spot, turns gently and goes back.
//!
//! Writes telemetry as CSV and a report as HTML.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser;
use snippets::console::run;
use snippets::drivetrains::TankBrakes;
use snippets::program::{Output, Program};
use snippets::scenes;
use snippets::vehicle_choice::VehicleChoice;
use vehicle_rapier::vehicle_file::DriveSource;

const PROGRAM: Program = Program {
    name: "tank_drive",
    title: "Tank",
    description: "A 2 t vehicle on two tracks with a brake and a thrust for each drives straight, \
                  turns sharply, spins on the spot, turns gently and goes back.",
};

/// The tank's program with the reference's data.
const PARITY: Program = Program {
    description: "A 2 t vehicle on two tracks with one brake for both drives straight, brakes to a \
                  stop, spins on the spot, turns gently and goes back.",
    ..PROGRAM
};

/// A tank drives straight, turns on one track, spins on the spot, turns gently and goes back.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    choice: VehicleChoice,

    /// Substeps of suspension, tires, wheels and body per step [default: 3 below 5 m/s, else 1]
    #[arg(long, conflicts_with = "vehicle", value_parser = clap::value_parser!(u32).range(1..=64))]
    #[arg(allow_negative_numbers = true)]
    substeps: Option<u32>,

    /// Drive as the reference does: the first brake holds all wheels, so that the sharp turn is a
    /// stop, and wheels turn explicitly
    #[arg(long, conflicts_with = "vehicle")]
    parity: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(arguments: &Arguments) -> Result<()> {
    let Arguments { choice, output, .. } = arguments;
    choice.check(|vehicle| {
        let is_tank = matches!(vehicle.file().drive, DriveSource::Tank(_));
        ensure!(is_tank, "it has no tracks to steer by: the program `drive` drives it");
        Ok(())
    })?;
    if choice.drive(&PROGRAM, scenes::tank_drive_phases(), output)? {
        return Ok(());
    }
    if arguments.parity {
        let scene = scenes::tank_drive(TankBrakes::AllWheels, arguments.substeps)?;
        return PARITY.drive(scene.with_explicit_wheels(), &arguments.output);
    }
    let scene = scenes::tank_drive(TankBrakes::PerTrack, arguments.substeps)?;
    PROGRAM.drive(scene, &arguments.output)
}
