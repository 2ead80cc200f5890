//! The substeps of a file beside their solutions, by numbers of three kinds.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use vehicle_core::math::lanes::Real4;
use vehicle_core::suspension::unsprung::{Scalar, Vector3};

use super::case::Case;
use super::model::{Report, Single};

/// Sizes that errors are measured by.
struct Scales {
    force: f64,
    length: f64,
    speed: f64,
}

impl Scales {
    fn of(case: &Case) -> Self {
        let (input, body) = (&case.input, &case.input.body);
        let largest = |vector: &[f64; 3]| vector.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let norm = |vector: &[f64; 3]| vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        let length = largest(&body.position).max(1.0);
        let tires = input.wheels.iter().map(|wheel| 0.05 * wheel.tire.k * length);
        let force = (body.mass * norm(&input.gravity)).max(largest(&body.external_force));
        let force = tires.fold(force, f64::max);
        let masses: f64 = input.wheels.iter().map(|wheel| wheel.mass).sum();
        let speed = norm(&body.linear_velocity).max(2.0 * norm(&body.angular_velocity)).max(1.0);
        let speed = input.wheels.iter().fold(speed, |most, w| most.max(w.jounce_speed.abs()));
        Self { force, length, speed: speed.max(input.dt * force / masses) }
    }
}

/// What compared worst.
struct Worst {
    error: f64,
    what: String,
    /// Numbers that were compared.
    count: usize,
}

impl Worst {
    fn see<const N: usize>(&mut self, what: &str, found: [f64; N], expected: [f64; N], scale: f64) {
        self.count += N;
        for (found, expected) in found.into_iter().zip(expected) {
            let error = (found - expected).abs() / scale;
            if self.error < error || error.is_nan() {
                self.error = if error.is_nan() { f64::INFINITY } else { error };
                self.what = format!("{what}: {found} instead of {expected}");
            }
        }
    }
}

fn numbers<T: Single>(vector: &Vector3<T>) -> [f64; 3] {
    vector.0.map(T::to_f64)
}

