//! Sine, tangent, their inverses, exponential and logarithm, for one number or for one in each
//! lane.
//!
//! They are polynomials of a reduced argument, written in sums and products only, so that they give
//! the same bits on every platform and in every lane. Their error is at most two units in the last
//! place, that of tangent and arc sine three. Angles of more than [`NEAR`], where a polynomial
//! would need a longer π, are left to the platform.

use super::lanes::{Mask, Number};
use super::{PI, Real, platform};

const LN_2: Real = std::f32::consts::LN_2;

/// Largest angle that is reduced here (rad).
const NEAR: Real = 8_192.0;
/// Angles up to this need no reduction (rad): less than π/4 by more than rounding.
const SMALL: Real = 0.78;
/// 1.5 · 2²³: a number that is added to it and taken from the sum is rounded to an integer.
const ROUNDER: Real = 12_582_912.0;
/// π/2 as a sum. All but the last have so few digits that their multiples up to [`NEAR`] are exact.
const HALF_PI: [Real; 4] = [1.570_312_5, 4.837_513e-4, 7.549_533_6e-8, 2.563_344e-12];
/// π/2 minus its nearest number.
const HALF_PI_REST: Real = -4.371_139e-8;

/// sin x = x + x³ S(x²) for |x| ≤ π/4, by falling powers as all of these.
const SIN: [Real; 3] = [-1.958_786_6e-4, 8.332_748e-3, -0.166_666_65];
/// sin x = x + x³ S(x²) for |x| ≤ π/2.
const HALF_TURN: [Real; 4] = [2.605_780_5e-6, -1.980_960_2e-4, 8.333_066_5e-3, -0.166_666_6];
/// cos x = 1 - x²/2 + x⁴ C(x²) for |x| ≤ π/4.
const COS: [Real; 3] = [2.454_791_7e-5, -1.388_830_3e-3, 0.041_666_664];
/// tan x = x + x³ T(x²) for |x| ≤ π/4.
const TAN: [Real; 7] = [
    3.843_556e-3,
    1.184_620_2e-3,
    9.962_586e-3,
    0.021_621_002,
    0.053_994_48,
    0.133_332_31,
    0.333_333_34,
];
/// atan x = x + x³ A(x²) for |x| ≤ 1.
const ATAN: [Real; 9] = [
    -2.386_997_3e-3,
    0.013_507_771,
    -0.035_871_54,
    0.062_501_69,
    -0.086_568_8,
    0.110_337_64,
    -0.142_785_69,
    0.199_997_4,
    -0.333_333_3,
];
/// asin x = x + x³ B(x²) for |x| ≤ 1/2.
const ASIN: [Real; 6] =
    [0.033_700_727, 0.017_143_717, 0.031_101_728, 0.044_599_32, 0.075_000_95, 0.166_666_66];
/// exp x = 1 + x + x² E(x) for |x| ≤ ln 2 / 2.
const EXP: [Real; 5] = [1.392_625_1e-3, 8.363_233e-3, 0.041_666_554, 0.166_665_77, 0.5];
/// artanh t = t + t³ R(t²) for |t| ≤ 0.172.
const ARTANH: [Real; 4] = [1.0 / 9.0, 1.0 / 7.0, 0.2, 1.0 / 3.0];
/// Exponents between which 2ⁿ is a normal number.
const EXPONENTS: [Real; 2] = [-87.0, 88.0];
/// ln 2 as a sum, the first with so few digits that its multiples are exact.
const LN_2_PARTS: [Real; 2] = [0.693_359_4, -2.121_944_4e-4];

/// Whether no size of `numbers` is above `most`.
#[inline]
fn are_within<N: Number>(numbers: N, most: Real) -> bool {
    !(!numbers.abs().is_at_most(N::splat(most))).any()
}

/// Sine and cosine of `angle` (rad).
#[inline]
pub fn sin_cos<N: Number>(angle: N) -> (N, N) {
    if are_within(angle, SMALL) {
        return (odd(angle, &SIN), cosine(angle));
    }
    sin_cos_by_quadrant(angle)
}

#[inline(never)]
fn sin_cos_by_quadrant<N: Number>(angle: N) -> (N, N) {
    let Reduced { rest, quadrant, is_near } = Reduced::new(angle);
    let (sin, cos) = (odd(rest, &SIN), cosine(rest));
    let [one, half, three_halves] = [1.0, 0.5, 1.5].map(N::splat);
    let is_odd = quadrant.abs().is_equal(one);
    // Quadrants are -2 to 2, where -2 and 2 are the same.
    let is_sin_negative = quadrant.is_below(-half) | three_halves.is_below(quadrant);
    let is_cos_negative = half.is_below(quadrant) | quadrant.is_below(-three_halves);
    let near_sin = N::negated_where(is_sin_negative, N::select(is_odd, cos, sin));
    let near_cos = N::negated_where(is_cos_negative, N::select(is_odd, sin, cos));
    (
        or_by_platform(is_near, near_sin, angle, platform::sin),
        or_by_platform(is_near, near_cos, angle, platform::cos),
    )
}

