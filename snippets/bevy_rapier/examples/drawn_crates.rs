//! A car that pushes crates of bevy_rapier, to drive in a window by W, A, S, D and space, with
//! driver aids. R puts it back.
//!
//! `--vehicle PRESET` is driven, the hot hatch without it. `--picture FILE` drives by itself for
//! some seconds, saves a picture and ends.

#[path = "../../bevy/examples/drawn_car/drawing.rs"]
mod drawing;

use bevy::prelude::*;
use bevy_rapier3d::prelude::*;
use playground::look_of;
use vehicle_bevy_rapier::{
    DriverCommands, Vehicle, VehicleFault, VehicleModel, VehiclePlugin, VehicleWheel,
};
use vehicle_rapier::drivetrain::inputs::{
    DriverInputs, InputParams, RawInputs, ShiftInput, Shifting,
};

use self::drawing::{BLOCKS, Block, Dresser, Followed, Options};

/// Length of a step (s).
const DT: f32 = 1.0 / 64.0;
/// Where the first crate stands (m), how many there are side by side and on each other, and half of
/// their size (m).
const FIRST: [f32; 3] = [-3.0, 0.4, 52.0];
const CRATES: [u8; 2] = [8, 3];
const HALF: f32 = 0.4;

fn main() -> AppExit {
    let options = Options::of_command_line();
    let model = match VehicleModel::preset(&options.vehicle) {
        Ok(model) => model,
        Err(error) => return drawing::fail(error),
    };
    App::new()
        .add_plugins(drawing::Drawing(options))
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(VehiclePlugin { is_fixed: true })
        .insert_resource(TimestepMode::Fixed { dt: DT, substeps: 1 })
        .add_systems(Startup, (put_blocks, put_crates))
        .add_systems(Startup, move |mut commands: Commands| {
            commands.spawn((model.clone(), start(&model), Followed));
        })
        .add_systems(FixedPreUpdate, (begin, drive, go_back))
        .add_systems(Update, (dress, tell))
        .run()
}

fn put_blocks(mut commands: Commands) {
    let plane = Collider::halfspace(Vec3::Y).expect("a unit vector");
    commands.spawn((plane, Friction::coefficient(1.0), Transform::default())); // dry asphalt
    for Block { half, place, rise, .. } in BLOCKS {
        let pose = Transform::from_translation(place.into());
        let pose = pose.with_rotation(Quat::from_rotation_x(-rise));
        let block = Collider::cuboid(half[0], half[1], half[2]);
        commands.spawn((block, Friction::coefficient(1.0), pose));
    }
}

fn put_crates(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mesh = meshes.add(Cuboid::from_length(2.0 * HALF));
    let paints =
        [0.55, 0.45].map(|shade| materials.add(Color::srgb(shade, 0.7 * shade, 0.35 * shade)));
    let [aside, up] = CRATES;
    for (across, high) in (0..aside).flat_map(|across| (0..up).map(move |high| (across, high))) {
        let step = |count: u8| 2.01 * HALF * f32::from(count);
        let place = Vec3::from_array(FIRST) + Vec3::new(step(across), step(high), 0.0);
        let paint = paints[usize::from((across + high) % 2)].clone();
        commands.spawn((
            RigidBody::Dynamic,
            Collider::cuboid(HALF, HALF, HALF),
            ColliderMassProperties::Density(60.0),
            (Mesh3d(mesh.clone()), MeshMaterial3d(paint)),
            Transform::from_translation(place),
        ));
    }
}

fn start(model: &VehicleModel) -> Transform {
    Transform::from_xyz(0.0, model.0.standing_height(9.81), 0.0)
}

/// Keys of a player, which become commands at the speed of hands and feet.
#[derive(Component)]
struct Player(DriverInputs);

/// Gives new cars driver aids and a player.
fn begin(
    mut commands: Commands,
    mut cars: Query<(Entity, &mut Vehicle), Added<Vehicle>>,
) -> Result {
    for (entity, mut vehicle) in &mut cars {
        let car = &mut vehicle.car.vehicle;
        car.set_aids(drawing::aids())?;
        let params = car.input_params(InputParams::keyboard, Shifting::Automatic);
        commands.entity(entity).insert(Player(DriverInputs::new(params)?));
    }
    Ok(())
}

/// Lets keys drive.
fn drive(
    keys: Res<ButtonInput<KeyCode>>,
    mut cars: Query<(&mut Vehicle, &mut Player, &mut DriverCommands)>,
) -> Result {
    let held = |key| if keys.pressed(key) { 1.0 } else { 0.0 };
    let raw = RawInputs {
        steer: held(KeyCode::KeyA) - held(KeyCode::KeyD),
        forward: held(KeyCode::KeyW),
        backward: held(KeyCode::KeyS),
        hand_brake: held(KeyCode::Space),
        clutch: 0.0,
        shift: ShiftInput::default(),
    };
    for (mut vehicle, mut player, mut driver) in &mut cars {
        let driven = player.0.update(&raw, &vehicle.car.seen_motion(), DT)?;
        vehicle.car.drive_by(&driven); // gears, too
        let commands = driven.commands;
        (driver.throttle, driver.steer) = (commands.throttle, commands.steer);
        [driver.brake, driver.hand_brake] = commands.brakes;
    }
    Ok(())
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
    sets: Single<(&RapierRigidBodySet, &RapierContextColliders)>,
    cars: Query<(Entity, &Vehicle), Added<Vehicle>>,
    wheels: Query<(Entity, &VehicleWheel, &ChildOf)>,
    mut dresser: Dresser,
) {
    let (bodies, colliders) = *sets;
    for (entity, vehicle) in &cars {
        let own = wheels.iter().filter(|(.., parent)| parent.parent() == entity);
        let own = own.map(|(wheel, VehicleWheel { index }, _)| (wheel, *index));
        let Vehicle { car, .. } = vehicle;
        let name = &car.vehicle.file().name;
        dresser.dress(entity, &look_of(name, car, &bodies.bodies, &colliders.colliders), own);
    }
}

/// Shows the speed in the title of the window, or why the car stands.
fn tell(mut window: Single<&mut Window>, cars: Query<(&Vehicle, Option<&VehicleFault>)>) {
    for (vehicle, fault) in &cars {
        let fault = fault.map(|fault| format!(": {fault}"));
        window.title = drawing::title(&vehicle.car) + &fault.unwrap_or_default();
    }
}
