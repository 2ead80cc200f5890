//! Motions and loads of the body as six numbers, and the symmetric system that they solve.

use std::ops::{Add, Mul};

use super::scalar::{Scalar, Vector3};
use crate::math::lanes::each_lane;

/// A linear part and an angular one: a velocity with an angular velocity, a force with a torque, or
/// the direction in which either acts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spatial<S> {
    /// Velocity (m/s), force (N) or direction.
    pub linear: Vector3<S>,
    /// Angular velocity (rad/s), torque (N·m) or moment of the direction (m).
    pub angular: Vector3<S>,
}

impl<S: Scalar> Spatial<S> {
    /// Zero.
    #[inline]
    pub fn zero() -> Self {
        Self { linear: Vector3::zero(), angular: Vector3::zero() }
    }

    /// `direction` at the end of `arm`, with its moment.
    #[inline]
    pub fn at(arm: &Vector3<S>, direction: &Vector3<S>) -> Self {
        Self { linear: *direction, angular: arm.cross(direction) }
    }

    /// `spatial` in every lane.
    #[inline]
    pub fn splat(spatial: &Spatial<S::Single>) -> Self {
        let Spatial { linear, angular } = spatial;
        Self { linear: Vector3::splat(linear), angular: Vector3::splat(angular) }
    }

    /// Sum of the products of the six numbers.
    #[inline]
    pub fn dot(&self, other: &Self) -> S {
        self.linear.dot(&other.linear) + self.angular.dot(&other.angular)
    }

    /// This one where `mask` is true, zero elsewhere.
    #[inline]
    pub fn where_true(&self, mask: S::Mask) -> Self {
        Self { linear: self.linear.where_true(mask), angular: self.angular.where_true(mask) }
    }

    /// The six numbers, the linear part first.
    #[inline]
    pub fn to_array(&self) -> [S; 6] {
        let ([x, y, z], [a, b, c]) = (self.linear.0, self.angular.0);
        [x, y, z, a, b, c]
    }

    /// The sum over all lanes.
    #[inline]
    pub fn sum(&self) -> Spatial<S::Single> {
        let [x, y, z, a, b, c] = self.to_array();
        let ([x, y, z, a], [b, c, ..]) = (S::sums([x, y, z, a]), S::sums([b, c, c, c]));
        Spatial::from_array([x, y, z, a, b, c])
    }

    /// The six numbers, the linear part first.
    #[inline]
    pub fn from_array([x, y, z, a, b, c]: [S; 6]) -> Self {
        Self { linear: Vector3([x, y, z]), angular: Vector3([a, b, c]) }
    }
}

impl<S: Scalar> Add for Spatial<S> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { linear: self.linear + other.linear, angular: self.angular + other.angular }
    }
}

impl<S: Scalar> Mul<S> for Spatial<S> {
    type Output = Self;

    #[inline]
    fn mul(self, factor: S) -> Self {
        Self { linear: self.linear * factor, angular: self.angular * factor }
    }
}

/// Mass of a body in the axes of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMass<T> {
    /// Mass (kg).
    pub mass: T,
    /// Inertia about the center of mass (kg·m²), row by row.
    pub inertia: [Vector3<T>; 3],
    /// Inverse of the inertia (1/(kg·m²)), row by row.
    pub inverse_inertia: [Vector3<T>; 3],
}

impl<T: Scalar<Single = T, Mask = bool>> BodyMass<T> {
    /// A body of principal moments of `inertia` (kg·m²) about `axes`, given in the world.
    ///
    /// ```text
    /// I = Σ I_k a_k a_kᵀ,   I⁻¹ = Σ a_k a_kᵀ / I_k
    /// ```
    #[inline]
    pub fn new(mass: T, inertia: &Vector3<T>, axes: &[Vector3<T>; 3]) -> Self {
        let sum = |weights: [T; 3]| {
            let weighted = [0, 1, 2].map(|axis| axes[axis] * weights[axis]);
            let entry = |row: usize, column: usize| {
                let part = |axis: usize| weighted[axis].0[row] * axes[axis].0[column];
                part(0) + part(1) + part(2)
            };
            let (yx, zx, zy) = (entry(1, 0), entry(2, 0), entry(2, 1));
            [[entry(0, 0), yx, zx], [yx, entry(1, 1), zy], [zx, zy, entry(2, 2)]].map(Vector3)
        };
        let (one, [x, y, z]) = (T::of(1.0), inertia.0);
        Self { mass, inertia: sum(inertia.0), inverse_inertia: sum([one / x, one / y, one / z]) }
    }

