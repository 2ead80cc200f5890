//! A wheel that is swept onto convex shapes, in closed form.
//!
//! Shapes that do not touch are parted by a plane. So a wheel at `c` that is swept along `d`
//! touches a convex shape after
//!
//! ```text
//! t = max (n·c - b(n) - w(n)) / (-n·d)   over all n with n·d < 0
//! ```
//!
//! with the reaches `b` and `w` of shape and wheel. Each `n` gives a distance that is free, whether
//! it is the best or not, and the best is the normal of the contact. Only three kinds of it are
//! tried:
//!
//! - A face's normal: a few products. It is the best if the wheel then touches the plane in the
//!   face.
//! - Normals between two faces, for their edge. Along them, the numerator over the denominator has
//!   one maximum. It lies between normals for which the lowest point of the wheel passes by the
//!   edge on one side and on the other.
//! - Normals between the faces at a corner: it is the point of the wheel that a ray from the corner
//!   meets, if the wheel's normal there is one of them.
//!
//! All numbers are of the size of the wheel and its distance from the feature: the size of the
//! shape does not matter.
//!
//! A general sweep of a cylinder is off by a centimeter on a box of 200 m, and by two on a triangle
//! of 120 m.

use rapier3d::parry::query::{ShapeCastHit, ShapeCastStatus};
use rapier3d::prelude::*;
use vehicle_core::math::{Clamped, hypot};

/// Halvings of a range to rounding.
const HALVINGS: usize = 26;

/// Width of the range of normals of an edge in which its contact is known (dimensionless):
/// rounding.
const NARROW: Real = 2.5e-7;

/// Steps along straight lines to that range. Most contacts need five; one at which the lowest point
/// jumps from one side of the tread to the other is found by halvings.
const LINES: usize = 9;

/// Steps of Newton's method from a corner to the wheel; most need three.
const MAX_STEPS: usize = 24;

/// Sine of the angle below which a tread lies along a plane, and by which a normal may be beyond
/// those of its corner (dimensionless).
pub(super) const PARALLEL: Real = 1e-6;

/// A part of the wheel's size that is rounding (dimensionless).
pub(super) const ROUNDING: Real = 1e-6;

/// A wheel that is swept, in the frame of what it is swept onto.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweptWheel {
    /// (m)
    pub(super) center: Vector,
    /// Unit vector.
    pub(super) direction: Vector,
    /// Unit vector along the axle.
    pub(super) axle: Vector,
    /// Radius without the shoulder's (m).
    pub(super) radius: Real,
    /// Half of the width without the shoulder's radius (m).
    pub(super) half_width: Real,
    /// Radius of the shoulders (m).
    pub(super) shoulder_radius: Real,
}

/// Contact of a swept wheel with a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// How far away (m); negative where the sweep begins beyond.
    pub(super) distance: Real,
    /// Unit vector out of the shape.
    pub(super) normal: Vector,
    /// Point of the shape (m).
    pub(super) point: Vector,
    /// Whether the point is on the face or the edge, and not beyond its ends.
    pub(super) is_on: bool,
}

/// The lowest points of a wheel above a plane, from its center: a point, or a part of the tread.
pub(super) struct Lowest {
    pub(super) middle: Vector,
    /// From the middle to an end; zero for a point.
    pub(super) half: Vector,
}

/// An edge between two faces of a shape.
pub(super) struct Edge {
    /// Unit vectors out of its faces, and along it.
    pub(super) faces: [Vector; 2],
    pub(super) along: Vector,
    /// Middle of the edge (m).
    pub(super) middle: Vector,
    pub(super) half_length: Real,
}

impl SweptWheel {
    /// The wheel `shape` at `pose`, swept along `direction`; `None` if it is no wheel.
    pub(super) fn of(shape: &dyn Shape, pose: &Pose, direction: Vector) -> Option<Self> {
        let round = shape.as_round_cylinder();
        let inner = round.map(|round| &round.inner_shape).or(shape.as_cylinder())?;
        Some(Self {
            center: pose.translation,
            direction,
            axle: pose.rotation * Vector::Y,
            radius: inner.radius,
            half_width: inner.half_height,
            shoulder_radius: round.map_or(0.0, |round| round.border_radius),
        })
    }

