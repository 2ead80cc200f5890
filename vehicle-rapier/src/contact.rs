//! Contact of each wheel with the ground below it, read without borrowing the vehicle for change.

use rapier3d::prelude::*;
use vehicle_core::math::Real;
use vehicle_core::vehicle::{HasMechanics, WheelContact};

use crate::road_query::ground_collider;
use crate::vehicle::RapierVehicle;

/// Slip from which on a wheel skids (dimensionless): a little beyond that at which the tires of
/// cars grip best, 10 to 12 % along and 6 to 8 degrees across.
const SKID_SLIP: Real = 0.15;
/// Speed of the tread over the ground from which on a wheel skids (m/s): below, nothing is heard or
/// seen.
const SKID_SPEED: Real = 0.5;

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

    /// Whether `wheel` leaves marks and squeals: it slips by more than its tire needs to grip best,
    /// and its tread slides over the ground.
    ///
    /// ```text
    /// √(s² + tan² α) > 0.15,   v_skid > 0.5 m/s
    /// ```
    ///
    /// with the longitudinal slip `s` and the slip angle `α`. How much it slides, for the strength
    /// of smoke and sound, is the [`skid_speed`](WheelContact::skid_speed) of its
    /// [contact](Self::wheel_contact).
    pub fn is_skidding(&self, wheel: usize) -> bool {
        self.wheel_contact(wheel).is_some_and(|GroundContact { wheel, .. }| {
            let slip = wheel.longitudinal_slip.hypot(wheel.slip_angle.tan());
            let skid_speed = wheel.skid_speed / self.params.coordinates.length_scale;
            SKID_SLIP < slip && SKID_SPEED < skid_speed
        })
    }
}
