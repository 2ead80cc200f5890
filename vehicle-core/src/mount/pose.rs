//! Pose of a wheel in the body, as it is steered, cambered, compressed and turned.

use serde::{Deserialize, Serialize};

use super::{RoadWheel, SuspensionParams, WheelTravel};
use crate::body::RigidBodyState;
use crate::frame::Frame;
use crate::math::lanes::{Number, RigidPose, Vector, lanes_by_field};
use crate::math::{Real, Vec3, multiply, rotate, rotate_by_matrix};

/// Angles of a wheel in its suspension.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelAngles<N = Real> {
    /// Steer angle (rad), positive to the left.
    pub steer: N,
    /// Toe angle (rad), positive to the left.
    pub toe: N,
    /// Camber angle (rad), about the longitudinal axis.
    pub camber: N,
    /// Rotation about the axle (rad).
    pub rotation: N,
}

/// Orientation of a wheel in the body.
///
/// ```text
/// q = q_suspension R(camber, 0, steer + toe) q_wheel R(0, rotation, 0)
/// ```
#[inline]
pub fn wheel_local_orientation<V: Vector>(
    suspension: &SuspensionParams<V>,
    angles: &WheelAngles<V::Number>,
    frame: &Frame,
) -> V::Rotation {
    WheelMount::new(suspension, angles, frame).orientation(suspension, angles.rotation, frame)
}

/// How a wheel is steered and cambered in its suspension, whatever its rotation and jounce.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WheelMount<V: Vector> {
    /// Orientation of the mount in the body.
    rotation: V::Rotation,
    /// From the mount to the center of the wheel (m, body frame).
    arm: V,
}

impl<V: Vector> WheelMount<V> {
    /// The mount at `angles`, but for the rotation.
    #[inline]
    pub(crate) fn new(
        suspension: &SuspensionParams<V>,
        angles: &WheelAngles<V::Number>,
        frame: &Frame,
    ) -> Self {
        let turn = frame.rotation(angles.camber, Number::zero(), angles.steer + angles.toe);
        let rotation = multiply(suspension.attachment.rotation(), turn);
        Self { rotation, arm: rotate(rotation, suspension.wheel_attachment.translation()) }
    }

    /// The mount of a wheel that is steered by `steer` (rad), without toe and camber.
    #[inline]
    pub(crate) fn steered(
        suspension: &SuspensionParams<V>,
        steer: V::Number,
        frame: &Frame,
    ) -> Self {
        Self::new(suspension, &WheelAngles { steer, ..WheelAngles::default() }, frame)
    }

    /// Pose in the body of the wheel at full compression, without its rotation (m).
    #[inline]
    pub(crate) fn compressed_pose(&self, suspension: &SuspensionParams<V>) -> V::Pose {
        let center = self.center(suspension, suspension.travel_distance);
        V::Pose::new(center, self.unspun_orientation(suspension))
    }

    /// Orientation in the body of the wheel, turned by `rotation` (rad) about its axle.
    #[inline]
    fn orientation(
        &self,
        suspension: &SuspensionParams<V>,
        rotation: V::Number,
        frame: &Frame,
    ) -> V::Rotation {
        let spun = multiply(suspension.wheel_attachment.rotation(), frame.pitch(rotation));
        multiply(self.rotation, spun)
    }

    /// Orientation in the body of the wheel without its rotation.
    #[inline]
    pub(crate) fn unspun_orientation(&self, suspension: &SuspensionParams<V>) -> V::Rotation {
        multiply(self.rotation, suspension.wheel_attachment.rotation())
    }

    /// Center of the wheel at `jounce` (m) (m, body frame).
    #[inline]
    fn center(&self, suspension: &SuspensionParams<V>, jounce: V::Number) -> V {
        let extension = suspension.travel_distance - jounce;
        let mount = suspension.attachment.translation() + suspension.travel_direction * extension;
        self.arm + mount
    }

    /// Pose in the body of the wheel at `jounce` (m), turned by `rotation` (rad) about its axle.
    #[inline]
    pub(crate) fn pose(
        &self,
        suspension: &SuspensionParams<V>,
        jounce: V::Number,
        rotation: V::Number,
        frame: &Frame,
    ) -> V::Pose {
        let orientation = self.orientation(suspension, rotation, frame);
        V::Pose::new(self.center(suspension, jounce), orientation)
    }
}

