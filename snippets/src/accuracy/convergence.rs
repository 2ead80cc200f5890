//! Chapter of convergence: figures of manoeuvres by the length of the step.

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use super::check::{Chapter, Check, Compared, Section};
use super::page::{signed_percent, significant};
use crate::manoeuvres::{Manoeuvre, Outcome};
use crate::measurements::Setting;
use crate::report::{Chart, LineShape, Series};

/// The car that is driven.
const CAR: &str = "hot_hatch";
/// Manoeuvres that are driven.
const MANOEUVRES: [&str; 6] = [
    "braking",
    "step_steer",
    "sine_with_dwell",
    "double_lane_change",
    "power_off_in_turn",
    "on_centre_weave",
];
/// Steps per second, and substeps.
const RATES: [u32; 6] = [30, 60, 120, 240, 480, 960];
const SUBSTEPS: [u32; 4] = [1, 2, 3, 4];
/// The rate whose cost is told.
const USUAL: u32 = 60;
/// Part of a figure that the finest two steps may differ by, and the least that they may, in the
/// unit in which it is shown.
const CONVERGED: [f64; 2] = [0.01, 0.005];
/// Cost of usual steps that is told (dimensionless).
const TOLD: f64 = 0.02;
/// Figures below this count as none, in the unit in which they are shown.
const NONE: f64 = 0.01;
/// A peak of differences from step to step at the limit of the tires, which does not converge.
const PEAKS: [(&str, &str); 1] = [("braking", "largest deceleration")];
/// What makes figures depend on the step.
const CAUSES: &str = "The costs have these causes. Forces of tires are those of the start of a substep. So all motion \
    leads by up to half a substep: 4 ms at 60 steps of two. Where a response creeps to its 90 %, or a swing dies \
    away, this is a larger part of the figure than of the time. The driver of the lane change looks at the road once \
    in a frame, and holds the steering wheel through the frame. So he is half a frame later than one who steers all \
    the time. The measurement itself adds nothing. A steer angle counts from the middle of the frame for which it is \
    held, and velocities are those of the frame's end. Peaks and crossings lie between two samples.";
/// Lines of the picture: manoeuvre, figure, color.
const LINES: [(&str, &str, &str); 6] = [
    ("step_steer", "response time of yaw rate", "blue"),
    ("step_steer", "overshoot of yaw rate", "red"),
    ("sine_with_dwell", "largest side slip", "green"),
    ("double_lane_change", "largest lateral acceleration", "pink"),
    ("braking", "100 to 0 km/h", "light blue"),
    ("on_centre_weave", "phase of yaw rate", "orange"),
];

/// A figure by rate and substeps.
struct Figure {
    manoeuvre: &'static str,
    title: String,
    name: String,
    unit: String,
    /// In the order of the rates, by number of substeps.
    values: [[f64; RATES.len()]; SUBSTEPS.len()],
    /// At the usual rate, with the substeps of the vehicle's file.
    usual: f64,
}

impl Figure {
    /// What it comes to in steps of no length: the line through those of the finest two.
    fn limit(&self) -> f64 {
        let [.., finer, finest] = self.values[SUBSTEPS.len() - 1];
        2.0 * finest - finer
    }

    fn is_none(&self) -> bool {
        self.limit().abs() < NONE
    }

    fn is_peak(&self) -> bool {
        PEAKS.contains(&(self.manoeuvre, self.name.as_str()))
    }

    /// Deviation of a value from the limit (dimensionless).
    fn cost(&self, value: f64) -> f64 {
        value / self.limit() - 1.0
    }

    /// By which power of the step it changes, from 120 to 480 steps per second without substeps;
    /// `None` where it hardly changes.
    fn order(&self) -> Option<f64> {
        let [_, _, coarse, middle, fine, _] = self.values[0];
        let [first, second] = [coarse - middle, middle - fine].map(f64::abs);
        let least = 2e-4 * self.limit().abs();
        (least < first && 0.1 * least < second).then(|| (first / second).log2())
    }

    /// Whether the finest two steps agree, as an error over what is allowed.
    fn change(&self) -> f64 {
        let [.., finer, finest] = self.values[SUBSTEPS.len() - 1];
        let allowed = (CONVERGED[0] * self.limit().abs()).max(CONVERGED[1]);
        (finest - finer).abs() / allowed
    }
}

/// All figures of a manoeuvre.
fn figures(name: &'static str) -> Result<Vec<Figure>> {
    let manoeuvre = Manoeuvre::of_name(name)?;
    let shown = |rate: u32, substeps: Option<u32>| -> Result<Vec<f64>> {
        let setting = Setting { dt: 1.0 / rate as f32, substeps, ..Setting::default() };
        let run = match manoeuvre.drive(CAR, &setting)? {
            Outcome::Driven(run) => run,
            Outcome::NotForIt(why) => bail!("{name}: {why}"),
        };
        let value = |figure| run.shown(figure).context("it has not got there");
        manoeuvre.figures.iter().map(value).collect()
    };
    let runs: Vec<(u32, u32)> =
        SUBSTEPS.into_iter().flat_map(|count| RATES.map(|rate| (rate, count))).collect();
    let values: Vec<Vec<f64>> =
        runs.par_iter().map(|&(rate, count)| shown(rate, Some(count))).collect::<Result<_>>()?;
    let usual = shown(USUAL, None)?;
    let figure = |(index, source): (usize, &crate::manoeuvres::FigureSource)| Figure {
        manoeuvre: name,
        title: manoeuvre.title.clone(),
        name: source.name.clone(),
        unit: source.unit.clone(),
        values: std::array::from_fn(|count| {
            std::array::from_fn(|rate| values[count * RATES.len() + rate][index])
        }),
        usual: usual[index],
    };
    Ok(manoeuvre.figures.iter().enumerate().map(figure).collect())
}

