//! A sleeping car notices what its driver does and what becomes of its ground, and nothing else.

use crate::common::saloon::{
    direct_saloon, engine_saloon, insert_engine_saloon, insert_saloon, saloon_rest_height,
};
use crate::common::{DT, drive};
use rapier3d::prelude::*;
use vehicle_rapier::core::math::PI;
use vehicle_rapier::core::vehicle::{ChangeMechanics, MechanicalParams};
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::engine_control::StallParams;
use vehicle_rapier::drivetrain::gearbox::GearCommand;
use vehicle_rapier::drivetrain::{DirectDriveVehicle, EngineDriveVehicle};
use vehicle_rapier::sleep::LOOK_PERIOD;
use vehicle_rapier::{Activity, Drivable, FrictionTable, RapierVehicle, RoadQueryShape};

type Car = RapierVehicle<DirectDriveVehicle>;

/// Half the height of the slab on which cars stand (m), whose top is at height 0.
const HALF_HEIGHT: Real = 0.5;

/// A saloon with its hand brake on, asleep on a slab of a body.
struct Parked {
    world: PhysicsWorld,
    car: Car,
    slab: ColliderHandle,
    body: RigidBodyHandle,
}

fn slab() -> ColliderBuilder {
    ColliderBuilder::cuboid(20.0, HALF_HEIGHT, 20.0)
        .translation(Vector::Y * -HALF_HEIGHT)
        .friction(1.0)
}

fn parked_on(
    ground: RigidBodyBuilder,
    collider: ColliderBuilder,
    shape: RoadQueryShape,
    rate: Real,
) -> Parked {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    let (body, slab) = world.insert(ground, collider);
    world.detect_collisions(&(), &());
    let pose = Pose::from_translation(Vector::Y * saloon_rest_height());
    let mut car = insert_saloon(&mut world, direct_saloon(), pose, 3);
    car.road.shape = shape;
    car.vehicle.commands.brakes[1] = 1.0;
    assert_eq!(drive(&mut world, &mut car, 4.0), Activity::Asleep, "{shape:?} at {rate} Hz");
    Parked { world, car, slab, body }
}

fn parked() -> Parked {
    parked_on(RigidBodyBuilder::fixed(), slab(), RoadQueryShape::Ray, 60.0)
}

impl Parked {
    fn height(&self) -> Real {
        self.world.bodies[self.car.actor.body].translation().y
    }

    /// Steps until the car is awake, at most `steps`.
    fn steps_until_awake(&mut self, steps: usize) -> Option<usize> {
        (1..=steps).find(|_| self.car.step(&mut self.world) == Ok(Activity::Awake))
    }
}

