//! Chapter of ride: wheels with mass beside fine solutions, and beside a quarter of a car.

use anyhow::{Context, Result, anyhow};
use rapier3d::prelude::Real;
use rayon::prelude::*;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::diagnosis::modes::QuarterCar;

use super::check::{Chapter, Check, Compared, Section};
use super::page::percent;
use super::reference::of_file;
use crate::report::{Chart, LineShape, Series};
use crate::ride::{
    Curve, Moment, Profile, RideCar, RideFigures, RideMeter, Shaken, ShakerRig, Trial,
};

/// Steps per second of the drives that must be as the fine solution, and of usual ones with their
/// substeps.
const FINE: Real = 960.0;
const USUAL: (Real, u32) = (60.0, 3);
/// Places within the way of a usual frame at which drives begin.
const PHASES: u16 = 4;
/// Part of a peak acceleration that a fine drive may be off (dimensionless), and of a lost energy.
const PEAK: f64 = 0.02;
const ENERGY: f64 = 0.1;
/// What a rise may be off (m).
const RISE: f64 = 0.0005;

/// Where the curves are.
const CURVES: &str = "fine solution at 24,000 Hz, [curves](../vehicle-rapier/tests/data/ride)";

/// A curve, and what a car feels in fine steps and in usual ones, from several places.
struct Felt {
    curve: Curve,
    fine: RideFigures,
    usual: Vec<RideFigures>,
    kind: Kind,
}

/// Kinds of drives over obstacles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Drives that are checked.
    Usual,
    /// Over a bump that is higher than a seventh of its length.
    Steep,
    /// In which a suspension comes to a stop at either end of its travel.
    AtStops,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Usual => "checked",
            Self::Steep => "steep bumps",
            Self::AtStops => "stops reached",
        }
    }
}

impl Felt {
    fn of(curve: Curve) -> Result<Self> {
        let trial = curve.trial()?;
        let edge = RideCar::named(&curve.car)?.bump_edge;
        let fine = Trial { rate: FINE, substeps: 1, ..trial.clone() };
        let (mut meter, mut hits_stops) = (RideMeter::new(FINE), false);
        let tell = |moment: &Moment| {
            meter.add(moment);
            hits_stops |= moment.jounces.iter().any(|jounce| !(0.0..=edge).contains(jounce));
        };
        fine.drive(fine.usual_duration(), tell).map_err(|error| anyhow!("{error}"))?;
        let (rate, substeps) = USUAL;
        let at = |phase: u16| {
            let phase = trial.speed / rate * Real::from(phase) / Real::from(PHASES);
            let trial = Trial { rate, substeps, phase, ..trial.clone() };
            trial.figures().map_err(|error| anyhow!("{error}"))
        };
        let usual = (0..PHASES).map(at).collect::<Result<_>>()?;
        let is_steep = match curve.profile {
            Profile::Bump { height, length } => length < 7.0 * height,
            _ => false,
        };
        let kind = match (hits_stops, is_steep) {
            (true, _) => Kind::AtStops,
            (false, true) => Kind::Steep,
            (false, false) => Kind::Usual,
        };
        Ok(Self { curve, fine: meter.figures, usual, kind })
    }
}

/// Range and mean of numbers, as a text.
fn range(numbers: &[Real]) -> String {
    let least = numbers.iter().copied().fold(Real::INFINITY, Real::min);
    let most = numbers.iter().copied().fold(0.0, Real::max);
    let mean = numbers.iter().sum::<Real>() / numbers.len().max(1) as Real;
    format!("{least:.2} to {most:.2}, mean {mean:.2}")
}

/// The check of numbers: found, expected, and what is allowed.
fn many(subject: String, source: &str, numbers: &[[f64; 3]]) -> Check {
    let error = |[found, expected, allowed]: &[f64; 3]| (found - expected).abs() / allowed;
    let worst = numbers.iter().map(error).fold(0.0, f64::max);
    let compared =
        Compared::Many { cases: numbers.len(), numbers: numbers.len(), worst, faults: Vec::new() };
    Check { subject, source: source.to_owned(), compared }
}

/// Wheels with mass.
pub(super) fn chapter() -> Result<Chapter> {
    let substeps = records::substeps()?.into_iter().map(|tally| {
        let source = "model of its own, [substeps](../vehicle-core/tests/data/ride/one_step.jsonl)";
        of_file(format!("single substeps in {}", tally.name), source, tally)
    });
    let single = Section {
        title: "Single substeps".into(),
        text: vec![
            "Forces, speeds and poses after one substep of a body on up to 20 wheels are compared with numbers of an \
             independent program in double precision. Allowed are 1e-9 of the size of the quantity in double \
             precision, and 1e-5 in single."
                .into(),
        ],
        checks: substeps.collect(),
        ..Section::default()
    };
    let sections = vec![single, obstacles()?, washboards()?, shaker()?];
    Ok(Chapter {
        title: "Ride".into(),
        summary: "fine solutions of wheels with mass, quarter car".into(),
        sections,
    })
}

