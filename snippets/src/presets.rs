//! Presets by name, and files of vehicles beside them.

use std::path::Path;

use anyhow::{Context, Result};
use playground::vehicle_names;
use vehicle_rapier::vehicle_file::{AnyVehicle, Coupling, Preset};

use crate::console::say;
use crate::own_tires::own_tires;

/// The trailer that the preset `name` pulls, if it does.
pub fn trailer(name: &str) -> Option<Coupling> {
    Preset::of_name(name).ok()?.coupling
}

/// Names of the presets that drive, in alphabetical order.
pub fn driven() -> Vec<&'static str> {
    vehicle_names()
}

/// Names and files of all presets in alphabetical order, trailers last.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let (driven, trailers): (Vec<&Preset>, Vec<&Preset>) =
        Preset::ALL.iter().partition(|preset| preset.is_driven());
    driven.into_iter().chain(trailers).map(|preset| (preset.name, preset.text))
}

/// The preset of this name, or the vehicle of the file at this path, which may be on
/// [tires of these programs](own_tires).
///
/// # Errors
///
/// If there is neither, with the nearest preset; all faults of the file.
pub fn vehicle(name: &str) -> Result<AnyVehicle> {
    if Preset::of_name(name).is_ok() {
        return Ok(AnyVehicle::preset(name)?);
    }
    let (path, vehicle) = (Path::new(name), AnyVehicle::load_with(name, &own_tires()));
    if path.exists() { Ok(vehicle?) } else { vehicle.with_context(|| unknown(name)) }
}

/// The message about a `name` of no preset, with the nearest preset.
pub fn unknown(name: &str) -> String {
    match nearest(name, all().map(|(preset, _)| preset)) {
        Some(preset) => {
            format!("{name:?} is no preset and no file that can be read; did you mean {preset:?}?")
        }
        None => {
            let known: Vec<_> = all().map(|(preset, _)| preset).collect();
            format!(
                "{name:?} is no preset and no file that can be read; presets are {}",
                known.join(", ")
            )
        }
    }
}

/// The one of `known` that may be meant by `name`, if one is near.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |known: &str| strsim::jaro_winkler(known, name);
    known
        .into_iter()
        .max_by(|one, other| likeness(one).total_cmp(&likeness(other)))
        .filter(|known| LIKE < likeness(known))
}

/// Likeness from which on a name may have been meant, in [0, 1].
const LIKE: f64 = 0.75;

/// A line for each preset: its name, what it is called, and where its figures come from.
///
/// # Errors
///
/// All faults of the files.
pub fn list() -> Result<Vec<String>> {
    let line = |(name, _): (&str, &str)| {
        let vehicle = vehicle(name)?;
        let file = vehicle.file();
        Ok(format!("{name:14} {}. {}", file.name, file.source))
    };
    all().map(line).collect()
}

/// Prints the [list].
///
/// # Errors
///
/// All faults of the files; if it cannot be printed.
pub fn print_list() -> Result<()> {
    list()?.into_iter().try_for_each(say)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_near_a_preset_are_told() {
        for (name, said) in [
            ("hothatch", "did you mean \"hot_hatch\"?"),
            ("truck", "did you mean \"truck_6x6\"?"),
            ("semi", "did you mean \"semi_tra"),
            ("zzz", "presets are city_car, drift_car"),
        ] {
            let error = format!("{:#}", vehicle(name).expect_err("no such preset"));
            assert!(error.contains(said), "{name}: {error}");
        }
    }
}
