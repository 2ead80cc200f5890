//! Rollback: back to an earlier step, and on with the right inputs, with the same bits as if they
//! had been right at once.

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());
    let mechanics = CarBlueprint::default().mechanics()?;
    let chassis = Chassis::new(&mechanics.rigid_body)
        .pose(Pose::from_translation(Vector::Y * 0.6))
        .collider(ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2));
    let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
    let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
    let mut car =
        RapierVehicle::insert(&mut world, chassis, vehicle, DirectDriveVehicle::sequence());
    car.vehicle.controls.gear = Gear::Forward;
    car.vehicle.commands.throttle = 0.5;
    for _ in 0..120 {
        car.step(&mut world)?;
    }

    let before = car.snapshot(&world.bodies)?; // 0.8 kB, serializable
    let mut places = Vec::new();
    for steer in [0.0, 0.3, 0.3] {
        car.restore(&mut world, &before)?;
        for _ in 0..60 {
            car.vehicle.commands.steer = steer;
            car.step(&mut world)?;
        }
        places.push(world.bodies[car.actor.body].translation());
    }
    println!("guessed {:.2}, then known {:.2}", places[0], places[1]);
    assert!(places[0] != places[1] && places[1] == places[2]);
    Ok(())
}
