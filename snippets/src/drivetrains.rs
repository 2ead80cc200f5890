//! The drivetrains of the scenes: data that the reference uses in its own snippets, as the files of
//! `vehicles/samples` say them.

use anyhow::{Result, bail};
use vehicle_rapier::drivetrain::differential::{FourWheelDifferentialParams, LimitedSlips};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::DriveSource;

use crate::samples::{SampleFile, mechanics};
use crate::vehicles::sample_mechanics;

/// The number of the first gear of the sample car: reverse and neutral are before it.
pub const SAMPLE_FIRST_GEAR: usize = 2;

/// The differentials of the sample car.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleDifferential {
    /// A quarter of the torque to each wheel; slip between them is limited or not.
    FourWheel {
        /// Whether it is.
        is_slip_limited: bool,
    },
    /// A quarter of the torque to each wheel.
    MultiWheel,
    /// Wheels of one side turn together.
    Tank,
}

impl SampleDifferential {
    /// This one in the place of a `present` one, which limits slip.
    fn params(self, present: &FourWheelDifferentialParams) -> Result<DifferentialParams> {
        Ok(match self {
            Self::FourWheel { is_slip_limited: true } => {
                DifferentialParams::FourWheel(present.clone())
            }
            Self::FourWheel { is_slip_limited: false } => {
                let LimitedSlips { rate, min_speed, .. } = present.limited_slip;
                let limited_slip = LimitedSlips { rate, min_speed, ..LimitedSlips::default() };
                let open = FourWheelDifferentialParams { limited_slip, ..present.clone() };
                DifferentialParams::FourWheel(open)
            }
            Self::MultiWheel => DifferentialParams::MultiWheel(present.shares.clone()),
            Self::Tank => {
                DifferentialParams::Tank(sample_tank(TankBrakes::PerTrack)?.drivetrain.differential)
            }
        })
    }
}

/// The sample car with an engine of 500 N·m, an automatic gearbox of five gears and `differential`.
///
/// # Errors
///
/// All faults of its file.
pub fn sample_engine_drive(differential: SampleDifferential) -> Result<EngineDriveParams> {
    let car = SampleFile::CAR_WITH_ENGINE.vehicle()?;
    let drivetrain = match &car.file().drive {
        DriveSource::Engine(drivetrain) => (**drivetrain).clone(),
        other => bail!("the drive must be an engine, got {other:?}"),
    };
    let DifferentialParams::FourWheel(present) = &drivetrain.differential else {
        bail!("the differential must be one of four wheels, got {:?}", drivetrain.differential);
    };
    let differential = differential.params(present)?;
    let drivetrain = DrivetrainParams { differential, ..drivetrain };
    Ok(EngineDriveParams { mechanics: mechanics(&car)?, drivetrain })
}

/// Which wheels the brakes of the sample tank hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TankBrakes {
    /// Each brake one track.
    PerTrack,
    /// The first brake all wheels, the second none: the reference's data.
    AllWheels,
}

/// The sample car on two tracks.
///
/// # Errors
///
/// All faults of its file.
pub fn sample_tank(brakes: TankBrakes) -> Result<TankParams> {
    let tank = SampleFile::TANK.vehicle()?;
    let drivetrain = match &tank.file().drive {
        DriveSource::Tank(drivetrain) => (**drivetrain).clone(),
        other => bail!("the drive must be that of a tank, got {other:?}"),
    };
    let mechanics = match brakes {
        TankBrakes::PerTrack => mechanics(&tank)?,
        TankBrakes::AllWheels => sample_mechanics()?,
    };
    Ok(TankParams { mechanics, drivetrain })
}
