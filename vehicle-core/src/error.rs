//! Which parameter is wrong, what it must be, and what it is.
//!
//! Parameters are checked before a simulation, all at once: [`Validate::validate`] reports every
//! fault with its path, such as `wheels[2].radius must be positive and finite, got NaN`.

use std::fmt::{self, Display};

use crate::WheelList;
use crate::math::lanes::{Number, Real4};
use crate::math::{Pose, Real, Vec3};

/// How far the norm of a quaternion may be from 1 (dimensionless).
const QUATERNION_TOLERANCE: Real = 1e-3;
/// How far the length of a direction may be from 1 (dimensionless).
const DIRECTION_TOLERANCE: Real = 1e-4;

/// Largest magnitude of a number without a range of its own, in any unit: beyond it, products of
/// numbers of a vehicle are no longer finite.
pub const LARGEST_MAGNITUDE: Real = 1e12;
/// Smallest magnitude of a number that must be positive, in any unit: below it, quotients are no
/// longer finite.
pub const SMALLEST_MAGNITUDE: Real = 1e-12;

/// Largest distance of a point of a vehicle from its center of mass (length units): 100 m in
/// millimeters.
pub const LARGEST_VEHICLE: Real = 1e5;

/// A parameter out of its range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path} must be {requirement}, got {value}")]
#[non_exhaustive]
pub struct ParamError {
    /// The parameter, such as `wheels[2].radius`.
    pub path: String,
    /// Requirement of its value, such as `positive and finite`.
    pub requirement: String,
    /// Value of the parameter.
    pub value: String,
}

impl ParamError {
    /// A fault of the parameter at `path`, which must be `requirement` and is `value`.
    pub fn new(path: impl Display, requirement: impl Display, value: impl Display) -> Self {
        let [path, requirement, value] =
            [path.to_string(), requirement.to_string(), value.to_string()];
        Self { path, requirement, value }
    }
}

/// All faults of a set of parameters; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamErrors(Vec<ParamError>);

impl ParamErrors {
    /// The faults, in the order of the parameters.
    pub fn errors(&self) -> &[ParamError] {
        &self.0
    }
}

impl Display for ParamErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ParamErrors {}

impl From<ParamError> for ParamErrors {
    fn from(error: ParamError) -> Self {
        Self(vec![error])
    }
}

/// Parameters that can be checked.
pub trait Validate {
    /// Reports every fault to `check`.
    fn check(&self, check: &mut ParamCheck);

    /// `Ok` if the parameters can be simulated.
    ///
    /// # Errors
    ///
    /// All faults, each with its path, what is required and the value.
    fn validate(&self) -> Result<(), ParamErrors> {
        let mut check = ParamCheck::default();
        self.check(&mut check);
        check.finish()
    }
}

/// Interval that a number must be in.
///
/// A number without an interval of its own must have a magnitude that steps can go on with: at most
/// [`LARGEST_MAGNITUDE`]. If it must be positive, it is at least [`SMALLEST_MAGNITUDE`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Bound {
    /// Finite.
    Finite,
    /// Above 0 and finite.
    Positive,
    /// At least 0 and finite.
    NotNegative,
    /// Above 0 and finite: a length of something on a vehicle, at most [`LARGEST_VEHICLE`] (m).
    Length,
    /// In the closed interval.
    Within(Real, Real),
}

impl Bound {
    #[inline(always)]
    pub(crate) fn holds(self, value: Real) -> bool {
        match self {
            Self::Finite => value.is_finite(),
            Self::Positive | Self::Length => 0.0 < value && value <= Real::MAX,
            Self::NotNegative => (0.0..=Real::MAX).contains(&value),
            Self::Within(low, high) => low <= value && value <= high,
        }
    }

    /// The interval that steps can go on with.
    #[inline(always)]
    fn magnitudes(self) -> (Real, Real) {
        match self {
            Self::Positive => (SMALLEST_MAGNITUDE, LARGEST_MAGNITUDE),
            Self::Finite => (-LARGEST_MAGNITUDE, LARGEST_MAGNITUDE),
            Self::NotNegative => (0.0, LARGEST_MAGNITUDE),
            Self::Length => (SMALLEST_MAGNITUDE, LARGEST_VEHICLE),
            Self::Within(low, high) => (low, high),
        }
    }
}

impl Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite => write!(f, "finite"),
            Self::Positive | Self::Length => write!(f, "positive and finite"),
            Self::NotNegative => write!(f, "finite and not negative"),
            Self::Within(low, high) => {
                write!(f, "within [{}, {}]", Readable(*low), Readable(*high))
            }
        }
    }
}

