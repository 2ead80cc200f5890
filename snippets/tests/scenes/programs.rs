//! The programs from the command line: complete results, and clear answers to bad input.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::Result;
use vehicle_rapier::drivetrain::blocks::ready_made;
use vehicle_rapier::vehicle_file::Preset;

const DRIVE: &str = env!("CARGO_BIN_EXE_drive");
const DATA_SHEET: &str = env!("CARGO_BIN_EXE_data_sheet");
const DIRECT_DRIVE: &str = env!("CARGO_BIN_EXE_direct_drive");
const FOUR_WHEEL_DRIVE: &str = env!("CARGO_BIN_EXE_four_wheel_drive");
const TANK_DRIVE: &str = env!("CARGO_BIN_EXE_tank_drive");
const CUSTOM_SUSPENSION: &str = env!("CARGO_BIN_EXE_custom_suspension");
const TRUCK: &str = env!("CARGO_BIN_EXE_truck");
const MULTI_THREADING: &str = env!("CARGO_BIN_EXE_multi_threading");
const CUSTOM_TIRE: &str = env!("CARGO_BIN_EXE_custom_tire");
const SOFT_GROUND: &str = env!("CARGO_BIN_EXE_soft_ground");
const CUSTOM_BLOCK: &str = env!("CARGO_BIN_EXE_custom_block");
const DRIVELINES: &str = env!("CARGO_BIN_EXE_drivelines");
const RIDE: &str = env!("CARGO_BIN_EXE_ride");
const SMOOTH_ROAD: &str = env!("CARGO_BIN_EXE_smooth_road");
const OFF_ROAD: &str = env!("CARGO_BIN_EXE_off_road");
const THREE_MODELS: &str = env!("CARGO_BIN_EXE_three_models");

fn run(program: &str, folder: &Path, options: &[&str]) -> Result<Output> {
    let mut command = Command::new(program);
    Ok(command.arg("--quiet").arg("--out").arg(folder).args(options).output()?)
}

/// Runs `program` and returns telemetry, report and what it printed.
fn results(program: &str, options: &[&str]) -> Result<[String; 3]> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("new/folder");
    let output = run(program, &path, options)?;
    let errors = String::from_utf8(output.stderr)?;
    assert!(output.status.success(), "{program} {options:?}: {errors}");
    let read = |name: &str| fs::read_to_string(path.join(name));
    Ok([read("telemetry.csv")?, read("report.html")?, String::from_utf8(output.stdout)?])
}

/// What `program` says to input that it refuses.
fn complaint(program: &str, folder: &Path, options: &[&str]) -> Result<String> {
    let output = run(program, folder, options)?;
    assert!(!output.status.success(), "{program} {options:?} was accepted");
    assert!(output.stdout.is_empty(), "{program} {options:?} has driven");
    Ok(String::from_utf8(output.stderr)?)
}

#[test]
fn programs_about_tires_write_telemetry_and_a_report() -> Result<()> {
    let cases = [
        (CUSTOM_TIRE, 840, "<h2>Lateral force of the tire: own</h2>", "Most in this drive"),
        (SOFT_GROUND, 960, "<h2>Rut of a rear wheel</h2>", "second pass"),
    ];
    for (program, steps, part, figure) in cases {
        let [csv, html, printed] = results(program, &[])?;
        assert_eq!(csv.lines().count(), 1 + steps, "{program}");
        assert!(!csv.contains("NaN") && !csv.contains("inf"), "{program}");
        assert!(html.contains(part) && html.ends_with("</html>\n"), "{program}: no {part}");
        assert!(!html.contains("(no data)"), "{program}");
        assert!(printed.contains(figure), "{program}: {printed}");
    }
    let folder = tempfile::tempdir()?;
    let tire = folder.path().join("bad.tir");
    fs::write(&tire, "[MODEL]\nFITTYP = many\n")?;
    let tire = tire.display().to_string();
    let said = complaint(CUSTOM_TIRE, folder.path(), &["--tir", &tire])?;
    assert!(said.contains("bad.tir is no tire") && said.contains("line 2"), "{said}");
    Ok(())
}

