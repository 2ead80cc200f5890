//! Four wheels swept onto a flat face at once.
//!
//! A wheel that goes along `d` touches a plane of normal `n` when its center is as far above it as
//! the wheel [reaches](WheelTravel::reach):
//!
//! ```text
//! t = (distance of the center - reach) / (-n·d)
//! ```
//!
//! Where all of its tread is then above a face of a box, it has met nothing else of the box before.
//! A wheel near an edge or an end of its travel is left to the general sweep, which then still
//! finds the face. So no answer depends on which of the two ways has found it.

use rapier3d::prelude::*;
use vehicle_core::math::lanes::{
    Lanes, MAX_LANES, Mask, Mask4, Number, Real4, RigidPose, Vec3x4, Vector as _,
};
use vehicle_core::road_geometry::{FourProbes, Plane, RoadContacts};
use vehicle_core::suspension::WheelTravel;

use super::RapierRoad;
use super::flat_face::FlatFace;
use super::hit::Ground;
use super::place::Place;
use super::sweep::CLEARANCE;

/// How far from an edge and from the ends of its travel a wheel must be to be swept here, in radii
/// (dimensionless): more than rounding.
const MARGIN: Real = 1e-3;

/// How far from a collider's bounds a contact may be, in parts of their size (dimensionless):
/// rounding.
const OF_BOUNDS: Real = 1e-5;

/// Sine of the largest angle at which a wheel leans above the face. One that lies flat has no
/// lowest part of its tread.
const MAX_LEAN: Real = 0.98;

impl<'a> RapierRoad<'a> {
    /// Finds the roads of those of four swept wheels that meet a flat face of a collider, if
    /// nothing but that is near. Returns which these are; `ground` is that of the hit before. All
    /// other wheels are swept one by one.
    pub(super) fn find_on_face(
        &self,
        probes: &FourProbes,
        ground: &mut Option<Ground<'a>>,
        roads: &mut RoadContacts,
    ) -> Option<Mask4> {
        let sole = self.nearby?.sole()?;
        let (collider, travel) = (sole.collider, &probes.travel);
        let first = (probes.asks.bits().trailing_zeros() as usize).min(MAX_LANES - 1);
        let direction = travel.direction.lane(first);
        let face = FlatFace::towards(collider.shape(), collider.position(), direction)?;
        let (place, touches) = self.touch_face(&face, travel);
        let meets = probes.asks & touches & is_within(&sole.bounds, place.point);
        self.find_in_lanes(sole, &place, meets, probes, ground, roads)
    }

    /// Where wheels on their paths touch the plane of a `face`, and which of them may stand there.
    /// These touch it on their way, with all of their tread on the face.
    #[inline]
    fn touch_face(&self, face: &FlatFace, travel: &WheelTravel<Vec3x4>) -> (Place<Vec3x4>, Mask4) {
        let (normal, offset) = (face.plane.normal, face.plane.offset);
        let plane = Plane { normal: Vec3x4::splat(normal), offset: Real4::splat(offset) };
        let (center, direction, radius) =
            (travel.pose.translation(), travel.direction, travel.radius);
        let approach = -direction.dot(plane.normal);
        let gap = plane.distance(center) - travel.reach(&self.frame, plane.normal);
        let distance = gap / approach;
        let point = self.standing_on(travel, center + direction * distance, plane).point;
        let (zero, margin) = (Real4::zero(), radius * Real4::splat(MARGIN));
        let is_drivable = Real4::splat(self.min_cosine).is_at_most(approach);
        let lean = travel.axle(&self.frame).dot(plane.normal).abs();
        let mut touches = distance.is_at_most(travel.distance - margin)
            & is_drivable
            & lean.is_at_most(Real4::splat(MAX_LEAN))
            & face.is_below(point, travel.half_width + margin);
        if self.begins_at_hubs {
            let start = radius * Real4::splat(-CLEARANCE);
            let is_road = zero.is_at_most(plane.distance(travel.ray_start()));
            touches = touches & is_road & (start + margin).is_at_most(distance);
        } else {
            touches = touches & margin.is_at_most(distance);
        }
        (Place { is_inside: Mask4::default(), point, plane }, touches)
    }
}

/// Which points are in `bounds`, but for rounding.
#[inline]
fn is_within(bounds: &Aabb, points: Vec3x4) -> Mask4 {
    let size = bounds.mins.abs().max(bounds.maxs.abs()).max_element();
    let bounds = bounds.loosened(OF_BOUNDS * size);
    let ([x, y, z], low, high) = (points.components(), bounds.mins, bounds.maxs);
    let within = |value: Real4, low: Real, high: Real| {
        Real4::splat(low).is_at_most(value) & value.is_at_most(Real4::splat(high))
    };
    within(x, low.x, high.x) & within(y, low.y, high.y) & within(z, low.z, high.z)
}

#[cfg(test)]
mod tests;
