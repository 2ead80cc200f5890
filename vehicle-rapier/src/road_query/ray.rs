//! A ray down through a wheel.

use rapier3d::prelude::*;
use vehicle_core::road_geometry::{Plane, RoadProbe};

use super::RapierRoad;
use super::hit::Hit;
use super::nearby::FirstMet;

/// How many solids that a ray starts in are passed.
const MAX_SOLIDS: usize = 4;

/// Length of the ray that looks for a road above the wheel, in radii (dimensionless): beyond the top
/// of the wheel by more than rounding, or a road that lies just there would be seen by no ray.
const RAISED_LENGTH: Real = 1.001;

/// What a ray meets.
enum Met {
    Road(Hit),
    /// It starts inside this solid.
    Solid(ColliderHandle),
    Nothing,
}

impl Met {
    /// That `ray` has met `collider`.
    fn of(collider: ColliderHandle, met: &RayIntersection, ray: &Ray) -> Self {
        let normal = met.normal.normalize_or_zero();
        if met.time_of_impact <= 0.0 || normal == Vector::ZERO {
            return Self::Solid(collider);
        }
        let point = ray.point_at(met.time_of_impact);
        let plane = Plane::through(point, normal);
        Self::Road(Hit { collider, part: met.subshape, point, plane })
    }
}

impl RapierRoad<'_> {
    /// The road that a ray meets from the top of the wheel at full compression to its bottom at full
    /// droop.
    ///
    /// A solid in which the ray starts, such as a wall that the wheel has been pushed into, is passed
    /// if there is a road below. If there is none, the wheel itself is below the road: it is sought
    /// up to a radius higher.
    pub(super) fn ray_hit(&self, probe: &RoadProbe) -> Option<Hit> {
        self.ray_hit_after(probe, None)
    }

    /// The road of [`ray_hit`](Self::ray_hit), of a ray for which it may be known what it meets `first`.
    pub(super) fn ray_hit_after(
        &self,
        probe: &RoadProbe,
        mut first: Option<FirstMet<'_>>,
    ) -> Option<Hit> {
        let travel = &probe.travel;
        let (start, length) = (travel.ray_start(), travel.ray_length());
        let mut solids = [ColliderHandle::invalid(); MAX_SOLIDS];
        for count in 0..MAX_SOLIDS {
            let passed = &solids[..count];
            let met = match first.take() {
                Some(known) => {
                    let ray = Ray::new(start, travel.direction);
                    let is_asked =
                        |handle, collider| self.is_asked(probe.wheel, passed, handle, collider);
                    let known = known.filter(|&(handle, collider, _)| is_asked(handle, collider));
                    known.map_or(Met::Nothing, |(handle, _, met)| Met::of(handle, &met, &ray))
                }
                None => self.cast_ray(probe, start, length, passed),
            };
            match met {
                Met::Road(hit) => return Some(hit),
                Met::Solid(handle) => solids[count] = handle,
                Met::Nothing => break,
            }
        }
        self.raised_ray_hit(probe, &solids)
    }

    /// The road that a ray meets between the top of the wheel at full compression and a radius
    /// higher: that of one of the `solids` in which the wheel is, or the front of a mesh, under which
    /// it has fallen.
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
        Met::of(collider, &met, &ray)
    }
}
