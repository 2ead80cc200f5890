//! Forces of a vehicle on the bodies that it stands on.

use arrayvec::ArrayVec;
use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::memory::MAX_LOAD;
use vehicle_core::rigid_body::{RigidBodyState, world_inverse_inertia};
use vehicle_core::road_geometry::RoadContact;
use vehicle_core::suspension::wheel_travel;
use vehicle_core::tire::StickyState;
use vehicle_core::vehicle::ReadVehicle;
use vehicle_core::{Frame, MAX_WHEELS};

use crate::actor::{Actor, ActorError};
use crate::drivable::Drivable;
use crate::road_query::ground_collider;
use crate::scene::Scene;
use crate::yielding::{Below, WheelPush};

/// Grain of forces on links (N, N·m). Sums of multiples of it are exact up to some 260 kN: nothing
/// is left of forces that are taken back.
const GRAIN: Real = 1.0 / 64.0;

/// The dynamic body that is the ground of `road`.
fn dynamic_ground(
    road: &RoadContact,
    bodies: &RigidBodySet,
    colliders: &ColliderSet,
) -> Option<RigidBodyHandle> {
    let handle = colliders.get(ground_collider(road.ground))?.parent()?;
    bodies.get(handle)?.is_dynamic().then_some(handle)
}

/// Whether a wheel of `vehicle` stands on a dynamic body.
pub(crate) fn stands_on_loose_ground<V: ReadVehicle + ?Sized>(
    vehicle: &V,
    bodies: &RigidBodySet,
    colliders: &ColliderSet,
) -> bool {
    let roads = vehicle.axles().wheels().filter_map(|wheel| vehicle.road(wheel));
    roads.into_iter().any(|road| dynamic_ground(&road, bodies, colliders).is_some())
}

impl Actor {
    /// Gives each dynamic body under a wheel the opposite of the impulse that it gave the vehicle
    /// in its step. The impulse acts at the place of the wheel, as far as the body can take it. An
    /// impulse that no body can bear is taken from the vehicle, too. Bodies in front of the wheels
    /// get all of their impulse: the wheels have felt them give way. It comes before
    /// [`end`](Self::end) and the world's step.
    ///
    /// It needs the stage [`Ground`](vehicle_core::stages::Ground) in the vehicle's sequence. A
    /// body that sleeps under a vehicle that stands is left asleep. The links of a multibody take
    /// no impulse: [`RapierVehicle`](crate::RapierVehicle) gives them a force for the next step.
    ///
    /// # Errors
    ///
    /// If the vehicle's body is gone or not dynamic; nothing has changed then.
    pub fn push_ground<V: Drivable>(
        &self,
        vehicle: &mut V,
        scene: &mut Scene<'_>,
        frame: &Frame,
        length_scale: Real,
    ) -> Result<(), ActorError> {
        let is_busy = vehicle.is_busy(&self.sleep, length_scale);
        let coordinates = CoordinateSystem { frame: *frame, length_scale };
        self.for_each_push(vehicle, scene, &coordinates, &mut |_, ground, push| {
            push.apply(ground, is_busy);
        })?;
        self.push_obstacles(vehicle, scene, &mut |_, obstacle, push| push.apply(obstacle, is_busy))
    }

    /// Hands every dynamic body in front of a wheel to `take`, with what the wheel has done to it.
    /// That is as much as the body can take, for the wheel has felt it give way.
    pub(crate) fn push_obstacles<V: Drivable>(
        &self,
        vehicle: &V,
        scene: &mut Scene<'_>,
        take: &mut dyn FnMut(RigidBodyHandle, &mut RigidBody, &Push),
    ) -> Result<(), ActorError> {
        let body = self.dynamic_body(scene.bodies)?;
        let may_act = vehicle.read_mechanics().state.obstacles.may_act();
        if !may_act || body.is_sleeping() || !body.is_enabled() {
            return Ok(());
        }
        for wheel in vehicle.axles().wheels() {
            let Some(state) = vehicle.obstacle(wheel) else { continue };
            let Some(obstacle) = state.obstacle.filter(|_| state.impulse != Vector::ZERO) else {
                continue;
            };
            let ground = scene.colliders.get(ground_collider(obstacle.ground));
            let Some(handle) = ground.and_then(Collider::parent) else { continue };
            let Some(body) = scene.bodies.get_mut(handle).filter(|body| body.is_dynamic()) else {
                continue;
            };
            // The body is where it was when the frame began, the obstacle has come on.
            let moved = obstacle.pose.translation - body.position().translation;
            let point = obstacle.point - moved;
            take(handle, body, &Push { impulse: state.impulse, point });
        }
        Ok(())
    }

