//! The velocity of a body, and how it answers to impulses.

use super::momentum::SIZE;
use super::row::ConstraintRow;
use crate::math::{Mat3, Real, Vec3};

/// The velocity of a body and how it answers to impulses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyVelocity {
    /// Velocity of the center of mass (m/s).
    pub linear: Vec3,
    /// Angular velocity (rad/s).
    pub angular: Vec3,
    /// 1 / mass (1/kg).
    pub inverse_mass: Real,
    /// Inverse inertia in the world (1/(kg·m²)).
    pub inverse_inertia: Mat3,
}

impl BodyVelocity {
    /// Change of the row's speed per impulse (1/kg).
    pub fn response(&self, row: &ConstraintRow) -> Real {
        self.inverse_mass + row.angular.dot(self.inverse_inertia * row.angular)
    }

    /// Adds `momentum`.
    #[inline]
    pub(super) fn add_momentum(&mut self, [x, y, z, roll, pitch, yaw]: [Real; SIZE]) {
        self.linear += Vec3::new(x, y, z) * self.inverse_mass;
        self.angular += self.inverse_inertia * Vec3::new(roll, pitch, yaw);
    }
}