/// A number without long rows of zeros.
pub(crate) struct Readable(pub(crate) Real);

impl Display for Readable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number) = self;
        if *number == 0.0 || (1e-4..1e6).contains(&number.abs()) {
            write!(f, "{number}")
        } else {
            write!(f, "{number:e}")
        }
    }
}

/// Collects the faults of a set of parameters under their paths.
///
/// Paths are put together when a fault is found: as long as there is none, nothing is allocated.
#[derive(Debug, Default)]
pub struct ParamCheck {
    errors: Vec<ParamError>,
}

impl ParamCheck {
    /// `Ok` if nothing was reported.
    ///
    /// # Errors
    ///
    /// All that was reported.
    pub fn finish(self) -> Result<(), ParamErrors> {
        if self.errors.is_empty() { Ok(()) } else { Err(ParamErrors(self.errors)) }
    }

    /// Reports the field `name` unless `is_met`.
    #[inline]
    pub fn require(
        &mut self,
        name: impl Display,
        is_met: bool,
        requirement: impl Display,
        value: impl Display,
    ) {
        if !is_met {
            self.report(name, requirement, value);
        }
    }

    /// Faults are rare: what names them stays out of the way of what looks for them.
    #[cold]
    #[inline(never)]
    fn report(&mut self, name: impl Display, requirement: impl Display, value: impl Display) {
        self.errors.push(ParamError {
            path: name.to_string(),
            requirement: requirement.to_string(),
            value: value.to_string(),
        });
    }

    /// Puts `name` before the paths of the errors from number `first` on.
    #[cold]
    #[inline(never)]
    fn prefix(&mut self, first: usize, name: impl Display) {
        for error in &mut self.errors[first..] {
            error.path = format!("{name}.{}", error.path);
        }
    }

    /// Checks the number in the field `name`.
    #[inline]
    pub fn number(&mut self, name: impl Display, value: Real, bound: Bound) {
        let (low, high) = bound.magnitudes();
        if low <= value && value <= high {
            return;
        }
        if bound.holds(value) {
            self.report(name, Bound::Within(low, high), value);
        } else {
            self.report(name, bound, value);
        }
    }

    /// Checks that `value` is at most `most`, and not that they are numbers: those that are none
    /// are reported where they are.
    pub(crate) fn at_most(
        &mut self,
        name: impl Display,
        value: Real,
        most: Real,
        requirement: impl Display,
    ) {
        let is_beyond = 0.0 < most && most < value && value.is_finite();
        self.require(name, !is_beyond, requirement, value);
    }

    /// Checks the number of each wheel in the list `name`.
    // Bounds are known where it is called.
    #[inline(always)]
    pub fn wheels(&mut self, name: impl Display, values: &WheelList<Real>, bound: Bound) {
        let (low, high) = bound.magnitudes();
        let [low, high] = [low, high].map(Real4::splat);
        if values.any(|four| !(low.is_at_most(*four) & four.is_at_most(high))) {
            self.each_wheel(&name, values, bound);
        }
    }

    #[cold]
    #[inline(never)]
    fn each_wheel(&mut self, name: &dyn Display, values: &WheelList<Real>, bound: Bound) {
        for (wheel, value) in values.iter().enumerate() {
            self.number(format_args!("{name}[{wheel}]"), value, bound);
        }
    }

    /// Checks that the vector in the field `name` is finite.
    #[inline]
    pub fn vector(&mut self, name: impl Display, value: Vec3) {
        self.require(name, value.is_finite(), Bound::Finite, value);
    }

    /// Checks that the number in the field `name` is finite and within [`low`, `high`].
    #[inline]
    pub fn finite_within(&mut self, name: impl Display, value: Real, low: Real, high: Real) {
        let bound = if value.is_finite() { Bound::Within(low, high) } else { Bound::Finite };
        self.require(name, low <= value && value <= high, bound, value);
    }

    /// Checks that the vector in the field `name` is finite and at most `most` long.
    #[inline]
    pub fn vector_within(&mut self, name: impl Display, value: Vec3, most: Real) {
        if value.length() <= most {
            return;
        }
        if value.is_finite() {
            self.report(name, format_args!("of a length of at most {}", Readable(most)), value);
        } else {
            self.report(name, Bound::Finite, value);
        }
    }

