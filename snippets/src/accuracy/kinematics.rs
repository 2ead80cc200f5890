//! Chapter of the rig for kinematics: presets whose bodies are held, beside what their files say.

use anyhow::Result;
use rayon::prelude::*;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::diagnosis::modes::QuarterCar;
use vehicle_rapier::core::suspension::suspension_compliance;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::core::vehicle::MechanicalParams;

use super::check::{Chapter, Check, Compared, Section};
use crate::manoeuvres::comparison::rounded;
use crate::manoeuvres::{Manoeuvre, Outcome, Run};
use crate::measurements::{Setting, Stance};
use crate::presets::{driven, vehicle};

/// The manoeuvres of the rig.
const BUMP: &str = "kinematics_bump";
const ROLL: &str = "kinematics_roll";
const STEERING: &str = "kinematics_steering";

/// Part by which rates may be away (dimensionless).
const RATE: f64 = 0.01;
/// How far shares of roll may be away (dimensionless).
const SHARE: f64 = 2e-3;
/// How far toe, camber and track by jounce may be away (rad/m, rad/m, m/m).
const BY_JOUNCE: f64 = 2e-3;

/// One figure of all presets, beside the file's.
struct Row {
    name: &'static str,
    source: &'static str,
    bound: f64,
    is_relative: bool,
    numbers: Vec<(String, [f64; 2])>,
}

impl Row {
    fn check(&self) -> Check {
        let error = |(_, [ours, expected]): &(String, [f64; 2])| {
            let allowed = if self.is_relative { self.bound * expected.abs() } else { self.bound };
            (ours - expected).abs() / allowed
        };
        let is_out = |number: &&(String, [f64; 2])| 1.0 < error(number) || error(number).is_nan();
        let told = |(whose, [ours, expected]): &(String, [f64; 2])| {
            format!("{whose}: {ours}, expected {expected}")
        };
        Check {
            subject: self.name.into(),
            source: self.source.into(),
            compared: Compared::Many {
                cases: self.numbers.len().div_ceil(2),
                numbers: self.numbers.len(),
                worst: self.numbers.iter().map(error).fold(0.0, f64::max),
                faults: self.numbers.iter().filter(is_out).map(told).collect(),
            },
        }
    }
}

/// The runs of a preset on the rig, those that are for it.
struct Rigged {
    name: &'static str,
    runs: Vec<(&'static str, Manoeuvre, Run)>,
}

impl Rigged {
    fn of(name: &'static str) -> Result<Self> {
        let mut runs = Vec::new();
        for kind in [BUMP, ROLL, STEERING] {
            let manoeuvre = Manoeuvre::of_name(kind)?;
            if let Outcome::Driven(run) = manoeuvre.drive(name, &Setting::default())? {
                runs.push((kind, manoeuvre, run));
            }
        }
        Ok(Self { name, runs })
    }

    /// The figure `name` of a manoeuvre, in SI units; `None` if that is not for the preset.
    fn figure(&self, kind: &str, name: &str) -> Option<f64> {
        let (_, manoeuvre, run) = self.runs.iter().find(|run| run.0 == kind)?;
        run.figure(manoeuvre.figures.iter().find(|figure| figure.name == name)?)
    }

