//! Tire models of a program's own in vehicles from files.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use snippets::scenes::level_world;
use vehicle_rapier::core::tire::models::{
    AnyTire, FialaTire, OwnTire, TMeasyTire, TireSize, TireUse,
};
use vehicle_rapier::core::tire::{NoLanes, TireInput, TireOutput};
use vehicle_rapier::core::vehicle::{ChangeMechanics, HasMechanics};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{FileFormat, OwnTires, Preset, TireSource, VehicleFile};

const DT: Real = 1.0 / 60.0;

const SIZE: TireSize =
    TireSize { made_for: TireUse::PassengerCar, load: 4_500.0, radius: 0.32, width: 0.225 };

fn known() -> OwnTires {
    OwnTires::new().with::<TMeasyTire>("measured").with::<FialaTire>("textbook")
}

fn tire() -> TMeasyTire {
    TMeasyTire { law: SIZE.tmeasy(), rolling_resistance: SIZE.rolling_resistance() }
}

/// The file of a preset on other tires, as JSON.
fn file_on(tires: Value) -> Value {
    let file = Preset::of_name("hot_hatch").expect("a preset").file().expect("a file");
    let mut value = serde_json::to_value(file).expect("plain data");
    value["tires"] = tires;
    value
}

fn own(name: &str, params: &Value) -> Value {
    json!([{ "own": { "name": name, "params": params } }])
}

fn params() -> Value {
    serde_json::to_value(tire()).expect("plain data")
}

fn read(value: &Value, tires: &OwnTires) -> Result<AnyVehicle, String> {
    AnyVehicle::from_str_with(FileFormat::Json, &value.to_string(), tires)
        .map_err(|error| error.to_string())
}

fn bits(world: &PhysicsWorld, car: &AnyRapierVehicle) -> Vec<u8> {
    let body = &world.bodies[car.body()];
    postcard::to_stdvec(&(body.position(), body.vels())).expect("plain data")
}

fn inserted(model: &AnyVehicle) -> (PhysicsWorld, AnyRapierVehicle) {
    let mut world = level_world(DT, 1.0);
    let pose = Pose::from_translation(Vector::Y * model.standing_height(9.81));
    let car = model.insert(&mut world, pose);
    (world, car)
}

/// Accelerates through a bend, and brakes.
fn step(world: &mut PhysicsWorld, car: &mut AnyRapierVehicle, number: usize) {
    let commands = car.commands_mut();
    commands.throttle = if number < 240 { 0.8 } else { 0.0 };
    commands.brakes[0] = if number < 240 { 0.0 } else { 0.9 };
    commands.steer = 0.3 * (number as Real * 0.02).sin();
    car.step(world).expect("it can be driven");
}

#[test]
fn a_model_of_ones_own_drives_as_the_librarys_of_the_same_law() {
    let theirs = read(&file_on(json!([{ "t_measy": params() }])), &OwnTires::new()).expect("valid");
    let ours = read(&file_on(own("measured", &params())), &known()).expect("valid");
    let (mut world, mut car) = inserted(&theirs);
    let (mut own_world, mut own_car) = inserted(&ours);
    let mut snapshot = None;
    for number in 0..420 {
        step(&mut world, &mut car, number);
        step(&mut own_world, &mut own_car, number);
        assert!(bits(&world, &car) == bits(&own_world, &own_car), "step {number}");
        if number == 200 {
            snapshot = Some(own_car.snapshot(&own_world.bodies).expect("a body"));
        }
    }
    let text = serde_json::to_string(&snapshot.expect("taken")).expect("plain data");
    let snapshot = serde_json::from_str(&text).expect("its own");
    own_car.restore(&mut own_world, &snapshot).expect("its own snapshot");
    for number in 201..420 {
        step(&mut own_world, &mut own_car, number);
    }
    assert!(bits(&world, &car) == bits(&own_world, &own_car), "after a snapshot was restored");
}

