//! Each number of a vehicle counts: changed, it shows in a drive, is a fault, or a diagnosis says
//! what counts in its place.

use rapier3d::prelude::*;
use serde_json::Value;
use snippets::presets::vehicle;
use snippets::scenes::level_world;
use vehicle_rapier::core::blueprint::{AxleBlueprint, AxleRide, VehicleBlueprint};
use vehicle_rapier::core::diagnosis::{Finding, FindingCode};
use vehicle_rapier::core::suspension::unsprung::SuspensionDynamics;
use vehicle_rapier::core::tire_code::TireCode;
use vehicle_rapier::core::wheel::WheelParams;
use vehicle_rapier::diagnose;
use vehicle_rapier::vehicle_file::{AnyVehicle, MechanicsSource, VehicleFile};

use super::mutated_numbers::{changed, number_paths};
use crate::common::DT;

/// Presets, one of each kind of drive.
const PRESETS: [&str; 4] = ["hot_hatch", "electric_car", "tank", "motorcycle"];
/// Lists with an element for each wheel: the first ones stand for all.
const LISTS: [&str; 6] =
    ["wheels", "suspensions", "compliances", "suspension_forces", "tires", "unsprung"];
/// Codes of the tires of data sheets: of a light and a heavy car, and of a truck.
const CODES: [(&str, &str); 3] =
    [("city_car", "165/65R14"), ("pick_up", "LT265/70R17"), ("truck_6x6", "315/80R22.5")];
