//! Vehicles of asset files, which are edited while they drive.

use std::path::Path;

use bevy_asset::io::memory::{Dir, MemoryAssetReader};
use bevy_asset::io::{AssetSourceBuilder, AssetSourceId};
use bevy_asset::{AssetApp, AssetPlugin, AssetServer};
use vehicle_bevy::{VehicleFilesPlugin, VehicleFromFile, VehicleModelMessage};

use super::models::{car, listening, of_mass, told};
use super::*;

/// An app with assets in memory.
fn app_with_assets(files: &Dir) -> App {
    let mut app = App::new();
    let root = files.clone();
    let source =
        AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() }));
    app.register_asset_source(AssetSourceId::Default, source)
        .add_plugins((bevy_app::TaskPoolPlugin::default(), AssetPlugin::default()));
    with_road(&mut app, 60.0);
    app.add_plugins(VehicleFilesPlugin::default());
    listening(&mut app);
    app
}

fn write(files: &Dir, path: &str, text: &str) {
    files.insert_asset_text(Path::new(path), text);
}

/// Frames until the asset server, which works on the side, has brought something about.
fn wait(app: &mut App, is_done: impl Fn(&mut App) -> bool, what: &str) {
    for _ in 0..5_000 {
        app.update();
        if is_done(app) {
            return;
        }
        std::thread::yield_now();
    }
    panic!("in 5000 frames: not {what}");
}

fn spawn_file(app: &mut App, path: &'static str) -> Entity {
    let file = app.world().resource::<AssetServer>().load(path);
    let place = Transform::from_xyz(0.0, 0.6, 0.0);
    app.world_mut().spawn((VehicleFromFile(file), place)).id()
}

fn reload(app: &App, path: &'static str) {
    app.world().resource::<AssetServer>().reload(path);
}

fn is_there(entity: Entity) -> impl Fn(&mut App) -> bool {
    move |app| app.world().get::<VehicleInWorld>(entity).is_some()
}

fn mass(app: &App, entity: Entity) -> f32 {
    car(app, entity).car.mass().rigid_body.mass
}

/// A text of a hot hatch of this mass (kg).
fn text(mass: f32, format: FileFormat) -> String {
    let mut file = of_mass("hot_hatch", mass);
    file.schema = None;
    file.to_text(format).expect("a text")
}

#[test]
fn a_file_of_any_format_becomes_a_vehicle_and_is_followed_as_it_changes() {
    for (path, format) in [
        ("cars/hatch.json", FileFormat::Json),
        ("hatch.ron", FileFormat::Ron),
        ("hatch.toml", FileFormat::Toml),
    ] {
        let files = Dir::default();
        write(&files, path, &text(1_400.0, format));
        let mut app = app_with_assets(&files);
        let entity = spawn_file(&mut app, path);
        wait(&mut app, is_there(entity), "loaded");
        let time = app.world().resource::<Time<Fixed>>().elapsed_secs_f64();
        app.world_mut().get_mut::<DriverCommands>(entity).expect("a driver").throttle = 0.6;
        advance(&mut app, time + 3.0);
        let speed = forward_speed(&app, entity);
        assert!(5.0 < speed, "{speed} m/s");

        write(&files, path, &text(1_500.0, format));
        reload(&app, path);
        wait(&mut app, move |app| mass(app, entity) == 1_500.0, "changed");
        assert!(speed < forward_speed(&app, entity), "it drives on");
        app.update();
        let told = told(&mut app);
        let [VehicleModelMessage::Remade { vehicle, changes, drives_on: true }] = &told[..] else {
            panic!("{told:?}");
        };
        assert_eq!((*vehicle, changes.len()), (entity, 1), "{changes:?}");
        assert_eq!(changes[0].to_string(), "mechanics.data_sheet.mass 1400 -> 1500");
    }
}

