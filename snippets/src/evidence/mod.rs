//! Independent evidence: what other simulations have published of cars in manoeuvres, beside what
//! the same cars do here.
//!
//! Vehicles and manoeuvres are files in `snippets/evidence`, which the program `manoeuvre` drives,
//! too. [`rows`] compares them with the published values:
//!
//! ```no_run
//! for row in snippets::evidence::rows()? {
//!     println!("{}: {:.2} %", row.quantity, 100.0 * row.deviation);
//! }
//! # Ok::<(), anyhow::Error>(())
//! ```

mod commonroad;
mod commonroad_tire;
mod drive;
mod limited_linear_tire;
mod malibu;
mod row;

use anyhow::Result;

pub use self::commonroad_tire::CommonRoadTire;
pub use self::limited_linear_tire::LimitedLinearTire;
pub use self::row::EvidenceRow;

/// All comparisons, of one subject after the other.
///
/// # Errors
///
/// If a file has faults, or a step fails.
pub fn rows() -> Result<Vec<EvidenceRow>> {
    let mut rows = malibu::rows()?;
    rows.extend(commonroad::rows()?);
    Ok(rows)
}
