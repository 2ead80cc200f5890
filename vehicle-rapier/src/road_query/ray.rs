//! A ray down through a wheel.

use arrayvec::ArrayVec;
use rapier3d::prelude::*;
use vehicle_core::math::lanes::Mask4;
use vehicle_core::road_geometry::{FourProbes, RoadContacts, RoadProbe};

use super::RapierRoad;
use super::box_rays::FourRays;
use super::hit::{Ground, Hit};
use super::place::Place;

/// How many solids that a ray starts in are passed.
const MAX_SOLIDS: usize = 4;

/// Length of the ray that looks for a road above the wheel, in radii (dimensionless). It reaches
/// beyond the top of the wheel by more than rounding; otherwise a road that lies just there would
/// be seen by no ray.
const RAISED_LENGTH: Real = 1.001;

/// Hit of a ray.
enum Met {
    Road(Hit),
    /// The ray starts inside this solid.
    Solid(ColliderHandle),
    Nothing,
}

impl<'a> RapierRoad<'a> {
    /// Finds the roads of those of four wheels whose rays meet a box from outside, if nothing but
    /// that is near. Returns which these are; `ground` is that of the hit before. All other rays
    /// are cast one by one.
    #[inline]
    pub(super) fn find_on_box(
        &self,
        probes: &FourProbes,
        ground: &mut Option<Ground<'a>>,
        roads: &mut RoadContacts,
    ) -> Option<Mask4> {
        let sole = self.nearby?.sole()?;
        let collider = sole.collider;
        let half_extents = collider.shape().as_cuboid()?.half_extents;
        let rays = FourRays::of(&probes.travel);
        let met = rays.met_of_box(&sole.bounds, half_extents, collider.position());
        let place = Place::of(rays.origins, rays.directions, met.distances, met.normals);
        let meets = probes.asks & met.meets & !place.is_inside;
        self.find_in_lanes(sole, &place, meets, probes, ground, roads)
    }

    /// The road that a ray meets from the top of the wheel at full compression to its bottom at
    /// full droop.
    ///
    /// A solid in which the ray starts, such as a wall that the wheel has been pushed into, is
    /// passed if there is a road below. If there is none, the wheel itself is below the road: it is
    /// sought up to a radius higher, for wheels without mass. Those with mass have begun above
    /// their road.
    pub(super) fn ray_hit(&self, probe: &RoadProbe) -> Option<Hit> {
        let mut solids = ArrayVec::<ColliderHandle, MAX_SOLIDS>::new();
        loop {
            match self.cast_down(probe, &solids) {
                Met::Road(hit) => return Some(hit),
                Met::Solid(handle) if !solids.is_full() => solids.push(handle),
                Met::Solid(_) | Met::Nothing => break,
            }
        }
        if self.begins_at_hubs { None } else { self.raised_ray_hit(probe, &solids) }
    }

    /// Casts the ray from the top of the wheel at full compression to its bottom at full droop.
    fn cast_down(&self, probe: &RoadProbe, passed: &[ColliderHandle]) -> Met {
        self.cast_ray(probe, probe.travel.ray_start(), probe.travel.ray_length(), passed)
    }

    /// The road that a ray meets between the top of the wheel at full compression and a radius
    /// higher. It is that of one of the `solids` in which the wheel is, or the front of a mesh,
    /// under which the wheel has fallen.
    pub(super) fn raised_ray_hit(
        &self,
        probe: &RoadProbe,
        solids: &[ColliderHandle],
    ) -> Option<Hit> {
        let travel = &probe.travel;
        let start = travel.ray_start() - travel.direction * travel.radius;
        match self.cast_ray(probe, start, RAISED_LENGTH * travel.radius, &[]) {
            Met::Road(hit) if solids.contains(&hit.collider) => Some(hit),
            Met::Road(hit) if self.is_sheet(&hit) && self.is_front(&hit) => Some(hit),
            _ => None,
        }
    }

    fn cast_ray(
        &self,
        probe: &RoadProbe,
        start: Vector,
        length: Real,
        passed: &[ColliderHandle],
    ) -> Met {
        let ray = Ray::new(start, probe.travel.direction);
        let Some((collider, met)) = self.first_met(probe.wheel, passed, &ray, length) else {
            return Met::Nothing;
        };
        let part = met.subshape;
        let Place { is_inside, point, plane } =
            Place::of(ray.origin, ray.dir, met.time_of_impact, met.normal);
        if is_inside {
            Met::Solid(collider)
        } else {
            Met::Road(Hit { collider, part, point, plane })
        }
    }
}
