//! Grip: the load that a tire carries and the friction that it finds.

use serde::{Deserialize, Serialize};

use crate::math::Real;

/// Load and friction of a tire; both zero in the air.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TireGrip {
    /// Load on the road (N).
    pub load: Real,
    /// Friction coefficient (dimensionless).
    pub friction: Real,
}

/// What grip depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GripInput {
    /// Normal load of the suspension (N); may be negative in rebound.
    pub normal_load: Real,
    /// Friction coefficient of the road (dimensionless).
    pub road_friction: Real,
    /// Longitudinal slip (dimensionless).
    pub longitudinal_slip: Real,
}
