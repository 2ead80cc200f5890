//! Six equations for the momentum that rows give to a body.

use wide::f64x4;

use super::body_velocity::BodyVelocity;
use super::bounds::{Answer, WideTerms};
use super::momentum::{Momentum, SIZE, dot};

/// The sum of the lanes.
#[inline]
fn sum(lanes: f64x4) -> f64 {
    let [a, b, c, d] = lanes.to_array();
    (a + c) + (b + d)
}

/// Change of a body's velocity per momentum: its inverse mass and inertia.
#[derive(Clone, Copy)]
pub(super) struct Mobility([Momentum; SIZE]);

impl Mobility {
    pub(super) fn new(body: &BodyVelocity) -> Self {
        let mass = f64::from(body.inverse_mass);
        let inertia = body.inverse_inertia.to_cols_array_2d().map(|column| column.map(f64::from));
        let [[xx, xy, xz], [_, yy, yz], [.., zz]] = inertia;
        Self([
            [mass, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, mass, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, mass, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, xx, xy, xz],
            [0.0, 0.0, 0.0, xy, yy, yz],
            [0.0, 0.0, 0.0, xz, yz, zz],
        ])
    }

    /// Velocity that `momentum` gives.
    #[inline]
    pub(super) fn velocity(&self, momentum: &Momentum) -> Momentum {
        let [a, b, c, d, e, f] = &self.0;
        let of = |row| dot(row, momentum);
        [of(a), of(b), of(c), of(d), of(e), of(f)]
    }
}

/// The equations `A Δ = -g` for the next step `Δ` of Newton's method, with `A` symmetric and
/// positive; its upper triangle is not read.
///
/// ```text
/// A = M⁻¹ + Σ a aᵀ Π' / γ,   g = M⁻¹ p - Σ a λ,   a = M⁻¹ Jᵀ
/// ```
pub(super) struct MomentumSystem {
    matrix: [Momentum; SIZE],
    /// The slope g of what is to become smallest.
    pub(super) slope: Momentum,
}

impl MomentumSystem {
    /// The equations where the body has got the `velocity` M⁻¹ p (m/s, rad/s), of `rows` with what
    /// each four of them answers.
    #[inline(always)]
    pub(super) fn new(
        mobility: &Mobility,
        velocity: &Momentum,
        rows: &[(&WideTerms, Answer)],
    ) -> Self {
        let mut system = Self { matrix: mobility.0, slope: *velocity };
        // Component by component: the sums over the fours stay in registers.
        for component in 0..SIZE {
            let (mut gain, mut elements) = (f64x4::ZERO, [f64x4::ZERO; SIZE]);
            for (four, answer) in rows {
                four.add_to(component, answer, &mut gain, &mut elements);
            }
            system.slope[component] -= sum(gain);
            let known = &mut system.matrix[component][..=component];
            for (element, added) in known.iter_mut().zip(elements) {
                *element += sum(added);
            }
        }
        system
    }

    /// How fast the slope along `step` grows on the way, Δᵀ A Δ.
    pub(super) fn curvature(&self, step: &Momentum) -> f64 {
        let row = |row: usize| {
            let beside: f64 = (0..row).map(|column| self.matrix[row][column] * step[column]).sum();
            step[row] * (2.0 * beside + self.matrix[row][row] * step[row])
        };
        (0..SIZE).map(row).sum()
    }

    /// The next step, by elimination; a symmetric and positive matrix needs no pivots.
    #[inline]
    pub(super) fn step(mut self) -> Momentum {
        let [a, b, c, d, e, f] = self.slope;
        let mut right = [-a, -b, -c, -d, -e, -f];
        let mut inverse = [0.0; SIZE];
        for (stage, inverse) in inverse.iter_mut().enumerate() {
            *inverse = 1.0 / self.matrix[stage][stage];
            for row in stage + 1..SIZE {
                let factor = self.matrix[row][stage] * *inverse;
                for column in stage + 1..=row {
                    self.matrix[row][column] -= factor * self.matrix[column][stage];
                }
                right[row] -= factor * right[stage];
            }
        }
        for stage in (0..SIZE).rev() {
            for row in stage + 1..SIZE {
                right[stage] -= self.matrix[row][stage] * right[row];
            }
            right[stage] *= inverse[stage];
        }
        right
    }
}
