//! The plugin in apps without a window, whose time the test makes.

#[cfg(feature = "files")]
mod files;
mod lines;
mod models;
mod reflection;
mod trailers;
mod transforms;

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_math::{Quat, Vec3};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use rapier3d::prelude::*;
use vehicle_bevy::{
    DriverCommands, PlayerInputs, PlayerKeys, RapierWorld, VehicleAids, VehicleFault,
    VehicleInWorld, VehicleListener, VehicleMessage, VehicleModel, VehiclePlugin, VehicleSounds,
    VehicleWheel,
};
use vehicle_rapier::drivetrain::aids::{Aid, AidsParams, AntiLockParams};
use vehicle_rapier::events::{EventParams, VehicleEvent};
use vehicle_rapier::vehicle_file::{AnyVehicle, FileFormat, Preset};

/// An app with a road, at this many frames per second of its own time.
fn app(frames: f64) -> App {
    let mut app = App::new();
    with_road(&mut app, frames);
    app
}

/// Gives `app` vehicles and a road, at this many frames per second of its own time.
fn with_road(app: &mut App, frames: f64) {
    app.add_plugins((TimePlugin, TransformPlugin, VehiclePlugin))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / frames)));
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    app.world_mut().resource_mut::<RapierWorld>().0.insert_collider(road.friction(1.0), None);
}

fn model(name: &str) -> VehicleModel {
    VehicleModel::preset(name).expect("a preset")
}

/// A vehicle that stands `aside` to the left (m).
fn spawn(app: &mut App, model: VehicleModel, aside: f32, driver: DriverCommands) -> Entity {
    let place = Transform::from_xyz(aside, model.0.standing_height(9.81), 0.0);
    app.world_mut().spawn((model, place, driver)).id()
}

/// Goes on until the fixed time is `seconds`.
fn advance(app: &mut App, seconds: f64) {
    while app.world().resource::<Time<Fixed>>().elapsed_secs_f64() < seconds - 1e-6 {
        app.update();
    }
}

fn wheels(app: &mut App, vehicle: Entity) -> Vec<(usize, Transform)> {
    let mut query = app.world_mut().query::<(&VehicleWheel, &ChildOf, &Transform)>();
    let mut wheels: Vec<_> = query
        .iter(app.world())
        .filter(|(_, parent, _)| parent.parent() == vehicle)
        .map(|(wheel, _, transform)| (wheel.index, *transform))
        .collect();
    wheels.sort_by_key(|(index, _)| *index);
    wheels
}

fn place(app: &App, vehicle: Entity) -> Vec3 {
    app.world().get::<Transform>(vehicle).expect("a transform").translation
}

/// All bits of where bodies are and how they move.
fn bits(world: &PhysicsWorld) -> Vec<u32> {
    let bodies = world.bodies.iter();
    bodies
        .flat_map(|(_, body)| {
            let vectors = [body.translation(), body.linvel(), body.angvel()];
            let numbers = vectors.into_iter().flat_map(|vector| vector.to_array());
            numbers.chain(body.rotation().to_array()).collect::<Vec<_>>()
        })
        .map(f32::to_bits)
        .collect()
}

const GO: DriverCommands = DriverCommands {
    throttle: 0.6,
    brake: 0.0,
    hand_brake: 0.0,
    steer: 0.1,
    selector: vehicle_rapier::drivetrain::blocks::Selector::Drive,
    thrusts: [1.0; 2],
    track_brakes: [0.0; 2],
};

