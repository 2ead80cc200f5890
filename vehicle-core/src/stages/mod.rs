//! The stages of a vehicle as components, and their order around those of its drivetrain.
//!
//! Each asks a vehicle for its [mechanical base](crate::vehicle::Mechanics), takes a view of it,
//! and runs the stage of that view's module. A stage of your own does so too, and takes its place
//! between them, or that of one of them:
//!
//! ```
//! use std::ops::ControlFlow::{self, Continue};
//! use vehicle_core::math::Real;
//! use vehicle_core::prelude::*;
//!
//! /// Lets go of the brakes of wheels in the air.
//! fn release_in_the_air<V: HasMechanics>(
//!     vehicle: &mut V,
//!     _: Real,
//!     _: &Context<'_>,
//! ) -> ControlFlow<()> {
//!     let state = vehicle.mechanics().state;
//!     for wheel in 0..state.suspensions.len() {
//!         if !state.suspensions.of(wheel).is_on_ground() {
//!             state.brake_torques[wheel] = 0.0;
//!         }
//!     }
//!     Continue(())
//! }
//!
//! # fn stages<V: HasMechanics + 'static>() -> Result<(), Box<dyn std::error::Error>> {
//! let stages = ComponentSequence::<V>::new().then(Brakes).then(Steering);
//! let stages = stages.insert_after::<Brakes>(release_in_the_air::<V>)?;
//! # Ok(())
//! # }
//! ```

mod legacy;
mod order;

use std::ops::ControlFlow::{self, Continue};

pub use self::legacy::{LegacySuspension, LegacyTire};
pub use self::order::{vehicle_sequence, vehicle_sequence_with};
use crate::math::{Real, Vec3};
use crate::suspension::lead;
use crate::vehicle::{HasMechanics, SuspensionKind};
use crate::{Component, Context};

/// Finds brake torques from the pedals: [`BrakesView::update`](crate::brakes::BrakesView::update).
#[derive(Clone, Copy, Debug)]
pub struct Brakes;

impl<V: HasMechanics + ?Sized> Component<V> for Brakes {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        let mechanics = vehicle.mechanics();
        mechanics.state.watch.begin();
        mechanics.brakes().update(context);
        Continue(())
    }
}

/// Finds steer angles from the steering wheel:
/// [`SteeringView::update`](crate::steering::SteeringView::update).
#[derive(Clone, Copy, Debug)]
pub struct Steering;

impl<V: HasMechanics + ?Sized> Component<V> for Steering {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.mechanics().steering().update(context);
        Continue(())
    }
}

/// Finds the force of the air, once in a frame, before the substeps:
/// [`AerodynamicsView::update`](crate::aerodynamics::AerodynamicsView::update).
#[derive(Clone, Copy, Debug)]
pub struct Aerodynamics;

impl<V: HasMechanics + ?Sized> Component<V> for Aerodynamics {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.mechanics().aerodynamics().update(context);
        Continue(())
    }
}

/// Finds the road under each wheel, and ahead of wheels with mass:
/// [`RoadGeometryView::update`](crate::road_geometry::RoadGeometryView::update).
#[derive(Clone, Copy, Debug)]
pub struct RoadGeometry;

impl<V: HasMechanics + ?Sized> Component<V> for RoadGeometry {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        match vehicle.mechanics().road_ahead() {
            Some(view) => view.update(dt, context),
            None => vehicle.mechanics().road_geometry().update(context),
        }
        Continue(())
    }
}

/// Finds jounces, loads and forces of all suspensions, of the
/// [kind](crate::vehicle::SuspensionKind) that the vehicle has.
#[derive(Clone, Copy, Debug)]
pub struct Suspension;

