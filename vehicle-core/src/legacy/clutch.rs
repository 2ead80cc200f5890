//! The reference's system, explicit in the torques of tires and brakes, and its solvers.
//!
//! With `h = dt/I` the speeds `x = (ω_1 … ω_N, ω_E)` at the end of the step solve
//!
//! ```text
//! M = D + u vᵀ,   M x = b
//! D = 1 + h c,   b = ω + h T
//! u = K G h r of a wheel, -K h of the engine
//! v = G α g of a wheel, -1 of the engine
//! ```
//!
//! Brakes act against the speed at the start of the step, and hold a wheel that they would turn
//! around. Recorded data need this; [`implicit_clutch::solve`](crate::implicit_clutch::solve) is
//! what vehicles drive with.
//!
//! Wheels that turn as one are joined by least squares, which loses momentum.

use serde::{Deserialize, Serialize};

pub use super::dense::gauss_seidel;
use super::dense::{DenseSystem, Unknowns};
use crate::error::ParamCheck;
use crate::implicit_clutch::{ClutchSolution, ClutchSystem, ClutchWheel};
use crate::math::{Real, sign};
use crate::wheel_list::MAX_WHEELS;
use crate::wheel_rotation::CoupledWheel;

/// How the system without constraints of wheels is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ExplicitSolver {
    /// Exactly; see [`solve`].
    #[default]
    Exact,
    /// By elimination in 32 bits; see [`eliminate`].
    Elimination,
    /// As an estimate by at most so many sweeps; see [`estimate`].
    Estimate(u32),
}

impl ExplicitSolver {
    /// Checks the number of sweeps.
    pub fn check(&self, check: &mut ParamCheck) {
        if let Self::Estimate(sweeps) = *self {
            check.require("estimate", 0 < sweeps, "at least 1", sweeps);
        }
    }

    /// Solves `system` for the end of a step of `dt` (s); wheels that turn together in the sense of
    /// least squares.
    pub fn solve(self, system: &ClutchSystem, dt: Real) -> ClutchSolution {
        if system.wheels.iter().any(|wheel| wheel.constraint.is_some()) {
            return solve_least_squares(system, dt);
        }
        match self {
            Self::Exact => solve(system, dt),
            Self::Elimination => eliminate(system, dt),
            Self::Estimate(sweeps) => estimate(system, sweeps, dt),
        }
    }
}

/// The system `(D + u vᵀ) x = b`, its engine last.
struct RankOneSystem {
    diagonal: Unknowns<f64>,
    columns: Unknowns<f64>,
    rows: Unknowns<f64>,
    right: Unknowns<f64>,
}

impl RankOneSystem {
    fn new(system: &ClutchSystem, dt: Real) -> Self {
        let (strength, gear_ratio, dt) =
            (f64::from(system.strength), f64::from(system.gear_ratio), f64::from(dt));
        let mut unknowns = Self {
            diagonal: Unknowns::new(),
            columns: Unknowns::new(),
            rows: Unknowns::new(),
            right: Unknowns::new(),
        };
        for wheel in &system.wheels {
            let per_torque = dt / f64::from(wheel.inertia);
            let ratio = gear_ratio * f64::from(wheel.torque_ratio);
            unknowns.diagonal.push(1.0 + per_torque * f64::from(wheel.damping_rate));
            unknowns.columns.push(strength * per_torque * ratio);
            unknowns.rows.push(gear_ratio * f64::from(wheel.signed_speed_ratio()));
            let torque = f64::from(explicit_torque(wheel));
            unknowns.right.push(f64::from(wheel.rotation_speed) + per_torque * torque);
        }
        let engine = &system.engine;
        let per_torque = dt / f64::from(engine.inertia);
        unknowns.diagonal.push(1.0 + per_torque * f64::from(engine.damping_rate));
        unknowns.columns.push(-strength * per_torque);
        unknowns.rows.push(-1.0);
        let gained = per_torque * f64::from(engine.torque);
        unknowns.right.push(f64::from(engine.rotation_speed) + gained);
        unknowns
    }

