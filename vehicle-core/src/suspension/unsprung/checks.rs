//! What wheels with mass and struts cannot be.

use super::checked_mass::{wheel_path, whole_mass};
use super::params::{SuspensionDynamics, UnsprungParams};
use super::rim::Rim;
use crate::body::RigidBodyParams;
use crate::error::{Bound, ParamCheck, Validate};
use crate::math::Real;
use crate::mount::WheelParams;
use crate::suspension::params::{MOST_DAMPING, MOST_STIFFNESS};
use crate::suspension::{AntiRollBarParams, StrutParams, SuspensionForceParams, SuspensionParams};

/// Least part of a pivot of the body's mass that its wheels must leave (dimensionless).
const LEAST_BODY: f64 = 1e-3;

/// Square of the distance of a wheel from the center of mass, at most, as a multiple of that of the
/// body's least radius of gyration (dimensionless). Beyond it, a wheel that meets the road throws
/// the body, and its moment rounds the inertia away.
const FARTHEST: f64 = 1e3;

/// Acceleration that a spring of full compression may give to the body (length units/s²).
const MOST_ACCELERATION: Real = 1e5;

/// Acceleration that a rim may give to the body at most (length units/s²).
const MOST_RIM_ACCELERATION: Real = 1e7;

impl SuspensionDynamics {
    /// Reports what wheels with mass and struts cannot be, on a body and suspensions that are
    /// valid.
    pub(crate) fn check(
        &self,
        body: &RigidBodyParams,
        (suspensions, springs): (&[SuspensionParams], &[SuspensionForceParams]),
        shapes: &[WheelParams],
        bars: &[AntiRollBarParams],
        check: &mut ParamCheck,
    ) {
        if let Self::Struts(struts) = self {
            check.field("suspension_dynamics", |check| {
                check.count("struts", struts.len(), suspensions.len());
                check.each("struts", struts, StrutParams::check);
                check_strength(struts, springs, body.mass, check);
            });
        }
        let Self::Unsprung(wheels) = self else {
            return;
        };
        check_travels(body, suspensions, springs, check);
        check_radii(body, wheels, shapes, check);
        check.field("suspension_dynamics", |check| {
            check.count("unsprung", wheels.len(), suspensions.len());
            check.each("unsprung", wheels, UnsprungParams::check);
            check_masses(wheels, body, suspensions, check);
        });
        check_bars(bars, suspensions.len(), check);
    }
}

/// Checks that no strut of a wheel without mass is so strong for the vehicle, of `mass` (kg), that
/// it becomes infinitely fast.
fn check_strength(
    struts: &[StrutParams],
    springs: &[SuspensionForceParams],
    mass: Real,
    check: &mut ParamCheck,
) {
    for (wheel, (strut, spring)) in struts.iter().zip(springs).enumerate() {
        let (stiffness, damping) =
            (strut.steepest_stiffness(spring), strut.damper_law(spring).steepest());
        let numbers = [
            ("spring and bump_stop", stiffness, MOST_STIFFNESS, "N/m"),
            ("damper", damping, MOST_DAMPING, "N·s/m"),
        ];
        for (name, value, per_mass, unit) in numbers {
            let most = per_mass * mass;
            let requirement = format_args!(
                "at most {most} {unit} at their steepest, {per_mass:e} times rigid_body.mass"
            );
            let name = format_args!("struts[{wheel}].{name}");
            check.at_most(name, value, most, requirement);
        }
    }
}

/// Checks that no spring, fully compressed, throws the body beyond all numbers.
fn check_travels(
    body: &RigidBodyParams,
    suspensions: &[SuspensionParams],
    springs: &[SuspensionForceParams],
    check: &mut ParamCheck,
) {
    for (index, (suspension, spring)) in suspensions.iter().zip(springs).enumerate() {
        let most = MOST_ACCELERATION * body.mass / spring.stiffness;
        let travel = suspension.travel_distance;
        // Numbers that are no mass or stiffness, and too stiff springs, are reported where they
        // are.
        let is_told = !(0.0 < most && spring.stiffness <= MOST_STIFFNESS * body.mass);
        let is_short = is_told || travel <= most || !travel.is_finite();
        let requirement = format_args!(
            "at most {most}, where its spring lifts the body by {MOST_ACCELERATION:e}"
        );
        check.require(
            format_args!("suspensions[{index}].travel_distance"),
            is_short,
            requirement,
            travel,
        );
    }
}

