//! Parts that move by themselves: platforms, a carousel, a ship.

use rapier3d::prelude::*;
use vehicle_rapier::core::math::{TAU, sin_cos};

/// How a part moves about its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Motion {
    /// To and fro along `way` (m), once in `period` (s).
    Shuttle { way: Vector, period: Real },
    /// Around its vertical axis (rad/s).
    Turn { rate: Real },
    /// As a ship in a swell: rolls and pitches by these angles (rad), and heaves (m).
    Swell { roll: Real, pitch: Real, heave: Real },
}

/// Periods of roll, pitch and heave (s).
const SWELL_PERIODS: [Real; 3] = [9.0, 6.5, 7.5];

/// A kinematic body, and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mover {
    pub(super) body: RigidBodyHandle,
    pub(super) place: Pose,
    pub(super) motion: Motion,
}

/// A swing of amplitude 1 (dimensionless) with this `period` (s), which begins at rest at -1.
///
/// ```text
/// -cos(2π t / T)
/// ```
fn swing(time: Real, period: Real) -> Real {
    let turns = time / period;
    -sin_cos(TAU * (turns - turns.floor())).1
}

/// A swing of amplitude 1 (dimensionless) with this `period` (s), which begins at 0 and takes its
/// first two periods to grow.
fn growing(time: Real, period: Real) -> Real {
    let turns = time / period;
    sin_cos(TAU * (turns - turns.floor())).0 * (0.5 * turns).min(1.0)
}

impl Mover {
    /// Pose of the mover at `time` (s).
    pub(super) fn pose_at(&self, time: Real) -> Pose {
        let moved = match self.motion {
            Motion::Shuttle { way, period } => {
                Pose::from_translation(way * (0.5 + 0.5 * swing(time, period)))
            }
            Motion::Turn { rate } => {
                let turns = rate * time / TAU;
                Pose::from_rotation(Rotation::from_rotation_y(TAU * (turns - turns.floor())))
            }
            Motion::Swell { roll, pitch, heave } => {
                let [rolls, pitches, heaves] = SWELL_PERIODS.map(|period| growing(time, period));
                let turn = Rotation::from_rotation_x(pitch * pitches)
                    * Rotation::from_rotation_z(roll * rolls);
                Pose::from_parts(Vector::Y * (heave * heaves), turn)
            }
        };
        self.place * moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mover(motion: Motion) -> Mover {
        let place = Pose::from_translation(Vector::new(1.0, 2.0, 3.0));
        Mover { body: RigidBodyHandle::invalid(), place, motion }
    }

    #[test]
    fn movers_begin_at_their_place() {
        let motions = [
            Motion::Shuttle { way: Vector::X * 4.0, period: 8.0 },
            Motion::Turn { rate: 0.3 },
            Motion::Swell { roll: 0.1, pitch: 0.05, heave: 0.4 },
        ];
        for motion in motions {
            let pose = mover(motion).pose_at(0.0);
            assert!(pose.translation.distance(Vector::new(1.0, 2.0, 3.0)) < 1e-6, "{motion:?}");
            assert!(pose.rotation.angle_between(Rotation::IDENTITY) < 1e-3, "{motion:?}");
        }
    }

    #[test]
    fn a_shuttle_is_at_the_other_end_after_half_a_period() {
        let mover = mover(Motion::Shuttle { way: Vector::X * 4.0, period: 8.0 });
        let end = mover.pose_at(4.0).translation;
        assert!((end.x - 5.0).abs() < 1e-5, "{end}");
    }

    #[test]
    fn a_carousel_turns_at_its_rate_after_an_hour() {
        let mover = mover(Motion::Turn { rate: 0.3 });
        let turn = mover.pose_at(3600.0).rotation.inverse() * mover.pose_at(3600.5).rotation;
        let angle = turn.angle_between(Rotation::IDENTITY);
        assert!((angle - 0.15).abs() < 2e-3, "{angle} rad in half a second");
    }
}
