//! Bodies that are not made by a chassis: made to fit, or refused.

use crate::common::saloon::{direct_saloon, saloon_chassis, saloon_rest_height};
use crate::common::{DT, drive};
use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::rigid_body::RigidBodyParams;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::vehicle_file::AnyVehicle;
use vehicle_rapier::{Activity, Actor, Chassis, Fleet, RapierVehicle, SprungMasses};

type Car = RapierVehicle<DirectDriveVehicle>;

fn hull() -> ColliderBuilder {
    ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2)
}

fn pose() -> Pose {
    Pose::from_translation(Vector::Y * saloon_rest_height())
}

fn car(actor: Actor) -> Car {
    let vehicle = DirectDriveVehicle::new(direct_saloon()).expect("valid parameters");
    let mut car = RapierVehicle::new(actor, vehicle, DirectDriveVehicle::sequence());
    car.vehicle.controls.gear = Gear::Forward;
    car
}

/// Motion of the car after it has pulled away, turned and hit a loose box.
fn errand(world: &mut PhysicsWorld, car: &mut Car) -> (Pose, Vector, Vector) {
    let start = Pose::from_translation(Vector::new(0.3, 0.5, 12.0));
    world.insert(RigidBodyBuilder::dynamic().pose(start), ColliderBuilder::cuboid(0.5, 0.5, 0.5));
    car.vehicle.commands.throttle = 1.0;
    drive(world, car, 3.0);
    car.vehicle.commands.steer = 0.3;
    drive(world, car, 2.0);
    let body = &world.bodies[car.actor.body];
    (*body.position(), body.linvel(), body.angvel())
}

/// A body as its user has it for other ends: heavy, damped, bound to a line.
fn own_body(world: &mut PhysicsWorld) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic()
        .pose(pose())
        .additional_mass(300.0)
        .linear_damping(0.4)
        .angular_damping(0.7)
        .locked_axes(LockedAxes::TRANSLATION_LOCKED_X);
    world.insert(body, hull().density(500.0)).0
}

#[test]
fn an_adopted_body_drives_as_one_that_was_made() {
    let mechanics: MechanicalParams = direct_saloon().mechanics;
    let mut world = level_world(DT, 1.0);
    let actor = saloon_chassis(&mechanics, pose()).insert(&mut world.bodies, &mut world.colliders);
    let expected = errand(&mut world, &mut car(actor));
    assert!(10.0 < expected.0.translation.z, "{expected:?}");

    let mut world = level_world(DT, 1.0);
    let body = own_body(&mut world);
    let chassis = Chassis::new(&mechanics.rigid_body);
    let (actor, _) = chassis.adopt(body, &mut world.bodies, &mut world.colliders).expect("dynamic");
    assert_eq!(errand(&mut world, &mut car(actor)), expected);
}

#[test]
fn a_body_that_does_not_fit_is_refused_in_the_first_step() {
    let mut world = level_world(DT, 1.0);
    let body = own_body(&mut world);
    let mut own = car(Actor::new(body, Pose::from_translation(Vector::Y * 0.1)));
    let before = (format!("{own:?}"), *world.bodies[body].position());
    let text = own.step(&mut world).unwrap_err().to_string();
    for part in [
        "body.gravity_scale must be 0, because the vehicle brings its own gravity, got 1",
        "body.mass must be 1500 as the vehicle's (kg), got 346",
        "body.center_of_mass must be [0, 0.1, 0] as the actor's (m), got [0, 0.2",
        "body.inertia must be ",
        "body.linear_damping must be 0, because the vehicle brings its own resistance, got 0.4",
        "body.angular_damping must be 0, because the vehicle brings its own resistance, got 0.7",
        "body.locked_axes must be none, got ",
        "; Chassis::adopt makes a body fit; to load it, give colliders .density(0.0), and call set_mass",
    ] {
        assert!(text.contains(part), "{text}, without {part}");
    }
    assert_eq!((format!("{own:?}"), *world.bodies[body].position()), before);
    let mut fleet = Fleet::new();
    fleet.insert(own);
    assert_eq!(fleet.step(&mut world).len(), 1);
}

#[test]
fn a_body_that_fits_is_driven_whoever_has_made_it() {
    let mechanics: MechanicalParams = direct_saloon().mechanics;
    let mut made = level_world(DT, 1.0);
    let actor = saloon_chassis(&mechanics, pose()).insert(&mut made.bodies, &mut made.colliders);
    let expected = errand(&mut made, &mut car(actor));

    let mut world = level_world(DT, 1.0);
    let params = &mechanics.rigid_body;
    let mass = MassProperties::with_principal_inertia_frame(
        Vector::ZERO,
        params.mass,
        params.inertia,
        Rotation::IDENTITY,
    );
    let body = RigidBodyBuilder::dynamic()
        .pose(pose())
        .gravity_scale(0.0)
        .additional_mass_properties(mass);
    let (body, _) = world.insert(body, hull().density(0.0));
    assert_eq!(errand(&mut world, &mut car(Actor::new(body, Pose::IDENTITY))), expected);
}

