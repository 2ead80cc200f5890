//! Presets: vehicles as files, in the folder `vehicles`.

use std::path::Path;

use anyhow::{Context, Result};
use vehicle_rapier::vehicle_file::{AnyVehicle, FileFormat};

/// Names of the presets, and their files.
pub const PRESETS: [(&str, &str); 4] = [
    ("city_car", include_str!("../vehicles/city_car.json")),
    ("hot_hatch", include_str!("../vehicles/hot_hatch.json")),
    ("sports_car", include_str!("../vehicles/sports_car.json")),
    ("pick_up", include_str!("../vehicles/pick_up.json")),
];

/// The preset of this name, or the vehicle of the file at this path.
///
/// # Errors
///
/// If there is neither; all faults of the file.
pub fn vehicle(name: &str) -> Result<AnyVehicle> {
    if let Some((_, text)) = PRESETS.iter().find(|(preset, _)| *preset == name) {
        return Ok(AnyVehicle::from_str(FileFormat::Json, text)?);
    }
    let known: Vec<_> = PRESETS.iter().map(|(name, _)| *name).collect();
    AnyVehicle::load(Path::new(name))
        .with_context(|| format!("{name} is none of the presets {}", known.join(", ")))
}

/// A line for each preset: its name, what it is called, and where its figures come from.
///
/// # Errors
///
/// All faults of the files.
pub fn list() -> Result<Vec<String>> {
    let line = |(name, _): &(&str, &str)| {
        let vehicle = vehicle(name)?;
        let file = vehicle.file();
        Ok(format!("{name:14} {}. {}", file.name, file.source))
    };
    PRESETS.iter().map(line).collect()
}
