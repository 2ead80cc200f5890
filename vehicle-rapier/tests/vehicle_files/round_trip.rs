//! What is written is read back: the same bits, and the same drive.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::mass_distribution::MassDistribution;
use vehicle_rapier::drivetrain::aids::{AidsParams, AntiLockParams};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{
    AnyRapierVehicle, AnySnapshot, AnyVehicle, FileFormat, VehicleFile,
};

use vehicle_rapier::{RoadQueryShape, SprungMasses};

use super::fleet_of_kinds::{all, random};
use crate::common::{DT, Noise};

/// All numbers of a file with their bits.
fn bits(file: &VehicleFile) -> Vec<u8> {
    postcard::to_stdvec(file).expect("plain data")
}

fn there_and_back(name: &str, file: &VehicleFile, format: FileFormat) -> VehicleFile {
    let text = file.to_text(format).unwrap_or_else(|error| panic!("{name} {format:?}: {error}"));
    let read = VehicleFile::from_str(format, &text)
        .unwrap_or_else(|error| panic!("{name} {format:?}: {error}\n{text}"));
    assert_eq!(&read, file, "{name} {format:?}");
    assert_eq!(bits(&read), bits(file), "{name} {format:?}: bits");
    assert_eq!(read.to_text(format).expect("as before"), text, "{name} {format:?}: text");
    read
}

#[test]
fn a_file_of_any_kind_is_read_back_bit_by_bit_in_every_format() {
    let mut noise = Noise(17);
    let some = (0..40).map(|index| (format!("random {index}"), random(&mut noise)));
    for (name, file) in all().into_iter().chain(some) {
        AnyVehicle::new(file.clone(), "").unwrap_or_else(|error| panic!("{name}: {error}"));
        for format in FileFormat::ALL {
            let read = there_and_back(&name, &file, format);
            // One format after the other.
            let next = there_and_back(&name, &read, FileFormat::Json);
            assert_eq!(bits(&next), bits(&file), "{name}");
        }
    }
}

#[test]
fn numbers_that_are_hard_to_write_keep_their_bits() {
    let mut noise = Noise(3);
    let (_, mut file) = all().swap_remove(1);
    for _ in 0..300 {
        let number =
            Real::from_bits((noise.next() * 16_777_216.0) as u32 ^ (noise.next() * 4e9) as u32);
        if !number.is_finite() {
            continue;
        }
        file.hitches[0].position = Vector::new(number, -number, 1.0 / 3.0);
        for format in FileFormat::ALL {
            there_and_back(&format!("{number:e}"), &file, format);
        }
    }
}

/// A vehicle that has been driven for two seconds.
fn driven(file: &VehicleFile, name: &str) -> (AnyRapierVehicle, World) {
    let mut world = level_world(DT, 1.0);
    let gravity = file.frame.vertical() * -9.81;
    world.gravity = gravity;
    if file.frame == Frame::Z_UP {
        world = PhysicsWorld::new();
        world.integration_parameters.dt = DT;
        world.gravity = gravity;
        let ground = ColliderBuilder::new(SharedShape::halfspace(Vector::Z)).friction(1.0);
        world.insert_collider(ground, None);
        world.detect_collisions(&(), &());
    }
    let vehicle = AnyVehicle::new(file.clone(), "").expect("a vehicle");
    let height = vehicle.standing_height(9.81);
    let mut car =
        vehicle.insert(&mut world, Pose::from_translation(file.frame.vertical() * height));
    for step in 0..120 {
        let commands = car.commands_mut();
        commands.throttle = 0.6;
        commands.steer = if step < 60 { 0.0 } else { 0.2 };
        car.step(&mut world).unwrap_or_else(|error| panic!("{name} at step {step}: {error}"));
    }
    (car, World(world))
}

/// The world of a drive.
struct World(PhysicsWorld);

fn snapshot((car, world): &(AnyRapierVehicle, World)) -> Vec<u8> {
    postcard::to_stdvec(&car.snapshot(&world.0.bodies).expect("a body")).expect("plain data")
}

#[test]
fn a_vehicle_of_any_kind_drives_as_before_a_round_trip() {
    for (index, (name, file)) in all().into_iter().enumerate() {
        let before = driven(&file, &name);
        let format = FileFormat::ALL[index % 3];
        let after = driven(&there_and_back(&name, &file, format), &name);
        assert_eq!(snapshot(&before), snapshot(&after), "{name} {format:?}");
        let speed = before.0.forward_speed();
        if name == "trailer" {
            assert!(speed.abs() < 0.01, "{name}: {speed} m/s");
        } else {
            assert!(0.2 < speed, "{name}: {speed} m/s");
        }
    }
}

#[test]
fn a_vehicle_in_a_world_is_written_as_it_drives() {
    for (name, file) in all() {
        let (car, _) = driven(&file, &name);
        let written = car.to_file();
        let again = driven(&written, &name);
        assert_eq!(snapshot(&(car, driven(&file, &name).1)), snapshot(&again), "{name}");
        assert_eq!(again.0.to_file(), written, "{name}");
    }
}

