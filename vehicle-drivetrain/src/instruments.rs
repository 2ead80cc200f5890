//! What a driver reads from a dashboard: engine speed and gear.

use std::fmt;

use serde::{Deserialize, Serialize};
use vehicle_core::math::{PI, Real};
use vehicle_core::vehicle::OwnState;

use crate::readings::ReadDrive;
use crate::vehicle::{Drive, Vehicle};

/// The gear that a dashboard shows. Its text is `P`, `R`, `N`, `D`, or the number of the gear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DisplayedGear {
    /// The wheels are held.
    Park,
    /// A reverse gear, counted from 1: `R`, then `R2`, and so on.
    Reverse(usize),
    /// No gear.
    #[default]
    Neutral,
    /// Forward, of a vehicle without gears.
    Drive,
    /// A forward gear, counted from 1.
    Forward(usize),
}

impl DisplayedGear {
    /// The gear of number `gear` in a gearbox whose neutral gear has the number `neutral`.
    pub(crate) fn of_gearbox(gear: usize, neutral: usize) -> Self {
        match gear.checked_sub(neutral) {
            Some(0) => Self::Neutral,
            Some(forward) => Self::Forward(forward),
            None => Self::Reverse(neutral - gear),
        }
    }

    /// The gear of a signed number: 1, 2, ... forward, 0 in neutral, -1, -2, ... in reverse.
    pub(crate) fn of_signed(gear: i64) -> Self {
        let count = usize::try_from(gear.unsigned_abs()).unwrap_or(usize::MAX);
        match gear.signum() {
            0 => Self::Neutral,
            1 => Self::Forward(count),
            _ => Self::Reverse(count),
        }
    }
}

impl fmt::Display for DisplayedGear {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Park => text.pad("P"),
            Self::Reverse(1) => text.pad("R"),
            Self::Reverse(number) => text.pad(&format!("R{number}")),
            Self::Neutral => text.pad("N"),
            Self::Drive => text.pad("D"),
            Self::Forward(number) => text.pad(&number.to_string()),
        }
    }
}

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