/// The largest error of a substep computed with numbers of type `S`, and where it is.
fn compare<T: Single, S: Scalar<Single = T>>(case: &Case) -> Result<Worst> {
    let mut model = case.model::<T>();
    let Report { solved, before_turn, wheels } =
        model.substep::<S>(T::of(case.input.dt), &case.roads(), &case.tire_forces());
    let Scales { force, length, speed } = Scales::of(case);
    let (out, mut worst) = (&case.out, Worst { error: 0.0, what: String::new(), count: 0 });
    worst.see("solved velocity", numbers(&solved.linear), out.solve.linear, speed);
    worst.see("solved angular velocity", numbers(&solved.angular), out.solve.angular, speed);
    let turn = "velocity before the turn term";
    worst.see(turn, numbers(&before_turn), out.linear_velocity_before_turn, speed);
    worst.see("velocity", numbers(&model.velocity.linear), out.linear_velocity, speed);
    worst.see("angular velocity", numbers(&model.velocity.angular), out.angular_velocity, speed);
    worst.see("position", numbers(&model.position), out.position, length);
    worst.see("orientation", model.orientation.map(T::to_f64), out.orientation, 1.0);
    ensure!(out.wheels.len() == wheels.len(), "{} wheels", out.wheels.len());
    for (number, (found, expected)) in wheels.iter().zip(&out.wheels).enumerate() {
        let mut see = |what: &str, found: T, expected: f64, scale: f64| {
            worst.see(&format!("{what} of wheel {number}"), [found.to_f64()], [expected], scale);
        };
        ensure!(found.has_contact == expected.contact, "contact of wheel {number}");
        let (theta, parts) = (&expected.theta, &expected.parts);
        see("implicitness of the spring", found.implicitness.spring, theta.spring, 1.0);
        see("implicitness of the damper", found.implicitness.damper, theta.damper, 1.0);
        see("implicitness of the bump stop", found.implicitness.bump_stop, theta.bump, 1.0);
        see("implicitness of the end stop", found.implicitness.end_stop, theta.end, 1.0);
        see("implicitness of the droop stop", found.implicitness.droop_stop, theta.droop, 1.0);
        let mass = T::of(case.input.wheels[number].mass);
        see("inverse mass", found.inverse_mass * mass, expected.inverse_mass * mass.to_f64(), 1.0);
        see("extension speed", found.extension_speed, expected.extension_speed, speed);
        see("load", found.load, expected.load, force);
        see("strut", found.strut.sum(), expected.strut, force);
        see("spring", found.strut.spring, parts.spring, force);
        see("damper", found.strut.damper, parts.damper, force);
        see("bump stop", found.strut.bump_stop, parts.bump, force);
        see("end stop", found.strut.end_stop, parts.end, force);
        see("droop stop", found.strut.droop_stop, parts.droop, force);
        see("bar", found.strut.bar, parts.bar, force);
        see("jounce", model.wheels[number].jounce, expected.jounce, length);
        if let Some(theta) = theta.tire.filter(|_| expected.contact) {
            see("implicitness of the tire", found.implicitness.tire, theta, 1.0);
        }
        for (what, found, expected) in [
            ("placed jounce", found.jounce_placed, expected.jounce_placed),
            ("deflection", found.deflection, expected.deflection),
            ("centered deflection", found.deflection_centered, expected.deflection_centred),
        ] {
            if let Some(expected) = expected {
                see(what, found, expected, length);
            }
        }
        worst.see("center arm", numbers(&found.center_arm), expected.centre_arm, length);
        if let Some(expected) = expected.contact_arm {
            worst.see("contact arm", numbers(&found.contact_arm), expected, length);
        }
    }
    for (bar, expected) in case.input.bars.iter().zip(&out.bars) {
        let found = wheels[bar.wheels[0]].implicitness.bar.to_f64();
        worst.see("implicitness of a bar", [found], [expected.theta], 1.0);
    }
    Ok(worst)
}

/// What a file came to.
#[derive(Default)]
pub(crate) struct Tally {
    /// Number of substeps of each family.
    pub(crate) families: BTreeMap<String, usize>,
    /// Numbers that were compared, of each kind.
    pub(crate) numbers: usize,
    /// Largest errors of the kinds, as parts of the scales.
    pub(crate) worst: [f64; 3],
    /// What is out of its tolerance.
    pub(crate) faults: Vec<String>,
}

/// Kinds of numbers, with the error that is allowed, as a part of the scale.
pub(crate) const KINDS: [(&str, f64); 3] = [("f64", 1e-9), ("f32", 1e-5), ("f32 in lanes", 1e-5)];

/// Computes all substeps of a file. A line that is not known is an error.
pub(crate) fn check_file(path: &Path) -> Result<Tally> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut tally = Tally::default();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{}, line {}", path.display(), number + 1);
        let case: Case = serde_json::from_str(line).with_context(place)?;
        let Case { id, family, .. } = &case;
        let jounce_type = case.input.jounce_type.as_str();
        let is_known = ["ray", "deepest"].contains(&jounce_type);
        ensure!(is_known, "{}: jounce type {jounce_type}", place());
        let worst =
            [compare::<f64, f64>(&case), compare::<f32, f32>(&case), compare::<f32, Real4>(&case)];
        for (kind, ((number, tolerance), worst)) in KINDS.into_iter().zip(worst).enumerate() {
            let Worst { error, what, count } = worst.with_context(|| format!("{id} {family}"))?;
            if kind == 0 {
                tally.numbers += count;
            }
            tally.worst[kind] = tally.worst[kind].max(error);
            if tolerance < error {
                let place = format_args!("{id} {family} in {number}");
                tally.faults.push(format!("{place}: {what}, {error:e} of its scale"));
            }
        }
        *tally.families.entry(case.family).or_default() += 1;
    }
    ensure!(!tally.families.is_empty(), "{}: no substeps", path.display());
    Ok(tally)
}
