//! What the programs do alike: drive a scene, write telemetry and report, print the summary.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;

use crate::console::{SummaryTable, print_table, progress, say};
use crate::drive::{Driven, Scene};
use crate::drive_report::drive_report;
use crate::drive_summary::{DriveSummary, Figure};
use crate::output_folder::{MCAP, OutputFolder, PARQUET, REPORT, TELEMETRY};
use crate::report::Report;
use crate::telemetry::Telemetry;
use crate::wheel_names::CAR_WHEELS;

/// Name and purpose of a program.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Name of its file and of its default folder.
    pub name: &'static str,
    /// Title of its report.
    pub title: &'static str,
    /// What is driven, in a sentence.
    pub description: &'static str,
}

/// Where a program writes, and what it shows on the way.
#[derive(Args, Clone, Debug)]
pub struct Output {
    /// Folder for telemetry.csv and report.html [default: out/ and the program's name]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Replace telemetry.csv and report.html in the folder even if they are from elsewhere
    #[arg(long)]
    pub force: bool,

    /// Write telemetry as Parquet, too
    #[arg(long)]
    pub parquet: bool,

    /// Write telemetry as MCAP, too
    #[arg(long)]
    pub mcap: bool,

    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
}

/// The number of an option that is to be within `range`.
///
/// # Errors
///
/// If `text` is no number, or not within the range: the text of the option and the range.
pub fn number_within(text: &str, range: &RangeInclusive<f32>) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if range.contains(&number) {
        Ok(number)
    } else {
        Err(format!("{text} is not in {}..={}", range.start(), range.end()))
    }
}

impl Program {
    /// Drives through `scene`, writes its telemetry and report, and prints the summary.
    ///
    /// # Errors
    ///
    /// If the folder or a file cannot be written, or a step fails.
    pub fn drive<T: Driven>(&self, scene: Scene<T>, output: &Output) -> Result<()> {
        self.drive_wheels(scene, output, self.description, &CAR_WHEELS)
    }

    /// Drives a vehicle with these names of its wheels, by number, and reports it under this
    /// description.
    ///
    /// # Errors
    ///
    /// As of [`drive`](Self::drive).
    pub fn drive_wheels<T: Driven>(
        &self,
        scene: Scene<T>,
        output: &Output,
        description: &str,
        wheels: &[&str],
    ) -> Result<()> {
        let folder = self.folder(output)?;
        let bar = progress(scene.schedule.step_count(), output.quiet);
        let start = Instant::now();
        let figures = scene.driven.figures(&scene.world);
        let telemetry = scene.record(wheels, || bar.inc(1))?;
        let rate = telemetry.len() as f64 / start.elapsed().as_secs_f64();
        bar.finish_and_clear();

        let report = drive_report(self.title, description, &telemetry, &figures)?;
        let summary = self.summary(DriveSummary::of(&telemetry)?.figures(), rate);
        self.write(&folder, &telemetry, &report, summary)
    }

    /// The folder that `output` says.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn folder(&self, output: &Output) -> Result<OutputFolder> {
        self.folder_with(output, &[])
    }

    /// The folder that `output` says, for further files of these names, too.
    ///
    /// # Errors
    ///
    /// As of [`folder`](Self::folder).
    pub fn folder_with(&self, output: &Output, files: &[String]) -> Result<OutputFolder> {
        let default_folder = || PathBuf::from("out").join(self.name);
        let path = output.out.clone().unwrap_or_else(default_folder);
        let mut results = vec![TELEMETRY, REPORT];
        results.extend(output.parquet.then_some(PARQUET));
        results.extend(output.mcap.then_some(MCAP));
        results.extend(files.iter().map(String::as_str));
        OutputFolder::create_for(&results, path, output.force)
    }

    /// Writes telemetry and report, and prints the summary.
    ///
    /// # Errors
    ///
    /// If a file cannot be written, or the summary.
    pub fn write(
        &self,
        folder: &OutputFolder,
        telemetry: &Telemetry,
        report: &Report,
        summary: SummaryTable,
    ) -> Result<()> {
        self.write_and(folder, telemetry, report, || summary.print())
    }

    /// Writes telemetry and `report`, and prints all tables of the report.
    ///
    /// # Errors
    ///
    /// If a file cannot be written, or a table.
    pub fn write_with_tables(
        &self,
        folder: &OutputFolder,
        telemetry: &Telemetry,
        report: &Report,
    ) -> Result<()> {
        let print = || {
            let summary = report.summary_rows();
            if 0 < summary.len() {
                let table = SummaryTable::new(self.title);
                summary
                    .fold(table, |table, [label, value, unit]| table.row(label, value, unit))
                    .print()?;
            }
            report.tables().try_for_each(print_table)
        };
        self.write_and(folder, telemetry, report, print)
    }

    fn write_and(
        &self,
        folder: &OutputFolder,
        telemetry: &Telemetry,
        report: &Report,
        print: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let tables = folder.write_telemetry(TELEMETRY, telemetry)?;
        let html = folder.path(REPORT);
        report.write(&html)?;
        print()?;
        for path in tables {
            say(format_args!("telemetry: {}", path.display()))?;
        }
        say(format_args!("report:    {}", html.display()))
    }

    /// The key figures, and how many steps were simulated per second.
    pub fn summary(&self, figures: Vec<Figure>, rate: f64) -> SummaryTable {
        let table = SummaryTable::new(self.title);
        let add = |table: SummaryTable, figure: Figure| {
            table.row(figure.label, figure.value, figure.unit)
        };
        let table = figures.into_iter().fold(table, add);
        table.row("speed of simulation", format!("{rate:.0}"), "steps/s")
    }
}
