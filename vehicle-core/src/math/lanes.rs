//! Numbers and vectors of one wheel, or of four wheels side by side in the lanes of a processor.
//!
//! A formula that is generic over [`Number`] or [`Vector`] is written once and serves both: with
//! [`Real`] and [`Vec3`] it is that of one wheel, with [`Real4`] and [`Vec3x4`] that of four. Each
//! lane repeats the operations of the single wheel in their order, so both give the same bits.
//! Where one wheel would branch, lanes compute both sides and [select](Number::select).

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::{Pose, Quat, Real, Vec3};

/// Most lanes of a [`Number`].
pub const MAX_LANES: usize = 4;

/// Four numbers, one in each lane.
pub type Real4 = wide::f32x4;

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
        Vec3::from_array(self.components().map(|component| component.lane(lane)))
    }

    /// The vector of each lane; that of the only one for all.
    #[inline]
    fn lanes(self) -> [Vec3; MAX_LANES] {
        let [x, y, z] = self.components().map(Number::lanes);
        let lane = |lane: usize| Vec3::new(x[lane], y[lane], z[lane]);
        [lane(0), lane(1), lane(2), lane(3)]
    }

    /// `vector` in every lane.
    #[inline]
    fn splat(vector: Vec3) -> Self {
        let [x, y, z] = vector.to_array().map(Self::Number::splat);
        Self::new(x, y, z)
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
        Quat::from_array(self.components().map(|component| component.lane(lane)))
    }

    /// The rotation of each lane; that of the only one for all.
    #[inline]
    fn lanes(self) -> [Quat; MAX_LANES] {
        let [x, y, z, w] = self.components().map(Number::lanes);
        let lane = |lane: usize| Quat::from_xyzw(x[lane], y[lane], z[lane], w[lane]);
        [lane(0), lane(1), lane(2), lane(3)]
    }

    /// `rotation` in every lane.
    #[inline]
    fn splat(rotation: Quat) -> Self {
        Self::new(rotation.to_array().map(Self::Number::splat))
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

impl Mask for bool {
    #[inline]
    fn from_lanes(mut value: impl FnMut(usize) -> bool) -> Self {
        value(0)
    }

    #[inline]
    fn lane(self, _: usize) -> bool {
        self
    }

    #[inline]
    fn any(self) -> bool {
        self
    }
}

impl Number for Real {
    type Mask = bool;
    type Vector = Vec3;
    type Rotation = Quat;
    const LANES: usize = 1;

    #[inline]
    fn splat(value: Real) -> Self {
        value
    }

    #[inline]
    fn from_lanes(mut value: impl FnMut(usize) -> Real) -> Self {
        value(0)
    }

    #[inline]
    fn lane(self, _: usize) -> Real {
        self
    }

    #[inline]
    fn sqrt(self) -> Self {
        Real::sqrt(self)
    }

    #[inline]
    fn abs(self) -> Self {
        Real::abs(self)
    }

    #[inline]
    fn copysign(self, sign: Self) -> Self {
        Real::copysign(self, sign)
    }

    #[inline]
    fn lanes(self) -> [Real; MAX_LANES] {
        [self; MAX_LANES]
    }

    #[inline]
    fn is_below(self, other: Self) -> bool {
        self < other
    }

    #[inline]
    fn is_at_most(self, other: Self) -> bool {
        self <= other
    }

    #[inline]
    fn is_equal(self, other: Self) -> bool {
        self == other
    }

    #[inline]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
}

impl Vector for Vec3 {
    type Number = Real;
    type Rotation = Quat;
    type Pose = Pose;

    #[inline]
    fn new(x: Real, y: Real, z: Real) -> Self {
        Self { x, y, z }
    }

    #[inline]
    fn components(self) -> [Real; 3] {
        self.to_array()
    }

    #[inline]
    fn from_lanes(mut vector: impl FnMut(usize) -> Vec3) -> Self {
        vector(0)
    }
}

impl Rotation for Quat {
    type Number = Real;

    #[inline]
    fn new(components: [Real; 4]) -> Self {
        Self::from_array(components)
    }

    #[inline]
    fn components(self) -> [Real; 4] {
        self.to_array()
    }

    #[inline]
    fn from_lanes(mut rotation: impl FnMut(usize) -> Quat) -> Self {
        rotation(0)
    }
}

impl RigidPose for Pose {
    type Vector = Vec3;

    #[inline]
    fn new(translation: Vec3, rotation: Quat) -> Self {
        Self::from_parts(translation, rotation)
    }

    #[inline]
    fn translation(&self) -> Vec3 {
        self.translation
    }

    #[inline]
    fn rotation(&self) -> Quat {
        self.rotation
    }
}

/// The outcome of a comparison in each of four lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mask4(Real4);

impl BitAnd for Mask4 {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Mask4 {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Mask4 {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Mask for Mask4 {
    #[inline]
    fn from_lanes(mut value: impl FnMut(usize) -> bool) -> Self {
        let mut bits = |lane| Real::from_bits(u32::from(value(lane)).wrapping_neg());
        Self(Real4::new([bits(0), bits(1), bits(2), bits(3)]))
    }

    #[inline]
    fn lane(self, lane: usize) -> bool {
        self.0.to_bitmask() >> lane & 1 == 1
    }

    #[inline]
    fn any(self) -> bool {
        self.0.any()
    }
}

impl Number for Real4 {
    type Mask = Mask4;
    type Vector = Vec3x4;
    type Rotation = Quatx4;
    const LANES: usize = 4;

    #[inline]
    fn splat(value: Real) -> Self {
        Self::splat(value)
    }

    #[inline]
    fn from_lanes(mut value: impl FnMut(usize) -> Real) -> Self {
        Self::new([value(0), value(1), value(2), value(3)])
    }

    #[inline]
    fn lane(self, lane: usize) -> Real {
        self.to_array()[lane]
    }

    #[inline]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline]
    fn copysign(self, sign: Self) -> Self {
        self.abs() | (sign & Self::splat(-0.0))
    }

    #[inline]
    fn lanes(self) -> [Real; MAX_LANES] {
        self.to_array()
    }

    #[inline]
    fn is_below(self, other: Self) -> Mask4 {
        Mask4(self.simd_lt(other))
    }

    #[inline]
    fn is_at_most(self, other: Self) -> Mask4 {
        Mask4(self.simd_le(other))
    }

    #[inline]
    fn is_equal(self, other: Self) -> Mask4 {
        Mask4(self.simd_eq(other))
    }

    #[inline]
    fn select(mask: Mask4, yes: Self, no: Self) -> Self {
        mask.0.bitselect(yes, no)
    }
}

/// Four vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3x4 {
    x: Real4,
    y: Real4,
    z: Real4,
}

impl Vec3x4 {
    /// The vector in each lane, as three numbers and a zero.
    #[inline]
    pub fn rows(self) -> [Real4; MAX_LANES] {
        Real4::transpose([self.x, self.y, self.z, Real4::zero()])
    }
}

impl Add for Vec3x4 {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Vec3x4 {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Neg for Vec3x4 {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl Mul<Real4> for Vec3x4 {
    type Output = Self;

    #[inline]
    fn mul(self, factor: Real4) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

impl Div<Real4> for Vec3x4 {
    type Output = Self;

    #[inline]
    fn div(self, divisor: Real4) -> Self {
        Self { x: self.x / divisor, y: self.y / divisor, z: self.z / divisor }
    }
}

impl Vector for Vec3x4 {
    type Number = Real4;
    type Rotation = Quatx4;
    type Pose = Posex4;

    #[inline]
    fn new(x: Real4, y: Real4, z: Real4) -> Self {
        Self { x, y, z }
    }

    #[inline]
    fn components(self) -> [Real4; 3] {
        [self.x, self.y, self.z]
    }

    #[inline]
    fn from_lanes(mut vector: impl FnMut(usize) -> Vec3) -> Self {
        let vectors = [vector(0), vector(1), vector(2), vector(3)];
        Self {
            x: Number::from_lanes(|lane| vectors[lane].x),
            y: Number::from_lanes(|lane| vectors[lane].y),
            z: Number::from_lanes(|lane| vectors[lane].z),
        }
    }
}

/// Four rotations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quatx4([Real4; 4]);

impl Rotation for Quatx4 {
    type Number = Real4;

    #[inline]
    fn new(components: [Real4; 4]) -> Self {
        Self(components)
    }

    #[inline]
    fn components(self) -> [Real4; 4] {
        self.0
    }

    #[inline]
    fn from_lanes(mut rotation: impl FnMut(usize) -> Quat) -> Self {
        let mut row = |lane| Real4::new(rotation(lane).to_array());
        Self(Real4::transpose([row(0), row(1), row(2), row(3)]))
    }
}

/// Four poses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Posex4 {
    rotation: Quatx4,
    translation: Vec3x4,
}

impl RigidPose for Posex4 {
    type Vector = Vec3x4;

    #[inline]
    fn new(translation: Vec3x4, rotation: Quatx4) -> Self {
        Self { rotation, translation }
    }

    #[inline]
    fn translation(&self) -> Vec3x4 {
        self.translation
    }

    #[inline]
    fn rotation(&self) -> Quatx4 {
        self.rotation
    }
}
