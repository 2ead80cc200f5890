//! A car that keys drive, with driver aids: it pulls away on ice, and brakes. In a game,
//! Bevy's default plugins know what is pressed; here, the example presses keys itself.

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use rapier3d::prelude::*;
use vehicle_bevy::{
    PlayerKeys, RapierWorld, VehicleAids, VehicleInWorld, VehicleModel, VehiclePlugin,
};
use vehicle_rapier::drivetrain::aids::{
    Aid, AidsParams, AntiLockParams, StabilityParams, TractionParams,
};

/// Keys that are held in turn, and until when (s).
const KEYS: [(KeyCode, f32); 3] =
    [(KeyCode::KeyW, 8.0), (KeyCode::KeyS, 12.0), (KeyCode::KeyA, 14.0)];

fn main() {
    let frame = Duration::from_secs_f64(1.0 / 144.0); // a headless app: 144 frames per second of its own time
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, VehiclePlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .init_resource::<ButtonInput<KeyCode>>() // in a game: among the default plugins
        .add_systems(Startup, set_up);
    for frame in 0..=14 * 144_u16 {
        press(&mut app, f32::from(frame) / 144.0);
        app.update();
        if frame % 144 == 72 {
            tell(&mut app);
        }
    }
}

fn set_up(mut world: ResMut<RapierWorld>, mut commands: Commands) -> Result {
    let ice = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.0.insert_collider(ice.friction(0.2), None);
    let model = VehicleModel::preset("hot_hatch")?;
    let place = Transform::from_xyz(0.0, model.0.standing_height(9.81), 0.0);
    let aids = AidsParams {
        anti_lock: Some(AntiLockParams::default()),
        traction: Some(TractionParams::default()),
        stability: Some(StabilityParams::default()),
        ..AidsParams::default()
    };
    commands.spawn((model, place, PlayerKeys::default(), VehicleAids(aids)));
    Ok(())
}

/// Holds the key of this time (s), and lets go of all others.
fn press(app: &mut App, time: f32) {
    let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    keys.release_all();
    if let Some((key, _)) = KEYS.iter().find(|(_, end)| time < *end) {
        keys.press(*key);
    }
}

fn tell(app: &mut App) {
    let mut cars = app.world_mut().query::<(&VehicleInWorld, &Transform)>();
    for (vehicle, transform) in cars.iter(app.world()) {
        let report = vehicle.car.vehicle.aided().report();
        let lamps = [(Aid::AntiLock, "ABS"), (Aid::Traction, "TC"), (Aid::Stability, "ESC")];
        let lit = lamps.iter().filter(|(aid, _)| report.is_active(*aid)).map(|(_, lamp)| *lamp);
        let lit = lit.collect::<Vec<_>>().join(" ");
        println!("{:5.1} km/h at {:.1} {lit}", vehicle.car.speed_kmh(), transform.translation);
    }
}
