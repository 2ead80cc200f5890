//! Vehicles from the files of the PhysX Vehicle SDK.

use std::fs;

use serde_json::Value;
use snippets::drivetrains::{SampleDifferential, TankBrakes, sample_engine_drive, sample_tank};
use snippets::vehicles::{sample_direct_drive, sample_mechanics};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::physx::{PhysxDifferential, PhysxDrive, PhysxImport, import};
use vehicle_rapier::vehicle_file::{DirectSource, DriveSource, VehicleFile};

use super::TESTS;
use super::fleet_of_kinds::full;

fn text(name: &str) -> String {
    fs::read_to_string(format!("{TESTS}/data/physx/{name}.json")).expect("a file of the tests")
}

const CENTIMETERS: &str = "ZUpCentimeters";

/// The sample with this drive, of the files in meters or in centimeters.
fn imported(units: &str, differential: Option<PhysxDifferential>, frame: Frame) -> PhysxImport {
    let (direct, engine) =
        (text(&format!("DirectDrive{units}")), text(&format!("EngineDrive{units}")));
    let drive =
        differential.map_or(PhysxDrive::Direct(&direct), |kind| PhysxDrive::Engine(&engine, kind));
    import(&text(&format!("Base{units}")), drive, frame).expect("the sample")
}

/// The built-in sample data.
fn sample(differential: Option<PhysxDifferential>) -> VehicleFile {
    let engine = |differential| {
        let params = sample_engine_drive(differential).expect("valid data");
        DriveSource::Engine(Box::new(params.drivetrain))
    };
    let drive = match differential {
        None => {
            let throttle = sample_direct_drive().expect("valid data").throttle;
            DriveSource::Direct(DirectSource { throttle })
        }
        Some(PhysxDifferential::MultiWheel) => engine(SampleDifferential::MultiWheel),
        Some(PhysxDifferential::FourWheel) => {
            engine(SampleDifferential::FourWheel { is_slip_limited: true })
        }
        Some(_) => {
            let params = sample_tank(TankBrakes::AllWheels).expect("valid data");
            DriveSource::Tank(Box::new(params.drivetrain))
        }
    };
    VehicleFile::new(full(sample_mechanics().expect("valid data")), drive)
}

const KINDS: [Option<PhysxDifferential>; 4] = [
    None,
    Some(PhysxDifferential::MultiWheel),
    Some(PhysxDifferential::FourWheel),
    Some(PhysxDifferential::Tank),
];

#[test]
fn the_imported_sample_is_the_built_in_one() {
    for kind in KINDS {
        let PhysxImport { vehicle, not_used, .. } = imported("", kind, Frame::Y_UP);
        let expected = sample(kind);
        assert_eq!(vehicle.mechanics, without_zero_curves(&expected), "{kind:?}");
        assert_eq!(vehicle.drive, expected.drive, "{kind:?}");
        let expected = if kind.is_none() { 1 } else { 4 };
        assert_eq!(not_used.len(), expected, "{not_used:?}");
        assert!(not_used[0].starts_with("Base.SuspensionForceLegacyParams: "), "{not_used:?}");
    }
}

/// The sample's mechanics with curves through one point 0 where it has none: the files have them.
fn without_zero_curves(file: &VehicleFile) -> vehicle_rapier::vehicle_file::MechanicsSource {
    use vehicle_rapier::core::lookup_table::LookupTable;
    use vehicle_rapier::vehicle_file::MechanicsSource;
    let MechanicsSource::Parameters(params) = &file.mechanics else { panic!("full parameters") };
    let mut params = params.clone();
    for compliance in &mut params.compliances {
        assert!(compliance.toe.points().is_empty() && compliance.camber.points().is_empty());
        compliance.toe = LookupTable::constant(0.0);
        compliance.camber = LookupTable::constant(0.0);
    }
    MechanicsSource::Parameters(params)
}

/// Numbers may differ by the rounding of a few products.
fn assert_close(actual: &Value, expected: &Value, path: &str) {
    match (actual, expected) {
        (Value::Object(actual), Value::Object(expected)) => {
            assert!(actual.keys().eq(expected.keys()), "{path}");
            for (name, expected) in expected {
                assert_close(&actual[name], expected, &format!("{path}.{name}"));
            }
        }
        (Value::Array(actual), Value::Array(expected)) => {
            assert_eq!(actual.len(), expected.len(), "{path}");
            for (index, (actual, expected)) in actual.iter().zip(expected).enumerate() {
                assert_close(actual, expected, &format!("{path}[{index}]"));
            }
        }
        (Value::Number(actual), Value::Number(expected)) => {
            let [actual, expected] =
                [actual, expected].map(|number| number.as_f64().expect("a number"));
            let error = (actual - expected).abs();
            // Three products in single precision.
            assert!(error <= 4e-7 * expected.abs(), "{path}: {actual}, expected {expected}");
        }
        _ => assert_eq!(actual, expected, "{path}"),
    }
}