    /// ```text
    /// x = y - z (vᵀy) / (1 + vᵀz),   y = D⁻¹ b,   z = D⁻¹ u
    /// ```
    fn solve(&self) -> Unknowns<f64> {
        let divide = |values: &[f64]| -> Unknowns<f64> {
            values.iter().zip(&self.diagonal).map(|(value, diagonal)| value / diagonal).collect()
        };
        let (free, response) = (divide(&self.right), divide(&self.columns));
        let share = dot(&self.rows, &free) / (1.0 + dot(&self.rows, &response));
        free.iter().zip(&response).map(|(free, response)| free - response * share).collect()
    }

    /// The elements of `D + u vᵀ` and of `b`, rounded as the reference has them.
    fn dense(&self) -> DenseSystem {
        let element = |row: usize, column: usize| {
            let coupled = self.columns[row] * self.rows[column];
            (if row == column { self.diagonal[row] + coupled } else { coupled }) as Real
        };
        DenseSystem::new(self.right.len(), element, |row| self.right[row] as Real)
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).fold(0.0, |sum, (left, right)| sum + left * right)
}

/// Torque on a wheel but that of the clutch, with the brake against its rotation (N·m).
fn explicit_torque(wheel: &ClutchWheel) -> Real {
    -sign(wheel.rotation_speed) * wheel.torques.brake + wheel.torques.drive + wheel.tire.torque
}

/// Solves the plain system exactly, in time proportional to the number of wheels; constraints of
/// wheels are not looked at.
pub fn solve(system: &ClutchSystem, dt: Real) -> ClutchSolution {
    let speeds = RankOneSystem::new(system, dt).solve();
    finish(system, speeds.iter().map(|&speed| speed as Real))
}

/// Solves the plain system by elimination in 32 bits.
///
/// The reference does, and its rounding is part of recorded drives. The matrix changes only with
/// the gear, so that an error of it is the same in every step, and adds up. [`solve`] is exact.
pub fn eliminate(system: &ClutchSystem, dt: Real) -> ClutchSolution {
    finish(system, RankOneSystem::new(system, dt).dense().eliminated().into_iter())
}

/// Solves the system with constraints of wheels, `x = S y`, in the sense of least squares:
///
/// ```text
/// (AᵀA) y = Aᵀb,   A = M S = D S + u wᵀ,   w = Sᵀv
/// AᵀA = Λ + a wᵀ + w aᵀ + (uᵀu) w wᵀ,   Λ = (D S)ᵀ D S,   a = (D S)ᵀ u
/// ```
///
/// The matrix is diagonal but for rank two, so that the cost is proportional to the number of
/// wheels. Wheels of one group lose or gain momentum in this: only the reference's data need it.
pub fn solve_least_squares(system: &ClutchSystem, dt: Real) -> ClutchSolution {
    let plain = RankOneSystem::new(system, dt);
    let shafts = Shafts::new(system);
    let gather = |values: &dyn Fn(usize) -> f64| shafts.gather(values);
    let scaled = |row: usize| shafts.multipliers[row] * plain.diagonal[row];
    let square = gather(&|row| scaled(row) * scaled(row));
    let across = gather(&|row| scaled(row) * plain.columns[row]);
    let along = gather(&|row| shafts.multipliers[row] * plain.rows[row]);
    let (columns, right) = (&plain.columns, &plain.right);
    let projected = dot(columns, right);
    let of_right = gather(&|row| scaled(row) * right[row]);
    let sides: Unknowns<f64> =
        of_right.iter().zip(&along).map(|(side, along)| side + along * projected).collect();
    let solved = solve_rank_two(&square, &across, &along, dot(columns, columns), &sides);
    let speed = |row: usize| shafts.multipliers[row] * solved[shafts.of_row[row]];
    finish(system, (0..plain.right.len()).map(|row| speed(row) as Real))
}

