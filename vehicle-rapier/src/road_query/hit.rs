//! Where a wheel meets a collider, and what that collider is as a road.

use rapier3d::prelude::*;
use vehicle_core::math::lanes::{
    Lanes, MAX_LANES, Mask, Mask4, Number, Real4, RigidPose, Vec3x4, Vector as VectorLanes,
};
use vehicle_core::road_geometry::{
    FourProbes, Material, Plane, RoadContact, RoadContacts, RoadProbe,
};
use vehicle_core::suspension::WheelTravel;

use super::RapierRoad;
use super::nearby::Candidate;
use super::place::Place;
use crate::yielding::response;

/// Cosine of the angle between a plane and a wheel's way up, below which the plane is too steep to
/// be met along the travel (dimensionless).
const MIN_STANDING_SLOPE: Real = 0.5;

/// A place where a wheel meets a collider.
pub(super) struct Hit {
    pub(super) collider: ColliderHandle,
    /// The triangle, cell or shape of a collider that has several.
    pub(super) part: u32,
    /// The middle of the contact (m).
    pub(super) point: Vector,
    pub(super) plane: Plane,
}

/// A part of a collider as the ground of a kind of tire.
pub(super) struct Ground<'a> {
    /// Collider, part and kind of tire.
    place: (ColliderHandle, u32, u32),
    pub(super) friction: Real,
    material: Material,
    /// Body of the ground, if that is not fixed.
    moving: Option<&'a RigidBody>,
}

/// A collider's handle as the number of a ground.
pub(super) fn ground_number(handle: ColliderHandle) -> u64 {
    let (index, generation) = handle.into_raw_parts();
    u64::from(generation) << 32 | u64::from(index)
}

/// The collider of a ground's number.
pub(crate) fn ground_collider(number: u64) -> ColliderHandle {
    ColliderHandle::from_raw_parts(number as u32, (number >> 32) as u32)
}

/// Mean velocity over the next `dt` (s) of the point of `body` that is at `point` (m) now (m/s).
///
/// ```text
/// v = v_C + ω × r + ½ dt ω × (ω × r)
/// ```
///
/// Ground that turns takes the car around with it: along the speed of the moment, which is a
/// tangent, the car would leave its circle step by step.
pub(super) fn velocity_over_step(body: &RigidBody, point: Vector, dt: Real) -> Vector {
    let spin = body.angvel();
    let around = spin.cross(point - body.center_of_mass());
    body.linvel() + around + spin.cross(around) * (0.5 * dt)
}

/// The larger [response](response) along the plane of this `normal`, in two directions across each
/// other (1/kg).
pub(super) fn response_along(body: &RigidBody, point: Vector, normal: Vector) -> Real {
    let (first, second) = normal.any_orthonormal_pair();
    response(body, point, first).max(response(body, point, second))
}

/// Where the line of the wheel's travel meets `plane` (m): the point over which the tire measures
/// its speed. On steep planes it would be far away, and is the `point` of the hit.
#[inline]
fn standing_point<V: VectorLanes>(point: V, plane: &Plane<V>, travel: &WheelTravel<V>) -> V {
    let (center, direction) = (travel.pose.translation(), travel.direction);
    let slope = -direction.dot(plane.normal);
    let is_steep = slope.is_below(Number::splat(MIN_STANDING_SLOPE));
    V::select(is_steep, point, center + direction * (plane.distance(center) / slope))
}

impl<'a> RapierRoad<'a> {
    /// Whether a wheel may stand on `hit`: it is not too steep.
    pub(super) fn is_drivable(&self, hit: &Hit, probe: &RoadProbe) -> bool {
        self.min_cosine <= -probe.travel.direction.dot(hit.plane.normal)
    }

    /// Whether what `hit` is on has no inside: a mesh or a height field.
    pub(super) fn is_sheet(&self, hit: &Hit) -> bool {
        let collider = self.query.colliders.get(hit.collider);
        collider.is_some_and(|collider| {
            let shape = collider.shape();
            shape.as_trimesh().is_some() || shape.as_heightfield().is_some()
        })
    }

    /// Whether `hit` is on the front of its triangle; solids have no other side.
    pub(super) fn is_front(&self, hit: &Hit) -> bool {
        let Some(collider) = self.query.colliders.get(hit.collider) else {
            return false;
        };
        let local = collider.rotation().inverse() * hit.plane.normal;
        let shape = collider.shape();
        if let Some(mesh) = shape.as_trimesh() {
            mesh.triangle_normal(hit.part).is_some_and(|front| 0.0 < front.dot(local))
        } else {
            shape.as_heightfield().is_none() || 0.0 < local.y
        }
    }

