//! The way of a wheel over its road within a frame: where it touches the road, one place after the
//! other.
//!
//! A plane of the place where a wheel stands knows nothing of the bump before it, and one that has
//! been found at the end of the frame jumps there. So a wheel with mass looks ahead, and between
//! two places that it touches rides on the *chord*: the plane that leads from one to the other. It
//! has no jump, rises as much as the road does, and does not reach beyond what has been seen.
//!
//! What a frame leaves to the next one is the plane on which a wheel stands, and no more. Up what
//! is too steep to stand on, a wheel is led at the steepest slope on which a suspension can stand.
//! To rays, the edge of a kerb is a wall in any step that is short enough.

mod edges;
mod stretches;

use super::hub::HubPlaces;
use super::{RoadContact, RoadContacts, RoadLanes, WheelObstacle};
use crate::WheelList;
use crate::body::RigidBodyState;
use crate::frame::CoordinateSystem;
use crate::math::lanes::{Lanes, MAX_LANES, Mask4, Number, Real4, RigidPose, Vec3x4, Vector};
use crate::math::{Real, Vec3};
use crate::mount::{ContactShape, RoadWheel, SteeredPose, SuspensionParams};
use crate::plane::Plane;
use crate::wheel_list::Fours;

pub(crate) use self::edges::{RIM_DEPTH, Rims};
pub(crate) use self::stretches::{EDGE_HEIGHT, EdgeKind, LookPair, MAX_PIECES, RoadStretches};

/// Least cosine of the angle between the normal of a road and the way up along the travel of a
/// wheel with mass (dimensionless). Beyond it the road is a wall, and not the suspension's affair.
pub const LEAST_SLOPE: f64 = 0.3;

/// Most places of a frame at which a wheel looks for its road.
pub(crate) const MAX_LOOKS: usize = 3;

/// Way across the travel below which two places are one (m).
const SAME_PLACE: Real = 1e-3;

/// How far a road may jump down at one place for its wheel to stay on it (m): what falls further is
/// another road. What jumps up lifts its wheel as far in a frame.
const LARGEST_JUMP: Real = 0.02;

/// Steepest way up, per way across the travel (dimensionless), a little less than that of a wall. A
/// wheel takes as long for the edge of a kerb.
const STEEPEST: Real = 3.0;

/// How far apart the planes of two places are at most that are one, but for the rounding of where
/// rays have met it (m).
const SAME_PLANE: Real = 2e-5;

/// Most distance of two planes that are one although one of them is tilted (m): what rounding does
/// to a chord between two places. A long wave tilts planes, too. At 50 km/h and 240 steps per
/// second, one of 8 m and 1 cm takes them 1e-5 m apart. A car on it would see the road half a step
/// early.
const SAME_CHORD: Real = 2e-6;

/// How four wheels are directed and shaped as they touch a road.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Touch {
    pub(crate) contact: ContactShape,
    /// Unit vectors of the travel, from full compression to full droop.
    pub(crate) direction: Vec3x4,
    /// Unit vectors along the axles, of wheels that meet the road as a whole.
    pub(crate) axle: Vec3x4,
}

impl Touch {
    /// Distance from the center of a wheel to a plane that it touches (m).
    #[inline]
    fn reach(&self, shape: &RoadWheel<Real4>, normal: Vec3x4) -> Real4 {
        match self.contact {
            ContactShape::Ray => -(shape.radius * normal.dot(self.direction)),
            ContactShape::Cylinder => shape.reach(self.axle, normal),
        }
    }

    /// The part of a `way` along the travel, positive in droop, and the rest, across it (m).
    #[inline]
    pub(crate) fn split(&self, way: Vec3x4) -> (Real4, Vec3x4) {
        let drop = way.dot(self.direction);
        (drop, way - self.direction * drop)
    }

    /// Whether a suspension can stand on `plane`.
    #[inline]
    pub(crate) fn is_road(&self, plane: &Plane<Vec3x4>) -> Mask4 {
        plane.normal.dot(self.direction).is_at_most(Number::splat(-LEAST_SLOPE as Real))
    }

    /// Where on the line of its travel through `center` (m) the center of a wheel that touches
    /// `plane` is (m).
    #[inline]
    fn center_on(&self, shape: &RoadWheel<Real4>, center: Vec3x4, plane: &Plane<Vec3x4>) -> Vec3x4 {
        center - self.direction * self.rise_to(shape, center, plane)
    }

    /// How far up along its travel from `center` (m) the center of a wheel that touches `plane` is
    /// (m).
    #[inline]
    pub(crate) fn rise_to(
        &self,
        shape: &RoadWheel<Real4>,
        center: Vec3x4,
        plane: &Plane<Vec3x4>,
    ) -> Real4 {
        let above = plane.distance(center) - self.reach(shape, plane.normal);
        above / plane.normal.dot(self.direction)
    }
}

