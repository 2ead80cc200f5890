//! Our vehicles beside a recorded drive: single steps, and free runs.

use anyhow::{Context, Result};
use vehicle_core::math::Vec3;

use super::drive::Drive;
use super::row;
use super::vehicle::ReplayedVehicle;
use crate::support::free_run::{self, DURATION, FreeRunReport, LEAD, MEMBERS};
use crate::support::motion::{self, Axes};
use crate::support::one_step::{OneStepJudge, OneStepReport};
use crate::support::traces::{Row, Trace};

/// Repeats every recorded step of `trace` from the recorded state before it.
pub fn single_steps<V: ReplayedVehicle>(
    drive: &Drive<V>,
    trace: &Trace,
    mut judge: OneStepJudge<'_>,
) -> Result<OneStepReport> {
    for (before, after) in trace.pairs() {
        let mut vehicle = drive.vehicle_at(before)?;
        drive.step(&mut vehicle, after)?;
        row::compare(&mut judge, &vehicle, after, &drive.coordinates().frame);
    }
    Ok(judge.finish())
}

/// Runs freely from each start of a `whole` trace; the reports with the numbers of the steps.
pub fn free_runs<V: ReplayedVehicle>(
    drive: &Drive<V>,
    whole: &Trace,
    length_scale: f64,
) -> Result<Vec<(f32, FreeRunReport)>> {
    let frame = drive.coordinates().frame;
    let axis = |axis: Vec3| axis.to_array().map(f64::from);
    let axes = Axes {
        longitudinal: axis(frame.longitudinal()),
        lateral: axis(frame.lateral()),
        vertical: axis(frame.vertical()),
    };
    let run = |start: Row<'_>| {
        let report = free_run(drive, start, &axes, length_scale);
        let report = report.with_context(|| format!("run from step {}", start.step()))?;
        Ok((start.step(), report))
    };
    motion::starts(whole).into_iter().map(run).collect()
}

fn free_run<V: ReplayedVehicle>(
    drive: &Drive<V>,
    start: Row<'_>,
    axes: &Axes,
    length_scale: f64,
) -> Result<FreeRunReport> {
    let recorded = motion::window(start, DURATION)?;
    let reference: Vec<_> =
        recorded.iter().map(|&row| motion::sample(row, axes)).collect::<Result<_>>()?;
    let rows = motion::window(start, DURATION + LEAD)?;
    let steps = &rows[1..];
    let lead = (LEAD / f64::from(rows[rows.len() - 1].get("dt")?)).ceil() as usize;
    let count = recorded.len() - 1 + lead;
    let run = drive.run(start, steps, count, None, axes)?;
    let ensemble: Vec<_> = (0..MEMBERS)
        .map(|member| drive.run(start, steps, count, Some(member), axes))
        .collect::<Result<_>>()?;
    free_run::judge(&reference, &run, &ensemble, length_scale)
}
