//! Slip: how much a tire's contact patch slides, relative to how fast it rolls.

use serde::{Deserialize, Serialize};

use super::kinematics::TireSpeeds;
use crate::actuation::WheelActuation;
pub use crate::context::{SlipLimit, TireSlipParams};
use crate::math::lanes::{Number, lanes_by_field};
use crate::math::{Real, atan};

/// Slip of a tire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TireSlip<N = Real> {
    /// Longitudinal slip, positive where the force is forward (dimensionless).
    pub longitudinal: N,
    /// Tangent of the slip angle, positive where the tire slides to the left (dimensionless).
    pub tangent: N,
}

lanes_by_field!(TireSlip<Number> { longitudinal, tangent });

impl<N: Number> TireSlip<N> {
    /// Slip angle α from the rolling direction to the velocity (rad).
    #[inline]
    pub fn angle(&self) -> N {
        atan(self.tangent)
    }
}

/// Denominator of a slip at `speed` (m/s), at least `least` (m/s).
///
/// ```text
/// d = |v|                   where |v| ≥ 2 v₀
///   = v₀ + v²/(4 v₀)        below                  SlipLimit::Vanishing
/// d = |v| + v₀                                     SlipLimit::Added
/// ```
///
/// The pieces meet with the same slope, so slips are smooth; from twice the limit on they are pure.
#[inline]
pub fn slip_denominator<N: Number>(limit: SlipLimit, speed: N, least: N) -> N {
    let speed = speed.abs();
    match limit {
        SlipLimit::Vanishing => {
            let slow = least + N::splat(0.25) * speed * speed / least;
            N::select(speed.is_below(least + least), slow, speed)
        }
        SlipLimit::Added => speed + least,
    }
}

/// Denominator of the longitudinal slip (m/s): the limit is that of a wheel that is active, which
/// drives or brakes, or of one that is not.
#[inline]
pub fn longitudinal_slip_denominator<N: Number>(
    params: &TireSlipParams,
    speeds: &TireSpeeds<N>,
    is_active: N::Mask,
) -> N {
    let active = N::splat(params.min_active_longitudinal_denominator);
    let passive = N::splat(params.min_passive_longitudinal_denominator);
    let least = N::select(is_active, active, passive);
    slip_denominator(params.limit, speeds.longitudinal, least)
}

/// Denominator of the tangent of the slip angle (m/s).
#[inline]
pub fn lateral_slip_denominator<N: Number>(params: &TireSlipParams, speeds: &TireSpeeds<N>) -> N {
    let least = N::splat(params.min_lateral_denominator);
    slip_denominator(params.limit, speeds.longitudinal, least)
}

/// Slip of a tire on a wheel whose rim runs at `rim_speed` = ω R (m/s).
///
/// ```text
/// s_L = (ω R - v_L) / d_L
/// tan α = v_T / d_T
/// ```
///
/// with the [denominators](slip_denominator) of the speed `v_L`.
#[inline]
pub fn tire_slip(
    params: &TireSlipParams,
    speeds: &TireSpeeds,
    rim_speed: Real,
    actuation: WheelActuation,
) -> TireSlip {
    let denominators = [
        longitudinal_slip_denominator(params, speeds, actuation.is_active()),
        lateral_slip_denominator(params, speeds),
    ];
    tire_slip_over(denominators, speeds, rim_speed)
}

/// Slip of a tire whose longitudinal and lateral slips divide by these (m/s).
#[inline]
pub(crate) fn tire_slip_over<N: Number>(
    [along, across]: [N; 2],
    speeds: &TireSpeeds<N>,
    rim_speed: N,
) -> TireSlip<N> {
    TireSlip {
        longitudinal: (rim_speed - speeds.longitudinal) / along,
        tangent: speeds.lateral / across,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSIVE: WheelActuation = WheelActuation { is_braked: false, is_driven: false };
    const BRAKED: WheelActuation = WheelActuation { is_braked: true, is_driven: false };

    fn slip(
        params: TireSlipParams,
        [longitudinal, lateral, rim]: [Real; 3],
        actuation: WheelActuation,
    ) -> TireSlip {
        let speeds = TireSpeeds { longitudinal, lateral };
        tire_slip(&params, &speeds, rim, actuation)
    }

    #[test]
    fn slip_is_relative_to_the_rolling_speed() {
        let params = TireSlipParams::default();
        assert!((slip(params, [10.0, 0.0, 11.0], PASSIVE).longitudinal - 0.1).abs() < 1e-7);
        assert!((slip(params, [-10.0, 0.0, 0.0], BRAKED).longitudinal - 1.0).abs() < 1e-7);
        let angle = slip(params, [9.0, 9.0, 9.0], PASSIVE).angle();
        assert!((angle - std::f32::consts::FRAC_PI_4).abs() < 1e-7);
    }

    #[test]
    fn limits_of_the_reference_are_added() {
        let params = TireSlipParams::REFERENCE;
        assert!((slip(params, [10.0, 0.0, 11.0], PASSIVE).longitudinal - 1.0 / 14.0).abs() < 1e-7);
        assert!((slip(params, [-10.0, 0.0, 0.0], BRAKED).longitudinal - 10.0 / 10.1).abs() < 1e-7);
        let angle = slip(params, [9.0, 10.0, 9.0], PASSIVE).angle();
        assert!((angle - std::f32::consts::FRAC_PI_4).abs() < 1e-7);
    }

    #[test]
    fn there_is_no_slip_at_standstill() {
        for params in [TireSlipParams::default(), TireSlipParams::REFERENCE] {
            assert_eq!(slip(params, [0.0; 3], BRAKED), TireSlip::default());
        }
    }

    #[test]
    fn a_limit_vanishes_smoothly_at_twice_its_speed() {
        let of = |speed: Real| slip_denominator(SlipLimit::Vanishing, speed, 0.7);
        // (speed, denominator): v₀ + v²/(4 v₀) below 2 v₀
        for (speed, expected) in
            [(0.0, 0.7), (0.7, 0.875), (-0.7, 0.875), (1.4, 1.4), (-1.5, 1.5), (30.0, 30.0)]
        {
            assert!((of(speed) - expected).abs() < 1e-6, "{speed} m/s: {} m/s", of(speed));
        }
        let step = 1e-2;
        let slope = |speed: Real| (of(speed + step) - of(speed - step)) / (2.0 * step);
        let mut last = slope(-2.0);
        for hundredth in -199..200_i16 {
            let speed = 0.01 * Real::from(hundredth);
            // d'' is 1/(2 v₀) at most.
            let change = slope(speed) - last;
            assert!((-1e-3..0.01 / 1.4 + 1e-3).contains(&change), "{speed} m/s: {change}");
            assert!(speed.abs() <= of(speed), "{speed} m/s");
            last = slope(speed);
        }
    }
}
