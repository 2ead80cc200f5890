//! How much a rider steers against an error: gains of an optimal regulator.
//!
//! A slow motorcycle is an inverted pendulum whose contacts steering moves; a fast one weaves by
//! its tires, whose lateral forces lag behind the steer angle. One linear model has both, and its
//! optimal regulator is stable from a walk to 60 m/s without a number that was tried out.
//!
//! The model steps as the simulation does, with tires that would overshoot held: by gains for a
//! motion in continuous time it weaves at 30 Hz. What is regulated is the error of a course that
//! tires bear, around the steer angle that this course takes. A regulator of the lean alone would
//! make up for all of that angle too late, and lean beyond what was asked for.

use vehicle_core::math::{Clamped, DMat4, DVec4, Real};

use super::single_track::SingleTrack;
use crate::regulator::optimal_gains;

/// Number of speeds for which gains are known.
const COUNT: usize = 40;
/// The lowest of them (m/s): slower than that, gains are those of this speed.
const LOWEST_SPEED: Real = 1.5;
/// Each of them divided by the one below (dimensionless): the highest is 76 m/s.
const RATIO: Real = 1.106;
/// Time for which a steer angle is held (s): that of a slow world. Gains for it are good at shorter
/// steps, too.
const HOLD: f64 = 1.0 / 60.0;
/// Errors of the yaw rate, of the lean and of its rate that count as much as a tenth of the load in
/// lateral force (rad/s, rad, rad/s).
const USUAL_YAW_RATE: f64 = 0.5;
const USUAL_LEAN: f64 = 0.1;
const USUAL_LEAN_RATE: f64 = 0.5;
/// The lateral force by the load that counts as much (dimensionless).
const USUAL_FORCE: f64 = 0.1;

/// Number of shares of friction for which gains are known.
const BENDS: usize = 6;
/// From each of them to the next (dimensionless).
const BEND: Real = 0.18;

/// Gains of a regulator at all speeds, straight on and in bends.
///
/// The steer angle `δ = δ_0 - K (x - x_0)` with the state `x` of the [single-track
/// model](SingleTrack) is the one that makes
///
/// ```text
/// Σ (r/r_u)² + (φ/φ_u)² + (φ'/φ'_u)² + (δ/δ_u)²,   δ_u = (F_u/N) / (C/N) + g L / v² (F_u/N)
/// ```
///
/// least over all steps to come. It sums errors of yaw rate, lean and its rate, and steer angles by
/// the one that the tires turn into a usual lateral force; see [`optimal_gains`]. A step is one of
/// the simulation, whose tires answer to the speeds at its start, and with no more force than stops
/// a contact within it. So `C ≤ v / (w dt)` with the [mobility](SingleTrack::mobility) `w`. So the
/// gains keep upright what is simulated in long steps, in which weave grows by itself, and what
/// moves as the model does.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gains([[[Real; 4]; COUNT]; BENDS]);

impl Gains {
    pub(super) fn of(track: &SingleTrack) -> Self {
        Self(std::array::from_fn(|bend| {
            let mut speed = LOWEST_SPEED;
            std::array::from_fn(|_| {
                let gains = gains_at(track, speed, BEND * bend as Real);
                speed *= RATIO;
                gains
            })
        }))
    }

    /// The gains at `speed` (m/s) in a bend that uses `share` of the friction: rad per m/s, rad/s,
    /// rad and rad/s.
    pub(super) fn at(&self, speed: Real, share: Real) -> [Real; 4] {
        let place = (share / BEND).clamped(0.0, (BENDS - 1) as Real);
        let bend = (place as usize).min(BENDS - 2);
        let (mut low, mut index) = (LOWEST_SPEED, 0);
        while index + 2 < COUNT && low * RATIO < speed {
            low *= RATIO;
            index += 1;
        }
        let faster = ((speed / low - 1.0) / (RATIO - 1.0)).clamped(0.0, 1.0);
        let between = |one: [Real; 4], other: [Real; 4], part: Real| {
            std::array::from_fn(|state| one[state] + part * (other[state] - one[state]))
        };
        let [gentle, tight] = [bend, bend + 1]
            .map(|bend| between(self.0[bend][index], self.0[bend][index + 1], faster));
        between(gentle, tight, place - bend as Real)
    }
}

