//! What a vehicle does to the bodies that it stands on.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::Frame;
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::road_geometry::RoadContact;
use vehicle_core::suspension::{SuspensionView, wheel_travel};

use crate::actor::{Actor, ActorError};
use crate::road_query::ground_collider;
use crate::sleep::Drivable;

/// Grain of forces on links (N, N·m). Sums of multiples of it are exact up to some 260 kN: nothing is
/// left of forces that are taken back.
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

impl Actor {
    /// Gives the dynamic bodies under the wheels the opposite of what they gave the vehicle in its
    /// step, where the wheels stand. It follows [`end`](Self::end), before the world's step.
    ///
    /// It needs the stage [`Ground`](vehicle_core::ground::Ground) in the vehicle's sequence. A body
    /// that sleeps under a vehicle that stands is left asleep. The links of a multibody take no
    /// impulse: [`RapierVehicle`](crate::RapierVehicle) gives them a force for the next step.
    ///
    /// # Errors
    ///
    /// If the vehicle's body is gone or not dynamic; nothing has changed then.
    pub fn push_ground<V: Drivable>(
        &self,
        vehicle: &mut V,
        bodies: &mut RigidBodySet,
        colliders: &ColliderSet,
        frame: &Frame,
        length_scale: Real,
    ) -> Result<(), ActorError> {
        let is_busy = vehicle.is_busy(&self.sleep, length_scale);
        self.for_each_push(vehicle, bodies, colliders, frame, &mut |_, ground, push| {
            push.apply(ground, is_busy);
        })
    }

    /// Hands every dynamic body under a wheel to `take`, with what the wheel does to it.
    pub(crate) fn for_each_push<V: Drivable>(
        &self,
        vehicle: &mut V,
        bodies: &mut RigidBodySet,
        colliders: &ColliderSet,
        frame: &Frame,
        take: &mut dyn FnMut(RigidBodyHandle, &mut RigidBody, &Push),
    ) -> Result<(), ActorError> {
        let body = self.dynamic_body(bodies)?;
        if body.is_sleeping() || !body.is_enabled() {
            return Ok(());
        }
        // Bodies and planes are as the world's last step left them.
        let start = RigidBodyState::at_rest(*body.position() * self.center_of_mass);
        let view = vehicle.suspension();
        for wheel in view.axles.wheels() {
            let Some(road) = &view.roads[wheel] else { continue };
            let Some(handle) = dynamic_ground(road, bodies, colliders) else { continue };
            let point = standing_point(&view, wheel, road, &start, frame);
            take(handle, &mut bodies[handle], &Push { impulse: road.impulse, point });
        }
        Ok(())
    }
}

/// What a wheel does to the ground in a step.
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
/// out of the world by [`RapierVehicle::remove`](crate::RapierVehicle::remove), which takes them back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinkForces(Vec<LinkForce>);

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
        self.0.push(LinkForce { link, force, torque });
    }

    /// Takes all forces back.
    pub(crate) fn withdraw(&mut self, bodies: &mut RigidBodySet) {
        for LinkForce { link, force, torque } in self.0.drain(..) {
            if let Some(body) = bodies.get_mut(link) {
                body.add_force(-force, false);
                body.add_torque(-torque, false);
            }
        }
    }
}

/// `vector` in whole grains.
fn in_grains(vector: Vector) -> Vector {
    (vector / GRAIN).round() * GRAIN
}

/// Where `wheel` of a vehicle whose body is at `start` touches its road (m).
fn standing_point(
    view: &SuspensionView<'_>,
    wheel: usize,
    road: &RoadContact,
    start: &RigidBodyState,
    frame: &Frame,
) -> Vector {
    let (suspension, params) = (&view.params[wheel], &view.wheel_params[wheel]);
    let travel = wheel_travel(suspension, params, start, view.steer_angles[wheel], frame);
    travel.standing_point(view.states[wheel].jounce.unwrap_or(0.0), &road.plane)
}
