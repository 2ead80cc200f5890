//! Flat faces of shapes, on which wheels stand.

use rapier3d::prelude::*;
use vehicle_core::math::lanes::{Mask4, Number, Real4, Vec3x4, Vector as _};
use vehicle_core::road_geometry::Plane;

/// A flat face of a shape.
pub(super) struct FlatFace {
    /// In the world.
    pub(super) plane: Plane,
    /// A point of it (m).
    middle: Vector,
    /// Unit vectors along it, and how far it goes from there along them (m).
    sides: [(Vector, Real); 2],
}

impl FlatFace {
    /// The face of a half space at `pose`.
    pub(super) fn of_half_space(half_space: &HalfSpace, pose: &Pose) -> Self {
        let normal = pose.rotation * half_space.normal;
        Self {
            plane: Plane::through(pose.translation, normal),
            middle: pose.translation,
            sides: [(Vector::ZERO, Real::INFINITY); 2],
        }
    }

    /// The face of a box of these half extents (m) at `pose` whose outward normal in the frame of
    /// the box has the sign of `sign` along `axis`.
    pub(super) fn of_box(half_extents: Vector, pose: &Pose, axis: usize, sign: Real) -> Self {
        let normal = pose.rotation * (Vector::AXES[axis] * sign.signum());
        let middle = pose.translation + normal * half_extents[axis];
        let side = |next: usize| {
            let side = (axis + next) % 3;
            (pose.rotation * Vector::AXES[side], half_extents[side])
        };
        Self { plane: Plane::through(middle, normal), middle, sides: [side(1), side(2)] }
    }

    /// The face of `shape` at `pose` that looks most against `direction`; `None` if it has no flat
    /// faces, or has other parts.
    pub(super) fn towards(shape: &dyn Shape, pose: &Pose, direction: Vector) -> Option<Self> {
        if let Some(half_space) = shape.as_halfspace() {
            return Some(Self::of_half_space(half_space, pose));
        }
        let half_extents = shape.as_cuboid()?.half_extents;
        let local = pose.rotation.inverse() * direction;
        let axis = local.abs().max_position();
        Some(Self::of_box(half_extents, pose, axis, -local[axis]))
    }

    /// Which of the points are at least `margin` (m) from the edges of the face.
    #[inline]
    pub(super) fn is_below(&self, points: Vec3x4, margin: Real4) -> Mask4 {
        let from_middle = points - Vec3x4::splat(self.middle);
        let [first, second] = self.sides.map(|(side, half)| {
            let beside = from_middle.dot(Vec3x4::splat(side)).abs();
            beside.is_at_most(Real4::splat(half) - margin)
        });
        first & second
    }
}
