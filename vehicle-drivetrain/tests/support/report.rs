//! What comes of checking a folder of recorded inputs and outputs.

use std::collections::BTreeMap;
use std::fmt;

/// Failures printed per file.
const MAX_FAILURES_PRINTED: usize = 5;

/// The result for one file.
#[derive(Clone, Debug, Default)]
pub struct FileReport {
    /// File name without extension.
    pub name: String,
    /// Number of cases read.
    pub cases: usize,
    /// Number of compared fields.
    pub fields: usize,
    /// Largest error over tolerance.
    pub worst: f64,
    /// Line and path of that error.
    pub worst_at: String,
    /// One message per case that failed.
    pub failures: Vec<String>,
    /// Number of cases per quirk (field, reason).
    pub quirks: BTreeMap<(String, &'static str), usize>,
}

/// The result for a folder; `Display` prints the table and the failures.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// One report per file that has a reader.
    pub files: Vec<FileReport>,
    /// Files without a reader.
    pub skipped: Vec<String>,
    /// Files that test nothing that we have, and why.
    pub without_counterpart: Vec<(String, &'static str)>,
    /// Readers without a file.
    pub idle: Vec<String>,
    /// What is wrong with the folder as a whole.
    pub errors: Vec<String>,
}

impl Report {
    /// Whether nothing failed.
    pub fn passed(&self) -> bool {
        self.errors.is_empty() && self.files.iter().all(|file| file.failures.is_empty())
    }

    /// Prints the report and panics if anything failed.
    ///
    /// The table of a test that passes shows with `cargo test -- --nocapture`.
    pub fn finish(&self) {
        println!("{self}");
        let failed = self.files.iter().filter(|file| !file.failures.is_empty()).count();
        assert!(
            self.passed(),
            "{failed} files failed, {} errors: see the report above",
            self.errors.len()
        );
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<52} {:>5} {:>7}  worst error / tolerance", "file", "cases", "fields")?;
        for file in &self.files {
            let FileReport { name, cases, fields, worst, worst_at, .. } = file;
            let verdict = if file.failures.is_empty() { "" } else { "  FAILED" };
            writeln!(f, "{name:<52} {cases:>5} {fields:>7}  {worst:.3} {worst_at}{verdict}")?;
        }
        writeln!(f, "skipped, no reader: {}", list(&self.skipped))?;
        for (name, reason) in &self.without_counterpart {
            writeln!(f, "has no counterpart: {name}: {reason}")?;
        }
        writeln!(f, "readers without a file: {}", list(&self.idle))?;
        writeln!(f, "known quirks: checked against the intent, not against the record")?;
        for file in &self.files {
            for ((field, reason), cases) in &file.quirks {
                writeln!(f, "  {} {field}: {reason}: {cases} of {} cases", file.name, file.cases)?;
            }
        }
        for error in &self.errors {
            writeln!(f, "ERROR {error}")?;
        }
        for file in &self.files {
            for failure in file.failures.iter().take(MAX_FAILURES_PRINTED) {
                writeln!(f, "FAILED {failure}")?;
            }
            if MAX_FAILURES_PRINTED < file.failures.len() {
                writeln!(f, "FAILED {}.jsonl: {} cases in all", file.name, file.failures.len())?;
            }
        }
        Ok(())
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
