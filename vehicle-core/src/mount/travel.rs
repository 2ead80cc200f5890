//! How a wheel is mounted, and the path that it travels.

use super::{RoadWheel, wheel_reach};
use crate::body::RigidBodyState;
use crate::error::{Bound, LARGEST_VEHICLE, ParamCheck, SMALLEST_MAGNITUDE, Validate};
use crate::frame::Frame;
use crate::math::lanes::{Number, RigidPose, Vector, lanes_by_field};
#[cfg(test)]
use crate::math::{Pose, Quat};
use crate::math::{Real, Vec3, compose, multiply, rotate, transform_point};
use crate::plane::Plane;

/// Where a suspension is mounted and how far its wheel travels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SuspensionParams<V: Vector = Vec3> {
    /// Pose of the suspension at full compression (m, body frame).
    pub attachment: V::Pose,
    /// Unit vector from full compression to full droop (body frame).
    pub travel_direction: V,
    /// Distance from full compression to full droop (m).
    pub travel_distance: V::Number,
    /// Pose of the wheel (m, suspension frame).
    pub wheel_attachment: V::Pose,
}

impl<V: Vector> SuspensionParams<V> {
    /// Center of the wheel at full compression (m, body frame).
    #[inline]
    pub fn wheel_mount(&self) -> V {
        transform_point(&self.attachment, self.wheel_attachment.translation())
    }
}

lanes_by_field!(SuspensionParams<Vector> {
    attachment,
    travel_direction,
    travel_distance,
    wheel_attachment,
});

impl Validate for SuspensionParams {
    fn check(&self, check: &mut ParamCheck) {
        check.pose("attachment", &self.attachment);
        check.direction("travel_direction", self.travel_direction);
        let length = Bound::Within(SMALLEST_MAGNITUDE, LARGEST_VEHICLE);
        check.number("travel_distance", self.travel_distance, length);
        check.pose("wheel_attachment", &self.wheel_attachment);
        for (name, pose) in
            [("attachment", &self.attachment), ("wheel_attachment", &self.wheel_attachment)]
        {
            let name = format_args!("{name}.translation");
            check.vector_within(name, pose.translation, LARGEST_VEHICLE);
        }
    }
}

/// The path of a wheel from full compression to full droop, in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelTravel<V: Vector = Vec3> {
    /// Pose of the wheel at full compression, steered, without compliance (m).
    pub pose: V::Pose,
    /// Unit vector from full compression to full droop.
    pub direction: V,
    /// Distance from full compression to full droop (m).
    pub distance: V::Number,
    /// Radius of the wheel (m).
    pub radius: V::Number,
    /// Half of the wheel's width (m).
    pub half_width: V::Number,
    /// Radius of the wheel's shoulders (m).
    pub shoulder_radius: V::Number,
}

impl<V: Vector> WheelTravel<V> {
    /// The path of a `wheel` that is at `local_pose` (m, body frame) at full compression.
    #[inline]
    pub(crate) fn of_body(
        suspension: &SuspensionParams<V>,
        wheel: &RoadWheel<V::Number>,
        body: &RigidBodyState<V>,
        local_pose: &V::Pose,
    ) -> Self {
        let direction = body.direction(suspension.travel_direction);
        Self::with_pose(suspension, wheel, compose(&body.pose, local_pose), direction)
    }

    /// The path of a wheel, computed with the axes of `body`, for a stage that turns more by them:
    /// [`of_body`](Self::of_body) but for rounding.
    #[inline]
    pub(crate) fn along_axes(
        suspension: &SuspensionParams<V>,
        wheel: &RoadWheel<V::Number>,
        body: &RigidBodyState<V>,
        local_pose: &V::Pose,
    ) -> Self {
        let axes = body.axes();
        let center = body.pose.translation() + axes.turned(local_pose.translation());
        let rotation = multiply(body.pose.rotation(), local_pose.rotation());
        let direction = axes.turned(suspension.travel_direction);
        Self::with_pose(suspension, wheel, V::Pose::new(center, rotation), direction)
    }

