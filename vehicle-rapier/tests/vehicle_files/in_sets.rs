//! Presets in the sets of a world without a `PhysicsWorld`, gone back to with their world, coupled,
//! put back to their start.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnySnapshot, AnyVehicle, Preset};
use vehicle_rapier::{Scene, WorldParts};

use crate::common::DT;

fn model(name: &str) -> AnyVehicle {
    AnyVehicle::preset(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn at_rest(model: &AnyVehicle) -> Pose {
    Pose::from_translation(Vector::Y * model.standing_height(GRAVITY))
}

fn driven() -> impl Iterator<Item = &'static Preset> {
    Preset::ALL.iter().filter(|preset| preset.is_driven())
}

/// The parts of a world as an application of its own keeps them.
fn scene(world: &mut PhysicsWorld) -> Scene<'_> {
    Scene {
        bodies: &mut world.bodies,
        colliders: &mut world.colliders,
        broad_phase: &world.broad_phase,
        narrow_phase: &world.narrow_phase,
        impulse_joints: Some(&mut world.impulse_joints),
        solver_iterations: world.integration_parameters.num_solver_iterations,
        multibody_joints: Some(&world.multibody_joints),
        gravity: world.gravity,
        dt: world.integration_parameters.dt,
    }
}

/// What there is to see of vehicles (bits).
fn bits(train: &[AnyRapierVehicle], bodies: &RigidBodySet) -> Vec<u8> {
    let snapshots: Vec<_> = train.iter().map(|car| car.snapshot(bodies).expect("a body")).collect();
    postcard::to_stdvec(&snapshots).expect("plain data")
}

/// The vehicle of a preset and the trailer that it pulls.
fn train(preset: &Preset, world: &mut PhysicsWorld) -> Vec<AnyRapierVehicle> {
    let own = model(preset.name);
    let mut train = vec![own.insert(world, at_rest(&own))];
    if let Some(coupling) = preset.coupling {
        let trailer = model(coupling.trailer);
        let pulled = train[0].insert_trailer(coupling.own, &trailer, coupling.theirs, world);
        train.push(pulled.expect("both hitches are there"));
    }
    train
}

fn update(train: &mut [AnyRapierVehicle], world: &mut PhysicsWorld) {
    if let Some((tractor, trailers)) = train.split_first_mut() {
        for trailer in trailers {
            trailer.follow(&tractor.vehicle, &mut world.bodies);
        }
    }
    for car in train {
        car.update(&mut *world).expect("it can be driven");
    }
}

#[test]
fn vehicles_in_separate_sets_drive_with_the_bits_of_those_in_a_physics_world() {
    for preset in driven() {
        let model = model(preset.name);
        let mut worlds = [level_world(DT, 1.0), level_world(DT, 1.0)];
        let pose = at_rest(&model);
        let PhysicsWorld { bodies, colliders, .. } = &mut worlds[1];
        let in_sets = model.insert_into(bodies, colliders, pose);
        let mut cars = [model.insert(&mut worlds[0], pose), in_sets];
        let mut saved: Vec<AnySnapshot> = Vec::new();
        for step in 0..40 {
            if step == 20 {
                saved =
                    (0..2).map(|i| cars[i].snapshot(&worlds[i].bodies).expect("a body")).collect();
            }
            for car in &mut cars {
                (car.commands_mut().throttle, car.commands_mut().steer) = (0.7, 0.2);
            }
            cars[0].update(&mut worlds[0]).expect("it can be driven");
            cars[1].update(scene(&mut worlds[1])).expect("it can be driven");
            worlds.iter_mut().for_each(PhysicsWorld::step);
        }
        let seen = |cars: &[AnyRapierVehicle; 2], worlds: &[PhysicsWorld; 2]| {
            [0, 1].map(|i| bits(&cars[i..=i], &worlds[i].bodies))
        };
        let [one, other] = seen(&cars, &worlds);
        assert_eq!(one, other, "{}", preset.name);

        cars[0].restore(&mut worlds[0], &saved[0]).expect("its own snapshot");
        let parts = WorldParts::from(&mut worlds[1]);
        cars[1].restore_in(parts, &saved[1]).expect("its own snapshot");
        let [one, other] = seen(&cars, &worlds);
        assert_eq!(one, other, "{} goes back", preset.name);

        let left = cars.map(|car| car.body());
        assert!(worlds[1].bodies.contains(left[1]), "{}", preset.name);
    }
}

