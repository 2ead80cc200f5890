//! Colliders near all wheels of a vehicle: found once, in the place of one search per ray.

use arrayvec::ArrayVec;
use rapier3d::parry::partitioning::{BvhNode, TraversalAction};
use rapier3d::prelude::*;
use vehicle_core::math::lanes::{Lanes, Mask, Mask4, Number, Real4, Vec3x4, Vector as _};
use vehicle_core::road_geometry::FourProbes;

use super::{RapierRoad, RoadQueryShape};

/// Most colliders that are kept; where there are more, each ray searches on its own.
const MAX_NEARBY: usize = 8;

/// How far around the rays colliders are near, in radii of the wheel and in parts of the
/// coordinates (dimensionless). This is more than rounding, in which a ray may meet the box of a
/// collider that it passes.
const MARGIN: [Real; 2] = [0.1, 1e-5];

/// How far around their rays wheels may meet obstacles, in radii (dimensionless).
const AROUND: Real = 1.4;

/// A collider near the wheels, and its box as of the world's last step.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) handle: ColliderHandle,
    pub(super) collider: &'a Collider,
    pub(super) bounds: Aabb,
}

/// The colliders near all wheels of a vehicle, but for sensors and the vehicle's own.
#[derive(Default)]
pub(super) struct Nearby<'a> {
    candidates: ArrayVec<Candidate<'a>, MAX_NEARBY>,
}

/// Nearest hit of a ray on the colliders nearby.
pub(super) enum Nearest {
    One(ColliderHandle, RayIntersection),
    None,
    /// Several at the same distance: which one it is depends on the order of the search.
    Several,
}

impl<'a> Nearby<'a> {
    /// Finds the colliders near the rays of `probes`, or near the wheels if these are swept;
    /// whether there are not too many.
    pub(super) fn find(
        &mut self,
        road: &RapierRoad<'a>,
        shape: RoadQueryShape,
        probes: &[FourProbes],
    ) -> bool {
        let around = if road.looks_for_obstacles() { AROUND } else { MARGIN[0] };
        let Some(region) = region(probes, shape, around) else { return false };
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

    /// All of them.
    pub(super) fn colliders(&self) -> impl Iterator<Item = &'a Collider> {
        self.candidates.iter().map(|candidate| candidate.collider)
    }

    /// The collider that is near the wheels, if it is the only one.
    #[inline]
    pub(super) fn sole(&self) -> Option<&Candidate<'a>> {
        if let [sole] = &self.candidates[..] { Some(sole) } else { None }
    }

    /// Nearest hit of `ray` within `length` (m) on those that `is_asked` allows, as a search of the
    /// world would find it: a collider counts if the ray meets its box. What is met on a collider,
    /// `cast_on` says.
    pub(super) fn nearest(
        &self,
        ray: &Ray,
        length: Real,
        is_asked: impl Fn(ColliderHandle, &Collider) -> bool,
        cast_on: impl Fn(&Collider) -> Option<RayIntersection>,
    ) -> Nearest {
        let mut nearest = Nearest::None;
        let mut distance = length;
        for &Candidate { handle, collider, ref bounds } in &self.candidates {
            let to_bounds = bounds.cast_local_ray(ray, length, true);
            if to_bounds.is_none_or(|to_bounds| length <= to_bounds) || !is_asked(handle, collider)
            {
                continue;
            }
            let Some(met) = cast_on(collider) else { continue };
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

/// The box around all rays of `probes`, also those from a radius higher, or around swept wheels;
/// `None` if it is not finite.
fn region(probes: &[FourProbes], shape: RoadQueryShape, around: Real) -> Option<Aabb> {
    let (most, least) = (Vec3x4::splat(Vector::MAX), Vec3x4::splat(Vector::MIN));
    let (mut mins, mut maxs, mut margins) = (most, least, Real4::zero());
    for FourProbes { asks, travel, .. } in probes {
        let start = travel.ray_start();
        let top = start - travel.direction * travel.radius;
        let bottom = start + travel.direction * travel.ray_length();
        if (*asks & !(is_finite(top) & is_finite(bottom))).any() {
            return None;
        }
        let (low, high) = (each(top, bottom, Number::at_most), each(top, bottom, Number::at_least));
        mins = each(mins, Vec3x4::select(*asks, low, most), Number::at_most);
        maxs = each(maxs, Vec3x4::select(*asks, high, least), Number::at_least);
        let mut margin = travel.radius * Real4::splat(around);
        if shape == RoadQueryShape::Cylinder {
            // A wheel may lean in any way.
            let (radius, half_width) = (travel.radius, travel.half_width);
            let size = (radius * radius + half_width * half_width).sqrt();
            margin = margin.at_least(size + radius * Real4::splat(MARGIN[0]));
        }
        margins = margins.at_least(Number::select(*asks, margin, Real4::zero()));
    }
    let mins = mins.lanes().into_iter().fold(Vector::MAX, Vector::min);
    let maxs = maxs.lanes().into_iter().fold(Vector::MIN, Vector::max);
    let margin = margins.lanes().into_iter().fold(0.0, Real::max);
    let largest = mins.abs().max(maxs.abs()).max_element();
    let margin = Vector::splat(margin + MARGIN[1] * largest);
    Some(Aabb::new(mins - margin, maxs + margin))
}

/// `function` of each pair of components.
#[inline]
fn each(one: Vec3x4, other: Vec3x4, function: fn(Real4, Real4) -> Real4) -> Vec3x4 {
    let ([x, y, z], [a, b, c]) = (one.components(), other.components());
    Vec3x4::new(function(x, a), function(y, b), function(z, c))
}

/// Which vectors are finite.
#[inline]
fn is_finite(vectors: Vec3x4) -> Mask4 {
    let [x, y, z] = vectors.components();
    let most = Real4::splat(Real::MAX);
    x.abs().is_at_most(most) & y.abs().is_at_most(most) & z.abs().is_at_most(most)
}
