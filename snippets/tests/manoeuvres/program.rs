//! The program from the command line: complete results, and clear answers to what is wrong.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::Result;
use snippets::manoeuvres::ready::READY;
use vehicle_rapier::vehicle_file::Preset;

fn run(folder: &Path, options: &[&str]) -> Result<Output> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manoeuvre"));
    Ok(command.current_dir(folder).args(options).output()?)
}

/// What it prints, if it succeeds.
fn printed(folder: &Path, options: &[&str]) -> Result<String> {
    let output = run(folder, options)?;
    let said = String::from_utf8(output.stderr)?;
    assert!(output.status.success(), "{options:?}: {said}");
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn all_manoeuvres_are_driven_and_reported_by_default() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let printed = printed(folder.path(), &["--quiet", "--out", "out"])?;
    let read = |name: &str| fs::read_to_string(folder.path().join("out").join(name));
    let [csv, html, figures] = [read("telemetry.csv")?, read("report.html")?, read("figures.csv")?];
    assert!(csv.starts_with("time (s),run,phase,ahead (m),aside (m)"), "{}", &csv[..80]);
    for text in [&csv, &figures] {
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }
    for title in ["Sine with dwell at 80 km/h", "Steady circle of constant radius"] {
        assert!(html.contains(&format!("<h2>{title}</h2>")), "{title}");
        assert!(printed.contains(title), "{printed}");
    }
    assert!(html.contains("After ISO 3888-1") && !html.contains("(no data)"));
    assert!(printed.contains("not for hot_hatch: it pulls no trailer"), "{printed}");
    Ok(())
}

#[test]
fn vehicles_and_rates_are_compared_in_one_report() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let options =
        ["--vehicle", "city_car", "kart", "--manoeuvre", "step_steer", "--rate", "60,120"];
    let printed = printed(folder.path(), &[&options[..], &["--csv", "--quiet"]].concat())?;
    let out = folder.path().join("out/manoeuvre");
    let html = fs::read_to_string(out.join("report.html"))?;
    for label in ["city_car, 60 Hz", "city_car, 120 Hz", "kart, 60 Hz", "kart, 120 Hz"] {
        assert!(html.contains(&format!("</svg>{label}</li>")), "legend: {label}");
        assert!(printed.contains(label), "{printed}");
    }
    let csv = fs::read_to_string(out.join("step_steer-kart-60_Hz.csv"))?;
    assert!(csv.starts_with("time (s),steer angle (rad),lateral acceleration (m/s²)"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 1 + 240);
    Ok(())
}

#[test]
fn files_of_one_name_are_told_apart_by_their_folders() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let car = concat!(env!("CARGO_MANIFEST_DIR"), "/../vehicle-rapier/vehicles/city_car.json");
    for name in ["light", "heavy"] {
        fs::create_dir(folder.path().join(name))?;
        fs::copy(car, folder.path().join(name).join("car.json"))?;
    }
    let options = ["--vehicle", "light/car.json", "heavy/car.json", "--manoeuvre", "braking"];
    let printed = printed(folder.path(), &[&options[..], &["--csv", "--quiet"]].concat())?;
    for name in ["light", "heavy"] {
        assert!(printed.contains(&format!("{name}/car.json")), "{printed}");
        let csv = format!("out/manoeuvre/braking-{name}_car.json.csv");
        assert!(folder.path().join(&csv).exists(), "{csv}");
    }
    Ok(())
}

#[test]
fn a_vehicle_that_does_not_stop_has_no_stopping_distance_and_a_reason() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut file: serde_json::Value = serde_json::from_str(Preset::of_name("hot_hatch")?.text)?;
    file["mechanics"]["data_sheet"]["brake_torques"] = serde_json::json!([10.0, 5.0]);
    fs::write(folder.path().join("weak.json"), file.to_string())?;
    let options = ["--vehicle", "weak.json", "--manoeuvre", "braking", "--quiet"];
    let printed = printed(folder.path(), &options)?;
    assert!(printed.contains("weak: it still goes "), "{printed}");
    assert!(printed.contains("m/s at the end of phase \"brake\""), "{printed}");
    Ok(())
}

#[test]
fn one_run_moves_in_its_report() -> Result<()> {
    let folder = tempfile::tempdir()?;
    printed(folder.path(), &["--manoeuvre", "double_lane_change", "--quiet"])?;
    let html = fs::read_to_string(folder.path().join("out/manoeuvre/report.html"))?;
    assert!(html.contains("id=\"moving\"") && html.contains("path from above"));
    Ok(())
}

