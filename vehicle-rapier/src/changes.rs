//! Changes while a vehicle drives: its load, its tires, wheels that it loses.
//!
//! | change            | how                                                                    |
//! |-------------------|------------------------------------------------------------------------|
//! | load              | [`RapierVehicle::set_mass`]                                            |
//! | tires, springs    | [`ChangeMechanics::set_mechanics`], or the vehicle's own `set_params`  |
//! | grip of the roads | [`RoadQueryParams::friction`](crate::RoadQueryParams::friction)        |
//! | a wheel comes off | [`RapierVehicle::lose_wheel`], [`RapierVehicle::refit_wheel`]          |
//! | a wheel is gone   | [`RapierVehicle::detach_wheel`], [`RapierVehicle::attach_wheel`]       |
//!
//! All of them come between two steps and take effect in the next. Motion, compression of the
//! springs and rotation of the wheels stay as they are. A vehicle that sleeps notices other
//! parameters [within some steps](crate::sleep), and all other changes at once.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::ParamErrors;
use vehicle_core::error::{ParamCheck, Validate};
use vehicle_core::mass_distribution::MassDistribution;
use vehicle_core::suspension::SprungMassError;
use vehicle_core::vehicle::{ChangeMechanics, HasMechanics, MechanicalParams};

use crate::actor::ActorError;
use crate::body::check_collider_masses;
use crate::chassis::mass_properties;
use crate::drivable::Drivable;
use crate::loaded_mass::{LoadedMass, MadeMass};
use crate::vehicle::RapierVehicle;

