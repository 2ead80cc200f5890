//! The clutch: a viscous coupling between engine and gearbox.

use serde::{Deserialize, Serialize};
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::math::Real;

use crate::gearbox::GearboxParams;

/// A clutch.
///
/// ```text
/// T = K (ω_gearbox - ω_engine)
/// ```
///
/// is the torque on the engine, with `K` the clutch's strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClutchParams {
    /// Torque per difference of the speeds of its plates when engaged (N·m·s).
    pub max_strength: Real,
}

impl Default for ClutchParams {
    /// A clutch that slips 10 rad/s under 250 N·m.
    fn default() -> Self {
        Self { max_strength: 25.0 }
    }
}

impl Validate for ClutchParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("max_strength", self.max_strength, Bound::NotNegative);
    }
}

impl Convert for ClutchParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self { max_strength: conversion.scalar(self.max_strength, 2) }
    }
}

/// How a clutch answers to its pedal. The default is disengaged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClutchState {
    /// Engagement: 0 disengaged, 1 engaged (dimensionless).
    pub engagement: Real,
    /// Torque per difference of the speeds of its plates (N·m·s).
    pub strength: Real,
}

/// Engagement of a clutch (dimensionless): `1 - command`, whose 1 is the pedal pressed down.
#[inline]
pub fn clutch_engagement(command: Real) -> Real {
    1.0 - command
}

/// The clutch under `command`, whose 1 is the pedal pressed down.
///
/// ```text
/// κ = 1 - command
/// K = κ K_max
/// ```
#[inline]
pub fn clutch_response(params: &ClutchParams, command: Real) -> ClutchState {
    let engagement = clutch_engagement(command);
    ClutchState { engagement, strength: engagement * params.max_strength }
}

/// The coupling of the engine to the wheels: `clutch`, but nothing in neutral.
///
/// A gearbox is in neutral while it switches, too.
#[inline]
pub fn effective_clutch(gearbox: &GearboxParams, gear: usize, clutch: ClutchState) -> ClutchState {
    if gear == gearbox.neutral { ClutchState::default() } else { clutch }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pedal_disengages() {
        let params = ClutchParams { max_strength: 10.0 };
        // (command, engagement, strength)
        for (command, engagement, strength) in [(0.0, 1.0, 10.0), (0.5, 0.5, 5.0), (1.0, 0.0, 0.0)]
        {
            let expected = ClutchState { engagement, strength };
            assert_eq!(clutch_response(&params, command), expected, "{command}");
        }
    }

    #[test]
    fn neutral_couples_nothing() {
        let gearbox = GearboxParams::default();
        let engaged = ClutchState { engagement: 1.0, strength: 10.0 };
        let effective = |gear| effective_clutch(&gearbox, gear, engaged);
        assert_eq!(effective(gearbox.neutral), ClutchState::default());
        assert_eq!(effective(gearbox.neutral + 1), engaged);
        assert_eq!(effective(0), engaged);
    }

    #[test]
    fn negative_strength_is_refused() {
        assert_eq!(
            ClutchParams { max_strength: -1.0 }.validate().unwrap_err().to_string(),
            "max_strength must be finite and not negative, got -1"
        );
        ClutchParams::default().validate().unwrap();
    }
}
