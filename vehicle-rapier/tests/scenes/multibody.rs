//! Vehicles whose chassis is a link of a multibody, and vehicles that stand on one.

use crate::common::hill::{Heading, Trial, parked};
use crate::common::{DT, EXECUTIONS, car, drive};
use rapier3d::prelude::*;
use snippets::drive::Driven;
use snippets::scenes::{TruckSetting, level_world, truck};
use snippets::schedule::{Phase, Schedule};
use snippets::vehicles::{SAMPLE_CENTER_OF_MASS, SAMPLE_REST_HEIGHT};
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::{RapierVehicle, UpdateMode};

type Car = RapierVehicle<DirectDriveVehicle>;

const MASS: Real = 2_014.4;

/// Mass of a turret (kg).
const TURRET: Real = 150.0;

/// How a turret is joined to a car.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Join {
    Multibody,
    Impulse,
}

/// Puts a turret that turns about the vertical on the roof of the car.
fn add_turret(world: &mut PhysicsWorld, car: &Car, join: Join) {
    let pose = *world.bodies[car.actor.body].position();
    let on_roof = SAMPLE_CENTER_OF_MASS + Vector::Y * 0.6;
    let body =
        RigidBodyBuilder::dynamic().pose(pose * Pose::from_translation(on_roof)).can_sleep(false);
    let shape = ColliderBuilder::cuboid(0.4, 0.2, 0.4)
        .density(TURRET / (0.8 * 0.4 * 0.8))
        .collision_groups(InteractionGroups::none());
    let (turret, _) = world.insert(body, shape);
    let joint = RevoluteJointBuilder::new(Vector::Y).local_anchor1(on_roof);
    match join {
        Join::Multibody => {
            world.insert_multibody_joint(car.actor.body, turret, joint).expect("a tree");
        }
        Join::Impulse => {
            world.insert_impulse_joint(car.actor.body, turret, joint);
        }
    }
}

/// Speed after 2 s of throttle, and the way to standstill under the brakes (m).
fn errand(world: &mut PhysicsWorld, car: &mut Car) -> [Real; 2] {
    drive(world, car, 1.0);
    car.vehicle.commands.throttle = 0.5;
    car.vehicle.commands.steer = 0.0;
    drive(world, car, 2.0);
    let speed = world.bodies[car.actor.body].linvel().length();
    let before = world.bodies[car.actor.body].translation();
    (car.vehicle.commands.throttle, car.vehicle.commands.brakes[0]) = (0.0, 0.5);
    drive(world, car, 4.0);
    [speed, world.bodies[car.actor.body].translation().distance(before)]
}

#[test]
fn car_with_a_turret_drives_and_brakes_as_on_impulse_joints() {
    for execution in EXECUTIONS {
        for update_mode in [UpdateMode::Velocity, UpdateMode::Acceleration] {
            let outcome = |join| {
                let mut world = level_world(DT, 1.0);
                let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
                (car.params.row_execution, car.actor.update_mode) = (execution, update_mode);
                add_turret(&mut world, &car, join);
                errand(&mut world, &mut car)
            };
            let (actual, expected) = (outcome(Join::Multibody), outcome(Join::Impulse));
            assert!(3.0 < expected[0], "{expected:?}");
            for (actual, expected) in actual.into_iter().zip(expected) {
                let error = actual / expected - 1.0;
                let case = format!("{execution:?}, {update_mode:?}");
                assert!(error.abs() < 0.02, "{case}: {actual}, not {expected}");
            }
        }
    }
}

#[test]
fn car_with_a_turret_does_not_creep_on_a_hill() {
    for execution in EXECUTIONS {
        for heading in [Heading::Uphill, Heading::Across] {
            let trial = Trial { heading, execution, can_sleep: false, ..Trial::default() };
            let (mut world, mut car) = parked(&trial);
            add_turret(&mut world, &car, Join::Multibody);
            drive(&mut world, &mut car, 5.0);
            let before = world.bodies[car.actor.body].translation();
            drive(&mut world, &mut car, 55.0);
            let creep = world.bodies[car.actor.body].translation().distance(before);
            assert!(creep < 1e-3, "{trial:?}: {creep} m");
        }
    }
}

