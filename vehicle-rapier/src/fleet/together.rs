//! Vehicles that are kept elsewhere and updated as those of a fleet.

use crate::actor::Activity;
use crate::advance::{Outcome, advance_side_by_side, for_each_group};
use crate::drivable::Drivable;
use crate::scene::{Queries, Scene};
use crate::vehicle::{RapierVehicle, StepError};

/// A vehicle and the result of its step.
type Updated<'a, V> = (&'a mut RapierVehicle<V>, Outcome);

/// Updates vehicles that their application keeps itself, such as in components of entities, before
/// the world's step. It does so as a [`Fleet`](crate::Fleet) does: by all threads at hand, and with
/// the bits of a fleet into which they were inserted in this order. Put those of one sequence next
/// to each other: they take each stage side by side.
///
/// The result has one element for each vehicle, as of [`RapierVehicle::update`]; one with an error
/// stays as it was.
pub fn update_together<'a, 'v, V: Drivable + Send + Sync + 'v>(
    vehicles: impl IntoIterator<Item = &'v mut RapierVehicle<V>>,
    scene: impl Into<Scene<'a>>,
) -> Vec<Result<Activity, StepError>> {
    let mut scene = scene.into();
    let begun = vehicles.into_iter().map(|vehicle| {
        let outcome = vehicle.begin(&mut scene).map_err(Box::new);
        (vehicle, outcome)
    });
    let mut updated: Vec<Updated<'_, V>> = begun.collect();
    let world = scene.queries();
    for_each_group(&mut updated, |vehicles| advance(vehicles, &world));
    let pushes_ground = updated
        .iter()
        .any(|(vehicle, outcome)| *outcome == Ok(Activity::Awake) && vehicle.pushes_ground());
    for (vehicle, outcome) in updated.iter_mut().filter(|_| pushes_ground) {
        if *outcome == Ok(Activity::Awake)
            && let Err(error) = vehicle.push(&mut scene)
        {
            *outcome = Err(error.into());
        }
    }
    let ended = updated.into_iter().map(|(vehicle, outcome)| {
        let mut outcome = outcome.map_err(|error| *error);
        if outcome == Ok(Activity::Awake) {
            outcome = vehicle.finish(&mut scene, pushes_ground).map(|()| Activity::Awake);
        }
        if let Err(error) = &outcome {
            vehicle.give_up(error, scene.bodies);
        }
        outcome
    });
    ended.collect()
}

fn advance<V: Drivable>(vehicles: &mut [Updated<'_, V>], world: &Queries<'_>) {
    let awake = vehicles.iter_mut().filter(|(_, outcome)| *outcome == Ok(Activity::Awake));
    advance_side_by_side(awake.map(|(vehicle, outcome)| (&mut **vehicle, outcome)), world);
}
