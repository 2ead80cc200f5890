//! The rides of the program `ride`: the same car over each obstacle at several rates, beside the
//! fine solution.

use std::fmt;

use anyhow::{Result, anyhow};
use rapier3d::prelude::*;
use vehicle_rapier::RoadQueryShape;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::diagnosis::modes::QuarterCar;

use super::shaker::{Shaken, ShakerRig};
use super::trial::{RideFigures, RideMeter, Trial, WINDOW};
use super::{Profile, RideCar};
use crate::report::{Chart, LineShape, Report, Series, Table};
use crate::telemetry::{Channel, Telemetry};

/// Steps per second of the rides that are compared, with three substeps each.
pub const RATES: [Real; 3] = [60.0, 120.0, 240.0];
/// Steps per second of the fine solution, without substeps.
pub const FINE: Real = 2_400.0;
/// Frequencies of the shaker rig (Hz).
const FREQUENCIES: [Real; 16] =
    [0.6, 0.9, 1.2, 1.4, 1.7, 2.2, 3.0, 4.0, 5.5, 7.0, 8.5, 10.0, 12.0, 14.0, 17.0, 20.0];
/// Time for which a ride is recorded (s).
const DURATION: Real = 3.0;

/// What the car goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A bump of 8 cm and 0.6 m at 50 km/h.
    Bump,
    /// A kerb of 10 cm at 50 km/h, swept by the wheels.
    Kerb,
    /// Waves of 2 cm height and 3 m length at 80 km/h.
    Washboard,
    /// Four holes, 6 cm deep and 0.8 m long, at 50 km/h.
    Potholes,
    /// A fall from 0.5 m above rest.
    Drop,
}

impl Obstacle {
    /// All, in the order of the report.
    pub const ALL: [Self; 5] =
        [Self::Bump, Self::Kerb, Self::Washboard, Self::Potholes, Self::Drop];

    /// The ride of `car` at `rate` steps per second.
    ///
    /// # Errors
    ///
    /// None with the cars as they are.
    pub fn trial(self, car: &RideCar, rate: Real) -> Result<Trial> {
        let (profile, speed) = match self {
            Self::Bump => (Profile::Bump { height: 0.08, length: 0.6 }, 50.0),
            Self::Kerb => (Profile::Kerb { height: 0.1 }, 50.0),
            Self::Washboard => (Profile::Washboard { amplitude: 0.01, wave_length: 3.0 }, 80.0),
            Self::Potholes => {
                (Profile::Potholes { depth: 0.06, length: 0.8, period: 4.0, count: 4 }, 50.0)
            }
            Self::Drop => (Profile::Hill { slope: 0.0 }, 0.0),
        };
        let usual = Trial::new(car.mechanics()?, profile, speed / 3.6);
        let shape = if self == Self::Kerb { RoadQueryShape::Cylinder } else { RoadQueryShape::Ray };
        let drop = if self == Self::Drop { 0.5 } else { 0.0 };
        let substeps = if rate < FINE { 3 } else { 1 };
        Ok(Trial { shape, drop, rate, substeps, ..usual })
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bump => "bump",
            Self::Kerb => "kerb",
            Self::Washboard => "washboard",
            Self::Potholes => "potholes",
            Self::Drop => "drop",
        })
    }
}

/// The name of a rate.
fn rate_name(rate: Real) -> String {
    if rate < FINE { format!("{rate} Hz") } else { "fine".to_owned() }
}

fn rates() -> impl Iterator<Item = Real> {
    RATES.into_iter().chain([FINE])
}

/// Number of runs of a recording.
pub fn run_count() -> usize {
    Obstacle::ALL.len() * (RATES.len() + 1) + 2 * FREQUENCIES.len()
}