#[test]
fn nothing_is_left_of_vehicles_that_leave_separate_sets() {
    for preset in driven() {
        let mut world = level_world(DT, 1.0);
        let before = (world.bodies.len(), world.colliders.len());
        let mut train = train(preset, &mut world);
        assert_eq!(world.impulse_joints.len(), train.len() - 1, "{}", preset.name);
        for _ in 0..3 {
            update(&mut train, &mut world);
            world.step();
        }
        for car in train {
            car.remove_from(WorldParts::from(&mut world));
        }
        let after = (world.bodies.len(), world.colliders.len());
        assert_eq!((after, world.impulse_joints.len()), (before, 0), "{}", preset.name);
        world.step();
    }
}

#[test]
fn trains_that_push_go_back_with_their_world_to_the_bit_in_one_call() {
    for preset in driven() {
        let mut world = level_world(DT, 1.0);
        let mut train = train(preset, &mut world);
        // A crate that is pushed along: contacts are warm.
        let place = Vector::new(0.1, 0.8, 4.5);
        let crates = ColliderBuilder::cuboid(0.8, 0.8, 0.8).density(100.0);
        world.insert(RigidBodyBuilder::dynamic().translation(place), crates);
        let mut seen = Vec::new();
        let mut saved = None;
        for step in 0..90 {
            if step == 60 {
                let snapshots: Vec<_> =
                    train.iter().map(|car| car.snapshot(&world.bodies).expect("a body")).collect();
                saved = Some((postcard::to_stdvec(&world).expect("plain data"), snapshots));
            }
            train[0].commands_mut().throttle = 1.0;
            update(&mut train, &mut world);
            world.step();
            if 60 <= step {
                seen.push(bits(&train, &world.bodies));
            }
        }
        let (bytes, snapshots) = saved.expect("a step of 60");
        world = postcard::from_bytes(&bytes).expect("its own bytes");
        for (car, snapshot) in train.iter_mut().zip(&snapshots) {
            car.restore_with_world(&mut world.bodies, snapshot).expect("its own snapshot");
        }
        for (step, seen) in seen.iter().enumerate() {
            train[0].commands_mut().throttle = 1.0;
            update(&mut train, &mut world);
            world.step();
            assert!(*seen == bits(&train, &world.bodies), "{}: step {}", preset.name, 60 + step);
        }
    }
}

#[test]
fn a_snapshot_of_another_kind_is_refused_with_its_world_too() {
    let mut world = level_world(DT, 1.0);
    let [mut car, tank] = ["hot_hatch", "tank"].map(|name| {
        let model = model(name);
        model.insert(&mut world, at_rest(&model))
    });
    let snapshot = tank.snapshot(&world.bodies).expect("a body");
    let error = car.restore_with_world(&mut world.bodies, &snapshot).expect_err("another kind");
    assert_eq!(error.to_string(), "drive must be engine, as the vehicle is, got tank");
}

