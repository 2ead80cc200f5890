//! Numbers and vectors of one wheel, or of four wheels side by side in the lanes of a processor.
//!
//! A formula that is generic over [`Number`] or [`Vector`] is written once and serves both: with
//! [`Real`] and [`Vec3`] it is that of one wheel, with [`Real4`] and [`Vec3x4`] that of four. Each
//! lane repeats the operations of the single wheel in their order, so both give the same bits.
//! Where one wheel would branch, lanes compute both sides and [select](Number::select).

mod four;
mod single;

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

pub use self::four::{Mask4, Posex4, Quatx4, Real4, Vec3x4};
use super::{Pose, Quat, Real, Vec3};

/// Most lanes of a [`Number`].
pub const MAX_LANES: usize = 4;

/// `value` of each lane.
#[inline]
pub(crate) fn each_lane<T>(mut value: impl FnMut(usize) -> T) -> [T; MAX_LANES] {
    // Written out: `array::from_fn` is not always inlined.
    [value(0), value(1), value(2), value(3)]
}

/// The outcome of a comparison in each lane.
pub trait Mask:
    Copy
    + Debug
    + Default
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
{
    /// The mask that has `value(lane)` in each lane.
    fn from_lanes(value: impl FnMut(usize) -> bool) -> Self;

    /// The outcome in `lane`.
    fn lane(self, lane: usize) -> bool;

    /// Whether it is true in any lane.
    fn any(self) -> bool;
}

/// A number in each lane.
pub trait Number:
    Copy
    + Debug
    + Default
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// What comparisons give.
    type Mask: Mask;
    /// Vectors of these numbers.
    type Vector: Vector<Number = Self, Rotation = Self::Rotation>;
    /// Rotations of these numbers.
    type Rotation: Rotation<Number = Self>;
    /// Number of lanes, at most [`MAX_LANES`].
    const LANES: usize;

    /// `value` in every lane.
    fn splat(value: Real) -> Self;

    /// `value(lane)` in each lane.
    fn from_lanes(value: impl FnMut(usize) -> Real) -> Self;

    /// The number in `lane`.
    fn lane(self, lane: usize) -> Real;

    /// Square root.
    fn sqrt(self) -> Self;

    /// Absolute value.
    fn abs(self) -> Self;

    /// The absolute value with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;

    /// The number of each lane; that of the only one for all.
    fn lanes(self) -> [Real; MAX_LANES];

    /// self < other.
    fn is_below(self, other: Self) -> Self::Mask;

    /// self ≤ other.
    fn is_at_most(self, other: Self) -> Self::Mask;

    /// self = other.
    fn is_equal(self, other: Self) -> Self::Mask;

    /// `yes` in the lanes where `mask` is true, `no` in the others.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// Zero.
    #[inline]
    fn zero() -> Self {
        Self::splat(0.0)
    }

    /// The smaller one; NaN if this one is.
    #[inline]
    fn at_most(self, bound: Self) -> Self {
        Self::select(bound.is_below(self), bound, self)
    }

    /// The larger one; NaN if this one is.
    #[inline]
    fn at_least(self, bound: Self) -> Self {
        Self::select(self.is_below(bound), bound, self)
    }

    /// `function` of the number in each lane.
    #[inline]
    fn map(self, mut function: impl FnMut(Real) -> Real) -> Self {
        Self::from_lanes(|lane| function(self.lane(lane)))
    }
}

