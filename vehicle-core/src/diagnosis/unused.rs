//! Numbers that do nothing, because another one counts in their place.
//!
//! Vehicles of data sheets have the same number in both places, or the usual one where there is no
//! other: nothing is said about them.

use super::FindingCode as Code;
use super::modes::damper_of;
use super::{Conditions, Findings, Usual};
use crate::constraint_rows::SuspensionLimitParams;
use crate::lookup_table::LookupTable;
use crate::math::{Real, Vec3};
use crate::mount::WheelParams;
use crate::suspension::unsprung::{SuspensionDynamics, UnsprungParams};
use crate::suspension::{
    AntiRollAction, AntiRollBarParams, ExpansionSpeed, SuspensionComplianceParams,
};
use crate::tire::TireModel;
use crate::vehicle::MechanicalParams;

/// How far a number may be from the one that counts, as a part of it (dimensionless).
const TOLERANCE: Real = 1e-2;

impl Findings {
    /// Adds a finding unless `value`, a number that does nothing, is the `expected` one; `counts`
    /// names what counts.
    fn expect_like(
        &mut self,
        path: String,
        quantity: &str,
        value: Real,
        expected: Real,
        counts: &str,
    ) {
        if (value - expected).abs() <= TOLERANCE * expected.abs() {
            return;
        }
        let usual =
            if value < expected { Usual::AtLeast(expected) } else { Usual::AtMost(expected) };
        let advice = || Some(format!("what counts is {counts}"));
        self.expect_with(Code::NumberUnused, path, quantity, value, usual, advice);
    }
}

impl<Tire: TireModel> MechanicalParams<Tire> {
    /// Adds numbers that do nothing and differ from those that count.
    pub(super) fn examine_unused(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        self.examine_unused_springs(findings);
        self.examine_unused_inflation(conditions, findings);
        if let SuspensionDynamics::Unsprung(wheels) = &self.suspension_dynamics {
            for (wheel, unsprung) in wheels.iter().enumerate() {
                self.examine_beside_mass(wheel, unsprung, findings);
            }
            self.examine_stops(findings);
            self.examine_bars(findings);
        }
    }

    /// Stiffness and damping that the strut says otherwise.
    fn examine_unused_springs(&self, findings: &mut Findings) {
        for (wheel, spring) in self.suspension_forces.iter().enumerate() {
            let Some(strut) = self.suspension_dynamics.strut(wheel) else { continue };
            let path = format!("suspension_forces[{wheel}]");
            let kind = if self.suspension_dynamics.has_mass() { "unsprung" } else { "struts" };
            let strut_path = match kind {
                "unsprung" => format!("suspension_dynamics.unsprung[{wheel}].strut"),
                _ => format!("suspension_dynamics.struts[{wheel}]"),
            };
            if let Some(damper) = &strut.damper {
                for (name, side) in [("bump", damper.bump), ("rebound", damper.rebound)] {
                    if side.knee == 0.0 {
                        let path = format!("{strut_path}.damper.{name}.rate");
                        let quantity = "damping rate up to a knee at 0 m/s (N·s/m)";
                        let counts = format!("{strut_path}.damper.{name}.rate_beyond");
                        let expected = side.rate_beyond;
                        findings.expect_like(path, quantity, side.rate, expected, &counts);
                    }
                }
                let rate = damper_of(self, wheel).mean_rate();
                let quantity = "damping rate beside the strut's, which is on average (N·s/m)";
                let counts = format!("{strut_path}.damper");
                findings.expect_like(
                    format!("{path}.damping"),
                    quantity,
                    spring.damping,
                    rate,
                    &counts,
                );
            }
            if let [_, .., (jounce, force)] = strut.spring[..] {
                let mean = force / jounce;
                let quantity = "stiffness beside the strut's spring, which has on average (N/m)";
                let counts = format!("{strut_path}.spring");
                let is_within = strut
                    .spring
                    .windows(2)
                    .map(|ends| (ends[1].1 - ends[0].1) / (ends[1].0 - ends[0].0))
                    .fold((mean, mean), |(low, high), slope| (low.min(slope), high.max(slope)));
                let stiffness = spring.stiffness;
                // Which of its slopes is meant is not known.
                if !(is_within.0..=is_within.1).contains(&stiffness) {
                    let path = format!("{path}.stiffness");
                    findings.expect_like(path, quantity, stiffness, mean, &counts);
                }
            }
        }
    }