#[test]
fn the_sample_in_z_up_centimeters_is_the_same_vehicle() {
    for frame in [Frame::Y_UP, Frame::Z_UP] {
        for kind in KINDS {
            let [meters, centimeters] = ["", CENTIMETERS]
                .map(|units| serde_json::to_value(imported(units, kind, frame).vehicle))
                .map(|value| value.expect("plain data"));
            assert_close(&centimeters, &meters, &format!("{frame:?} {kind:?}"));
        }
    }
}

fn faults_of(from: &str, to: &str) -> String {
    let (base, direct) = (text("Base"), text("DirectDrive"));
    assert!(base.contains(from) || direct.contains(from), "{from}");
    let (base, direct) = (base.replacen(from, to, 1), direct.replacen(from, to, 1));
    match import(&base, PhysxDrive::Direct(&direct), Frame::Y_UP) {
        Ok(import) => panic!("{from} -> {to}: {:?}", import.not_used),
        Err(error) => error.to_string(),
    }
}

#[test]
fn faults_are_told_with_path_bound_and_value() {
    for (from, to, message) in [
        (
            "\"LngAxis\": 4",
            "\"LngAxis\": 6",
            "Base.Frame.LngAxis: must be an axis from 0 to 5, got 6",
        ),
        ("\"LngAxis\": 4", "\"LngAxis\": 5", "Base.Frame: must be right-handed"),
        ("\"LngAxis\": 4,", "", "Base.Frame.LngAxis: must be there, got nothing"),
        ("\"Scale\": 1.0", "\"Scale\": 0", "Base.Scale.Scale: must be positive and finite, got 0"),
        (
            "\"Mass\": 2014.4000244140625",
            "\"Mass\": \"2 t\"",
            "Base.RigidBodyParams.Mass: must be a number, got \"2 t\"",
        ),
        (
            "\"Mass\": 2014.4000244140625",
            "\"Mass\": 2e3, \"Mass\": 1e3",
            "Base.RigidBodyParams.Mass: must be there once, got it twice",
        ),
        (
            "\"Mass\": 2014.4000244140625",
            "\"Mass\": -1",
            "mechanics.parameters.rigid_body.mass: must be positive and finite, got -1",
        ),
        (
            "\"MOI\": [3200.0, ",
            "\"MOI\": [",
            "Base.RigidBodyParams.MOI: must be a list of 3, got 2",
        ),
        (
            "\"JounceCalculationType\": 1",
            "\"JounceCalculationType\": 2",
            "JounceCalculationType: must be 0 for a ray or 1 for a sweep, got 2",
        ),
        (
            "\"WheelId\": 3",
            "\"WheelId\": 2",
            "Base.SuspensionParams[3].WheelId: must be a wheel that has no other entry, got 2",
        ),
        (
            "\"WheelId\": 3",
            "\"WheelId\": 4",
            "Base.SuspensionParams[3].WheelId: must be a wheel below 4, got 4",
        ),
        (
            "\"WheelId\": 3",
            "\"WheelId\": 4",
            "Base.SuspensionParams: must be a list with an entry for each wheel, got none for wheel 3",
        ),
        (
            "[[0.0, 1.0], [0.10000000149011612, 1.0], [1.0, 1.0]]",
            "[[0.0, 1.0]]",
            "Base.TireForceParams[0].FrictionVsSlip: must be 3 rows, got 1",
        ),
        (
            "\"WheelIds\": [0, 1]",
            "\"WheelIds\": [0, 0]",
            "Base.AxleDescription: must be wheels numbered 0 to n - 1",
        ),
        (
            "\"Throttle\": 0.25",
            "\"Throttle\": 0.0",
            "DirectDrive.ThrottleCommandResponseParams.NonLinearResponse[1].command: must be above 0, got 0",
        ),
        ("\"Throttle\": 0.25", "\"Throttle\": ", "DirectDrive"),
    ] {
        let error = faults_of(from, to);
        assert!(error.contains(message), "{from} -> {to}: {error}, expected {message}");
    }
}

#[test]
fn what_is_not_known_is_named() {
    let base = text("Base").replacen("\"Mass\"", "\"Colour\": 3, \"Mass\"", 1);
    let direct = text("DirectDrive");
    let import = import(&base, PhysxDrive::Direct(&direct), Frame::Y_UP).expect("the sample");
    assert!(import.not_used.contains(&"Base.RigidBodyParams.Colour: not known".to_owned()));
}

#[test]
fn entries_may_stand_in_any_order() {
    let base: Value = serde_json::from_str(&text("Base")).expect("JSON");
    let mut turned = base.clone();
    for (_, value) in turned.as_object_mut().expect("an object") {
        if let Value::Array(list) = value
            && list[0].get("WheelId").is_some()
        {
            list.reverse();
        }
    }
    assert_ne!(turned, base);
    let direct = text("DirectDrive");
    let import = |base: &Value| {
        let text = base.to_string();
        import(&text, PhysxDrive::Direct(&direct), Frame::Y_UP).expect("the sample").vehicle
    };
    assert_eq!(import(&turned), import(&base));
}