#[test]
fn trailers_are_put_where_the_hitches_meet_and_stay_there() {
    for (turn, preset) in [0.0, 2.0].into_iter().flat_map(|turn| driven().map(move |it| (turn, it)))
    {
        let Some(coupling) = preset.coupling else { continue };
        let mut world = level_world(DT, 1.0);
        let (own, trailer) = (model(preset.name), model(coupling.trailer));
        let rotation = Rotation::from_rotation_y(turn);
        let pose = Pose::from_parts(at_rest(&own).translation, rotation);
        let tractor = own.insert(&mut world, pose);
        let pulled = tractor
            .insert_trailer(coupling.own, &trailer, coupling.theirs, &mut world)
            .expect("both hitches are there");
        let gap = |world: &PhysicsWorld, train: &[&AnyRapierVehicle; 2]| {
            let [one, other] =
                [(train[0], coupling.own), (train[1], coupling.theirs)].map(|(car, name)| {
                    let place = car.hitch(name).expect("a hitch").position;
                    car.pose(&world.bodies).expect("a body").transform_point(place)
                });
            one.distance(other)
        };
        let name = preset.name;
        assert!(gap(&world, &[&tractor, &pulled]) < 1e-4, "{name}");
        let before = tractor.pose(&world.bodies).expect("a body");
        let mut train = [tractor, pulled];
        for car in &mut train {
            car.commands_mut().brakes[0] = 1.0;
        }
        for _ in 0..120 {
            update(&mut train, &mut world);
            world.step();
        }
        let after = train[0].pose(&world.bodies).expect("a body");
        let moved = before.translation.distance(after.translation);
        assert!(moved < 0.15, "{name}: {moved} m");
        assert!(gap(&world, &[&train[0], &train[1]]) < 0.02, "{name}");
        assert!(0.99 < (after.rotation * Vector::Y).y, "{name} stands");
        let error = train[0].trailer_pose("hook", &trailer, coupling.theirs, &world.bodies);
        let error = error.expect_err("no such hitch").to_string();
        assert!(error.contains(coupling.own) && error.contains("hook"), "{error}");
    }
}

#[test]
fn vehicles_begin_anew_where_they_were_inserted() {
    for preset in driven() {
        let mut world = level_world(DT, 1.0);
        let model = model(preset.name);
        let mut car = model.insert(&mut world, at_rest(&model));
        let drive = |car: &mut AnyRapierVehicle, world: &mut PhysicsWorld| {
            (car.commands_mut().throttle, car.commands_mut().steer) = (0.6, 0.3);
            (0..60)
                .map(|_| {
                    car.step(world).expect("it can be driven");
                    let pose = car.pose(&world.bodies).expect("a body");
                    pose.translation
                })
                .collect::<Vec<_>>()
        };
        let first = drive(&mut car, &mut world);
        car.reset(&mut world.bodies).expect("its own start");
        let pose = car.pose(&world.bodies).expect("a body");
        assert_eq!(pose, at_rest(&model), "{}", preset.name);
        assert_eq!(car.commands().throttle, 0.0, "{}", preset.name);
        assert_eq!(car.velocity(), Vector::ZERO, "{}", preset.name);
        let again = drive(&mut car, &mut world);
        for (one, other) in first.iter().zip(&again) {
            assert!(one.distance(*other) < 1e-3, "{}: {one} and {other}", preset.name);
        }
    }
}

#[test]
fn vehicles_roll_on_at_the_velocity_that_they_are_given() {
    for preset in driven() {
        let mut world = level_world(DT, 1.0);
        let model = model(preset.name);
        let turn = Rotation::from_rotation_y(0.7);
        let pose = Pose::from_parts(at_rest(&model).translation, turn);
        let mut car = model.insert(&mut world, pose);
        car.select(vehicle_rapier::drivetrain::blocks::Selector::Neutral);
        for _ in 0..30 {
            car.step(&mut world).expect("it can be driven");
        }
        let speed = 5.0;
        car.set_velocity(&mut world.bodies, turn * Vector::Z * speed).expect("it is finite");
        // Those that stand a little nose up, as a tractor without its trailer, do not look along
        // the road.
        let forward = car.forward_speed();
        assert!((forward - speed).abs() < 0.01 * speed, "{}: {forward} m/s", preset.name);
        for _ in 0..30 {
            car.step(&mut world).expect("it can be driven");
        }
        let (velocity, ahead) = (car.velocity(), turn * Vector::Z);
        // Wheels that did not turn would have slowed it down by 5 m/s.
        assert!((velocity.dot(ahead) - speed).abs() < 1.0, "{}: {velocity}", preset.name);
        let error = car.set_velocity(&mut world.bodies, Vector::X * Real::NAN);
        assert!(error.is_err(), "{}", preset.name);
    }
}
