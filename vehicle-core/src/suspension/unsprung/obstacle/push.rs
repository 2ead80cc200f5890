//! The push of road and obstacle on a hub in a step, as it depends on the hub's velocity at the
//! end.
//!
//! A wheel passes an edge within a step, so the push is the mean over the way of the hub:
//!
//! ```text
//! H_q = H + s_q dt y,   s_q = (q + 1/2) / 4
//! F⁺ = mean F(H_q(y_k)) - mean s_q dt K (y⁺ - y_k) - (θ - 1/2) dt mean K (y⁺ - y),   θ = 2/3
//! ```
//!
//! with the velocity `y` at the start, that of an iteration `y_k`, and the slopes `K`. With `θ` =
//! 1/2 it is Newmark's method without numerical damping; from there on no stiffness shakes it.

use arrayvec::ArrayVec;

use super::super::scalar::{Scalar, Vector3};
use super::give::{Matrix3, Yielding, add_outer, no_response};
use super::law::{BeltScalar, Pressing, TireBody};
use crate::math::lanes::Mask;
use crate::road::MAX_PIECES;
use crate::suspension::unsprung::rim::DEEPEST;

/// Places on the way of a hub within a step. On a way that is shorter than 0.01 radii, its middle
/// is enough; wheels side by side have as many as the one of the longest way.
const PLACES: usize = 4;
const SHORT_WAY: f64 = 0.01;
/// How much of the push is that of the step's end (dimensionless).
const THETA: f64 = 2.0 / 3.0;

/// A stretch of the road below a wheel: a plane `n·x + offset = 0`. Zero where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Stretch<S> {
    /// Where it ends, along the way (m).
    pub(crate) end: S,
    pub(crate) normal: Vector3<S>,
    pub(crate) offset: S,
    /// Distance from the hub to the plane that the tire just touches (m).
    pub(crate) reach: S,
}

/// What is around a hub.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Surroundings<S: Scalar> {
    /// The road, stretch by stretch; none in the air.
    pub(crate) road: ArrayVec<Stretch<S>, MAX_PIECES>,
    /// Unit vector along which stretches follow each other.
    pub(crate) along: Vector3<S>,
    /// Velocity of the road (m/s).
    pub(crate) road_velocity: Vector3<S>,
    /// A point of the obstacle (m), and the normal of its face.
    pub(crate) point: Vector3<S>,
    pub(crate) normal: Vector3<S>,
    pub(crate) is_edge: S::Mask,
    /// Velocity of the obstacle (m/s).
    pub(crate) velocity: Vector3<S>,
    /// Whether there is one.
    pub(crate) has_obstacle: S::Mask,
    /// Change of the obstacle's velocity per impulse on it (1/kg), if one gives way.
    pub(crate) response: Option<Matrix3<S>>,
}

/// A tire as it is pressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PressedTire<S> {
    pub(crate) body: TireBody<S>,
    /// Damping rate (N·s/m), and what an obstacle adds to it that gives way.
    pub(crate) damping: S,
    pub(crate) added_damping: S,
    /// Radius of the wheel (m).
    pub(crate) radius: S,
}

/// Push on a hub as `force - response Δy`, with the change `Δy` of its velocity in the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Push<S> {
    /// (N)
    pub(crate) force: Vector3<S>,
    /// (N·s/m)
    pub(crate) response: Matrix3<S>,
    /// Parts of road and obstacle along their normals (N), and how these answer (N·s/m).
    pub(crate) loads: [S; 2],
    pub(crate) responses: [Vector3<S>; 2],
    /// Mean direction and mean depth of the obstacle (m).
    pub(crate) obstacle_normal: Vector3<S>,
    pub(crate) depth: S,
    /// What obstacles that give way change of it.
    pub(crate) by_obstacle: Option<Yielding<S>>,
}

impl<S: Scalar> Push<S> {
    /// Nothing.
    #[inline]
    pub(crate) fn none() -> Self {
        let zero = S::of(0.0);
        Self {
            force: Vector3::zero(),
            response: no_response(),
            loads: [zero; 2],
            responses: [Vector3::zero(); 2],
            obstacle_normal: Vector3::zero(),
            depth: zero,
            by_obstacle: None,
        }
    }
}

