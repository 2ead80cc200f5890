//! Obstacles that give way: crates, cars, whatever a wheel can push away.
//!
//! Their motion is one more unknown, which is eliminated before hub and body are solved. With the
//! obstacle's force `F_o` on the hub, its inverse mass `W` where it is touched, and a rubbing
//! impulse `p` on the hub. `P` and `Q` are how its force and that of all answer to its velocity:
//!
//! ```text
//! Δv = -W (dt F_o⁺ + p),   F_o⁺ = F_o - Qᵀ Δy + P Δv,   F⁺ = F - C Δy + Q Δv
//! Δv = -M (dt (F_o - Qᵀ Δy) + p),   M = W (1 + dt P W)⁻¹
//! F⁺ = F - dt Q M F_o - (C - dt Q M Qᵀ) Δy - Q M p
//! ```
//!
//! So a light crate is pushed no faster than the tire follows, and what it takes of the impulse is
//! what the vehicle loses: none of them gains energy.

use super::super::scalar::{Scalar, Vector3};

/// A matrix of three rows.
pub(crate) type Matrix3<S> = [Vector3<S>; 3];

/// Damping ratio of a tire on what gives way (dimensionless): it gives back a third of the speed
/// at which they meet, and does not launch a crate.
const DAMPING_RATIO: f64 = 0.35;

/// Response of what does not give way.
#[inline]
pub(crate) fn no_response<S: Scalar>() -> Matrix3<S> {
    [Vector3::zero(); 3]
}

/// How much more a tire of this `stiffness` (N/m) at a wheel of `mass` (kg) is damped by what
/// gives way by `response` along its push (1/kg) (N·s/m).
///
/// ```text
/// c = 2 ζ √(k / (w + 1/m)) w / (w + 1/m)
/// ```
pub(crate) fn added_damping<S: Scalar>(stiffness: S, mass: S, response: S) -> S {
    let both = response + S::of(1.0) / mass;
    S::of(2.0 * DAMPING_RATIO) * (stiffness / both).square_root() * response / both
}

#[inline]
pub(crate) fn product<S: Scalar>(matrix: &Matrix3<S>, vector: &Vector3<S>) -> Vector3<S> {
    let [x, y, z] = matrix;
    Vector3([x.dot(vector), y.dot(vector), z.dot(vector)])
}

/// Product with the transposed `matrix`.
#[inline]
pub(crate) fn product_transposed<S: Scalar>(
    matrix: &Matrix3<S>,
    vector: &Vector3<S>,
) -> Vector3<S> {
    let [x, y, z] = vector.0;
    matrix[0] * x + matrix[1] * y + matrix[2] * z
}

/// Adds `left rightᵀ`.
#[inline]
pub(crate) fn add_outer<S: Scalar>(matrix: &mut Matrix3<S>, left: &Vector3<S>, right: &Vector3<S>) {
    for (row, left) in matrix.iter_mut().zip(left.0) {
        *row = *row + *right * left;
    }
}

fn transposed<S: Scalar>(matrix: &Matrix3<S>) -> Matrix3<S> {
    [0, 1, 2].map(|column| Vector3(matrix.map(|row| row.0[column])))
}

fn times<S: Scalar>(left: &Matrix3<S>, right: &Matrix3<S>) -> Matrix3<S> {
    left.map(|row| product_transposed(right, &row))
}

/// The inverse of `matrix`; zero if it has none.
fn inverse<S: Scalar>(matrix: &Matrix3<S>) -> Matrix3<S> {
    let (zero, one) = (S::of(0.0), S::of(1.0));
    let [a, b, c] = *matrix;
    let columns = [b.cross(&c), c.cross(&a), a.cross(&b)];
    let determinant = a.dot(&columns[0]);
    let is_finite = (determinant * zero).is_less(one);
    let has_inverse = zero.differs(determinant) & is_finite;
    let scale = one / S::choose(has_inverse, determinant, one);
    transposed(&columns.map(|column| (column * scale).where_true(has_inverse)))
}

/// What the motion of an obstacle that gives way changes of a push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Yielding<S> {
    /// Force of the obstacle on the hub (N).
    force: Vector3<S>,
    /// `Q` and `P` (N·s/m).
    of_all: Matrix3<S>,
    of_obstacle: Matrix3<S>,
    /// How the loads of road and obstacle answer to the obstacle's velocity (N·s/m).
    by_speed: [Vector3<S>; 2],
    /// `M` (1/kg).
    mobility: Matrix3<S>,
    /// `dt Q M` (dimensionless).
    relief: Matrix3<S>,
}