    /// Distance from the center to the plane of unit normal `normal` that the wheel touches (m).
    #[inline]
    pub(super) fn reach(&self, normal: Vector) -> Real {
        let along = normal.dot(self.axle);
        let across = (normal - self.axle * along).length();
        self.radius * across + self.half_width * along.abs() + self.shoulder_radius
    }

    /// The lowest points above a plane of unit normal `normal`.
    #[inline]
    pub(super) fn lowest(&self, normal: Vector) -> Lowest {
        let along = normal.dot(self.axle);
        let across = (normal - self.axle * along).normalize_or_zero();
        let middle = -(across * self.radius + normal * self.shoulder_radius);
        let half = self.axle * self.half_width;
        if along.abs() <= PARALLEL {
            return Lowest { middle, half };
        }
        Lowest { middle: middle - half * along.signum(), half: Vector::ZERO }
    }

    /// How far the wheel is free to go by the plane through `point` (m) of unit normal `normal`:
    /// infinitely, if it does not come nearer.
    #[inline]
    pub(super) fn free_distance(&self, normal: Vector, point: Vector) -> Real {
        let gap = normal.dot(self.center - point) - self.reach(normal);
        let approach = -normal.dot(self.direction);
        if PARALLEL < approach {
            gap / approach
        } else if self.passes_by(normal, gap) {
            Real::INFINITY
        } else {
            Real::NEG_INFINITY
        }
    }

    /// Whether a wheel that comes no nearer to a plane of unit normal `normal` passes by it with
    /// this `gap` (m). One that grazes it does: how its contact lies would be rounding, and the
    /// front of a kerb could be a wall to it.
    #[inline]
    pub(super) fn passes_by(&self, normal: Vector, gap: Real) -> bool {
        let of_place = 2.0 * Real::EPSILON * normal.dot(self.center).abs();
        -(ROUNDING * self.size() + of_place) < gap
    }

    /// Distance of `point` (m) from the wheel's surface when it has gone by `way` (m), negative
    /// inside, and the unit vector in which it grows most.
    pub(super) fn clearance(&self, point: Vector, way: Real) -> (Real, Vector) {
        let offset = point - self.center - self.direction * way;
        let along = offset.dot(self.axle);
        let across = offset - self.axle * along;
        let distance = across.length();
        let outwards = if 0.0 < distance { across / distance } else { Vector::ZERO };
        let sideways = self.axle * along.signum();
        let (beyond, beside) = (distance - self.radius, along.abs() - self.half_width);
        if 0.0 < beyond && 0.0 < beside {
            let gap = hypot(beyond, beside);
            let growth = (outwards * beyond + sideways * beside) / gap;
            return (gap - self.shoulder_radius, growth);
        }
        let growth = if beside < beyond { outwards } else { sideways };
        (beyond.max(beside) - self.shoulder_radius, growth)
    }

    /// Size of the wheel (m).
    #[inline]
    pub(super) fn size(&self) -> Real {
        self.radius + self.half_width + self.shoulder_radius
    }

    /// Contact up to `limit` (m) of the wheel, which begins at `pose`, with a shape that it and its
    /// sweep backward `enter`. Where the sweep begins in the shape, the contact is the `way_out`.
    pub(super) fn meet(
        &self,
        pose: &Pose,
        limit: Real,
        enter: impl Fn(&Self) -> Option<Touch>,
        way_out: impl FnOnce(ShapeCastHit) -> Option<ShapeCastHit>,
    ) -> Option<ShapeCastHit> {
        let touch = enter(self)?;
        let hit = || touch.as_hit(pose, self.direction);
        if 0.0 < touch.distance {
            return (touch.distance <= limit).then(hit);
        }
        let back = Self { direction: -self.direction, ..*self };
        let is_within = enter(&back).is_some_and(|left| left.distance <= 0.0);
        if is_within { way_out(hit()) } else { None }
    }