#[test]
fn a_car_drives_off_and_its_wheels_turn_and_steer() {
    let mut app = app(144.0);
    let car = spawn(&mut app, model("hot_hatch"), 0.0, GO);
    advance(&mut app, 1.0 / 60.0);
    let before = wheels(&mut app, car);
    assert_eq!(before.len(), 4);
    advance(&mut app, 4.0);
    let end = place(&app, car);
    assert!(10.0 < end.z && 0.1 < end.x && (0.3..0.8).contains(&end.y), "{end}");
    let after = wheels(&mut app, car);
    for ((index, before), (_, after)) in before.iter().zip(&after) {
        let [axle, turned] = [before, after].map(|wheel| wheel.rotation * Vec3::Y);
        assert!(1e-2 < axle.distance(turned), "wheel {index} does not turn");
        // In the axes of its car: where it is, and that front wheels look to the left.
        assert!(before.translation.distance(after.translation) < 0.1, "wheel {index} is lost");
        let left = after.rotation * Vec3::X;
        let steer = (-left.z).atan2(left.x);
        let range = if *index < 2 { 0.02..0.2 } else { -1e-3..1e-3 };
        assert!(range.contains(&steer), "wheel {index} steers by {steer}");
    }
    assert!(app.world().get::<VehicleFault>(car).is_none());
    let vehicle = app.world().get::<VehicleInWorld>(car).expect("a vehicle");
    assert!(20.0 < vehicle.car.speed_kmh(), "{} km/h", vehicle.car.speed_kmh());
}

#[test]
fn commands_of_two_vehicles_are_their_own_and_levers_are_moved() {
    use vehicle_rapier::drivetrain::blocks::Selector;
    let mut app = app(60.0);
    let car = spawn(&mut app, model("electric_car"), 3.0, GO);
    let back = DriverCommands { selector: Selector::Reverse, steer: 0.0, ..GO };
    let other = spawn(&mut app, model("hot_hatch"), -3.0, back);
    let parked = DriverCommands { throttle: 0.0, brake: 1.0, ..GO };
    let third = spawn(&mut app, model("truck_6x6"), -12.0, parked);
    advance(&mut app, 3.0);
    let [car, other, third] = [car, other, third].map(|vehicle| place(&app, vehicle).z);
    assert!(5.0 < car && other < -3.0 && third.abs() < 0.05, "{car} {other} {third}");
}

#[test]
fn an_entity_that_is_despawned_takes_its_vehicle_out_and_no_other() {
    let mut app = app(60.0);
    let car = spawn(&mut app, model("hot_hatch"), 3.0, GO);
    let other = spawn(&mut app, model("hot_hatch"), -3.0, GO);
    advance(&mut app, 1.0);
    let count = |app: &App| app.world().resource::<RapierWorld>().0.bodies.len();
    assert_eq!(count(&app), 2);
    app.world_mut().despawn(car);
    assert_eq!(count(&app), 1);
    let left = app.world_mut().query::<&VehicleWheel>().iter(app.world()).count();
    assert_eq!(left, 4);
    advance(&mut app, 2.0);
    assert!(2.0 < place(&app, other).z);
    // Without its vehicle, an entity of a model gets a new one, on wheels of its own.
    app.world_mut().entity_mut(other).remove::<VehicleInWorld>();
    assert_eq!(count(&app), 0);
    advance(&mut app, 2.5);
    assert_eq!(count(&app), 1);
    assert_eq!(wheels(&mut app, other).len(), 4);
}

#[test]
fn another_world_keeps_its_bodies_as_vehicles_of_the_one_before_go() {
    let mut app = app(60.0);
    let cars = [3.0, -3.0].map(|aside| spawn(&mut app, model("hot_hatch"), aside, GO));
    advance(&mut app, 0.5);
    let begin = move |mut commands: Commands| {
        cars.into_iter().for_each(|car| commands.entity(car).despawn());
        let mut world = RapierWorld::default();
        for x in [0.0, 4.0] {
            let place = Vector::new(x, 0.5, 9.0);
            let body = RigidBodyBuilder::dynamic().translation(place);
            world.0.insert(body, ColliderBuilder::cuboid(0.5, 0.5, 0.5));
        }
        let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
        world.0.insert_collider(road, None);
        commands.insert_resource(world);
    };
    app.world_mut().run_system_once(begin).expect("a system");
    let count = |app: &App| app.world().resource::<RapierWorld>().0.bodies.len();
    assert_eq!(count(&app), 2);
    let car = spawn(&mut app, model("hot_hatch"), -6.0, GO);
    advance(&mut app, 2.5);
    assert_eq!(count(&app), 3);
    assert!(2.0 < place(&app, car).z, "{}", place(&app, car));
}

