//! Measures what implicit wheels, constraint rows, checks, rows that the world executes, a part of
//! one's own, more wheels, and wheels with mass cost. Prints five Markdown tables.
//!
//! Fleets that differ in one thing take turns, so that all see the same machine; a ratio is the
//! median of those of all rounds.

use std::sync::Arc;

use snippets::vehicles::sample_direct_drive;
use vehicle_benches::{
    Edit, Errand, FlatRoadFleet, Fleet, LongVehicle, RapierFleet, SUBSTEPS, Step, Timed, median,
    time,
};
use vehicle_rapier::core::SimulationParams;
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};

type Cars = FlatRoadFleet<DirectDriveVehicle>;

const FLEET_SIZE: usize = 1_000;
/// Vehicles that the second cache of a core has room for.
const SMALL_FLEET_SIZE: usize = 100;
const ROUNDS: usize = 41;
/// Steps of a fleet before the next one's turn.
const STEPS: u64 = 20;

fn main() -> anyhow::Result<()> {
    println!("| errand | substeps | rows and implicit wheels | the same, checked |");
    println!("|---|---:|---:|---:|");
    for errand in [Errand::Driving, Errand::Parked] {
        for substeps in SUBSTEPS {
            let [coupled, checked] = costs(errand, substeps)?;
            println!("| {errand:?} | {substeps} | {coupled:.2} | {checked:.2} |");
        }
    }
    println!("\n| errand | substeps | update, rows as joints | update and world step |");
    println!("|---|---:|---:|---:|");
    for errand in [Errand::Driving, Errand::Parked] {
        for substeps in SUBSTEPS {
            let [update, all] = costs_of_joints(errand, substeps)?;
            println!("| {errand:?} | {substeps} | {update:.2} | {all:.2} |");
        }
    }
    println!("\n| part of one's own | substeps 1 | substeps 3 |");
    println!("|---|---:|---:|");
    for edit in Edit::ALL.into_iter().skip(1) {
        let [few, many] = [cost_of_part(edit, SUBSTEPS[0])?, cost_of_part(edit, SUBSTEPS[1])?];
        println!("| {} | {few:.2} | {many:.2} |", edit.name());
    }
    println!(
        "\n| vehicle | substeps 1 | substeps 3 | per block of four, substeps 3 | the same, fleet of {SMALL_FLEET_SIZE} |"
    );
    println!("|---|---:|---:|---:|---:|");
    for vehicle in LongVehicle::ALL {
        let cost = |count, substeps| cost_of(vehicle.fleets(count, substeps)?);
        let [few, many] = [cost(FLEET_SIZE, SUBSTEPS[0])?, cost(FLEET_SIZE, SUBSTEPS[1])?];
        let small = cost(SMALL_FLEET_SIZE, SUBSTEPS[1])?;
        let [per_block, small] = [many, small].map(|cost| cost / vehicle.blocks() as f64);
        println!("| {} | {few:.2} | {many:.2} | {per_block:.2} | {small:.2} |", vehicle.name());
    }
    println!("\n| wheels with mass, in a Rapier world | update | update and world step |");
    println!("|---|---:|---:|");
    for substeps in [1, 2, 3] {
        let [update, all] = costs_of_masses(substeps)?;
        println!("| {substeps} substeps | {update:.2} | {all:.2} |");
    }
    Ok(())
}

/// Time of a step of cars whose wheels have a mass, with `substeps` substeps, as a multiple of that
/// of the sample car with three. Returns that of the update, and that of update and world step.
fn costs_of_masses(substeps: u32) -> anyhow::Result<[f64; 2]> {
    let sample = sample_direct_drive()?;
    let gravity = SimulationParams::default().gravity.length();
    let mechanics = sample.mechanics.clone().with_unsprung_masses(gravity);
    let with_masses = Arc::new(DirectDriveParams { mechanics, ..sample.clone() });
    let fleet = |params: Arc<DirectDriveParams>, substeps| {
        let (errand, execution) = (Errand::Driving, RowExecution::Local);
        RapierFleet::<DirectDriveVehicle>::of(&params, FLEET_SIZE, substeps, errand, execution)
    };
    let (mut unit, mut heavy) = (fleet(Arc::new(sample), 3)?, fleet(with_masses, substeps)?);
    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (ratios, timed) in ratios.iter_mut().zip([Timed::Update, Timed::UpdateAndWorldStep]) {
            ratios.push(seconds(&mut heavy, timed)? / seconds(&mut unit, timed)?);
        }
    }
    let [update, all] = ratios;
    Ok([median(update)?, median(all)?])
}

/// Time of a step of a car with a part of one's own, as a multiple of that of the sample car.
fn cost_of_part(edit: Edit, substeps: u32) -> anyhow::Result<f64> {
    let fleet = |edit: Edit| edit.fleet(FLEET_SIZE, substeps);
    cost_of([fleet(edit)?, fleet(Edit::None)?])
}

/// Time of a step of the first fleet, as a multiple of that of the second.
fn cost_of([mut fleet, mut unit]: [Box<dyn Fleet>; 2]) -> anyhow::Result<f64> {
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let unit = seconds(unit.as_mut(), Timed::Update)?;
        ratios.push(seconds(fleet.as_mut(), Timed::Update)? / unit);
    }
    median(ratios)
}

/// Time of a step whose rows the world executes, as a multiple of one whose rows the vehicle
/// executes: of the update, and of update and world step.
fn costs_of_joints(errand: Errand, substeps: u32) -> anyhow::Result<[f64; 2]> {
    let fleet = |execution| {
        RapierFleet::<DirectDriveVehicle>::with(FLEET_SIZE, substeps, errand, execution)
    };
    let (mut local, mut host) = (fleet(RowExecution::Local)?, fleet(RowExecution::Host)?);
    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (ratios, timed) in ratios.iter_mut().zip([Timed::Update, Timed::UpdateAndWorldStep]) {
            ratios.push(seconds(&mut host, timed)? / seconds(&mut local, timed)?);
        }
    }
    let [update, all] = ratios;
    Ok([median(update)?, median(all)?])
}

/// Time of a coupled and of a checked step, as multiples of that of a plain one.
fn costs(errand: Errand, substeps: u32) -> anyhow::Result<[f64; 2]> {
    let fleet = |step| Cars::with(FLEET_SIZE, substeps, errand, step);
    let (mut plain, mut coupled, mut checked) =
        (fleet(Step::Plain)?, fleet(Step::Coupled)?, fleet(Step::Checked)?);
    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        let unit = seconds(&mut plain, Timed::Update)?;
        ratios[0].push(seconds(&mut coupled, Timed::Update)? / unit);
        ratios[1].push(seconds(&mut checked, Timed::Update)? / unit);
    }
    let [coupled, checked] = ratios;
    Ok([median(coupled)?, median(checked)?])
}

fn seconds(fleet: &mut (impl Fleet + ?Sized), timed: Timed) -> anyhow::Result<f64> {
    Ok(time(fleet, timed, STEPS)?.as_secs_f64())
}
