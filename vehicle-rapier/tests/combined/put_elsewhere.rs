//! Vehicles that seldom look for their road, and whose bodies are put elsewhere.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use snippets::vehicles::SAMPLE_REST_HEIGHT;
use vehicle_rapier::vehicle_file::AnyVehicle;
use vehicle_rapier::{Activity, Detail, RapierVehicle};

use crate::common::{DT, car, drive};

const COARSE: Detail = Detail { road_period: 30, max_substeps: 1, ..Detail::FULL };
/// Height of the place to which bodies are put (m).
const TERRACE: Real = 3.0;

#[test]
fn a_body_that_is_put_elsewhere_by_hand_finds_its_road_in_the_next_step() {
    type Put = fn(&mut PhysicsWorld, RigidBodyHandle, &mut dyn FnMut(&mut PhysicsWorld));
    const PLACE: Vector = Vector::new(100.0, TERRACE + SAMPLE_REST_HEIGHT, 0.0);
    let ways: [(&str, Put); 2] = [
        ("at once", |world, body, _| world.bodies[body].set_translation(PLACE, true)),
        ("as it was kinematic", |world, body, step| {
            world.bodies[body].set_body_type(RigidBodyType::KinematicPositionBased, true);
            step(world);
            world.bodies[body].set_translation(PLACE, true);
            world.step();
            world.bodies[body].set_body_type(RigidBodyType::Dynamic, true);
            world.bodies[body].set_vels(RigidBodyVelocity::zero(), true);
        }),
    ];
    for (name, put) in ways {
        let mut world = level_world(DT, 1.0);
        let terrace = ColliderBuilder::cuboid(20.0, 1.0, 20.0).friction(1.0);
        world.insert_collider(terrace.translation(Vector::new(100.0, TERRACE - 1.0, 0.0)), None);
        let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
        car.detail = COARSE;
        car.vehicle.commands.brakes[0] = 1.0;
        drive(&mut world, &mut car, 1.1);
        let body = car.actor.body;
        let mut step = |world: &mut PhysicsWorld| {
            car.update(&mut *world).expect_err("a kinematic body");
        };
        put(&mut world, body, &mut step);
        drive(&mut world, &mut car, DT);
        let heights = heights(&car);
        let is_there = |height: &Real| (height - TERRACE).abs() < 0.01;
        assert!(heights.iter().all(is_there), "{name}: wheels stand at {heights:?} m");
    }
}

#[test]
fn a_sleeping_car_that_is_teleported_to_where_it_is_wakes() {
    let mut world = level_world(DT, 1.0);
    let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
    car.vehicle.commands.brakes[0] = 1.0;
    assert_eq!(drive(&mut world, &mut car, 4.0), Activity::Asleep);
    let pose = *world.bodies[car.actor.body].position();
    car.teleport(&mut world.bodies, pose).expect("a good pose");
    assert_eq!(drive(&mut world, &mut car, DT), Activity::Awake);
    let jounces = car.vehicle.state.mechanics.suspensions.iter();
    assert!(jounces.map(|state| state.compression.jounce).all(|jounce| jounce.is_some()));
}

#[test]
fn a_ready_made_vehicle_that_is_put_onto_something_by_hand_stands_on_it_at_once() {
    const LEAST_HEIGHT: Real = 0.97;
    for name in ["hot_hatch", "pick_up", "kart", "truck_6x6"] {
        let model = AnyVehicle::preset(name).expect("a preset");
        let stands = model.standing_height(9.81);
        for (height, speed) in [(0.2, 0.0), (0.3, 0.0), (TERRACE, 0.0), (TERRACE, 8.0)] {
            let mut world = level_world(DT, 1.0);
            let terrace = ColliderBuilder::cuboid(20.0, 1.0, 40.0).friction(1.0);
            let below = Vector::new(100.0, height - 1.0, 0.0);
            world.insert_collider(terrace.translation(below), None);
            world.detect_collisions(&(), &());
            let mut car = model.insert(&mut world, Pose::from_translation(Vector::Y * stands));
            car.set_velocity(&mut world.bodies, Vector::Z * speed).expect("a body");
            drive(&mut world, &mut car, 0.4);
            let body = car.body();
            let place = Vector::new(100.0, height + stands, 0.0);
            world.bodies[body].set_position(Pose::from_translation(place), true);
            let mut least = Real::INFINITY;
            for _ in 0..30 {
                drive(&mut world, &mut car, DT);
                least = least.min((world.bodies[body].translation().y - height) / stands);
            }
            let what = format!("{name} on {height} m at {speed} m/s");
            assert!(LEAST_HEIGHT < least, "{what}: as low as {least} of its height");
        }
    }
}

/// Heights of the roads under the wheels (m).
fn heights(car: &RapierVehicle<vehicle_rapier::drivetrain::DirectDriveVehicle>) -> Vec<Real> {
    let roads = &car.vehicle.state.mechanics.roads;
    roads.iter().flatten().map(|road| -road.plane.offset / road.plane.normal.y).collect()
}
