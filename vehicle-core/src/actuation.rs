//! Whether a wheel drives or brakes, and what that says about the driver's intention.

use serde::{Deserialize, Serialize};

use crate::WheelList;
use crate::math::Real;
use crate::math::lanes::{Mask, lanes_by_field};

/// Whether torques of the driver act on a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WheelActuation<M = bool> {
    /// Whether a brake torque acts.
    pub is_braked: M,
    /// Whether a drive torque acts.
    pub is_driven: M,
}

lanes_by_field!(WheelActuation<Mask> { is_braked, is_driven });

impl<M: Mask> WheelActuation<M> {
    /// Whether any torque of the driver acts.
    #[inline]
    pub fn is_active(self) -> M {
        self.is_braked | self.is_driven
    }
}

impl WheelActuation {
    /// The actuation of a wheel under `brake_torque` and `drive_torque` (N·m).
    pub fn from_torques(brake_torque: Real, drive_torque: Real) -> Self {
        Self { is_braked: brake_torque != 0.0, is_driven: drive_torque != 0.0 }
    }
}

/// Whether any wheel of a vehicle is driven: its driver wants to move.
pub fn has_acceleration_intent(actuations: &WheelList<WheelActuation>) -> bool {
    actuations.any(|four| four.is_driven)
}

/// Whether any wheel of a vehicle is braked.
pub fn is_any_wheel_braked(actuations: &WheelList<WheelActuation>) -> bool {
    actuations.any(|four| four.is_braked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_driven_wheel_is_an_intention() {
        let idle = WheelActuation::from_torques(100.0, 0.0);
        let driven = WheelActuation::from_torques(0.0, -5.0);
        assert!(!has_acceleration_intent(&WheelList::from_slice(&[idle, idle])));
        assert!(has_acceleration_intent(&WheelList::from_slice(&[idle, driven])));
        assert!(is_any_wheel_braked(&WheelList::from_slice(&[idle, driven])));
    }
}
