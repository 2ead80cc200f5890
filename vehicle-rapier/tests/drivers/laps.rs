//! Presets around circuits: as close to the path, and as fast, as the profile says.

use std::error::Error;

use snippets::scenes::level_world;
use vehicle_rapier::drivetrain::driver::ProfileParams;
use vehicle_rapier::prelude::*;

use crate::common::DT;
use crate::tracks::{Drive, circuit};

#[test]
fn presets_drive_around_as_fast_as_forecast() -> Result<(), Box<dyn Error>> {
    let only = std::env::var("ONLY").ok();
    for preset in Preset::ALL {
        if only.as_deref().is_some_and(|only| only != preset.name) {
            continue;
        }
        let Ok(params) = AnyVehicle::preset(preset.name) else { continue };
        let mechanics = params.mechanics();
        if mechanics.steering.max_response == 0.0 && preset.name != "tank" {
            continue;
        }
        let small = if preset.name == "rc_car" { 0.15 } else { 1.0 };
        for (length, radius) in [(250.0, 60.0), (120.0, 22.0)] {
            let points = circuit(small * length, small * radius);
            let world = level_world(DT, 1.0);
            let mut drive = match Drive::new(preset.name, world, &points, &ProfileParams::default())
            {
                Ok(drive) => drive,
                Err(error) => {
                    eprintln!("{}: {error}", preset.name);
                    continue;
                }
            };
            if radius == 60.0 {
                let figures = drive.driver.model().figures();
                eprintln!(
                    "{}: cornering {:.2} braking {:.2} traction {:.2} K {:?}",
                    preset.name,
                    figures.cornering,
                    figures.braking,
                    figures.traction,
                    drive.driver.model().handling().map(|it| it.understeer_gradient())
                );
            }
            match drive.lap() {
                Ok(lap) => eprintln!(
                    "{} {radius}: {:.1} s of {:.1} ({:+.1} %), offset {:.2} rms {:.2}, fastest {:.1}",
                    preset.name,
                    lap.time,
                    lap.forecast,
                    100.0 * (lap.time / lap.forecast - 1.0),
                    lap.offset,
                    lap.mean_offset,
                    lap.fastest
                ),
                Err(error) => eprintln!("{} {radius}: {error}", preset.name),
            }
        }
    }
    Ok(())
}