    /// Hands every dynamic body under a wheel to `take`, with what the wheel does to it, and takes
    /// from the vehicle what none of them bears.
    pub(crate) fn for_each_push<V: Drivable>(
        &self,
        vehicle: &mut V,
        scene: &mut Scene<'_>,
        coordinates: &CoordinateSystem,
        take: &mut dyn FnMut(RigidBodyHandle, &mut RigidBody, &Push),
    ) -> Result<(), ActorError> {
        let body = self.dynamic_body(scene.bodies)?;
        if body.is_sleeping() || !body.is_enabled() {
            return Ok(());
        }
        // Bodies and planes are as the world's last step left them.
        let start = RigidBodyState {
            linear_velocity: body.linvel(),
            angular_velocity: body.angvel(),
            ..RigidBodyState::at_rest(*body.position() * self.center_of_mass)
        };
        let pushes = wheel_pushes(vehicle, &start, scene, &coordinates.frame);
        let below = Below {
            colliders: scene.colliders,
            narrow_phase: scene.narrow_phase,
            own_body: self.body,
            length_scale: coordinates.length_scale,
        };
        for push in &pushes {
            let point = push.point;
            let wheel_count = pushes.iter().filter(|other| other.ground == push.ground).count();
            let mut take_part = |handle, ground: &mut RigidBody, impulse| {
                take(handle, ground, &Push { impulse, point });
            };
            let left = push.give(wheel_count, &below, scene.bodies, &mut take_part);
            if left != Vector::ZERO {
                let view = vehicle.mechanics().rigid_body();
                let inverse_inertia = world_inverse_inertia(view.params, start.pose.rotation);
                let arm = point - start.pose.translation;
                view.state.linear_velocity += left / view.params.mass;
                view.state.angular_velocity += inverse_inertia * arm.cross(left);
            }
        }
        Ok(())
    }
}

/// Pushes of the wheels of `vehicle`, whose body was at `start`, on dynamic bodies.
fn wheel_pushes<V: Drivable>(
    vehicle: &V,
    start: &RigidBodyState,
    scene: &Scene<'_>,
    frame: &Frame,
) -> ArrayVec<WheelPush, MAX_WHEELS> {
    let mut pushes = ArrayVec::new();
    for wheel in vehicle.axles().wheels() {
        let Some(road) = &vehicle.road(wheel) else { continue };
        if dynamic_ground(road, scene.bodies, scene.colliders).is_none() {
            continue;
        }
        let point = standing_point(vehicle, wheel, road, start, frame);
        let normal = road.plane.normal;
        let approach = normal.dot(road.velocity - start.velocity_at(point)).max(0.0);
        let into = normal.dot(road.impulse);
        let following = vehicle.following_speed(wheel, into.abs(), scene.dt);
        pushes.push(WheelPush {
            ground: ground_collider(road.ground),
            wheel,
            point,
            impulses: [normal * into, road.impulse, Vector::ZERO],
            speeds: [approach + following, 0.0, 0.0],
        });
    }
    for push in &mut pushes {
        let tire = vehicle.tire_state(push.wheel);
        let along = tire.directions.longitudinal;
        let sideways = push.impulses[1] - push.impulses[0];
        let turning = vehicle.wheel_state(push.wheel).rotation_speed;
        let rolling = turning * vehicle.wheel_params(push.wheel).radius;
        let slip = |limit: &StickyState, speed: Real| {
            if limit.is_active { Real::INFINITY } else { speed.abs() }
        };
        push.impulses[1] = along * along.dot(sideways);
        push.impulses[2] = sideways - push.impulses[1];
        push.speeds[1] = slip(&tire.sticky.longitudinal, tire.speeds.longitudinal - rolling);
        push.speeds[2] = slip(&tire.sticky.lateral, tire.speeds.lateral);
    }
    pushes
}

