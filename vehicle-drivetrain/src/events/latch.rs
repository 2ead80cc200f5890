//! Latch: a truth that changes once the other has lasted.

use serde::{Deserialize, Serialize};
use vehicle_core::math::Real;

/// A truth that changes once its opposite has been seen for some time without a break. By that it
/// is the same in steps of any length, but for a step or two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latch {
    /// The truth.
    pub is_on: bool,
    /// Time for which its opposite has been seen (s).
    pub time: Real,
}

impl Latch {
    /// A latch on which nothing else has been seen.
    pub(super) fn new(is_on: bool) -> Self {
        Self { is_on, time: 0.0 }
    }

    /// Sees `is_seen` for `dt` (s). It goes on after the first of `times` (s), and off after the
    /// second one; whether it has changed.
    pub(super) fn follow(&mut self, is_seen: bool, times: [Real; 2], dt: Real) -> bool {
        if is_seen == self.is_on {
            self.time = 0.0;
            return false;
        }
        self.time += dt;
        let [on, off] = times;
        let has_lasted = if is_seen { on } else { off } <= self.time;
        if has_lasted {
            *self = Self::new(is_seen);
        }
        has_lasted
    }
}

/// The bound that counts: the first one to begin, the second one to go on.
pub(super) fn bound(latch: &Latch, [begin, end]: [Real; 2]) -> Real {
    if latch.is_on { end } else { begin }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_changes_nothing_and_what_lasts_changes_once() {
        for dt in [1.0 / 30.0, 1.0 / 240.0] {
            let mut latch = Latch::default();
            let mut changes = Vec::new();
            let mut time = 0.0;
            while time < 1.0 {
                let is_seen = (0.1..0.15).contains(&time) || (0.3..0.6).contains(&time);
                time += dt;
                if latch.follow(is_seen, [0.1, 0.2], dt) {
                    changes.push(time);
                }
            }
            assert_eq!(changes.len(), 2, "{changes:?} in steps of {dt} s");
            for (change, expected) in changes.iter().zip([0.4, 0.8]) {
                assert!((change - expected).abs() <= 2.01 * dt, "{change} s, not {expected} s");
            }
        }
    }
}
