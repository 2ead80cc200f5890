//! Torque bias: friction in a differential, by which the slower wheel gets more torque.
//!
//! [`limited_slip`](super::limited_slip) limits the ratio of two *speeds*, as a differential does
//! that locks, with whatever torques that takes; this limits the ratio of two *torques*.

use serde::{Deserialize, Serialize};
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::implicit_clutch::FrictionCoupler;
use vehicle_core::math::Real;

/// A differential that biases torque, as those with helical gears do, or one with a multi-plate
/// clutch.
///
/// ```text
/// |T_l| ≤ T_0 + ½ |T'| (b - 1) / (b + 1)
/// ```
///
/// is the torque `T_l` that friction passes from one wheel to the other, beside half of the torque
/// `T'` of both for each. So the wheels turn alike while the torques on the road differ by no more
/// than the ratio `b` (and `2 T_0`), and beyond that they slip, with just this ratio. A multi-plate
/// clutch whose ramps press its plates with a part `c` of the torque is the bias `b = (1 + 2 c) /
/// (1 - 2 c)`.
///
/// Of unequal shares, the smaller takes the place of the half.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TorqueBiasParams {
    /// Largest ratio of the torque of the slower wheel to that of the faster, b, at least 1; 1 is
    /// open but for the preload (dimensionless).
    pub bias: Real,
    /// Friction without a load, T_0 (N·m).
    #[serde(default)]
    pub preload: Real,
}

impl TorqueBiasParams {
    /// Checks ratio and torque.
    pub(super) fn check(&self, check: &mut ParamCheck) {
        let is_ratio = 1.0 <= self.bias && self.bias.is_finite();
        check.require("bias", is_ratio, "at least 1 and finite", self.bias);
        check.number("preload", self.preload, Bound::NotNegative);
    }

    /// The friction between the wheels at two places of a system, with these shares of the torque.
    pub(super) fn coupler(&self, wheels: [usize; 2], shares: [Real; 2]) -> FrictionCoupler {
        let [first, second] = shares.map(Real::abs);
        let smaller = first.min(second) / (first + second).max(Real::MIN_POSITIVE);
        let torque_share = smaller * (self.bias - 1.0) / (self.bias + 1.0);
        FrictionCoupler { wheels, preload: self.preload, torque_share }
    }
}

/// A torque, which has the square of a length in it.
impl Convert for TorqueBiasParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self { preload: conversion.scalar(self.preload, 2), ..*self }
    }
}

/// Between which wheels friction passes torque; open where `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[serde(default)]
pub struct TorqueBiases {
    /// Torque bias of the front wheels.
    pub front: Option<TorqueBiasParams>,
    /// Torque bias of the rear wheels.
    pub rear: Option<TorqueBiasParams>,
}

impl TorqueBiases {
    /// Checks the axles.
    pub(super) fn check(&self, check: &mut ParamCheck) {
        for (name, bias) in [("front", &self.front), ("rear", &self.rear)] {
            check.field(name, |inner| bias.iter().for_each(|bias| bias.check(inner)));
        }
    }
}

impl Convert for TorqueBiases {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self { front: self.front.converted(conversion), rear: self.rear.converted(conversion) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friction_leaves_the_ratio_of_the_bias() {
        for bias in [1.0, 1.2, 2.0, 5.0] {
            let coupler = TorqueBiasParams { bias, preload: 0.0 }.coupler([0, 1], [0.5; 2]);
            let (slower, faster) = (0.5 + coupler.torque_share, 0.5 - coupler.torque_share);
            assert!((slower / faster - bias).abs() < 1e-5, "{} of {bias}", slower / faster);
        }
        let unequal = TorqueBiasParams { bias: 3.0, preload: 7.0 }.coupler([0, 1], [0.1, 0.3]);
        assert!(
            (unequal.torque_share - 0.125).abs() < 1e-6 && unequal.preload == 7.0,
            "{unequal:?}"
        );
    }
}
