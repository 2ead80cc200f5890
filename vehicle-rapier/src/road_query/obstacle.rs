//! What stands in front of a wheel: a disk that is swept along its way.

use rapier3d::parry::partitioning::{BvhNode, TraversalAction};
use rapier3d::parry::query::{QueryDispatcher, ShapeCastHit, ShapeCastOptions};
use rapier3d::prelude::*;
use vehicle_core::math::lanes::{Lanes, MAX_LANES, Mask4};
use vehicle_core::road_geometry::{
    FourProbes, Obstacle, ObstacleFace, ObstacleProbe, RoadContacts,
};

use super::RapierRoad;
use super::hit::{ground_collider, ground_number, velocity_over_step};
use super::nearby::Nearby;
use super::sheet_rays::cast_on;
use super::wheel_sweeps::WheelSweeps;

/// How far from an edge its front is looked for, in radii of the disk (dimensionless), and how far
/// below and above it.
pub(super) const FRONT: Real = 0.2;
const BELOW: Real = 0.02;
/// How far a wheel may be sideways in what it meets, in halves of its width (dimensionless).
const WIDTHS: Real = 2.0;
/// Cosine of the angle to the normal of a contact within which a face is the one that is touched
/// (dimensionless).
const SAME_FACE: Real = 0.995;

