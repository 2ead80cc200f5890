//! What the parameters of a mechanical base must be.

use super::MechanicalParams;
use crate::commands::{Commands, MAX_BRAKES};
use crate::error::{Bound, ParamCheck, Validate};
use crate::frame::Frame;
use crate::math::{PI, Real, Vec3};
use crate::mount::{SuspensionParams, WheelParams};
use crate::suspension::params::{MOST_DAMPING, MOST_STIFFNESS};
use crate::suspension::{SuspensionComplianceParams, SuspensionForceParams, check_beam_axles};
use crate::tire::TireModel;

/// How far a wheel may travel, by its radius (dimensionless).
const MOST_TRAVEL: Real = 20.0;
/// Sum of the sprung masses beyond which they are refused, as a multiple of the mass
/// (dimensionless). Wheels that are lost keep theirs, and so does a vehicle that is unloaded.
const MOST_SPRUNG_MASS: Real = 4.0;

/// Requirement of a vehicle that is made for other axes than it drives by.
const SAME_FRAME: &str = "in the axes of the simulation: the data sheet (`CarBlueprint::frame`) and the simulation \
                          (`SimulationParams::new(frame)`, a vehicle's `params`) must have the same `Frame`";

impl<Tire> MechanicalParams<Tire> {
    /// Reports suspensions that do not lead down in the axes of `frame`, or axles that do not lie
    /// across. Such are those of a vehicle for other axes, or with travel directions from droop to
    /// compression.
    pub fn check_axes(&self, frame: &Frame, check: &mut ParamCheck) {
        let up = frame.vertical();
        let directions = self.suspensions.iter().map(|suspension| suspension.travel_direction);
        let leads_down = |direction: Vec3| direction.dot(up) < 0.0;
        for (wheel, direction) in directions.enumerate().filter(|(_, it)| !leads_down(*it)) {
            let requirement = format_args!("downward, away from {up}");
            let name = format_args!("suspensions[{wheel}].travel_direction");
            check.require(name, false, requirement, direction);
        }
        let mut directions = self.suspensions.iter().map(|suspension| suspension.travel_direction);
        if let Some(first) = directions.next().filter(|first| !leads_down(*first))
            && !directions.any(leads_down)
        {
            check.require("suspensions[..].travel_direction", false, SAME_FRAME, first);
        } else {
            self.check_axles_across(frame, check);
        }
    }

    /// Reports axles if all of them lie along the vehicle, one wheel before the other.
    fn check_axles_across(&self, frame: &Frame, check: &mut ParamCheck) {
        let place = |wheel: usize| self.suspensions.get(wheel).map(SuspensionParams::wheel_mount);
        let mut pairs = self.axles.axles().filter_map(|axle| {
            let &[one, other] = axle else { return None };
            Some(place(one)? - place(other)?)
        });
        let lies_along = |pair: Vec3| {
            2.0 * pair.dot(frame.lateral()).abs() < pair.dot(frame.longitudinal()).abs()
        };
        let Some(first) = pairs.next().filter(|pair| lies_along(*pair)) else { return };
        if pairs.all(lies_along) {
            let across = frame.lateral();
            let requirement = format_args!("across the vehicle, along {across}, and {SAME_FRAME}");
            check.require("axles[..]", false, requirement, first);
        }
    }

    /// Reports what the driver cannot want of such a vehicle: a torque on its steering wheel if it
    /// has no [steering system](Self::steering_system).
    pub fn check_commands(&self, commands: &Commands, check: &mut ParamCheck) {
        commands.check(check);
        let torque = commands.steering_torque.filter(|_| self.steering_system.is_none());
        if let Some(torque) = torque {
            let requirement = "none, as the vehicle has no steering_system";
            check.require("steering_torque", false, requirement, torque);
        }
    }

    /// Checks that the sprung masses together are not far more than the mass.
    fn check_sprung_masses(&self, check: &mut ParamCheck) {
        let sum: Real = self.suspension_forces.iter().map(|spring| spring.sprung_mass).sum();
        let most = MOST_SPRUNG_MASS * self.rigid_body.mass;
        let requirement =
            format_args!("at most {most} in sum, {MOST_SPRUNG_MASS} times rigid_body.mass");
        check.at_most("suspension_forces[..].sprung_mass", sum, most, requirement);
    }
}

