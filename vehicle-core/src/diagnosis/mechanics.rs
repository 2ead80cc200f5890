//! Odd parameters of the mechanical base of a vehicle.

use super::FindingCode as Code;
use super::grip::FAST;
use super::modes::{
    QuarterCar, VibrationMode, damper_of, needed_substeps, rest_jounce, spring_at_rest,
};
use super::ride::{MOST_REST, ride_forecast};
use super::{Conditions, Findings, TireExamination, Usual};
use crate::math::{Real, Vec3};
use crate::mount::{SuspensionParams, WheelParams};
use crate::suspension::unsprung::SuspensionDynamics;
use crate::tire::TireModel;
use crate::vehicle::MechanicalParams;

/// Damping ratio below which a wheel goes on hopping (dimensionless).
const LEAST_HOP_DAMPING: Real = 0.05;
/// How far steps may change the frequency of a wheel's hop, in parts of it, and add to its damping
/// ratio (dimensionless).
const HOP_TOLERANCE: Real = 0.2;
/// Damping ratio from which on a wheel hardly overshoots: it does not hop, in steps or without
/// (dimensionless).
const HOPS: Real = 0.7;
/// Way from rest to the bump stop that suspensions have at least, by the radius of their wheel
/// (dimensionless).
const LEAST_WAY: Real = 0.03;

/// Mass of a vehicle from which on its wheels have the size of those of cars (kg).
const CAR_MASS: Real = 50.0;
/// Radius of the smallest wheels of such a vehicle, and of the largest ones (m).
const RADII: (Real, Real) = (0.05, 3.0);

impl<Tire: TireModel> MechanicalParams<Tire> {
    /// Adds what is odd about the mechanical base under `conditions`. The parameters are
    /// [valid](crate::Validate).
    pub fn examine(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        self.examine_wheels(conditions, findings);
        self.examine_suspensions(conditions, findings);
        self.examine_masses(conditions, findings);
        self.examine_ride(conditions, findings);
        self.examine_hop(conditions, findings);
        self.examine_tires(conditions, findings);
        self.examine_resistance(conditions, findings);
        self.examine_grip(conditions, findings);
        self.examine_brakes(conditions, findings);
        self.examine_braking(conditions, findings);
        self.examine_tipping(conditions, findings);
        self.examine_steering(conditions, findings);
        self.examine_linkage(conditions, findings);
        self.examine_unused(conditions, findings);
    }

    fn examine_wheels(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        // Wheels of a model are small, and it is light: its length goes by the root of its mass.
        let size = (self.rigid_body.mass / CAR_MASS).min(1.0).cbrt();
        let radii = (RADII.0 * size, RADII.1);
        for (wheel, params) in self.wheels.iter().enumerate() {
            let WheelParams { radius, mass, inertia, .. } = *params;
            let path = format!("wheels[{wheel}]");
            let in_meters = radius / conditions.length_scale();
            let quantity = "radius in meters (m)";
            let codes = [Code::LengthUnit; 2];
            let path_of_radius = format_args!("{path}.radius");
            findings.expect_within(codes, path_of_radius, quantity, in_meters, radii);
            let share = inertia / (mass * radius * radius);
            let quantity = "inertia per mass and squared radius";
            let codes = [Code::WheelInertiaLow, Code::WheelInertiaHigh];
            findings.expect_within(
                codes,
                format_args!("{path}.inertia"),
                quantity,
                share,
                (0.1, 2.0),
            );
        }
    }