#[test]
fn every_program_writes_telemetry_of_every_step_and_a_report() -> Result<()> {
    let cases: [(&str, &[&str], usize, &str); 17] = [
        (DIRECT_DRIVE, &[], 1_320, "<h1>Direct drive</h1>"),
        (FOUR_WHEEL_DRIVE, &[], 1_321, "<h1>Four-wheel drive</h1>"),
        (FOUR_WHEEL_DRIVE, &["--parity"], 1_321, "<h1>Four-wheel drive</h1>"),
        (FOUR_WHEEL_DRIVE, &["--limited-slip", "--substeps", "2"], 1_321, "<h2>Gear</h2>"),
        (FOUR_WHEEL_DRIVE, &["--differential", "multi-wheel"], 1_321, "<h2>Clutch slip</h2>"),
        (FOUR_WHEEL_DRIVE, &["--differential", "tank"], 1_321, "<h2>Track speed</h2>"),
        (TANK_DRIVE, &[], 1_621, "<h2>Thrust</h2>"),
        (TANK_DRIVE, &["--parity"], 1_621, "<h2>Yaw rate</h2>"),
        (CUSTOM_SUSPENSION, &[], 900, "<h2>Hydraulics</h2>"),
        (CUSTOM_SUSPENSION, &["--parity", "--substeps", "1"], 900, "<h2>Pitch</h2>"),
        (TRUCK, &[], 1_021, "<h2>Hitch</h2>"),
        (TRUCK, &["--parity", "--order", "tractor-first"], 1_021, "<h2>Jounce of the trailer</h2>"),
        // 0.3 s with brake and throttle to pull away on the hill, twice.
        (TRUCK, &["--grade", "15"], 1_057, "<h2>Clutch slip</h2>"),
        (CUSTOM_BLOCK, &[], 1_623, "<h2>Overdrive: state</h2>"),
        (DRIVELINES, &[], 1_623, "<h2>Driveline at full power</h2>"),
        (DRIVELINES, &["--driveline", "truck-8x8"], 1_623, "<h2>Second rear axle: torque</h2>"),
        (DRIVELINES, &["--driveline", "electric"], 1_623, "<h2>Energy of the driveline</h2>"),
    ];
    for (program, options, steps, part) in cases {
        let [csv, html, printed] = results(program, options)?;
        assert_eq!(csv.lines().count(), 1 + steps, "{program} {options:?}");
        assert!(!csv.contains("NaN") && !csv.contains("inf"), "{program} {options:?}");
        assert!(html.contains(part) && html.ends_with("</html>\n"), "{program}: no {part}");
        assert!(!html.contains("(no data)"), "{program} {options:?}");
        assert!(printed.contains("fastest in this drive"), "{program} {options:?}: {printed}");
    }
    Ok(())
}

