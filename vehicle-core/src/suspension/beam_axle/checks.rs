//! What no beam axle can be.

use super::BeamAxleParams;
use crate::body::RigidBodyParams;
use crate::error::{Bound, ParamCheck};
use crate::math::Real;
use crate::mount::SuspensionParams;
use crate::suspension::AntiRollBarParams;
use crate::suspension::unsprung::{SuspensionDynamics, UnsprungParams, wheel_path, whole_mass};

/// Roll inertia of an axle, at least and at most, by its mass and the square of its track
/// (dimensionless): a rod has 1/12, two wheels alone have 1/4.
const ROLL_INERTIA: [Real; 2] = [0.01, 1.0];
/// Distance of springs or dampers by that of the wheels, at most (dimensionless).
const MOST_SEAT_TRACK: Real = 2.0;
/// Height of a roll center by the track, at most (dimensionless).
const MOST_ROLL_CENTER: Real = 0.5;
/// Cosine of the angle between the travels of two wheels on one axle, at least.
const SAME_DIRECTION: Real = 0.9999;

/// Least part of a pivot of the body's mass that its axles must leave (dimensionless).
const LEAST_BODY: f64 = 1e-3;

impl BeamAxleParams {
    /// Reports what an axle of a vehicle on valid `suspensions` cannot be.
    fn check(&self, check: &mut ParamCheck, suspensions: &[SuspensionParams]) -> bool {
        let count = suspensions.len();
        for (index, &wheel) in self.wheels.iter().enumerate() {
            let requirement = format_args!("a wheel below {count}");
            check.require(format_args!("wheels[{index}]"), wheel < count, requirement, wheel);
        }
        let [first, second] = self.wheels;
        check.require("wheels", first != second, "two different wheels", first);
        check.number("roll_inertia", self.roll_inertia, Bound::Positive);
        check.number("spring_track", self.spring_track, Bound::Positive);
        check.number("damper_track", self.damper_track, Bound::Positive);
        check.number("roll_center_height", self.roll_center_height, Bound::Finite);
        check.number("roll_steer", self.roll_steer, Bound::Within(-1.0, 1.0));
        first != second && first < count && second < count
    }

    /// Reports wheels that an axle `before` joins, too, or a bar joins to another one.
    fn check_beside(&self, check: &mut ParamCheck, before: &[Self], bars: &[AntiRollBarParams]) {
        for wheel in self.wheels {
            let is_only = before.iter().all(|axle| !axle.wheels.contains(&wheel));
            check.require("wheels", is_only, "those of no other beam axle", wheel);
            let mut of_wheel = bars.iter().filter(|bar| bar.wheels.contains(&wheel));
            let is_along = of_wheel.all(|bar| self.wheels.iter().all(|it| bar.wheels.contains(it)));
            let requirement = "those that their anti-roll bar joins, if they have one";
            check.require("wheels", is_along, requirement, wheel);
        }
    }

    /// Reports what its `wheels`, which are there, do not allow it.
    fn check_on_wheels(
        &self,
        check: &mut ParamCheck,
        suspensions: &[SuspensionParams],
        wheels: &[UnsprungParams],
    ) {
        let track = self.track(suspensions);
        let requirement = "of wheels that are apart";
        check.require("wheels", 0.0 < track, requirement, track);
        let [first, second] = self.wheels.map(|wheel| suspensions[wheel].travel_direction);
        let requirement = "of wheels that travel in the same direction";
        let cosine = first.dot(second);
        // Directions that are none are reported where they are.
        let is_same = cosine.is_nan() || SAME_DIRECTION <= cosine;
        check.require("wheels", is_same, requirement, second);
        let mass: Real = self.wheels.iter().map(|&wheel| wheels[wheel].mass).sum();
        let usual = mass * track * track;
        // Masses that are none are reported where they are.
        if 0.0 < usual && usual.is_finite() {
            let [least, most] = ROLL_INERTIA.map(|part| part * usual);
            check.number("roll_inertia", self.roll_inertia, Bound::Within(least, most));
        }
        for (name, value) in
            [("spring_track", self.spring_track), ("damper_track", self.damper_track)]
        {
            check.number(name, value, Bound::Within(0.0, MOST_SEAT_TRACK * track));
        }
        let height = MOST_ROLL_CENTER * track;
        check.number("roll_center_height", self.roll_center_height, Bound::Within(-height, height));
        for wheel in self.wheels {
            let slope = wheels[wheel].path_slope[1];
            let requirement = format_args!(
                "0 for wheel {wheel} of a beam axle, which says its roll center itself"
            );
            check.require("wheels", slope == 0.0, requirement, slope);
        }
    }
}

/// Reports beam axles that cannot be those of a vehicle with this `body` and these `bars` on valid
/// `suspensions`.
pub(crate) fn check_beam_axles(
    axles: &[BeamAxleParams],
    body: &RigidBodyParams,
    suspensions: &[SuspensionParams],
    dynamics: &SuspensionDynamics,
    bars: &[AntiRollBarParams],
    check: &mut ParamCheck,
) {
    let SuspensionDynamics::Unsprung(wheels) = dynamics else {
        let requirement = "none: a beam axle is for wheels with mass (`unsprung`)";
        check.require("beam_axles", axles.is_empty(), requirement, axles.len());
        return;
    };
    let check_each = |check: &mut ParamCheck| {
        for (index, axle) in axles.iter().enumerate() {
            check.field(format_args!("beam_axles[{index}]"), |check| {
                if axle.check(check, suspensions) && wheels.len() == suspensions.len() {
                    axle.check_on_wheels(check, suspensions, wheels);
                }
                axle.check_beside(check, &axles[..index], bars);
            });
        }
    };
    check_each(check);
    let mut faults = ParamCheck::default();
    check_each(&mut faults);
    if wheels.len() == suspensions.len() && faults.finish().is_ok() {
        check_roll_inertias(axles, wheels, body, suspensions, check);
    }
}

/// Checks that a body is left without the axles: valid ones, of valid wheels.
///
/// ```text
/// Mass - Σ m J Jᵀ + Σ b (J - J') (J - J')ᵀ   positive definite
/// ```
fn check_roll_inertias(
    axles: &[BeamAxleParams],
    wheels: &[UnsprungParams],
    body: &RigidBodyParams,
    suspensions: &[SuspensionParams],
    check: &mut ParamCheck,
) {
    let path = |wheel: usize| wheel_path(&suspensions[wheel]);
    let mut left = whole_mass(body);
    for (number, wheel) in wheels.iter().enumerate() {
        left.add_product(&(path(number) * -f64::from(wheel.mass)), &path(number));
    }
    if left.smallest_pivot() <= LEAST_BODY {
        // Wheels that leave no body are reported where they are.
        return;
    }
    for (index, axle) in axles.iter().enumerate() {
        let [first, second] = axle.wheels;
        let masses = axle.wheels.map(|wheel| wheels[wheel].mass);
        let shared = f64::from(axle.shared_mass(masses, axle.track(suspensions)));
        let difference = path(first) + path(second) * -1.0;
        left.add_product(&(difference * shared), &difference);
        let is_left = LEAST_BODY < left.smallest_pivot();
        let requirement = "so small that the body has a roll inertia without its axles";
        let name = format_args!("beam_axles[{index}].roll_inertia");
        check.require(name, is_left, requirement, axle.roll_inertia);
    }
}
