//! The anchor: where a vehicle stands while its tires stick.

use serde::{Deserialize, Serialize};

use super::footing::{Footing, sum_where};
use super::{StandingWheels, return_rate};
use crate::Context;
use crate::math::finite::{Finite, total_of_vectors};
use crate::math::lanes::{Number, Real4, Vec3x4, Vector};
use crate::math::{Pose, Real, Vec3, hypot, normalize_or_zero, rotate};
use crate::rows::{RowExecution, WayBack};
use crate::wheel_list::place;

/// How much longer the way back to an anchor can be than that on which friction holds in full
/// (dimensionless): rows are a little soft.
const RETURN_MARGIN: Real = 1.25;
/// Least way back to an anchor beyond which friction drags it along (m): however short the step, a
/// tire yields by some millimeters.
const LEAST_RETURN: Real = 5e-3;
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
    /// The ground in whose axes both are, because it moves as one body whose pose is known;
    /// otherwise [`WORLD`](Self::WORLD).
    ///
    /// So between two frames the anchor goes where the ground has gone, which may have been pushed
    /// after the vehicle has looked at its velocity.
    #[serde(default = "world")]
    pub ground: u64,
}

fn world() -> u64 {
    StickyAnchor::WORLD
}

impl StickyAnchor {
    /// The number of no ground: the axes of the world.
    pub const WORLD: u64 = u64::MAX;
}

/// The ground that carries an anchor: moving ground of known pose, or none.
#[derive(Clone, Copy)]
struct Carrier {
    ground: u64,
    /// Pose of the ground at the frame's beginning (m).
    pose: Pose,
}

impl Carrier {
    /// Of an anchor in the world's axes.
    const NONE: Self = Self { ground: StickyAnchor::WORLD, pose: Pose::IDENTITY };

    /// The carrier in whose axes `anchor` is; `None` if it is gone.
    fn of(anchor: &StickyAnchor, context: &Context<'_>) -> Option<Self> {
        if anchor.ground == StickyAnchor::WORLD {
            return Some(Self::NONE);
        }
        let pose = context.road.ground_pose(anchor.ground)?;
        Some(Self { ground: anchor.ground, pose })
    }

    fn is_none(&self) -> bool {
        self.ground == StickyAnchor::WORLD
    }

    /// `anchor`, which is in the axes of `from`, in those of this carrier, which has gone by `way`
    /// (m) and `angle` (rad) since the frame's beginning.
    fn take(&self, anchor: StickyAnchor, from: &Self, way: Vec3, angle: Vec3) -> StickyAnchor {
        if anchor.ground == self.ground {
            return anchor;
        }
        let (mut point, mut forward) = from.in_world(&anchor);
        if from.is_none() {
            (point, forward) = (point - way, turned(forward, -angle));
        }
        if self.is_none() {
            let (point, forward) = (point + way, turned(forward, angle));
            return StickyAnchor { point, forward, ground: self.ground, ..anchor };
        }
        StickyAnchor {
            point: self.pose.inverse_transform_point(point),
            forward: self.pose.rotation.inverse() * forward,
            ground: self.ground,
            ..anchor
        }
    }

    /// Point (m) and forward direction of `anchor` in the world.
    fn in_world(&self, anchor: &StickyAnchor) -> (Vec3, Vec3) {
        if self.is_none() {
            return (anchor.point, anchor.forward);
        }
        (self.pose.transform_point(anchor.point), self.pose.rotation * anchor.forward)
    }
}

/// How far a vehicle can be from its anchor.
struct LongestReturn {
    /// Along the vehicle (m).
    along: Real,
    /// Across it (m).
    across: Real,
    /// About the road's normal (rad).
    turn: Real,
}

/// A way back to an anchor that is in reach.
struct HeldReturn {
    /// (m)
    shift: Vec3,
    /// (rad)
    turn: Vec3,
}

impl LongestReturn {
    /// The part of the way back by `shift` (m) and `turn` (rad) that is in reach, of a vehicle that
    /// points `forward` on a road of this `normal`.
    fn within(&self, shift: Vec3, turn: Vec3, normal: Vec3, forward: Vec3) -> HeldReturn {
        let ahead = normalize_or_zero(forward - normal * normal.dot(forward));
        let left = normal.cross(ahead);
        // A direction in which no tire sticks leads nowhere.
        let part = |way: Real, longest: Real| if 0.0 < longest { way / longest } else { 0.0 };
        let (along, across) = (ahead.dot(shift), left.dot(shift));
        let excess = hypot(part(along, self.along), part(across, self.across)).max(1.0);
        let turn_excess = part(turn.length(), self.turn).max(1.0);
        let if_held = |longest: Real| if 0.0 < longest { 1.0 } else { 0.0 };
        let along = along / excess * if_held(self.along);
        let across = across / excess * if_held(self.across);
        HeldReturn {
            shift: ahead * along + left * across,
            turn: turn / turn_excess * if_held(self.turn),
        }
    }
}

