//! A Ford Escort, a BMW 320i and a VW Vanagon, as CommonRoad's multi-body model drives them.
//!
//! There the axles are rigid, with roll centers on the ground, and pins and tires give way to the
//! side; here wheels are independent, and nothing gives way. So a car rolls more at first. The pins
//! do it, since beam axles in place of the independent wheels change no roll by more than 0.1 % in
//! the steps and ramps without throttle. They do not stand in the files because wheels there lean
//! with the body and by their own jounce, which no rigid axle does.
//!
//! And there a car that rolls does not move over its contacts. Here it does, outwards: a force that
//! drives has an arm, and turns it out of the bend. At 7.5 m/s² and a drive of 2 m/s², the same
//! moment in the package takes 1.6 to 1.7 % of its yaw rate, about half of the difference.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::drive::{Rate, at, drive};
use super::row::{EvidenceRow, Rows};

const SOURCE: &str = "CommonRoad vehicle models 3.0.2, multi-body car (BSD 3-Clause, TU Munich)";
const EXPECTED: &str = include_str!("../../evidence/commonroad.json");

const CARS: [(&str, &str); 3] =
    [("ford_escort", "Ford Escort"), ("bmw_320i", "BMW 320i"), ("vw_vanagon", "VW Vanagon")];
const CASES: [Case; 6] = [
    Case::new("step_steer_10", "step steer at 10 m/s"),
    Case::new("step_steer_20", "step steer at 20 m/s"),
    Case::new("ramp_steer", "ramp steer at 15 m/s"),
    Case {
        yaw_rate: Some(0.05),
        roll: 0.08,
        ..Case::new("ramp_and_throttle", "ramp steer and throttle at 15 m/s")
    },
    Case { yaw_rate: None, ..Case::new("braking", "braking from 20 m/s") },
    Case { yaw_rate: None, ..Case::new("accelerating", "accelerating from 10 m/s") },
];

/// A manoeuvre.
struct Case {
    file: &'static str,
    title: &'static str,
    /// Bound of the yaw rate (dimensionless); none straight on.
    yaw_rate: Option<f64>,
    /// Bound of the roll at the end (dimensionless).
    roll: f64,
}

impl Case {
    const fn new(file: &'static str, title: &'static str) -> Self {
        Self { file, title, yaw_rate: Some(0.02), roll: 0.06 }
    }
}

/// How far from its place the car may be, by the path; bounds of the speed and of the largest roll
/// (dimensionless).
const PLACE: f64 = 0.015;
const SPEED: f64 = 0.01;
const LARGEST_ROLL: f64 = 0.15;

/// What the package says, as `commonroad.py` has written it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    #[serde(rename = "source")]
    _source: String,
    columns: Vec<String>,
    /// Rows of each case of each car.
    cars: BTreeMap<String, Cases>,
}

type Cases = BTreeMap<String, Vec<[f64; CHANNELS.len() + 1]>>;

/// Channels of the columns behind the time.
const CHANNELS: [&str; 5] = ["ahead", "aside", "speed", "yaw rate", "roll"];

/// What the package says beside what ours does, at 1,000 steps per second and at 60 with three
/// substeps.
pub(super) fn rows() -> Result<Vec<EvidenceRow>> {
    let expected: Expected = serde_json::from_str(EXPECTED)?;
    let names: Vec<_> = expected.columns.iter().map(|column| before_unit(column)).collect();
    anyhow::ensure!(names[1..] == CHANNELS, "other columns: {names:?}");
    let mut all = Vec::new();
    for (car, title) in CARS {
        for case in &CASES {
            let rows = expected.cars.get(car).and_then(|cases| cases.get(case.file));
            let rows = rows.with_context(|| format!("no {} of {car}", case.file))?;
            for rate in [Rate { steps: 1_000, substeps: 1 }, Rate::USUAL] {
                let subject = format!("{title}, {}, {}", case.title, rate.name());
                all.extend(compare(subject, car, case, rows, rate)?);
            }
        }
    }
    Ok(all)
}

fn before_unit(column: &str) -> &str {
    column.split(" (").next().unwrap_or_default()
}

fn compare(
    subject: String,
    car: &str,
    case: &Case,
    expected: &[[f64; CHANNELS.len() + 1]],
    rate: Rate,
) -> Result<Vec<EvidenceRow>> {
    let run = drive(car, &format!("commonroad_{}", case.file), rate)?;
    let times: Vec<f64> = expected.iter().map(|row| row[0]).collect();
    let ours = at(&run, CHANNELS, &times)?;
    anyhow::ensure!(ours.len() == expected.len(), "{subject}: it ends before {times:?}");
    let published: Vec<[f64; 2]> = expected.iter().map(|row| [row[1], row[2]]).collect();
    let places: Vec<[f64; 2]> = ours.iter().map(|row| [row[0], row[1]]).collect();
    let steps = published.windows(2).map(|pair| distance(&pair[0], &pair[1]));
    let path: f64 = steps.sum();

    let mut rows = Rows::new(subject, SOURCE);
    rows.places([&published, &places], path, PLACE);
    let last = |index: usize| {
        let [theirs, ours] =
            [expected.last().map(|row| row[index + 1]), ours.last().map(|row| row[index])];
        [theirs.unwrap_or(f64::NAN), ours.unwrap_or(f64::NAN)]
    };
    let largest = |index: usize| {
        let theirs = expected.iter().map(|row| row[index + 1]).fold(0.0, larger);
        [theirs, ours.iter().map(|row| row[index]).fold(0.0, larger)]
    };
    rows.number("speed at the end", "m/s", last(2), SPEED);
    if let Some(bound) = case.yaw_rate {
        rows.number("yaw rate at the end", "rad/s", last(3), bound);
        rows.number("largest yaw rate", "rad/s", largest(3), bound);
        rows.number("roll at the end", "rad", last(4), case.roll);
        rows.number("largest roll", "rad", largest(4), LARGEST_ROLL);
    }
    Ok(rows.rows)
}

fn distance(one: &[f64; 2], other: &[f64; 2]) -> f64 {
    (one[0] - other[0]).hypot(one[1] - other[1])
}

/// The one of two that is larger, either way.
fn larger(one: f64, other: f64) -> f64 {
    if one.abs() < other.abs() { other } else { one }
}