/// A change of the ground of a car that sleeps, what it is, and how far the car's body is to move
/// by it in a second (m). Where only the wheels lose their ground, the hull comes to lie on it.
type Change = (&'static str, fn(&mut Parked), Option<Real>);

const OTHER_GROUP: InteractionGroups =
    InteractionGroups::new(Group::GROUP_2, Group::GROUP_2, InteractionTestMode::And);

const CHANGES: [Change; 17] = [
    (
        "removed",
        |parked| {
            parked.world.remove_collider(parked.slab);
        },
        Some(-3.0),
    ),
    (
        "body removed",
        |parked| {
            parked.world.remove_body(parked.body);
        },
        Some(-3.0),
    ),
    ("disabled", |parked| parked.world.colliders[parked.slab].set_enabled(false), Some(-3.0)),
    ("a sensor", |parked| parked.world.colliders[parked.slab].set_sensor(true), Some(-3.0)),
    (
        "lowered relative to its body",
        |parked| {
            let down = Vector::Y * -(HALF_HEIGHT + 0.3);
            parked.world.colliders[parked.slab].set_translation_wrt_parent(down);
        },
        Some(-0.3),
    ),
    (
        "of other groups",
        |parked| parked.world.colliders[parked.slab].set_collision_groups(OTHER_GROUP),
        Some(-0.35),
    ),
    (
        "on a body that is moved",
        |parked| parked.world.bodies[parked.body].set_translation(Vector::Y * -0.3, true),
        Some(-0.3),
    ),
    (
        "on a body that is disabled",
        |parked| parked.world.bodies[parked.body].set_enabled(false),
        Some(-3.0),
    ),
    (
        "on another body",
        |parked| {
            let there = RigidBodyBuilder::fixed().translation(Vector::Y * -0.3);
            let other = parked.world.bodies.insert(there);
            parked.world.colliders.set_parent(parked.slab, Some(other), &mut parked.world.bodies);
        },
        Some(-0.3),
    ),
    (
        "on a body of another type",
        |parked| parked.world.bodies[parked.body].set_body_type(RigidBodyType::Dynamic, true),
        Some(-3.0),
    ),
    (
        "of another shape",
        |parked| {
            let lower = SharedShape::cuboid(20.0, HALF_HEIGHT - 0.3, 20.0);
            parked.world.colliders[parked.slab].set_shape(lower);
        },
        Some(-0.3),
    ),
    (
        "of another shape of the same size",
        |parked| {
            let same = SharedShape::cuboid(20.0, HALF_HEIGHT, 20.0);
            parked.world.colliders[parked.slab].set_shape(same);
        },
        None,
    ),
    (
        "shrunk in place",
        |parked| {
            let shape = parked.world.colliders[parked.slab].shape_mut();
            shape.as_cuboid_mut().expect("a cuboid").half_extents.y = HALF_HEIGHT - 0.3;
        },
        Some(-0.3),
    ),
    ("of less friction", |parked| parked.world.colliders[parked.slab].set_friction(0.1), None),
    (
        "of another material",
        |parked| parked.world.colliders[parked.slab].user_data = 1 << 100,
        None,
    ),
    ("without gravity", |parked| parked.world.gravity = Vector::ZERO, Some(0.02)),
    ("where gravity is stronger", |parked| parked.world.gravity *= 1.5, Some(-0.02)),
];

#[test]
fn a_sleeping_car_wakes_in_the_step_after_its_ground_has_changed() {
    let scenes = [
        (RoadQueryShape::Ray, 60.0),
        (RoadQueryShape::Cylinder, 60.0),
        (RoadQueryShape::Ray, 30.0),
        (RoadQueryShape::Ray, 240.0),
    ];
    for (shape, rate) in scenes {
        for (name, change, drop) in CHANGES {
            let what = format!("{name}, {shape:?} at {rate} Hz");
            let mut parked = parked_on(RigidBodyBuilder::fixed(), slab(), shape, rate);
            parked.car.road.groups = Some(InteractionGroups::new(
                Group::GROUP_1,
                Group::GROUP_1,
                InteractionTestMode::And,
            ));
            drive(&mut parked.world, &mut parked.car, 0.5);
            let before = parked.height();
            change(&mut parked);
            assert_eq!(parked.car.step(&mut parked.world), Ok(Activity::Awake), "{what}");
            drive(&mut parked.world, &mut parked.car, 1.0);
            let moved = parked.height() - before;
            match drop {
                Some(drop) if drop <= -1.0 => assert!(moved < drop, "{what}: {moved} m"),
                Some(drop) if 0.1 < drop.abs() => {
                    assert!((moved - drop).abs() < 0.05, "{what}: {moved} m, not {drop} m");
                }
                Some(drop) => assert!(drop.abs() < moved * drop.signum(), "{what}: {moved} m"),
                None => assert!(moved.abs() < 1e-3, "{what}: {moved} m"),
            }
        }
    }
}

#[test]
fn a_change_in_the_step_in_which_a_car_falls_asleep_is_not_missed() {
    // The last steps before sleep, and the first of it.
    for late in 0..40 {
        let mut parked = parked();
        parked.car.vehicle.commands.steer = 0.1;
        drive(&mut parked.world, &mut parked.car, late as Real * DT);
        let before = parked.height();
        parked.world.bodies[parked.body].set_enabled(false);
        drive(&mut parked.world, &mut parked.car, 1.0);
        let moved = parked.height() - before;
        assert!(moved < -3.0, "after {late} steps: {moved} m");
    }
}

#[test]
fn a_shape_that_is_edited_in_place_is_noticed_within_a_few_steps() {
    let flat = Array2::from_fn(41, 41, |_, _| 0.0);
    let field = ColliderBuilder::heightfield(flat, Vector::new(40.0, 1.0, 40.0)).friction(1.0);
    for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
        let mut parked = parked_on(RigidBodyBuilder::fixed(), field.clone(), shape, 60.0);
        // Far off, the bounds change: that is noticed at once, and the car stays where it is.
        let dig = |parked: &mut Parked, place: [usize; 2], depth: Real| {
            let shape = parked.world.colliders[parked.slab].shape_mut();
            let field = shape.as_heightfield_mut().expect("a height field");
            let mut heights = field.heights().clone();
            heights[(place[0], place[1])] = -depth;
            *field = HeightField::new(heights, field.scale());
        };
        dig(&mut parked, [2, 2], 1.0);
        assert!(parked.steps_until_awake(1).is_some(), "{shape:?}");
        assert_eq!(drive(&mut parked.world, &mut parked.car, 3.0), Activity::Asleep);
        let before = parked.height();
        // A pit under the left front wheel, within the same bounds.
        for row in 20..24 {
            for column in 20..23 {
                dig(&mut parked, [row, column], 0.3);
            }
        }
        let steps = parked.steps_until_awake(usize::from(LOOK_PERIOD));
        assert!(steps.is_some(), "{shape:?}");
        drive(&mut parked.world, &mut parked.car, 1.0);
        let moved = parked.height() - before;
        assert!(moved < -0.03, "{shape:?}: {moved} m");
    }
}