/// Steps after which drives are compared.
const STEPS: u32 = 180;

/// All bits after so many steps.
#[derive(Resource, Default)]
struct Kept {
    steps: u32,
    bits: Vec<u32>,
}

#[test]
fn any_frame_rate_drives_with_the_same_bits() {
    let drive = |frames: f64| {
        let mut app = app(frames);
        let car = spawn(&mut app, model("rally_car"), 0.0, GO);
        let _other = spawn(&mut app, model("kart"), 4.0, GO);
        let steer = move |mut drivers: Query<&mut DriverCommands>, time: Res<Time>| {
            for mut driver in &mut drivers {
                driver.steer = if time.elapsed_secs() < 1.5 { 0.1 } else { -0.2 };
            }
        };
        app.add_systems(FixedUpdate, steer);
        app.init_resource::<Kept>();
        app.add_systems(FixedLast, |world: Res<RapierWorld>, mut kept: ResMut<Kept>| {
            kept.steps += 1;
            if kept.steps == STEPS {
                kept.bits = bits(&world.0);
            }
        });
        advance(&mut app, 3.1);
        let travelled = place(&app, car).z;
        assert!(5.0 < travelled, "{travelled} m");
        app.world_mut().remove_resource::<Kept>().expect("what is kept").bits
    };
    let expected = drive(60.0);
    assert!(!expected.is_empty());
    for frames in [48.0, 90.0, 144.0, 1000.0] {
        assert!(drive(frames) == expected, "{frames} frames per second");
    }
}

#[test]
fn transforms_go_on_evenly_between_two_steps() {
    let mut app = app(240.0);
    let car = spawn(&mut app, model("hot_hatch"), 0.0, GO);
    advance(&mut app, 3.0);
    let mut places = Vec::new();
    for _ in 0..40 {
        app.update();
        places.push(place(&app, car).z);
    }
    let ways: Vec<f32> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mean = ways.iter().sum::<f32>() / ways.len() as f32;
    assert!(0.01 < mean, "{mean} m per frame");
    for way in ways {
        assert!((way / mean - 1.0).abs() < 0.2, "{way} m in a frame, not {mean} m");
    }
}

#[test]
fn bodies_that_are_there_before_the_first_step_fall_as_those_that_come_later() {
    let crates = |app: &mut App, x: f32| {
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(x, 20.0, 0.0));
        let shape = ColliderBuilder::cuboid(0.5, 0.5, 0.5);
        app.world_mut().resource_mut::<RapierWorld>().0.insert(body, shape).0
    };
    let mut app = app(60.0);
    spawn(&mut app, model("kart"), 0.0, GO);
    let early = crates(&mut app, 20.0);
    advance(&mut app, 0.1);
    let late = crates(&mut app, 30.0);
    let begin = app.world().resource::<Time<Fixed>>().elapsed_secs_f64();
    let fallen = |app: &App, body: RigidBodyHandle| {
        20.0 - app.world().resource::<RapierWorld>().0.bodies[body].translation().y
    };
    let ahead = fallen(&app, early);
    advance(&mut app, begin + 1.0);
    let [early, late] = [early, late].map(|body| fallen(&app, body));
    // ½ g t², of a second and of one more tenth.
    assert!((4.7..5.2).contains(&late), "{late} m");
    assert!((5.5..6.3).contains(&early) && 0.04 < ahead, "{early} m, {ahead} m at first");
}

#[test]
fn scale_of_a_transform_is_kept() {
    let mut app = app(60.0);
    let car = spawn(&mut app, model("hot_hatch"), 0.0, GO);
    app.world_mut().get_mut::<Transform>(car).expect("a transform").scale = Vec3::splat(2.0);
    advance(&mut app, 1.0);
    assert_eq!(app.world().get::<Transform>(car).expect("a transform").scale, Vec3::splat(2.0));
}

