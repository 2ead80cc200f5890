//! Drivelines solved by others: `tests/data/trees`, or the folder in `VEHICLE_TREES_DIR`.
//!
//! Every file has one JSON object per line: a tree, its start and its end of one step. A file whose
//! elements this reader does not know fails.

mod case;
mod check;
#[path = "../common/mod.rs"]
mod common;

use anyhow::Result;
use check::check_file;
use common::records;

#[test]
fn trees_are_solved_as_others_solve_them() -> Result<()> {
    let mut faults = Vec::new();
    for path in records("trees", "VEHICLE_TREES_DIR")? {
        let tally = check_file(&path)?;
        let mean = tally.passes as f64 / (3 * tally.cases) as f64;
        println!(
            "{:24} {:5} cases, {:6} numbers, worst {:.2e} of the tolerance; passes: mean {:.2}, most \
             {}; one at a time: {}",
            path.file_name().unwrap_or_default().to_string_lossy(),
            tally.cases,
            tally.compared,
            tally.worst,
            mean,
            tally.most_passes,
            tally.followed,
        );
        faults.extend(tally.faults);
    }
    let shown: Vec<_> = faults.iter().take(40).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), shown.join("\n"));
    Ok(())
}
