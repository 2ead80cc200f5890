//! What the variants of the tire stage differ in.

use super::{
    TireDirections, TireModel, TireSlipParams, TireSpeeds, TireView, longitudinal_slip_denominator,
    tire_directions,
};
use crate::actuation::WheelActuation;
use crate::frame::Frame;
use crate::math::{Real, Vec3};

/// Directions of a tire, and what its longitudinal slip divides by.
pub(super) trait KinematicLaw {
    /// Whether a tire above a road in reach has directions, speeds and camber as on the road.
    const SEES_ROAD_FROM_THE_AIR: bool;

    /// Directions of the tire of `wheel`, whose axle lies along `axle`, on a road of unit vector
    /// `normal`.
    fn directions<M: TireModel>(
        view: &TireView<'_, M>,
        wheel: usize,
        axle: Vec3,
        normal: Vec3,
        frame: &Frame,
    ) -> TireDirections;

    /// What the longitudinal slip divides by (m/s), on a wheel whose rim runs at `rim_speed` (m/s).
    fn slip_denominator(
        params: &TireSlipParams,
        speeds: &TireSpeeds,
        rim_speed: Real,
        actuation: WheelActuation,
    ) -> Real;
}

/// The law of [`Tire`](super::Tire).
pub(super) struct OnGround;

impl KinematicLaw for OnGround {
    const SEES_ROAD_FROM_THE_AIR: bool = false;

    fn directions<M: TireModel>(
        _: &TireView<'_, M>,
        _: usize,
        axle: Vec3,
        normal: Vec3,
        _: &Frame,
    ) -> TireDirections {
        tire_directions(axle, normal)
    }

    fn slip_denominator(
        params: &TireSlipParams,
        speeds: &TireSpeeds,
        _: Real,
        actuation: WheelActuation,
    ) -> Real {
        longitudinal_slip_denominator(params, speeds, actuation)
    }
}