#[test]
fn programs_drive_any_vehicle_and_name_the_flag_of_a_wrong_one() -> Result<()> {
    let cases: [(&str, &[&str], usize, &str); 9] = [
        (FOUR_WHEEL_DRIVE, &["electric_car"], 1_321, "<h2>Wheel speed</h2>"),
        (FOUR_WHEEL_DRIVE, &["semi_tractor"], 1_321, "<h2>Jounce of the trailer</h2>"),
        (DIRECT_DRIVE, &["tank"], 1_321, "<h2>Track speed</h2>"),
        (DIRECT_DRIVE, &["rc_car"], 1_321, "<h2>Suspension load</h2>"),
        (TANK_DRIVE, &["tank"], 1_621, "<h2>Thrust</h2>"),
        (TRUCK, &["semi_tractor"], 1_021, "<h2>Hitch</h2>"),
        (TRUCK, &["truck_6x6", "--grade", "10"], 1_057, "<h2>Hitch</h2>"),
        (SMOOTH_ROAD, &["truck_6x6"], 450, "<h2>Suspension axle 3 left</h2>"),
        (MULTI_THREADING, &["kart", "--vehicles", "8", "--seconds", "0.25"], 15, "Gearbox kart"),
    ];
    for (program, options, steps, part) in cases {
        let vehicle = options.join(" ");
        let [csv, html, printed] = results(program, &[&["--vehicle"], options].concat())?;
        assert_eq!(csv.lines().count(), 1 + steps, "{vehicle}");
        assert!(!csv.contains("NaN") && !csv.contains("inf"), "{vehicle}");
        assert!(html.contains(part) && !html.contains("(no data)"), "{vehicle}: no {part}");
        assert!(printed.lines().count() > 8, "{vehicle}: {printed}");
    }
    let folder = tempfile::tempdir()?;
    let said = complaint(FOUR_WHEEL_DRIVE, folder.path(), &["--vehicle", "hothatch"])?;
    assert!(said.contains("--vehicle hothatch"), "{said}");
    assert!(said.contains("did you mean \"hot_hatch\"?"), "{said}");
    let faulty = folder.path().join("faulty.json");
    fs::write(&faulty, r#"{"version": 1, "mechanics": {"data_sheet": {"mas": 1}}}"#)?;
    let said = complaint(DRIVE, folder.path(), &["--vehicle", &faulty.display().to_string()])?;
    assert!(said.contains("did you mean `mass`?") && !said.contains("no preset"), "{said}");
    let of_train = ["--vehicle", "truck_6x6+tandem_trailer"];
    let three = "semi_tractor+semi_trailer+nope";
    let refused: [(&str, &[&str], &[&str]); 16] = [
        (DIRECT_DRIVE, &["--vehicle", "semi_trailer"], &["--vehicle semi_trailer", "no drive"]),
        (TRUCK, &["--vehicle", "semi_trailer+semi_tractor"], &["--vehicle", "no drive of its own"]),
        (SMOOTH_ROAD, &["--vehicle", "semi_trailer"], &["--vehicle", "no drive of its own"]),
        (MULTI_THREADING, &["--vehicle", "semi_trailer"], &["--vehicle", "no drive of its own"]),
        (DRIVE, &["--vehicle", three], &["--vehicle", "at most one trailer", "`nope`"]),
        (TRUCK, &["--vehicle", three], &["--vehicle", "at most one trailer", "`nope`"]),
        (CUSTOM_BLOCK, &["--ratio", "-1"], &["--ratio", "-1 is not in 0.5..=1"]),
        (CUSTOM_BLOCK, &["--ratio", "100"], &["--ratio", "100 is not in 0.5..=1"]),
        (SMOOTH_ROAD, &of_train, &["--vehicle", "must be a single vehicle", "tandem_trailer"]),
        (MULTI_THREADING, &of_train, &["--vehicle", "must be a single vehicle"]),
        (TANK_DRIVE, &["--vehicle", "gt"], &["--vehicle gt", "no tracks to steer by", "`drive`"]),
        (TANK_DRIVE, &["--vehicle", "tank", "--parity"], &["--vehicle", "--parity"]),
        (TRUCK, &["--vehicle", "gt", "--substeps", "2"], &["--vehicle", "--substeps"]),
        (DRIVE, &["--vehicle", "motorcycle"], &["--vehicle motorcycle", "leans too slowly"]),
        (DRIVE, &["--vehicle", "semi_trailer"], &["--vehicle semi_trailer", "no drive of its own"]),
        (DRIVE, &["--rate", "10"], &["--rate", "10 is not in 20..=1000"]),
    ];
    for (program, options, parts) in refused {
        let said = complaint(program, folder.path(), options)?;
        for part in parts {
            assert!(said.contains(part), "{options:?}: {part} is missing in {said}");
        }
    }
    let listed = run(DIRECT_DRIVE, folder.path(), &["--list"])?;
    let listed = String::from_utf8(listed.stdout)?;
    assert!(listed.contains("kart           Gearbox kart. Figures near those"), "{listed}");
    assert!(listed.contains("motorcycle ") && listed.contains("semi_trailer "), "{listed}");
    let listed = String::from_utf8(run(DRIVE, folder.path(), &["--list"])?.stdout)?;
    assert!(listed.contains("kart "), "{listed}");
    assert!(!listed.contains("motorcycle ") && !listed.contains("semi_trailer "), "{listed}");
    Ok(())
}

#[test]
fn what_is_odd_about_the_vehicle_of_a_file_is_told_before_it_is_measured() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (text, path) = (Preset::of_name("hot_hatch")?.text, folder.path().join("rear_brakes.json"));
    let mut file: serde_json::Value = serde_json::from_str(text)?;
    file["mechanics"]["data_sheet"]["brake_torques"] = serde_json::json!([1100.0, 1900.0]);
    fs::write(&path, file.to_string())?;
    let name = path.display().to_string();
    let mut measured = Command::new(DATA_SHEET);
    let output = measured.args(["--dry", &name, "--class", "hot_hatch"]).output()?;
    let (said, printed) = (String::from_utf8(output.stderr)?, String::from_utf8(output.stdout)?);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("front share of the foot brake") && said.contains("(BrakesRear)"),
        "{said}"
    );
    assert!(printed.contains("what ends the circle: the front wheels slide first"), "{printed}");
    let short = ["--vehicle", &name, "--vehicles", "1", "--seconds", "0.1", "--out"];
    let output =
        Command::new(MULTI_THREADING).args(short).arg(folder.path().join("fleet")).output()?;
    let said = String::from_utf8(output.stderr)?;
    assert!(output.status.success() && said.contains("(BrakesRear)"), "{said}");
    for (options, part) in [
        (&[name.as_str()][..], "--class says which preset it is to be compared with"),
        (
            &[&name, "--class", "hothatch"],
            "--class hothatch: no such preset, did you mean hot_hatch?",
        ),
        (&["hothatch"], "did you mean \"hot_hatch\"?"),
        (&["--class", "gt"], "<FILE|PRESET>"),
        (&["semi_trailer"], "semi_trailer: a trailer has no data sheet"),
        (&["kart", "--class", "gt"], "--class gt: must be left out for a preset"),
        (&["kart", "kart"], "kart: its page would replace that of another kart"),
        (&["--rate", "0"], "0 is not in 20..=1000"),
    ] {
        let said = complaint(DATA_SHEET, folder.path(), options)?;
        assert!(said.contains(part), "{options:?}: {said}");
    }
    Ok(())
}

