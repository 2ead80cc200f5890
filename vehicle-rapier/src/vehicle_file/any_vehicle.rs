//! A vehicle of any kind, read from a file.

use std::path::Path;
use std::sync::Arc;

use rapier3d::prelude::*;
use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::{HasMechanics, MechanicalParams, OwnState};
use vehicle_core::{ComponentSequence, SimulationParams, WheelReaction};
use vehicle_drivetrain::blocks::DrivelineCommands;
use vehicle_drivetrain::differential::{
    DifferentialModel, DifferentialParams, TankDifferentialParams,
};
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::gearbox::GearCommand;
use vehicle_drivetrain::rider::Rider;
use vehicle_drivetrain::sequences::{motorcycle_sequence, motorcycle_sequence_with_substeps};
use vehicle_drivetrain::{BlockDriveVehicleWith, DirectDriveVehicleWith, EngineDriveVehicleWith};

use super::chassis::{ChassisCollider, ChassisSource};
use super::fault::{VehicleFault, VehicleFileError};
use super::format::{self, FileFormat};
use super::in_world::{AnyDrive, AnyRapierVehicle};
use super::resolve::Resolved;
use super::{VehicleFile, locate};
use crate::{Chassis, Drivable, RapierVehicle};

/// A vehicle of any kind, of which others are made.
#[derive(Clone, Debug)]
pub(super) enum Model {
    Direct(Box<DirectDriveVehicleWith<AnyTire>>),
    Engine(Box<EngineDriveVehicleWith<AnyTire, DifferentialParams>>),
    Motorcycle(Box<EngineDriveVehicleWith<AnyTire, DifferentialParams, Rider>>),
    Tank(Box<EngineDriveVehicleWith<AnyTire, TankDifferentialParams>>),
    Blocks(Box<BlockDriveVehicleWith<AnyTire>>),
}

/// Where vehicles are put.
type Sets<'a> = (&'a mut RigidBodySet, &'a mut ColliderSet);

/// A vehicle of any kind, without a fault, ready to be put into a world any number of times. What
/// is put into worlds shares its parameters.
#[derive(Clone, Debug)]
pub struct AnyVehicle {
    file: Arc<VehicleFile>,
    chassis: ChassisSource,
    model: Model,
}

impl AnyVehicle {
    /// The vehicle of a file's text. Paths in it begin in the working folder.
    ///
    /// # Errors
    ///
    /// The first fault of syntax, or all faults of meaning, with their places.
    pub fn from_str(format: FileFormat, text: &str) -> Result<Self, VehicleFileError> {
        Self::of_text(format, text, Path::new(""))
    }

    /// The vehicle of the file at `path`, in the format of its extension: `json`, `ron` or `toml`.
    /// Paths in it begin in its folder.
    ///
    /// # Errors
    ///
    /// As of [`from_str`](Self::from_str); if the file cannot be read.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, VehicleFileError> {
        let path = path.as_ref();
        let (format, text) = format::read_file(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::of_text(format, &text, folder).map_err(|error| error.in_file(path))
    }

    fn of_text(format: FileFormat, text: &str, folder: &Path) -> Result<Self, VehicleFileError> {
        let file = VehicleFile::from_str(format, text)?;
        let with_place = |fault: VehicleFault| {
            let position = locate::position(format, text, &fault.path);
            fault.at(position)
        };
        Self::of_file(file, folder).map_err(|faults| {
            VehicleFileError::of_faults(faults.into_iter().map(with_place).collect())
        })
    }

    /// The vehicle of `file`, whose paths begin in `folder`.
    ///
    /// # Errors
    ///
    /// All faults.
    pub fn new(file: VehicleFile, folder: impl AsRef<Path>) -> Result<Self, VehicleFileError> {
        Self::of_file(file, folder.as_ref()).map_err(VehicleFileError::of_faults)
    }

    fn of_file(file: VehicleFile, folder: &Path) -> Result<Self, Vec<VehicleFault>> {
        let Resolved { chassis, model } = file.resolve(folder)?;
        Ok(Self { file: Arc::new(file), chassis, model })
    }

    /// Content of the file.
    pub fn file(&self) -> &VehicleFile {
        &self.file
    }

    /// The parameters of its mechanics.
    pub fn mechanics(&self) -> &MechanicalParams<AnyTire> {
        match &self.model {
            Model::Direct(vehicle) => &vehicle.params().mechanics,
            Model::Engine(vehicle) => &vehicle.params().mechanics,
            Model::Motorcycle(vehicle) => &vehicle.params().mechanics,
            Model::Tank(vehicle) => &vehicle.params().mechanics,
            Model::Blocks(vehicle) => &vehicle.params().mechanics,
        }
    }

