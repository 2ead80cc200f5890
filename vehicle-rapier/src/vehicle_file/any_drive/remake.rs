//! A vehicle that is made anew from another file while it drives.

use vehicle_core::{ParamErrors, Persistent, SimulationParams};
use vehicle_drivetrain::aids::AidsParams;

use super::super::AnyVehicle;
use super::{AnyDriveMemory, AnyDriveVehicle, AnyRapierVehicle};
use crate::actor::ActorError;
use crate::road_query::RoadQueryParams;
use crate::scene::WorldParts;

/// Why a vehicle cannot be made anew in its place; nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RemakeError {
    /// The body is gone or not dynamic.
    #[error(transparent)]
    Actor(#[from] ActorError),
    /// The new model is a vehicle of another kind, or with other wheels or gears.
    #[error(transparent)]
    Memory(#[from] ParamErrors),
}

impl AnyDriveVehicle {
    /// Goes on with what `other`, a vehicle of the same kind, remembers, and with what its driver
    /// does. That is its gear, what its wheels, springs and engine do, pedals and steering wheel.
    /// Aids that its user has given `other` in the place of those of its file are kept.
    ///
    /// # Errors
    ///
    /// If it is a vehicle of another kind, or with other wheels or gears; nothing has changed then.
    pub fn take_over(&mut self, other: &Self) -> Result<(), ParamErrors> {
        self.check_kind_of(other)?;
        let aids = |car: &Self| car.aids().copied().unwrap_or_default();
        let (own, present) = (aids(self), aids(other));
        let coordinates = present.coordinates;
        let is_of_file = present == AidsParams { coordinates, ..other.file().aids };
        let kept = if is_of_file { own } else { present };
        // What aids remember fits those that remember it.
        self.set_aids(present)?;
        // Its name may have been changed, too.
        let memory =
            AnyDriveMemory { name: self.file().name.clone(), start: None, ..other.memory() };
        if let Err(errors) = self.recall(&memory) {
            self.set_aids(own)?;
            return Err(errors);
        }
        if kept == present { Ok(()) } else { self.set_aids(kept) }
    }
}

impl AnyRapierVehicle {
    /// Makes the vehicle anew of `model` while it drives, such as of its file after an edit. It
    /// [takes over](AnyDriveVehicle::take_over) what it remembers, at the pose of its body, which
    /// moves on as before.
    ///
    /// What its user has set is kept: road query, resources of the road, numbers, detail, sleep,
    /// and who listens to its events. Its body and colliders are new, without the joints of those
    /// before: [couple](Self::couple) trailers again. Its stages are those of `model`, and its
    /// [start](Self::reset) is here. Its mass is that of `model` without the wheels that it has
    /// lost: what it was [loaded](Self::set_mass) with is to be loaded again.
    ///
    /// # Errors
    ///
    /// If the body is gone, or `model` has another drive, other wheels or other gears: insert it
    /// anew, and give it the velocity of this vehicle. Nothing has changed then.
    pub fn remake<'a>(
        &mut self,
        model: &AnyVehicle,
        parts: impl Into<WorldParts<'a>>,
    ) -> Result<(), RemakeError> {
        let mut parts = parts.into();
        let body = self.actor.dynamic_body(parts.bodies)?;
        let (pose, mut velocity) = (*body.position(), *body.vels());
        let mut made = model.insert_into(parts.bodies, parts.colliders, pose);
        let taken = made.vehicle.take_over(&self.vehicle);
        if let Err(errors) = taken.and_then(|()| made.lose_parts_of(self, &mut parts)) {
            made.remove_from(parts);
            return Err(errors.into());
        }
        made.know_origin(self.origin());
        made.keep_settings(self);
        let centers = [&made, self].map(|car| car.actor.center_of_mass.translation);
        velocity.linvel += velocity.angvel.cross(pose.rotation * (centers[0] - centers[1]));
        parts.bodies[made.body()].set_vels(velocity, true);
        std::mem::replace(self, made).remove_from(parts);
        Ok(())
    }

    /// Is without the mass of the wheels that `other` has lost.
    fn lose_parts_of(
        &mut self,
        other: &Self,
        parts: &mut WorldParts<'_>,
    ) -> Result<(), ParamErrors> {
        if let Some(shift) = self.change_lost_parts(other.seldom.lost_parts())? {
            self.load_body(parts.bodies, Some(parts.colliders), shift);
            self.wheel_colliders.leave_out(self.seldom.lost_parts().wheels(), parts.colliders);
        }
        Ok(())
    }

    /// Takes the settings of `other` that its user has made.
    fn keep_settings(&mut self, other: &mut Self) {
        let SimulationParams { coordinates, wheel_reaction, .. } = self.params;
        let of_file = other.vehicle.file().simulation_params();
        let is_of_file = other.params.meets_obstacles == of_file.meets_obstacles;
        let meets_obstacles = if is_of_file { &self.params } else { &other.params }.meets_obstacles;
        self.params =
            SimulationParams { coordinates, wheel_reaction, meets_obstacles, ..other.params };
        self.road = RoadQueryParams { shape: self.road.shape, ..other.road.clone() };
        self.road_resources = other.road_resources.clone();
        self.user_data = other.user_data.clone();
        self.detail = other.detail;
        self.actor.sleep = other.actor.sleep;
        self.actor.update_mode = other.actor.update_mode;
        self.events = other.events.take();
    }
}