impl<S: Scalar> Surroundings<S> {
    /// How the road presses a tire whose hub is at `hub` (m), and moves at `velocity` from the
    /// road's point of view (m/s).
    #[inline]
    pub(crate) fn road_at(&self, hub: &Vector3<S>, velocity: &Vector3<S>) -> Pressing<S> {
        let mut stretches = self.road.iter().rev();
        let Some(mut here) = stretches.next().copied() else { return Pressing::default() };
        if 1 < self.road.len() {
            let place = self.along.dot(hub);
            for stretch in stretches {
                here = stretch.or(here, place);
            }
        }
        Pressing {
            depth: here.reach - here.normal.dot(hub) - here.offset,
            speed: -here.normal.dot(velocity),
            normal: here.normal,
        }
    }

    /// How the obstacle presses a tire of this `radius` (m), whose hub moves at `velocity` from its
    /// point of view (m/s).
    #[inline]
    pub(crate) fn obstacle_at(
        &self,
        hub: &Vector3<S>,
        velocity: &Vector3<S>,
        radius: S,
    ) -> Pressing<S> {
        let from = *hub - self.point;
        let (mut distance, mut normal) = (self.normal.dot(&from), self.normal);
        if self.is_edge.any() {
            let (length, out) = from.length_and_unit();
            distance = S::choose(self.is_edge, length, distance);
            normal = out.or_where_false(self.is_edge, &normal);
        }
        Pressing {
            depth: (radius - distance).where_true(self.has_obstacle),
            speed: -normal.dot(velocity).where_true(self.has_obstacle),
            normal: normal.where_true(self.has_obstacle),
        }
    }
}

impl<S: Scalar> Stretch<S> {
    /// This stretch where the `place` (m) is before its end, the `next` one elsewhere.
    #[inline]
    fn or(&self, next: Self, place: S) -> Self {
        let is_here = place.is_less(self.end);
        Self {
            end: next.end,
            normal: self.normal.or_where_false(is_here, &next.normal),
            offset: S::choose(is_here, self.offset, next.offset),
            reach: S::choose(is_here, self.reach, next.reach),
        }
    }
}

impl<S: BeltScalar> PressedTire<S> {
    /// Pressings where road and obstacle see the hub at these places (m), at these velocities
    /// (m/s).
    #[inline]
    fn at(
        &self,
        [at_road, at_obstacle]: [&Vector3<S>; 2],
        [from_road, from_obstacle]: [&Vector3<S>; 2],
        around: &Surroundings<S>,
    ) -> [Pressing<S>; 2] {
        let most = S::of(DEEPEST) * self.radius;
        let capped = |pressing: Pressing<S>| Pressing {
            depth: S::choose(most.is_less(pressing.depth), most, pressing.depth),
            ..pressing
        };
        let road = capped(around.road_at(at_road, from_road));
        [road, capped(around.obstacle_at(at_obstacle, from_obstacle, self.radius))]
    }

    /// The push on a hub at `hub` (m) with the velocity `start` (m/s) in a step of `dt` (s). In
    /// this iteration, the hub moves at `velocity` (m/s), and the obstacle's velocity changes by
    /// `given` (m/s). Hubs count that `are_there`.
    #[inline]
    pub(crate) fn push(
        &self,
        hub: &Vector3<S>,
        [start, velocity, given]: [&Vector3<S>; 3],
        around: &Surroundings<S>,
        (dt, are_there): (S, S::Mask),
    ) -> Push<S> {
        // Ground that moves comes to the hub: seen from it, the hub goes by so much less.
        let from_road = *velocity - around.road_velocity;
        let from_obstacle = *velocity - around.velocity - *given;
        let way = from_road.length().larger(from_obstacle.length()) * dt;
        let is_long = !way.is_less(S::of(SHORT_WAY) * self.radius);
        let places = if (is_long & are_there).any() { PLACES } else { 1 };
        let part = 1.0 / places as f64;
        let mut push = Push::none();
        if around.response.is_some() {
            push.by_obstacle = Some(Yielding::none());
        }
        let mut mean = Vector3::zero();
        let moved = *velocity - *start;
        let moved = [moved, moved - *given];
        for number in 0..places {
            let time = S::of((number as f64 + 0.5) * part) * dt;
            let at_road = *hub + from_road * time;
            let at_obstacle = *hub + from_obstacle * time;
            let speeds = [&from_road, &from_obstacle];
            let pressings = self.at([&at_road, &at_obstacle], speeds, around);
            let times = [S::of(part), time, dt];
            let load = self.add(&mut push, &pressings, around.is_edge, speeds, &moved, times);
            let [_, obstacle] = &pressings;
            mean = mean + obstacle.normal * load;
            push.depth = push.depth + S::of(part) * obstacle.depth.larger(S::of(0.0));
        }
        let (length, direction) = mean.length_and_unit();
        let has_direction = S::of(0.0).is_less(length);
        let nowhere = || around.obstacle_at(hub, &from_obstacle, self.radius).normal;
        push.obstacle_normal = if (!has_direction).any() {
            direction.or_where_false(has_direction, &nowhere())
        } else {
            direction
        };
        push
    }

