//! How much of what a vehicle can a profile of speeds uses.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;

/// Shares of grip, drive and brakes that a speed profile uses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProfileParams {
    /// Friction of the road (dimensionless).
    pub friction: Real,
    /// Part of the grip that is used in bends, in (0, 1] (dimensionless).
    pub cornering: Real,
    /// Part of the drive force and of the grip that is used to accelerate, in (0, 1]
    /// (dimensionless).
    pub accelerating: Real,
    /// Part of the brakes and of the grip that is used to slow down, in (0, 1] (dimensionless).
    pub braking: Real,
    /// Largest speed (m/s).
    pub max_speed: Real,
    /// Speeds at the beginning and the end of an open path (m/s), where they are given.
    pub ends: [Option<Real>; 2],
}

impl Default for ProfileParams {
    /// A quick driver, with some reserve, on a dry road.
    fn default() -> Self {
        Self {
            friction: 1.0,
            cornering: 0.8,
            accelerating: 0.9,
            braking: 0.7,
            max_speed: 100.0,
            ends: [None; 2],
        }
    }
}

impl Validate for ProfileParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("friction", self.friction, Bound::Within(0.01, 10.0));
        let shares = [
            ("cornering", self.cornering),
            ("accelerating", self.accelerating),
            ("braking", self.braking),
        ];
        for (name, share) in shares {
            check.number(name, share, Bound::Within(0.01, 1.0));
        }
        check.number("max_speed", self.max_speed, Bound::Positive);
        for (index, end) in self.ends.iter().enumerate() {
            if let Some(speed) = end {
                check.number(format_args!("ends[{index}]"), *speed, Bound::NotNegative);
            }
        }
    }
}
