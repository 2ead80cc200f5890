//! Chapter of tires: published equations, closed forms, and fine integration.

#[path = "../../../vehicle-core/src/tire/models/tests/closed_forms.rs"]
mod closed_forms;
#[path = "../../../vehicle-core/src/tire/soil/tests/fine.rs"]
mod fine;

use anyhow::{Context, Result, bail};
use vehicle_rapier::core::math::{Real, tan};
use vehicle_rapier::core::tire::magic_formula::{MagicFormula, MagicFormulaInput, OutOfRange};
use vehicle_rapier::core::tire::models::steady::{SteadyInput, SteadyLaw};
use vehicle_rapier::core::tire::models::{Fiala, ParabolicBrush, TireSize, TireUse};
use vehicle_rapier::core::tire::soil::{RigidWheel, Soil, WheelOnSoil};
use vehicle_rapier::core::tire::tir::TirFile;

use super::check::{Chapter, Check, Compared, Section};
use crate::report::{Chart, Series};

/// The tire that is in the literature, and its forces.
const TIRE: &str = include_str!("../../../vehicle-core/tests/data/205_60R15.tir");
const FORCES: &str = include_str!("../../../vehicle-core/tests/data/205_60R15_forces.csv");
const STIFFNESSES: &str =
    include_str!("../../../vehicle-core/tests/data/205_60R15_stiffnesses.csv");
/// Part of a force that it may be off, and the least that it may be (dimensionless, N).
const FORCE: [f64; 2] = [1e-4, 0.5];
/// What an aligning moment may be off (N·m).
const MOMENT: f64 = 0.02;
/// What a force of a closed form may be off (N), and a part of forces on soil (dimensionless).
const CLOSED: f64 = 0.5;
const ON_SOIL: f64 = 0.02;

/// Errors of many numbers over what is allowed.
#[derive(Default)]
struct Errors {
    cases: usize,
    numbers: usize,
    worst: f64,
    faults: Vec<String>,
}

impl Errors {
    fn add(&mut self, what: &str, found: f64, expected: f64, allowed: f64) {
        let error = (found - expected).abs() / allowed;
        self.numbers += 1;
        self.worst = self.worst.max(error);
        let is_met = error <= 1.0;
        if !is_met {
            self.faults.push(format!("{what}: {found}, not {expected}"));
        }
    }

    fn check(self, subject: &str, source: &str) -> Check {
        let Self { cases, numbers, worst, faults } = self;
        let compared = Compared::Many { cases, numbers, worst, faults };
        Check { subject: subject.into(), source: source.into(), compared }
    }
}

/// The cells of a table below its header.
fn rows(table: &str) -> impl Iterator<Item = Vec<Option<Real>>> {
    let cells = |line: &str| line.split(',').map(|cell| cell.parse().ok()).collect();
    table.lines().skip(1).map(cells)
}

fn sample() -> Result<MagicFormula> {
    let tire = TirFile::parse(TIRE).context("the tire of the literature")?.tire;
    Ok(tire.formulas(OutOfRange::Clamp))
}

fn input(load: Real, slip_ratio: Real, slip_angle: Real, inclination: Real) -> MagicFormulaInput {
    MagicFormulaInput {
        load,
        slip_ratio,
        slip_tangent: tan(slip_angle),
        inclination,
        inflation_pressure: 0.0,
        friction: 1.0,
        forward_speed: 16.7,
    }
}

/// Forces and moments of the tire of the literature, and its stiffnesses.
fn magic_formula() -> Result<Vec<Check>> {
    let tire = sample()?;
    let force = |expected: f64| (FORCE[0] * expected.abs()).max(FORCE[1]);
    let (mut forces, mut moments) = (Errors::default(), Errors::default());
    for row in rows(FORCES) {
        let [Some(load), Some(slip_ratio), Some(slip_angle), Some(inclination)] = row[..4] else {
            bail!("{row:?} has no inputs")
        };
        let output = tire.output(&input(load, slip_ratio, slip_angle, inclination));
        let what = format!("{load} N, {slip_ratio}, {slip_angle}, {inclination}");
        forces.cases += 1;
        let found = [output.longitudinal_force, output.lateral_force];
        for (found, expected) in found.into_iter().zip(&row[4..6]) {
            if let Some(expected) = expected.map(f64::from) {
                forces.add(&what, found.into(), expected, force(expected));
            }
        }
        if let Some(expected) = row[6] {
            moments.cases += 1;
            moments.add(&what, output.aligning_moment.into(), expected.into(), MOMENT);
        }
    }
    let mut stiffnesses = Errors::default();
    for row in rows(STIFFNESSES) {
        let [Some(load), Some(slip), Some(cornering)] = row[..] else { bail!("{row:?}") };
        stiffnesses.cases += 1;
        let found = [tire.slip_stiffness(load), tire.cornering_stiffness(load)];
        for (found, expected) in found.into_iter().zip([slip, cornering].map(f64::from)) {
            stiffnesses.add(&format!("{load} N"), found.into(), expected, force(expected));
        }
    }
    let source = "Pacejka, Tire and Vehicle Dynamics, 3rd edition, [forces](../vehicle-core/tests/data/205_60R15_forces.csv)";
    Ok(vec![
        forces.check("Magic Formula: forces, combined slip and camber (1e-4 or 0.5 N)", source),
        moments.check("Magic Formula: aligning moments (0.02 N·m)", source),
        stiffnesses.check("Magic Formula: slip and cornering stiffnesses (1e-4)", source),
    ])
}

fn steady(load: Real, friction: Real, slip_ratio: Real, slip_tangent: Real) -> SteadyInput {
    SteadyInput {
        load,
        friction,
        slip_ratio,
        slip_tangent,
        inflation_pressure: 230e3,
        forward_speed: 15.0,
        ..SteadyInput::default()
    }
}

