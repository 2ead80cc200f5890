//! The report of the trials: the three models side by side, and what the library does otherwise.

use anyhow::{Context, Result};
use rapier3d::prelude::*;

use super::levels::Level;
use super::otherwise::{
    RAISED, ROLL_CENTER, kerb_of, kerb_on_wheels_with_mass, lean_of_rows, lean_on_roll_centers,
};
use super::trial::{DT, QUANTITIES, Run, Runner, Trial, run};
use crate::report::{Chart, LineShape, Phase, Report, Table, fixed};
use crate::telemetry::{Channel, Telemetry};

/// Name of the channel of a `quantity` of a `runner`.
fn channel(quantity: &str, runner: Runner) -> String {
    format!("{quantity}, {}", runner.name())
}

/// All trials.
#[derive(Clone, Debug, PartialEq)]
pub struct Trials {
    /// The trials one after the other, the models side by side.
    pub telemetry: Telemetry,
    /// Time of a step of each runner, the world's included, in the slide: the median (s).
    times: [f64; Runner::ALL.len()],
}

/// What came of a trial of a runner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// How far the car is from where it was, and to the left of it (m).
    pub gone: f64,
    /// How far it is to the left (m).
    pub aside: f64,
    /// Speed at the end (m/s).
    pub speed: f64,
    /// By how much it has turned (rad).
    pub heading: f64,
    /// Largest vertical acceleration over a step (m/s²).
    pub peak: f64,
}