    fn examine_suspensions(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let up = conditions.simulation.coordinates.frame.vertical();
        for (wheel, suspension) in self.suspensions.iter().enumerate() {
            let travel = suspension.travel_distance;
            let path = format!("suspensions[{wheel}]");
            let (of_travel, of_direction) =
                (format!("{path}.travel_distance"), format_args!("{path}.travel_direction"));
            let quantity = "travel in meters (m)";
            let in_meters = travel / conditions.length_scale();
            findings.expect(
                Code::TravelShort,
                &of_travel,
                quantity,
                in_meters,
                Usual::AtLeast(0.02),
            );
            let down = -suspension.travel_direction.dot(up);
            let quantity = "downward part";
            findings.expect(
                Code::SuspensionLeans,
                of_direction,
                quantity,
                down,
                Usual::AtLeast(0.7),
            );
            let rest = rest_jounce(self, wheel, conditions) / travel;
            if 0.0 < rest {
                let codes = [Code::SuspensionHangs, Code::SuspensionBottoms];
                let quantity = "jounce at rest per travel";
                findings.expect_within(codes, &of_travel, quantity, rest, (0.05, 0.9));
            }
        }
        for (wheel, spring) in self.suspension_forces.iter().enumerate() {
            let gravity = conditions.simulation.gravity.length();
            let ratio = QuarterCar::of(self, wheel, gravity).map_or_else(
                || {
                    let stiffness = spring_at_rest(self, wheel, gravity).0 as Real;
                    let rate = damper_of(self, wheel).mean_rate();
                    rate / (2.0 * (stiffness * spring.sprung_mass).sqrt())
                },
                |quarter| quarter.damping_ratio(),
            );
            let path = format_args!("suspension_forces[{wheel}].damping");
            let codes = [Code::SuspensionUndamped, Code::SuspensionOverdamped];
            findings.expect_within(codes, path, "damping ratio", ratio, (0.1, 2.0));
        }
        for (index, bar) in self.anti_roll_bars.iter().enumerate() {
            let path = format_args!("anti_roll_bars[{index}].stiffness");
            let quantity = "stiffness (N/m)";
            let usual = Usual::AtLeast(0.0);
            findings.expect(Code::AntiRollBarNegative, path, quantity, bar.stiffness, usual);
        }
    }

    fn examine_masses(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let frame = &conditions.simulation.coordinates.frame;
        let mass = self.rigid_body.mass;
        let mounts = || self.suspensions.iter().map(SuspensionParams::wheel_mount);
        let sprung = || self.suspension_forces.iter().map(|spring| spring.sprung_mass);
        let sum: Real = sprung().sum();
        let path = "suspension_forces[..].sprung_mass";
        let codes = [Code::SprungMassSum; 2];
        // What rests on another vehicle, or carries a part of one, does not stand on its wheels
        // alone.
        if !conditions.is_coupled {
            findings.expect_within(codes, path, "sum per mass", sum / mass, (0.9, 1.1));
        }

        let up = frame.vertical();
        let level = |point: Vec3| point - up * point.dot(up);
        let moment: Vec3 = mounts().zip(sprung()).map(|(mount, mass)| level(mount) * mass).sum();
        let reach = mounts().map(|mount| level(mount).length()).fold(0.0, Real::max);
        let offset = moment.length() / sum;
        if 0.0 < reach && !conditions.is_coupled {
            let quantity = "distance of the sprung masses' center per largest wheel distance";
            let usual = Usual::AtMost(0.05);
            findings.expect(Code::SprungMassBalance, path, quantity, offset / reach, usual);
        }
        let inertia = self.rigid_body.inertia;
        for (name, moment) in ["x", "y", "z"].into_iter().zip(inertia.to_array()) {
            let share = moment / (inertia.element_sum() - moment);
            let path = format_args!("rigid_body.inertia.{name}");
            let quantity = "moment per sum of the other two";
            // A flat body reaches 1, but for rounding.
            findings.expect(Code::InertiaNoBody, path, quantity, share, Usual::AtMost(1.001));
        }
        self.examine_inertia(conditions, findings);
    }

    /// Compares the inertia with that of the mass if it were at the wheels.
    fn examine_inertia(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let frame = &conditions.simulation.coordinates.frame;
        let up = frame.vertical();
        let count = self.suspensions.len() as Real;
        for (name, axis) in [("x", Vec3::X), ("y", Vec3::Y), ("z", Vec3::Z)] {
            let squared = |mount: Vec3| {
                let level = mount - up * mount.dot(up);
                (level - axis * level.dot(axis)).length_squared()
            };
            let mounts = self.suspensions.iter().map(SuspensionParams::wheel_mount);
            let mean = mounts.map(squared).sum::<Real>() / count;
            let least = conditions.length_scale() * conditions.length_scale() * 1e-3;
            if mean <= least {
                continue;
            }
            let share = axis.dot(self.rigid_body.inertia) / (self.rigid_body.mass * mean);
            let path = format_args!("rigid_body.inertia.{name}");
            let quantity = "inertia per that of its mass at the wheels";
            let codes = [Code::InertiaLow, Code::InertiaHigh];
            // Wheels of a trailer are close together below a long body.
            let most = if conditions.is_coupled { Real::MAX } else { 3.0 };
            findings.expect_within(codes, path, quantity, share, (0.2, most));
        }
    }

