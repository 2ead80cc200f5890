//! Contact of each wheel with the ground below it, read without borrowing the vehicle for change.

use rapier3d::prelude::*;
use vehicle_core::vehicle::{HasMechanics, WheelContact};

use crate::road_query::ground_collider;
use crate::vehicle::RapierVehicle;

/// How a wheel touches a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GroundContact {
    /// The collider on which it stands.
    pub collider: ColliderHandle,
    /// Point, slip and all else of the wheel.
    ///
    /// Its material is the collider's user data, or that of the
    /// [part](crate::friction::PartMaterials) of the collider.
    pub wheel: WheelContact,
}

impl GroundContact {
    /// The user data of the collider; `None` if it is gone.
    pub fn user_data(&self, colliders: &ColliderSet) -> Option<u128> {
        colliders.get(self.collider).map(|collider| collider.user_data)
    }
}

impl<V: HasMechanics> RapierVehicle<V> {
    /// How `wheel` touches its ground, as of the vehicle's last step; `None` if it does not, or
    /// there is no such wheel.
    pub fn wheel_contact(&self, wheel: usize) -> Option<GroundContact> {
        let frame = &self.params.coordinates.frame;
        let wheel = self.vehicle.read_mechanics().wheel_contact(wheel, frame)?;
        Some(GroundContact { collider: ground_collider(wheel.ground), wheel })
    }

    /// Where `wheel` touches its ground (m, world), as of the vehicle's last step; `None` if it
    /// does not, or there is no such wheel.
    pub fn contact_point(&self, wheel: usize) -> Option<Vector> {
        Some(self.wheel_contact(wheel)?.wheel.point)
    }

    /// Whether `wheel` leaves marks and squeals, see [`WheelContact::is_skidding`].
    pub fn is_skidding(&self, wheel: usize) -> bool {
        let length_scale = self.params.coordinates.length_scale;
        self.wheel_contact(wheel).is_some_and(|contact| contact.wheel.is_skidding(length_scale))
    }
}
