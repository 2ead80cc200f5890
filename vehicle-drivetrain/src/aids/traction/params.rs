//! Parameters of traction control.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::Real;

/// Range of slip targets (dimensionless).
pub(super) const SLIP_TARGETS: (Real, Real) = (0.02, 0.5);

/// Parameters of traction control. Numbers that are absent are taken from the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TractionParams {
    /// Share of what the aid takes away, in [0, 1]: at 0 it does nothing.
    pub strength: Real,
    /// Slip that driven wheels are kept at, in [0.02, 0.5] (dimensionless). Else that of the peak
    /// of each tire at its load at rest, 0.08 where there is no peak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slip_target: Option<Real>,
    /// Speed of the rim over the road that is always allowed, in [0.1, 3] (m/s).
    pub min_slip_speed: Real,
    /// Time in which a wheel comes to its target, in [0.01, 0.3] (s).
    pub response_time: Real,
    /// By how much an engine's throttle falls per speed that rims are too fast by (s/m).
    pub proportional_gain: Real,
    /// By how much it falls per second and speed that rims are too fast by (1/m).
    pub integral_gain: Real,
    /// Share of the brake torque that would even out the sides of an axle, in [0, 1]
    /// (dimensionless): at 0 brakes are not used.
    pub brake_share: Real,
    /// Speed below which brakes are used (m/s): from 0.8 of it on, less and less.
    pub brake_speed: Real,
}

impl Default for TractionParams {
    fn default() -> Self {
        Self {
            strength: 1.0,
            slip_target: None,
            min_slip_speed: 0.5,
            response_time: 0.05,
            proportional_gain: 0.25,
            integral_gain: 0.6,
            brake_share: 1.0,
            brake_speed: 11.0,
        }
    }
}

impl TractionParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        check.number("strength", self.strength, Bound::Within(0.0, 1.0));
        if let Some(target) = self.slip_target {
            let (low, high) = SLIP_TARGETS;
            check.number("slip_target", target, Bound::Within(low, high));
        }
        check.number("min_slip_speed", self.min_slip_speed, Bound::Within(0.1, 3.0));
        check.number("response_time", self.response_time, Bound::Within(0.01, 0.3));
        check.number("proportional_gain", self.proportional_gain, Bound::NotNegative);
        check.number("integral_gain", self.integral_gain, Bound::NotNegative);
        check.number("brake_share", self.brake_share, Bound::Within(0.0, 1.0));
        check.number("brake_speed", self.brake_speed, Bound::NotNegative);
    }
}
