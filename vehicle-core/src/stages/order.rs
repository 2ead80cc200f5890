//! The stages of a vehicle, in order, around those of its drivetrain.

use super::{
    Aerodynamics, ClearExternalForces, ConstraintRows, Ground, RigidBody, RoadGeometry,
    SteeringFeedback, Suspension, Tire, WheelRotation,
};
use crate::vehicle::HasMechanics;
use crate::{Component, ComponentSequence};

/// The stages of a vehicle, in order. First `inputs` find torques and steer angles, then come those
/// of a frame, and `count` substeps of the stiff ones, in which `drive` turns the wheels.
///
/// A drivetrain of one's own has a sequence by it: `inputs` begin with
/// [`Brakes`](super::Brakes) and [`Steering`](super::Steering), if there is a
/// driver.
pub fn vehicle_sequence<V: HasMechanics + ?Sized>(
    inputs: ComponentSequence<V>,
    drive: impl Component<V> + 'static,
    count: impl Fn(&V) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<V> {
    vehicle_sequence_with(inputs, |tires| tires, |group| group.then(drive), count)
}

/// The stages of a vehicle, with those by which `drive` turns the wheels. `after_tires` puts its
/// own, such as [`TreadContact`](crate::vehicle::TreadContact), after the tires in each substep.
/// Both are given the group up to there.
pub fn vehicle_sequence_with<V: HasMechanics + ?Sized>(
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
        .then(WheelRotation)
        .then(ClearExternalForces)
}
