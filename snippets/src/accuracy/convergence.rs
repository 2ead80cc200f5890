//! Chapter of convergence.

use anyhow::Result;

use super::check::Chapter;

/// Convergence.
pub(super) fn chapter() -> Result<Chapter> {
    Ok(Chapter { title: "Convergence".into(), summary: String::new(), sections: Vec::new() })
}
