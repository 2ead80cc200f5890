//! What a driver reads from a dashboard: engine speed and gear.

use std::fmt;

use serde::{Deserialize, Serialize};
use vehicle_core::math::{PI, Real};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::OwnState;

use crate::blocks::{Block, BlockDriveline, BlockDrivelineState, DrivelineBlock, Selector};
use crate::differential::DifferentialModel;
use crate::direct_drive::Gear;
use crate::{BlockDriveVehicleWith, DirectDriveVehicleWith, EngineDriveVehicleWith};

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
    fn of_gearbox(gear: usize, neutral: usize) -> Self {
        match gear.checked_sub(neutral) {
            Some(0) => Self::Neutral,
            Some(forward) => Self::Forward(forward),
            None => Self::Reverse(neutral - gear),
        }
    }

    /// The gear of a signed number: 1, 2, ... forward, 0 in neutral, -1, -2, ... in reverse.
    fn of_signed(gear: i64) -> Self {
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

impl<Tire: TireModel, Own: OwnState> Instruments for DirectDriveVehicleWith<Tire, Own> {
    fn engine_speed(&self) -> Option<Real> {
        None
    }

    fn displayed_gear(&self) -> DisplayedGear {
        match self.controls.gear {
            Gear::Reverse => DisplayedGear::Reverse(1),
            Gear::Neutral => DisplayedGear::Neutral,
            Gear::Park => DisplayedGear::Park,
            Gear::Forward => DisplayedGear::Drive,
        }
    }
}

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState> Instruments
    for EngineDriveVehicleWith<Tire, D, Own>
{
    fn engine_speed(&self) -> Option<Real> {
        Some(self.state.drive.engine.rotation_speed)
    }

    fn displayed_gear(&self) -> DisplayedGear {
        if self.controls.is_parking {
            return DisplayedGear::Park;
        }
        let neutral = self.params().drivetrain.gearbox.neutral;
        DisplayedGear::of_gearbox(self.state.drive.gearbox.target, neutral)
    }
}

/// The number of the sensor `name` of the first block that `is_it`.
fn first_sensor<C: DrivelineBlock>(
    driveline: &BlockDriveline<C>,
    state: &BlockDrivelineState,
    name: &str,
    is_it: impl Fn(&Block<C>) -> bool,
) -> Option<f64> {
    let block = driveline.tree().blocks.iter().find(|block| is_it(&block.block))?;
    Some(state.sensor(driveline.sensor(&block.name, name).ok()?))
}

impl<Tire: TireModel, C: DrivelineBlock + Clone, Own: OwnState> Instruments
    for BlockDriveVehicleWith<Tire, C, Own>
{
    fn engine_speed(&self) -> Option<Real> {
        let (driveline, state) = (self.driveline(), &self.state.drive);
        let engine =
            first_sensor(driveline, state, "speed", |block| matches!(block, Block::Engine(_)));
        let motor = || {
            first_sensor(driveline, state, "speed", |block| {
                matches!(block, Block::ElectricMotor(_))
            })
        };
        engine.or_else(motor).map(|speed| speed as Real)
    }

    /// That of the first gearbox; of the selector where there is none, or where it is in park.
    fn displayed_gear(&self) -> DisplayedGear {
        let (driveline, state) = (self.driveline(), &self.state.drive);
        let target =
            first_sensor(driveline, state, "target", |block| matches!(block, Block::Gearbox(_)));
        match (self.controls.selector, target) {
            (Selector::Park, _) => DisplayedGear::Park,
            (_, Some(gear)) => DisplayedGear::of_signed(gear as i64),
            (Selector::Reverse, None) => DisplayedGear::Reverse(1),
            (Selector::Neutral, None) => DisplayedGear::Neutral,
            (Selector::Drive | Selector::Low, None) => DisplayedGear::Drive,
        }
    }
}
