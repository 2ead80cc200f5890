//! Which meshes and height fields may stand in the way of a wheel.
//!
//! A wheel that looks for obstacles is swept along its way, onto each triangle near it. On most
//! roads that is for nothing: an obstacle has a steep face, or an edge at one. So the wheel looks
//! at the normals of the triangles first, and is swept only onto sheets with a steep one nearby.
//! Wheels around which there is nothing but a sheet without steep triangles look no farther.

use arrayvec::ArrayVec;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::prelude::*;
use vehicle_core::math::lanes::{Lanes, MAX_LANES};
use vehicle_core::road_geometry::{FourProbes, ObstacleProbe, RoadContacts};

use super::RapierRoad;
use super::obstacle::FRONT;
use super::triangle_lists::{LookFor, TriangleList};

/// Cosine of the angle to the road above which a triangle is surely no obstacle (dimensionless): 45
/// degrees. Obstacles are steeper than 60 degrees; the road may turn a little on the wheel's way.
const SURELY_ROAD: Real = 0.7;

/// How far around its hub a wheel may meet something, in radii (dimensionless). The disk reaches
/// 0.95, its look beyond its way 0.25, and the look for the front of an edge 0.19: 1.39 together.
const AROUND_HUB: Real = 1.5;

impl RapierRoad<'_> {
    /// Whether `collider` may stand in the way of the disk of `probe`. Meshes and height fields are
    /// looked at; all else may.
    pub(super) fn may_be_in_the_way(&self, collider: &Collider, probe: &ObstacleProbe) -> bool {
        let (shape, pose) = (collider.shared_shape(), collider.position());
        if shape.as_trimesh().is_none() && shape.as_heightfield().is_none() {
            return true;
        }
        let back = pose.rotation.inverse();
        let seen = ObstacleProbe {
            start: pose.inverse_transform_point(probe.start),
            direction: back * probe.direction,
            road_normal: back * probe.road_normal,
            ..*probe
        };
        let is_in_the_way = |normal| seen.is_in_the_way(normal) || seen.is_in_the_way(-normal);
        let bounds = bounds_of(&seen);
        let up = (seen.road_normal, seen.road_like);
        self.has_triangle(shape, probe.wheel, &bounds, up, is_in_the_way).unwrap_or(true)
    }

    /// Whether there is nothing in the way of the wheels of `probes` on a mesh or height field, of
    /// which they have met `roads`.
    pub(super) fn is_without_steps(
        &self,
        collider: &Collider,
        probes: &[FourProbes],
        roads: &[RoadContacts],
    ) -> bool {
        let Some(first) = probes.first() else { return false };
        let lanes = (0..MAX_LANES).filter(|&lane| first.asks.lane(lane));
        let mut around = ArrayVec::<_, MAX_LANES>::new();
        for lane in lanes.clone() {
            let Some(wheel) = around_wheel(collider, lane, probes, roads) else { return false };
            around.push(wheel);
        }
        let shape = collider.shared_shape();
        if let (Some(near), Some(mesh)) = (&self.near_triangles, shape.as_trimesh()) {
            let bounds = around.iter().fold(Aabb::new_invalid(), |all, (own, _)| all.merged(own));
            let normals: ArrayVec<_, MAX_LANES> = around.iter().map(|(_, up)| *up).collect();
            let four = first.first / MAX_LANES;
            if near.are_turned_less(four, (shape, mesh), &bounds, (&normals, SURELY_ROAD)) {
                return true;
            }
        }
        lanes.zip(around).all(|(lane, (bounds, up))| {
            let is_steep = |of_triangle: Vector| of_triangle.dot(up).abs() < SURELY_ROAD;
            let wheel = first.first + lane;
            self.has_triangle(shape, wheel, &bounds, (up, SURELY_ROAD), is_steep) == Some(false)
        })
    }

    /// Whether a triangle of `shape` within `bounds` (m, frame of the shape) has a unit normal that
    /// `matters`; `None` if it is no mesh and no height field. None matters that is turned from
    /// `up` by less than the angle of this cosine.
    fn has_triangle(
        &self,
        shape: &SharedShape,
        wheel: usize,
        bounds: &Aabb,
        (up, cosine): (Vector, Real),
        matters: impl Fn(Vector) -> bool,
    ) -> Option<bool> {
        let matters = |triangle: &Triangle| {
            triangle.normal().is_some_and(&matters) && triangle.local_aabb().intersects(bounds)
        };
        if let Some(mesh) = shape.as_trimesh() {
            let look = |near: Option<&TriangleList>| match near {
                Some(near) if near.is_turned_less(up, cosine) => false,
                Some(near) => near.triangles().iter().any(|&id| matters(&mesh.triangle(id))),
                None => mesh.bvh().intersect_aabb(bounds).any(|id| matters(&mesh.triangle(id))),
            };
            let goal = (wheel, LookFor::Obstacle);
            return Some(match &self.near_triangles {
                Some(near) => near.look(goal, (shape, mesh), bounds, look),
                None => look(None),
            });
        }
        let field = shape.as_heightfield()?;
        let mut is_any = false;
        field.map_elements_in_local_aabb(bounds, &mut |_, triangle| {
            is_any = is_any || matters(triangle);
        });
        Some(is_any)
    }
}

/// Where the wheel in `lane` may meet something on its ways, of which it has met `roads`, and the
/// normal of the last one (m, frame of the collider). `None` where a road is missing or steep.
fn around_wheel(
    collider: &Collider,
    lane: usize,
    probes: &[FourProbes],
    roads: &[RoadContacts],
) -> Option<(Aabb, Vector)> {
    let mut bounds = Aabb::new_invalid();
    let mut normal = Vector::ZERO;
    for (probes, roads) in probes.iter().zip(roads) {
        let road = roads.lane(lane)?;
        let travel = probes.travel.lane(lane);
        let start = travel.ray_start();
        let slope = road.plane.normal.dot(travel.direction);
        if -SURELY_ROAD < slope {
            return None;
        }
        let way = -road.plane.distance(start) / slope - travel.radius;
        let hub = collider.position().inverse_transform_point(start + travel.direction * way);
        bounds.merge(&Aabb::from_half_extents(hub, Vector::splat(AROUND_HUB * travel.radius)));
        normal = road.plane.normal;
    }
    Some((bounds, collider.position().rotation.inverse() * normal))
}

/// Bounds of all that the disk of `probe` touches on its way, and of the fronts of edges there.
fn bounds_of(probe: &ObstacleProbe) -> Aabb {
    let end = probe.start + probe.direction * probe.length;
    let reach = probe.radius.hypot(probe.half_width) + FRONT * probe.radius;
    Aabb::new(probe.start.min(end), probe.start.max(end)).loosened(reach)
}
