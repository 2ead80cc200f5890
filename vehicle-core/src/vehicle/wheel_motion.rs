//! All of one wheel: what it does, whatever list it is in.

use serde::{Deserialize, Serialize};

use super::MechanicalState;
use crate::actuation::WheelActuation;
use crate::constraint_rows::WheelRows;
use crate::math::Real;
use crate::road::RoadContact;
use crate::suspension::SuspensionState;
use crate::tire::{BrushTire, TireModel, TireState};
use crate::turning_wheel::WheelState;

/// What one wheel of a vehicle does, with its suspension and its tire.
///
/// A vehicle may keep its wheels in structs of its own. It takes them out of the
/// [`MechanicalState`] that its stages work on by [`wheel`](MechanicalState::wheel), and puts them
/// into it by [`set_wheel`](MechanicalState::set_wheel).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct WheelMotion<Tire: TireModel = BrushTire> {
    /// Brake torque (N·m).
    pub brake_torque: Real,
    /// Steer angle (rad).
    pub steer_angle: Real,
    /// Moment of the road about the steering axis (N·m).
    pub kingpin_moment: Real,
    /// Steer angle at which the tire's contact is not twisted (rad).
    pub contact_angle: Real,
    /// Whether the wheel drives or brakes.
    pub actuation: WheelActuation,
    /// Road under the wheel.
    pub road: Option<RoadContact>,
    /// What the suspension does.
    pub suspension: SuspensionState,
    /// State of the tire.
    pub tire: TireState,
    /// State of the tire's model between steps.
    pub tire_model: Tire::State,
    /// What holds the tire and stops the suspension.
    pub rows: WheelRows,
    /// Rotation and pose of the wheel.
    pub wheel: WheelState,
}

impl<Tire: TireModel> Default for WheelMotion<Tire> {
    /// A wheel at rest.
    fn default() -> Self {
        MechanicalState::at_rest(1).wheel(0)
    }
}

impl<Tire: TireModel> MechanicalState<Tire> {
    /// All that `wheel` does.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    pub fn wheel(&self, wheel: usize) -> WheelMotion<Tire> {
        WheelMotion {
            brake_torque: self.brake_torques[wheel],
            steer_angle: self.steer_angles[wheel],
            kingpin_moment: self.steering.kingpin_moments[wheel],
            contact_angle: self.steering.contact_angles[wheel],
            actuation: self.actuations.of(wheel),
            road: self.roads.of(wheel),
            suspension: self.suspensions.of(wheel),
            tire: self.tires.of(wheel),
            tire_model: self.tire_models[wheel].clone(),
            rows: self.rows.of(wheel),
            wheel: self.wheels.of(wheel),
        }
    }

    /// Changes all that `wheel` does.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    pub fn set_wheel(&mut self, wheel: usize, motion: &WheelMotion<Tire>) {
        self.brake_torques[wheel] = motion.brake_torque;
        self.steer_angles[wheel] = motion.steer_angle;
        self.steering.kingpin_moments[wheel] = motion.kingpin_moment;
        self.steering.contact_angles[wheel] = motion.contact_angle;
        self.actuations.set(wheel, motion.actuation);
        self.roads.set(wheel, motion.road);
        self.suspensions.set(wheel, motion.suspension);
        self.tires.set(wheel, motion.tire);
        self.tire_models[wheel] = motion.tire_model.clone();
        self.rows.set(wheel, motion.rows);
        self.wheels.set(wheel, motion.wheel);
    }
}
