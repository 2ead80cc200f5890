//! Snapshots of a vehicle of any kind, and its start.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::Persistent;
use vehicle_core::error::{ParamError, ParamErrors};

use super::{AnyDrive, AnyRapierVehicle, BlockCar, DirectCar, EngineCar, Motorcycle, TankCar};
use crate::actor::ActorError;
use crate::scene::WorldParts;
use crate::snapshot::{SnapshotError, VehicleSnapshot};

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

/// What a vehicle does with a snapshot of its own kind.
macro_rules! with_own {
    ($drive:expr, $snapshot:expr, |$car:ident, $saved:ident| $what:expr) => {
        match ($drive, $snapshot) {
            (AnyDrive::Direct($car), AnySnapshot::Direct($saved)) => $what,
            (AnyDrive::Engine($car), AnySnapshot::Engine($saved)) => $what,
            (AnyDrive::Motorcycle($car), AnySnapshot::Motorcycle($saved)) => $what,
            (AnyDrive::Tank($car), AnySnapshot::Tank($saved)) => $what,
            (AnyDrive::Blocks($car), AnySnapshot::Blocks($saved)) => $what,
            (drive, snapshot) => Err(refuse(drive, snapshot)),
        }
    };
}

impl AnyRapierVehicle {
    /// The vehicle as it is between two steps, see
    /// [`RapierVehicle::snapshot`](crate::RapierVehicle::snapshot).
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

    /// Goes back to `snapshot`, see [`RapierVehicle::restore`](crate::RapierVehicle::restore).
    ///
    /// # Errors
    ///
    /// If the snapshot is of another kind of vehicle, and as of
    /// [`RapierVehicle::restore`](crate::RapierVehicle::restore); nothing has changed then.
    pub fn restore(
        &mut self,
        world: &mut PhysicsWorld,
        snapshot: &AnySnapshot,
    ) -> Result<(), SnapshotError> {
        self.restore_in(world, snapshot)
    }

    /// Goes back to `snapshot` in the sets of a world that goes on, as [`restore`](Self::restore)
    /// does.
    ///
    /// # Errors
    ///
    /// As of [`restore`](Self::restore).
    pub fn restore_in<'a>(
        &mut self,
        parts: impl Into<WorldParts<'a>>,
        snapshot: &AnySnapshot,
    ) -> Result<(), SnapshotError> {
        with_own!(&mut self.drive, snapshot, |car, saved| car.restore_in(parts, saved))
    }

    /// Goes back to `snapshot` with the vehicle alone, in a world that was put back to the same
    /// step as a whole: whatever it touches or pulls, it drives on with the same bits. See
    /// [`RapierVehicle::restore_with_world`](crate::RapierVehicle::restore_with_world).
    ///
    /// # Errors
    ///
    /// As of [`restore`](Self::restore).
    pub fn restore_with_world(
        &mut self,
        bodies: &RigidBodySet,
        snapshot: &AnySnapshot,
    ) -> Result<(), SnapshotError> {
        with_own!(&mut self.drive, snapshot, |car, saved| car.restore_with_world(bodies, saved))
    }

    /// Puts it back to where it was inserted, at rest and in gear, with its pedals let go and all
    /// wheels on: as a drive begins. Parameters stay as they are.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic, or the vehicle has been changed so that its start does
    /// not fit any more.
    pub fn reset(&mut self, bodies: &mut RigidBodySet) -> Result<(), SnapshotError> {
        let start = self.start.clone().ok_or(ActorError::Removed(self.body()))?;
        with_own!(&mut self.drive, &*start, |car, saved| car.begin_anew(bodies, saved))
    }
}

/// The error for a snapshot of another kind of vehicle.
fn refuse(drive: &AnyDrive, snapshot: &AnySnapshot) -> SnapshotError {
    let requirement = format_args!("{}, as the vehicle is", drive.kind());
    ParamErrors::from(ParamError::new("snapshot", requirement, snapshot.kind())).into()
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