#[test]
fn files_of_all_formats_name_models_and_are_written_as_they_were_read() {
    let model = read(&file_on(own("measured", &params())), &known()).expect("valid");
    let AnyTire::Own(first) = &model.mechanics().tires[0] else { panic!("a tire of one's own") };
    assert_eq!((first.name(), first.get::<TMeasyTire>()), ("measured", Some(&tire())));
    let (_, car) = inserted(&model);
    for format in FileFormat::ALL {
        for file in [model.file().clone(), car.to_file()] {
            let text = file.to_text(format).expect("plain data");
            let again = AnyVehicle::from_str_with(format, &text, &known());
            let again = again.unwrap_or_else(|error| panic!("{format:?}: {error}"));
            assert_eq!(again.mechanics().tires, model.mechanics().tires, "{format:?}");
        }
    }
    // What is made of a vehicle in a program needs no names.
    let again = AnyVehicle::new(car.to_file(), "").expect("valid");
    assert_eq!(again.mechanics().tires, model.mechanics().tires);
}

#[test]
fn tires_of_several_models_are_put_on_one_vehicle() {
    let measured = json!({ "own": { "name": "measured", "params": params() } });
    let fiala = FialaTire { law: SIZE.fiala(), rolling_resistance: SIZE.rolling_resistance() };
    let textbook = json!({ "own": { "name": "textbook", "params": fiala } });
    let fiala = json!({ "fiala": fiala });
    let mixed = json!([measured, textbook, fiala, { "t_measy": params() }]);
    let model = read(&file_on(mixed), &known()).expect("valid");
    let plain = json!([{ "t_measy": params() }, fiala, fiala, { "t_measy": params() }]);
    let plain = read(&file_on(plain), &OwnTires::new()).expect("valid");
    let (mut world, mut car) = inserted(&model);
    let (mut plain_world, mut plain_car) = inserted(&plain);
    for number in 0..200 {
        step(&mut world, &mut car, number);
        step(&mut plain_world, &mut plain_car, number);
    }
    assert!(bits(&world, &car) == bits(&plain_world, &plain_car));
    assert!(5.0 < car.forward_speed(), "{} m/s", car.forward_speed());
}

#[test]
fn faults_of_models_of_ones_own_are_told_with_their_place() {
    let mut without = params();
    without.as_object_mut().expect("an object").remove("law");
    let mut text = params();
    text["law"] = json!("soft");
    let field = |name: &str| {
        let mut file = file_on(own("measured", &params()));
        file["tires"][0]["own"][name] = json!(1);
        file
    };
    let cases = [
        (
            file_on(own("measure", &params())),
            known(),
            "tires[0].own.name: unknown tire model of the program `measure`, did you mean `measured`?",
        ),
        (
            file_on(own("slick", &params())),
            known(),
            "tires[0].own.name: unknown tire model of the program `slick`, expected one of `measured`, `textbook`",
        ),
        (
            file_on(own("slick", &params())),
            OwnTires::new(),
            "tires[0].own.name: unknown tire model of the program `slick`, there are none",
        ),
        (file_on(own("measured", &without)), known(), "tires[0].own.params: missing field `law`"),
        (file_on(own("measured", &text)), known(), "tires[0].own.params.law: "),
        (file_on(own("measured", &Value::Null)), known(), "tires[0].own.params: "),
        (field("parameters"), known(), "parameters"),
    ];
    for (file, tires, expected) in cases {
        let error = read(&file, &tires).expect_err(expected);
        assert!(error.contains(expected), "{error}\nexpected: {expected}");
        assert!(error.starts_with("line "), "it has a place: {error}");
    }
}

/// A tire whose forces grow with the slip until it slides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Slick {
    stiffness: Option<Real>,
    bounds: Vec<Real>,
}

/// One without parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Plain;

macro_rules! slides {
    ($($tire:ty),*) => {$(
        impl TireModel for $tire {
            type State = ();
            type Lanes = NoLanes;

            fn forces(&self, input: &TireInput<'_>, (): &mut ()) -> TireOutput {
                let longitudinal_force = input.grip.load * input.slip.longitudinal;
                TireOutput { longitudinal_force, ..TireOutput::default() }
            }

            fn check(&self, _: &mut ParamCheck) {}
        }
    )*};
}