impl StandingWheels<'_> {
    /// Keeps or renews the anchor; the way back to it, `None` if no tire sticks.
    ///
    /// The anchor is renewed when other wheels stick than before, or in another direction: a tire
    /// does not return to where it was before it stuck. It is dragged along where the way back is
    /// longer than [what friction can hold](Self::longest_return).
    ///
    /// On ground that rests, the way back is that of the frame: it is found in the first substep,
    /// unless a host executes the rows. So the speed at the frame's end, with which the host moves
    /// the body from where the frame began, is one that all substeps have gone for.
    pub(super) fn update_anchor(
        &self,
        anchor: &mut Option<StickyAnchor>,
        dt: Real,
        context: &Context<'_>,
    ) -> Option<WayBack> {
        let wheels = self.stuck_wheels();
        if let Some(back) = context.notes.and_then(|notes| notes.way_back.get())
            && back.wheels == wheels
        {
            return Some(back);
        }
        let Some(footing) = self.footing(wheels) else {
            *anchor = None;
            return None;
        };
        let Footing { center, normal, velocity, spin, .. } = footing;
        let forward = self.rigid_body.direction(context.frame().longitudinal());
        let carrier = self.carrier(wheels[0] | wheels[1], context);
        let new = StickyAnchor { wheels, point: center, forward, ground: StickyAnchor::WORLD };
        let old = anchor.filter(|anchor| anchor.wheels == wheels);
        let old = old.and_then(|anchor| Some((anchor, Carrier::of(&anchor, context)?)));
        let (old, from) = old.unwrap_or((new, Carrier::NONE));
        // Within the frame, the ground goes on from its pose.
        let elapsed = dt * context.substep.index as Real;
        let (way, angle) = (velocity * elapsed, spin * elapsed);
        let mut held_at = carrier.take(old, &from, way, angle);
        let (mut point, mut ahead) = carrier.in_world(&held_at);
        if !carrier.is_none() {
            (point, ahead) = (point + way, turned(ahead, angle));
        }
        // The body pitches and rolls as it likes: only its heading on the road returns.
        let turn = normal * normal.dot(forward.cross(ahead));
        let shift = beyond_rounding(point - center, point);
        let is_near = self.is_near(&footing, shift, turn, context);
        let held = if is_near {
            HeldReturn { shift: shift - normal * normal.dot(shift), turn }
        } else {
            self.longest_return(center, normal, dt, context).within(shift, turn, normal, forward)
        };
        let (dragged, turning) = (held.shift - shift, held.turn - turn);
        if carrier.is_none() {
            // The ground carries the anchor along, as it does the vehicle.
            held_at.point += dragged + velocity * dt;
            held_at.forward = turned(turned(held_at.forward, turning), spin * dt);
        } else {
            let to_ground = carrier.pose.rotation.inverse();
            // Out of the road, it is not held.
            held_at.point += to_ground * (dragged - normal * normal.dot(dragged));
            held_at.forward = turned(held_at.forward, to_ground * turning);
        }
        *anchor = Some(held_at);
        let HeldReturn { shift, turn } = held;
        let back =
            WayBack { wheels, center, normal, shift, turn, ground_spin: spin, is_known: false };
        // A host executes the rows from where the last substep ends.
        let is_local = context.params.row_execution == RowExecution::Local;
        let is_of_frame = carrier.is_none() && !footing.is_moving && is_local;
        if let Some(notes) = context.notes
            && is_of_frame
        {
            notes.way_back.set(Some(WayBack { is_known: true, ..back }));
        }
        Some(back)
    }

    /// The ground on which all wheels that stick stand, a bit of `stuck` for each of one or more,
    /// if it moves and its pose is known.
    fn carrier(&self, stuck: u64, context: &Context<'_>) -> Carrier {
        let ground_of = |wheels: u64| {
            let (four, lane) = place(wheels.trailing_zeros() as usize);
            self.roads.four(four).ground(lane)
        };
        let (ground, mut others) = (ground_of(stuck), stuck & (stuck - 1));
        while others != 0 {
            if ground_of(others) != ground {
                return Carrier::NONE;
            }
            others &= others - 1;
        }
        let pose = context.road.ground_pose(ground);
        pose.map_or(Carrier::NONE, |pose| Carrier { ground, pose })
    }

    /// Whether the way back by `shift` (m) and `turn` (rad) is less than the least that is in
    /// reach: that of most cars that stand.
    #[inline]
    fn is_near(&self, footing: &Footing, shift: Vec3, turn: Vec3, context: &Context<'_>) -> bool {
        let center = <Vec3x4 as Vector>::splat(footing.center);
        let mut square = Real4::zero();
        for four in 0..self.tires.fours().len() {
            square = square.at_least((self.force_points(four) - center).length_squared());
        }
        let least = LEAST_RETURN * context.params.coordinates.length_scale;
        let is_least = |square: Real| square <= least * least;
        footing.is_held == [true; 2]
            && is_least(shift.length_squared())
            && is_least(turn.length_squared() * largest(square))
    }

    /// The longest way back.
    ///
    /// ```text
    /// s = m Σ F Δt / (M r),   at least some millimeters, and some millimeters of the wheel that is farthest off
    /// ```
    ///
    /// with the largest forces `F` of the wheels that stick, the step `Δt` of the frame, the
    /// [rate](return_rate) `r` of the return and a [margin](RETURN_MARGIN) `m`. There the speed of
    /// the return takes all that friction can give. What pushes harder drags the anchor along, and
    /// what pushes less is held somewhere on the way, as on the elastic carcass of a tire.
    #[cold]
    fn longest_return(
        &self,
        center: Vec3,
        normal: Vec3,
        dt: Real,
        context: &Context<'_>,
    ) -> LongestReturn {
        let (mut along, mut across, mut turning, mut reach) = (0.0, 0.0, 0.0, 0.0);
        let center = <Vec3x4 as Vector>::splat(center);
        for four in 0..self.tires.fours().len() {
            let [sticks_along, sticks_across] = self.sticks(four);
            let load = self.load(four);
            let friction = self.friction(four) * load;
            let held = friction.at_most(self.holding_force(four));
            let lever = (self.force_points(four) - center).length();
            along += sum_where(sticks_along, held);
            across += sum_where(sticks_across, friction);
            turning += sum_where(sticks_across, friction * lever);
            reach = largest(Number::select(sticks_across, lever, Real4::zero())).max(reach);
        }
        let frame_step = context.substep.frame_step(dt);
        let per_speed = RETURN_MARGIN * frame_step / return_rate(frame_step);
        let least = LEAST_RETURN * context.params.coordinates.length_scale;
        let way = |force: Real| {
            let way = force / self.rigid_body_params.mass * per_speed;
            if 0.0 < force { way.max(least) } else { 0.0 }
        };
        // n I⁻¹ n, along the principal axes.
        let axis = rotate(self.rigid_body.pose.rotation.inverse(), normal);
        let about_normal = axis.dot(axis / self.rigid_body_params.inertia);
        let turn = turning * about_normal * per_speed;
        let turn = if 0.0 < turn { turn.max(least / reach) } else { 0.0 };
        LongestReturn { along: way(along), across: way(across), turn }
    }
}

