//! Mistakes that are easily made in a vehicle file: each is an error, or a diagnosis finds it.

use std::ops::ControlFlow::{self, Continue};

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use snippets::presets::all;
use snippets::scenes::level_world;
use vehicle_rapier::core::ComponentSequence;
use vehicle_rapier::core::diagnosis::{Finding, FindingCode as Code, Severity};
use vehicle_rapier::core::sequence::{StateFault, UpdateError};
use vehicle_rapier::core::stages::Tire;
use vehicle_rapier::core::tire::{NoLanes, TireInput, TireOutput};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{MechanicsSource, OwnTires, Preset};

const DT: Real = 1.0 / 60.0;

const SHEET: &str = "/mechanics/data_sheet";
const ENGINE: &str = "/drive/engine";

/// The text of a preset with the value at `path` replaced, or added.
fn changed(preset: &str, path: &str, value: Value) -> String {
    let text = all().find(|(name, _)| *name == preset).expect("a preset").1;
    let mut file: Value = serde_json::from_str(text).expect("JSON");
    let (parent, field) = path.rsplit_once('/').expect("a path");
    let parent = file.pointer_mut(parent).expect("there");
    match parent {
        Value::Array(list) => list[field.parse::<usize>().expect("a number")] = value,
        parent => parent[field] = value,
    }
    file.to_string()
}

fn read(text: &str) -> Result<AnyVehicle, String> {
    AnyVehicle::from_str(FileFormat::Json, text).map_err(|error| error.to_string())
}

fn error(text: &str) -> String {
    read(text).expect_err("a fault")
}

fn inserted(model: &AnyVehicle) -> (PhysicsWorld, AnyRapierVehicle) {
    let mut world = level_world(DT, 1.0);
    let height = Vector::Y * model.standing_height(9.81);
    let car = model.insert(&mut world, Pose::from_translation(height));
    (world, car)
}

fn findings(model: &AnyVehicle) -> Vec<Finding> {
    let (world, car) = inserted(model);
    diagnose_in(&car, &world).expect("a time step")
}

#[test]
fn no_preset_warns_of_itself() {
    for (name, text) in all() {
        let model = read(text).expect("a preset");
        let mut found = findings(&model);
        found.retain(|finding| finding.severity() == Severity::Warning);
        assert_eq!(found, [], "{name}");
    }
}

#[test]
fn one_wrong_number_is_found() {
    let sheet = |field: &str| format!("{SHEET}/{field}");
    let engine = |field: &str| format!("{ENGINE}/{field}");
    let direct = json!({ "direct": {
        "throttle": { "max_response": 500.0, "wheel_multipliers": [-1.0, -1.0, 0.0, 0.0] }
    } });
    for (path, value, code) in [
        (sheet("size"), json!([1.8, 1.1, 4.27]), Code::InertiaLow),
        (sheet("wheel_base"), json!(6.0), Code::InertiaLow),
        (sheet("track_width"), json!(3.0), Code::InertiaLow),
        (sheet("brake_torques"), json!([2.5, 0.46]), Code::BrakesWeak),
        (sheet("brake_torques"), json!([0.0, 0.0]), Code::BrakesWeak),
        (sheet("center_of_mass_height"), json!(1.5), Code::TipsOver),
        (sheet("center_of_mass_height"), json!(3.0), Code::TipsOver),
        (sheet("wheel/mass"), json!(120.0), Code::NumberOdd),
        (sheet("max_steer_angle"), json!(-0.69), Code::SteeringReversed),
        (engine("gearbox/ratios"), json!([-3.3, 0.0]), Code::ForwardGearNone),
        (engine("autobox/map/latency"), json!(100.0), Code::AutoboxLatencyLong),
        ("/drive".to_owned(), direct, Code::DriveReversed),
    ] {
        let model = read(&changed("hot_hatch", &path, value.clone())).expect("no fault");
        let found = findings(&model);
        assert!(found.iter().any(|it| it.code == code), "{path} {value}: {code:?}, {found:#?}");
    }
}

