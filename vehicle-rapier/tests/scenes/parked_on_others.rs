//! Cars that stand on what other vehicles, or machines, carry.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::{Fleet, RapierVehicle};

use crate::common::saloon::{direct_saloon, insert_saloon, saloon_mechanics, saloon_rest_height};
use crate::common::drive;

type Car = RapierVehicle<DirectDriveVehicle>;

/// Height of the deck over the carrier's center of mass (m).
const DECK: Real = 0.8;

/// A world with a slope of 0.1 rad, up along z.
fn slope() -> (PhysicsWorld, Rotation, Vector) {
    let angle: Real = 0.1;
    let normal = Vector::new(0.0, angle.cos(), -angle.sin());
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / 60.0;
    world.insert_collider(ColliderBuilder::new(SharedShape::halfspace(normal)).friction(1.0), None);
    (world, Rotation::from_rotation_x(-angle), normal)
}

/// A carrier with a deck, braked on the slope, and a car that is parked on its deck.
fn carrier_and_car(world: &mut PhysicsWorld, rotation: Rotation, normal: Vector) -> [Car; 2] {
    let height = saloon_rest_height();
    let mut parked = |height: Real| {
        let pose = Pose::from_parts(normal * height, rotation);
        let mut car = insert_saloon(world, direct_saloon(), pose, 3);
        car.vehicle.commands.brakes[0] = 1.0;
        world.bodies[car.actor.body].activation_mut().normalized_linear_threshold = -1.0;
        car
    };
    let cars = [parked(height), parked(2.0 * height + DECK)];
    let deck = ColliderBuilder::cuboid(1.5, 0.05, 3.0)
        .translation(Vector::Y * (DECK - 0.05))
        .friction(1.0)
        .density(0.0);
    world.insert_collider(deck, Some(cars[0].actor.body));
    world.detect_collisions(&(), &());
    cars
}

#[test]
fn explore_hull() {
    let _ = saloon_mechanics;
    for pushes in [false, true] {
        for order in 0..3 {
            let (mut world, rotation, normal) = slope();
            let mut cars = carrier_and_car(&mut world, rotation, normal);
            for car in &mut cars {
                car.road.pushes_ground = pushes;
            }
            let bodies = [cars[0].actor.body, cars[1].actor.body];
            let uphill = rotation * Vector::Z;
            let place = |world: &PhysicsWorld| bodies.map(|body| world.bodies[body].translation());
            let mut start = place(&world);
            let mut fleet = Fleet::new();
            if order == 2 {
                for car in cars {
                    fleet.insert(car);
                }
                for step in 0..2700 {
                    assert!(fleet.step(&mut world).is_empty());
                    if step == 300 { start = place(&world); }
                }
            } else {
                if order == 1 { cars.reverse(); }
                for step in 0..2700 {
                    for car in &mut cars {
                        car.update(&mut world).unwrap();
                    }
                    world.step();
                    if step == 300 { start = place(&world); }
                }
            }
            let end = place(&world);
            println!("HULL pushes {pushes} order {order}: carrier {:.5} car {:.5} m uphill", (end[0]-start[0]).dot(uphill), (end[1]-start[1]).dot(uphill));
        }
    }
}

#[test]
fn explore_carousel() {
    for rate in [30.0, 60.0, 240.0] {
        for substeps in [1, 3] {
            let radius: Real = 8.0;
            let speed = (0.82 * 9.81 / radius).sqrt();
            let mut world = PhysicsWorld::new();
            world.integration_parameters.dt = 1.0 / rate;
            let spin = RigidBodyBuilder::kinematic_velocity_based();
            let slab = ColliderBuilder::cuboid(30.0, 0.5, 30.0).translation(Vector::Y * -0.5).friction(1.0);
            let (platform, _) = world.insert(spin, slab);
            world.step();
            let pose = Pose::from_translation(Vector::new(radius, saloon_rest_height(), 0.0));
            let mut car = insert_saloon(&mut world, direct_saloon(), pose, substeps);
            car.vehicle.commands.brakes[0] = 1.0;
            drive(&mut world, &mut car, 1.0);
            let frames = (5.0 * rate) as usize;
            for frame in 0..frames {
                world.bodies[platform].set_angvel(Vector::Y * speed * ((frame + 1) as Real / frames as Real), true);
                car.step(&mut world).unwrap();
            }
            let at = |world: &PhysicsWorld, car: &Car| { let p = world.bodies[car.actor.body].center_of_mass(); p.x.hypot(p.z) };
            let before = at(&world, &car);
            drive(&mut world, &mut car, 30.0);
            println!("CAROUSEL {rate} {substeps}: {before} to {} m", at(&world, &car));
        }
    }
}
