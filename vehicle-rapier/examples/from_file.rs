//! A car from a file, JSON, RON or TOML; the preset `hot_hatch` unless another is named.

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(50.0, 1.0, 5_000.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());

    let car = match std::env::args().nth(1) {
        Some(path) => AnyVehicle::load(path)?,
        None => AnyVehicle::preset("hot_hatch")?,
    };
    let place = Pose::from_translation(Vector::Y * car.standing_height(9.81));
    let mut car = car.insert(&mut world, place);

    car.commands_mut().throttle = 1.0;
    for step in 1..=600 {
        car.step(&mut world)?;
        if step % 60 == 0 {
            let (speed, gear) = (car.speed_kmh(), car.displayed_gear());
            println!("{:2} s  {speed:5.1} km/h  {gear}", step / 60);
        }
    }
    assert!(40.0 < car.speed_kmh());
    Ok(())
}
