//! Ackermann correction: the outer wheel of a steered axle turns less, so that both roll about one
//! point.

use serde::{Deserialize, Serialize};

use crate::error::{Bound, ParamCheck};
use crate::math::{Real, atan, sin_cos, tan};

/// By what angle an axle is steered whose wheels are corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AckermannInput {
    /// The response to the steering wheel, with its table.
    #[default]
    Response,
    /// The linear response: a table does not act on the axle. For the reference's data.
    LinearResponse,
}

/// Geometry of a steered axle whose wheels shall roll about one common point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AckermannParams {
    /// The wheel on the negative lateral (right) side, then the one on the positive (left) side. Of
    /// an axle that is steered against the front, it is the other way round.
    pub wheels: [usize; 2],
    /// Distance between the steered axle and the axle about which it turns (m).
    pub wheel_base: Real,
    /// Distance between the two wheels (m).
    pub track_width: Real,
    /// 0 for equal angles, 1 for the full correction (dimensionless).
    pub strength: Real,
    /// By what angle the axle is steered.
    #[serde(default)]
    pub input: AckermannInput,
}

impl AckermannParams {
    /// Checks the parameters of a vehicle of `wheel_count` wheels.
    pub fn check(&self, check: &mut ParamCheck, wheel_count: usize) {
        check.number("strength", self.strength, Bound::Within(0.0, 1.0));
        for (index, &wheel) in self.wheels.iter().enumerate() {
            let requirement = format_args!("a wheel below {wheel_count}");
            check.require(format_args!("wheels[{index}]"), wheel < wheel_count, requirement, wheel);
        }
        if self.strength == 0.0 {
            return;
        }
        let [right, left] = self.wheels;
        check.require("wheels", right != left, "two different wheels", right);
        check.number("wheel_base", self.wheel_base, Bound::Positive);
        check.number("track_width", self.track_width, Bound::Positive);
    }
}

/// Steer angles (rad) of the right and the left wheel of an axle steered by `angle` (rad).
///
/// The inner wheel keeps `a = |angle|`; the outer one turns less:
///
/// ```text
/// outer = a + s (atan(B / (W + B / tan a)) - a)
/// ```
///
/// with `B` the wheel base, `W` the track width and `s` the strength. `None` if nothing is to be
/// corrected.
pub fn ackermann_angles(params: &AckermannParams, angle: Real) -> Option<[Real; 2]> {
    if params.strength <= 0.0 || angle == 0.0 {
        return None;
    }
    let inner = angle.abs();
    let perfect = atan(params.wheel_base / (params.track_width + params.wheel_base / tan(inner)));
    let outer = inner + params.strength * (perfect - inner);
    Some(if 0.0 < angle { [outer, inner] } else { [-inner, -outer] })
}

/// How fast the right and the left wheel of an axle turn that is steered by `angle` (rad), per rate
/// of this angle (dimensionless): the derivative of [`ackermann_angles`].
///
/// ```text
/// d outer / da = 1 + s (B² / ((W sin a + B cos a)² + B² sin² a) - 1)
/// ```
///
/// The inner wheel turns as fast as the axle, and so do both where nothing is corrected.
pub fn ackermann_rates(params: &AckermannParams, angle: Real) -> [Real; 2] {
    if params.strength <= 0.0 || angle == 0.0 {
        return [1.0, 1.0];
    }
    let (sin, cos) = sin_cos(angle.abs());
    let (base, track) = (params.wheel_base, params.track_width);
    let across = track * sin + base * cos;
    let perfect = base * base / (across * across + base * base * sin * sin);
    let outer = 1.0 + params.strength * (perfect - 1.0);
    if 0.0 < angle { [outer, 1.0] } else { [1.0, outer] }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::steering) const PARAMS: AckermannParams = AckermannParams {
        wheels: [0, 1],
        wheel_base: 3.0,
        track_width: 1.5,
        strength: 1.0,
        input: AckermannInput::Response,
    };

    #[test]
    fn both_wheels_roll_about_one_point() {
        let [right, left] = ackermann_angles(&PARAMS, 0.4).unwrap();
        // The turning point lies B / tan δ beside each wheel; the wheels are W apart.
        let distance = PARAMS.wheel_base / tan(right) - PARAMS.wheel_base / tan(left);
        assert!((distance - PARAMS.track_width).abs() < 1e-5, "{right}, {left}");
        assert_eq!(left, 0.4);
    }

    #[test]
    fn correction_is_mirrored() {
        let [right, left] = ackermann_angles(&PARAMS, 0.4).unwrap();
        assert_eq!(ackermann_angles(&PARAMS, -0.4), Some([-left, -right]));
    }

    #[test]
    fn no_correction_without_strength_or_angle() {
        let weak = AckermannParams { strength: 0.0, ..PARAMS };
        assert_eq!(ackermann_angles(&weak, 0.4), None);
        assert_eq!(ackermann_angles(&PARAMS, 0.0), None);
        assert_eq!(ackermann_rates(&weak, 0.4), [1.0, 1.0]);
        assert_eq!(ackermann_rates(&PARAMS, 0.0), [1.0, 1.0]);
    }

    #[test]
    fn wheels_are_checked_without_a_correction_and_lengths_with_one() {
        let faults = |strength| {
            let far = AckermannParams { wheels: [4, 5], wheel_base: 0.0, strength, ..PARAMS };
            let mut check = ParamCheck::default();
            far.check(&mut check, 4);
            check.finish().unwrap_err().to_string()
        };
        let wheels = "wheels[0] must be a wheel below 4, got 4; \
                      wheels[1] must be a wheel below 4, got 5";
        assert_eq!(faults(0.0), wheels);
        assert!(
            faults(1.0).starts_with(&format!("{wheels}; wheel_base must be")),
            "{}",
            faults(1.0)
        );
    }

    #[test]
    fn rates_are_the_slopes_of_the_angles() {
        for strength in [0.4, 1.0] {
            let params = AckermannParams { strength, ..PARAMS };
            for angle in [-0.6, -0.1, 0.05, 0.3, 0.7] {
                let angles = |angle| ackermann_angles(&params, angle).unwrap();
                let (above, below) = (angles(angle + 0.01), angles(angle - 0.01));
                let rates = ackermann_rates(&params, angle);
                for ((above, below), rate) in above.into_iter().zip(below).zip(rates) {
                    let slope = (above - below) / 0.02;
                    assert!((slope - rate).abs() < 1e-3, "{angle}: {rate}, expected {slope}");
                }
            }
        }
    }
}
