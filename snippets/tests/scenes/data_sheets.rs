//! Presets are measured as road testers do, and are what their classes are.

use std::f32::consts::TAU;
use std::fs;
use std::path::Path;

use anyhow::Result;
use snippets::course::Course;
use snippets::measurements::class_figures::{CLASS_FIGURES, ClassFigures, Usual, class_figures};
use snippets::measurements::data_sheet::DataSheet;
use snippets::measurements::{
    Launch, Setting, best_stop, coast_down, launch, natural_frequencies, skid_pad, turning_circle,
};
use snippets::presets::{driven, vehicle};
use vehicle_rapier::core::context::GRAVITY;

/// m/s per km/h.
const KMH: f32 = 1.0 / 3.6;

fn assert_usual(preset: &str, what: &str, value: f32, [low, high]: Usual) {
    assert!((low..=high).contains(&value), "{preset}: {what} {value}, usual are {low} to {high}");
}

#[test]
fn every_preset_that_drives_has_a_class() {
    for name in driven() {
        assert!(class_figures(name).is_some(), "{name}");
    }
    assert_eq!(CLASS_FIGURES.len(), driven().len());
    assert!(CLASS_FIGURES.iter().all(|class| 60 < class.source.len()));
}

#[test]
fn presets_pull_away_as_their_classes_do() -> Result<()> {
    for class in &CLASS_FIGURES {
        let ClassFigures { preset, launch_speed, launch_time, .. } = *class;
        let mut best: Option<Launch> = None;
        for pedal in [1.0, 0.9, 0.8] {
            let run = launch(preset, &Setting::default(), KMH * launch_speed, pedal)?;
            let is_better = |run: &Launch| best.as_ref().is_none_or(|best| run.time < best.time);
            if let Some(run) = run.filter(is_better) {
                best = Some(run);
            }
        }
        let best = best.unwrap_or_else(|| panic!("{preset} does not reach {launch_speed} km/h"));
        assert_usual(preset, "time to speed (s)", best.time, launch_time);
        assert_eq!(best.shifts_down(), 0, "{preset}, pedal {}: {:?}", best.pedal, best.shifts());
    }
    Ok(())
}

#[test]
fn presets_stop_as_their_classes_do_and_straight_on() -> Result<()> {
    for class in &CLASS_FIGURES {
        let ClassFigures { preset, stop_speed, stop_distance, .. } = *class;
        let stop = best_stop(preset, &Setting::default(), KMH * stop_speed)?;
        assert_usual(preset, "distance to a stop (m)", stop.distance, stop_distance);
        assert!(stop.turned < 0.02, "{preset} turns by {} rad", stop.turned);
    }
    Ok(())
}

#[test]
fn presets_roll_out_as_their_classes_do() -> Result<()> {
    for class in &CLASS_FIGURES {
        let Some(usual) = class.coast_down else { continue };
        let time = coast_down(class.preset, &Setting::default(), [30.0, 10.0].map(|it| KMH * it))?;
        let time = time.unwrap_or_else(|| panic!("{} goes on rolling", class.preset));
        assert_usual(class.preset, "time from 30 to 10 km/h in neutral (s)", time, usual);
    }
    Ok(())
}

/// The motor of an electric car turns with its wheels, and takes a tenth of the speed at which it
/// is let go.
#[test]
fn stops_are_as_long_at_any_rate() -> Result<()> {
    for preset in ["electric_car", "hot_hatch"] {
        let stop = |rate: f32| {
            let setting = Setting { dt: 1.0 / rate, ..Setting::default() };
            best_stop(preset, &setting, KMH * 100.0).map(|stop| stop.distance)
        };
        let (usual, fine) = (stop(60.0)?, stop(240.0)?);
        assert!((usual / fine - 1.0).abs() < 0.015, "{preset}: {usual} m, {fine} m at 240 Hz");
    }
    Ok(())
}

#[test]
fn presets_turn_as_tightly_as_their_classes_do() -> Result<()> {
    for class in &CLASS_FIGURES {
        let diameter = turning_circle(class.preset, &Setting::default())?;
        assert_eq!(diameter.is_some(), class.circle_radius.is_some(), "{}", class.preset);
        if let Some(diameter) = diameter {
            assert_usual(class.preset, "turning circle (m)", diameter, class.turning_circle);
        }
    }
    Ok(())
}

#[test]
fn hot_hatch_corners_as_its_class_does_at_any_rate() -> Result<()> {
    let class = class_figures("hot_hatch").expect("its class");
    let radius = class.circle_radius.expect("it steers");
    for rate in [60.0, 120.0] {
        let setting = Setting { dt: 1.0 / rate, ..Setting::default() };
        let pad = skid_pad("hot_hatch", &setting, radius)?;
        assert_usual("hot_hatch", "lateral acceleration (g)", pad.lateral, class.lateral);
        assert_usual("hot_hatch", "understeer (°/g)", pad.understeer, class.understeer);
        assert!(0.0 < pad.roll && pad.roll < 6.0, "{} °/g", pad.roll);
    }
    Ok(())
}

