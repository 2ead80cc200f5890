//! Landing: what a damper feels when its wheel meets a road.

use super::force::force_arm;
use super::jounce::PreviousJounce;
use crate::body::RigidBodyState;
use crate::math::Real;
use crate::math::lanes::{Mask, Number, RigidPose, Vector};
use crate::mount::SuspensionParams;
use crate::road::RoadLanes;

/// Jounce speed that a damper feels whose wheel was at full droop a step before (m/s).
///
/// ```text
/// c s dt ≤ m max(0, approach)
/// ```
///
/// A wheel that meets a road in the midst of its travel, such as the edge of a platform, jumps
/// there within one step. The `jounce_speed` of this jump says nothing about the body. The damper
/// may stop the part `carried_mass` m (kg) of the body that approaches the road at the jounce speed
/// `approach` (m/s), and not throw it back. Falls onto a road are far from the bound.
#[inline]
pub fn landing_jounce_speed<N: Number>(
    jounce_speed: N,
    approach: N,
    damping: N,
    carried_mass: N,
    dt: N,
) -> N {
    let approach = N::select(N::zero().is_below(approach), approach, N::zero());
    let stopping = carried_mass * approach;
    let is_slow = (damping * jounce_speed * dt).is_at_most(stopping);
    N::select(is_slow, jounce_speed, stopping / (damping * dt))
}

/// A body whose wheels may meet roads.
pub(crate) struct Landing<'a, V: Vector> {
    pub(crate) body: &'a RigidBodyState<V>,
    pub(crate) suspension: &'a SuspensionParams<V>,
    /// Where the force of each suspension acts (m, suspension frame).
    pub(crate) force_point: V,
    pub(crate) road: &'a RoadLanes<V>,
    /// Damping rate (N·s/m).
    pub(crate) damping: V::Number,
    /// The part of the vehicle's mass that a wheel carries (kg).
    pub(crate) carried_mass: Real,
}

impl<V: Vector> Landing<'_, V> {
    /// Jounce speed that dampers feel (m/s) of suspensions that have the `jounce_speed` (m/s), `dt`
    /// (s) after the jounce was the `previous` one.
    // In a call of its own, all numbers of the strut would leave their registers.
    #[inline(always)]
    pub(crate) fn damped_speed(
        &self,
        jounce_speed: V::Number,
        previous: &PreviousJounce<V::Number>,
        dt: Real,
    ) -> V::Number {
        let may_land = self.road.is_there & previous.is_at_droop();
        if !may_land.any() {
            return jounce_speed;
        }
        let (dt, carried_mass) = (Number::splat(dt), Number::splat(self.carried_mass));
        let landing =
            landing_jounce_speed(jounce_speed, self.approach(), self.damping, carried_mass, dt);
        Number::select(may_land, landing, jounce_speed)
    }

    /// Speed at which the body approaches the road, as a jounce speed (m/s).
    #[inline(always)]
    fn approach(&self) -> V::Number {
        let arm = force_arm(self.suspension, self.body, self.force_point);
        let velocity =
            self.body.velocity_at(self.body.pose.translation() + arm) - self.road.velocity;
        let travel_direction = self.body.direction(self.suspension.travel_direction);
        let normal = self.road.plane.normal;
        // A road along the travel direction bounds nothing: the damper does not push off it.
        normal.dot(velocity) / normal.dot(travel_direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damper_of_a_wheel_that_lands_stops_the_body_and_does_not_throw_it() {
        // m approach / (c dt) = 500 · approach / (10000 · 0.005) = 10 approach
        let cases = [
            // (jounce speed, approach, what the damper feels)
            (1.0, 1.0, 1.0),
            (3.0, 1.0, 3.0),
            (40.0, 1.0, 10.0),
            (40.0, 0.0, 0.0),
            (40.0, -5.0, 0.0),
            (0.0, -5.0, 0.0),
        ];
        for (jounce_speed, approach, expected) in cases {
            let felt = landing_jounce_speed(jounce_speed, approach, 10_000.0, 500.0, 0.005);
            assert!((felt - expected).abs() < 1e-5, "{jounce_speed}, {approach}: {felt} m/s");
        }
        assert_eq!(landing_jounce_speed(40.0, -5.0, 0.0, 500.0, 0.005), 40.0, "no damper");
    }
}