    /// As the table shows it.
    fn shown(&self, kind: &str, name: &str) -> String {
        let run = self.runs.iter().find(|run| run.0 == kind);
        let value = run.and_then(|(_, manoeuvre, run)| {
            run.shown(manoeuvre.figures.iter().find(|figure| figure.name == name)?)
        });
        value.map_or_else(|| "–".into(), rounded)
    }
}

/// A wheel of the foremost and of the rearmost axle.
fn ends(params: &MechanicalParams<AnyTire>) -> [usize; 2] {
    let place = |wheel: &usize| params.suspensions[*wheel].attachment.translation.z;
    let by_place = |one: &usize, other: &usize| place(one).total_cmp(&place(other));
    let wheels = 0..params.suspensions.len();
    [wheels.clone().max_by(by_place).unwrap_or(0), wheels.min_by(by_place).unwrap_or(0)]
}

/// What the file of a preset says of the axle of a `wheel`.
struct OfFile {
    /// Rates of the spring, and of spring and tire (N/m), and of roll (N·m/rad).
    wheel: f64,
    ride: f64,
    roll: f64,
    /// Steer and camber by roll (dimensionless), and toe and camber by jounce (rad/m).
    roll_steer: f64,
    roll_camber: f64,
    bump_steer: f64,
    bump_camber: f64,
}

impl OfFile {
    fn new(params: &MechanicalParams<AnyTire>, stance: &Stance, wheel: usize) -> Self {
        let quarter = QuarterCar::of(params, wheel, GRAVITY);
        let spring = f64::from(params.suspension_forces[wheel].stiffness);
        let spring = quarter.map_or(spring, |quarter| quarter.stiffness);
        // Wheels without mass are on tires that do not give way.
        let tire = quarter.map_or(0.0, |quarter| quarter.tire_stiffness.recip());
        let aside = f64::from(params.suspensions[wheel].attachment.translation.x);
        let axle = params.beam_axles.iter().find(|axle| axle.wheels.contains(&wheel));
        let [toe, camber] = Self::by_jounce(params, wheel);
        // The load acts aside of an axle that leans about its roll center.
        let aside_load = axle.map_or(0.0, |axle| {
            let load = |wheel: usize| params.suspension_forces[wheel].sprung_mass * GRAVITY;
            let load: f32 = axle.wheels.into_iter().map(load).sum();
            f64::from(axle.roll_center_height * load)
        });
        Self {
            wheel: spring,
            ride: 1.0 / (1.0 / spring + tire),
            roll: 2.0 * stance.roll_spring(wheel) * aside * aside - aside_load,
            roll_steer: axle.map_or(0.0, |axle| axle.roll_steer.into()),
            roll_camber: if axle.is_some() { 0.0 } else { 1.0 },
            bump_steer: toe,
            bump_camber: camber,
        }
    }