#[test]
fn a_bad_vehicle_is_an_error() {
    let error = VehicleModel::load("nowhere/hothatch.json").expect_err("no such file");
    assert!(error.to_string().contains("hothatch.json"), "{error}");
    let error = VehicleModel::preset("hothatch").expect_err("no such preset");
    assert!(error.to_string().contains("did you mean `hot_hatch`?"), "{error}");
    let text = Preset::of_name("hot_hatch").expect("a preset").text;
    let text = text.replacen("\"mass\": 1400.0", "\"mass\": -1400.0", 1);
    let error = AnyVehicle::from_str(FileFormat::Json, &text).expect_err("a negative mass");
    assert!(error.to_string().contains("mass"), "{error}");
}

#[test]
fn a_place_or_a_pedal_that_is_no_number_is_a_fault_of_that_vehicle_alone() {
    let mut app = app(60.0);
    let nowhere = spawn(&mut app, model("hot_hatch"), f32::NAN, GO);
    let other = spawn(&mut app, model("hot_hatch"), 3.0, GO);
    let pressed = spawn(&mut app, model("hot_hatch"), -3.0, GO);
    advance(&mut app, 0.5);
    app.world_mut().get_mut::<DriverCommands>(pressed).expect("a driver").throttle = f32::NAN;
    advance(&mut app, 2.0);
    let fault =
        |app: &App, entity| app.world().get::<VehicleFault>(entity).map(ToString::to_string);
    let said = fault(&app, nowhere).expect("a fault");
    assert!(said.contains("transform must be finite"), "{said}");
    let said = fault(&app, pressed).expect("a fault");
    assert!(said.contains("throttle must be within [0, 1], got NaN"), "{said}");
    assert_eq!(fault(&app, other), None);
    assert!(2.0 < place(&app, other).z);

    // What is mended goes on.
    app.world_mut().get_mut::<DriverCommands>(pressed).expect("a driver").throttle = 0.6;
    let place_of = Transform::from_xyz(8.0, 0.6, 0.0).with_rotation(Quat::IDENTITY);
    *app.world_mut().get_mut::<Transform>(nowhere).expect("a transform") = place_of;
    for entity in [nowhere, pressed] {
        app.world_mut().entity_mut(entity).remove::<VehicleFault>();
    }
    let before = place(&app, pressed).z;
    advance(&mut app, 4.0);
    assert!(before + 2.0 < place(&app, pressed).z && 2.0 < place(&app, nowhere).z);
}

/// What has been told, in order.
#[derive(Resource, Default)]
struct Told(Vec<VehicleMessage>);

#[test]
fn events_are_messages_of_their_vehicle_and_sounds_follow_it() {
    let mut app = app(60.0);
    app.init_resource::<Told>();
    let keep = |mut messages: MessageReader<VehicleMessage>, mut told: ResMut<Told>| {
        told.0.extend(messages.read());
    };
    app.add_systems(FixedUpdate, keep);
    let wall = ColliderBuilder::cuboid(5.0, 2.0, 0.5).translation(Vector::new(3.0, 1.0, 20.0));
    app.world_mut().resource_mut::<RapierWorld>().0.insert_collider(wall, None);
    let straight = DriverCommands { steer: 0.0, ..GO };
    let car = spawn(&mut app, model("hot_hatch"), 3.0, straight);
    app.world_mut().entity_mut(car).insert((VehicleListener::default(), VehicleSounds::default()));
    let silent = spawn(&mut app, model("hot_hatch"), -9.0, straight);
    advance(&mut app, 2.0);
    let heard = &app.world().get::<VehicleSounds>(car).expect("sounds").heard;
    assert!(100.0 < heard.engine_speed && heard.wheels.len() == 4, "{heard:?}");
    advance(&mut app, 6.0);
    let told = std::mem::take(&mut app.world_mut().resource_mut::<Told>().0);
    assert!(told.iter().all(|message| message.vehicle == car && message.vehicle != silent));
    let is_hit =
        |message: &VehicleMessage| matches!(message.event.event, VehicleEvent::BodyHit { .. });
    assert!(told.iter().any(is_hit), "no hit in {told:#?}");
    let is_in_order = told.windows(2).all(|pair| pair[0].event.time <= pair[1].event.time);
    assert!(is_in_order, "{told:#?}");
    let bad = EventParams { capacity: 0, ..EventParams::default() };
    app.world_mut().entity_mut(car).insert(VehicleListener(bad));
    advance(&mut app, 6.1);
    let fault = app.world().get::<VehicleFault>(car).expect("a fault").to_string();
    assert_eq!(fault, "listener: capacity must be within [1, 65536], got 0");
}

