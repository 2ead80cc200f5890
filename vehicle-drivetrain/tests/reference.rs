//! Our functions against recorded inputs and outputs of the reference implementation.
//!
//! `VEHICLE_REFERENCE_DIR` names another folder of files of the same format. `--nocapture` shows a
//! line per file: cases, fields, and the worst error over its tolerance.

mod readers;
mod support;

use anyhow::Result;
use support::vectors;

#[test]
fn our_functions_reproduce_the_recorded_outputs() -> Result<()> {
    let (folder, tolerances) = vectors::folder()?;
    vectors::check(&folder, &tolerances, readers::READERS, readers::WITHOUT_COUNTERPART).finish();
    Ok(())
}
