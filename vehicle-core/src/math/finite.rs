//! Whether the numbers of a state are finite: what a checked step looks for.
//!
//! Bounds of constraint rows may be infinite. The remaining numbers may not.

use crate::math::lanes::{
    Mask4, Number, Posex4, Quatx4, Real4, RigidPose, Rotation, Vec3x4, Vector,
};
use crate::math::{Pose, Quat, Real, Vec3};

/// What remains where there is nothing; unlike 0, it is nothing to add, too.
pub(crate) const NOTHING: Real4 = Real4::new([-0.0; 4]);

/// A value that has numbers.
pub(crate) trait Finite {
    /// What remains of the numbers x of the value: the sum of all 0 x, in any lanes. It is 0 in each
    /// lane if all numbers are finite, otherwise it is no number in some.
    ///
    /// It takes no branch, and a processor does four numbers at once.
    fn residue(&self) -> Real4;

    /// Whether all of them are finite.
    fn is_finite(&self) -> bool {
        self.residue().to_array() == [0.0; 4]
    }
}

/// What remains of `numbers`.
#[inline(always)]
pub(crate) fn residue_of(numbers: &[Real]) -> Real4 {
    let of_four = |numbers| Real4::new(numbers) * Real4::ZERO;
    let (fours, rest) = numbers.as_chunks();
    let sum = fours.iter().fold(NOTHING, |sum, four| sum + of_four(*four));
    match *rest {
        [] => sum,
        [a] => sum + of_four([a, 0.0, 0.0, 0.0]),
        [a, b] => sum + of_four([a, b, 0.0, 0.0]),
        _ => sum + of_four([rest[0], rest[1], rest[2], 0.0]),
    }
}

/// What remains of `vectors`.
#[inline(always)]
pub(crate) fn residue_of_vectors<const N: usize>(vectors: [Vec3; N]) -> Real4 {
    let mut numbers = [[0.0; 3]; N];
    for (numbers, vector) in numbers.iter_mut().zip(vectors) {
        *numbers = vector.to_array();
    }
    residue_of(numbers.as_flattened())
}

impl Finite for Real {
    #[inline]
    fn residue(&self) -> Real4 {
        residue_of(&[*self])
    }
}

impl Finite for Vec3 {
    #[inline]
    fn residue(&self) -> Real4 {
        residue_of(&self.to_array())
    }
}

impl Finite for Quat {
    /// A rotation whose norm has become 0 is none.
    #[inline]
    fn residue(&self) -> Real4 {
        let is_none = *self == Self::from_xyzw(0.0, 0.0, 0.0, 0.0);
        residue_of(&self.to_array()) + Real4::splat(if is_none { Real::NAN } else { -0.0 })
    }
}

impl Finite for Real4 {
    #[inline]
    fn residue(&self) -> Real4 {
        *self * Self::ZERO
    }
}

impl Finite for Mask4 {
    /// A mask has no number.
    #[inline]
    fn residue(&self) -> Real4 {
        NOTHING
    }
}

impl Finite for Vec3x4 {
    #[inline]
    fn residue(&self) -> Real4 {
        let [x, y, z] = self.components();
        x.residue() + y.residue() + z.residue()
    }
}

impl Finite for Quatx4 {
    /// A rotation whose norm has become 0 is none.
    #[inline]
    fn residue(&self) -> Real4 {
        let [x, y, z, w] = self.components();
        let largest = x.abs().at_least(y.abs()).at_least(z.abs().at_least(w.abs()));
        let none =
            Number::select(largest.is_equal(Real4::zero()), Real4::splat(Real::NAN), NOTHING);
        x.residue() + y.residue() + z.residue() + w.residue() + none
    }
}

impl Finite for Posex4 {
    #[inline]
    fn residue(&self) -> Real4 {
        self.translation().residue() + self.rotation().residue()
    }
}

impl Finite for Pose {
    #[inline]
    fn residue(&self) -> Real4 {
        self.translation.residue() + self.rotation.residue()
    }
}

impl<T: Finite> Finite for Option<T> {
    #[inline]
    fn residue(&self) -> Real4 {
        self.as_ref().map_or(NOTHING, Finite::residue)
    }
}

impl<T: Finite> Finite for [T] {
    #[inline]
    fn residue(&self) -> Real4 {
        self.iter().fold(NOTHING, |sum, value| sum + value.residue())
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
