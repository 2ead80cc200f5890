//! Faults of scenario files: each is told with its path, what is required and the value.

use std::fs;

use anyhow::Result;
use serde_json::{Value, json};
use snippets::manoeuvres::Manoeuvre;
use snippets::measurements::Setting;

/// A scenario without a fault that reads a table.
fn scenario() -> Value {
    json!({
        "version": 1,
        "title": "Steering by a table",
        "ground": { "friction": 0.76 },
        "start": { "speed": 6.7056, "gear": "neutral" },
        "phases": [{
            "name": "drive",
            "steer": { "steering_wheel_angle": { "ratio": 15.9, "angle": { "table": {
                "file": "inputs.csv", "time": "t_s", "column": "handwheel_deg", "scale": -0.0174533
            } } } },
            "until": { "time": 3.0 }
        }],
        "channels": ["speed", "yaw rate"],
        "output": { "times": [0.0, 0.5, 1.0] },
        "figures": [{ "name": "turned", "unit": "°", "value": {
            "at": { "channel": "turned", "when": { "end": "drive" } } } }]
    })
}

const TABLE: &str = "t_s,handwheel_deg\n0,0\n1,90\n";

/// What is said of the scenario with what `path` points at replaced by `value`, and of this table.
fn said(path: &str, value: Value, table: Option<&str>) -> Result<String> {
    let folder = tempfile::tempdir()?;
    if let Some(table) = table {
        fs::write(folder.path().join("inputs.csv"), table)?;
    }
    let mut scenario = scenario();
    if !path.is_empty() {
        match scenario.pointer_mut(path) {
            Some(field) => *field = value,
            None => {
                let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
                scenario.pointer_mut(parent).expect("a parent")[name] = value;
            }
        }
    }
    let file = folder.path().join("mine.json");
    fs::write(&file, serde_json::to_string_pretty(&scenario)?)?;
    let read = Manoeuvre::load(&file);
    let checked = read.and_then(|it| it.check_for("hot_hatch", &Setting::default()));
    Ok(checked.err().map(|error| format!("{error:#}")).unwrap_or_default())
}

#[test]
fn scenario_without_a_fault_is_accepted_and_gives_channels_at_its_times() -> Result<()> {
    assert_eq!(said("", Value::Null, Some(TABLE))?, "");
    Ok(())
}

