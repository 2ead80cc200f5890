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
    /// Lets go of a slow engine, beside the pedal.
    #[serde(default)]
    pub automatic: Option<AutomaticClutchParams>,
}

impl Default for ClutchParams {
    /// A clutch that slips 10 rad/s under 250 N·m, and lets go of an engine below its idle speed.
    fn default() -> Self {
        let automatic = AutomaticClutchParams { open_speed: 60.0, closed_speed: 130.0 };
        Self { max_strength: 25.0, automatic: Some(automatic) }
    }
}

impl Validate for ClutchParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("max_strength", self.max_strength, Bound::NotNegative);
        if let Some(automatic) = &self.automatic {
            check.field("automatic", |inner| automatic.check(inner));
        }
    }
}

impl Convert for ClutchParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self { max_strength: conversion.scalar(self.max_strength, 2), ..*self }
    }
}

/// A clutch that opens by itself when the engine is slow, as that of a scooter, or the converter of
/// an automatic gearbox. The reference has none: its clutch pulls an engine down to standstill.
///
/// ```text
/// κ' = κ (ω - ω_open) / (ω_closed - ω_open),   within [0, κ]
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AutomaticClutchParams {
    /// Speed of the engine at which it is open (rad/s).
    pub open_speed: Real,
    /// Speed of the engine above which it obeys the pedal (rad/s).
    pub closed_speed: Real,
}

impl Validate for AutomaticClutchParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("open_speed", self.open_speed, Bound::NotNegative);
        let is_above = self.open_speed < self.closed_speed && self.closed_speed.is_finite();
        let requirement = format_args!("finite and above open_speed = {}", self.open_speed);
        check.require("closed_speed", is_above, requirement, self.closed_speed);
    }
}

/// `clutch` behind an engine at `engine_speed` (rad/s).
#[inline]
pub fn automatic_clutch(
    params: &ClutchParams,
    clutch: ClutchState,
    engine_speed: Real,
) -> ClutchState {
    let Some(AutomaticClutchParams { open_speed, closed_speed }) = params.automatic else {
        return clutch;
    };
    let share = (engine_speed - open_speed) / (closed_speed - open_speed);
    let share = share.clamp(0.0, 1.0);
    ClutchState { engagement: clutch.engagement * share, strength: clutch.strength * share }
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
        let params = ClutchParams { max_strength: 10.0, automatic: None };
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
    fn automatic_clutch_lets_go_of_a_slow_engine() {
        let automatic = Some(AutomaticClutchParams { open_speed: 60.0, closed_speed: 100.0 });
        let params = ClutchParams { max_strength: 10.0, automatic };
        let half = ClutchState { engagement: 0.5, strength: 5.0 };
        // (speed of the engine, engagement, strength)
        let cases = [(0.0, 0.0, 0.0), (60.0, 0.0, 0.0), (80.0, 0.25, 2.5), (200.0, 0.5, 5.0)];
        for (speed, engagement, strength) in cases {
            let expected = ClutchState { engagement, strength };
            assert_eq!(automatic_clutch(&params, half, speed), expected, "{speed} rad/s");
        }
        let obedient = ClutchParams { automatic: None, ..params };
        assert_eq!(automatic_clutch(&obedient, half, 0.0), half);
    }

    #[test]
    fn bad_clutches_are_refused() {
        let automatic = Some(AutomaticClutchParams { open_speed: 60.0, closed_speed: 60.0 });
        assert_eq!(
            ClutchParams { max_strength: -1.0, automatic }.validate().unwrap_err().to_string(),
            "max_strength must be finite and not negative, got -1; \
             automatic.closed_speed must be finite and above open_speed = 60, got 60"
        );
        ClutchParams::default().validate().unwrap();
    }
}
