//! Data that all vehicles of a step share: gravity, axes, limits, the road.

mod notes;
mod tire;

use std::fmt;

use serde::{Deserialize, Serialize};

pub(crate) use self::notes::FrameNotes;
pub use self::tire::{SlipLimit, StickyHold, StickyLimits, TireSlipParams, TireStickyParams};

use crate::error::{Bound, ParamCheck, Validate};
use crate::frame::{CoordinateSystem, Frame};
use crate::math::lanes::{Lanes, Mask4, Number, Real4, Vec3x4};
use crate::math::{Real, Vec3};
use crate::mount::SteeredPose;
use crate::road::{RoadContacts, RoadSurface};
use crate::rows::RowExecution;

/// Standard gravity, rounded as is usual in simulation (m/s²).
pub const GRAVITY: Real = 9.81;

/// The world as a vehicle's components see it, read-only.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Gravity, axes and limits.
    pub params: &'a SimulationParams,
    /// The drivable surface.
    pub road: &'a dyn RoadSurface,
    /// How closely the vehicle is looked at.
    pub detail: LevelOfDetail,
    /// Which part of the frame this is; written by the sequence.
    pub substep: Substep,
    /// Whether no ground gives way, whatever the road says.
    pub(crate) has_firm_ground: bool,
    /// Notes of the frame's stages; `None` for stages that run by themselves, without a sequence.
    pub(crate) notes: Option<&'a FrameNotes>,
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("params", self.params)
            .field("detail", &self.detail)
            .field("substep", &self.substep)
            .finish_non_exhaustive()
    }
}

impl<'a> Context<'a> {
    /// A context of `params` on `road`.
    pub fn new(params: &'a SimulationParams, road: &'a dyn RoadSurface) -> Self {
        let (detail, substep) = (LevelOfDetail::FULL, Substep::WHOLE);
        Self { params, road, detail, substep, has_firm_ground: false, notes: None }
    }

    /// This context for a vehicle that is computed with this `detail`.
    pub fn with_detail(self, detail: LevelOfDetail) -> Self {
        Self { detail, ..self }
    }

    /// This context on a road that never [gives way](RoadSurface::ground_response), and is not
    /// asked.
    pub fn with_firm_ground(self) -> Self {
        Self { has_firm_ground: true, ..self }
    }

    /// This context for a frame whose stages take `notes`.
    #[inline]
    pub(crate) fn with_notes<'b>(self, notes: &'b FrameNotes) -> Context<'b>
    where
        'a: 'b,
    {
        Context { notes: Some(notes), ..self }
    }

    /// Whether no ground of the frame gives way.
    #[inline]
    pub(crate) fn has_firm_ground(&self) -> bool {
        self.has_firm_ground || !self.road.gives_way()
    }

    /// Change of the velocities of four grounds of `roads` at these `points` (m) per impulse along
    /// the road (1/kg). It is 0 for those that `asks` leaves out, and on
    /// [firm ground](Self::has_firm_ground).
    pub(crate) fn ground_responses(
        &self,
        roads: &RoadContacts,
        points: Vec3x4,
        asks: Mask4,
    ) -> Real4 {
        if self.has_firm_ground() {
            return Real4::zero();
        }
        Lanes::from_lanes(|lane| {
            let road = asks.lane(lane).then(|| roads.lane(lane)).flatten();
            road.map_or(0.0, |road| self.road.ground_response(&road, points.lane(lane)))
        })
    }

    /// Whether wheels with mass look for what stands in front of them.
    #[inline]
    pub(crate) fn meets_obstacles(&self) -> bool {
        self.params.meets_obstacles && self.road.has_obstacles()
    }

    /// Notes how a `four` of wheels is steered.
    #[inline]
    pub(crate) fn note_steered(&self, four: usize, wheels: &SteeredPose<Vec3x4>) {
        if let Some(notes) = self.notes {
            notes.add_steered(four, wheels);
        }
    }

    /// Axes of the vehicles.
    pub fn frame(&self) -> &'a Frame {
        &self.params.coordinates.frame
    }
}

/// A part of a frame: one of equal substeps, counted through all groups from the root of the
/// sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Substep {
    /// The number of the part, from 0.
    pub index: u32,
    /// Number of parts.
    pub count: u32,
}

impl Substep {
    /// The frame as a whole.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Part `index` of `count` into which this one is divided.
    #[inline]
    pub(crate) fn part(self, index: u32, count: u32) -> Self {
        Self {
            index: self.index.saturating_mul(count).saturating_add(index),
            count: self.count.saturating_mul(count),
        }
    }

    /// How many parts there are from this one to the end of the frame.
    #[inline]
    pub fn remaining(self) -> u32 {
        self.count.saturating_sub(self.index).max(1)
    }

    /// Time step of the frame (s), of whose parts each takes `dt` (s).
    #[inline]
    pub fn frame_step(self, dt: Real) -> Real {
        dt * self.count as Real
    }
}

/// How closely a vehicle is looked at in a step: less for one far away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelOfDetail {
    /// Most substeps of a group, whatever the sequence says; 0 counts as 1. A step that is longer
    /// than the [longest substep](SimulationParams::max_substep) is divided all the same.
    pub max_substeps: u32,
    /// Whether wheels that stand on a road look for it anew. Those that do not stay on its plane,
    /// which moves on as the ground does.
    pub finds_road: bool,
}

impl LevelOfDetail {
    /// Everything that the sequence says.
    pub const FULL: Self = Self { max_substeps: u32::MAX, finds_road: true };

