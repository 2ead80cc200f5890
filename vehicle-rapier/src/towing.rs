//! Trailers: they have no drive that would let their tires go, so they follow who pulls them.

use rapier3d::prelude::*;
use vehicle_core::tire::release_sticky_tires;
use vehicle_core::vehicle::ReadVehicle;

use crate::drivable::Drivable;
use crate::driver::{is_driven, note_driven};
use crate::vehicle::RapierVehicle;

/// How far hitches that are coupled are apart at most (m): a joint that is pulled shut over more
/// would throw the trailer.
pub(crate) const REACH: Real = 0.5;

/// Whether wheels of `vehicle` were driven in its last step.
pub(crate) fn is_pulling(vehicle: &impl ReadVehicle) -> bool {
    vehicle.axles().wheels().any(|wheel| vehicle.actuation(wheel).is_driven)
}

impl<V: Drivable> RapierVehicle<V> {
    /// Lets this trailer go when its `tractor` accelerates. If wheels of the tractor were driven in
    /// its last step, this wakes the trailer, and releases its tires from the ground, to which they
    /// hold at rest.
    ///
    /// Call it in every step, before or after the tractor's update, and before the trailer's, but
    /// not while the tractor's body is disabled or its update fails. In a [`Fleet`](crate::Fleet),
    /// [`tow`](crate::Fleet::tow) does it.
    pub fn follow(&mut self, tractor: &impl ReadVehicle, bodies: &mut RigidBodySet) {
        if is_pulling(tractor) {
            self.let_go(bodies);
        }
    }

    /// Releases all tires from the ground, and wakes the body.
    pub(crate) fn let_go(&mut self, bodies: &mut RigidBodySet) {
        release_sticky_tires(&mut self.vehicle.mechanics().state.tires);
        if let Some(body) = bodies.get_mut(self.actor.body) {
            let was_driven = is_driven(body);
            body.wake_up(true);
            if was_driven {
                note_driven(body);
            }
        }
    }
}
