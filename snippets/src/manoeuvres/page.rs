//! The page about several vehicles in several manoeuvres.

use anyhow::Result;

use super::comparison::Comparison;
use super::scenario::{Manoeuvre, Steer};
use crate::report::{Chart, Phase, Report, Series};

/// A report on all comparisons: for each, a table of its figures and a chart of each channel, with
/// a line for each vehicle.
///
/// # Errors
///
/// If a channel is missing.
pub fn report(title: &str, description: &str, comparisons: &[Comparison]) -> Result<Report> {
    let runs: usize = comparisons.iter().map(|each| each.runs().count()).sum();
    let mut report = Report::new(title, description)
        .summary("manoeuvres", comparisons.len(), "")
        .summary("runs", runs, "");
    for comparison in comparisons {
        report = with_comparison(report, comparison)?;
    }
    if let [comparison] = comparisons
        && let [(label, run)] = comparison.runs().collect::<Vec<_>>()[..]
    {
        for (figure, (name, prefix)) in
            run.figures.iter().zip([(label, ""), ("trailer", "trailer ")])
        {
            report = report.moving(figure.moving(name, &run.telemetry, prefix)?);
        }
        let phase = |phase: &super::DrivenPhase| Phase {
            start: phase.start,
            end: phase.end,
            name: phase.name.clone(),
        };
        report = report.phases(run.phases.iter().map(phase));
    }
    Ok(report)
}

fn with_comparison(report: Report, comparison: &Comparison) -> Result<Report> {
    let Manoeuvre { title, description, source, figures, channels, .. } =
        &comparison.named.manoeuvre;
    let mut table = comparison.table();
    let definitions: Vec<String> = figures
        .iter()
        .filter(|figure| !figure.definition.is_empty())
        .map(|figure| format!("{}: {}", figure.name, figure.definition))
        .collect();
    let definitions = definitions.join("; ");
    let notes = [description.clone(), source.clone(), definitions];
    table.notes.extend(notes.into_iter().filter(|note| !note.is_empty()));
    table.notes.extend(comparison.remarks());
    let mut report = report.table(table);
    if comparison.runs().count() == 0 {
        return Ok(report);
    }
    if is_steered(&comparison.named.manoeuvre) {
        report = report.chart(path(title, comparison)?);
    }
    for channel in channels {
        report = report.chart(chart(title, channel, comparison)?);
    }
    Ok(report)
}

/// Whether the driver turns, so that the path is worth a look.
fn is_steered(manoeuvre: &Manoeuvre) -> bool {
    let turns = |steer: &Steer| !matches!(steer, Steer::Straight | Steer::Hold);
    manoeuvre.phases.iter().any(|phase| turns(&phase.steer))
}

/// The paths from above: forward is up, left is to the left.
fn path(title: &str, comparison: &Comparison) -> Result<Chart> {
    let title = format!("{title}: path from above");
    let mut chart = Chart::from_above(title, "to the right (m)", "forward (m)");
    for (label, run) in comparison.runs() {
        let (aside, ahead) = (run.telemetry.column("aside")?, run.telemetry.column("ahead")?);
        let points = aside.iter().map(|aside| -aside).zip(ahead.iter().copied());
        chart = chart.series(Series::new(label, points));
    }
    Ok(chart)
}

fn chart(title: &str, channel: &str, comparison: &Comparison) -> Result<Chart> {
    let of_runs = || comparison.runs().flat_map(|(_, run)| run.telemetry.channels());
    let label = of_runs().find(|each| each.name == channel);
    let label = label.map_or_else(|| channel.to_owned(), crate::telemetry::Channel::label);
    let mut chart = Chart::over_time(format!("{title}: {channel}"), label);
    for (name, run) in comparison.runs() {
        chart = chart.series(Series::over_time(name, &run.telemetry, channel)?);
    }
    Ok(chart)
}