    fn examine_ride(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let Some(forecast) = ride_forecast(self, conditions) else { return };
        let advice = || {
            let substeps = forecast.needed_substeps;
            Some(substeps.map_or_else(
                || "no number of substeps up to 64 makes this time step stable".to_owned(),
                |count| format!("{count} substeps are the fewest that do at this time step"),
            ))
        };
        let path = "suspension_forces";
        if forecast.is_unstable() {
            let quantity = "growth per frame";
            let usual = Usual::AtMost(1.0);
            findings.expect_with(
                Code::RideUnstable,
                path,
                quantity,
                forecast.growth,
                usual,
                advice,
            );
        } else if forecast.shakes() {
            let quantity = "rest of a disturbance after a second";
            let usual = Usual::AtMost(forecast.continuous_rest.max(MOST_REST));
            findings.expect_with(Code::RideShakes, path, quantity, forecast.rest, usual, advice);
        }
    }

    /// Looks at wheels with mass: how they hop, in the steps that they take, and how near their
    /// stops are.
    fn examine_hop(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let SuspensionDynamics::Unsprung(wheels) = &self.suspension_dynamics else { return };
        let step = f64::from(conditions.dt) / f64::from(conditions.taken_substeps());
        for (wheel, unsprung) in wheels.iter().enumerate() {
            let quantity = "mass by that of all that moves with it";
            let heavy = self.wheels[wheel].mass / unsprung.mass;
            let (of_wheel, usual) = (format_args!("wheels[{wheel}].mass"), Usual::AtMost(1.0));
            findings.expect(Code::NumberOdd, of_wheel, quantity, heavy, usual);
            let path = format!("suspension_dynamics.unsprung[{wheel}]");
            let gravity = conditions.simulation.gravity.length();
            let Some(quarter) = QuarterCar::of(self, wheel, gravity) else { continue };
            let (exact, found) = (quarter.modes().hop, quarter.modes_in_steps(step).hop);
            let quantity = "damping ratio of the wheel's hop";
            let of_tire = format_args!("{path}.tire_damping");
            let usual = Usual::AtLeast(LEAST_HOP_DAMPING);
            findings.expect(Code::HopUndamped, of_tire, quantity, exact.damping_ratio, usual);
            let range = (1.0 - HOP_TOLERANCE, 1.0 + HOP_TOLERANCE);
            let is_like = |hop: &VibrationMode| {
                let ratio = hop.frequency / exact.frequency;
                let excess = hop.damping_ratio - exact.damping_ratio;
                range.0 <= ratio && ratio <= range.1 && excess <= HOP_TOLERANCE
            };
            if exact.damping_ratio < HOPS && !is_like(&found) {
                let advice = || {
                    let (VibrationMode { frequency, damping_ratio }, count) =
                        (exact, needed_substeps(&quarter, conditions, is_like));
                    let needed = count.map_or_else(
                        || "more than 64 substeps".to_owned(),
                        |count| format!("{count} substeps"),
                    );
                    let VibrationMode { frequency: in_steps, .. } = found;
                    Some(format!(
                        "by itself the wheel hops at {frequency:.1} Hz, damped by {damping_ratio:.2}, in these \
                         steps at {in_steps:.1} Hz; it takes {needed} to come near"
                    ))
                };
                let quantity = "damping ratio of the wheel's hop in steps";
                let usual = Usual::AtMost(exact.damping_ratio);
                let ratio = found.damping_ratio;
                findings.expect_with(Code::HopStepped, &path, quantity, ratio, usual, advice);
            }
            let stop = unsprung.strut.bump_stop.unwrap_or_default();
            let left = stop.edge - rest_jounce(self, wheel, conditions);
            if 0.0 < gravity && 0.0 < stop.stiffness {
                let quantity = "way from rest to the bump stop per radius of the wheel";
                let (left, usual) = (left / self.wheels[wheel].radius, Usual::AtLeast(LEAST_WAY));
                let of_stop = format_args!("{path}.strut.bump_stop.edge");
                findings.expect(Code::BumpStopNear, of_stop, quantity, left, usual);
            }
        }
    }

