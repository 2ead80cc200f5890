//! Differences between the variants of the tire stage.

use super::{
    TireDirections, TireSlipParams, TireSpeeds, lateral_slip_denominator,
    longitudinal_slip_denominator, tire_directions,
};
use crate::body::RigidBodyState;
use crate::frame::Frame;
use crate::math::lanes::{Number, Vector};
use crate::mount::{SuspensionParams, WheelAxes};
use crate::road::RoadLanes;
use crate::suspension::ContactPoint;

/// How tires stand on the ground, or above it where the law says so, and how their wheels turn.
pub(crate) struct RollingTires<V: Vector> {
    /// The road.
    pub(crate) road: RoadLanes<V>,
    /// Normal load of the suspension (N).
    pub(crate) normal_load: V::Number,
    /// Steer angle (rad).
    pub(crate) steer: V::Number,
    /// Directions of the wheel, steered and cambered, without its rotation.
    pub(crate) axes: WheelAxes<V>,
    /// Where the wheel meets the road.
    pub(crate) contact: ContactPoint<V>,
    /// Radius of the wheel (m).
    pub(crate) radius: V::Number,
    /// Rotation speed of the wheel (rad/s).
    pub(crate) rotation_speed: V::Number,
    /// Moment of inertia of the wheel about its axle (kg·m²).
    pub(crate) inertia: V::Number,
    /// Whether the wheel drives or brakes.
    pub(crate) is_active: <V::Number as Number>::Mask,
    /// Whether the wheel touches the ground.
    pub(crate) is_on_ground: <V::Number as Number>::Mask,
    /// Whether the tire has directions and speeds: on the ground, or above it where the law says
    /// so.
    pub(crate) is_seen: <V::Number as Number>::Mask,
}

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
