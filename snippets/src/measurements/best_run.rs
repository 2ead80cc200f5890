//! The best of several runs, each at a constant pedal.

use anyhow::Result;
use rapier3d::prelude::Real;

/// Of the runs at these pedals that reach their end, the one with the least figure; the first one
/// of equal ones.
pub(super) fn best_run<Run>(
    pedals: &[Real],
    run_at: impl Fn(Real) -> Result<Option<Run>>,
    figure: impl Fn(&Run) -> Real,
) -> Result<Option<Run>> {
    let mut best: Option<Run> = None;
    for &pedal in pedals {
        let is_better = |run: &Run| best.as_ref().is_none_or(|best| figure(run) < figure(best));
        if let Some(run) = run_at(pedal)?.filter(is_better) {
            best = Some(run);
        }
    }
    Ok(best)
}
