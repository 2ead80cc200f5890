//! Vehicles that are saved, loaded and rewound after their mass, wheels or place have changed.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::diagnosis::FindingCode as Code;
use vehicle_rapier::core::mass_distribution::MassDistribution;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnySaved, AnyVehicle};
use vehicle_rapier::{SnapshotError, SprungMasses, diagnose_in};

use crate::common::{DT, drive};

fn preset(name: &str) -> AnyVehicle {
    AnyVehicle::preset(name).expect("a preset")
}

fn insert(world: &mut PhysicsWorld, model: &AnyVehicle) -> AnyRapierVehicle {
    model.insert(world, Pose::from_translation(Vector::Y * model.standing_height(9.81)))
}

/// A hot hatch whose wheels have colliders.
fn with_wheel_colliders() -> AnyVehicle {
    let mut file = preset("hot_hatch").file().clone();
    let chassis = serde_json::json!({
        "colliders": [{
            "shape": { "cuboid": { "half_extents": [0.8, 0.3, 1.9] } },
            "pose": { "translation": [0.0, 0.35, 0.0] }
        }],
        "has_wheel_colliders": true
    });
    file.chassis = Some(serde_json::from_value(chassis).expect("a chassis"));
    AnyVehicle::new(file, "").expect("a vehicle")
}

fn load(world: &mut PhysicsWorld, car: &mut AnyRapierVehicle, mass: Real) {
    let load = MassDistribution::block(mass, Vector::ONE, Vector::new(0.1, 0.3, -0.4));
    let mass = car.mass().with(&load);
    let (bodies, colliders) = (&mut world.bodies, &world.colliders);
    car.set_mass(bodies, colliders, &mass, SprungMasses::Balance).expect("it can be loaded");
}

fn bits(world: &PhysicsWorld, car: &AnyRapierVehicle) -> Vec<u8> {
    let colliders = car.wheel_colliders.handles().iter();
    let places: Vec<_> = colliders.map(|&it| *world.colliders[it].position()).collect();
    let snapshot = car.snapshot(&world.bodies).expect("a body");
    postcard::to_stdvec(&(snapshot, world.bodies[car.body()].mass(), places)).expect("plain data")
}

fn copy(world: &PhysicsWorld) -> PhysicsWorld {
    let bytes = postcard::to_stdvec(world).expect("plain data");
    postcard::from_bytes(&bytes).expect("its own bytes")
}

#[test]
fn a_saved_game_goes_on_with_the_same_bits() {
    let model = with_wheel_colliders();
    for (has_lost, is_loaded) in [(false, false), (true, false), (false, true), (true, true)] {
        let what = format!("lost {has_lost}, loaded {is_loaded}");
        let mut world = level_world(DT, 1.0);
        let mut car = insert(&mut world, &model);
        let start = car.pose(&world.bodies).expect("a body").translation;
        car.commands_mut().throttle = 0.5;
        drive(&mut world, &mut car, 0.5);
        if is_loaded {
            load(&mut world, &mut car, 100.0);
        }
        if has_lost {
            car.lose_wheel(&mut world, 1).expect("a wheel");
        }
        car.road.lightest_ground = 33.0;
        car.user_data.set_vehicle(7);
        drive(&mut world, &mut car, 0.2);
        car.commands_mut().steer = 0.8;
        let saved = car.save(&world.bodies).expect("a body");
        let text = serde_json::to_string(&saved).expect("plain data");
        let read: AnySaved = serde_json::from_str(&text).expect("its own text");
        assert!(read == saved, "{what}: {text}");

        let mut resumed_world = copy(&world);
        let mut resumed = model.resume(&mut resumed_world.bodies, &read).expect("its own");
        let mut adopted_world = copy(&world);
        let PhysicsWorld { bodies, colliders, .. } = &mut adopted_world;
        let mut adopted = model.adopt(bodies, colliders, car.body()).expect("a body");
        let known = |car: &AnyRapierVehicle, world: &PhysicsWorld| {
            let findings = diagnose_in(car, world).expect("a time step");
            findings.iter().all(|finding| finding.code != Code::WheelCollidersLeft)
        };
        assert!(!known(&adopted, &adopted_world), "{what}: nothing is told of wheel colliders");
        adopted.restore_with_world(&mut adopted_world.bodies, &saved.snapshot).expect("its own");
        assert_eq!((resumed.road.lightest_ground, resumed.user_data.vehicle()), (33.0, 7));
        for _ in 0..40 {
            car.step(&mut world).expect("it drives");
            resumed.step(&mut resumed_world).expect("it drives on");
            adopted.step(&mut adopted_world).expect("it drives on");
        }
        let expected = bits(&world, &car);
        assert!(bits(&resumed_world, &resumed) == expected, "{what}: resumed");
        assert!(bits(&adopted_world, &adopted) == expected, "{what}: adopted");
        assert!(known(&adopted, &adopted_world) && known(&car, &world), "{what}");
        for (world, car) in [(&mut resumed_world, &mut resumed), (&mut adopted_world, &mut adopted)]
        {
            car.reset(&mut world.bodies).expect("its start");
            let place = car.pose(&world.bodies).expect("a body").translation;
            assert!(place.distance(start) < 1e-5, "{what}: {place}, not {start}");
        }
    }
}

