//! Memory: what must be known of a vehicle between two steps so that it drives on with the same
//! bits.
//!
//! Most of a state is written by the next step before it is read, such as loads, slips and forces.
//! The *memory* of a vehicle is the rest: pose and velocities, rotation speeds, compression of
//! springs and the driver's commands. How long tires have been slow, and what holds a parked car,
//! belong to it, too. Save the memory, send it to another machine, or go back to it when an input
//! arrives late.
//!
//! Parameters are no part of it: a vehicle can recall the memory of any vehicle that was made of
//! the same parameters.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::WheelVec;
use crate::actuation::WheelActuation;
use crate::body::RigidBodyState;
use crate::constraint_rows::{StickyAnchor, WheelRows};
use crate::error::{ParamCheck, ParamErrors};
use crate::math::lanes::Lanes;
use crate::math::{PI, Pose, Real, TAU, Vec3};
use crate::road::{RoadContact, WheelObstacle};
use crate::suspension::{Compression, suspension_compliance};
use crate::tire::{BrushTire, TireModel, TireStickyState};
use crate::turning_wheel::WheelState;
use crate::vehicle::{MechanicalParams, MechanicalState};
use crate::wheel_list::place;

/// Largest distance of anything from the origin that is recalled (length units): beyond it,
/// neighboring numbers are 64 units apart.
pub const MAX_DISTANCE: Real = 1e9;
/// Largest speed that is recalled (length units/s).
pub const MAX_SPEED: Real = 1e7;
/// Largest rotation speed that is recalled (rad/s).
pub const MAX_ROTATION_SPEED: Real = 1e6;
/// Largest angle of a steering wheel that is recalled (rad).
const MAX_STEERING_ANGLE: Real = 1e4;
/// Largest force, torque and impulse that are recalled (N, N·m, N·s; in units of length
/// accordingly).
pub const MAX_LOAD: Real = 1e15;
/// Longest time that is recalled (s).
pub const MAX_TIME: Real = 1e9;
/// Largest friction of a road that is recalled (dimensionless).
const MAX_FRICTION: Real = 1e6;
/// Shortest time step that is recalled (s).
const MIN_STEP: Real = 1e-6;

/// Reports a pose that is none or out of [reach](MAX_DISTANCE), and velocities that are too fast to
/// be simulated.
pub fn check_motion(
    check: &mut ParamCheck,
    pose: &Pose,
    linear_velocity: Vec3,
    angular_velocity: Vec3,
) {
    check.pose_within("pose", pose, MAX_DISTANCE);
    check.vector_within("linear_velocity", linear_velocity, MAX_SPEED);
    check.vector_within("angular_velocity", angular_velocity, MAX_ROTATION_SPEED);
}

/// A vehicle that can be saved between two steps, and drives on from there with the same bits.
pub trait Persistent {
    /// State that it keeps between two steps.
    type Memory: Clone + Debug + PartialEq + Serialize + DeserializeOwned;

    /// State of the vehicle between two steps, its commands included.
    fn memory(&self) -> Self::Memory;

    /// Becomes the vehicle that remembers `memory`.
    ///
    /// Nothing is left of what it did. What the next step computes anew is as before the first one
    /// until then, such as loads and slips.
    ///
    /// # Errors
    ///
    /// All faults of `memory`: another number of wheels, numbers that are not finite or that no
    /// vehicle can drive on with, commands out of their ranges. Nothing has changed then.
    fn recall(&mut self, memory: &Self::Memory) -> Result<(), ParamErrors>;
}

