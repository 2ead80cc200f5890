//! A car rolls over a curved road of triangles: once as they are, once smooth.
//!
//! The rides are in `src/smooth_road.rs`. Writes telemetry as CSV and a report as HTML.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use snippets::console::{progress, run};
use snippets::program::{Output, Program};
use snippets::smooth_road::{DT, record, report, step_count};
use snippets::vehicle_choice::VehicleChoice;
use vehicle_rapier::prelude::*;

const PROGRAM: Program = Program {
    name: "smooth_road",
    title: "Smooth road",
    description: "A 2 t car rolls at first 20 m/s over crests and dips of 50 m radius, a mesh of triangles \
                  of 1 m: once on the triangles as they are, once with smooth normals.",
};

/// A car rolls over a curved road of triangles: once as they are, once smooth.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    choice: VehicleChoice,

    /// Sweep the road with the wheels, instead of a ray each
    #[arg(long)]
    sweep: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| ride(&arguments))
}

fn ride(arguments: &Arguments) -> Result<()> {
    if arguments.choice.has_listed()? {
        return Ok(());
    }
    let (called, vehicle) = arguments.choice.chosen(&arguments.output, DT)?.unzip();
    let description = called.map_or(PROGRAM.description.to_owned(), |called| {
        format!("{called} in the ride of the program `{}`.", PROGRAM.name)
    });
    let folder = PROGRAM.folder(&arguments.output)?;
    let bar = progress(step_count(), arguments.output.quiet);
    let shape = if arguments.sweep { RoadQueryShape::Cylinder } else { RoadQueryShape::Ray };
    let telemetry = record(vehicle.as_ref(), shape, || bar.inc(1))?;
    bar.finish_and_clear();
    let report = report(PROGRAM.title, &description, &telemetry)?;
    PROGRAM.write_with_tables(&folder, &telemetry, &report)
}