#[test]
fn ready_manoeuvres_are_listed_and_shown_as_files_of_ones_own() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let list = printed(folder.path(), &["--list"])?;
    for ready in &READY {
        assert!(list.contains(&format!("\n{:22} ", ready.name)), "{} in {list}", ready.name);
    }
    let shown = printed(folder.path(), &["--show", "hill_start"])?;
    fs::write(folder.path().join("mine.json"), shown)?;
    let said = printed(folder.path(), &["--manoeuvre", "mine.json", "--quiet"])?;
    assert!(said.contains("Hill hold and start on 15 %"), "{said}");
    Ok(())
}

#[test]
fn wrong_arguments_and_files_are_told_before_anything_is_driven() -> Result<()> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("bad.json"), "{ \"version\": 1, \"titles\": \"x\" }")?;
    let channel = READY.iter().find(|ready| ready.name == "braking").map(|ready| ready.text);
    let channel = channel.unwrap_or_default().replace("\"way\", \"turned\"", "\"way\", \"clutch\"");
    fs::write(folder.path().join("channel.json"), channel)?;
    fs::write(folder.path().join("file"), "text")?;
    fs::create_dir(folder.path().join("mine"))?;
    fs::write(folder.path().join("mine/figures.csv"), "mine")?;
    let cases: [(&[&str], &[&str]); 14] = [
        (&["--rate", "60,120,60"], &["--rate 60: twice"]),
        (&["--manoeuvre", "brakin"], &["--manoeuvre brakin", "did you mean `braking`?"]),
        (&["--manoeuvre", "bad.json"], &["bad.json", "titles", "did you mean `title`?"]),
        (&["--manoeuvre", "braking", "braking"], &["--manoeuvre braking: twice"]),
        (&["--manoeuvre", "channel.json"], &["channels[5]: unknown channel `clutch`"]),
        (&["--vehicle", "hothatch"], &["--vehicle hothatch", "did you mean \"hot_hatch\"?"]),
        (&["--vehicle", "semi_trailer"], &["no drive of its own", "semi_tractor+semi_trailer"]),
        (&["--rate", "10"], &["--rate", "10 is not in 20..=1000"]),
        (&["--substeps", "0"], &["--substeps", "0 is not in 1..=64"]),
        (&["--show", "breaking"], &["--show breaking", "braking"]),
        (&["--out", "file/run"], &["is a file, not a folder"]),
        (&["--table", "."], &["--table .: must be a file, got a folder"]),
        (&["--table", "none/page.md"], &["--table none/page.md", "cannot write into the folder"]),
        (&["--out", "mine"], &["figures.csv` is no result of an earlier run"]),
    ];
    for (options, parts) in cases {
        let output = run(folder.path(), options)?;
        let said = String::from_utf8(output.stderr)?;
        assert!(!output.status.success(), "{options:?}");
        for part in parts {
            assert!(said.contains(part), "{options:?}: {part} is missing in {said}");
        }
    }
    Ok(())
}

#[test]
fn files_of_channels_from_elsewhere_are_not_replaced() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("coast_down-kart.csv");
    fs::write(&file, "mine")?;
    let options = ["--vehicle", "kart", "--manoeuvre", "coast_down", "--quiet", "--out", "."];
    let output = run(folder.path(), &[&options[..], &["--csv"]].concat())?;
    let said = String::from_utf8(output.stderr)?;
    assert!(!output.status.success() && said.contains("coast_down-kart.csv"), "{said}");
    assert_eq!(fs::read_to_string(&file)?, "mine");
    printed(folder.path(), &options)?;
    assert_eq!(fs::read_to_string(&file)?, "mine");
    Ok(())
}

#[test]
fn pages_say_what_was_done_and_judge_presets_alone() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let car = concat!(env!("CARGO_MANIFEST_DIR"), "/../vehicle-rapier/vehicles/hot_hatch.json");
    fs::create_dir(folder.path().join("x"))?;
    fs::copy(car, folder.path().join("x/hot_hatch.json"))?;
    let page = |options: &[&str]| -> Result<String> {
        let more = ["--manoeuvre", "braking", "--table", "page.md", "--quiet"];
        printed(folder.path(), &[options, &more].concat())?;
        Ok(fs::read_to_string(folder.path().join("page.md"))?)
    };
    let own = page(&["--vehicle", "x/hot_hatch.json"])?;
    let command =
        "--bin manoeuvre -- --vehicle x/hot_hatch.json --manoeuvre braking --table page.md\n";
    assert!(own.contains(command), "{own}");
    assert!(
        own.contains("`x/hot_hatch.json` drives `braking` if that is for it, at 60 steps"),
        "{own}"
    );
    assert!(!own.contains('–'), "{own}");
    let rates = page(&["--vehicle", "hot_hatch", "--rate", "60,240", "--substeps", "2"])?;
    assert!(rates.contains("at 60 and at 240 steps per second and 2 substeps each."), "{rates}");
    assert!(rates.contains(" --rate 60,240 --substeps 2 "), "{rates}");
    assert_eq!(rates.matches('–').count(), 2, "{rates}");
    Ok(())
}