/// Cosine of `angle` (rad).
#[inline]
pub fn cos<N: Number>(angle: N) -> N {
    if are_within(angle, SMALL) { cosine(angle) } else { sin_cos_by_quadrant(angle).1 }
}

/// Tangent of `angle` (rad).
#[inline]
pub fn tan<N: Number>(angle: N) -> N {
    if are_within(angle, SMALL) { odd(angle, &TAN) } else { tan_by_quadrant(angle) }
}

#[inline(never)]
fn tan_by_quadrant<N: Number>(angle: N) -> N {
    let Reduced { rest, quadrant, is_near } = Reduced::new(angle);
    let tan = odd(rest, &TAN);
    let one = N::splat(1.0);
    let near = N::select(quadrant.abs().is_equal(one), -(one / tan), tan);
    or_by_platform(is_near, near, angle, platform::tan)
}

/// Arc tangent (rad).
///
/// ```text
/// atan t = π/2 - atan(1/t)           for 1 < t
/// ```
#[inline]
pub fn atan<N: Number>(tangent: N) -> N {
    let [angle] = atan_each([tangent]);
    angle
}

/// The [arc tangents](atan) of several numbers in less time: their steps go side by side, and none
/// waits for another.
#[inline]
pub(crate) fn atan_each<N: Number, const COUNT: usize>(tangents: [N; COUNT]) -> [N; COUNT] {
    let one = N::splat(1.0);
    let sizes = tangents.map(N::abs);
    let are_flat = tangents.iter().all(|&tangent| are_within(tangent, 1.0));
    let reduced = if are_flat { sizes } else { sizes.map(|size| size.at_most(one / size)) };
    let squares = reduced.map(|x| x * x);
    let mut sums = [N::splat(ATAN[0]); COUNT];
    for coefficient in &ATAN[1..] {
        for (sum, square) in sums.iter_mut().zip(&squares) {
            *sum = *sum * *square + N::splat(*coefficient);
        }
    }
    std::array::from_fn(|index| {
        let x = reduced[index];
        let angle = x + x * squares[index] * sums[index];
        if are_flat {
            return angle.copysign(tangents[index]);
        }
        let is_steep = one.is_below(sizes[index]);
        N::select(is_steep, complement(angle), angle).copysign(tangents[index])
    })
}

/// Sine of an `angle` of at most π (rad), within 2·10⁻⁷: a third of the work of [`sin_cos`].
///
/// ```text
/// sin x = sin(π - x)           for π/2 < x
/// ```
#[inline]
pub(crate) fn sin_of_half_turn<N: Number>(angle: N) -> N {
    let size = angle.abs();
    let supplement = complement(size) + N::splat(PI / 2.0);
    sin_of_quarter_turn(size.at_most(supplement)).copysign(angle)
}

/// Sine of an `angle` of at most π/2 (rad), within 2·10⁻⁷.
#[inline]
pub(crate) fn sin_of_quarter_turn<N: Number>(angle: N) -> N {
    odd(angle, &HALF_TURN)
}

/// Cosine of an `angle` of at most π (rad), within 2·10⁻⁷.
///
/// ```text
/// cos x = sin(π/2 - x)
/// ```
#[inline]
pub(crate) fn cos_of_half_turn<N: Number>(angle: N) -> N {
    odd(complement(angle.abs()), &HALF_TURN)
}

/// Arc sine (rad) of `sine` clamped to [-1, 1], so that rounding never yields NaN.
///
/// ```text
/// asin s = π/2 - 2 asin sqrt((1 - s)/2)           for 1/2 < s
/// ```
#[inline]
pub fn asin_clamped<N: Number>(sine: N) -> N {
    let [half, one, two] = [0.5, 1.0, 2.0].map(N::splat);
    if are_within(sine, 0.5) {
        return odd(sine.abs(), &ASIN).copysign(sine);
    }
    let size = sine.abs().at_most(one);
    let is_steep = half.is_below(size);
    let small = N::select(is_steep, ((one - size) * half).sqrt(), size);
    let angle = odd(small, &ASIN);
    N::select(is_steep, complement(angle * two), angle).copysign(sine)
}