impl<S: Scalar> Yielding<S> {
    /// Nothing.
    pub(super) fn none() -> Self {
        Self {
            force: Vector3::zero(),
            of_all: no_response(),
            of_obstacle: no_response(),
            by_speed: [Vector3::zero(); 2],
            mobility: no_response(),
            relief: no_response(),
        }
    }

    /// Adds the `force` of `row`, 0 for the road and 1 for the obstacle, along its normal of `rows`
    /// (N), which answers to the obstacle's velocity `by_speed` (N·s/m).
    pub(super) fn add(
        &mut self,
        rows: &[Vector3<S>; 2],
        row: usize,
        force: S,
        by_speed: &Vector3<S>,
    ) {
        add_outer(&mut self.of_all, &rows[row], by_speed);
        self.by_speed[row] = self.by_speed[row] + *by_speed;
        if row == 1 {
            self.force = self.force + rows[row] * force;
            add_outer(&mut self.of_obstacle, &rows[row], by_speed);
        }
    }

    /// Lets the obstacle give way by `response` (1/kg) in a step of `dt` (s). Takes from the
    /// `force` on the hub and from its own `response` what that takes of them.
    pub(super) fn give_way(
        &mut self,
        response: &Matrix3<S>,
        (force, hub_response): (&mut Vector3<S>, &mut Matrix3<S>),
        dt: S,
    ) {
        let mut resisting = times(&self.of_obstacle, response).map(|row| row * dt);
        for (axis, row) in resisting.iter_mut().enumerate() {
            row.0[axis] = row.0[axis] + S::of(1.0);
        }
        self.mobility = times(response, &inverse(&resisting));
        self.relief = times(&self.of_all, &self.mobility).map(|row| row * dt);
        *force = *force - product(&self.relief, &self.force);
        let softened = times(&self.relief, &transposed(&self.of_all));
        for (row, softer) in hub_response.iter_mut().zip(softened) {
            *row = *row - softer;
        }
    }

    /// Change of the obstacle's velocity in a step of `dt` (s) in which that of the hub changes by
    /// `change` (m/s) and an impulse rubs the hub (N·s).
    pub(super) fn change(&self, change: &Vector3<S>, rubbed: &Vector3<S>, dt: S) -> Vector3<S> {
        self.answer(change, &(*rubbed + self.force * dt), dt)
    }

    /// How that answers to more of both.
    pub(super) fn answer(&self, change: &Vector3<S>, rubbed: &Vector3<S>, dt: S) -> Vector3<S> {
        let force = product_transposed(&self.of_all, change);
        product(&self.mobility, &(*rubbed - force * dt)) * S::of(-1.0)
    }

    /// Impulse of the obstacle on the hub in that step, without what rubs (N·s).
    pub(super) fn impulse(&self, change: &Vector3<S>, given: &Vector3<S>, dt: S) -> Vector3<S> {
        let force = self.force - product_transposed(&self.of_all, change);
        (force + product(&self.of_obstacle, given)) * dt
    }

    /// Impulse on the hub per unit of friction that rubs it `along` a vector: the obstacle gives
    /// way to that friction, and presses the hub less.
    pub(super) fn of_rubbing(&self, along: &Vector3<S>) -> Vector3<S> {
        *along - product(&self.relief, along)
    }

    /// How the loads of road and obstacle change as the obstacle's velocity changes by `given`
    /// (m/s) (N).
    pub(super) fn loads(&self, given: &Vector3<S>) -> [S; 2] {
        self.by_speed.map(|by_speed| by_speed.dot(given))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = [[2.0, 0.5, -1.0], [0.3, 4.0, 0.2], [1.0, -0.7, 3.0]].map(Vector3);
        let one = times(&matrix, &inverse(&matrix));
        for (row, numbers) in one.iter().enumerate() {
            for (column, number) in numbers.0.into_iter().enumerate() {
                let expected = f64::from(u8::from(row == column));
                assert!((number - expected).abs() < 1e-14, "{one:?}");
            }
        }
    }
}
