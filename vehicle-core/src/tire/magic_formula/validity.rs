//! Bounds of a tire's numbers for its forces to be finite.

use super::{CoefficientGroup, MagicFormulaParams, Quantity, ScalingCoefficients};
use crate::error::{Bound, ParamCheck, Validate};
use crate::math::Real;

/// Bound of coefficients without a bound of their own (dimensionless).
const COEFFICIENT: Bound = Bound::Within(-1e5, 1e5);
/// Bound of scale factors (dimensionless).
const SCALE: Bound = Bound::Within(-100.0, 100.0);
/// Bound of exponents (dimensionless).
const EXPONENT: Bound = Bound::Within(-10.0, 10.0);

impl Validate for MagicFormulaParams {
    fn check(&self, check: &mut ParamCheck) {
        self.visit(&mut |section, name, value, quantity| {
            check.number(name, value, bound(section, name, quantity));
        });
        let [least, most] = self.load_range.ends();
        check.require("fzmax", least < most, format_args!("above {least}"), most);
        let [least, most] = self.pressure_range.ends();
        let ranges = self.ranges_about_zero();
        let ranges = ranges.map(|range| (range.keys[1], range.ends));
        for (name, [least, most]) in ranges.into_iter().chain([("presmax", [least, most])]) {
            // A tire that was measured at one pressure, or upright, is one all the same.
            check.require(name, least <= most, format_args!("at least {least}"), most);
        }
    }
}

/// A range of slips or camber angles at which a tire was measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RangeAboutZero {
    /// Quantity of the range.
    pub(crate) quantity: &'static str,
    /// Keys of its lowest and its highest value.
    pub(crate) keys: [&'static str; 2],
    /// Lowest and highest value of the range (dimensionless or rad).
    pub(crate) ends: [Real; 2],
}

impl MagicFormulaParams {
    /// The ranges of slips and camber angles at which the tire was measured.
    pub(crate) fn ranges_about_zero(&self) -> [RangeAboutZero; 3] {
        [
            RangeAboutZero {
                quantity: "slip ratio",
                keys: ["kpumin", "kpumax"],
                ends: self.slip_ratio_range.ends(),
            },
            RangeAboutZero {
                quantity: "slip angle",
                keys: ["alpmin", "alpmax"],
                ends: self.slip_angle_range.ends(),
            },
            RangeAboutZero {
                quantity: "camber",
                keys: ["cammin", "cammax"],
                ends: self.inclination_range.ends(),
            },
        ]
    }

    /// Reports ranges that leave out zero to a tire that stays within them: without slip it would
    /// push.
    pub(crate) fn check_zero(&self, check: &mut ParamCheck) {
        for RangeAboutZero { keys, ends: [least, most], .. } in self.ranges_about_zero() {
            let requirement = "at most 0 for a tire that is clamped to its ranges";
            check.require(keys[0], least <= 0.0, requirement, least);
            let requirement = "at least 0 for a tire that is clamped to its ranges";
            check.require(keys[1], 0.0 <= most, requirement, most);
        }
    }
}

fn bound(section: &str, name: &str, quantity: Quantity) -> Bound {
    match name {
        "fnomin" => Bound::Within(1.0, 1e7),
        "unloaded_radius" => Bound::Within(0.01, 100.0),
        "width" => Bound::Within(0.001, 100.0),
        "vertical_stiffness" => Bound::Within(1.0, 1e10),
        "longvl" => Bound::Within(0.01, 1e3),
        "vxlow" => Bound::Within(0.001, 100.0),
        "lfzo" => Bound::Within(0.01, 100.0),
        // A tire of no friction is one of friction 0, not of a negative one.
        "lmux" | "lmuy" | "lmuv" => Bound::Within(0.0, 100.0),
        "pcx1" | "pcy1" => Bound::Within(0.01, 10.0),
        "pkx1" => Bound::Within(0.01, 1e4),
        "pky1" => Bound::Within(-1e4, -0.01),
        "pkx3" | "ptx3" | "qsy7" | "qsy8" => EXPONENT,
        "inflpres" | "nompres" => Bound::NotNegative,
        _ if section == ScalingCoefficients::SECTION => SCALE,
        _ if quantity == Quantity::Dimensionless => COEFFICIENT,
        _ => Bound::Finite,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(change: impl FnOnce(&mut MagicFormulaParams)) -> String {
        let mut params = MagicFormulaParams::default();
        change(&mut params);
        params.validate().err().map(|errors| errors.to_string()).unwrap_or_default()
    }

    #[test]
    fn faults_are_named() {
        type Change = fn(&mut MagicFormulaParams);
        let cases: [(Change, &str); 5] = [
            (|_| (), ""),
            (|tire| tire.vertical.fnomin = 0.0, "fnomin must be within [1, 1e7], got 0"),
            (|tire| tire.lateral.pky1 = 12.0, "pky1 must be within [-10000, -0.01], got 12"),
            (
                |tire| tire.lateral.pey4 = Real::NAN,
                "pey4 must be within [-100000, 100000], got NaN",
            ),
            (|tire| tire.load_range.fzmax = 0.0, "fzmax must be above 0, got 0"),
        ];
        for (change, expected) in cases {
            assert_eq!(faults(change), expected);
        }
    }
}
