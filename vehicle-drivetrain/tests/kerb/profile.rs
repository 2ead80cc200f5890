//! Roads of the runs: a polyline in the plane of the car, from left to right, the same at any
//! distance to its side.

use vehicle_core::math::{Pose, Real, Vec3};
use vehicle_core::road_geometry::{
    Obstacle, ObstacleFace, ObstacleProbe, Plane, RoadContact, RoadProbe, RoadSurface,
};

/// Where a road begins and ends (m).
const FAR: f64 = 1e3;
/// Length of the chords of a wave (m).
const CHORD: f64 = 0.05;

type Place = [f64; 2];

/// A straight piece, with its unit normal.
#[derive(Clone, Copy, Debug)]
struct Piece {
    from: Place,
    to: Place,
    normal: Place,
}

/// A road.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pieces: Vec<Piece>,
    friction: f64,
}

fn dot(a: Place, b: Place) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn minus(a: Place, b: Place) -> Place {
    [a[0] - b[0], a[1] - b[1]]
}

fn along(from: Place, direction: Place, length: f64) -> Place {
    [from[0] + direction[0] * length, from[1] + direction[1] * length]
}

impl Piece {
    fn new(from: Place, to: Place) -> Self {
        let way = minus(to, from);
        let length = dot(way, way).sqrt();
        Self { from, to, normal: [-way[1] / length, way[0] / length] }
    }

    /// Where a ray from `start` along `direction` meets its upper side.
    fn met(&self, start: Place, direction: Place) -> Option<f64> {
        let slope = dot(self.normal, direction);
        let distance = -dot(self.normal, minus(start, self.from)) / slope;
        let place = along(start, direction, distance);
        (slope < 0.0 && 0.0 <= distance && self.has(place)).then_some(distance)
    }

    /// Whether `place`, on its line, is between its ends.
    fn has(&self, place: Place) -> bool {
        let way = minus(self.to, self.from);
        let part = dot(minus(place, self.from), way);
        0.0 <= part && part <= dot(way, way)
    }
}

impl Profile {
    fn through(points: &[Place], friction: f64) -> Self {
        let pieces = points.windows(2).map(|ends| Piece::new(ends[0], ends[1])).collect();
        Self { pieces, friction }
    }

    pub(crate) fn level(friction: f64) -> Self {
        Self::through(&[[-FAR, 0.0], [FAR, 0.0]], friction)
    }

    /// A step at 0 of this `height` (m), negative downward.
    pub(crate) fn step(height: f64, friction: f64) -> Self {
        Self::through(&[[-FAR, 0.0], [0.0, 0.0], [0.0, height], [FAR, height]], friction)
    }

    /// A lath.
    pub(crate) fn lath(height: f64, width: f64, friction: f64) -> Self {
        let lath = [[0.0, 0.0], [0.0, height], [width, height], [width, 0.0]];
        Self::through(&[&[[-FAR, 0.0]], &lath[..], &[[FAR, 0.0]]].concat(), friction)
    }

    /// A wave of this length and least radius (m), up or down by `sign`.
    pub(crate) fn wave(length: f64, radius: f64, sign: f64, friction: f64) -> Self {
        let pulse = std::f64::consts::TAU / length;
        let amplitude = 2.0 / (radius * pulse * pulse);
        let height = |x: f64| sign * 0.5 * amplitude * (1.0 - (pulse * x).cos());
        let count = (length / CHORD).ceil();
        let place = |index: usize| length * (index as f64 / count).min(1.0);
        let mut points = vec![[-FAR, 0.0], [0.0, 0.0]];
        points.extend((1..=count as usize).map(|index| [place(index), height(place(index))]));
        points.push([FAR, 0.0]);
        Self::through(&points, friction)
    }

    /// Distance and piece that a ray meets first within `length` (m).
    fn first(&self, start: Place, direction: Place, length: f64) -> Option<(f64, &Piece)> {
        let met =
            self.pieces.iter().filter_map(|piece| Some((piece.met(start, direction)?, piece)));
        met.filter(|(distance, _)| *distance <= length)
            .min_by(|(one, _), (other, _)| one.total_cmp(other))
    }

