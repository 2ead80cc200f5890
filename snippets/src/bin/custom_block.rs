//! A block and a vehicle controller of one's own: an overdrive with a dog clutch, and who takes it
//! in and out.
//!
//! The block is in `src/overdrive.rs`, the controller in `src/overdrive_controller.rs`. Writes
//! telemetry as CSV and a report as HTML.

use std::ops::RangeInclusive;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use snippets::console::run;
use snippets::driveline_report::drive_driveline;
use snippets::drivelines::{mechanics_for, scene, wheel_names};
use snippets::overdrive::Overdrive;
use snippets::overdrive_controller::{overdrive_tree, with_controller};
use snippets::program::{Output, Program, number_within};

const PROGRAM: Program = Program {
    name: "custom_block",
    title: "Custom block",
    description: "A car with an overdrive behind its gearbox, a block of one's own, drives off, up through its \
                  gears and through a bend, and brakes; a controller takes the overdrive in and out by speed.",
};

/// Ratios at which the overdrive goes in within this drive.
const RATIOS: RangeInclusive<f32> = 0.5..=1.0;

/// A block and a vehicle controller of one's own: an overdrive with a dog clutch, and who takes it
/// in and out.
///
/// A block of one's own is code, so that it takes no vehicle from a file: `drive --vehicle` drives
/// those.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    /// Ratio of the overdrive: speed of its input per speed of its output, from 0.5 to 1
    #[arg(long, default_value_t = Overdrive::default().ratio, value_parser = parse_ratio)]
    #[arg(allow_negative_numbers = true)]
    ratio: f32,
}

fn parse_ratio(text: &str) -> Result<f32, String> {
    number_within(text, &RATIOS)
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(arguments: &Arguments) -> Result<()> {
    let overdrive = Overdrive { ratio: arguments.ratio, ..Overdrive::default() };
    let scene =
        scene(mechanics_for("rear")?, overdrive_tree(overdrive)?, |sequence, driveline| {
            with_controller(sequence, driveline)
        })?;
    drive_driveline(&PROGRAM, scene, &wheel_names("rear"), &arguments.output)
}