#[test]
fn rides_at_several_rates_are_beside_the_fine_solution() -> Result<()> {
    let [csv, html, printed] = results(RIDE, &[])?;
    assert_eq!(csv.lines().count(), 1 + 180);
    assert!(!csv.contains("NaN") && !csv.contains("inf"));
    assert!(html.contains("<h2>Over the washboard</h2>") && html.contains("<h2>Shaker rig</h2>"));
    assert!(!html.contains("(no data)"));
    for part in ["60 Hz", "240 Hz", "fine", "body, exact quarter car", "wheel, all shaken"] {
        assert!(html.contains(&format!("</svg>{part}</li>")), "legend: {part}");
    }
    for part in ["Peak of the vertical acceleration (g)", "120 Hz", "kerb", "hop of a wheel"] {
        assert!(printed.contains(part) && html.contains(part), "{part}: {printed}");
    }
    Ok(())
}

#[test]
fn rides_on_triangles_and_on_the_smooth_road_are_side_by_side() -> Result<()> {
    for options in [&[][..], &["--sweep"]] {
        let [csv, html, printed] = results(SMOOTH_ROAD, options)?;
        assert_eq!(csv.lines().count(), 1 + 450, "{options:?}");
        assert!(!csv.contains("NaN") && !csv.contains("inf"), "{options:?}");
        assert!(html.contains("<h2>Vertical acceleration</h2>"), "{options:?}");
        assert!(!html.contains("(no data)"), "{options:?}");
        let figure = "turn of the normal in a step (rad)";
        assert!(printed.contains(figure) && html.contains(figure), "{options:?}: {printed}");
        for ride in ["triangles", "smooth"] {
            assert!(html.contains(&format!("</svg>{ride}</li>")), "{options:?}: legend");
            assert!(printed.contains(ride), "{options:?}: {printed}");
        }
    }
    Ok(())
}

#[test]
fn lanes_off_the_road_are_driven_with_both_kinds_of_wheels() -> Result<()> {
    let [csv, html, printed] = results(OFF_ROAD, &[])?;
    assert_eq!(csv.lines().count(), 1 + snippets::off_road::step_count() / 2);
    assert!(!csv.contains("NaN") && !csv.contains("inf"));
    for part in ["<h2>Lanes</h2>", "<h2>Ground below all wheels</h2>", "Washboard"] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("(no data)"));
    for wheels in ["wheels yield", "wheels follow"] {
        assert!(html.contains(&format!("</svg>{wheels}</li>")), "legend: {wheels}");
        assert!(printed.contains(&format!("Kerbs, {wheels}")), "{printed}");
    }
    let folder = tempfile::tempdir()?;
    let refused: [(&str, &str); 4] = [
        ("hot_hatch+nonsense", "must be a single vehicle"),
        ("motorcycle", "its rider falls at kerbs"),
        ("semi_trailer", "no drive of its own"),
        ("pickup", "did you mean \"pick_up\"?"),
    ];
    for (vehicle, part) in refused {
        let said = complaint(OFF_ROAD, folder.path(), &["--vehicle", vehicle])?;
        assert!(said.contains(&format!("--vehicle {vehicle}")), "{said}");
        assert!(said.contains(part), "{vehicle}: {said}");
    }
    Ok(())
}