impl RapierRoad<'_> {
    /// What the disk of `probe` meets first.
    pub(super) fn obstacle_before(&self, probe: &ObstacleProbe) -> Option<Obstacle> {
        let (handle, met) = self.sweep_disk(probe)?;
        if 0.0 < met.time_of_impact {
            return self.obstacle_met(probe, (handle, &met));
        }
        // A loose body moves away by itself. Pressed out of a wheel, it would be thrown.
        let moving = self.moving_body(self.query.colliders.get(handle)?);
        if moving.is_some_and(RigidBody::is_dynamic) {
            return None;
        }
        self.obstacle_beside(probe, met.witness1)
    }

    /// What the disk of `probe` meets with one side, the one nearer to a `place` in which it begins
    /// (m). A car that turns beside a wall swings the sides of its wheels into that. A wall is as
    /// high as the hub; what a wheel touches with its top is none.
    #[cold]
    fn obstacle_beside(&self, probe: &ObstacleProbe, place: Vector) -> Option<Obstacle> {
        let direction = probe.axle * (place - probe.start).dot(probe.axle).signum();
        let length = WIDTHS * probe.half_width;
        let start = probe.start - direction * length;
        let beside = ObstacleProbe { start, direction, length, ..*probe };
        let (handle, met) = self.sweep_disk(&beside)?;
        let collider = self.query.colliders.get(handle)?;
        let ray = Ray::new(start, direction);
        let reach = length + probe.half_width + probe.radius;
        cast_on(collider.shape(), collider.position(), &ray, reach)?;
        self.obstacle_met(&beside, (handle, &met))
    }

    /// The obstacle that the disk of `probe` has `met`.
    fn obstacle_met(
        &self,
        probe: &ObstacleProbe,
        (handle, met): (ColliderHandle, &ShapeCastHit),
    ) -> Option<Obstacle> {
        let collider = self.query.colliders.get(handle)?;
        let touched = met.normal1.normalize_or_zero();
        let distance = met.time_of_impact;
        if touched == Vector::ZERO || distance.is_nan() || distance <= 0.0 {
            return None;
        }
        let front = front_face(collider, met.witness1, probe)?;
        let is_edge = front.dot(touched) < SAME_FACE;
        let normal = if is_edge { touched } else { front };
        let center = probe.start + probe.direction * distance;
        let point = center - normal * probe.radius;
        let ground = self.ground((handle, met.subshape1, probe.tire_kind))?;
        let moving = self.moving_body(collider);
        let velocity = moving.map_or(Vector::ZERO, |body| velocity_over_step(body, point, self.dt));
        (point + normal + velocity).is_finite().then_some(Obstacle {
            point,
            normal,
            is_edge,
            friction: ground.friction,
            velocity,
            ground: ground_number(handle),
            pose: moving.map_or(Pose::IDENTITY, |body| *body.position()),
        })
    }

    /// The body of a collider, if it is not fixed.
    fn moving_body(&self, collider: &Collider) -> Option<&RigidBody> {
        let body = collider.parent().and_then(|body| self.query.bodies.get(body));
        body.filter(|body| !body.is_fixed())
    }

    /// An obstacle as it is now; `None` if its collider is gone, or wheels do not meet it any more.
    pub(super) fn obstacle_as_it_is(&self, known: &Obstacle) -> Option<Obstacle> {
        let collider = self.query.colliders.get(ground_collider(known.ground))?;
        if !collider.is_enabled() || collider.is_sensor() {
            return None;
        }
        let Some(body) = self.moving_body(collider) else { return Some(*known) };
        let carried = known.carried_to(*body.position());
        let velocity = velocity_over_step(body, carried.point, self.dt);
        let rest = carried.point + carried.normal + velocity;
        rest.is_finite().then_some(Obstacle { velocity, ..carried })
    }

    /// Inverse mass of the body of `obstacle` where it is met, along each axis (1/kg).
    pub(super) fn obstacle_mobility(&self, obstacle: &Obstacle) -> [Vector; 3] {
        let collider = self.query.colliders.get(ground_collider(obstacle.ground));
        let body = collider.and_then(|collider| self.moving_body(collider));
        body.filter(|body| body.is_dynamic()).map_or([Vector::ZERO; 3], |body| {
            // Not from where the obstacle has come to in the frame: the body is where it was.
            let moved = obstacle.pose.translation - body.position().translation;
            mobility(body, obstacle.point - moved)
        })
    }

    /// Velocity of what moves fastest within `reach` (m) of `hub` (m).
    pub(super) fn velocity_near(&self, wheel: usize, hub: Vector, reach: Real) -> Option<Vector> {
        let mut fastest: Option<Vector> = None;
        self.for_each_mover(wheel, hub, reach, |body, _| {
            if body.is_sleeping() {
                return;
            }
            let velocity = velocity_over_step(body, hub, self.dt);
            let least = fastest.map_or(0.0, Vector::length_squared);
            if least < velocity.length_squared() {
                fastest = Some(velocity);
            }
        });
        fastest.filter(|velocity| velocity.is_finite())
    }

    /// Shows each body within `reach` (m) of `hub` (m) to `see` that may move, with its collider
    /// there.
    pub(super) fn for_each_mover(
        &self,
        wheel: usize,
        hub: Vector,
        reach: Real,
        mut see: impl FnMut(&RigidBody, &Collider),
    ) {
        let bounds = Aabb::from_half_extents(hub, Vector::splat(reach));
        self.for_each_met(wheel, bounds, |_, collider| {
            if let Some(body) = self.moving_body(collider) {
                see(body, collider);
            }
        });
    }

    /// Shows each collider to `see` that `wheel` can meet and whose bounds touch these.
    fn for_each_met(
        &self,
        wheel: usize,
        bounds: Aabb,
        mut see: impl FnMut(ColliderHandle, &Collider),
    ) {
        let region = BvhNode::leaf(bounds, 0);
        let filter = QueryFilter { groups: self.params.groups_of(wheel), ..self.query.filter };
        self.query.bvh.traverse(|node| {
            if !node.intersects(&region) {
                return TraversalAction::Prune;
            }
            let Some(id) = node.leaf_data() else { return TraversalAction::Continue };
            let found = self.query.colliders.get_unknown_gen(id);
            let Some((collider, handle)) = found else { return TraversalAction::Continue };
            if filter.test(self.query.bodies, handle, collider)
                && self.can_meet(wheel, handle, collider)
            {
                see(handle, collider);
            }
            TraversalAction::Continue
        });
    }

    fn sweep_disk(&self, probe: &ObstacleProbe) -> Option<(ColliderHandle, ShapeCastHit)> {
        let rotation = Rotation::from_rotation_arc(Vector::Y, probe.axle);
        let start = Pose::from_parts(probe.start, rotation);
        let round = probe.shoulder_radius;
        let inner_shape = Cylinder::new(probe.half_width - round, probe.radius - round);
        let disk = RoundCylinder { inner_shape, border_radius: round };
        let shape: &dyn Shape = if 0.0 < round { &disk } else { &inner_shape };
        let options = ShapeCastOptions {
            max_time_of_impact: probe.length,
            target_distance: 0.0,
            stop_at_penetration: false,
            compute_impact_geometry_on_penetration: true,
        };
        let dispatcher = WheelSweeps(self.query.dispatcher);
        let (mut distance, mut nearest) = (probe.length, None);
        self.for_each_in_the_way(probe, |handle, collider| {
            let pose = collider.position();
            let from_collider = pose.inv_mul(&start);
            let direction = pose.rotation.inverse() * probe.direction;
            let cast =
                dispatcher.cast_shapes(&from_collider, direction, collider.shape(), shape, options);
            if let Ok(Some(met)) = cast
                && met.time_of_impact < distance
            {
                distance = met.time_of_impact;
                nearest = Some((handle, met.transform1_by(pose)));
            }
        });
        nearest
    }

    /// Shows each collider to `see` that the disk of `probe` may meet.
    fn for_each_in_the_way(
        &self,
        probe: &ObstacleProbe,
        mut see: impl FnMut(ColliderHandle, &Collider),
    ) {
        self.for_each_met(probe.wheel, bounds_of_sweep(probe), |handle, collider| {
            if self.may_be_in_the_way(collider, probe) {
                see(handle, collider);
            }
        });
    }

    /// Where a ray from `from` to `to` (m) meets what `wheel` can stand on.
    pub(super) fn face_met(&self, wheel: usize, from: Vector, to: Vector) -> Option<ObstacleFace> {
        let way = to - from;
        let ray = Ray::new(from, way.try_normalize()?);
        let (handle, met) = self.first_met(wheel, &[], &ray, way.length())?;
        let parent = self.query.colliders.get(handle)?.parent();
        let body = parent.and_then(|body| self.query.bodies.get(body));
        let is_firm = !body.is_some_and(RigidBody::is_dynamic) && 0.0 < met.time_of_impact;
        is_firm
            .then(|| ObstacleFace { point: ray.point_at(met.time_of_impact), normal: met.normal })
    }

    /// Whether `collider` is on a body that moves.
    fn is_moving(&self, collider: &Collider) -> bool {
        self.moving_body(collider).is_some_and(|body| {
            !body.is_sleeping() && (body.linvel() != Vector::ZERO || body.angvel() != Vector::ZERO)
        })
    }

    /// Notes in `roads` whether the wheels of `probes` stand on what alone is `nearby`, and
    /// whether nothing there moves.
    pub(super) fn note_alone(
        &self,
        nearby: &Nearby<'_>,
        probes: &[FourProbes],
        roads: &mut [RoadContacts],
    ) {
        if !self.looks_for_obstacles() {
            return;
        }
        let is_still = !nearby.colliders().any(|collider| self.is_moving(collider));
        for roads in &mut *roads {
            roads.is_still = is_still;
        }
        let Some(sole) = nearby.sole() else { return };
        let shape = sole.collider.shape();
        let is_box = shape.as_cuboid().is_some();
        if is_box {
            for (probes, roads) in probes.iter().zip(roads) {
                roads.is_alone = stand_on_one_face(probes.asks, roads);
            }
        } else if shape.as_halfspace().is_some()
            || self.is_without_steps(sole.collider, probes, roads)
        {
            for roads in roads {
                roads.is_alone = true;
            }
        }
    }
}