/// The ways of four wheels, in parts of the frame from 0 to 1. The road's own motion is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FourPaths {
    /// How many places there are beside the first; none if the wheels know nothing of their way.
    pub(crate) looks: usize,
    /// Which wheels have a way.
    pub(crate) is_there: Mask4,
    /// Which of them have stood on the road where it begins.
    pub(crate) has_stood: Mask4,
    /// Which of them are in a road that rises under them.
    pub(crate) rises: Mask4,
    /// The road at the first place and at the others, evenly over the frame.
    pub(crate) planes: [Plane<Vec3x4>; MAX_LOOKS + 1],
    /// The road at the end of the frame before, as far as there was one.
    pub(crate) before: Plane<Vec3x4>,
    /// Centers of the wheels at full compression, at the first place (m).
    pub(crate) start: Vec3x4,
    /// Way of the wheels across their travel to the last place (m).
    pub(crate) across: Vec3x4,
    /// Places and motion at which the road presses their tires onto their rims.
    pub(crate) rims: Rims,
    /// Whether a road is steeper than [what a tire follows](Self::soft_chord).
    pub(crate) is_softened: bool,
    /// How the wheels touch the road.
    pub(crate) touch: Touch,
    /// Centers of the wheels as they touch the road (m).
    pub(crate) centers: [Vec3x4; MAX_LOOKS + 1],
}

impl FourPaths {
    /// The planes on which wheels ride through the whole frame, if each of those that `are_led`
    /// sees one and the same plane at all of its places. It is the chord between any two of them,
    /// so that one place ahead is enough: the others are forgotten.
    ///
    /// Planes are the same that are at both ends of its way, but for rounding. Chords on a plane
    /// are tilted by rounding. If that made others of them, a wheel that has passed a bump would
    /// look for edges on any smooth road behind it.
    #[inline]
    pub(crate) fn straight(
        &mut self,
        shape: &RoadWheel<Real4>,
        jounce: Real4,
        are_led: Mask4,
        length_scale: Real,
    ) -> Option<Plane<Vec3x4>> {
        let plane = self.planes[self.looks];
        let most: Real4 = Number::splat(SAME_PLANE * length_scale);
        let most_of_chord: Real4 = Number::splat(SAME_CHORD * length_scale);
        let is_same_as = |other: &Plane<Vec3x4>| {
            let (turn, shift) = (plane.normal - other.normal, plane.offset - other.offset);
            let is_parallel = turn.length_squared().is_at_most(Number::zero());
            let above = turn.dot(self.start) + shift;
            let above_end = above + turn.dot(self.across);
            let farthest = above.abs().at_least(above_end.abs());
            farthest.is_at_most(Number::select(is_parallel, most, most_of_chord))
        };
        // Ground that moves may have come up below a wheel: that is an edge, too.
        let touching = -self.touch.rise_to(shape, self.start, &plane);
        let is_shallow = (self.rims.below - jounce).is_at_most(touching);
        let is_old = is_shallow | is_same_as(&self.before);
        let planes = &self.planes[..self.looks];
        let is_same = planes
            .iter()
            .fold(self.has_stood & is_old, |is_same, other| is_same & is_same_as(other));
        if !(is_same | !are_led).all() {
            return None;
        }
        (self.looks, self.planes[1]) = (1, plane);
        Some(plane)
    }

    /// Lowers all roads along their normals by each wheel's `depth` (m).
    pub(crate) fn lower(&mut self, depth: Real4) {
        for plane in &mut self.planes {
            plane.offset += depth;
        }
    }

    /// Puts wheels of this `shape` onto their roads, place by place.
    #[inline]
    pub(crate) fn touch_roads(&mut self, shape: &RoadWheel<Real4>, length_scale: Real) {
        self.centers[0] = self.touch.center_on(shape, self.start, &self.planes[0]);
        for look in 1..=self.looks {
            self.go_on(look, shape, length_scale);
        }
    }

    /// Puts the center of each wheel at place `look`, up to where it gets from the place before.
    #[inline]
    fn go_on(&mut self, look: usize, shape: &RoadWheel<Real4>, length_scale: Real) {
        let part = look as Real / self.looks as Real;
        let compressed = self.start + self.across * Number::splat(part);
        let center = self.touch.center_on(shape, compressed, &self.planes[look]);
        let before = self.centers[look - 1];
        let (drop, across) = self.touch.split(center - before);
        let across = across.length();
        let least: Real4 = Number::splat(SAME_PLACE * length_scale);
        let jump: Real4 = Number::splat(LARGEST_JUMP * length_scale);
        let climb = across * <Real4 as Number>::splat(STEEPEST);
        let climb: Real4 = Number::select(across.is_below(least), jump, climb);
        let excess = Number::at_least(-drop - climb, Number::zero());
        self.centers[look] = center + self.touch.direction * excess;
    }

