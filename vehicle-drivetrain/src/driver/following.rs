//! Traffic: a driver who keeps the distance to the vehicle ahead.

use serde::{Deserialize, Serialize};
use vehicle_core::context::GRAVITY;
use vehicle_core::math::{Clamped, Real};

use super::figures::VehicleFigures;
use super::path::Path;
use crate::leader::Leader;

/// Distance to a vehicle that stands (m), and time that is kept beside it (s).
const DISTANCE: Real = 2.5;
const HEADWAY: Real = 1.0;
/// Comfortable deceleration, by that of which the vehicle is capable (dimensionless).
const COMFORT: Real = 0.4;
/// Acceleration that a driver behind another wants, at least and at most (m/s²).
const ACCELERATIONS: [Real; 2] = [0.3, 3.0];
/// Largest part of the deceleration that it is capable of (dimensionless).
const HARDEST: Real = 0.95;
/// Speed of a vehicle that stands (m/s).
const STANDS: Real = 0.2;

/// A vehicle on a path, as others see it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathUser {
    /// Where its middle is along the path (m).
    pub way: Real,
    /// Speed of the vehicle along the path (m/s).
    pub speed: Real,
    /// Half of its length (m).
    pub half_length: Real,
}

impl Leader {
    /// The nearest of `others` ahead of `own` on `path`, within a sight of `reach` (m). `others`
    /// may have `own` among them: what is in one place is not ahead.
    pub fn of(
        path: &Path,
        own: &PathUser,
        others: impl IntoIterator<Item = PathUser>,
        reach: Real,
    ) -> Option<Self> {
        let mut nearest: Option<(Real, PathUser)> = None;
        for other in others {
            let ahead = path.distance(own.way, other.way);
            let is_near = 0.0 < ahead && ahead < reach;
            if is_near && nearest.is_none_or(|(distance, _)| ahead < distance) {
                nearest = Some((ahead, other));
            }
        }
        nearest.map(|(ahead, other)| Self {
            gap: ahead - own.half_length - other.half_length,
            speed: other.speed,
        })
    }

    /// Whether the vehicle ahead stands so close that nobody drives on.
    pub(super) fn is_standing_close(&self, speed: Real) -> bool {
        self.gap < DISTANCE && self.speed < STANDS && speed < 2.0 * STANDS
    }
}

/// The acceleration of a driver behind `leader` at `speed`, who would drive at `wanted` (m/s) alone
/// (m/s²).
///
/// ```text
/// a (1 - (v/v_0)⁴ - (s*/s)²),   s* = s_0 + max(0, v T + v (v - v_leader)/(2 √(a b)))
/// ```
///
/// with the gap `s`, and `a` and `b` by the vehicle's drive and brakes.
///
/// Source: M. Treiber, A. Hennecke and D. Helbing, "Congested traffic states in empirical
/// observations and microscopic simulations", Physical Review E 62 (2000): the intelligent driver
/// model.
pub(super) fn following_acceleration(
    figures: &VehicleFigures,
    leader: Leader,
    speed: Real,
    wanted: Real,
) -> Real {
    let [least, most] = ACCELERATIONS;
    let drive = figures.drive.force(speed) / figures.inertial_mass();
    let acceleration = drive.min(figures.traction * GRAVITY).clamped(least, most);
    let brakes = (figures.braking * GRAVITY).min(figures.brake_force / figures.inertial_mass());
    let comfortable = (COMFORT * brakes).max(least);
    let closing = speed * (speed - leader.speed) / (2.0 * (acceleration * comfortable).sqrt());
    let distance = DISTANCE + (speed * HEADWAY + closing).max(0.0);
    let crowded = distance / leader.gap.max(0.1);
    let fast = speed / wanted.max(0.1);
    let free = 1.0 - (fast * fast * fast * fast).min(4.0);
    (acceleration * (free - crowded * crowded)).max(-HARDEST * brakes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures() -> VehicleFigures {
        VehicleFigures {
            mass: 1_500.0,
            traction: 0.5,
            brake_force: 15_000.0,
            braking: 0.9,
            drag: 0.4,
            ..VehicleFigures::plain(5_000.0)
        }
    }

    #[test]
    fn a_driver_stops_behind_one_who_stands_and_follows_one_who_drives() {
        let dt = 0.02;
        for leader_speed in [0.0, 12.0] {
            let (mut speed, mut gap): (Real, Real) = (30.0, 150.0);
            let mut hardest = 0.0_f32;
            for _ in 0..5_000 {
                let leader = Leader { gap, speed: leader_speed };
                let acceleration = following_acceleration(&figures(), leader, speed, 30.0);
                hardest = hardest.min(acceleration);
                speed = (speed + acceleration * dt).max(0.0);
                gap += (leader_speed - speed) * dt;
                assert!(0.5 < gap, "{gap} m behind one of {leader_speed} m/s at {speed} m/s");
            }
            assert!((speed - leader_speed).abs() < 0.2, "{speed} m/s, {leader_speed}");
            // Where the law's acceleration is zero at the leader's speed.
            let crowded = (1.0 - (leader_speed / 30.0_f32).powi(4)).sqrt();
            let expected = (DISTANCE + HEADWAY * leader_speed) / crowded;
            assert!((gap / expected - 1.0).abs() < 0.02, "{gap} m, expected {expected}");
            assert!(-8.0 < hardest, "it braked by {hardest} m/s²");
        }
    }
}