/// Runs all trials; calls `after_step` after every step.
///
/// # Errors
///
/// If a step fails.
pub fn record(mut after_step: impl FnMut()) -> Result<Trials> {
    let channels = Runner::ALL.into_iter().flat_map(|runner| {
        QUANTITIES.map(|(quantity, unit)| Channel::new(channel(quantity, runner), unit))
    });
    let mut telemetry = Telemetry::new(std::iter::once(Channel::new("time", "s")).chain(channels))?;
    let mut times = [0.0; Runner::ALL.len()];
    for trial in Trial::ALL {
        let runs: Result<Vec<Run>> =
            Runner::ALL.into_iter().map(|runner| run(trial, runner, &mut after_step)).collect();
        let runs = runs?;
        for step in 0..trial.steps() {
            let time = f64::from(DT) * (telemetry.len() + 1) as f64;
            let samples = runs.iter().flat_map(|run| run.samples[step]);
            let row: Vec<f64> = std::iter::once(time).chain(samples).collect();
            telemetry.push(&row)?;
        }
        if trial == Trial::Slide {
            for (time, run) in times.iter_mut().zip(&runs) {
                *time = median(&run.times);
            }
        }
    }
    Ok(Trials { telemetry, times })
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

impl Trials {
    fn steps(trial: Trial) -> std::ops::Range<usize> {
        let before = Trial::ALL.into_iter().take_while(|other| *other != trial);
        let start = before.map(Trial::steps).sum();
        start..start + trial.steps()
    }

    /// What came of a `trial` of a `runner`.
    ///
    /// # Errors
    ///
    /// If a channel is missing.
    pub fn outcome(&self, trial: Trial, runner: Runner) -> Result<Outcome> {
        let column = |quantity: &str| {
            let values = self.telemetry.column(&channel(quantity, runner))?;
            anyhow::Ok(&values[Self::steps(trial)])
        };
        let last =
            |quantity: &str| column(quantity)?.last().copied().context("nothing has been recorded");
        let (ahead, aside) = (last("way")?, last("way to the left")?);
        let accelerations = column("vertical acceleration")?;
        Ok(Outcome {
            gone: ahead.hypot(aside),
            aside,
            speed: last("speed")?,
            heading: last("heading")?,
            peak: accelerations.iter().map(|value| value.abs()).fold(0.0, f64::max),
        })
    }

    /// Figures of each trial, the models side by side.
    ///
    /// # Errors
    ///
    /// If a channel is missing.
    pub fn table(&self) -> Result<Table> {
        type Figure = fn(&Outcome) -> String;
        let rows: [(&str, Trial, Figure); 8] = [
            ("at rest: moved (mm)", Trial::Rest, |it| format!("{:.3}", 1e3 * it.gone)),
            ("on a hill: moved in 10 s (mm)", Trial::Hill, |it| format!("{:.3}", 1e3 * it.gone)),
            ("over a kerb: peak up or down (m/s²)", Trial::Kerb, |it| format!("{:.1}", it.peak)),
            ("over a kerb: speed of 5 m/s (m/s)", Trial::Kerb, |it| format!("{:.2}", it.speed)),
            ("in a slide: turned (degrees)", Trial::Slide, |it| {
                format!("{:.0}", it.heading.to_degrees())
            }),
            ("in a slide: from start to end (m)", Trial::Slide, |it| format!("{:.1}", it.gone)),
            ("hit at a wheel: pushed to the right (cm)", Trial::Hit, |it| {
                fixed(-1e2 * it.aside, 2)
            }),
            ("hit at a wheel: turned (degrees)", Trial::Hit, |it| {
                fixed(it.heading.to_degrees(), 2)
            }),
        ];
        let row = |&(name, trial, figure): &(&str, Trial, Figure)| -> Result<Vec<String>> {
            let mut row = vec![name.to_owned()];
            for runner in Runner::ALL {
                row.push(figure(&self.outcome(trial, runner)?));
            }
            Ok(row)
        };
        let names = Runner::ALL.into_iter().map(|runner| runner.name().to_owned());
        Ok(Table {
            title: "Trials".to_owned(),
            notes: vec![
                "The car that changes is one of wheels that are bodies below 20 m, one by forces below 40 m, and \
                 one by constraints beyond: who looks at it comes and goes three times in each trial."
                    .to_owned(),
            ],
            header: std::iter::once(String::new()).chain(names).collect(),
            rows: rows.iter().map(row).collect::<Result<_>>()?,
        })
    }

    /// What the models cost.
    fn costs(&self) -> Table {
        let of_forces = self.times[1];
        let row = |(runner, time): (Runner, f64)| {
            vec![runner.name().to_owned(), format!("{:.1}", time / of_forces)]
        };
        Table {
            title: "Costs".to_owned(),
            notes: vec![
                "Time of a step in the slide with that of the world, over that of the car by forces: medians on \
                 this machine. The rows are written for reading, in double precision; the library's vehicle is \
                 not."
                    .to_owned(),
            ],
            header: vec!["model".to_owned(), "time".to_owned()],
            rows: Runner::ALL.into_iter().zip(self.times).map(row).collect(),
        }
    }

    /// The page about the trials.
    ///
    /// # Errors
    ///
    /// If a channel is missing, or a step of a comparison fails.
    pub fn report(&self, title: &str, description: &str) -> Result<Report> {
        let phases = Trial::ALL.into_iter().map(|trial| {
            let steps = Self::steps(trial);
            let [start, end] = [steps.start, steps.end].map(|step| f64::from(DT) * step as f64);
            Phase { start, end, name: trial.name().to_owned() }
        });
        let mut report = Report::new(title, description)
            .phases(phases)
            .table(self.table()?)
            .table(self.costs())
            .table(otherwise()?);
        for (quantity, unit) in QUANTITIES {
            let mut name = quantity.to_owned();
            name[..1].make_ascii_uppercase();
            let label =
                if unit.is_empty() { quantity.to_owned() } else { format!("{quantity} ({unit})") };
            let lines =
                Runner::ALL.map(|runner| (runner.name().to_owned(), channel(quantity, runner)));
            let chart = Chart::over_time(name, label);
            report = report.chart(chart.channels(&self.telemetry, lines, LineShape::Straight)?);
        }
        Ok(report)
    }
}

/// What the library does otherwise, measured.
///
/// # Errors
///
/// If a step fails.
pub fn otherwise() -> Result<Table> {
    let lean = |name: String, lean: super::otherwise::Lean| {
        let degrees = 9.81 * lean.roll.to_degrees();
        vec![name, format!("{degrees:.1} degrees/g"), format!("{:.2}", lean.transfer)]
    };
    let kerb =
        |name: &str, peak: f64| vec![name.to_owned(), format!("{peak:.1} m/s²"), String::new()];
    let low: Real = 0.05;
    let rows = vec![
        lean("rows, side force at the road".to_owned(), lean_of_rows(1.0)?),
        lean(format!("rows, side force at {RAISED} of its depth"), lean_of_rows(RAISED)?),
        lean(format!("roll centers at {low} m"), lean_on_roll_centers(low)?),
        lean(format!("roll centers at {ROLL_CENTER} m"), lean_on_roll_centers(ROLL_CENTER)?),
        kerb("kerb: rows", kerb_of(Level::Constraints)?),
        kerb("kerb: forces, wheels without mass", kerb_of(Level::Forces)?),
        kerb("kerb: wheels that are bodies", kerb_of(Level::RigidWheels)?),
        kerb("kerb: wheels with mass, lifted", kerb_on_wheels_with_mass(false)?),
        kerb("kerb: wheels with mass that yield", kerb_on_wheels_with_mass(true)?),
    ];
    let notes = [
        "Roll in a bend of some 0.4 g, and the load that goes to the outer wheels over what the height of the \
         center of mass asks for: a raised side force takes it away, roll centers do not.",
        "Peak vertical acceleration of the body over a kerb of 10 cm at 5 m/s.",
    ];
    Ok(Table {
        title: "What the library does otherwise".to_owned(),
        notes: notes.map(str::to_owned).into(),
        header: ["", "roll, or peak", "load transfer"].map(str::to_owned).into(),
        rows,
    })
}
