//! A fleet: a hundred cars, updated by all threads at hand, with the same bits on any number of
//! them.

use std::sync::Arc;

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());

    // Vehicles of a model share its parameters and its stages.
    let mechanics = CarBlueprint::default().mechanics()?;
    let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
    let model = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
    let sequence = Arc::new(DirectDriveVehicle::sequence());

    let mut fleet = Fleet::new();
    for place in 0..100_u8 {
        let (row, column) = (Real::from(place / 10), Real::from(place % 10));
        let chassis = Chassis::new(&model.params().mechanics.rigid_body)
            .pose(Pose::from_translation(Vector::new(5.0 * column, 0.6, 10.0 * row)))
            .collider(ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2));
        fleet.insert(RapierVehicle::insert(&mut world, chassis, model.another(), sequence.clone()));
    }
    for _ in 0..300 {
        for (_, car) in fleet.iter_mut::<DirectDriveVehicle>() {
            (car.vehicle.gear, car.vehicle.commands.throttle) = (Gear::Forward, 0.4);
        }
        for fault in fleet.step(&mut world) {
            eprintln!("{fault}"); // one vehicle; the others drive on
        }
    }
    let speeds = fleet.iter::<DirectDriveVehicle>().map(|(_, car)| car.speed_kmh());
    let slowest = speeds.fold(Real::INFINITY, Real::min);
    println!("{} cars, the slowest at {slowest:.1} km/h", fleet.len());
    assert!(12.0 < slowest);
    Ok(())
}
