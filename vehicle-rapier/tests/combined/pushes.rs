//! Vehicles that push each other with their wheels while they are updated together.

use rapier3d::prelude::*;
use vehicle_rapier::core::sequence::SIDE_BY_SIDE;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::fleet::update_together;
use vehicle_rapier::{Fleet, RapierVehicle};

use crate::common::DT;
use crate::common::saloon::{direct_saloon, insert_saloon, massless_mechanics, saloon_rest_height};

type Car = RapierVehicle<DirectDriveVehicle>;

/// Height of the deck over the carrier's center of mass (m).
const DECK: Real = 0.8;
/// Speed at which the car comes onto the deck (m/s).
const SPEED: Real = 1.0;

/// Who updates the vehicles.
#[derive(Clone, Copy, Debug)]
enum By {
    Fleet,
    Together,
}

/// Momenta of carrier and car (N·s) at the end of each step. Nothing is around them, and the car
/// comes onto the deck of the carrier.
fn momenta(params: &DirectDriveParams, is_car_first: bool, by: By) -> Vec<[Vector; 2]> {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    world.gravity = Vector::ZERO;
    let mut insert = |height: Real| {
        let pose = Pose::from_translation(Vector::Y * height);
        insert_saloon(&mut world, params.clone(), pose, 3)
    };
    let (carrier, mut car) = (insert(0.0), insert(saloon_rest_height() + DECK + 0.1));
    car.road.pushes_ground = true;
    let deck = ColliderBuilder::cuboid(1.5, 0.05, 3.0)
        .translation(Vector::Y * (DECK - 0.05))
        .friction(1.0)
        .density(0.0);
    world.insert_collider(deck, Some(carrier.actor.body));
    world.detect_collisions(&(), &());
    world.bodies[car.actor.body].set_linvel(Vector::Y * -SPEED, true);
    let bodies = [&carrier, &car].map(|car| car.actor.body);
    let mut vehicles: Vec<Car> = vec![carrier, car];
    if is_car_first {
        vehicles.reverse();
    }
    let mut fleet = Fleet::new();
    if let By::Fleet = by {
        for vehicle in vehicles.drain(..) {
            fleet.insert(vehicle);
        }
    }
    let mut step = |world: &mut PhysicsWorld| {
        match by {
            By::Fleet => assert_eq!(fleet.update(&mut *world), []),
            By::Together => {
                let outcomes = update_together(&mut vehicles, &mut *world);
                assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
            }
        }
        world.step();
        bodies.map(|body| world.bodies[body].linvel() * world.bodies[body].mass())
    };
    (0..90).map(|_| step(&mut world)).collect()
}

#[test]
fn a_car_pushes_the_vehicle_on_which_it_comes_down_in_any_order() {
    const { assert!(2 <= SIDE_BY_SIDE, "they advance side by side") };
    let massless = DirectDriveParams { mechanics: massless_mechanics(), ..direct_saloon() };
    for (name, params) in [("wheels with mass", direct_saloon()), ("massless", massless)] {
        let runs =
            [(false, By::Fleet), (true, By::Fleet), (false, By::Together), (true, By::Together)]
                .map(|(is_car_first, by)| momenta(&params, is_car_first, by));
        let whole = params.mechanics.rigid_body.mass * SPEED;
        let [carrier, car] = *runs[0].last().expect("steps");
        let sum = carrier + car + Vector::Y * whole;
        assert!(sum.length() < 0.01 * whole, "{name}: {carrier} and {car} of {whole} N·s");
        assert!(carrier.y < -0.5 * whole, "{name}: the carrier has {carrier} of {whole} N·s");
        for (run, momenta) in runs.iter().enumerate() {
            for (step, (found, expected)) in momenta.iter().zip(&runs[0]).enumerate() {
                for (found, expected) in found.iter().zip(expected) {
                    let error = found.distance(*expected);
                    assert!(
                        error < 1e-3 * whole,
                        "{name}, run {run}, step {step}: {found}, not {expected}"
                    );
                }
            }
        }
    }
}
