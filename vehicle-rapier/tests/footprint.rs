//! What a fleet takes of the machine's memory.

use rapier3d::prelude::*;
use snippets::crowd::Models;
use snippets::vehicles::sample_chassis;
use vehicle_core::ParamErrors;
use vehicle_core::rigid_body::RigidBodyParams;
use vehicle_rapier::{Drivable, Fleet, RapierVehicle};

/// Vehicles of a fleet: a power of two, for which lists that grow by doubling have no room to
/// spare.
const COUNT: usize = 1_024;

/// Memory that each of [`COUNT`] things takes (bytes), of which `insert` puts one in its place.
fn bytes_each(mut insert: impl FnMut(Pose)) -> usize {
    let memory = allocation_counter::measure(|| {
        for index in 0..COUNT {
            insert(Pose::from_translation(Vector::new(10.0 * index as Real, 1.0, 0.0)));
        }
    });
    usize::try_from(memory.bytes_current).expect("more than before") / COUNT
}

/// Memory of a body with its collider in a world (bytes).
fn bytes_of_a_body() -> usize {
    let mut world = PhysicsWorld::new();
    let params = RigidBodyParams { mass: 1_000.0, inertia: Vector::splat(1_000.0) };
    bytes_each(|place| {
        let _actor = sample_chassis(&params, place).insert(&mut world.bodies, &mut world.colliders);
    })
}

/// Memory of a vehicle in a fleet, its body included (bytes).
fn bytes_of_a_vehicle<V: Drivable + Send + Sync + 'static>(
    insert: impl Fn(&Models, &mut PhysicsWorld, Pose) -> Result<RapierVehicle<V>, ParamErrors>,
) -> usize {
    let models = Models::new().expect("valid data");
    let (mut world, mut fleet) = (PhysicsWorld::new(), Fleet::new());
    let bytes = bytes_each(|place| {
        fleet.insert(insert(&models, &mut world, place).expect("valid parameters"));
    });
    assert_eq!(fleet.len(), COUNT);
    bytes
}

#[test]
fn a_vehicle_of_four_wheels_adds_at_most_65_lines_of_a_cache_to_its_body() {
    let body = bytes_of_a_body();
    let vehicles = [bytes_of_a_vehicle(Models::car), bytes_of_a_vehicle(Models::engine_car)];
    eprintln!("body {body} bytes, with direct drive and engine {vehicles:?}");
    for vehicle in vehicles {
        assert!(body + 2_048 < vehicle, "{vehicle} bytes are too few to be all");
        assert!(vehicle - body <= 65 * 64, "{} bytes", vehicle - body);
    }
}