/// Laws that are closed forms.
fn simple_laws() -> Vec<Check> {
    let car = TireSize { made_for: TireUse::PassengerCar, load: 4_000.0, radius: 0.31, width: 0.2 };
    let fiala = Fiala { sliding_friction: 1.0, ..car.fiala() };
    let limit = 0.9 * 4_000.0;
    let mut of_fiala = Errors::default();
    for hundredths in 1..=40 {
        let tangent = 0.01 * hundredths as Real;
        let found = fiala.output(&steady(4_000.0, 0.9, 0.0, tangent)).lateral_force;
        let expected = closed_forms::fiala(fiala.cornering_stiffness.into(), limit, tangent.into());
        of_fiala.cases += 1;
        of_fiala.add(&format!("tangent {tangent}"), found.into(), expected, CLOSED);
    }
    let brush = ParabolicBrush { friction_decay: 0.0, ..car.parabolic_brush() };
    let [tread, half] = [brush.tread_stiffness, brush.contact_half_length].map(f64::from);
    let mut of_brush = Errors::default();
    for (slip, tangent) in [(0.0, 0.05), (0.04, 0.0), (-0.05, 0.03), (0.02, -0.04), (0.01, 0.01)] {
        let output = brush.output(&steady(4_000.0, 0.9, slip, tangent));
        let expected =
            closed_forms::parabolic_brush([tread, half, limit], slip.into(), tangent.into());
        let found = [output.longitudinal_force, output.lateral_force, output.aligning_moment];
        of_brush.cases += 1;
        for (found, expected) in found.into_iter().zip(expected) {
            of_brush.add(&format!("slip {slip}, {tangent}"), found.into(), expected, CLOSED);
        }
    }
    let source = "[closed form](../vehicle-core/src/tire/models/tests/closed_forms.rs)";
    vec![
        of_fiala.check("Fiala: lateral forces (0.5 N)", source),
        of_brush
            .check("brush under parabolic pressure: forces and moments (0.5 N, 0.5 N·m)", source),
    ]
}

/// Rigid wheels of a car, a truck and a rover on soils of the literature.
fn on_soil() -> Check {
    let soils = [
        (Soil::DRY_SAND, 1.0),
        (Soil::SANDY_LOAM, 1.0),
        (Soil::CLAYEY_SOIL, 1.0),
        (Soil::SNOW, 0.05),
    ];
    let wheels = [(0.33, 0.22, 4_000.0), (0.5, 0.3, 15_000.0), (0.13, 0.16, 130.0)];
    let mut errors = Errors::default();
    for (soil, share) in soils {
        for (radius, width, load) in wheels {
            let wheel = RigidWheel { radius, width, deflection: 0.0 };
            for (slip_ratio, slip_tangent) in [(-0.2, 0.0), (0.05, 0.0), (0.25, 0.0), (0.1, 0.2)] {
                let load = load * share;
                let asked = WheelOnSoil { load, slip_ratio, slip_tangent, ..Default::default() };
                let found = wheel.forces(&soil, &asked);
                let (depth, [_, thrust, resistance, lateral, torque]) =
                    fine::searched(&soil, &wheel, &asked);
                let size = 0.1 * thrust.abs().max(resistance);
                errors.cases += 1;
                for (found, expected, least) in [
                    (found.sinkage, depth, 0.0),
                    (found.compaction_resistance, resistance, 0.0),
                    (found.drawbar_pull, thrust - resistance, size),
                    (found.torque, torque, size),
                    (found.lateral_force, lateral, 1.0),
                ] {
                    let allowed = ON_SOIL * expected.abs().max(least);
                    errors.add(&format!("{asked:?}"), found.into(), expected, allowed);
                }
            }
        }
    }
    let source = "Bekker's pressure and Janosi's shear, [fine integration](../vehicle-core/src/tire/soil/tests/fine.rs)";
    errors.check("rigid wheels on four soils: sinkage, resistance, pull, torque (2 %)", source)
}

/// Lateral forces of the tire of the literature, with the published points.
fn picture_of() -> Result<Chart> {
    let tire = sample()?;
    let curve = |load: Real| {
        let at = |index: u8| {
            let angle = 0.3 * Real::from(index) / 100.0;
            let force = tire.output(&input(load, 0.0, angle, 0.0)).lateral_force;
            (f64::from(angle), -f64::from(force) / 1e3)
        };
        Series::new(format!("{} kN", load / 1e3), (0..=100).map(at))
    };
    Ok(Chart::over_x(
        "Tire of the literature",
        "slip angle (rad)",
        "lateral force to the right (kN)",
    )
    .series(curve(2_000.0))
    .series(curve(4_000.0))
    .series(curve(6_000.0)))
}

/// Tires.
pub(super) fn chapter() -> Result<Chapter> {
    let mut checks = magic_formula()?;
    checks.extend(simple_laws());
    checks.push(on_soil());
    let text = "The Magic Formula has the coefficients that Pacejka's book publishes for a 205/60R15. It reads them \
                from a file of the format `.tir` ([tire](../vehicle-core/tests/data/205_60R15.tir)). Expected are \
                forces by the equations of the book, 4.E1 to 4.E78, in double precision. Other laws are compared with \
                their closed forms, and wheels on soil with a fine integration of the stresses along the rim. The \
                allowed error is in brackets.";
    let picture =
        "Lateral force of the tire of the literature under 2, 4 and 6 kN, from bottom to top."
            .into();
    Ok(Chapter {
        title: "Tires".into(),
        summary: "published equations, closed forms, fine integration".into(),
        sections: vec![Section {
            text: vec![text.into()],
            checks,
            charts: vec![("tire".into(), picture_of()?, picture)],
            ..Section::default()
        }],
    })
}