/// State that the mechanical base of a vehicle keeps between steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
#[non_exhaustive]
pub struct MechanicalMemory<Tire: TireModel = BrushTire> {
    /// Motion of the body.
    pub rigid_body: RigidBodyState,
    /// Where the vehicle sticks.
    pub anchor: Option<StickyAnchor>,
    /// Angle of the steering wheel (rad).
    #[serde(default)]
    pub steering_angle: Real,
    /// Rate of a free steering wheel (rad/s).
    #[serde(default)]
    pub steering_rate: Real,
    /// Whether its wheels have no mass, or have been [relieved of
    /// it](crate::vehicle::MechanicalLanes::set_wheel_mass).
    #[serde(default)]
    pub has_massless_wheels: bool,
    /// State that each wheel keeps between steps.
    pub wheels: WheelVec<WheelMemory<Tire>>,
}

/// State that a wheel with its suspension and tire keeps between steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
#[non_exhaustive]
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
    /// Steer angle at which the tire's contact is not twisted (rad).
    #[serde(default)]
    pub contact_angle: Real,
    /// Brake torque (N·m), for those who write it themselves.
    pub brake_torque: Real,
    /// Whether the wheel drives or brakes, for those that it pulls.
    pub actuation: WheelActuation,
    /// Compression of the suspension.
    pub suspension: Compression,
    /// Whether the tire sticks.
    pub sticky: TireStickyState,
    /// State that the tire's model keeps between steps.
    pub tire: Tire::State,
    /// The road under the wheel, for vehicles that keep it and for those that sleep on it.
    pub road: Option<RoadContact>,
    /// What stands in front of the wheel, for wheels with mass.
    #[serde(default)]
    pub obstacle: Option<WheelObstacle>,
    /// Force of the tire along the road in the last step (N), for wheels with mass; zero without.
    #[serde(default)]
    pub road_force: Vec3,
    /// Impulse of the suspension's stop in the last substep (N·s), which loads the tire in the next
    /// one.
    #[serde(default)]
    pub stop_impulse: Real,
}

impl<Tire: TireModel> WheelMemory<Tire> {
    fn of(state: &MechanicalState<Tire>, wheel: usize) -> Self {
        let turning = state.wheels.of(wheel);
        Self {
            rotation_speed: turning.rotation_speed,
            displayed_rotation_speed: turning.displayed_rotation_speed,
            rotation_angle: turning.rotation_angle,
            is_detached: turning.is_detached,
            steer_angle: state.steer_angles[wheel],
            contact_angle: state.steering.contact_angles[wheel],
            brake_torque: state.brake_torques[wheel],
            actuation: state.actuations.of(wheel),
            suspension: state.suspensions.of(wheel).compression,
            sticky: state.tires.of(wheel).sticky,
            tire: state.tire_models[wheel].clone(),
            road: state.roads.of(wheel),
            obstacle: last_obstacle(state, wheel),
            road_force: last_road_force(state, wheel),
            stop_impulse: state.rows.of(wheel).stop_impulse(),
        }
    }

    fn check(&self, check: &mut ParamCheck) {
        let turning = [
            ("rotation_speed", self.rotation_speed),
            ("displayed_rotation_speed", self.displayed_rotation_speed),
            ("rotation_angle", self.rotation_angle),
        ];
        for (name, value) in turning {
            check.finite_within(name, value, -MAX_ROTATION_SPEED, MAX_ROTATION_SPEED);
        }
        check.finite_within("steer_angle", self.steer_angle, -PI, PI);
        check.finite_within("contact_angle", self.contact_angle, -TAU, TAU);
        check.finite_within("brake_torque", self.brake_torque, 0.0, MAX_LOAD);
        check.field("suspension", |inner| check_suspension(&self.suspension, inner));
        let TireStickyState { longitudinal, lateral } = self.sticky;
        check.finite_within("sticky.longitudinal", longitudinal.low_speed_time, 0.0, MAX_TIME);
        check.finite_within("sticky.lateral", lateral.low_speed_time, 0.0, MAX_TIME);
        check.vector_within("road_force", self.road_force, MAX_LOAD);
        check.finite_within("stop_impulse", self.stop_impulse, 0.0, MAX_LOAD);
        if let Some(road) = &self.road {
            check.field("road", |inner| check_road(road, inner));
        }
        if let Some(obstacle) = &self.obstacle {
            check.field("obstacle", |inner| check_obstacle(obstacle, inner));
        }
    }

