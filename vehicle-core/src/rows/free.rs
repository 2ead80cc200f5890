//! Rows that are within their bounds, as those of a parked car: one system of six equations.
//!
//! ```text
//! A p = b,   A = M⁻¹ + Σ a aᵀ / γ,   b = Σ a f₀ / γ,   a = M⁻¹ Jᵀ
//! ```
//!
//! A row of softness `s`, a part of the body's response, weighs 1/s of what the body does in its direction. So of `n` rows,
//! the system is at most `1 + n/s` times as stiff in one direction as in another, whatever masses and arms: the rows of
//! tires are soft enough for single precision.

use super::lanes::{FourRows, RowLanes};
use super::momentum::SIZE;
use super::solver::BodyVelocity;
use super::terms::{FourTerms, Term};
use crate::math::Real;
use crate::math::lanes::{MAX_LANES, Mask, Number, Real4};

/// Least softness of rows that are solved here (dimensionless).
const LEAST_SOFT: Real = 0.01;

/// Whether the rows of four wheels, without stops, are soft enough.
#[inline]
pub(super) fn are_soft(rows: &FourRows) -> bool {
    let least = Real4::splat(LEAST_SOFT);
    let is_hard = |row: &RowLanes| row.is_there & row.softness.is_below(least);
    !(is_hard(&rows.along) | is_hard(&rows.across) | rows.out.is_there).any()
}

/// The momentum that rows without bounds give to the body (N·s, N·m·s); `None` if that takes more digits, as with an
/// inertia that is next to nothing about one of its axes.
#[inline]
pub(super) fn free_momentum(fours: &[FourTerms], body: &BodyVelocity) -> Option<[Real; SIZE]> {
    let rows = [
        row::<0>(fours, body),
        row::<1>(fours, body),
        row::<2>(fours, body),
        row::<3>(fours, body),
        row::<4>(fours, body),
        row::<5>(fours, body),
    ];
    solved(rows)
}

/// Number of an equation's right side among its numbers, which follows those of the matrix.
const RIGHT: usize = SIZE;

/// An equation: the elements of its row of the matrix from the diagonal on, and its right side.
type Equation = [Real4; 2];

/// The equation of this component.
#[inline(always)]
fn row<const COMPONENT: usize>(fours: &[FourTerms], body: &BodyVelocity) -> Equation {
    let mut sums = [Real4::default(); 2 * MAX_LANES];
    for FourTerms { tires: [along, across], .. } in fours {
        let a = along.answer[COMPONENT] * along.stiffness;
        let b = across.answer[COMPONENT] * across.stiffness;
        for (column, sum) in sums.iter_mut().enumerate().take(SIZE).skip(COMPONENT) {
            *sum += a * along.answer[column] + b * across.answer[column];
        }
        sums[RIGHT] += a * along.error + b * across.error;
    }
    let [a, b, c, d, e, f, g, h] = sums;
    let halves = [[a, b, c, d], [e, f, g, h]];
    let mobility = mobility(body)[COMPONENT];
    let half = |half: usize| Real4::new(Number::lane_sums(halves[half])) + mobility[half];
    [half(0), half(1)]
}

/// The rows of M⁻¹ from the diagonal on.
#[inline(always)]
fn mobility(body: &BodyVelocity) -> [Equation; SIZE] {
    let mass = body.inverse_mass;
    let [[xx, xy, xz], [_, yy, yz], [.., zz]] = body.inverse_inertia.to_cols_array_2d();
    let halves =
        |first: [Real; 4], [e, f]: [Real; 2]| [Real4::new(first), Real4::new([e, f, 0.0, 0.0])];
    [
        halves([mass, 0.0, 0.0, 0.0], [0.0; 2]),
        halves([0.0, mass, 0.0, 0.0], [0.0; 2]),
        halves([0.0, 0.0, mass, 0.0], [0.0; 2]),
        halves([0.0, 0.0, 0.0, xx], [xy, xz]),
        halves([0.0; 4], [yy, yz]),
        halves([0.0; 4], [0.0, zz]),
    ]
}

/// The number in `column` of an equation.
#[inline(always)]
fn at(equation: &Equation, column: usize) -> Real {
    equation[column / MAX_LANES].as_array()[column % MAX_LANES]
}