/// A vector in each lane.
pub trait Vector:
    Copy
    + Debug
    + Default
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<Self::Number, Output = Self>
    + Div<Self::Number, Output = Self>
{
    /// Its components.
    type Number: Number<Vector = Self, Rotation = Self::Rotation>;
    /// What turns it.
    type Rotation: Rotation<Number = Self::Number>;
    /// A frame that it is given in.
    type Pose: RigidPose<Vector = Self>;

    /// The vector of three components.
    fn new(x: Self::Number, y: Self::Number, z: Self::Number) -> Self;

    /// Its components.
    fn components(self) -> [Self::Number; 3];

    /// The vector of `vector(lane)` in each lane.
    fn from_lanes(vector: impl FnMut(usize) -> Vec3) -> Self;

    /// The vector in `lane`.
    #[inline]
    fn lane(self, lane: usize) -> Vec3 {
        let [x, y, z] = self.components();
        Vec3::new(x.lane(lane), y.lane(lane), z.lane(lane))
    }

    /// The vector of each lane; that of the only one for all.
    #[inline]
    fn lanes(self) -> [Vec3; MAX_LANES] {
        let [x, y, z] = self.components();
        let (x, y, z) = (x.lanes(), y.lanes(), z.lanes());
        let lane = |lane: usize| Vec3::new(x[lane], y[lane], z[lane]);
        [lane(0), lane(1), lane(2), lane(3)]
    }

    /// `vector` in every lane.
    #[inline]
    fn splat(vector: Vec3) -> Self {
        Self::new(Number::splat(vector.x), Number::splat(vector.y), Number::splat(vector.z))
    }

    /// Zero.
    #[inline]
    fn zero() -> Self {
        Self::splat(Vec3::ZERO)
    }

    /// Scalar product.
    #[inline]
    fn dot(self, other: Self) -> Self::Number {
        let ([x, y, z], [a, b, c]) = (self.components(), other.components());
        (x * a) + (y * b) + (z * c)
    }

    /// Vector product.
    #[inline]
    fn cross(self, other: Self) -> Self {
        let ([x, y, z], [a, b, c]) = (self.components(), other.components());
        Self::new(y * c - b * z, z * a - c * x, x * b - a * y)
    }

    /// Square of its length.
    #[inline]
    fn length_squared(self) -> Self::Number {
        self.dot(self)
    }

    /// Its length.
    #[inline]
    fn length(self) -> Self::Number {
        self.length_squared().sqrt()
    }

    /// `yes` in the lanes where `mask` is true, `no` in the others.
    #[inline]
    fn select(mask: <Self::Number as Number>::Mask, yes: Self, no: Self) -> Self {
        let ([x, y, z], [a, b, c]) = (yes.components(), no.components());
        let select = |yes, no| Self::Number::select(mask, yes, no);
        Self::new(select(x, a), select(y, b), select(z, c))
    }
}

/// A rotation in each lane, as a unit quaternion.
pub trait Rotation: Copy + Debug + Default + PartialEq {
    /// Its components.
    type Number: Number<Rotation = Self>;

    /// The quaternion of four components, the real part last.
    fn new(components: [Self::Number; 4]) -> Self;

    /// Its components, the real part last.
    fn components(self) -> [Self::Number; 4];

    /// The rotation of `rotation(lane)` in each lane.
    fn from_lanes(rotation: impl FnMut(usize) -> Quat) -> Self;

    /// The rotation in `lane`.
    #[inline]
    fn lane(self, lane: usize) -> Quat {
        let [x, y, z, w] = self.components();
        Quat::from_xyzw(x.lane(lane), y.lane(lane), z.lane(lane), w.lane(lane))
    }

    /// The rotation of each lane; that of the only one for all.
    #[inline]
    fn lanes(self) -> [Quat; MAX_LANES] {
        let [x, y, z, w] = self.components();
        let (x, y, z, w) = (x.lanes(), y.lanes(), z.lanes(), w.lanes());
        let lane = |lane: usize| Quat::from_xyzw(x[lane], y[lane], z[lane], w[lane]);
        [lane(0), lane(1), lane(2), lane(3)]
    }

    /// `rotation` in every lane.
    #[inline]
    fn splat(rotation: Quat) -> Self {
        let [x, y, z, w] = rotation.to_array();
        Self::new([Number::splat(x), Number::splat(y), Number::splat(z), Number::splat(w)])
    }
}

/// A pose in each lane.
pub trait RigidPose: Copy + Debug + Default + PartialEq {
    /// Its translation.
    type Vector: Vector<Pose = Self>;

    /// The pose of a translation (m) and a rotation.
    fn new(translation: Self::Vector, rotation: <Self::Vector as Vector>::Rotation) -> Self;

    /// Its translation (m).
    fn translation(&self) -> Self::Vector;

    /// Its rotation.
    fn rotation(&self) -> <Self::Vector as Vector>::Rotation;

    /// The pose of `pose(lane)` in each lane.
    #[inline]
    fn from_lanes<'a>(pose: impl Fn(usize) -> &'a Pose) -> Self {
        Self::new(
            Vector::from_lanes(|lane| pose(lane).translation),
            Rotation::from_lanes(|lane| pose(lane).rotation),
        )
    }

    /// The pose in `lane`.
    #[inline]
    fn lane(&self, lane: usize) -> Pose {
        Pose::from_parts(self.translation().lane(lane), self.rotation().lane(lane))
    }

    /// The pose of each lane; that of the only one for all.
    #[inline]
    fn lanes(&self) -> [Pose; MAX_LANES] {
        let (translations, rotations) = (self.translation().lanes(), self.rotation().lanes());
        let lane = |lane: usize| Pose::from_parts(translations[lane], rotations[lane]);
        [lane(0), lane(1), lane(2), lane(3)]
    }

    /// `pose` in every lane.
    #[inline]
    fn splat(pose: &Pose) -> Self {
        Self::new(Vector::splat(pose.translation), Rotation::splat(pose.rotation))
    }
}
