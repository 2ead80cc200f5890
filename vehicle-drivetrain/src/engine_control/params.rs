//! Parameters of the controls of an engine.

use serde::{Deserialize, Serialize};
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::math::Real;

/// The controls of an engine. The default is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[serde(default)]
pub struct EngineControlParams {
    /// Opens the throttle below the idle speed.
    pub idle: Option<IdleControlParams>,
    /// Cuts the fuel at the maximum speed.
    pub rev_limiter: Option<RevLimiterParams>,
    /// Lets the engine die.
    pub stall: Option<StallParams>,
}

impl EngineControlParams {
    /// Checks the parameters of an engine that idles at `idle_speed` and turns at most at
    /// `max_speed` (rad/s).
    pub fn check(&self, check: &mut ParamCheck, idle_speed: Real, max_speed: Real) {
        if let Some(idle) = &self.idle {
            check.number("idle.gain", idle.gain, Bound::NotNegative);
            check.number("idle.max_throttle", idle.max_throttle, Bound::Within(0.0, 1.0));
        }
        if let Some(limiter) = &self.rev_limiter {
            // At idle or below, an engine that is held there would never get fuel again.
            let speed = limiter.resume_speed;
            let is_met = idle_speed < speed && speed <= max_speed;
            let requirement =
                format_args!("above idle_speed = {idle_speed} and at most max_speed = {max_speed}");
            // An idle speed above the largest is a fault of its own.
            let is_told = is_met || max_speed < idle_speed;
            check.require("rev_limiter.resume_speed", is_told, requirement, speed);
        }
        if let Some(stall) = &self.stall {
            let speed = stall.speed;
            // At idle, an engine that is the least bit slower would die for ever.
            let is_met = speed == 0.0 || (0.0 < speed && speed < idle_speed);
            let requirement = format_args!("not negative and below idle_speed = {idle_speed}");
            check.require("stall.speed", is_met, requirement, speed);
            check.number("stall.starter_torque", stall.starter_torque, Bound::NotNegative);
        }
    }
}

impl Convert for EngineControlParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        let torque = |torque| conversion.scalar(torque, 2);
        Self {
            idle: self.idle.map(|idle| IdleControlParams { gain: torque(idle.gain), ..idle }),
            stall: self
                .stall
                .map(|stall| StallParams { starter_torque: torque(stall.starter_torque), ..stall }),
            rev_limiter: self.rev_limiter,
        }
    }
}

/// Keeps the engine alive without throttle.
///
/// ```text
/// T = c ω_idle + k (ω_idle - ω),   0 ≤ T ≤ θ_max T_full(ω)
/// ```
///
/// if that is more than what the pedal asks for, with the friction `c` of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IdleControlParams {
    /// Torque per rotation speed below idle, k (N·m·s).
    pub gain: Real,
    /// Largest throttle θ_max that it opens, in [0, 1].
    pub max_throttle: Real,
}

impl Default for IdleControlParams {
    /// The idle control of a car: half of its torque when it has lost a quarter of its speed.
    fn default() -> Self {
        Self { gain: 4.0, max_throttle: 0.5 }
    }
}

/// Cuts the fuel when the engine is at its maximum speed, until it is slower.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RevLimiterParams {
    /// Rotation speed below which fuel flows again (rad/s), above idle.
    pub resume_speed: Real,
}

/// Lets the engine die when it is too slow; a starter turns it again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StallParams {
    /// Rotation speed below which there is no combustion (rad/s), below idle.
    pub speed: Real,
    /// Torque of the starter (N·m).
    pub starter_torque: Real,
}