/// All rides of a car.
#[derive(Clone, Debug)]
pub struct RideRecording {
    /// Accelerations over time, averaged over 1/60 s.
    pub telemetry: Telemetry,
    /// What is felt of each obstacle at each rate, the fine solution last.
    pub figures: Vec<(Obstacle, Vec<RideFigures>)>,
    /// Transmissibility at the body and at a wheel. They are those of the shaker rig at 60 Hz with
    /// all wheels shaken and with the front left one, and that of the quarter of a car.
    transmitted: [Series; 5],
    /// Frequency (Hz) and damping ratio of each swing: of the car, and as it is stepped at 60 Hz.
    modes: Vec<(&'static str, Vec<String>)>,
}

/// Rides of `car`; calls `after_run` after each.
///
/// # Errors
///
/// If a step fails.
pub fn record(car: &RideCar, mut after_run: impl FnMut()) -> Result<RideRecording> {
    let failed = |error: Box<dyn std::error::Error>| anyhow!("{error}");
    let (mut channels, mut columns) = (vec![Channel::new("time", "s")], Vec::new());
    let mut figures = Vec::new();
    let count = (DURATION / WINDOW).round() as usize;
    for obstacle in Obstacle::ALL {
        let mut of_rates = Vec::new();
        for rate in rates() {
            let trial = obstacle.trial(car, rate)?;
            let mut meter = RideMeter::new(rate);
            let steps = ((rate * WINDOW).round() as usize).max(1);
            let (mut column, mut speed, mut step) = (Vec::with_capacity(count), 0.0, 0);
            let tell = |moment: &super::Moment| {
                meter.add(moment);
                step += 1;
                if step % steps == 0 {
                    column.push(f64::from((moment.climb - speed) / WINDOW / GRAVITY));
                    speed = moment.climb;
                }
            };
            trial.drive(DURATION, tell).map_err(failed)?;
            channels.push(Channel::new(format!("{obstacle} {}", rate_name(rate)), "g"));
            columns.push(column);
            of_rates.push(meter.figures);
            after_run();
        }
        figures.push((obstacle, of_rates));
    }
    let mut telemetry = Telemetry::new(channels)?;
    for index in 0..count {
        let time = std::iter::once(f64::from(WINDOW) * (index + 1) as f64);
        let values = columns.iter().map(|column| column.get(index).copied().unwrap_or(f64::NAN));
        telemetry.push(&time.chain(values).collect::<Vec<_>>())?;
    }
    let mechanics = car.mechanics()?;
    let rig = |shaken| ShakerRig { mechanics: mechanics.clone(), shaken, rate: 60.0, substeps: 3 };
    let mut sweep = |shaken| {
        let rig = rig(shaken);
        let mut found = Vec::new();
        for frequency in FREQUENCIES {
            found.push((frequency, rig.transmitted(frequency).map_err(failed)?));
            after_run();
        }
        anyhow::Ok(found)
    };
    let (all, one) = (sweep(Shaken::All)?, sweep(Shaken::Wheel(1))?);
    let quarter =
        QuarterCar::of(&mechanics, 0, GRAVITY).ok_or_else(|| anyhow!("wheels with mass"))?;
    let exact = |part: usize| {
        let points = (6..=200).map(|tenth| 0.1 * tenth as Real);
        points.map(move |frequency| {
            (f64::from(frequency), f64::from(quarter.transmitted(frequency)[part]))
        })
    };
    let dotted =
        |name: &str, points: Vec<(f64, f64)>| Series::new(name, points).shaped(LineShape::Dotted);
    let of = |found: &[(Real, super::Transmitted)], pick: fn(&super::Transmitted) -> Real| {
        let point = |(frequency, found): &(Real, super::Transmitted)| {
            (f64::from(*frequency), f64::from(pick(found)))
        };
        found.iter().map(point).collect::<Vec<_>>()
    };
    let (own, stepped) = (quarter.modes(), quarter.modes_in_steps(1.0 / 180.0));
    let modes = [("body", own.body, stepped.body), ("hop of a wheel", own.hop, stepped.hop)]
        .into_iter()
        .map(|(what, own, stepped)| {
            let texts = [own, stepped].map(|mode| {
                [format!("{:.2}", mode.frequency), format!("{:.3}", mode.damping_ratio)]
            });
            (what, texts.concat())
        });
    Ok(RideRecording {
        telemetry,
        figures,
        transmitted: [
            Series::new("body, exact quarter car", exact(0)),
            Series::new("wheel, exact quarter car", exact(1)),
            dotted("body, all shaken", of(&all, |found| found.body)),
            dotted("wheel, all shaken", of(&all, |found| found.wheel)),
            dotted("wheel, shaken alone", of(&one, |found| found.wheel)),
        ],
        modes: modes.collect(),
    })
}

/// The report of the rides.
///
/// # Errors
///
/// If a channel is missing.
pub fn report(title: &str, description: &str, rides: &RideRecording) -> Result<Report> {
    let of_rates = |title: &str, text: fn(&RideFigures) -> String| {
        let cases = rides
            .figures
            .iter()
            .map(|(obstacle, figures)| (obstacle.to_string(), figures.iter().map(text).collect()));
        Table::of_cases(title, rates().map(rate_name), cases)
    };
    let peaks = of_rates("Peak of the vertical acceleration (g)", |it| format!("{:.2}", it.peak));
    let rises = of_rates("Rise of the body (cm)", |it| format!("{:.1}", 100.0 * it.rise));
    let modes = rides.modes.iter().map(|(what, texts)| ((*what).to_owned(), texts.clone()));
    let columns = ["frequency (Hz)", "damping ratio", "at 60 Hz (Hz)", "damping ratio at 60 Hz"];
    let modes = Table::of_cases("Swings of a quarter of the car", columns, modes);
    let report = Report::new(title, description);
    let mut report = [peaks, rises, modes].into_iter().fold(report, Report::table);
    for obstacle in Obstacle::ALL {
        let lines = rates().map(|rate| {
            let name = rate_name(rate);
            (name.clone(), format!("{obstacle} {name}"))
        });
        let title = match obstacle {
            Obstacle::Drop => "After the drop".to_owned(),
            _ => format!("Over the {obstacle}"),
        };
        let chart = Chart::over_time(title, "vertical acceleration (g)").channels(
            &rides.telemetry,
            lines,
            LineShape::Straight,
        )?;
        report = report.chart(chart);
    }
    let chart = Chart::over_x("Shaker rig", "frequency (Hz)", "movement per that of the road");
    let chart = rides.transmitted.iter().fold(chart, |chart, line| chart.series(line.clone()));
    Ok(report.chart(chart.reaching_y(0.0)))
}