    /// Height of its body above flat ground at rest under `gravity` (m): where to put it. Springs
    /// and tires are compressed by its own weight, see [`MechanicalParams::standing_height`]; those
    /// of a trailer by the load that they are made for.
    pub fn standing_height(&self, gravity: Real) -> Real {
        let frame = &self.file.frame;
        let Pose { rotation, translation, .. } = self.chassis.center_of_mass;
        let center = translation.dot(rotation * frame.vertical());
        self.mechanics().standing_height(frame, gravity) - center
    }

    /// Puts a vehicle of this kind into `world`, its body at `pose` (m), in gear: it drives forward
    /// as the throttle is opened.
    pub fn insert(&self, world: &mut PhysicsWorld, pose: Pose) -> AnyRapierVehicle {
        self.insert_into(&mut world.bodies, &mut world.colliders, pose)
    }

    /// Puts a vehicle of this kind into the sets of a world, as [`insert`](Self::insert) does.
    pub fn insert_into(
        &self,
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
        pose: Pose,
    ) -> AnyRapierVehicle {
        let world = &mut (bodies, colliders);
        let drive = match &self.model {
            Model::Direct(vehicle) => {
                let mut vehicle = vehicle.another();
                vehicle.gear = Gear::Forward;
                let sequence = match self.file.substeps {
                    Some(count) => DirectDriveVehicleWith::sequence_with_substeps(move |_| count),
                    None => DirectDriveVehicleWith::sequence(),
                };
                AnyDrive::Direct(Box::new(self.put(world, pose, vehicle, sequence)))
            }
            Model::Engine(vehicle) => {
                let sequence = self.engine_sequence();
                AnyDrive::Engine(Box::new(self.put_engine(world, pose, vehicle, sequence)))
            }
            Model::Motorcycle(vehicle) => {
                let sequence = match self.file.substeps {
                    Some(count) => motorcycle_sequence_with_substeps(move |_| count),
                    None => motorcycle_sequence(),
                };
                let mut car = self.put_engine(world, pose, vehicle, sequence);
                car.params.wheel_reaction = WheelReaction::Gyroscopic;
                AnyDrive::Motorcycle(Box::new(car))
            }
            Model::Tank(vehicle) => {
                let sequence = self.engine_sequence();
                AnyDrive::Tank(Box::new(self.put_engine(world, pose, vehicle, sequence)))
            }
            Model::Blocks(vehicle) => {
                let mut vehicle = vehicle.another();
                vehicle.levers = DrivelineCommands { gear: 1, ..DrivelineCommands::forward() };
                let sequence = match self.file.substeps {
                    Some(count) => BlockDriveVehicleWith::sequence_with_substeps(move |_| count),
                    None => BlockDriveVehicleWith::sequence(),
                };
                AnyDrive::Blocks(Box::new(self.put(world, pose, vehicle, sequence)))
            }
        };
        AnyRapierVehicle::new(drive, Arc::clone(&self.file), self.chassis.clone(), world.0)
    }

    /// The stages of a vehicle with an engine.
    fn engine_sequence<D: DifferentialModel>(
        &self,
    ) -> ComponentSequence<EngineDriveVehicleWith<AnyTire, D>> {
        match self.file.substeps {
            Some(count) => EngineDriveVehicleWith::sequence_with_substeps(move |_| count),
            None => EngineDriveVehicleWith::sequence(),
        }
    }

    fn put_engine<D: DifferentialModel, Own: OwnState>(
        &self,
        world: &mut Sets<'_>,
        pose: Pose,
        vehicle: &EngineDriveVehicleWith<AnyTire, D, Own>,
        sequence: ComponentSequence<EngineDriveVehicleWith<AnyTire, D, Own>>,
    ) -> RapierVehicle<EngineDriveVehicleWith<AnyTire, D, Own>> {
        let mut vehicle = vehicle.another();
        let drivetrain = &vehicle.params().drivetrain;
        let first = drivetrain.gearbox.first_gear().filter(|_| drivetrain.autobox.is_none());
        if let Some(first) = first {
            vehicle.transmission.gear = GearCommand::Gear(first);
        }
        self.put(world, pose, vehicle, sequence)
    }

    fn put<V: Drivable + HasMechanics<Tire = AnyTire>>(
        &self,
        world: &mut Sets<'_>,
        pose: Pose,
        vehicle: V,
        sequence: ComponentSequence<V>,
    ) -> RapierVehicle<V> {
        let mechanics = self.mechanics();
        let mut chassis = Chassis::new(&mechanics.rigid_body)
            .pose(pose)
            .center_of_mass(self.chassis.center_of_mass);
        for collider in self.chassis.colliders.iter().filter_map(ChassisCollider::builder) {
            chassis = chassis.collider(collider);
        }
        if self.chassis.has_wheel_colliders {
            chassis = chassis.wheel_colliders(mechanics, &self.file.frame);
        }
        let (bodies, colliders) = world;
        let mut car = RapierVehicle::insert_into(bodies, colliders, chassis, vehicle, sequence);
        car.params = SimulationParams::new(self.file.frame);
        car.road.shape = self.file.road_query;
        car
    }
}