#[test]
fn frequencies_are_those_of_the_data_sheet() -> Result<()> {
    // Both axles at 1.7 Hz: so is bounce, and pitch is faster by the inertia of a box.
    let on_wheels = vehicle("hot_hatch")?.mechanics().clone();
    let frequencies = natural_frequencies(&on_wheels.clone().with_massless_wheels(GRAVITY));
    let [low, high] = frequencies.bounce_and_pitch;
    assert!((low - 1.7).abs() < 0.03, "{low} Hz");
    assert!(low <= high && high < 2.5, "{high} Hz");
    // On tires that give way by 0.055 of their radius under 1,400 kg, of which the wheels are 160
    // kg.
    let sinking = 0.055 * on_wheels.wheels[0].radius;
    let ratio = (TAU * 1.7_f32).powi(2) * sinking / GRAVITY * (1_240.0 / 1_400.0);
    let expected = 1.7 / (1.0 + ratio).sqrt();
    let frequencies = natural_frequencies(&on_wheels);
    let [low, high] = frequencies.bounce_and_pitch;
    assert!((low - expected).abs() < 0.03, "{low} Hz, not {expected} Hz");
    assert!(low <= high && high < 2.5, "{high} Hz");
    assert!(low < frequencies.roll, "{} Hz", frequencies.roll);
    Ok(())
}

#[test]
fn every_preset_has_a_data_sheet_with_its_pictures() -> Result<()> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/vehicles"));
    let index = fs::read_to_string(folder.join("README.md"))?;
    for name in driven() {
        assert!(index.contains(&format!("({name}.md)")), "{name} is not in the index");
        let page = fs::read_to_string(folder.join(format!("{name}.md")))?;
        let file = vehicle(name)?;
        assert!(page.contains(&file.file().source), "the page of {name} is of an older file");
        if page.contains("--bin drive ") {
            Course::new(name, 1.0 / 60.0)?;
        }
        let pictures: Vec<_> =
            page.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        for picture in pictures.iter().filter(|link| link.ends_with(".svg")) {
            let text = fs::read_to_string(folder.join(picture))?;
            assert!(text.starts_with("<svg") && text.contains("</svg>"), "{picture}");
        }
        assert!(pictures.iter().filter(|link| link.ends_with(".svg")).count() >= 3, "{name}");
    }
    Ok(())
}

#[test]
fn pages_of_files_are_in_the_folder_and_link_to_no_preset() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (cars, pages) = (folder.path().join("cars"), folder.path().join("pages"));
    fs::create_dir(&cars)?;
    fs::create_dir(&pages)?;
    let path = cars.join("mine.json");
    let preset = vehicle_rapier::vehicle_file::Preset::of_name("kart")?;
    fs::write(&path, preset.text)?;
    let name = path.to_string_lossy().into_owned();
    let setting = Setting { dt: 1.0 / 120.0, ..Setting::default() };
    let vehicle = vehicle(&name)?;
    let sheet = DataSheet {
        class: class_figures("kart").expect("its class"),
        launch: launch(&name, &setting, 5.0, 1.0)?.expect("it pulls away"),
        full_power: None,
        stop: best_stop(&name, &setting, 5.0)?,
        top_speed: 40.0,
        coast_down: None,
        skid_pad: None,
        turning_circle: None,
        frequencies: natural_frequencies(vehicle.mechanics()),
        vehicle,
        name: name.clone(),
    };
    sheet.write(&pages, &setting)?;
    assert_eq!(fs::read_dir(&cars)?.count(), 1, "beside the file");
    let page = fs::read_to_string(pages.join("mine.md"))?;
    for part in [
        &format!("--vehicle {name}\n"),
        &format!("File: `{name}`"),
        "at 120 steps per second",
        "](mine-side.svg)",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("vehicle-rapier/vehicles"), "{page}");
    assert!(pages.join("mine-side.svg").exists() && pages.join("mine-stop.svg").exists());
    Ok(())
}

#[test]
fn cars_on_tires_of_the_programs_drive_the_course_at_any_rate() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("mine.json");
    let text = vehicle_rapier::vehicle_file::Preset::of_name("hot_hatch")?.text;
    let mut file: serde_json::Value = serde_json::from_str(text)?;
    file["tires"] = serde_json::json!([
        { "own": { "name": "limited_linear", "params": { "full_slip_angle": 0.17 } } }
    ]);
    fs::write(&path, file.to_string())?;
    for rate in [30.0, 60.0] {
        Course::new(&path.to_string_lossy(), 1.0 / rate)?;
    }
    Ok(())
}
