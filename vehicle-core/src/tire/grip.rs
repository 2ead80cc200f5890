//! Grip: the load that a tire carries and the friction that it finds.

use serde::{Deserialize, Serialize};

use super::slip::TireSlip;
use crate::math::Real;
use crate::math::lanes::lanes_by_field;

/// Load and friction of a tire; both zero in the air.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TireGrip<N = Real> {
    /// Load on the road (N).
    pub load: N,
    /// Friction coefficient (dimensionless).
    pub friction: N,
}

lanes_by_field!(TireGrip<Number> { load, friction });

/// Load, friction and slip on which grip depends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GripInput<N = Real> {
    /// Normal load of the suspension (N); may be negative in rebound.
    pub normal_load: N,
    /// Friction coefficient of the road (dimensionless).
    pub road_friction: N,
    /// Slip, before that of tires that stick is taken away.
    pub slip: TireSlip<N>,
}

lanes_by_field!(GripInput<Number> { normal_load, road_friction, slip });
