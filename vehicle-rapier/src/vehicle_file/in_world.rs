//! A vehicle of any kind in a world.

mod hitch;
mod in_fleet;
mod memory;

use std::sync::Arc;

use rapier3d::prelude::*;
use vehicle_core::commands::Commands;
use vehicle_core::diagnosis::Finding;
use vehicle_core::sequence::TimeStepError;
use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::{HasMechanics, MechanicsRef, ReadVehicle};
use vehicle_drivetrain::blocks::{DrivelineCommands, Selector};
use vehicle_drivetrain::differential::{DifferentialParams, TankDifferentialParams};
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::drivetrain::DrivetrainParams;
use vehicle_drivetrain::gearbox::GearCommand;
use vehicle_drivetrain::instruments::{DisplayedGear, Instruments};
use vehicle_drivetrain::rider::Rider;
use vehicle_drivetrain::transmission::TransmissionCommands;
use vehicle_drivetrain::{BlockDriveVehicleWith, DirectDriveVehicleWith, EngineDriveVehicleWith};

pub use self::hitch::{CouplingError, HitchError};
pub use self::memory::AnySnapshot;
use super::VehicleFile;
use super::chassis::ChassisSource;
use crate::actor::{Activity, ActorError};
use crate::contact::GroundContact;
use crate::drawing::DrawnPoses;
use crate::placement::PlacementError;
use crate::road_query::{RoadQueryParams, RoadResources};
use crate::scene::{Scene, WorldParts, WorldView};
use crate::vehicle::{RapierVehicle, StepError};

pub(super) type DirectCar = DirectDriveVehicleWith<AnyTire>;
pub(super) type EngineCar = EngineDriveVehicleWith<AnyTire, DifferentialParams>;
pub(super) type Motorcycle = EngineDriveVehicleWith<AnyTire, DifferentialParams, Rider>;
pub(super) type TankCar = EngineDriveVehicleWith<AnyTire, TankDifferentialParams>;
pub(super) type BlockCar = BlockDriveVehicleWith<AnyTire>;

/// A vehicle of any kind in a world, by its kind.
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

/// Evaluates `$what` for the vehicle of any kind, as `$car`.
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
use each;

/// A vehicle of any kind in a world, as [`AnyVehicle`](super::AnyVehicle) puts it there.
///
/// What differs between the kinds is in [`drive`](Self::drive).
#[derive(Clone, Debug)]
pub struct AnyRapierVehicle {
    /// The vehicle.
    pub drive: AnyDrive,
    file: Arc<VehicleFile>,
    chassis: ChassisSource,
    /// As it was when it was inserted.
    start: Option<Arc<AnySnapshot>>,
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

    /// The vehicle whose body has just been put among `bodies`.
    pub(super) fn new(
        drive: AnyDrive,
        file: Arc<VehicleFile>,
        chassis: ChassisSource,
        bodies: &RigidBodySet,
    ) -> Self {
        let mut new = Self { drive, file, chassis, start: None };
        new.start = new.snapshot(bodies).ok().map(Arc::new);
        new
    }

    /// Commands of its driver: pedals and steering wheel.
    pub fn commands(&self) -> &Commands {
        each!(&self.drive, car => &car.vehicle.commands)
    }

    /// Commands of its driver: pedals and steering wheel, mutably.
    pub fn commands_mut(&mut self) -> &mut Commands {
        each!(&mut self.drive, car => &mut car.vehicle.commands)
    }

    /// Commands of its driver to gearbox, clutch and tracks, mutably, if it has an engine and a
    /// differential.
    pub fn transmission_mut(&mut self) -> Option<&mut TransmissionCommands> {
        match &mut self.drive {
            AnyDrive::Engine(car) => Some(&mut car.vehicle.transmission),
            AnyDrive::Motorcycle(car) => Some(&mut car.vehicle.transmission),
            AnyDrive::Tank(car) => Some(&mut car.vehicle.transmission),
            AnyDrive::Direct(_) | AnyDrive::Blocks(_) => None,
        }
    }

    /// Commands of its driver to gearbox, clutch and locks, mutably, if it has a driveline of
    /// blocks.
    pub fn levers_mut(&mut self) -> Option<&mut DrivelineCommands> {
        match &mut self.drive {
            AnyDrive::Blocks(car) => Some(&mut car.vehicle.levers),
            AnyDrive::Direct(_)
            | AnyDrive::Engine(_)
            | AnyDrive::Motorcycle(_)
            | AnyDrive::Tank(_) => None,
        }
    }

    /// Puts the lever at `selector`, whatever the kind of drive: an automatic gearbox shifts by
    /// itself in drive, a manual one is put into its first gear. In park, the driven wheels are
    /// held.
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
        self.remove_from(world);
    }

    /// Takes body, colliders and joints out of the sets of a world.
    pub fn remove_from<'a>(self, parts: impl Into<WorldParts<'a>>) {
        each!(self.drive, car => {
            let _left = car.remove_from(parts);
        });
    }

    /// Its body in the world.
    pub fn body(&self) -> RigidBodyHandle {
        each!(&self.drive, car => car.actor.body)
    }

    /// Pose of its body in the world (m).
    ///
    /// # Errors
    ///
    /// If the body is not in the world.
    pub fn pose(&self, bodies: &RigidBodySet) -> Result<Pose, ActorError> {
        each!(&self.drive, car => Ok(*car.actor.body_in(bodies)?.position()))
    }

    /// Velocity of its center of mass at the last update (m/s).
    pub fn velocity(&self) -> Vector {
        each!(&self.drive, car => car.vehicle.body().linear_velocity)
    }

    /// Angular velocity at the last update (rad/s).
    pub fn angular_velocity(&self) -> Vector {
        each!(&self.drive, car => car.vehicle.body().angular_velocity)
    }

    /// Lets it go on at `velocity` (m/s) on wheels that roll, see [`RapierVehicle::set_velocity`].
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic, or `velocity` is not finite.
    pub fn set_velocity(
        &mut self,
        bodies: &mut RigidBodySet,
        velocity: Vector,
    ) -> Result<(), PlacementError> {
        each!(&mut self.drive, car => car.set_velocity(bodies, velocity))
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
    /// If the body is not in the world, or the vehicle has no such wheel.
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

    /// Hands its poses after a step of `dt` (s) of its world to `poses`, see
    /// [`DrawnPoses::record`].
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

    /// Ground that its wheels can stand on, mutably.
    pub fn road_mut(&mut self) -> &mut RoadQueryParams {
        each!(&mut self.drive, car => &mut car.road)
    }

    /// Data shared by its road queries, mutably.
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

    /// Findings about it in a world of time step `dt` (s), see [`diagnose`](crate::diagnose).
    ///
    /// # Errors
    ///
    /// If `dt` is not positive and finite.
    pub fn diagnose(&self, dt: Real) -> Result<Vec<Finding>, TimeStepError> {
        each!(&self.drive, car => crate::diagnose(car, dt))
    }

    /// Findings about it and about the world that it is in, see
    /// [`diagnose_in`](crate::diagnose_in).
    ///
    /// # Errors
    ///
    /// If the world's time step is not positive and finite.
    pub fn diagnose_in<'a>(
        &self,
        world: impl Into<WorldView<'a>>,
    ) -> Result<Vec<Finding>, TimeStepError> {
        each!(&self.drive, car => crate::diagnose_in(car, world))
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
