//! Stretches of the road of a wheel at an obstacle: which plane is below it, place by place.
//!
//! A step is no slope. Two looks that see planes which miss each other's places are on both sides
//! of an edge: one plane lies before it, and the other one behind.

use arrayvec::ArrayVec;

use super::{FourPaths, LEAST_SLOPE, MAX_LOOKS, SAME_PLANE};
use crate::math::lanes::{Lanes, Mask, Mask4, Number, Real4, Vec3x4, Vector};
use crate::math::{Real, Vec3, normalize_or_zero};
use crate::mount::RoadWheel;
use crate::plane::Plane;
use crate::road::Obstacle;

/// Most stretches within a frame.
pub(crate) const MAX_PIECES: usize = 2 * MAX_LOOKS;

/// How far planes miss each other's places beyond which an edge is between them, in radii of the
/// wheel (dimensionless).
pub(crate) const EDGE_HEIGHT: Real = 0.05;

/// Height of a step whose top is no road for a wheel that is at its face, in radii of the wheel
/// (dimensionless). It is far above the hub, also where the tire is pressed flat.
const HIGH: Real = 1.25;

/// A plane below a wheel, up to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RoadStretch {
    /// Where it ends, along the way (m).
    pub(crate) end: Real,
    pub(crate) plane: Plane,
    /// Distance from the hub to the plane where the tire just touches it (m).
    pub(crate) reach: Real,
}

/// The stretches of a wheel's way in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RoadStretches {
    /// Unit vector along the way.
    pub(crate) along: Vec3,
    pub(crate) list: ArrayVec<RoadStretch, MAX_PIECES>,
}

impl RoadStretches {
    /// One plane, with the `reach` of the wheel (m).
    pub(crate) fn of_plane(plane: Plane, reach: Real) -> Self {
        let mut list = ArrayVec::new();
        list.push(RoadStretch { end: Real::INFINITY, plane, reach });
        Self { along: Vec3::ZERO, list }
    }

    /// The plane at a `place` (m).
    pub(crate) fn at(&self, place: Vec3) -> Option<&RoadStretch> {
        let place = self.along.dot(place);
        self.list.iter().find(|stretch| place < stretch.end).or(self.list.last())
    }
}

/// Two looks one after the other.
pub(crate) struct LookPair {
    /// What they see.
    pub(crate) planes: [Plane; 2],
    /// Centers of the wheel as it touches that (m).
    pub(crate) centers: [Vec3; 2],
    /// How far the second center is above both planes, seen from the first (m).
    pub(crate) rises: [Real; 2],
}

impl LookPair {
    /// Whether an edge is between them for a wheel of this `radius` (m): up, down, or none.
    pub(crate) fn edge(&self, radius: Real) -> Option<EdgeKind> {
        let least = EDGE_HEIGHT * radius;
        if self.rises.iter().all(|&rise| least < rise) {
            Some(EdgeKind::Up)
        } else if self.rises.iter().all(|&rise| rise < -least) {
            Some(EdgeKind::Down)
        } else {
            None
        }
    }
}

/// The plane that both of two looks see, or the only one of them that sees any.
fn only_plane([before, behind]: [Plane; 2]) -> Option<Plane> {
    let is_same =
        before.normal == behind.normal && (before.offset - behind.offset).abs() <= SAME_PLANE;
    if is_same || before.normal == Vec3::ZERO {
        Some(behind)
    } else {
        (behind.normal == Vec3::ZERO).then_some(before)
    }
}

/// Which way an edge leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeKind {
    Up,
    Down,
}

impl FourPaths {
    /// The look of this number and the next one, of the wheel in `lane`.
    pub(crate) fn pair(&self, look: usize, lane: usize, shape: &RoadWheel<Real4>) -> LookPair {
        let center = |look: usize| {
            let part: Real4 = Number::splat(look as Real / self.looks.max(1) as Real);
            let place = self.start + self.across * part;
            self.touch.center_on(shape, place, &self.planes[look]).lane(lane)
        };
        let planes = [look, look + 1].map(|look| self.planes[look].lane(lane));
        let centers = [look, look + 1].map(center);
        let rises = planes.map(|plane| plane.normal.dot(centers[1] - centers[0]));
        LookPair { planes, centers, rises }
    }

