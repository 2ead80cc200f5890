//! How a driver steers along a path: gains of an optimal regulator, by the vehicle's own numbers.

use vehicle_core::context::GRAVITY;
use vehicle_core::math::{Clamped, DMat4, DVec4, Real};

use crate::handling::{Handling, sums};
use crate::regulator::{held, optimal_gains};

/// Number of speeds for which gains are known, forward and backward.
const COUNT: usize = 32;
/// The lowest of them by `√(g L)` (dimensionless): slower than that, gains are those of this speed.
const LOWEST: Real = 0.3;
/// Each of them divided by the one below (dimensionless): the highest is 71 times the lowest.
const RATIO: Real = 1.1475;
/// Time for which a steer angle is held (s): that of a slow world. Gains for it are good at shorter
/// steps, too.
const HOLD: f64 = 1.0 / 60.0;
/// An error that counts as much as a tenth of gravity in lateral acceleration, by the wheel base
/// (dimensionless), and the angle that does (rad).
const USUAL_ERROR: Real = 0.05;
const USUAL_HEADING: Real = 0.1;
/// The lateral acceleration that counts as much, by gravity (dimensionless).
const USUAL_LATERAL: Real = 0.1;
/// Part of the lock that a usual steer angle is at most (dimensionless).
const PART_OF_LOCK: Real = 0.25;

/// Gains of the steer angle on errors of lateral speed (rad s/m), yaw rate (s), offset (rad/m) and
/// heading (dimensionless).
pub(super) type SteerGains = [Real; 4];

/// Gains at all speeds, forward and backward.
///
/// The steer angle `δ = δ_0 - K (x - x_0)` with the state `x = (v_y, r, e, ψ)` of the
/// [single-track model](Handling) beside a path, offset and heading to the left of it:
///
/// ```text
/// e' = v_y + v ψ,   ψ' = r - v κ
/// ```
///
/// is the one that makes `Σ (e/e_u)² + (ψ/ψ_u)² + (δ/δ_u)²` least: a twentieth of the wheel base in
/// offset counts as much as the steer angle of a tenth of gravity in lateral acceleration.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GainTable {
    lowest: Real,
    /// Backward, forward.
    gains: [[SteerGains; COUNT]; 2],
}

impl GainTable {
    pub(super) fn of(handling: &Handling) -> Self {
        let lowest = LOWEST * (GRAVITY * handling.wheel_base).sqrt();
        let gains = [-1.0, 1.0].map(|sign| {
            let mut speed = lowest;
            std::array::from_fn(|_| {
                let gains = gains_at(handling, sign * speed);
                speed *= RATIO;
                gains
            })
        });
        Self { lowest, gains }
    }

    /// The gains at `speed` (m/s), negative backward.
    pub(super) fn at(&self, speed: Real) -> SteerGains {
        let gains = &self.gains[usize::from(0.0 <= speed)];
        let (mut low, mut index) = (self.lowest, 0);
        while index + 2 < COUNT && low * RATIO < speed.abs() {
            low *= RATIO;
            index += 1;
        }
        let part = ((speed.abs() / low - 1.0) / (RATIO - 1.0)).clamped(0.0, 1.0);
        let (one, other) = (&gains[index], &gains[index + 1]);
        std::array::from_fn(|state| one[state] + part * (other[state] - one[state]))
    }
}

fn gains_at(handling: &Handling, speed: Real) -> SteerGains {
    let (a, b) = held(&linear(handling, speed), HOLD);
    let lateral = USUAL_LATERAL * GRAVITY;
    let angle = handling.steady_bend(lateral / (speed * speed), speed).angle.abs();
    let usual = angle.min(PART_OF_LOCK * handling.lock).max(1e-4);
    let error = f64::from(USUAL_ERROR * handling.wheel_base);
    let weights = [0.0, 0.0, (error * error).recip(), f64::from(USUAL_HEADING).powi(-2)];
    optimal_gains(a, b, weights, f64::from(usual)).map(|gain| gain as Real)
}

/// The system `x' = A x + B δ` at `speed` (m/s), negative backward.
fn linear(handling: &Handling, speed: Real) -> (DMat4, DVec4) {
    let [c, cx, cxx, ck, ckx] = sums(&handling.groups).map(f64::from);
    let (mass, inertia) = (f64::from(handling.mass), f64::from(handling.yaw_inertia));
    let (speed, distance) = (f64::from(speed), f64::from(speed.abs()));
    let sign = speed.signum();
    let rows = DMat4::from_cols(
        DVec4::new(-c / (mass * distance), -cx / (mass * distance) - speed, 0.0, 0.0),
        DVec4::new(-cx / (inertia * distance), -cxx / (inertia * distance), 0.0, 0.0),
        DVec4::new(1.0, 0.0, 0.0, speed),
        DVec4::new(0.0, 1.0, 0.0, 0.0),
    );
    (rows.transpose(), DVec4::new(sign * ck / mass, sign * ckx / inertia, 0.0, 0.0))
}

/// Time in which the yaw rate follows the steer angle at `speed` (m/s): twice the inverse of what
/// damps side slip and yaw.
///
/// ```text
/// τ = 2 / (Σ C/(m v) + Σ C x²/(I v))
/// ```
pub(super) fn yaw_time(handling: &Handling, speed: Real) -> Real {
    let [c, _, cxx, _, _] = sums(&handling.groups);
    2.0 * speed.abs() / (c / handling.mass + cxx / handling.yaw_inertia)
}

#[cfg(test)]
mod tests {
    use vehicle_core::blueprint::CarBlueprint;

    use super::*;

    fn saloon() -> Handling {
        let sheet = CarBlueprint::default();
        Handling::of(&sheet.mechanics().expect("a car"), &sheet.frame).expect("it has wheels")
    }

    #[test]
    fn an_error_is_gone_after_a_while_at_any_speed_and_step() {
        let car = saloon();
        let table = GainTable::of(&car);
        for speed in [-12.0, -4.0, -1.5, 1.5, 4.0, 10.0, 20.0, 35.0, 60.0] {
            for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0] {
                for stiffer in [0.6_f32, 1.0, 1.4] {
                    let mut other = car;
                    for group in &mut other.groups {
                        group.stiffness *= stiffer;
                        group.moment *= stiffer;
                        group.spread *= stiffer;
                        group.steered *= stiffer;
                        group.steered_moment *= stiffer;
                    }
                    let (a, b) = held(&linear(&other, speed), dt);
                    let gains = DVec4::from_array(table.at(speed).map(f64::from));
                    let mut state = DVec4::new(0.0, 0.0, 1.0, 0.0);
                    for _ in 0..(8.0 / dt).round() as u32 {
                        state = a * state - b * gains.dot(state);
                    }
                    let left = state.length();
                    assert!(left < 0.1, "{speed} m/s, {dt} s, {stiffer}: {left} of a meter");
                }
            }
        }
    }

    #[test]
    fn a_car_to_the_left_of_its_path_is_steered_to_the_right() {
        let table = GainTable::of(&saloon());
        for speed in [2.0, 20.0, 50.0] {
            let [_, _, offset, heading] = table.at(speed);
            assert!(0.0 < offset && 0.0 < heading, "{speed} m/s: {offset}, {heading}");
        }
        let time = yaw_time(&saloon(), 25.0);
        assert!((0.05..0.4).contains(&time), "{time} s");
    }
}