#[test]
fn a_listener_that_comes_back_hears_nothing_old() {
    let mut app = app(60.0);
    let car = spawn(&mut app, model("hot_hatch"), 0.0, DriverCommands { steer: 0.0, ..GO });
    app.world_mut().entity_mut(car).insert(VehicleListener::default());
    advance(&mut app, 0.5);
    app.world_mut().entity_mut(car).remove::<VehicleListener>();
    let begin = app.world().resource::<Time<Fixed>>().elapsed_secs_f64();
    advance(&mut app, begin + 4.0);
    let vehicle = app.world().get::<VehicleInWorld>(car).expect("a vehicle");
    assert!(vehicle.car.events().is_none(), "nobody listens");
    app.init_resource::<Told>();
    let keep = |mut messages: MessageReader<VehicleMessage>, mut told: ResMut<Told>| {
        told.0.extend(messages.read());
    };
    app.add_systems(Last, keep);
    app.world_mut().entity_mut(car).insert(VehicleListener::default());
    advance(&mut app, begin + 10.0);
    let told = &app.world().resource::<Told>().0;
    assert!(!told.is_empty() && told.iter().all(|message| message.event.time < 6.1), "{told:#?}");
}

/// Holds these keys until the fixed time is `seconds`.
fn hold(app: &mut App, keys: &[KeyCode], seconds: f64) {
    let mut input = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    input.release_all();
    for key in keys {
        input.press(*key);
    }
    // As Bevy's `InputPlugin` does after a frame: they are held, and no more just pressed.
    input.clear();
    advance(app, seconds);
}

fn forward_speed(app: &App, vehicle: Entity) -> f32 {
    app.world().get::<VehicleInWorld>(vehicle).expect("a vehicle").car.forward_speed()
}

#[test]
fn keys_of_two_players_drive_turn_brake_and_back_away() {
    let mut app = app(144.0);
    app.init_resource::<ButtonInput<KeyCode>>();
    let one = spawn(&mut app, model("hot_hatch"), 20.0, DriverCommands::default());
    let other = spawn(&mut app, model("electric_car"), -20.0, DriverCommands::default());
    let tank = spawn(&mut app, model("tank"), -40.0, DriverCommands::default());
    app.world_mut().entity_mut(one).insert(PlayerKeys::default());
    app.world_mut().entity_mut(other).insert(PlayerKeys::ARROWS);
    app.world_mut().entity_mut(tank).insert(PlayerKeys::default());
    hold(&mut app, &[KeyCode::KeyW, KeyCode::KeyA], 3.0);
    let [way, aside] = [place(&app, one).z, place(&app, one).x - 20.0];
    assert!(5.0 < way && 0.5 < aside, "{way} m ahead, {aside} m to the left");
    assert!(place(&app, other).z.abs() < 0.1, "{}", place(&app, other));
    assert!(1.0 < place(&app, tank).distance(Vec3::new(-40.0, 0.0, 0.0)));
    let driver = *app.world().get::<DriverCommands>(one).expect("a driver");
    assert!(driver.throttle == 1.0 && 0.0 < driver.steer && driver.steer < 1.0, "{driver:?}");
    hold(&mut app, &[KeyCode::KeyS, KeyCode::ArrowDown], 12.0);
    for car in [one, other, tank] {
        let speed = forward_speed(&app, car);
        assert!(speed < -0.5, "{speed} m/s backward");
    }
    assert!(app.world_mut().query::<&VehicleFault>().iter(app.world()).next().is_none());
}

