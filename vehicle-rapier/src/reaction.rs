//! What a vehicle and the bodies that it stands on do to each other.

use rapier3d::prelude::*;
use vehicle_core::Frame;
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::road_geometry::RoadContact;
use vehicle_core::suspension::{HasSuspension, SuspensionView, wheel_travel};

use crate::actor::{Actor, ActorError};
use crate::road_query::ground_collider;
use crate::sleep::Drivable;

/// Whether the ground of this number moves, or is gone.
pub(crate) fn is_moving(ground: u64, bodies: &RigidBodySet, colliders: &ColliderSet) -> bool {
    let Some(collider) = colliders.get(ground_collider(ground)) else {
        return true;
    };
    let body = collider.parent().and_then(|body| bodies.get(body));
    body.is_some_and(|body| {
        let is_awake = body.is_kinematic() || !body.is_sleeping();
        !body.is_fixed() && is_awake && body.is_moving()
    })
}

/// Whether a wheel of `vehicle` stands on ground that moves, or that is gone.
pub(crate) fn stands_on_moving_ground<V: HasSuspension + ?Sized>(
    vehicle: &mut V,
    bodies: &RigidBodySet,
    colliders: &ColliderSet,
) -> bool {
    let view = vehicle.suspension();
    let mut roads = view.axles.wheels().filter_map(|wheel| view.roads[wheel].as_ref());
    roads.any(|road| is_moving(road.ground, bodies, colliders))
}

/// The number of the ground on which all wheels of `vehicle` stand that stand at all.
pub(crate) fn sole_ground<V: HasSuspension + ?Sized>(vehicle: &mut V) -> Option<u64> {
    let view = vehicle.suspension();
    let mut roads = view.axles.wheels().filter_map(|wheel| view.roads[wheel].as_ref());
    let first = roads.next()?.ground;
    roads.all(|road| road.ground == first).then_some(first)
}

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
    /// Wakes the body if it sleeps on ground that moves, or that is gone. It comes before
    /// [`begin`](Self::begin).
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic; nothing has changed then.
    pub fn wake_on_moving_ground<V: Drivable>(
        &self,
        vehicle: &mut V,
        bodies: &mut RigidBodySet,
        colliders: &ColliderSet,
    ) -> Result<(), ActorError> {
        if !self.dynamic_body(bodies)?.is_sleeping() {
            return Ok(());
        }
        if stands_on_moving_ground(vehicle, bodies, colliders) {
            bodies[self.body].wake_up(true);
        }
        Ok(())
    }

    /// Gives the dynamic bodies under the wheels the opposite of what they gave the vehicle in its
    /// step, where the wheels stand. It follows [`end`](Self::end), before the world's step.
    ///
    /// It needs the stage [`Ground`](vehicle_core::ground::Ground) in the vehicle's sequence. A body
    /// that sleeps under a vehicle that stands is left asleep. The links of a multibody take no
    /// impulse.
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
        let body = self.dynamic_body(bodies)?;
        if body.is_sleeping() {
            return Ok(());
        }
        // Bodies and planes are as the world's last step left them.
        let start = RigidBodyState::at_rest(*body.position() * self.center_of_mass);
        let is_busy = vehicle.is_busy(length_scale);
        let view = vehicle.suspension();
        for wheel in view.axles.wheels() {
            let Some(road) = &view.roads[wheel] else { continue };
            let Some(handle) = dynamic_ground(road, bodies, colliders) else { continue };
            let ground = &mut bodies[handle];
            if is_busy || !ground.is_sleeping() {
                let point = standing_point(&view, wheel, road, &start, frame);
                ground.apply_impulse_at_point(road.impulse, point, is_busy);
            }
        }
        Ok(())
    }
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
    let bottom = travel.bottom(view.states[wheel].jounce.unwrap_or(0.0));
    bottom - road.plane.normal * road.plane.distance(bottom)
}
