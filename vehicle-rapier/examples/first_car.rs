//! The shortest program: a car on a road drives off, and comes to a stop.

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    // Rapier's colliders have a friction of 0.5, as a wet road. Dry asphalt has 1.
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &()); // the first step already sees the road

    let mechanics = CarBlueprint::default().mechanics()?;
    let chassis = Chassis::new(&mechanics.rigid_body)
        .pose(Pose::from_translation(Vector::Y * 0.6))
        .collider(ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2));
    let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]); // rear wheels, N·m
    let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
    let mut car =
        RapierVehicle::insert(&mut world, chassis, vehicle, DirectDriveVehicle::sequence());

    car.vehicle.controls.gear = Gear::Forward;
    for step in 0..600 {
        let is_driving = step < 300;
        car.vehicle.commands.throttle = if is_driving { 0.5 } else { 0.0 };
        car.vehicle.commands.brakes[0] = if is_driving { 0.0 } else { 0.6 };
        car.step(&mut world)?;
        if step % 60 == 59 {
            println!("{:2} s  {:5.1} km/h", (step + 1) / 60, car.speed_kmh());
        }
    }
    assert!(car.speed_kmh() < 0.1, "the car has stopped");
    Ok(())
}