    /// Checks that the field `name` is a unit vector.
    #[inline]
    pub fn direction(&mut self, name: impl Display, value: Vec3) {
        let is_unit = (value.length() - 1.0).abs() < DIRECTION_TOLERANCE;
        self.require(name, is_unit, "a unit vector", value);
    }

    /// Checks that the pose in the field `name` is finite, with a unit quaternion.
    #[inline]
    pub fn pose(&mut self, name: impl Display, value: &Pose) {
        self.vector(format_args!("{name}.translation"), value.translation);
        self.rotation(name, value);
    }

    /// Checks that the pose in the field `name` is finite, at most `most` from the origin, with a
    /// unit quaternion.
    #[inline]
    pub fn pose_within(&mut self, name: impl Display, value: &Pose, most: Real) {
        self.vector_within(format_args!("{name}.translation"), value.translation, most);
        self.rotation(name, value);
    }

    #[inline]
    fn rotation(&mut self, name: impl Display, value: &Pose) {
        let is_unit = (value.rotation.length() - 1.0).abs() < QUATERNION_TOLERANCE;
        self.require(format_args!("{name}.rotation"), is_unit, "a unit quaternion", value.rotation);
    }

    /// Checks that the list in the field `name` has `expected` elements.
    #[inline]
    pub fn count(&mut self, name: impl Display, actual: usize, expected: usize) {
        if actual != expected {
            let requirement = format_args!("of {expected} elements, one per wheel");
            self.report(name, requirement, actual);
        }
    }

    /// Checks what is below the field `name`.
    #[inline]
    pub fn field(&mut self, name: impl Display, check: impl FnOnce(&mut Self)) {
        let first = self.errors.len();
        check(self);
        if first < self.errors.len() {
            self.prefix(first, name);
        }
    }

    /// Checks every element of the list in the field `name`.
    #[inline]
    pub fn each<'a, T: 'a>(
        &mut self,
        name: impl Display,
        items: impl IntoIterator<Item = &'a T>,
        check: impl Fn(&T, &mut Self),
    ) {
        for (index, item) in items.into_iter().enumerate() {
            self.field(format_args!("{name}[{index}]"), |inner| check(item, inner));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Pair {
        first: Real,
        second: Real,
    }

    impl Validate for Pair {
        fn check(&self, check: &mut ParamCheck) {
            check.number("first", self.first, Bound::Positive);
            check.number("second", self.second, Bound::Within(0.0, 1.0));
        }
    }

    #[test]
    fn every_fault_is_named_with_its_path() {
        let pairs = [Pair { first: 1.0, second: 0.5 }, Pair { first: Real::NAN, second: 2.0 }];
        let mut check = ParamCheck::default();
        check.each("pairs", &pairs, Pair::check);
        let errors = check.finish().unwrap_err();
        assert_eq!(
            errors.to_string(),
            "pairs[1].first must be positive and finite, got NaN; \
             pairs[1].second must be within [0, 1], got 2"
        );
    }

    #[test]
    fn numbers_that_steps_cannot_go_on_with_are_refused() {
        for (bound, value, message) in [
            (Bound::Positive, 1e13, Some("x must be within [1e-12, 1e12], got 10000000000000")),
            (Bound::Positive, 1e-9, None),
            (Bound::Positive, 1e-13, Some("x must be within [1e-12, 1e12], got 0.0000000000001")),
            (Bound::NotNegative, 1e-13, None),
            (Bound::Finite, -1e13, Some("x must be within [-1e12, 1e12], got -10000000000000")),
            (Bound::Finite, -1e-30, None),
            (Bound::Finite, Real::NAN, Some("x must be finite, got NaN")),
        ] {
            let mut check = ParamCheck::default();
            check.number("x", value, bound);
            let error = check.finish().err().map(|error| error.to_string());
            assert_eq!(error.as_deref(), message, "{bound:?} {value}");
        }
    }

    #[test]
    fn bounds_hold_as_they_read() {
        let cases = [
            (Bound::Finite, -1.0, true),
            (Bound::Finite, Real::INFINITY, false),
            (Bound::Positive, 0.0, false),
            (Bound::NotNegative, 0.0, true),
            (Bound::NotNegative, Real::INFINITY, false),
            (Bound::Within(-1.0, 1.0), 1.0, true),
            (Bound::Within(-1.0, 1.0), Real::NAN, false),
        ];
        for (bound, value, expected) in cases {
            assert_eq!(bound.holds(value), expected, "{value} {bound}");
        }
    }
}
