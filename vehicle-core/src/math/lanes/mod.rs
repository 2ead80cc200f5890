//! Numbers and vectors of one wheel, or of four wheels side by side in the lanes of a processor.
//!
//! A formula that is generic over [`Number`] or [`Vector`] is written once and serves both. With
//! [`Real`] and [`Vec3`] it computes one wheel, with [`Real4`] and [`Vec3x4`] four. Each lane
//! repeats the operations of the single wheel in their order, so both give the same bits. Where one
//! wheel would branch, lanes compute both sides and [select](Number::select).

mod four;
mod in_lanes;
mod single;

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

pub use self::four::{Mask4, Posex4, Quatx4, Real4, Vec3x4};
pub(crate) use self::four::{doubles, singles};
pub use self::in_lanes::InLanes;
pub(crate) use self::in_lanes::lanes_by_field;
use super::{Pose, Quat, Real, Vec3};

/// Most lanes of a [`Number`].
pub const MAX_LANES: usize = 4;

/// `value` of each lane.
#[inline]
pub(crate) fn each_lane<T>(mut value: impl FnMut(usize) -> T) -> [T; MAX_LANES] {
    // Written out: `array::from_fn` is not always inlined.
    [value(0), value(1), value(2), value(3)]
}

/// Values of wheels side by side, one in each lane.
pub trait Lanes: Copy + Default {
    /// The value of one wheel.
    type Single: Copy;

    /// `value(lane)` in each lane.
    fn from_lanes(value: impl FnMut(usize) -> Self::Single) -> Self;

    /// The value in `lane`.
    fn lane(&self, lane: usize) -> Self::Single;

    /// Puts `value` into `lane`.
    fn set_lane(&mut self, lane: usize, value: Self::Single);

    /// The value of each lane; that of the only one for all.
    #[inline]
    fn lanes(&self) -> [Self::Single; MAX_LANES] {
        each_lane(|lane| self.lane(lane))
    }
}

/// The outcome of a comparison in each lane.
pub trait Mask:
    Lanes<Single = bool>
    + Debug
    + Send
    + Sync
    + 'static
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// Whether the mask is true in any lane.
    fn any(self) -> bool;

    /// A bit for each lane, that of the first one lowest.
    fn bits(self) -> u64;
}

/// A number in each lane.
pub trait Number:
    Lanes<Single = Real>
    + Debug
    + Send
    + Sync
    + 'static
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Result of comparisons.
    type Mask: Mask;
    /// Vectors of these numbers.
    type Vector: Vector<Number = Self, Rotation = Self::Rotation>;
    /// Rotations of these numbers.
    type Rotation: Rotation<Number = Self>;
    /// Number of lanes, at most [`MAX_LANES`].
    const LANES: usize;

    /// `value` in every lane.
    fn splat(value: Real) -> Self;

    /// Square root.
    fn sqrt(self) -> Self;

    /// Absolute value.
    fn abs(self) -> Self;

    /// The absolute value with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;

    /// self < other.
    fn is_below(self, other: Self) -> Self::Mask;

    /// self ≤ other.
    fn is_at_most(self, other: Self) -> Self::Mask;

    /// self = other.
    fn is_equal(self, other: Self) -> Self::Mask;

    /// `yes` in the lanes where `mask` is true, `no` in the others.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// `value` with the other sign in the lanes where `mask` is true.
    fn negated_where(mask: Self::Mask, value: Self) -> Self;

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

    /// The sum over the lanes of each of `numbers`, from the first lane to the last.
    #[inline]
    fn lane_sums(numbers: [Self; MAX_LANES]) -> [Real; MAX_LANES] {
        numbers.map(|number| {
            (1..Self::LANES).fold(number.lane(0), |sum, lane| sum + number.lane(lane))
        })
    }

    /// `function` of the number in each lane.
    #[inline]
    fn map(self, mut function: impl FnMut(Real) -> Real) -> Self {
        Self::from_lanes(|lane| function(self.lane(lane)))
    }
}

/// A vector in each lane.
pub trait Vector:
    Lanes<Single = Vec3>
    + Debug
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<Self::Number, Output = Self>
    + Div<Self::Number, Output = Self>
{
    /// Type of the vector's components.
    type Number: Number<Vector = Self, Rotation = Self::Rotation>;
    /// Rotation of these vectors.
    type Rotation: Rotation<Number = Self::Number>;
    /// A frame that it is given in.
    type Pose: RigidPose<Vector = Self>;

    /// The vector of three components.
    fn new(x: Self::Number, y: Self::Number, z: Self::Number) -> Self;

    /// Components of the vector.
    fn components(self) -> [Self::Number; 3];

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

    /// Length of the vector.
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
pub trait Rotation: Lanes<Single = Quat> + Debug + PartialEq {
    /// Type of the quaternion's components.
    type Number: Number<Rotation = Self>;

    /// The quaternion of four components, the real part last.
    fn new(components: [Self::Number; 4]) -> Self;

    /// Components of the quaternion, the real part last.
    fn components(self) -> [Self::Number; 4];

    /// `rotation` in every lane.
    #[inline]
    fn splat(rotation: Quat) -> Self {
        let [x, y, z, w] = rotation.to_array();
        Self::new([Number::splat(x), Number::splat(y), Number::splat(z), Number::splat(w)])
    }
}

/// A pose in each lane.
pub trait RigidPose: Lanes<Single = Pose> + Debug + PartialEq {
    /// Type of the pose's translation.
    type Vector: Vector<Pose = Self>;

    /// The pose of a translation (m) and a rotation.
    fn new(translation: Self::Vector, rotation: <Self::Vector as Vector>::Rotation) -> Self;

    /// Translation of the pose (m).
    fn translation(&self) -> Self::Vector;

    /// Rotation of the pose.
    fn rotation(&self) -> <Self::Vector as Vector>::Rotation;

    /// `pose` in every lane.
    #[inline]
    fn splat(pose: &Pose) -> Self {
        Self::new(Vector::splat(pose.translation), Rotation::splat(pose.rotation))
    }
}
