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
/// Time after which a tire that answers late has answered (s).
const ANSWERED: Real = 10.0;

/// A fast speed, at which resistances are looked at (m/s).
pub(super) const FAST: Real = 30.0;

impl<Tire: TireModel> MechanicalParams<Tire> {
    /// Load of a wheel at rest (N).
    pub(super) fn rest_load(&self, wheel: usize, conditions: &Conditions<'_>) -> Real {
        self.suspension_forces[wheel].sprung_mass * conditions.simulation.gravity.length()
    }

    /// What the tire of a wheel gives at this `slip` under its load at rest, `time` (s) after it
    /// began to roll fast.
    pub(super) fn tire_output(
        &self,
        wheel: usize,
        slip: TireSlip,
        time: Real,
        conditions: &Conditions<'_>,
    ) -> TireOutput {
        let rolling = SteadyRolling {
            wheel: &self.wheels[wheel],
            frame: &conditions.simulation.coordinates.frame,
            speed: FAST * conditions.length_scale(),
            load: self.rest_load(wheel, conditions),
            inclination: 0.0,
            time,
        };
        rolling.output(&self.tires[wheel], slip)
    }

    /// Asks each tire for its forces where it slips.
    pub(super) fn examine_grip(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        for wheel in 0..self.tires.len() {
            let load = self.rest_load(wheel, conditions);
            if load <= 0.0 {
                continue;
            }
            let at = |longitudinal: Real, tangent: Real| {
                let slip = TireSlip { longitudinal, tangent };
                self.tire_output(wheel, slip, ANSWERED, conditions)
            };
            let along = [ASKED_SLIP, -ASKED_SLIP].map(|slip| at(slip, 0.0).longitudinal_force);
            let across = [-ASKED_SLIP, ASKED_SLIP].map(|slip| at(0.0, slip).lateral_force);
            for (name, [there, back]) in [("slip", along), ("slip angle", across)] {
                let force = 0.5 * (there - back) / load;
                let quantity = format_args!("force per load at a {name} of {ASKED_SLIP}");
                let (path, usual) = (format_args!("tires[{wheel}]"), Usual::AtLeast(LEAST_FORCE));
                findings.expect(Code::TireForceNone, path, quantity, force, usual);
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