/// Bounds of the disk of `probe` on its way, with what is rounding.
fn bounds_of_sweep(probe: &ObstacleProbe) -> Aabb {
    const ROUNDING: Real = 1e-5;
    let round = probe.shoulder_radius;
    let along = probe.axle.abs().min(Vector::ONE);
    let across = (Vector::ONE - along * along).map(Real::sqrt);
    let inner = across * (probe.radius - round) + along * (probe.half_width - round);
    let end = probe.start + probe.direction * probe.length;
    let size = probe.radius + probe.start.abs().max_element();
    let half = inner + Vector::splat(round + ROUNDING * size);
    Aabb::new(probe.start.min(end) - half, probe.start.max(end) + half)
}

/// Change of the velocity of `body` at `point` (m) per impulse there, along each axis (1/kg).
///
/// ```text
/// W = M⁻¹ - [r]× I⁻¹ [r]×
/// ```
fn mobility(body: &RigidBody, point: Vector) -> [Vector; 3] {
    let properties = body.mass_properties();
    let arm = point - body.center_of_mass();
    [Vector::X, Vector::Y, Vector::Z].map(|axis| {
        let turned = properties.effective_world_inv_inertia * arm.cross(axis);
        properties.effective_inv_mass * axis + turned.cross(arm)
    })
}

/// Whether all wheels that ask stand on one plane: that of a face.
fn stand_on_one_face(asks: Mask4, roads: &RoadContacts) -> bool {
    let mut planes = (0..MAX_LANES).filter(|&lane| asks.lane(lane)).map(|lane| roads.lane(lane));
    let Some(Some(first)) = planes.next() else { return false };
    planes.all(|road| road.is_some_and(|road| road.plane.normal == first.plane.normal))
}

/// Normal of the face in the way of a disk that has met `collider` at a `place` (m); `None` if none
/// adjoins there.
fn front_face(collider: &Collider, place: Vector, probe: &ObstacleProbe) -> Option<Vector> {
    let reach = FRONT * probe.radius;
    let face = |height: Real| {
        let start = place - probe.direction * reach + probe.road_normal * (height * probe.radius);
        let ray = Ray::new(start, probe.direction);
        let met = cast_on(collider.shape(), collider.position(), &ray, 2.0 * reach)?;
        let normal = met.normal.normalize_or_zero();
        let is_front = 0.0 < met.time_of_impact && probe.is_in_the_way(normal);
        is_front.then_some(normal)
    };
    face(-BELOW).or_else(|| face(BELOW))
}