slides!(Slick, Plain);

fn sliding() -> OwnTires {
    OwnTires::new().with::<Slick>("slick").with::<Plain>("plain")
}

#[test]
fn parameters_that_are_none_or_left_out_stay_so_in_every_format() {
    let cases = [
        (json!({ "name": "slick" }), Slick::default().into_own()),
        (json!({ "name": "plain" }), OwnTire::new("plain", Plain)),
        (
            json!({ "name": "slick", "params": { "stiffness": null, "bounds": [1.0, 2.0] } }),
            Slick { stiffness: None, bounds: vec![1.0, 2.0] }.into_own(),
        ),
        (
            json!({ "name": "slick", "params": { "stiffness": 8.0 } }),
            Slick { stiffness: Some(8.0), bounds: Vec::new() }.into_own(),
        ),
    ];
    for (source, expected) in cases {
        let file = file_on(json!([{ "own": source }]));
        let model = read(&file, &sliding()).unwrap_or_else(|error| panic!("{source}: {error}"));
        let expected = AnyTire::from(expected);
        assert_eq!(model.mechanics().tires[0], expected, "{source}");
        let (_, car) = inserted(&model);
        for format in FileFormat::ALL {
            for file in [model.file().clone(), car.to_file()] {
                let text = file.to_text(format);
                let text = text.unwrap_or_else(|error| panic!("{format:?}, {source}: {error}"));
                let again = AnyVehicle::from_str_with(format, &text, &sliding());
                let again = again.unwrap_or_else(|error| panic!("{format:?}: {error}\n{text}"));
                assert_eq!(again.mechanics().tires[0], expected, "{format:?}, {source}");
            }
        }
    }
}

#[test]
fn numbers_that_are_not_finite_are_neither_read_nor_written() {
    let file = file_on(json!([{ "own": { "name": "slick", "params": { "bounds": [1.5, 2.5] } } }]));
    let model = read(&file, &sliding()).expect("valid");
    for (format, number) in [(FileFormat::Toml, "nan"), (FileFormat::Ron, "inf")] {
        let text = model.file().to_text(format).expect("plain data");
        let odd = text.replacen("2.5", number, 1);
        assert_ne!(odd, text);
        let error = AnyVehicle::from_str_with(format, &odd, &sliding()).unwrap_err().to_string();
        let found = if number == "nan" { "NaN" } else { number };
        let expected = format!("bounds[1] must be finite, got {found}");
        assert!(error.contains(&expected), "{error}\nexpected: {expected}");
    }
    let tire = AnyTire::from(Slick { stiffness: Some(Real::NAN), bounds: Vec::new() }.into_own());
    let (_, mut car) = inserted(&model);
    let mut mechanics = car.vehicle.mechanical_params().clone();
    mechanics.tires.fill(tire);
    car.vehicle.set_mechanics(mechanics).expect("its model checks nothing");
    let error = car.to_file().to_text(FileFormat::Json).unwrap_err().to_string();
    assert!(error.contains("must be finite, but stiffness is NaN"), "{error}");
}

impl Slick {
    fn into_own(self) -> OwnTire {
        OwnTire::new("slick", self)
    }
}

#[test]
fn parameters_that_no_tire_can_have_are_refused() {
    let mut sheet: VehicleFile =
        Preset::of_name("city_car").expect("a preset").file().expect("a file");
    let mut bad = tire();
    bad.law.common.nominal_load = -1.0;
    let bad = serde_json::to_value(bad).expect("plain data");
    let source = own("measured", &bad)[0].clone();
    sheet.tires = vec![serde_json::from_value::<TireSource>(source).expect("a tire")];
    let error = AnyVehicle::new_with(sheet, "", &known()).expect_err("a negative load");
    let path = &error.faults()[0].path;
    assert!(path.starts_with("tires[0].own.params.") && path.contains("load"), "{error}");
}
