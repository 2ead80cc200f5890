//! A vehicle of any kind in a world.

use std::sync::Arc;

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::Persistent;
use vehicle_core::commands::Commands;
use vehicle_core::diagnosis::Finding;
use vehicle_core::error::ParamCheck;
use vehicle_core::sequence::TimeStepError;
use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::{HasMechanics, MechanicsRef};
use vehicle_drivetrain::blocks::{DrivelineCommands, Selector};
use vehicle_drivetrain::differential::{DifferentialParams, TankDifferentialParams};
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::drivetrain::DrivetrainParams;
use vehicle_drivetrain::gearbox::GearCommand;
use vehicle_drivetrain::instruments::{DisplayedGear, Instruments};
use vehicle_drivetrain::rider::Rider;
use vehicle_drivetrain::transmission::TransmissionCommands;
use vehicle_drivetrain::{BlockDriveVehicleWith, DirectDriveVehicleWith, EngineDriveVehicleWith};

use super::chassis::ChassisSource;
use super::{HitchParams, VehicleFile};
use crate::actor::{Activity, ActorError};
use crate::contact::GroundContact;
use crate::drawing::DrawnPoses;
use crate::placement::PlacementError;
use crate::road_query::{RoadQueryParams, RoadResources};
use crate::scene::Scene;
use crate::snapshot::{SnapshotError, VehicleSnapshot};
use crate::vehicle::{RapierVehicle, StepError};

type DirectCar = DirectDriveVehicleWith<AnyTire>;
type EngineCar = EngineDriveVehicleWith<AnyTire, DifferentialParams>;
type Motorcycle = EngineDriveVehicleWith<AnyTire, DifferentialParams, Rider>;
type TankCar = EngineDriveVehicleWith<AnyTire, TankDifferentialParams>;
type BlockCar = BlockDriveVehicleWith<AnyTire>;

/// What a vehicle of any kind is in a world.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AnyDrive {
    /// Each wheel under its own torque; also a trailer, whose torques are 0.
    Direct(Box<RapierVehicle<DirectCar>>),
    /// An engine and a differential.
    Engine(Box<RapierVehicle<EngineCar>>),
    /// An engine, a differential and a rider.
    Motorcycle(Box<RapierVehicle<Motorcycle>>),
    /// An engine and two tracks.
    Tank(Box<RapierVehicle<TankCar>>),
    /// A driveline of blocks.
    Blocks(Box<RapierVehicle<BlockCar>>),
}

/// The same for the vehicle of any kind.
macro_rules! each {
    ($drive:expr, $car:ident => $what:expr) => {
        match $drive {
            AnyDrive::Direct($car) => $what,
            AnyDrive::Engine($car) => $what,
            AnyDrive::Motorcycle($car) => $what,
            AnyDrive::Tank($car) => $what,
            AnyDrive::Blocks($car) => $what,
        }
    };
}

/// A vehicle of any kind in a world, as [`AnyVehicle`](super::AnyVehicle) puts it there.
///
/// What differs between the kinds is in [`drive`](Self::drive).
#[derive(Clone, Debug)]
pub struct AnyRapierVehicle {
    /// The vehicle.
    pub drive: AnyDrive,
    file: Arc<VehicleFile>,
    chassis: ChassisSource,
}

/// A vehicle of any kind between two steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum AnySnapshot {
    /// Of [`AnyDrive::Direct`].
    Direct(Box<VehicleSnapshot<<DirectCar as Persistent>::Memory>>),
    /// Of [`AnyDrive::Engine`].
    Engine(Box<VehicleSnapshot<<EngineCar as Persistent>::Memory>>),
    /// Of [`AnyDrive::Motorcycle`].
    Motorcycle(Box<VehicleSnapshot<<Motorcycle as Persistent>::Memory>>),
    /// Of [`AnyDrive::Tank`].
    Tank(Box<VehicleSnapshot<<TankCar as Persistent>::Memory>>),
    /// Of [`AnyDrive::Blocks`].
    Blocks(Box<VehicleSnapshot<<BlockCar as Persistent>::Memory>>),
}

/// A hitch that a vehicle does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the hitch must be one of {known:?}, got {name:?}")]
#[non_exhaustive]
pub struct HitchError {
    /// Its name.
    pub name: String,
    /// The names of those that it has.
    pub known: Vec<String>,
}

impl Instruments for AnyRapierVehicle {
    fn engine_speed(&self) -> Option<Real> {
        each!(&self.drive, car => car.engine_speed())
    }

    fn displayed_gear(&self) -> DisplayedGear {
        each!(&self.drive, car => car.displayed_gear())
    }
}

