//! Every ready-made driveline from blocks in a world: drives off, stops, and its energy is
//! accounted for.

use anyhow::{Context, Result};
use snippets::drivelines::{
    DrivelineRecord, ShaftFlows, mechanics_for, ready_made_scene, record, scene, wheel_names,
};
use snippets::overdrive::Overdrive;
use snippets::overdrive_controller::{overdrive_tree, with_controller};
use snippets::scenes::ENGINE_DRIVE_DT;
use snippets::wheel_names::CAR_WHEELS;
use vehicle_rapier::drivetrain::blocks::{BlockTree, ready_made};

fn drive(name: &str) -> Result<(BlockTree, DrivelineRecord)> {
    let scene = ready_made_scene(name)?;
    let tree = scene.driven.vehicle.vehicle.driveline().tree().clone();
    let wheels = wheel_names(name);
    let wheels: Vec<&str> = wheels.iter().map(String::as_str).collect();
    Ok((tree, record(scene, &wheels, || ())?))
}

#[test]
fn every_ready_made_driveline_drives_off_and_stops() -> Result<()> {
    for (name, _) in ready_made::ALL {
        let (tree, record) = drive(name)?;
        let speeds = record.telemetry.column("forward speed")?;
        let top = speeds.iter().copied().fold(0.0, f64::max);
        assert!(9.0 < top, "{name}: {top} m/s");
        let last = speeds.last().context("no steps")?;
        assert!(last.abs() < 0.05, "{name} ends with {last} m/s");
        // What stops sways back on its springs and tires.
        let backward: f64 = speeds.iter().filter(|speed| **speed < 0.0).sum();
        let distance = backward * f64::from(ENGINE_DRIVE_DT);
        assert!(-0.15 < distance, "{name} goes back by {distance} m");
        assert_eq!(record.full_power.shafts.len(), tree.shafts.len(), "{name}");
    }
    Ok(())
}

#[test]
fn drivers_shift_up_through_the_gears() -> Result<()> {
    for (name, highest) in
        [("rear", 2.0), ("front", 2.0), ("truck-6x4", 6.0), ("tank", 6.0), ("hybrid-parallel", 2.0)]
    {
        let (_, record) = drive(name)?;
        let gears = record.telemetry.column("gearbox: gear")?;
        let gear = gears.iter().copied().fold(0.0, f64::max);
        assert!(highest <= gear, "{name}: {gear}");
        let speeds = record.telemetry.column("engine: speed")?;
        let least = speeds.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(30.0 < least, "{name}: the engine is down to {least} rad/s");
    }
    Ok(())
}

#[test]
fn energy_account_closes_over_every_drive() -> Result<()> {
    for (name, _) in ready_made::ALL {
        let (_, DrivelineRecord { telemetry, energy, .. }) = drive(name)?;
        let imbalance = energy.imbalance().abs();
        assert!(imbalance < 1e-9 * energy.sources.abs(), "{name}: {imbalance} J of {energy:?}");
        assert!(1e4 < energy.tires, "{name}: {energy:?}");
        let last = telemetry.column("energy: batteries")?.last().copied();
        assert_eq!(last, Some(energy.batteries), "{name}");
    }
    Ok(())
}

#[test]
fn an_open_differential_adds_torques_and_averages_speeds() -> Result<()> {
    let (tree, DrivelineRecord { full_power: ShaftFlows { shafts, time }, .. }) = drive("rear")?;
    let differential = tree.find("rear differential").context("a differential")?;
    let at = |is_there: &dyn Fn(usize) -> bool| -> Vec<(f64, f64)> {
        (0..shafts.len()).filter(|&shaft| is_there(shaft)).map(|shaft| shafts[shaft]).collect()
    };
    let [(speed, torque)] = at(&|shaft| tree.shafts[shaft].to.0 == differential)[..] else {
        panic!("one shaft in");
    };
    let [left, right] = at(&|shaft| tree.shafts[shaft].from.0 == differential)[..] else {
        panic!("two shafts out");
    };
    assert!(1.0 < time && 100.0 < torque && 50.0 < speed, "{time} s: {speed} rad/s, {torque} N·m");
    let out = (left.1 + right.1) / 3.7;
    assert!((torque - out).abs() < 1e-6 * torque, "{torque} and {out} N·m");
    let mean = 3.7 * 0.5 * (left.0 + right.0);
    assert!((speed - mean).abs() < 1e-6 * speed, "{speed} and {mean} rad/s");
    Ok(())
}

#[test]
fn controller_takes_the_overdrive_in_and_out_while_the_throttle_is_lifted() -> Result<()> {
    let tree = overdrive_tree(Overdrive::default())?;
    let scene = scene(mechanics_for("rear")?, tree, with_controller)?;
    let telemetry = record(scene, &CAR_WHEELS, || ())?.telemetry;
    let ratios = telemetry.column("overdrive: ratio")?;
    let changes = ratios.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    // Rear wheels that spin at a shift may take it in for a moment before.
    assert!((2..=4).contains(&changes), "{changes} changes");
    assert_eq!((ratios[0], least, ratios.last()), (1.0, 0.75, Some(&1.0)));
    let dog = telemetry.column("overdrive: dog clutch in")?;
    let out = dog.iter().filter(|is_in| **is_in == 0.0).count();
    assert!(0 < out && out < 120 && dog.last() == Some(&1.0), "out in {out} steps");
    Ok(())
}
