//! Values that follow others in time, in steps of any length.

use vehicle_core::math::{Real, exp};

/// Part of the way to its target that a first-order lag of `time_constant` (s) goes in `dt` (s).
///
/// ```text
/// 1 - exp(-dt/τ)
/// ```
pub(crate) fn lag_share(dt: Real, time_constant: Real) -> Real {
    if 0.0 < time_constant { 1.0 - exp(-dt / time_constant) } else { 1.0 }
}

/// `value` moved towards `target` by at most `change`, and not beyond it.
pub(crate) fn approached(value: Real, target: Real, change: Real) -> Real {
    let difference = target - value;
    if difference.abs() <= change { target } else { value + change.copysign(difference) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_approach_without_passing() {
        assert_eq!(approached(0.0, 1.0, 0.25), 0.25);
        assert_eq!(approached(0.0, -1.0, 0.25), -0.25);
        assert_eq!(approached(0.9, 1.0, 0.25), 1.0);
    }

    #[test]
    fn lags_go_the_same_way_in_any_steps() {
        let mut value = 0.0;
        for _ in 0..8 {
            value += (1.0 - value) * lag_share(0.125, 0.5);
        }
        let once = lag_share(1.0, 0.5);
        assert!((value - once).abs() < 1e-5, "{value} in eight steps, {once} in one");
    }
}
