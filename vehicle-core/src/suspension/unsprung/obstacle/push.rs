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

use super::super::scalar::Vector3;
use super::give::{Matrix3, NO_RESPONSE, Yielding, add_outer};
use super::law::{ObstacleKind, Pressing, SharedLoads, TireBody};
use crate::road::MAX_PIECES;
use crate::suspension::unsprung::rim::DEEPEST;

/// Places on the way of a hub within a step. On a way that is shorter than 0.01 radii, its middle
/// is enough.
const PLACES: usize = 4;
const SHORT_WAY: f64 = 0.01;
/// How much of the push is that of the step's end (dimensionless).
const THETA: f64 = 2.0 / 3.0;

/// A stretch of the road below a wheel: a plane `n·x + offset = 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    /// Where it ends, along the way (m).
    pub(crate) end: f64,
    pub(crate) normal: Vector3<f64>,
    pub(crate) offset: f64,
    /// Distance from the hub to the plane that the tire just touches (m).
    pub(crate) reach: f64,
}

/// What is around a hub.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Surroundings {
    /// The road, stretch by stretch; none in the air.
    pub(crate) road: ArrayVec<Stretch, MAX_PIECES>,
    /// Unit vector along which stretches follow each other.
    pub(crate) along: Vector3<f64>,
    /// Velocity of the road (m/s).
    pub(crate) road_velocity: Vector3<f64>,
    /// A point of the obstacle (m), and the normal of its face.
    pub(crate) point: Vector3<f64>,
    pub(crate) normal: Vector3<f64>,
    pub(crate) kind: ObstacleKind,
    /// Velocity of the obstacle (m/s).
    pub(crate) velocity: Vector3<f64>,
    /// Whether there is one.
    pub(crate) has_obstacle: bool,
    /// Change of the obstacle's velocity per impulse on it (1/kg); zero if it does not give way.
    pub(crate) response: Matrix3,
}

/// A tire as it is pressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PressedTire {
    pub(crate) body: TireBody,
    /// Damping rate (N·s/m), and what an obstacle adds to it that gives way.
    pub(crate) damping: f64,
    pub(crate) added_damping: f64,
    /// Radius of the wheel (m).
    pub(crate) radius: f64,
}

/// Push on a hub as `force - response Δy`, with the change `Δy` of its velocity in the step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Push {
    /// (N)
    pub(crate) force: Vector3<f64>,
    /// (N·s/m)
    pub(crate) response: Matrix3,
    /// The road's part of it along its normal (N), and how that answers (N·s/m).
    pub(crate) road_load: f64,
    pub(crate) road_response: Vector3<f64>,
    /// The obstacle's part (N), its mean direction and its mean depth (m).
    pub(crate) obstacle_load: f64,
    pub(crate) obstacle_response: Vector3<f64>,
    pub(crate) obstacle_normal: Vector3<f64>,
    pub(crate) depth: f64,
    /// What an obstacle that gives way changes of it.
    pub(crate) by_obstacle: Yielding,
}

impl Surroundings {
    /// Whether the obstacle gives way.
    #[inline]
    pub(crate) fn gives_way(&self) -> bool {
        self.response != NO_RESPONSE
    }

    /// How the road presses a tire whose hub is at `hub` (m), and moves at `velocity` from the
    /// road's point of view (m/s).
    pub(crate) fn road_at(&self, hub: &Vector3<f64>, velocity: &Vector3<f64>) -> Pressing {
        let place = self.along.dot(hub);
        let mut stretches = self.road.iter();
        let here = stretches.find(|stretch| place < stretch.end).or(self.road.last());
        here.map_or(Pressing::default(), |stretch| Pressing {
            depth: stretch.reach - stretch.normal.dot(hub) - stretch.offset,
            speed: -stretch.normal.dot(velocity),
            normal: stretch.normal,
        })
    }

    /// How the obstacle presses a tire of this `radius` (m), whose hub moves at `velocity` from its
    /// point of view (m/s).
    pub(crate) fn obstacle_at(
        &self,
        hub: &Vector3<f64>,
        velocity: &Vector3<f64>,
        radius: f64,
    ) -> Pressing {
        if !self.has_obstacle {
            return Pressing::default();
        }
        let from = *hub - self.point;
        let (distance, normal) = match self.kind {
            ObstacleKind::Face => (self.normal.dot(&from), self.normal),
            ObstacleKind::Edge => (from.length(), from.unit()),
        };
        Pressing { depth: radius - distance, speed: -normal.dot(velocity), normal }
    }
}

/// Loads at one place with their normals, and how they answer to the hub's velocity by damping.
struct Place {
    road: Pressing,
    obstacle: Pressing,
    loads: SharedLoads,
    gives_way: bool,
}

