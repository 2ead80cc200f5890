//! The engine: torque of combustion and friction of a turning crankshaft.

use serde::{Deserialize, Serialize};
use vehicle_core::blueprint::Plausible;
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::Real;

use crate::engine_control::{EngineControlParams, IdleControlParams, RevLimiterParams};
use crate::plausible::ROTATIONS;

/// Friction of an engine per rotation speed.
///
/// The friction of a closed throttle brakes the car when it coasts in gear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EngineDampingParams {
    /// At full throttle (N·m·s).
    pub full_throttle: Real,
    /// Without throttle, with the clutch engaged (N·m·s).
    pub engaged: Real,
    /// Without throttle, with the clutch disengaged or the gearbox in neutral (N·m·s).
    pub disengaged: Real,
}

impl Default for EngineDampingParams {
    /// A petrol engine of two liters: 50 N·m of friction at 6000 revolutions per minute.
    fn default() -> Self {
        Self { full_throttle: 0.02, engaged: 0.08, disengaged: 0.08 }
    }
}

impl Validate for EngineDampingParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("full_throttle", self.full_throttle, Bound::NotNegative);
        check.number("engaged", self.engaged, Bound::NotNegative);
        check.number("disengaged", self.disengaged, Bound::NotNegative);
    }
}

impl Convert for EngineDampingParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            full_throttle: conversion.scalar(self.full_throttle, 2),
            engaged: conversion.scalar(self.engaged, 2),
            disengaged: conversion.scalar(self.disengaged, 2),
        }
    }
}

/// An engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EngineParams {
    /// Torque at full throttle as a fraction of the peak torque, in [0, 1], against the rotation
    /// speed as a fraction of the maximum, in [0, 1].
    pub torque_curve: LookupTable<Real>,
    /// Moment of inertia of crankshaft and flywheel (kg·m²).
    pub inertia: Real,
    /// Torque where the curve is 1 (N·m).
    pub peak_torque: Real,
    /// Rotation speed at which it idles (rad/s).
    pub idle_speed: Real,
    /// Largest rotation speed (rad/s).
    pub max_speed: Real,
    /// Friction.
    #[serde(default)]
    pub damping: EngineDampingParams,
    /// Idle control, rev limiter and stall.
    #[serde(default)]
    pub control: EngineControlParams,
}

impl EngineParams {
    /// The default engine made as strong as the data sheet says: `power` (W) at the clutch at
    /// `power_speed` (rad/s), and up to `max_speed` (rad/s).
    ///
    /// ```text
    /// T_peak = (P / ω_P + c ω_P) / τ(ω_P / ω_max)
    /// ```
    ///
    /// with the default torque curve `τ`, and the friction `c` at full throttle. Inertia and
    /// friction grow with the torque, as they do with the displacement. Engines that turn faster
    /// have less friction per speed: it takes no larger part of their torque. Slower engines idle
    /// more slowly, as (ω_max)^¼: 600 revolutions per minute for a truck. 1 hp is 735.5 W, 1,000
    /// revolutions per minute are 104.7 rad/s.
    ///
    /// ```
    /// use vehicle_drivetrain::engine::{EngineParams, engine_torque};
    ///
    /// let engine = EngineParams::of_power(150e3, 580.0, 700.0);
    /// let friction = engine.damping.full_throttle * 580.0;
    /// let power = (engine_torque(&engine, 1.0, 580.0) - friction) * 580.0;
    /// assert!((power - 150e3).abs() < 100.0, "{power} W");
    /// ```
    pub fn of_power(power: Real, power_speed: Real, max_speed: Real) -> Self {
        let usual = Self::default();
        let fraction = usual.torque_curve.evaluate(power_speed / max_speed);
        let EngineDampingParams { full_throttle, engaged, disengaged } = usual.damping;
        let lightness = (usual.max_speed / max_speed).min(1.0);
        let friction = lightness * full_throttle * power_speed / usual.peak_torque;
        let peak_torque = power / (power_speed * (fraction - friction));
        let size = peak_torque / usual.peak_torque;
        let damping = |rate: Real| rate * size * lightness;
        let resume_speed = 0.97 * max_speed;
        let control = EngineControlParams {
            rev_limiter: Some(RevLimiterParams { resume_speed }),
            ..usual.control
        };
        Self {
            inertia: usual.inertia * size,
            peak_torque,
            idle_speed: usual.idle_speed * (max_speed / usual.max_speed).sqrt().sqrt(),
            max_speed,
            damping: EngineDampingParams {
                full_throttle: damping(full_throttle),
                engaged: damping(engaged),
                disengaged: damping(disengaged),
            },
            control,
            ..usual
        }
    }

