//! How a wheel turns, and what of it that depends on.

use serde::{Deserialize, Serialize};

use crate::math::lanes::{Number, Vector, lanes_by_field};
use crate::math::{Real, Vec3};

/// What of a wheel decides how it turns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurningWheel<N = Real> {
    /// Radius (m).
    pub radius: N,
    /// Moment of inertia about the axle (kg·m²).
    pub inertia: N,
    /// Torque per rotation speed that slows the wheel (N·m·s).
    pub damping_rate: N,
}

lanes_by_field!(TurningWheel<Number> { radius, inertia, damping_rate });

/// Rotation and pose of a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "V::Number: Serialize, V::Pose: Serialize, <V::Number as Number>::Mask: Serialize",
    deserialize = "V::Number: Deserialize<'de>, V::Pose: Deserialize<'de>, \
                   <V::Number as Number>::Mask: Deserialize<'de>"
))]
pub struct WheelState<V: Vector = Vec3> {
    /// Rotation speed, positive rolls forward (rad/s).
    pub rotation_speed: V::Number,
    /// Rotation speed that turned the wheel for the eye (rad/s), see [`displayed_rotation_speed`](crate::wheel::displayed_rotation_speed).
    pub displayed_rotation_speed: V::Number,
    /// Angle about the axle, in (-2π, 2π) (rad).
    pub rotation_angle: V::Number,
    /// Pose of the wheel (m, body frame).
    pub local_pose: V::Pose,
    /// Whether the vehicle has lost the wheel: it does not turn, and there is no road under it.
    #[serde(default)]
    pub is_detached: <V::Number as Number>::Mask,
}

lanes_by_field!(WheelState<Vector> {
    rotation_speed,
    displayed_rotation_speed,
    rotation_angle,
    local_pose,
    is_detached,
});
