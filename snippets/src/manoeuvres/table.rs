//! Columns of CSV files as inputs over time.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::check::{Check, unknown};

/// Largest numbers that a table may hold.
const LARGEST: f64 = 1e6;

/// Columns of a CSV file with a header: times and values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableSource {
    /// The file, beside the scenario's own unless it begins at the root.
    pub file: String,
    /// Name of the column of times (s).
    pub time: String,
    /// Name of the column of values.
    pub column: String,
    /// Names of further columns, such as that of the other wheel: values are then the means of a
    /// row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mean_with: Vec<String>,
    /// What values are multiplied by, such as 0.0174533 for degrees.
    #[serde(default = "one")]
    pub scale: f64,
    /// What is added to them afterwards.
    #[serde(default)]
    pub offset: f64,
    /// What was read of the file.
    #[serde(skip)]
    table: Table,
}

fn one() -> f64 {
    1.0
}

/// Points of time (s) and value; empty until they are read.
pub(super) type Table = Vec<[f64; 2]>;

impl TableSource {
    /// Checks all that it says, and what was read of the file, which may have `values` within these
    /// bounds.
    pub(super) fn check(&self, values: [f64; 2], check: &mut Check) {
        check.require("file", !self.file.is_empty(), "the name of a CSV file", "nothing");
        check.within("scale", self.scale, [-LARGEST, LARGEST]);
        check.within("offset", self.offset, [-LARGEST, LARGEST]);
        let [low, high] = values;
        if let Some([time, value]) =
            self.table.iter().find(|[_, value]| !(low..=high).contains(value))
        {
            let column = &self.column;
            let scaled = "times `scale` plus `offset`";
            let message = format!(
                "`{column}` {scaled} must be within [{low}, {high}], got {value} at {time} s"
            );
            check.fault("column", message);
        }
    }

    /// The points, once they are read.
    pub(super) fn points(&self) -> Option<&Table> {
        (!self.table.is_empty()).then_some(&self.table)
    }

    /// Reads the file, whose path begins in `folder`; faults are told to `check`.
    pub(super) fn load(&mut self, folder: &Path, check: &mut Check) {
        let path = folder.join(&self.file);
        match self.read(&path) {
            Ok(table) => self.table = table,
            Err((field, message)) => check.fault(field, format!("{}: {message}", path.display())),
        }
    }

    fn read(&self, path: &Path) -> Result<Table, (&'static str, String)> {
        let of_file = |error: csv::Error| ("file", error.to_string());
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .comment(Some(b'#'))
            .from_path(path)
            .map_err(of_file)?;
        let header = reader.headers().map_err(of_file)?.clone();
        let index = |field, name: &str| {
            let found = header.iter().position(|column| column == name);
            found.ok_or_else(|| (field, unknown("column", name, header.iter())))
        };
        let time_column = index("time", &self.time)?;
        let mut columns = vec![index("column", &self.column)?];
        for other in &self.mean_with {
            columns.push(index("mean_with", other)?);
        }
        let mut points = Table::new();
        for record in reader.records() {
            let record = record.map_err(of_file)?;
            let line = record.position().map_or(0, csv::Position::line);
            let number = |index: usize| {
                let text = record.get(index).unwrap_or_default();
                let number = text.parse::<f64>().ok().filter(|number| number.abs() <= LARGEST);
                let requirement = format!("a number within [-{LARGEST}, {LARGEST}]");
                number.ok_or_else(|| {
                    let name = &header[index];
                    ("file", format!("line {line}: `{name}` must be {requirement}, got `{text}`"))
                })
            };
            let time = number(time_column)?;
            let mut sum = 0.0;
            for &column in &columns {
                sum += number(column)?;
            }
            let value = sum / columns.len() as f64;
            if let Some([before, _]) = points.last().filter(|[before, _]| time <= *before) {
                let message = format!(
                    "line {line}: `{}` must be later than {before} s of the row before, got {time}",
                    self.time
                );
                return Err(("file", message));
            }
            points.push([time, self.scale * value + self.offset]);
        }
        if points.is_empty() {
            return Err(("file", "must have at least one row below its header, got none".into()));
        }
        Ok(points)
    }
}