    /// Slopes of toe in and of tops apart by the jounce at rest (rad/m).
    fn by_jounce(params: &MechanicalParams<AnyTire>, wheel: usize) -> [f64; 2] {
        let Some(table) = params.compliances.get(wheel) else { return [0.0; 2] };
        let travel = params.suspensions[wheel].travel_distance;
        let spring = &params.suspension_forces[wheel];
        let rest = spring.sprung_mass * GRAVITY / spring.stiffness;
        let ends = [rest - 0.01, rest + 0.01].map(|at| suspension_compliance(table, at, travel));
        let side = f64::from(params.suspensions[wheel].attachment.translation.x.signum());
        let slope = |of: [f32; 2]| -side * f64::from(of[1] - of[0]) / 0.02;
        [slope(ends.each_ref().map(|end| end.toe)), slope(ends.each_ref().map(|end| end.camber))]
    }
}

/// The kinds of rows, with what of the file they are beside.
type Kind = (&'static str, &'static str, &'static str, f64, bool, fn(&OfFile) -> f64);
const KINDS: [Kind; 7] = [
    (BUMP, "wheel rate", "stiffness of the spring", RATE, true, |of| of.wheel),
    (BUMP, "ride rate", "spring and tire one upon the other", RATE, true, |of| of.ride),
    (
        ROLL,
        "roll rate",
        "springs and bars; of beam axles less load times height of the roll center",
        RATE,
        true,
        |of| of.roll,
    ),
    (ROLL, "roll steer", "`roll_steer` of beam axles, else 0", SHARE, false, |of| of.roll_steer),
    (
        ROLL,
        "roll camber",
        "wheels lean with the body, those of beam axles not",
        SHARE,
        false,
        |of| of.roll_camber,
    ),
    (BUMP, "bump steer", "tables of toe; the presets have none", BY_JOUNCE, false, |of| {
        of.bump_steer
    }),
    (BUMP, "camber by jounce", "tables of camber; the presets have none", BY_JOUNCE, false, |of| {
        of.bump_camber
    }),
];

fn rows(all: &[Rigged]) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (kind, name, source, bound, is_relative, expected) in KINDS {
        let mut numbers = Vec::new();
        for rigged in all {
            let car = vehicle(rigged.name)?;
            let params = car.mechanics();
            let height = params.standing_height(&car.file().frame, GRAVITY);
            let stance = Stance::of(params, height.into());
            for (end, wheel) in ["front", "rear"].into_iter().zip(ends(params)) {
                let Some(found) = rigged.figure(kind, &format!("{name}, {end}")) else { continue };
                let of_file = OfFile::new(params, &stance, wheel);
                numbers.push((format!("{}, {end}", rigged.name), [found, expected(&of_file)]));
            }
        }
        rows.push(Row { name, source, bound, is_relative, numbers });
    }
    Ok(rows)
}

/// A figure that a table shows: manoeuvre, name, heading.
type Shown = (&'static str, &'static str, &'static str);
const SPRINGS: [Shown; 7] = [
    (BUMP, "wheel rate, front", "wheel rate, front (N/mm)"),
    (BUMP, "wheel rate, rear", "rear"),
    (BUMP, "ride frequency, front", "ride, front (Hz)"),
    (BUMP, "ride frequency, rear", "rear"),
    (ROLL, "roll rate, front", "roll rate, front (N m/°)"),
    (ROLL, "roll rate, rear", "rear"),
    (ROLL, "roll steer, rear", "roll steer (%)"),
];
const STEERED: [Shown; 4] = [
    (STEERING, "inner wheel at full lock", "inner wheel at full lock (°)"),
    (STEERING, "outer wheel at full lock", "outer wheel (°)"),
    (STEERING, "Ackermann at half lock", "Ackermann at half lock (%)"),
    (STEERING, "Ackermann at full lock", "at full lock (%)"),
];

/// A table of those presets that have any of these figures.
fn table(all: &[Rigged], shown: &[Shown]) -> Vec<Vec<String>> {
    let header = ["preset"].into_iter().chain(shown.iter().map(|shown| shown.2));
    let has_any = |rigged: &&Rigged| {
        rigged.runs.iter().any(|run| shown.iter().any(|(kind, ..)| *kind == run.0))
    };
    let row = |rigged: &Rigged| {
        let cells = shown.iter().map(|(kind, name, _)| rigged.shown(kind, name));
        std::iter::once(rigged.name.to_owned()).chain(cells).collect()
    };
    let rows = all.iter().filter(has_any).map(row);
    std::iter::once(header.map(str::to_owned).collect()).chain(rows).collect()
}

/// Kinematics of presets on a rig.
pub(super) fn chapter() -> Result<Chapter> {
    let all: Vec<Rigged> = driven().into_par_iter().map(Rigged::of).collect::<Result<Vec<_>>>()?;
    let checks = rows(&all)?.iter().map(Row::check).collect();
    let text = "Bodies of presets are held. Posts below move all wheels together by 10 mm, or the wheels of both \
                sides against each other, in the [manoeuvres](manoeuvres.md) `kinematics_bump`, `kinematics_roll` and \
                `kinematics_steering`. A case is a preset that such a manoeuvre is for, with its front and its rear \
                axle.";
    let compliance = "There is no compliance under forces, because suspensions have no bushings. So forces at the \
                      contact turn and lean wheels by 0 °/kN, and aligning torques by 0 °/(100 N·m). Contacts of \
                      independent wheels stay below their mounts: track does not change by jounce.";
    Ok(Chapter {
        title: "Kinematics".into(),
        summary: "springs, bars and tables of vehicle files, on a rig that holds the body".into(),
        sections: vec![
            Section { text: vec![text.into()], checks, ..Section::default() },
            Section {
                title: "Presets on the rig".into(),
                text: vec![compliance.into()],
                table: table(&all, &SPRINGS),
                ..Section::default()
            },
            Section {
                title: "Steering from lock to lock".into(),
                table: table(&all, &STEERED),
                ..Section::default()
            },
        ],
    })
}