#[test]
fn three_models_of_a_car_are_side_by_side() -> Result<()> {
    let [csv, html, printed] = results(THREE_MODELS, &[])?;
    assert_eq!(csv.lines().count(), 1 + snippets::three_models::trial::step_count() / 4);
    assert!(!csv.contains("NaN") && !csv.contains("inf"));
    for title in ["Trials", "Costs", "What the library does otherwise", "Vertical acceleration"] {
        assert!(html.contains(&format!("<h2>{title}</h2>")), "{title}");
    }
    assert!(!html.contains("(no data)"));
    for model in ["constraints", "forces", "rigid wheels", "changing"] {
        assert!(html.contains(&format!("</svg>{model}</li>")), "legend: {model}");
        let figure = format!("on a hill: moved in 10 s (mm), {model}");
        assert!(printed.contains(&figure), "{printed}");
    }
    let folder = tempfile::tempdir()?;
    let said = complaint(THREE_MODELS, folder.path(), &["--vehicle", "gt"])?;
    assert!(said.contains("unexpected argument '--vehicle'"), "{said}");
    Ok(())
}

#[test]
fn fleets_are_measured_with_each_number_of_threads_and_end_alike() -> Result<()> {
    let small = ["--vehicles", "16", "--seconds", "0.25", "--threads"];
    let finals = ["1,3", "3", "2,1,2"].map(|threads| -> Result<String> {
        let options: Vec<&str> = small.iter().copied().chain([threads]).collect();
        let [csv, html, printed] = results(MULTI_THREADING, &options)?;
        // 0.25 s are not exceeded before the 15th step.
        assert_eq!(csv.lines().count(), 1 + 15, "{threads}");
        let header = csv.lines().next().unwrap_or_default();
        assert!(!csv.contains("NaN") && !csv.contains("inf"), "{threads}: {csv}");
        for count in threads.split(',').map(str::parse::<u32>) {
            let count = count?;
            let name = if count == 1 { "1 thread".into() } else { format!("{count} threads") };
            for part in ["begin", "update", "end", "world"] {
                let channel = format!("\"{part}, {name} (ms)\"");
                assert_eq!(header.matches(&channel).count(), 1, "{threads}: {channel}: {header}");
                assert!(printed.contains(part) && printed.contains(&name), "{threads}: {printed}");
            }
        }
        for title in ["Scaling of the update", "Parts of a step", "Update over the drive"] {
            assert!(html.contains(&format!("<h2>{title}</h2>")), "{threads}: {title}");
        }
        assert!(!html.contains("(no data)"), "{threads}");
        let state = printed.lines().find(|line| line.contains("final state"));
        Ok(state.unwrap_or_default().replace(' ', ""))
    });
    let [first, second, third] = finals;
    let first = first?;
    assert!(first.contains("finalstate"), "{first}");
    assert_eq!([&second?, &third?], [&first, &first]);
    Ok(())
}

#[test]
fn engine_is_recorded_in_si_units_and_shown_per_minute() -> Result<()> {
    let [csv, html, printed] = results(FOUR_WHEEL_DRIVE, &[])?;
    let header = csv.lines().next().unwrap_or_default();
    for channel in ["engine speed (rad/s)", "engine throttle", "gear", "clutch slip (rad/s)"] {
        assert!(header.split(',').any(|name| name == channel), "{channel} in {header}");
    }
    assert!(html.contains("engine speed (1/min)"), "axis of the engine's speed");
    assert!(html.contains("<th scope=\"row\">gear changes</th><td>2</td>"), "summary");
    assert!(printed.contains("highest engine speed"), "{printed}");
    Ok(())
}

#[test]
fn tank_has_brakes_thrusts_and_track_speeds_and_a_car_has_none() -> Result<()> {
    let channels = ["second brake", "thrust left", "track brake left", "track speed right (m/s)"];
    let [tank, car] = [TANK_DRIVE, FOUR_WHEEL_DRIVE].map(|program| results(program, &[]));
    let ([tank, ..], [car, ..]) = (tank?, car?);
    for channel in channels {
        assert!(tank.contains(channel) && !car.contains(channel), "{channel}");
    }
    assert!(!tank.contains("hand brake") && car.contains("hand brake"));
    Ok(())
}

#[test]
fn drivelines_are_listed_with_a_line_for_each() -> Result<()> {
    let output = Command::new(DRIVELINES).arg("--list").output()?;
    let list = String::from_utf8(output.stdout)?;
    let names: Vec<&str> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    let ready_made: Vec<&str> = ready_made::ALL.iter().map(|(name, _)| *name).collect();
    assert!(output.status.success());
    assert_eq!(names, ready_made, "{list}");
    Ok(())
}