#[test]
fn multibody_barge_is_pushed_back_by_the_car() {
    for execution in EXECUTIONS {
        let mass = 5_000.0;
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = DT;
        let shore = world.insert_body(RigidBodyBuilder::fixed());
        let slab = ColliderBuilder::cuboid(3.0, 0.5, 60.0).translation(Vector::Y * -0.5);
        let body = RigidBodyBuilder::dynamic().gravity_scale(0.0).additional_mass(mass);
        let (barge, _) = world.insert(body, slab.density(0.0).friction(1.0));
        let rail = PrismaticJointBuilder::new(Vector::Z);
        world.insert_multibody_joint(shore, barge, rail).expect("a tree");
        world.step();
        let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
        car.params.row_execution = execution;
        car.road.pushes_ground = true;
        car.vehicle.commands.throttle = 0.5;
        drive(&mut world, &mut car, 3.0);
        let momentum = MASS * world.bodies[car.actor.body].linvel().z;
        let pushed = mass * world.bodies[barge].linvel().z;
        assert!(5_000.0 < momentum, "{execution:?}: the car drives, {momentum} N·s");
        let error = (momentum + pushed) / momentum;
        assert!(error.abs() < 0.02, "{execution:?}: {momentum} N·s, the barge {pushed} N·s");
        (car.vehicle.commands.throttle, car.vehicle.commands.brakes[0]) = (0.0, 1.0);
        drive(&mut world, &mut car, 3.0);
        let left = world.bodies[barge].linvel().z;
        assert!(left.abs() < 0.02 * pushed.abs() / mass, "{execution:?}: {left} m/s");
        car.remove(&mut world);
        assert_eq!(world.bodies[barge].user_force(), Vector::ZERO);
    }
}

/// How far a truck gets in 5 s at full throttle, its trailer on a `join` (m).
fn way_of_truck(join: Join) -> Real {
    let scene = truck(&TruckSetting::default()).expect("valid data");
    let (mut world, mut truck) = (scene.world, scene.driven);
    if join == Join::Multibody {
        let (handle, joint) = world.impulse_joints().next().expect("the hitch");
        let hitch = joint.data;
        world.remove_impulse_joint(handle);
        let [tractor, trailer] = [truck.tractor.actor.body, truck.trailer.actor.body];
        world.insert_multibody_joint(tractor, trailer, hitch).expect("a tree");
    }
    let phases = [Phase::lasting(2.0).brake(0.5), Phase::lasting(5.0).throttle(0.65)];
    for controls in Schedule::new(phases, DT) {
        truck.update(&controls, &mut world).expect("the truck can be driven");
        world.step();
    }
    let places = [truck.tractor.actor.body, truck.trailer.actor.body]
        .map(|body| world.bodies[body].translation());
    let distance = places[0].distance(places[1]);
    assert!((distance - 5.86).abs() < 0.05, "{join:?}: {distance} m from tractor to trailer");
    places[0].z
}

#[test]
fn truck_with_a_multibody_hitch_drives_as_on_an_impulse_joint() {
    let (actual, expected) = (way_of_truck(Join::Multibody), way_of_truck(Join::Impulse));
    assert!(5.0 < expected, "{expected} m");
    assert!((actual / expected - 1.0).abs() < 0.03, "{actual} m, not {expected} m");
}

#[test]
fn teleported_root_takes_its_links_along_and_rests_once_its_joints_do() {
    let mut world = level_world(DT, 1.0);
    let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
    add_turret(&mut world, &car, Join::Multibody);
    car.vehicle.commands.throttle = 0.5;
    drive(&mut world, &mut car, 2.0);
    let pose = Pose::from_translation(Vector::new(30.0, SAMPLE_REST_HEIGHT, -20.0));
    car.teleport(&mut world.bodies, pose).expect("a body and a pose");
    let link = *world.multibody_joints.rigid_body_link(car.actor.body).expect("a link");
    let multibody = world.multibody_joints.get_multibody_mut(link.multibody).expect("of a tree");
    multibody.generalized_velocity_mut().fill(0.0);
    (car.vehicle.commands.throttle, car.vehicle.commands.brakes[0]) = (0.0, 1.0);
    drive(&mut world, &mut car, 2.0);
    for (_, body) in world.bodies.iter() {
        let offset = body.translation() - pose.translation;
        assert!(offset.length() < 2.5, "{offset} m");
        assert!(body.linvel().length() < 0.01, "{} m/s", body.linvel());
    }
    let moved = world.bodies[car.actor.body].translation() - pose.translation;
    assert!(moved.x.hypot(moved.z) < 0.02, "{moved} m");
}
