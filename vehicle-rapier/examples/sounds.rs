//! What a game hears of a car that jumps off a ramp: its events as they come, and the engine.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::readings::{HeardVehicle, HearingParams};
use vehicle_rapier::events::{EventParams, VehicleEvent};
use vehicle_rapier::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(50.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    let ramp = ColliderBuilder::cuboid(3.0, 0.2, 6.0).friction(1.0);
    world.insert_collider(ramp.translation(Vector::Z * 60.0).rotation(Vector::X * -0.12), None);
    world.detect_collisions(&(), &());
    let model = AnyVehicle::preset("rally_car")?;
    let pose = Pose::from_translation(Vector::Y * model.standing_height(9.81));
    let mut car = model.insert(&mut world, pose);
    car.listen(EventParams::default())?;
    let mut heard = HeardVehicle::default();
    car.commands_mut().throttle = 1.0;
    for step in 0..480 {
        car.step(&mut world)?;
        heard.follow(&HearingParams::default(), &car.readings(), 1.0 / 60.0);
        for event in car.drain_events() {
            match event.event {
                VehicleEvent::BodyHit { impulse } => println!("hit: {:.0} N·s", impulse.length()),
                other => println!("{:.2} s: {other:?}", event.time),
            }
        }
        if step % 60 == 0 {
            println!("engine: {:.0} rad/s, load {:.2}", heard.engine_speed, heard.load);
        }
    }
    Ok(())
}
