//! From a vehicle in a world to its file.

use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::{MechanicalParams, OwnState};
use vehicle_drivetrain::aids::AidsParams;

use super::any_drive::{AnyDrive, AnyDriveVehicle, AnyRapierVehicle, Origin};
use super::tires::TireSource;
use super::{BlockSource, DirectSource, DriveSource, MechanicsSource, VehicleFile};

impl<Own: OwnState> AnyDriveVehicle<Own> {
    /// The vehicle as a file, with its parameters and aids as they are now. It is without what is
    /// not its own: of one in a world, take [`RapierVehicle::to_file`](crate::RapierVehicle), which
    /// knows where its center of mass has moved in its body.
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
        // Axes of aids are those of the vehicle, and not said again.
        let coordinates = file.aids.coordinates;
        let aids = AidsParams { coordinates, ..self.aids().copied().unwrap_or_default() };
        VehicleFile { mechanics, drive, rider, chassis, tires, aids, ..file.clone() }
    }
}

impl<Own: OwnState> AnyRapierVehicle<Own> {
    /// The vehicle as a file, as it is now: its parameters, center of mass and aids, the shape of
    /// its road query, and whether it meets obstacles. Wheels that it has
    /// [lost](crate::loose_wheels) are on in the file, with their mass. What it was
    /// [loaded](Self::set_mass) with is a part of it.
    pub fn to_file(&self) -> VehicleFile {
        let mut file = self.vehicle.to_file();
        let whole = self.whole();
        if let Some(chassis) = &mut file.chassis {
            chassis.center_of_mass = self.actor.center_of_mass;
            if let Some((_, center_of_mass)) = &whole {
                chassis.center_of_mass.translation = *center_of_mass;
            }
        }
        if let (Some((mut whole, _)), MechanicsSource::Parameters(own)) =
            (whole, &mut file.mechanics)
        {
            own.rigid_body = whole.rigid_body;
            for (own, point) in own.mounts_mut().zip(whole.mounts_mut()) {
                *own = *point;
            }
        }
        file.road_query = self.road.shape;
        let meets_obstacles = self.params.meets_obstacles;
        if meets_obstacles != file.simulation_params().meets_obstacles {
            file.meets_obstacles = Some(meets_obstacles);
        }
        file
    }
}
