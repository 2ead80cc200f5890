//! The solver that executes the rows of a vehicle on its body.
//!
//! Each row answers to the speed of its point with an impulse, within its bounds:
//!
//! ```text
//! λ = Π(f),   f = (target - J v') / γ,   v' = v + M⁻¹ p,   p = Σ Jᵀ λ
//! ```
//!
//! with the softness `γ` of the row and the nearest impulse `Π(f)` that is allowed. Friction bounds
//! the two rows of a tire together, a brake the one along its wheel, and a stop does not pull. What
//! is sought is the momentum `p`, six numbers whatever the number of rows. It is the minimum of the
//! convex function
//!
//! ```text
//! F(p) = ½ p M⁻¹ p + Σ γ (½ |f|² - ½ |f - Π(f)|²)
//! ```
//!
//! and there is one: the order of the wheels does not matter. If no row reaches a bound, as those
//! of a parked car, it is the solution of [one system](super::free); Newton's method finds it
//! within a few steps otherwise.

use std::cell::RefCell;

use super::body_velocity::BodyVelocity;
use super::bounds::{Answer, WideTerms};
use super::free::{FreeSystem, are_soft, right_side};
use super::lanes::FourRows;
use super::momentum::{Momentum, SIZE, dot};
use super::momentum_system::{Mobility, MomentumSystem};
use super::terms::FourTerms;
use super::vehicle_rows::VehicleRows;
use crate::math::Real;
use crate::math::bracket::Bracket;
use crate::math::lanes::{MAX_LANES, Mask4, Number, singles};
use crate::wheel_list::Fours;

/// Most steps towards the minimum. Each finds rows that reach their bounds or leave them: there are
/// rarely more than six.
const MAX_STEPS: usize = 24;
/// Most trials along a step.
const MAX_TRIALS: usize = 32;
/// The search ends where the energy that is left is no more than this part of that of the impulses
/// (dimensionless): the speeds are then right to its root.
const TOLERANCE: f64 = 1e-16;
/// Part of the first slope along a step at which a place is level (dimensionless).
const LEVEL_SHARE: f64 = 0.1;

/// Executes the rows of all wheels on `body`, but for those that are left to a host.
#[inline]
pub fn execute_rows(rows: &mut VehicleRows, body: &mut BodyVelocity) {
    execute_rows_with(rows, body, None);
}

/// Executes rows as [`execute_rows`] does. The equations of plain rows are those that are `known`,
/// or are known afterwards.
#[inline]
pub(crate) fn execute_rows_with(
    rows: &mut VehicleRows,
    body: &mut BodyVelocity,
    known: Option<&RefCell<Option<FreeSystem>>>,
) {
    if rows.is_any_local() {
        execute_held(rows, body, known);
    }
}

#[cold]
fn execute_held(
    rows: &mut VehicleRows,
    body: &mut BodyVelocity,
    known: Option<&RefCell<Option<FreeSystem>>>,
) {
    if let [four] = rows.fours() {
        // Up to four wheels need no list.
        let terms = [FourTerms::new(four, Mask4::below(rows.len()), body)];
        execute(&terms, rows, body, known);
    } else {
        let wheels = |four: usize| Mask4::below(rows.len() - four * MAX_LANES);
        let mut terms = Fours::<_>::new();
        // Filled where it stays: it has room for 64 wheels.
        terms.extend(
            rows.fours()
                .iter()
                .enumerate()
                .map(|(four, rows)| FourTerms::new(rows, wheels(four), body)),
        );
        execute(&terms, rows, body, known);
    }
}

/// Executes `rows` of these `terms` on `body`.
fn execute(
    terms: &[FourTerms],
    rows: &mut VehicleRows,
    body: &mut BodyVelocity,
    known: Option<&RefCell<Option<FreeSystem>>>,
) {
    if !rows.fours().iter().all(are_soft) {
        execute_at_bounds(terms, [0.0; SIZE], rows, body);
        return;
    }
    let is_plain = rows.fours().iter().all(FourRows::is_plain);
    let mut known = known.filter(|_| is_plain).map(RefCell::borrow_mut);
    let mut unknown = None;
    let system = known.as_deref_mut().unwrap_or(&mut unknown);
    if system.is_none() {
        *system = FreeSystem::new(terms, body);
    }
    let Some(momentum) = system.as_ref().map(|system| system.solution(right_side(terms))) else {
        execute_at_bounds(terms, [0.0; SIZE], rows, body);
        return;
    };
    if answer_freely(terms, &momentum, rows) {
        body.add_momentum(momentum);
    } else {
        execute_at_bounds(terms, momentum, rows, body);
    }
}

