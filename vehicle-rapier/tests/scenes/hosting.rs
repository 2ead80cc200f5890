//! What a world does to a vehicle: roads, sleep, removal.

use crate::common::{DT, car, car_with, drive, roll, settled_car, with_identity_load_filter};
use rapier3d::prelude::*;
use snippets::scenes::level_world;
use snippets::vehicles::SAMPLE_REST_HEIGHT;
use std::ops::ControlFlow;

use vehicle_rapier::core::stages::Tire;
use vehicle_rapier::core::vehicle::MechanicalState;
use vehicle_rapier::core::{Context, WheelList};
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::{Activity, Fleet, FrictionTable, RapierVehicle};

const ICE: u128 = 7;

fn ground(friction: Real) -> ColliderBuilder {
    ColliderBuilder::cuboid(100.0, 1.0, 100.0)
        .translation(Vector::Y * -1.0)
        .friction(friction)
        .user_data(ICE)
}

/// Friction under each wheel of a car that stands in `world`.
fn frictions(mut world: PhysicsWorld, table: FrictionTable) -> Vec<Option<Real>> {
    world.integration_parameters.dt = DT;
    world.detect_collisions(&(), &());
    let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
    car.road.friction = table;
    drive(&mut world, &mut car, 0.1);
    let roads = &car.vehicle.state.mechanics.roads;
    roads.iter().map(|road| road.as_ref().map(|road| road.friction)).collect()
}

#[test]
fn friction_is_that_of_the_table_else_of_the_collider() {
    let world = || {
        let mut world = PhysicsWorld::new();
        world.insert_collider(ground(0.4), None);
        world
    };
    assert_eq!(frictions(world(), FrictionTable::default()), [Some(0.4); 4]);
    let table = FrictionTable::default().with_surface(ICE, 0.1);
    assert_eq!(frictions(world(), table), [Some(0.1); 4]);
    let other = FrictionTable::default().with_surface(ICE + 1, 0.1);
    assert_eq!(frictions(world(), other), [Some(0.4); 4]);
}

#[test]
fn wheels_do_not_stand_on_sensors_or_their_own_chassis() {
    let mut world = PhysicsWorld::new();
    let sensor = ColliderBuilder::cuboid(100.0, 0.1, 100.0).sensor(true).friction(0.9);
    world.insert_collider(sensor, None);
    world.insert_collider(ground(0.4), None);
    // The hull of the sample car hangs over its wheels' rays.
    assert_eq!(frictions(world, FrictionTable::default()), [Some(0.4); 4]);
}

#[test]
fn wheels_stand_on_the_groups_that_they_are_given() {
    let mut world = level_world(DT, 1.0);
    let road = InteractionGroups::new(Group::GROUP_2, Group::ALL, InteractionTestMode::And);
    let handle = world.colliders.iter().map(|(handle, _)| handle).next().unwrap();
    for (groups, expected) in [(Group::GROUP_2, true), (Group::GROUP_3, false)] {
        world.colliders[handle].set_collision_groups(road);
        let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
        let wheels = InteractionGroups::new(Group::GROUP_1, groups, InteractionTestMode::And);
        car.road.groups = Some(wheels);
        car.step(&mut world).unwrap();
        let roads = &car.vehicle.state.mechanics.roads;
        assert!(roads.iter().all(|road| road.is_some() == expected), "{groups:?}");
        world.remove_body(car.actor.body);
    }
}

#[test]
fn ground_that_moves_carries_the_car_along() {
    for velocity in [Vector::X * 2.0, Vector::Z * -2.0] {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = DT;
        let platform = RigidBodyBuilder::kinematic_velocity_based().linvel(velocity);
        world.insert(platform, ground(1.0));
        // Bodies move from the world's first step on.
        world.step();
        let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
        car.vehicle.commands.brakes[0] = 1.0;
        drive(&mut world, &mut car, 4.0);
        let carried = world.bodies[car.actor.body].linvel();
        assert!(carried.distance(velocity) < 0.05, "{carried}, not {velocity}");
    }
}

#[test]
fn dropped_car_falls_asleep_and_rests() {
    let mut world = level_world(DT, 1.0);
    let mut car = car(&mut world, SAMPLE_REST_HEIGHT + 1.0);
    car.vehicle.commands.brakes[0] = 1.0;
    assert_eq!(drive(&mut world, &mut car, 4.0), Activity::Asleep);
    let resting: &MechanicalState = &car.vehicle.state.mechanics;
    assert!(resting.wheels.iter().all(|wheel| wheel.rotation_speed == 0.0));
    let before = *world.bodies[car.actor.body].position();
    drive(&mut world, &mut car, 10.0);
    assert_eq!(*world.bodies[car.actor.body].position(), before);
}