/// Bumps and kerbs.
fn obstacles() -> Result<Section> {
    let felt: Vec<Felt> =
        Curve::of_obstacles()?.into_par_iter().map(Felt::of).collect::<Result<_>>()?;
    let text = [
        "Two cars on frictionless roads over bumps of half a sine and kerbs as wheels roll over them, 4 to 12 cm \
         high, at 20 to 130 km/h. Peaks are vertical accelerations averaged over 1/60 s. Two kinds of drives are not \
         checked; the table shows their errors. In one, a suspension comes to the end of its travel: the stops of the \
         fine solution are elastic, and ours take more than half of the speed. In the other, bumps are higher than a \
         seventh of their length. At 100 km/h their peaks are up to 5 % higher at 960 Hz, and do not settle in \
         shorter steps. The reason is open; the road is a mesh whose facets are 1 cm long.",
        "At 60 steps of three substeps a short bump falls between two frames. The peak depends on where the frames \
         lie. So the table has each drive from four starting places.",
    ];
    Ok(Section {
        title: "Bumps and kerbs".into(),
        text: text.map(str::to_owned).to_vec(),
        checks: obstacle_checks(&felt),
        table: obstacle_table(&felt),
        charts: vec![(
            "bumps".into(),
            picture(&felt),
            "Peak accelerations over all bumps and kerbs by those of the fine solution: 960 steps in blue, 60 steps of three \
             substeps (mean of four places) in orange."
                .into(),
        )],
    })
}

/// Drives that leave the stops alone.
fn obstacle_checks(felt: &[Felt]) -> Vec<Check> {
    let mut checks = Vec::new();
    for car in ["standard", "stiff"] {
        let own: Vec<&Felt> =
            felt.iter().filter(|felt| felt.curve.car == car && felt.kind == Kind::Usual).collect();
        let peaks: Vec<_> = own
            .iter()
            .map(|felt| [felt.fine.peak, felt.curve.peak].map(f64::from))
            .map(|[found, expected]| [found, expected, PEAK * expected])
            .collect();
        let rises: Vec<_> = own
            .iter()
            .map(|felt| [f64::from(felt.fine.rise), f64::from(felt.curve.rise), RISE])
            .collect();
        let allowed = percent(PEAK);
        let subject = format!("{car} car: peak acceleration at {FINE} Hz ({allowed})");
        checks.push(many(subject, CURVES, &peaks));
        let allowed = 1e3 * RISE;
        let subject = format!("{car} car: rise at {FINE} Hz ({allowed} mm)");
        checks.push(many(subject, CURVES, &rises));
    }
    checks
}

/// Peaks and rises by those of the fine solution.
fn obstacle_table(felt: &[Felt]) -> Vec<Vec<String>> {
    let header = [
        "car",
        "kind",
        "drives",
        "peak at 960 Hz",
        "rise at 960 Hz",
        "peak at 60 Hz × 3",
        "rise at 60 Hz × 3",
    ];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    let kinds = [Kind::Usual, Kind::Steep, Kind::AtStops];
    for (car, kind) in ["standard", "stiff"].into_iter().flat_map(|car| kinds.map(|it| (car, it))) {
        let own: Vec<&Felt> =
            felt.iter().filter(|felt| felt.curve.car == car && felt.kind == kind).collect();
        let fine = |of: fn(&RideFigures) -> Real, expected: fn(&Curve) -> Real| {
            let parts = own.iter().map(|felt| of(&felt.fine) / expected(&felt.curve));
            range(&parts.collect::<Vec<_>>())
        };
        let usual = |of: fn(&RideFigures) -> Real, expected: fn(&Curve) -> Real| {
            let parts = own.iter().flat_map(|felt| {
                felt.usual.iter().map(move |usual| of(usual) / expected(&felt.curve))
            });
            range(&parts.collect::<Vec<_>>())
        };
        table.push(vec![
            car.to_owned(),
            kind.name().to_owned(),
            own.len().to_string(),
            fine(|figures| figures.peak, |curve| curve.peak),
            fine(|figures| figures.rise, |curve| curve.rise),
            usual(|figures| figures.peak, |curve| curve.peak),
            usual(|figures| figures.rise, |curve| curve.rise),
        ]);
    }
    table
}

