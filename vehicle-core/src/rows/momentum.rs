//! Six equations for the momentum that rows give to a body.

use wide::f64x4;

use super::bounds::{Answer, FourTerms};
use super::solver::BodyVelocity;
use crate::math::Real;
use crate::math::lanes::Real4;

/// Components of a momentum: three of the motion (N·s), three of the rotation (N·m·s).
const SIZE: usize = 6;

pub(super) type Momentum = [f64; SIZE];

/// Sum of the products of the components.
#[inline]
pub(super) fn dot(first: &Momentum, second: &Momentum) -> f64 {
    first.iter().zip(second).map(|(first, second)| first * second).sum()
}

/// The same numbers with more digits.
#[inline]
pub(super) fn doubles(numbers: Real4) -> f64x4 {
    // Written out: `array::map` is not always inlined.
    let [a, b, c, d] = numbers.to_array();
    f64x4::new([a.into(), b.into(), c.into(), d.into()])
}

/// The same numbers, rounded to fewer digits.
#[inline]
pub(super) fn singles(numbers: f64x4) -> Real4 {
    let [a, b, c, d] = numbers.to_array();
    Real4::new([a as Real, b as Real, c as Real, d as Real])
}

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

/// What rows add to the equations, in each lane for its wheel.
pub(super) struct RowSums {
    /// Σ a aᵀ Π' / γ; the upper triangle is not used.
    matrix: [[f64x4; SIZE]; SIZE],
    /// Σ a λ
    velocity: [f64x4; SIZE],
}

impl RowSums {
    /// Without rows.
    pub(super) fn new() -> Self {
        Self { matrix: [[f64x4::ZERO; SIZE]; SIZE], velocity: [f64x4::ZERO; SIZE] }
    }

    /// Adds the rows of four wheels, which answer `answer`.
    pub(super) fn add(&mut self, wheels: &FourTerms, answer: &Answer) {
        let [along, across] = &wheels.tires;
        let [of_along, of_across] =
            [0, 1].map(|axis| answer.tire[axis] * wheels.tires[axis].stiffness);
        let crossed = answer.crossed * along.stiffness;
        for row in 0..SIZE {
            let (a, b) = (along.answer[row], across.answer[row]);
            self.velocity[row] += a * answer.impulses[0] + b * answer.impulses[1];
            let (c, d) = (a * of_along + b * crossed, a * crossed + b * of_across);
            for (column, element) in self.matrix[row][..=row].iter_mut().enumerate() {
                *element += c * along.answer[column] + d * across.answer[column];
            }
        }
        let Some(stops) = &wheels.stops else { return };
        let of_stop = answer.stop * stops.stiffness;
        for row in 0..SIZE {
            let a = stops.answer[row];
            self.velocity[row] += a * answer.impulses[2];
            let weighted = a * of_stop;
            for (column, element) in self.matrix[row][..=row].iter_mut().enumerate() {
                *element += weighted * stops.answer[column];
            }
        }
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
    /// The equations at `momentum`, of rows that give `sums`.
    pub(super) fn new(mobility: &Mobility, momentum: &Momentum, sums: &RowSums) -> Self {
        let mut system = Self { matrix: mobility.0, slope: mobility.velocity(momentum) };
        for row in 0..SIZE {
            system.slope[row] -= sum(sums.velocity[row]);
            for column in 0..=row {
                system.matrix[row][column] += sum(sums.matrix[row][column]);
            }
        }
        system
    }

    /// The next step, by elimination; a symmetric and positive matrix needs no pivots.
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
