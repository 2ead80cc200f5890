//! Presets with one or two numbers changed beyond measure: each is refused, or drives on finitely
//! at speeds that vehicles have.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rapier3d::prelude::*;
use serde_json::{Number, Value};
use snippets::presets::all;
use snippets::scenes::level_world;
use vehicle_rapier::diagnose;
use vehicle_rapier::vehicle_file::{AnyVehicle, FileFormat};

use crate::common::{DT, Noise};

/// Mutations of a test; the variable `VEHICLE_MUTATIONS` says another number.
const MUTATIONS: usize = 300;
/// Time for which a mutated vehicle is driven (s).
const TIME: Real = 5.0;
/// Speed that none reaches (m/s).
const FASTEST: Real = 150.0;

/// A way to change a number.
type Change = fn(f64) -> f64;

const CHANGES: [(&str, Change); 14] = [
    ("x 1e6", |number| number * 1e6),
    ("x 1e3", |number| number * 1e3),
    ("x 100", |number| number * 100.0),
    ("x 10", |number| number * 10.0),
    ("x 2", |number| number * 2.0),
    ("x 0.5", |number| number * 0.5),
    ("x 0.1", |number| number * 0.1),
    ("x 0.01", |number| number * 0.01),
    ("x 1e-3", |number| number * 1e-3),
    ("x 1e-6", |number| number * 1e-6),
    ("x -1", |number| -number),
    ("to 0", |_| 0.0),
    ("to 1e-30", |_| 1e-30),
    ("to 1e30", |_| 1e30),
];

/// Paths of all numbers of `value`.
pub(crate) fn number_paths(value: &Value, path: &str, paths: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                number_paths(field, &format!("{path}/{name}"), paths);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                number_paths(item, &format!("{path}/{index}"), paths);
            }
        }
        Value::Number(_) => paths.push(path.to_owned()),
        _ => {}
    }
}

/// The number that `change` makes of `number`; whole ones stay whole.
pub(crate) fn changed(number: &Number, change: impl Fn(f64) -> f64) -> Value {
    let value = change(number.as_f64().unwrap_or(0.0));
    if number.is_f64() { value.into() } else { (value.clamp(-9.0, 1e9).round() as i64).into() }
}

/// What an accepted vehicle does wrong in a drive; `None` if nothing.
fn fault_of(model: &AnyVehicle) -> Option<String> {
    let mut world = level_world(DT, 1.0);
    let height = model.standing_height(9.81);
    if !height.is_finite() {
        return Some(format!("stands at {height} m"));
    }
    let mut car = model.insert(&mut world, Pose::from_translation(Vector::Y * (height + 0.02)));
    let _findings = diagnose(&car, DT);
    for step in 0..(TIME / DT) as usize {
        let time = step as Real * DT;
        let commands = car.commands_mut();
        (commands.throttle, commands.brakes[0]) = if time < 3.5 { (1.0, 0.0) } else { (0.0, 0.8) };
        commands.steer = if (1.5..3.0).contains(&time) { 0.5 } else { 0.0 };
        if let Err(error) = car.step(&mut world) {
            return Some(format!("{time} s: {error}"));
        }
        let body = &world.bodies[car.body()];
        let (place, speed) = (body.translation(), body.linvel().length());
        if !place.is_finite() || speed.is_nan() || FASTEST <= speed || !body.angvel().is_finite() {
            return Some(format!("{time} s: {speed} m/s at {place}"));
        }
    }
    None
}

#[test]
fn presets_with_wild_numbers_are_refused_or_drive_as_vehicles_do() {
    let presets: Vec<(String, Value)> = all()
        .flat_map(|(name, text)| {
            let sheet: Value = serde_json::from_str(text).expect("JSON");
            let vehicle = AnyVehicle::from_str(FileFormat::Json, text).expect("a preset");
            let mut world = level_world(DT, 1.0);
            let file = vehicle.insert(&mut world, Pose::IDENTITY).to_file();
            let full = serde_json::to_value(file).expect("plain data");
            [(name.to_owned(), sheet), (format!("{name} in full"), full)]
        })
        .collect();
    let count = env::var("VEHICLE_MUTATIONS").ok().and_then(|text| text.parse().ok());
    let mut noise = Noise(9_973);
    let mut index = |count: usize| ((noise.next() * count as Real) as usize).min(count - 1);
    let (mut faults, mut accepted) = (Vec::new(), 0);
    for case in 0..count.unwrap_or(MUTATIONS) {
        let (name, preset) = &presets[case % presets.len()];
        let mut paths = Vec::new();
        number_paths(preset, "", &mut paths);
        let (mut mutated, mut told) = (preset.clone(), format!("{case}: {name}"));
        for _ in 0..1 + index(4) / 3 {
            let path = &paths[index(paths.len())];
            let (kind, change) = CHANGES[index(CHANGES.len())];
            let place = mutated.pointer_mut(path).expect("a place");
            let Value::Number(number) = &*place else { continue };
            *place = changed(number, change);
            told += &format!(", {path} {kind}");
        }
        let text = mutated.to_string();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let model = AnyVehicle::from_str(FileFormat::Json, &text).ok()?;
            accepted += 1;
            fault_of(&model)
        }));
        let fault = outcome.unwrap_or_else(|_| Some("panics".to_owned()));
        faults.extend(fault.map(|fault| format!("{told}: {fault}")));
    }
    assert!(faults.is_empty(), "{} of {accepted}: {faults:#?}", faults.len());
    assert!(50 < accepted, "{accepted} of them drive");
}