    /// The change of motion that an impulse gives (m/s, rad/s).
    #[inline]
    pub fn accelerated(&self, impulse: &Spatial<T>) -> Spatial<T> {
        let [x, y, z] = &self.inverse_inertia;
        let torque = &impulse.angular;
        Spatial {
            linear: impulse.linear * (T::of(1.0) / self.mass),
            angular: Vector3([x.dot(torque), y.dot(torque), z.dot(torque)]),
        }
    }

    /// How fast the point and direction of `line` become under an impulse along it (1/kg).
    ///
    /// ```text
    /// Jᵀ Mass⁻¹ J
    /// ```
    #[inline]
    pub fn inverse_mass_along<S: Scalar<Single = T>>(&self, line: &Spatial<S>) -> S {
        let turned = |row: usize| Vector3::splat(&self.inverse_inertia[row]).dot(&line.angular);
        let turned = Vector3([turned(0), turned(1), turned(2)]);
        line.linear.dot(&line.linear) * S::splat(T::of(1.0) / self.mass) + line.angular.dot(&turned)
    }
}

/// Number of entries on and below the diagonal of a matrix of six rows.
const TRIANGLE: usize = 21;

/// A symmetric matrix of six rows: the entries on and below its diagonal, row by row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Symmetric6<S>([S; TRIANGLE]);

/// Row and column of each entry.
const PLACES: [[usize; 2]; TRIANGLE] = {
    let (mut places, mut row) = ([[0; 2]; TRIANGLE], 0);
    while row < 6 {
        let mut column = 0;
        while column <= row {
            places[entry(row, column)] = [row, column];
            column += 1;
        }
        row += 1;
    }
    places
};

/// The place of an entry on or below the diagonal.
#[inline]
const fn entry(row: usize, column: usize) -> usize {
    row * (row + 1) / 2 + column
}

impl<T: Scalar<Single = T, Mask = bool>> Symmetric6<T> {
    /// The mass of a body.
    #[inline]
    pub fn of_mass(body: &BodyMass<T>) -> Self {
        let mut mass = Self([T::of(0.0); TRIANGLE]);
        for row in 0..3 {
            mass.0[entry(row, row)] = body.mass;
            for column in 0..=row {
                mass.0[entry(row + 3, column + 3)] = body.inertia[row].0[column];
            }
        }
        mass
    }

    /// Adds `left rightᵀ`, summed over all lanes, of which only the lower half is kept: a sum of
    /// such products must be symmetric as a whole.
    #[inline]
    pub fn add_product<S: Scalar<Single = T>>(&mut self, left: &Spatial<S>, right: &Spatial<S>) {
        let (left, right) = (left.to_array(), right.to_array());
        self.add_sums(|row, column| left[row] * right[column]);
    }

    /// Adds to every entry what `part` says of its row and column, summed over all lanes.
    #[inline]
    pub(super) fn add_sums<S: Scalar<Single = T>>(&mut self, part: impl Fn(usize, usize) -> S) {
        self.add_four_sums::<0, S>(&part);
        self.add_four_sums::<4, S>(&part);
        self.add_four_sums::<8, S>(&part);
        self.add_four_sums::<12, S>(&part);
        self.add_four_sums::<16, S>(&part);
        self.add_four_sums::<20, S>(&part);
    }

    /// The first entry is a number of the function, so that the compiler knows every place.
    #[inline(always)]
    fn add_four_sums<const FIRST: usize, S: Scalar<Single = T>>(
        &mut self,
        part: &impl Fn(usize, usize) -> S,
    ) {
        let sums = S::sums(each_lane(|lane| {
            let [row, column] = PLACES[(FIRST + lane).min(TRIANGLE - 1)];
            part(row, column)
        }));
        for (entry, sum) in self.0[FIRST..].iter_mut().zip(sums) {
            *entry = *entry + sum;
        }
    }

    /// The smallest pivot of the matrix, each as a part of the magnitude of its diagonal entry:
    /// positive exactly if the matrix is positive definite.
    pub fn smallest_pivot(&self) -> T {
        let Factors { inverse_pivots, .. } = self.factors();
        (0..6).fold(T::of(1.0), |least, row| {
            let diagonal = self.0[entry(row, row)];
            let pivot = T::of(1.0) / (inverse_pivots[row] * diagonal.larger(-diagonal));
            T::choose(pivot.is_less(least), pivot, least)
        })
    }

    /// Factors of the matrix; a division costs what many products do.
    #[inline]
    pub(super) fn factors(&self) -> Factors<T> {
        let mut factors = Factors { lower: self.0, inverse_pivots: [T::of(0.0); 6] };
        factors.find_row::<0>();
        factors.find_row::<1>();
        factors.find_row::<2>();
        factors.find_row::<3>();
        factors.find_row::<4>();
        factors.find_row::<5>();
        factors
    }

