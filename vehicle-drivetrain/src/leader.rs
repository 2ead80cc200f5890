//! The vehicle ahead, as drivers and a cruise control see it.

use serde::{Deserialize, Serialize};
use vehicle_core::math::Real;

/// The vehicle ahead on the same lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Leader {
    /// From the own front to its rear (m).
    pub gap: Real,
    /// Speed of the leader along the lane (m/s).
    pub speed: Real,
}