/// Solves `(Λ + a wᵀ + w aᵀ + μ w wᵀ) y = r` by the formula of Woodbury.
fn solve_rank_two(
    diagonal: &[f64],
    across: &[f64],
    along: &[f64],
    weight: f64,
    right: &[f64],
) -> Unknowns<f64> {
    let product = |left: &[f64], right: &[f64]| {
        let terms = left.iter().zip(right).zip(diagonal);
        terms.fold(0.0, |sum, ((left, right), diagonal)| sum + left * right / diagonal)
    };
    let (mixed, along_along) = (1.0 + product(across, along), product(along, along));
    let across_across = product(across, across) - weight;
    let (of_across, of_along) = (product(across, right), product(along, right));
    let determinant = across_across * along_along - mixed * mixed;
    let share_across = (of_across * along_along - of_along * mixed) / determinant;
    let share_along = (across_across * of_along - mixed * of_across) / determinant;
    let rows = right.iter().zip(diagonal).zip(across.iter().zip(along));
    rows.map(|((right, diagonal), (across, along))| {
        (right - across * share_across - along * share_along) / diagonal
    })
    .collect()
}

/// Which unknowns turn as one.
struct Shafts {
    /// Number of each row's shaft.
    of_row: Unknowns<usize>,
    /// Speed of each row per speed of its shaft.
    multipliers: Unknowns<f64>,
    count: usize,
}

impl Shafts {
    fn new(system: &ClutchSystem) -> Self {
        let mut shafts = Self { of_row: Unknowns::new(), multipliers: Unknowns::new(), count: 0 };
        let mut of_group = [None; MAX_WHEELS];
        for wheel in &system.wheels {
            let known = wheel
                .constraint
                .and_then(|constraint| of_group.get_mut(usize::from(constraint.group)));
            let shaft = match known {
                Some(known) => *known.get_or_insert(shafts.count),
                None => shafts.count,
            };
            shafts.add(shaft, f64::from(wheel.speed_multiplier()));
        }
        shafts.add(shafts.count, 1.0);
        shafts
    }

    fn add(&mut self, shaft: usize, multiplier: f64) {
        self.of_row.push(shaft);
        self.multipliers.push(multiplier);
        self.count = self.count.max(shaft + 1);
    }

    /// Sum of `values` of the rows over each shaft.
    fn gather(&self, values: &dyn Fn(usize) -> f64) -> Unknowns<f64> {
        let mut sums: Unknowns<f64> = (0..self.count).map(|_| 0.0).collect();
        for (row, &shaft) in self.of_row.iter().enumerate() {
            sums[shaft] += values(row);
        }
        sums
    }
}

/// Solves the plain system by at most `iterations` sweeps of [`gauss_seidel`] from the speeds at
/// the start of the step.
///
/// The reference offers it as the cheaper estimate. Nobody needs it: [`solve`] is exact and costs
/// less than one sweep, and the estimate depends on the order of the wheels.
pub fn estimate(system: &ClutchSystem, iterations: u32, dt: Real) -> ClutchSolution {
    let mut start: Unknowns<Real> =
        system.wheels.iter().map(|wheel| wheel.rotation_speed).collect();
    start.push(system.engine.rotation_speed);
    let speeds = RankOneSystem::new(system, dt).dense().swept(start, iterations);
    finish(system, speeds.into_iter())
}

/// The solution of `speeds`, wheels in order and the engine last: brakes hold the wheels that would
/// turn around, and the engine keeps its range. Nothing is solved again for that.
fn finish(system: &ClutchSystem, mut speeds: impl Iterator<Item = Real>) -> ClutchSolution {
    let wheels = system.wheels.iter().zip(&mut speeds).map(|(wheel, speed)| {
        let turns_around = wheel.rotation_speed * speed <= 0.0;
        let is_held = wheel.torques.brake != 0.0 && turns_around;
        let rotation_speed = if is_held { 0.0 } else { speed };
        CoupledWheel { rotation_speed, tire_torque: wheel.tire.torque }
    });
    let wheels = wheels.collect();
    let engine_speed = speeds.next().unwrap_or(system.engine.rotation_speed);
    let [low, high] = system.engine.speed_range;
    let mut solution = ClutchSolution { engine_speed, clutch_torque: 0.0, wheels };
    solution.clutch_torque = system.strength * solution.slip(system);
    // A speed that is not a number stays so, to be noticed.
    let raised = if engine_speed < low { low } else { engine_speed };
    solution.engine_speed = if high < raised { high } else { raised };
    solution
}
