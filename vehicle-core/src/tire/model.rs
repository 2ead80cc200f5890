//! The force law of a tire: everything that it may depend on, everything that it may answer.
//!
//! Implement [`TireModel`] to bring your own tire; the stage around it finds directions, speeds,
//! slips, inclination and load, and applies the result to body and wheel.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::grip::{GripInput, TireGrip};
use super::kinematics::TireSpeeds;
use super::slip::TireSlip;
use crate::error::ParamCheck;
use crate::findings::{Findings, TireExamination};
use crate::math::lanes::{MAX_LANES, Number, Real4, lanes_by_field};
use crate::math::{Pose, Real, Vec3};
use crate::road::{RoadContact, Soil};

/// The wheel as its tire sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TireWheel {
    /// Pose of the wheel, steered and cambered, without its rotation (m).
    pub pose: Pose,
    /// Velocity of the wheel's center (m/s).
    pub linear_velocity: Vec3,
    /// Angular velocity of the wheel, with its rotation about the axle (rad/s).
    pub angular_velocity: Vec3,
    /// Speeds of the contact point over the road.
    pub contact_speeds: TireSpeeds,
    /// Rotation speed, positive rolls forward (rad/s).
    pub rotation_speed: Real,
    /// Radius, unloaded (m).
    pub radius: Real,
    /// Half of the width (m).
    pub half_width: Real,
    /// Inclination to the road (rad).
    pub inclination: Real,
    /// Inflation pressure (Pa).
    pub inflation_pressure: Real,
    /// Vertical stiffness (N/m).
    pub radial_stiffness: Real,
}

/// What a tire's force depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TireInput<'a> {
    /// The wheel.
    pub wheel: TireWheel,
    /// The ground: plane, friction, material and velocity.
    pub ground: &'a RoadContact,
    /// The soil that its material is, where the [road](crate::road_geometry::RoadSurface::soil)
    /// tells.
    pub soil: Option<Soil>,
    /// Normal load of the suspension (N), with what its stop added in the last substep if the tire
    /// [feels](TireModel::feels_stops) it; may be negative in rebound.
    pub normal_load: Real,
    /// Load and friction, as [`TireModel::grip`] found them.
    pub grip: TireGrip,
    /// Slips; zero in a direction in which the tire sticks.
    pub slip: TireSlip,
    /// Force along the rolling direction that stops within the step what the tire carries (N), not
    /// negative: what resists rolling is no larger, or it would push the vehicle back. None on a
    /// wheel that slides without turning, and no more than friction allows.
    pub stopping_force: Real,
    /// Time step (s).
    pub dt: Real,
}

/// Torques that the road gives a wheel about its axle, beside that of the longitudinal force;
/// negative ones brake a wheel that rolls forward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RollingTorques<N = Real> {
    /// Torque of the tire that is deformed as it rolls (N·m).
    pub tire_deformation: N,
    /// Torque of the ground that is compacted (N·m).
    pub compaction: N,
    /// The rest of the moment (N·m).
    pub residual: N,
}

lanes_by_field!(RollingTorques<Number> { tire_deformation, compaction, residual });

impl<N: Number> RollingTorques<N> {
    /// All of them (N·m).
    #[inline]
    pub fn sum(&self) -> N {
        self.tire_deformation + self.compaction + self.residual
    }

    /// These torques where `mask` is true, none elsewhere.
    #[inline]
    pub(super) fn only(&self, mask: N::Mask) -> Self {
        let kept = |value| N::select(mask, value, N::zero());
        Self {
            tire_deformation: kept(self.tire_deformation),
            compaction: kept(self.compaction),
            residual: kept(self.residual),
        }
    }
}

