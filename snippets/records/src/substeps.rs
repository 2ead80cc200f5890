//! Substeps of bodies on wheels with mass beside solutions of a model of its own.

// Tests use more of the model.
#![allow(dead_code)]

#[path = "../../../vehicle-core/tests/ride/case.rs"]
mod case;
#[path = "../../../vehicle-core/tests/ride/comparison.rs"]
mod comparison;
#[path = "../../../vehicle-core/tests/ride/model.rs"]
mod model;

use anyhow::{Context, Result};

use crate::{FileTally, folder, json_lines};

/// Computes all recorded substeps by numbers of three kinds, a tally per kind.
///
/// # Errors
///
/// If the records cannot be read.
pub fn substeps() -> Result<Vec<FileTally>> {
    let files = json_lines(&folder("vehicle-core/tests/data/ride"))?;
    let path = files.first().context("no recorded substeps")?;
    let found = comparison::check_file(path)?;
    let cases = found.families.values().sum();
    let tally = |((name, tolerance), worst): ((&str, f64), f64)| {
        let within = format!(" in {name}: ");
        let faults = found.faults.iter().filter(|fault| fault.contains(&within));
        FileTally {
            name: name.to_owned(),
            cases,
            numbers: found.numbers,
            worst: worst / tolerance,
            faults: faults.cloned().collect(),
        }
    };
    Ok(comparison::KINDS.into_iter().zip(found.worst).map(tally).collect())
}
