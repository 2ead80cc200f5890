//! Drivelines beside solutions by others, and random ones beside a dense system.

#[path = "../../../vehicle-core/tests/driveline_trees/case.rs"]
mod case;
#[path = "../../../vehicle-core/tests/driveline_trees/check.rs"]
mod check;
#[path = "../../../vehicle-core/tests/driveline_random/check.rs"]
mod comparison;
#[path = "../../../vehicle-core/tests/driveline_random/dense.rs"]
mod dense;
#[path = "../../../vehicle-core/tests/driveline_random/trees.rs"]
mod trees;

use anyhow::Result;

use crate::{FileTally, folder, json_lines, stem};

/// Solves all recorded drivelines, each from three roots, a tally per file.
///
/// # Errors
///
/// If the records cannot be read.
pub fn drivelines() -> Result<Vec<FileTally>> {
    let tally = |path: std::path::PathBuf| {
        let found = check::check_file(&path)?;
        Ok(FileTally {
            name: stem(&path),
            cases: found.cases,
            numbers: found.compared,
            worst: found.worst,
            faults: found.faults,
        })
    };
    json_lines(&folder("vehicle-core/tests/data/trees"))?.into_iter().map(tally).collect()
}

/// Solves the first `count` random drivelines by passes and as dense systems. Returns the largest
/// errors of speeds, torques and momentum, as parts of the largest, and how many the dense system
/// found on its own.
///
/// # Errors
///
/// If one of them cannot be solved.
pub fn dense_drivelines(count: u64) -> Result<([f64; 3], u64)> {
    let (mut worst, mut independent) = ([0.0_f64; 3], 0);
    for seed in 0..count {
        let found = comparison::compare(seed).map_err(anyhow::Error::msg)?;
        worst = [0, 1, 2].map(|index| worst[index].max(found.errors[index]));
        independent += u64::from(found.is_independent);
    }
    Ok((worst, independent))
}
