//! The programs' own vehicles and their parts: files of the folder `vehicles/samples`.

use anyhow::{Context, Result, bail};
use rapier3d::prelude::*;
use serde::de::DeserializeOwned;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{AnyVehicle, ColliderShape, DriveSource, FileFormat};

/// A file of the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleFile {
    name: &'static str,
    text: &'static str,
}

/// The file of this name, in the program itself.
macro_rules! sample {
    ($name:literal) => {
        SampleFile { name: $name, text: include_str!(concat!("../vehicles/samples/", $name)) }
    };
}

impl SampleFile {
    /// The sample car with a direct drive.
    pub const CAR: Self = sample!("car.json");
    /// The sample car with an engine.
    pub const CAR_WITH_ENGINE: Self = sample!("car_with_engine.json");
    /// The sample car on two tracks.
    pub const TANK: Self = sample!("tank.json");
    /// The truck that drives on sand.
    pub const SOFT_GROUND_TRUCK: Self = sample!("soft_ground_truck.json");
    /// What makes the sample car dance.
    pub const HYDRAULICS: Self = sample!("hydraulics.json");
    /// The cars that meet obstacles.
    pub const RIDE_CARS: Self = sample!("ride_cars.json");

    /// Samples that are vehicles.
    pub const VEHICLES: [Self; 4] =
        [Self::CAR, Self::CAR_WITH_ENGINE, Self::TANK, Self::SOFT_GROUND_TRUCK];

    /// Its name in the folder.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The vehicle of the file.
    ///
    /// # Errors
    ///
    /// All faults of the file.
    pub fn vehicle(&self) -> Result<AnyVehicle> {
        AnyVehicle::from_str(FileFormat::Json, self.text).with_context(|| self.called())
    }

    /// What else the file says.
    ///
    /// # Errors
    ///
    /// The first fault of the file, with its place.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_str(self.text).with_context(|| self.called())
    }

    fn called(&self) -> String {
        format!("snippets/vehicles/samples/{}", self.name)
    }
}

/// The mechanical base of `vehicle`, all of whose tires are of one model: those for which `tire`
/// has an answer.
///
/// # Errors
///
/// If a tire is of another model.
pub fn mechanics_on<Tire>(
    vehicle: &AnyVehicle,
    tire: impl Fn(&AnyTire) -> Option<Tire>,
) -> Result<MechanicalParams<Tire>> {
    let mechanics = vehicle.mechanics().clone();
    let tires: Option<Vec<_>> = mechanics.tires.iter().map(tire).collect();
    let tires = tires.context("a tire of another model")?;
    Ok(mechanics.with_tires(tires))
}

/// The mechanical base of `vehicle`, all of whose tires are of the default model.
///
/// # Errors
///
/// If a tire is of another model.
pub fn mechanics(vehicle: &AnyVehicle) -> Result<MechanicalParams> {
    mechanics_on(vehicle, |tire| match tire {
        AnyTire::Brush(tire) => Some(*tire),
        _ => None,
    })
}

/// The response of the wheels of `vehicle` to its throttle.
///
/// # Errors
///
/// If it has another drive than a direct one.
pub fn throttle(vehicle: &AnyVehicle) -> Result<CommandResponseParams> {
    match &vehicle.file().drive {
        DriveSource::Direct(direct) => Ok(direct.throttle.clone()),
        other => bail!("the drive must be direct, got {other:?}"),
    }
}

/// The hull of `vehicle`, a box.
///
/// # Errors
///
/// If it has other colliders.
pub fn hull(vehicle: &AnyVehicle) -> Result<ColliderBuilder> {
    let colliders = vehicle.file().chassis.as_ref().map(|chassis| &chassis.colliders[..]);
    let Some([collider]) = colliders else { bail!("the chassis must have one collider") };
    match collider.shape {
        ColliderShape::Cuboid { half_extents: [x, y, z] } => {
            Ok(ColliderBuilder::cuboid(x, y, z).position(collider.pose))
        }
        ref other => bail!("the hull must be a box, got {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vehicles::{SAMPLE_CENTER_OF_MASS, SAMPLE_HALF_EXTENTS, SAMPLE_HULL_CENTER};

    #[test]
    fn every_vehicle_of_the_folder_drives_off() {
        for sample in SampleFile::VEHICLES {
            let vehicle = sample.vehicle().unwrap();
            let mut world = crate::scenes::level_world(1.0 / 60.0, 1.0);
            let height = vehicle.standing_height(9.81);
            let mut car = vehicle.insert(&mut world, Pose::from_translation(Vector::Y * height));
            car.commands_mut().throttle = 0.5;
            if let Some(transmission) = car.transmission_mut() {
                transmission.thrusts = [1.0; 2];
            }
            for _ in 0..120 {
                car.step(&mut world).unwrap();
            }
            // The truck stands on sand wherever it is: its wheels spin.
            assert!(0.5 < car.forward_speed(), "{}: {} m/s", sample.name(), car.forward_speed());
        }
    }

    #[test]
    fn the_folder_holds_what_is_read_and_nothing_else() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/vehicles/samples");
        let mut there: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        there.sort();
        let mut known: Vec<_> = SampleFile::VEHICLES
            .into_iter()
            .chain([SampleFile::HYDRAULICS, SampleFile::RIDE_CARS])
            .map(|sample| sample.name().to_owned())
            .collect();
        known.sort();
        assert_eq!(there, known);
    }

    #[test]
    fn the_sample_cars_are_one_car_but_for_their_brakes() {
        let car = SampleFile::CAR.vehicle().unwrap();
        for other in [SampleFile::CAR_WITH_ENGINE, SampleFile::TANK] {
            let other = other.vehicle().unwrap();
            assert_eq!(other.file().chassis, car.file().chassis);
            let brakes = car.mechanics().brakes.clone();
            let mechanics = MechanicalParams { brakes, ..other.mechanics().clone() };
            assert_eq!(&mechanics, car.mechanics());
        }
    }

    #[test]
    fn the_sample_cars_body_is_that_of_the_scenes() {
        let car = SampleFile::CAR.vehicle().unwrap();
        let chassis = car.file().chassis.clone().unwrap();
        assert_eq!(chassis.center_of_mass, Pose::from_translation(SAMPLE_CENTER_OF_MASS));
        let [hull] = &chassis.colliders[..] else { panic!("{:?}", chassis.colliders) };
        assert_eq!(hull.pose, Pose::from_translation(SAMPLE_HULL_CENTER));
        let half_extents = SAMPLE_HALF_EXTENTS.to_array();
        assert_eq!(hull.shape, ColliderShape::Cuboid { half_extents });
    }
}
