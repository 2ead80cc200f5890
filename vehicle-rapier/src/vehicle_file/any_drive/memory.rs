//! State of a vehicle with any drive: put back after a step that fails, saved and restored, begun
//! anew.

use std::sync::Arc;

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::error::{ParamCheck, ParamError};
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::memory::MAX_DISTANCE;
use vehicle_core::sequence::{Recoverable, first_not_finite};
use vehicle_core::vehicle::{OwnState, check_own_memory};
use vehicle_core::{ParamErrors, Persistent};

use super::{
    AnyDrive, AnyDriveVehicle, AnyRapierVehicle, BlockCar, DirectCar, EngineCar, Motorcycle,
    TankCar, each,
};
use crate::actor::ActorError;
use crate::saved::SavedVehicle;
use crate::snapshot::{SnapshotError, VehicleSnapshot};

/// A vehicle with any drive in a world, between two steps.
pub type AnySnapshot<Own = ()> = VehicleSnapshot<AnyDriveMemory<Own>>;

/// A vehicle with any drive in a saved game.
pub type AnySaved<Own = ()> = SavedVehicle<AnyDriveMemory<Own>>;

/// State that a vehicle with any drive keeps between two steps, and its driver's commands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
#[non_exhaustive]
pub struct AnyDriveMemory<Own: OwnState = ()> {
    /// The vehicle, by its drive.
    pub drive: AnyMemory,
    /// State that the user has added.
    pub own: Own,
    /// Name of its file; empty if it has none. A vehicle of another name does not recall this.
    pub name: String,
    /// Where it was put into the world; `None` if it has not been there.
    pub start: Option<StartPlace>,
}

/// Where a vehicle was put into its world, to which a [reset](AnyRapierVehicle::reset) takes it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartPlace {
    /// Pose of its body (m).
    pub pose: Pose,
    /// Where the [origin](crate::origin_shift) of the world was (m); `None` if it has not been
    /// shifted.
    pub origin: Option<Vector>,
}

/// State that a vehicle keeps between two steps, by the kind of its drive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum AnyMemory {
    /// Memory of [`AnyDrive::Direct`].
    Direct(Box<<DirectCar as Persistent>::Memory>),
    /// Memory of [`AnyDrive::Engine`].
    Engine(Box<<EngineCar as Persistent>::Memory>),
    /// Memory of [`AnyDrive::Motorcycle`].
    Motorcycle(Box<<Motorcycle as Persistent>::Memory>),
    /// Memory of [`AnyDrive::Tank`].
    Tank(Box<<TankCar as Persistent>::Memory>),
    /// Memory of [`AnyDrive::Blocks`].
    Blocks(Box<<BlockCar as Persistent>::Memory>),
}

/// The name of the kind of a drive, or of what it remembers.
macro_rules! kind {
    ($value:expr, $of:ident) => {
        match $value {
            $of::Direct(_) => "direct",
            $of::Engine(_) => "engine",
            $of::Motorcycle(_) => "motorcycle",
            $of::Tank(_) => "tank",
            $of::Blocks(_) => "blocks",
        }
    };
}

impl<Own: OwnState> AnyDriveVehicle<Own> {
    /// Checks that it can go on as `other` is: it has the same drive and as many wheels.
    pub(super) fn check_kind_of(&self, other: &Self) -> Result<(), ParamErrors> {
        let mut check = ParamCheck::default();
        let [own, needed] = [self, other].map(|car| kind!(&car.drive, AnyDrive));
        let requirement = format_args!("{needed}, as that of the vehicle whose place it takes");
        check.require("drive", own == needed, requirement, own);
        let [own, needed] = [self, other].map(Self::wheel_count);
        let requirement =
            format_args!("{needed}, as many as those of the vehicle whose place it takes");
        check.require("wheels", own == needed, requirement, own);
        check.finish()
    }
}

impl<Own: OwnState> Persistent for AnyDriveVehicle<Own> {
    type Memory = AnyDriveMemory<Own>;

