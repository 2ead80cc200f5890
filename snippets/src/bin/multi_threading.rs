//! A fleet of cars accelerates side by side, updated by one and by several threads.
//!
//! The measurement is in `src/multi_threading.rs`. Writes the time of each part of each step as CSV
//! and a report as HTML.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use snippets::console::{progress, run};
use snippets::multi_threading::{FleetSetting, measure};
use snippets::program::{Output, Program};
use snippets::scenes::DIRECT_DRIVE_DT;
use snippets::vehicle_choice::VehicleChoice;

const PROGRAM: Program = Program {
    name: "multi_threading",
    title: "Multi-threading",
    description: "Cars of 2 t with a torque on each wheel accelerate side by side. All numbers of \
                  threads end with the same bits.",
};

/// Longest drive (s).
const MAX_SECONDS: f32 = 60.0;

/// A fleet of cars accelerates side by side, updated by one and by several threads.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    choice: VehicleChoice,

    /// Number of cars
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    #[arg(allow_negative_numbers = true)]
    vehicles: u32,

    /// Numbers of threads, such as `1,2` [default: 1 and as many as there are cores]
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    #[arg(allow_negative_numbers = true)]
    threads: Vec<u16>,

    /// Substeps of suspension, tires, wheels and body per step
    #[arg(long, conflicts_with = "vehicle", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
    #[arg(allow_negative_numbers = true)]
    substeps: u32,

    /// How long the cars drive, in seconds, up to 60
    #[arg(long, default_value_t = 4.26, value_parser = parse_seconds)]
    #[arg(allow_negative_numbers = true)]
    seconds: f32,
}

fn parse_seconds(text: &str) -> Result<f32, String> {
    let seconds: f32 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if 0.0 < seconds && seconds <= MAX_SECONDS {
        Ok(seconds)
    } else {
        Err(format!("{text} is not above 0 and up to {MAX_SECONDS}"))
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| drive(&arguments))
}

fn drive(arguments: &Arguments) -> Result<()> {
    if arguments.choice.has_listed()? {
        return Ok(());
    }
    let (called, vehicle) = arguments.choice.chosen(&arguments.output, DIRECT_DRIVE_DT)?.unzip();
    let description = called.map_or(PROGRAM.description.to_owned(), |called| {
        format!("Vehicles side by side, each of them: {called}. All numbers of threads end with the same bits.")
    });
    let folder = PROGRAM.folder(&arguments.output)?;
    let setting = FleetSetting {
        vehicle,
        vehicles: arguments.vehicles as usize,
        substeps: arguments.substeps,
        duration: arguments.seconds,
    };
    let bar = progress(setting.step_count(), arguments.output.quiet);
    let measurement = measure(&setting, &arguments.thread_counts()?, || bar.inc(1))?;
    bar.finish_and_clear();
    let report = measurement.report(PROGRAM.title, &description)?;
    PROGRAM.write_with_tables(&folder, &measurement.telemetry, &report)
}

impl Arguments {
    /// Every number of threads once, the least first.
    fn thread_counts(&self) -> Result<Vec<usize>> {
        if self.threads.is_empty() {
            let cores = std::thread::available_parallelism()?.get();
            return Ok(BTreeSet::from([1, cores]).into_iter().collect());
        }
        let counts: BTreeSet<usize> = self.threads.iter().copied().map(usize::from).collect();
        Ok(counts.into_iter().collect())
    }
}