#[test]
fn a_rewind_takes_the_load_back_and_brings_it_again() {
    let mut world = level_world(DT, 1.0);
    let mut car = insert(&mut world, &preset("pick_up"));
    car.commands_mut().throttle = 0.3;
    drive(&mut world, &mut car, 0.2);
    let (before, empty) = (car.snapshot(&world.bodies).expect("a body"), car.mass());
    let run = |world: &mut PhysicsWorld, car: &mut AnyRapierVehicle| {
        drive(world, car, 0.3);
        bits(world, car)
    };
    let unloaded = run(&mut world, &mut car);
    load(&mut world, &mut car, 300.0);
    load(&mut world, &mut car, 400.0);
    let (after, full) = (car.snapshot(&world.bodies).expect("a body"), car.mass());
    let loaded = run(&mut world, &mut car);
    for _ in 0..2 {
        car.restore(&mut world, &before).expect("its own");
        assert_eq!(car.mass(), empty);
        assert!(run(&mut world, &mut car) == unloaded, "other bits without the load");
        car.restore(&mut world, &after).expect("its own");
        assert_eq!(car.mass(), full);
        assert!(run(&mut world, &mut car) == loaded, "other bits with the load");
    }
    // A reset leaves the load where it is.
    car.reset(&mut world.bodies).expect("its start");
    assert_eq!(car.mass(), full);

    let mut bad = after.clone();
    let bad_mass = bad.parts.as_mut().and_then(|parts| parts.mass.as_mut()).expect("a load");
    bad_mass.sprung_masses.pop();
    bad_mass.mass.rigid_body.mass = -5.0;
    let error = car.restore(&mut world, &bad).expect_err("a fault").to_string();
    assert_eq!(
        error,
        "mass.mass must be positive and finite, got -5; \
         mass.sprung_masses must be of 4 elements, one per wheel, got 3"
    );
    assert_eq!(car.mass(), full);
}

#[test]
fn a_snapshot_of_another_model_is_refused_and_one_of_another_set_up_is_not() {
    let mut world = level_world(DT, 1.0);
    let model = preset("hot_hatch");
    let mut car = insert(&mut world, &model);
    drive(&mut world, &mut car, 0.1);
    let snapshot = car.snapshot(&world.bodies).expect("a body");
    let place = Pose::from_translation(Vector::new(10.0, 1.0, 0.0));
    let mut other = preset("gt").insert(&mut world, place);
    let error = other.restore(&mut world, &snapshot).expect_err("another model").to_string();
    assert_eq!(
        error,
        "name must be \"GT race car with downforce\", as that of the vehicle's file, got \"Hot hatch\""
    );
    let mut file = model.file().clone();
    let vehicle_rapier::vehicle_file::MechanicsSource::DataSheet(sheet) = &mut file.mechanics
    else {
        panic!("{file:?}")
    };
    sheet.mass = 1_500.0;
    car.remake(&AnyVehicle::new(file, "").expect("a vehicle"), &mut world).expect("of its kind");
    car.restore(&mut world, &snapshot).expect("another set-up");
    assert_eq!(car.mass().rigid_body.mass, 1_500.0);
    for (preset_name, faults) in [
        (
            "electric_car",
            "drive must be engine, as that of the vehicle whose place it takes, got blocks",
        ),
        (
            "truck_6x6",
            "wheels must be 4, as many as those of the vehicle whose place it takes, got 6",
        ),
    ] {
        let error = car.remake(&preset(preset_name), &mut world).expect_err("another kind");
        assert_eq!(error.to_string(), faults);
    }
    car.step(&mut world).expect("it drives on");
}

