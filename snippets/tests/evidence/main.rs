//! What other simulations have published, and what ours does.

mod tire_files;

use anyhow::Result;
use snippets::evidence;

/// Every number is within its bound; with `--nocapture` they are printed.
#[test]
fn published_runs_are_met() -> Result<()> {
    let rows = evidence::rows()?;
    let mut beyond = Vec::new();
    for row in &rows {
        let line = format!(
            "{}: {} {:.4} {}, published {:.4}: {:+.2} % of {:.1} %",
            row.subject,
            row.quantity,
            row.ours,
            row.unit,
            row.expected,
            100.0 * row.deviation,
            100.0 * row.bound
        );
        println!("{line}");
        if !row.is_within() {
            beyond.push(line);
        }
    }
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
    assert!(18 <= rows.len(), "{}", rows.len());
    Ok(())
}