    /// The contact with a face of unit normal `normal` through `point` (m), inside of `sides`: unit
    /// vectors out of it along the face, and points there (m).
    pub(super) fn enter_face(
        &self,
        normal: Vector,
        point: Vector,
        sides: impl IntoIterator<Item = (Vector, Vector)>,
    ) -> Touch {
        let distance = self.free_distance(normal, point);
        if !distance.is_finite() {
            return Touch { distance, normal, point, is_on: false };
        }
        let lowest = self.lowest(normal);
        let middle = self.center + self.direction * distance + lowest.middle;
        let tolerance = ROUNDING * self.size();
        // The part of the tread that is above the face.
        let (mut from, mut to): (Real, Real) = (-1.0, 1.0);
        for (outward, end) in sides {
            let room = tolerance - outward.dot(middle - end);
            let slope = outward.dot(lowest.half);
            if slope == 0.0 {
                to = if 0.0 <= room { to } else { Real::NEG_INFINITY };
            } else if 0.0 < slope {
                to = to.min(room / slope);
            } else {
                from = from.max(room / slope);
            }
        }
        let is_on = from <= to;
        let part = if is_on { 0.5 * (from + to) } else { 0.0 };
        Touch { distance, normal, point: middle + lowest.half * part, is_on }
    }

    /// The contact with an edge, as if it were endless; `None` if a face comes first.
    pub(super) fn enter_edge(&self, edge: &Edge) -> Option<Touch> {
        let [first, second] = edge.faces;
        let approaches = edge.faces.map(|face| -face.dot(self.direction));
        if approaches[0] <= 0.0 && approaches[1] <= 0.0 {
            return None;
        }
        let normal_at = |part: Real| (first * (1.0 - part) + second * part).normalize_or_zero();
        let to_wheel = self.center - edge.middle;
        // How far the lowest point passes by the edge on the side of the second face.
        let beyond = |part: Real| {
            let lowest = self.lowest(normal_at(part)).middle + to_wheel;
            let [down, aside] = edge.faces.map(|face| face.dot(lowest));
            down * second.dot(self.direction) - aside * first.dot(self.direction)
        };
        let level = approaches[0] / (approaches[0] - approaches[1]);
        let from = if approaches[0] <= 0.0 { level } else { 0.0 };
        let to = if approaches[1] <= 0.0 { level } else { 1.0 };
        let ends = [(from, beyond(from)), (to, beyond(to))];
        let is_of_first = from == 0.0 && 0.0 < approaches[0] && ends[0].1 <= 0.0;
        if is_of_first || (to == 1.0 && 0.0 < approaches[1] && 0.0 < ends[1].1) {
            return None;
        }
        let range = sign_change(ends, beyond);
        let normal = normal_at(0.5 * (range[0] + range[1]));
        let distance = self.free_distance(normal, edge.middle);
        let range = self.range_along(edge, range.map(normal_at), distance);
        let tolerance = ROUNDING * self.size();
        let half = edge.half_length;
        let is_on = range[0] <= half + tolerance && -half - tolerance <= range[1];
        let place = 0.5 * (range[0].max(-half).min(half) + range[1].max(-half).min(half));
        Some(Touch { distance, normal, point: edge.middle + edge.along * place, is_on })
    }

    /// From where to where along an `edge` the wheel touches it at a `distance` (m), when it stands
    /// on planes of both `normals`, which differ by rounding (m).
    ///
    /// A tread that lies along the planes crosses the edge at a point, unless it lies along the
    /// edge, too.
    fn range_along(&self, edge: &Edge, normals: [Vector; 2], distance: Real) -> [Real; 2] {
        let to_wheel = self.center - edge.middle;
        let across = self.direction.cross(edge.along).normalize_or_zero();
        let [one, other] = normals.map(|normal| self.lowest(normal));
        let ends = [
            one.middle + one.half,
            one.middle - one.half,
            other.middle + other.half,
            other.middle - other.half,
        ];
        let ends = ends.map(|end| {
            let end = to_wheel + end;
            (across.dot(end), edge.along.dot(end + self.direction * distance))
        });
        let (mut left, mut right) = (ends[0], ends[0]);
        let mut range = [ends[0].1; 2];
        for end in ends {
            left = if end.0 < left.0 { end } else { left };
            right = if right.0 < end.0 { end } else { right };
            range = [range[0].min(end.1), range[1].max(end.1)];
        }
        let width = right.0 - left.0;
        if width <= ROUNDING * self.size() {
            return range;
        }
        let part = (-left.0 / width).clamped(0.0, 1.0);
        [left.1 + (right.1 - left.1) * part; 2]
    }