    /// The solution `x` of `A x = load`, for a positive definite `A`.
    #[inline]
    pub fn solve(&self, load: &Spatial<T>) -> Spatial<T> {
        self.factors().solve(load)
    }
}

/// `L` below its diagonal of ones, and `D⁻¹`, of `L D Lᵀ`.
pub(super) struct Factors<T> {
    lower: [T; TRIANGLE],
    inverse_pivots: [T; 6],
}

impl<T: Scalar<Single = T, Mask = bool>> Factors<T> {
    #[inline(always)]
    fn find_row<const ROW: usize>(&mut self) {
        let Self { lower, inverse_pivots } = self;
        for column in 0..ROW {
            let mut sum = lower[entry(ROW, column)];
            for inner in 0..column {
                sum = sum - lower[entry(ROW, inner)] * lower[entry(column, inner)];
            }
            // L D, until the row is done.
            lower[entry(ROW, column)] = sum;
        }
        let mut pivot = lower[entry(ROW, ROW)];
        for column in 0..ROW {
            let scaled = lower[entry(ROW, column)];
            let factor = scaled * inverse_pivots[column];
            pivot = pivot - scaled * factor;
            lower[entry(ROW, column)] = factor;
        }
        inverse_pivots[ROW] = T::of(1.0) / pivot;
    }

    /// The solution `x` of `L D Lᵀ x = load`.
    #[inline]
    pub(super) fn solve(&self, load: &Spatial<T>) -> Spatial<T> {
        let mut solution = load.to_array();
        self.eliminate::<1>(&mut solution);
        self.eliminate::<2>(&mut solution);
        self.eliminate::<3>(&mut solution);
        self.eliminate::<4>(&mut solution);
        self.eliminate::<5>(&mut solution);
        self.substitute::<5>(&mut solution);
        self.substitute::<4>(&mut solution);
        self.substitute::<3>(&mut solution);
        self.substitute::<2>(&mut solution);
        self.substitute::<1>(&mut solution);
        self.substitute::<0>(&mut solution);
        Spatial::from_array(solution)
    }

    /// Row of `L x = load`, down from the first.
    #[inline(always)]
    fn eliminate<const ROW: usize>(&self, solution: &mut [T; 6]) {
        for column in 0..ROW {
            solution[ROW] = solution[ROW] - self.lower[entry(ROW, column)] * solution[column];
        }
    }

    /// Row of `D Lᵀ x = load`, up from the last.
    #[inline(always)]
    fn substitute<const ROW: usize>(&self, solution: &mut [T; 6]) {
        solution[ROW] = solution[ROW] * self.inverse_pivots[ROW];
        for below in ROW + 1..6 {
            solution[ROW] = solution[ROW] - self.lower[entry(below, ROW)] * solution[below];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_of_six_is_solved() {
        let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]].map(Vector3);
        let body = BodyMass::new(2.0, &Vector3([1.0, 2.0, 4.0]), &axes);
        let mut matrix = Symmetric6::of_mass(&body);
        let line = Spatial::from_array([1.0_f64, -2.0, 3.0, 0.5, 0.25, -1.0]);
        matrix.add_product(&line, &line);
        let expected = Spatial::from_array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        // Mass x + l (l·x)
        let turned = Vector3([0, 1, 2].map(|row| body.inertia[row].dot(&expected.angular)));
        let mass_part = Spatial { linear: expected.linear * 2.0, angular: turned };
        let found = matrix.solve(&(mass_part + line * line.dot(&expected)));
        for (found, expected) in found.to_array().iter().zip(expected.to_array()) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert!(0.0 < matrix.smallest_pivot());
        matrix.add_product(&line, &(line * -2.0));
        assert!(matrix.smallest_pivot() < 0.0);
        let minus = matrix.0.map(|entry| -entry);
        assert!(Symmetric6(minus).smallest_pivot() < 0.0);
    }

    #[test]
    fn an_impulse_moves_its_own_point_by_the_inverse_mass() {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vector3);
        let body = BodyMass::new(2.0_f64, &Vector3([1.0, 2.0, 4.0]), &axes);
        let line = Spatial::at(&Vector3([0.0, 3.0, 0.0]), &Vector3([0.0, 0.0, 1.0]));
        // 1/2 + 3²/1
        assert_eq!(body.inverse_mass_along(&line), 9.5);
        assert_eq!(line.dot(&body.accelerated(&line)), 9.5);
    }
}
