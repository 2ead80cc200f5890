//! Vehicles that are made anew of another model while they drive.

use std::collections::BTreeSet;

use vehicle_bevy::VehicleModelMessage;
use vehicle_rapier::vehicle_file::{MechanicsSource, VehicleFile};

use super::*;

/// Messages about models, in order.
#[derive(Resource, Default)]
pub(crate) struct Told(pub(crate) Vec<VehicleModelMessage>);

/// An app that keeps what is told of models.
pub(crate) fn listening(app: &mut App) {
    let keep = |mut messages: MessageReader<VehicleModelMessage>, mut told: ResMut<Told>| {
        told.0.extend(messages.read().cloned());
    };
    app.init_resource::<Told>().add_systems(Last, keep);
}

pub(crate) fn told(app: &mut App) -> Vec<VehicleModelMessage> {
    std::mem::take(&mut app.world_mut().resource_mut::<Told>().0)
}

/// The file of a preset with another mass (kg).
pub(crate) fn of_mass(name: &str, mass: f32) -> VehicleFile {
    let mut file = model(name).0.file().clone();
    let MechanicsSource::DataSheet(sheet) = &mut file.mechanics else { panic!("{file:?}") };
    sheet.mass = mass;
    file
}

pub(crate) fn car(app: &App, entity: Entity) -> &VehicleInWorld {
    app.world().get::<VehicleInWorld>(entity).expect("a vehicle")
}

#[test]
fn a_heavier_model_drives_on_as_fast_in_its_gear_where_it_is() {
    let mut app = app(60.0);
    listening(&mut app);
    let straight = DriverCommands { steer: 0.0, ..GO };
    let entity = spawn(&mut app, model("hot_hatch"), 0.0, straight);
    let anti_lock = Some(AntiLockParams::default());
    let aids = AidsParams { anti_lock, ..AidsParams::default() };
    app.world_mut().entity_mut(entity).insert((VehicleAids(aids), VehicleListener::default()));
    advance(&mut app, 4.0);
    let (at, speed) = (place(&app, entity), forward_speed(&app, entity));
    let engine_speed =
        |app: &App| car(app, entity).car.readings().drive.engine.expect("an engine").speed;
    let before = engine_speed(&app);
    let wheels_before: BTreeSet<_> =
        app.world_mut().query_filtered::<Entity, With<VehicleWheel>>().iter(app.world()).collect();
    let heavier = AnyVehicle::new(of_mass("hot_hatch", 1_800.0), "").expect("a vehicle");
    app.world_mut().entity_mut(entity).insert(VehicleModel::from(heavier));
    advance(&mut app, 4.05);
    let told = told(&mut app);
    let [VehicleModelMessage::Remade { vehicle, changes, drives_on: true }] = &told[..] else {
        panic!("{told:?}");
    };
    assert_eq!(*vehicle, entity);
    let changes: Vec<_> = changes.iter().map(ToString::to_string).collect();
    assert_eq!(changes, ["mechanics.data_sheet.mass 1400 -> 1800"]);
    assert_eq!(car(&app, entity).car.mass().rigid_body.mass, 1_800.0);
    let (after, now) = (forward_speed(&app, entity), place(&app, entity));
    assert!((after - speed).abs() < 0.3, "{speed} and {after} m/s");
    assert!((at.z..at.z + 1.5).contains(&now.z), "{at} and {now}");
    let engine = engine_speed(&app);
    assert!((engine / before - 1.0).abs() < 0.1, "{before} and {engine} rad/s");
    assert_eq!(app.world().resource::<RapierWorld>().0.bodies.len(), 1);
    assert!(car(&app, entity).car.vehicle.aids().is_some_and(|aids| aids.anti_lock.is_some()));
    assert!(car(&app, entity).car.events().is_some());
    let wheels: BTreeSet<_> =
        app.world_mut().query_filtered::<Entity, With<VehicleWheel>>().iter(app.world()).collect();
    assert_eq!(wheels, wheels_before);
    assert!(app.world().get::<VehicleFault>(entity).is_none());
}

#[test]
fn a_model_of_another_kind_begins_anew_in_its_place_at_its_speed() {
    let mut app = app(60.0);
    listening(&mut app);
    let entity = spawn(&mut app, model("hot_hatch"), 0.0, DriverCommands { steer: 0.0, ..GO });
    app.world_mut().entity_mut(entity).insert(PlayerInputs::default());
    advance(&mut app, 4.0);
    let (at, speed) = (place(&app, entity), forward_speed(&app, entity));
    app.world_mut().entity_mut(entity).insert(model("truck_6x6"));
    advance(&mut app, 4.1);
    let told = told(&mut app);
    let is_told = matches!(&told[..], [VehicleModelMessage::Remade { drives_on: false, .. }]);
    assert!(is_told, "{told:?}");
    assert_eq!(wheels(&mut app, entity).len(), 6);
    let (after, now) = (forward_speed(&app, entity), place(&app, entity));
    assert!((after - speed).abs() < 1.5, "{speed} and {after} m/s");
    assert!((now - at).length() < 3.0, "{at} and {now}");
    assert!((0.5..2.5).contains(&now.y), "{now}");
    app.world_mut().entity_mut(entity).insert(model("kart"));
    advance(&mut app, 5.0);
    assert_eq!(wheels(&mut app, entity).len(), 4);
    assert_eq!(app.world().resource::<RapierWorld>().0.bodies.len(), 1);
    assert!(app.world().get::<VehicleFault>(entity).is_none());
}