#[test]
fn what_comes_under_a_wheel_and_a_changed_road_are_noticed_within_a_few_steps() {
    type New = (&'static str, fn(&mut Parked));
    let news: [New; 3] = [
        ("a plate under the wheels", |parked| {
            let plate = ColliderBuilder::cuboid(2.0, 0.05, 3.0).friction(1.0);
            parked.world.insert_collider(plate, None);
        }),
        ("ice, by the table", |parked| {
            parked.car.road.friction = FrictionTable::default().with_surface(0, 0.1);
        }),
        ("other groups", |parked| parked.car.road.groups = Some(InteractionGroups::none())),
    ];
    for (name, change) in news {
        let mut parked = parked();
        change(&mut parked);
        // The broad phase sees what is new after a step.
        let steps = parked.steps_until_awake(usize::from(LOOK_PERIOD) + 1);
        assert!(steps.is_some(), "{name}");
    }
}

#[test]
fn a_sleeping_car_sleeps_through_what_does_not_concern_it() {
    for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
        let mut parked = parked_on(RigidBodyBuilder::fixed(), slab(), shape, 60.0);
        let before = *parked.world.bodies[parked.car.actor.body].position();
        let ball = RigidBodyBuilder::dynamic()
            .translation(Vector::new(6.0, 0.5, -15.0))
            .linvel(Vector::Z * 4.0);
        parked.world.insert(ball, ColliderBuilder::ball(0.5));
        let far = parked
            .world
            .insert_collider(slab().translation(Vector::new(60.0, -HALF_HEIGHT, 0.0)), None);
        for step in 0..600 {
            match step {
                100 => parked.world.colliders[far].set_enabled(false),
                200 => drop(parked.world.remove_collider(far)),
                300 => parked.world.gravity = Vector::new(0.0, -9.81, 0.0),
                400 => parked.car.vehicle.commands.brakes = [0.7, 1.0],
                _ => {}
            }
            let activity = parked.car.step(&mut parked.world);
            assert_eq!(activity, Ok(Activity::Asleep), "{shape:?}, step {step}");
        }
        let after = *parked.world.bodies[parked.car.actor.body].position();
        assert_eq!(after, before, "{shape:?}");
    }
}