    /// Pressure and stiffness of tires whose model knows neither.
    fn examine_unused_inflation(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let usual = WheelParams::default().inflation_pressure / conditions.length_scale();
        for (wheel, (params, tire)) in self.wheels.iter().zip(&self.tires).enumerate() {
            let pressure = params.inflation_pressure;
            if tire.knows_inflation() {
                continue;
            }
            if pressure != 0.0 {
                let path = format!("wheels[{wheel}].inflation_pressure");
                let quantity = "inflation pressure of a tire whose model knows none (Pa)";
                let counts = "a tire model that knows it, such as a measured tire";
                findings.expect_like(path, quantity, pressure, usual, counts);
            }
            let SuspensionDynamics::Unsprung(unsprung) = &self.suspension_dynamics else {
                continue;
            };
            let path = format!("wheels[{wheel}].radial_stiffness");
            let quantity = "stiffness beside that of the wheel with mass (N/m)";
            let counts = format!("suspension_dynamics.unsprung[{wheel}].tire_stiffness");
            if let Some(value) = params.known_radial_stiffness() {
                let expected = unsprung[wheel].tire_stiffness;
                findings.expect_like(path, quantity, value, expected, &counts);
            }
        }
    }

    /// Looks for parameters of wheel `wheel` that its `unsprung` mass and tire replace.
    fn examine_beside_mass(
        &self,
        wheel: usize,
        unsprung: &UnsprungParams,
        findings: &mut Findings,
    ) {
        let params = &self.wheels[wheel];
        let of = |field: &str| format!("suspension_dynamics.unsprung[{wheel}].{field}");
        // The wheel is half of what moves with it, a third on a beam axle, see the blueprint, but
        // for those of light vehicles.
        let is_on_beam = self.beam_axles.iter().any(|axle| axle.wheels.contains(&wheel));
        let (part, name) = if is_on_beam { (1.0 / 3.0, "a third") } else { (0.5, "half") };
        let most = 0.4 * self.suspension_forces[wheel].sprung_mass;
        let is_capped = 0.99 * most < unsprung.mass && part * most < params.mass;
        if !is_capped {
            let quantity =
                format!("mass beside the unsprung one, of which it is usually {name} (kg)");
            let (path, counts) = (format!("wheels[{wheel}].mass"), of("mass"));
            findings.expect_like(path, &quantity, params.mass, part * unsprung.mass, &counts);
        }
        self.examine_force_points(wheel, findings);
    }

    /// Points at which the forces of wheels without mass act.
    fn examine_force_points(&self, wheel: usize, findings: &mut Findings) {
        let (suspension, radius) = (&self.suspensions[wheel], self.wheels[wheel].radius);
        let compliance = &self.compliances[wheel];
        let usual = SuspensionComplianceParams::at_contact(
            suspension.travel_direction,
            suspension.travel_distance,
            radius,
        );
        let counts =
            format!("suspension_dynamics.unsprung[{wheel}].path_slope: forces act at the contact");
        for (name, points, usual) in [
            (
                "suspension_force_point",
                &compliance.suspension_force_point,
                &usual.suspension_force_point,
            ),
            ("tire_force_point", &compliance.tire_force_point, &usual.tire_force_point),
        ] {
            let apart = farthest(points, usual);
            let path = format!("compliances[{wheel}].{name}");
            let quantity = "distance from the contact (m)";
            if TOLERANCE * radius < apart {
                findings.expect_like(path, quantity, apart, 0.0, &counts);
            }
        }
    }

    /// Bars that are to act on the body, which act on wheels with mass all the same.
    fn examine_bars(&self, findings: &mut Findings) {
        let on_body = |bar: &AntiRollBarParams| bar.action == AntiRollAction::Body;
        for (index, bar) in self.anti_roll_bars.iter().enumerate().filter(|(_, bar)| on_body(bar)) {
            let path = format!("anti_roll_bars[{index}].action");
            let quantity = "stiffness of a bar on the body, beside wheels with mass (N/m)";
            let counts = "the action on the wheels, as bars of wheels with mass always have";
            findings.expect_like(path, quantity, bar.stiffness, 0.0, counts);
        }
    }

    /// Stops and drops of wheels without mass.
    fn examine_stops(&self, findings: &mut Findings) {
        let restitution = self.suspension_limit.restitution;
        let usual = SuspensionLimitParams::default().restitution;
        let quantity = "restitution of stops that wheels with mass do not have";
        let counts = "the end_stop of each of suspension_dynamics.unsprung";
        let path = "suspension_limit.restitution".to_owned();
        findings.expect_like(path, quantity, restitution, usual, counts);
        let is_usual = self.jounce.expansion == ExpansionSpeed::default();
        let quantity = "limits of a drop that wheels with mass do not have";
        let counts = "the mass of each of suspension_dynamics.unsprung";
        let path = "jounce.expansion".to_owned();
        findings.expect_like(path, quantity, if is_usual { 0.0 } else { 1.0 }, 0.0, counts);
    }
}

/// How far the points of a curve are from another (m): 0 for one without points, or at the origin.
fn farthest(points: &LookupTable<Vec3>, usual: &LookupTable<Vec3>) -> Real {
    if points.points().iter().all(|(_, point)| *point == Vec3::ZERO) {
        return 0.0;
    }
    let distance = |&(jounce, point): &(Real, Vec3)| point.distance(usual.evaluate(jounce));
    let backwards =
        usual.points().iter().map(|&(jounce, point)| point.distance(points.evaluate(jounce)));
    points.points().iter().map(distance).chain(backwards).fold(0.0, Real::max)
}
