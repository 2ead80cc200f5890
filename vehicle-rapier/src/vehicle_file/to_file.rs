//! From a vehicle in a world to its file.

use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::{MechanicalParams, OwnState};

use super::any_drive::{AnyDrive, AnyDriveVehicle, AnyRapierVehicle, Origin};
use super::tires::TireSource;
use super::{BlockSource, DirectSource, DriveSource, MechanicsSource, VehicleFile};

impl<Own: OwnState> AnyDriveVehicle<Own> {
    /// The vehicle as a file, with all parameters as they are now.
    pub fn to_file(&self) -> VehicleFile {
        let mechanics = |params: &MechanicalParams<AnyTire>| {
            let tires: Vec<_> = params.tires.iter().cloned().map(TireSource::from).collect();
            MechanicsSource::Parameters(Box::new(params.clone().with_tires(tires)))
        };
        let (mechanics, drive) = match &self.drive {
            AnyDrive::Direct(car) => {
                let params = car.params();
                let drive = match &self.origin().file.drive {
                    DriveSource::Towed => DriveSource::Towed,
                    _ => DriveSource::Direct(DirectSource { throttle: params.throttle.clone() }),
                };
                (mechanics(&params.mechanics), drive)
            }
            AnyDrive::Engine(car) => {
                let params = car.params();
                let drive = DriveSource::Engine(Box::new(params.drivetrain.clone()));
                (mechanics(&params.mechanics), drive)
            }
            AnyDrive::Motorcycle(car) => {
                let params = car.params();
                let drive = DriveSource::Engine(Box::new(params.drivetrain.clone()));
                (mechanics(&params.mechanics), drive)
            }
            AnyDrive::Tank(car) => {
                let params = car.params();
                let drive = DriveSource::Tank(Box::new(params.drivetrain.clone()));
                (mechanics(&params.mechanics), drive)
            }
            AnyDrive::Blocks(car) => {
                let params = car.params();
                let (driveline, spin_axes) = (params.driveline.clone(), params.spin_axes.clone());
                let drive = DriveSource::Blocks(BlockSource { driveline, spin_axes });
                (mechanics(&params.mechanics), drive)
            }
        };
        let rider = match &self.drive {
            AnyDrive::Motorcycle(car) => Some(*car.own_params().params()),
            _ => None,
        };
        let Origin { file, chassis } = self.origin();
        let (tires, chassis) = (Vec::new(), Some(chassis.clone()));
        VehicleFile { mechanics, drive, rider, chassis, tires, ..file.clone() }
    }
}

impl<Own: OwnState> AnyRapierVehicle<Own> {
    /// The vehicle as a file, with all parameters as they are now.
    pub fn to_file(&self) -> VehicleFile {
        self.vehicle.to_file()
    }
}
