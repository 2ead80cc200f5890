//! What programs name most: `use vehicle_drivetrain::prelude::*;`

pub use crate::block_drive::HasBlockDrive;
pub use crate::blocks::{DrivelineCommands, Selector};
pub use crate::blueprint::EngineBlueprint;
pub use crate::differential::{DifferentialModel, DifferentialParams};
pub use crate::direct_drive::{DirectControls, Gear, HasDirectDrive};
pub use crate::drivetrain::{DrivetrainParams, HasDrivetrain};
pub use crate::gearbox::GearCommand;
pub use crate::instruments::{DisplayedGear, Instruments};
pub use crate::readings::ReadDrive;
pub use crate::rider::{Rider, RiderModel, RiderParams};
pub use crate::sequences::{
    block_sequence, block_sequence_with_substeps, direct_sequence, direct_sequence_with_substeps,
    engine_sequence, engine_sequence_with_substeps, motorcycle_sequence,
    motorcycle_sequence_with_substeps, written_torques_sequence,
};
pub use crate::stages::{DirectDrive, DirectThrottle};
pub use crate::transmission::TransmissionCommands;
pub use crate::{
    BlockDriveParams, BlockDriveVehicle, BlockDriveVehicleWith, DirectDriveParams,
    DirectDriveVehicle, DirectDriveVehicleWith, EngineDriveParams, EngineDriveVehicle,
    EngineDriveVehicleWith, TankParams, TankVehicle, Vehicle,
};
