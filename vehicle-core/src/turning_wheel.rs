//! What of a wheel its rotation depends on.

use crate::math::Real;
use crate::math::lanes::lanes_by_field;

/// What of a wheel decides how it turns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurningWheel<N = Real> {
    /// Radius (m).
    pub radius: N,
    /// Moment of inertia about the axle (kg·m²).
    pub inertia: N,
    /// Torque per rotation speed that slows the wheel (N·m·s).
    pub damping_rate: N,
}

lanes_by_field!(TurningWheel<Number> { radius, inertia, damping_rate });
