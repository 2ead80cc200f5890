//! The stages of a vehicle, in order, around those of its drivetrain.

use crate::aerodynamics::{Aerodynamics, HasAerodynamics};
use crate::brakes::HasBrakes;
use crate::constraint_rows::{ConstraintRows, HasConstraintRows};
use crate::ground::{Ground, HasGround};
use crate::rigid_body::{ClearExternalForces, HasRigidBody, RigidBody};
use crate::road_geometry::{HasRoadGeometry, RoadGeometry};
use crate::steering::{HasSteering, SteeringFeedback};
use crate::suspension::{HasSuspension, Suspension};
use crate::tire::{HasTires, Tire};
use crate::wheel::{HasWheels, Wheel};
use crate::{Component, ComponentSequence};

/// A vehicle that has what the stages of this crate ask for: one on the ready-made mechanical base,
/// one that [wraps](super::Wraps) such a vehicle, or one of any storage that lends each view.
pub trait HasStages:
    HasBrakes
    + HasSteering
    + HasAerodynamics
    + HasRoadGeometry
    + HasSuspension
    + HasTires
    + HasConstraintRows
    + HasRigidBody
    + HasGround
    + HasWheels
{
}

impl<V> HasStages for V where
    V: HasBrakes
        + HasSteering
        + HasAerodynamics
        + HasRoadGeometry
        + HasSuspension
        + HasTires
        + HasConstraintRows
        + HasRigidBody
        + HasGround
        + HasWheels
        + ?Sized
{
}

/// The stages of a vehicle, in order: `inputs`, which find torques and steer angles, those of a
/// frame, and `count` substeps of the stiff ones, in which `drive` turns the wheels.
///
/// A drivetrain of one's own has a sequence by it: `inputs` begin with
/// [`Brakes`](crate::brakes::Brakes) and [`Steering`](crate::steering::Steering), if there is a
/// driver.
pub fn vehicle_sequence<V: HasStages + ?Sized>(
    inputs: ComponentSequence<V>,
    drive: impl Component<V> + 'static,
    count: impl Fn(&V) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<V> {
    vehicle_sequence_with(inputs, |tires| tires, |group| group.then(drive), count)
}

/// The stages of a vehicle, with those that `after_tires` puts after the tires, in each substep,
/// such as [`TreadContact`](super::TreadContact), and those by which `drive` turns the wheels: both
/// are given the group up to there.
pub fn vehicle_sequence_with<V: HasStages + ?Sized>(
    inputs: ComponentSequence<V>,
    after_tires: impl FnOnce(ComponentSequence<V>) -> ComponentSequence<V>,
    drive: impl FnOnce(ComponentSequence<V>) -> ComponentSequence<V>,
    count: impl Fn(&V) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<V> {
    inputs
        .then(Aerodynamics)
        .then(RoadGeometry)
        .substeps(count, |group| {
            let group = after_tires(group.then(Suspension).then(Tire)).then(ConstraintRows);
            drive(group).then(SteeringFeedback).then(RigidBody).then(Ground)
        })
        .then(Wheel)
        .then(ClearExternalForces)
}