/// Forces and moments of a tire on body and wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireOutput<N = Real> {
    /// Force on the body along the rolling direction (N); the wheel feels it times its radius.
    pub longitudinal_force: N,
    /// Force on the body to the left of the rolling direction (N).
    pub lateral_force: N,
    /// Force on the body along the rolling direction that the wheel does not feel (N).
    pub rolling_resistance_force: N,
    /// Moment about the rolling direction (N·m).
    pub overturning_moment: N,
    /// Torques on the wheel about its axle, beside that of the longitudinal force.
    pub rolling_torques: RollingTorques<N>,
    /// Moment on the body about the road normal (N·m).
    pub aligning_moment: N,
    /// Moment about the road normal that is only reported, added to the aligning moment that acts:
    /// a measure for steering feedback (N·m).
    pub reported_moment: N,
    /// Slope of the longitudinal force against the longitudinal slip, not negative (N).
    pub longitudinal_stiffness: N,
    /// Force along the rolling direction by which the tire resists being rolled from rest, not
    /// negative (N). It holds a vehicle that stands without brakes, up to the slope that it is
    /// worth.
    pub standing_resistance: N,
}

lanes_by_field!(TireOutput<Number> {
    longitudinal_force,
    lateral_force,
    rolling_resistance_force,
    overturning_moment,
    rolling_torques,
    aligning_moment,
    reported_moment,
    longitudinal_stiffness,
    standing_resistance,
});

impl<N: Number> TireOutput<N> {
    /// Lets rows have what resists rolling where `mask` is true: those of tires that stick hold by
    /// it.
    #[inline]
    pub(super) fn stand(&mut self, mask: N::Mask) {
        let rolling = |value| N::select(mask, N::zero(), value);
        self.rolling_resistance_force = rolling(self.rolling_resistance_force);
        self.rolling_torques.tire_deformation = rolling(self.rolling_torques.tire_deformation);
    }
}

/// What the forces of tires side by side depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LaneInput<N = Real> {
    /// Load and friction, as [`TireModel::grip`] found them; zero in the air.
    pub grip: TireGrip<N>,
    /// Slips; zero in a direction in which the tire sticks.
    pub slip: TireSlip<N>,
    /// Inclination to the road (rad).
    pub inclination: N,
    /// Speeds of the contact point over the road; zero in the air.
    pub contact_speeds: TireSpeeds<N>,
    /// Rotation speed, positive rolls forward (rad/s).
    pub rotation_speed: N,
    /// Radius, unloaded (m).
    pub radius: N,
    /// Half of the width (m).
    pub half_width: N,
    /// Inflation pressure (Pa).
    pub inflation_pressure: N,
    /// Vertical stiffness (N/m).
    pub radial_stiffness: N,
    /// Normal load of the suspension (N), with what its stop added in the last substep if the tire
    /// [feels](TireModel::feels_stops) it; may be negative in rebound.
    pub normal_load: N,
    /// Friction coefficient of the road (dimensionless).
    pub road_friction: N,
    /// Force along the rolling direction that stops within the step what the tire carries, see
    /// [`TireInput::stopping_force`] (N).
    pub stopping_force: N,
    /// Time step (s).
    pub dt: N,
}

lanes_by_field!(LaneInput<Number> {
    grip,
    slip,
    inclination,
    contact_speeds,
    rotation_speed,
    radius,
    half_width,
    inflation_pressure,
    radial_stiffness,
    normal_load,
    road_friction,
    stopping_force,
    dt,
});

impl From<&TireInput<'_>> for LaneInput {
    fn from(input: &TireInput<'_>) -> Self {
        let wheel = &input.wheel;
        Self {
            grip: input.grip,
            slip: input.slip,
            inclination: wheel.inclination,
            contact_speeds: wheel.contact_speeds,
            rotation_speed: wheel.rotation_speed,
            radius: wheel.radius,
            half_width: wheel.half_width,
            inflation_pressure: wheel.inflation_pressure,
            radial_stiffness: wheel.radial_stiffness,
            normal_load: input.normal_load,
            road_friction: input.ground.friction,
            stopping_force: input.stopping_force,
            dt: input.dt,
        }
    }
}

