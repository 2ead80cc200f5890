//! Rows that are within their bounds, as those of a parked car: one system of six equations.
//!
//! ```text
//! A p = b,   A = M⁻¹ + Σ a aᵀ / γ,   b = Σ a f₀ / γ,   a = M⁻¹ Jᵀ
//! ```
//!
//! A row of softness `s`, a part of the body's response, weighs 1/s of what the body does in its
//! direction. So of `n` rows, the system is at most `1 + n/s` times as stiff in one direction as in
//! another, whatever masses and arms. The rows of tires are soft enough for single precision.

use super::body_velocity::BodyVelocity;
use super::lanes::{FourRows, RowLanes};
use super::momentum::SIZE;
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

/// An equation: the elements of its row of the matrix from the diagonal on, in two halves.
type Equation = [Real4; 2];

/// The equations of rows without bounds, their matrix factorized.
///
/// ```text
/// A = Uᵀ D U
/// ```
#[derive(Clone, Copy)]
pub(crate) struct FreeSystem {
    /// The rows of U, whose diagonal is 1.
    rows: [Equation; SIZE],
    /// One by each of the diagonal of D.
    inverse: [Real; SIZE],
}

impl FreeSystem {
    /// The equations of these `fours` on `body`; `None` if they take more digits, as with an
    /// inertia that is next to nothing about one of its axes.
    #[inline]
    pub(super) fn new(fours: &[FourTerms], body: &BodyVelocity) -> Option<Self> {
        Self::factorized([
            equation::<0>(fours, body),
            equation::<1>(fours, body),
            equation::<2>(fours, body),
            equation::<3>(fours, body),
            equation::<4>(fours, body),
            equation::<5>(fours, body),
        ])
    }

    /// A symmetric and positive matrix needs no pivots. `None` if rounding has left a matrix that
    /// is not positive.
    #[inline(always)]
    #[expect(
        clippy::needless_range_loop,
        reason = "loops over parts of arrays by iterators are not unrolled"
    )]
    fn factorized(mut rows: [Equation; SIZE]) -> Option<Self> {
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
        for stage in 0..SIZE {
            let [low, high] = rows[stage];
            let factor = Real4::splat(inverse[stage]);
            rows[stage] = [low * factor, high * factor];
        }
        is_positive.then_some(Self { rows, inverse })
    }

    /// The solution with this right side.
    ///
    /// Each component takes the one before it last: then it waits for a product and a difference
    /// only.
    #[inline(always)]
    #[expect(
        clippy::needless_range_loop,
        reason = "loops over parts of arrays by iterators are not unrolled"
    )]
    pub(super) fn solution(&self, mut right: [Real; SIZE]) -> [Real; SIZE] {
        for stage in 0..SIZE {
            for row in stage + 1..SIZE {
                right[row] -= at(&self.rows[stage], row) * right[stage];
            }
        }
        for stage in 0..SIZE {
            right[stage] *= self.inverse[stage];
        }
        for stage in (0..SIZE).rev() {
            for column in (stage + 1..SIZE).rev() {
                right[stage] -= at(&self.rows[stage], column) * right[column];
            }
        }
        right
    }
}

/// The equation of this component.
#[inline(always)]
fn equation<const COMPONENT: usize>(fours: &[FourTerms], body: &BodyVelocity) -> Equation {
    let mut sums = [Real4::default(); 2 * MAX_LANES];
    for FourTerms { tires: [along, across], .. } in fours {
        let a = along.answer[COMPONENT] * along.stiffness;
        let b = across.answer[COMPONENT] * across.stiffness;
        for (column, sum) in sums.iter_mut().enumerate().take(SIZE).skip(COMPONENT) {
            *sum += a * along.answer[column] + b * across.answer[column];
        }
    }
    let mobility = mobility(body)[COMPONENT];
    let [low, high] = halves(sums);
    [low + mobility[0], high + mobility[1]]
}

/// The sums of the lanes of eight numbers.
#[inline(always)]
fn halves([a, b, c, d, e, f, g, h]: [Real4; 2 * MAX_LANES]) -> [Real4; 2] {
    [[a, b, c, d], [e, f, g, h]].map(|half| Real4::new(Number::lane_sums(half)))
}

/// The right sides of the equations: how the rows of these `fours` are to change the body's
/// velocity, b.
#[inline(always)]
pub(super) fn right_side(fours: &[FourTerms]) -> [Real; SIZE] {
    let mut sums = [Real4::default(); 2 * MAX_LANES];
    for FourTerms { tires: [along, across], .. } in fours {
        let a = along.error * along.stiffness;
        let b = across.error * across.stiffness;
        for (component, sum) in sums.iter_mut().enumerate().take(SIZE) {
            *sum += a * along.answer[component] + b * across.answer[component];
        }
    }
    components(sums)
}

/// The sums of the lanes of a momentum's components.
#[inline(always)]
fn components(sums: [Real4; 2 * MAX_LANES]) -> [Real; SIZE] {
    let [[x, y, z, roll], [pitch, yaw, ..]] = halves(sums).map(Real4::to_array);
    [x, y, z, roll, pitch, yaw]
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
    /// Writes the impulses with which `rows` answer to `momentum` without bounds; whether none of
    /// them is beyond its bound.
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

    /// Four wheels alike of these bounds, on rows of stiffness 1 whose free impulses are their
    /// errors.
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
        assert!(FreeSystem::factorized(rows).is_some());
        rows[2][0].as_mut_array()[2] = -1e-3;
        assert!(FreeSystem::factorized(rows).is_none());
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
            let number = |column: usize| {
                if (row..SIZE).contains(&column) { element(row, column) } else { 0.0 }
            };
            let half = |half: usize| {
                Real4::new(std::array::from_fn(|lane| number(half * MAX_LANES + lane)))
            };
            [half(0), half(1)]
        });
        let right = std::array::from_fn(|row| {
            (0..SIZE).map(|column| element(row, column) * expected[column]).sum()
        });
        let found = FreeSystem::factorized(rows).unwrap().solution(right);
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-5, "{found}, not {expected}");
        }
    }
}