impl<Tire> MechanicalParams<Tire> {
    /// Checks that no spring or damper is so strong for the vehicle that it becomes infinitely
    /// fast.
    fn check_springs(&self, check: &mut ParamCheck) {
        let mass = self.rigid_body.mass;
        for (wheel, spring) in self.suspension_forces.iter().enumerate() {
            let numbers = [
                ("stiffness", spring.stiffness, MOST_STIFFNESS),
                ("damping", spring.damping, MOST_DAMPING),
            ];
            for (name, value, per_mass) in numbers {
                let most = per_mass * mass;
                let requirement =
                    format_args!("at most {most}, {per_mass:e} times rigid_body.mass");
                let name = format_args!("suspension_forces[{wheel}].{name}");
                check.at_most(name, value, most, requirement);
            }
        }
    }
}

impl<Tire: TireModel> MechanicalParams<Tire> {
    fn check_lengths(&self, check: &mut ParamCheck) {
        let wheel_count = self.axles.wheel_count();
        let lengths = [
            ("wheels", self.wheels.len()),
            ("suspensions", self.suspensions.len()),
            ("compliances", self.compliances.len()),
            ("suspension_forces", self.suspension_forces.len()),
            ("tires", self.tires.len()),
        ];
        for (name, length) in lengths {
            check.count(name, length, wheel_count);
        }
        let brakes = self.brakes.len();
        check.require("brakes", brakes <= MAX_BRAKES, format_args!("at most {MAX_BRAKES}"), brakes);
    }

    /// Checks that no wheel travels far beyond its own size: it would be on a stilt, which turns
    /// the body by any force.
    fn check_travels(&self, check: &mut ParamCheck) {
        for (index, (suspension, wheel)) in self.suspensions.iter().zip(&self.wheels).enumerate() {
            let most = MOST_TRAVEL * wheel.radius;
            let requirement =
                format_args!("at most {most}, {MOST_TRAVEL} times the radius of its wheel");
            let name = format_args!("suspensions[{index}].travel_distance");
            check.at_most(name, suspension.travel_distance, most, requirement);
        }
    }

    fn check_controls(&self, check: &mut ParamCheck) {
        let wheel_count = self.axles.wheel_count();
        check.each("brakes", &self.brakes, |brake, inner| {
            brake.check(inner, wheel_count, Bound::NotNegative, Bound::NotNegative);
        });
        check.each("brake_valves", &self.brake_valves, |valve, inner| {
            valve.check(inner, wheel_count);
        });
        for (index, valve) in self.brake_valves.iter().enumerate() {
            let before = &self.brake_valves[..index];
            let is_shared =
                |wheel: &&usize| before.iter().any(|other| other.wheels.contains(wheel));
            if let Some(wheel) = valve.wheels.iter().find(is_shared) {
                let name = format_args!("brake_valves[{index}].wheels");
                check.require(name, false, "wheels of no other valve", wheel);
            }
        }
        check.field("steering", |inner| {
            self.steering.check(inner, wheel_count, Bound::Finite, Bound::Finite);
            for (wheel, multiplier) in self.steering.wheel_multipliers.iter().enumerate() {
                let angle = self.steering.max_response * multiplier;
                let name = format_args!("max_response · wheel_multipliers[{wheel}]");
                inner.number(name, angle, Bound::Within(-PI, PI));
            }
        });
        check.each("ackermann", &self.ackermann, |axle, inner| axle.check(inner, wheel_count));
        if let Some(system) = &self.steering_system {
            let steering = &self.steering;
            check.field("steering_system", |inner| system.check(inner, wheel_count, steering));
        }
    }
}

impl<Tire: TireModel> Validate for MechanicalParams<Tire> {
    fn check(&self, check: &mut ParamCheck) {
        let wheel_count = self.axles.wheel_count();
        self.check_lengths(check);
        self.check_controls(check);
        check.field("rigid_body", |inner| self.rigid_body.check(inner));
        check.each("wheels", &self.wheels, WheelParams::check);
        check.each("suspensions", &self.suspensions, SuspensionParams::check);
        check.each("compliances", &self.compliances, SuspensionComplianceParams::check);
        check.each("suspension_forces", &self.suspension_forces, SuspensionForceParams::check);
        self.check_travels(check);
        self.check_sprung_masses(check);
        self.check_springs(check);
        check.each("anti_roll_bars", &self.anti_roll_bars, |bar, inner| {
            bar.check(inner, wheel_count);
        });
        let (body, bars) = (&self.rigid_body, &self.anti_roll_bars);
        let suspensions = (&self.suspensions[..], &self.suspension_forces[..]);
        self.suspension_dynamics.check(body, suspensions, &self.wheels, bars, check);
        let (axles, dynamics) = (&self.beam_axles, &self.suspension_dynamics);
        check_beam_axles(axles, body, &self.suspensions, dynamics, bars, check);
        check.field("aerodynamics", |inner| self.aerodynamics.check(inner));
        check.field("suspension_limit", |inner| self.suspension_limit.check(inner));
        check.each("tires", &self.tires, Tire::check);
    }
}
