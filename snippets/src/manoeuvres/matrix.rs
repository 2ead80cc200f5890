//! A page in Markdown: all vehicles in all manoeuvres, beside what is usual for their class.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::Result;

use super::bands::{Usual, usual};
use super::comparison::{Comparison, Subject, rounded};
use super::figure::FigureSource;
use super::ready::READY;
use super::run::Run;
use crate::presets;

/// Figures from which on each has a row and not a column.
const MANY: usize = 9;

/// Why a figure of a preset is not what is usual for its class: manoeuvre, figure, preset, reason.
type Explained = (&'static str, &'static str, &'static str, &'static str);
const EXPLAINED: [Explained; 3] = [
    ("acceleration", "0 to 100", "gt", PEDAL),
    ("constant_radius", "largest lateral", "rc_car", CIRCLE),
    ("constant_radius", "largest lateral", "pick_up", EDGE),
];
const PEDAL: &str = "Traction control gives way as wheels spin. With the best constant pedal it is within the range, \
    see its [data sheet](vehicles/README.md).";
const CIRCLE: &str = "In a circle of 100 m its top speed gives no more. The range is that of a circle of 3 m, see its \
    [data sheet](vehicles/README.md).";
const EDGE: &str = "Rounded, it is at the end of the range.";

/// A figure that is out of what is usual.
#[derive(Clone, Debug, PartialEq)]
pub struct Outside {
    /// The manoeuvre, the figure and the preset, by their names.
    pub names: [String; 3],
    /// What is usual.
    pub usual: Usual,
    /// The figure, in the unit of its name.
    pub value: f64,
    /// Why it is, if that is known.
    pub reason: Option<&'static str>,
}

/// Figures of runs by presets that are out of what is usual for their class.
pub fn outside(comparisons: &[Comparison]) -> Vec<Outside> {
    let mut outside = Vec::new();
    for comparison in comparisons {
        let named = &comparison.named;
        for (subject, run) in comparison.driven() {
            let figures = named.manoeuvre.figures.iter();
            outside.extend(figures.filter_map(|it| of_figure(&named.name, it, subject, run)));
        }
    }
    outside
}

fn of_figure(
    manoeuvre: &str,
    figure: &FigureSource,
    Subject { label, vehicle, .. }: &Subject,
    run: &Run,
) -> Option<Outside> {
    // A file beside the name of a preset is no preset.
    let usual = usual(manoeuvre, &figure.name, vehicle)?;
    let value = run.shown(figure)?;
    let [low, high] = usual.range;
    if (low..=high).contains(&value) {
        return None;
    }
    let explained = EXPLAINED.iter().find(|(of, name, preset, _)| {
        *of == manoeuvre && figure.name.starts_with(name) && *preset == vehicle
    });
    let reason = explained.map(|explained| explained.3);
    let names = [manoeuvre, &figure.name, label].map(str::to_owned);
    Some(Outside { names, usual, value, reason })
}

/// What the options of the program have been: which manoeuvres and vehicles, in which steps.
struct Asked<'a> {
    manoeuvres: Vec<&'a str>,
    vehicles: Vec<&'a str>,
    rates: Vec<String>,
    substeps: Option<u32>,
}

impl<'a> Asked<'a> {
    fn of(comparisons: &'a [Comparison]) -> Self {
        let manoeuvres = comparisons.iter().map(|each| each.named.name.as_str()).collect();
        let subjects = || comparisons.iter().flat_map(|each| &each.outcomes).map(|each| &each.0);
        let rate = |subject: &Subject| format!("{:.0}", 1.0 / subject.setting.dt);
        Self {
            manoeuvres,
            vehicles: unique(subjects().map(|subject| subject.vehicle.as_str())),
            rates: unique(subjects().map(rate)),
            substeps: subjects().next().and_then(|subject| subject.setting.substeps),
        }
    }

    fn is_all_ready(&self) -> bool {
        self.manoeuvres.iter().copied().eq(READY.iter().map(|ready| ready.name))
    }

    fn is_all_presets(&self) -> bool {
        self.vehicles == presets::driven()
    }

    /// The command that makes the page in this `file`.
    fn command(&self, file: &str) -> String {
        let mut command = "cargo run --release -p snippets --bin manoeuvre --".to_owned();
        let vehicles: &[&str] = if self.is_all_presets() { &["all"] } else { &self.vehicles };
        let mut add = |option: &str, values: &[&str]| {
            command.push_str(option);
            for value in values {
                let is_plain = |letter: char| letter.is_alphanumeric() || "+-_./,".contains(letter);
                let quote = if value.chars().all(is_plain) { "" } else { "'" };
                command.push_str(&format!(" {quote}{value}{quote}"));
            }
        };
        add(" --vehicle", vehicles);
        if !self.is_all_ready() {
            add(" --manoeuvre", &self.manoeuvres);
        }
        if self.rates != ["60"] {
            add(" --rate", &[&self.rates.join(",")]);
        }
        if let Some(substeps) = self.substeps {
            add(" --substeps", &[&substeps.to_string()]);
        }
        add(" --table", &[file]);
        command
    }

