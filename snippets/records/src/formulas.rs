//! Functions beside recorded inputs and outputs of the reference.

use anyhow::{Result, ensure};

use crate::readers::{READERS, WITHOUT_COUNTERPART};
use crate::support::report::FileReport;
use crate::support::tolerances::Tolerances;
use crate::support::vectors::check;
use crate::{FileTally, folder};

/// Compares our functions with all recorded inputs and outputs, a tally per file.
///
/// # Errors
///
/// If the records cannot be read, or some of them have no reader.
pub fn formulas() -> Result<Vec<FileTally>> {
    let folder = folder("vehicle-drivetrain/tests/data/vectors");
    let tolerances = Tolerances::load(&folder.join("tolerances.json"))?;
    let report = check(&folder, &tolerances, READERS, WITHOUT_COUNTERPART);
    ensure!(report.errors.is_empty(), "{}", report.errors.join("; "));
    ensure!(report.skipped.is_empty(), "no readers of {}", report.skipped.join(", "));
    let tally = |file: FileReport| FileTally {
        name: file.name,
        cases: file.cases,
        numbers: file.fields,
        worst: file.worst,
        faults: file.failures,
    };
    Ok(report.files.into_iter().map(tally).collect())
}
