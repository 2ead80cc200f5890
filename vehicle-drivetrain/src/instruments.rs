//! What a driver reads from a dashboard: engine speed and gear.

use vehicle_core::math::{PI, Real};
use vehicle_core::vehicle::OwnState;

pub use crate::displayed_gear::DisplayedGear;
use crate::readings::ReadDrive;
use crate::vehicle::{Drive, Vehicle};

/// A vehicle with a dashboard.
///
/// ```
/// use vehicle_core::prelude::*;
/// use vehicle_drivetrain::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mechanics = CarBlueprint::default().mechanics()?;
/// let car = EngineDriveVehicle::new(EngineDriveParams::automatic(mechanics, &[2, 3]))?;
/// assert_eq!(car.displayed_gear().to_string(), "N");
/// assert!(700.0 < car.rpm().expect("it has an engine"));
/// # Ok(())
/// # }
/// ```
pub trait Instruments {
    /// Rotation speed of the engine (rad/s), of the first one if there are several; of the first
    /// motor where there are only motors. `None` without either.
    fn engine_speed(&self) -> Option<Real>;

    /// The gear that is in, or will be once the gearbox has switched.
    fn displayed_gear(&self) -> DisplayedGear;

    /// Engine speed in revolutions per minute (1/min).
    ///
    /// ```text
    /// n = 60 ω / 2π
    /// ```
    fn rpm(&self) -> Option<Real> {
        Some(self.engine_speed()? * (30.0 / PI))
    }
}

impl<D: Drive, Own: OwnState> Instruments for Vehicle<D, Own> {
    fn engine_speed(&self) -> Option<Real> {
        Some(self.drive_reading().engine?.speed)
    }

    fn displayed_gear(&self) -> DisplayedGear {
        self.drive_reading().gear
    }
}
