//! A wheel swept down its travel.

use arrayvec::ArrayVec;
use rapier3d::parry::query::{ShapeCastOptions, ShapeCastStatus};
use rapier3d::prelude::*;
use vehicle_core::road_geometry::{Plane, RoadProbe};
use vehicle_core::suspension::WheelTravel;

use super::RapierRoad;
use super::hit::Hit;
use super::triangle_sweep::TriangleSweeps;

/// Height by which a sweep is raised that would begin inside the road, in radii (dimensionless).
const RAISE: Real = 1.0;

/// How far above its path the center of a wheel with mass is where a sweep begins, in radii (dimensionless): a radius, by which
/// the path itself is below, and more than tires usually give way, so that it is clear of the road.
const CLEARANCE: Real = 1.25;

/// How many colliders that a wheel with mass touches, and which are not below it, are passed.
const MAX_PASSED: usize = 4;

/// Cosine of the angle up to which the normal of a sweep is taken for that of the face that it has
/// met (dimensionless).
const SAME_NORMAL: Real = 0.996;

/// Distance up to which the plane of a sweep is taken for that of the face that it has met, in radii
/// (dimensionless).
const SAME_PLACE: Real = 0.01;

/// The same on a cuboid, which a wheel touches with the normal of a face nowhere but on that face: sweeps of
/// cylinders onto large ones are off by centimeters now and then.
const SAME_PLACE_ON_CUBOID: Real = 0.1;

/// Where a wheel touches the road.
#[derive(Clone, Copy)]
struct Touched {
    /// The middle of its tread there (m); it moves over a round tread as the wheel leans.
    point: Vector,
    plane: Plane,
}

/// What a wheel is swept against.
#[derive(Clone, Copy)]
enum Against<'a> {
    AllBut(&'a [ColliderHandle]),
    Only(ColliderHandle),
}

/// What a sweep meets.
struct Met {
    hit: Hit,
    /// Whether the wheel touches it where the sweep begins.
    is_at_start: bool,
}

