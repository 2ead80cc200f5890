//! From a vehicle in a world to its file.

use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::MechanicalParams;

use super::in_world::{AnyDrive, AnyRapierVehicle};
use super::tires::TireSource;
use super::{BlockSource, DirectSource, DriveSource, MechanicsSource, VehicleFile};

impl AnyRapierVehicle {
    /// The vehicle as a file, with all parameters as they are now.
    pub fn to_file(&self) -> VehicleFile {
        let mechanics = |params: &MechanicalParams<AnyTire>| {
            let tires: Vec<_> = params.tires.iter().cloned().map(TireSource::from).collect();
            MechanicsSource::Parameters(Box::new(params.clone().with_tires(tires)))
        };
        let (mechanics, drive) = match &self.drive {
            AnyDrive::Direct(car) => {
                let params = car.vehicle.params();
                let drive = match &self.source().drive {
                    DriveSource::Towed => DriveSource::Towed,
                    _ => DriveSource::Direct(DirectSource { throttle: params.throttle.clone() }),
                };
                (mechanics(&params.mechanics), drive)
            }
            AnyDrive::Engine(car) => {
                let params = car.vehicle.params();
                let drive = DriveSource::Engine(Box::new(params.drivetrain.clone()));
                (mechanics(&params.mechanics), drive)
            }
            AnyDrive::Motorcycle(car) => {
                let params = car.vehicle.params();
                let drive = DriveSource::Engine(Box::new(params.drivetrain.clone()));
                (mechanics(&params.mechanics), drive)
            }
            AnyDrive::Tank(car) => {
                let params = car.vehicle.params();
                let drive = DriveSource::Tank(Box::new(params.drivetrain.clone()));
                (mechanics(&params.mechanics), drive)
            }
            AnyDrive::Blocks(car) => {
                let params = car.vehicle.params();
                let (driveline, spin_axes) = (params.driveline.clone(), params.spin_axes.clone());
                let drive = DriveSource::Blocks(BlockSource { driveline, spin_axes });
                (mechanics(&params.mechanics), drive)
            }
        };
        let rider = match &self.drive {
            AnyDrive::Motorcycle(car) => Some(*car.vehicle.own_params().params()),
            _ => None,
        };
        let chassis = Some(self.chassis().clone());
        let (tires, file) = (Vec::new(), self.source().clone());
        VehicleFile { mechanics, drive, rider, chassis, tires, ..file }
    }
}
