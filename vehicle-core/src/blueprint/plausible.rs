//! Plausible ranges of the numbers of data sheets, and the unit that was meant outside of them.

use std::fmt::Display;

use crate::error::{Bound, ParamCheck, Readable};
use crate::math::Real;
use crate::mount::WheelParams;

/// The range of a number of a data sheet, which no real vehicle leaves from a model car to a mining
/// truck.
///
/// ```
/// use vehicle_core::blueprint::CarBlueprint;
///
/// let in_millimeters = CarBlueprint { wheel_base: 2_600.0, ..CarBlueprint::default() };
/// let error = in_millimeters.mechanics().unwrap_err().to_string();
/// assert_eq!(error, "wheel_base must be within [0.05, 20] (m), got 2600: in millimeters?");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plausible {
    /// The least and the largest that it can be.
    pub range: (Real, Real),
    /// Unit of the number.
    pub unit: &'static str,
    /// Other units in which it is found, and what one of each is in its own.
    pub others: &'static [(&'static str, Real)],
}

/// Units of lengths beside the meter.
const LENGTHS: &[(&str, Real)] =
    &[("millimeters", 1e-3), ("centimeters", 1e-2), ("inches", 0.0254), ("kilometers", 1e3)];
/// Units of masses beside the kilogram.
const MASSES: &[(&str, Real)] = &[("tonnes", 1e3), ("grams", 1e-3)];
/// Units of shares beside the whole.
const SHARES: &[(&str, Real)] = &[("percent", 1e-2)];

impl Plausible {
    /// A number without another usual unit.
    pub const fn new(low: Real, high: Real, unit: &'static str) -> Self {
        Self { range: (low, high), unit, others: &[] }
    }

    /// This range, of a number that people also give in the units `others`, each with its size.
    pub const fn or_in(self, others: &'static [(&'static str, Real)]) -> Self {
        Self { others, ..self }
    }

    /// A length (m).
    pub(super) const fn length(low: Real, high: Real) -> Self {
        Self::new(low, high, "m").or_in(LENGTHS)
    }

    /// A mass (kg).
    pub(super) const fn mass(low: Real, high: Real) -> Self {
        Self::new(low, high, "kg").or_in(MASSES)
    }

    /// A number without a unit.
    pub(super) const fn share(low: Real, high: Real) -> Self {
        Self::new(low, high, "dimensionless").or_in(SHARES)
    }

    /// Whether `value` is in the range.
    pub fn holds(&self, value: Real) -> bool {
        let (low, high) = self.range;
        low <= value && value <= high
    }

    /// Checks the number in the field `name`.
    pub fn check(&self, check: &mut ParamCheck, name: impl Display, value: Real) {
        let bound = match self.range.0 {
            low if low < 0.0 => Bound::Finite,
            0.0 => Bound::NotNegative,
            _ => Bound::Positive,
        };
        if bound.holds(value) {
            self.check_size(check, name, value, "");
        } else {
            check.number(name, value, bound);
        }
    }

    /// Checks the number in the field `name`, whose sign is right, and says `why` its range is
    /// such.
    pub(super) fn check_size(
        &self,
        check: &mut ParamCheck,
        name: impl Display,
        value: Real,
        why: &str,
    ) {
        let (low, high) = self.range;
        if !value.is_finite() || (low <= value && value <= high) {
            return;
        }
        let [low, high] = [low, high].map(Readable);
        let requirement = format_args!("within [{low}, {high}] ({}){why}", self.unit);
        let hint = self.meant(value).map_or_else(String::new, |unit| format!(": in {unit}?"));
        check.require(name, false, requirement, format_args!("{value}{hint}"));
    }

    /// The unit that puts `value` into the range, and nearest to its middle: the one that may have
    /// been meant.
    pub fn meant(&self, value: Real) -> Option<&'static str> {
        let (low, high) = self.range;
        let middle = (low.max(1e-3 * high) * high).sqrt().ln();
        let distance = |factor: Real| ((value * factor).abs().ln() - middle).abs();
        let fits = |factor: Real| (low..=high).contains(&(value * factor));
        let fitting = self.others.iter().filter(|(_, factor)| fits(*factor));
        let nearest = fitting.min_by(|(_, a), (_, b)| distance(*a).total_cmp(&distance(*b)));
        nearest.map(|(unit, _)| *unit)
    }
}