#[test]
fn what_can_be_nothing_but_a_mistake_is_an_error_of_one_line() {
    let chassis = |translation: Value| json!({ "center_of_mass": { "translation": translation } });
    let hitches = json!([{ "name": "rear", "position": [0.0, 0.0, -2000.0] }]);
    let list = json!({ "center_of_mass": [0.0, 0.5, 0.0] });
    let two = json!({ "engine": {}, "direct": {} });
    let sheet = json!({
        "power": 150.0, "power_speed": 576.0, "max_speed": 680.0, "top_speed": 58.0,
        "driven": [0, 1]
    });
    let left_handed = json!({ "longitudinal": "pos_z", "lateral": "neg_x", "vertical": "pos_y" });
    for (preset, path, value, expected) in [
        ("hot_hatch", "/mechanics/data_sheet/wheel_base", json!(9.0), "at most 8.54 m"),
        ("hot_hatch", "/mechanics/data_sheet/track_width", json!(4.0), "at most 3.6 m"),
        ("hot_hatch", "/mechanics/data_sheet/wheel/half_width", json!(1.0), "half of the distance"),
        (
            "hot_hatch",
            "/mechanics/data_sheet/wheel",
            json!({
                "radius": 0.32, "half_width": 0.11, "mass": 400.0, "inertia": 24.0,
                "damping_rate": 0.03
            }),
            "data_sheet.wheel.mass: must be below 266 kg: its axle weighs 532 kg with all, got 400",
        ),
        (
            "semi_tractor",
            "/mechanics/blueprint/axles/0/laden_load",
            json!(10.0),
            "axles[0].laden_load: must be at least 2600 kg, half of its load, got 10",
        ),
        (
            "hot_hatch",
            "/chassis",
            chassis(json!([0.0, 500.0, 0.0])),
            "chassis.center_of_mass.translation: must be at most 100 m from the origin of its \
             body, got [0, 500, 0]: in millimeters?",
        ),
        ("hot_hatch", "/hitches", hitches, "got [0, 0, -2000]: in millimeters?"),
        (
            "hot_hatch",
            "/chassis",
            list,
            "chassis.center_of_mass: invalid type: sequence, expected fields such as \
             `translation` and `rotation`",
        ),
        ("hot_hatch", "/drive", two, "got `direct` and `engine`"),
        ("hot_hatch", "/drive", json!({}), "expected one of `towed`"),
        ("hot_hatch", "/drive", json!([]), "expected one of `towed`"),
        ("hot_hatch", "/frame", left_handed, "got longitudinal pos_z, lateral neg_x"),
        ("hot_hatch", "/drive", json!({ "data_sheet": sheet }), "drive.data_sheet.power: must be"),
        ("hot_hatch", "/mechanics/data_sheet/wheel/radius", json!(0.0), "wheel.radius"),
        ("hot_hatch", "/mechanics/data_sheet/wheel/radius", json!(12.5), "got 12.5: in"),
        ("hot_hatch", "/mechanics/data_sheet/natural_frequency", json!(0.0), "natural_frequency"),
        ("hot_hatch", "/drive/engine/gearbox/neutral", json!(99), "a gear below 8, got 99"),
    ] {
        let text = changed(preset, path, value.clone());
        let error = error(&text);
        assert!(error.contains(expected), "{path} {value}: {error}");
        assert_eq!(error.lines().count(), 1, "{path} {value}: {error}");
        for word in ["struct", "enum", "inf "] {
            assert!(!error.contains(word), "{path} {value}: {error}");
        }
    }
    assert_eq!(error("[]"), "invalid type: sequence, expected fields such as `version`");
}

#[test]
fn a_pose_that_is_no_number_is_told_once() {
    let mut file = Preset::of_name("hot_hatch").expect("a preset").file().expect("a file");
    let chassis = file.chassis.get_or_insert_default();
    chassis.center_of_mass.translation.y = Real::NAN;
    let error = AnyVehicle::new(file, "").expect_err("no pose");
    assert_eq!(error.faults().len(), 1, "{error}");
}

#[test]
fn a_single_wheel_is_named_where_a_list_has_one_for_two() {
    let text = changed("semi_tractor", "/mechanics/blueprint/axles/1/track_width", json!(0.0));
    let error = error(&text);
    let expected = "mechanics.blueprint.axles[1].track_width 0 is that of a single wheel";
    assert!(error.contains(expected), "{error}");
}

/// A small car with z up, in each format.
const Z_UP: [(FileFormat, &str); 3] = [
    (
        FileFormat::Json,
        r#"{ "version": 1, "mechanics": { "data_sheet": { "mass": 1050.0, "size": [3.9, 1.7, 1.2],
        "wheel_base": 2.5, "track_width": 1.48, "front_share": 0.62, "center_of_mass_height": 0.53,
        "brake_torques": [1700.0, 450.0] } }, "drive": "towed",
        "frame": { "longitudinal": "pos_x", "lateral": "pos_y", "vertical": "pos_z" } }"#,
    ),
    (
        FileFormat::Ron,
        "(version: 1, frame: (longitudinal: pos_x, lateral: pos_y, vertical: pos_z),
        mechanics: data_sheet((mass: 1050.0, size: (3.9, 1.7, 1.2), wheel_base: 2.5,
        track_width: 1.48, front_share: 0.62, center_of_mass_height: 0.53,
        brake_torques: (1700.0, 450.0))), drive: towed)",
    ),
    (
        FileFormat::Toml,
        "version = 1\ndrive = \"towed\"\n[frame]\nlongitudinal = \"pos_x\"\nlateral = \"pos_y\"
        vertical = \"pos_z\"\n[mechanics.data_sheet]\nmass = 1050.0\nsize = [3.9, 1.7, 1.2]
        wheel_base = 2.5\ntrack_width = 1.48\nfront_share = 0.62\ncenter_of_mass_height = 0.53
        brake_torques = [1700.0, 450.0]\n",
    ),
];