    /// The contact with a `corner` (m) of a shape, at least `free` (m) away. It is the farthest
    /// point of the shape along the unit vectors that `is_of_corner` says. The distance is infinite
    /// if the wheel passes by on such a side.
    pub(super) fn enter_corner(
        &self,
        corner: Vector,
        is_of_corner: impl Fn(Vector) -> bool,
        free: Real,
    ) -> Option<Touch> {
        let touch = |distance, normal: Vector| {
            let touch = Touch { distance, normal, point: corner, is_on: true };
            is_of_corner(normal).then_some(touch)
        };
        if !free.is_finite() {
            return None;
        }
        // Where it is to be free, the wheel may have passed by already.
        let (mut way, mut last) = (free, (free - 2.0 * self.size(), Vector::ZERO));
        for _ in 0..MAX_STEPS {
            let (gap, growth) = self.clearance(corner, way);
            if gap <= ROUNDING * self.size() {
                let growth = if last.1 == Vector::ZERO { growth } else { last.1 };
                return touch(way, -growth);
            }
            let approach = growth.dot(self.direction);
            if approach <= 0.0 {
                return touch(Real::INFINITY, -self.nearest_growth(corner, last.0, way));
            }
            last = (way, growth);
            way += gap / approach;
        }
        touch(way, -last.1)
    }

    /// The unit vector from the wheel to `point` (m), where it passes by nearest, between the ways
    /// `from` and `to` (m).
    fn nearest_growth(&self, point: Vector, mut from: Real, mut to: Real) -> Vector {
        let growth_at = |way| self.clearance(point, way).1;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (from + to);
            if 0.0 < growth_at(middle).dot(self.direction) { from = middle } else { to = middle }
        }
        // At a kink, what is across the sweep lies between.
        let (before, after) = (growth_at(from), growth_at(to));
        let (nearing, leaving) = (before.dot(self.direction), -after.dot(self.direction));
        let mean = before * leaving + after * nearing;
        if nearing <= 0.0 { after } else { mean.try_normalize().unwrap_or(after) }
    }
}

/// The narrow range in which `value` changes from positive to not positive, between `ends` and
/// their values, by straight lines between these (the rule of false position). The value at an end
/// that stays counts half from the second time on, so that both ends move.
fn sign_change(
    [(mut from, mut above), (mut to, mut below)]: [(Real, Real); 2],
    value: impl Fn(Real) -> Real,
) -> [Real; 2] {
    let mut stays: Option<bool> = None;
    for step in 0..LINES + HALVINGS {
        if to - from <= NARROW {
            break;
        }
        let part = above / (above - below);
        let place = if step < LINES && (0.0..=1.0).contains(&part) {
            (from + (to - from) * part).clamped(from + 0.5 * NARROW, to - 0.5 * NARROW)
        } else {
            0.5 * (from + to)
        };
        let here = value(place);
        let is_above = 0.0 < here;
        if is_above {
            (from, above) = (place, here);
            below = if stays == Some(is_above) { 0.5 * below } else { below };
        } else {
            (to, below) = (place, here);
            above = if stays == Some(is_above) { 0.5 * above } else { above };
        }
        stays = Some(is_above);
    }
    [from, to]
}

impl Touch {
    /// The one of two contacts that is farther away; this one if they are alike.
    pub(super) fn or_later(self, other: Option<Self>) -> Self {
        other.filter(|other| self.distance < other.distance).unwrap_or(self)
    }

    /// As parry's sweeps say it, of a wheel that begins at `pose` and goes along `direction`.
    fn as_hit(&self, pose: &Pose, direction: Vector) -> ShapeCastHit {
        let distance = self.distance.max(0.0);
        let status = if 0.0 < self.distance {
            ShapeCastStatus::Converged
        } else {
            ShapeCastStatus::PenetratingOrWithinTargetDist
        };
        ShapeCastHit {
            time_of_impact: distance,
            witness1: self.point,
            witness2: pose.inverse_transform_point(self.point - direction * distance),
            normal1: self.normal,
            normal2: pose.rotation.inverse() * -self.normal,
            status,
            subshape1: 0,
            subshape2: 0,
        }
    }
}