/// Checks that no tire is so large that its rim would throw the body beyond all measure.
fn check_radii(
    body: &RigidBodyParams,
    wheels: &[UnsprungParams],
    shapes: &[WheelParams],
    check: &mut ParamCheck,
) {
    for (index, (wheel, shape)) in wheels.iter().zip(shapes).enumerate() {
        let load = wheel.tire_stiffness * Rim::<Real>::most_of_radius();
        let most = MOST_RIM_ACCELERATION * body.mass / load;
        // Numbers that are no mass or stiffness are reported where they are.
        let is_told = most.is_nan() || most <= 0.0;
        let is_small = is_told || shape.radius <= most || !shape.radius.is_finite();
        let requirement = format_args!(
            "at most {most}, where its rim pushes the body by {MOST_RIM_ACCELERATION:e}"
        );
        check.require(format_args!("wheels[{index}].radius"), is_small, requirement, shape.radius);
    }
}

/// Checks that a body is left without the wheels, and that none of them is so far away that
/// rounding takes its inertia.
///
/// ```text
/// Mass - Σ m J Jᵀ   positive definite,        M r² ≤ 1e3 I      for the least inertia I
/// ```
fn check_masses(
    wheels: &[UnsprungParams],
    body: &RigidBodyParams,
    suspensions: &[SuspensionParams],
    check: &mut ParamCheck,
) {
    let mut left = whole_mass(body);
    if left.smallest_pivot() <= 0.0 {
        // A body that is none is reported where it is.
        return;
    }
    let least_inertia = f64::from(body.inertia.min_element());
    let farthest = (FARTHEST * least_inertia / f64::from(body.mass)).sqrt();
    for (index, (wheel, suspension)) in wheels.iter().zip(suspensions).enumerate() {
        let distance = suspension.wheel_mount().as_dvec3().length();
        let requirement = format_args!("at most {farthest} (m) from the center of mass");
        let is_near = distance <= farthest;
        check.require(
            format_args!("suspensions[{index}].attachment"),
            is_near,
            requirement,
            distance,
        );
        if !is_near {
            return;
        }
        let path = wheel_path(suspension);
        left.add_product(&(path * -f64::from(wheel.mass)), &path);
        let is_left = LEAST_BODY < left.smallest_pivot() || !wheel.mass.is_finite();
        let requirement =
            "so small that the body's mass and inertia are more than those of its wheels";
        check.require(format_args!("unsprung[{index}].mass"), is_left, requirement, wheel.mass);
        if !is_left {
            return;
        }
    }
    check_slopes(wheels, body, suspensions, check);
}

/// Checks that wheels do not go so far aside, as they drop, that they outweigh the body's inertia.
///
/// ```text
/// Σ m (s |a|)² < min I
/// ```
///
/// with the travel `s` and the slope `a` of each wheel's path.
fn check_slopes(
    wheels: &[UnsprungParams],
    body: &RigidBodyParams,
    suspensions: &[SuspensionParams],
    check: &mut ParamCheck,
) {
    let mut aside = 0.0;
    for (index, (wheel, suspension)) in wheels.iter().zip(suspensions).enumerate() {
        let [along, across] = wheel.path_slope;
        let travel = suspension.travel_distance;
        aside += wheel.mass * (along * along + across * across) * travel * travel;
        let is_small = !aside.is_finite() || aside < body.inertia.min_element();
        let requirement = format_args!(
            "so small that a wheel that goes aside over a travel of {travel} is lighter than the body"
        );
        check.require(format_args!("unsprung[{index}].path_slope"), is_small, requirement, across);
    }
}

fn check_bars(bars: &[AntiRollBarParams], wheel_count: usize, check: &mut ParamCheck) {
    for (index, bar) in bars.iter().enumerate() {
        let name = format_args!("anti_roll_bars[{index}].stiffness");
        check.number(name, bar.stiffness, Bound::NotNegative);
        for &wheel in bar.wheels.iter().filter(|&&wheel| wheel < wheel_count) {
            let is_only = bars[..index].iter().all(|before| !before.wheels.contains(&wheel));
            let requirement = "those of no other bar: a wheel with mass has one at most";
            check.require(
                format_args!("anti_roll_bars[{index}].wheels"),
                is_only,
                requirement,
                wheel,
            );
        }
    }
}

#[cfg(test)]
mod tests;