/// Convergence in the step.
pub(super) fn chapter() -> Result<Chapter> {
    let figures: Vec<Vec<Figure>> = MANOEUVRES.into_iter().map(figures).collect::<Result<_>>()?;
    let all = || figures.iter().flatten();
    let checks = figures.iter().map(|own| check(own)).collect();
    let converging = Section {
        text: vec![format!(
            "The [hot hatch](vehicles/hot_hatch.md) in manoeuvres of road testers ([docs/manoeuvres.md](manoeuvres.md)) at \
             30, 60, 120, 240, 480 and 960 steps per second, each with one to four substeps. Figures have converged \
             if 480 and 960 steps of four substeps differ by no more than 1 %, or 0.005 of the unit."
        )],
        checks,
        ..Section::default()
    };
    let cost = Section {
        title: "What 60 steps per second cost".into(),
        text: vec![
            "*Limit* is the value of a figure in steps of no length. It lies on the straight line through the values \
                 at 480 and 960 steps of four substeps. *Usual* is 60 steps of as many substeps as the car takes by \
                 itself; its *cost* is the deviation from the limit. Other costs are without substeps. The *order* is \
                 the power of the step by which a figure changes from 120 to 480 steps without substeps. It should be \
                 1, because forces are taken at one end of a step."
                .into(),
            told(all()),
            CAUSES.into(),
        ],
        charts: vec![("convergence".into(), picture(all()), caption())],
        ..Section::default()
    };
    let tables = figures.iter().map(|own| Section {
        title: own.first().map_or_else(String::new, |figure| figure.title.clone()),
        table: table(own.iter()),
        ..Section::default()
    });
    Ok(Chapter {
        title: "Convergence in the step".into(),
        summary: "figures of manoeuvres in steps ever shorter".into(),
        sections: [converging, cost].into_iter().chain(tables).collect(),
    })
}

/// Whether the figures of a manoeuvre have converged.
fn check(figures: &[Figure]) -> Check {
    let counted = || figures.iter().filter(|figure| !figure.is_peak());
    let title = figures.first().map_or("", |figure| figure.title.as_str());
    Check {
        subject: format!("{title}: 480 and 960 steps of four substeps"),
        source: "each other".into(),
        compared: Compared::Many {
            cases: 2,
            numbers: counted().count(),
            worst: counted().map(Figure::change).fold(0.0, f64::max),
            faults: Vec::new(),
        },
    }
}

/// Which figures cost more than is told, in a sentence.
fn told<'a>(figures: impl Iterator<Item = &'a Figure>) -> String {
    let dear = figures.filter(|figure| {
        !figure.is_none() && !figure.is_peak() && TOLD < figure.cost(figure.usual).abs()
    });
    let names: Vec<String> = dear
        .map(|figure| {
            let cost = signed_percent(figure.cost(figure.usual));
            format!("- {} of *{}*: {cost}", figure.name, figure.title)
        })
        .collect();
    if names.is_empty() {
        return "None costs more than 2 %.".into();
    }
    format!(
        "These cost more than 2 %:\n\n{}\n\nThe largest deceleration of braking is a peak of differences from step to \
         step at the limit of the tires. It does not converge, and counts in no check.",
        names.join("\n")
    )
}

fn table<'a>(figures: impl Iterator<Item = &'a Figure>) -> Vec<Vec<String>> {
    let header = ["figure", "limit", "usual", "cost", "60 Hz", "120 Hz", "60 Hz × 4", "order"];
    let row = |figure: &Figure| {
        let cost = |value: f64| {
            if figure.is_none() { "–".into() } else { signed_percent(figure.cost(value)) }
        };
        let with_unit = |value: f64| format!("{} {}", significant(value, 4), figure.unit);
        let one = figure.values[0];
        let mut cells = vec![
            figure.name.clone(),
            with_unit(figure.limit()),
            with_unit(figure.usual),
            format!("**{}**", cost(figure.usual)),
        ];
        cells.extend([one[1], one[2], figure.values[3][1]].map(cost));
        let order = figure.order().filter(|_| !figure.is_none());
        cells.push(order.map_or_else(|| "–".into(), |order| format!("{order:.1}")));
        cells
    };
    std::iter::once(header.map(str::to_owned).to_vec()).chain(figures.map(row)).collect()
}

/// Costs by the length of the step, without substeps.
fn picture<'a>(figures: impl Iterator<Item = &'a Figure>) -> Chart {
    let figures: Vec<&Figure> = figures.collect();
    let chart = Chart::over_x(
        "Figures by the step, without substeps",
        "step (ms)",
        "deviation from the limit (%)",
    );
    LINES.iter().fold(chart, |chart, (manoeuvre, name, _)| {
        let figure = figures.iter().find(|it| it.manoeuvre == *manoeuvre && it.name == *name);
        let points = figure.into_iter().flat_map(|figure| {
            RATES
                .iter()
                .zip(figure.values[0])
                .map(|(rate, value)| (1e3 / f64::from(*rate), 100.0 * figure.cost(value)))
        });
        chart.series(Series::new(*name, points).shaped(LineShape::Dotted))
    })
}

fn caption() -> String {
    let lines = LINES.map(|(manoeuvre, name, color)| {
        format!("- {color}: {name}, {}", manoeuvre.replace('_', " "))
    });
    format!(
        "Straight lines to no deviation at no step are figures of first order.\n\n{}",
        lines.join("\n")
    )
}
