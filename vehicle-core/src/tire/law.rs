//! What the variants of the tire stage differ in.

use super::{
    TireDirections, TireModel, TireSlipParams, TireSpeeds, TireView, longitudinal_slip_denominator,
    tire_directions,
};
use crate::axle::WheelLanes;
use crate::frame::Frame;
use crate::math::lanes::{Number, Vector};

/// Directions of a tire, and what its longitudinal slip divides by.
pub(super) trait KinematicLaw {
    /// Whether a tire above a road in reach has directions, speeds and camber as on the road.
    const SEES_ROAD_FROM_THE_AIR: bool;

    /// Directions of the tires of `wheels`, whose axles lie along `axle`, on roads of unit vector
    /// `normal`.
    fn directions<M: TireModel, V: Vector>(
        view: &TireView<'_, M>,
        wheels: &WheelLanes,
        axle: V,
        normal: V,
        frame: &Frame,
    ) -> TireDirections<V>;

    /// What the longitudinal slip divides by (m/s), on a wheel whose rim runs at `rim_speed` (m/s)
    /// and that drives or brakes if it `is_active`.
    fn slip_denominator<N: Number>(
        params: &TireSlipParams,
        speeds: &TireSpeeds<N>,
        rim_speed: N,
        is_active: N::Mask,
    ) -> N;
}

/// The law of [`Tire`](super::Tire).
pub(super) struct OnGround;

impl KinematicLaw for OnGround {
    const SEES_ROAD_FROM_THE_AIR: bool = false;

    #[inline]
    fn directions<M: TireModel, V: Vector>(
        _: &TireView<'_, M>,
        _: &WheelLanes,
        axle: V,
        normal: V,
        _: &Frame,
    ) -> TireDirections<V> {
        tire_directions(axle, normal)
    }

    #[inline]
    fn slip_denominator<N: Number>(
        params: &TireSlipParams,
        speeds: &TireSpeeds<N>,
        _: N,
        is_active: N::Mask,
    ) -> N {
        longitudinal_slip_denominator(params, speeds, is_active)
    }
}