#[test]
fn mass_of_colliders_that_come_later_and_gravity_at_any_time_are_refused() {
    let mechanics: MechanicalParams = direct_saloon().mechanics;
    let mut world = level_world(DT, 1.0);
    let actor = saloon_chassis(&mechanics, pose()).insert(&mut world.bodies, &mut world.colliders);
    let load = ColliderBuilder::cuboid(0.5, 0.5, 0.5).translation(Vector::Y).density(100.0);
    let load = world.insert_collider(load, Some(actor.body));
    let mut car = car(actor);
    let text = car.step(&mut world).unwrap_err().to_string();
    assert!(text.starts_with("body.mass must be 1500 as the vehicle's (kg), got 1600"), "{text}");
    world.colliders[load].set_density(0.0);
    drive(&mut world, &mut car, 0.5);
    for seconds in [0.1, 4.0] {
        drive(&mut world, &mut car, seconds);
        world.bodies[actor.body].set_gravity_scale(1.0, false);
        let text = car.step(&mut world).unwrap_err().to_string();
        let gravity =
            "body.gravity_scale must be 0, because the vehicle brings its own gravity, got 1";
        let advice = "Chassis::adopt makes a body fit; to load it, give colliders .density(0.0), \
                      and call set_mass";
        assert_eq!(text, format!("{gravity}; {advice}"));
        world.bodies[actor.body].set_gravity_scale(0.0, false);
    }
    assert_eq!(drive(&mut world, &mut car, 4.0), Activity::Asleep);
}

#[test]
fn a_load_is_a_collider_without_mass_and_a_mass_that_is_set() {
    let mechanics: MechanicalParams = direct_saloon().mechanics;
    let mut world = level_world(DT, 1.0);
    let actor = saloon_chassis(&mechanics, pose()).insert(&mut world.bodies, &mut world.colliders);
    let mut car = car(actor);
    drive(&mut world, &mut car, 0.1);
    let load = ColliderBuilder::cuboid(0.5, 0.5, 0.5).translation(Vector::Y * 0.6).density(300.0);
    let collider = world.insert_collider(load, Some(actor.body));
    let mut loaded = car.mass();
    loaded.rigid_body.mass += 300.0;
    let before = (format!("{car:?}"), world.bodies[actor.body].mass());
    let load_car = |world: &mut PhysicsWorld, car: &mut Car| {
        let PhysicsWorld { bodies, colliders, .. } = world;
        car.set_mass(bodies, colliders, &loaded, SprungMasses::Balance)
    };
    let text = load_car(&mut world, &mut car).expect_err("it would be loaded twice").to_string();
    let mass = "colliders.mass must be 0 kg in all, as the vehicle's mass is that of body and \
                colliders together: give them .density(0.0), got 300";
    assert_eq!(text, mass);
    assert_eq!((format!("{car:?}"), world.bodies[actor.body].mass()), before);
    world.colliders[collider].set_density(0.0);
    load_car(&mut world, &mut car).expect("a load");
    drive(&mut world, &mut car, 0.1);
    assert!((world.bodies[actor.body].mass() - loaded.rigid_body.mass).abs() < 0.1);
}

#[test]
fn damping_and_locked_axes_of_a_chassis_are_its_users_choice() {
    let mechanics: MechanicalParams = direct_saloon().mechanics;
    let mut world = level_world(DT, 1.0);
    let chassis = saloon_chassis(&mechanics, pose())
        .configure(|body| body.linear_damping(0.1).locked_axes(LockedAxes::ROTATION_LOCKED_Y));
    let mut car = car(chassis.insert(&mut world.bodies, &mut world.colliders));
    drive(&mut world, &mut car, 0.5);
    let fixed = world.insert_body(RigidBodyBuilder::fixed());
    let error = Chassis::new(&mechanics.rigid_body)
        .adopt(fixed, &mut world.bodies, &mut world.colliders)
        .unwrap_err();
    assert!(error.to_string().contains("must be dynamic, but is Fixed"), "{error}");
}

