//! Vehicles that lie on their hulls.

use rapier3d::prelude::*;

use super::RapierVehicle;
use crate::drivable::Drivable;
use crate::scene::Scene;

/// Cosine of the angle to the vertical beyond which a vehicle on its hull is on its side
/// (dimensionless).
const UPRIGHT: Real = 0.5;

impl<V: Drivable> RapierVehicle<V> {
    /// Whether the vehicle lies on its hull: none of its wheels has a road, or it is on its side.
    ///
    /// As a force over the step, its weight is borne by the contacts of the hull while it acts; as
    /// a jump of the velocity it would shake them.
    pub(super) fn lies(&self, scene: &Scene<'_>) -> bool {
        let Some(body) = scene.bodies.get(self.actor.body) else { return false };
        let up = body.rotation() * self.params.coordinates.frame.vertical();
        let down = scene.gravity.normalize_or_zero();
        let is_tilted = down != Vector::ZERO && -UPRIGHT < up.dot(down);
        let has_road = |wheel| self.vehicle.road(wheel).is_some();
        if !is_tilted && self.vehicle.axles().wheels().any(has_road) {
            return false;
        }
        let touches = |&collider: &ColliderHandle| {
            let mut pairs = scene.narrow_phase.contact_pairs_with(collider);
            pairs.any(ContactPair::has_any_active_contact)
        };
        body.colliders().iter().any(touches)
    }
}