/// Why a vehicle cannot be changed; nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// The body cannot be driven.
    #[error(transparent)]
    Actor(#[from] ActorError),
    /// The vehicle would have faults, or has no such wheel.
    #[error(transparent)]
    Params(#[from] ParamErrors),
    /// The wheels cannot balance the vehicle.
    #[error(transparent)]
    SprungMasses(#[from] SprungMassError),
}

/// What becomes of the sprung masses when the mass changes. They say which part of gravity and of
/// external forces a suspension carries beside its travel, as on slopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SprungMasses {
    /// The sprung masses balance the new mass, on the wheels that the vehicle has.
    #[default]
    Balance,
    /// The sprung masses stay.
    Keep,
}

impl<V: Drivable + ChangeMechanics> RapierVehicle<V> {
    /// Changes the mass of the vehicle and of its body, to load or unload it. `mass` has its center
    /// of mass in the body (m), and its moments of inertia about the principal axes, which stay. It
    /// is the mass of body and colliders together: give colliders of the load `.density(0.0)`.
    ///
    /// [Snapshots](crate::snapshot) know the mass: one from before brings the former back.
    ///
    /// The body's origin stays where it is, and the body moves on as before:
    ///
    /// ```text
    /// ω' = ω,   v' = v + ω × (c' - c)
    /// ```
    ///
    /// with `c` the center of mass in the world. What is loaded thus has the vehicle's own motion,
    /// and what is dropped keeps it; neither pushes the vehicle. A vehicle that sleeps wakes.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic, `mass` has a fault, or colliders of the body have a mass
    /// of their own. If the wheels cannot balance the mass: with its center outside of them, a
    /// sprung mass would be negative.
    pub fn set_mass(
        &mut self,
        bodies: &mut RigidBodySet,
        colliders: &ColliderSet,
        mass: &MassDistribution,
        sprung_masses: SprungMasses,
    ) -> Result<(), ChangeError> {
        let mut check = ParamCheck::default();
        check.field("mass", |inner| mass.check(inner));
        check.finish()?;
        let mut check = ParamCheck::default();
        let body = self.actor.dynamic_body(bodies)?;
        let center = Pose { translation: mass.center_of_mass, ..self.actor.center_of_mass };
        let own = mass_properties(&mass.rigid_body, &center);
        check_collider_masses(body, colliders, &mass.rigid_body, own, &mut check);
        check.finish()?;
        let Loading { params: mut loaded, shift, made } = self.loading(mass);
        if sprung_masses == SprungMasses::Balance {
            let wheels = self.vehicle.read_mechanics().state.attached_wheels();
            let frame = &self.params.coordinates.frame;
            loaded = loaded.with_balanced_sprung_masses(&wheels, frame)?;
        }
        self.vehicle.set_mechanics(loaded)?;
        self.actor.center_of_mass.translation = mass.center_of_mass;
        self.seldom.set_made_mass(Some(made));
        self.load_body(bodies, Some(colliders), shift);
        Ok(())
    }
}

impl<V: Drivable> RapierVehicle<V> {
    /// Mass and inertia of the vehicle, and its center of mass in the body.
    pub fn mass(&self) -> MassDistribution {
        MassDistribution {
            rigid_body: *self.vehicle.body_params(),
            center_of_mass: self.actor.center_of_mass.translation,
        }
    }

    /// Gives the body the mass of the vehicle, whose center has moved by `shift` (m, body frame),
    /// and lets it move on as before. Without `colliders`, its next step adds what they weigh.
    pub(crate) fn load_body(
        &mut self,
        bodies: &mut RigidBodySet,
        colliders: Option<&ColliderSet>,
        shift: Vector,
    ) {
        let body = &mut bodies[self.actor.body];
        let moved = *body.rotation() * (self.actor.center_of_mass.rotation * shift);
        let velocity = body.linvel() + body.angvel().cross(moved);
        self.fit_body(body, colliders);
        body.set_linvel(velocity, true);
        body.wake_up(true);
        self.actor.read(&mut self.vehicle, &bodies[self.actor.body]);
    }

    /// Gives `body` the mass of the vehicle. Without `colliders`, its next step adds what they
    /// weigh.
    pub(crate) fn fit_body(&self, body: &mut RigidBody, colliders: Option<&ColliderSet>) {
        let properties = mass_properties(self.vehicle.body_params(), &self.actor.center_of_mass);
        body.set_additional_mass_properties(properties, true);
        if let Some(colliders) = colliders {
            body.recompute_mass_properties_from_colliders(colliders);
        }
    }

    /// The vehicle with this mass.
    fn loading(&self, mass: &MassDistribution) -> Loading<V::Tire> {
        let Pose { rotation, translation, .. } = self.actor.center_of_mass;
        let to_axes = rotation.inverse();
        let mut params = self.vehicle.mechanical_params().clone();
        let made = self.seldom.made_mass().cloned();
        let mut made = made.unwrap_or_else(|| MadeMass::of(&mut params, translation));
        made.place(&mut params, [translation, mass.center_of_mass], to_axes);
        params.rigid_body = mass.rigid_body;
        Loading { params, shift: to_axes * (mass.center_of_mass - translation), made }
    }

    /// The vehicle's own parameters with this mass.
    pub(crate) fn with_mass(&self, mass: &MassDistribution) -> MechanicalParams<V::Tire> {
        self.loading(mass).params
    }

    /// Changes the mass of the vehicle, as a part of it is lost or comes back; its body is to
    /// follow. How far its center has moved (m, body frame).
    pub(crate) fn change_mass(&mut self, mass: &MassDistribution) -> Result<Vector, ParamErrors> {
        let Loading { params, shift, made } = self.loading(mass);
        self.vehicle.change_mechanics(params)?;
        self.actor.center_of_mass.translation = mass.center_of_mass;
        self.seldom.set_made_mass(Some(made));
        Ok(shift)
    }

    /// Its mass, if that is another one than it was made with.
    pub(crate) fn loaded_mass(&self) -> Option<LoadedMass> {
        self.seldom.made_mass()?;
        let center_of_mass = self.actor.center_of_mass.translation;
        Some(LoadedMass::of(self.vehicle.mechanical_params(), center_of_mass))
    }

    /// Lets the vehicle have the mass `loaded`, or the one that it was made with; its body is to
    /// follow. Whether that is another mass.
    pub(crate) fn load_as(&mut self, loaded: Option<&LoadedMass>) -> Result<bool, ParamErrors> {
        if self.loaded_mass().as_ref() == loaded {
            return Ok(false);
        }
        let made = self.seldom.made_mass().map(|made| made.made.clone());
        let Some(target) = loaded.cloned().or(made) else { return Ok(false) };
        let Loading { mut params, made, .. } = self.loading(&target.mass);
        for (spring, mass) in params.suspension_forces.iter_mut().zip(target.sprung_masses) {
            spring.sprung_mass = mass;
        }
        self.vehicle.change_mechanics(params)?;
        self.actor.center_of_mass.translation = target.mass.center_of_mass;
        self.seldom.set_made_mass(loaded.map(|_| made));
        Ok(true)
    }
}

/// A vehicle with another mass.
struct Loading<Tire> {
    params: MechanicalParams<Tire>,
    /// How far its center is from the present one (m, body frame).
    shift: Vector,
    made: MadeMass,
}

impl<V: Drivable + HasMechanics> RapierVehicle<V> {
    /// Takes `wheel` off: see
    /// [`MechanicalState::detach_wheel`](vehicle_core::vehicle::MechanicalState::detach_wheel). The
    /// corner falls onto the colliders of the chassis, which stay, also those of its
    /// [wheels](crate::Chassis::wheel_colliders). A vehicle that sleeps wakes.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic, or there is no such wheel.
    pub fn detach_wheel(
        &mut self,
        bodies: &mut RigidBodySet,
        wheel: usize,
    ) -> Result<(), ChangeError> {
        self.actor.dynamic_body(bodies)?;
        self.vehicle.mechanics().state.detach_wheel(wheel)?;
        bodies[self.actor.body].wake_up(true);
        Ok(())
    }

    /// Puts `wheel` on again, at rest. The next step finds its jounce; until then it is
    /// [drawn](vehicle_core::vehicle::ReadVehicle::wheel_local_pose) at full compression. A vehicle
    /// that sleeps wakes. A wheel that was [lost](Self::lose_wheel) brings its mass back; its body
    /// stays in the world, unlike that of one that is [refitted](Self::refit_wheel).
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic, or there is no such wheel. If the wheel was lost, and
    /// the vehicle cannot [get its mass back](Drivable::change_mechanics). Nothing has changed
    /// then.
    pub fn attach_wheel(
        &mut self,
        bodies: &mut RigidBodySet,
        wheel: usize,
    ) -> Result<(), ChangeError> {
        self.actor.dynamic_body(bodies)?;
        self.check_wheel_lists(wheel)?;
        if let Some(shift) = self.change_lost_parts(&self.seldom.lost_parts().without(wheel))? {
            self.load_body(bodies, None, shift);
        }
        self.vehicle.mechanics().state.attach_wheel(wheel)?;
        bodies[self.actor.body].wake_up(true);
        Ok(())
    }
}