/// The largest of `numbers`.
#[inline]
fn largest(numbers: Real4) -> Real {
    let [a, b, c, d] = numbers.to_array();
    a.max(b).max(c.max(d))
}

/// `offset` from `point` (m), zero if the coordinates of `point` cannot tell it from rounding: a
/// car far from the origin would try to return for ever, and not move.
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

impl Finite for StickyAnchor {
    #[inline]
    fn total(&self) -> Real4 {
        total_of_vectors([self.point, self.forward])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimulationParams;
    use crate::blueprint::CarBlueprint;
    use crate::math::Quat;
    use crate::road::FlatRoad;
    use crate::tire::{StickyState, TireStickyState};
    use crate::vehicle::HasMechanics;
    use crate::vehicle::test_car::TestCar;

    #[test]
    fn far_from_the_origin_small_offsets_are_rounding() {
        let far = Vec3::new(1_000.0, 0.0, 0.0);
        assert_eq!(beyond_rounding(Vec3::Z * 1e-4, far), Vec3::ZERO);
        assert_eq!(beyond_rounding(Vec3::Z * 1e-3, far), Vec3::Z * 1e-3);
        assert_eq!(beyond_rounding(Vec3::Z * 1e-4, Vec3::X), Vec3::Z * 1e-4);
    }

    #[test]
    fn however_short_the_step_tires_yield_some_millimeters() {
        let blueprint = CarBlueprint::default();
        let mut car = TestCar::new(blueprint.mechanics().unwrap());
        let height = blueprint.frame.vertical() * blueprint.center_of_mass_height;
        car.state.rigid_body.pose = Pose::from_parts(height, Quat::IDENTITY);
        let stuck = StickyState { low_speed_time: 2.0, is_active: true };
        let sticky = TireStickyState { longitudinal: stuck, lateral: stuck };
        car.state.tires.edit_all(|tire| tire.sticky = sticky);
        car.state.brake_torques.fill(1_000.0);
        let world = SimulationParams::new(blueprint.frame);
        let road = FlatRoad::new(&blueprint.frame);
        let context = Context::new(&world, &road);
        car.mechanics().road_geometry().update(&context);
        car.mechanics().suspension().update(0.01, &context);
        car.mechanics().tires().update(0.01, &context);
        let normal = blueprint.frame.vertical();
        let [long, short] = [0.02, 1e-5].map(|dt| {
            let view = car.mechanics().constraint_rows().wheels;
            let center = view.footing(view.stuck_wheels()).unwrap().center;
            view.longest_return(center, normal, dt, &context)
        });
        let reach = 0.5 * blueprint.wheel_base;
        for way in [short.along, short.across, short.turn * reach] {
            assert!((0.5 * LEAST_RETURN..=LEAST_RETURN).contains(&way), "{way} m");
        }
        assert!(short.along < long.along && short.turn < long.turn, "{} rad", long.turn);
    }
}
