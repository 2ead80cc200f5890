//! Contact: where a wheel meets its road.

use serde::{Deserialize, Serialize};

use crate::body::RigidBodyState;
use crate::math::Vec3;
use crate::math::lanes::{RigidPose, Vector, lanes_by_field};
use crate::mount::WheelTravel;

/// Where a wheel meets its road, found once per substep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactPoint<V: Vector = Vec3> {
    /// Bottom of the wheel along its travel direction, where it rolls over the road (m).
    pub point: V,
    /// From the center of mass to the center of the wheel (m).
    pub axle_arm: V,
    /// Velocity beside the body with which a beam axle takes the contact aside as it rolls about
    /// its roll center (m/s).
    #[serde(default)]
    pub(crate) aside_velocity: V,
}

lanes_by_field!(ContactPoint<Vector> { point, axle_arm, aside_velocity });

impl<V: Vector> ContactPoint<V> {
    /// The contact of a wheel at `jounce` (m) of its `travel` on `body`.
    #[inline]
    pub fn new(travel: &WheelTravel<V>, jounce: V::Number, body: &RigidBodyState<V>) -> Self {
        let center = travel.pose.translation() + travel.direction * (travel.distance - jounce);
        Self {
            point: travel.bottom(jounce),
            axle_arm: center - body.pose.translation(),
            aside_velocity: V::zero(),
        }
    }
}
