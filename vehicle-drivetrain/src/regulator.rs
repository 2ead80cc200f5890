//! Optimal regulators of linear systems with four states and one input.

use vehicle_core::math::{DMat4, DVec4};

/// Doublings after which the Riccati equation is solved, whatever the speed: `2^16` steps.
const DOUBLINGS: usize = 16;
/// Halvings of a step that make it so short that the series of its matrix ends soon, and terms of
/// that.
const HALVINGS: i32 = 8;
const TERMS: u32 = 10;

/// The gains `K` of `u = -K x` for `x' = a x + b u` from one step to the next that make
///
/// ```text
/// Σ xᵀ Q x + (u/u_usual)²
/// ```
///
/// least over all steps to come, with the diagonal `weights` of `Q`. With `P` of the algebraic
/// Riccati equation,
///
/// ```text
/// P = Q + Aᵀ P (1 + G P)⁻¹ A,   G = B Bᵀ / R,   K = Bᵀ P A / (R + Bᵀ P B)
/// ```
///
/// which is solved by doubling.
///
/// Source: B. D. O. Anderson and J. B. Moore, "Optimal Control: Linear Quadratic Methods" (1990).
pub(crate) fn optimal_gains(a: DMat4, b: DVec4, weights: [f64; 4], usual: f64) -> [f64; 4] {
    let [mut phi, mut grown] = [a, outer(b, b) * (usual * usual)];
    let mut cost = DMat4::from_diagonal(DVec4::from_array(weights));
    for _ in 0..DOUBLINGS {
        let inverse = (DMat4::IDENTITY + grown * cost).inverse();
        let next = phi * inverse;
        grown += next * grown * phi.transpose();
        cost += phi.transpose() * cost * inverse * phi;
        phi = next * phi;
    }
    let pushed = cost * b;
    let divisor = (usual * usual).recip() + b.dot(pushed);
    (a.transpose() * pushed / divisor).to_array()
}

fn outer(column: DVec4, row: DVec4) -> DMat4 {
    let [x, y, z, w] = row.to_array();
    DMat4::from_cols(column * x, column * y, column * z, column * w)
}

/// The system `x' = A x + B u` from one step of `dt` (s) to the next, with `u` held: `exp(A dt)`
/// and its integral on `B`.
pub(crate) fn held((a, b): &(DMat4, DVec4), dt: f64) -> (DMat4, DVec4) {
    let step = dt / f64::powi(2.0, HALVINGS);
    let mut term = DMat4::IDENTITY * step;
    let mut integral = term;
    for order in 2..TERMS {
        term = term * *a * (step / f64::from(order));
        integral += term;
    }
    for _ in 0..HALVINGS {
        integral += (DMat4::IDENTITY + *a * integral) * integral;
    }
    (DMat4::IDENTITY + *a * integral, integral * *b)
}
