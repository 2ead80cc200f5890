//! The way back of a vehicle to where its tires stick.

use crate::math::Vec3;
use crate::math::lanes::{Vec3x4, Vector};

/// The way back of a vehicle to its anchor, as a small motion of a rigid body.
#[derive(Clone, Copy)]
pub(crate) struct WayBack {
    /// The wheels that stick along their rolling direction, and those that stick across it, a bit
    /// for each.
    pub(crate) wheels: [u64; 2],
    /// Mean of their force points (m).
    pub(crate) center: Vec3,
    /// Mean normal of their roads.
    pub(crate) normal: Vec3,
    /// (m)
    pub(crate) shift: Vec3,
    /// (rad)
    pub(crate) turn: Vec3,
    /// Angular velocity of the ground (rad/s).
    pub(crate) ground_spin: Vec3,
    /// Whether a substep before has found it.
    pub(crate) is_known: bool,
}

impl WayBack {
    /// The way back at each of `points` (m).
    #[inline]
    pub(crate) fn offset_at(&self, points: Vec3x4) -> Vec3x4 {
        let splat = <Vec3x4 as Vector>::splat;
        splat(self.shift) + splat(self.turn).cross(points - splat(self.center))
    }
}
