//! Six equations for the momentum that soft rows give to a body.

use super::row::ConstraintRow;
use super::solver::BodyVelocity;
use crate::math::{Real, Vec3};

/// Components of a momentum: three of the motion, three of the rotation.
const SIZE: usize = 6;

type Momentum = [f64; SIZE];

/// The equations `A p = q`.
pub(super) struct MomentumSystem {
    matrix: [Momentum; SIZE],
    right: Momentum,
}

impl MomentumSystem {
    /// Without rows: no momentum.
    pub(super) fn new() -> Self {
        let unit = |row| std::array::from_fn(|column| if row == column { 1.0 } else { 0.0 });
        Self { matrix: std::array::from_fn(unit), right: [0.0; SIZE] }
    }

    /// Adds a row that acts on `body`.
    ///
    /// ```text
    /// A += j (M⁻¹ j)ᵀ / γ,   q += j (target - j·v) / γ,   γ = softness j·M⁻¹ j
    /// ```
    pub(super) fn add(&mut self, row: &ConstraintRow, body: &BodyVelocity) {
        if row.softness.is_infinite() {
            return;
        }
        let turned = body.inverse_inertia * row.angular;
        let along = components(row.linear, row.angular);
        let answer = components(row.linear * body.inverse_mass, turned);
        let response: f64 = along.iter().zip(&answer).map(|(along, answer)| along * answer).sum();
        let weight = 1.0 / (response * f64::from(row.softness));
        let error = f64::from(row.target_speed - row.speed(body.linear, body.angular));
        for ((matrix, right), along) in self.matrix.iter_mut().zip(&mut self.right).zip(along) {
            let weighted = along * weight;
            *right += weighted * error;
            for (element, answer) in matrix.iter_mut().zip(answer) {
                *element += weighted * answer;
            }
        }
    }

    /// The momentum, linear (N·s) and angular (N·m·s), by elimination with row pivots.
    pub(super) fn solve(mut self) -> [Vec3; 2] {
        for stage in 0..SIZE {
            let size = |row: &usize| self.matrix[*row][stage].abs();
            let pivot = (stage..SIZE).max_by(|first, second| size(first).total_cmp(&size(second)));
            self.matrix.swap(stage, pivot.unwrap_or(stage));
            self.right.swap(stage, pivot.unwrap_or(stage));
            for row in stage + 1..SIZE {
                let factor = self.matrix[row][stage] / self.matrix[stage][stage];
                for column in stage..SIZE {
                    self.matrix[row][column] -= factor * self.matrix[stage][column];
                }
                self.right[row] -= factor * self.right[stage];
            }
        }
        for stage in (0..SIZE).rev() {
            let known =
                (stage + 1..SIZE).map(|column| self.matrix[stage][column] * self.right[column]);
            self.right[stage] =
                (self.right[stage] - known.sum::<f64>()) / self.matrix[stage][stage];
        }
        let [x, y, z, roll, pitch, yaw] = self.right.map(|component| component as Real);
        [Vec3::new(x, y, z), Vec3::new(roll, pitch, yaw)]
    }
}

fn components(linear: Vec3, angular: Vec3) -> Momentum {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z].map(f64::from)
}