    fn memory(&self) -> AnyDriveMemory<Own> {
        let drive = match &self.drive {
            AnyDrive::Direct(car) => AnyMemory::Direct(Box::new(car.memory())),
            AnyDrive::Engine(car) => AnyMemory::Engine(Box::new(car.memory())),
            AnyDrive::Motorcycle(car) => AnyMemory::Motorcycle(Box::new(car.memory())),
            AnyDrive::Tank(car) => AnyMemory::Tank(Box::new(car.memory())),
            AnyDrive::Blocks(car) => AnyMemory::Blocks(Box::new(car.memory())),
        };
        let name = self.file().name.clone();
        AnyDriveMemory { drive, own: self.own.clone(), name, start: self.start.as_deref().copied() }
    }

    fn recall(&mut self, memory: &AnyDriveMemory<Own>) -> Result<(), ParamErrors> {
        let AnyDriveMemory { drive, own, name, start } = memory;
        let mut check = ParamCheck::default();
        let is_of_kind = kind!(&self.drive, AnyDrive) == kind!(drive, AnyMemory);
        let own_name = &self.file().name;
        let is_alike = name == own_name || name.is_empty() || own_name.is_empty();
        let requirement = format_args!("{own_name:?}, as that of the vehicle's file");
        let found = format_args!("{name:?}");
        check.require("name", !is_of_kind || is_alike, requirement, found);
        let wheel_count = self.wheel_count();
        check_own_memory(&self.own_params, own, wheel_count, &mut check);
        check.finish()?;
        match (&mut self.drive, drive) {
            (AnyDrive::Direct(car), AnyMemory::Direct(memory)) => car.recall(memory),
            (AnyDrive::Engine(car), AnyMemory::Engine(memory)) => car.recall(memory),
            (AnyDrive::Motorcycle(car), AnyMemory::Motorcycle(memory)) => car.recall(memory),
            (AnyDrive::Tank(car), AnyMemory::Tank(memory)) => car.recall(memory),
            (AnyDrive::Blocks(car), AnyMemory::Blocks(memory)) => car.recall(memory),
            (drive, memory) => {
                let (needed, found) = (kind!(drive, AnyDrive), kind!(memory, AnyMemory));
                let requirement = format_args!("{needed}, as the vehicle is");
                Err(ParamError::new("drive", requirement, found).into())
            }
        }?;
        self.own.clone_from(own);
        self.is_refused = false;
        if let (Some(own), Some(place)) = (self.start.as_deref_mut(), start) {
            *own = *place;
        }
        Ok(())
    }
}

impl<Own: OwnState> AnyDriveVehicle<Own> {
    /// The memory of a vehicle with its present parameters that stands in gear, as when it was
    /// inserted.
    fn memory_at_rest(&self) -> AnyDriveMemory<Own> {
        let (drive, own_params) = (self.drive.another(), self.own_params.clone());
        Self::new(drive, own_params, Arc::clone(&self.origin)).memory()
    }
}

/// A copy of the state of a vehicle with any drive. It has room for the state of each kind that it
/// has ever copied, so that vehicles of several kinds can take turns without taking memory.
#[derive(Clone, Debug)]
pub struct AnyDriveState<Own: OwnState = ()> {
    direct: Option<Box<<DirectCar as Recoverable>::Snapshot>>,
    engine: Option<Box<<EngineCar as Recoverable>::Snapshot>>,
    motorcycle: Option<Box<<Motorcycle as Recoverable>::Snapshot>>,
    blocks: Option<Box<<BlockCar as Recoverable>::Snapshot>>,
    own: Own,
}

/// The state that the user has added, in its place.
#[derive(Serialize)]
struct OwnPlace<'a, Own> {
    own: &'a Own,
}

/// Writes the state of `vehicle` into the `room` for it.
fn copy<V: Recoverable>(vehicle: &V, room: &mut Option<Box<V::Snapshot>>) {
    match room {
        Some(room) => vehicle.snapshot_into(room),
        None => *room = Some(Box::new(vehicle.snapshot())),
    }
}

/// Puts back the state of `vehicle` that is in its `room`.
fn put_back<V: Recoverable>(vehicle: &mut V, room: Option<Box<V::Snapshot>>) {
    if let Some(room) = room {
        vehicle.restore(*room);
    }
}

impl<Own: OwnState> Recoverable for AnyDriveVehicle<Own> {
    type Snapshot = AnyDriveState<Own>;

