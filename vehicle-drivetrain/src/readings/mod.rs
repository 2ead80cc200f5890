//! Readings: what a game hears, sees and shows of a vehicle, whatever its drive.
//!
//! [`VehicleReadings`] are a pure function of state and parameters, as of the last step. Some jump
//! from step to step, as the limiter of an engine does: [`HeardVehicle`] follows them by exact
//! lags, and is kept by who listens.
//!
//! ```
//! use vehicle_core::prelude::*;
//! use vehicle_drivetrain::prelude::*;
//! use vehicle_drivetrain::readings::{HeardVehicle, HearingParams, VehicleReadings};
//!
//! let mechanics = CarBlueprint::default().mechanics()?;
//! let car = EngineDriveVehicle::new(EngineDriveParams::automatic(mechanics, &[2, 3]))?;
//! let readings = VehicleReadings::of(&car, &SimulationParams::default().coordinates);
//! let mut heard = HeardVehicle::default(); // the listener keeps it
//! heard.follow(&HearingParams::default(), &readings, 1.0 / 60.0);
//! assert!(0.0 < heard.engine_speed && heard.load == 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod drive;
mod heard;
mod wheel;

use serde::{Deserialize, Serialize};
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::math::Real;
use vehicle_core::vehicle::{HasMechanics, MechanicsRef};
use vehicle_core::wheel_list::WheelVec;

pub use self::drive::{DriveReading, EngineReading, ReadDrive};
pub use self::heard::{HeardVehicle, HeardWheel, HearingParams};
pub use self::wheel::WheelReading;

/// Readings of a vehicle after a step: speed, drive and wheels, in its axes and unit of length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VehicleReadings {
    /// Forward speed (m/s).
    pub speed: Real,
    /// Speed of the air past the body (m/s): it is at rest.
    pub wind_speed: Real,
    /// What turns the wheels.
    pub drive: DriveReading,
    /// The wheels.
    pub wheels: WheelVec<WheelReading>,
}

impl VehicleReadings {
    /// What there is to be read of `vehicle`.
    pub fn of<V: HasMechanics + ReadDrive>(vehicle: &V, coordinates: &CoordinateSystem) -> Self {
        let mut readings = Self::default();
        readings.read(vehicle, coordinates);
        readings
    }

    /// Reads `vehicle`. Nothing is allocated once it has read as many wheels.
    pub fn read<V: HasMechanics + ReadDrive>(
        &mut self,
        vehicle: &V,
        coordinates: &CoordinateSystem,
    ) {
        let mechanics: MechanicsRef<'_, V::Tire> = vehicle.read_mechanics();
        let body = &mechanics.state.rigid_body;
        self.speed = body.longitudinal_speed(&coordinates.frame);
        self.wind_speed = body.linear_velocity.length();
        self.drive = vehicle.drive_reading();
        self.wheels.resize(mechanics.params.axles.wheel_count(), WheelReading::default());
        for (wheel, reading) in self.wheels.iter_mut().enumerate() {
            *reading = WheelReading::of(&mechanics, wheel, coordinates);
        }
    }
}