/// Tires side by side, one in each lane, that remember an `S` each.
pub trait TireLanes<N: Number, S>: Copy {
    /// Load and friction of each tire, see [`TireModel::grip`].
    fn grips(&self, input: &GripInput<N>) -> TireGrip<N>;

    /// Forces and moments of each tire, zero where it has no load.
    ///
    /// `states` has one element per tire: fewer than lanes where the vehicle has no more wheels.
    fn outputs(&self, input: &LaneInput<N>, states: &mut [S]) -> TireOutput<N>;
}

/// No tires: what a model is in lanes that is not written for them.
#[derive(Clone, Copy, Debug)]
pub enum NoLanes {}

impl<N: Number, S> TireLanes<N, S> for NoLanes {
    fn grips(&self, _: &GripInput<N>) -> TireGrip<N> {
        match *self {}
    }

    fn outputs(&self, _: &LaneInput<N>, _: &mut [S]) -> TireOutput<N> {
        match *self {}
    }
}

/// The suspension's load where it presses, and the friction of the road.
#[inline]
pub(super) fn pressing<N: Number>(input: &GripInput<N>) -> TireGrip<N> {
    TireGrip { load: input.normal_load.at_least(N::zero()), friction: input.road_friction }
}

/// The force law of a tire, with its parameters.
pub trait TireModel: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// What the tire remembers between steps; `()` for nothing.
    type State: Clone
        + Debug
        + Default
        + PartialEq
        + Serialize
        + DeserializeOwned
        + Send
        + Sync
        + 'static;

    /// Four of these tires in lanes, for a model that is [written for lanes](Self::in_lanes);
    /// [`NoLanes`] for another.
    type Lanes: TireLanes<Real4, Self::State> + Debug + Send + Sync + 'static;

    /// Load and friction of a tire on the ground.
    ///
    /// As given: the suspension's load where it presses, and the friction of the road.
    fn grip(&self, input: &GripInput) -> TireGrip {
        pressing(input)
    }

    /// Load and friction of a tire on `ground`, which is `soil` where the road tells, for a tire to
    /// which its material makes a difference.
    #[inline]
    fn grip_on(&self, input: &GripInput, _ground: &RoadContact, _soil: Option<&Soil>) -> TireGrip {
        self.grip(input)
    }

    /// Forces and moments of a tire on the ground.
    fn forces(&self, input: &TireInput<'_>, state: &mut Self::State) -> TireOutput;

    /// The tires of each lane, for a model that is written for lanes. `None` if it is not: then
    /// each wheel asks by itself.
    #[inline]
    fn in_lanes(_tires: [&Self; MAX_LANES]) -> Option<Self::Lanes> {
        None
    }

    /// Whether what the stop of a suspension adds to the load, at the end of its travel, loads the
    /// tire, too. It does so in the next substep, because the stop holds what tires and springs
    /// leave. It does unless said otherwise.
    #[inline]
    fn feels_stops(&self) -> bool {
        true
    }

    /// Whether it makes a difference to the tire how it is inflated and how stiff its wheel says
    /// that it is. It does unless said otherwise; a [diagnosis](crate::diagnosis) tells numbers
    /// that do not.
    fn knows_inflation(&self) -> bool {
        true
    }

    /// How deep the wheel of a tire is below the surface of the ground, see
    /// [`SoftGround`](crate::vehicle::SoftGround) (m). Not at all unless said otherwise.
    #[inline]
    fn sinkage(&self, _state: &Self::State) -> Real {
        0.0
    }

    /// Tells the tire that it rolls in a rut of this `depth` (m), see
    /// [`Ruts`](crate::vehicle::Ruts). It does not matter unless said otherwise.
    #[inline]
    fn roll_in_rut(&self, _depth: Real, _state: &mut Self::State) {}

    /// Reports every fault of the parameters to `check`.
    fn check(&self, check: &mut ParamCheck);

    /// Adds what is odd about the parameters, without being a fault. Nothing unless said otherwise.
    fn examine(&self, _examination: &TireExamination<'_>, _findings: &mut Findings) {}
}
