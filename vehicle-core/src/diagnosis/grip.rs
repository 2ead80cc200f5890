//! What tires give at rest and where they slip.

use super::FindingCode as Code;
use super::{Conditions, Findings, Usual};
use crate::math::Real;
use crate::tire::{SteadyRolling, TireModel, TireOutput, TireSlip};
use crate::vehicle::MechanicalParams;

/// Slip angles at which the grip of tires is looked for (rad).
const SLIDING: [Real; 4] = [0.08, 0.12, 0.2, 0.35];

/// Slip and slip angle (rad) at which tires are asked for a force.
const ASKED_SLIP: Real = 0.1;
/// Force that a tire has there at least, by its load (dimensionless).
const LEAST_FORCE: Real = 0.01;
/// A slip at which a tire does not slide yet, and one at which it slides.
const SMALL_SLIP: Real = 0.005;
const LARGE_SLIP: Real = 0.35;
/// Slips from 0 to 1 at which the largest force is looked for.
const SLIP_STEP: Real = 0.02;
const SLIP_STEPS: u8 = 51;
/// A load at which a tire is asked as well, by that at rest (dimensionless).
const LIGHT: Real = 0.7;
/// Largest force without slip, by the load (dimensionless).
const MOST_WITHOUT_SLIP: Real = 0.1;
/// Range of the slope that a tire tells, by that of its force (dimensionless).
const SLOPES: (Real, Real) = (0.3, 3.0);
/// Ranges of the stiffness along and across, by the load (dimensionless).
const STIFFNESSES: [(Real, Real); 2] = [(1.0, 200.0), (2.0, 150.0)];
/// Range of the largest force by the load (dimensionless).
const GRIPS: (Real, Real) = (0.3, 3.0);
/// Largest part of its force that a tire loses within a step of slip (dimensionless).
const MOST_DROP: Real = 0.3;
/// Range of the force of a sliding tire by that under less load (dimensionless).
const LOAD_EFFECTS: (Real, Real) = (1.08, 3.0);
/// Largest aligning moment by load and radius (dimensionless).
const MOST_MOMENT: Real = 0.5;
/// Range of what resists rolling, by the load (dimensionless).
const RESISTANCES: (Real, Real) = (0.0, 0.3);
/// Time after which a tire that answers late has answered (s).
const ANSWERED: Real = 10.0;

/// A fast speed, at which resistances are looked at (m/s).
pub(super) const FAST: Real = 30.0;

impl<Tire: TireModel> MechanicalParams<Tire> {
    /// Load of a wheel at rest (N).
    pub(super) fn rest_load(&self, wheel: usize, conditions: &Conditions<'_>) -> Real {
        self.suspension_forces[wheel].sprung_mass * conditions.simulation.gravity.length()
    }

    /// Forces and moments of a wheel's tire at this `slip`, under its load at rest, `time` (s)
    /// after it began to roll fast.
    pub(super) fn tire_output(
        &self,
        wheel: usize,
        slip: TireSlip,
        time: Real,
        conditions: &Conditions<'_>,
    ) -> TireOutput {
        let load = self.rest_load(wheel, conditions);
        self.rolling(wheel, load, time, conditions).output(&self.tires[wheel], slip)
    }

    /// A wheel that rolls fast under `load` (N) since `time` (s).
    fn rolling<'a>(
        &'a self,
        wheel: usize,
        load: Real,
        time: Real,
        conditions: &Conditions<'a>,
    ) -> SteadyRolling<'a> {
        SteadyRolling {
            wheel: &self.wheels[wheel],
            frame: &conditions.simulation.coordinates.frame,
            speed: FAST * conditions.length_scale(),
            load,
            inclination: 0.0,
            time,
        }
    }

    /// Force by which a tire under its load at rest resists rolling at a fast speed (N).
    pub(super) fn tire_resistance(&self, wheel: usize, conditions: &Conditions<'_>) -> Real {
        let dt = conditions.substep();
        let output = self.tire_output(wheel, TireSlip::default(), dt, conditions);
        resistance(&output, self.wheels[wheel].radius)
    }

    /// Asks each tire for its forces where it slips and where it does not.
    pub(super) fn examine_grip(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        for (wheel, model) in self.tires.iter().enumerate() {
            let load = self.rest_load(wheel, conditions);
            if load <= 0.0 {
                continue;
            }
            let asked = AskedTire {
                model,
                rolling: self.rolling(wheel, load, ANSWERED, conditions),
                path: format!("tires[{wheel}]"),
            };
            if asked.expect_finite(findings) {
                asked.expect_force(findings);
                asked.expect_none_without_slip(findings);
                asked.expect_slope(findings);
                asked.expect_stiffness(findings);
                asked.expect_grip(findings);
                asked.expect_moment(findings);
                asked.expect_resistance(findings);
            }
        }
    }

    /// Largest lateral force of all tires by their load at rest (dimensionless).
    pub(super) fn lateral_grip(&self, conditions: &Conditions<'_>) -> Real {
        let force = |wheel: usize| {
            let at = |tangent: Real| {
                let slip = TireSlip { longitudinal: 0.0, tangent };
                self.tire_output(wheel, slip, ANSWERED, conditions).lateral_force.abs()
            };
            SLIDING.into_iter().map(at).fold(0.0, Real::max)
        };
        let wheels = 0..self.tires.len();
        let load: Real = wheels.clone().map(|wheel| self.rest_load(wheel, conditions)).sum();
        wheels.map(force).sum::<Real>() / load
    }
}

