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
use vehicle_core::error::{ParamCheck, Validate};
use vehicle_core::mass_distribution::MassDistribution;
use vehicle_core::suspension::SprungMassError;
use vehicle_core::vehicle::{ChangeMechanics, HasMechanics};
use vehicle_core::{Frame, ParamErrors};

use crate::actor::ActorError;
use crate::chassis::mass_properties;
use crate::drivable::Drivable;
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
    /// Mass and inertia of the vehicle, and its center of mass in the body.
    pub fn mass(&self) -> MassDistribution {
        MassDistribution {
            rigid_body: *self.vehicle.body_params(),
            center_of_mass: self.actor.center_of_mass.translation,
        }
    }

    /// Changes the mass of the vehicle and of its body, to load or unload it. `mass` has its center
    /// of mass in the body (m), and its moments of inertia about the principal axes, which stay.
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
    /// If the body is gone or not dynamic, `mass` has a fault, or the wheels cannot balance it. A
    /// center of mass outside the wheels is one: a sprung mass would be negative.
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
        self.actor.dynamic_body(bodies)?;
        let present = self.actor.center_of_mass;
        let center_of_mass = Pose::from_parts(mass.center_of_mass, present.rotation);
        let shift = present.rotation.inverse() * (center_of_mass.translation - present.translation);
        self.change_mass(mass, shift, sprung_masses)?;

        self.actor.center_of_mass = center_of_mass;
        let body = &mut bodies[self.actor.body];
        let moved = *body.rotation() * (present.rotation * shift);
        let velocity = body.linvel() + body.angvel().cross(moved);
        body.set_additional_mass_properties(
            mass_properties(&mass.rigid_body, &center_of_mass),
            true,
        );
        body.recompute_mass_properties_from_colliders(colliders);
        body.set_linvel(velocity, true);
        body.wake_up(true);
        self.actor.read(&mut self.vehicle, &bodies[self.actor.body]);
        Ok(())
    }

    /// Changes the parameters of the vehicle to a mass whose center is `shift` (m, body frame) from
    /// the present one.
    fn change_mass(
        &mut self,
        mass: &MassDistribution,
        shift: Vector,
        sprung_masses: SprungMasses,
    ) -> Result<(), ChangeError> {
        let frame: Frame = self.params.coordinates.frame;
        let state = self.vehicle.read_mechanics().state;
        let loaded = self.vehicle.mechanical_params().clone().with_mass(mass.rigid_body, shift);
        let loaded = match sprung_masses {
            SprungMasses::Balance => {
                loaded.with_balanced_sprung_masses(&state.attached_wheels(), &frame)?
            }
            SprungMasses::Keep => loaded,
        };
        Ok(self.vehicle.set_mechanics(loaded)?)
    }
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

    /// Puts `wheel` on again, at rest and at full droop. A vehicle that sleeps wakes.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic, or there is no such wheel.
    pub fn attach_wheel(
        &mut self,
        bodies: &mut RigidBodySet,
        wheel: usize,
    ) -> Result<(), ChangeError> {
        self.actor.dynamic_body(bodies)?;
        self.vehicle.mechanics().state.attach_wheel(wheel)?;
        bodies[self.actor.body].wake_up(true);
        Ok(())
    }
}