    /// Who drives what, and in which steps.
    fn sentence(&self) -> String {
        let code = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        let vehicles = if self.is_all_presets() {
            "All presets drive".to_owned()
        } else {
            let drive = if self.vehicles.len() == 1 { "drives" } else { "drive" };
            format!("{} {drive}", code(&self.vehicles))
        };
        let manoeuvres = if self.is_all_ready() {
            "all [ready manoeuvres](manoeuvres.md)".to_owned()
        } else {
            code(&self.manoeuvres)
        };
        let them = if self.vehicles.len() == 1 { "it" } else { "them" };
        let fit = if self.manoeuvres.len() == 1 { "if that is" } else { "that are" };
        let substeps = self.substeps.map_or(String::new(), |count| match count {
            1 => " and 1 substep each".to_owned(),
            _ => format!(" and {count} substeps each"),
        });
        let rates = self.rates.join(" and at ");
        format!("{vehicles} {manoeuvres} {fit} for {them}, at {rates} steps per second{substeps}.")
    }
}

/// Each of these values once, in their order.
fn unique<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    values.fold(Vec::new(), |mut unique, value| {
        if !unique.contains(&value) {
            unique.push(value);
        }
        unique
    })
}

/// The page, which will be in this `file`.
///
/// # Errors
///
/// If it cannot be written.
pub fn page(comparisons: &[Comparison], file: &str) -> Result<String> {
    let asked = Asked::of(comparisons);
    let (command, sentence) = (asked.command(file), asked.sentence());
    let mut page = format!(
        "# Figures of manoeuvres\n\nMake this page anew:\n\n```sh\n{command}\n```\n\n{sentence} A range in \
         brackets is usual for the class of the vehicle. A figure in bold is out of its range.\n"
    );
    let mut sources = BTreeSet::new();
    for comparison in comparisons {
        write_manoeuvre(&mut page, comparison, &mut sources)?;
    }
    page.push_str("\n## Outside the usual range\n\n");
    let outside = outside(comparisons);
    if outside.is_empty() {
        page.push_str("Nothing.\n");
    }
    for Outside { names: [manoeuvre, figure, label], usual, value, reason } in outside {
        let [low, high] = usual.range;
        let reason = reason.unwrap_or("The reason is open.");
        writeln!(
            page,
            "- `{label}`, {figure} in `{manoeuvre}`: {}, usual are {low} to {high}. {reason}",
            rounded(value)
        )?;
    }
    page.push_str("\n## Where ranges are from\n\n");
    for source in sources {
        writeln!(page, "- {source}.")?;
    }
    Ok(page)
}

fn write_manoeuvre(
    page: &mut String,
    comparison: &Comparison,
    sources: &mut BTreeSet<&'static str>,
) -> Result<()> {
    let manoeuvre = &comparison.named.manoeuvre;
    write!(
        page,
        "\n## {}\n\n`{}`: {}",
        manoeuvre.title, comparison.named.name, manoeuvre.description
    )?;
    page.push_str("\n\n");
    let runs: Vec<(&Subject, &Run)> = comparison.driven().collect();
    let head = |figure: &FigureSource| match figure.unit.as_str() {
        "" => figure.name.clone(),
        unit => format!("{} ({unit})", figure.name),
    };
    let mut columns = vec![manoeuvre.figures.iter().map(head).collect::<Vec<_>>()];
    for (Subject { vehicle, .. }, run) in &runs {
        let mut cell = |figure: &FigureSource| {
            let Some(value) = run.shown(figure) else { return "–".to_owned() };
            let Some(usual) = usual(&comparison.named.name, &figure.name, vehicle) else {
                return rounded(value);
            };
            sources.insert(usual.source);
            let [low, high] = usual.range;
            let shown = rounded(value);
            let is_usual = (low..=high).contains(&value);
            let shown = if is_usual { shown } else { format!("**{shown}**") };
            format!("{shown} ({low}–{high})")
        };
        columns.push(manoeuvre.figures.iter().map(&mut cell).collect());
    }
    let labels: Vec<String> = runs.iter().map(|(subject, _)| subject.label.clone()).collect();
    let mut rows: Vec<Vec<String>> = Vec::new();
    if columns[0].len() < MANY {
        for (label, column) in std::iter::once(String::new()).chain(labels).zip(columns) {
            rows.push(std::iter::once(label).chain(column).collect());
        }
    } else {
        rows.push(std::iter::once(String::new()).chain(labels).collect());
        rows.extend(
            (0..columns[0].len())
                .map(|row| columns.iter().map(|column| column[row].clone()).collect::<Vec<_>>()),
        );
    }
    for (index, row) in rows.iter().enumerate() {
        writeln!(page, "| {} |", row.join(" | "))?;
        if index == 0 {
            writeln!(page, "|{}", "---|".repeat(row.len()))?;
        }
    }
    for (index, remark) in comparison.remarks().iter().enumerate() {
        let gap = if index == 0 { "\n" } else { "" };
        writeln!(page, "{gap}- {remark}")?;
    }
    Ok(())
}
