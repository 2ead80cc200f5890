//! Numbers of a mid-size saloon, for what a sheet does not say.

use crate::math::Real;

/// Natural frequency of the sprung mass (Hz).
pub(super) fn natural_frequency() -> Real {
    1.4
}

/// Damping by that which just lets nothing swing (dimensionless).
pub(super) fn damping_ratio() -> Real {
    0.4
}

/// Travel of a wheel (m).
pub(super) fn travel_distance() -> Real {
    0.25
}
