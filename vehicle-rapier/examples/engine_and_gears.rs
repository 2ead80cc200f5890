//! An engine with an automatic gearbox: full throttle, with speed, engine speed and gear.

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(50.0, 1.0, 5_000.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());

    let mechanics = CarBlueprint::default().mechanics()?;
    let chassis = Chassis::new(&mechanics.rigid_body)
        .pose(Pose::from_translation(Vector::Y * 0.6))
        .collider(ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2));
    let rear_drive = EngineDriveParams::automatic(mechanics, &[2, 3]);
    let vehicle = EngineDriveVehicle::new(rear_drive)?;
    let mut car =
        RapierVehicle::insert(&mut world, chassis, vehicle, EngineDriveVehicle::sequence());

    car.vehicle.commands.throttle = 1.0;
    for step in 1..=900 {
        car.step(&mut world)?;
        if step % 60 == 0 {
            let (gear, rpm) = (car.displayed_gear(), car.rpm().unwrap_or_default());
            println!("{:2} s  {:5.1} km/h  {gear}  {rpm:5.0} rpm", step / 60, car.speed_kmh());
        }
    }
    assert!(100.0 < car.speed_kmh(), "full throttle for 15 s");
    Ok(())
}
