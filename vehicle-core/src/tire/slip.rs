//! Slip: how much a tire's contact patch slides, relative to how fast it rolls.

use serde::{Deserialize, Serialize};

use super::kinematics::TireSpeeds;
use crate::actuation::WheelActuation;
pub use crate::context::TireSlipParams;
use crate::math::lanes::{Number, lanes_by_field};
use crate::math::{Real, atan};

/// Slip of a tire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TireSlip<N = Real> {
    /// Longitudinal slip, positive where the wheel drives (dimensionless).
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

/// What the longitudinal slip divides by (m/s): |v| plus the limit of a wheel that is active, which
/// drives or brakes, or of one that is not.
#[inline]
pub fn longitudinal_slip_denominator<N: Number>(
    params: &TireSlipParams,
    speeds: &TireSpeeds<N>,
    is_active: N::Mask,
) -> N {
    let active = N::splat(params.min_active_longitudinal_denominator);
    let passive = N::splat(params.min_passive_longitudinal_denominator);
    speeds.longitudinal.abs() + N::select(is_active, active, passive)
}

/// Slip of a tire on a wheel whose rim runs at `rim_speed` = ω R (m/s).
///
/// ```text
/// s_L = (ω R - v_L) / (|v_L| + limit)
/// tan α = v_T / (|v_L| + limit)
/// ```
///
/// The limits are added to the speed, not compared with it, so slips are smooth.
#[inline]
pub fn tire_slip(
    params: &TireSlipParams,
    speeds: &TireSpeeds,
    rim_speed: Real,
    actuation: WheelActuation,
) -> TireSlip {
    let denominator = longitudinal_slip_denominator(params, speeds, actuation.is_active());
    tire_slip_over(denominator, params, speeds, rim_speed)
}

/// Slip of a tire whose longitudinal slip divides by `denominator` (m/s).
#[inline]
pub(crate) fn tire_slip_over<N: Number>(
    denominator: N,
    params: &TireSlipParams,
    speeds: &TireSpeeds<N>,
    rim_speed: N,
) -> TireSlip<N> {
    let limit = N::splat(params.min_lateral_denominator);
    let lateral_denominator = speeds.longitudinal.abs() + limit;
    TireSlip {
        longitudinal: (rim_speed - speeds.longitudinal) / denominator,
        tangent: speeds.lateral / lateral_denominator,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSIVE: WheelActuation = WheelActuation { is_braked: false, is_driven: false };
    const BRAKED: WheelActuation = WheelActuation { is_braked: true, is_driven: false };

    fn slip(longitudinal: Real, lateral: Real, rim: Real, actuation: WheelActuation) -> TireSlip {
        let speeds = TireSpeeds { longitudinal, lateral };
        tire_slip(&TireSlipParams::default(), &speeds, rim, actuation)
    }

    #[test]
    fn slip_is_relative_to_the_rolling_speed() {
        assert!((slip(10.0, 0.0, 11.0, PASSIVE).longitudinal - 1.0 / 14.0).abs() < 1e-7);
        assert!((slip(-10.0, 0.0, 0.0, BRAKED).longitudinal - 10.0 / 10.1).abs() < 1e-7);
        assert!((slip(9.0, 10.0, 9.0, PASSIVE).angle() - std::f32::consts::FRAC_PI_4).abs() < 1e-7);
    }

    #[test]
    fn there_is_no_slip_at_standstill() {
        assert_eq!(slip(0.0, 0.0, 0.0, BRAKED), TireSlip::default());
    }
}
