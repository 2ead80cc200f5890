//! Legacy tire: directions and slips of older vehicles.
//!
//! A legacy tire is steered in the plane of the road instead of about its suspension's axis. Toe
//! and camber do not turn it. Its longitudinal slip is relative to the faster of road and rim. It
//! has directions, speeds and camber wherever a road is in reach. For data that was tuned for it:
//! `sequence.replace::<Tire>(LegacyTire)`.

use crate::Context;
use crate::actuation::WheelActuation;
use crate::body::RigidBodyState;
use crate::frame::Frame;
use crate::math::lanes::{Number, Vector};
use crate::math::{Real, rotate, sin_cos};
use crate::mount::SuspensionParams;
use crate::mount::{WheelAngles, wheel_local_orientation};
use crate::tire::slip::tire_slip_over;
use crate::tire::{
    KinematicLaw, RollingTires, SlipLimit, TireDirections, TireModel, TireSlip, TireSlipParams,
    TireSpeeds, TireView, slip_denominator, tire_directions,
};

/// Directions of a legacy tire on a road of unit vector `normal`, steered by `steer_angle` (rad).
///
/// ```text
/// d_L = L cos δ + T sin δ,   d_T = T cos δ - L sin δ
/// ```
///
/// with `L` and `T` the [directions](tire_directions) of the unsteered `axle`.
#[inline]
pub fn legacy_tire_directions<V: Vector>(
    axle: V,
    normal: V,
    steer_angle: V::Number,
) -> TireDirections<V> {
    let TireDirections { longitudinal, lateral } = tire_directions(axle, normal);
    let (sin, cos) = sin_cos(steer_angle);
    TireDirections {
        longitudinal: longitudinal * cos + lateral * sin,
        lateral: lateral * cos - longitudinal * sin,
    }
}

/// Denominator of a legacy tire's longitudinal slip (m/s), on a wheel that is active, which drives
/// or brakes, or on one that is not.
///
/// ```text
/// max(|v_L|, |ω R|) + limit           of a wheel that drives or brakes
/// max(|v_L|, |ω R|, limit)            of any other
/// ```
#[inline]
pub fn legacy_longitudinal_slip_denominator<N: Number>(
    params: &TireSlipParams,
    speeds: &TireSpeeds<N>,
    rim_speed: N,
    is_active: N::Mask,
) -> N {
    let faster = speeds.longitudinal.abs().at_least(rim_speed.abs());
    let active = faster + N::splat(params.min_active_longitudinal_denominator);
    let passive = faster.at_least(N::splat(params.min_passive_longitudinal_denominator));
    N::select(is_active, active, passive)
}

/// Slip of a legacy tire on a wheel whose rim runs at `rim_speed` = ω R (m/s).
///
/// ```text
/// s_L = (ω R - v_L) / denominator
/// ```
///
/// The lateral slip divides by the speed and its limit, whose sum it is.
#[inline]
pub fn legacy_tire_slip(
    params: &TireSlipParams,
    speeds: &TireSpeeds,
    rim_speed: Real,
    actuation: WheelActuation,
) -> TireSlip {
    let denominators = legacy_slip_denominators(params, speeds, rim_speed, actuation.is_active());
    tire_slip_over(denominators, speeds, rim_speed)
}

/// Denominators of a legacy tire's longitudinal and lateral slip (m/s).
#[inline]
fn legacy_slip_denominators<N: Number>(
    params: &TireSlipParams,
    speeds: &TireSpeeds<N>,
    rim_speed: N,
    is_active: N::Mask,
) -> [N; 2] {
    let lateral = N::splat(params.min_lateral_denominator);
    [
        legacy_longitudinal_slip_denominator(params, speeds, rim_speed, is_active),
        slip_denominator(SlipLimit::Added, speeds.longitudinal, lateral),
    ]
}

struct InReach;

impl KinematicLaw for InReach {
    const SEES_ROAD_FROM_THE_AIR: bool = true;

    fn directions<V: Vector>(
        suspension: &SuspensionParams<V>,
        body: &RigidBodyState<V>,
        tires: &RollingTires<V>,
        frame: &Frame,
    ) -> TireDirections<V> {
        let unsteered = wheel_local_orientation(suspension, &WheelAngles::default(), frame);
        let axle = body.direction(rotate(unsteered, V::splat(frame.lateral())));
        legacy_tire_directions(axle, tires.road.plane.normal, tires.steer)
    }

    fn slip_denominators<N: Number>(
        params: &TireSlipParams,
        speeds: &TireSpeeds<N>,
        rim_speed: N,
        is_active: N::Mask,
    ) -> [N; 2] {
        legacy_slip_denominators(params, speeds, rim_speed, is_active)
    }
}

impl<M: TireModel> TireView<'_, M> {
    /// Updates every tire as a legacy tire.
    pub fn update_legacy(self, dt: Real, context: &Context<'_>) {
        self.update_by::<InReach>(dt, context);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::math::Vec3;

    use crate::tire::tire_slip;

    const PASSIVE: WheelActuation = WheelActuation { is_braked: false, is_driven: false };
    const DRIVEN: WheelActuation = WheelActuation { is_braked: false, is_driven: true };

    #[test]
    fn tire_is_steered_in_the_plane_of_the_road() {
        // 3-4-5: cos δ = 0.8, sin δ = 0.6
        let directions = legacy_tire_directions(Vec3::Y, Vec3::Z, (0.75 as Real).atan());
        assert!(directions.longitudinal.distance(Vec3::new(0.8, 0.6, 0.0)) < 1e-6);
        assert!(directions.lateral.distance(Vec3::new(-0.6, 0.8, 0.0)) < 1e-6);
    }

    #[test]
    fn slip_is_relative_to_the_faster_of_road_and_rim() {
        // (v_L, ω R, actuation, slip), limits 4 passive and 0.1 active
        let cases = [
            (10.0, 12.0, PASSIVE, 2.0 / 12.0),
            (10.0, -12.0, PASSIVE, -22.0 / 12.0),
            (1.0, 2.0, PASSIVE, 1.0 / 4.0),
            (10.0, 12.0, DRIVEN, 2.0 / 12.1),
            (-10.0, 0.0, DRIVEN, 10.0 / 10.1),
            (0.0, 0.0, DRIVEN, 0.0),
        ];
        for (longitudinal, rim_speed, actuation, expected) in cases {
            let speeds = TireSpeeds { longitudinal, lateral: 1.0 };
            let params = TireSlipParams::REFERENCE;
            let slip = legacy_tire_slip(&params, &speeds, rim_speed, actuation);
            let error = (slip.longitudinal - expected).abs();
            assert!(error < 1e-6, "{slip:?} at {longitudinal}, {rim_speed} m/s");
            assert_eq!(slip.tangent, tire_slip(&params, &speeds, rim_speed, actuation).tangent);
        }
    }
}
