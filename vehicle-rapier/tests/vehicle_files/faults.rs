//! What is wrong with a file is told with its place, and with what may have been meant.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::blocks::{Block, BlockTree, Capacity, Freewheel, NamedBlock};
use vehicle_rapier::drivetrain::{DirectDriveParams, EngineDriveParams};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{
    AnyVehicle, BlockSource, DriveSource, FileFormat, MechanicsSource, VehicleFile,
};

use super::fleet_of_kinds::{all, saloon};
use crate::TESTS;

const SMALL: &str = r#"{
  "version": 1,
  "mechanics": { "data_sheet": {
    "mass": 1050.0,
    "size": [3.9, 1.7, 1.2],
    "wheel_base": 2.5,
    "track_width": 1.48,
    "front_share": 0.62,
    "center_of_mass_height": 0.53,
    "brake_torques": [1700.0, 450.0]
  } },
  "drive": { "direct": {
    "throttle": { "max_response": 500.0, "wheel_multipliers": [1.0, 1.0, 0.0, 0.0] }
  } }
}"#;

fn error(format: FileFormat, text: &str) -> String {
    match AnyVehicle::from_str(format, text) {
        Ok(_) => panic!("no fault in {text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_shortest_file_is_a_car() {
    AnyVehicle::from_str(FileFormat::Json, SMALL).expect("a car");
}

#[test]
fn wheels_with_mass_alone_meet_obstacles() {
    for (said, meets) in [("", true), ("\"meets_obstacles\": false,", false)] {
        let text = SMALL.replace("\"version\": 1", &format!("{said}\n  \"version\": 1"));
        let vehicle = AnyVehicle::from_str(FileFormat::Json, &text).expect("a car");
        let car = vehicle.insert(&mut PhysicsWorld::new(), Pose::IDENTITY);
        assert_eq!(car.params.meets_obstacles, meets);
    }
    let (_, massless) =
        all().into_iter().find(|(name, _)| name == "sample direct").expect("the sample car");
    let file = VehicleFile { meets_obstacles: Some(true), ..massless };
    let error = AnyVehicle::new(file, TESTS).expect_err("wheels without mass").to_string();
    let expected =
        "meets_obstacles: must be false, because wheels without mass only follow the road";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn faults_of_json_are_told_with_their_place() {
    for (from, to, message) in [
        (
            "wheel_base",
            "wheelbase",
            "line 6: mechanics.data_sheet.wheelbase: unknown field `wheelbase`, did you mean \
             `wheel_base`?",
        ),
        (
            "\"mass\"",
            "\"mas\"",
            "line 4: mechanics.data_sheet.mas: unknown field `mas`, did you mean `mass`?",
        ),
        (
            "    \"wheel_base\": 2.5,\n",
            "",
            "line 3: mechanics.data_sheet: missing field `wheel_base`",
        ),
        ("\"direct\"", "\"dirict\"", "did you mean `direct`?"),
        (
            "\"direct\": {\n    \"throttle\": { \"max_response\": 500.0, \"wheel_multipliers\": [1.0, 1.0, 0.0, 0.0] }",
            "\"data_sheet\": {\n    \"power\": -1.0, \"power_speed\": 500.0, \"max_speed\": 600.0, \"top_speed\": 50.0, \
             \"driven\": [0, 4]",
            "line 13: drive.data_sheet.power: must be positive and finite, got -1",
        ),
        ("\"direct\"", "\"rocket\"", "expected one of `towed`, `direct`, `engine`"),
        ("1050.0", "\"heavy\"", "mechanics.data_sheet.mass: invalid type: string \"heavy\""),
        (
            "1050.0",
            "-1050.0",
            "line 4: mechanics.data_sheet.mass: must be positive and finite, got -1050",
        ),
        ("1050.0", "1e300", "mechanics.data_sheet.mass: number out of range"),
        (
            "1.0, 1.0, 0.0, 0.0",
            "1.0, 1.0",
            "line 13: drive.direct.throttle.wheel_multipliers: must be of 4 elements, one per wheel, got 2",
        ),
        (
            "\"version\": 1",
            "\"version\": 7",
            "line 2: version: must be at most 1, the newest that is known, got 7",
        ),
        ("\"version\": 1,", "", "version: missing field `version`, which is 1 in files of today"),
        (
            "\"version\": 1,",
            "\"version\": 1, \"substeps\": 65,",
            "line 2: substeps: must be within [1, 64], got 65",
        ),
        ("\"version\": 1,", "\"version\": 1, \"tires\": [{ \"brsh\": {} }],", "tires[0]"),
        ("} }\n}", "}", "EOF while parsing an object"),
    ] {
        assert!(SMALL.contains(from), "{from}");
        let error = error(FileFormat::Json, &SMALL.replacen(from, to, 1));
        assert!(
            without_column(&error).contains(message),
            "{from} -> {to}: {error}, expected {message}"
        );
    }
}

/// The first line of an error without the column.
fn without_column(error: &str) -> String {
    match (error.split_once(", column "), error.split_once(": ")) {
        (Some((line, _)), Some((_, rest))) if error.starts_with("line ") => {
            format!("{line}: {rest}")
        }
        _ => error.to_owned(),
    }
}

#[test]
fn all_faults_of_meaning_are_told() {
    let text = SMALL.replace("1050.0", "-1.0").replace("2.5,", "0.0,");
    let text = text.replace("\"version\": 1,", "\"version\": 1, \"hitches\": [{\"name\": \"a\", \"position\": [1e9, 0, 0]}, {\"name\": \"a\", \"position\": [0, 0, 0]}],");
    let text = text.replace(
        "\"drive\"",
        "\"chassis\": {\"colliders\": [{\"shape\": {\"convex_hull\": {\"points\": [[0, 0, 0]]}}}]},\n\"drive\"",
    );
    let error = AnyVehicle::from_str(FileFormat::Json, &text).unwrap_err();
    let paths: Vec<_> = error.faults().iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "chassis.colliders[0].shape.convex_hull.points",
            "hitches[0].position",
            "hitches[1].name",
            "mechanics.data_sheet.mass",
            "mechanics.data_sheet.wheel_base",
        ],
        "{error}"
    );
    assert!(error.faults().iter().all(|fault| fault.position.is_some()), "{error}");
}

#[test]
fn the_other_formats_tell_the_same() {
    let file = VehicleFile::from_str(FileFormat::Json, SMALL).expect("a file");
    for format in [FileFormat::Ron, FileFormat::Toml] {
        let text = file.to_text(format).expect("a text");
        for (from, to, message) in [
            ("wheel_base", "wheelbase", "unknown field `wheelbase`, did you mean `wheel_base`?"),
            ("mass", "mas", "unknown field `mas`, did you mean `mass`?"),
            (
                "1050.0",
                "-1050.0",
                "mechanics.data_sheet.mass: must be positive and finite, got -1050",
            ),
        ] {
            let changed = text.replacen(from, to, 1);
            let line = 1 + changed[..changed.find(to).expect("it is there")].matches('\n').count();
            let error = error(format, &changed);
            assert!(error.contains(message), "{format:?}: {error}");
            assert!(
                error.starts_with(&format!("line {line}, ")),
                "{format:?}: {error}, line {line}"
            );
            // A file that has been read already has lost its text, and gets its lines back.
            if let Ok(read) = VehicleFile::from_str(format, &changed) {
                let bare = AnyVehicle::new(read, "").unwrap_err();
                assert!(bare.to_string().starts_with(message), "{format:?}: {bare}");
                assert_eq!(bare.with_positions(format, &changed).to_string(), error);
            }
        }
    }
}

#[test]
fn faults_of_tires_are_told_where_they_are() {
    let (_, mut file) = all().into_iter().find(|(name, _)| name == "tire file").expect("a kind");
    let [_, vehicle_rapier::vehicle_file::TireSource::File(tire), ..] = &mut file.tires[..] else {
        panic!("tires of files")
    };
    tire.path = "none.tir".to_owned();
    let text = file.to_text(FileFormat::Json).expect("a text");
    let error = error(FileFormat::Json, &text);
    assert!(error.contains("tires[1].file.path: must be a file that can be read"), "{error}");
    assert!(error.starts_with("line "), "{error}");

    let (_, file) = all().into_iter().nth(1).expect("a kind");
    let text = file.to_text(FileFormat::Json).expect("a text");
    let text =
        text.replacen("\"longitudinal_stiffness\": 24525.0", "\"longitudinal_stiffness\": -2.0", 1);
    let line = 1 + text[..text.find("-2.0").expect("there")].matches('\n').count();
    let error = self::error(FileFormat::Json, &text);
    let start = format!("line {line}, ");
    assert!(error.starts_with(&start), "{error}, {start}");
    assert!(
        error.contains("mechanics.parameters.tires[0].longitudinal_stiffness: must be"),
        "{error}"
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    for (path, message) in [
        ("nowhere/car.json", "nowhere/car.json: No such file"),
        ("car.txt", "car.txt: the extension must be json, ron or toml, which says the format"),
    ] {
        let error = AnyVehicle::load(path).unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
        let is_missing = error.io_kind() == Some(std::io::ErrorKind::NotFound);
        assert_eq!(is_missing, path == "nowhere/car.json", "{error}");
    }
}

#[test]
fn infinite_capacities_have_a_spelling_in_every_format() {
    let capacity = Capacity::INFINITE;
    let block = Block::Freewheel(Freewheel { capacity });
    let blocks = vec![NamedBlock { name: "freewheel".to_owned(), block }];
    let driveline = BlockTree { blocks, ..BlockTree::default() };
    let mut file = saloon();
    file.drive = DriveSource::Blocks(BlockSource { driveline, spin_axes: Vec::new() });
    for format in FileFormat::ALL {
        let text = file.to_text(format).expect("a text");
        assert_eq!(text.matches("\"inf\"").count(), 1, "{text}");
        assert_eq!(VehicleFile::from_str(format, &text).expect("as written"), file, "{format:?}");
    }
}

#[test]
fn bare_parameters_are_files_of_version_0() {
    let (_, file) = all().swap_remove(1);
    let (MechanicsSource::Parameters(mechanics), DriveSource::Direct(direct)) =
        (&file.mechanics, &file.drive)
    else {
        panic!("full parameters")
    };
    let tires = snippets::vehicles::sample_mechanics().expect("valid data").tires;
    let params = DirectDriveParams {
        mechanics: (**mechanics).clone().with_tires(tires),
        throttle: direct.throttle.clone(),
    };
    let text = serde_json::to_string(&params).expect("a text").replacen('{', "{\"version\": 0,", 1);
    let migrated = VehicleFile::from_str(FileFormat::Json, &text).expect("a file");
    let expected = VehicleFile::new(file.mechanics.clone(), file.drive.clone());
    assert_eq!(migrated, expected);
    // As it was written when poses were as in memory.
    let padded = text
        .replace("\"rotation\":[0.0,0.0,0.0,1.0]", "\"rotation\":[0.0,0.0,0.0,1.0],\"padding\":0");
    assert_ne!(padded, text);
    assert_eq!(VehicleFile::from_str(FileFormat::Json, &padded).expect("a file"), expected);

    let engine: EngineDriveParams = snippets::drivetrains::sample_engine_drive(
        snippets::drivetrains::SampleDifferential::MultiWheel,
    )
    .expect("valid data");
    let text = serde_json::to_string(&engine).expect("a text").replacen('{', "{\"version\": 0,", 1);
    let car = AnyVehicle::from_str(FileFormat::Json, &text).expect("a car");
    assert!(matches!(car.file().drive, DriveSource::Engine(_)));
    let error = error(FileFormat::Json, &text.replacen("\"drivetrain\"", "\"drivetrian\"", 1));
    assert!(error.contains("did you mean `drivetrain`?"), "{error}");
}

#[test]
fn data_sheets_read_by_serde_alone_refuse_what_they_do_not_know() {
    let sheet = serde_json::to_string(&CarBlueprint::default()).expect("a text");
    let error = |text: &str| serde_json::from_str::<CarBlueprint>(text).unwrap_err().to_string();
    assert!(
        error(&sheet.replace("\"mass\":1500.0,\"size\"", "\"mas\":1500.0,\"size\""))
            .contains("unknown field `mas`")
    );
    assert!(error(&sheet.replace("wheel_base", "wheelbase")).contains("unknown field `wheelbase`"));
    assert_eq!(
        serde_json::from_str::<CarBlueprint>(&sheet).expect("as written"),
        CarBlueprint::default()
    );
}

#[test]
fn a_data_sheet_is_of_the_axes_of_its_file() {
    let mut file = saloon();
    file.frame = Frame::Z_UP;
    let error = AnyVehicle::new(file, "").unwrap_err().to_string();
    assert!(
        error.contains("mechanics.data_sheet.frame: must be left out, or the `frame` of the file"),
        "{error}"
    );
}

#[test]
fn a_byte_order_mark_before_a_file_is_passed_over_in_every_format() {
    let (name, file) = all().swap_remove(1);
    for format in FileFormat::ALL {
        let text = file.to_text(format).expect("a text");
        let read = VehicleFile::from_str(format, &format!("\u{feff}{text}"));
        assert_eq!(read.as_ref(), Ok(&file), "{name}, {format:?}");
    }
    // Places are those that an editor shows.
    let bad = SMALL.replace("1050.0", "-1050.0");
    let [plain, marked] = [bad.clone(), format!("\u{feff}{bad}")];
    assert_eq!(error(FileFormat::Json, &marked), error(FileFormat::Json, &plain));
}

#[test]
fn tire_files_with_old_characters_are_read_and_vehicle_files_with_them_are_refused() {
    let folder = format!("{}/old_characters", env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let tire = std::fs::read(format!("{TESTS}/../../vehicle-core/tests/data/205_60R15.tir"));
    // A degree sign and an umlaut of Latin-1.
    let mut old = b"$ gemessen bei 25 \xb0C auf der Pr\xfcfbahn\n".to_vec();
    old.extend(tire.expect("a tire file"));
    std::fs::write(format!("{folder}/old.tir"), &old).expect("written");
    let tires = "\"version\": 1, \"tires\": [{ \"file\": { \"path\": \"old.tir\" } }]";
    let text = SMALL.replace("\"version\": 1", tires);
    let path = format!("{folder}/car.json");
    std::fs::write(&path, &text).expect("written");
    AnyVehicle::load(&path).expect("a car on these tires");
    let file = VehicleFile::from_str(FileFormat::Json, &text).expect("a file");
    AnyVehicle::new(file, &folder).expect("a car on these tires");

    let mut bad = text.replacen("\"version\"", "\"name\": \"?\", \"version\"", 1).into_bytes();
    let place = bad.iter().position(|&byte| byte == b'?').expect("there");
    bad[place] = 0xb0;
    std::fs::write(&path, &bad).expect("written");
    let error = AnyVehicle::load(&path).expect_err("no text").to_string();
    assert!(error.contains("car.json") && error.contains("UTF-8"), "{error}");
}