#[test]
fn throttle_steering_gear_and_a_brake_that_is_released_wake_the_car() {
    let (mut world, mut car) = settled_car();
    car.vehicle.commands.brakes[0] = 1.0;
    assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep);
    let asleep = (world, car);
    type Change = fn(&mut vehicle_rapier::drivetrain::DirectDriveVehicle);
    let changes: [(&str, Change, Activity); 6] = [
        ("throttle", |car| car.commands.throttle = 0.2, Activity::Awake),
        (
            "reverse",
            |car| (car.controls.gear, car.commands.throttle) = (Gear::Reverse, 0.2),
            Activity::Awake,
        ),
        ("steer", |car| car.commands.steer = 0.3, Activity::Awake),
        ("gear", |car| car.controls.gear = Gear::Reverse, Activity::Awake),
        ("released", |car| car.commands.brakes[0] = 0.5, Activity::Awake),
        ("pressed", |car| car.commands.brakes[1] = 1.0, Activity::Asleep),
    ];
    let (mut world, mut car) = asleep;
    for (name, change, expected) in changes {
        change(&mut car.vehicle);
        assert_eq!(car.step(&mut world).unwrap(), expected, "{name}");
        car.vehicle.controls.gear = Gear::Forward;
        car.vehicle.commands = Default::default();
        car.vehicle.commands.brakes[0] = 1.0;
        assert_eq!(drive(&mut world, &mut car, 4.0), Activity::Asleep, "after {name}");
    }
}

#[test]
fn accelerating_car_does_not_fall_asleep_against_a_wall() {
    let (mut world, mut car) = settled_car();
    let wall = ColliderBuilder::cuboid(10.0, 5.0, 1.0).translation(Vector::Z * 6.0);
    world.insert_collider(wall, None);
    car.vehicle.commands.throttle = 0.3;
    assert_eq!(drive(&mut world, &mut car, 5.0), Activity::Awake);
}

#[test]
fn removed_body_is_named() {
    let (mut world, mut car) = settled_car();
    let before = format!("{:?}", car.vehicle);
    world.remove_body(car.actor.body);
    let error = car.step(&mut world).unwrap_err().to_string();
    assert!(error.contains("is not in the world"), "{error}");
    assert!(error.contains(&format!("{:?}", car.actor.body)), "{error}");
    assert_eq!(format!("{:?}", car.vehicle), before);
}

#[test]
fn fixed_and_kinematic_bodies_are_refused() {
    for body_type in [RigidBodyType::Fixed, RigidBodyType::KinematicVelocityBased] {
        let (mut world, mut car) = settled_car();
        world.bodies[car.actor.body].set_body_type(body_type, true);
        let error = car.step(&mut world).unwrap_err().to_string();
        assert!(error.contains(&format!("must be dynamic, but is {body_type:?}")), "{error}");
    }
}

#[test]
fn bad_time_steps_change_nothing() {
    let (mut world, mut car) = settled_car();
    for dt in [0.0, -0.1, Real::NAN, Real::INFINITY] {
        world.integration_parameters.dt = dt;
        let before = (format!("{:?}", car.vehicle), *world.bodies[car.actor.body].position());
        let error = car.step(&mut world).unwrap_err().to_string();
        assert_eq!(error, format!("dt must be positive and finite, got {dt}"));
        let after = (format!("{:?}", car.vehicle), *world.bodies[car.actor.body].position());
        assert_eq!(after, before);
    }
}

