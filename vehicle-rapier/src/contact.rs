//! What is to be known of each wheel and the ground below it, without borrowing the vehicle for change.

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
    /// Its material is the collider's user data, or that of the [part](crate::friction::PartMaterials)
    /// of the collider.
    pub wheel: WheelContact,
}

impl GroundContact {
    /// The user data of the collider; `None` if it is gone.
    pub fn user_data(&self, colliders: &ColliderSet) -> Option<u128> {
        colliders.get(self.collider).map(|collider| collider.user_data)
    }
}

impl<V: HasMechanics> RapierVehicle<V> {
    /// How `wheel` touches its ground, as of the vehicle's last step; `None` if it does not, or there is
    /// no such wheel.
    pub fn wheel_contact(&self, wheel: usize) -> Option<GroundContact> {
        let frame = &self.params.coordinates.frame;
        let wheel = self.vehicle.read_mechanics().wheel_contact(wheel, frame)?;
        Some(GroundContact { collider: ground_collider(wheel.ground), wheel })
    }
}
