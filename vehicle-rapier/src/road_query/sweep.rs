//! A wheel swept down its travel.

use arrayvec::ArrayVec;
use rapier3d::geometry::Compound;
use rapier3d::parry::query::{ShapeCastOptions, ShapeCastStatus};
use rapier3d::prelude::*;
use vehicle_core::math::lanes::Vector as VectorLanes;
use vehicle_core::math::normalize_or_zero;
use vehicle_core::road_geometry::{Plane, RoadProbe};
use vehicle_core::suspension::WheelTravel;

use super::RapierRoad;
use super::flat_face::FlatFace;
use super::hit::Hit;
use super::smooth_mesh::triangle_of;
use super::wheel_sweeps::WheelSweeps;

/// Height by which a sweep is raised that would begin inside the road, in radii (dimensionless).
const RAISE: Real = 1.0;

/// How far above its path the center of a wheel with mass is where a sweep begins, in radii
/// (dimensionless). The path itself is a radius below, and the rest is more than tires usually give
/// way, so that the wheel is clear of the road.
pub(super) const CLEARANCE: Real = 1.25;

/// How many colliders that a wheel with mass touches, and which are not below it, are passed.
const MAX_PASSED: usize = 4;

/// Cosine of the angle up to which the normal of a sweep is taken for that of the face that it has
/// met (dimensionless).
const SAME_NORMAL: Real = 0.996;

/// Distance up to which the plane of a sweep is taken for that of the face that it has met, in
/// radii (dimensionless).
const SAME_PLACE: Real = 0.01;

/// Sine of the angle up to which the normal of a sweep onto a box is that of a face: rounding
/// (dimensionless).
const ON_FACE: Real = 1e-5;

/// Where wheels touch the road.
#[derive(Clone, Copy)]
pub(super) struct Touched<V: VectorLanes = Vector> {
    /// The middle of the tread there (m); it moves over a round tread as the wheel leans.
    pub(super) point: V,
    plane: Plane<V>,
}

/// Colliders that a wheel is swept against.
#[derive(Clone, Copy)]
enum Against<'a> {
    AllBut(&'a [ColliderHandle]),
    Only(ColliderHandle),
}

/// Hit of a sweep.
struct Met {
    hit: Hit,
    /// Whether the wheel touches it where the sweep begins.
    is_at_start: bool,
}