/// Writes the impulses with which `rows` answer to `momentum` without bounds; whether none is
/// beyond its bound.
#[inline(always)]
fn answer_freely(terms: &[FourTerms], momentum: &[Real; SIZE], rows: &mut VehicleRows) -> bool {
    let mut is_free = true;
    for (rows, terms) in rows.fours_mut().iter_mut().zip(terms) {
        is_free &= terms.answer_freely(momentum, rows);
    }
    is_free
}

/// Executes `rows` of these `terms`, some of which may be at their bounds, on `body`; the momentum
/// is sought from `start` on (N·s, N·m·s).
#[cold]
fn execute_at_bounds(
    terms: &[FourTerms],
    start: [Real; SIZE],
    rows: &mut VehicleRows,
    body: &mut BodyVelocity,
) {
    if let [four] = terms {
        // Up to four wheels need no list.
        solve_at_bounds(&[WideTerms::new(four)], start, rows, body);
    } else {
        let mut wide = Fours::<_>::new();
        wide.extend(terms.iter().map(WideTerms::new));
        solve_at_bounds(&wide, start, rows, body);
    }
}

/// Executes `rows` of these `terms` as [`execute_at_bounds`] does.
fn solve_at_bounds(
    terms: &[WideTerms],
    start: [Real; SIZE],
    rows: &mut VehicleRows,
    body: &mut BodyVelocity,
) {
    let problem = Problem { fours: terms, mobility: Mobility::new(body) };
    let is_known = start.iter().all(|component| component.is_finite());
    let momentum = problem.minimum(if is_known { start.map(f64::from) } else { [0.0; SIZE] });
    for (rows, terms) in rows.fours_mut().iter_mut().zip(terms) {
        let Answer { impulses: [along, across], stop, .. } = terms.bounded(&momentum);
        let is_local = rows.local();
        let found = [&mut rows.along, &mut rows.across, &mut rows.out];
        let impulses = [along, across, stop.impulse];
        for ((row, is_local), impulse) in found.into_iter().zip(is_local).zip(impulses) {
            row.impulse = Number::select(is_local, singles(impulse), row.impulse);
        }
    }
    body.add_momentum(momentum.map(|component| component as Real));
}

/// The rows of a vehicle on its body.
struct Problem<'a> {
    fours: &'a [WideTerms],
    mobility: Mobility,
}

impl Problem<'_> {
    /// The momentum at which rows and body agree, sought from `momentum` on.
    fn minimum(&self, mut momentum: Momentum) -> Momentum {
        let mut system = self.bounded(&momentum);
        for _ in 0..MAX_STEPS {
            let slope = system.slope;
            let step = system.step();
            let fall = dot(&slope, &step);
            // The energy of what is left, and that of the momentum so far.
            if -fall <= TOLERANCE * dot(&self.mobility.velocity(&momentum), &momentum) {
                break;
            }
            (momentum, system) = self.search(&momentum, &step, fall);
        }
        momentum
    }

    /// The lowest place from `start` along `step`, down which the function falls by `fall` (J) at
    /// first: where its slope along the step, which only grows, is next to nothing. A stop that is
    /// met makes it a million times as steep: Newton's method from beyond it finds the kink.
    fn search(&self, start: &Momentum, step: &Momentum, fall: f64) -> (Momentum, MomentumSystem) {
        let at = |part| {
            let momentum = along(start, step, part);
            let system = self.bounded(&momentum);
            (dot(&system.slope, step), momentum, system)
        };
        let level = LEVEL_SHARE * fall.abs();
        let mut bracket = Bracket::new(0.0, 1.0);
        // The whole step: there the line of the start ends.
        let mut part = bracket.step(0.0, fall, -fall);
        let mut found = at(part);
        if found.0 <= level {
            return (found.1, found.2);
        }
        for _ in 0..MAX_TRIALS {
            part = bracket.step(part, found.0, found.2.curvature(step));
            found = at(part);
            if found.0.abs() <= level {
                break;
            }
        }
        (found.1, found.2)
    }

    /// The equations for the next step from `momentum`, of rows within their bounds.
    fn bounded(&self, momentum: &Momentum) -> MomentumSystem {
        let velocity = self.mobility.velocity(momentum);
        let mut answers = Fours::<_>::new();
        answers.extend(self.fours.iter().map(|four| (four, four.bounded(momentum))));
        MomentumSystem::new(&self.mobility, &velocity, &answers)
    }
}