#[test]
fn a_file_with_faults_is_told_and_the_last_good_vehicle_drives_on() {
    let files = Dir::default();
    let path = "hatch.json";
    let good = text(1_400.0, FileFormat::Json);
    write(&files, path, &good);
    let mut app = app_with_assets(&files);
    let entity = spawn_file(&mut app, path);
    let other = spawn(&mut app, model("kart"), 9.0, GO);
    wait(&mut app, is_there(entity), "loaded");
    let bad = good.replacen("\"mass\": 1400.0", "\"mass\": -1400.0", 1);
    assert_ne!(bad, good);
    write(&files, path, &bad);
    reload(&app, path);
    let is_told = |app: &mut App| !app.world().resource::<super::models::Told>().0.is_empty();
    wait(&mut app, is_told, "told");
    let news = told(&mut app);
    let [VehicleModelMessage::Refused { vehicle, error }] = &news[..] else { panic!("{news:?}") };
    assert_eq!(*vehicle, entity);
    assert!(error.contains("hatch.json") && error.contains("line"), "{error}");
    assert!(error.contains("mass: must be positive and finite, got -1400"), "{error}");
    assert_eq!(mass(&app, entity), 1_400.0);
    assert!(app.world().get::<VehicleFault>(entity).is_none());
    assert!(app.world().get::<VehicleInWorld>(other).is_some());
    write(&files, path, &text(1_450.0, FileFormat::Json));
    reload(&app, path);
    wait(&mut app, move |app| mass(app, entity) == 1_450.0, "mended");
}

/// A text of a hot hatch on the tires of a file.
fn on_slicks() -> String {
    let tires = "\"tires\": [{ \"file\": { \"path\": \"../tires/slick.tir\" } }],\n  \"drive\"";
    text(1_400.0, FileFormat::Json).replacen("\"drive\"", tires, 1)
}

#[test]
fn a_tire_file_with_old_characters_in_its_comments_is_read() {
    let files = Dir::default();
    write(&files, "cars/hatch.json", &on_slicks());
    // A degree sign of Latin-1.
    let tire = [b"$ measured at 25 \xb0C\n", TIRE.as_bytes()].concat();
    files.insert_asset(Path::new("tires/slick.tir"), tire);
    let mut app = app_with_assets(&files);
    let entity = spawn_file(&mut app, "cars/hatch.json");
    wait(&mut app, is_there(entity), "loaded");
}

#[test]
fn a_file_that_names_what_is_not_there_is_refused_by_its_path() {
    let files = Dir::default();
    write(&files, "cars/hatch.json", &on_slicks());
    let mut app = app_with_assets(&files);
    let entity = spawn_file(&mut app, "cars/hatch.json");
    let is_told = |app: &mut App| !app.world().resource::<super::models::Told>().0.is_empty();
    wait(&mut app, is_told, "told");
    let news = told(&mut app);
    let [VehicleModelMessage::Refused { vehicle, error }] = &news[..] else { panic!("{news:?}") };
    assert!(*vehicle == entity && error.contains("slick.tir"), "{error}");
    assert!(app.world().get::<VehicleInWorld>(entity).is_none());
    // With the tire, the file is a vehicle.
    write(&files, "tires/slick.tir", TIRE);
    reload(&app, "cars/hatch.json");
    wait(&mut app, is_there(entity), "loaded");
}

#[test]
fn a_file_that_has_failed_before_it_is_followed_is_told_once() {
    let files = Dir::default();
    write(&files, "hatch.json", "{ no vehicle }");
    let mut app = app_with_assets(&files);
    let server = app.world().resource::<AssetServer>().clone();
    let file = server.load("hatch.json");
    let has_failed = |app: &mut App| {
        let server = app.world().resource::<AssetServer>();
        server.load_state(&file).is_failed()
    };
    wait(&mut app, has_failed, "failed");
    for _ in 0..5 {
        app.update();
    }
    let entity = app.world_mut().spawn((VehicleFromFile(file.clone()), Transform::IDENTITY)).id();
    for _ in 0..5 {
        app.update();
    }
    let news = told(&mut app);
    let [VehicleModelMessage::Refused { vehicle, error }] = &news[..] else { panic!("{news:?}") };
    assert!(*vehicle == entity && error.contains("hatch.json"), "{error}");
}

/// A tire property file.
const TIRE: &str = include_str!("../../../../vehicle-core/tests/data/205_60R15.tir");
