//! A car in a Bevy app: pulls away, and tells where it is. Add Bevy's renderer and a mesh to its
//! entities to see it.

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use rapier3d::prelude::*;
use vehicle_bevy::{
    DriverCommands, RapierWorld, VehicleInWorld, VehicleListener, VehicleMessage, VehicleModel,
    VehiclePlugin, VehicleSounds,
};

fn main() {
    let frame = Duration::from_secs_f64(1.0 / 144.0); // a headless app: 144 frames per second of its own time
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, VehiclePlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .add_systems(Startup, set_up)
        .add_systems(FixedUpdate, (drive, tell));
    for frame in 0..=1440 {
        app.update();
        if frame % 144 == 0 {
            let mut cars = app.world_mut().query::<(&VehicleInWorld, &VehicleSounds, &Transform)>();
            for (vehicle, VehicleSounds { heard, .. }, transform) in cars.iter(app.world()) {
                let (speed, place) = (vehicle.car.speed_kmh(), transform.translation);
                println!(
                    "{speed:5.1} km/h at {place:.1}, engine at {:.0} rad/s",
                    heard.engine_speed
                );
            }
        }
    }
}

fn set_up(mut world: ResMut<RapierWorld>, mut commands: Commands) -> Result {
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.0.insert_collider(road.friction(1.0), None); // dry asphalt
    let model = VehicleModel::preset("hot_hatch")?;
    let place = Transform::from_xyz(0.0, model.0.standing_height(9.81), 0.0);
    commands.spawn((model, place, VehicleListener::default(), VehicleSounds::default()));
    Ok(())
}

fn drive(mut drivers: Query<&mut DriverCommands>) {
    for mut driver in &mut drivers {
        (driver.throttle, driver.steer) = (0.6, 0.05);
    }
}

fn tell(mut messages: MessageReader<VehicleMessage>) {
    for VehicleMessage { event, .. } in messages.read() {
        println!("{:.2} s: {:?}", event.time, event.event);
    }
}