    /// Contact with the road at `hit` of the wheel of `probe`, if the hit before was on `ground`;
    /// `None` if a number of it is not finite.
    pub(super) fn contact(
        &self,
        hit: &Hit,
        probe: &RoadProbe,
        ground: &mut Option<Ground<'a>>,
    ) -> Option<RoadContact> {
        let ground = self.ground_before((hit.collider, hit.part, probe.tire_kind), ground)?;
        let velocity = ground.moving.map_or(Vector::ZERO, |body| {
            let point = standing_point(hit.point, &hit.plane, &probe.travel);
            velocity_over_step(body, point, self.dt)
        });
        let plane = hit.plane;
        // A product with zero is zero, but of what is not finite.
        let rest = plane.normal.dot(Vector::ZERO) + velocity.dot(Vector::ZERO) + plane.offset * 0.0;
        (rest == 0.0).then(|| RoadContact {
            friction: ground.friction,
            velocity,
            material: ground.material,
            ground: ground_number(hit.collider),
            ..RoadContact::new(plane, 0.0)
        })
    }

    /// Finds the roads of four wheels at their places on a collider without parts, the `sole` one
    /// near them. It does so in those lanes of `meets` whose wheels can stand on it, and returns
    /// these lanes. A road is found as far as the wheel may stand there and all numbers are finite;
    /// `ground` is that of the hit before.
    #[inline]
    pub(super) fn find_in_lanes(
        &self,
        sole: &Candidate<'a>,
        place: &Place<Vec3x4>,
        meets: Mask4,
        probes: &FourProbes,
        ground: &mut Option<Ground<'a>>,
        roads: &mut RoadContacts,
    ) -> Option<Mask4> {
        let (plane, travel, collider) = (place.plane, &probes.travel, sole.handle);
        let meets = meets & self.are_asked(probes.first, meets, collider, sole.collider);
        let friction = self.frictions(collider, meets, probes, ground)?;
        let Ground { material, moving, .. } = *ground.as_ref()?;
        let velocity = moving.map_or(Vec3x4::zero(), |body| {
            let points = standing_point(place.point, &plane, travel).lanes();
            Vec3x4::from_lanes(|lane| velocity_over_step(body, points[lane], self.dt))
        });
        let slope = -travel.direction.dot(plane.normal);
        let is_drivable = Real4::splat(self.min_cosine).is_at_most(slope);
        // A product with zero is zero, but of what is not finite.
        let zero = Real4::zero();
        let rest =
            plane.normal.dot(Vec3x4::zero()) + velocity.dot(Vec3x4::zero()) + plane.offset * zero;
        let is_there = meets & is_drivable & rest.is_equal(zero);
        roads.find_on(ground_number(collider), material, is_there, plane, friction, velocity);
        Some(meets)
    }

    /// Friction of four tires on `collider` in the lanes where `meets` is true, and what that is as
    /// a ground; `None` if nobody meets it.
    #[inline]
    fn frictions(
        &self,
        collider: ColliderHandle,
        meets: Mask4,
        probes: &FourProbes,
        ground: &mut Option<Ground<'a>>,
    ) -> Option<Real4> {
        let mut friction_of = |tire_kind: u32| {
            let known = self.ground_before((collider, 0, tire_kind), ground)?;
            Some(known.friction)
        };
        let kinds = probes.tire_kinds;
        if !meets.any() {
            return None;
        }
        if kinds == [kinds[0]; MAX_LANES] {
            return friction_of(kinds[0]).map(Real4::splat);
        }
        let mut frictions = Real4::zero();
        for lane in (0..MAX_LANES).filter(|&lane| meets.lane(lane)) {
            frictions.set_lane(lane, friction_of(kinds[lane])?);
        }
        Some(frictions)
    }

    /// The ground at the place of a hit, if the hit before was on `ground`.
    #[inline]
    fn ground_before<'g>(
        &self,
        place: (ColliderHandle, u32, u32),
        ground: &'g mut Option<Ground<'a>>,
    ) -> Option<&'g Ground<'a>> {
        if ground.as_ref().is_none_or(|ground| ground.place != place) {
            *ground = self.ground(place);
        }
        ground.as_ref()
    }

    /// Friction and material of a part of a collider for a kind of tire.
    pub(super) fn ground(&self, place: (ColliderHandle, u32, u32)) -> Option<Ground<'a>> {
        let (handle, part, tire_kind) = place;
        let collider = self.query.colliders.get(handle)?;
        let table = &self.params.friction;
        let material = table.material(handle, part).unwrap_or(collider.user_data);
        let known = table.friction_on(handle, material, tire_kind);
        let body = collider.parent().and_then(|body| self.query.bodies.get(body));
        if let Some(note) = self.gives_way.filter(|_| body.is_some_and(RigidBody::is_dynamic)) {
            note.set(true);
        }
        Some(Ground {
            place,
            friction: known.unwrap_or_else(|| collider.friction()),
            material: material.into(),
            moving: body.filter(|body| !body.is_fixed()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ground_numbers_lead_back_to_their_colliders() {
        for (index, generation) in [(0, 0), (7, 3), (u32::MAX, 1)] {
            let handle = ColliderHandle::from_raw_parts(index, generation);
            assert_eq!(ground_collider(ground_number(handle)), handle);
        }
    }
}
