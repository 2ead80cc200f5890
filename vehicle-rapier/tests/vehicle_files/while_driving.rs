//! Files that are edited while their vehicles drive, and vehicles that their application keeps.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rapier3d::prelude::*;
use vehicle_rapier::Activity;
use vehicle_rapier::drivetrain::aids::{AidsParams, AntiLockParams};
use vehicle_rapier::events::EventParams;
use vehicle_rapier::fleet::{Fleet, update_together};
use vehicle_rapier::vehicle_file::{
    AnyRapierVehicle, AnyVehicle, FileFormat, MechanicsSource, OwnTires, RemakeError, TireFile,
    TireSource, VehicleFile,
};

use crate::TESTS;

fn world() -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());
    world
}

fn preset(name: &str) -> AnyVehicle {
    AnyVehicle::preset(name).expect("a preset")
}

fn insert(world: &mut PhysicsWorld, model: &AnyVehicle, aside: Real) -> AnyRapierVehicle {
    let pose = Pose::from_translation(Vector::new(aside, model.standing_height(9.81), 0.0));
    let mut car = model.insert(world, pose);
    car.commands_mut().throttle = 0.6;
    car
}

fn heavier(name: &str, mass: Real) -> AnyVehicle {
    let mut file = preset(name).file().clone();
    let MechanicsSource::DataSheet(sheet) = &mut file.mechanics else { panic!("{file:?}") };
    sheet.mass = mass;
    AnyVehicle::new(file, "").expect("a vehicle")
}

fn bits(world: &PhysicsWorld, car: &AnyRapierVehicle) -> Vec<u32> {
    let body = &world.bodies[car.body()];
    let numbers = [body.translation(), body.linvel(), body.angvel()].map(|each| each.to_array());
    numbers.into_iter().flatten().map(Real::to_bits).collect()
}

#[test]
fn a_vehicle_made_anew_drives_on_in_its_gear_with_the_settings_of_its_user() {
    let mut world = world();
    let mut car = insert(&mut world, &preset("hot_hatch"), 0.0);
    car.road.lightest_ground = 33.0;
    car.user_data.set_vehicle(7);
    car.listen(EventParams::default()).expect("thresholds");
    let anti_lock = Some(AntiLockParams::default());
    car.vehicle.set_aids(AidsParams { anti_lock, ..AidsParams::default() }).expect("aids");
    for _ in 0..240 {
        car.step(&mut world).expect("it drives");
    }
    let engine_speed = car.readings().drive.engine.expect("an engine").speed;
    let (speed, pose) = (car.forward_speed(), car.pose(&world.bodies).expect("a body"));
    car.remake(&heavier("hot_hatch", 1_800.0), &mut world).expect("it is of one kind");
    assert_eq!(world.bodies.len(), 1);
    assert_eq!(car.pose(&world.bodies).expect("a body"), pose);
    assert_eq!(car.mass().rigid_body.mass, 1_800.0);
    car.step(&mut world).expect("it drives on");
    assert!((car.forward_speed() - speed).abs() < 0.1, "{speed}, {}", car.forward_speed());
    let engine = car.readings().drive.engine.expect("an engine").speed;
    assert!((engine / engine_speed - 1.0).abs() < 0.05, "{engine_speed}, {engine} rad/s");
    assert_eq!((car.road.lightest_ground, car.user_data.vehicle()), (33.0, 7));
    assert!(car.events().is_some());
    assert!(car.vehicle.aids().is_some_and(|aids| aids.anti_lock.is_some()));
}

#[test]
fn aids_of_a_file_come_and_go_with_it() {
    let mut world = world();
    let model = preset("hot_hatch");
    let mut car = insert(&mut world, &model, 0.0);
    let mut file = model.file().clone();
    file.aids = AidsParams { anti_lock: Some(AntiLockParams::default()), ..file.aids };
    let aided = AnyVehicle::new(file, "").expect("a vehicle");
    for (model, has_aids) in [(&aided, true), (&model, model.file().aids.anti_lock.is_some())] {
        car.step(&mut world).expect("it drives");
        car.remake(model, &mut world).expect("it is of one kind");
        let aids = car.vehicle.aids().copied().unwrap_or_default();
        assert_eq!(aids.anti_lock.is_some(), has_aids);
    }
    car.step(&mut world).expect("it drives");
}

#[test]
fn obstacles_of_a_file_come_and_go_with_it_unless_the_user_says_otherwise() {
    let mut world = world();
    let model = preset("hot_hatch");
    let file = VehicleFile { meets_obstacles: Some(false), ..model.file().clone() };
    let without = AnyVehicle::new(file, "").expect("a vehicle");
    let mut car = insert(&mut world, &model, 0.0);
    for (model, meets) in [(&model, true), (&without, false), (&without, false), (&model, true)] {
        car.remake(model, &mut world).expect("it is of one kind");
        assert_eq!(car.params.meets_obstacles, meets);
    }
    car.params.meets_obstacles = false;
    car.remake(&model, &mut world).expect("it is of one kind");
    assert!(!car.params.meets_obstacles);
}