/// The momentum a `part` of `step` from `momentum`.
fn along(momentum: &Momentum, step: &Momentum, part: f64) -> Momentum {
    std::array::from_fn(|index| momentum[index] + part * step[index])
}

#[cfg(test)]
mod tests {
    use super::super::row::ConstraintRow;
    use super::*;
    use crate::constraint_rows::WheelRows;
    use crate::math::{Mat3, Vec3};

    fn body() -> BodyVelocity {
        BodyVelocity {
            linear: Vec3::new(0.3, -0.2, 0.0),
            angular: Vec3::ZERO,
            inverse_mass: 0.001,
            inverse_inertia: Mat3::from_diagonal(Vec3::new(0.002, 0.001, 0.0005)),
        }
    }

    fn row(direction: Vec3, max_impulse: Real) -> ConstraintRow {
        let row = ConstraintRow::new(direction, Vec3::new(0.5, 0.2, -0.4));
        ConstraintRow { is_two_sided: true, max_impulse, ..row }
    }

    fn execute(rows: WheelRows, body: &mut BodyVelocity) -> WheelRows {
        let mut rows = VehicleRows::from_iter([rows]);
        execute_rows(&mut rows, body);
        rows.of(0)
    }

    #[test]
    fn held_tire_stands_still() {
        let mut body = body();
        let rows = WheelRows {
            longitudinal: Some(row(Vec3::X, 1e6)),
            lateral: Some(row(Vec3::Y, 1e6)),
            max_friction_impulse: 1e6,
            ..WheelRows::default()
        };
        for _ in 0..20 {
            execute(rows, &mut body);
        }
        for row in [rows.longitudinal, rows.lateral].into_iter().flatten() {
            let speed = row.speed(body.linear, body.angular);
            assert!(speed.abs() < 1e-5, "{}: {speed} m/s", row.linear);
        }
    }

    #[test]
    fn friction_bounds_the_impulse_of_both_rows_together() {
        let mut body = body();
        let rows = WheelRows {
            longitudinal: Some(row(Vec3::X, 10.0)),
            lateral: Some(row(Vec3::Y, 10.0)),
            max_friction_impulse: 10.0,
            ..WheelRows::default()
        };
        let rows = execute(rows, &mut body);
        let [along, across] = [rows.longitudinal, rows.lateral].map(|row| row.unwrap().impulse);
        assert!((along.hypot(across) - 10.0).abs() < 1e-4, "{rows:?}");
    }

    #[test]
    fn soft_row_damps_at_its_rate() {
        // J' = J / (1 + c dt)
        let mut body = body();
        let (damping, dt) = (30.0, 0.1);
        let unbounded = row(Vec3::X, Real::INFINITY);
        let soft = ConstraintRow { softness: 1.0 / (damping * dt), ..unbounded };
        let before = soft.speed(body.linear, body.angular);
        let rows = WheelRows { max_friction_impulse: Real::INFINITY, ..WheelRows::default() };
        execute(WheelRows { longitudinal: Some(soft), ..rows }, &mut body);
        let after = soft.speed(body.linear, body.angular);
        assert!((after - before / 4.0).abs() < 1e-5, "{before} m/s, then {after} m/s");
    }

    #[test]
    fn stop_pushes_and_never_pulls() {
        for (speed, expected) in [(-2.0, 0.0), (2.0, 2.0)] {
            let mut body = BodyVelocity { linear: Vec3::Z * speed, ..body() };
            let stop = ConstraintRow {
                max_impulse: Real::INFINITY,
                ..ConstraintRow::new(Vec3::Z, Vec3::ZERO)
            };
            execute(WheelRows { limit: Some(stop), ..WheelRows::default() }, &mut body);
            assert!((body.linear.z - expected).abs() < 1e-5, "{speed} m/s: {}", body.linear);
        }
    }

    /// The rows of four wheels of a car that has landed, braked.
    fn landed() -> [WheelRows; 4] {
        let arms = [(1.3, 0.8), (1.3, -0.8), (-1.4, 0.8), (-1.4, -0.8)];
        std::array::from_fn(|wheel| {
            let (x, y) = arms[wheel];
            let arm = Vec3::new(x, y, -0.5);
            let friction = 20.0 + 10.0 * wheel as Real;
            let held = |direction| ConstraintRow {
                softness: 0.2,
                is_two_sided: true,
                max_impulse: friction,
                ..ConstraintRow::new(direction, arm)
            };
            let stop = ConstraintRow::new(Vec3::Z, arm);
            WheelRows {
                longitudinal: Some(held(Vec3::X)),
                lateral: Some(held(Vec3::Y)),
                limit: Some(ConstraintRow { max_impulse: Real::INFINITY, ..stop }),
                max_friction_impulse: friction,
                ..WheelRows::default()
            }
        })
    }