/// Mass of a vehicle, and of what an axle weighs (kg).
pub(super) const MASS: Plausible = Plausible::mass(0.02, 1e6);
/// Mass by the volume of a box of the body's size (kg/m³).
pub(super) const DENSITY: (Real, Real) = (10.0, 10_000.0);
/// Length, width and height of a body (m).
pub(super) const SIZE: Plausible = Plausible::length(0.01, 100.0);
/// Distance between two axles (m).
pub(super) const WHEEL_BASE: Plausible = Plausible::length(0.05, 20.0);
/// Place of an axle behind the first one (m).
pub(super) const AXLE_POSITION: Plausible = Plausible::length(0.0, 60.0);
/// Place of a coupling behind the first axle (m).
pub(super) const COUPLING_POSITION: Plausible = Plausible::length(-60.0, 60.0);
/// Distance between the wheels of an axle (m).
pub(super) const TRACK_WIDTH: Plausible = Plausible::length(0.02, 15.0);
/// Height of a center of mass (m).
pub(super) const HEIGHT: Plausible = Plausible::length(0.005, 8.0);
/// Radius of a wheel (m).
pub(super) const RADIUS: Plausible = Plausible::length(0.005, 3.0);
/// Half of the width of a wheel (m).
pub(super) const HALF_WIDTH: Plausible = Plausible::length(0.001, 2.0);
/// Mass of a wheel (kg).
pub(super) const WHEEL_MASS: Plausible = Plausible::mass(1e-4, 2e4);
/// Moment of inertia of a wheel by its mass and squared radius (dimensionless); wheels of a track
/// have that of all of it.
pub(super) const INERTIA_SHARE: (Real, Real) = (1e-4, 1e3);
/// Damping rate of a wheel by its moment of inertia (1/s): it would stand in a tenth of a second.
pub(super) const MOST_DAMPING_PER_INERTIA: Real = 10.0;
/// Inflation pressure of a tire that has air (Pa).
pub(super) const PRESSURE: Plausible =
    Plausible::new(1e3, 5e6, "Pa").or_in(&[("bar", 1e5), ("psi", 6_895.0), ("kPa", 1e3)]);
/// Vertical stiffness of a tire that has one (N/m).
pub(super) const RADIAL_STIFFNESS: Plausible =
    Plausible::new(50.0, 1e8, "N/m").or_in(&[("N/mm", 1e3), ("kN/m", 1e3)]);
/// Natural frequency of a body on its springs (Hz).
pub(super) const NATURAL_FREQUENCY: Plausible = Plausible::new(0.3, 30.0, "Hz")
    .or_in(&[("rad/s", 0.159_155), ("oscillations per minute", 1.0 / 60.0)]);
/// Damping of a suspension by the critical one (dimensionless).
pub(super) const DAMPING_RATIO: Plausible = Plausible::share(0.0, 5.0);
/// Travel of a suspension (m).
pub(super) const TRAVEL: Plausible = Plausible::length(0.001, 3.0);
/// Stiffness of an anti-roll bar (N/m).
pub(super) const ANTI_ROLL_STIFFNESS: Plausible = Plausible::new(0.0, 1e8, "N/m");
/// Steer angle at full lock (rad).
pub(super) const STEER_ANGLE: Plausible =
    Plausible::new(-1.5, 1.5, "rad").or_in(&[("degrees", 0.017_453_3)]);
/// Brake torque of a wheel (N·m).
pub(super) const BRAKE_TORQUE: Plausible = Plausible::new(0.0, 1e7, "N·m").or_in(&[("N·mm", 1e-3)]);
/// Drag or downforce coefficient times area by width and height of the body (dimensionless).
pub(super) const MOST_AIR_AREA: Real = 20.0;
/// Distance between the first and the last axle by the length of the body, and between wheels by
/// its width (dimensionless): frames of motorcycles and rovers are short.
pub(super) const MOST_SPREAD: Real = 2.0;
/// Lateral stiffness of a tire per load (1/rad).
pub(super) const LATERAL_STIFFNESS: Plausible =
    Plausible::new(0.5, 300.0, "1/rad").or_in(&[("1/degree", 57.295_8)]);
/// Friction of a tire (dimensionless).
pub(super) const FRICTION: Plausible = Plausible::share(0.01, 10.0);
/// How far a tire gives way under its load by its radius (dimensionless).
pub(super) const DEFLECTION: (Real, Real) = (1e-5, 0.9);
/// Damping in bump by that in rebound (dimensionless).
pub(super) const BUMP_BY_REBOUND: Plausible = Plausible::share(0.01, 10.0);
/// Part of the weight that an axle carries (dimensionless).
pub(super) const FRONT_SHARE: Plausible = Plausible::share(0.01, 0.99);