impl<V: HasMechanics + ?Sized> Component<V> for Suspension {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        if let Some(view) = vehicle.mechanics().road_path() {
            lead(view, dt, context);
        }
        match vehicle.mechanics().suspension_of_kind() {
            SuspensionKind::Springs(view) => view.update(dt, context),
            SuspensionKind::Struts(view, struts) => view.update_on(struts, dt, context),
            SuspensionKind::Unsprung(view) => {
                view.update(dt, context);
                vehicle.mechanics().state.note_suspensions(context.substep);
            }
        }
        Continue(())
    }
}

/// Finds slips and forces of all tires: [`TireView::update`](crate::tire::TireView::update).
#[derive(Clone, Copy, Debug)]
pub struct Tire;

impl<V: HasMechanics + ?Sized> Component<V> for Tire {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.mechanics().tires().update(dt, context);
        Continue(())
    }
}

/// Finds the rows that hold sticky tires and stop suspensions, after the tires; the rigid body
/// executes them:
/// [`ConstraintRowsView::update`](crate::constraint_rows::ConstraintRowsView::update).
#[derive(Clone, Copy, Debug)]
pub struct ConstraintRows;

impl<V: HasMechanics + ?Sized> Component<V> for ConstraintRows {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.mechanics().constraint_rows().update(dt, context);
        Continue(())
    }
}

/// Finds the [moments](crate::steering::kingpin_moment) about the steering axes, and turns a
/// steering wheel that is free; nothing in a vehicle without a [steering
/// system](crate::steering::SteeringSystemParams).
///
/// It comes in each substep, after the drivetrain, with which tires have their forces, and before
/// the rigid body, which feels the moments of [twisted contacts](crate::steering#parking).
#[derive(Clone, Copy, Debug)]
pub struct SteeringFeedback;

impl<V: HasMechanics + ?Sized> Component<V> for SteeringFeedback {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        // Most vehicles have no steering system.
        if let Some(mut steered) = vehicle.mechanics().steering().steered_tires(context) {
            steered.look_at_brakes(&vehicle.mechanics().brakes());
            steered.look_at_tires(&vehicle.mechanics().tires(), dt, context);
            vehicle.mechanics().steering().turn(&mut steered, dt, context);
            steered.turn_body(&mut vehicle.mechanics().tires());
        }
        Continue(())
    }
}

/// Sums all forces, executes the rows and moves the body:
/// [`RigidBodyView::update`](crate::rigid_body::RigidBodyView::update).
#[derive(Clone, Copy, Debug)]
pub struct RigidBody;

impl<V: HasMechanics + ?Sized> Component<V> for RigidBody {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        let mechanics = vehicle.mechanics();
        mechanics.state.look_at_loads(context.substep);
        mechanics.rigid_body().update(dt, context);
        Continue(())
    }
}

/// Pushes the ground under each wheel, and moves its plane on, at the end of a substep, after the
/// rigid body has executed its rows: [`GroundView::update`](crate::ground::GroundView::update).
#[derive(Clone, Copy, Debug)]
pub struct Ground;

impl<V: HasMechanics + ?Sized> Component<V> for Ground {
    fn update(&self, vehicle: &mut V, dt: Real, _: &Context<'_>) -> ControlFlow<()> {
        vehicle.mechanics().ground().update(dt);
        Continue(())
    }
}

/// Turns the wheels to be seen: [`WheelView::update`](crate::wheel::WheelView::update).
#[derive(Clone, Copy, Debug)]
pub struct WheelRotation;

impl<V: HasMechanics + ?Sized> Component<V> for WheelRotation {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.mechanics().wheels().update(dt, context);
        Continue(())
    }
}

/// Forgets the external force and torque: the last component of a frame, so that they act through
/// all of its substeps.
#[derive(Clone, Copy, Debug)]
pub struct ClearExternalForces;

impl<V: HasMechanics + ?Sized> Component<V> for ClearExternalForces {
    fn update(&self, vehicle: &mut V, _dt: Real, _: &Context<'_>) -> ControlFlow<()> {
        let body = &mut vehicle.mechanics().state.rigid_body;
        (body.external_force, body.external_torque) = (Vec3::ZERO, Vec3::ZERO);
        Continue(())
    }
}