#[test]
fn a_file_has_the_wheels_that_the_vehicle_has_lost() {
    let mut world = level_world(DT, 1.0);
    let model = preset("hot_hatch");
    let mut car = insert(&mut world, &model);
    drive(&mut world, &mut car, 0.1);
    let whole = car.mass();
    for wheel in [0, 3] {
        car.lose_wheel(&mut world, wheel).expect("a wheel");
    }
    let rest = car.mass().rigid_body.mass;
    for _ in 0..3 {
        let made = AnyVehicle::new(car.to_file(), "").expect("a vehicle");
        assert_eq!(made.mechanics().rigid_body, whole.rigid_body);
        let center = car.to_file().chassis.expect("a chassis").center_of_mass.translation;
        assert_eq!(center, whole.center_of_mass);
        car.remake(&made, &mut world).expect("the same vehicle");
        car.step(&mut world).expect("it drives on");
        let mass = car.mass().rigid_body.mass;
        assert!((mass - rest).abs() < 1e-3, "{mass} kg, not {rest} kg");
    }
    // A load stays a load, and comes to the wheels in the file.
    load(&mut world, &mut car, 100.0);
    let mass = AnyVehicle::new(car.to_file(), "").expect("a vehicle").mechanics().rigid_body.mass;
    assert!((mass - whole.rigid_body.mass - 100.0).abs() < 1e-2, "{mass} kg");
}

#[test]
fn a_vehicle_goes_back_beside_bodies_that_no_step_has_seen() {
    let mut world = level_world(DT, 1.0);
    let model = preset("hot_hatch");
    let mut old = insert(&mut world, &model);
    drive(&mut world, &mut old, 0.1);
    let place = Vector::new(1.2, 0.6, 0.2);
    let put = |world: &mut PhysicsWorld, place: Vector, body: RigidBodyBuilder| {
        world.insert(body.translation(place), ColliderBuilder::cuboid(0.5, 0.5, 0.5)).0
    };
    put(&mut world, place, RigidBodyBuilder::dynamic());
    old.step(&mut world).expect("it drives");
    let snapshot = old.snapshot(&world.bodies).expect("a body");
    old.remove(&mut world);
    world.step();
    // Neither the world's islands nor its contacts know this vehicle and these bodies yet.
    let mut car = insert(&mut world, &model);
    let place = Vector::new(-1.2, 0.6, -0.6);
    let new = [
        put(&mut world, place, RigidBodyBuilder::dynamic()),
        put(&mut world, place + Vector::Z * 1.5, RigidBodyBuilder::dynamic().sleeping(true)),
    ];
    car.restore(&mut world, &snapshot).expect("the same model");
    car.step(&mut world).expect("it drives on");
    for body in new {
        let hull = world.bodies[car.body()].colliders()[0];
        let pair = world.narrow_phase.contact_pair(hull, world.bodies[body].colliders()[0]);
        assert!(
            pair.is_some_and(ContactPair::has_any_active_contact),
            "{body:?} is passed through"
        );
    }
    drive(&mut world, &mut car, 0.1);
    let loose = car.lose_wheel(&mut world, 1).expect("a wheel");
    car.restore(&mut world, &snapshot).expect("its own");
    drive(&mut world, &mut car, 0.1);
    assert!(world.bodies.contains(loose.body));
}

#[test]
fn a_wheel_of_another_vehicle_is_not_refitted() {
    let mut world = level_world(DT, 1.0);
    let mut car = insert(&mut world, &preset("hot_hatch"));
    let place = Pose::from_translation(Vector::new(20.0, 1.0, 0.0));
    let mut tank = preset("tank").insert(&mut world, place);
    let mut twin =
        preset("hot_hatch").insert(&mut world, Pose::from_translation(Vector::new(-9.0, 1.0, 0.0)));
    let whole = car.mass().rigid_body.mass;
    let own = car.lose_wheel(&mut world, 0).expect("a wheel");
    let foreign = tank.lose_wheel(&mut world, 0).expect("a wheel");
    let error = car.refit_wheel(&mut world, &foreign).expect_err("too heavy").to_string();
    let mass = own.part.rigid_body.mass;
    let expected = format!("loose.part.mass must be {mass} kg as that of wheel 0, got 300");
    assert!(error.starts_with(&expected), "{error}, not {expected}");
    assert!(world.bodies.contains(foreign.body));
    // That of a vehicle of the same model fits, however it was steered.
    twin.commands_mut().steer = 1.0;
    drive(&mut world, &mut twin, 0.5);
    let alike = twin.lose_wheel(&mut world, 0).expect("a wheel");
    car.refit_wheel(&mut world, &alike).expect("the same model");
    assert!((car.mass().rigid_body.mass / whole - 1.0).abs() < 1e-6);
    tank.refit_wheel(&mut world, &foreign).expect("its own");
}

