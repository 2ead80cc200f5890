//! Cars that stand on what other vehicles, or machines, carry.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::{Fleet, RapierVehicle};

use crate::common::drive;
use crate::common::saloon::{direct_saloon, insert_saloon, massless_mechanics, saloon_rest_height};

type Car = RapierVehicle<DirectDriveVehicle>;

/// Height of the deck over the carrier's center of mass (m).
const DECK: Real = 0.8;

/// A world with a slope of 0.1 rad, up along z.
fn slope(rate: Real) -> (PhysicsWorld, Rotation, Vector) {
    let angle: Real = 0.1;
    let normal = Vector::new(0.0, angle.cos(), -angle.sin());
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    world.insert_collider(ColliderBuilder::new(SharedShape::halfspace(normal)).friction(1.0), None);
    (world, Rotation::from_rotation_x(-angle), normal)
}

/// A carrier with a deck, braked on the slope, and a car that is parked on its deck.
fn carrier_and_car(
    world: &mut PhysicsWorld,
    rotation: Rotation,
    normal: Vector,
    params: &DirectDriveParams,
    substeps: u32,
) -> [Car; 2] {
    let height = saloon_rest_height();
    let mut parked = |height: Real| {
        let pose = Pose::from_parts(normal * height, rotation);
        let mut car = insert_saloon(world, params.clone(), pose, substeps);
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

/// Who looks at the world and writes to it when.
#[derive(Clone, Copy, Debug)]
enum Order {
    CarrierFirst,
    CarFirst,
    /// All look, then all write.
    Fleet,
}

#[test]
fn a_car_parked_on_another_vehicle_stays_there_in_any_order() {
    let massless = DirectDriveParams { mechanics: massless_mechanics(), ..direct_saloon() };
    check_parked_on_another(&direct_saloon());
    check_parked_on_another(&massless);
}

fn check_parked_on_another(params: &DirectDriveParams) {
    for (pushes_ground, order, rate, substeps) in [false, true].into_iter().flat_map(|pushes| {
        [Order::CarrierFirst, Order::CarFirst, Order::Fleet].into_iter().flat_map(move |order| {
            [(60.0, 1), (60.0, 3), (240.0, 1), (240.0, 3)]
                .map(|(rate, substeps)| (pushes, order, rate, substeps))
        })
    }) {
        let (mut world, rotation, normal) = slope(rate);
        let mut cars = carrier_and_car(&mut world, rotation, normal, params, substeps);
        for car in &mut cars {
            car.road.pushes_ground = pushes_ground;
        }
        let bodies = cars.each_ref().map(|car| car.actor.body);
        if let Order::CarFirst = order {
            cars.reverse();
        }
        let mut fleet = Fleet::new();
        let mut apart = Vec::from(cars);
        if let Order::Fleet = order {
            for car in apart.drain(..) {
                fleet.insert(car);
            }
        }
        let mut drive = |world: &mut PhysicsWorld, seconds: Real| {
            for _ in 0..(seconds * rate) as usize {
                for car in &mut apart {
                    car.update(&mut *world).expect("the car can be driven");
                }
                if let Order::Fleet = order {
                    assert!(fleet.step(world).is_empty());
                } else {
                    world.step();
                }
            }
            bodies.map(|body| world.bodies[body].translation())
        };
        let before = drive(&mut world, 5.0);
        let after = drive(&mut world, 40.0);
        for (what, before, after) in
            [("carrier", before[0], after[0]), ("car", before[1], after[1])]
        {
            let moved = before.distance(after);
            assert!(
                moved < 0.01,
                "{what}, pushes: {pushes_ground}, {order:?}, {rate} Hz, {substeps} substeps: {moved} m"
            );
        }
    }
}

#[test]
fn a_carousel_near_the_limit_of_grip_keeps_its_car() {
    for (rate, substeps) in [30.0, 60.0, 240.0].into_iter().flat_map(|rate| [(rate, 1), (rate, 3)])
    {
        // v² / r = 0.82 μ g
        let radius: Real = 8.0;
        let speed = (0.82 * 9.81 / radius).sqrt();
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = 1.0 / rate;
        let slab = ColliderBuilder::cuboid(30.0, 0.5, 30.0).translation(Vector::Y * -0.5);
        let spin = RigidBodyBuilder::kinematic_velocity_based();
        let (carousel, _) = world.insert(spin, slab.friction(1.0));
        world.step();
        let pose = Pose::from_translation(Vector::new(radius, saloon_rest_height(), 0.0));
        let mut car = insert_saloon(&mut world, direct_saloon(), pose, substeps);
        car.vehicle.commands.brakes[0] = 1.0;
        drive(&mut world, &mut car, 1.0);
        let frames = (5.0 * rate) as usize;
        for frame in 1..=frames {
            let part = frame as Real / frames as Real;
            world.bodies[carousel].set_angvel(Vector::Y * speed * part, true);
            car.step(&mut world).expect("the car can be driven");
        }
        let body = car.actor.body;
        let distance = |world: &PhysicsWorld| {
            let place = world.bodies[body].center_of_mass();
            place.x.hypot(place.z)
        };
        let before = distance(&world);
        for _ in 0..(30.0 * rate) as usize {
            car.step(&mut world).expect("the car can be driven");
        }
        let moved = distance(&world) - before;
        assert!(moved.abs() < 0.05, "{rate} Hz, {substeps} substeps: {moved} m");
    }
}