impl AnyRapierVehicle {
    /// The file that it was made of.
    pub(super) fn source(&self) -> &VehicleFile {
        &self.file
    }

    pub(super) fn chassis(&self) -> &ChassisSource {
        &self.chassis
    }

    pub(super) fn new(drive: AnyDrive, file: Arc<VehicleFile>, chassis: ChassisSource) -> Self {
        Self { drive, file, chassis }
    }

    /// What its driver wants of pedals and steering wheel.
    pub fn commands(&self) -> &Commands {
        each!(&self.drive, car => &car.vehicle.commands)
    }

    /// The same, to be changed.
    pub fn commands_mut(&mut self) -> &mut Commands {
        each!(&mut self.drive, car => &mut car.vehicle.commands)
    }

    /// What its driver wants of gearbox, clutch and tracks, if it has an engine and a differential.
    pub fn transmission_mut(&mut self) -> Option<&mut TransmissionCommands> {
        match &mut self.drive {
            AnyDrive::Engine(car) => Some(&mut car.vehicle.transmission),
            AnyDrive::Motorcycle(car) => Some(&mut car.vehicle.transmission),
            AnyDrive::Tank(car) => Some(&mut car.vehicle.transmission),
            AnyDrive::Direct(_) | AnyDrive::Blocks(_) => None,
        }
    }

    /// What its driver wants of gearbox, clutch and locks, if it has a driveline of blocks.
    pub fn levers_mut(&mut self) -> Option<&mut DrivelineCommands> {
        match &mut self.drive {
            AnyDrive::Blocks(car) => Some(&mut car.vehicle.levers),
            AnyDrive::Direct(_)
            | AnyDrive::Engine(_)
            | AnyDrive::Motorcycle(_)
            | AnyDrive::Tank(_) => None,
        }
    }

    /// Puts the lever at `selector`, whatever the kind of drive: an automatic gearbox shifts by itself in drive,
    /// a manual one is put into its first gear. In park, the driven wheels are held.
    pub fn select(&mut self, selector: Selector) {
        match &mut self.drive {
            AnyDrive::Direct(car) => {
                car.vehicle.gear = match selector {
                    Selector::Reverse => Gear::Reverse,
                    Selector::Park => Gear::Park,
                    Selector::Neutral => Gear::Neutral,
                    Selector::Drive | Selector::Low => Gear::Forward,
                };
            }
            AnyDrive::Engine(car) => {
                let gear = gear(&car.vehicle.params().drivetrain, selector);
                select_gear(&mut car.vehicle.transmission, gear, selector);
            }
            AnyDrive::Motorcycle(car) => {
                let gear = gear(&car.vehicle.params().drivetrain, selector);
                select_gear(&mut car.vehicle.transmission, gear, selector);
            }
            AnyDrive::Tank(car) => {
                let gear = gear(&car.vehicle.params().drivetrain, selector);
                select_gear(&mut car.vehicle.transmission, gear, selector);
            }
            AnyDrive::Blocks(car) => {
                let levers = &mut car.vehicle.levers;
                levers.selector = selector;
                levers.gear = match selector {
                    Selector::Reverse => -1,
                    Selector::Park | Selector::Neutral => 0,
                    Selector::Drive | Selector::Low => 1,
                };
            }
        }
    }

    /// Updates the vehicle, then steps the world, see [`RapierVehicle::step`].
    ///
    /// # Errors
    ///
    /// See [`RapierVehicle::update`].
    pub fn step(&mut self, world: &mut PhysicsWorld) -> Result<Activity, StepError> {
        each!(&mut self.drive, car => car.step(world))
    }

