//! Momentum as six numbers.

/// Components of a momentum: three of the motion (N·s), three of the rotation (N·m·s).
pub(super) const SIZE: usize = 6;

pub(super) type Momentum = [f64; SIZE];

/// Sum of the products of the components.
#[inline]
pub(super) fn dot(first: &Momentum, second: &Momentum) -> f64 {
    first.iter().zip(second).map(|(first, second)| first * second).sum()
}