/// Exponential, of an exponent that is clamped to where the result is neither subnormal nor
/// infinite.
///
/// ```text
/// exp x = 2ⁿ exp r,   n = round(x / ln 2),   r = x - n ln 2
/// ```
#[inline]
pub fn exp<N: Number>(exponent: N) -> N {
    let [low, high] = EXPONENTS.map(N::splat);
    let exponent = exponent.at_least(low).at_most(high);
    let rounder = N::splat(ROUNDER);
    let doublings = exponent * N::splat(1.0 / LN_2) + rounder - rounder;
    let rest =
        LN_2_PARTS.into_iter().fold(exponent, |rest, part| rest - doublings * N::splat(part));
    let one = N::splat(1.0);
    let factor = one + (rest + rest * rest * polynomial(rest, &EXP));
    factor * doublings.map(power_of_two)
}

/// Natural logarithm of a number that is normal and positive; of another, that of the nearest such.
///
/// ```text
/// ln x = n ln 2 + 2 artanh t,   x = m 2ⁿ,   t = (m - 1) / (m + 1),   √½ ≤ m < √2
/// ```
#[inline]
pub fn ln<N: Number>(number: N) -> N {
    let one = N::splat(1.0);
    let number = number.at_least(N::splat(Real::MIN_POSITIVE)).at_most(N::splat(Real::MAX));
    let doublings = number.map(|x| exponent_and_rest(x).0);
    let rest = number.map(|x| exponent_and_rest(x).1);
    let t = (rest - one) / (rest + one);
    let [whole, part] = LN_2_PARTS.map(N::splat);
    let near = {
        let (double, square) = (t + t, t * t);
        double + double * square * polynomial(square, &ARTANH)
    };
    let logarithm = doublings * whole + (near + doublings * part);
    // What is no number equals not even itself, and has bits like any.
    N::select(number.is_equal(number), logarithm, number)
}

/// n and m of x = m 2ⁿ with √½ ≤ m < √2.
#[inline]
fn exponent_and_rest(x: Real) -> (Real, Real) {
    // As if the mantissa began at √½: what is above it belongs to the exponent.
    const START: u32 = 0x3f35_04f3;
    let above = x.to_bits().wrapping_sub(START);
    let exponent = (above as i32) >> 23;
    let rest = Real::from_bits(x.to_bits().wrapping_sub((exponent as u32) << 23));
    (exponent as Real, rest)
}

/// 2 to the power of an integer between -126 and 127.
#[inline]
fn power_of_two(exponent: Real) -> Real {
    // The exponent of a float is kept from its 24th bit on, 127 above its value. A rounded sum has
    // the integer in its lowest bits.
    Real::from_bits((exponent + (ROUNDER + 127.0)).to_bits() << 23)
}

/// An angle as a multiple of π/2 and what is left.
struct Reduced<N: Number> {
    /// In [-π/4, π/4] (rad).
    rest: N,
    /// The multiple, but for multiples of 4: -2 to 2.
    quadrant: N,
    /// Whether the angle is near enough to be reduced.
    is_near: N::Mask,
}

impl<N: Number> Reduced<N> {
    #[inline]
    fn new(angle: N) -> Self {
        let rounded = |value: N| value + N::splat(ROUNDER) - N::splat(ROUNDER);
        let turns = rounded(angle * N::splat(2.0 / PI));
        let rest = HALF_PI.into_iter().fold(angle, |rest, part| rest - turns * N::splat(part));
        let quadrant = turns - rounded(turns * N::splat(0.25)) * N::splat(4.0);
        Self { rest, quadrant, is_near: angle.abs().is_at_most(N::splat(NEAR)) }
    }
}

/// x + x³ P(x²) with the coefficients of P by falling powers.
#[inline]
fn odd<N: Number>(x: N, coefficients: &[Real]) -> N {
    let square = x * x;
    x + x * square * polynomial(square, coefficients)
}

/// cos x for |x| ≤ π/4.
#[inline]
fn cosine<N: Number>(x: N) -> N {
    let square = x * x;
    N::splat(1.0) - square * N::splat(0.5) + square * square * polynomial(square, &COS)
}

#[inline]
fn polynomial<N: Number>(x: N, coefficients: &[Real]) -> N {
    let Some((&first, others)) = coefficients.split_first() else { return N::zero() };
    others.iter().fold(N::splat(first), |sum, &coefficient| sum * x + N::splat(coefficient))
}

/// π/2 - `angle` (rad).
#[inline]
fn complement<N: Number>(angle: N) -> N {
    N::splat(PI / 2.0) - (angle - N::splat(HALF_PI_REST))
}