    fn check_inputs(&self, check: &mut ParamCheck) {
        each!(&self.drive, car => car.check_inputs(check));
        let wheel_count = self.wheel_count();
        check.field("own", |inner| self.own.check(&self.own_params, wheel_count, inner));
    }

    fn check_axes(&self, coordinates: &CoordinateSystem, check: &mut ParamCheck) {
        each!(&self.drive, car => car.check_axes(coordinates, check));
    }

    fn snapshot(&self) -> AnyDriveState<Own> {
        let own = self.own.clone();
        let mut state =
            AnyDriveState { direct: None, engine: None, motorcycle: None, blocks: None, own };
        self.snapshot_into(&mut state);
        state
    }

    fn snapshot_into(&self, state: &mut AnyDriveState<Own>) {
        match &self.drive {
            AnyDrive::Direct(car) => copy(&**car, &mut state.direct),
            AnyDrive::Engine(car) => copy(&**car, &mut state.engine),
            AnyDrive::Motorcycle(car) => copy(&**car, &mut state.motorcycle),
            AnyDrive::Tank(car) => copy(&**car, &mut state.engine),
            AnyDrive::Blocks(car) => copy(&**car, &mut state.blocks),
        }
        state.own.clone_from(&self.own);
    }

    fn restore(&mut self, state: AnyDriveState<Own>) {
        match &mut self.drive {
            AnyDrive::Direct(car) => put_back(&mut **car, state.direct),
            AnyDrive::Engine(car) => put_back(&mut **car, state.engine),
            AnyDrive::Motorcycle(car) => put_back(&mut **car, state.motorcycle),
            AnyDrive::Tank(car) => put_back(&mut **car, state.engine),
            AnyDrive::Blocks(car) => put_back(&mut **car, state.blocks),
        }
        (self.own, self.is_refused) = (state.own, false);
    }

    fn is_finite(&self) -> bool {
        self.own.is_finite() && each!(&self.drive, car => car.is_finite())
    }

    fn not_finite(&self) -> Option<String> {
        if self.own.is_finite() {
            return each!(&self.drive, car => car.not_finite());
        }
        let first = first_not_finite(&OwnPlace { own: &self.own });
        Some(first.unwrap_or_else(|| "own is not".to_owned()))
    }

    fn stage_fault(&self) -> Option<&'static str> {
        if self.is_refused {
            return Some(
                "it is a stage of another kind of drive: take the sequence of the vehicle's own \
                 AnyVehicle",
            );
        }
        each!(&self.drive, car => car.stage_fault())
    }
}

impl<Own: OwnState> AnyRapierVehicle<Own> {
    /// Lets its drive begin where it is now.
    pub(in crate::vehicle_file) fn remember_start(&mut self, bodies: &RigidBodySet) {
        let origin = Some(self.origin()).filter(|&origin| origin != Vector::ZERO);
        let pose = self.pose(bodies).ok();
        self.vehicle.start = pose.map(|pose| Box::new(StartPlace { pose, origin }));
    }

    /// Puts it back to where it was inserted, at rest and in gear, with its pedals let go and all
    /// wheels on: as a drive begins. Parameters stay as they are, also its aids, but for the mass
    /// of wheels that it has [lost](crate::loose_wheels), which comes back. Their bodies stay in
    /// the world. The place moves with the [origin](crate::origin_shift).
    ///
    /// Reset all vehicles of a train: one that goes alone is pulled back by its joint, as after a
    /// [`teleport`](Self::teleport).
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic, or the vehicle cannot get its lost wheels back. If it
    /// was inserted where nothing can be simulated: [`teleport`](Self::teleport) it elsewhere.
    pub fn reset(&mut self, bodies: &mut RigidBodySet) -> Result<(), SnapshotError> {
        let start = self.vehicle.start.as_deref();
        let StartPlace { pose, origin } = *start.ok_or(ActorError::Removed(self.body()))?;
        let mut check = ParamCheck::default();
        check.pose_within("start.pose", &pose, MAX_DISTANCE);
        check.finish().map_err(SnapshotError::Start)?;
        self.begin_anew(bodies, self.vehicle.memory_at_rest(), pose, origin)
    }
}
