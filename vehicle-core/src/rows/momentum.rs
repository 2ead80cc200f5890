//! Six equations for the momentum that rows give to a body.

use super::bounds::{WheelAnswer, WheelTerms};
use super::solver::BodyVelocity;

/// Components of a momentum: three of the motion (N·s), three of the rotation (N·m·s).
const SIZE: usize = 6;

pub(super) type Momentum = [f64; SIZE];

/// Sum of the products of the components.
#[inline]
pub(super) fn dot(first: &Momentum, second: &Momentum) -> f64 {
    first.iter().zip(second).map(|(first, second)| first * second).sum()
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
        self.0.map(|row| dot(&row, momentum))
    }
}

/// The equations `A Δ = -g` for the next step `Δ` of Newton's method, with `A` symmetric and positive;
/// its upper triangle is not read.
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
    /// Without rows, at `momentum`.
    pub(super) fn new(mobility: &Mobility, momentum: &Momentum) -> Self {
        Self { matrix: mobility.0, slope: mobility.velocity(momentum) }
    }

    /// Adds the rows of a wheel, which answer `answer`.
    pub(super) fn add(&mut self, wheel: &WheelTerms, answer: &WheelAnswer) {
        let [along, across, stop] = &wheel.terms;
        for (term, impulse) in wheel.terms.iter().zip(answer.impulses) {
            let Some(term) = term else { continue };
            for (slope, answer) in self.slope.iter_mut().zip(&term.answer) {
                *slope -= answer * impulse;
            }
        }
        for (term, moves) in [(along, answer.tire[0][0]), (across, answer.tire[1][1])]
            .into_iter()
            .chain([(stop, answer.stop)])
        {
            if let Some(term) = term
                && moves != 0.0
            {
                self.add_product(&term.answer, &term.answer, moves / term.softness());
            }
        }
        if let (Some(along), Some(across)) = (along, across)
            && answer.tire[0][1] != 0.0
        {
            let weight = answer.tire[0][1] / along.softness();
            self.add_product(&along.answer, &across.answer, weight);
            self.add_product(&across.answer, &along.answer, weight);
        }
    }

    fn add_product(&mut self, first: &Momentum, second: &Momentum, weight: f64) {
        for (row, first) in first.iter().enumerate() {
            let weighted = first * weight;
            for (element, second) in self.matrix[row].iter_mut().zip(&second[..=row]) {
                *element += weighted * second;
            }
        }
    }

    /// The next step, by elimination; a symmetric and positive matrix needs no pivots.
    pub(super) fn step(mut self) -> Momentum {
        let mut right = self.slope.map(|slope| -slope);
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
