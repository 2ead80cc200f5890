//! A vehicle of any kind, read from a file.

use std::path::Path;
use std::sync::Arc;

use rapier3d::prelude::*;
use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::{HasMechanics, MechanicalParams, OwnState};
use vehicle_core::{ComponentSequence, SimulationParams, WheelReaction};
use vehicle_drivetrain::EngineDriveVehicleWith;
use vehicle_drivetrain::blocks::DrivelineCommands;
use vehicle_drivetrain::differential::DifferentialModel;
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::gearbox::GearCommand;
use vehicle_drivetrain::sequences::{motorcycle_sequence, motorcycle_sequence_with_substeps};

use super::chassis::{ChassisCollider, ChassisSource};
use super::fault::{VehicleFault, VehicleFileError};
use super::format::{self, FileFormat};
use super::in_world::{
    AnyDrive, AnyRapierVehicle, BlockCar, DirectCar, EngineCar, Motorcycle, TankCar,
};
use super::resolve::Resolved;
use super::{VehicleFile, locate};
use crate::{Chassis, Drivable, RapierVehicle};

/// A vehicle of which others are made, and the stages that all of them share.
#[derive(Clone, Debug)]
pub(super) struct Prototype<V> {
    vehicle: V,
    sequence: Arc<ComponentSequence<V>>,
}

/// A vehicle of any kind, of which others are made.
#[derive(Clone, Debug)]
pub(super) enum Model {
    Direct(Box<Prototype<DirectCar>>),
    Engine(Box<Prototype<EngineCar>>),
    Motorcycle(Box<Prototype<Motorcycle>>),
    Tank(Box<Prototype<TankCar>>),
    Blocks(Box<Prototype<BlockCar>>),
}

impl Model {
    /// A vehicle with direct drive, in so many `substeps`, or as many as it takes.
    pub(super) fn direct(vehicle: DirectCar, substeps: Option<u32>) -> Self {
        let sequence = match substeps {
            Some(count) => DirectCar::sequence_with_substeps(move |_| count),
            None => DirectCar::sequence(),
        };
        Self::Direct(Prototype::boxed(vehicle, sequence))
    }

    /// A vehicle with an engine and a differential.
    pub(super) fn engine(vehicle: EngineCar, substeps: Option<u32>) -> Self {
        Self::Engine(Prototype::boxed(vehicle, engine_sequence(substeps)))
    }

    /// A motorcycle with its rider.
    pub(super) fn motorcycle(vehicle: Motorcycle, substeps: Option<u32>) -> Self {
        let sequence = match substeps {
            Some(count) => motorcycle_sequence_with_substeps(move |_| count),
            None => motorcycle_sequence(),
        };
        Self::Motorcycle(Prototype::boxed(vehicle, sequence))
    }

    /// A vehicle with an engine and two tracks.
    pub(super) fn tank(vehicle: TankCar, substeps: Option<u32>) -> Self {
        Self::Tank(Prototype::boxed(vehicle, engine_sequence(substeps)))
    }

    /// A vehicle with a driveline of blocks.
    pub(super) fn blocks(vehicle: BlockCar, substeps: Option<u32>) -> Self {
        let sequence = match substeps {
            Some(count) => BlockCar::sequence_with_substeps(move |_| count),
            None => BlockCar::sequence(),
        };
        Self::Blocks(Prototype::boxed(vehicle, sequence))
    }
}

impl<V> Prototype<V> {
    fn boxed(vehicle: V, sequence: ComponentSequence<V>) -> Box<Self> {
        Box::new(Self { vehicle, sequence: Arc::new(sequence) })
    }
}

fn engine_sequence<D: DifferentialModel>(
    substeps: Option<u32>,
) -> ComponentSequence<EngineDriveVehicleWith<AnyTire, D>> {
    match substeps {
        Some(count) => EngineDriveVehicleWith::sequence_with_substeps(move |_| count),
        None => EngineDriveVehicleWith::sequence(),
    }
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
            Model::Direct(of) => &of.vehicle.params().mechanics,
            Model::Engine(of) => &of.vehicle.params().mechanics,
            Model::Motorcycle(of) => &of.vehicle.params().mechanics,
            Model::Tank(of) => &of.vehicle.params().mechanics,
            Model::Blocks(of) => &of.vehicle.params().mechanics,
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
            Model::Direct(of) => {
                let mut vehicle = of.vehicle.another();
                vehicle.gear = Gear::Forward;
                AnyDrive::Direct(Box::new(self.put(world, pose, vehicle, &of.sequence)))
            }
            Model::Engine(of) => AnyDrive::Engine(Box::new(self.put_engine(world, pose, of))),
            Model::Motorcycle(of) => {
                let mut car = self.put_engine(world, pose, of);
                car.params.wheel_reaction = WheelReaction::Gyroscopic;
                AnyDrive::Motorcycle(Box::new(car))
            }
            Model::Tank(of) => AnyDrive::Tank(Box::new(self.put_engine(world, pose, of))),
            Model::Blocks(of) => {
                let mut vehicle = of.vehicle.another();
                vehicle.levers = DrivelineCommands { gear: 1, ..DrivelineCommands::forward() };
                AnyDrive::Blocks(Box::new(self.put(world, pose, vehicle, &of.sequence)))
            }
        };
        AnyRapierVehicle::new(drive, Arc::clone(&self.file), self.chassis.clone(), world.0)
    }

    fn put_engine<D: DifferentialModel, Own: OwnState>(
        &self,
        world: &mut Sets<'_>,
        pose: Pose,
        of: &Prototype<EngineDriveVehicleWith<AnyTire, D, Own>>,
    ) -> RapierVehicle<EngineDriveVehicleWith<AnyTire, D, Own>> {
        let mut vehicle = of.vehicle.another();
        let drivetrain = &vehicle.params().drivetrain;
        let first = drivetrain.gearbox.first_gear().filter(|_| drivetrain.autobox.is_none());
        if let Some(first) = first {
            vehicle.transmission.gear = GearCommand::Gear(first);
        }
        self.put(world, pose, vehicle, &of.sequence)
    }

    fn put<V: Drivable + HasMechanics<Tire = AnyTire>>(
        &self,
        world: &mut Sets<'_>,
        pose: Pose,
        vehicle: V,
        sequence: &Arc<ComponentSequence<V>>,
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
        let mut car =
            RapierVehicle::insert_into(bodies, colliders, chassis, vehicle, Arc::clone(sequence));
        car.params = SimulationParams::new(self.file.frame);
        car.road.shape = self.file.road_query;
        car
    }
}