#[test]
fn a_player_without_keys_has_no_foot_on_a_pedal() {
    let mut app = app(60.0);
    app.init_resource::<ButtonInput<KeyCode>>();
    let car = spawn(&mut app, model("hot_hatch"), 0.0, DriverCommands::default());
    app.world_mut().entity_mut(car).insert(PlayerKeys::default());
    hold(&mut app, &[KeyCode::KeyW], 1.0);
    assert_eq!(app.world().get::<DriverCommands>(car).expect("a driver").throttle, 1.0);
    app.world_mut().entity_mut(car).remove::<PlayerKeys>();
    advance(&mut app, 2.0);
    assert_eq!(app.world().get::<DriverCommands>(car).expect("a driver").throttle, 0.0);
}

#[test]
fn a_player_who_leaves_takes_the_foot_off_the_pedal_and_leaves_the_lever() {
    use vehicle_rapier::drivetrain::blocks::Selector;
    let mut app = app(60.0);
    app.init_resource::<ButtonInput<KeyCode>>();
    let neutral = DriverCommands { selector: Selector::Neutral, ..DriverCommands::default() };
    let car = spawn(&mut app, model("hot_hatch"), 0.0, neutral);
    app.world_mut().entity_mut(car).insert(PlayerKeys::default());
    hold(&mut app, &[KeyCode::KeyW, KeyCode::KeyA], 1.0);
    let driver = |app: &App| *app.world().get::<DriverCommands>(car).expect("a driver");
    assert!(driver(&app).throttle == 1.0 && 0.0 < driver(&app).steer, "{:?}", driver(&app));
    app.world_mut().entity_mut(car).remove::<(PlayerKeys, PlayerInputs)>();
    advance(&mut app, 1.1);
    assert_eq!(driver(&app), neutral);
    let vehicle = app.world().get::<VehicleInWorld>(car).expect("a vehicle");
    assert_eq!(vehicle.car.commands().throttle, 0.0);
}