#[test]
fn a_body_that_is_nowhere_is_told() {
    let model = preset("hot_hatch");
    let short = Rotation::from_xyzw(0.0, 0.5, 0.0, 0.5);
    let faults = [
        (Pose::from_translation(Vector::Y * Real::NAN), "translation must be finite, got"),
        (
            Pose::from_translation(Vector::Y * 1e30),
            "translation must be of a length of at most 1e9",
        ),
        (Pose::from_parts(Vector::Y * 0.6, short), "rotation must be a unit quaternion"),
    ];
    for (pose, message) in faults {
        let mut world = level_world(DT, 1.0);
        let mut car = model.insert(&mut world, pose);
        let findings = diagnose_in(&car, &world).expect("a time step");
        let found: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(found, [Code::BodyMotionInvalid], "{message}");
        assert!(findings[0].to_string().contains(message), "{}", findings[0]);
        let error = car.step(&mut world).expect_err(message).to_string();
        assert_eq!(
            error.matches("translation must").count() + error.matches("rotation must").count(),
            1,
            "{error}"
        );
        let error = car.reset(&mut world.bodies).expect_err(message);
        assert!(matches!(error, SnapshotError::Start(_)), "{error}");
        let text = error.to_string();
        assert!(text.contains(message) && text.contains("teleport"), "{text}");
        let place = Pose::from_translation(Vector::Y);
        car.teleport(&mut world.bodies, place).expect("a place");
        car.step(&mut world).expect("it drives");
        let snapshot = car.snapshot(&world.bodies).expect("a body");
        car.restore(&mut world, &snapshot).expect("its own");
    }
    let mut world = level_world(DT, 1.0);
    let car = insert(&mut world, &model);
    world.remove_body(car.body());
    let findings = diagnose_in(&car, &world).expect("a time step");
    assert_eq!(findings.iter().map(|it| it.code).collect::<Vec<_>>(), [Code::BodyMissing]);
}

#[test]
fn what_cannot_be_simulated_is_refused_at_once() {
    let mut world = level_world(DT, 1.0);
    let mut car = insert(&mut world, &preset("hot_hatch"));
    car.step(&mut world).expect("it drives");
    let bodies = &mut world.bodies;
    let far = Pose::from_translation(Vector::X * 1e30);
    for (error, expected) in [
        (
            car.teleport(bodies, far).expect_err("too far"),
            "pose.translation must be of a length of at most 1e9, got [1e30, 0, 0]",
        ),
        (
            car.set_velocity(bodies, Vector::Z * 1e20).expect_err("too fast"),
            "velocity must be of a length of at most 1e7, got [0, 0, 100000000000000000000]",
        ),
        (
            car.upright_pose(bodies, Vector::Y, -5.0).expect_err("below"),
            "height must be within [0, 1e9], got -5",
        ),
    ] {
        let (error, end) = (error.to_string(), expected.find(", got").expect("a value"));
        assert!(error.starts_with(&expected[..end]), "{error}, not {expected}");
    }
    car.step(&mut world).expect("nothing has changed");
}

#[test]
fn a_game_that_was_saved_between_update_and_step_goes_on() {
    let model = preset("hot_hatch");
    for steps_first in [false, true] {
        let mut world = level_world(DT, 1.0);
        let mut car = insert(&mut world, &model);
        car.commands_mut().throttle = 0.5;
        drive(&mut world, &mut car, 0.5);
        car.update(&mut world).expect("it drives");
        let saved = car.save(&world.bodies).expect("a body");
        let mut resumed_world = copy(&world);
        let mut resumed = model.resume(&mut resumed_world.bodies, &saved).expect("its own");
        if steps_first {
            for (world, car) in [(&mut world, &mut car), (&mut resumed_world, &mut resumed)] {
                world.step();
                drive(world, car, 0.2);
            }
            assert!(bits(&world, &car) == bits(&resumed_world, &resumed), "other bits");
        }
        drive(&mut resumed_world, &mut resumed, 0.2);
        assert!(1.0 < resumed.forward_speed(), "{} m/s", resumed.forward_speed());
    }
}

#[test]
fn a_vehicle_that_is_restored_before_each_step_meets_a_kerb_with_the_same_bits() {
    for name in ["hot_hatch", "pick_up"] {
        let model = preset(name);
        let run = |is_restored: bool| {
            let mut world = level_world(DT, 1.0);
            let kerb = ColliderBuilder::cuboid(10.0, 0.06, 0.5).translation(Vector::Z * 3.5);
            world.insert_collider(kerb, None);
            world.detect_collisions(&(), &());
            let mut car = insert(&mut world, &model);
            car.set_velocity(&mut world.bodies, Vector::Z * 4.0).expect("a body");
            (0..90)
                .map(|step| {
                    let commands = car.commands_mut();
                    (commands.throttle, commands.steer) = (0.3, 0.1 + 0.002 * step as Real);
                    if is_restored {
                        let snapshot = car.snapshot(&world.bodies).expect("a body");
                        car.restore(&mut world, &snapshot).expect("its own snapshot");
                    }
                    car.step(&mut world).expect("it drives");
                    bits(&world, &car)
                })
                .collect::<Vec<_>>()
        };
        let (expected, restored) = (run(false), run(true));
        let differs = expected.iter().zip(&restored).position(|(one, other)| one != other);
        assert_eq!(differs, None, "{name}: the first step that differs");
    }
}