    /// Adds the push at one of the places, `time` (s) after the start, `moved` from the start's
    /// velocity (m/s) as the road and as the obstacle see it. Returns the obstacle's load there
    /// (N).
    #[inline]
    fn add(
        &self,
        push: &mut Push<S>,
        [road, obstacle]: &[Pressing<S>; 2],
        is_edge: S::Mask,
        speeds: [&Vector3<S>; 2],
        moved: &[Vector3<S>; 2],
        [part, time, dt]: [S; 3],
    ) -> S {
        let loads = self.body.shared(road, obstacle, is_edge);
        let rows = [road.normal, obstacle.normal];
        let moved = [0, 1].map(|row| rows[row].dot(&moved[row]));
        // By the velocity of the iteration, and by that of the end.
        let (at_way, at_end) = (part * time, part * (time + S::of(THETA - 0.5) * dt));
        let damping = [self.damping, self.damping + self.added_damping];
        let forces = [loads.road, loads.obstacle];
        for row in 0..2 {
            let (other, slope) = (1 - row, loads.slopes[row]);
            let damping = (part * damping[row]).where_true(S::of(0.0).is_less(forces[row]));
            // The velocity of the iteration less its change is that of the start.
            let start = rows[row].dot(speeds[row]) - moved[row];
            let by_way = slope * moved[row] + loads.beside * moved[other];
            let force = part * forces[row] + at_way * by_way - damping * start;
            let beside = rows[other] * (loads.beside * at_end);
            let response = rows[row] * (slope * at_end + damping) + beside;
            if let Some(by_obstacle) = &mut push.by_obstacle {
                let by_speed = if row == 0 { beside } else { rows[1] * (slope * at_end + damping) };
                by_obstacle.add(&rows, row, force, &by_speed);
            }
            push.force = push.force + rows[row] * force;
            add_outer(&mut push.response, &rows[row], &response);
            push.loads[row] = push.loads[row] + force;
            push.responses[row] = push.responses[row] + response;
        }
        loads.obstacle
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::laws::{DampedStop, Stop};
    use super::super::law::{NO_RIM, NO_TREAD};
    use super::*;
    use crate::math::lanes::{Lanes, Mask4, Real4};

    /// A free body at an edge in steps of 1/180 s; its velocity after these iterations.
    fn velocity_after(iterations: usize, first: &mut [f64; 2]) -> Vector3<f64> {
        let (mass, dt, hub, start) =
            (400.0, 1.0 / 180.0, Vector3([0.0, 0.0, 0.3]), Vector3([10.0, 0.0, 0.0]));
        let tire = PressedTire {
            body: TireBody { stiffness: 200e3, rim: [NO_RIM; 2], tread: NO_TREAD },
            damping: 0.0,
            added_damping: 0.0,
            radius: 0.3,
        };
        let around = Surroundings {
            road: ArrayVec::new(),
            along: Vector3([1.0, 0.0, 0.0]),
            road_velocity: Vector3::zero(),
            point: Vector3([0.22, 0.0, 0.12]),
            normal: Vector3::zero(),
            is_edge: true,
            velocity: Vector3::zero(),
            has_obstacle: true,
            response: None,
        };
        let mut velocity = start;
        for iteration in 0..iterations {
            let push = tire.push(&hub, [&start, &velocity, &Vector3::zero()], &around, (dt, true));
            if iteration == 0 {
                *first = [push.force.0[0], push.force.0[2]];
            }
            // (m + dt C) Δ = dt F, in the plane.
            let [[a, _, b], _, [c, _, d]] = push.response.map(|row| (row * dt).0);
            let (a, d) = (a + mass, d + mass);
            let [f, _, g] = (push.force * dt).0;
            let determinant = a * d - b * c;
            let change =
                Vector3([(f * d - b * g) / determinant, 0.0, (a * g - c * f) / determinant]);
            velocity = start + change;
        }
        velocity
    }

    #[test]
    fn push_is_the_mean_over_the_way_past_an_edge() {
        let mut first = [0.0; 2];
        let one = velocity_after(1, &mut first);
        assert!((first[0] + 3_566.304_4).abs() < 1e-4, "{first:?}");
        assert!((first[1] - 3_436.415_1).abs() < 1e-4, "{first:?}");
        assert!((one.0[0] - 9.950_810_170_6).abs() < 1e-9, "{one:?}");
        assert!((one.0[2] - 0.047_395_356_8).abs() < 1e-9, "{one:?}");
        let three = velocity_after(3, &mut first);
        assert!((three.0[0] - 9.950_809_354_4).abs() < 1e-9, "{three:?}");
        assert!((three.0[2] - 0.047_394_616_8).abs() < 1e-9, "{three:?}");
    }

    /// The push on a wheel at an edge above a level road, and on one at its face beside it.
    fn push_beside<S: BeltScalar>(is_edge: S::Mask) -> Push<S> {
        let vector = |numbers: [f64; 3]| Vector3(numbers.map(S::of));
        let [level, back] = [[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]].map(vector);
        let is_true = S::of(0.0).is_less(S::of(1.0));
        let spring = Stop { edge: S::of(0.03), stiffness: S::of(1e6) };
        let rim = [DampedStop { spring, damping_time: S::of(0.01) }; 2];
        let tire = PressedTire {
            body: TireBody::new(S::of(200e3), rim, S::of(4e3)),
            damping: S::of(300.0),
            added_damping: S::of(0.0),
            radius: S::of(0.3),
        };
        let mut road = ArrayVec::new();
        for (end, offset) in [(0.0, 0.0), (f64::INFINITY, -0.05)] {
            let (offset, reach) = (S::of(offset), S::of(0.3));
            road.push(Stretch { end: S::of(end), normal: level, offset, reach });
        }
        let around = Surroundings {
            road,
            along: back * S::of(-1.0),
            road_velocity: Vector3::zero(),
            point: vector([0.25, 0.02, 0.12]),
            normal: back,
            is_edge,
            velocity: vector([0.0, 0.0, 0.1]),
            has_obstacle: is_true,
            response: None,
        };
        let (hub, start) = (vector([-0.01, 0.0, 0.265]), vector([2.0, 0.1, -0.5]));
        let velocities = [&start, &(start + level * S::of(0.3)), &Vector3::zero()];
        tire.push(&hub, velocities, &around, (S::of(1.0 / 180.0), is_true))
    }

    #[test]
    fn wheels_side_by_side_are_pushed_as_each_alone() {
        let lanes = push_beside::<Real4>(Mask4::from_lanes(|lane| lane % 2 == 0));
        for lane in 0..4 {
            let alone = push_beside::<f64>(lane % 2 == 0);
            let numbers = |vector: &Vector3<Real4>| {
                Vector3(vector.0.map(|number| f64::from(Lanes::lane(&number, lane))))
            };
            let pairs = [(lanes.force, alone.force), (lanes.responses[1], alone.responses[1])];
            for (found, expected) in pairs {
                let error = (numbers(&found) - expected).length() / expected.length();
                assert!(error < 1e-4, "{lane}: {found:?}, {expected:?}");
            }
            assert!(0.0 < alone.loads[0] && 0.0 < alone.loads[1], "{alone:?}");
        }
    }
}