#[test]
fn a_tap_between_two_steps_counts_for_one() {
    let mut app = app(240.0);
    app.init_resource::<ButtonInput<KeyCode>>();
    let car = spawn(&mut app, model("hot_hatch"), 0.0, DriverCommands::default());
    app.world_mut().entity_mut(car).insert(PlayerKeys::default());
    advance(&mut app, 0.1);
    // Pressed and let go within a frame that makes no step.
    let mut input = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    input.press(KeyCode::KeyW);
    input.release(KeyCode::KeyW);
    let steps = |app: &App| app.world().resource::<Time<Fixed>>().elapsed();
    let before = steps(&app);
    app.update();
    assert_eq!(steps(&app), before, "a frame without a step");
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().clear();
    #[derive(Resource, Default)]
    struct Pressed(Vec<f32>);
    let note = |players: Query<&PlayerInputs>, mut pressed: ResMut<Pressed>| {
        pressed.0.extend(players.iter().map(|player| player.raw.forward));
    };
    app.init_resource::<Pressed>().add_systems(FixedUpdate, note);
    for _ in 0..16 {
        app.update();
    }
    let pressed = &app.world().resource::<Pressed>().0;
    assert_eq!(pressed[..], [1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn a_transform_that_stays_where_it_is_does_not_change() {
    let mut app = app(60.0);
    let parked = DriverCommands { throttle: 0.0, hand_brake: 1.0, steer: 0.0, ..GO };
    let [still, moving] = [(5.0, parked), (-5.0, GO)]
        .map(|(x, driver)| spawn(&mut app, model("hot_hatch"), x, driver));
    #[derive(Resource, Default)]
    struct Changes(std::collections::BTreeMap<Entity, u32>);
    let count = |vehicles: Query<Entity, (Changed<Transform>, With<VehicleModel>)>,
                 mut changes: ResMut<Changes>| {
        for entity in &vehicles {
            *changes.0.entry(entity).or_default() += 1;
        }
    };
    advance(&mut app, 8.0);
    app.init_resource::<Changes>().add_systems(Last, count);
    app.update();
    app.world_mut().resource_mut::<Changes>().0.clear();
    for _ in 0..20 {
        app.update();
    }
    let changes = &app.world().resource::<Changes>().0;
    assert_eq!(changes.get(&moving), Some(&20));
    assert_eq!(changes.get(&still), None);
}

#[test]
fn aids_of_an_entity_act_and_can_be_changed_on_the_way() {
    let stop = |aids: Option<AidsParams>| {
        let mut app = app(60.0);
        app.init_resource::<ButtonInput<KeyCode>>();
        let car = spawn(&mut app, model("hot_hatch"), 0.0, DriverCommands::default());
        app.world_mut().entity_mut(car).insert(PlayerKeys::default());
        hold(&mut app, &[KeyCode::KeyW], 6.0);
        if let Some(aids) = aids {
            app.world_mut().entity_mut(car).insert(VehicleAids(aids));
        }
        let (from, speed) = (place(&app, car).z, forward_speed(&app, car));
        let mut has_acted = false;
        for tenth in 61..120 {
            hold(&mut app, &[KeyCode::KeyS], f64::from(tenth) / 10.0);
            let vehicle = app.world().get::<VehicleInWorld>(car).expect("a vehicle");
            has_acted |= vehicle.car.vehicle.aided().report().is_active(Aid::AntiLock);
            if vehicle.car.forward_speed() < 0.3 {
                break;
            }
        }
        let way = place(&app, car).z - from;
        (has_acted, speed * speed / (2.0 * way))
    };
    let anti_lock = Some(AntiLockParams::default());
    let (has_acted, with) = stop(Some(AidsParams { anti_lock, ..AidsParams::default() }));
    let (acts_without, without) = stop(None);
    assert!(has_acted && !acts_without);
    assert!(1.1 * without < with, "{with} m/s² with, {without} m/s² without");
}

#[test]
fn inputs_and_aids_that_are_out_of_range_are_faults_by_name() {
    let mut app = app(60.0);
    let fault =
        |app: &App, entity| app.world().get::<VehicleFault>(entity).map(ToString::to_string);
    let pressed = spawn(&mut app, model("hot_hatch"), 3.0, DriverCommands::default());
    let mut player = PlayerInputs::default();
    player.raw.forward = 1.5;
    app.world_mut().entity_mut(pressed).insert(player);
    let aided = spawn(&mut app, model("hot_hatch"), -3.0, DriverCommands::default());
    let anti_lock = Some(AntiLockParams { slip_target: Some(7.0), ..AntiLockParams::default() });
    let aids = AidsParams { anti_lock, ..AidsParams::default() };
    app.world_mut().entity_mut(aided).insert(VehicleAids(aids));
    advance(&mut app, 0.5);
    let said = fault(&app, pressed).expect("a fault");
    assert!(said.contains("inputs") && said.contains("forward") && said.contains("1.5"), "{said}");
    let said = fault(&app, aided).expect("a fault");
    assert!(said.contains("aids") && said.contains("anti_lock") && said.contains('7'), "{said}");
    // What is mended goes on.
    app.world_mut().get_mut::<PlayerInputs>(pressed).expect("a player").raw.forward = 1.0;
    app.world_mut().get_mut::<VehicleAids>(aided).expect("aids").0.anti_lock = None;
    for entity in [pressed, aided] {
        app.world_mut().entity_mut(entity).remove::<VehicleFault>();
    }
    advance(&mut app, 3.0);
    assert!(2.0 < place(&app, pressed).z, "{}", place(&app, pressed));
    assert_eq!(fault(&app, aided), None);
}