    /// The rows of a car that stands: those of one that has landed, without its stops and with all
    /// the friction that they ask for.
    fn standing() -> VehicleRows {
        let soft = |row: ConstraintRow| ConstraintRow { softness: 0.02, max_impulse: 1e6, ..row };
        let wheels = landed().map(|rows| WheelRows {
            longitudinal: rows.longitudinal.map(soft),
            lateral: rows.lateral.map(soft),
            limit: None,
            max_friction_impulse: 1e6,
            ..rows
        });
        wheels.into_iter().collect()
    }

    #[test]
    fn within_their_bounds_rows_are_solved_as_at_them() {
        let start = BodyVelocity {
            linear: Vec3::new(0.1, -0.05, 0.2),
            angular: Vec3::new(0.4, -0.3, 0.2),
            inverse_mass: 1.0 / 1_500.0,
            inverse_inertia: Mat3::from_diagonal(Vec3::new(500.0, 2_400.0, 2_600.0).recip()),
        };
        let (mut rows, mut body) = (standing(), start);
        let terms = [FourTerms::new(&rows.fours()[0], Mask4::below(4), &body)];
        assert!(rows.fours().iter().all(are_soft));
        super::execute(&terms, &mut rows, &mut body, None);
        let (mut wide_rows, mut wide_body) = (standing(), start);
        execute_at_bounds(&terms, [0.0; SIZE], &mut wide_rows, &mut wide_body);
        let linear = body.linear.distance(wide_body.linear);
        let angular = body.angular.distance(wide_body.angular);
        // Rounding, times the number of rows per softness.
        let most = 0.5 * Real::EPSILON * 8.0 / 0.02;
        assert!(linear < most && angular < most, "{linear} m/s, {angular} rad/s");
        for (row, wide) in rows.iter().zip(wide_rows.iter()) {
            let impulse = |rows: &WheelRows| rows.lateral.unwrap().impulse;
            let (single, wide) = (impulse(&row), impulse(&wide));
            assert!((single - wide).abs() < 1e-4 * wide.abs().max(1.0), "{single}, not {wide} N·s");
        }
    }

    #[test]
    fn only_plain_rows_are_solved_by_equations_that_are_known() {
        let start = BodyVelocity { angular: Vec3::new(0.1, 0.0, -0.2), ..body() };
        let solved = |rows: &VehicleRows, known: Option<&RefCell<Option<FreeSystem>>>| {
            let (mut rows, mut body) = (rows.clone(), start);
            execute_rows_with(&mut rows, &mut body, known);
            body
        };
        let known = RefCell::new(None);
        let mut rows = standing();
        rows.fours_mut()[0].set_plain(true);
        let body = solved(&rows, Some(&known));
        assert!(known.borrow().is_some());
        assert_eq!(body, solved(&rows, None));
        assert_eq!(body, solved(&rows, Some(&known)));
        // Whoever writes a row makes them others.
        rows.edit(1, |rows| rows.lateral = None);
        let body = solved(&rows, None);
        assert_eq!(body, solved(&rows, Some(&known)));
        rows.fours_mut()[0].set_plain(true);
        assert_ne!(body, solved(&rows, Some(&known)), "they are those of other rows");
    }

    #[test]
    fn order_of_the_wheels_does_not_matter() {
        let execute = |order: [usize; 4]| {
            let mut body = BodyVelocity {
                linear: Vec3::new(0.1, -0.05, -3.0),
                angular: Vec3::new(0.4, -0.3, 0.2),
                inverse_mass: 1.0 / 1_500.0,
                inverse_inertia: Mat3::from_diagonal(Vec3::new(500.0, 2_400.0, 2_600.0).recip()),
            };
            let mut rows: VehicleRows = order.map(|wheel| landed()[wheel]).into_iter().collect();
            execute_rows(&mut rows, &mut body);
            body
        };
        let expected = execute([0, 1, 2, 3]);
        for order in [[1, 0, 3, 2], [2, 3, 0, 1], [3, 1, 0, 2]] {
            let body = execute(order);
            let linear = body.linear.distance(expected.linear);
            let angular = body.angular.distance(expected.angular);
            assert!(linear < 1e-4 && angular < 1e-4, "{order:?}: {linear} m/s, {angular} rad/s");
        }
    }
}
