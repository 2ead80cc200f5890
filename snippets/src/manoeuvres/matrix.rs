//! A page in Markdown: all vehicles in all manoeuvres, beside what is usual for their class.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::Result;

use super::bands::{Usual, usual};
use super::comparison::{Comparison, rounded};
use super::figure::FigureSource;
use super::run::Run;

/// Figures from which on each has a row and not a column.
const MANY: usize = 9;

/// Why a figure of a preset is not what is usual for its class: manoeuvre, figure, preset, reason.
type Explained = (&'static str, &'static str, &'static str, &'static str);
const EXPLAINED: [Explained; 6] = [
    ("acceleration", "0 to 100", "gt", PEDAL),
    ("acceleration", "0 to 100", "kart", PEDAL),
    ("acceleration", "100 to 0", "kart", FOOT),
    ("acceleration", "100 to 0", "sports_car", FOOT),
    ("constant_radius", "largest lateral", "rc_car", CIRCLE),
    ("constant_radius", "largest lateral", "pick_up", EDGE),
];
const PEDAL: &str = "The driver's foot gives way as wheels spin, and finds the best pedal on the way. With the best \
    constant pedal it is within the range, see its [data sheet](vehicles/README.md).";
const FOOT: &str = "The way counts from the moment of 100 km/h, with the time that the foot takes from one pedal to the \
    other. The foot gives way as wheels lock. With the best constant pedal it is within the range, see its \
    [data sheet](vehicles/README.md).";
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
        for (label, run) in comparison.runs() {
            let figures = named.manoeuvre.figures.iter();
            outside.extend(figures.filter_map(|it| of_figure(&named.name, it, label, run)));
        }
    }
    outside
}

fn of_figure(manoeuvre: &str, figure: &FigureSource, label: &str, run: &Run) -> Option<Outside> {
    let usual = usual(manoeuvre, &figure.name, label)?;
    let value = run.shown(figure)?;
    let [low, high] = usual.range;
    if (low..=high).contains(&value) {
        return None;
    }
    let explained = EXPLAINED.iter().find(|(of, name, preset, _)| {
        *of == manoeuvre && figure.name.starts_with(name) && *preset == label
    });
    let reason = explained.map(|explained| explained.3);
    let names = [manoeuvre, &figure.name, label].map(str::to_owned);
    Some(Outside { names, usual, value, reason })
}

/// The page.
///
/// # Errors
///
/// If it cannot be written.
pub fn page(comparisons: &[Comparison]) -> Result<String> {
    let mut page = String::from(
        "# Figures of manoeuvres\n\nMake this page anew:\n\n```sh\ncargo run --release -p snippets --bin manoeuvre -- \
         --vehicle all --table docs/manoeuvre_figures.md\n```\n\nAll presets drive all [ready manoeuvres](manoeuvres.md) \
         that are for them, at 60 steps per second. A range in brackets is usual for the class of the vehicle. A figure \
         in bold is out of its range.\n",
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
    let runs: Vec<(&str, &Run)> = comparison.runs().collect();
    let head = |figure: &FigureSource| match figure.unit.as_str() {
        "" => figure.name.clone(),
        unit => format!("{} ({unit})", figure.name),
    };
    let mut columns = vec![manoeuvre.figures.iter().map(head).collect::<Vec<_>>()];
    for (label, run) in &runs {
        let mut cell = |figure: &FigureSource| {
            let Some(value) = run.shown(figure) else { return "–".to_owned() };
            let Some(usual) = usual(&comparison.named.name, &figure.name, label) else {
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
    let labels: Vec<String> = runs.iter().map(|(label, _)| (*label).to_owned()).collect();
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