#[test]
fn snapshots_of_a_sleeping_car_let_it_sleep_on() {
    let mut parked = parked();
    let snapshot = parked.car.snapshot(&parked.world.bodies).expect("in the world");
    let world = serde_json::to_string(&parked.world.colliders).expect("plain data");
    drive(&mut parked.world, &mut parked.car, 0.5);
    // The shapes of a world that was saved are others.
    parked.world.colliders = serde_json::from_str(&world).expect("plain data");
    parked.car.restore_with_world(&mut parked.world.bodies, &snapshot).expect("the same vehicle");
    for step in 0..40 {
        assert_eq!(parked.car.step(&mut parked.world), Ok(Activity::Asleep), "step {step}");
    }
    parked.world.colliders[parked.slab].set_shape(SharedShape::cuboid(20.0, HALF_HEIGHT, 20.0));
    assert_eq!(parked.car.step(&mut parked.world), Ok(Activity::Awake));
}

/// Slope on which brakes are released (rad): 15 %.
const SLOPE: Real = 0.148_889_95;

/// What is tried on a hill.
#[derive(Clone, Copy, Debug)]
struct Trial {
    rate: Real,
    substeps: u32,
    /// The foot brake or the hand brake.
    brake: usize,
    /// Whether the body is put to sleep by the user.
    is_forced: bool,
}

/// A slope downhill along +z, and the place of a saloon on it that looks downhill.
fn hill(rate: Real) -> (PhysicsWorld, Pose) {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    let tilt = Rotation::from_rotation_x(SLOPE);
    let normal = tilt * Vector::Y;
    world.insert_collider(ColliderBuilder::new(SharedShape::halfspace(normal)).friction(1.0), None);
    world.detect_collisions(&(), &());
    (world, Pose::from_parts(normal * saloon_rest_height(), tilt))
}

fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (rate, substeps) in [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)] {
        for brake in [0, 1] {
            for is_forced in [false, true] {
                trials.push(Trial { rate, substeps, brake, is_forced });
            }
        }
    }
    trials
}

/// How far the car has rolled downhill two seconds after `release` (m).
fn rolled<V: Drivable>(
    world: &mut PhysicsWorld,
    car: &mut RapierVehicle<V>,
    is_forced: bool,
    release: impl FnOnce(&mut V),
) -> Real {
    if is_forced {
        drive(world, car, 1.0);
        world.bodies[car.actor.body].sleep();
    } else {
        assert_eq!(drive(world, car, 6.0), Activity::Asleep);
    }
    drive(world, car, 0.2);
    let before = world.bodies[car.actor.body].translation();
    release(&mut car.vehicle);
    assert_eq!(car.step(world), Ok(Activity::Awake));
    drive(world, car, 2.0);
    world.bodies[car.actor.body].translation().distance(before)
}

/// The least that a car rolls in two seconds on the hill (m): without any resistance it would be
/// 2.9 m.
const LEAST_ROLL: Real = 2.2;

#[test]
fn a_brake_that_is_released_lets_a_sleeping_car_roll() {
    for trial in trials() {
        for (gear, left) in [(Gear::Neutral, 0.0), (Gear::Forward, 0.0), (Gear::Neutral, 0.01)] {
            let (mut world, pose) = hill(trial.rate);
            let mut car = insert_saloon(&mut world, direct_saloon(), pose, trial.substeps);
            car.vehicle.controls.gear = gear;
            car.vehicle.commands.brakes[trial.brake] = 1.0;
            let distance = rolled(&mut world, &mut car, trial.is_forced, |car| {
                car.commands.brakes[trial.brake] = left;
            });
            assert!(LEAST_ROLL < distance, "{trial:?}, {gear:?}, {left}: {distance} m");
        }
    }
}

