//! Vehicles that lie on their hulls, or lean on them.

use rapier3d::prelude::*;
use vehicle_core::constraint_rows::RowExecution;

use super::{RapierVehicle, is_link};
use crate::drivable::Drivable;
use crate::scene::Queries;

/// Cosine of the angle to the vertical beyond which a vehicle on its hull is on its side
/// (dimensionless).
const UPRIGHT: Real = 0.5;
/// Speed of a body from which on it does not lean on its ground, but hits it (m/s).
const LEANING_SPEED: Real = 1.0;
/// Most that a leaning hull is given in a step, by what its weight is (dimensionless).
const MAX_PUSH: Real = 3.0;
/// Cosine of the angle to the vertical up to which a vehicle leans (dimensionless).
const LEANING: Real = 0.8;
/// Cosine of the largest angle to the vertical of a push that bears weight (dimensionless).
const BEARING: Real = 0.5;

impl<V: Drivable> RapierVehicle<V> {
    /// Whether the vehicle lies on its hull: none of its wheels has a road, or it is on its side.
    ///
    /// As a force over the step, its weight is borne by the contacts of the hull while it acts; as
    /// a jump of the velocity it would shake them.
    pub(super) fn lies(&self, scene: &Queries<'_>) -> bool {
        let Some(body) = scene.bodies.get(self.actor.body) else { return false };
        let is_tilted = self.uprightness(scene) < UPRIGHT;
        let has_road = |wheel| self.vehicle.has_road(wheel);
        if !is_tilted && self.vehicle.axles().wheels().any(has_road) {
            return false;
        }
        let touches = |&collider: &ColliderHandle| {
            let mut pairs = scene.narrow_phase.contact_pairs_with(collider);
            pairs.any(ContactPair::has_any_active_contact)
        };
        body.colliders().iter().any(touches)
    }

    /// Cosine of the angle by which the vehicle is tilted; 1 where there is no gravity.
    fn uprightness(&self, world: &Queries<'_>) -> Real {
        let up = self.vehicle.body().pose.rotation * self.params.coordinates.frame.vertical();
        let down = world.gravity.normalize_or_zero();
        if down == Vector::ZERO { 1.0 } else { -up.dot(down) }
    }

    /// Lets the hull bear in the step what it bore in the world's last one, if the vehicle leans on
    /// it and is slow.
    ///
    /// Otherwise the vehicle would fall within its own step, and its tires would hold it as it
    /// does. The world takes the fall back, but not what the tires did.
    pub(crate) fn lean(&mut self, world: &Queries<'_>) {
        let push = self.leaning_push(world);
        self.actor.pace.leans = push.is_some();
        if let Some([linear, angular]) = push {
            let [force, torque] = self.load_of([linear, angular], world.dt);
            let state = &mut self.vehicle.mechanics().state.rigid_body;
            state.external_force += force;
            state.external_torque += torque;
        }
    }

    /// Takes back what the hull bore in the vehicle's step, where no stage has cleared it.
    pub(crate) fn end_leaning(&mut self, world: &Queries<'_>) {
        if !self.actor.pace.leans {
            return;
        }
        let [force, torque] = self.load_of(self.hull_push(world), world.dt);
        let state = &mut self.vehicle.mechanics().state.rigid_body;
        if [state.external_force, state.external_torque] != [Vector::ZERO; 2] {
            state.external_force -= force;
            state.external_torque -= torque;
        }
    }

    /// What the hull has borne in the vehicle's step (m/s, rad/s).
    pub(super) fn borne(&self, world: &Queries<'_>) -> [Vector; 2] {
        if self.actor.pace.leans { self.hull_push(world) } else { [Vector::ZERO; 2] }
    }

    /// The push of the ground on the hull of a slow vehicle that leans on it.
    fn leaning_push(&self, world: &Queries<'_>) -> Option<[Vector; 2]> {
        let fast = LEANING_SPEED * self.params.coordinates.length_scale;
        let is_hosted = self.params.row_execution == RowExecution::Host;
        let is_slow = self.vehicle.body().previous_linear_velocity.length() < fast;
        if !is_slow || is_hosted || is_link(self.actor.body, world.multibody_joints) {
            return None;
        }
        let push = self.hull_push(world);
        let [linear, _] = push;
        let most = MAX_PUSH * world.gravity.length() * world.dt;
        let is_resting = linear != Vector::ZERO && linear.length() < most;
        (is_resting && LEANING < self.uprightness(world) && !self.lies(world)).then_some(push)
    }

    /// What the ground has given to the hull in the world's last step (m/s, rad/s). Friction of the
    /// hull is left out: with it, hull and tires could pull at each other without end.
    fn hull_push(&self, world: &Queries<'_>) -> [Vector; 2] {
        let down = world.gravity.normalize_or_zero();
        let (mut linear, mut angular) = (Vector::ZERO, Vector::ZERO);
        let Some(body) = world.bodies.get(self.actor.body) else { return [linear, angular] };
        for &collider in body.colliders() {
            for pair in world.narrow_phase.contact_pairs_with(collider) {
                let is_first = pair.collider1 == collider;
                for manifold in pair.solver_manifolds() {
                    let normal = manifold.data.normal * if is_first { -1.0 } else { 1.0 };
                    if -BEARING <= down.dot(normal) {
                        continue;
                    }
                    for point in &manifold.points {
                        let data = &point.data;
                        let arm = if is_first { data.solver_dp1 } else { data.solver_dp2 };
                        linear += normal * data.impulse;
                        angular += arm.cross(normal * data.impulse);
                    }
                }
            }
        }
        let properties = body.mass_properties();
        [properties.effective_inv_mass * linear, properties.effective_world_inv_inertia * angular]
    }

    /// Force and torque that give the body these velocities in a step of `dt` (s) (N, N·m).
    fn load_of(&self, [linear, angular]: [Vector; 2], dt: Real) -> [Vector; 2] {
        let params = self.vehicle.body_params();
        let axes = self.vehicle.body().pose.rotation;
        let torque = axes * (params.inertia * (axes.inverse() * angular)) / dt;
        [linear * (params.mass / dt), torque]
    }
}
