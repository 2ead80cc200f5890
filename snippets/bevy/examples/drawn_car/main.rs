//! A car to drive in a window, by W, A, S, D and space, with driver aids. R puts it back.
//!
//! `--vehicle PRESET` is driven, the hot hatch without it. `--picture FILE` drives by itself for
//! some seconds, saves a picture and ends.

mod drawing;

use bevy::prelude::*;
use playground::look_of;
use rapier3d::prelude::{ColliderBuilder, Pose, Rotation, Vector};
use vehicle_bevy::{
    PlayerKeys, RapierWorld, VehicleAids, VehicleFault, VehicleInWorld, VehicleModel,
    VehiclePlugin, VehicleWheel,
};

use self::drawing::{BLOCKS, Block, Dresser, Followed, Options};

fn main() -> AppExit {
    let options = Options::of_command_line();
    let model = match VehicleModel::preset(&options.vehicle) {
        Ok(model) => model,
        Err(error) => return drawing::fail(error),
    };
    App::new()
        .add_plugins((drawing::Drawing(options), VehiclePlugin))
        .add_systems(Startup, move |world: ResMut<RapierWorld>, commands: Commands| {
            set_up(world, &model, commands);
        })
        .add_systems(FixedUpdate, go_back)
        .add_systems(Update, (dress, tell))
        .run()
}

fn set_up(mut world: ResMut<RapierWorld>, model: &VehicleModel, mut commands: Commands) {
    let road = ColliderBuilder::cuboid(1_000.0, 1.0, 1_000.0).translation(Vector::Y * -1.0);
    world.0.insert_collider(road.friction(1.0), None); // dry asphalt
    for Block { half, place, rise, .. } in BLOCKS {
        let pose = Pose::from_parts(place.into(), Rotation::from_rotation_x(-rise));
        let block = ColliderBuilder::cuboid(half[0], half[1], half[2]).friction(1.0);
        world.0.insert_collider(block.position(pose), None);
    }
    let place = start(model);
    let aids = VehicleAids(drawing::aids());
    commands.spawn((model.clone(), place, aids, PlayerKeys::default(), Followed));
}

fn start(model: &VehicleModel) -> Transform {
    Transform::from_xyz(0.0, model.0.standing_height(9.81), 0.0)
}

/// Puts the car back to its start.
fn go_back(keys: Res<ButtonInput<KeyCode>>, mut cars: Query<(&VehicleModel, &mut Transform)>) {
    if keys.pressed(KeyCode::KeyR) {
        for (model, mut transform) in &mut cars {
            *transform = start(model);
        }
    }
}

/// Gives new cars their meshes.
fn dress(
    world: Res<RapierWorld>,
    cars: Query<(Entity, &VehicleInWorld), Added<VehicleInWorld>>,
    wheels: Query<(Entity, &VehicleWheel, &ChildOf)>,
    mut dresser: Dresser,
) {
    for (entity, vehicle) in &cars {
        let own = wheels.iter().filter(|(.., parent)| parent.parent() == entity);
        let own = own.map(|(wheel, VehicleWheel { index }, _)| (wheel, *index));
        let VehicleInWorld { car, .. } = vehicle;
        let name = &car.vehicle.file().name;
        dresser.dress(entity, &look_of(name, car, &world.0.bodies, &world.0.colliders), own);
    }
}

/// Shows the speed in the title of the window, or why the car stands.
fn tell(mut window: Single<&mut Window>, cars: Query<(&VehicleInWorld, Option<&VehicleFault>)>) {
    for (vehicle, fault) in &cars {
        let fault = fault.map(|fault| format!(": {fault}"));
        window.title = drawing::title(&vehicle.car) + &fault.unwrap_or_default();
    }
}