/// Checks that `mass` (kg), the field `name`, can be that of a body of this `size` (m).
pub(super) fn check_density(check: &mut ParamCheck, name: &str, mass: Real, size: [Real; 3]) {
    let volume: Real = size.iter().product();
    // Sizes and masses that no vehicle has are reported by their own fields.
    let is_body = size.iter().all(|&size| SIZE.range.0 <= size && size <= SIZE.range.1);
    if is_body && (MASS.range.0..=MASS.range.1).contains(&mass) {
        let range = Plausible::mass(DENSITY.0 * volume, DENSITY.1 * volume);
        range.check_size(check, name, mass, " for a body of this size");
    }
}

/// Checks that `area` (m²), the field `name`, can be that of the air's force on a body of this
/// `size` (m).
pub(super) fn check_air_area(
    check: &mut ParamCheck,
    name: impl Display,
    area: Real,
    size: [Real; 3],
) {
    let [_, width, height] = size;
    let most = MOST_AIR_AREA * width * height;
    if 0.0 < most && most.is_finite() {
        let range = Plausible::new(-most, most, "m²").or_in(&[("cm²", 1e-4), ("mm²", 1e-6)]);
        range.check_size(check, name, area, " for a body of this size");
    }
}

/// Checks that a `distance` of wheels (m), the field `name`, fits a body of this `size` (m) along
/// what is called `of`.
pub(super) fn check_spread(
    check: &mut ParamCheck,
    name: impl Display,
    distance: Real,
    (size, of): (Real, &str),
) {
    // Sizes that no vehicle has are reported by their own fields.
    if SIZE.holds(size) {
        let most = MOST_SPREAD * size;
        let requirement = format_args!("at most {most} m on a body of a {of} of {size} m");
        check.at_most(name, distance, most, requirement);
    }
}

/// Checks that the two wheels of an axle, this far apart (m) and this wide (m), do not overlap.
pub(super) fn check_half_width(check: &mut ParamCheck, half_width: Real, track_width: Real) {
    if TRACK_WIDTH.holds(track_width) && HALF_WIDTH.holds(half_width) {
        let most = 0.5 * track_width;
        let requirement = format_args!("at most {most} m, half of the distance of its wheels");
        check.at_most("wheel.half_width", half_width, most, requirement);
    }
}

/// Checks the size of what is known of a wheel, where its sign is right.
pub(super) fn check_wheel(check: &mut ParamCheck, wheel: &WheelParams) {
    let WheelParams { radius, half_width, mass, inertia, damping_rate, .. } = *wheel;
    for (name, value, range) in [
        ("radius", radius, RADIUS),
        ("half_width", half_width, HALF_WIDTH),
        ("mass", mass, WHEEL_MASS),
    ] {
        if 0.0 < value {
            range.check_size(check, name, value, "");
        }
    }
    let ring = mass * radius * radius;
    if 0.0 < ring && ring.is_finite() && 0.0 < inertia {
        let range = Plausible::new(INERTIA_SHARE.0 * ring, INERTIA_SHARE.1 * ring, "kg·m²");
        range.check_size(check, "inertia", inertia, " for a wheel of this mass and radius");
    }
    if 0.0 < inertia && inertia.is_finite() && 0.0 <= damping_rate {
        let range = Plausible::new(0.0, MOST_DAMPING_PER_INERTIA * inertia, "N·m·s");
        range.check_size(check, "damping_rate", damping_rate, " for a wheel of this inertia");
    }
    // 0 is none.
    for (name, value, range) in [
        ("inflation_pressure", wheel.inflation_pressure, PRESSURE),
        ("radial_stiffness", wheel.radial_stiffness.unwrap_or_default(), RADIAL_STIFFNESS),
    ] {
        if 0.0 < value {
            range.check_size(check, name, value, "");
        }
    }
}

/// Checks moments of inertia of roll, pitch and yaw (kg·m²), if they are given.
pub(super) fn check_inertia(check: &mut ParamCheck, inertia: Option<[Real; 3]>) {
    for (index, &moment) in inertia.iter().flatten().enumerate() {
        check.number(format_args!("inertia[{index}]"), moment, Bound::Positive);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_that_fits_best_is_asked_for() {
        for (range, value, expected) in [
            (WHEEL_BASE, 2_600.0, Some("millimeters")),
            (WHEEL_BASE, 270.0, Some("centimeters")),
            (STEER_ANGLE, 35.0, Some("degrees")),
            (STEER_ANGLE, -20.0, Some("degrees")),
            (DAMPING_RATIO, 40.0, Some("percent")),
            (PRESSURE, 2.2, Some("bar")),
            (RADIAL_STIFFNESS, 1e20, None),
        ] {
            assert_eq!(range.meant(value), expected, "{value} {}", range.unit);
        }
    }
}
