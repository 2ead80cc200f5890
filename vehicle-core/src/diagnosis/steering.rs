//! Ackermann corrections and steering axes that do not fit the wheels.

use super::FindingCode as Code;
use super::{Conditions, Findings, Usual};
use crate::math::{Real, Vec3};
use crate::steering::AckermannParams;
use crate::tire::TireModel;
use crate::vehicle::MechanicalParams;

/// How far lengths of a correction may be from those of the wheels, in parts of these
/// (dimensionless).
const LENGTHS: (Real, Real) = (0.8, 1.2);
/// Distance of two places that are one, by the length of the vehicle (dimensionless).
const SAME_PLACE: Real = 0.02;

impl<Tire: TireModel> MechanicalParams<Tire> {
    /// Compares corrections and steering axes with the wheels that they are of.
    pub(super) fn examine_linkage(&self, conditions: &Conditions<'_>, findings: &mut Findings) {
        let corrected = self.ackermann.iter().enumerate();
        for (index, axle) in corrected.filter(|(_, axle)| 0.0 < axle.strength) {
            let path = format!("ackermann[{index}]");
            for (side, &wheel) in axle.wheels.iter().enumerate() {
                let path = format!("{path}.wheels[{side}]");
                self.expect_steered(&path, wheel, findings);
                let later = self.ackermann[index + 1..].iter();
                let counts = later.filter(|it| 0.0 < it.strength && it.wheels.contains(&wheel));
                let quantity = "later corrections of the same wheel, of which the last one counts";
                let (count, usual) = (counts.count() as Real, Usual::AtMost(0.0));
                findings.expect(Code::NumberUnused, path, quantity, count, usual);
            }
            if axle.wheels.iter().all(|wheel| self.steered(*wheel) != 0.0) {
                self.examine_ackermann(axle, &path, conditions, findings);
            }
        }
        for (index, axis) in self.steering_system.iter().flat_map(|it| &it.axes).enumerate() {
            let path = format!("steering_system.axes[{index}].wheel");
            self.expect_steered(&path, axis.wheel, findings);
        }
    }

    /// Steer angle of a wheel at full lock (rad).
    fn steered(&self, wheel: usize) -> Real {
        self.steering.wheel_multipliers[wheel] * self.steering.max_response
    }

    fn expect_steered(&self, path: &str, wheel: usize, findings: &mut Findings) {
        let quantity = "steer angle of its wheel at full lock (rad)";
        let angle = self.steered(wheel).abs();
        findings.expect(Code::WheelNotSteered, path, quantity, angle, Usual::Above(0.0));
    }

    /// Compares the side and the lengths of a correction with the places of its wheels.
    fn examine_ackermann(
        &self,
        axle: &AckermannParams,
        path: &str,
        conditions: &Conditions<'_>,
        findings: &mut Findings,
    ) {
        let frame = &conditions.simulation.coordinates.frame;
        let mounts = axle.wheels.map(|wheel| self.suspensions[wheel].wheel_mount());
        let [first, second] = mounts.map(|mount| mount.dot(frame.lateral()));
        let same = SAME_PLACE * self.largest_distance(conditions);
        // Wheels that are steered against the front change sides.
        let side = axle.wheels.map(|wheel| self.steered(wheel)).iter().sum::<Real>().signum();
        let apart = (second - first) * side;
        if apart.abs() <= same {
            return;
        }
        let quantity = "how far its second wheel is on the inner side of its first in a turn (m)";
        let of_wheels = format_args!("{path}.wheels");
        findings.expect(Code::AckermannReversed, of_wheels, quantity, apart, Usual::Above(0.0));
        let codes = [Code::AckermannOdd; 2];
        let quantity = "track width per distance of its wheels";
        let (of_track, part) = (format_args!("{path}.track_width"), axle.track_width / apart.abs());
        findings.expect_within(codes, of_track, quantity, part, LENGTHS);
        let place = 0.5 * mounts.map(|mount| mount.dot(frame.longitudinal())).iter().sum::<Real>();
        let Some(base) = self.turning_place(conditions).map(|it| (place - it).abs()) else {
            return;
        };
        if same < base {
            let quantity = "wheel base per distance from the line about which the vehicle turns";
            let (of_base, part) = (format_args!("{path}.wheel_base"), axle.wheel_base / base);
            findings.expect_within(codes, of_base, quantity, part, LENGTHS);
        }
    }

    /// Largest distance of a wheel from the center of mass (m).
    fn largest_distance(&self, conditions: &Conditions<'_>) -> Real {
        let frame = &conditions.simulation.coordinates.frame;
        let level = |mount: Vec3| mount - frame.vertical() * mount.dot(frame.vertical());
        let mounts = self.suspensions.iter().map(|it| level(it.wheel_mount()).length());
        mounts.fold(0.0, Real::max)
    }

    /// How far ahead of the center of mass the line is about which the vehicle turns (m): the mean
    /// of the wheels that are not steered. Where all are, the place where a wheel would need no
    /// angle, if angles grow with the place.
    fn turning_place(&self, conditions: &Conditions<'_>) -> Option<Real> {
        let forward = conditions.simulation.coordinates.frame.longitudinal();
        let mean = |values: &[Real]| values.iter().sum::<Real>() / values.len() as Real;
        let places: Vec<Real> =
            self.suspensions.iter().map(|it| it.wheel_mount().dot(forward)).collect();
        let numbered = places.iter().enumerate();
        let straight = numbered.filter(|(wheel, _)| self.steered(*wheel) == 0.0);
        let straight: Vec<Real> = straight.map(|(_, place)| *place).collect();
        if !straight.is_empty() {
            return Some(mean(&straight));
        }
        let angles: Vec<Real> = (0..places.len()).map(|wheel| self.steered(wheel)).collect();
        let (middle, angle) = (mean(&places), mean(&angles));
        let pairs = || places.iter().zip(&angles);
        let spread: Real = pairs().map(|(place, _)| (place - middle) * (place - middle)).sum();
        let slope: Real = pairs().map(|(place, other)| (place - middle) * (other - angle)).sum();
        (slope != 0.0).then(|| middle - angle * spread / slope)
    }
}