#[test]
fn brake_clutch_and_neutral_let_a_sleeping_car_with_an_engine_roll() {
    type Release = (&'static str, usize, [Real; 2], fn(&mut EngineDriveVehicle));
    let first = engine_saloon().drivetrain.gearbox.first_gear().expect("a gear");
    let neutral = engine_saloon().drivetrain.gearbox.neutral;
    let releases: [Release; 3] = [
        ("brakes in neutral", neutral, [1.0, 1.0], |car| car.commands.brakes = [0.0; 2]),
        ("hand brake, clutch down", first, [0.0, 1.0], |car| {
            (car.commands.brakes[1], car.controls.clutch) = (0.0, 1.0);
        }),
        ("hand brake, neutral", first, [0.0, 1.0], |car| {
            let neutral = car.params().drivetrain.gearbox.neutral;
            (car.commands.brakes[1], car.controls.gear) = (0.0, GearCommand::Gear(neutral));
        }),
    ];
    for trial in trials().into_iter().filter(|trial| trial.brake == 0) {
        for (name, gear, brakes, release) in releases {
            let (mut world, pose) = hill(trial.rate);
            let mut car = insert_engine_saloon(&mut world, engine_saloon(), pose, trial.substeps);
            car.vehicle.controls.gear = GearCommand::Gear(gear);
            car.vehicle.commands.brakes = brakes;
            let distance = rolled(&mut world, &mut car, trial.is_forced, release);
            assert!(LEAST_ROLL < distance, "{trial:?}, {name}: {distance} m");
        }
    }
}

#[test]
fn a_brake_that_is_released_as_the_car_falls_asleep_is_not_missed() {
    for rate in [60.0, 240.0] {
        let settled = {
            let (mut world, pose) = hill(rate);
            let mut car = insert_saloon(&mut world, direct_saloon(), pose, 3);
            car.vehicle.commands.brakes[0] = 1.0;
            let mut steps = 0;
            while car.step(&mut world) == Ok(Activity::Awake) {
                steps += 1;
            }
            steps
        };
        for late in 0..6 {
            let (mut world, pose) = hill(rate);
            let mut car = insert_saloon(&mut world, direct_saloon(), pose, 3);
            car.vehicle.commands.brakes[0] = 1.0;
            for _ in 0..settled + late - 3 {
                car.step(&mut world).expect("the car can be driven");
            }
            let before = world.bodies[car.actor.body].translation();
            car.vehicle.commands.brakes[0] = 0.0;
            drive(&mut world, &mut car, 2.0);
            let distance = world.bodies[car.actor.body].translation().distance(before);
            let what = format!("{rate} Hz, {} steps of {settled}", settled + late - 3);
            assert!(LEAST_ROLL < distance, "{what}: {distance} m");
        }
    }
}

/// A saloon with an engine that can stall, in first gear with its brake on.
fn stalling() -> (PhysicsWorld, RapierVehicle<EngineDriveVehicle>) {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    world.insert_collider(slab(), None);
    world.detect_collisions(&(), &());
    let mut params = engine_saloon();
    params.drivetrain.engine.control.stall =
        Some(StallParams { speed: 30.0, starter_torque: 60.0 });
    let neutral = params.drivetrain.gearbox.neutral;
    let pose = Pose::from_translation(Vector::Y * saloon_rest_height());
    let mut car = insert_engine_saloon(&mut world, params, pose, 3);
    car.vehicle.controls.gear = GearCommand::Gear(neutral);
    car.vehicle.commands.brakes[0] = 1.0;
    (world, car)
}

#[test]
fn sleep_leaves_the_engine_as_it_is() {
    for idles in [false, true] {
        let (mut world, mut car) = stalling();
        if !idles {
            car.vehicle.state.drive.engine.rotation_speed = 0.0;
        }
        drive(&mut world, &mut car, 0.3);
        let before = car.vehicle.state.drive.engine;
        assert_eq!(drive(&mut world, &mut car, 5.0), Activity::Asleep, "idles {idles}");
        let drivetrain = car.vehicle.state.drive.clone();
        assert!((drivetrain.engine.rotation_speed - before.rotation_speed).abs() < 0.1);
        drive(&mut world, &mut car, 5.0);
        assert_eq!(car.vehicle.state.drive, drivetrain, "idles {idles}");
        // In gear and without brake, a stalled engine holds the car.
        let first = car.vehicle.params().drivetrain.gearbox.first_gear().expect("a gear");
        car.vehicle.controls.gear = GearCommand::Gear(first);
        car.vehicle.commands.brakes[0] = 0.0;
        assert_eq!(drive(&mut world, &mut car, DT), Activity::Awake, "idles {idles}");
        let place = world.bodies[car.actor.body].translation();
        drive(&mut world, &mut car, 3.0);
        let speed = car.vehicle.state.drive.engine.rotation_speed * 30.0 / PI;
        let moved = world.bodies[car.actor.body].translation().distance(place);
        if idles {
            assert!(500.0 < speed, "{speed} 1/min");
        } else {
            assert_eq!(speed, 0.0, "1/min");
            assert!(moved < 0.01, "{moved} m");
        }
    }
}

#[test]
fn the_starter_wakes_a_car_and_its_engine() {
    let (mut world, mut car) = stalling();
    car.vehicle.state.drive.engine.rotation_speed = 0.0;
    assert_eq!(drive(&mut world, &mut car, 4.0), Activity::Asleep);
    car.vehicle.controls.is_starting = true;
    assert_eq!(drive(&mut world, &mut car, DT), Activity::Awake);
    drive(&mut world, &mut car, 2.0);
    let engine = &car.vehicle.params().drivetrain.engine;
    let speed = car.vehicle.state.drive.engine.rotation_speed;
    assert!(0.9 * engine.idle_speed < speed, "{speed} rad/s");
    // The starter does nothing to an engine that runs: the car sleeps although it is held.
    assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep);
}

