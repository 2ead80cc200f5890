//! A car on measured tires whose coefficients another simulation has published.

use std::fs;

use anyhow::{Context, Result, ensure};
use snippets::manoeuvres::{Manoeuvre, Outcome};
use snippets::measurements::Setting;
use vehicle_rapier::core::tire::tir::TirFile;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/evidence");
/// Weight that a wheel of the car carries (N).
const LOAD: f64 = 2_494.0 * 9.81 / 4.0;

/// The figure of this name that the car, on the tires of this file, has in a ready manoeuvre.
fn figure(tires: &str, manoeuvre: &str, name: &str) -> Result<Option<f64>> {
    let car = fs::read_to_string(format!("{FOLDER}/hmmwv.json"))?;
    let car = car.replace("hmmwv_pac02.tir\"", &format!("{FOLDER}/{tires}\""));
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("car.json");
    fs::write(&path, car)?;
    let manoeuvre = Manoeuvre::of_name(manoeuvre)?;
    let path = path.to_str().context("a path")?;
    let Outcome::Driven(run) = manoeuvre.drive(path, &Setting::default())? else {
        anyhow::bail!("not driven");
    };
    let source = manoeuvre.figures.iter().find(|figure| figure.name == name);
    Ok(run.shown(source.context("a figure of this name")?))
}

/// The car pulls away, also on tires that were measured under braking alone, and stops by the
/// friction that the coefficients give at the load of its wheels.
#[test]
fn published_tires_drive_and_stop() -> Result<()> {
    // `μ = PDX1 + PDX2 (Fz - Fz0) / Fz0`, `Fz0 = LFZO FNOMIN`; no lower load than was measured.
    for (tires, [pdx1, pdx2], rated, least, is_mirrored) in [
        ("hmmwv_pac02.tir", [0.777_51, -0.244_31], 0.580_904_846 * 35_000.0, 1_750.0, false),
        ("fed_alpha_60psi.tir", [0.933_85, -0.043_779], 21_674.0, 10_752.0, true),
    ] {
        let file = TirFile::parse(&fs::read_to_string(format!("{FOLDER}/{tires}"))?)?;
        let notices: Vec<_> = file.notices.iter().map(ToString::to_string).collect();
        let expected = usize::from(is_mirrored);
        ensure!(notices.len() == expected, "{tires}: {notices:?}");
        ensure!(notices.iter().all(|notice| notice.contains("KPUMAX")), "{tires}: {notices:?}");

        let away = figure(tires, "acceleration", "0 to 50 km/h")?;
        ensure!(away.is_some_and(|time| (2.0..5.0).contains(&time)), "{tires}: {away:?} s");
        let friction = pdx1 + pdx2 * (LOAD.max(least) - rated) / rated;
        let stop = figure(tires, "braking", "mean deceleration")?.context("stops")?;
        println!("{tires}: 50 km/h in {away:?} s, stops by {stop:.3} g, friction {friction:.3}");
        // Wheels are held near the peak; air and rolling resistance brake, too.
        ensure!((0.9..1.1).contains(&(stop / friction)), "{tires}: {stop} g for {friction}");
    }
    Ok(())
}
