//! The force law of a tire: everything that it may depend on, everything that it may answer.
//!
//! Implement [`TireModel`] to bring your own tire; the stage around it finds directions, speeds,
//! slips, inclination and load, and applies the result to body and wheel.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::grip::{GripInput, TireGrip};
use super::kinematics::TireSpeeds;
use super::slip::TireSlip;
use crate::error::ParamCheck;
use crate::findings::{Findings, TireExamination};
use crate::math::lanes::{MAX_LANES, Number, Real4, lanes_by_field};
use crate::math::{Pose, Real};
use crate::road_geometry::RoadContact;

/// The wheel as its tire sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TireWheel {
    /// Pose of the wheel, steered and cambered, without its rotation (m).
    pub pose: Pose,
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
    /// Normal load of the suspension (N); may be negative in rebound.
    pub normal_load: Real,
    /// Load and friction, as [`TireModel::grip`] found them.
    pub grip: TireGrip,
    /// Slips; zero in a direction in which the tire sticks.
    pub slip: TireSlip,
    /// Time step (s).
    pub dt: Real,
}

/// What a tire does to body and wheel.
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
    /// Moment about the axle, on the wheel (N·m).
    pub rolling_moment: N,
    /// Moment about the road normal (N·m).
    pub aligning_moment: N,
    /// Slope of the longitudinal force against the longitudinal slip, not negative (N).
    pub longitudinal_stiffness: N,
}

lanes_by_field!(TireOutput<Number> {
    longitudinal_force,
    lateral_force,
    rolling_resistance_force,
    overturning_moment,
    rolling_moment,
    aligning_moment,
    longitudinal_stiffness,
});

/// What the force of a tire depends on that remembers nothing and knows only slip and load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipInput<N = Real> {
    /// Load and friction, as [`TireModel::grip`] found them; zero in the air.
    pub grip: TireGrip<N>,
    /// Slips; zero in a direction in which the tire sticks.
    pub slip: TireSlip<N>,
    /// Inclination to the road (rad).
    pub inclination: N,
}

/// Tires side by side, one in each lane, whose force law remembers nothing and knows only slip and
/// load.
pub trait TireLanes<N: Number>: Copy {
    /// Load and friction of each tire, see [`TireModel::grip`].
    fn grips(&self, input: &GripInput<N>) -> TireGrip<N>;

    /// Forces and moments of each tire, zero where it has no load.
    fn outputs(&self, input: &SlipInput<N>) -> TireOutput<N>;
}

/// No tires: what a model is in lanes that is not written for them.
#[derive(Clone, Copy, Debug)]
pub enum NoLanes {}

impl<N: Number> TireLanes<N> for NoLanes {
    fn grips(&self, _: &GripInput<N>) -> TireGrip<N> {
        match *self {}
    }

    fn outputs(&self, _: &SlipInput<N>) -> TireOutput<N> {
        match *self {}
    }
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
    type Lanes: TireLanes<Real4> + Debug + Send + Sync + 'static;

    /// Whether overturning and aligning moment turn the body. If not, they are reported only.
    const MOMENTS_ACT_ON_BODY: bool = true;

    /// Load and friction of a tire on the ground.
    ///
    /// As given: the suspension's load where it presses, and the friction of the road.
    fn grip(&self, input: &GripInput) -> TireGrip {
        TireGrip { load: input.normal_load.max(0.0), friction: input.road_friction }
    }

    /// Forces and moments of a tire on the ground.
    fn forces(&self, input: &TireInput<'_>, state: &mut Self::State) -> TireOutput;

    /// The tires of each lane, for a model that is written for lanes. `None` if it is not: then each
    /// wheel asks by itself.
    #[inline]
    fn in_lanes(_tires: [&Self; MAX_LANES]) -> Option<Self::Lanes> {
        None
    }

    /// Reports every fault of the parameters to `check`.
    fn check(&self, check: &mut ParamCheck);

    /// Adds what is odd about the parameters, without being a fault. Nothing unless said otherwise.
    fn examine(&self, _examination: &TireExamination<'_>, _findings: &mut Findings) {}
}