#[test]
fn a_preset_adopts_a_body_with_its_colliders_or_brings_its_own() {
    let preset = AnyVehicle::preset("hot_hatch").expect("a preset");
    let pose = Pose::from_translation(Vector::Y * preset.standing_height(9.81));
    let mut made = level_world(DT, 1.0);
    let mut expected = preset.insert(&mut made, pose);
    expected.commands_mut().throttle = 1.0;
    drive(&mut made, &mut expected, 3.0);
    let place = *made.bodies[expected.body()].position();
    assert!(5.0 < place.translation.z, "{place:?}");

    for own_colliders in [0, 1] {
        let mut world = level_world(DT, 1.0);
        let body = RigidBodyBuilder::dynamic().pose(pose).additional_mass(300.0);
        let body = world.insert_body(body.linear_damping(0.4));
        for _ in 0..own_colliders {
            let hull = ColliderBuilder::cuboid(0.8, 0.3, 1.9).translation(Vector::Y * 0.5);
            world.insert_collider(hull, Some(body));
        }
        let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
        let mut car = preset.adopt(bodies, colliders, body).expect("a dynamic body");
        let count = world.bodies[body].colliders().len();
        assert!(if own_colliders == 0 { 0 < count } else { count == 1 }, "{count}");
        car.commands_mut().throttle = 1.0;
        drive(&mut world, &mut car, 3.0);
        let apart = world.bodies[body].translation().distance(place.translation);
        assert!(apart < 1e-5, "{apart} m");
        car.remove(&mut world);
        assert!(!world.bodies.contains(body));
        let error = preset.adopt(&mut world.bodies, &mut world.colliders, body).unwrap_err();
        assert!(error.to_string().contains("is not in the world"), "{error}");
    }
}

#[test]
fn mass_that_comes_while_driving_or_asleep_is_refused_until_it_is_gone() {
    let mechanics: MechanicalParams = direct_saloon().mechanics;
    for seconds in [0.5, 6.0] {
        let mut world = level_world(DT, 1.0);
        let chassis = saloon_chassis(&mechanics, pose());
        let mut car = car(chassis.insert(&mut world.bodies, &mut world.colliders));
        car.vehicle.commands.brakes[0] = 1.0;
        let activity = drive(&mut world, &mut car, seconds);
        let is_asleep = 1.0 < seconds;
        assert_eq!(activity == Activity::Asleep, is_asleep, "after {seconds} s");
        for (name, collider, mass) in [
            (
                "a sensor without a density of its own",
                ColliderBuilder::ball(1.0).sensor(true),
                1_504,
            ),
            ("a load", ColliderBuilder::cuboid(0.3, 0.3, 0.3).mass(300.0), 1_800),
        ] {
            let collider = world.insert_collider(collider, Some(car.actor.body));
            // The world's step gives the body its mass.
            world.step();
            let error = car.step(&mut world).expect_err(name).to_string();
            let start = format!("body.mass must be 1500 as the vehicle's (kg), got {mass}");
            assert!(error.starts_with(&start), "{name} after {seconds} s: {error}");
            assert!(error.ends_with("give colliders .density(0.0), and call set_mass"), "{error}");
            world.colliders[collider].set_density(0.0);
            drive(&mut world, &mut car, 0.1);
        }
    }
}

#[test]
fn mass_that_moves_in_the_body_is_refused() {
    let mechanics: MechanicalParams = direct_saloon().mechanics;
    let mut world = level_world(DT, 1.0);
    let actor = saloon_chassis(&mechanics, pose()).insert(&mut world.bodies, &mut world.colliders);
    let mut car = car(actor);
    drive(&mut world, &mut car, 0.5);
    let RigidBodyParams { mass, inertia } = mechanics.rigid_body;
    let elsewhere = MassProperties::new(Vector::Y * 0.2, mass, inertia);
    let body = &mut world.bodies[actor.body];
    body.set_additional_mass_properties(elsewhere, true);
    world.step();
    let error = car.step(&mut world).unwrap_err().to_string();
    assert!(error.starts_with("body.center_of_mass must be [0, 0, 0] as the actor's"), "{error}");
}

#[test]
fn a_preset_that_has_adopted_a_moving_body_is_reset_to_rest() {
    let preset = AnyVehicle::preset("hot_hatch").expect("a preset");
    let pose = Pose::from_translation(Vector::Y * preset.standing_height(9.81));
    let mut world = level_world(DT, 1.0);
    let body = RigidBodyBuilder::dynamic().pose(pose).linvel(Vector::Z * 8.0).angvel(Vector::Y);
    let body = world.insert_body(body);
    world.bodies[body].add_force(Vector::X * 500.0, true);
    let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
    let mut car = preset.adopt(bodies, colliders, body).expect("a dynamic body");
    assert_eq!(world.bodies[body].linvel(), Vector::Z * 8.0, "it drives on as it was");
    drive(&mut world, &mut car, 0.5);
    car.reset(&mut world.bodies).expect("its start");
    let body = &world.bodies[body];
    assert_eq!(*body.position(), pose);
    let motion = [body.linvel(), body.angvel(), body.user_force(), body.user_torque()];
    assert_eq!(motion, [Vector::ZERO; 4]);
}
