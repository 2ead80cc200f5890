//! How the force of a tread with parabolic pressure saturates with slip.

use crate::math::Real;
use crate::math::lanes::Number;

/// Smallest divisor (any unit).
const SMALLEST: Real = 1e-9;

/// f(k) / k, of the share of friction that is used at the normalized slip `k`, stiffness times slip
/// by friction times load.
///
/// ```text
/// f(k) = k - k²/3 + k³/27 for k < 3, else 1
/// ```
#[inline]
pub(super) fn saturation_per_slip<N: Number>(k: N) -> N {
    let (one, three) = (N::splat(1.0), N::splat(3.0));
    let (third, twenty_seventh) = (N::splat(1.0 / 3.0), N::splat(1.0 / 27.0));
    let rising = one - k * third + k * k * twenty_seventh;
    N::select(k.is_below(three), rising, one / k.at_least(three))
}

/// Pneumatic trail by half of the contact's length at the normalized slip `k` (dimensionless).
///
/// ```text
/// t/a = (1 - q)³ / (3 - 3 q + q²),   q = min(k/3, 1)
/// ```
#[inline]
pub(super) fn trail_share<N: Number>(k: N) -> N {
    let (one, three) = (N::splat(1.0), N::splat(3.0));
    let q = (k * N::splat(1.0 / 3.0)).at_most(one);
    let left = one - q;
    left * left * left / (three - three * q + q * q)
}

/// x² (3 - 2 x) of `x` clamped to [0, 1].
#[inline]
pub(super) fn smooth_step<N: Number>(x: N) -> N {
    let x = x.at_least(N::zero()).at_most(N::splat(1.0));
    x * x * (N::splat(3.0) - N::splat(2.0) * x)
}

/// The length of the vector (x, y).
#[inline]
pub(super) fn length<N: Number>(x: N, y: N) -> N {
    (x * x + y * y).sqrt()
}

/// `divisor`, not negative, or a small number in its place.
#[inline]
pub(super) fn not_zero<N: Number>(divisor: N) -> N {
    divisor.at_least(N::splat(SMALLEST))
}