impl PressedTire {
    /// Loads where road and obstacle see the hub at these places (m), at these velocities (m/s).
    fn at(
        &self,
        [at_road, at_obstacle]: [&Vector3<f64>; 2],
        [from_road, from_obstacle]: [&Vector3<f64>; 2],
        around: &Surroundings,
    ) -> Place {
        let capped = |pressing: Pressing| Pressing {
            depth: pressing.depth.min(DEEPEST * self.radius),
            ..pressing
        };
        let road = capped(around.road_at(at_road, from_road));
        let obstacle = capped(around.obstacle_at(at_obstacle, from_obstacle, self.radius));
        let loads = self.body.shared(&road, &obstacle, around.kind);
        Place { road, obstacle, loads, gives_way: around.gives_way() }
    }

    /// The push on a hub at `hub` (m) with the velocity `start` (m/s) in a step of `dt` (s). In
    /// this iteration, the hub moves at `velocity` (m/s), and the obstacle's velocity changes by
    /// `given` (m/s).
    pub(crate) fn push(
        &self,
        hub: &Vector3<f64>,
        [start, velocity, given]: [&Vector3<f64>; 3],
        around: &Surroundings,
        dt: f64,
    ) -> Push {
        // Ground that moves comes to the hub: seen from it, the hub goes by so much less.
        let from_road = *velocity - around.road_velocity;
        let from_obstacle = *velocity - around.velocity - *given;
        let way = from_road.length().max(from_obstacle.length()) * dt;
        let places = if way < SHORT_WAY * self.radius { 1 } else { PLACES };
        let part = 1.0 / places as f64;
        let mut push = Push::default();
        let mut mean = Vector3::zero();
        for number in 0..places {
            let time = (number as f64 + 0.5) * part * dt;
            let at_road = *hub + from_road * time;
            let at_obstacle = *hub + from_obstacle * time;
            let place = self.at([&at_road, &at_obstacle], [&from_road, &from_obstacle], around);
            let moved = *velocity - *start;
            let moved = [moved, moved - *given];
            self.add(&mut push, &place, [&from_road, &from_obstacle], &moved, [part, time, dt]);
            mean = mean + place.obstacle.normal * place.loads.obstacle;
            push.depth += part * place.obstacle.depth.max(0.0);
        }
        push.obstacle_normal = mean.unit();
        if push.obstacle_normal == Vector3::zero() {
            push.obstacle_normal = around.obstacle_at(hub, &from_obstacle, self.radius).normal;
        }
        push
    }

    /// Adds the push at one of the places, `time` (s) after the start, `moved` from the start's
    /// velocity (m/s) as the road and as the obstacle see it.
    fn add(
        &self,
        push: &mut Push,
        place: &Place,
        [from_road, from_obstacle]: [&Vector3<f64>; 2],
        moved: &[Vector3<f64>; 2],
        [part, time, dt]: [f64; 3],
    ) {
        let Place { road, obstacle, loads, gives_way } = place;
        let rows = [road.normal, obstacle.normal];
        let slopes = &loads.slopes;
        // By the velocity of the iteration, and by that of the end.
        let (at_way, at_end) = (part * time, part * (time + (THETA - 0.5) * dt));
        let damping = [self.damping, self.damping + self.added_damping].map(|it| part * it);
        let pushing = [0.0 < loads.road, 0.0 < loads.obstacle];
        let speeds = [from_road, from_obstacle];
        for (row, load) in [loads.road, loads.obstacle].into_iter().enumerate() {
            let mut response = Vector3::zero();
            let mut by_way = 0.0;
            let mut by_obstacle = Vector3::zero();
            for (column, normal) in rows.iter().enumerate() {
                let slope = *normal * (slopes[row][column] * at_end);
                response = response + slope;
                by_way += (*normal * (slopes[row][column] * at_way)).dot(&moved[column]);
                by_obstacle = slope;
            }
            let mut force = part * load + by_way;
            if pushing[row] {
                // The velocity of the iteration less its change is that of the start.
                let start = rows[row].dot(speeds[row]) - rows[row].dot(&moved[row]);
                force -= damping[row] * start;
                response = response + rows[row] * damping[row];
                by_obstacle = by_obstacle + rows[row] * (damping[row] * row as f64);
            }
            if *gives_way {
                push.by_obstacle.add(&rows, row, force, &by_obstacle);
            }
            push.force = push.force + rows[row] * force;
            add_outer(&mut push.response, 1.0, &rows[row], &response);
            if row == 0 {
                push.road_load += force;
                push.road_response = push.road_response + response;
            } else {
                push.obstacle_load += force;
                push.obstacle_response = push.obstacle_response + response;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::law::{NO_RIM, NO_TREAD};
    use super::*;

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
            kind: ObstacleKind::Edge,
            velocity: Vector3::zero(),
            has_obstacle: true,
            response: NO_RESPONSE,
        };
        let mut velocity = start;
        for iteration in 0..iterations {
            let push = tire.push(&hub, [&start, &velocity, &Vector3::zero()], &around, dt);
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
}