/// Numbers that need not show, and why.
const SILENT: [(&str, &str); 6] = [
    ("/damper/bump/knee", "the slope is the same on both sides of it"),
    ("/damper/rebound/knee", "the slope is the same on both sides of it"),
    ("/friction_vs_slip/0/0", "the friction is the same on both sides of it"),
    ("/tire_kind", "it is a name"),
    ("/half_width", "rays meet the middle of a wheel"),
    ("/shoulder_radius", "rays meet the middle of a wheel"),
];
/// Numbers of single presets without an effect: the preset, a part of the path, and why.
const SILENT_OF_PRESETS: [(&str, &str, &str); 11] = [
    (
        "truck_6x6",
        "/suspension_forces/0/sprung_mass",
        "a third of one wheel's is within what scales differ by",
    ),
    ("truck_6x6", "/end_stop", "it does not come to its stops"),
    ("motorcycle", "/radial_stiffness", "tires without a stiffness of their own do not give way"),
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
    let findings = diagnose(&car, DT).expect("a time step");
    let mut bits = Vec::new();
    for step in 0..150 {
        let time = step as Real * DT;
        let commands = car.commands_mut();
        commands.throttle = if time < 1.5 { 1.0 } else { 0.0 };
        commands.steer = if 0.5 < time { 0.3 } else { 0.0 };
        commands.brakes[0] = if 1.5 < time { 1.0 } else { 0.0 };
        commands.brakes[1] = if 1.2 < time && time < 1.4 { 0.2 } else { 0.0 };
        // Tanks are steered by their tracks.
        if let Some(transmission) = car.transmission_mut() {
            transmission.thrusts = if 0.5 < time { [1.0, 0.3] } else { [1.0; 2] };
        }
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

/// The numbers of the mechanics of `file`, of the vehicle `name`, that do nothing and of which
/// nothing is told.
fn silent_numbers(name: &str, file: &VehicleFile) -> Vec<String> {
    let model = AnyVehicle::new(file.clone(), "").unwrap_or_else(|error| panic!("{name}: {error}"));
    let height = model.standing_height(9.81) + 1.0;
    let expected = drive(&model, height);
    let whole = serde_json::to_value(file).expect("plain data");
    let mut paths = Vec::new();
    number_paths(&whole["mechanics"], "/mechanics", &mut paths);
    let is_silent = |path: &String| {
        let mut whole = whole.clone();
        let place = whole.pointer_mut(path).expect("a place");
        let Value::Number(number) = &*place else { return false };
        // Numbers of wheels and tires are names.
        if !number.is_f64() {
            return false;
        }
        *place = changed(number, |number| if number == 0.0 { 0.05 } else { number * 1.3 });
        let Ok(file) = serde_json::from_value::<VehicleFile>(whole) else { return false };
        let Ok(model) = AnyVehicle::new(file, "") else { return false };
        let is_known = SILENT.iter().any(|(end, _)| path.ends_with(end))
            || SILENT_OF_PRESETS.iter().any(|(of, part, _)| *of == name && path.contains(part));
        !is_known && drive(&model, height) == expected
    };
    paths.retain(|path| is_first(path) && is_silent(path));
    paths.into_iter().map(|path| format!("{name}: {path}")).collect()
}

/// The file of `model` with all parameters.
fn in_full(model: &AnyVehicle) -> VehicleFile {
    model.insert(&mut level_world(DT, 1.0), Pose::IDENTITY).to_file()
}

#[test]
fn each_number_of_the_mechanics_counts_or_is_told() {
    let of = |name: &&str| silent_numbers(name, &in_full(&vehicle(name).expect("a preset")));
    let silent: Vec<_> = PRESETS.iter().flat_map(of).collect();
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn each_number_of_a_data_sheet_on_tires_of_a_code_counts_or_is_told() {
    let mut silent = Vec::new();
    for (name, code) in CODES {
        let mut file = vehicle(name).expect("a preset").file().clone();
        let wheel = code.parse::<TireCode>().expect("a code").wheel();
        match &mut file.mechanics {
            MechanicsSource::DataSheet(sheet) => sheet.wheel = wheel,
            MechanicsSource::Blueprint(sheet) => {
                sheet.axles.iter_mut().for_each(|axle| axle.wheel = wheel);
            }
            _ => panic!("{name} has no data sheet"),
        }
        let model = AnyVehicle::new(file.clone(), "").expect("no fault");
        let told: Vec<_> = drive(&model, 1.0).0;
        assert!(!told.iter().any(|it| it.code == FindingCode::NumberUnused), "{name}: {told:#?}");
        silent.extend(silent_numbers(name, &file));
        silent.extend(silent_numbers(name, &in_full(&model)));
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn a_data_sheet_says_the_stiffness_of_its_tires_once() {
    for (_, code) in CODES {
        let size = code.parse::<TireCode>().expect("a code");
        let known = size.radial_stiffness(300e3);
        let wheel = WheelParams { radial_stiffness: Some(known), ..size.wheel() };
        let stiffnesses = |wheel: WheelParams, of_ride: Option<Real>| {
            let ride = Some(AxleRide { tire_stiffness: of_ride, ..AxleRide::default() });
            let axle = |position| AxleBlueprint {
                wheel,
                ride,
                ..AxleBlueprint::new(position, 1.6, 900.0, 1e3)
            };
            let size = [4.0, 1.8, 1.5];
            let sheet = VehicleBlueprint::new(size, 0.6, [axle(0.0), axle(2.6)]);
            let params = sheet.mechanics().map_err(|errors| errors.to_string())?;
            let SuspensionDynamics::Unsprung(wheels) = &params.suspension_dynamics else {
                return Err("no wheels with mass".to_owned());
            };
            Ok((params.wheels[0].stiffness(), wheels[0].tire_stiffness))
        };
        assert_eq!(stiffnesses(wheel, None), Ok((known, known)), "{code}");
        assert_eq!(stiffnesses(wheel, Some(known)), Ok((known, known)), "{code}");
        let (of_load, driven) = stiffnesses(size.wheel(), None).expect("no fault");
        assert_eq!(of_load, driven, "{code}");
        assert!((of_load * 0.055 * wheel.radius / (450.0 * 9.81) - 1.0).abs() < 1e-3, "{of_load}");
        let other = 1.2 * known;
        assert_eq!(stiffnesses(size.wheel(), Some(other)), Ok((other, other)), "{code}");
        let fault = stiffnesses(wheel, Some(other)).expect_err("two numbers");
        let expected = format!("ride.tire_stiffness must be left out, or the {known} N/m");
        assert!(fault.contains(&expected), "{code}: {fault}");
    }
}
