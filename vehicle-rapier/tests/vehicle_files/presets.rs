//! The presets: each is loaded, driven off, turned, stopped and parked.

use rapier3d::prelude::*;
use snippets::presets::{PRESETS, vehicle};
use snippets::scenes::level_world;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, FileFormat, VehicleFile};

use crate::common::DT;

/// The road's slope that they park on (rad).
const SLOPE: Real = 10.0 * std::f32::consts::PI / 180.0;

fn steps(car: &mut AnyRapierVehicle, world: &mut PhysicsWorld, seconds: Real, name: &str) {
    for _ in 0..(seconds / DT) as usize {
        car.step(world).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

fn pose(car: &AnyRapierVehicle, world: &PhysicsWorld) -> Pose {
    *world.bodies[car.body()].position()
}

#[test]
fn presets_drive_off_turn_and_stop() {
    for (name, _) in PRESETS {
        let mut world = level_world(DT, 1.1);
        let vehicle = vehicle(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let height = Vector::Y * vehicle.standing_height(9.81);
        let mut car = vehicle.insert(&mut world, Pose::from_translation(height));
        assert_eq!(car.diagnose(DT).expect("a time step"), [], "{name}");

        steps(&mut car, &mut world, 1.0, name);
        let standing = pose(&car, &world);
        assert!((standing.translation.y - height.y).abs() < 0.02, "{name}: {standing:?}, {height}");

        car.commands_mut().throttle = 0.6;
        steps(&mut car, &mut world, 6.0, name);
        let (speed, place) = (car.forward_speed(), pose(&car, &world).translation);
        assert!(5.0 < speed, "{name}: {speed} m/s");
        assert!(place.x.abs() < 0.1 + 0.02 * place.z, "{name}: {place} m");

        car.commands_mut().throttle = 0.2;
        car.commands_mut().steer = 0.2;
        steps(&mut car, &mut world, 2.0, name);
        let now = pose(&car, &world);
        let (heading, up) = (now.rotation * Vector::Z, now.rotation * Vector::Y);
        assert!(0.1 < heading.x, "{name} turns left: {heading}");
        assert!(0.97 < up.y, "{name} stays upright: {up}");

        car.commands_mut().throttle = 0.0;
        car.commands_mut().steer = 0.0;
        car.commands_mut().brakes[0] = 0.8;
        steps(&mut car, &mut world, 6.0, name);
        let speed = car.forward_speed();
        assert!(speed.abs() < 0.01, "{name}: {speed} m/s");
    }
}

#[test]
fn presets_park_on_ten_degrees() {
    for (name, _) in PRESETS {
        let vehicle = vehicle(name).expect("a vehicle");
        for side in [-1.0, 1.0] {
            let turn = Rotation::from_rotation_x(side * SLOPE);
            let mut world = PhysicsWorld::new();
            world.integration_parameters.dt = DT;
            let ground = SharedShape::halfspace(turn * Vector::Y);
            world.insert_collider(ColliderBuilder::new(ground).friction(1.1), None);
            world.detect_collisions(&(), &());
            let height = turn * Vector::Y * vehicle.standing_height(9.81);
            let mut car = vehicle.insert(&mut world, Pose::from_parts(height, turn));
            car.select(Selector::Neutral);
            car.commands_mut().brakes = [1.0; 2];
            steps(&mut car, &mut world, 3.0, name);
            let before = pose(&car, &world).translation;
            steps(&mut car, &mut world, 5.0, name);
            let moved = pose(&car, &world).translation.distance(before);
            assert!(moved < 1e-3, "{name} moves by {moved} m in 5 s");
        }
    }
}

#[test]
fn presets_name_the_source_of_their_figures() {
    for (name, text) in PRESETS {
        let file = VehicleFile::from_str(FileFormat::Json, text).expect("a file");
        assert!(!file.name.is_empty() && 40 < file.source.len(), "{name}: {}", file.source);
    }
}
