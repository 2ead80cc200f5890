//! What is drawn of a drive, and what its instruments need.

use rapier3d::prelude::*;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle};

use super::Session;
use crate::Look;
use crate::look::look_of;
use crate::worlds::World;

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
}