/// Push of a wheel on the ground in a step.
pub(crate) struct Push {
    /// (N·s)
    impulse: Vector,
    /// Where the wheel stands (m).
    point: Vector,
}

impl Push {
    /// Gives `ground` the impulse, unless it sleeps and is not to wake.
    pub(crate) fn apply(&self, ground: &mut RigidBody, wakes: bool) {
        if wakes || !ground.is_sleeping() {
            ground.apply_impulse_at_point(self.impulse, self.point, wakes);
        }
    }
}

/// Forces of a vehicle on the links of multibodies that it stands on, which take no impulses.
///
/// They act until the vehicle's next update: those of a vehicle that sleeps go on. Take the vehicle
/// out of the world by [`RapierVehicle::remove`](crate::RapierVehicle::remove), which takes them
/// back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinkForces(
    #[expect(
        clippy::box_collection,
        reason = "few vehicles have any, and all take the room for them"
    )]
    Option<Box<Vec<LinkForce>>>,
);

/// A force on a link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct LinkForce {
    link: RigidBodyHandle,
    /// (N)
    force: Vector,
    /// About the center of mass (N·m).
    torque: Vector,
}

impl LinkForces {
    /// Adds `push`, spread over a step of `dt` (s), to the forces on `body`, the body of `link`.
    pub(crate) fn add(
        &mut self,
        link: RigidBodyHandle,
        body: &mut RigidBody,
        push: &Push,
        dt: Real,
        wakes: bool,
    ) {
        let force = in_grains(push.impulse / dt);
        let torque = in_grains((push.point - body.center_of_mass()).cross(force));
        body.add_force(force, wakes);
        body.add_torque(torque, wakes);
        self.0.get_or_insert_default().push(LinkForce { link, force, torque });
    }

    /// Reports numbers that are not finite.
    pub(crate) fn check(&self, check: &mut ParamCheck) {
        let forces = self.0.as_deref().map_or(&[][..], Vec::as_slice);
        check.each("link_forces", forces, |LinkForce { force, torque, .. }, inner| {
            inner.vector_within("force", *force, MAX_LOAD);
            inner.vector_within("torque", *torque, MAX_LOAD);
        });
    }

    /// Takes all forces back; from bodies that are not dynamic once they are so again, for until
    /// then they keep their forces without telling them.
    pub(crate) fn withdraw(&mut self, bodies: &mut RigidBodySet) {
        let Some(forces) = &mut self.0 else { return };
        forces.retain(|&LinkForce { link, force, torque }| {
            let Some(body) = bodies.get_mut(link) else { return false };
            if !body.is_dynamic() {
                return true;
            }
            // Who resets the forces of the body has taken these away, too.
            if body.user_force() != Vector::ZERO {
                body.add_force(-force, false);
            }
            if body.user_torque() != Vector::ZERO {
                body.add_torque(-torque, false);
            }
            false
        });
    }
}

/// `vector` in whole grains.
fn in_grains(vector: Vector) -> Vector {
    (vector / GRAIN).round() * GRAIN
}

/// Where `wheel` of a vehicle whose body is at `start` touches its road (m).
fn standing_point<V: ReadVehicle + ?Sized>(
    vehicle: &V,
    wheel: usize,
    road: &RoadContact,
    start: &RigidBodyState,
    frame: &Frame,
) -> Vector {
    let (suspension, params) = (vehicle.suspension_params(wheel), vehicle.wheel_params(wheel));
    let travel = wheel_travel(suspension, params, start, vehicle.steer_angle(wheel), frame);
    travel.standing_point(
        vehicle.suspension_state(wheel).compression.jounce.unwrap_or(0.0),
        &road.plane,
    )
}
