//! The reference's two solvers of linear systems, in 32 bits.

use arrayvec::ArrayVec;

use crate::math::Real;
use crate::wheel_list::MAX_WHEELS;

/// Most unknowns: the wheels and the engine.
const MAX_UNKNOWNS: usize = MAX_WHEELS + 1;
/// Squared residual, relative to the right side, at which the sweeps of vehicles end.
const SWEEP_TOLERANCE: Real = 1e-10;
/// Keeps the relative residual finite where the right side is 0.
const MIN_SQUARED_SIZE: Real = 1e-10;

/// One number per unknown.
pub(super) type Unknowns<T> = ArrayVec<T, MAX_UNKNOWNS>;

/// The system `M x = b`.
pub(super) struct DenseSystem {
    rows: Unknowns<Unknowns<Real>>,
    right: Unknowns<Real>,
}

impl DenseSystem {
    /// The system of `count` unknowns with these elements.
    pub(super) fn new(
        count: usize,
        element: impl Fn(usize, usize) -> Real,
        right: impl Fn(usize) -> Real,
    ) -> Self {
        let row = |row| (0..count).map(|column| element(row, column)).collect();
        Self { rows: (0..count).map(row).collect(), right: (0..count).map(right).collect() }
    }

    /// Solves by elimination with complete pivoting: `P M Q = L U`.
    pub(super) fn eliminated(mut self) -> Unknowns<Real> {
        let count = self.right.len();
        let mut order: Unknowns<usize> = (0..count).collect();
        for stage in 0..count {
            let (row, column) = self.pivot(stage);
            self.rows.swap(stage, row);
            self.right.swap(stage, row);
            self.rows.iter_mut().for_each(|row| row.swap(stage, column));
            order.swap(stage, column);
            self.eliminate(stage);
        }
        for stage in (0..count).rev() {
            let rest = self.rows[stage].iter().zip(&self.right).skip(stage + 1);
            let known =
                rest.fold(self.right[stage], |left, (element, known)| left - element * known);
            self.right[stage] = known / self.rows[stage][stage];
        }
        let mut solution = self.right.clone();
        for (&unknown, &value) in order.iter().zip(&self.right) {
            solution[unknown] = value;
        }
        solution
    }

    /// Row and column of the largest element that is left at `stage`.
    fn pivot(&self, stage: usize) -> (usize, usize) {
        let (mut place, mut largest) = ((stage, stage), 0.0);
        for column in stage..self.rows.len() {
            for (row, elements) in self.rows.iter().enumerate().skip(stage) {
                if largest < elements[column].abs() {
                    (place, largest) = ((row, column), elements[column].abs());
                }
            }
        }
        place
    }

    /// Clears the column `stage` below the diagonal.
    fn eliminate(&mut self, stage: usize) {
        let (done, left) = self.rows.split_at_mut(stage + 1);
        let (pivot, (known, right)) = (&done[stage], self.right.split_at_mut(stage + 1));
        for (row, right) in left.iter_mut().zip(right) {
            let factor = row[stage] / pivot[stage];
            for (element, pivot) in row.iter_mut().zip(pivot).skip(stage + 1) {
                *element -= factor * pivot;
            }
            *right -= factor * known[stage];
        }
    }

    /// Solves by at most `iterations` sweeps of Gauss and Seidel from `start`.
    pub(super) fn swept(&self, start: Unknowns<Real>, iterations: u32) -> Unknowns<Real> {
        let mut solution = start;
        let element = |row: usize, column: usize| self.rows[row][column];
        gauss_seidel(element, &self.right, &mut solution, iterations, SWEEP_TOLERANCE);
        solution
    }
}

/// Approaches the solution of `M x = right` from `solution`, by sweeps of Gauss and Seidel.
///
/// ```text
/// x_i ← (b_i - Σ_{j≠i} M_ij x_j) / M_ii
/// ```
///
/// with `element(i, j)` the element `M_ij`. The sweep that brings `|M x - b|²` down to `tolerance`
/// (dimensionless) times `|b|²` is the last, if not number `iterations`.
pub fn gauss_seidel(
    element: impl Fn(usize, usize) -> Real,
    right: &[Real],
    solution: &mut [Real],
    iterations: u32,
    tolerance: Real,
) {
    let product = |solution: &[Real], row: usize, skipped: Option<usize>| {
        let columns = (0..right.len()).filter(|&column| Some(column) != skipped);
        columns.fold(0.0, |sum, column| sum + element(row, column) * solution[column])
    };
    let size = right.iter().fold(0.0, |sum, right| sum + right * right) + MIN_SQUARED_SIZE;
    for _ in 0..iterations {
        for (row, right) in right.iter().enumerate() {
            let others = product(solution, row, Some(row));
            solution[row] = (right - others) * (1.0 / element(row, row));
        }
        let residual = right.iter().enumerate().fold(0.0, |sum: Real, (row, right)| {
            let left = product(solution, row, None) - right;
            sum + left * left
        });
        if residual / size <= tolerance {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [[Real; 3]; 3] = [[0.0, 2.0, 1.0], [4.0, 1.0, -1.0], [1.0, -3.0, 8.0]];
    const SOLUTION: [Real; 3] = [1.0, -2.0, 3.0];

    fn system(rows: [[Real; 3]; 3]) -> DenseSystem {
        let right = |row: usize| {
            rows[row].iter().zip(SOLUTION).fold(0.0, |sum, (element, value)| sum + element * value)
        };
        DenseSystem::new(3, |row, column| rows[row][column], right)
    }

    fn assert_solved(solution: &[Real], tolerance: Real) {
        for (actual, expected) in solution.iter().zip(SOLUTION) {
            assert!((actual - expected).abs() < tolerance, "{solution:?}, not {SOLUTION:?}");
        }
    }

    #[test]
    fn elimination_solves_whatever_the_order_of_the_rows() {
        let [first, second, third] = ROWS;
        for rows in [ROWS, [second, third, first], [third, first, second]] {
            assert_solved(&system(rows).eliminated(), 1e-6);
        }
    }

    #[test]
    fn sweeps_approach_the_solution_of_a_dominant_diagonal() {
        let rows = [[4.0, 1.0, -1.0], [0.5, 2.0, 0.25], [1.0, -3.0, 8.0]];
        let start = || Unknowns::from_iter([0.0; 3]);
        // They end at a residual of 1e-5 of the right side, whose length is 27.
        assert_solved(&system(rows).swept(start(), 100), 27e-5);
        // The first unknown after one sweep: 4 x = 4 - 2 - 3.
        assert_eq!(system(rows).swept(start(), 1)[0], -0.25);
        assert_eq!(system(rows).swept(start(), 0), start());
    }
}
