//! The numbers that the formulas of this room compute with, and vectors of them.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::math::Real;
use crate::math::lanes::{MAX_LANES, Mask, Number};

/// A number of one wheel (`f32`, `f64`), or of several wheels side by side
/// ([`Real4`](crate::math::lanes::Real4)).
pub trait Scalar:
    Copy
    + Default
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Result of comparisons.
    type Mask: Mask;
    /// The number of one wheel, and of the body.
    type Single: Scalar<Single = Self::Single, Mask = bool> + PartialOrd;
    /// Number of lanes.
    const LANES: usize;

    /// `value`, rounded to this type, in every lane.
    fn of(value: f64) -> Self;

    /// `value` in every lane.
    fn splat(value: Self::Single) -> Self;

    /// `value(lane)` in each lane.
    fn from_lanes(value: impl FnMut(usize) -> Self::Single) -> Self;

    /// The number in `lane`.
    fn lane(self, lane: usize) -> Self::Single;

    /// Square root.
    fn square_root(self) -> Self;

    /// self < other.
    fn is_less(self, other: Self) -> Self::Mask;

    /// `yes` in the lanes where `mask` is true, `no` in the others.
    fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// The sum of all lanes, from the first to the last.
    #[inline]
    fn sum(self) -> Self::Single {
        (1..Self::LANES).fold(self.lane(0), |sum, lane| sum + self.lane(lane))
    }

    /// The [sum](Self::sum) of the lanes of each of `numbers`.
    #[inline]
    fn sums(numbers: [Self; MAX_LANES]) -> [Self::Single; MAX_LANES] {
        numbers.map(Self::sum)
    }

    /// Whether the number is above or below the `other`.
    #[inline]
    fn differs(self, other: Self) -> Self::Mask {
        self.is_less(other) | other.is_less(self)
    }

    /// The larger one; NaN if this one is.
    #[inline]
    fn larger(self, other: Self) -> Self {
        Self::choose(self.is_less(other), other, self)
    }

    /// This number where `mask` is true, 0 elsewhere.
    #[inline]
    fn where_true(self, mask: Self::Mask) -> Self {
        Self::choose(mask, self, Self::of(0.0))
    }
}

impl Scalar for f64 {
    type Mask = bool;
    type Single = Self;
    const LANES: usize = 1;

    #[inline]
    fn of(value: f64) -> Self {
        value
    }

    #[inline]
    fn splat(value: Self) -> Self {
        value
    }

    #[inline]
    fn from_lanes(mut value: impl FnMut(usize) -> Self) -> Self {
        value(0)
    }

    #[inline]
    fn lane(self, _: usize) -> Self {
        self
    }

    #[inline]
    fn square_root(self) -> Self {
        self.sqrt()
    }

    #[inline]
    fn is_less(self, other: Self) -> bool {
        self < other
    }

    #[inline]
    fn choose(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
}

impl<N: Number> Scalar for N {
    type Mask = N::Mask;
    type Single = Real;
    const LANES: usize = N::LANES;

    #[inline]
    fn of(value: f64) -> Self {
        Number::splat(value as Real)
    }

    #[inline]
    fn splat(value: Real) -> Self {
        Number::splat(value)
    }

    #[inline]
    fn from_lanes(value: impl FnMut(usize) -> Real) -> Self {
        crate::math::lanes::Lanes::from_lanes(value)
    }

    #[inline]
    fn lane(self, lane: usize) -> Real {
        crate::math::lanes::Lanes::lane(&self, lane)
    }

    #[inline]
    fn square_root(self) -> Self {
        self.sqrt()
    }

    #[inline]
    fn sums(numbers: [Self; MAX_LANES]) -> [Real; MAX_LANES] {
        Number::lane_sums(numbers)
    }

    #[inline]
    fn is_less(self, other: Self) -> N::Mask {
        self.is_below(other)
    }

    #[inline]
    fn choose(mask: N::Mask, yes: Self, no: Self) -> Self {
        Number::select(mask, yes, no)
    }

    #[inline]
    fn larger(self, other: Self) -> Self {
        self.at_least(other)
    }
}

/// A vector of three numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vector3<S>(pub [S; 3]);

impl<S: Scalar> Vector3<S> {
    /// Zero.
    #[inline]
    pub fn zero() -> Self {
        Self([S::of(0.0); 3])
    }

    /// `vector` in every lane.
    #[inline]
    pub fn splat(vector: &Vector3<S::Single>) -> Self {
        let [x, y, z] = vector.0;
        Self([S::splat(x), S::splat(y), S::splat(z)])
    }

    /// Scalar product.
    #[inline]
    pub fn dot(&self, other: &Self) -> S {
        let ([x, y, z], [a, b, c]) = (self.0, other.0);
        x * a + y * b + z * c
    }

    /// Vector product.
    #[inline]
    pub fn cross(&self, other: &Self) -> Self {
        let ([x, y, z], [a, b, c]) = (self.0, other.0);
        Self([y * c - b * z, z * a - c * x, x * b - a * y])
    }

    /// The sum over all lanes.
    #[inline]
    pub fn sum(&self) -> Vector3<S::Single> {
        let [x, y, z] = self.0;
        let [x, y, z, _] = S::sums([x, y, z, z]);
        Vector3([x, y, z])
    }

    /// Its length.
    #[inline]
    pub fn length(&self) -> S {
        self.dot(self).square_root()
    }

    /// Its length, and the vector of unit length along it; zero if it has no length.
    #[inline]
    pub(crate) fn length_and_unit(&self) -> (S, Self) {
        let (length, one) = (self.length(), S::of(1.0));
        let has_length = S::of(0.0).is_less(length);
        let scale = one / S::choose(has_length, length, one);
        (length, (*self * scale).where_true(has_length))
    }

    /// This vector where `mask` is true, zero elsewhere.
    #[inline]
    pub fn where_true(&self, mask: S::Mask) -> Self {
        let [x, y, z] = self.0;
        Self([x.where_true(mask), y.where_true(mask), z.where_true(mask)])
    }

    /// This vector where `mask` is true, the `other` one elsewhere.
    #[inline]
    pub(crate) fn or_where_false(&self, mask: S::Mask, other: &Self) -> Self {
        let ([x, y, z], [a, b, c]) = (self.0, other.0);
        Self([S::choose(mask, x, a), S::choose(mask, y, b), S::choose(mask, z, c)])
    }
}

impl<S: Scalar> Add for Vector3<S> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let ([x, y, z], [a, b, c]) = (self.0, other.0);
        Self([x + a, y + b, z + c])
    }
}

impl<S: Scalar> Sub for Vector3<S> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        let ([x, y, z], [a, b, c]) = (self.0, other.0);
        Self([x - a, y - b, z - c])
    }
}

impl<S: Scalar> Mul<S> for Vector3<S> {
    type Output = Self;

    #[inline]
    fn mul(self, factor: S) -> Self {
        let [x, y, z] = self.0;
        Self([x * factor, y * factor, z * factor])
    }
}
