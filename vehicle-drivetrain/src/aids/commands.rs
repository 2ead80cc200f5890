//! What the driver asks of a vehicle, as aids change it.

use vehicle_core::math::Real;

use super::signals::DriverSignals;

/// Commands of the driver on their way to the vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AidCommands {
    /// Accelerator pedal, in [0, 1].
    pub throttle: Real,
    /// Foot brake, in [0, 1].
    pub foot_brake: Real,
    /// Hand brake, in [0, 1].
    pub hand_brake: Real,
    /// Steering wheel, in [-1, 1], positive to the left.
    pub steer: Real,
    /// Clutch pedal, in [0, 1]: 1 is pressed down and disengages.
    pub clutch: Real,
    /// Sum of the brake torques that hold the vehicle on a hill (N·m), which wheels share as they
    /// do those of the foot brake.
    pub hold_torque: Real,
    /// Whether locks of a center differential are opened.
    pub frees_center: bool,
}

impl From<&DriverSignals> for AidCommands {
    fn from(driver: &DriverSignals) -> Self {
        Self {
            throttle: driver.throttle,
            foot_brake: driver.foot_brake,
            hand_brake: driver.hand_brake,
            steer: driver.steer,
            clutch: driver.clutch,
            hold_torque: 0.0,
            frees_center: false,
        }
    }
}
