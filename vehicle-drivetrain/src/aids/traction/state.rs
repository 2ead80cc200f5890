//! What traction control remembers.

use serde::{Deserialize, Serialize};
use vehicle_core::clone_by_field;
use vehicle_core::math::Real;
use vehicle_core::wheel_list::WheelVec;

use super::super::lists::copy_list;

/// Heat of all brakes at which they are spared, and at which they are used again, by the mass of
/// the vehicle (J/kg). Brakes are as large as the vehicle that they stop.
pub(super) const HOT: Real = 200.0;
const COOL: Real = 130.0;
/// Time in which brakes cool (s).
const COOLING_TIME: Real = 60.0;

/// What traction control remembers of one wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TractionWheelState {
    /// Time for which the drive torque is watched still (s); 0 where it is not.
    pub drive_time: Real,
    /// Time for which the brake is watched still (s); 0 where it is not.
    pub brake_time: Real,
}

/// The throttle of an engine that traction control limits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TractionThrottle {
    /// Throttle when the wheels began to spin, in [0, 1].
    pub entry: Real,
    /// By how much the integral lessens it (dimensionless).
    pub integral: Real,
    /// The limit, in [0, 1].
    pub limit: Real,
    /// Time for which the limit has been none (s).
    pub free_time: Real,
}

/// What traction control remembers. The default is at rest, of no wheel.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TractionState {
    /// Each wheel.
    pub wheels: WheelVec<TractionWheelState>,
    /// The throttle, while it is limited.
    pub throttle: Option<TractionThrottle>,
    /// Heat of the brakes from traction control (J).
    pub brake_heat: Real,
    /// Whether the brakes are spared because they are hot.
    pub are_brakes_spared: bool,
}

clone_by_field! {
    impl[] TractionState { throttle, brake_heat, are_brakes_spared } copy_list { wheels }
}

impl TractionState {
    /// At rest, of a vehicle of `wheel_count` wheels.
    pub fn at_rest(wheel_count: usize) -> Self {
        let wheels = (0..wheel_count).map(|_| TractionWheelState::default()).collect();
        Self { wheels, ..Self::default() }
    }

    /// Whether any torque is limited or any wheel braked.
    pub fn is_active(&self) -> bool {
        let times = self.wheels.iter().map(|wheel| wheel.drive_time + wheel.brake_time);
        self.throttle.is_some() || 0.0 < times.sum::<Real>()
    }

    /// Lets the brakes of a vehicle of this `mass` (kg) cool for `dt` (s).
    pub(super) fn cool(&mut self, mass: Real, dt: Real) {
        if self.brake_heat == 0.0 && !self.are_brakes_spared {
            return;
        }
        self.brake_heat *= vehicle_core::math::exp(-dt / COOLING_TIME);
        let limit = if self.are_brakes_spared { COOL } else { HOT };
        self.are_brakes_spared = limit * mass < self.brake_heat;
    }
}
