//! A fleet: a hundred cars from a file, updated by all threads at hand, with the same bits on any
//! number of them.

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);

    // Vehicles of a model share its parameters and its stages.
    let model = AnyVehicle::preset("hot_hatch")?;
    let mut fleet = Fleet::new();
    for place in 0..100_u8 {
        let (row, column) = (Real::from(place / 10), Real::from(place % 10));
        let place = Vector::new(5.0 * column, model.standing_height(9.81), 10.0 * row);
        fleet.insert(model.insert(&mut world, Pose::from_translation(place)));
    }
    world.detect_collisions(&(), &());
    for _ in 0..300 {
        for (_, car) in fleet.iter_mut::<AnyDriveVehicle>() {
            car.commands_mut().throttle = 0.4;
        }
        for fault in fleet.step(&mut world) {
            eprintln!("{fault}"); // one vehicle; the others drive on
        }
    }
    let speeds = fleet.iter::<AnyDriveVehicle>().map(|(_, car)| car.speed_kmh());
    let slowest = speeds.fold(Real::INFINITY, Real::min);
    println!("{} cars, the slowest at {slowest:.1} km/h", fleet.len());
    assert!(30.0 < slowest);
    Ok(())
}
