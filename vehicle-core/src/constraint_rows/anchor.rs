//! The anchor: where a vehicle stands while its tires stick.

use std::ops::Add;

use serde::{Deserialize, Serialize};

use super::ConstraintRowsView;
use crate::Context;
use crate::math::{Real, Vec3, normalize_or_zero};
use crate::suspension::wheel_travel;

/// Part of a coordinate that is lost to rounding: four times the last digit.
const ROUNDING: Real = 4.0 * Real::EPSILON;

/// Where a vehicle stands while its tires stick: it returns there when something has moved it.
///
/// The anchor is one for all wheels. An anchor for each would pull them against each other as the
/// body settles on its springs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StickyAnchor {
    /// The wheels that stick along their rolling direction, and those that stick across it, a bit
    /// for each.
    pub wheels: [u64; 2],
    /// Mean of their force points when they began to stick (m).
    pub point: Vec3,
    /// Forward direction then.
    pub forward: Vec3,
}

/// The way back of a vehicle to its anchor, as a small motion of a rigid body.
#[derive(Clone, Copy, Default)]
pub(super) struct Return {
    center: Vec3,
    /// (m)
    shift: Vec3,
    /// (rad)
    turn: Vec3,
    /// Angular velocity of the ground (rad/s).
    pub(super) ground_spin: Vec3,
}

impl Return {
    /// The way back at `point` (m).
    pub(super) fn offset_at(&self, point: Vec3) -> Vec3 {
        self.shift + self.turn.cross(point - self.center)
    }
}

/// The wheels that stick, in the order of their numbers, from a bit for each.
#[derive(Clone, Copy)]
struct StuckWheels(u64);

impl StuckWheels {
    fn iter(self) -> impl Iterator<Item = usize> {
        let after = |left: &u64| Some(left & (left - 1)).filter(|&left| left != 0);
        std::iter::successors(Some(self.0).filter(|&left| left != 0), after)
            .map(|left| left.trailing_zeros() as usize)
    }
}

/// What wheels stand on.
struct Footing {
    /// Mean of the tires' force points (m).
    center: Vec3,
    /// Normal of the road.
    normal: Vec3,
    /// Mean velocity of the ground below (m/s).
    velocity: Vec3,
    /// Angular velocity of the ground about the normal (rad/s).
    spin: Vec3,
}

