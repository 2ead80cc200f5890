//! A wheel swept down its travel.

use rapier3d::parry::query::{RayCast, ShapeCastOptions, ShapeCastStatus};
use rapier3d::prelude::*;
use vehicle_core::road_geometry::{Plane, RoadProbe};
use vehicle_core::suspension::WheelTravel;

use super::RapierRoad;
use super::hit::Hit;

/// Height by which a sweep is raised that would begin inside the road, in radii (dimensionless).
const RAISE: Real = 1.0;

/// Cosine of the angle up to which the normal of a sweep is taken for that of the face that it has
/// met (dimensionless).
const SAME_NORMAL: Real = 0.996;

/// The part of a collider that a sweep meets, and the unit normal there.
#[derive(Clone, Copy)]
struct Facet {
    part: u32,
    normal: Vector,
}

/// What a sweep meets.
struct Met {
    hit: Hit,
    /// Whether the wheel touches it where the sweep begins.
    is_at_start: bool,
}

impl RapierRoad<'_> {
    /// The road that a cylinder meets from full compression to full droop.
    ///
    /// Where the cylinder begins inside the road, it is swept against the same collider from a radius
    /// higher, so the plane stays when a wheel is pressed in. Where it touches a wall, or begins too
    /// deep, the ray decides.
    pub(super) fn sweep_hit(&self, probe: &RoadProbe) -> Option<Hit> {
        let Some(met) = self.sweep(probe, 0.0, None) else {
            return self.raised_ray_hit(probe);
        };
        if !self.is_drivable(&met.hit, probe) {
            return self.ray_hit(probe);
        }
        if !met.is_at_start {
            return Some(met.hit);
        }
        let raise = RAISE * probe.travel.radius;
        let raised = self.sweep(probe, raise, Some(met.hit.collider));
        let clear = raised.filter(|raised| {
            !raised.is_at_start
                && self.is_drivable(&raised.hit, probe)
                && self.is_front(&raised.hit)
        });
        clear.map_or_else(|| self.ray_hit(probe), |raised| Some(raised.hit))
    }

    /// Sweeps the wheel to full droop from `raise` (m) above full compression, against `only` one
    /// collider or all.
    fn sweep(&self, probe: &RoadProbe, raise: Real, only: Option<ColliderHandle>) -> Option<Met> {
        let travel = &probe.travel;
        let to_axle = Rotation::from_rotation_arc(Vector::Y, self.frame.lateral());
        let center = travel.pose.translation - travel.direction * raise;
        let start = Pose::from_parts(center, travel.pose.rotation * to_axle);
        let cylinder = Cylinder::new(travel.half_width, travel.radius);
        let options = ShapeCastOptions {
            max_time_of_impact: travel.distance + raise,
            target_distance: 0.0,
            stop_at_penetration: true,
            compute_impact_geometry_on_penetration: true,
        };
        let cast = |query: &QueryPipeline<'_>| {
            query.cast_shape(&start, travel.direction, &cylinder, options)
        };
        let (collider, met) = match only {
            None => self.ask(probe.wheel, &[], cast)?,
            Some(only) => self.ask_only(only, cast)?,
        };
        let distance = met.time_of_impact;
        let normal = met.normal1.normalize_or_zero();
        let is_at_start = distance <= 0.0
            || distance.is_nan()
            || met.status == ShapeCastStatus::PenetratingOrWithinTargetDist
            || normal == Vector::ZERO;
        let met_at = Facet { part: met.subshape1, normal };
        let facet = self.facet(collider, met.witness1, met_at, travel.radius);
        let touching = center + travel.direction * distance;
        let (point, plane) = self.touched(travel, touching, facet.normal);
        Some(Met { hit: Hit { collider, part: facet.part, point, plane }, is_at_start })
    }

    /// The triangle of a mesh or height field at `point` (m), its normal in the place of that of the
    /// sweep if the two are close: there the wheel stands on its face, and the sweep's is a little
    /// off. A sweep does not say which triangle of a height field it has met.
    fn facet(&self, collider: ColliderHandle, point: Vector, met: Facet, reach: Real) -> Facet {
        let face = || {
            let collider = self.query.colliders.get(collider)?;
            let (pose, shape) = (collider.position(), collider.shape());
            if let Some(mesh) = shape.as_trimesh() {
                return Some(Facet {
                    normal: pose.rotation * mesh.triangle_normal(met.part)?,
                    ..met
                });
            }
            let field = shape.as_heightfield()?;
            let up = pose.rotation * Vector::Y;
            let down = Ray::new(point + up * reach, -up);
            let found = field.cast_ray_and_get_normal(pose, &down, 2.0 * reach, true)?;
            Some(Facet { part: found.subshape, normal: found.normal })
        };
        let Some(face) = face() else {
            return met;
        };
        // A mesh has two sides.
        let cosine = face.normal.dot(met.normal);
        let is_face = SAME_NORMAL <= cosine.abs();
        let normal = if is_face { face.normal * cosine.signum() } else { met.normal };
        Facet { part: face.part, normal }
    }

    /// The plane of unit normal `normal` that the wheel touches when its center is at `center` (m),
    /// and the middle of its tread there (m).
    ///
    /// ```text
    /// n·x = n·C - R |n - ℓ (n·ℓ)| - H |n·ℓ|
    /// ```
    ///
    /// The sweep's own point of contact lies anywhere along the tread, and is a little off: through
    /// it, the wheel would not just stand.
    fn touched(&self, travel: &WheelTravel, center: Vector, normal: Vector) -> (Vector, Plane) {
        let axle = travel.pose.rotation * self.frame.lateral();
        let across = normal.dot(axle);
        let in_disk = normal - axle * across;
        let reach = travel.radius * in_disk.length() + travel.half_width * across.abs();
        let plane = Plane::through(center - normal * reach, normal);
        let tread = center - in_disk.normalize_or_zero() * travel.radius;
        (tread - normal * plane.distance(tread), plane)
    }
}
