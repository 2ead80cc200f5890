//! Our vehicles against whole recorded drives of the reference implementation, without a physics
//! engine.
//!
//! Each recorded step is repeated from the recorded state before it; then ours runs freely for two
//! seconds, from the first row and from the first driving command. `VEHICLE_TRACES_DIR` names
//! another folder of files of the same format. `--nocapture` shows a line per file.

mod replay;
mod support;

use anyhow::{Context, Result, ensure};
use replay::drive::Drive;
use replay::row;
use support::free_run::{self, DURATION, LEAD, MEMBERS};
use support::motion::{self, Axes};
use support::one_step::OneStepJudge;
use support::scenarios::{self, Scenario, TraceKind};
use support::traces::{Row, Trace};

#[test]
fn our_vehicles_repeat_the_recorded_drives() -> Result<()> {
    let found = scenarios::find(&scenarios::folder())?;
    let mut failures = found.incomplete.clone();
    let mut skipped = Vec::new();
    for scenario in &found.complete {
        if scenario.kind() != TraceKind::DirectDrive {
            skipped.push(scenario.name.as_str());
            continue;
        }
        match replay(scenario) {
            Ok(true) => {}
            Ok(false) => failures.push(format!("{}: see above", scenario.name)),
            Err(error) => failures.push(format!("{}: {error:#}", scenario.name)),
        }
    }
    println!("skipped, no reader: {}", skipped.join(", "));
    ensure!(failures.is_empty(), "failed:\n{}", failures.join("\n"));
    Ok(())
}

/// Replays one drive; whether it stayed within all bounds.
fn replay(scenario: &Scenario) -> Result<bool> {
    let drive = Drive::new(scenario)?;
    let length_scale = scenario.length_scale()?;
    let table = scenario.table()?;
    let mut has_passed = single_steps(&drive, &table, length_scale)?;
    if let Some(whole) = scenario.whole()? {
        if !table.is_whole() {
            has_passed &= single_steps(&drive, &whole, length_scale)?;
        }
        let axes = Axes::from_parameters(&scenario.parameters)?;
        for start in motion::starts(&whole) {
            let report = free_run(&drive, start, &axes, length_scale)
                .with_context(|| format!("run from step {}", start.step()))?;
            println!("{} from step {}: {report}", scenario.name, start.step());
            has_passed &= report.passed();
        }
    }
    Ok(has_passed)
}

fn single_steps(drive: &Drive, trace: &Trace, length_scale: f64) -> Result<bool> {
    let mut judge = OneStepJudge::new(trace, length_scale);
    for (before, after) in trace.pairs() {
        let mut vehicle = drive.vehicle_at(before)?;
        drive.step(&mut vehicle, after)?;
        row::compare(&mut judge, &vehicle, after);
    }
    let report = judge.finish();
    println!("{report}");
    Ok(report.passed())
}

fn free_run(
    drive: &Drive,
    start: Row<'_>,
    axes: &Axes,
    length_scale: f64,
) -> Result<free_run::FreeRunReport> {
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
