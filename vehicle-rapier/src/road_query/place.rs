//! The places where rays meet colliders.

use rapier3d::prelude::*;
use vehicle_core::math::lanes::{Number, Vector as VectorLanes};
use vehicle_core::math::normalize_or_zero;
use vehicle_core::road_geometry::Plane;

/// Where rays meet colliders.
#[derive(Clone, Copy)]
pub(super) struct Place<V: VectorLanes = Vector> {
    /// Whether the ray starts in what it meets.
    pub(super) is_inside: <V::Number as Number>::Mask,
    pub(super) point: V,
    pub(super) plane: Plane<V>,
}

impl<V: VectorLanes> Place<V> {
    /// Where rays from `origin` along `direction` meet a surface of this `normal` at a `distance`
    /// (m).
    #[inline]
    pub(super) fn of(origin: V, direction: V, distance: V::Number, normal: V) -> Self {
        let (normal, zero) = (normalize_or_zero(normal), V::Number::zero());
        let is_inside = !(zero.is_below(distance) & zero.is_below(normal.length_squared()));
        let point = origin + direction * distance;
        Self { is_inside, point, plane: Plane::through(point, normal) }
    }
}
