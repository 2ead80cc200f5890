//! Memory: what must be known of a vehicle between two steps so that it drives on with the same bits.
//!
//! Most of a state is written by the next step before it is read, such as loads, slips and forces. The
//! *memory* of a vehicle is the rest: pose and velocities, what turns, how far springs are compressed,
//! how long tires have been slow, what holds a parked car, and what the driver wants. It is what to
//! save, to send to another machine, and to go back to when an input arrives late.
//!
//! Parameters are no part of it: a vehicle recalls the memory of one that was made of the same.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::WheelVec;
use crate::actuation::WheelActuation;
use crate::constraint_rows::{StickyAnchor, WheelRows};
use crate::error::{Bound, ParamCheck, ParamErrors};
use crate::finite::Finite;
use crate::math::Real;
use crate::rigid_body::RigidBodyState;
use crate::road_geometry::RoadContact;
use crate::suspension::{SuspensionState, suspension_compliance};
use crate::tire::{BrushTire, TireModel, TireStickyState};
use crate::vehicle::{MechanicalParams, MechanicalState};
use crate::wheel::WheelState;

/// A vehicle that can be saved between two steps, and drives on from there with the same bits.
pub trait Persistent {
    /// What it remembers between two steps.
    type Memory: Clone + Debug + PartialEq + Serialize + DeserializeOwned;

    /// What it remembers now, its commands included.
    fn memory(&self) -> Self::Memory;

    /// Becomes the vehicle that remembers `memory`.
    ///
    /// Nothing is left of what it did. What the next step computes anew is as before the first one
    /// until then, such as loads and slips.
    ///
    /// # Errors
    ///
    /// All faults of `memory`: another number of wheels, numbers that are not finite, commands out of
    /// their ranges. Nothing has changed then.
    fn recall(&mut self, memory: &Self::Memory) -> Result<(), ParamErrors>;
}

/// What the mechanical base of a vehicle remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct MechanicalMemory<Tire: TireModel = BrushTire> {
    /// Motion of the body.
    pub rigid_body: RigidBodyState,
    /// Where the vehicle sticks.
    pub anchor: Option<StickyAnchor>,
    /// What each wheel remembers.
    pub wheels: WheelVec<WheelMemory<Tire>>,
}

/// What a wheel with its suspension and tire remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct WheelMemory<Tire: TireModel = BrushTire> {
    /// Rotation speed, positive rolls forward (rad/s).
    pub rotation_speed: Real,
    /// Rotation speed that turned the wheel for the eye (rad/s).
    pub displayed_rotation_speed: Real,
    /// Angle about the axle (rad).
    pub rotation_angle: Real,
    /// Whether the vehicle has lost the wheel.
    pub is_detached: bool,
    /// Steer angle (rad), for the eye.
    pub steer_angle: Real,
    /// Whether the wheel drives or brakes, for those that it pulls.
    pub actuation: WheelActuation,
    /// Compression of the suspension.
    pub suspension: SuspensionState,
    /// Whether the tire sticks.
    pub sticky: TireStickyState,
    /// What the tire's model remembers.
    pub tire: Tire::State,
    /// The road under the wheel, for vehicles that keep it and for those that sleep on it.
    pub road: Option<RoadContact>,
}

impl<Tire: TireModel> WheelMemory<Tire> {
    fn of(state: &MechanicalState<Tire>, wheel: usize) -> Self {
        let turning = &state.wheels[wheel];
        Self {
            rotation_speed: turning.rotation_speed,
            displayed_rotation_speed: turning.displayed_rotation_speed,
            rotation_angle: turning.rotation_angle,
            is_detached: turning.is_detached,
            steer_angle: state.steer_angles[wheel],
            actuation: state.actuations[wheel],
            suspension: state.suspensions[wheel],
            sticky: state.sticky_tires[wheel],
            tire: state.tire_models[wheel].clone(),
            road: state.roads[wheel],
        }
    }

    fn check(&self, check: &mut ParamCheck) {
        let numbers = [
            ("rotation_speed", self.rotation_speed),
            ("displayed_rotation_speed", self.displayed_rotation_speed),
            ("rotation_angle", self.rotation_angle),
            ("steer_angle", self.steer_angle),
        ];
        for (name, value) in numbers {
            check.number(name, value, Bound::Finite);
        }
        finite(check, "suspension", &self.suspension);
        finite(check, "sticky", &self.sticky);
        finite(check, "road", &self.road);
    }

    fn write(&self, state: &mut MechanicalState<Tire>, wheel: usize) {
        state.wheels[wheel] = WheelState {
            rotation_speed: self.rotation_speed,
            displayed_rotation_speed: self.displayed_rotation_speed,
            rotation_angle: self.rotation_angle,
            is_detached: self.is_detached,
            ..WheelState::default()
        };
        state.steer_angles[wheel] = self.steer_angle;
        state.actuations[wheel] = self.actuation;
        state.suspensions[wheel] = self.suspension;
        state.sticky_tires[wheel] = self.sticky;
        state.tire_models[wheel] = self.tire.clone();
        state.roads[wheel] = self.road;
        state.rows[wheel] = WheelRows::default();
    }
}

impl<Tire: TireModel> MechanicalMemory<Tire> {
    /// What remains of `state` between two steps.
    pub fn of(state: &MechanicalState<Tire>) -> Self {
        Self {
            rigid_body: state.rigid_body,
            anchor: state.anchor,
            wheels: (0..state.wheels.len()).map(|wheel| WheelMemory::of(state, wheel)).collect(),
        }
    }

    /// Reports another number of wheels than `wheel_count`, and numbers that are not finite. What
    /// tires remember is not looked at.
    pub fn check(&self, wheel_count: usize, check: &mut ParamCheck) {
        check.count("wheels", self.wheels.len(), wheel_count);
        finite(check, "rigid_body", &self.rigid_body);
        finite(check, "anchor", &self.anchor);
        check.each("wheels", &self.wheels, WheelMemory::check);
    }

    /// The state of a vehicle of `params` that remembers this. The poses of its wheels follow by
    /// [`WheelView::place`](crate::wheel::WheelView::place).
    pub fn state(&self, params: &MechanicalParams<Tire>) -> MechanicalState<Tire> {
        let mut state = MechanicalState::at_rest(self.wheels.len());
        state.rigid_body = self.rigid_body;
        state.anchor = self.anchor;
        for (wheel, memory) in self.wheels.iter().enumerate() {
            memory.write(&mut state, wheel);
            if let Some(jounce) = memory.suspension.jounce {
                let travel = params.suspensions[wheel].travel_distance;
                let compliance = &params.compliances[wheel];
                state.compliances[wheel] = suspension_compliance(compliance, jounce, travel);
            }
        }
        state
    }
}

/// Reports the field `name` unless all of its numbers are finite.
fn finite(check: &mut ParamCheck, name: &str, value: &(impl Finite + Debug)) {
    check.require(name, value.is_finite(), Bound::Finite, format_args!("{value:?}"));
}
