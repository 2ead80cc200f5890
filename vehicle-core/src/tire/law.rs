//! Differences between the variants of the tire stage.

use super::{
    RollingTires, TireDirections, TireSlipParams, TireSpeeds, lateral_slip_denominator,
    longitudinal_slip_denominator, tire_directions,
};
use crate::body::RigidBodyState;
use crate::frame::Frame;
use crate::math::lanes::{Number, Vector};
use crate::mount::SuspensionParams;

/// Directions of a tire, and what its slips divide by.
pub(crate) trait KinematicLaw {
    /// Whether a tire above a road in reach has directions, speeds and camber as on the road.
    const SEES_ROAD_FROM_THE_AIR: bool;

    /// Directions of `tires` on wheels of `suspension`.
    fn directions<V: Vector>(
        suspension: &SuspensionParams<V>,
        body: &RigidBodyState<V>,
        tires: &RollingTires<V>,
        frame: &Frame,
    ) -> TireDirections<V>;

    /// Denominators of the longitudinal and the lateral slip (m/s), on a wheel whose rim runs at
    /// `rim_speed` (m/s) and that drives or brakes if it `is_active`.
    fn slip_denominators<N: Number>(
        params: &TireSlipParams,
        speeds: &TireSpeeds<N>,
        rim_speed: N,
        is_active: N::Mask,
    ) -> [N; 2];
}

/// The law of [`Tire`](super::Tire).
pub(crate) struct OnGround;

impl KinematicLaw for OnGround {
    const SEES_ROAD_FROM_THE_AIR: bool = false;

    #[inline]
    fn directions<V: Vector>(
        _: &SuspensionParams<V>,
        _: &RigidBodyState<V>,
        tires: &RollingTires<V>,
        _: &Frame,
    ) -> TireDirections<V> {
        tire_directions(tires.axes.lateral, tires.road.plane.normal)
    }

    #[inline]
    fn slip_denominators<N: Number>(
        params: &TireSlipParams,
        speeds: &TireSpeeds<N>,
        _: N,
        is_active: N::Mask,
    ) -> [N; 2] {
        [
            longitudinal_slip_denominator(params, speeds, is_active),
            lateral_slip_denominator(params, speeds),
        ]
    }
}
