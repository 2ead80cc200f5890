//! One wheel: the numbers and vectors of the simulation as a single lane.

use super::{MAX_LANES, Mask, Number, RigidPose, Rotation, Vector};
use crate::math::{Pose, Quat, Real, Vec3};

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
