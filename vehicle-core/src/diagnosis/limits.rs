//! How hard a vehicle can brake and turn before it tips over or its rear wheels lock.

use super::FindingCode as Code;
use super::modes::rest_jounce;
use super::{Conditions, Findings, Usual};
use crate::math::{Real, Vec3};
use crate::tire::TireModel;
use crate::vehicle::MechanicalParams;

/// Deceleration up to which the front wheels of cars must lock first, by that of gravity
/// (dimensionless). Tires that grip more make it worse.
const HARD_STOP: Real = 0.8;

/// Deceleration of a full foot brake that a vehicle reaches at least (m/s²): that of laws is 5.
const LEAST_BRAKING: Real = 2.0;

/// Lateral acceleration at which a vehicle tips over, by the one at which its tires slide
/// (dimensionless): those of loaded trucks reach 0.8.
const LEAST_TIPPING: Real = 0.6;
impl<Tire: TireModel> MechanicalParams<Tire> {
    /// Looks at the deceleration of a full foot brake. Who neither steers nor brakes is towed.
    pub(super) fn examine_braking(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let torques = self.brakes.first().into_iter().flat_map(|foot| {
            foot.wheel_multipliers.iter().map(|multiplier| multiplier * foot.max_response)
        });
        let forces = torques.zip(&self.wheels).map(|(torque, wheel)| torque / wheel.radius);
        let force: Real = forces.sum();
        if force == 0.0 && self.largest_steer_angle() == 0.0 {
            return;
        }
        let deceleration = force / self.rigid_body.mass / conditions.length_scale();
        let (path, quantity) = ("brakes[0]", "largest deceleration of the foot brake (m/s²)");
        let usual = Usual::AtLeast(LEAST_BRAKING);
        findings.expect(Code::BrakesWeak, path, quantity, deceleration, usual);
    }

    /// Compares the lateral acceleration at which the vehicle tips over with that at which its
    /// tires slide. One with all wheels in line leans.
    ///
    /// ```text
    /// t / (2 h) = Σ m |y| / (m h)
    /// ```
    pub(super) fn examine_tipping(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let frame = &conditions.simulation.coordinates.frame;
        let (mut mass, mut width, mut height) = (0.0, 0.0, 0.0);
        for (wheel, spring) in self.suspension_forces.iter().enumerate() {
            let sprung = spring.sprung_mass;
            let (center, above) = self.wheel_at_rest(wheel, conditions);
            mass += sprung;
            width += sprung * center.dot(frame.lateral()).abs();
            height += sprung * above;
        }
        let grip = self.lateral_grip(conditions);
        let is_in_line = width <= 1e-3 * height.abs();
        if conditions.is_coupled || is_in_line || height <= 0.0 || mass <= 0.0 || grip.is_nan() {
            return;
        }
        let quantity = "half of the track per height of the center of mass";
        let usual = Usual::AtLeast(LEAST_TIPPING * grip);
        findings.expect(Code::TipsOver, "suspensions", quantity, width / height, usual);
    }

    /// Compares how the foot brake shares itself with how the axles share the load in a hard stop.
    /// It is not for all: who brakes by the rear wheels alone does so on purpose. Riders have a
    /// lever for each brake, tracks join the wheels of a side, and trailers are not steered.
    ///
    /// ```text
    /// front wheels lock first:   F_f / ΣF > m_f / Σm + z h / L,   F = T / r,   z = 0.8
    /// ```
    pub(super) fn examine_brakes(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let is_steered = 0.0 < self.largest_steer_angle();
        let has_axles = 2 < self.wheels.len();
        let Some(foot) = self.brakes.first().filter(|_| is_steered && has_axles) else { return };
        let frame = &conditions.simulation.coordinates.frame;
        // Of the wheels in front of the center of mass, and of those behind it.
        let (mut forces, mut masses, mut moments, mut heights) =
            ([0.0; 2], [0.0; 2], [0.0; 2], 0.0);
        for (wheel, suspension) in self.suspensions.iter().enumerate() {
            let place = suspension.wheel_mount().dot(frame.longitudinal());
            let side = usize::from(place <= 0.0);
            let mut valves = self.brake_valves.iter().filter(|it| it.wheels.contains(&wheel));
            let part = valves.next().map_or(1.0, |valve| valve.least_part);
            let torque = part * foot.max_response * foot.wheel_multipliers[wheel];
            let (radius, mass) =
                (self.wheels[wheel].radius, self.suspension_forces[wheel].sprung_mass);
            forces[side] += torque / radius;
            masses[side] += mass;
            moments[side] += mass * place;
            heights += mass * self.wheel_at_rest(wheel, conditions).1;
        }
        if forces[0] <= 0.0 || masses[0] <= 0.0 || masses[1] <= 0.0 {
            return;
        }
        let mass = masses[0] + masses[1];
        let wheel_base = moments[0] / masses[0] - moments[1] / masses[1];
        let needed = masses[0] / mass + HARD_STOP * heights / mass / wheel_base;
        // Then the front wheels carry all.
        if 1.0 <= needed {
            return;
        }
        let share = forces[0] / (forces[0] + forces[1]);
        let (path, quantity) = ("brakes[0].wheel_multipliers", "front share of the foot brake");
        findings.expect(Code::BrakesRear, path, quantity, share, Usual::AtLeast(needed));
    }

    /// Center of a wheel at rest, from the center of mass (m), and the height of that above the
    /// wheel's contact (m).
    fn wheel_at_rest(&self, wheel: usize, conditions: &Conditions<'_>) -> (Vec3, Real) {
        let suspension = &self.suspensions[wheel];
        let extension = suspension.travel_distance - rest_jounce(self, wheel, conditions);
        let center = suspension.wheel_mount() + suspension.travel_direction * extension;
        let up = conditions.simulation.coordinates.frame.vertical();
        (center, self.wheels[wheel].radius - center.dot(up))
    }
}
