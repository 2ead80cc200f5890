//! Wheel: rotation about the axle, and pose in the body.

use crate::actuation::WheelActuation;
use crate::math::lanes::{Mask, Number, Real4};
use crate::math::{Real, TAU};
pub use crate::mount::{
    RoadWheel, WheelAngles, WheelParams, usual_rolling_resistance, wheel_local_orientation,
    wheel_local_pose,
};
use crate::suspension::SuspensionState;
use crate::tire::TireState;
pub use crate::turning_wheel::WheelState;
use crate::{AxleDescription, Context, WheelList};

/// How the wheel turns, as far as its display is concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelRolling<N: Number = Real> {
    /// Whether the wheel touches the ground and neither drives nor brakes.
    pub is_free_on_ground: N::Mask,
    /// Speed of the contact point along the road (m/s).
    pub longitudinal_speed: N,
    /// Radius of the wheel (m).
    pub radius: N,
}

impl<N: Number> WheelRolling<N> {
    /// The displayed rotation speed (rad/s) and the angle (rad) `dt` (s) after `angle`, of a wheel
    /// that turns at `rotation_speed` (rad/s).
    #[inline]
    pub(crate) fn turned(
        &self,
        rotation_speed: N,
        angle: N,
        dt: Real,
        context: &Context<'_>,
    ) -> (N, N) {
        let blend_speed = context.params.rolling_blend_speed;
        let speed = displayed_rotation_speed(rotation_speed, self, blend_speed);
        (speed, advance_rotation_angle(angle, speed, dt))
    }
}

/// Rotation speed (rad/s) with which a wheel is shown to turn.
///
/// A wheel that rolls freely below `blend_speed` V follows the road, where its own speed is noise:
///
/// ```text
/// ω' = (v / R) (1 - α) + ω α,   α = |v| / V
/// ```
#[inline]
pub fn displayed_rotation_speed<N: Number>(
    rotation_speed: N,
    rolling: &WheelRolling<N>,
    blend_speed: Real,
) -> N {
    let (speed, blend_speed) = (rolling.longitudinal_speed, N::splat(blend_speed));
    let share = speed.abs() / blend_speed;
    let blended = (speed / rolling.radius) * (N::splat(1.0) - share) + rotation_speed * share;
    let is_slow = !blend_speed.is_at_most(speed.abs());
    N::select(rolling.is_free_on_ground & is_slow, blended, rotation_speed)
}

/// Angle (rad) after turning from `angle` at `rotation_speed` (rad/s) for `dt` (s), in (-2π, 2π).
#[inline]
pub fn advance_rotation_angle<N: Number>(angle: N, rotation_speed: N, dt: Real) -> N {
    let (advanced, turn) = (angle + rotation_speed * N::splat(dt), N::splat(TAU));
    // Most wheels turn less than once in a step: a difference is the exact remainder then.
    let is_beyond = !advanced.abs().is_below(turn + turn);
    let rest =
        N::select(advanced.abs().is_below(turn), advanced, advanced - turn.copysign(advanced));
    if is_beyond.any() {
        N::select(is_beyond, advanced.map(|angle| angle % TAU), rest)
    } else {
        rest
    }
}

/// Wheels of a vehicle, as they turn and are seen.
#[derive(Debug)]
pub struct WheelView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Radius of each wheel.
    pub params: &'a WheelList<RoadWheel>,
    /// State of each suspension, from its compression to its force.
    pub suspensions: &'a WheelList<SuspensionState>,
    /// Whether each wheel drives or brakes.
    pub actuations: &'a WheelList<WheelActuation>,
    /// Speed of each tire over the road.
    pub tires: &'a WheelList<TireState>,
    /// Read and written: rotation of each wheel.
    pub states: &'a mut WheelList<WheelState>,
}

impl WheelView<'_> {
    /// Turns every wheel.
    pub fn update(self, dt: Real, context: &Context<'_>) {
        for four in 0..self.states.fours().len() {
            let compression = &self.suspensions.four(four).compression;
            let is_free = !self.actuations.four(four).is_active();
            let rolling = WheelRolling {
                is_free_on_ground: Real4::zero().is_below(compression.jounce) & is_free,
                longitudinal_speed: self.tires.four(four).speeds.longitudinal,
                radius: self.params.four(four).radius,
            };
            let state = self.states.four_mut(four);
            let (speed, angle) =
                rolling.turned(state.rotation_speed, state.rotation_angle, dt, context);
            state.displayed_rotation_speed = speed;
            state.rotation_angle = angle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_wheels_follow_the_road_when_slow() {
        let rolling =
            WheelRolling { is_free_on_ground: true, longitudinal_speed: 1.0, radius: 0.5 };
        // (1 / 0.5) 0.8 + 7 · 0.2
        assert!((displayed_rotation_speed(7.0, &rolling, 5.0) - 3.0).abs() < 1e-6);
        let fast = WheelRolling { longitudinal_speed: 5.0, ..rolling };
        assert_eq!(displayed_rotation_speed(7.0, &fast, 5.0), 7.0);
        let driven = WheelRolling { is_free_on_ground: false, ..rolling };
        assert_eq!(displayed_rotation_speed(7.0, &driven, 5.0), 7.0);
    }

    #[test]
    fn angle_stays_within_one_turn() {
        for speed in [1e3, -1e3, 1e6, -1e9] {
            let angle = advance_rotation_angle(1.0, speed, 1.0);
            assert!(angle.abs() <= TAU, "{angle} at {speed}");
        }
    }
}