#[test]
fn a_car_sleeps_when_its_engine_has_slowed_down_to_idle() {
    let (mut world, mut car) = stalling();
    car.vehicle.commands.throttle = 1.0;
    drive(&mut world, &mut car, 1.5);
    car.vehicle.commands.throttle = 0.0;
    assert!(300.0 < car.vehicle.state.drive.engine.rotation_speed);
    let mut seconds = 0.0;
    while drive(&mut world, &mut car, 0.1) == Activity::Awake {
        seconds += 0.1;
        assert!(seconds < 30.0, "awake");
    }
    let engine = &car.vehicle.params().drivetrain.engine;
    let fast = engine.idle_speed + car.actor.sleep.engine_overspeed * engine.max_speed;
    let speed = car.vehicle.state.drive.engine.rotation_speed;
    assert!(speed <= fast, "{speed} rad/s after {seconds} s");
}

#[test]
fn torques_and_angles_that_are_written_wake() {
    type Write = (&'static str, fn(&mut DirectDriveVehicle));
    let writes: [Write; 3] = [
        ("drive torque", |car| car.state.drive.torques[3] = 50.0),
        ("brake torque", |car| car.state.mechanics.brake_torques[2] = 0.0),
        ("steer angle", |car| car.state.mechanics.steer_angles[0] = 0.2),
    ];
    for (name, write) in writes {
        let mut parked = parked();
        write(&mut parked.car.vehicle);
        assert_eq!(parked.car.step(&mut parked.world), Ok(Activity::Awake), "{name}");
    }
}

#[test]
fn thresholds_of_sleep_are_parameters() {
    let mut parked = parked();
    parked.car.actor.sleep.wheel_energy = -1.0;
    parked.car.vehicle.commands.steer = 0.1;
    assert_eq!(
        parked.car.step(&mut parked.world).unwrap_err().to_string(),
        "actor.sleep.wheel_energy must be finite and not negative, got -1"
    );
    // Where every motion counts, a car that stands on its springs does not sleep.
    parked.car.actor.sleep.wheel_energy = 0.005;
    parked.car.actor.sleep.settling_speed = 0.0;
    assert_eq!(drive(&mut parked.world, &mut parked.car, 3.0), Activity::Awake);
    parked.car.actor.sleep.settling_speed = 0.005;
    assert_eq!(drive(&mut parked.world, &mut parked.car, 3.0), Activity::Asleep);
}

#[test]
fn an_external_force_wakes_a_sleeping_car_and_moves_it() {
    let push = |parked: &mut Parked, force: Vector, torque: Vector| {
        let body = &mut parked.car.vehicle.state.mechanics.rigid_body;
        (body.external_force, body.external_torque) = (force, torque);
    };
    for (force, torque) in [(Vector::Z * 50.0, Vector::ZERO), (Vector::ZERO, Vector::Y * 50.0)] {
        let mut parked = parked();
        push(&mut parked, force, torque);
        assert_eq!(parked.steps_until_awake(1), Some(1), "{force} N, {torque} N m");
        // It is used up in that step, and the car sleeps again.
        let asleep = drive(&mut parked.world, &mut parked.car, 4.0);
        assert_eq!(asleep, Activity::Asleep, "{force} N, {torque} N m");
    }
    let mut parked = parked();
    let place = |parked: &Parked| parked.world.bodies[parked.car.actor.body].translation();
    let before = place(&parked);
    for _ in 0..60 {
        // More than its tires can hold.
        push(&mut parked, Vector::Z * 30_000.0, Vector::ZERO);
        assert_eq!(parked.steps_until_awake(1), Some(1));
    }
    let way = place(&parked).z - before.z;
    assert!(1.0 < way, "{way} m");
}

#[test]
fn other_parameters_are_noticed_within_a_few_steps_and_equal_ones_are_not() {
    type Edit = fn(&mut MechanicalParams);
    let edits: [(&str, Edit, bool); 7] = [
        ("nothing", |_| {}, false),
        ("mounts", |it| it.suspensions[0].attachment.translation.y -= 0.05, true),
        ("springs", |it| it.suspension_forces[1].stiffness *= 0.7, true),
        ("wheels", |it| it.wheels[2].radius *= 1.05, true),
        ("brakes", |it| it.brakes[1].max_response *= 0.5, true),
        ("inertia", |it| it.rigid_body.inertia.y *= 1.1, true),
        ("tires", |it| it.tires[3].friction_vs_slip[0].1 *= 0.5, true),
    ];
    for (name, edit, wakes) in edits {
        let mut parked = parked();
        let mut mechanics = parked.car.vehicle.params().mechanics.clone();
        // Two changes, as of a panel with several sliders.
        for _ in 0..2 {
            edit(&mut mechanics);
            parked.car.vehicle.set_mechanics(mechanics.clone()).expect("good parameters");
        }
        let steps = parked.steps_until_awake(usize::from(LOOK_PERIOD));
        assert_eq!(steps.is_some(), wakes, "{name}: {steps:?}");
    }
    let mut parked = parked();
    let before = parked.height();
    let mut mechanics = parked.car.vehicle.params().mechanics.clone();
    for force in &mut mechanics.suspension_forces {
        force.stiffness *= 0.7;
    }
    parked.car.vehicle.set_mechanics(mechanics).expect("good parameters");
    drive(&mut parked.world, &mut parked.car, 3.0);
    let sunk = before - parked.height();
    assert!(0.01 < sunk, "{sunk} m");
}
