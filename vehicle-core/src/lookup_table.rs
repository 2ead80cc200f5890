//! Piecewise linear curves, constant beyond their ends.

use std::fmt::Display;
use std::ops::{Add, Div, Mul, Sub};

use serde::{Deserialize, Serialize};

use crate::error::{Bound, ParamCheck, ParamErrors};
use crate::math::{Real, Vec3};

/// A value that a [`LookupTable`] can hold: a scalar or a vector.
pub trait Interpolate:
    Copy
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Real, Output = Self>
    + Div<Real, Output = Self>
    + Display
{
    /// Whether all of its numbers are finite.
    fn is_finite(self) -> bool;
}

impl Interpolate for Real {
    #[inline]
    fn is_finite(self) -> bool {
        Self::is_finite(self)
    }
}

impl Interpolate for Vec3 {
    #[inline]
    fn is_finite(self) -> bool {
        Self::is_finite(self)
    }
}

/// A piecewise linear curve y(x) through points of increasing x.
///
/// ```text
/// y(x) = y0                                     for x < x0
///      = y[i-1] + (y[i] - y[i-1]) (x - x[i-1]) / (x[i] - x[i-1])
///      = y[n-1]                                 for x >= x[n-1]
/// ```
///
/// Without points it is 0 everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(bound = "T: schemars::JsonSchema"))]
#[serde(try_from = "Vec<(Real, T)>", into = "Vec<(Real, T)>")]
#[serde(bound(
    serialize = "T: Clone + Serialize",
    deserialize = "T: Interpolate + Deserialize<'de>"
))]
pub struct LookupTable<T> {
    points: Vec<(Real, T)>,
}

impl<T: Interpolate> LookupTable<T> {
    /// The curve through `points` (x, y).
    ///
    /// # Errors
    ///
    /// If an x is not finite, not above the one before it, or so far from the first that their
    /// distance is not finite; if a y is not finite.
    pub fn new(points: impl Into<Vec<(Real, T)>>) -> Result<Self, ParamErrors> {
        let points = points.into();
        let mut check = ParamCheck::default();
        let mut previous = Real::NEG_INFINITY;
        let first = points.first().map_or(0.0, |&(x, _)| x);
        for (index, &(x, y)) in points.iter().enumerate() {
            let name = format_args!("points[{index}].x");
            let requirement = format_args!("finite and above {previous}");
            check.require(name, previous < x && x.is_finite(), requirement, x);
            let is_in_reach = (x - first).is_finite() || !x.is_finite() || !first.is_finite();
            let name = format_args!("points[{index}].x");
            let requirement = format_args!("at a finite distance from {first}");
            check.require(name, is_in_reach, requirement, x);
            check.require(format_args!("points[{index}].y"), y.is_finite(), Bound::Finite, y);
            previous = x;
        }
        check.finish()?;
        Ok(Self { points })
    }
}

impl<T> LookupTable<T> {
    /// The curve that is `value` everywhere.
    pub fn constant(value: T) -> Self {
        Self { points: vec![(0.0, value)] }
    }

    /// Whether the curve has the same value everywhere, because it has at most one point.
    #[inline]
    pub fn is_constant(&self) -> bool {
        self.points.len() <= 1
    }

    /// This curve with the values that `value` makes of its own.
    pub(crate) fn map(&self, value: impl Fn(&T) -> T) -> Self {
        Self { points: self.points.iter().map(|(x, y)| (*x, value(y))).collect() }
    }

    /// The points (x, y), in order of x.
    pub fn points(&self) -> &[(Real, T)] {
        &self.points
    }
}

impl<T: Interpolate> LookupTable<T> {
    /// The value at `x`.
    #[inline]
    pub fn evaluate(&self, x: Real) -> T {
        let Some(&(first_x, first_y)) = self.points.first() else {
            return T::default();
        };
        if self.points.len() == 1 || x < first_x {
            return first_y;
        }
        for pair in self.points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            if x0 <= x && x < x1 {
                return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
            }
        }
        self.points[self.points.len() - 1].1
    }
}

impl<T> Default for LookupTable<T> {
    /// The curve that is 0 everywhere.
    fn default() -> Self {
        Self { points: Vec::new() }
    }
}

impl<T: Interpolate> TryFrom<Vec<(Real, T)>> for LookupTable<T> {
    type Error = ParamErrors;

    fn try_from(points: Vec<(Real, T)>) -> Result<Self, ParamErrors> {
        Self::new(points)
    }
}

impl<T> From<LookupTable<T>> for Vec<(Real, T)> {
    fn from(table: LookupTable<T>) -> Self {
        table.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn curve_is_linear_between_points_and_constant_beyond() {
        let table = LookupTable::new([(1.0, 10.0), (2.0, 20.0), (4.0, 0.0)]).unwrap();
        let cases = [(0.0, 10.0), (1.0, 10.0), (1.5, 15.0), (2.0, 20.0), (3.0, 10.0), (9.0, 0.0)];
        for (x, expected) in cases {
            assert_eq!(table.evaluate(x), expected, "at {x}");
        }
    }

    #[test]
    fn empty_and_constant_curves() {
        assert_eq!(LookupTable::<Real>::default().evaluate(3.0), 0.0);
        assert_eq!(LookupTable::constant(Vec3::Y).evaluate(-3.0), Vec3::Y);
    }

    #[test]
    fn unordered_points_are_refused() {
        let error = LookupTable::new([(0.0, 1.0), (0.5, 1.0), (0.5, 2.0)]).unwrap_err();
        assert_eq!(error.to_string(), "points[2].x must be finite and above 0.5, got 0.5");
        assert!(LookupTable::new([(Real::NAN, 1.0)]).is_err());
        let error = LookupTable::new([(0.0, 1.0), (1.0, Real::NAN)]).unwrap_err();
        assert_eq!(error.to_string(), "points[1].y must be finite, got NaN");
        assert!(LookupTable::new([(0.0, Vec3::X / 0.0)]).is_err());
        let error = LookupTable::new([(-3e38, 1.0), (3e38, 1.0)]).unwrap_err().to_string();
        assert!(error.starts_with("points[1].x must be at a finite distance from -3"), "{error}");
        assert!(serde_json::from_str::<LookupTable<Real>>("[[1, 0], [0, 0]]").is_err());
    }
}