    /// Updates the vehicle before the world's step, see [`RapierVehicle::update`].
    ///
    /// # Errors
    ///
    /// See [`RapierVehicle::update`].
    pub fn update<'a>(&mut self, scene: impl Into<Scene<'a>>) -> Result<Activity, StepError> {
        each!(&mut self.drive, car => car.update(scene))
    }

    /// Takes body, colliders and joints out of the world.
    pub fn remove(self, world: &mut PhysicsWorld) {
        each!(self.drive, car => {
            let _left = car.remove(world);
        });
    }

    /// Its body in the world.
    pub fn body(&self) -> RigidBodyHandle {
        each!(&self.drive, car => car.actor.body)
    }

    /// Forward speed at the last update (m/s).
    pub fn forward_speed(&self) -> Real {
        each!(&self.drive, car => car.forward_speed())
    }

    /// Speed as a speedometer shows it (km/h): never negative, whatever the unit of length.
    pub fn speed_kmh(&self) -> Real {
        each!(&self.drive, car => car.speed_kmh())
    }

    /// Number of wheels.
    pub fn wheel_count(&self) -> usize {
        self.mechanics().params.axles.wheel_count()
    }

    /// Pose of `wheel` in the world (m), with its rotation about the axle, for drawing.
    ///
    /// # Errors
    ///
    /// If the body is not in the world.
    ///
    /// # Panics
    ///
    /// If the vehicle has no such wheel.
    pub fn wheel_pose(&self, wheel: usize, bodies: &RigidBodySet) -> Result<Pose, ActorError> {
        each!(&self.drive, car => car.wheel_pose(wheel, bodies))
    }

    /// How `wheel` touches its ground, see [`RapierVehicle::wheel_contact`].
    pub fn wheel_contact(&self, wheel: usize) -> Option<GroundContact> {
        each!(&self.drive, car => car.wheel_contact(wheel))
    }

    /// Whether `wheel` leaves marks and squeals, see [`RapierVehicle::is_skidding`].
    pub fn is_skidding(&self, wheel: usize) -> bool {
        each!(&self.drive, car => car.is_skidding(wheel))
    }

    /// Its poses for drawing as they are, in a world of time step `dt` (s).
    ///
    /// # Errors
    ///
    /// If its body is not in the world.
    pub fn drawn_poses(&self, bodies: &RigidBodySet, dt: Real) -> Result<DrawnPoses, ActorError> {
        each!(&self.drive, car => DrawnPoses::new(car, bodies, dt))
    }

    /// Hands its poses after a step of `dt` (s) of its world to `poses`, see [`DrawnPoses::record`].
    ///
    /// # Errors
    ///
    /// If its body is not in the world.
    pub fn record_poses(
        &self,
        poses: &mut DrawnPoses,
        bodies: &RigidBodySet,
        dt: Real,
    ) -> Result<(), ActorError> {
        each!(&self.drive, car => poses.record(car, bodies, dt))
    }

    /// What its wheels can stand on.
    pub fn road_mut(&mut self) -> &mut RoadQueryParams {
        each!(&mut self.drive, car => &mut car.road)
    }

    /// What the query for it has at hand beside its parameters.
    pub fn road_resources_mut(&mut self) -> &mut RoadResources {
        each!(&mut self.drive, car => &mut car.road_resources)
    }

    /// Puts it at rest, with its body at `pose` (m), see [`RapierVehicle::teleport`].
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic, or `pose` is not finite or has no unit quaternion.
    pub fn teleport(
        &mut self,
        bodies: &mut RigidBodySet,
        pose: Pose,
    ) -> Result<(), PlacementError> {
        each!(&mut self.drive, car => car.teleport(bodies, pose))
    }

    /// The pose of its body (m) on its wheels, see [`RapierVehicle::upright_pose`].
    ///
    /// # Errors
    ///
    /// If the body is not in the world.
    pub fn upright_pose(
        &self,
        bodies: &RigidBodySet,
        up: Vector,
        height: Real,
    ) -> Result<Pose, ActorError> {
        each!(&self.drive, car => car.upright_pose(bodies, up, height))
    }

    /// The mechanical base: parameters, commands and state.
    pub fn mechanics(&self) -> MechanicsRef<'_, AnyTire> {
        each!(&self.drive, car => car.vehicle.read_mechanics())
    }

    /// What is odd about it in a world of time step `dt` (s), see [`diagnose`](crate::diagnose).
    ///
    /// # Errors
    ///
    /// If `dt` is not positive and finite.
    pub fn diagnose(&self, dt: Real) -> Result<Vec<Finding>, TimeStepError> {
        each!(&self.drive, car => crate::diagnose(car, dt))
    }

    /// The vehicle as it is between two steps, see [`RapierVehicle::snapshot`].
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic.
    pub fn snapshot(&self, bodies: &RigidBodySet) -> Result<AnySnapshot, SnapshotError> {
        Ok(match &self.drive {
            AnyDrive::Direct(car) => AnySnapshot::Direct(Box::new(car.snapshot(bodies)?)),
            AnyDrive::Engine(car) => AnySnapshot::Engine(Box::new(car.snapshot(bodies)?)),
            AnyDrive::Motorcycle(car) => AnySnapshot::Motorcycle(Box::new(car.snapshot(bodies)?)),
            AnyDrive::Tank(car) => AnySnapshot::Tank(Box::new(car.snapshot(bodies)?)),
            AnyDrive::Blocks(car) => AnySnapshot::Blocks(Box::new(car.snapshot(bodies)?)),
        })
    }

    /// Goes back to `snapshot`, see [`RapierVehicle::restore`].
    ///
    /// # Errors
    ///
    /// If the snapshot is of another kind of vehicle, and as of [`RapierVehicle::restore`]; nothing has changed
    /// then.
    pub fn restore(
        &mut self,
        world: &mut PhysicsWorld,
        snapshot: &AnySnapshot,
    ) -> Result<(), SnapshotError> {
        match (&mut self.drive, snapshot) {
            (AnyDrive::Direct(car), AnySnapshot::Direct(saved)) => car.restore(world, saved),
            (AnyDrive::Engine(car), AnySnapshot::Engine(saved)) => car.restore(world, saved),
            (AnyDrive::Motorcycle(car), AnySnapshot::Motorcycle(saved)) => {
                car.restore(world, saved)
            }
            (AnyDrive::Tank(car), AnySnapshot::Tank(saved)) => car.restore(world, saved),
            (AnyDrive::Blocks(car), AnySnapshot::Blocks(saved)) => car.restore(world, saved),
            (drive, _) => {
                let mut check = ParamCheck::default();
                let requirement = format_args!("{}, as the vehicle is", drive.kind());
                check.require("snapshot", false, requirement, snapshot.kind());
                Ok(check.finish()?)
            }
        }
    }

    /// Couples a `trailer` by its hitch `theirs` to the hitch `own` of this vehicle, by a ball joint. Both stay
    /// where they are: put the trailer where the hitches meet.
    ///
    /// Before each of its updates, the trailer is to [follow](Self::follow).
    ///
    /// # Errors
    ///
    /// If there are no such hitches; nothing has changed then.
    pub fn couple(
        &self,
        own: &str,
        trailer: &Self,
        theirs: &str,
        world: &mut PhysicsWorld,
    ) -> Result<ImpulseJointHandle, HitchError> {
        let (ours, theirs) = (self.hitch(own)?, trailer.hitch(theirs)?);
        let joint = SphericalJointBuilder::new()
            .local_anchor1(ours.position)
            .local_anchor2(theirs.position)
            .contacts_enabled(false);
        Ok(world.impulse_joints.insert(self.body(), trailer.body(), joint, true))
    }

    /// Its hitch of this `name`.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn hitch(&self, name: &str) -> Result<&HitchParams, HitchError> {
        let hitches = &self.file.hitches;
        hitches.iter().find(|hitch| hitch.name == name).ok_or_else(|| HitchError {
            name: name.to_owned(),
            known: hitches.iter().map(|hitch| hitch.name.clone()).collect(),
        })
    }

    /// Lets this trailer go as its `tractor` wants to accelerate, as [`RapierVehicle::follow`] does.
    pub fn follow(&mut self, tractor: &Self, bodies: &mut RigidBodySet) {
        each!(&mut self.drive, trailer => {
            each!(&tractor.drive, tractor => trailer.follow(&tractor.vehicle, bodies));
        });
    }
}