/// `near` in the lanes where it holds, `function` of the platform in the others.
#[inline]
fn or_by_platform<N: Number>(
    is_near: N::Mask,
    near: N,
    argument: N,
    function: fn(Real) -> Real,
) -> N {
    if (!is_near).any() { N::select(is_near, near, argument.map(function)) } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::Real4;

    /// Numbers of every size up to `end`, of both signs, dense near 1 and near multiples of π/4.
    fn numbers(end: Real) -> impl Iterator<Item = Real> {
        let bits = (0..end.to_bits()).step_by(4_099).map(Real::from_bits);
        let even = (0..200_000).map(move |step| step as Real * (end / 200_000.0));
        let corners = (0..200).flat_map(|step| {
            let corner = step as Real * (PI / 4.0);
            (-20..20).map(move |offset: i32| corner + corner * Real::EPSILON * offset as Real)
        });
        let positive = bits.chain(even).chain(corners).filter(move |number| *number <= end);
        positive.flat_map(|number| [number, -number])
    }

    /// Checks that no error up to `end` exceeds `units` in the last place.
    fn check(units: f64, end: Real, function: fn(Real) -> Real, exact: fn(f64) -> f64) {
        for x in numbers(end) {
            let (actual, expected) = (function(x), exact(f64::from(x)));
            let nearest = (expected as Real).abs().max(Real::MIN_POSITIVE);
            let unit = f64::from(nearest.next_up()) - f64::from(nearest);
            let error = (f64::from(actual) - expected).abs() / unit;
            assert!(error <= units, "at {x:e}: {actual:e}, {expected:e}, {error} units");
        }
    }

    #[test]
    fn arc_tangents_of_several_have_the_bits_of_one() {
        let all: Vec<_> = numbers(1e9).collect();
        for three in all.windows(3).step_by(3) {
            let three = [three[0], three[1], three[2]];
            assert_eq!(atan_each(three).map(Real::to_bits), three.map(|x| atan(x).to_bits()));
        }
    }

    #[test]
    fn half_a_turn_is_near_the_exact_one() {
        for x in numbers(PI) {
            let (sin, cos) = (sin_of_half_turn(x), cos_of_half_turn(x));
            let (exact_sin, exact_cos) = f64::from(x).sin_cos();
            assert!((f64::from(sin) - exact_sin).abs() < 2e-7, "at {x:e}: {sin:e}");
            assert!((f64::from(cos) - exact_cos).abs() < 2e-7, "at {x:e}: {cos:e}");
        }
    }

    /// The size of `x`, at least that of the smallest normal number.
    fn positive(x: f64) -> f64 {
        x.abs().max(f64::from(Real::MIN_POSITIVE))
    }

    #[test]
    fn errors_are_a_few_units_in_the_last_place() {
        check(2.0, 100.0, |x| sin_cos(x).0, f64::sin);
        check(2.0, 100.0, cos, f64::cos);
        check(3.0, 100.0, tan, f64::tan);
        check(2.0, Real::MAX, atan, f64::atan);
        check(3.0, 1.0, asin_clamped, f64::asin);
        check(2.0, 87.0, exp, f64::exp);
        check(2.0, Real::MAX, |x| ln(x.abs()), |x| positive(x).ln());
    }

    #[test]
    fn powers_of_two_are_exact() {
        for exponent in -126..=127 {
            assert_eq!(power_of_two(exponent as Real), 2.0_f32.powi(exponent), "{exponent}");
        }
    }

    #[test]
    fn every_lane_has_the_bits_of_the_single_number() {
        let functions = [
            (|x| sin_cos(x).0, |x| sin_cos(x).0),
            (cos, cos),
            (tan, tan),
            (atan, atan),
            (asin_clamped, asin_clamped),
            (exp, exp),
            (ln, ln),
        ] as [(fn(Real) -> Real, fn(Real4) -> Real4); 7];
        let numbers: Vec<Real> = numbers(1e9).step_by(7).collect();
        for four in numbers.chunks_exact(4) {
            let lanes = Real4::new([four[0], four[1], four[2], four[3]]);
            for (index, (single, wide)) in functions.iter().enumerate() {
                let expected = [four[0], four[1], four[2], four[3]].map(single);
                assert_eq!(wide(lanes).to_array(), expected, "function {index} of {four:?}");
            }
        }
    }

    #[test]
    fn what_is_no_number_stays_none() {
        for function in
            [|x| sin_cos(x).0, cos, tan, atan, asin_clamped, exp, ln] as [fn(Real) -> Real; 7]
        {
            assert!(function(Real::NAN).is_nan());
        }
        assert!(tan(Real::INFINITY).is_nan() && cos(Real::NEG_INFINITY).is_nan());
        assert_eq!(atan(Real::INFINITY), PI / 2.0);
    }
}