    /// Lowers the road by each wheel's `depth` (m). A wheel that sinks goes down straight: its way
    /// leads neither up nor down from the depth where it has stood.
    #[inline]
    fn sink(&mut self, depth: Real4) {
        let sinks = <Real4 as Number>::zero().is_below(depth);
        let [first, next, ..] = &mut self.planes;
        first.normal = Vector::select(sinks, next.normal, first.normal);
        first.offset = Number::select(sinks, next.offset, first.offset);
        self.lower(depth);
    }

    /// The center at `part` of the frame (m).
    #[inline]
    fn center(&self, part: Real) -> Vec3x4 {
        let place = part * self.looks as Real;
        let index = (place as usize).min(self.looks - 1);
        let (start, end) = (self.centers[index], self.centers[index + 1]);
        start + (end - start) * Number::splat(place - index as Real)
    }

    /// Puts `plane` under those of the wheels that have a way, a road, and can stay on it.
    #[inline]
    fn put_under(&self, road: &mut RoadLanes<Vec3x4>, plane: Plane<Vec3x4>, is_steady: Mask4) {
        let is_led = self.is_there & road.is_there & is_steady;
        let here = &mut road.plane;
        here.normal = Vector::select(is_led, plane.normal, here.normal);
        here.offset = Number::select(is_led, plane.offset, here.offset);
    }

    /// The planes on which the wheels ride between two parts of the frame, and which of the wheels
    /// can stay on theirs: the road has not fallen away.
    #[inline]
    fn chord(
        &self,
        shape: &RoadWheel<Real4>,
        [start, end]: [Real; 2],
        length_scale: Real,
    ) -> (Plane<Vec3x4>, Mask4) {
        self.chord_between(shape, [self.center(start), self.center(end)], length_scale)
    }

    /// The planes between two places of the centers.
    ///
    /// ```text
    /// s = C₁ - C₀,   n ∝ n̄ - s (n̄·s) / s²,   n̄ = n₀ + n₁
    /// ```
    ///
    /// through what the wheel touches at `C₀`. Of one that stays in its place it is the last that
    /// has been found.
    #[inline]
    fn chord_between(
        &self,
        shape: &RoadWheel<Real4>,
        [from, to]: [Vec3x4; 2],
        length_scale: Real,
    ) -> (Plane<Vec3x4>, Mask4) {
        let way = to - from;
        let (drop, across) = self.touch.split(way);
        let least: Real4 = Number::splat(SAME_PLACE * length_scale);
        let is_short = across.length_squared().is_below(least * least);
        let [first, last] = [0, self.looks].map(|look| self.planes[look].normal);
        let mean = first + last;
        let square = way.length_squared();
        let upright = mean - way * (mean.dot(way) / Number::select(is_short, least, square));
        let normal = Vector::select(is_short, last, upright);
        let normal = normal / normal.length();
        let touched = Vector::select(is_short, to, from);
        let offset = self.touch.reach(shape, normal) - normal.dot(touched);
        let is_still = drop.is_at_most(Number::splat(LARGEST_JUMP * length_scale));
        (Plane { normal, offset }, !is_short | is_still)
    }
}

/// The ways of all wheels of a vehicle within a frame, if they have a mass. Nothing of them
/// outlives the frame.
#[derive(Default)]
pub(crate) struct RoadPaths {
    fours: Fours<FourPaths>,
}

impl RoadPaths {
    /// Forgets all ways.
    pub(crate) fn clear(&mut self) {
        self.fours.clear();
    }

    /// The ways of a four of wheels, and of those before it.
    #[inline]
    pub(crate) fn four_mut(&mut self, four: usize) -> &mut FourPaths {
        while self.fours.len() <= four {
            self.fours.push(FourPaths::default());
        }
        &mut self.fours[four]
    }

    /// Lowers the ways of a four of wheels of this `shape` by each wheel's `depth` (m), and its
    /// road to where they begin then.
    pub(crate) fn sink(
        &mut self,
        four: usize,
        depth: Real4,
        shape: &RoadWheel<Real4>,
        road: &mut RoadLanes<Vec3x4>,
        length_scale: Real,
    ) {
        let Some(paths) = self.fours.get_mut(four).filter(|paths| 0 < paths.looks) else { return };
        paths.sink(depth);
        paths.touch_roads(shape, length_scale);
        let (plane, is_steady) = paths.chord(shape, [0.0, 1.0 / paths.looks as Real], length_scale);
        paths.put_under(road, plane, is_steady);
    }

    /// The ways of a four of wheels, if it is known.
    pub(crate) fn four(&self, four: usize) -> Option<&FourPaths> {
        self.fours.get(four)
    }

