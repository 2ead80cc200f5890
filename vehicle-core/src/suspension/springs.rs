//! What carries the load of a wheel without mass: springs and dampers, the ready-made ones or one's
//! own.

use super::force::{SuspensionLoad, suspension_normal_load};
use super::params::SuspensionForceParams;
use crate::body::RigidBodyState;
use crate::math::Real;
use crate::math::lanes::{Lanes, MAX_LANES, Real4, Vec3x4, each_lane};
use crate::mount::SuspensionParams;

/// Springs and dampers of four suspensions.
pub trait SpringLanes {
    /// Stiffness (N/m), by which wheels drop off the road and bars lift them.
    fn stiffness(&self) -> Real4;

    /// Damping rate (N·s/m), by which wheels drop off the road and land on it.
    fn damping(&self) -> Real4;

    /// Load of each suspension along the road's normal at `jounce` (m) and `jounce_speed` (m/s)
    /// (N).
    fn normal_load(
        &self,
        suspension: &SuspensionParams<Vec3x4>,
        body: &RigidBodyState<Vec3x4>,
        jounce: Real4,
        jounce_speed: Real4,
        load: &SuspensionLoad<Vec3x4>,
    ) -> Real4;
}

/// See [`suspension_force`](super::suspension_force).
impl SpringLanes for SuspensionForceParams<Real4> {
    #[inline]
    fn stiffness(&self) -> Real4 {
        self.stiffness
    }

    #[inline]
    fn damping(&self) -> Real4 {
        self.damping
    }

    #[inline]
    fn normal_load(
        &self,
        suspension: &SuspensionParams<Vec3x4>,
        body: &RigidBodyState<Vec3x4>,
        jounce: Real4,
        jounce_speed: Real4,
        load: &SuspensionLoad<Vec3x4>,
    ) -> Real4 {
        suspension_normal_load(self, suspension, body, jounce, jounce_speed, load)
    }
}

/// Spring and damper of one suspension: what carries a wheel's part of the vehicle. Four of them
/// are springs in lanes that answer one by one.
pub trait Spring {
    /// Stiffness (N/m), by which the wheel drops off the road.
    fn stiffness(&self) -> Real;

    /// Damping rate (N·s/m), by which the wheel drops off the road.
    fn damping(&self) -> Real;

    /// Load of `suspension` along the road's normal at `jounce` (m) and `jounce_speed` (m/s) (N).
    fn normal_load(
        &self,
        suspension: &SuspensionParams,
        body: &RigidBodyState,
        jounce: Real,
        jounce_speed: Real,
        load: &SuspensionLoad,
    ) -> Real;
}

impl<S: Spring> SpringLanes for [S; MAX_LANES] {
    fn stiffness(&self) -> Real4 {
        Lanes::from_lanes(|lane| self[lane].stiffness())
    }

    fn damping(&self) -> Real4 {
        Lanes::from_lanes(|lane| self[lane].damping())
    }

    fn normal_load(
        &self,
        suspension: &SuspensionParams<Vec3x4>,
        body: &RigidBodyState<Vec3x4>,
        jounce: Real4,
        jounce_speed: Real4,
        load: &SuspensionLoad<Vec3x4>,
    ) -> Real4 {
        let body = body.lane(0);
        Lanes::from_lanes(|lane| {
            let (jounce, jounce_speed) = (jounce.lane(lane), jounce_speed.lane(lane));
            let (suspension, load) = (suspension.lane(lane), load.lane(lane));
            self[lane].normal_load(&suspension, &body, jounce, jounce_speed, &load)
        })
    }
}

/// The springs of all wheels, four by four, the last one again in places that are left over.
pub fn springs_in_lanes<S: Clone>(springs: &[S]) -> Vec<[S; MAX_LANES]> {
    let fours = springs.chunks(MAX_LANES);
    fours.map(|four| each_lane(|lane| four[lane.min(four.len() - 1)].clone())).collect()
}
