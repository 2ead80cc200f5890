//! What the tests of the libraries compare with records, as functions that tell how it came out.
//!
//! The comparisons themselves are those of the tests, in `vehicle-core/tests` and
//! `vehicle-drivetrain/tests`: their modules are compiled here once more.

// Tests use more of these modules.
#[allow(dead_code)]
mod drivelines;
mod drives;
mod formulas;
mod substeps;

#[path = "../../../vehicle-drivetrain/tests/readers/mod.rs"]
mod readers;
#[allow(dead_code)]
#[path = "../../../vehicle-drivetrain/tests/replay/mod.rs"]
mod replay;
#[path = "../../../vehicle-drivetrain/tests/support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub use drivelines::{dense_drivelines, drivelines};
pub use drives::{DriveTally, drives};
pub use formulas::formulas;
pub use substeps::substeps;

/// How far formulas of ours are from a file of records.
#[derive(Clone, Debug, Default)]
pub struct FileTally {
    /// Its name, without extension.
    pub name: String,
    /// Number of cases.
    pub cases: usize,
    /// Number of compared numbers.
    pub numbers: usize,
    /// Largest error over the error that is allowed (dimensionless).
    pub worst: f64,
    /// Fields that are farther off than they may be, each with how far.
    pub faults: Vec<String>,
}

/// The folder `name` of records, from the root of the project.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// The files of one JSON object per line in a folder, sorted.
fn json_lines(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    Ok(files)
}

/// The name of a file without its extension.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
