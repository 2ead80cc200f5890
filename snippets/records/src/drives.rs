//! Whole recorded drives of the reference, repeated.

use anyhow::{Context, Result, bail, ensure};
use vehicle_drivetrain::DirectDriveVehicle;

use crate::folder;
use crate::replay::comparison::{free_runs, single_steps};
use crate::replay::drive::Drive;
use crate::replay::engine_drive::EngineReplay;
use crate::replay::vehicle::ReplayedVehicle;
use crate::support::one_step::OneStepJudge;
use crate::support::scenarios::{self, Scenario, TraceKind};

/// How far a drive of ours is from its record.
#[derive(Clone, Debug)]
pub struct DriveTally {
    /// Its name.
    pub name: String,
    /// Whether an engine drives.
    pub has_engine: bool,
    /// Number of recorded steps.
    pub steps: usize,
    /// Number of compared numbers.
    pub numbers: usize,
    /// Largest error of a number after one step, over the error that is allowed (dimensionless).
    pub worst_step: f64,
    /// Number of runs of two seconds without help.
    pub runs: usize,
    /// Largest deviation of such a run, over what runs of our own part by (dimensionless).
    pub worst_run: f64,
    /// Quantities that are farther off than they may be, each with how far.
    pub faults: Vec<String>,
}

/// Repeats all recorded drives that no solver of a scene takes part in.
///
/// # Errors
///
/// If the records cannot be read, or a drive cannot be repeated.
pub fn drives() -> Result<Vec<DriveTally>> {
    let found = scenarios::find(&folder("vehicle-drivetrain/tests/data/traces"))?;
    ensure!(found.incomplete.is_empty(), "incomplete: {}", found.incomplete.join(", "));
    let tally = |scenario: &Scenario| {
        let tally = match scenario.kind() {
            TraceKind::DirectDrive => replay::<DirectDriveVehicle>(scenario, false),
            TraceKind::EngineDrive => replay::<EngineReplay>(scenario, true),
            kind => bail!("a drive of the kind {kind:?}"),
        };
        tally.with_context(|| scenario.name.clone())
    };
    found.complete.iter().map(tally).collect()
}

fn replay<V: ReplayedVehicle>(scenario: &Scenario, has_engine: bool) -> Result<DriveTally> {
    let drive = Drive::<V>::new(scenario)?;
    let length_scale = scenario.length_scale()?;
    let whole = scenario.whole()?.context("no table of every step")?;
    let judge = OneStepJudge::new(&whole, length_scale);
    let steps = single_steps(&drive, &whole, judge)?;
    let runs = free_runs(&drive, &whole, length_scale)?;
    let mut faults = steps.failures;
    let out = runs.iter().filter(|(_, run)| !run.passed());
    faults.extend(out.map(|(step, run)| format!("from step {step}: {run}")));
    let quantities = runs.iter().flat_map(|(_, run)| run.quantities.iter());
    Ok(DriveTally {
        name: scenario.name.clone(),
        has_engine,
        steps: steps.pairs,
        numbers: steps.fields,
        worst_step: steps.worst,
        worst_run: quantities.fold(0.0, |most, quantity| quantity.worst.max(most)),
        runs: runs.len(),
        faults,
    })
}
