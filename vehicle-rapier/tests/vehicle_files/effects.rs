//! Each number of a vehicle counts: changed, it shows in a drive, is a fault, or a diagnosis says
//! what counts in its place.

use rapier3d::prelude::*;
use serde_json::Value;
use snippets::presets::vehicle;
use snippets::scenes::level_world;
use vehicle_rapier::core::diagnosis::Finding;
use vehicle_rapier::vehicle_file::{AnyVehicle, VehicleFile};

use super::mutated_numbers::{changed, number_paths};
use crate::common::DT;

/// Presets, one of each kind of drive.
const PRESETS: [&str; 4] = ["hot_hatch", "electric_car", "tank", "motorcycle"];
/// Lists with an element for each wheel: the first ones stand for all.
const LISTS: [&str; 6] =
    ["wheels", "suspensions", "compliances", "suspension_forces", "tires", "unsprung"];
/// Numbers that need not show, and why.
const SILENT: [(&str, &str); 7] = [
    ("/radial_stiffness", "tires whose model knows no inflation have that of the wheel with mass"),
    ("/damper/bump/knee", "the slope is the same on both sides of it"),
    ("/damper/rebound/knee", "the slope is the same on both sides of it"),
    ("/friction_vs_slip/0/0", "the friction is the same on both sides of it"),
    ("/tire_kind", "it is a name"),
    ("/half_width", "rays meet the middle of a wheel"),
    ("/shoulder_radius", "rays meet the middle of a wheel"),
];
/// Numbers of single presets without an effect: the preset, a part of the path, and why.
const SILENT_OF_PRESETS: [(&str, &str, &str); 8] = [
    ("tank", "/end_stop", "it does not come to its stops"),
    (
        "tank",
        "/parameters/steering/",
        "tracks steer: one factor of the angle is 0, the other does not show",
    ),
    ("motorcycle", "/wheels/0/mass", "wheels without mass have none"),
    ("motorcycle", "/friction_vs_slip/", "it does not slide"),
    (
        "motorcycle",
        "/brakes/0/wheel_multipliers/0",
        "its rider brakes by the limit of the front wheel",
    ),
    ("motorcycle", "/suspension_force_point/", "forces act where round treads touch the road"),
    ("motorcycle", "/brakes/1/", "the foot brake alone locks the wheel"),
    ("motorcycle", "/restitution", "it does not come to its stops"),
];

/// The bits of a short drive that falls onto its wheels, accelerates in a bend and brakes; `None`
/// if a step fails.
fn drive(model: &AnyVehicle, height: Real) -> (Vec<Finding>, Option<Vec<u32>>) {
    let mut world = level_world(DT, 1.0);
    let mut car = model.insert(&mut world, Pose::from_translation(Vector::Y * height));
    let findings = car.diagnose(DT).expect("a time step");
    let mut bits = Vec::new();
    for step in 0..150 {
        let time = step as Real * DT;
        let commands = car.commands_mut();
        commands.throttle = if time < 1.5 { 1.0 } else { 0.0 };
        commands.steer = if 0.5 < time { 0.3 } else { 0.0 };
        commands.brakes[0] = if 1.5 < time { 1.0 } else { 0.0 };
        commands.brakes[1] = if 1.2 < time && time < 1.4 { 0.2 } else { 0.0 };
        if car.step(&mut world).is_err() {
            return (findings, None);
        }
        let body = &world.bodies[car.body()];
        let (place, speed) = (body.translation(), body.linvel());
        bits.extend([place.x, place.y, place.z, speed.x, speed.y, speed.z].map(Real::to_bits));
    }
    (findings, Some(bits))
}

/// Whether `path` stands for its siblings: the first wheel's of the lists that have all.
fn is_first(path: &str) -> bool {
    let names: Vec<_> = path.split('/').collect();
    names.windows(2).all(|pair| !LISTS.contains(&pair[0]) || pair[1] == "0")
}

#[test]
fn each_number_of_the_mechanics_counts_or_is_told() {
    let mut silent = Vec::new();
    for name in PRESETS {
        let preset = vehicle(name).expect("a preset");
        let height = preset.standing_height(9.81) + 1.0;
        let mut world = level_world(DT, 1.0);
        let file = preset.insert(&mut world, Pose::IDENTITY).to_file();
        let full = serde_json::to_value(&file).expect("plain data");
        let expected = drive(&AnyVehicle::new(file, "").expect("no fault"), height);
        let mechanics = &full["mechanics"]["parameters"];
        let mut paths = Vec::new();
        number_paths(mechanics, "/mechanics/parameters", &mut paths);
        for path in paths.iter().filter(|path| is_first(path)) {
            let mut full = full.clone();
            let place = full.pointer_mut(path).expect("a place");
            let Value::Number(number) = &*place else { continue };
            // Numbers of wheels and tires are names.
            if !number.is_f64() {
                continue;
            }
            *place = changed(number, |number| if number == 0.0 { 0.05 } else { number * 1.3 });
            let Ok(file) = serde_json::from_value::<VehicleFile>(full) else { continue };
            let Ok(model) = AnyVehicle::new(file, "") else { continue };
            let is_known = SILENT.iter().any(|(end, _)| path.ends_with(end))
                || SILENT_OF_PRESETS.iter().any(|(of, part, _)| *of == name && path.contains(part));
            if drive(&model, height) == expected && !is_known {
                silent.push(format!("{name}: {path}"));
            }
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}