#[test]
fn a_snapshot_is_restored_and_that_of_another_kind_is_refused() {
    let files = all();
    let mut others = Vec::new();
    for (name, file) in &files[..5] {
        let (mut car, mut world) = driven(file, name);
        let saved = car.snapshot(&world.0.bodies).expect("a body");
        let text = postcard::to_stdvec(&saved).expect("plain data");
        let saved: AnySnapshot = postcard::from_bytes(&text).expect("as written");
        let mut drive_on = |car: &mut AnyRapierVehicle| {
            for _ in 0..30 {
                car.step(&mut world.0).expect("the car can be driven");
            }
            let now = car.snapshot(&world.0.bodies).expect("a body");
            car.restore(&mut world.0, &saved).expect("its own");
            now
        };
        assert_eq!(drive_on(&mut car), drive_on(&mut car), "{name}");
        others.push((car, world, saved));
    }
    let foreign = others.pop().expect("five").2;
    let (car, world, _) = &mut others[1];
    let error = car.restore(&mut world.0, &foreign).unwrap_err().to_string();
    assert_eq!(error, "drive must be direct, as the vehicle is, got tank");
}

#[test]
fn a_trailer_follows_the_car_that_it_is_coupled_to() {
    let mut world = level_world(DT, 1.0);
    let find = |wanted: &str| {
        let (_, file) = all().into_iter().find(|(name, _)| name == wanted).expect("a kind");
        AnyVehicle::new(file, "").expect("a vehicle")
    };
    let (car, trailer) = (find("sample direct"), find("trailer"));
    let place = |z: Real, y: Real| Pose::from_translation(Vector::new(0.0, y, z));
    let mut car = car.insert(&mut world, place(0.0, car.standing_height(9.81)));
    let mut trailer = trailer.insert(&mut world, place(-5.5, trailer.standing_height(9.81)));
    let error = car.couple("ball", &trailer, "ball", &mut world).unwrap_err().to_string();
    assert_eq!(error, "the hitch must be one of [\"eye\"], got \"ball\"");
    let pose = *world.bodies[trailer.body()].position();
    world.bodies[trailer.body()].set_translation(pose.translation - Vector::Z * 2.0, true);
    let error = car.couple("ball", &trailer, "eye", &mut world).unwrap_err().to_string();
    assert!(error.contains("must be within 0.5 m of each other, got"), "{error}");
    world.bodies[trailer.body()].set_position(pose, true);
    let error = car.couple("ball", &car, "ball", &mut world).unwrap_err().to_string();
    assert!(error.starts_with("the trailer must have another body"), "{error}");
    assert!(world.impulse_joints.is_empty());
    car.couple("ball", &trailer, "eye", &mut world).expect("both are there");
    for _ in 0..180 {
        car.commands_mut().throttle = 0.5;
        trailer.follow(&car.vehicle, &mut world.bodies);
        car.update(&mut world).expect("it drives");
        trailer.update(&mut world).expect("it rolls");
        world.step();
    }
    let (speed, behind) = (car.forward_speed(), trailer.forward_speed());
    assert!(2.0 < speed && (speed - behind).abs() < 0.2, "{speed} m/s, {behind} m/s");
}

#[test]
fn a_vehicle_that_was_changed_in_its_world_is_written_as_it_is() {
    let model = AnyVehicle::preset("hot_hatch").expect("a preset");
    let mut world = level_world(DT, 1.0);
    let place = Pose::from_translation(Vector::Y * model.standing_height(9.81));
    let mut car = model.insert(&mut world, place);
    let load = MassDistribution::block(200.0, Vector::splat(0.5), Vector::new(0.0, 0.3, -1.2));
    let loaded = car.mass().with(&load);
    car.set_mass(&mut world.bodies, &world.colliders, &loaded, SprungMasses::Balance)
        .expect("a load");
    let aids = AidsParams { anti_lock: None, ..model.file().aids };
    let anti_lock = model.file().aids.anti_lock.is_none().then(AntiLockParams::default);
    car.vehicle.set_aids(AidsParams { anti_lock, ..aids }).expect("aids");
    let is_swept = model.file().road_query == RoadQueryShape::Cylinder;
    car.road.shape = if is_swept { RoadQueryShape::Ray } else { RoadQueryShape::Cylinder };
    car.params.meets_obstacles = !car.params.meets_obstacles;

    let file = there_and_back("hot_hatch", &car.to_file(), FileFormat::Json);
    assert_eq!(file.aids, AidsParams { anti_lock, ..model.file().aids });
    let again = AnyVehicle::new(file, "").expect("a vehicle");
    let mut other = again.insert(&mut level_world(DT, 1.0), place);
    assert_eq!(other.mass(), car.mass());
    assert_eq!(other.road.shape, car.road.shape);
    assert_eq!(other.params, car.params);
    // Wheels are where they are in the body.
    let mount = |car: &AnyRapierVehicle, wheel: usize| {
        let suspension = &car.mechanics().params.suspensions[wheel];
        car.actor.center_of_mass * suspension.wheel_mount()
    };
    for wheel in 0..car.wheel_count() {
        assert_eq!(mount(&other, wheel), mount(&car, wheel), "wheel {wheel}");
    }
    assert_eq!(other.to_file(), car.to_file());
    other.params.meets_obstacles = !other.params.meets_obstacles;
    assert_ne!(other.to_file().meets_obstacles, car.to_file().meets_obstacles);
}
