//! A sign without a jump at zero.

use crate::math::lanes::Number;

/// From -1 at `x` below -1 to 1 above 1, without a jump or a kink (dimensionless).
///
/// ```text
/// x (3 - x²) / 2   of x clamped to [-1, 1]
/// ```
#[inline]
pub(super) fn smooth_sign<N: Number>(x: N) -> N {
    let (one, half) = (N::splat(1.0), N::splat(0.5));
    let x = x.at_least(-one).at_most(one);
    x * (N::splat(1.5) - half * x * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_rises_smoothly_from_end_to_end() {
        for (x, expected) in [(-9.0, -1.0), (-1.0, -1.0), (0.0, 0.0), (0.5, 0.6875), (9.0, 1.0)] {
            assert_eq!(smooth_sign::<f32>(x), expected, "at {x}");
        }
    }
}
