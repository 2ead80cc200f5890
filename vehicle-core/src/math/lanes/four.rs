//! Four wheels side by side.

use std::fmt;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use wide::f64x4;

use super::{Lanes, MAX_LANES, Mask, Number, RigidPose, Rotation, Vector};
use crate::math::{Pose, Quat, Real, Vec3};

/// Four numbers, one in each lane.
pub type Real4 = wide::f32x4;

/// The outcome of a comparison in each of four lanes.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Mask4(Real4);

/// As four truths: the bits of a true lane are those of no number.
impl fmt::Debug for Mask4 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let truths: [bool; MAX_LANES] = std::array::from_fn(|lane| self.lane(lane));
        formatter.debug_tuple("Mask4").field(&truths).finish()
    }
}

impl Mask4 {
    /// True in the lanes before `count`.
    #[inline]
    pub(crate) fn below(count: usize) -> Self {
        let lanes = Real4::new([0.0, 1.0, 2.0, 3.0]);
        Self(lanes.simd_lt(Real4::splat(count.min(MAX_LANES) as Real)))
    }

    /// Whether the mask is true in all lanes.
    #[inline]
    pub(crate) fn all(self) -> bool {
        self.0.all()
    }
}

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

impl BitXor for Mask4 {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Mask4 {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// All bits of a lane: set if `value` is true.
#[inline]
fn mask_bits(value: bool) -> Real {
    Real::from_bits(u32::from(value).wrapping_neg())
}

impl Lanes for Mask4 {
    type Single = bool;

    #[inline]
    fn from_lanes(mut value: impl FnMut(usize) -> bool) -> Self {
        let mut bits = |lane| mask_bits(value(lane));
        Self(Real4::new([bits(0), bits(1), bits(2), bits(3)]))
    }

    #[inline]
    fn lane(&self, lane: usize) -> bool {
        self.0.to_bitmask() >> lane & 1 == 1
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, value: bool) {
        self.0.set_lane(lane, mask_bits(value));
    }
}

impl Mask for Mask4 {
    #[inline]
    fn any(self) -> bool {
        self.0.any()
    }

    #[inline]
    fn bits(self) -> u64 {
        u64::from(self.0.to_bitmask())
    }
}

impl Lanes for Real4 {
    type Single = Real;

    #[inline]
    fn from_lanes(mut value: impl FnMut(usize) -> Real) -> Self {
        Self::new([value(0), value(1), value(2), value(3)])
    }

    #[inline]
    fn lane(&self, lane: usize) -> Real {
        self.as_array()[lane]
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, value: Real) {
        self.as_mut_array()[lane] = value;
    }

    #[inline]
    fn lanes(&self) -> [Real; MAX_LANES] {
        self.to_array()
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

    #[inline]
    fn negated_where(mask: Mask4, value: Self) -> Self {
        value ^ (mask.0 & Self::splat(-0.0))
    }

    #[inline]
    fn lane_sums(numbers: [Self; MAX_LANES]) -> [Real; MAX_LANES] {
        let [first, second, third, fourth] = Self::transpose(numbers);
        (first + second + third + fourth).to_array()
    }

    // One instruction, which is defined as the comparison and the selection: also of what is no
    // number, and of zeros of either sign.
    #[cfg(target_feature = "sse")]
    #[inline]
    fn at_most(self, bound: Self) -> Self {
        bound.fast_min(self)
    }

    #[cfg(target_feature = "sse")]
    #[inline]
    fn at_least(self, bound: Self) -> Self {
        bound.fast_max(self)
    }
}

/// Four `numbers` in double precision.
#[inline]
pub(crate) fn doubles(numbers: Real4) -> f64x4 {
    // Written out: `array::map` is not always inlined.
    let [a, b, c, d] = numbers.to_array();
    f64x4::new([a.into(), b.into(), c.into(), d.into()])
}

/// Four `numbers`, rounded to single precision.
#[inline]
pub(crate) fn singles(numbers: f64x4) -> Real4 {
    let [a, b, c, d] = numbers.to_array();
    Real4::new([a as Real, b as Real, c as Real, d as Real])
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
}

impl Lanes for Vec3x4 {
    type Single = Vec3;

