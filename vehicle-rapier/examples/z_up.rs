//! A car in a world with z up: forward +x, left +y. The data sheet and the vehicle have the same
//! frame.

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

const FRAME: Frame = Frame::Z_UP;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::Z * -9.81;
    let road = ColliderBuilder::cuboid(500.0, 500.0, 1.0).translation(Vector::Z * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());

    // The data sheet puts wheels and springs along the axes of the frame; colliders are yours.
    let mechanics = CarBlueprint { frame: FRAME, ..CarBlueprint::default() }.mechanics()?;
    let chassis = Chassis::new(&mechanics.rigid_body)
        .pose(Pose::from_translation(Vector::Z * 0.6))
        .collider(ColliderBuilder::cuboid(2.2, 0.9, 0.4).translation(Vector::Z * 0.2));
    let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
    let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
    let mut car =
        RapierVehicle::insert(&mut world, chassis, vehicle, DirectDriveVehicle::sequence());
    car.params = SimulationParams::new(FRAME); // and the vehicle drives by them

    car.vehicle.controls.gear = Gear::Forward;
    car.vehicle.commands.throttle = 0.5;
    for _ in 0..300 {
        car.step(&mut world)?;
    }
    for finding in diagnose_in(&car, &world)? {
        println!("{finding}");
    }
    let place = world.bodies[car.actor.body].translation();
    println!("{:.1} m/s at {place}", car.forward_speed());
    assert!(5.0 < car.forward_speed() && 10.0 < place.x && place.z < 0.7);
    Ok(())
}