    /// `rotation_speed` (rad/s) as a fraction of the maximum (dimensionless).
    ///
    /// An engine whose maximum is 0 stands still: its fraction is 0.
    #[inline]
    pub fn speed_fraction(&self, rotation_speed: Real) -> Real {
        if self.max_speed == 0.0 { 0.0 } else { rotation_speed / self.max_speed }
    }
}

impl Default for EngineParams {
    /// The petrol engine of a mid-size car: 225 N·m, 110 kW at the clutch, 800 to 6500 revolutions
    /// per minute.
    fn default() -> Self {
        let points = [(0.0, 0.5), (0.15, 0.75), (0.35, 0.94), (0.6, 1.0), (0.87, 0.9), (1.0, 0.72)];
        Self {
            torque_curve: LookupTable::new(points).expect("increasing abscissae"),
            inertia: 0.15,
            peak_torque: 225.0,
            idle_speed: 84.0,
            max_speed: 680.0,
            damping: EngineDampingParams::default(),
            control: EngineControlParams {
                idle: Some(IdleControlParams::default()),
                rev_limiter: Some(RevLimiterParams { resume_speed: 660.0 }),
                stall: None,
            },
        }
    }
}

impl Validate for EngineParams {
    fn check(&self, check: &mut ParamCheck) {
        let points = self.torque_curve.points();
        check.require("torque_curve", !points.is_empty(), "at least one point", "none");
        for (index, &(speed, torque)) in points.iter().enumerate() {
            check.number(format_args!("torque_curve[{index}].x"), speed, Bound::Within(0.0, 1.0));
            check.number(format_args!("torque_curve[{index}].y"), torque, Bound::Within(0.0, 1.0));
        }
        check.number("inertia", self.inertia, Bound::Positive);
        check.number("peak_torque", self.peak_torque, Bound::NotNegative);
        check.number("max_speed", self.max_speed, Bound::Positive);
        check.number("idle_speed", self.idle_speed, Bound::NotNegative);
        let is_ordered = self.idle_speed <= self.max_speed;
        let requirement = format_args!("at most max_speed = {}", self.max_speed);
        let range = Plausible::new(0.0, self.max_speed, "rad/s").or_in(ROTATIONS);
        let meant = range.meant(self.idle_speed).filter(|_| !is_ordered);
        let hint = meant.map_or_else(String::new, |unit| format!(": in {unit}?"));
        check.require(
            "idle_speed",
            is_ordered,
            requirement,
            format_args!("{}{hint}", self.idle_speed),
        );
        check.field("damping", |inner| self.damping.check(inner));
        check.field("control", |inner| self.control.check(inner, self.idle_speed, self.max_speed));
    }
}

impl Convert for EngineParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            torque_curve: self.torque_curve.clone(),
            inertia: conversion.scalar(self.inertia, 2),
            peak_torque: conversion.scalar(self.peak_torque, 2),
            idle_speed: self.idle_speed,
            max_speed: self.max_speed,
            damping: self.damping.converted(conversion),
            control: self.control.converted(conversion),
        }
    }
}

/// Motion of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EngineState {
    /// Rotation speed of the crankshaft (rad/s).
    pub rotation_speed: Real,
    /// Whether the rev limiter has cut the fuel.
    pub is_fuel_cut: bool,
}

impl EngineState {
    /// An engine that idles.
    pub fn idling(params: &EngineParams) -> Self {
        Self { rotation_speed: params.idle_speed, is_fuel_cut: false }
    }
}

/// Torque of combustion (N·m).
///
/// ```text
/// T = θ T_peak τ(ω / ω_max)
/// ```
///
/// with `θ` the throttle and `τ` the torque curve. Friction is apart: [`engine_damping_rate`].
#[inline]
pub fn engine_torque(params: &EngineParams, throttle: Real, rotation_speed: Real) -> Real {
    let fraction = params.torque_curve.evaluate(params.speed_fraction(rotation_speed));
    throttle * params.peak_torque * fraction
}

