//! A wheel that is explicit in the torque of its tire: the way of
//! [`WheelCoupling::Explicit`](crate::WheelCoupling::Explicit).

use crate::actuation::WheelActuation;
use crate::math::lanes::Number;
use crate::math::{Real, sign};
use crate::mount::WheelParams;
use crate::wheel_rotation::{RoadWheel, WheelTorques};

/// Rotation speed (rad/s) of a wheel `dt` (s) after `rotation_speed`, explicit in the torque of the
/// tire (N·m).
///
/// ```text
/// ω' = (ω + (T_tire + T_drive - T_brake sgn ω) dt/I) / (1 + c dt/I)
/// ```
///
/// A braked wheel that would turn around stands still, and stands until the brake is let go. This
/// is the reference's update; see [`coupled_wheel`](crate::wheel_rotation::coupled_wheel) for the
/// default.
#[inline]
pub fn wheel_rotation_speed(
    params: &WheelParams,
    torques: &WheelTorques,
    tire_torque: Real,
    actuation: WheelActuation,
    rotation_speed: Real,
    dt: Real,
) -> Real {
    RoadWheel::from(params).turned(torques, tire_torque, actuation, rotation_speed, dt)
}

impl<N: Number> RoadWheel<N> {
    /// See [`wheel_rotation_speed`].
    #[inline]
    pub fn turned(
        &self,
        torques: &WheelTorques<N>,
        tire_torque: N,
        actuation: WheelActuation<N::Mask>,
        rotation_speed: N,
        dt: Real,
    ) -> N {
        let per_torque = N::splat(dt) / self.inertia;
        let brake = -torques.brake * sign(rotation_speed);
        let advanced = (rotation_speed + per_torque * (tire_torque + torques.drive + brake))
            / (N::splat(1.0) + self.damping_rate * per_torque);
        let turns_around = (rotation_speed * advanced).is_at_most(N::zero());
        N::select(actuation.is_braked & turns_around, N::zero(), advanced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wheel() -> WheelParams {
        WheelParams { inertia: 2.0, damping_rate: 1.0, ..WheelParams::default() }
    }

    #[test]
    fn torques_accelerate_and_damping_slows() {
        let torques = WheelTorques { drive: 30.0, brake: 0.0 };
        let free = WheelActuation::default();
        let speed = wheel_rotation_speed(&wheel(), &torques, -10.0, free, 4.0, 0.5);
        // (4 + 0.25 · 20) / (1 + 0.25)
        assert!((speed - 7.2).abs() < 1e-6, "{speed}");
    }

    #[test]
    fn brake_stops_a_wheel_but_never_turns_it_around() {
        let torques = WheelTorques { drive: 0.0, brake: 100.0 };
        let braked = WheelActuation::from_torques(100.0, 0.0);
        for speed in [10.0, -10.0, 0.0] {
            assert_eq!(wheel_rotation_speed(&wheel(), &torques, 0.0, braked, speed, 0.5), 0.0);
        }
        let slowed = wheel_rotation_speed(&wheel(), &torques, 0.0, braked, 100.0, 0.5);
        assert!((slowed - 60.0).abs() < 1e-4, "{slowed}");
    }
}
