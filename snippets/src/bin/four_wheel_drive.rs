//! A car with engine, clutch, automatic gearbox and differential accelerates, brakes, accelerates
//! through its gears and turns.
//!
//! Writes telemetry as CSV and a report as HTML.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Parser, ValueEnum};
use snippets::console::run;
use snippets::drivetrains::SampleDifferential;
use snippets::program::{Output, Program};
use snippets::scenes;
use snippets::vehicle_choice::VehicleChoice;

const PROGRAM: Program = Program {
    name: "four_wheel_drive",
    title: "Four-wheel drive",
    description: "A 2 t car with engine, clutch, automatic gearbox and differential pulls away, brakes \
                  to a stop, accelerates through its gears and turns left.",
};

/// A car with engine, clutch, automatic gearbox and differential accelerates, brakes, accelerates
/// through its gears and turns.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    choice: VehicleChoice,

    /// What shares the torque between the wheels
    #[arg(long, conflicts_with = "vehicle", value_enum, value_name = "KIND", default_value_t = Differential::FourWheel)]
    differential: Differential,

    /// Let wheels turn together that slip too unlike; only with a four-wheel differential
    #[arg(long, conflicts_with = "vehicle")]
    limited_slip: bool,

    /// Substeps of suspension, tires, wheels and body per step [default: 3 below 5 m/s, else 1]
    #[arg(long, conflicts_with = "vehicle", value_parser = clap::value_parser!(u32).range(1..=64))]
    #[arg(allow_negative_numbers = true)]
    substeps: Option<u32>,

    /// Drive as the reference does, where no slip is limited: wheels turn explicitly, and chatter
    /// at low speed
    #[arg(long, conflicts_with_all = ["limited_slip", "vehicle"])]
    parity: bool,
}

/// Kinds of differentials.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Differential {
    /// A quarter of the torque to each wheel of two axles; slip between them can be limited
    FourWheel,
    /// A quarter of the torque to each wheel
    MultiWheel,
    /// A quarter of the torque to each wheel; wheels of one side turn together
    Tank,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(arguments: &Arguments) -> Result<()> {
    let Arguments { choice, output, .. } = arguments;
    if choice.drive(&PROGRAM, scenes::four_wheel_drive_phases(), output)? {
        return Ok(());
    }
    let scene = scenes::four_wheel_drive(arguments.differential()?, arguments.substeps)?;
    let scene = if arguments.parity { scene.with_explicit_wheels() } else { scene };
    PROGRAM.drive(scene, &arguments.output)
}

impl Arguments {
    fn differential(&self) -> Result<SampleDifferential> {
        let is_slip_limited = self.limited_slip;
        match self.differential {
            Differential::FourWheel => Ok(SampleDifferential::FourWheel { is_slip_limited }),
            _ if is_slip_limited => bail!(
                "--limited-slip needs --differential four-wheel: no other differential of this \
                 program limits slip"
            ),
            Differential::MultiWheel => Ok(SampleDifferential::MultiWheel),
            Differential::Tank => Ok(SampleDifferential::Tank),
        }
    }
}
