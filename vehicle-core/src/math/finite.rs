//! Whether the numbers of a state are finite: what a checked step looks for.
//!
//! Bounds of constraint rows may be infinite. The remaining numbers may not.

use crate::math::lanes::{
    Mask4, Number, Posex4, Quatx4, Real4, RigidPose, Rotation, Vec3x4, Vector,
};
use crate::math::{Pose, Quat, Real, Vec3};

/// The sum of nothing; unlike 0, it is nothing to add, too.
pub(crate) const NOTHING: Real4 = Real4::new([-0.0; 4]);

/// A value that has numbers.
pub(crate) trait Finite {
    /// The sum of all numbers of the value, in any lanes. If one of them is not finite, neither is
    /// the sum in some lane.
    ///
    /// It takes no branch, and a processor adds four numbers at once.
    fn total(&self) -> Real4;

    /// Whether all of them are finite, and not so large that even their sum is not.
    fn is_finite(&self) -> bool {
        (self.total() * Real4::ZERO).to_array() == [0.0; 4]
    }
}

/// The sum of `numbers`.
#[inline(always)]
pub(crate) fn total_of(numbers: &[Real]) -> Real4 {
    let (fours, rest) = numbers.as_chunks();
    let sum = fours.iter().fold(NOTHING, |sum, four| sum + Real4::new(*four));
    match *rest {
        [] => sum,
        [a] => sum + Real4::new([a, 0.0, 0.0, 0.0]),
        [a, b] => sum + Real4::new([a, b, 0.0, 0.0]),
        _ => sum + Real4::new([rest[0], rest[1], rest[2], 0.0]),
    }
}

/// The sum of the numbers of `vectors`.
#[inline(always)]
pub(crate) fn total_of_vectors<const N: usize>(vectors: [Vec3; N]) -> Real4 {
    let mut numbers = [[0.0; 3]; N];
    for (numbers, vector) in numbers.iter_mut().zip(vectors) {
        *numbers = vector.to_array();
    }
    total_of(numbers.as_flattened())
}

impl Finite for Real {
    #[inline]
    fn total(&self) -> Real4 {
        total_of(&[*self])
    }
}

impl Finite for Vec3 {
    #[inline]
    fn total(&self) -> Real4 {
        total_of(&self.to_array())
    }
}

impl Finite for Quat {
    /// A rotation whose norm has become 0 is none.
    #[inline]
    fn total(&self) -> Real4 {
        let is_none = *self == Self::from_xyzw(0.0, 0.0, 0.0, 0.0);
        total_of(&self.to_array()) + Real4::splat(if is_none { Real::NAN } else { -0.0 })
    }
}

impl Finite for Real4 {
    #[inline]
    fn total(&self) -> Real4 {
        *self
    }
}

impl Finite for Mask4 {
    /// A mask has no number.
    #[inline]
    fn total(&self) -> Real4 {
        NOTHING
    }
}

impl Finite for Vec3x4 {
    #[inline]
    fn total(&self) -> Real4 {
        let [x, y, z] = self.components();
        x.total() + y.total() + z.total()
    }
}

impl Finite for Quatx4 {
    /// A rotation whose norm has become 0 is none.
    #[inline]
    fn total(&self) -> Real4 {
        let [x, y, z, w] = self.components();
        let largest = x.abs().at_least(y.abs()).at_least(z.abs().at_least(w.abs()));
        let none =
            Number::select(largest.is_equal(Real4::zero()), Real4::splat(Real::NAN), NOTHING);
        x.total() + y.total() + z.total() + w.total() + none
    }
}

impl Finite for Posex4 {
    #[inline]
    fn total(&self) -> Real4 {
        self.translation().total() + self.rotation().total()
    }
}

impl Finite for Pose {
    #[inline]
    fn total(&self) -> Real4 {
        self.translation.total() + self.rotation.total()
    }
}

impl<T: Finite> Finite for Option<T> {
    #[inline]
    fn total(&self) -> Real4 {
        self.as_ref().map_or(NOTHING, Finite::total)
    }
}

impl<T: Finite> Finite for [T] {
    #[inline]
    fn total(&self) -> Real4 {
        self.iter().fold(NOTHING, |sum, value| sum + value.total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_as_finite_as_its_numbers() {
        let finite = [0.0, -0.0, 1.0, -1.0, Real::MAX, Real::MIN, Real::MIN_POSITIVE, 1e-45];
        let not = [Real::INFINITY, Real::NEG_INFINITY, Real::NAN, -Real::NAN];
        for (numbers, expected) in [(finite.as_slice(), true), (&not, false)] {
            for number in numbers {
                assert_eq!(Finite::is_finite(number), expected, "{number}");
                for place in 0..3 {
                    let mut vector = Vec3::ONE;
                    vector[place] = *number;
                    assert_eq!(Finite::is_finite(&vector), expected, "{vector}");
                }
            }
        }
        assert!(!finite.iter().chain(&not).copied().collect::<Vec<_>>().is_finite());
        assert!(finite.is_finite() && None::<Real>.is_finite() && !Some(Real::NAN).is_finite());
    }

    #[test]
    fn a_rotation_needs_a_norm() {
        for (numbers, expected) in [
            ([0.0, 0.0, 0.0, 1.0], true),
            ([0.0, 1e-45, 0.0, 0.0], true),
            ([0.0, -0.0, 0.0, 0.0], false),
            ([0.0, 0.0, Real::NAN, 1.0], false),
        ] {
            assert_eq!(Finite::is_finite(&Quat::from_array(numbers)), expected, "{numbers:?}");
        }
    }
}