impl ConstraintRowsView<'_> {
    /// Keeps or renews the anchor; the way back to it, `None` if no tire sticks.
    ///
    /// The anchor is renewed when other wheels stick than before, or in another direction, and when
    /// all of them slide: a tire does not return to where it was before it stuck.
    pub(super) fn update_anchor(&mut self, dt: Real, context: &Context<'_>) -> Option<Return> {
        let wheels = self.sticking_wheels();
        if wheels == [0; 2] {
            *self.anchor = None;
            return None;
        }
        let stuck = StuckWheels(wheels[0] | wheels[1]);
        let Footing { center, normal, velocity, spin } = self.footing(stuck, context);
        let forward = self.rigid_body.direction(context.frame().longitudinal());
        let is_sliding = stuck.iter().all(|wheel| self.rows[wheel].is_sliding());
        let kept = self.anchor.filter(|anchor| anchor.wheels == wheels && !is_sliding);
        let anchor = kept.unwrap_or(StickyAnchor { wheels, point: center, forward });
        // The ground carries the anchor along, as it does the vehicle.
        *self.anchor = Some(StickyAnchor {
            point: anchor.point + velocity * dt,
            forward: turned(anchor.forward, spin * dt),
            ..anchor
        });
        // The body pitches and rolls as it likes: only its heading on the road returns.
        let turn = normal * normal.dot(forward.cross(anchor.forward));
        let shift = beyond_rounding(anchor.point - center, anchor.point);
        Some(Return { center, shift, turn, ground_spin: spin })
    }

    /// What the wheels that stick stand on.
    fn footing(&self, stuck: StuckWheels, context: &Context<'_>) -> Footing {
        let share = 1.0 / stuck.0.count_ones() as Real;
        let (mut center, mut normal, mut is_moving) = (Vec3::ZERO, Vec3::ZERO, false);
        for wheel in stuck.iter() {
            center += self.force_point(wheel);
            normal += self.road_normal(wheel);
            is_moving |= self.road_velocity(wheel) != Vec3::ZERO;
        }
        let mut footing = Footing {
            center: center * share,
            normal: normalize_or_zero(normal),
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
        };
        if is_moving {
            footing.spin = self.road_spin(stuck, footing.normal, context);
            let velocities =
                stuck.iter().map(|wheel| self.velocity_below(wheel, footing.spin, context));
            footing.velocity = velocities.fold(Vec3::ZERO, Add::add) * share;
        }
        footing
    }

    /// Angular velocity about `normal` of the ground under the wheels that stick (rad/s).
    ///
    /// ```text
    /// ω = n Σ n·(r × v) / Σ |n × r|²
    /// ```
    ///
    /// with `r` from the mean of the contacts to each.
    fn road_spin(&self, stuck: StuckWheels, normal: Vec3, context: &Context<'_>) -> Vec3 {
        let contacts = stuck.iter().map(|wheel| self.contact(wheel, context));
        let (sum, count) = contacts.fold((Vec3::ZERO, 0.0), |(sum, n), at| (sum + at, n + 1.0));
        let (moment, inertia) = stuck.iter().fold((0.0, 0.0), |(moment, inertia), wheel| {
            let arm = self.contact(wheel, context) - sum / count;
            let around = normal.dot(arm.cross(self.road_velocity(wheel)));
            (moment + around, inertia + normal.cross(arm).length_squared())
        });
        if 0.0 < inertia { normal * (moment / inertia) } else { Vec3::ZERO }
    }

    /// Velocity of the ground at the force point of `wheel` if it turns with `spin` (rad/s) (m/s):
    /// the point lies beside the contact, whose velocity is known.
    #[inline]
    pub(super) fn velocity_below(&self, wheel: usize, spin: Vec3, context: &Context<'_>) -> Vec3 {
        let velocity = self.road_velocity(wheel);
        if spin == Vec3::ZERO {
            return velocity;
        }
        velocity + spin.cross(self.force_point(wheel) - self.contact(wheel, context))
    }

    /// The bottom of `wheel`, but for what steering moves it by (m).
    fn contact(&self, wheel: usize, context: &Context<'_>) -> Vec3 {
        let (suspension, params) = (&self.suspension_params[wheel], &self.wheel_params[wheel]);
        wheel_travel(suspension, params, self.rigid_body, 0.0, context.frame())
            .bottom(self.suspension_states[wheel].jounce.unwrap_or(0.0))
    }

    /// The wheels that stick along, and those that stick across, a bit for each.
    fn sticking_wheels(&self) -> [u64; 2] {
        self.axles.wheels().fold([0; 2], |[along, across], wheel| {
            let [sticks_along, sticks_across] = self.sticks(wheel).map(u64::from);
            [along | sticks_along << wheel, across | sticks_across << wheel]
        })
    }

    /// Whether the tire of `wheel` sticks along its rolling direction, and across it.
    fn sticks(&self, wheel: usize) -> [bool; 2] {
        let (sticky, is_on_road) = (&self.sticky_states[wheel], self.roads[wheel].is_some());
        [sticky.longitudinal, sticky.lateral].map(|state| is_on_road && state.is_active)
    }
}

/// `offset` from `point` (m), zero if the coordinates of `point` cannot tell it from rounding: a car
/// far from the origin would try to return for ever, and not move.
fn beyond_rounding(offset: Vec3, point: Vec3) -> Vec3 {
    let rounding = point.abs().max_element() * ROUNDING;
    if offset.abs().max_element() <= rounding { Vec3::ZERO } else { offset }
}

/// `direction` turned by the small rotation vector `turn` (rad).
fn turned(direction: Vec3, turn: Vec3) -> Vec3 {
    if turn == Vec3::ZERO {
        return direction;
    }
    normalize_or_zero(direction + turn.cross(direction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_from_the_origin_small_offsets_are_rounding() {
        let far = Vec3::new(1_000.0, 0.0, 0.0);
        assert_eq!(beyond_rounding(Vec3::Z * 1e-4, far), Vec3::ZERO);
        assert_eq!(beyond_rounding(Vec3::Z * 1e-3, far), Vec3::Z * 1e-3);
        assert_eq!(beyond_rounding(Vec3::Z * 1e-4, Vec3::X), Vec3::Z * 1e-4);
    }
}