/// The file of the preset `name`.
fn preset(name: &str) -> Value {
    let (_, text) = all().find(|(each, _)| *each == name).expect("a preset");
    serde_json::from_str(text).expect("JSON")
}

/// The file of the preset `name` with all parameters, those that follow from its data sheet too.
fn in_full(name: &str) -> Value {
    let text = preset(name).to_string();
    let vehicle = AnyVehicle::from_str(FileFormat::Json, &text).expect("a preset");
    let file = vehicle.insert(&mut level_world(DT, 1.0), Pose::IDENTITY).to_file();
    serde_json::to_value(file).expect("plain data")
}

#[test]
fn motors_without_power_throw_nothing() {
    let motor = "/drive/blocks/driveline/blocks/0/block/electric_motor";
    let mut cases = Vec::new();
    for (loss, factors) in [(0, [1e2, 1e4, 1e6]), (1, [1e3, 1e4, 1e6]), (3, [1e2, 1e3, 1e6])] {
        cases.extend(factors.map(|factor| (format!("{motor}/losses/{loss}"), factor)));
    }
    let battery = "/drive/blocks/driveline/batteries/0";
    for (field, factor) in
        [("start_charge", 1e-6), ("start_charge", 0.0), ("max_discharge_power", 0.0)]
    {
        cases.push((format!("{battery}/{field}"), factor));
    }
    for name in ["electric_car", "rc_car"] {
        let preset = preset(name);
        for (path, factor) in &cases {
            let mut mutated = preset.clone();
            let place = mutated.pointer_mut(path).unwrap_or_else(|| panic!("{name}: {path}"));
            let number = place.as_f64().expect("a number");
            *place = (number * factor).into();
            let model = AnyVehicle::from_str(FileFormat::Json, &mutated.to_string());
            let model = model.unwrap_or_else(|error| panic!("{name}, {path}: {error}"));
            assert_eq!(fault_of(&model), None, "{name}, {path} x {factor}");
        }
    }
}

#[test]
fn motors_of_any_torque_are_refused_or_throw_nothing() {
    for name in ["electric_car", "rc_car"] {
        let mut mutated = preset(name);
        let path = "/drive/blocks/driveline/blocks/0/block/electric_motor/max_torque";
        let usual = mutated.pointer(path).and_then(Value::as_f64).expect("a number");
        let mut refused = 0;
        for factor in [1e1, 1e2, 1e3, 1e4, 1e5, 1e6] {
            *mutated.pointer_mut(path).expect("a place") = (usual * factor).into();
            match AnyVehicle::from_str(FileFormat::Json, &mutated.to_string()) {
                Ok(model) => assert_eq!(fault_of(&model), None, "{name}, {path} x {factor}"),
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().contains("times the mass"), "{error}");
                }
            }
        }
        assert!((1..5).contains(&refused), "{name}: {refused} refused");
    }
}

#[test]
fn bodies_like_a_wire_are_refused() {
    let mut full = in_full("motorcycle");
    let place = full.pointer_mut("/mechanics/parameters/rigid_body/inertia/2").expect("a place");
    *place = (1e-6 * place.as_f64().expect("a number")).into();
    let error = AnyVehicle::from_str(FileFormat::Json, &full.to_string()).expect_err("a fault");
    assert!(error.to_string().contains("times the largest moment"), "{error}");
}

#[test]
fn wheels_on_stilts_are_refused() {
    let mut full = in_full("motorcycle");
    let path = "/mechanics/parameters/suspensions/0/travel_distance";
    for (travel, is_possible) in [(1.0, true), (100.0, false)] {
        *full.pointer_mut(path).expect("a place") = travel.into();
        match AnyVehicle::from_str(FileFormat::Json, &full.to_string()) {
            Ok(model) => assert_eq!((is_possible, fault_of(&model)), (true, None), "{travel} m"),
            Err(error) => {
                let text = error.to_string();
                assert!(!is_possible && text.contains("20 times the radius"), "{travel} m: {text}");
            }
        }
    }
}

#[test]
fn batteries_that_hold_next_to_nothing_do_not_stop_the_program() {
    let preset = preset("electric_car");
    let mut paths = Vec::new();
    number_paths(&preset, "", &mut paths);
    let battery = paths.iter().filter(|path| path.contains("/batteries/0/"));
    let mut drives = 0;
    for (path, number) in battery.flat_map(|path| [0.0, 1e-30, 1e-12].map(|it| (path, it))) {
        let mut mutated = preset.clone();
        *mutated.pointer_mut(path).expect("a place") = number.into();
        let Ok(model) = AnyVehicle::from_str(FileFormat::Json, &mutated.to_string()) else {
            continue;
        };
        drives += 1;
        assert_eq!(fault_of(&model), None, "{path}: {number}");
    }
    assert!(3 < drives, "{drives}");
}
