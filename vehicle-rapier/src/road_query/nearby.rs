//! Colliders near all wheels of a vehicle: found once, in the place of one search per ray.

use arrayvec::ArrayVec;
use rapier3d::parry::partitioning::{BvhNode, TraversalAction};
use rapier3d::prelude::*;
use vehicle_core::math::lanes::{Lanes, MAX_LANES, Real4};
use vehicle_core::road_geometry::RoadProbe;

use super::RapierRoad;
use super::box_rays::FourRays;

/// Most colliders that are kept; where there are more, each ray searches on its own.
const MAX_NEARBY: usize = 8;

/// How far around the rays colliders are near, in radii of the wheel and in parts of the coordinates
/// (dimensionless): more than rounding, in which a ray may meet the box of a collider that it passes.
const MARGIN: [Real; 2] = [0.1, 1e-5];

/// A collider near the wheels, and its box as of the world's last step.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    handle: ColliderHandle,
    collider: &'a Collider,
    bounds: Aabb,
}

/// What the first ray of a wheel meets, if anything.
pub(super) type FirstMet<'a> = Option<(ColliderHandle, &'a Collider, RayIntersection)>;

/// The colliders near all wheels of a vehicle, but for sensors and the vehicle's own.
#[derive(Default)]
pub(super) struct Nearby<'a> {
    candidates: ArrayVec<Candidate<'a>, MAX_NEARBY>,
}

/// What a ray meets among the colliders nearby.
pub(super) enum Nearest {
    One(ColliderHandle, RayIntersection),
    None,
    /// Several at the same distance: which one it is depends on the order of the search.
    Several,
}

impl<'a> Nearby<'a> {
    /// Finds the colliders near the rays of `probes`; whether there are not too many.
    pub(super) fn find(&mut self, road: &RapierRoad<'a>, probes: &[RoadProbe]) -> bool {
        let Some(region) = region(probes) else { return false };
        let region = BvhNode::leaf(region, 0);
        let query = &road.query;
        let mut is_full = false;
        query.bvh.traverse(|node| {
            if !node.intersects(&region) {
                return TraversalAction::Prune;
            }
            let Some(id) = node.leaf_data() else {
                return TraversalAction::Continue;
            };
            let Some((collider, handle)) = query.colliders.get_unknown_gen(id) else {
                return TraversalAction::Continue;
            };
            if !query.filter.test(query.bodies, handle, collider) {
                return TraversalAction::Continue;
            }
            if self.candidates.is_full() {
                is_full = true;
                return TraversalAction::EarlyExit;
            }
            self.candidates.push(Candidate { handle, collider, bounds: node.aabb() });
            TraversalAction::Continue
        });
        !is_full
    }

    /// What the rays of up to four `probes` meet, if they are near nothing but a box; the last probe fills
    /// the places that are left over.
    pub(super) fn met_of_sole_box(
        &self,
        probes: &[RoadProbe],
    ) -> Option<[FirstMet<'a>; MAX_LANES]> {
        let [Candidate { handle, collider, bounds }] = self.candidates[..] else { return None };
        let shape = collider.shape().as_cuboid()?;
        let travel = |lane: usize| &probes[lane.min(probes.len() - 1)].travel;
        let ray = |lane| Ray::new(travel(lane).ray_start(), travel(lane).direction);
        let four = FourRays {
            rays: [ray(0), ray(1), ray(2), ray(3)],
            lengths: Real4::from_lanes(|lane| travel(lane).ray_length()),
        };
        let met = four.met_of_box(&bounds, shape.half_extents, collider.position())?;
        Some(met.map(|met| met.map(|met| (handle, collider, met))))
    }

    /// What `ray` meets first within `length` of those that `is_asked` allows, as a search of the
    /// world would find it: a collider counts if the ray meets its box.
    pub(super) fn nearest(
        &self,
        ray: &Ray,
        length: Real,
        is_asked: impl Fn(ColliderHandle, &Collider) -> bool,
    ) -> Nearest {
        let mut nearest = Nearest::None;
        let mut distance = length;
        for &Candidate { handle, collider, ref bounds } in &self.candidates {
            let to_bounds = bounds.cast_local_ray(ray, length, true);
            if to_bounds.is_none_or(|to_bounds| length <= to_bounds) || !is_asked(handle, collider)
            {
                continue;
            }
            let shape = collider.shape();
            let met = shape.cast_ray_and_get_normal(collider.position(), ray, length, true);
            let Some(met) = met else { continue };
            if met.time_of_impact < distance {
                distance = met.time_of_impact;
                nearest = Nearest::One(handle, met);
            } else if met.time_of_impact == distance && distance < length {
                nearest = Nearest::Several;
            }
        }
        nearest
    }
}

/// The box around all rays of `probes`, also those from a radius higher; `None` if it is not finite.
fn region(probes: &[RoadProbe]) -> Option<Aabb> {
    let (mut mins, mut maxs) = (Vector::MAX, Vector::MIN);
    let mut radius: Real = 0.0;
    for probe in probes {
        let travel = &probe.travel;
        let start = travel.ray_start();
        let (top, bottom) = (
            start - travel.direction * travel.radius,
            start + travel.direction * travel.ray_length(),
        );
        if !(top.is_finite() && bottom.is_finite()) {
            return None;
        }
        mins = mins.min(top).min(bottom);
        maxs = maxs.max(top).max(bottom);
        radius = radius.max(travel.radius);
    }
    let largest = mins.abs().max(maxs.abs()).max_element();
    let margin = Vector::splat(MARGIN[0] * radius + MARGIN[1] * largest);
    Some(Aabb::new(mins - margin, maxs + margin))
}
