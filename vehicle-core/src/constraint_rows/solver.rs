//! The solver that executes the rows of a vehicle on its body.

use super::momentum::MomentumSystem;
use super::row::{ConstraintRow, WheelRows};
use crate::math::{Mat3, Real, Vec3};
use crate::{AxleDescription, PerWheelMut};

/// Most sweeps over the rows of a vehicle per step; the impulses of the last step are their start.
const MAX_SWEEPS: usize = 40;
/// The sweeps end when one changes no speed by more than this part of the body's speed before the
/// rows (dimensionless).
const TOLERANCE: Real = 1e-6;

/// The velocity of a body and how it answers to impulses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyVelocity {
    /// Velocity of the center of mass (m/s).
    pub linear: Vec3,
    /// Angular velocity (rad/s).
    pub angular: Vec3,
    /// 1 / mass (1/kg).
    pub inverse_mass: Real,
    /// Inverse inertia in the world (1/(kg·m²)).
    pub inverse_inertia: Mat3,
}

impl BodyVelocity {
    fn apply(&mut self, row: &ConstraintRow, impulse: Real) {
        self.linear += row.linear * (impulse * self.inverse_mass);
        self.angular += self.inverse_inertia * (row.angular * impulse);
    }

    /// Change of the row's speed per impulse (1/kg).
    pub fn response(&self, row: &ConstraintRow) -> Real {
        self.inverse_mass + row.angular.dot(self.inverse_inertia * row.angular)
    }

    /// Impulse of a soft row that has no bounds, on a body that has all impulses (N·s).
    fn free_impulse(&self, row: &ConstraintRow) -> Real {
        if row.softness.is_infinite() {
            return 0.0;
        }
        let error = row.speed(self.linear, self.angular) - row.target_speed;
        -error / (self.response(row) * row.softness)
    }

    /// Adds `momentum`, linear (N·s) and angular (N·m·s).
    fn add_momentum(&mut self, [linear, angular]: &[Vec3; 2]) {
        self.linear += *linear * self.inverse_mass;
        self.angular += self.inverse_inertia * *angular;
    }

    /// Impulse after one more sweep, within the row's bounds (N·s).
    ///
    /// ```text
    /// λ' = clamp(λ - (J - target + γ λ) / (ρ + γ)),   γ = ρ softness
    /// ```
    fn improved_impulse(&self, row: &ConstraintRow) -> Real {
        if row.softness.is_infinite() {
            return 0.0;
        }
        let response = self.response(row);
        let softness = response * row.softness;
        let error = row.speed(self.linear, self.angular) - row.target_speed;
        let impulse = row.impulse - (error + softness * row.impulse) / (response + softness);
        impulse.max(row.min_impulse).min(row.max_impulse)
    }

    /// Executes a row once; by how much it has changed its speed (m/s).
    fn execute(&mut self, row: Option<&mut ConstraintRow>) -> Real {
        let Some(row) = row else {
            return 0.0;
        };
        self.change_impulse(row, self.improved_impulse(row))
    }

    fn change_impulse(&mut self, row: &mut ConstraintRow, impulse: Real) -> Real {
        let change = impulse - row.impulse;
        self.apply(row, change);
        row.impulse = impulse;
        (self.response(row) * change).abs()
    }

    /// Executes the sticky rows of a wheel, together within the friction circle; by how much they
    /// have changed their speeds (m/s).
    fn execute_sticky(&mut self, rows: &mut WheelRows) -> Real {
        let [along, across, _] = rows.local_mut();
        let mut change = self.execute(along) + self.execute(across);
        let (size, limit) = (rows.sticky_impulse(), rows.max_friction_impulse);
        if limit < size {
            let [along, across, _] = rows.local_mut();
            for row in [along, across].into_iter().flatten() {
                change += self.change_impulse(row, row.impulse * (limit / size));
            }
        }
        change
    }

    /// Executes the rows of all wheels once; by how much one has changed its speed at most (m/s).
    fn sweep(&mut self, axles: &AxleDescription, rows: &mut PerWheelMut<'_, WheelRows>) -> Real {
        let mut change: Real = 0.0;
        for wheel in axles.wheels() {
            change = change.max(self.execute_sticky(&mut rows[wheel]));
        }
        for wheel in axles.wheels() {
            let [.., limit] = rows[wheel].local_mut();
            change = change.max(self.execute(limit));
        }
        change
    }
}

