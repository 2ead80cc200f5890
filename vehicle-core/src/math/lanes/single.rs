//! One wheel: the numbers and vectors of the simulation as a single lane.

use super::{Lanes, Mask, Number, RigidPose, Rotation, Vector};
use crate::math::{Pose, Quat, Real, Vec3};

/// Values of a single wheel.
macro_rules! single_lane {
    ($($value:ty),*) => {$(
        impl Lanes for $value {
            type Single = Self;

            #[inline]
            fn from_lanes(mut value: impl FnMut(usize) -> Self) -> Self {
                value(0)
            }

            #[inline]
            fn lane(&self, _: usize) -> Self {
                *self
            }

            #[inline]
            fn set_lane(&mut self, _: usize, value: Self) {
                *self = value;
            }
        }
    )*};
}

single_lane!(bool, Real, Vec3, Quat, Pose);

impl Mask for bool {
    #[inline]
    fn any(self) -> bool {
        self
    }

    #[inline]
    fn bits(self) -> u64 {
        u64::from(self)
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
    fn negated_where(mask: bool, value: Self) -> Self {
        if mask { -value } else { value }
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
