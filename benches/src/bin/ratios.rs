//! Prints the last results of the bench `vehicles` as a Markdown table of ratios to Rapier's own
//! vehicle.

use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::Context;
use vehicle_benches::{
    CONTROLLER, Errand, FLEET_SIZES, SUBSTEPS, Timed, flat_road_name, rapier_world_name,
    standing_name,
};
use vehicle_rapier::drivetrain::{DirectDriveVehicle, EngineDriveVehicle};

fn main() -> anyhow::Result<()> {
    let folder = results_folder();
    let fleet_size = FLEET_SIZES[FLEET_SIZES.len() - 1];
    let updates = Column::read(&folder, Timed::Update, fleet_size)?;
    let steps = Column::read(&folder, Timed::UpdateAndWorldStep, fleet_size)?;

    println!("| vehicle | {} | {} |", Timed::Update.name(), Timed::UpdateAndWorldStep.name());
    println!("|---|---:|---:|");
    println!("| {CONTROLLER} | 1.00 | 1.00 |");
    let direct = SUBSTEPS.map(rapier_world_name::<DirectDriveVehicle>);
    let engine = SUBSTEPS.map(rapier_world_name::<EngineDriveVehicle>);
    let errands = [Errand::Parked, Errand::Sleeping];
    let standing = errands.map(|errand| {
        [standing_name::<DirectDriveVehicle>(errand), standing_name::<EngineDriveVehicle>(errand)]
    });
    for name in direct.into_iter().chain(engine).chain(standing.into_iter().flatten()) {
        let (update, step) = (updates.ratio(&name)?, steps.ratio(&name)?);
        println!("| {name} | {update:.2} | {step:.2} |");
    }
    let direct = SUBSTEPS.map(flat_road_name::<DirectDriveVehicle>);
    let engine = SUBSTEPS.map(flat_road_name::<EngineDriveVehicle>);
    for name in direct.into_iter().chain(engine) {
        println!("| {name} | {:.2} | - |", updates.ratio(&name)?);
    }
    println!();
    println!(
        "Medians of {fleet_size} vehicles. 1.00 is {:.2} µs per vehicle and step for the update, \
         {:.2} µs with the world's step.",
        updates.unit / 1e3,
        steps.unit / 1e3
    );
    Ok(())
}

/// Results of one kind of measurement.
struct Column<'a> {
    folder: &'a Path,
    timed: Timed,
    fleet_size: usize,
    /// Time of Rapier's own vehicle (ns per vehicle and step).
    unit: f64,
}

impl<'a> Column<'a> {
    fn read(folder: &'a Path, timed: Timed, fleet_size: usize) -> anyhow::Result<Self> {
        let unit = vehicle_time(folder, CONTROLLER, timed, fleet_size)?;
        Ok(Self { folder, timed, fleet_size, unit })
    }

    fn ratio(&self, vehicle: &str) -> anyhow::Result<f64> {
        Ok(vehicle_time(self.folder, vehicle, self.timed, self.fleet_size)? / self.unit)
    }
}

/// Median time of a step of one vehicle in a fleet (ns).
fn vehicle_time(
    folder: &Path,
    vehicle: &str,
    timed: Timed,
    fleet_size: usize,
) -> anyhow::Result<f64> {
    let bench = folder.join(vehicle).join(timed.name()).join(fleet_size.to_string());
    let path = bench.join("new").join("estimates.json");
    let file = File::open(&path).with_context(|| {
        format!("no results in {}: run `cargo bench -p vehicle-benches` first", path.display())
    })?;
    let estimates: serde_json::Value =
        serde_json::from_reader(file).with_context(|| format!("cannot read {}", path.display()))?;
    let median = estimates["median"]["point_estimate"]
        .as_f64()
        .with_context(|| format!("no median in {}", path.display()))?;
    Ok(median / fleet_size as f64)
}

/// The folder into which `cargo bench` writes: as criterion finds it, with the workspace's own
/// target folder as the last resort.
fn results_folder() -> PathBuf {
    if let Some(folder) = env::var_os("CRITERION_HOME") {
        return PathBuf::from(folder);
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("target"),
        PathBuf::from,
    );
    target.join("criterion")
}