/// Executes the rows of all wheels on `body`, but for those that are left to a host.
///
/// If no row reaches a bound, as those of a parked car, they are one linear system for the velocity
/// of the body, which is solved at once. Otherwise sweeps over the rows one after the other
/// (projected Gauss-Seidel) go on from there until they agree. What they agree on does not depend on
/// the order of the wheels: the rows are the conditions of a convex minimum.
pub fn execute_rows(
    axles: &AxleDescription,
    rows: &mut PerWheelMut<'_, WheelRows>,
    body: &mut BodyVelocity,
) {
    if axles.wheels().all(|wheel| rows[wheel].local().iter().all(Option::is_none)) {
        return;
    }
    let tolerance = TOLERANCE * body.linear.length();
    if free_impulses(axles, rows, body) {
        return;
    }
    let sweep = |_| body.sweep(axles, rows) <= tolerance;
    let _settled = (0..MAX_SWEEPS).any(sweep);
}

/// Gives the rows the impulses that they would have without bounds, then within their bounds, and
/// applies them to `body`; whether that is the answer.
///
/// ```text
/// λ = Γ⁻¹ (target - J v'),   v' = v + M⁻¹ p,   p = Jᵀ λ
/// (M⁻¹ + M⁻¹ Jᵀ Γ⁻¹ J M⁻¹) p = M⁻¹ Jᵀ Γ⁻¹ (target - J v)
/// ```
///
/// with the softness `Γ` of the rows, six equations for the momentum `p`, whatever the number of
/// rows. Rows without softness keep their last impulses and are left to the sweeps.
fn free_impulses(
    axles: &AxleDescription,
    rows: &mut PerWheelMut<'_, WheelRows>,
    body: &mut BodyVelocity,
) -> bool {
    let mut system = MomentumSystem::new(body);
    for wheel in axles.wheels() {
        for row in rows[wheel].local_mut().into_iter().flatten() {
            if 0.0 < row.softness {
                system.add(row, body);
            }
        }
    }
    let momentum = system.solve();
    let mut solved = *body;
    solved.add_momentum(&momentum);
    let mut is_answer = true;
    for wheel in axles.wheels() {
        for row in rows[wheel].local_mut().into_iter().flatten() {
            let free = if 0.0 < row.softness { solved.free_impulse(row) } else { row.impulse };
            row.impulse = free.max(row.min_impulse).min(row.max_impulse);
            is_answer &= 0.0 < row.softness && row.impulse == free;
        }
        is_answer &= rows[wheel].sticky_impulse() <= rows[wheel].max_friction_impulse;
    }
    if is_answer {
        *body = solved;
        return true;
    }
    for wheel in axles.wheels() {
        for row in rows[wheel].local_mut().into_iter().flatten() {
            body.apply(row, row.impulse);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ConstraintRow { min_impulse: -max_impulse, max_impulse, ..row }
    }

    fn execute(rows: WheelRows, body: &mut BodyVelocity) -> WheelRows {
        let axles = AxleDescription::new([[0]]).unwrap();
        let mut rows = [rows];
        execute_rows(&axles, &mut PerWheelMut::Slice(&mut rows), body);
        rows[0]
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
        assert!((rows.sticky_impulse() - 10.0).abs() < 1e-4, "{rows:?}");
        assert!(rows.is_sliding());
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
                min_impulse: -friction,
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

    #[test]
    fn order_of_the_wheels_does_not_matter() {
        let execute = |order: [usize; 4]| {
            let mut body = BodyVelocity {
                linear: Vec3::new(0.1, -0.05, -3.0),
                angular: Vec3::new(0.4, -0.3, 0.2),
                inverse_mass: 1.0 / 1_500.0,
                inverse_inertia: Mat3::from_diagonal(Vec3::new(500.0, 2_400.0, 2_600.0).recip()),
            };
            let mut rows = order.map(|wheel| landed()[wheel]);
            let axles = AxleDescription::new([[0, 1], [2, 3]]).unwrap();
            execute_rows(&axles, &mut PerWheelMut::Slice(&mut rows), &mut body);
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