    #[inline]
    fn from_lanes(mut vector: impl FnMut(usize) -> Vec3) -> Self {
        let vectors = [vector(0), vector(1), vector(2), vector(3)];
        Self {
            x: Lanes::from_lanes(|lane| vectors[lane].x),
            y: Lanes::from_lanes(|lane| vectors[lane].y),
            z: Lanes::from_lanes(|lane| vectors[lane].z),
        }
    }

    #[inline]
    fn lane(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x.lane(lane), self.y.lane(lane), self.z.lane(lane))
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, value: Vec3) {
        self.x.set_lane(lane, value.x);
        self.y.set_lane(lane, value.y);
        self.z.set_lane(lane, value.z);
    }

    #[inline]
    fn lanes(&self) -> [Vec3; MAX_LANES] {
        let rows = self.rows();
        let lane = |lane: usize| {
            let [x, y, z, _] = rows[lane].to_array();
            Vec3::new(x, y, z)
        };
        [lane(0), lane(1), lane(2), lane(3)]
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
}

impl Lanes for Quatx4 {
    type Single = Quat;

    #[inline]
    fn from_lanes(mut rotation: impl FnMut(usize) -> Quat) -> Self {
        let mut row = |lane| Real4::new(rotation(lane).to_array());
        Self(Real4::transpose([row(0), row(1), row(2), row(3)]))
    }

    #[inline]
    fn lane(&self, lane: usize) -> Quat {
        let [x, y, z, w] = self.0;
        Quat::from_xyzw(x.lane(lane), y.lane(lane), z.lane(lane), w.lane(lane))
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, value: Quat) {
        for (component, value) in self.0.iter_mut().zip(value.to_array()) {
            component.set_lane(lane, value);
        }
    }

    #[inline]
    fn lanes(&self) -> [Quat; MAX_LANES] {
        let rows = Real4::transpose(self.0);
        let lane = |lane: usize| Quat::from_array(rows[lane].to_array());
        [lane(0), lane(1), lane(2), lane(3)]
    }
}

/// Four poses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Posex4 {
    rotation: Quatx4,
    translation: Vec3x4,
}

impl Lanes for Posex4 {
    type Single = Pose;

    #[inline]
    fn from_lanes(pose: impl FnMut(usize) -> Pose) -> Self {
        let poses = super::each_lane(pose);
        Self {
            rotation: Lanes::from_lanes(|lane| poses[lane].rotation),
            translation: Lanes::from_lanes(|lane| poses[lane].translation),
        }
    }

    #[inline]
    fn lane(&self, lane: usize) -> Pose {
        Pose::from_parts(self.translation.lane(lane), self.rotation.lane(lane))
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, value: Pose) {
        self.rotation.set_lane(lane, value.rotation);
        self.translation.set_lane(lane, value.translation);
    }

    #[inline]
    fn lanes(&self) -> [Pose; MAX_LANES] {
        let (translations, rotations) = (self.translation.lanes(), self.rotation.lanes());
        super::each_lane(|lane| Pose::from_parts(translations[lane], rotations[lane]))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_and_signs_have_the_bits_of_single_numbers() {
        let numbers = [
            Real::NAN,
            Real::NEG_INFINITY,
            -1.5,
            -Real::MIN_POSITIVE,
            -0.0,
            0.0,
            1e-40,
            1.0,
            2.0,
            Real::INFINITY,
        ];
        let bits =
            |number: Real| if number.is_nan() { Real::NAN.to_bits() } else { number.to_bits() };
        for value in numbers {
            for bound in numbers {
                let (wide, wide_bound) = (Real4::splat(value), Real4::splat(bound));
                let single = [value.at_most(bound), value.at_least(bound)];
                let lanes = [wide.at_most(wide_bound), wide.at_least(wide_bound)];
                for (single, lanes) in single.into_iter().zip(lanes) {
                    assert_eq!(lanes.to_array().map(bits), [bits(single); 4], "{value}, {bound}");
                }
            }
            let mask = Mask4::from_lanes(|lane| lane % 2 == 1);
            let turned = Real4::negated_where(mask, Real4::splat(value));
            assert_eq!(
                turned.to_array().map(bits),
                [value, -value, value, -value].map(bits),
                "{value}"
            );
        }
    }
}
