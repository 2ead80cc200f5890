//! Rolling resistance by load, pressure and speed.

use serde::{Deserialize, Serialize};

use crate::error::{Bound, ParamCheck, Validate};
use crate::math::lanes::{Mask, Number};
use crate::math::{Real, exp, ln};
use crate::tire::LaneInput;

/// Speeds above this count as this (m/s).
const MOST_SPEED: Real = 1e3;
/// Pressures, by the nominal one, outside of these two count as the nearer one (dimensionless).
const LOWEST_PRESSURE: Real = 0.05;
const HIGHEST_PRESSURE: Real = 20.0;
/// Bound of exponents (dimensionless).
const EXPONENT: Bound = Bound::Within(-3.0, 3.0);

/// What resists the rolling of a tire.
///
/// ```text
/// F = -f N (N/N0)^a (p/p0)^b (1 + k (V/V0) + k4 (V/V0)⁴) sgn(V)
/// ```
///
/// with `V` the speed of the contact: as dry friction does, it has its size down to rest, stops the
/// vehicle and holds it. Source: the form of SAE J2452, with the fourth power of speed of
/// Pacejka (2012), equation 4.E70.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RollingResistance<N = Real> {
    /// f, force by load at nominal load and pressure at low speed (dimensionless).
    pub coefficient: N,
    /// N0 (N).
    pub nominal_load: N,
    /// p0 (Pa).
    pub nominal_pressure: N,
    /// V0 (m/s).
    pub reference_speed: N,
    /// a (dimensionless).
    pub load_exponent: N,
    /// b (dimensionless).
    pub pressure_exponent: N,
    /// k (dimensionless).
    pub speed_factor: N,
    /// k4 (dimensionless).
    pub fourth_power_factor: N,
}

impl Default for RollingResistance {
    /// None; with a coefficient of 0.01, that of a passenger car's tire.
    fn default() -> Self {
        Self {
            coefficient: 0.0,
            nominal_load: 4_000.0,
            nominal_pressure: 220e3,
            reference_speed: 16.7,
            load_exponent: -0.1,
            pressure_exponent: -0.4,
            speed_factor: 0.05,
            fourth_power_factor: 0.0005,
        }
    }
}

impl Validate for RollingResistance {
    fn check(&self, check: &mut ParamCheck) {
        check.number("coefficient", self.coefficient, Bound::Within(0.0, 1.0));
        check.number("nominal_load", self.nominal_load, Bound::Within(1.0, 1e7));
        check.number("nominal_pressure", self.nominal_pressure, Bound::Within(1.0, 1e8));
        check.number("reference_speed", self.reference_speed, Bound::Within(0.1, 1e3));
        check.number("load_exponent", self.load_exponent, Bound::Within(-0.9, 3.0));
        check.number("pressure_exponent", self.pressure_exponent, EXPONENT);
        check.number("speed_factor", self.speed_factor, Bound::Within(0.0, 10.0));
        check.number("fourth_power_factor", self.fourth_power_factor, Bound::Within(0.0, 10.0));
    }
}

impl<N: Number> RollingResistance<N> {
    /// Rolling resistance of each lane.
    #[inline]
    pub fn from_lanes<'a>(of: impl Fn(usize) -> &'a RollingResistance) -> Self {
        let number = |value: fn(&RollingResistance) -> Real| N::from_lanes(|lane| value(of(lane)));
        Self {
            coefficient: number(|tire| tire.coefficient),
            nominal_load: number(|tire| tire.nominal_load),
            nominal_pressure: number(|tire| tire.nominal_pressure),
            reference_speed: number(|tire| tire.reference_speed),
            load_exponent: number(|tire| tire.load_exponent),
            pressure_exponent: number(|tire| tire.pressure_exponent),
            speed_factor: number(|tire| tire.speed_factor),
            fourth_power_factor: number(|tire| tire.fourth_power_factor),
        }
    }

    /// Size of the force against rolling (N), of a tire under `load` (N) at `pressure` (Pa; 0 for
    /// the nominal one) that rolls at `speed` (m/s).
    #[inline]
    pub fn size(&self, load: N, pressure: N, speed: N) -> N {
        let (zero, one, most) = (N::zero(), N::splat(1.0), N::splat(MOST_SPEED));
        let resists = zero.is_below(self.coefficient) & zero.is_below(load);
        if !resists.any() {
            return zero;
        }
        let speed = speed.abs().at_most(most);
        let relative = (pressure / self.nominal_pressure)
            .at_least(N::splat(LOWEST_PRESSURE))
            .at_most(N::splat(HIGHEST_PRESSURE));
        let relative = N::select(zero.is_below(pressure), relative, one);
        let smallest = N::splat(Real::MIN_POSITIVE);
        // x^a y^b = exp(a ln x + b ln y)
        let exponent = self.load_exponent * ln((load / self.nominal_load).at_least(smallest))
            + self.pressure_exponent * ln(relative);
        let speed = speed / self.reference_speed;
        let squared = speed * speed;
        let by_speed =
            one + self.speed_factor * speed + self.fourth_power_factor * squared * squared;
        N::select(resists, self.coefficient * load * exp(exponent) * by_speed, zero)
    }
}

/// The force along the rolling direction of a `resistance` (N), not negative, against the way of
/// the contact, as far as it [stops](LaneInput::stopping_force) what the tire carries.
#[inline]
pub(super) fn rolling_resistance<N: Number>(resistance: N, input: &LaneInput<N>) -> N {
    let size = resistance.at_most(input.stopping_force);
    -size.copysign(input.contact_speeds.longitudinal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tire::TireSpeeds;

    #[test]
    fn resistance_follows_load_pressure_and_speed() {
        let tire = RollingResistance { coefficient: 0.01, ..RollingResistance::default() };
        let of = |load, pressure, speed| tire.size(load, pressure, speed);
        assert!((of(4_000.0, 220e3, 5.0) / 40.0 - 1.0).abs() < 0.02);
        assert!((of(8_000.0, 220e3, 5.0) / of(4_000.0, 220e3, 5.0) - 1.866).abs() < 1e-3);
        assert!((of(4_000.0, 110e3, 5.0) / of(4_000.0, 220e3, 5.0) - 1.3195).abs() < 1e-3);
        assert!(1.1 * of(4_000.0, 220e3, 10.0) < of(4_000.0, 220e3, 50.0));
        assert_eq!(of(4_000.0, 220e3, -5.0), of(4_000.0, 220e3, 5.0));
        assert!((of(4_000.0, 220e3, 0.0) - 40.0).abs() < 1e-4);
        assert_eq!(of(-5.0, 220e3, 5.0), 0.0);
    }

    #[test]
    fn resistance_stops_and_does_not_push_back() {
        let at = |speed: Real, stopping_force: Real| {
            let contact_speeds = TireSpeeds { longitudinal: speed, lateral: 0.0 };
            let input = LaneInput { contact_speeds, stopping_force, ..LaneInput::default() };
            rolling_resistance(40.0, &input)
        };
        for (speed, stopping, expected) in
            [(5.0, 1e5, -40.0), (-5.0, 1e5, 40.0), (1e-3, 20.0, -20.0), (-1e-3, 20.0, 20.0)]
        {
            assert_eq!(at(speed, stopping), expected, "{speed} m/s");
        }
        assert_eq!(at(0.0, 0.0), 0.0);
    }
}
