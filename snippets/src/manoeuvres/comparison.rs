//! Several vehicles in several manoeuvres: who drives what, and the table that it comes to.

use anyhow::{Context, Result};
use rayon::prelude::*;

use super::run::{Outcome, Run};
use super::scenario::Manoeuvre;
use crate::measurements::Setting;
use crate::report::Table;
use crate::telemetry::{Channel, Telemetry};

/// A vehicle in a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// What it is called in tables and charts.
    pub label: String,
    /// The preset, or the file of the vehicle.
    pub vehicle: String,
    /// Time step, substeps, and what wheels send down.
    pub setting: Setting,
}

/// A manoeuvre with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The ready name, or the file.
    pub name: String,
    /// The manoeuvre.
    pub manoeuvre: Manoeuvre,
}

/// All subjects in one manoeuvre.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The manoeuvre.
    pub named: Named,
    /// Each vehicle and setting, with its run or the reason why the manoeuvre is not for it.
    pub outcomes: Vec<(Subject, Outcome)>,
}

/// Number of vehicles from which on each has a row and not a column.
const MANY: usize = 5;
/// What a table has in place of a figure that there is not.
const NONE: &str = "-";
/// Times of which telemetry of several runs consists (s).
const SAMPLING: f64 = 0.05;
/// Channels of such telemetry, which every vehicle has.
const COMMON: [&str; 17] = [
    "phase",
    "ahead",
    "aside",
    "way",
    "turned",
    "speed",
    "yaw rate",
    "roll",
    "pitch",
    "side slip",
    "steer angle",
    "steer",
    "throttle",
    "brake",
    "longitudinal acceleration",
    "lateral acceleration",
    "vertical acceleration",
];

/// Checks that each subject can be driven through each manoeuvre that is one for it, without a
/// step.
///
/// # Errors
///
/// If there is no such vehicle, its file has faults, or it lacks a channel.
pub fn check(manoeuvres: &[Named], subjects: &[Subject]) -> Result<()> {
    for named in manoeuvres {
        for Subject { vehicle, setting, .. } in subjects {
            let checked = named.manoeuvre.check_for(vehicle, setting);
            checked.with_context(|| format!("--manoeuvre {} --vehicle {vehicle}", named.name))?;
        }
    }
    Ok(())
}

/// Drives each subject through each manoeuvre; calls `after_run` after each of them.
///
/// # Errors
///
/// The first error of a run, with its manoeuvre and vehicle.
pub fn compare(
    manoeuvres: &[Named],
    subjects: &[Subject],
    after_run: impl Fn() + Sync,
) -> Result<Vec<Comparison>> {
    let drive = |named: &Named, subject: &Subject| {
        let outcome = named.manoeuvre.drive(&subject.vehicle, &subject.setting);
        after_run();
        let outcome = outcome.with_context(|| format!("{}, {}", named.name, subject.label))?;
        Ok((subject.clone(), outcome))
    };
    let all = |named: &Named| {
        let outcomes = subjects.par_iter().map(|subject| drive(named, subject));
        let outcomes = outcomes.collect::<Result<Vec<_>>>()?;
        Ok(Comparison { named: named.clone(), outcomes })
    };
    manoeuvres.par_iter().map(all).collect()
}

impl Comparison {
    /// The runs, with the labels of their subjects.
    pub fn runs(&self) -> impl Iterator<Item = (&str, &Run)> {
        self.driven().map(|(subject, run)| (subject.label.as_str(), run))
    }

    /// The runs, with their subjects.
    pub fn driven(&self) -> impl Iterator<Item = (&Subject, &Run)> {
        self.outcomes.iter().filter_map(|(subject, outcome)| match outcome {
            Outcome::Driven(run) => Some((subject, run)),
            Outcome::NotForIt(_) => None,
        })
    }

    /// Remarks on runs that were cut short, on what their figures depend on, and on vehicles that
    /// do not take part. Vehicles with one reason share a remark.
    pub fn remarks(&self) -> Vec<String> {
        let mut reasons: Vec<((&str, &str), Vec<&str>)> = Vec::new();
        for (Subject { label, .. }, outcome) in &self.outcomes {
            let of_it: Vec<(&str, &str)> = match outcome {
                Outcome::Driven(run) => {
                    run.cut_short.iter().chain(&run.remarks).map(|why| ("", why.as_str())).collect()
                }
                Outcome::NotForIt(why) => vec![("not for ", why.as_str())],
            };
            for reason in of_it {
                match reasons.iter_mut().find(|(known, _)| *known == reason) {
                    Some((_, labels)) => labels.push(label),
                    None => reasons.push((reason, vec![label])),
                }
            }
        }
        let remark = |((start, why), labels): &(_, Vec<&str>)| {
            format!("{start}{}: {why}", labels.join(", "))
        };
        reasons.iter().map(remark).collect()
    }