    /// The path of a `wheel` that is at `pose` (m) at full compression and travels along
    /// `direction`.
    #[inline]
    fn with_pose(
        suspension: &SuspensionParams<V>,
        wheel: &RoadWheel<V::Number>,
        pose: V::Pose,
        direction: V,
    ) -> Self {
        Self {
            pose,
            direction,
            distance: suspension.travel_distance,
            radius: wheel.radius,
            half_width: wheel.half_width,
            shoulder_radius: wheel.shoulder_radius,
        }
    }

    /// Center of the wheel at full droop (m).
    #[inline]
    pub fn droop_center(&self) -> V {
        self.pose.translation() + self.direction * self.distance
    }

    /// Top of the wheel at full compression (m): where a ray down through the wheel starts.
    #[inline]
    pub fn ray_start(&self) -> V {
        self.pose.translation() - self.direction * self.radius
    }

    /// Distance from the top of the wheel at full compression to its bottom at full droop (m).
    #[inline]
    pub fn ray_length(&self) -> V::Number {
        self.distance + V::Number::splat(2.0) * self.radius
    }

    /// Bottom of the wheel at full droop (m).
    #[inline]
    pub fn ray_end(&self) -> V {
        self.bottom(V::Number::zero())
    }

    /// The part of the path below a hub that is `start` below full compression (m): a ray
    /// [starts](Self::ray_start) at this hub, and [ends](Self::ray_end) where it did.
    #[inline]
    pub fn below(&self, start: V::Number) -> Self {
        let shift = start + self.radius;
        let center = self.pose.translation() + self.direction * shift;
        let pose = V::Pose::new(center, self.pose.rotation());
        Self { pose, distance: self.distance - shift, ..*self }
    }

    /// The path of a wheel whose mount has been pushed along `way` (m).
    #[inline]
    pub(crate) fn moved(&self, way: V) -> Self {
        let pose = V::Pose::new(self.pose.translation() + way, self.pose.rotation());
        Self { pose, ..*self }
    }

    /// Unit vector along the wheel's axle, to the left.
    #[inline]
    pub fn axle(&self, frame: &Frame) -> V {
        rotate(self.pose.rotation(), V::splat(frame.lateral()))
    }

    /// Distance from the wheel's center to the plane of unit vector `normal` that it touches (m).
    ///
    /// ```text
    /// (R - ρ) |n - ℓ (n·ℓ)| + (H - ρ) |n·ℓ| + ρ
    /// ```
    ///
    /// with `ℓ` the direction of the axle, `H` half of the width and `ρ` the radius of the
    /// shoulders.
    #[inline]
    pub fn reach(&self, frame: &Frame, normal: V) -> V::Number {
        let sizes = [self.radius, self.half_width, self.shoulder_radius];
        wheel_reach(sizes, self.axle(frame), normal)
    }

    /// Bottom of the wheel at `jounce` (m), along the travel direction (m).
    #[inline]
    pub fn bottom(&self, jounce: V::Number) -> V {
        self.ray_start() + self.direction * (self.ray_length() - jounce)
    }
}

lanes_by_field!(WheelTravel<Vector> {
    pose,
    direction,
    distance,
    radius,
    half_width,
    shoulder_radius,
});

impl WheelTravel {
    /// Where the wheel at `jounce` (m) touches `plane` (m): its bottom, brought onto the plane.
    pub fn standing_point(&self, jounce: Real, plane: &Plane) -> Vec3 {
        let bottom = self.bottom(jounce);
        bottom - plane.normal * plane.distance(bottom)
    }
}

/// The path of an upright suspension's wheel whose center is at `height` (m) at full compression,
/// and which leans by `roll` (rad).
#[cfg(test)]
pub(crate) fn travel_of_a_wheel(height: Real, roll: Real) -> WheelTravel {
    WheelTravel {
        pose: Pose::from_parts(Vec3::Z * height, Quat::from_rotation_x(roll)),
        direction: Vec3::NEG_Z,
        distance: 0.2,
        radius: 0.3,
        half_width: 0.1,
        shoulder_radius: 0.0,
    }
}