#[test]
fn bad_options_are_refused_by_name() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let cases: [(&str, &[&str], &[&str]); 24] = [
        (FOUR_WHEEL_DRIVE, &["--differential", "viscous"], &["viscous", "multi-wheel", "tank"]),
        (
            FOUR_WHEEL_DRIVE,
            &["--differential", "multi-wheel", "--limited-slip"],
            &["error: --limited-slip needs --differential four-wheel"],
        ),
        (FOUR_WHEEL_DRIVE, &["--parity", "--limited-slip"], &["--parity", "--limited-slip"]),
        (FOUR_WHEEL_DRIVE, &["--substeps", "0"], &["--substeps", "0 is not in 1..=64"]),
        (TANK_DRIVE, &["--substeps", "0"], &["--substeps", "0 is not in 1..=64"]),
        (CUSTOM_SUSPENSION, &["--substeps", "0"], &["--substeps", "0 is not in 1..=64"]),
        (TRUCK, &["--substeps", "0"], &["--substeps", "0 is not in 1..=64"]),
        (TRUCK, &["--grade", "30.5"], &["--grade", "30.5 is not in 0..=30"]),
        (TRUCK, &["--grade", "-1"], &["--grade", "-1 is not in 0..=30"]),
        (TRUCK, &["--grade", "NaN"], &["--grade", "NaN is not in 0..=30"]),
        (TRUCK, &["--grade", "steep"], &["--grade", "`steep` is not a number"]),
        (MULTI_THREADING, &["--vehicles", "0"], &["--vehicles", "0 is not in 1..=100000"]),
        (MULTI_THREADING, &["--vehicles", "many"], &["--vehicles", "many", "invalid digit"]),
        (MULTI_THREADING, &["--threads", "1,0"], &["--threads", "0 is not in 1..=256"]),
        (MULTI_THREADING, &["--threads", "all"], &["--threads", "all", "invalid digit"]),
        (MULTI_THREADING, &["--seconds", "0"], &["--seconds", "0 is not above 0 and up to 60"]),
        (MULTI_THREADING, &["--seconds", "NaN"], &["--seconds", "NaN is not above 0 and up to 60"]),
        (MULTI_THREADING, &["--substeps", "0"], &["--substeps", "0 is not in 1..=64"]),
        (CUSTOM_BLOCK, &["--ratio", "0"], &["--ratio", "0 is not in 0.5..=1"]),
        (DRIVELINES, &["--driveline", "trck-8x8"], &["--driveline", "similar", "'truck-8x8'"]),
        (DRIVELINES, &["--list", "--driveline", "rear"], &["--list", "--driveline"]),
        (DIRECT_DRIVE, &["--substeps", "65"], &["--substeps", "65 is not in 1..=64"]),
        (DIRECT_DRIVE, &["--substeps", "-1"], &["--substeps", "-1 is not in 1..=64"]),
        (MULTI_THREADING, &["--vehicles", "-3"], &["--vehicles", "-3 is not in 1..=100000"]),
    ];
    for (program, options, parts) in cases {
        let message = complaint(program, folder.path(), options)?;
        for part in parts {
            assert!(message.contains(part), "{options:?}: {part} is missing in {message}");
        }
    }
    Ok(())
}

#[test]
fn folder_that_cannot_be_written_is_named_before_the_drive() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("results");
    fs::write(&file, "text")?;
    for program in [
        DRIVE,
        DIRECT_DRIVE,
        FOUR_WHEEL_DRIVE,
        TANK_DRIVE,
        CUSTOM_SUSPENSION,
        TRUCK,
        DRIVELINES,
        SMOOTH_ROAD,
        OFF_ROAD,
        THREE_MODELS,
        MULTI_THREADING,
    ] {
        let message = complaint(program, &file.join("run"), &[])?;
        let expected = format!("`{}` is a file, not a folder", file.display());
        assert!(message.contains(&expected), "{message}");
    }
    Ok(())
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("out").display().to_string();
    let cases: [(&str, &[&str]); 3] = [
        (DRIVE, &["--list"]),
        (DRIVELINES, &["--list"]),
        (CUSTOM_SUSPENSION, &["--quiet", "--out", &out]),
    ];
    for (program, options) in cases {
        let (reader, writer) = std::io::pipe()?;
        drop(reader);
        let mut command = Command::new(program);
        let output = command.args(options).stdout(writer).stderr(Stdio::piped()).output()?;
        let said = String::from_utf8(output.stderr)?;
        assert!(output.status.success() && said.is_empty(), "{program} {options:?}: {said}");
    }
    assert!(folder.path().join("out/report.html").exists(), "results are written all the same");
    Ok(())
}
