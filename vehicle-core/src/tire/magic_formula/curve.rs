//! The curve of the formulas, and what keeps their numbers finite.

use crate::math::lanes::{Mask, Number};
use crate::math::{PI, Real, atan_each, cos_of_half_turn, sign, sin_cos, sin_of_half_turn};

/// Least size of divisors, which keeps them away from zero (any unit).
const SMALLEST_DIVISOR: Real = 1e-6;
/// Arguments of an arc tangent above this count as this (dimensionless).
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

/// A curve of the formulas: C atan(x - E (x - atan x)), x = B times the slip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve<N> {
    /// B times the slip (dimensionless).
    pub(super) x: N,
    /// C (dimensionless).
    pub(super) shape: N,
    /// E (dimensionless).
    pub(super) curvature: N,
}

impl<N: Number> Curve<N> {
    /// Angle of the curve (rad).
    #[inline]
    pub(super) fn angle(self) -> N {
        let [angle] = angles([self]);
        angle
    }
}

/// The angles of several curves (rad). Each waits for two arc tangents, one after the other: those
/// of all go side by side.
#[inline]
pub(super) fn angles<N: Number, const COUNT: usize>(curves: [Curve<N>; COUNT]) -> [N; COUNT] {
    let most = N::splat(LARGEST_ARGUMENT);
    let x = curves.map(|curve| clamp(curve.x, [-most, most]));
    let straight = atan_each(x);
    let bent: [N; COUNT] = atan_each(std::array::from_fn(|index| {
        let curvature = curves[index].curvature.at_least(-most);
        x[index] - curvature * (x[index] - straight[index])
    }));
    std::array::from_fn(|index| curves[index].shape * bent[index])
}

/// Sine of the angle of a curve.
#[inline]
pub(super) fn sine<N: Number>(angle: N) -> N {
    if is_beyond_half_turn(angle) { sin_cos(angle).0 } else { sin_of_half_turn(angle) }
}

/// Cosine of the angle of a curve.
#[inline]
pub(super) fn cosine<N: Number>(angle: N) -> N {
    if is_beyond_half_turn(angle) { sin_cos(angle).1 } else { cos_of_half_turn(angle) }
}

/// Whether an angle is larger than π, as only shapes of more than 2 make it.
#[inline]
fn is_beyond_half_turn<N: Number>(angle: N) -> bool {
    N::splat(PI).is_below(angle.abs()).any()
}

/// cos(atan x).
#[inline]
pub(super) fn cos_atan<N: Number>(x: N) -> N {
    let (one, most) = (N::splat(1.0), N::splat(LARGEST_ARGUMENT));
    let x = clamp(x, [-most, most]);
    one / (one + x * x).sqrt()
}

/// Factor by which a slip reduces the force of the other one, 1 without this slip; not negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduction<N> {
    /// Whose cosine it is.
    pub(super) curve: Curve<N>,
    /// The cosine without the slip, by its shift alone (dimensionless).
    without: N,
}

impl<N: Number> Reduction<N> {
    /// Reduction by a `slip` which is shifted.
    #[inline]
    pub(super) fn new(slope: N, shape: N, curvature: N, [slip, shift]: [N; 2]) -> Self {
        let curve = |slip: N| Curve { x: slope * slip, shape, curvature };
        let (near, is_near) = cos_of_small_curve(curve(shift));
        let without = if (!is_near).any() {
            N::select(is_near, near, cosine(curve(shift).angle()))
        } else {
            near
        };
        Self { curve: curve(slip + shift), without: without.at_least(N::splat(SMALLEST_REDUCTION)) }
    }

    /// It, with the angle of its curve (dimensionless).
    #[inline]
    pub(super) fn left(&self, angle: N) -> N {
        cosine(angle).at_least(N::zero()) / self.without
    }
}

/// The cosine of a curve by its series, and where its arguments are small enough for that.
#[inline]
fn cos_of_small_curve<N: Number>(curve: Curve<N>) -> (N, N::Mask) {
    let Curve { x, shape, curvature } = curve;
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

/// The signs of slips by which their curvature differs.
#[inline]
pub(super) fn shape_sign<N: Number>(side: N, slip: N) -> N {
    N::select(side.is_equal(N::zero()), sign(slip), side)
}
