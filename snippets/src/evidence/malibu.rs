//! A 2004 Chevrolet Malibu, as PC-Crash drove it: full steer and fishhooks.

use anyhow::Result;

use super::drive::{Rate, at, drive};
use super::row::{EvidenceRow, Rows};

const SOURCE: &str = "PC-Crash runs published with pycrash (joe-cormier/pycrash, commit 0356228)";
const VEHICLE: &str = "malibu_2004";
/// Standard gravity (m/s²).
const G: f64 = 9.806_65;

/// How far from the published place the car may be, by the path; bounds of the largest lateral
/// acceleration and of the angle turned (dimensionless).
const PLACE: f64 = 0.03;
const PEAK: f64 = 0.015;
const TURNED: f64 = 0.04;

/// Times of the published places (s).
const TIMES: [f64; 8] = [2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 10.9];

/// What is published of a run.
struct Published {
    name: &'static str,
    manoeuvre: &'static str,
    /// Ahead and to the left of the start, at the times (m).
    places: [[f64; 2]; TIMES.len()],
    /// Length of the path (m).
    path: f64,
    /// Largest lateral acceleration (g).
    lateral_acceleration: f64,
    /// Angle turned at the end, to the left (°).
    turned: f64,
}

const RUNS: [Published; 3] = [
    Published {
        name: "full steer from 15 mph",
        manoeuvre: "malibu_15_mph_steer",
        places: [
            [13.06, -1.23],
            [15.78, -6.13],
            [13.56, -10.76],
            [8.91, -11.97],
            [5.04, -9.56],
            [5.94, -1.64],
            [13.42, -1.29],
            [15.5, -4.03],
        ],
        path: 54.4,
        lateral_acceleration: 0.635_4,
        turned: -415.38,
    },
    Published {
        name: "fishhook from 35 mph",
        manoeuvre: "malibu_35_mph_fishhook",
        places: [
            [30.63, -2.36],
            [43.38, -8.94],
            [56.25, -10.7],
            [65.49, -6.39],
            [67.89, -0.06],
            [61.88, 9.34],
            [55.36, 18.44],
            [52.43, 22.53],
        ],
        path: 103.3,
        lateral_acceleration: 0.755_3,
        turned: 125.66,
    },
    Published {
        name: "fishhook from 45 mph",
        manoeuvre: "malibu_45_mph_fishhook",
        places: [
            [39.57, -2.43],
            [56.2, -10.39],
            [72.29, -16.62],
            [85.92, -16.33],
            [93.01, -13.45],
            [94.08, -12.79],
            [94.2, -12.9],
            [94.26, -12.95],
        ],
        path: 98.7,
        lateral_acceleration: 0.757_3,
        turned: 137.99,
    },
];

/// The published runs beside ours, at 960 steps per second and at 60 with three substeps.
pub(super) fn rows() -> Result<Vec<EvidenceRow>> {
    let mut all = Vec::new();
    for published in &RUNS {
        for rate in [Rate { steps: 960, substeps: 1 }, Rate::USUAL] {
            all.extend(compare(published, rate)?);
        }
    }
    Ok(all)
}

fn compare(published: &Published, rate: Rate) -> Result<Vec<EvidenceRow>> {
    let run = drive(VEHICLE, published.manoeuvre, rate)?;
    let subject = format!("2004 Malibu, {}, {}", published.name, rate.name());
    let mut rows = Rows::new(subject, SOURCE);
    let places = at(&run, ["ahead", "aside"], &TIMES)?;
    rows.places([&published.places, &places], published.path, PLACE);
    let lateral = run.telemetry.column("lateral acceleration")?.iter();
    let peak = lateral.fold(0.0, |most: f64, value| most.max(value.abs())) / G;
    let expected = published.lateral_acceleration;
    rows.number("largest lateral acceleration", "g", [expected, peak], PEAK);
    let [turned] = at(&run, ["turned"], &TIMES[TIMES.len() - 1..])?[0];
    rows.number("angle turned", "°", [published.turned, turned.to_degrees()], TURNED);
    Ok(rows.rows)
}