#[test]
fn a_data_sheet_without_axes_has_those_of_its_file() {
    for (format, text) in Z_UP {
        let model = AnyVehicle::from_str(format, text).expect("a car");
        let down = model.mechanics().suspensions[0].travel_direction;
        assert_eq!(down, Vector::NEG_Z, "{format:?}");
        let MechanicsSource::DataSheet(sheet) = &model.file().mechanics else { panic!("{text}") };
        assert_eq!(sheet.frame, Frame::Z_UP, "{format:?}");
    }
    let y_up = r#""data_sheet": {
        "frame": { "longitudinal": "pos_z", "lateral": "pos_x", "vertical": "pos_y" },"#;
    let text = Z_UP[0].1.replace(r#""data_sheet": {"#, y_up);
    let error = error(&text);
    let message = "mechanics.data_sheet.frame: must be left out, or the `frame` of the file, \
                   longitudinal pos_x, lateral pos_y, vertical pos_z, got longitudinal pos_z, \
                   lateral pos_x, vertical pos_y";
    assert!(error.ends_with(message) && error.lines().count() == 1, "{error}");
}

/// A tire whose forces are `push` times the load and the slip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Linear {
    push: Real,
}

impl TireModel for Linear {
    type State = ();
    type Lanes = NoLanes;

    fn forces(&self, input: &TireInput<'_>, (): &mut ()) -> TireOutput {
        let stiffness = self.push * input.grip.load;
        TireOutput {
            longitudinal_force: stiffness * input.slip.longitudinal,
            lateral_force: -stiffness * input.slip.tangent,
            longitudinal_stiffness: stiffness.abs(),
            ..TireOutput::default()
        }
    }

    fn check(&self, check: &mut ParamCheck) {
        check.number("push", self.push, Bound::Within(-20.0, 20.0));
    }
}

fn on_own_tires(push: Real) -> Result<AnyVehicle, String> {
    let tires = json!([{ "own": { "name": "linear", "params": { "push": push } } }]);
    let known = OwnTires::new().with::<Linear>("linear");
    AnyVehicle::from_str_with(FileFormat::Json, &changed("hot_hatch", "/tires", tires), &known)
        .map_err(|error| error.to_string())
}

#[test]
fn tires_without_force_or_with_one_that_pushes_the_wrong_way_are_found() {
    for (push, is_odd) in [(0.0, true), (-5.0, true), (5.0, false)] {
        let found = findings(&on_own_tires(push).expect("no fault"));
        let count = found.iter().filter(|it| it.code == Code::TireForceNone).count();
        assert_eq!(count, if is_odd { 8 } else { 0 }, "{push}: {found:#?}");
    }
    let error = on_own_tires(-100.0).expect_err("a fault");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn gravity_is_that_of_the_world_before_the_first_step() {
    let model = read(&changed("hot_hatch", "/substeps", json!(3))).expect("a car");
    let (mut world, car) = inserted(&model);
    for (gravity, code) in [(0.0, Code::GravityNone), (-981.0, Code::LengthUnit)] {
        world.gravity = Vector::Y * gravity;
        let found = diagnose_in(&car, &world).expect("a time step");
        assert!(found.iter().any(|it| it.code == code), "{gravity} m/s²: {found:#?}");
    }
}

#[test]
fn a_vehicle_with_a_joint_does_not_stand_on_its_wheels_alone() {
    let model = read(&changed("hot_hatch", "/substeps", json!(3))).expect("a car");
    let (mut world, mut car) = inserted(&model);
    let mut mechanics = car.mechanics().params.clone();
    mechanics.suspension_forces.iter_mut().for_each(|spring| spring.sprung_mass *= 1.3);
    car.vehicle.change_mechanics(mechanics).expect("no fault");
    let sum = |world: &PhysicsWorld| {
        let found = diagnose_in(&car, world).expect("a time step");
        found.iter().any(|it| it.code == Code::SprungMassSum)
    };
    assert!(sum(&world));
    let other = world.bodies.insert(RigidBodyBuilder::dynamic());
    let joint = SphericalJointBuilder::new();
    world.impulse_joints.insert(car.body(), other, joint, true);
    assert!(!sum(&world));
}

/// An aid that takes brakes for a drive.
fn drive_by_brakes(car: &mut AnyDriveVehicle, _: Real, _: &Context<'_>) -> ControlFlow<()> {
    car.mechanics().state.brake_torques[0] = -500.0;
    Continue(())
}

#[test]
fn an_aid_that_writes_negative_brake_torques_is_named() {
    let model = read(&changed("hot_hatch", "/substeps", json!(3))).expect("a car");
    let stages: ComponentSequence<AnyDriveVehicle> = model.sequence();
    let stages = stages.insert_after::<Tire>(drive_by_brakes).expect("tires");
    let (mut world, mut car) = inserted(&model);
    car.sequence = stages.into();
    let before = *world.bodies[car.body()].position();
    let error = car.step(&mut world).expect_err("no brakes");
    assert!(error.to_string().contains("a brake torque is negative"), "{error}");
    let StepError::Update(UpdateError::State(StateFault { stage, .. })) = error else {
        panic!("{error}")
    };
    assert!(stage.contains("drive_by_brakes"), "{stage}");
    assert_eq!(*world.bodies[car.body()].position(), before);
}