    fn write(&self, state: &mut MechanicalState<Tire>, wheel: usize) {
        let turning = WheelState {
            rotation_speed: self.rotation_speed,
            displayed_rotation_speed: self.displayed_rotation_speed,
            rotation_angle: self.rotation_angle,
            is_detached: self.is_detached,
        };
        state.wheels.set(wheel, turning);
        state.steer_angles[wheel] = self.steer_angle;
        state.steering.contact_angles[wheel] = self.contact_angle;
        state.brake_torques[wheel] = self.brake_torque;
        state.actuations.set(wheel, self.actuation);
        state.suspensions.edit(wheel, |suspension| suspension.compression = self.suspension);
        state.tire_models[wheel] = self.tire.clone();
        state.roads.set(wheel, self.road);
        state.obstacles.set(wheel, self.obstacle.unwrap_or_default());
        state.rows.set(wheel, WheelRows::remembered(self.stop_impulse));
        state.tires.edit(wheel, |tire| {
            tire.sticky = self.sticky;
            tire.force.longitudinal = self.road_force;
        });
    }
}

impl<Tire: TireModel> MechanicalMemory<Tire> {
    /// The part of `state` that remains between two steps.
    pub fn of(state: &MechanicalState<Tire>) -> Self {
        Self {
            rigid_body: state.rigid_body,
            anchor: state.anchor,
            steering_angle: state.steering.angle,
            steering_rate: state.steering.rate,
            has_massless_wheels: state.wheel_inertia.is_none(),
            wheels: (0..state.wheels.len()).map(|wheel| WheelMemory::of(state, wheel)).collect(),
        }
    }

    /// Reports another number of wheels than `wheel_count`, and numbers that are not finite or that
    /// no vehicle can drive on with. What tires remember is not looked at.
    pub fn check(&self, wheel_count: usize, check: &mut ParamCheck) {
        check.count("wheels", self.wheels.len(), wheel_count);
        check.field("rigid_body", |inner| check_body(&self.rigid_body, inner));
        if let Some(StickyAnchor { point, forward, .. }) = self.anchor {
            check.vector_within("anchor.point", point, MAX_DISTANCE);
            check.direction("anchor.forward", forward);
        }
        let (angle, rate) = (self.steering_angle, self.steering_rate);
        check.finite_within("steering_angle", angle, -MAX_STEERING_ANGLE, MAX_STEERING_ANGLE);
        check.finite_within("steering_rate", rate, -MAX_ROTATION_SPEED, MAX_ROTATION_SPEED);
        check.each("wheels", &self.wheels, WheelMemory::check);
    }

    /// The state of a vehicle of `params` that remembers this.
    pub fn state(&self, params: &MechanicalParams<Tire>) -> MechanicalState<Tire> {
        let mut state = MechanicalState::at_rest(self.wheels.len());
        state.fit(params);
        if self.has_massless_wheels {
            state.wheel_inertia = None;
        }
        state.rigid_body = self.rigid_body;
        state.anchor = self.anchor;
        (state.steering.angle, state.steering.rate) = (self.steering_angle, self.steering_rate);
        for (wheel, memory) in self.wheels.iter().enumerate() {
            memory.write(&mut state, wheel);
            if let Some(jounce) = memory.suspension.jounce {
                let travel = params.suspensions[wheel].travel_distance;
                let compliance = &params.compliances[wheel];
                let compliance = suspension_compliance(compliance, jounce, travel);
                state.suspensions.edit(wheel, |suspension| suspension.compliance = compliance);
            }
        }
        state
    }
}