/// A change to a car, and the message of its next step.
type Fault = (fn(&mut RapierVehicle<DirectDriveVehicle>), &'static str);

const FAULTS: [Fault; 5] = [
    (
        |car| (car.vehicle.commands.throttle, car.vehicle.commands.steer) = (Real::NAN, -1.5),
        "commands.throttle must be within [0, 1], got NaN; \
         commands.steer must be within [-1, 1], got -1.5",
    ),
    (
        |car| car.vehicle.state.mechanics.wheels = WheelList::new(2),
        "state.mechanics.wheels must be of 4 elements, one per wheel, got 2",
    ),
    (
        |car| car.params.coordinates.length_scale = -1.0,
        "simulation.coordinates.length_scale must be positive and finite, got -1",
    ),
    (
        |car| car.params.rolling_blend_speed = Real::NAN,
        "simulation.rolling_blend_speed must be positive and finite, got NaN",
    ),
    (
        |car| car.road.friction = FrictionTable::default().with_surface(ICE, -0.5),
        "road.friction.surfaces[0].friction must be finite and not negative, got -0.5",
    ),
];

/// What a step must not change: the vehicle, its body's place, and whether it sleeps.
fn visible(world: &PhysicsWorld, car: &RapierVehicle<DirectDriveVehicle>) -> (String, Pose, bool) {
    let body = &world.bodies[car.actor.body];
    (format!("{:?}", car.vehicle), *body.position(), body.is_sleeping())
}

#[test]
fn bad_inputs_are_named_and_change_nothing() {
    let (mut world, mut car) = settled_car();
    car.vehicle.commands.brakes[0] = 1.0;
    for (seconds, expected) in [(0.1, Activity::Awake), (3.0, Activity::Asleep)] {
        assert_eq!(drive(&mut world, &mut car, seconds), expected);
        for (spoil, message) in FAULTS {
            let mut faulty = car.clone();
            // Reverse gear would wake the car.
            faulty.vehicle.controls.gear = Gear::Reverse;
            spoil(&mut faulty);
            let before = visible(&world, &faulty);
            assert_eq!(faulty.step(&mut world).unwrap_err().to_string(), message);
            assert_eq!(visible(&world, &faulty), before, "{expected:?}: {message}");
        }
    }
}

#[test]
fn gravity_that_is_not_finite_is_named() {
    let (mut world, mut car) = settled_car();
    world.gravity = Vector::new(0.0, Real::NAN, 0.0);
    let error = car.step(&mut world).unwrap_err().to_string();
    assert_eq!(error, "simulation.gravity must be finite, got [0, NaN, 0]");
}

#[test]
fn fault_in_a_step_is_named_and_the_last_good_state_stays() {
    let (mut world, mut car) = settled_car();
    let spoil: fn(&mut DirectDriveVehicle, Real, &Context<'_>) -> ControlFlow<()> =
        |vehicle, _, _| {
            vehicle.state.mechanics.wheels.edit(2, |it| it.rotation_speed = Real::NAN);
            ControlFlow::Continue(())
        };
    let good = car.sequence.clone();
    let spoiled = (*good).clone().insert_after::<Tire>(spoil).unwrap();
    car.sequence = spoiled.into();
    let before = car.vehicle.state.clone();
    let error = car.step(&mut world).unwrap_err().to_string();
    assert!(error.contains("no longer finite after"), "{error}");
    assert!(error.contains("ControlFlow"), "the user's own function is named: {error}");
    assert_eq!(car.vehicle.state.mechanics.wheels, before.mechanics.wheels);
    car.sequence = good;
    car.step(&mut world).unwrap();
}

#[test]
fn car_over_the_edge_falls_freely() {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let mut car = car_with(&mut world, with_identity_load_filter(), 0.0);
    drive(&mut world, &mut car, 2.0);
    let velocity = world.bodies[car.actor.body].linvel();
    assert!((velocity.y + 2.0 * 9.81).abs() < 0.01, "{velocity}");
}

#[test]
fn a_vehicle_with_a_disabled_body_does_nothing_and_drives_on_when_it_is_enabled() {
    for speed in [0.0, 5.0] {
        let (mut world, mut car) = settled_car();
        roll(&mut world, &mut car, speed, speed / 0.35);
        drive(&mut world, &mut car, DT);
        let body = car.actor.body;
        let motion = |world: &PhysicsWorld| {
            let body = &world.bodies[body];
            (*body.position(), body.linvel(), body.angvel())
        };
        let before = (motion(&world), format!("{:?}", car.vehicle));
        world.bodies[body].set_enabled(false);
        for _ in 0..180 {
            assert_eq!(car.step(&mut world), Ok(Activity::Disabled), "{speed} m/s");
        }
        assert_eq!((motion(&world), format!("{:?}", car.vehicle)), before, "{speed} m/s");
        world.bodies[body].set_enabled(true);
        assert_eq!(car.step(&mut world), Ok(Activity::Awake), "{speed} m/s");
        drive(&mut world, &mut car, 1.0);
        let after = world.bodies[body].linvel();
        assert!((after.z - speed).abs() < 0.3, "{speed} m/s, then {after} m/s");
        assert!(after.y.abs() < 0.05, "{speed} m/s, then {after} m/s");
    }
}

#[test]
fn a_fleet_says_which_vehicles_are_skipped_and_why() {
    let (mut world, car) = settled_car();
    let body = car.actor.body;
    let mut fleet = Fleet::new();
    let handle = fleet.insert(car);
    assert!(fleet.step(&mut world).is_empty());
    assert_eq!(fleet.activity(handle), Some(Activity::Awake));
    world.bodies[body].set_enabled(false);
    assert!(fleet.step(&mut world).is_empty());
    assert_eq!(fleet.activity(handle), Some(Activity::Disabled));
    world.bodies[body].set_enabled(true);
    assert!(fleet.step(&mut world).is_empty());
    assert_eq!(fleet.activity(handle), Some(Activity::Awake));
    world.remove_body(body);
    assert_eq!(fleet.step(&mut world).len(), 1);
    assert_eq!(fleet.activity(handle), None);
    assert!(fleet.remove(handle).is_some());
    assert_eq!(fleet.activity(handle), None);
}

#[test]
fn a_disabled_vehicle_takes_its_weight_off_a_multibody() {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let root = world.bodies.insert(RigidBodyBuilder::fixed());
    let raft = RigidBodyBuilder::dynamic().can_sleep(false);
    let deck = ColliderBuilder::cuboid(5.0, 0.5, 8.0).density(100.0).friction(1.0);
    let (raft, _) = world.insert(raft.translation(Vector::Y * -0.5), deck);
    let joint = FixedJointBuilder::new().local_anchor2(Vector::Y * 0.5);
    world.multibody_joints.insert(root, raft, joint, true);
    world.detect_collisions(&(), &());
    let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
    car.road.pushes_ground = true;
    drive(&mut world, &mut car, 0.5);
    assert!(1e4 < -world.bodies[raft].user_force().y, "the car weighs on the raft");
    world.bodies[car.actor.body].set_enabled(false);
    drive(&mut world, &mut car, DT);
    assert_eq!(world.bodies[raft].user_force(), Vector::ZERO);
}