impl RapierRoad<'_> {
    /// The road that the wheel meets from full compression to full droop.
    ///
    /// Where it begins inside the road, it is swept against the same collider from a radius higher,
    /// so the plane stays when a wheel is pressed in. Where it touches a wall, or begins too deep,
    /// the ray decides.
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

    /// Hit of a wheel on one `collider` from `raise` (m) higher, where it is clear of it.
    fn clear_hit(&self, probe: &RoadProbe, raise: Real, collider: ColliderHandle) -> Option<Hit> {
        let raised = self.sweep(probe, raise, Against::Only(collider))?;
        let is_clear = !raised.is_at_start
            && self.is_drivable(&raised.hit, probe)
            && self.is_front(&raised.hit);
        is_clear.then_some(raised.hit)
    }

    /// The road that a wheel meets whose path begins at its hub. What it touches there and does not
    /// stand on is passed, such as a mudguard. Where it touches a wall on its way, the ray decides.
    fn sweep_hit_below(&self, probe: &RoadProbe) -> Option<Hit> {
        let radius = probe.travel.radius;
        let (raise, start) = (CLEARANCE * radius, probe.travel.ray_start());
        let mut passed = ArrayVec::<ColliderHandle, MAX_PASSED>::new();
        loop {
            // General sweeps may miss an edge in which they begin.
            let Some(met) = self.sweep(probe, raise, Against::AllBut(&passed)) else {
                return self.ray_hit(probe);
            };
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
        let dispatcher = WheelSweeps(self.query.dispatcher);
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
        let (part, Touched { point, plane }) =
            self.surface(collider, met.subshape1, travel, touching, touched);
        Some(Met { hit: Hit { collider, part, point, plane }, is_at_start })
    }

    /// The part of `collider` that a wheel whose center is at `center` (m) has `touched`, and where
    /// it stands there without the error of the sweep.
    fn surface(
        &self,
        collider: ColliderHandle,
        part: u32,
        travel: &WheelTravel,
        center: Vector,
        touched: Touched,
    ) -> (u32, Touched) {
        let Some(collider) = self.query.colliders.get(collider) else {
            return (part, touched);
        };
        let (pose, shape) = part_of(collider, part);
        if let Some(found) = level_face(shape, &pose, touched.plane.normal) {
            let on_face = found.map(|plane| self.standing_on(travel, center, plane));
            return (part, on_face.unwrap_or(touched));
        }
        let (part, face) = face(collider, part, &touched, travel.radius);
        let on_face = face.and_then(|face| self.touched_face(travel, center, &touched, &face));
        (part, on_face.unwrap_or(touched))
    }

    /// Where the wheel of center `center` (m) stands on the plane `face`, if that is the plane that
    /// the sweep has `touched`, but for its error.
    fn touched_face(
        &self,
        travel: &WheelTravel,
        center: Vector,
        touched: &Touched,
        face: &Plane,
    ) -> Option<Touched> {
        // A mesh has two sides.
        let cosine = face.normal.dot(touched.plane.normal);
        let side = cosine.signum();
        let plane = Plane { normal: face.normal * side, offset: face.offset * side };
        let gap = plane.distance(self.touched(travel, center, plane.normal).point);
        let is_same = SAME_NORMAL <= cosine.abs() && gap.abs() <= SAME_PLACE * travel.radius;
        is_same.then(|| self.standing_on(travel, center, plane))
    }

    /// Where wheels of center `center` (m) stand on `plane`.
    #[inline]
    pub(super) fn standing_on<V: VectorLanes>(
        &self,
        travel: &WheelTravel<V>,
        center: V,
        plane: Plane<V>,
    ) -> Touched<V> {
        let axle = travel.axle(&self.frame);
        let normal = plane.normal;
        let down_the_disk = -normalize_or_zero(normal - axle * normal.dot(axle));
        let round = travel.shoulder_radius;
        let tread = center + down_the_disk * (travel.radius - round) - normal * round;
        Touched { point: tread - normal * plane.distance(tread), plane }
    }

    /// The plane of unit normal `normal` that the wheel touches when its center is at `center` (m),
    /// by its [reach](WheelTravel::reach).
    ///
    /// The sweep's own point of contact lies anywhere along the tread, and is a little off: through
    /// it, the wheel would not just stand.
    fn touched(&self, travel: &WheelTravel, center: Vector, normal: Vector) -> Touched {
        let plane = Plane::through(center - normal * travel.reach(&self.frame, normal), normal);
        self.standing_on(travel, center, plane)
    }
}

/// A part of `collider`, if that is a compound, or all of it, and its pose in the world.
fn part_of(collider: &Collider, part: u32) -> (Pose, &dyn Shape) {
    let (pose, shape) = (*collider.position(), collider.shape());
    let parts = shape.as_compound().map(Compound::shapes);
    match parts.and_then(|parts| parts.get(part as usize)) {
        Some((local, shape)) => (pose * *local, &**shape),
        None => (pose, shape),
    }
}

/// The plane of the face of a box or half space that a sweep has met with `normal`: it does not
/// depend on where the wheel is. `Some(None)` for an edge or a corner, `None` for another shape.
fn level_face(shape: &dyn Shape, pose: &Pose, normal: Vector) -> Option<Option<Plane>> {
    if let Some(half_space) = shape.as_halfspace() {
        return Some(Some(FlatFace::of_half_space(half_space, pose).plane));
    }
    let half_extents = shape.as_cuboid()?.half_extents;
    let local = pose.rotation.inverse() * normal;
    let axis = (0..3).find(|&axis| {
        (0..3).all(|other| other == axis || local[other].abs() <= ON_FACE) && local[axis] != 0.0
    });
    Some(axis.map(|axis| FlatFace::of_box(half_extents, pose, axis, local[axis]).plane))
}

/// The part of `collider` that a wheel of this `radius` (m) has `touched`, and the plane of its
/// surface there.
///
/// A sweep says which triangle of a mesh or a height field it has met. On solids, a short ray finds
/// the surface.
fn face(collider: &Collider, part: u32, touched: &Touched, radius: Real) -> (u32, Option<Plane>) {
    let (pose, shape) = (collider.position(), collider.shape());
    if let Some(triangle) = triangle_of(shape, part) {
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
