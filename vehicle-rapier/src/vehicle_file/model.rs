//! The vehicle of which those of a file are made.

use vehicle_core::ComponentSequence;
use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::OwnState;
use vehicle_drivetrain::EngineDriveVehicleWith;
use vehicle_drivetrain::blocks::DrivelineCommands;
use vehicle_drivetrain::differential::DifferentialModel;
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::gearbox::GearCommand;
use vehicle_drivetrain::sequences::{
    block_sequence_of, direct_sequence_of, direct_substeps, engine_sequence_of, engine_substeps,
    motorcycle_sequence_of,
};

use super::any_drive::{
    AnyDrive, AnyDriveVehicle, BlockCar, DirectCar, EngineCar, Motorcycle, TankCar,
};

/// The vehicle of which others are made, and its substeps, if a file says how many it takes.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) prototype: AnyDrive,
    pub(super) substeps: Option<u32>,
}

impl Model {
    /// The stages of its vehicles, for such with state of a user's own.
    pub(super) fn sequence<Own: OwnState>(&self) -> ComponentSequence<AnyDriveVehicle<Own>> {
        type Car<Own> = AnyDriveVehicle<Own>;
        let substeps = self.substeps;
        let count = move |car: &Car<Own>| substeps.unwrap_or_else(|| engine_substeps(car));
        match self.prototype {
            AnyDrive::Direct(_) => direct_sequence_of::<DirectCar, _>(move |car: &Car<Own>| {
                substeps.unwrap_or_else(|| direct_substeps(car))
            }),
            AnyDrive::Engine(_) => engine_sequence_of::<EngineCar, _>(count),
            AnyDrive::Motorcycle(_) => motorcycle_sequence_of::<Motorcycle, _>(count),
            AnyDrive::Tank(_) => engine_sequence_of::<TankCar, _>(count),
            AnyDrive::Blocks(_) => block_sequence_of::<BlockCar, _>(count),
        }
    }
}

impl AnyDrive {
    /// Another vehicle of the same parameters as a drive begins: at rest, in gear.
    pub(super) fn another(&self) -> Self {
        match self {
            Self::Direct(of) => {
                let mut car = of.another();
                car.controls.gear = Gear::Forward;
                Self::Direct(Box::new(car))
            }
            Self::Engine(of) => Self::Engine(Box::new(in_gear(of.another()))),
            Self::Motorcycle(of) => Self::Motorcycle(Box::new(in_gear(of.another()))),
            Self::Tank(of) => Self::Tank(Box::new(in_gear(of.another()))),
            Self::Blocks(of) => {
                let mut car = of.another();
                car.controls = DrivelineCommands { gear: 1, ..DrivelineCommands::forward() };
                Self::Blocks(Box::new(car))
            }
        }
    }
}

/// The vehicle, whose gearbox is put into its first gear if it does not shift by itself.
fn in_gear<D: DifferentialModel, Own: OwnState>(
    mut car: EngineDriveVehicleWith<AnyTire, D, Own>,
) -> EngineDriveVehicleWith<AnyTire, D, Own> {
    let drivetrain = &car.params().drivetrain;
    let first = drivetrain.gearbox.first_gear().filter(|_| drivetrain.autobox.is_none());
    if let Some(first) = first {
        car.controls.gear = GearCommand::Gear(first);
    }
    car
}