    /// The planes below the wheels in the lanes `asked`, and the wheels' reach (m): if each of
    /// these sees a single plane on all of its way.
    ///
    /// Wheels of this `shape` are on roads that move at `velocity` (m/s), `elapsed` (s) after the
    /// frame has begun.
    pub(crate) fn single_planes(
        &self,
        asked: Mask4,
        shape: &RoadWheel<Real4>,
        velocity: Vec3x4,
        elapsed: Real,
    ) -> Option<(Plane<Vec3x4>, Real4)> {
        let (last, others) = self.planes.get(..=self.looks)?.split_last()?;
        let most: Real4 = Number::splat(SAME_PLANE);
        let is_other = others.iter().fold(Mask4::default(), |is_other, plane| {
            let ([x, y, z], [a, b, c]) = (plane.normal.components(), last.normal.components());
            let is_same = x.is_equal(a) & y.is_equal(b) & z.is_equal(c);
            is_other | !(is_same & (plane.offset - last.offset).abs().is_at_most(most))
        });
        if others.is_empty() || (is_other & asked).any() {
            return None;
        }
        let offset = last.advanced_offset(velocity, elapsed);
        Some((Plane { offset, ..*last }, self.touch.reach(shape, last.normal)))
    }

    /// The stretches of the wheel in `lane`, of this `shape`, at an `obstacle`, on a road that
    /// moves at `velocity` (m/s), `elapsed` (s) after the frame has begun.
    pub(crate) fn stretches(
        &self,
        lane: usize,
        shape: &RoadWheel<Real4>,
        obstacle: Option<&Obstacle>,
        velocity: Vec3,
        elapsed: Real,
    ) -> RoadStretches {
        let along = normalize_or_zero(self.across.lane(lane));
        let mut stretches = RoadStretches { along, list: ArrayVec::new() };
        let reach = |normal: Vec3| self.touch.reach(shape, Vec3x4::splat(normal)).lane(lane);
        let start = along.dot(self.start.lane(lane));
        let way = self.across.lane(lane).length();
        let step = obstacle.map(|obstacle| along.dot(obstacle.point - obstacle.velocity * elapsed));
        let moved = along.dot(velocity) * elapsed;
        let mut add = |end: Real, plane: Plane| {
            let offset = plane.advanced_offset(velocity, elapsed);
            let plane = Plane { offset, ..plane };
            let stretch = RoadStretch { end: end + moved, plane, reach: reach(plane.normal) };
            let _full = stretches.list.try_push(stretch);
        };
        for look in 0..self.looks {
            let place = |look: usize| start + way * (look as Real / self.looks as Real);
            let ends = [place(look), place(look + 1)];
            let planes = [look, look + 1].map(|look| self.planes[look].lane(lane));
            // Most of the time it is a single one: where a wheel touches it is not asked.
            if let Some(plane) = only_plane(planes) {
                add(ends[1], plane);
                continue;
            }
            let ([before, behind], pair) = (planes, self.pair(look, lane, shape));
            let Some(edge) = pair.edge(shape.radius.lane(lane)) else {
                add(ends[1], self.chord_of(&pair, lane, reach));
                continue;
            };
            let is_high = HIGH * shape.radius.lane(lane) < pair.rises[0];
            let is_at_face = obstacle.is_some_and(|obstacle| !obstacle.is_edge);
            if edge == EdgeKind::Up && is_high && is_at_face {
                add(ends[1], before);
                break;
            }
            let unknown = match edge {
                EdgeKind::Up => ends[1],
                EdgeKind::Down => 0.5 * (ends[0] + ends[1]),
            };
            let step = step.filter(|&step| ends[0] <= step || edge == EdgeKind::Up);
            add(step.unwrap_or(unknown), before);
            add(ends[1], behind);
        }
        stretches
    }