    /// The figures of all subjects.
    pub fn table(&self) -> Table {
        let Manoeuvre { title, figures, .. } = &self.named.manoeuvre;
        let label = |name: &str, unit: &str| match unit {
            "" => name.to_owned(),
            _ => format!("{name} ({unit})"),
        };
        let names = figures.iter().map(|figure| label(&figure.name, &figure.unit));
        let runs: Vec<(&str, &Run)> = self.runs().collect();
        let mut columns = vec![names.collect::<Vec<_>>()];
        for (_, run) in &runs {
            let value = |figure| run.shown(figure).map_or_else(|| NONE.into(), rounded);
            columns.push(figures.iter().map(value).collect());
        }
        let labels = runs.iter().map(|(label, _)| (*label).to_owned());
        let header = std::iter::once(String::new()).chain(labels);
        let notes = Vec::new();
        let mut table =
            Table { title: title.clone(), notes, header: header.collect(), rows: Vec::new() };
        if MANY <= runs.len() {
            let mut rows = columns
                .into_iter()
                .zip(table.header)
                .map(|(column, label)| std::iter::once(label).chain(column).collect::<Vec<_>>());
            table.header = rows.next().unwrap_or_default();
            table.rows = rows.collect();
        } else if !runs.is_empty() {
            table.rows = transposed(&columns);
        }
        table
    }
}

fn transposed(columns: &[Vec<String>]) -> Vec<Vec<String>> {
    let count = columns.iter().map(Vec::len).min().unwrap_or(0);
    let row = |index: usize| columns.iter().map(|column| column[index].clone()).collect();
    (0..count).map(row).collect()
}

/// `value` with about three digits.
pub fn rounded(value: f64) -> String {
    let digits = match value.abs() {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        _ => 3,
    };
    let text = format!("{value:.digits$}");
    let is_zero = text.chars().all(|letter| "-0.".contains(letter));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// Telemetry of all runs, one below the other: a number for each run, and the channels that every
/// vehicle has, 20 times per second.
///
/// # Errors
///
/// If a channel is missing.
pub fn telemetry(comparisons: &[Comparison]) -> Result<Telemetry> {
    let names = COMMON.map(str::to_owned);
    let mut all: Option<Telemetry> = None;
    for (number, (_, run)) in comparisons.iter().flat_map(Comparison::runs).enumerate() {
        let sampled = run.output(&names, &super::Output::Interval(SAMPLING))?;
        let columns = names.iter().map(|name| sampled.column(name));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let table = match &mut all {
            Some(table) => table,
            None => {
                let mut channels = sampled.channels().to_vec();
                channels.insert(1, Channel::new("run", ""));
                all.insert(Telemetry::new(channels)?)
            }
        };
        for (index, time) in sampled.time().iter().enumerate() {
            let values = columns.iter().map(|column| column[index]);
            let row: Vec<f64> = [*time, (number + 1) as f64].into_iter().chain(values).collect();
            table.push(&row)?;
        }
    }
    all.context("none of the manoeuvres is one for any of the vehicles")
}

/// Rows of all figures: number of the run, manoeuvre, vehicle, figure, value, unit, definition.
pub fn figure_rows(comparisons: &[Comparison]) -> Vec<[String; 7]> {
    let mut rows = Vec::new();
    let runs = comparisons.iter().flat_map(|each| each.runs().map(move |run| (each, run)));
    for (number, (comparison, (label, run))) in runs.enumerate() {
        for figure in &comparison.named.manoeuvre.figures {
            let value = run.shown(figure).map_or_else(String::new, |value| value.to_string());
            rows.push([
                (number + 1).to_string(),
                comparison.named.name.clone(),
                label.to_owned(),
                figure.name.clone(),
                value,
                figure.unit.clone(),
                figure.definition.clone(),
            ]);
        }
    }
    rows
}