fn picture(felt: &[Felt]) -> Chart {
    let mut sorted: Vec<&Felt> = felt.iter().collect();
    sorted.sort_by(|one, other| one.curve.peak.total_cmp(&other.curve.peak));
    let line = |name: &str, of: fn(&Felt) -> Real| {
        let point =
            |felt: &&Felt| (f64::from(felt.curve.peak), f64::from(of(felt) / felt.curve.peak));
        Series::new(name, sorted.iter().map(point).collect::<Vec<_>>()).shaped(LineShape::Dots)
    };
    let mean = |felt: &Felt| {
        felt.usual.iter().map(|usual| usual.peak).sum::<Real>() / felt.usual.len() as Real
    };
    Chart::over_x("Bumps and kerbs", "peak of the fine solution (g)", "peak by that of it")
        .series(line("960 Hz", |felt| felt.fine.peak))
        .series(line("60 Hz, three substeps, mean of four", mean))
        .reaching_y(0.5)
        .reaching_y(1.0)
}

/// Washboards.
fn washboards() -> Result<Section> {
    let lost = |curve: &Curve| -> Result<[f64; 2]> {
        let trial = curve.trial()?;
        let (rate, substeps) = USUAL;
        let trial = Trial { rate, substeps, ..trial };
        Ok([trial.energy_lost().map_err(|error| anyhow!("{error}"))?, curve.energy_lost])
    };
    let curves = Curve::of_washboards()?;
    let found: Vec<[f64; 2]> = curves.par_iter().map(lost).collect::<Result<_>>()?;
    let numbers: Vec<_> =
        found.iter().map(|[found, expected]| [*found, *expected, ENERGY * expected]).collect();
    let subject = format!("energy lost in 8 s at 60 Hz with three substeps ({})", percent(ENERGY));
    Ok(Section {
        title: "Washboards".into(),
        text: vec!["Waves of 1 to 3 m brake a car by the energy that its dampers take.".into()],
        checks: vec![many(subject, CURVES, &numbers)],
        ..Section::default()
    })
}

/// Frequencies of the shaker rig (Hz).
const FREQUENCIES: [Real; 10] = [0.6, 0.9, 1.2, 1.5, 2.0, 3.0, 5.0, 8.0, 11.0, 15.0];
/// What a movement at body or wheel may be off: a part of it, and a part of the plate's.
const SHAKEN: [f64; 2] = [0.1, 0.05];

/// Movements of body and wheel on a shaker rig.
fn shaker() -> Result<Section> {
    let mut checks = Vec::new();
    let mut chart = Chart::over_x(
        "Shaker rig, standard car",
        "frequency (Hz)",
        "movement by that of the plates",
    );
    for car in RideCar::all()? {
        let mechanics = car.mechanics()?;
        let quarter = QuarterCar::of(&mechanics, 0, GRAVITY).context("wheels with mass")?;
        let rig = ShakerRig { mechanics, shaken: Shaken::All, rate: 240.0, substeps: 3 };
        let shake = |&frequency: &Real| -> Result<[f64; 2]> {
            let found = rig.transmitted(frequency).map_err(|error| anyhow!("{error}"))?;
            Ok([found.body, found.wheel].map(f64::from))
        };
        let found: Vec<[f64; 2]> = FREQUENCIES.par_iter().map(shake).collect::<Result<_>>()?;
        for (index, part) in ["body", "wheel"].into_iter().enumerate() {
            let exact = |frequency: Real| f64::from(quarter.transmitted(frequency)[index]);
            let pairs = FREQUENCIES.iter().zip(&found);
            let numbers: Vec<_> = pairs
                .clone()
                .map(|(frequency, found)| {
                    let expected = exact(*frequency);
                    [found[index], expected, SHAKEN[0] * expected + SHAKEN[1]]
                })
                .collect();
            checks.push(many(
                format!(
                    "{} car: movement of the {part} at ten frequencies (10 % + 0.05)",
                    car.name
                ),
                "quarter car, [closed form](../vehicle-core/src/diagnosis/modes.rs)",
                &numbers,
            ));
            if car.name == "standard" {
                let points = (12..=300).map(|index| 0.05 * Real::from(index as u16));
                let curve = points.map(|frequency| (f64::from(frequency), exact(frequency)));
                let dots = pairs.map(|(frequency, found)| (f64::from(*frequency), found[index]));
                chart = chart
                    .series(Series::new(format!("{part}, quarter car"), curve))
                    .series(Series::new(format!("{part}, rig"), dots).shaped(LineShape::Dotted));
            }
        }
    }
    Ok(Section {
        title: "Shaker rig".into(),
        text: vec![
            "Four plates below a car move together by 3 mm, at 240 steps of three substeps. The car then moves as \
             four quarter cars do, except that it pitches a little."
                .into(),
        ],
        checks,
        charts: vec![(
            "shaker".into(),
            chart,
            "Movement by frequency: curves are the quarter car, dots the rig; the body in blue and orange, the wheel in green and pink.".into(),
        )],
        ..Section::default()
    })
}
