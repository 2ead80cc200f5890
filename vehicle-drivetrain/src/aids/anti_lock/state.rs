//! What anti-lock brakes remember.

use serde::{Deserialize, Serialize};
use vehicle_core::clone_by_field;
use vehicle_core::math::Real;
use vehicle_core::wheel_list::WheelVec;

use super::super::lists::copy_list;

/// What anti-lock brakes do to one wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AntiLockPhase {
    /// The brake has what is asked for.
    #[default]
    Off,
    /// The torque rises.
    Build,
    /// The torque stays, or is computed.
    Hold,
    /// The torque falls.
    Release,
}

/// What anti-lock brakes remember of one wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AntiLockWheelState {
    /// What the brakes of the wheel do.
    pub phase: AntiLockPhase,
    /// The cap (N·m).
    pub torque_limit: Real,
    /// Slip of the last substep (dimensionless).
    pub slip: Real,
    /// Time for which the torque has been held (s).
    pub held_time: Real,
    /// Time for which the cap has been no limit (s).
    pub free_time: Real,
    /// Time in the air (s).
    pub air_time: Real,
}

/// What anti-lock brakes remember. The default is at rest, of no wheel.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AntiLockState {
    /// Each wheel.
    pub wheels: WheelVec<AntiLockWheelState>,
    /// Difference that the caps of the front wheels may have (N·m); 0 where none is limited.
    pub front_difference: Option<Real>,
}

clone_by_field! { impl[] AntiLockState { front_difference } copy_list { wheels } }

impl AntiLockState {
    /// At rest, of a vehicle of `wheel_count` wheels.
    pub fn at_rest(wheel_count: usize) -> Self {
        let wheels = (0..wheel_count).map(|_| AntiLockWheelState::default()).collect();
        Self { wheels, front_difference: None }
    }

    /// Whether the torque of any wheel is limited.
    pub fn is_active(&self) -> bool {
        self.wheels.iter().any(|wheel| wheel.phase != AntiLockPhase::Off)
    }
}
