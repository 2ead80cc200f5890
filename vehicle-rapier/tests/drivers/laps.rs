//! Presets around circuits: as close to the path, and as fast, as the profile says.

use std::error::Error;

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::drivetrain::driver::ProfileParams;
use vehicle_rapier::prelude::*;

use crate::common::DT;
use crate::tracks::{Drive, circuit, over_hills};

/// How much longer a lap takes than the profile says, at most (dimensionless).
const LATE: Real = 0.08;
/// Largest offset (m), and that of the drift car, whose rear wheels its engine spins at any speed.
const ASIDE: Real = 1.8;
const DRIFTED: Real = 4.0;

/// Names of the presets that have a drive.
fn driven() -> impl Iterator<Item = &'static str> {
    Preset::ALL.iter().map(|preset| preset.name).filter(|name| !name.ends_with("trailer"))
}

fn drive_around(length: Real, radius: Real) -> Result<(), Box<dyn Error>> {
    let mut faults = Vec::new();
    for name in driven() {
        let scale = if name == "rc_car" { 0.15 } else { 1.0 };
        let points = circuit(scale * length, scale * radius);
        let profile = ProfileParams::default();
        let mut drive = Drive::new(name, level_world(DT, 1.0), &points, &profile)?;
        let lap = drive.lap().map_err(|error| format!("{name}: {error}"))?;
        let late = lap.time / lap.forecast - 1.0;
        println!("{name}, {radius} m: {:+.1} %, {lap:.2?}", 100.0 * late);
        if LATE <= late.abs() {
            faults.push(format!("{name}: {} s of {}", lap.time, lap.forecast));
        }
        let aside = if name == "drift_car" { DRIFTED } else { ASIDE };
        assert!(lap.offset < aside * scale.max(0.25), "{name}: {} m off the path", lap.offset);
        assert!(lap.mean_offset < 0.35 * aside, "{name}: {} m off on the mean", lap.mean_offset);
    }
    assert!(faults.is_empty(), "{faults:#?}");
    Ok(())
}

#[test]
fn presets_drive_around_a_wide_circuit_as_fast_as_forecast() -> Result<(), Box<dyn Error>> {
    drive_around(250.0, 60.0)
}

#[test]
fn presets_drive_around_a_narrow_circuit_as_fast_as_forecast() -> Result<(), Box<dyn Error>> {
    drive_around(120.0, 22.0)
}

#[test]
fn cars_drive_over_a_hill_and_a_jump() -> Result<(), Box<dyn Error>> {
    for name in ["hot_hatch", "rally_car"] {
        let (world, points) = over_hills(&circuit(250.0, 60.0))?;
        let profile = ProfileParams { max_speed: 25.0, ..ProfileParams::default() };
        let mut drive = Drive::new(name, world, &points, &profile)?;
        let lap = drive.lap().map_err(|error| format!("{name}: {error}"))?;
        let late = lap.time / lap.forecast - 1.0;
        println!("{name} over hills: {:+.1} %, {lap:.2?}", 100.0 * late);
        assert!(late.abs() < LATE, "{name}: {} s of {}", lap.time, lap.forecast);
        assert!(lap.offset < ASIDE, "{name}: {} m off the path", lap.offset);
        assert!(0.1 < lap.airborne, "{name}: {} s in the air", lap.airborne);
    }
    Ok(())
}
