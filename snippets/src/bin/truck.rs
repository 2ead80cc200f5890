//! A tractor with an engine pulls a trailer, which has none: on the level, or up a hill.
//!
//! The truck is in `src/truck.rs`. Writes telemetry as CSV and a report as HTML.

use std::ops::RangeInclusive;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use snippets::console::run;
use snippets::program::{Output, Program, number_within};
use snippets::scenes::{TruckSetting, slope, truck, truck_phases};
use snippets::truck::{Hitch, UpdateOrder};
use snippets::vehicle_choice::VehicleChoice;

const PROGRAM: Program = Program {
    name: "truck",
    title: "Truck",
    description: "A 2 t tractor with an engine and a 2 t trailer on a joint park, pull away, brake to a \
                  stop and pull away again through the gears.",
};

/// Grades that the truck can climb (%).
const GRADES: RangeInclusive<f32> = 0.0..=30.0;

/// A tractor with an engine pulls a trailer, which has none: on the level, or up a hill.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    choice: VehicleChoice,

    /// How steeply the road rises, in percent, up to 30: the truck parks on it, then pulls away
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = parse_grade)]
    #[arg(allow_negative_numbers = true)]
    grade: f32,

    /// When the tractor's intention to accelerate releases the trailer's tires
    #[arg(long, conflicts_with = "vehicle", value_enum, default_value_t = Order::ReleaseFirst)]
    order: Order,

    /// Substeps of suspension, tires, wheels and body per step [default: 3 below 5 m/s, else 1]
    #[arg(long, conflicts_with = "vehicle", value_parser = clap::value_parser!(u32).range(1..=64))]
    #[arg(allow_negative_numbers = true)]
    substeps: Option<u32>,

    /// Drive as the reference does: tractor and trailer pitch as one, and wheels turn explicitly
    #[arg(long, conflicts_with = "vehicle")]
    parity: bool,
}

/// Orders of update.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Before both updates, by what the tractor did in the step before: both can run at a time
    ReleaseFirst,
    /// Between the updates, by what the tractor does now: without the delay of a step
    TractorFirst,
}

impl From<Order> for UpdateOrder {
    fn from(order: Order) -> Self {
        match order {
            Order::ReleaseFirst => Self::ReleaseFirst,
            Order::TractorFirst => Self::TractorFirst,
        }
    }
}

fn parse_grade(text: &str) -> Result<f32, String> {
    number_within(text, &GRADES)
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(arguments: &Arguments) -> Result<()> {
    let Arguments { grade, order, substeps, parity, ref choice, ref output } = *arguments;
    if choice.drive_uphill(&PROGRAM, truck_phases(grade), output, slope(grade))? {
        return Ok(());
    }
    let hitch = if parity { Hitch::LockedPitch } else { Hitch::Free };
    let setting = TruckSetting { grade_percent: grade, hitch, order: order.into(), substeps };
    let scene = truck(&setting)?;
    let scene = if parity { scene.with_explicit_wheels() } else { scene };
    PROGRAM.drive(scene, output)
}
