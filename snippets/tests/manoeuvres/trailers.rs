//! Trailers: who pulls them, said by name or by the scenario.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use snippets::manoeuvres::ready::of_name;
use snippets::manoeuvres::{Manoeuvre, misfit};
use snippets::measurements::Setting;

use crate::common::driven;

/// The ready manoeuvre of this name, with `towing` in its file.
fn towing(name: &str, vehicle: &str, folder: &Path) -> Result<Manoeuvre> {
    let text = of_name(name).context("a ready manoeuvre")?.text;
    let text =
        text.replacen("\"version\"", &format!("\"towing\": \"{vehicle}\",\n  \"version\""), 1);
    Ok(Manoeuvre::from_json(&text, folder)?)
}

#[test]
fn a_trailer_alone_is_refused_with_the_vehicle_that_may_pull_it() -> Result<()> {
    for (trailer, tractor) in [("semi_trailer", "semi_tractor"), ("tandem_trailer", "truck_6x6")] {
        for name in ["trailer_sway", "coast_down"] {
            let manoeuvre = Manoeuvre::of_name(name)?;
            let error = misfit(&manoeuvre, trailer).expect_err("nothing pulls it");
            let error = format!("{error:#}");
            let (by_name, by_scenario) =
                (format!("`{tractor}+{trailer}`"), format!("`\"towing\": \"{tractor}\"`"));
            assert!(error.contains(&by_name) && error.contains(&by_scenario), "{error}");
            let error = manoeuvre.check_for(trailer, &Setting::default());
            assert!(error.is_err(), "{trailer} in {name}");
        }
    }
    Ok(())
}

#[test]
fn trains_are_the_same_however_they_are_named() -> Result<()> {
    for name in ["trailer_sway", "rear_amplification"] {
        let manoeuvre = Manoeuvre::of_name(name)?;
        let of_preset = driven(&manoeuvre, "truck_6x6")?;
        let named = driven(&manoeuvre, "truck_6x6+tandem_trailer")?;
        assert_eq!(of_preset.telemetry, named.telemetry, "{name}");
        let in_scenario = towing(name, "truck_6x6", Path::new(""))?;
        let towed = driven(&in_scenario, "tandem_trailer")?;
        assert_eq!(of_preset.telemetry, towed.telemetry, "{name}");
        for figure in &manoeuvre.figures {
            assert!(named.shown(figure).is_some(), "{name}: {}", figure.name);
        }
    }
    Ok(())
}

#[test]
fn a_file_beside_the_scenario_pulls() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let text = vehicle_rapier::vehicle_file::Preset::of_name("truck_6x6")?.text;
    fs::write(folder.path().join("mine.json"), text)?;
    let manoeuvre = towing("trailer_sway", "mine.json", folder.path())?;
    let run = driven(&manoeuvre, "tandem_trailer")?;
    let damping = run.figure(&manoeuvre.figures[0]).context("it sways")?;
    assert!(0.0 < damping && damping < 1.0, "{damping}");
    Ok(())
}

#[test]
fn what_cannot_pull_or_be_pulled_is_told() -> Result<()> {
    let manoeuvre = Manoeuvre::of_name("trailer_sway")?;
    for (vehicle, said) in [
        ("hot_hatch+tandem_trailer", "hot_hatch has no hitch"),
        ("truck_6x6+hot_hatch", "hot_hatch has no hitch"),
        ("tandem_trailer+semi_trailer", "tandem_trailer cannot pull"),
        ("truck_6x6+tandem_trailr", "did you mean \"tandem_trailer\"?"),
    ] {
        let error = misfit(&manoeuvre, vehicle).expect_err(vehicle);
        assert!(format!("{error:#}").contains(said), "{vehicle}: {error:#}");
    }
    let by_trailer = towing("trailer_sway", "semi_trailer", Path::new(""))?;
    let error = misfit(&by_trailer, "tandem_trailer").expect_err("it has no drive");
    assert!(error.to_string().contains("must be a vehicle with a drive"), "{error}");
    for name in ["", "a+b"] {
        let error = towing("trailer_sway", name, Path::new("")).expect_err("no name of a vehicle");
        assert!(error.to_string().contains("towing: must be a preset or a file"), "{error}");
    }
    Ok(())
}