    /// Whether there is one substep whatever the sequence says. Lateral forces that would throw a
    /// slow vehicle to the other side then [stop it](crate::constraint_rows) at most, without rows.
    #[inline]
    pub fn is_coarse(&self) -> bool {
        self.max_substeps <= 1
    }
}

impl Default for LevelOfDetail {
    /// [`LevelOfDetail::FULL`].
    fn default() -> Self {
        Self::FULL
    }
}

/// When the forces of a tire answer to the speeds that they change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WheelCoupling {
    /// At the end of the step: stable at any step, stiffness and speed. Lateral forces that would
    /// throw a slow tire to the other side are held by [`ConstraintRows`](crate::constraint_rows).
    #[default]
    Implicit,
    /// At the start of the step, as in the reference's data. Wheels chatter at low speed, where
    /// stiffness radius² step / (2 inertia) exceeds the denominator of the slip, and cars shake.
    Explicit,
}

/// Torque of turning wheels on the body that carries them, beside the forces at their tires.
///
/// ```text
/// τ = -I dω/dt ℓ            what drives or brakes a wheel pushes back on the body
/// τ = -I ω (Ω × ℓ)          the moment of a gyroscope, by choice
/// ```
///
/// with a wheel's inertia `I` about its axle `ℓ`, its rotation speed `ω` and the angular velocity
/// `Ω` of the body. They are those in the middle of the step, so a gyroscope does no work. What
/// turns a wheel against the road is a force at its tire. On the ground only what speeds the wheel
/// up is left, in the air all of the torque. The rate at which a wheel is steered is no part of
/// `Ω`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WheelReaction {
    /// Nothing, as in the reference's data.
    None,
    /// The reaction to what speeds them up and slows them down: a car in the air lowers its nose
    /// under its brakes, and raises it under throttle.
    #[default]
    Torque,
    /// The reaction to what speeds wheels up and slows them down, and the moment of gyroscopes.
    Gyroscopic,
}

/// Gravity, axes and limits that vehicles share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulationParams {
    /// Gravitational acceleration (m/s²).
    pub gravity: Vec3,
    /// Axes and length unit of the vehicles.
    pub coordinates: CoordinateSystem,
    /// Speeds that keep slips finite.
    pub tire_slip: TireSlipParams,
    /// When a tire sticks to the road, held by [`ConstraintRows`](crate::constraint_rows). `None`
    /// for a sequence without that component: the tire's force then acts down to standstill.
    #[serde(default = "tire_sticky")]
    pub tire_sticky: Option<TireStickyParams>,
    /// How wheels and tires act on each other.
    #[serde(default)]
    pub wheel_coupling: WheelCoupling,
    /// Torque of turning wheels on the body.
    #[serde(default)]
    pub wheel_reaction: WheelReaction,
    /// Who executes the rows of [`ConstraintRows`](crate::constraint_rows).
    #[serde(default)]
    pub row_execution: RowExecution,
    /// Speed below which the angle of a wheel that turns freely follows the road instead of the
    /// wheel's speed (m/s).
    pub rolling_blend_speed: Real,
    /// Longest substep (s): where a frame is longer, after a hitch, it is divided into more
    /// substeps than the sequence says, or its springs would throw the vehicle.
    #[serde(default = "max_substep")]
    pub max_substep: Real,
    /// Whether wheels with mass meet what stands in front of them, as far as the road
    /// [tells](RoadSurface::obstacle); else a road only lifts them.
    #[serde(default = "meets_obstacles")]
    pub meets_obstacles: bool,
}

/// Tires stick unless said otherwise.
#[expect(clippy::unnecessary_wraps, reason = "it is the default of an optional field")]
fn tire_sticky() -> Option<TireStickyParams> {
    Some(TireStickyParams::default())
}

/// Longest substep unless said otherwise (s): twenty-five a second.
fn max_substep() -> Real {
    0.04
}

/// Wheels meet obstacles unless said otherwise.
fn meets_obstacles() -> bool {
    true
}

/// Largest gravity (length units/s²).
const MAX_GRAVITY: Real = 1e9;

impl SimulationParams {
    /// Earth's gravity along the downward axis of `frame`, in meters, with the usual limits.
    pub fn new(frame: Frame) -> Self {
        Self {
            gravity: frame.vertical() * -GRAVITY,
            coordinates: CoordinateSystem { frame, length_scale: 1.0 },
            tire_slip: TireSlipParams::default(),
            tire_sticky: Some(TireStickyParams::default()),
            wheel_coupling: WheelCoupling::default(),
            wheel_reaction: WheelReaction::default(),
            row_execution: RowExecution::default(),
            rolling_blend_speed: 5.0,
            max_substep: max_substep(),
            meets_obstacles: meets_obstacles(),
        }
    }
}

impl Default for SimulationParams {
    /// Parameters for [`Frame::Y_UP`].
    fn default() -> Self {
        Self::new(Frame::Y_UP)
    }
}

impl Validate for SimulationParams {
    fn check(&self, check: &mut ParamCheck) {
        check.vector_within("gravity", self.gravity, MAX_GRAVITY);
        check.field("coordinates", |inner| self.coordinates.check(inner));
        check.field("tire_slip", |inner| self.tire_slip.check(inner));
        if let Some(sticky) = &self.tire_sticky {
            check.field("tire_sticky", |inner| sticky.check(inner));
        }
        check.number("rolling_blend_speed", self.rolling_blend_speed, Bound::Positive);
        check.number("max_substep", self.max_substep, Bound::Positive);
    }
}