/// Friction torque per rotation speed (N·m·s).
///
/// ```text
/// c0 = c_engaged + (1 - κ) (c_disengaged - c_engaged)
/// c  = c0 + (c_full - c0) θ
/// ```
///
/// with `θ` the throttle and `κ` the `engagement` of the clutch, which is 0 in neutral.
#[inline]
pub fn engine_damping_rate(params: &EngineDampingParams, throttle: Real, engagement: Real) -> Real {
    let closed = params.engaged + (1.0 - engagement) * (params.disengaged - params.engaged);
    closed + (params.full_throttle - closed) * throttle
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference's engine.
    fn engine() -> EngineParams {
        EngineParams {
            torque_curve: LookupTable::constant(1.0),
            inertia: 1.0,
            peak_torque: 500.0,
            idle_speed: 0.0,
            max_speed: 600.0,
            damping: EngineDampingParams { full_throttle: 0.15, engaged: 2.0, disengaged: 0.35 },
            control: EngineControlParams::default(),
        }
    }

    #[test]
    fn torque_and_friction_are_the_references() {
        // (throttle, engagement, speed, torque, damping rate)
        let cases = [
            (0.65, 1.0, 120.0, 325.0, 0.7975),
            (0.3, 0.5, 300.0, 150.0, 0.8675),
            (0.5, 1.0, 50.0, 250.0, 1.075),
            (0.0, 0.0, 50.0, 0.0, 0.35),
            (1.0, 0.0, 599.0, 500.0, 0.15),
        ];
        for (throttle, engagement, speed, torque, rate) in cases {
            let actual = engine_torque(&engine(), throttle, speed);
            assert!((actual - torque).abs() < 1e-4, "{throttle}, {speed}: {actual}, not {torque}");
            let actual = engine_damping_rate(&engine().damping, throttle, engagement);
            assert!((actual - rate).abs() < 1e-6, "{throttle}, {engagement}: {actual}, not {rate}");
        }
    }

    #[test]
    fn torque_follows_the_curve_and_is_constant_beyond() {
        let torque_curve = LookupTable::new([(0.2, 0.5), (0.6, 1.0)]).unwrap();
        let engine = EngineParams { torque_curve, ..engine() };
        for (speed, expected) in [(0.0, 250.0), (120.0, 250.0), (240.0, 375.0), (900.0, 500.0)] {
            let actual = engine_torque(&engine, 1.0, speed);
            assert!((actual - expected).abs() < 1e-3, "{speed}: {actual}, not {expected}");
        }
    }

    #[test]
    fn default_engine_has_the_power_that_it_says() {
        let engine = EngineParams::default();
        engine.validate().unwrap();
        assert_eq!(EngineState::idling(&engine).rotation_speed, engine.idle_speed);
        let power = |percent: u8| {
            let speed = engine.max_speed * Real::from(percent) / 100.0;
            let friction = engine_damping_rate(&engine.damping, 1.0, 1.0) * speed;
            (engine_torque(&engine, 1.0, speed) - friction) * speed
        };
        let peak = (0..=100).map(power).fold(0.0, Real::max);
        assert!((peak - 110e3).abs() < 3e3, "{peak} W");
    }

    #[test]
    fn engines_of_a_data_sheet_have_its_power_at_the_clutch() {
        for (power, power_speed, max_speed) in [
            (150e3, 580.0, 700.0),
            (300e3, 190.0, 228.0),
            (350e3, 850.0, 920.0),
            (900.0, 7_500.0, 8_000.0),
        ] {
            let engine = EngineParams::of_power(power, power_speed, max_speed);
            engine.validate().unwrap();
            let friction = engine_damping_rate(&engine.damping, 1.0, 1.0) * power_speed;
            let torque = engine_torque(&engine, 1.0, power_speed);
            let found = (torque - friction) * power_speed;
            assert!((found / power - 1.0).abs() < 1e-5, "{found} W, not {power} W");
            assert!(friction < 0.07 * engine.peak_torque, "{friction} of {torque} N·m");
        }
    }

    #[test]
    fn bad_engines_are_refused() {
        let good = engine();
        let curve = |points: &[(Real, Real)]| LookupTable::new(points).unwrap();
        let cases = [
            (
                EngineParams { inertia: 0.0, ..good.clone() },
                "inertia must be positive and finite, got 0",
            ),
            (
                EngineParams { idle_speed: 700.0, ..good.clone() },
                "idle_speed must be at most max_speed = 600, got 700: in revolutions per minute?",
            ),
            (
                EngineParams { torque_curve: LookupTable::default(), ..good.clone() },
                "torque_curve must be at least one point, got none",
            ),
            (
                EngineParams { torque_curve: curve(&[(0.5, 1.0), (2.0, 1.5)]), ..good.clone() },
                "torque_curve[1].x must be within [0, 1], got 2; \
                 torque_curve[1].y must be within [0, 1], got 1.5",
            ),
            (
                EngineParams {
                    damping: EngineDampingParams { engaged: -1.0, ..good.damping },
                    ..good.clone()
                },
                "damping.engaged must be finite and not negative, got -1",
            ),
        ];
        for (engine, message) in cases {
            assert_eq!(engine.validate().unwrap_err().to_string(), message);
        }
    }
}