/// Force by which a tire that gives `output` resists the rolling of a wheel of `radius` (m) (N).
fn resistance(output: &TireOutput, radius: Real) -> Real {
    -output.rolling_resistance_force - output.rolling_torques.sum() / radius
}

/// A tire that is asked for its forces.
struct AskedTire<'a, Tire> {
    model: &'a Tire,
    rolling: SteadyRolling<'a>,
    path: String,
}

/// Along the rolling direction, and across it.
const AXES: [usize; 2] = [0, 1];
const AXIS_NAMES: [&str; 2] = ["longitudinal", "lateral"];

impl<Tire: TireModel> AskedTire<'_, Tire> {
    /// Forces and moments of the tire at a slip along one axis, and none along the other.
    fn output(&self, axis: usize, slip: Real) -> TireOutput {
        let mut slips = [0.0; 2];
        slips[axis] = slip;
        let [longitudinal, tangent] = slips;
        self.rolling.output(self.model, TireSlip { longitudinal, tangent })
    }

    /// Force by the load at a slip along an axis, positive where it opposes a positive one
    /// (dimensionless).
    fn force(&self, axis: usize, slip: Real) -> Real {
        let output = self.output(axis, slip);
        [output.longitudinal_force, -output.lateral_force][axis] / self.rolling.load
    }

    /// Slope of the force by the load at no slip along an axis (dimensionless).
    fn slope(&self, axis: usize) -> Real {
        (self.force(axis, SMALL_SLIP) - self.force(axis, -SMALL_SLIP)) / (2.0 * SMALL_SLIP)
    }

    /// Adds a finding unless `value` is usual, or it has been found before.
    fn expect(
        &self,
        codes: [Code; 2],
        quantity: &str,
        value: Real,
        usual: (Real, Real),
        findings: &mut Findings,
    ) {
        let path = &self.path;
        let is_known = |code: Code| {
            findings.list().iter().any(|it| it.code == code && it.path.starts_with(path))
        };
        let code = codes[usize::from(usual.0 <= value)];
        if !is_known(code) {
            findings.expect_within(codes, path, quantity, value, usual);
        }
    }

    /// Whether all that it gives is finite.
    fn expect_finite(&self, findings: &mut Findings) -> bool {
        for axis in AXES {
            for slip in [0.0, SMALL_SLIP, -SMALL_SLIP, ASKED_SLIP, -ASKED_SLIP, LARGE_SLIP] {
                let output = self.output(axis, slip);
                let numbers = [
                    ("longitudinal force (N)", output.longitudinal_force),
                    ("lateral force (N)", output.lateral_force),
                    ("rolling resistance force (N)", output.rolling_resistance_force),
                    ("overturning moment (N·m)", output.overturning_moment),
                    ("rolling torque (N·m)", output.rolling_torques.sum()),
                    ("aligning moment (N·m)", output.aligning_moment),
                    ("reported moment (N·m)", output.reported_moment),
                    ("longitudinal stiffness (N)", output.longitudinal_stiffness),
                    ("standing resistance (N)", output.standing_resistance),
                ];
                let Some((name, number)) = numbers.into_iter().find(|(_, it)| !it.is_finite())
                else {
                    continue;
                };
                let slips = ["slip", "slip angle (tangent)"];
                let quantity = format_args!("{name} at a {} of {slip}", slips[axis]);
                let size = if number.is_nan() { number } else { number.abs() };
                let usual = Usual::AtMost(Real::MAX);
                findings.expect(Code::TireNotFinite, &self.path, quantity, size, usual);
                return false;
            }
        }
        true
    }

    fn expect_force(&self, findings: &mut Findings) {
        for (axis, name) in AXES.into_iter().zip(["slip", "slip angle"]) {
            let force = 0.5 * (self.force(axis, ASKED_SLIP) - self.force(axis, -ASKED_SLIP));
            let quantity = format_args!("force per load at a {name} of {ASKED_SLIP}");
            let usual = Usual::AtLeast(LEAST_FORCE);
            findings.expect(Code::TireForceNone, &self.path, quantity, force, usual);
        }
    }

    fn expect_none_without_slip(&self, findings: &mut Findings) {
        for axis in AXES {
            let quantity = format_args!("{} force per load without slip", AXIS_NAMES[axis]);
            let (force, usual) = (self.force(axis, 0.0).abs(), Usual::AtMost(MOST_WITHOUT_SLIP));
            findings.expect(Code::TireForceWithoutSlip, &self.path, quantity, force, usual);
        }
    }

    /// Compares the slope that it tells with that of its force, at no slip and beside it.
    fn expect_slope(&self, findings: &mut Findings) {
        let told = |slip| self.output(0, slip).longitudinal_stiffness / self.rolling.load;
        let slips = [SMALL_SLIP, -SMALL_SLIP, ASKED_SLIP, -ASKED_SLIP];
        let least = slips.into_iter().map(told).fold(told(0.0), Real::min);
        let slope = self.slope(0);
        if least < 0.0 {
            let quantity = "least longitudinal stiffness per load";
            let usual = Usual::AtLeast(0.0);
            findings.expect(Code::TireSlopeOther, &self.path, quantity, least, usual);
        } else if LEAST_FORCE < slope {
            let quantity = "longitudinal stiffness by the slope of the force at no slip";
            let codes = [Code::TireSlopeOther; 2];
            findings.expect_within(codes, &self.path, quantity, told(0.0) / slope, SLOPES);
        }
    }

    fn expect_stiffness(&self, findings: &mut Findings) {
        let low = [Code::TireStiffnessLongitudinalLow, Code::TireStiffnessLateralLow];
        for axis in AXES {
            let slope = self.slope(axis);
            // One that has no force has been told of.
            if 0.0 < self.force(axis, ASKED_SLIP) {
                let quantity = format!("{} stiffness per load", AXIS_NAMES[axis]);
                let codes = [low[axis], Code::TireStiffnessHigh];
                self.expect(codes, &quantity, slope, STIFFNESSES[axis], findings);
            }
        }
    }

    /// Looks at how the force goes on beyond its largest one, and with the load.
    fn expect_grip(&self, findings: &mut Findings) {
        let light = SteadyRolling { load: LIGHT * self.rolling.load, ..self.rolling };
        let light = AskedTire { model: self.model, rolling: light, path: self.path.clone() };
        for axis in AXES {
            let name = AXIS_NAMES[axis];
            let at = |step: u8| self.force(axis, SLIP_STEP * Real::from(step));
            let forces: [Real; SLIP_STEPS as usize] = std::array::from_fn(|step| at(step as u8));
            let largest = forces.into_iter().fold(0.0, Real::max);
            if largest < LEAST_FORCE {
                continue;
            }
            let quantity = format!("largest {name} force per load");
            let codes = [Code::TireGripLow, Code::TireGripHigh];
            // One that is too soft does not come to its largest force.
            let is_soft = self.slope(axis) < STIFFNESSES[axis].0;
            let grips = if is_soft { (0.0, GRIPS.1) } else { GRIPS };
            self.expect(codes, &quantity, largest, grips, findings);
            let drops = forces.windows(2).map(|pair| (pair[0] - pair[1]) / largest);
            let drop = drops.fold(0.0, Real::max);
            let quantity =
                format_args!("part of its {name} force that is lost within a slip of {SLIP_STEP}");
            let usual = Usual::AtMost(MOST_DROP);
            findings.expect(Code::TireForceDrops, &self.path, quantity, drop, usual);
            if is_soft {
                continue;
            }
            let more = self.force(axis, LARGE_SLIP) / (LIGHT * light.force(axis, LARGE_SLIP));
            let quantity =
                format_args!("{name} force of a sliding tire by that under {LIGHT} of its load");
            let codes = [Code::TireLoadIgnored; 2];
            findings.expect_within(codes, &self.path, quantity, more, LOAD_EFFECTS);
        }
    }

    fn expect_moment(&self, findings: &mut Findings) {
        let slips = [SMALL_SLIP, -SMALL_SLIP, ASKED_SLIP, -ASKED_SLIP];
        let moments = slips.map(|slip| self.output(1, slip).aligning_moment.abs());
        let most = moments.into_iter().fold(0.0, Real::max);
        let value = most / (self.rolling.load * self.rolling.wheel.radius);
        let quantity = "aligning moment by load and radius";
        let usual = Usual::AtMost(MOST_MOMENT);
        findings.expect(Code::TireMomentLarge, &self.path, quantity, value, usual);
    }

    fn expect_resistance(&self, findings: &mut Findings) {
        let SteadyRolling { wheel, load, .. } = self.rolling;
        let output = self.output(0, 0.0);
        let codes = [Code::TireResistanceOdd; 2];
        for (quantity, force) in [
            ("rolling resistance by the load", resistance(&output, wheel.radius)),
            ("standing resistance by the load", output.standing_resistance),
        ] {
            findings.expect_within(codes, &self.path, quantity, force / load, RESISTANCES);
        }
    }
}
