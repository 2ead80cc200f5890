//! The curve of the formulas, and what keeps their numbers finite.

use crate::math::lanes::{Mask, Number};
use crate::math::{Real, atan, sin_cos};

/// What divisors keep away from zero (any unit).
const SMALLEST_DIVISOR: Real = 1e-6;
/// Largest argument of an arc tangent that is told apart from larger ones (dimensionless).
const LARGEST_ARGUMENT: Real = 1e9;
/// Largest friction coefficient (dimensionless).
pub(super) const MOST_FRICTION: Real = 100.0;
/// Largest slip stiffness and cornering stiffness (N).
pub(super) const MOST_STIFFNESS: Real = 1e9;
/// Largest shift of a slip (dimensionless).
pub(super) const MOST_SHIFT: Real = 10.0;
/// Largest arguments for which a few terms of a series suffice (dimensionless).
const SMALL_ARGUMENT: Real = 0.15;
/// Smallest reduction by a shift, by which others are divided (dimensionless).
const SMALLEST_REDUCTION: Real = 0.05;

/// C atan(x - E (x - atan x)), x = B times the slip.
#[inline]
pub(super) fn curve<N: Number>(x: N, shape: N, curvature: N) -> N {
    let most = N::splat(LARGEST_ARGUMENT);
    let x = clamp(x, [-most, most]);
    let curvature = curvature.at_least(-most);
    shape * atan(x - curvature * (x - atan(x)))
}

/// cos(atan x).
#[inline]
pub(super) fn cos_atan<N: Number>(x: N) -> N {
    let (one, most) = (N::splat(1.0), N::splat(LARGEST_ARGUMENT));
    let x = clamp(x, [-most, most]);
    one / (one + x * x).sqrt()
}

/// What a slip leaves of the force of the other, 1 without this slip; not negative.
#[inline]
pub(super) fn reduction<N: Number>(slope: N, shape: N, curvature: N, slip: N, shift: N) -> N {
    let left = |slip: N| sin_cos(curve(slope * slip, shape, curvature)).1;
    let (near, is_near) = cos_of_small_curve(slope * shift, shape, curvature);
    let without = if (!is_near).any() { N::select(is_near, near, left(shift)) } else { near };
    left(slip + shift).at_least(N::zero()) / without.at_least(N::splat(SMALLEST_REDUCTION))
}

/// The cosine of [`curve`] by its series, and where its arguments are small enough for that.
#[inline]
fn cos_of_small_curve<N: Number>(x: N, shape: N, curvature: N) -> (N, N::Mask) {
    let one = N::splat(1.0);
    let small_atan = |x: N| {
        let square = x * x;
        let [third, fifth, seventh] = [1.0 / 3.0, 0.2, 1.0 / 7.0].map(N::splat);
        x - x * square * (third - square * (fifth - square * seventh))
    };
    let bent = x - curvature * (x - small_atan(x));
    let angle = shape * small_atan(bent);
    let square = angle * angle;
    let [half, twelfth, thirtieth] = [0.5, 1.0 / 12.0, 1.0 / 30.0].map(N::splat);
    let cos = one - half * square * (one - twelfth * square * (one - thirtieth * square));
    let is_small = |x: N| x.abs().is_at_most(N::splat(SMALL_ARGUMENT));
    (cos, is_small(x) & is_small(bent) & is_small(angle))
}

/// Whether a coefficient is zero in every lane.
#[inline]
pub(super) fn is_zero<N: Number>(coefficient: N) -> bool {
    !(!coefficient.is_equal(N::zero())).any()
}

/// `divisor`, or a small number in its place.
#[inline]
pub(super) fn not_zero<N: Number>(divisor: N) -> N {
    let smallest = N::splat(SMALLEST_DIVISOR);
    N::select(divisor.abs().is_below(smallest), smallest, divisor)
}

#[inline]
pub(super) fn clamp<N: Number>(value: N, [low, high]: [N; 2]) -> N {
    value.at_least(low).at_most(high)
}

/// A shift of a slip, or another share, within what has a meaning (dimensionless).
#[inline]
pub(super) fn bounded_shift<N: Number>(shift: N) -> N {
    let most = N::splat(MOST_SHIFT);
    clamp(shift, [-most, most])
}