#[test]
fn a_vehicle_of_another_kind_is_refused_and_nothing_has_changed() {
    let mut world = world();
    let mut car = insert(&mut world, &preset("hot_hatch"), 0.0);
    for _ in 0..60 {
        car.step(&mut world).expect("it drives");
    }
    let before = bits(&world, &car);
    for name in ["truck_6x6", "electric_car", "tank"] {
        let error = car.remake(&preset(name), &mut world).expect_err("another kind");
        assert!(matches!(error, RemakeError::Memory(_)), "{name}: {error}");
    }
    assert_eq!((bits(&world, &car), world.bodies.len()), (before, 1));
    world.remove_body(car.body());
    let error = car.remake(&preset("hot_hatch"), &mut world).expect_err("no body");
    assert!(matches!(error, RemakeError::Actor(_)), "{error}");
    assert_eq!(world.bodies.len(), 0);
}

#[test]
fn a_file_and_its_tires_are_read_by_whom_the_caller_says() {
    let tire = format!("{TESTS}/../../vehicle-core/tests/data/205_60R15.tir");
    let tire = std::fs::read_to_string(tire).expect("a tire file");
    let mut file: VehicleFile = preset("hot_hatch").file().clone();
    file.tires = vec![TireSource::File(TireFile {
        path: "tires/a.tir".to_owned(),
        is_mirrored: false,
        out_of_range: Default::default(),
    })];
    assert_eq!(file.tire_files("cars"), [PathBuf::from("cars/tires/a.tir")]);
    let text = file.to_text(FileFormat::Json).expect("a text");
    let mut texts = BTreeMap::from([("cars/a.json", text), ("cars/tires/a.tir", tire)]);
    let asked = RefCell::new(Vec::new());
    let load = |texts: &BTreeMap<&str, String>| {
        AnyVehicle::load_by("cars/a.json", &OwnTires::new(), |path: &Path| {
            asked.borrow_mut().push(path.to_owned());
            let text = path.to_str().and_then(|path| texts.get(path));
            text.cloned().ok_or(io::ErrorKind::NotFound.into())
        })
    };
    let car = load(&texts).expect("a vehicle");
    assert_eq!(car.file(), &file);
    assert!(asked.borrow().contains(&PathBuf::from("cars/tires/a.tir")), "{asked:?}");
    texts.remove("cars/tires/a.tir");
    let error = load(&texts).expect_err("no tire").to_string();
    assert!(error.contains("cars/a.json") && error.contains("cars/tires/a.tir"), "{error}");
}

#[test]
fn vehicles_that_are_kept_elsewhere_update_with_the_bits_of_a_fleet() {
    let names = ["hot_hatch", "hot_hatch", "kart", "tank", "semi_tractor", "hot_hatch"];
    let models = names.map(preset);
    let cars = |world: &mut PhysicsWorld| {
        let numbered = models.iter().enumerate();
        let cars = numbered.map(|(place, model)| insert(world, model, 8.0 * place as Real));
        cars.collect::<Vec<_>>()
    };
    let mut fleet_world = world();
    let mut fleet = Fleet::new();
    let handles: Vec<_> = cars(&mut fleet_world).into_iter().map(|car| fleet.insert(car)).collect();
    let mut own_world = world();
    let mut own = cars(&mut own_world);
    for _ in 0..180 {
        assert!(fleet.step(&mut fleet_world).is_empty());
        let outcomes = update_together(&mut own, &mut own_world);
        assert!(outcomes.iter().all(|outcome| *outcome == Ok(Activity::Awake)), "{outcomes:?}");
        own_world.step();
    }
    for (car, handle) in own.iter().zip(handles) {
        assert_eq!(bits(&own_world, car), bits(&fleet_world, &fleet[handle]));
        assert!(1.0 < car.forward_speed(), "{} m/s", car.forward_speed());
    }
    own[2].commands_mut().throttle = Real::NAN;
    let outcomes = update_together(&mut own, &mut own_world);
    assert!(outcomes[2].is_err() && outcomes[1].is_ok(), "{outcomes:?}");
}

#[test]
fn a_reset_keeps_how_closely_the_vehicle_is_looked_at() {
    let mut world = world();
    let mut car = insert(&mut world, &preset("hot_hatch"), 0.0);
    let coarse = vehicle_rapier::Detail { road_period: 4, max_substeps: 1, wheel_mass: false };
    car.detail = coarse;
    for _ in 0..60 {
        car.step(&mut world).expect("it drives");
    }
    car.reset(&mut world.bodies).expect("its start");
    assert_eq!(car.detail, coarse);
    car.step(&mut world).expect("it drives");
    let saved = car.snapshot(&world.bodies).expect("a body");
    assert_eq!((saved.detail, saved.look.level), (coarse, coarse));
}
