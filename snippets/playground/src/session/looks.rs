//! What is drawn of a drive, and what its instruments need.

use rapier3d::prelude::*;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle};

use super::Session;
use crate::ghost::Ghost;
use crate::look::look_of;
use crate::worlds::World;
use crate::{Error, Look};

impl Session {
    pub(super) fn look_in(world: &World, vehicle: &AnyVehicle, car: &AnyRapierVehicle) -> Look {
        let World { physics, .. } = world;
        look_of(&vehicle.file().name, car, &physics.bodies, &physics.colliders)
    }

    /// What the vehicle looks like.
    pub fn look(&self) -> &Look {
        &self.look
    }

    /// What each car of the crowd looks like, if there is one.
    pub fn crowd_look(&self) -> Option<Look> {
        self.crowd_size().map(Look::of_crowd)
    }

    /// Idle speed and highest speed of the engine (rad/s), if there is one with such.
    pub fn engine_range(&self) -> Option<[Real; 2]> {
        self.car.vehicle.engine().map(|engine| [engine.idle_speed, engine.max_speed])
    }

    /// Shows Rapier's own vehicle controller beside the vehicle, from where that is, or no more.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn set_ghost(&mut self, is_shown: bool) -> Result<(), Error> {
        self.ghost = if is_shown {
            Some(Ghost::new(&self.world, &self.vehicle, &self.car, self.body())?)
        } else {
            None
        };
        Ok(())
    }

    /// Whether the ghost is there.
    pub fn has_ghost(&self) -> bool {
        self.ghost.is_some()
    }

    /// Pose of the ghost's body (m) between the last two steps, see [`share`](Self::share).
    pub fn ghost_pose(&self, share: Real) -> Option<Pose> {
        Some(self.ghost.as_ref()?.pose(share))
    }

    /// Pose of a wheel of the ghost (m), in the same way.
    pub fn ghost_wheel_pose(&self, wheel: usize, share: Real) -> Option<Pose> {
        self.ghost.as_ref()?.wheel_pose(wheel, share)
    }

    /// Forward speed of the ghost (m/s).
    pub fn ghost_speed(&self) -> Option<Real> {
        Some(self.ghost.as_ref()?.speed())
    }
}
