//! What the drive of a vehicle does, whatever turns its wheels.

use serde::{Deserialize, Serialize};
use vehicle_core::math::Real;

use crate::aids::AidReport;
use crate::displayed_gear::DisplayedGear;

/// What an engine or a motor does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EngineReading {
    /// Whether the engine is an electric motor.
    pub is_electric: bool,
    /// Rotation speed (rad/s).
    pub speed: Real,
    /// Rotation speed as a share of its largest, in [0, 1].
    pub speed_share: Real,
    /// How much it gives, as a share of what it can give at this speed, in [0, 1]. Of an engine
    /// this is the throttle, 0 without fuel; of a motor the share of its largest torque.
    pub load: Real,
    /// Whether the engine runs: it turns, has not stalled, and its ignition is on. A motor always
    /// does.
    pub is_running: bool,
    /// Whether its limiter has cut the fuel.
    pub is_limited: bool,
}

/// What a drive does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DriveReading {
    /// The gear that is in, or will be once the gearbox has switched.
    pub gear: DisplayedGear,
    /// How much the drive gives, as a share of what it can give, in [0, 1]. It is the largest load
    /// of the engines and motors that the accelerator pedal reaches, or the share of the torques of
    /// a direct drive.
    pub load: Real,
    /// Engine of the drive, the first one if there are several; the first motor where there are
    /// only motors; `None` without either.
    pub engine: Option<EngineReading>,
}

/// A vehicle whose drive and aids can be looked at. It has neither unless said otherwise.
pub trait ReadDrive {
    /// What the vehicle's drive does.
    fn drive_reading(&self) -> DriveReading {
        DriveReading::default()
    }

    /// What the vehicle's aids do.
    fn aid_report(&self) -> AidReport {
        AidReport::default()
    }
}
