//! The direct drive scene against the same scene of the reference.
//!
//! The reference ran in another physics engine, whose solver holds the car at rest with sticky
//! tires and a suspension limit: the two are compared in shape. Its wheels turn explicitly, and so
//! do ours here: braked wheels then lock at 2.5 m/s, where an implicit wheel brakes on without
//! locking.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use snippets::scenes;
use snippets::telemetry::Telemetry;
use snippets::wheel_names::CAR_WHEELS;

/// A row of the reference's drive, ten in a second.
struct Row {
    step: usize,
    speed: f64,
    position: [f64; 3],
    is_asleep: bool,
}

fn reference() -> Result<Vec<Row>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/DD1.csv");
    let mut reader = csv::Reader::from_path(path)?;
    let names = reader.headers()?.clone();
    let column = |name| names.iter().position(|found| found == name).context("missing column");
    let columns = ["step", "px", "py", "pz", "vx", "vy", "vz", "sleeping"].map(column);
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let mut values = [0.0_f64; 8];
        for (value, column) in values.iter_mut().zip(&columns) {
            let column = column.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
            *value = record[*column].parse()?;
        }
        let [step, px, py, pz, vx, vy, vz, sleeping] = values;
        rows.push(Row {
            step: step as usize,
            speed: (vx * vx + vy * vy + vz * vz).sqrt(),
            position: [px, py, pz],
            is_asleep: sleeping != 0.0,
        });
    }
    Ok(rows)
}

fn ours() -> Result<Telemetry> {
    scenes::direct_drive(3)?.with_explicit_wheels().record(&CAR_WHEELS, || ())
}

#[test]
fn scene_follows_the_reference_in_shape() -> Result<()> {
    let (reference, ours) = (reference()?, ours()?);
    let speeds = ours.column("speed")?;
    let top_speed = reference.iter().map(|row| row.speed).fold(0.0, f64::max);
    let places = [ours.column("x")?, ours.column("y")?, ours.column("z")?];
    for row in reference.iter().filter(|row| 0 < row.step) {
        let speed = speeds[row.step - 1];
        let bound = 0.02 * top_speed;
        let step = row.step;
        assert!((speed - row.speed).abs() < bound, "step {step}: {speed}, {} m/s", row.speed);
        let offset = places.map(|place| place[row.step - 1]);
        let distance: f64 =
            offset.iter().zip(row.position).map(|(ours, theirs)| (ours - theirs).powi(2)).sum();
        assert!(distance.sqrt() < 1.0, "step {step}: {} m apart", distance.sqrt());
    }
    Ok(())
}

#[test]
fn car_rests_and_wakes_in_the_same_order() -> Result<()> {
    let sleep = |asleep: Vec<bool>| -> Vec<bool> {
        let mut phases = asleep;
        phases.dedup();
        phases
    };
    let theirs = sleep(reference()?.iter().map(|row| row.is_asleep).collect());
    let ours = sleep(ours()?.column("asleep")?.iter().map(|&asleep| asleep != 0.0).collect());
    assert_eq!(ours, theirs);
    assert_eq!(ours, [false, true, false, true, false], "settle, drive and stop, drive and turn");
    Ok(())
}

#[test]
fn wheels_stand_on_the_ground_from_the_first_touch_to_the_end() -> Result<()> {
    let mut step = 0;
    scenes::direct_drive(3)?.drive(|world, vehicle| {
        let height: Real = world.bodies[vehicle.actor.body].translation().y;
        if 60 < step {
            assert!((-0.08..0.02).contains(&height), "step {step}: body at {height} m");
        }
        step += 1;
        Ok(())
    })
}
