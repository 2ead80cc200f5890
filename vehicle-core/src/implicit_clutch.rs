//! Engine, clutch and wheels as one implicit system.

use serde::{Deserialize, Serialize};

use crate::math::Real;

/// A wheel that is forced to turn with others: a track, a differential that has locked.
///
/// ```text
/// ω = m Ω
/// ```
///
/// with `Ω` the speed of the wheel's group (rad/s).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WheelConstraint {
    /// The group, a number below the number of wheels.
    pub group: u8,
    /// The wheel's speed as a multiple m of the group's (dimensionless).
    pub speed_multiplier: Real,
}