    /// The plane that leads from one look to the other, touched by a wheel of this `reach`; the
    /// second one's where that is a wall.
    fn chord_of(&self, pair: &LookPair, lane: usize, reach: impl Fn(Vec3) -> Real) -> Plane {
        let LookPair { planes: [before, behind], centers: [from, to], .. } = pair;
        let (way, mean) = (*to - *from, before.normal + behind.normal);
        let square = way.length_squared();
        if square <= 0.0 {
            return *behind;
        }
        let normal = normalize_or_zero(mean - way * (mean.dot(way) / square));
        if -normal.dot(self.touch.direction.lane(lane)) < LEAST_SLOPE as Real {
            return *behind;
        }
        Plane { normal, offset: reach(normal) - normal.dot(*from) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Touch;
    use super::*;
    use crate::math::Pose;

    const RADIUS: Real = 0.3;

    /// A wheel that goes 0.4 m along x, from the `heights` of its first road to those at its looks
    /// (m).
    fn paths(heights: [Real; 3]) -> (FourPaths, RoadWheel<Real4>) {
        let plane =
            |height: Real| Plane { normal: Vec3x4::splat(Vec3::Z), offset: Number::splat(-height) };
        let mut paths = FourPaths {
            looks: 2,
            start: Vec3x4::splat(Vec3::Z * 0.6),
            across: Vec3x4::splat(Vec3::X * 0.4),
            touch: Touch { direction: Vec3x4::splat(Vec3::NEG_Z), ..Touch::default() },
            ..FourPaths::default()
        };
        for (look, height) in heights.into_iter().enumerate() {
            paths.planes[look] = plane(height);
        }
        let shape = RoadWheel { radius: Number::splat(RADIUS), ..RoadWheel::default() };
        (paths, shape)
    }

    fn edge(place: Vec3) -> Obstacle {
        Obstacle {
            point: place,
            normal: Vec3::Z,
            is_edge: true,
            friction: 1.0,
            velocity: Vec3::ZERO,
            ground: 0,
            pose: Pose::IDENTITY,
        }
    }

    #[test]
    fn a_step_parts_the_road_at_its_edge() {
        for (heights, place, levels) in [
            ([0.0, 0.1, 0.1], 0.15, [0.0, 0.1]),
            ([0.0, 0.0, 0.1], 0.25, [0.0, 0.1]),
            ([0.1, 0.0, 0.0], 0.05, [0.1, 0.0]),
        ] {
            let (paths, shape) = paths(heights);
            let edge = edge(Vec3::new(place, 0.0, 0.1));
            let stretches = paths.stretches(1, &shape, Some(&edge), Vec3::ZERO, 0.0);
            for (x, level) in [(place - 0.01, levels[0]), (place + 0.01, levels[1])] {
                let stretch = stretches.at(Vec3::X * x).expect("a road");
                let height = -stretch.plane.offset;
                assert!((height - level).abs() < 1e-6, "{heights:?} at {x}: {stretch:?}");
                assert!((stretch.reach - RADIUS).abs() < 1e-6, "{stretch:?}");
            }
        }
    }

    #[test]
    fn a_single_plane_is_found_in_all_lanes_at_once() {
        let (level, shape) = paths([0.1; 3]);
        let velocity = Vec3::new(0.0, 0.0, 2.0);
        let all = Mask4::from_lanes(|_| true);
        let single = |paths: &FourPaths, asked| {
            paths.single_planes(asked, &shape, Vec3x4::splat(velocity), 0.05)
        };
        let (plane, reach) = single(&level, all).expect("one plane");
        let stretches = level.stretches(2, &shape, None, velocity, 0.05);
        let stretch = stretches.list.last().expect("a road");
        assert_eq!((plane.lane(2), reach.lane(2)), (stretch.plane, stretch.reach));
        let (mut step, _) = paths([0.0; 3]);
        let raised = Plane { normal: Vec3::Z, offset: -0.1 };
        step.planes[2].set_lane(1, raised);
        assert!(single(&step, all).is_none());
        assert!(single(&step, Mask4::from_lanes(|lane| lane != 1)).is_some());
    }

    #[test]
    fn a_slope_is_a_chord() {
        let (paths, shape) = paths([0.0, 0.01, 0.01]);
        let stretches = paths.stretches(0, &shape, None, Vec3::ZERO, 0.0);
        let stretch = stretches.at(Vec3::X * 0.1).expect("a road");
        let slope = -stretch.plane.normal.x / stretch.plane.normal.z;
        assert!((slope - 0.05).abs() < 1e-3, "{stretch:?}");
    }

    #[test]
    fn stretches_move_with_their_ground() {
        let (paths, shape) = paths([0.0, 0.1, 0.1]);
        let velocity = Vec3::new(2.0, 0.0, 1.0);
        let moved = Obstacle { velocity, ..edge(Vec3::new(0.15 + 0.2, 0.0, 0.1 + 0.1)) };
        let stretches = paths.stretches(0, &shape, Some(&moved), velocity, 0.1);
        for (x, level) in [(0.34, 0.1), (0.36, 0.2)] {
            let stretch = stretches.at(Vec3::X * x).expect("a road");
            assert!((-stretch.plane.offset - level).abs() < 1e-6, "{x}: {stretch:?}");
        }
    }
}