impl RapierRoad<'_> {
    /// The road that the wheel meets from full compression to full droop.
    ///
    /// Where it begins inside the road, it is swept against the same collider from a radius
    /// higher, so the plane stays when a wheel is pressed in. Where it touches a wall, or begins too
    /// deep, the ray decides.
    pub(super) fn sweep_hit(&self, probe: &RoadProbe) -> Option<Hit> {
        if self.begins_at_hubs {
            return self.sweep_hit_below(probe);
        }
        let Some(met) = self.sweep(probe, 0.0, Against::AllBut(&[])) else {
            return self.raised_ray_hit(probe, &[]);
        };
        if !self.is_drivable(&met.hit, probe) {
            return self.ray_hit(probe);
        }
        if !met.is_at_start {
            return Some(met.hit);
        }
        let raise = RAISE * probe.travel.radius;
        let clear = self.clear_hit(probe, raise, met.hit.collider);
        clear.or_else(|| self.ray_hit(probe))
    }

    /// What a wheel meets of one `collider` from `raise` (m) higher, where it is clear of it.
    fn clear_hit(&self, probe: &RoadProbe, raise: Real, collider: ColliderHandle) -> Option<Hit> {
        let raised = self.sweep(probe, raise, Against::Only(collider))?;
        let is_clear = !raised.is_at_start
            && self.is_drivable(&raised.hit, probe)
            && self.is_front(&raised.hit);
        is_clear.then_some(raised.hit)
    }

    /// The road that a wheel meets whose path begins at its hub. What it touches there and does not stand on is passed, such
    /// as a mudguard. Where it touches a wall on its way, the ray decides.
    fn sweep_hit_below(&self, probe: &RoadProbe) -> Option<Hit> {
        let radius = probe.travel.radius;
        let (raise, start) = (CLEARANCE * radius, probe.travel.ray_start());
        let mut passed = ArrayVec::<ColliderHandle, MAX_PASSED>::new();
        loop {
            let met = self.sweep(probe, raise, Against::AllBut(&passed))?;
            let collider = met.hit.collider;
            let hit = if met.is_at_start {
                self.clear_hit(probe, raise + RAISE * radius, collider)
            } else {
                Some(met.hit).filter(|hit| self.is_drivable(hit, probe))
            };
            if let Some(hit) = hit.filter(|hit| 0.0 <= hit.plane.distance(start)) {
                return Some(hit);
            }
            if !met.is_at_start || passed.is_full() {
                return self.ray_hit(probe);
            }
            passed.push(collider);
        }
    }

    /// Sweeps the wheel to full droop from `raise` (m) above where its path begins.
    fn sweep(&self, probe: &RoadProbe, raise: Real, against: Against<'_>) -> Option<Met> {
        let travel = &probe.travel;
        let to_axle = Rotation::from_rotation_arc(Vector::Y, self.frame.lateral());
        let center = travel.pose.translation - travel.direction * raise;
        let start = Pose::from_parts(center, travel.pose.rotation * to_axle);
        let round = travel.shoulder_radius;
        let inner_shape = Cylinder::new(travel.half_width - round, travel.radius - round);
        let wheel = RoundCylinder { inner_shape, border_radius: round };
        let shape: &dyn Shape = if 0.0 < round { &wheel } else { &inner_shape };
        let options = ShapeCastOptions {
            max_time_of_impact: travel.distance + raise,
            target_distance: 0.0,
            stop_at_penetration: true,
            compute_impact_geometry_on_penetration: true,
        };
        let dispatcher = TriangleSweeps(self.query.dispatcher);
        let cast = |query: &QueryPipeline<'_>| {
            let query = QueryPipeline { dispatcher: &dispatcher, ..*query };
            query.cast_shape(&start, travel.direction, shape, options)
        };
        let (collider, met) = match against {
            Against::AllBut(passed) => self.ask(probe.wheel, passed, cast)?,
            Against::Only(collider) => self.ask_only(collider, cast)?,
        };
        let distance = met.time_of_impact;
        let normal = met.normal1.normalize_or_zero();
        let is_at_start = distance <= 0.0
            || distance.is_nan()
            || met.status == ShapeCastStatus::PenetratingOrWithinTargetDist
            || normal == Vector::ZERO;
        let touching = center + travel.direction * distance;
        let touched = self.touched(travel, touching, normal);
        let (part, face) = self.face(collider, met.subshape1, &touched, travel.radius);
        let is_cuboid =
            self.query.colliders.get(collider).is_some_and(|it| it.shape().as_cuboid().is_some());
        let same_place = if is_cuboid { SAME_PLACE_ON_CUBOID } else { SAME_PLACE } * travel.radius;
        let on_face =
            face.and_then(|face| self.touched_face(travel, touching, &touched, &face, same_place));
        let Touched { point, plane } = on_face.unwrap_or(touched);
        Some(Met { hit: Hit { collider, part, point, plane }, is_at_start })
    }

    /// Where the wheel of center `center` (m) stands on the plane `face`, if that is the plane that the
    /// sweep has `touched`, but for its error of up to `same_place` (m).
    fn touched_face(
        &self,
        travel: &WheelTravel,
        center: Vector,
        touched: &Touched,
        face: &Plane,
        same_place: Real,
    ) -> Option<Touched> {
        // A mesh has two sides.
        let cosine = face.normal.dot(touched.plane.normal);
        let side = cosine.signum();
        let plane = Plane { normal: face.normal * side, offset: face.offset * side };
        let Touched { point, .. } = self.touched(travel, center, plane.normal);
        let gap = plane.distance(point);
        let is_same = SAME_NORMAL <= cosine.abs() && gap.abs() <= same_place;
        is_same.then(|| Touched { point: point - plane.normal * gap, plane })
    }

    /// The part of `collider` that a wheel has `touched`, and the plane of its surface there.
    ///
    /// A sweep says which triangle of a mesh or a height field it has met. On solids, a short ray finds
    /// the surface.
    fn face(
        &self,
        collider: ColliderHandle,
        part: u32,
        touched: &Touched,
        radius: Real,
    ) -> (u32, Option<Plane>) {
        let Some(collider) = self.query.colliders.get(collider) else {
            return (part, None);
        };
        let (pose, shape) = (collider.position(), collider.shape());
        let of_mesh = shape.as_trimesh().map(|mesh| mesh.triangle(part));
        let of_field = shape.as_heightfield().and_then(|field| field.triangle_at_id(part));
        if let Some(triangle) = of_mesh.or(of_field) {
            let plane = |normal| Plane::through(pose * triangle.a, pose.rotation * normal);
            return (part, triangle.normal().map(plane));
        }
        let normal = touched.plane.normal;
        let down = Ray::new(touched.point + normal * radius, -normal);
        let Some(met) = shape.cast_ray_and_get_normal(pose, &down, 2.0 * radius, true) else {
            return (part, None);
        };
        let plane = Plane::through(down.point_at(met.time_of_impact), met.normal);
        (met.subshape, (met.normal != Vector::ZERO).then_some(plane))
    }

    /// The plane of unit normal `normal` that the wheel touches when its center is at `center` (m), by
    /// its [reach](WheelTravel::reach).
    ///
    /// The sweep's own point of contact lies anywhere along the tread, and is a little off: through
    /// it, the wheel would not just stand.
    fn touched(&self, travel: &WheelTravel, center: Vector, normal: Vector) -> Touched {
        let plane = Plane::through(center - normal * travel.reach(&self.frame, normal), normal);
        let axle = travel.axle(&self.frame);
        let down_the_disk = -(normal - axle * normal.dot(axle)).normalize_or_zero();
        let round = travel.shoulder_radius;
        let tread = center + down_the_disk * (travel.radius - round) - normal * round;
        Touched { point: tread - normal * plane.distance(tread), plane }
    }
}
