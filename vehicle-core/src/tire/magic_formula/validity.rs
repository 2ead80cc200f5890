//! What the numbers of a tire must be, for its forces to be finite.

use super::{CoefficientGroup, MagicFormulaParams, Quantity, ScalingCoefficients};
use crate::error::{Bound, ParamCheck, Validate};

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
        let ranges = [
            ("presmax", [self.pressure_range.presmin, self.pressure_range.presmax]),
            ("fzmax", [self.load_range.fzmin, self.load_range.fzmax]),
            ("kpumax", [self.slip_ratio_range.kpumin, self.slip_ratio_range.kpumax]),
            ("alpmax", [self.slip_angle_range.alpmin, self.slip_angle_range.alpmax]),
            ("cammax", [self.inclination_range.cammin, self.inclination_range.cammax]),
        ];
        for (name, [least, most]) in ranges {
            check.require(name, least < most, format_args!("above {least}"), most);
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
    use crate::math::Real;

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