#[test]
fn faults_are_told_with_path_bound_and_value() -> Result<()> {
    let cases: [(&str, Value, &[&str]); 37] = [
        ("/version", json!(2), &["version: must be 1", "got 2"]),
        ("/title", json!(" "), &["title: must be a text"]),
        ("/grond", json!({}), &["grond", "unknown field `grond`", "did you mean `ground`?"]),
        ("/ground/friction", json!(-1), &["ground.friction: must be within [0.01, 5], got -1"]),
        ("/ground/friction", json!("dry"), &["ground.friction", "invalid type", "line"]),
        ("/ground/slope", json!(10.0), &["ground.slope: must be within [-0.5, 0.5], got 10"]),
        ("/start/speed", json!(1e40), &["start.speed: must be within [0, 150], got 1"]),
        ("/start/gear", json!("neutrl"), &["start.gear", "did you mean `neutral`?"]),
        ("/phases", json!([]), &["phases: must be at least one phase, got none"]),
        ("/phases/0/until", json!({}), &["phases[0].until", "missing field `time`"]),
        ("/phases/0/until/time", json!(0), &["phases[0].until.time: must be within", "got 0"]),
        ("/phases/0/until/turned", json!(-3), &["phases[0].until.turned", "got -3"]),
        ("/phases/0/steer", json!({ "wheel_angel": 1 }), &["did you mean `wheel_angle`?"]),
        ("/phases/0/steer", json!({ "path": [] }), &["phases[0].steer.path: must be at least one"]),
        (
            "/phases/0/steer",
            json!({ "wheel_angle": { "points": [[0, 0], [1, 1], [1, 2]] } }),
            &["phases[0].steer.wheel_angle.points[2][0]: must be later than", "at 1 s, got 1"],
        ),
        (
            "/phases/0/steer",
            json!({ "wheel_angle": { "points": [] } }),
            &["phases[0].steer.wheel_angle.points: must be at least one point", "got none"],
        ),
        (
            "/phases/0/steer",
            json!({ "command": { "ramp": { "rate": 1.0, "limit": -1.0 } } }),
            &["phases[0].steer.command.ramp.limit: must be where a rate of 1 leads", "got -1"],
        ),
        (
            "/phases/0/steer",
            json!({ "lateral_acceleration": { "sine": { "amplitude": 1, "frequency": 0, "periods": 1 } } }),
            &["phases[0].steer.lateral_acceleration.sine.frequency: must be within", "got 0"],
        ),
        (
            "/phases/0/pedals",
            json!({ "lateral_acceleration": { "constant": 4 } }),
            &["phases[0].pedals.lateral_acceleration: must be together with the steering `circle`"],
        ),
        (
            "/phases",
            json!([
                { "name": "turn", "steer": { "circle": { "radius": 50 } }, "until": { "time": 1 } },
                { "name": "drive", "steer": "hold", "until": { "time": 1 },
                  "pedals": { "lateral_acceleration": { "constant": 2 } } }
            ]),
            &["phases[1].pedals.lateral_acceleration: must be together with the steering `circle`"],
        ),
        (
            "/phases/0/pedals",
            json!({ "open": { "brake": { "constant": 30 } } }),
            &["phases[0].pedals.open.brake.constant: must be within [0, 1], got 30"],
        ),
        (
            "/phases/0/pedals",
            json!({ "open": { "throttle": { "points": [[0, 0], [1, 1.5]] } } }),
            &["phases[0].pedals.open.throttle.points[1][1]: must be within [0, 1], got 1.5"],
        ),
        (
            "/phases/0/pedals",
            json!({ "open": { "throttle": { "sine": { "amplitude": 0.3, "frequency": 1, "periods": 2 } } } }),
            &[
                "sine.amplitude: must be within [0, 0], so that the input stays within [0, 1], got 0.3",
            ],
        ),
        (
            "/phases/0/pedals",
            json!({ "deceleration": { "constant": -4 } }),
            &["phases[0].pedals.deceleration.constant: must be within [0, 100], got -4"],
        ),
        (
            "/phases/0/pedals",
            json!({ "speed": { "step": { "to": 200 } } }),
            &["phases[0].pedals.speed.step.to: must be within [0, 150], got 200"],
        ),
        (
            "/phases/0/hand_brake",
            json!({ "constant": 100 }),
            &["phases[0].hand_brake.constant: must be within [0, 1], got 100"],
        ),
        (
            "/phases/0/steer",
            json!({ "command": { "ramp": { "rate": 1.0, "limit": 2.0 } } }),
            &["phases[0].steer.command.ramp.limit: must be within [-1, 1], got 2"],
        ),
        (
            "/phases/0/steer",
            json!({ "wheel_angle": { "sine": { "amplitude": 20, "frequency": 1, "periods": 2 } } }),
            &["wheel_angle.sine.amplitude: must be within [-1.6, 1.6], so", "got 20"],
        ),
        (
            "/phases/0/steer",
            json!({ "command": { "table": {
                "file": "inputs.csv", "time": "t_s", "column": "handwheel_deg"
            } } }),
            &[
                "phases[0].steer.command.table.column: `handwheel_deg` times `scale` plus `offset`",
                "must be within [-1, 1], got 90 at 1 s",
            ],
        ),
        (
            "/ground",
            json!({ "posts": { "motion": "heave", "height": { "constant": 0.01 } } }),
            &["ground.posts.height: must be 0 at the beginning", "got 0.01 m at 0 s"],
        ),
        (
            "/ground",
            json!({ "posts": { "motion": "heave", "height": { "points": [[0, 0], [1, 5]] } } }),
            &["ground.posts.height.points[1][1]: must be within [-0.5, 0.5], got 5"],
        ),
        ("/channels/0", json!("sped"), &["channels[0]: unknown channel `sped`", "`speed`?"]),
        (
            "/channels/1",
            json!("speed"),
            &["channels[1]: must be a name of its own, got `speed` again"],
        ),
        ("/output", json!({ "times": [1.0, 0.5] }), &["output.times[1]: must be later than 1 s"]),
        ("/figures/0/unit", json!("degrees"), &["figures[0].unit: unknown unit `degrees`"]),
        (
            "/figures/0/value/at/when",
            json!({ "end": "drvie" }),
            &["figures[0].value.at.when.end: unknown phase `drvie`, did you mean `drive`?"],
        ),
        (
            "/figures/0/value/at/channel",
            json!("turn"),
            &["figures[0].value: unknown channel `turn`"],
        ),
    ];
    for (path, value, parts) in cases {
        let said = said(path, value.clone(), Some(TABLE))?;
        for part in parts {
            assert!(said.contains(part), "{path} {value}: {part} is missing in {said}");
        }
    }
    Ok(())
}

#[test]
fn faults_of_tables_are_told_with_their_line() -> Result<()> {
    let table = "phases[0].steer.steering_wheel_angle.angle.table";
    let cases: [(Option<&str>, &str, &str); 7] = [
        (None, "file", "No such file"),
        (Some(""), "time", "unknown column `t_s`"),
        (Some("t_s,handwheel\n0,1\n"), "column", "did you mean `handwheel`?"),
        (Some("t_s,handwheel_deg\n"), "file", "at least one row below its header, got none"),
        (
            Some("t_s,handwheel_deg\n0,1\n1,2\n1,3\n"),
            "file",
            "line 4: `t_s` must be later than 1 s of the row before, got 1",
        ),
        (Some("t_s,handwheel_deg\n0,NaN\n"), "file", "line 2: `handwheel_deg` must be a number"),
        (Some("t_s,handwheel_deg\n0\n"), "file", "line: 2"),
    ];
    for (text, field, part) in cases {
        let said = said("", Value::Null, text)?;
        let path = format!("{table}.{field}: ");
        assert!(said.contains(&path) && said.contains(part), "{text:?}: {said}");
        assert!(said.contains("inputs.csv"), "{text:?}: {said}");
    }
    Ok(())
}

#[test]
fn text_that_is_no_json_is_told_with_its_line() {
    let text = "{\n \"version\": 1,\n \"title\": \"x\",\n \"start\": { \"speed\": NaN }\n}";
    let error = Manoeuvre::from_json(text, std::path::Path::new("")).expect_err("no JSON");
    let said = error.to_string();
    assert!(said.contains("start.speed") && said.contains("line 4"), "{said}");
}

#[test]
fn names_that_are_near_a_ready_manoeuvre_are_told() {
    let error = Manoeuvre::of_name("step_ster").expect_err("no such manoeuvre");
    assert!(format!("{error:#}").contains("did you mean `step_steer`?"), "{error:#}");
}
