//! Six equations for the momentum that soft rows give to a body.

use super::row::ConstraintRow;
use super::solver::BodyVelocity;
use crate::math::{Real, Vec3};

/// Components of a momentum: three of the motion, three of the rotation.
const SIZE: usize = 6;

type Momentum = [f64; SIZE];

/// The equations `A p = q`, `A` symmetric and positive; its upper triangle is not read.
pub(super) struct MomentumSystem {
    matrix: [Momentum; SIZE],
    right: Momentum,
}

impl MomentumSystem {
    /// Without rows: no momentum.
    ///
    /// ```text
    /// A = M⁻¹,   q = 0
    /// ```
    pub(super) fn new(body: &BodyVelocity) -> Self {
        let mass = f64::from(body.inverse_mass);
        let inertia = body.inverse_inertia.to_cols_array_2d().map(|column| column.map(f64::from));
        let [[xx, xy, xz], [_, yy, yz], [.., zz]] = inertia;
        let matrix = [
            [mass, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, mass, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, mass, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, xx, xy, xz],
            [0.0, 0.0, 0.0, xy, yy, yz],
            [0.0, 0.0, 0.0, xz, yz, zz],
        ];
        Self { matrix, right: [0.0; SIZE] }
    }

    /// Adds a row that acts on `body`.
    ///
    /// ```text
    /// A += a aᵀ / γ,   q += a (target - j·v) / γ,   a = M⁻¹ j,   γ = softness j·a
    /// ```
    pub(super) fn add(&mut self, row: &ConstraintRow, body: &BodyVelocity) {
        if row.softness.is_infinite() {
            return;
        }
        let along = components(row.linear, row.angular);
        let turned = body.inverse_inertia * row.angular;
        let answer = components(row.linear * body.inverse_mass, turned);
        let response: f64 = along.iter().zip(&answer).map(|(along, answer)| along * answer).sum();
        let weight = 1.0 / (response * f64::from(row.softness));
        let error = f64::from(row.target_speed - row.speed(body.linear, body.angular));
        for (row, size) in answer.into_iter().enumerate() {
            let weighted = size * weight;
            self.right[row] += weighted * error;
            for (element, answer) in self.matrix[row].iter_mut().zip(&answer[..=row]) {
                *element += weighted * answer;
            }
        }
    }

    /// The momentum, linear (N·s) and angular (N·m·s), by elimination; a symmetric and positive
    /// matrix needs no pivots.
    pub(super) fn solve(mut self) -> [Vec3; 2] {
        let mut inverse = [0.0; SIZE];
        for (stage, inverse) in inverse.iter_mut().enumerate() {
            *inverse = 1.0 / self.matrix[stage][stage];
            for row in stage + 1..SIZE {
                let factor = self.matrix[row][stage] * *inverse;
                for column in stage + 1..=row {
                    self.matrix[row][column] -= factor * self.matrix[column][stage];
                }
                self.right[row] -= factor * self.right[stage];
            }
        }
        for stage in (0..SIZE).rev() {
            for row in stage + 1..SIZE {
                self.right[stage] -= self.matrix[row][stage] * self.right[row];
            }
            self.right[stage] *= inverse[stage];
        }
        let [x, y, z, roll, pitch, yaw] = self.right.map(|component| component as Real);
        [Vec3::new(x, y, z), Vec3::new(roll, pitch, yaw)]
    }
}

fn components(linear: Vec3, angular: Vec3) -> Momentum {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z].map(f64::from)
}