/// Puts the lever of a vehicle with an engine at `selector`, for which it takes `gear`.
fn select_gear(transmission: &mut TransmissionCommands, gear: GearCommand, selector: Selector) {
    (transmission.gear, transmission.is_parking) = (gear, selector == Selector::Park);
}

/// The gear for a lever at `selector`.
fn gear<D>(drivetrain: &DrivetrainParams<D>, selector: Selector) -> GearCommand {
    let gearbox = &drivetrain.gearbox;
    match selector {
        Selector::Reverse => GearCommand::Gear(gearbox.neutral.saturating_sub(1)),
        Selector::Park | Selector::Neutral => GearCommand::Gear(gearbox.neutral),
        Selector::Drive if drivetrain.autobox.is_some() => GearCommand::Automatic,
        Selector::Drive | Selector::Low => {
            GearCommand::Gear(gearbox.first_gear().unwrap_or(gearbox.neutral))
        }
    }
}

impl AnyDrive {
    /// The name of its kind.
    fn kind(&self) -> &'static str {
        match self {
            Self::Direct(_) => "direct",
            Self::Engine(_) => "engine",
            Self::Motorcycle(_) => "motorcycle",
            Self::Tank(_) => "tank",
            Self::Blocks(_) => "blocks",
        }
    }
}

impl AnySnapshot {
    fn kind(&self) -> &'static str {
        match self {
            Self::Direct(_) => "direct",
            Self::Engine(_) => "engine",
            Self::Motorcycle(_) => "motorcycle",
            Self::Tank(_) => "tank",
            Self::Blocks(_) => "blocks",
        }
    }
}
