//! Saved games: vehicles and their world, to be loaded by a program that has just begun.
//!
//! Save the [`PhysicsWorld`] by serde, and each vehicle by [`RapierVehicle::save`]. Load the world,
//! then each vehicle from its model, by [`AnyVehicle::resume`](crate::AnyVehicle::resume) or
//! [`RapierVehicle::resume`]. They drive on with the same bits, in the same build:
//!
//! ```
//! use rapier3d::prelude::*;
//! use vehicle_rapier::prelude::*;
//! use vehicle_rapier::vehicle_file::AnySaved;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let mut world = PhysicsWorld::new();
//! # let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
//! # world.insert_collider(road.friction(1.0), None);
//! # world.detect_collisions(&(), &());
//! let model = AnyVehicle::preset("hot_hatch")?;
//! # let place = Pose::from_translation(Vector::Y * model.standing_height(9.81));
//! # let mut car = model.insert(&mut world, place);
//! # car.commands_mut().throttle = 0.5;
//! # for _ in 0..60 {
//! #     car.step(&mut world)?;
//! # }
//! // In any format of serde:
//! let saved = serde_json::to_string(&(&world, car.save(&world.bodies)?))?;
//!
//! let (mut world, saved): (PhysicsWorld, AnySaved) = serde_json::from_str(&saved)?;
//! let mut car = model.resume(&mut world.bodies, &saved)?;
//! car.step(&mut world)?; // drives on
//! # assert!(1.0 < car.forward_speed());
//! # Ok(())
//! # }
//! ```
//!
//! | what | where it is |
//! |---|---|
//! | motion, load, lost wheels, detail, sleep, place to which it is reset | in the [snapshot](crate::snapshot) |
//! | body, its mass and its colliders | in the world; those of the wheels turn with them again |
//! | joints that [couple](crate::AnyRapierVehicle::couple) vehicles | in the world |
//! | `car.params`, `car.road`, `car.user_data`, `car.actor` | in the [`SavedVehicle`] |
//! | parameters that were changed while it drove | in the model: save that of `car.to_file()` |
//! | `car.road_resources`, stages of your own | yours to set again, before its next step |
//! | who [listens](crate::events), which vehicles of a fleet [tow](crate::Fleet::tow) others | yours to say again |
//!
//! A [`Fleet`](crate::Fleet) is not saved: insert the vehicles into a new one. The handles of a
//! fleet into which nothing has been inserted before are the same, if vehicles come in the same
//! order and none was ever removed.

use std::sync::Arc;

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::{ComponentSequence, Persistent, SimulationParams};

use crate::actor::Actor;
use crate::drivable::Drivable;
use crate::road_query::RoadQueryParams;
use crate::snapshot::{SnapshotError, VehicleSnapshot};
use crate::user_data::UserData;
use crate::vehicle::RapierVehicle;

/// A vehicle that remembers `M`, in a saved game: all of it but its model, and what is the world's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SavedVehicle<M> {
    /// The vehicle between two steps.
    pub snapshot: VehicleSnapshot<M>,
    /// Its actor, with the handle of its body, and the center of mass that it was made with (m).
    pub actor: Actor,
    /// Parameters of the simulation.
    pub params: SimulationParams,
    /// How its wheels look for the road.
    pub road: RoadQueryParams,
    /// Numbers of its user's own.
    pub user_data: UserData,
}

impl<V: Drivable + Persistent> RapierVehicle<V> {
    /// The vehicle for a saved game, between two steps of the world.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic.
    pub fn save(&self, bodies: &RigidBodySet) -> Result<SavedVehicle<V::Memory>, SnapshotError> {
        let mut actor = self.actor.to_save();
        if let Some(made) = self.seldom.made_mass() {
            actor.center_of_mass.translation = made.made.mass.center_of_mass;
        }
        Ok(SavedVehicle {
            snapshot: self.snapshot(bodies)?,
            actor,
            params: self.params,
            road: self.road.clone(),
            user_data: self.user_data.clone(),
        })
    }

    /// The vehicle that was [saved](Self::save), in the world that was saved with it. `vehicle` is
    /// one that was made of the same parameters, and has not been driven.
    ///
    /// # Errors
    ///
    /// As of [`restore_with_world`](Self::restore_with_world).
    pub fn resume(
        bodies: &mut RigidBodySet,
        saved: &SavedVehicle<V::Memory>,
        vehicle: V,
        sequence: impl Into<Arc<ComponentSequence<V>>>,
    ) -> Result<Self, SnapshotError> {
        let mut car = Self::saved(saved, vehicle, sequence);
        car.restore_with_world(bodies, &saved.snapshot)?;
        Ok(car)
    }

    /// The vehicle that was saved, which does not remember anything yet.
    pub(crate) fn saved(
        saved: &SavedVehicle<V::Memory>,
        vehicle: V,
        sequence: impl Into<Arc<ComponentSequence<V>>>,
    ) -> Self {
        Self {
            params: saved.params,
            road: saved.road.clone(),
            user_data: saved.user_data.clone(),
            ..Self::new(saved.actor, vehicle, sequence)
        }
    }
}