    /// Where a disk of `radius` (m) that is swept meets a face in the way.
    fn face_met(&self, piece: &Piece, sweep: &Sweep) -> Option<Hit> {
        let slope = dot(piece.normal, sweep.direction);
        if !sweep.is_in_the_way(piece.normal) {
            return None;
        }
        let above = dot(piece.normal, minus(sweep.start, piece.from)) - sweep.radius;
        // Deeper than its radius, it is behind.
        if above < -sweep.radius {
            return None;
        }
        let distance = (-above / slope).max(0.0);
        let center = along(sweep.start, sweep.direction, distance);
        let reach = dot(piece.normal, minus(center, piece.from));
        let point = along(center, piece.normal, -reach);
        piece.has(point).then_some(Hit { distance, point, normal: piece.normal, is_edge: false })
    }

    /// Where it meets the edge between two pieces, if one of them is in the way.
    fn edge_met(&self, ends: &[Piece], sweep: &Sweep) -> Option<Hit> {
        let (before, behind) = (ends[0], ends[1]);
        let turn = before.normal[0] * behind.normal[1] - before.normal[1] * behind.normal[0];
        let is_steep = ends.iter().any(|piece| sweep.is_in_the_way(piece.normal));
        if 0.0 <= turn || !is_steep {
            return None;
        }
        let point = before.to;
        let to_point = minus(point, sweep.start);
        let nearest = dot(to_point, sweep.direction);
        let aside = dot(to_point, to_point) - nearest * nearest;
        let half = sweep.radius * sweep.radius - aside;
        if half < 0.0 || nearest + half.sqrt() < 0.0 {
            return None;
        }
        let distance = (nearest - half.sqrt()).max(0.0);
        let from = minus(along(sweep.start, sweep.direction, distance), point);
        let length = dot(from, from).sqrt();
        let normal = [from[0] / length, from[1] / length];
        Some(Hit { distance, point, normal, is_edge: true })
    }
}

/// A disk that is swept.
struct Sweep {
    start: Place,
    direction: Place,
    length: f64,
    radius: f64,
    probe: ObstacleProbe,
}

impl Sweep {
    fn is_in_the_way(&self, normal: Place) -> bool {
        self.probe.is_in_the_way(space(normal, 0.0))
    }
}

#[derive(Clone, Copy, Debug)]
struct Hit {
    distance: f64,
    point: Place,
    normal: Place,
    is_edge: bool,
}

fn plane_of(vector: Vec3) -> Place {
    [f64::from(vector.x), f64::from(vector.z)]
}

fn space(place: Place, side: Real) -> Vec3 {
    Vec3::new(place[0] as Real, side, place[1] as Real)
}

impl RoadSurface for Profile {
    fn probe(&self, probe: &RoadProbe) -> Option<RoadContact> {
        let travel = &probe.travel;
        let (start, direction) = (plane_of(travel.ray_start()), plane_of(travel.direction));
        let (_, piece) = self.first(start, direction, f64::from(travel.ray_length()))?;
        let offset = -dot(piece.normal, piece.from);
        let plane = Plane { normal: space(piece.normal, 0.0), offset: offset as Real };
        Some(RoadContact::new(plane, self.friction as Real))
    }

    fn has_obstacles(&self) -> bool {
        true
    }

    fn obstacle(&self, probe: &ObstacleProbe) -> Option<Obstacle> {
        let sweep = Sweep {
            start: plane_of(probe.start),
            direction: plane_of(probe.direction),
            length: f64::from(probe.length),
            radius: f64::from(probe.radius),
            probe: *probe,
        };
        let faces = self.pieces.iter().filter_map(|piece| self.face_met(piece, &sweep));
        let edges = self.pieces.windows(2).filter_map(|ends| self.edge_met(ends, &sweep));
        let hits = faces.chain(edges).filter(|hit| hit.distance <= sweep.length);
        let hit = hits.min_by(|one, other| one.distance.total_cmp(&other.distance))?;
        Some(Obstacle {
            point: space(hit.point, probe.start.y),
            normal: space(hit.normal, 0.0),
            is_edge: hit.is_edge,
            friction: self.friction as Real,
            velocity: Vec3::ZERO,
            ground: 0,
            pose: Pose::IDENTITY,
        })
    }

    fn face_between(&self, _: usize, from: Vec3, to: Vec3) -> Option<ObstacleFace> {
        let way = minus(plane_of(to), plane_of(from));
        let length = dot(way, way).sqrt();
        let direction = [way[0] / length, way[1] / length];
        let (distance, piece) = self.first(plane_of(from), direction, length)?;
        let point = space(along(plane_of(from), direction, distance), from.y);
        Some(ObstacleFace { point, normal: space(piece.normal, 0.0) })
    }
}
