//! Vehicles from files in a fleet.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::fleet::{Fleet, VehicleHandle};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{AnyDriveVehicle, AnySnapshot, Preset};

const DT: Real = 1.0 / 60.0;
/// Steps in which cars launch, brake and stand.
const STEPS: usize = 150;
/// How often each preset is in the crowd.
const COPIES: usize = 5;

type Handle = VehicleHandle<AnyDriveVehicle>;

/// A crowd of all presets, those of one kind apart from each other, on a road with bumps.
fn crowd() -> (PhysicsWorld, Vec<AnyRapierVehicle>) {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let road = ColliderBuilder::cuboid(2_000.0, 1.0, 2_000.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    let models: Vec<_> =
        Preset::ALL.iter().map(|preset| AnyVehicle::preset(preset.name).expect("valid")).collect();
    let mut cars = Vec::new();
    for copy in 0..COPIES {
        for (number, model) in models.iter().enumerate() {
            let place = Vector::new(
                20.0 * number as Real,
                model.standing_height(9.81),
                60.0 * copy as Real,
            );
            cars.push(model.insert(&mut world, Pose::from_translation(place)));
            let bump = ColliderBuilder::cuboid(4.0, 0.04, 0.3);
            world.insert_collider(bump.translation(place.with_y(0.0) + Vector::Z * 8.0), None);
        }
    }
    world.detect_collisions(&(), &());
    (world, cars)
}

/// What the driver of the car of this `number` does at a `step`.
fn drive(car: &mut AnyRapierVehicle, number: usize, step: usize) {
    let commands = car.commands_mut();
    (commands.throttle, commands.brakes[0]) = match step {
        0..90 => (0.4 + 0.1 * (number % 5) as Real, 0.0),
        _ => (0.0, 0.8),
    };
    commands.steer = 0.05 * (number % 7) as Real - 0.15;
}

fn snapshots<'a>(
    cars: impl Iterator<Item = &'a AnyRapierVehicle>,
    world: &PhysicsWorld,
) -> Vec<AnySnapshot> {
    cars.map(|car| car.snapshot(&world.bodies).expect("a body")).collect()
}

/// The crowd after it has driven, each car by itself.
fn one_by_one() -> Vec<AnySnapshot> {
    let (mut world, mut cars) = crowd();
    for step in 0..STEPS {
        for (number, car) in cars.iter_mut().enumerate() {
            drive(car, number, step);
            let _awake = car.update(&mut world).expect("drives");
        }
        world.step();
    }
    snapshots(cars.iter(), &world)
}

/// The crowd after it has driven as a fleet on so many `threads`.
fn as_fleet(threads: usize) -> Vec<AnySnapshot> {
    let (mut world, cars) = crowd();
    let mut fleet = Fleet::new();
    let handles: Vec<Handle> = cars.into_iter().map(|car| fleet.insert(car)).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        for step in 0..STEPS {
            for (number, &handle) in handles.iter().enumerate() {
                drive(&mut fleet[handle], number, step);
            }
            let faults = fleet.step(&mut world);
            assert!(faults.is_empty(), "{faults:?}");
        }
    });
    snapshots(handles.iter().map(|&handle| &fleet[handle]), &world)
}

#[test]
fn crowds_of_presets_have_the_bits_of_each_by_itself_on_any_number_of_threads() {
    let expected = one_by_one();
    assert_eq!(expected.len(), COPIES * Preset::ALL.len());
    for threads in [1, 2] {
        let found = as_fleet(threads);
        for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let name = Preset::ALL[number % Preset::ALL.len()].name;
            assert!(found == expected, "{name}, on {threads} threads");
        }
    }
}

#[test]
fn a_trailer_in_a_fleet_follows_its_tractor() {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());
    let model = AnyVehicle::preset("semi_tractor").expect("valid");
    let place = Pose::from_translation(Vector::Y * model.standing_height(9.81));
    let mut tractor = model.insert(&mut world, place);
    let trailer = AnyVehicle::preset("semi_trailer").expect("valid");
    let trailer =
        tractor.insert_trailer("fifth wheel", &trailer, "kingpin", &mut world).expect("they fit");
    tractor.select(Selector::Drive);
    let mut fleet = Fleet::new();
    let (tractor, trailer) = (fleet.insert(tractor), fleet.insert(trailer));
    fleet.tow(tractor, trailer).expect("both are there");
    let drive = |fleet: &mut Fleet, world: &mut PhysicsWorld, throttle: Real, brake: Real| {
        for _ in 0..180 {
            for (_, car) in fleet.iter_mut::<AnyDriveVehicle>() {
                let commands = car.commands_mut();
                (commands.throttle, commands.brakes[0]) = (throttle, brake);
            }
            assert!(fleet.step(world).is_empty());
        }
    };
    drive(&mut fleet, &mut world, 0.0, 1.0);
    drive(&mut fleet, &mut world, 1.0, 0.0);
    let speed = fleet[trailer].forward_speed();
    assert!(1.0 < speed, "the trailer rolls at {speed} m/s");
    assert_eq!(fleet.len(), 2);
    let removed = fleet.remove(trailer).expect("it is there");
    assert!(fleet.get(trailer).is_none());
    removed.remove(&mut world);
    drive(&mut fleet, &mut world, 1.0, 0.0);
    assert!(speed < fleet[tractor].forward_speed());
}