/// The solution of six equations, by elimination: a symmetric and positive matrix needs no pivots. `None` if rounding
/// has left a matrix that is not positive.
#[inline(always)]
#[expect(
    clippy::needless_range_loop,
    reason = "loops over parts of arrays by iterators are not unrolled"
)]
fn solved(mut rows: [Equation; SIZE]) -> Option<[Real; SIZE]> {
    let (mut inverse, mut is_positive) = ([0.0; SIZE], true);
    for stage in 0..SIZE {
        inverse[stage] = 1.0 / at(&rows[stage], stage);
        is_positive &= 0.0 < inverse[stage];
        for row in stage + 1..SIZE {
            let factor = Real4::splat(at(&rows[stage], row) * inverse[stage]);
            for half in row / MAX_LANES..2 {
                let part = factor * rows[stage][half];
                rows[row][half] -= part;
            }
        }
    }
    if !is_positive {
        return None;
    }
    let mut solution = [0.0; SIZE];
    for stage in (0..SIZE).rev() {
        let mut right = at(&rows[stage], RIGHT);
        for column in stage + 1..SIZE {
            right -= at(&rows[stage], column) * solution[column];
        }
        solution[stage] = right * inverse[stage];
    }
    Some(solution)
}

impl Term {
    /// Impulses without bounds, of a body that has been given `momentum` (N·s).
    #[inline(always)]
    fn free_impulse(&self, momentum: &[Real4; SIZE]) -> Real4 {
        let [x, y, z, roll, pitch, yaw] = self.answer;
        let [p, q, r, s, t, u] = *momentum;
        let moved = x * p + y * q + z * r;
        let turned = roll * s + pitch * t + yaw * u;
        (self.error - (moved + turned)) * self.stiffness
    }
}

impl FourTerms {
    /// Writes the impulses with which `rows` answer to `momentum` without bounds; whether none of them is beyond
    /// its bound.
    #[inline]
    pub(super) fn answer_freely(&self, momentum: &[Real; SIZE], rows: &mut FourRows) -> bool {
        let [x, y, z, roll, pitch, yaw] = *momentum;
        let splat = Real4::splat;
        let momentum = [splat(x), splat(y), splat(z), splat(roll), splat(pitch), splat(yaw)];
        let [along, across] = &self.tires;
        let (a, b) = (along.free_impulse(&momentum), across.free_impulse(&momentum));
        let is_within = a.abs().is_at_most(along.largest)
            & b.abs().is_at_most(across.largest)
            & (a * a + b * b).is_at_most(self.friction * self.friction);
        let [is_along, is_across, _] = rows.local();
        rows.along.impulse = Number::select(is_along, a, rows.along.impulse);
        rows.across.impulse = Number::select(is_across, b, rows.across.impulse);
        is_within.all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four wheels alike of these bounds, on rows of stiffness 1 whose free impulses are their errors.
    fn terms(largest: [Real; 2], friction: Real, free: [Real; 2]) -> FourTerms {
        let term = |axis: usize| Term {
            answer: [Real4::default(); SIZE],
            error: Real4::splat(free[axis]),
            stiffness: Real4::splat(1.0),
            largest: Real4::splat(largest[axis]),
        };
        FourTerms { tires: [term(0), term(1)], stops: None, friction: Real4::splat(friction) }
    }

    #[test]
    fn rows_are_free_until_one_reaches_its_bound() {
        for (free, expected) in [([1.0, -2.0], true), ([3.5, 0.0], false), ([2.9, 8.0], false)] {
            let terms = terms([3.0, 9.0], 5.0, free);
            let is_free = terms.answer_freely(&[0.0; SIZE], &mut FourRows::default());
            assert_eq!(is_free, expected, "{free:?}");
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_is_not_solved() {
        let mut rows = [[Real4::default(); 2]; SIZE];
        for (row, equation) in rows.iter_mut().enumerate() {
            equation[row / MAX_LANES].as_mut_array()[row % MAX_LANES] = 1.0;
        }
        assert_eq!(solved(rows), Some([0.0; SIZE]));
        rows[2][0].as_mut_array()[2] = -1e-3;
        assert_eq!(solved(rows), None);
    }

    #[test]
    fn elimination_solves_six_equations() {
        // A symmetric matrix with a large diagonal, and the right side of the solution 1, 2, 3 ...
        let element = |row: usize, column: usize| {
            let near = 1.0 / (1.0 + row.abs_diff(column) as Real);
            if row == column { 4.0 + row as Real } else { near }
        };
        let expected: [Real; SIZE] = std::array::from_fn(|component| 1.0 + component as Real);
        let rows = std::array::from_fn(|row| {
            let right: Real = (0..SIZE).map(|column| element(row, column) * expected[column]).sum();
            let number = |column: usize| match column {
                RIGHT => right,
                _ if (row..SIZE).contains(&column) => element(row, column),
                _ => 0.0,
            };
            let half = |half: usize| {
                Real4::new(std::array::from_fn(|lane| number(half * MAX_LANES + lane)))
            };
            [half(0), half(1)]
        });
        for (found, expected) in solved(rows).unwrap().into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-5, "{found}, not {expected}");
        }
    }
}
