//! Values that follow others in time, in steps of any length, and what comes in over a speed.

use vehicle_core::math::{Clamped, Real, exp};

/// Wheelbase of a usual car (m).
const USUAL_WHEEL_BASE: Real = 2.6;
/// Part of a speed by which something comes in below and above it (dimensionless).
const FADE: Real = 0.2;

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

/// Factor of speeds of a usual car for a vehicle of this `wheel_base` (m), dimensionless: a smaller
/// one does all at less speed, and sooner. A larger one is driven as cars are.
///
/// ```text
/// √(L / 2.6 m),   at most 1
/// ```
pub(crate) fn pace_of(wheel_base: Real) -> Real {
    (wheel_base.max(0.01) / USUAL_WHEEL_BASE).sqrt().min(1.0)
}

/// Part of what comes in around the speed `middle`, above 0, that there is at `speed` (m/s), in
/// [0, 1]: none at 0.8 of it, all at 1.2 of it.
pub(crate) fn faded_in(speed: Real, middle: Real) -> Real {
    ((speed / middle - (1.0 - FADE)) / (2.0 * FADE)).clamped(0.0, 1.0)
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
    fn what_fades_in_is_there_at_a_fifth_more_and_gone_at_a_fifth_less() {
        for (speed, expected) in [(-9.0, 0.0), (3.9, 0.0), (5.0, 0.5), (6.1, 1.0), (60.0, 1.0)] {
            let found = faded_in(speed, 5.0);
            assert!((found - expected).abs() < 1e-6, "{found} at {speed} m/s");
        }
        assert_eq!(pace_of(2.6), 1.0);
        assert_eq!(pace_of(5.0), 1.0);
        assert!((pace_of(0.26) - 0.316).abs() < 1e-3);
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
