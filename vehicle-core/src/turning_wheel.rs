//! How a wheel turns.

use serde::{Deserialize, Serialize};

use crate::math::Real;
use crate::math::lanes::{Number, lanes_by_field};

/// Rotation of a wheel. Where it is, is a question of its suspension, see
/// [`ReadVehicle::wheel_local_pose`](crate::vehicle::ReadVehicle::wheel_local_pose).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "N: Serialize, N::Mask: Serialize",
    deserialize = "N: Deserialize<'de>, N::Mask: Deserialize<'de>"
))]
pub struct WheelState<N: Number = Real> {
    /// Rotation speed, positive rolls forward (rad/s).
    pub rotation_speed: N,
    /// Rotation speed that turned the wheel for the eye (rad/s), see
    /// [`displayed_rotation_speed`](crate::wheel::displayed_rotation_speed).
    pub displayed_rotation_speed: N,
    /// Angle about the axle, in (-2π, 2π) (rad).
    pub rotation_angle: N,
    /// Whether the vehicle has lost the wheel: it does not turn, and there is no road under it.
    #[serde(default)]
    pub is_detached: N::Mask,
}

lanes_by_field!(WheelState<Number> {
    rotation_speed,
    displayed_rotation_speed,
    rotation_angle,
    is_detached,
});
