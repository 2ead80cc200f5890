//! Substeps computed by others: `tests/data/ride`, or the folder in `VEHICLE_RIDE_DIR`.
//!
//! Every `.jsonl` file has one substep per line. A line that this reader does not know fails.

use anyhow::{Result, ensure};

use super::common::records;
use super::comparison::{Tally, check_file};

#[test]
fn substeps_are_those_of_the_reference() -> Result<()> {
    for path in records("ride", "VEHICLE_RIDE_DIR")? {
        let Tally { families, numbers, worst, faults } = check_file(&path)?;
        ensure!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
        println!(
            "{}: {} substeps of {} families, {numbers} numbers, nothing skipped, worst errors {:.1e} (f64) {:.1e} \
             (f32) {:.1e} (f32 in lanes)",
            path.file_name().unwrap_or_default().display(),
            families.values().sum::<usize>(),
            families.len(),
            worst[0],
            worst[1],
            worst[2],
        );
    }
    Ok(())
}
