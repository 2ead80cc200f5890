//! What a snippet shows on the console: lines, progress, a table, errors.

use std::fmt::Display;
use std::io::{self, Write, stdout};
use std::process::ExitCode;

use anyhow::{Error, Result};
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};

/// Runs a snippet; an error is printed with its causes. That whoever reads the output has seen
/// enough, as `head` does after some lines, is none.
pub fn run(snippet: impl FnOnce() -> Result<()>) -> ExitCode {
    match snippet() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_unread(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether `error` is that nobody reads any more what [`say`] prints.
fn is_unread(error: &Error) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints `text` and ends the line.
///
/// # Errors
///
/// If it cannot be written, also if nobody reads it any more: [`run`] ends the snippet in silence
/// then.
pub fn say(text: impl Display) -> Result<()> {
    Ok(writeln!(stdout(), "{text}")?)
}

/// A progress bar of `steps`, on the terminal if there is one.
pub fn progress(steps: usize, is_quiet: bool) -> ProgressBar {
    if is_quiet {
        return ProgressBar::hidden();
    }
    let template = "{bar:40} {pos}/{len} steps  {per_sec}  {eta} left";
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(steps as u64).with_style(style)
}

/// A table of a page on the console, with its title as the heading of its first column.
///
/// # Errors
///
/// As of [`say`].
pub fn print_table(table: &crate::report::Table) -> Result<()> {
    let mut printed = Table::new();
    let header = table.header.iter().enumerate();
    let header = header.map(|(index, text)| if index == 0 { &table.title } else { text });
    printed.load_preset(presets::UTF8_FULL_CONDENSED).set_header(header);
    for row in &table.rows {
        printed.add_row(row);
    }
    for column in printed.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    say(printed)
}

/// A table of labels, values and units.
#[derive(Debug)]
pub struct SummaryTable(Table);

impl SummaryTable {
    /// An empty table under a title.
    pub fn new(title: &str) -> Self {
        let mut table = Table::new();
        table.load_preset(presets::UTF8_FULL_CONDENSED).set_header([title, "", ""]);
        Self(table)
    }

    /// Adds a row.
    pub fn row(mut self, label: impl Into<String>, value: impl Into<String>, unit: &str) -> Self {
        self.0.add_row([label.into(), value.into(), unit.to_owned()]);
        self
    }

    /// Prints the table.
    ///
    /// # Errors
    ///
    /// As of [`say`].
    pub fn print(mut self) -> Result<()> {
        if let Some(values) = self.0.column_mut(1) {
            values.set_cell_alignment(CellAlignment::Right);
        }
        say(self.0)
    }
}