    /// Whether a wheel has more than one place before it.
    #[inline]
    pub(crate) fn has_corners(&self) -> bool {
        self.fours.iter().any(|paths| 1 < paths.looks || paths.is_softened)
    }
}

/// Data that lead wheels along their ways.
pub(crate) struct RoadPathView<'a> {
    /// Shape of each wheel.
    pub(crate) road_wheels: &'a WheelList<RoadWheel>,
    /// Mount of each wheel.
    pub(crate) suspension_params: &'a WheelList<SuspensionParams>,
    /// Steer angle of each wheel (rad).
    pub(crate) steer_angles: &'a WheelList<Real>,
    /// Where the hubs are.
    pub(crate) hubs: &'a dyn HubPlaces,
    /// Motion of the body.
    pub(crate) rigid_body: &'a RigidBodyState,
    /// What stands in front of the wheels.
    pub(crate) obstacles: &'a [WheelObstacle],
    /// Written: the plane of each road.
    pub(crate) roads: &'a mut WheelList<Option<RoadContact>>,
}

impl RoadPathView<'_> {
    /// Whether a wheel is at an obstacle.
    #[inline]
    pub(crate) fn has_obstacles(&self) -> bool {
        WheelObstacle::is_any_active(self.obstacles)
    }

    /// Puts under each wheel the plane of its way in `all` between two `parts` of the frame,
    /// `elapsed` (s) after the frame has begun.
    pub(crate) fn enter(
        self,
        all: &mut RoadPaths,
        parts: [Real; 2],
        (elapsed, dt): (Real, Real),
        coordinates: &CoordinateSystem,
    ) {
        let Self { road_wheels, hubs, rigid_body, obstacles, roads, .. } = self;
        let &CoordinateSystem { frame, length_scale } = coordinates;
        let fours =
            all.fours.iter_mut().zip(road_wheels.fours()).zip(roads.fours_mut()).enumerate();
        // The first plane has been put under its wheels as it was found.
        let is_there = |paths: &FourPaths| parts == [0.0, 1.0 / paths.looks as Real];
        let changes =
            |paths: &FourPaths| paths.is_softened || (1 < paths.looks && !is_there(paths));
        for (four, ((paths, shape), roads)) in fours.filter(|(_, ((paths, _), _))| changes(paths)) {
            let velocity = roads.road.velocity;
            let before = if parts[0] == 0.0 {
                paths.before
            } else {
                let here = roads.road.plane;
                Plane { offset: here.advanced_offset(velocity, -elapsed), ..here }
            };
            let hubs = hubs.hubs(four);
            let (mut plane, is_steady) =
                paths.soft_chord(shape, &before, &hubs, parts, dt, length_scale);
            plane.offset = plane.advanced_offset(velocity, elapsed);
            // Hubs that have never been anywhere are placed on the road as it was found.
            paths.put_under(&mut roads.road, plane, is_steady & hubs.is_known);
        }
        if WheelObstacle::is_any_active(obstacles) {
            let heading = rigid_body.direction(frame.longitudinal());
            let body = rigid_body.splat::<Vec3x4>();
            for (four, (paths, roads)) in all.fours.iter().zip(roads.fours_mut()).enumerate() {
                let at_them = obstacles.get(four * MAX_LANES..).unwrap_or_default();
                let shape = road_wheels.four(four);
                // As they are steered now: the suspensions know how they were in the step before.
                let (mount, steer) =
                    (self.suspension_params.four(four), self.steer_angles.four(four));
                let steered = SteeredPose::new(mount, *steer, &frame);
                let centers = body.pose.translation()
                    + body.arm(steered.pose.translation())
                    + WheelObstacle::shifts(at_them, heading);
                for (lane, state) in at_them.iter().take(MAX_LANES).enumerate() {
                    let center = centers.lane(lane);
                    let middle = center + rigid_body.velocity_at(center) * (0.5 * dt);
                    paths.put_stretch_under(roads, (lane, shape), state, middle, elapsed);
                }
            }
        }
    }
}

impl FourPaths {
    /// Puts under a wheel at an obstacle the stretch of its road that is at the `middle` of its way
    /// in this substep (m). The frame has begun `elapsed` (s) ago.
    fn put_stretch_under(
        &self,
        roads: &mut RoadContacts,
        (lane, shape): (usize, &RoadWheel<Real4>),
        state: &WheelObstacle,
        middle: Vec3,
        elapsed: Real,
    ) {
        if !state.is_active() || roads.lane(lane).is_none() {
            return;
        }
        let velocity = roads.velocity(lane);
        let stretches = self.stretches(lane, shape, state.obstacle.as_ref(), velocity, elapsed);
        if let Some(here) = stretches.at(middle) {
            roads.road.plane.set_lane(lane, here.plane);
        }
    }
}

#[cfg(test)]
mod tests;
