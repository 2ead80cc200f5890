//! Stance: how wheels stand in their suspensions, in the axes of the body.

use serde::{Deserialize, Serialize};

use super::SuspensionCompliance;
use super::force::local_force_arm;
use crate::frame::Frame;
use crate::math::Vec3;
use crate::math::lanes::{Mask, Number, RigidPose, Vector, lanes_by_field};
use crate::mount::SuspensionParams;
use crate::mount::{SteeredPose, WheelAngles, WheelAxes, WheelMount};

/// How a wheel stands in its suspension, as it is steered, whatever its rotation.
///
/// It follows from the suspension, the steer angle and the compliance, and is kept because most
/// suspensions stand the same through a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelStance<V: Vector = Vec3> {
    /// Steer angle (rad).
    pub(crate) steer: V::Number,
    /// Pose of the wheel at full compression, without compliance (m, body frame).
    pub(crate) compressed_pose: V::Pose,
    /// From the center of mass to where the suspension force acts (m, body frame).
    pub(crate) suspension_arm: V,
    /// From the center of mass to where the tire force acts (m, body frame).
    pub(crate) tire_arm: V,
    /// Axes of the wheel (body frame).
    pub(crate) axes: WheelAxes<V>,
}

lanes_by_field!(WheelStance<Vector> {
    steer,
    compressed_pose,
    suspension_arm,
    tire_arm,
    axes,
});

impl<V: Vector> WheelStance<V> {
    /// A wheel that is steered by `steer` (rad), in a suspension without toe and camber whose
    /// forces act at its center.
    #[inline]
    pub(crate) fn steered(
        suspension: &SuspensionParams<V>,
        steer: V::Number,
        frame: &Frame,
    ) -> Self {
        Self::of(&SteeredPose::new(suspension, steer, frame), frame)
    }

    /// A wheel that is known to be `steered`, in a suspension without toe and camber.
    #[inline]
    pub(crate) fn of(steered: &SteeredPose<V>, frame: &Frame) -> Self {
        let SteeredPose { steer, pose } = *steered;
        let axes = WheelAxes::oriented(pose.rotation(), frame);
        Self { steer, compressed_pose: pose, axes, ..Self::default() }
    }

    /// This wheel, in a suspension without toe and camber whose forces act at its center.
    #[inline]
    pub(crate) fn without_compliance(&self, frame: &Frame) -> Self {
        Self::of(&SteeredPose { steer: self.steer, pose: self.compressed_pose }, frame)
    }

    /// This wheel in a suspension that gives way by `compliance`.
    #[inline(always)]
    pub(crate) fn with(
        self,
        suspension: &SuspensionParams<V>,
        compliance: &SuspensionCompliance<V>,
        frame: &Frame,
    ) -> Self {
        Self {
            suspension_arm: local_force_arm(suspension, compliance.suspension_force_point),
            tire_arm: local_force_arm(suspension, compliance.tire_force_point),
            axes: self.axes_with(suspension, compliance, frame),
            ..self
        }
    }

    #[inline(always)]
    fn axes_with(
        &self,
        suspension: &SuspensionParams<V>,
        compliance: &SuspensionCompliance<V>,
        frame: &Frame,
    ) -> WheelAxes<V> {
        let SuspensionCompliance { toe, camber, .. } = *compliance;
        let is_zero = toe.is_equal(Number::zero()) & camber.is_equal(Number::zero());
        if !(!is_zero).any() {
            return self.axes;
        }
        let angles = WheelAngles { steer: self.steer, toe, camber, rotation: Number::zero() };
        let orientation =
            WheelMount::new(suspension, &angles, frame).unspun_orientation(suspension);
        WheelAxes::oriented(orientation, frame)
    }
}