/// Force of a tire along the road that the next step of wheels with mass looks at (N).
fn last_road_force<Tire: TireModel>(state: &MechanicalState<Tire>, wheel: usize) -> Vec3 {
    if state.wheel_inertia.is_none() {
        return Vec3::ZERO;
    }
    let (four, lane) = place(wheel);
    state.road_force(four).lane(lane)
}

/// What stands in front of a wheel, if it acts on it.
fn last_obstacle<Tire: TireModel>(
    state: &MechanicalState<Tire>,
    wheel: usize,
) -> Option<WheelObstacle> {
    let obstacle = state.obstacles.get(wheel).filter(|obstacle| obstacle.is_active())?;
    Some(WheelObstacle { impulse: Vec3::ZERO, ..*obstacle })
}

fn check_obstacle(state: &WheelObstacle, check: &mut ParamCheck) {
    check.finite_within("shift", state.shift, -MAX_DISTANCE, MAX_DISTANCE);
    check.finite_within("shift_speed", state.shift_speed, -MAX_SPEED, MAX_SPEED);
    check.vector_within("impulse", state.impulse, MAX_LOAD);
    if let Some(obstacle) = &state.obstacle {
        check.vector_within("point", obstacle.point, MAX_DISTANCE);
        check.direction("normal", obstacle.normal);
        check.finite_within("friction", obstacle.friction, 0.0, MAX_FRICTION);
        check.vector_within("velocity", obstacle.velocity, MAX_SPEED);
        check.pose("pose", &obstacle.pose);
        check.vector_within("pose.translation", obstacle.pose.translation, MAX_DISTANCE);
    }
}

fn check_body(body: &RigidBodyState, check: &mut ParamCheck) {
    check_motion(check, &body.pose, body.linear_velocity, body.angular_velocity);
    let (linear, angular) = (body.previous_linear_velocity, body.previous_angular_velocity);
    check.vector_within("previous_linear_velocity", linear, MAX_SPEED);
    check.vector_within("previous_angular_velocity", angular, MAX_ROTATION_SPEED);
    let (linear, angular) = (body.frame_linear_velocity, body.frame_angular_velocity);
    check.vector_within("frame_linear_velocity", linear, MAX_SPEED);
    check.vector_within("frame_angular_velocity", angular, MAX_ROTATION_SPEED);
    check.vector_within("external_force", body.external_force, MAX_LOAD);
    check.vector_within("external_torque", body.external_torque, MAX_LOAD);
    check.vector_within("air_force", body.air_force, MAX_LOAD);
    check.vector_within("air_torque", body.air_torque, MAX_LOAD);
    check.vector_within("drive_torque", body.drive_torque, MAX_LOAD);
}

fn check_suspension(state: &Compression, check: &mut ParamCheck) {
    let jounce = state.jounce.unwrap_or(0.0);
    check.finite_within("jounce", jounce, -MAX_DISTANCE, MAX_DISTANCE);
    check.finite_within("jounce_speed", state.jounce_speed, -MAX_SPEED, MAX_SPEED);
    let separation = state.separation.unwrap_or(0.0);
    check.finite_within("separation", separation, -MAX_DISTANCE, MAX_DISTANCE);
    let is_step = state.step == 0.0 || (MIN_STEP..=MAX_TIME).contains(&state.step);
    let requirement = format_args!("0 or within [{MIN_STEP}, {MAX_TIME}]");
    check.require("step", is_step, requirement, state.step);
}

fn check_road(road: &RoadContact, check: &mut ParamCheck) {
    check.direction("plane.normal", road.plane.normal);
    check.finite_within("plane.offset", road.plane.offset, -MAX_DISTANCE, MAX_DISTANCE);
    check.finite_within("friction", road.friction, 0.0, MAX_FRICTION);
    check.vector_within("velocity", road.velocity, MAX_SPEED);
    check.vector_within("impulse", road.impulse, MAX_LOAD);
    check.finite_within("age", road.age, 0.0, MAX_TIME);
    check.finite_within("lowered", road.lowered, 0.0, MAX_DISTANCE);
}
