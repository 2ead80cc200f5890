//! Parameters of anti-lock brakes.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::Real;

use super::SLIP_BAND;

/// Range of slip targets (dimensionless).
pub(super) const SLIP_TARGETS: (Real, Real) = (0.03, 0.4);

/// How a wheel is kept from locking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AntiLockMode {
    /// The torque that turns the wheel at the slip target is computed.
    #[default]
    SlipTarget,
    /// The torque falls, stays and rises, as that of valves does.
    Phases,
}

/// Whether the wheels of a rear axle share the lower torque limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RearControl {
    /// Both wheels have the lower limit, which keeps lateral force where one side is slippery.
    #[default]
    SelectLow,
    /// Each wheel has its own limit.
    Individual,
}

/// Parameters of anti-lock brakes. Numbers that are absent are taken from the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct AntiLockParams {
    /// Strength, in [0, 1]: the share of the excess brake torque that is removed. 0 is off.
    pub strength: Real,
    /// How wheels are kept from locking.
    pub mode: AntiLockMode,
    /// Whether rear wheels share the lower torque limit.
    pub rear: RearControl,
    /// Slip that wheels are kept at, in [0.03, 0.4] (dimensionless). Else that of the peak of each
    /// tire at its load at rest, 0.12 where there is no peak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slip_target: Option<Real>,
    /// Time in which a wheel comes to the slip target, in (0, 0.1] (s); at least a substep.
    pub response_time: Real,
    /// Speed of a wheel over the road below which it may lock, in [0, 5] (m/s).
    pub off_speed: Real,
    /// Difference that the caps of the front wheels may have at first (N·m). Else 0.04 of the
    /// greatest torque of a front brake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yaw_torque_start: Option<Real>,
    /// Rate at which that difference may grow (N·m/s). Else 0.2 of the greatest torque per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yaw_torque_rate: Option<Real>,
    /// The phases, in mode [`AntiLockMode::Phases`].
    pub phases: PhaseParams,
}

impl Default for AntiLockParams {
    fn default() -> Self {
        Self {
            strength: 1.0,
            mode: AntiLockMode::default(),
            rear: RearControl::default(),
            slip_target: None,
            response_time: 0.02,
            off_speed: 1.5,
            yaw_torque_start: None,
            yaw_torque_rate: None,
            phases: PhaseParams::default(),
        }
    }
}

/// Numbers of [`AntiLockMode::Phases`]. Those that are absent are taken from the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PhaseParams {
    /// Slip below which the torque rises (dimensionless). Else 0.75 of the slip target, and at most
    /// 0.56 of `slip_high`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slip_low: Option<Real>,
    /// Slip above which the torque falls (dimensionless). Else 1.35 of the slip target, and at
    /// least 1.8 of `slip_low`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slip_high: Option<Real>,
    /// Rate at which the torque falls (N·m/s). Else 8.4 of the greatest torque per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release_rate: Option<Real>,
    /// Rate at which the torque rises (N·m/s). Else 3 of the greatest torque per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build_rate: Option<Real>,
    /// Time that the slip is foreseen by, in [0, 0.05] (s).
    pub prediction_time: Real,
}

impl Default for PhaseParams {
    fn default() -> Self {
        Self {
            slip_low: None,
            slip_high: None,
            release_rate: None,
            build_rate: None,
            prediction_time: 0.012,
        }
    }
}

impl AntiLockParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        check.number("strength", self.strength, Bound::Within(0.0, 1.0));
        let optional = |check: &mut ParamCheck, name: &str, value: Option<Real>, bound| {
            if let Some(value) = value {
                check.number(name, value, bound);
            }
        };
        let (low, high) = SLIP_TARGETS;
        optional(check, "slip_target", self.slip_target, Bound::Within(low, high));
        check.number("response_time", self.response_time, Bound::Within(1e-4, 0.1));
        check.number("off_speed", self.off_speed, Bound::Within(0.0, 5.0));
        optional(check, "yaw_torque_start", self.yaw_torque_start, Bound::NotNegative);
        optional(check, "yaw_torque_rate", self.yaw_torque_rate, Bound::NotNegative);
        check.field("phases", |check| {
            let PhaseParams { slip_low, slip_high, release_rate, build_rate, prediction_time } =
                self.phases;
            optional(check, "slip_low", slip_low, Bound::Within(0.0, 1.0));
            optional(check, "slip_high", slip_high, Bound::Within(0.0, 1.0));
            if let (Some(low), Some(high)) = (slip_low, slip_high) {
                let requirement = format_args!("above slip_low ({low})");
                check.require("slip_high", low < high, requirement, high);
            } else if let Some(low) = slip_low {
                let has_end = low * SLIP_BAND.1 < SLIP_BAND.0;
                check.require("slip_low", has_end, "below 0.55 without a slip_high", low);
            }
            optional(check, "release_rate", release_rate, Bound::Positive);
            optional(check, "build_rate", build_rate, Bound::Positive);
            check.number("prediction_time", prediction_time, Bound::Within(0.0, 0.05));
        });
    }
}