    fn examine_tires(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        for (wheel, tire) in self.tires.iter().enumerate() {
            let load = self.rest_load(wheel, conditions);
            let examination = TireExamination { conditions, wheel: &self.wheels[wheel], load };
            findings.field(format_args!("tires[{wheel}]"), |inner| {
                tire.examine(&examination, inner);
            });
        }
    }

    fn examine_resistance(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let scale = conditions.length_scale();
        let mass = self.rigid_body.mass;
        let weight = mass * conditions.simulation.gravity.length();
        let resistance =
            |wheel: &WheelParams| wheel.damping_rate * (FAST * scale / wheel.radius) / wheel.radius;
        let sum: Real = self.wheels.iter().map(resistance).sum();
        if 0.0 < weight {
            let quantity = "resistance at 30 m/s per weight";
            let usual = Usual::AtMost(0.1);
            let path = "wheels[..].damping_rate";
            findings.expect(Code::WheelDampingHigh, path, quantity, sum / weight, usual);
        }
        let air = &self.aerodynamics;
        let drag = 0.5 * air.air_density * air.drag_area;
        let quantity = "resistance of tires, wheels and air at 30 m/s (N)";
        let tires: Real =
            (0..self.tires.len()).map(|it| self.tire_resistance(it, conditions)).sum();
        let resistance = tires + sum + drag * (FAST * scale) * (FAST * scale);
        let usual = Usual::Above(0.0);
        findings.expect(Code::CoastingFree, "wheels[..].damping_rate", quantity, resistance, usual);
        let lost = drag * (2.0 * FAST * scale) * conditions.dt / mass;
        let quantity = "part of its speed that the air takes in a step at 60 m/s";
        let path = "aerodynamics.drag_area";
        findings.expect(Code::DragStrong, path, quantity, lost, Usual::AtMost(0.5));
    }

    /// The steer angle of the wheel that turns furthest (rad).
    pub(super) fn largest_steer_angle(&self) -> Real {
        let angle = |multiplier: &Real| (multiplier * self.steering.max_response).abs();
        self.steering.wheel_multipliers.iter().map(angle).fold(0.0, Real::max)
    }

    fn examine_steering(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let turns = self.turning_part(conditions);
        let quantity = "part of the steering that turns it to the side of the command";
        let usual = Usual::AtLeast(0.0);
        findings.expect(Code::SteeringReversed, "steering", quantity, turns, usual);
        let largest = self.largest_steer_angle();
        let quantity = "largest steer angle (rad)";
        let codes = [Code::SteeringNone, Code::SteerAngleLarge];
        let least = if conditions.is_towed { Usual::AtLeast } else { Usual::Above };
        let (path, usual) = ("steering.max_response", [least(0.0), Usual::AtMost(1.1)]);
        for (code, usual) in codes.into_iter().zip(usual) {
            findings.expect(code, path, quantity, largest, usual);
        }
    }

    /// How far the steer angles turn the vehicle to the side of the command, by how far they could
    /// if all did: from -1 to 1 (dimensionless).
    ///
    /// ```text
    /// Σ δ (x - x_mean) / Σ |δ (x - x_mean)|
    /// ```
    fn turning_part(&self, conditions: &Conditions<'_>) -> Real {
        let forward = conditions.simulation.coordinates.frame.longitudinal();
        let places = self.suspensions.iter().map(|it| it.wheel_mount().dot(forward));
        let mean = places.clone().sum::<Real>() / self.suspensions.len() as Real;
        let multipliers = &self.steering.wheel_multipliers;
        let parts = places
            .zip(multipliers)
            .map(|(place, multiplier)| multiplier * self.steering.max_response * (place - mean));
        let whole: Real = parts.clone().map(Real::abs).sum();
        let part = parts.sum::<Real>() / whole;
        // Wheels that all turn alike move it sideways.
        if part.abs() < 1e-3 || part.is_nan() { 0.0 } else { part }
    }
}
