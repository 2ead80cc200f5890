//! Grip: the load that a tire carries and the friction that it finds.

use serde::{Deserialize, Serialize};

use super::slip::TireSlip;
use crate::math::Real;
use crate::math::lanes::{MAX_LANES, Number, each_lane};

/// Load and friction of a tire; both zero in the air.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TireGrip<N = Real> {
    /// Load on the road (N).
    pub load: N,
    /// Friction coefficient (dimensionless).
    pub friction: N,
}

impl<N: Number> TireGrip<N> {
    /// Load and friction in each lane.
    #[inline]
    pub(crate) fn lanes(&self) -> [TireGrip; MAX_LANES] {
        let load = self.load.lanes();
        let friction = self.friction.lanes();
        each_lane(|lane| TireGrip { load: load[lane], friction: friction[lane] })
    }

    /// Load and friction in `lane`.
    #[inline]
    pub fn lane(&self, lane: usize) -> TireGrip {
        TireGrip { load: self.load.lane(lane), friction: self.friction.lane(lane) }
    }
}

/// What grip depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GripInput<N = Real> {
    /// Normal load of the suspension (N); may be negative in rebound.
    pub normal_load: N,
    /// Friction coefficient of the road (dimensionless).
    pub road_friction: N,
    /// Slip, before that of tires that stick is taken away.
    pub slip: TireSlip<N>,
}