/// A wheel as it is steered in its suspension, at full compression and without compliance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SteeredPose<V: Vector> {
    /// Steer angle (rad).
    pub(crate) steer: V::Number,
    /// Pose of the wheel without its rotation (m, body frame).
    pub(crate) pose: V::Pose,
}

impl<V: Vector> SteeredPose<V> {
    /// A wheel that is steered by `steer` (rad).
    #[inline]
    pub(crate) fn new(suspension: &SuspensionParams<V>, steer: V::Number, frame: &Frame) -> Self {
        let mount = WheelMount::steered(suspension, steer, frame);
        Self { steer, pose: mount.compressed_pose(suspension) }
    }
}

/// Unit vectors of a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct WheelAxes<V: Vector = Vec3> {
    /// Along the axle, to the left.
    pub(crate) lateral: V,
    /// Forward, across the axle.
    pub(crate) longitudinal: V,
}

lanes_by_field!(WheelAxes<Vector> { lateral, longitudinal });

impl<V: Vector> WheelAxes<V> {
    /// The axes of a wheel of this orientation.
    #[inline]
    pub(crate) fn oriented(orientation: V::Rotation, frame: &Frame) -> Self {
        let along = |axis| rotate_by_matrix(orientation, V::splat(axis));
        Self { lateral: along(frame.lateral()), longitudinal: along(frame.longitudinal()) }
    }

    /// Axes in `body` as they are in the world.
    #[inline]
    pub(crate) fn in_world(&self, body: &RigidBodyState<V>) -> Self {
        let turn = |axis| rotate_by_matrix(body.pose.rotation(), axis);
        Self { lateral: turn(self.lateral), longitudinal: turn(self.longitudinal) }
    }
}

/// Pose of a wheel at `jounce` (m) in the body.
///
/// ```text
/// pose = (p_suspension + t (D - j), q_suspension R(camber, 0, steer + toe)) (p_wheel, q_wheel R(0, rotation, 0))
/// ```
///
/// with `t` the travel direction and `D` the travel distance.
#[inline]
pub fn wheel_local_pose<V: Vector>(
    suspension: &SuspensionParams<V>,
    jounce: V::Number,
    angles: &WheelAngles<V::Number>,
    frame: &Frame,
) -> V::Pose {
    let mount = WheelMount::new(suspension, angles, frame);
    mount.pose(suspension, jounce, angles.rotation, frame)
}

/// The path of a wheel steered by `steer_angle` (rad).
#[inline]
pub fn wheel_travel(
    suspension: &SuspensionParams,
    wheel: impl Into<RoadWheel>,
    body: &RigidBodyState,
    steer_angle: Real,
    frame: &Frame,
) -> WheelTravel {
    let SteeredPose { pose, .. } = SteeredPose::new(suspension, steer_angle, frame);
    WheelTravel::of_body(suspension, &wheel.into(), body, &pose)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{PI, Pose};

    const SUSPENSION: SuspensionParams = SuspensionParams {
        attachment: Pose::IDENTITY,
        travel_direction: Vec3::NEG_Z,
        travel_distance: 0.2,
        wheel_attachment: Pose::IDENTITY,
    };

    #[test]
    fn wheel_hangs_by_its_extension() {
        for (jounce, height) in [(0.2, 0.0), (0.0, -0.2), (0.05, -0.15)] {
            let pose = wheel_local_pose(&SUSPENSION, jounce, &WheelAngles::default(), &Frame::Z_UP);
            assert!((pose.translation.z - height).abs() < 1e-7, "jounce {jounce}: {pose:?}");
        }
    }

    #[test]
    fn positive_rotation_rolls_forward() {
        let angles = WheelAngles { rotation: PI / 2.0, ..WheelAngles::default() };
        let orientation = wheel_local_orientation(&SUSPENSION, &angles, &Frame::Z_UP);
        assert!((orientation * Vec3::Z).distance(Vec3::X) < 1e-6, "the top moves forward");
    }
}