fn gains_at(track: &SingleTrack, speed: Real, share: Real) -> [Real; 4] {
    let (a, b) = step(track, speed, share);
    let stiffness = f64::from(track.stiffness_at(0, share) / track.loads()[0]);
    let turning = f64::from(track.wheel_base() * super::GRAVITY / (speed * speed));
    let usual = USUAL_FORCE * (stiffness.recip() + turning);
    let usual_errors = [USUAL_YAW_RATE, USUAL_LEAN, USUAL_LEAN_RATE];
    let [yaw, lean, rate] = usual_errors.map(|error: f64| (error * error).recip());
    optimal_gains(a, b, [0.0, yaw, lean, rate], usual).map(|gain| gain as Real)
}

/// The system `x' = A x + B u` from one step to the next: speeds by their change at its start, the
/// lean by the rate at its end.
fn step(track: &SingleTrack, speed: Real, share: Real) -> (DMat4, DVec4) {
    let part = [0, 1].map(|end| {
        let most = speed / (track.mobility(end) * HOLD as Real);
        (most / track.stiffness_at(end, share)).min(1.0)
    });
    let (a, b) = track.linear(speed, share, part[0].min(part[1]));
    let (a, b) = (DMat4::IDENTITY + a * HOLD, b * HOLD);
    // φ' = φ + dt φ_rate', where a has φ + dt φ_rate.
    let rows = a.transpose();
    let rate = rows.col(3);
    let lean = DVec4::Z + rate * HOLD;
    let rows = DMat4::from_cols(rows.col(0), rows.col(1), lean, rate);
    (rows.transpose(), DVec4::new(b.x, b.y, b.w * HOLD, b.w))
}

#[cfg(test)]
mod tests {
    use super::super::single_track::tests::MOTORCYCLE;
    use super::*;
    use crate::regulator::held;

    /// How much an error is left of after 5 s (dimensionless), in steps of `dt` (s), with `stiffer`
    /// tires than the rider knows.
    fn left_of_an_error(gains: [Real; 4], speed: Real, dt: f64, stiffer: Real) -> f64 {
        let track = SingleTrack {
            cornering_stiffness: MOTORCYCLE.cornering_stiffness.map(|one| one * stiffer),
            ..MOTORCYCLE
        };
        let (a, b) = held(&track.linear(speed, 0.0, 1.0), dt);
        let gains = DVec4::from_array(gains.map(f64::from));
        let mut state = DVec4::new(0.0, 0.0, 0.1, 0.0);
        for _ in 0..(5.0 / dt).round() as u32 {
            state = a * state - b * gains.dot(state);
        }
        state.length() / 0.1
    }

    #[test]
    fn a_motorcycle_is_upright_again_at_any_speed_and_step() {
        let gains = Gains::of(&MOTORCYCLE);
        for speed in [1.5, 2.0, 4.0, 7.0, 12.0, 20.0, 33.0, 47.0, 60.0] {
            for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0] {
                for stiffer in [0.7, 1.0, 1.4] {
                    let left = left_of_an_error(gains.at(speed, 0.0), speed, dt, stiffer);
                    assert!(left < 0.05, "{speed} m/s, {dt} s, {stiffer}: {left} of an error");
                }
                let left = left_of_an_error([0.0; 4], speed, dt, 1.0);
                assert!(1.0 < left, "{speed} m/s, {dt} s: {left} without a rider");
            }
        }
    }

    #[test]
    fn gains_are_steady_between_the_speeds_for_which_they_are_known() {
        let gains = Gains::of(&MOTORCYCLE);
        let mut before = gains.at(1.0, 0.0);
        let mut speed = 1.0;
        while speed < 90.0 {
            let [lateral, yaw, lean, rate] = gains.at(speed, 0.0);
            assert!(lean < 0.0 && rate < 0.0, "{speed} m/s steers into the fall: {lean}, {rate}");
            let change = (lean - before[2]).abs() / lean.abs();
            assert!(change < 0.03, "{speed} m/s: {lean} after {}", before[2]);
            before = [lateral, yaw, lean, rate];
            speed *= 1.01;
        }
    }
}
