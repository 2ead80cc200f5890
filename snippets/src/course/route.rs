//! The way of a driver over the ground, from above, and how fast it is driven.

use rapier3d::prelude::*;
use vehicle_rapier::core::math::{PI, sin_cos};

/// Distance of two points of a route (m).
const SPACING: Real = 0.25;
/// How far ahead on a route the nearest point is looked for (m).
const REACH: Real = 6.0;
/// Deceleration with which a driver slows down in time (m/s²).
pub(crate) const DECELERATION: Real = 2.5;

/// A point of a route.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RoutePoint {
    /// Where it is: along x and z (m).
    place: [Real; 2],
    /// Speed at which it is passed at most (m/s).
    speed: Real,
}

/// A way over the ground.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Route {
    points: Vec<RoutePoint>,
    heading: Real,
}

/// Where somebody is beside a route.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Along {
    /// How far on the route (m).
    pub(crate) way: Real,
    /// How far to the left of it (m).
    pub(crate) offset: Real,
}

/// The direction of a heading, an angle to the left of +z (rad): along x and z.
fn direction(heading: Real) -> [Real; 2] {
    let (sine, cosine) = sin_cos(heading);
    [sine, cosine]
}

/// What is to the left of a direction.
pub(crate) fn left([x, z]: [Real; 2]) -> [Real; 2] {
    [z, -x]
}

pub(crate) fn dot(one: [Real; 2], other: [Real; 2]) -> Real {
    one[0] * other[0] + one[1] * other[1]
}

impl Route {
    /// A route that begins here, in this heading (rad).
    pub(crate) fn from(place: [Real; 2], heading: Real) -> Self {
        Self { points: vec![RoutePoint { place, speed: Real::INFINITY }], heading }
    }

    fn end(&self) -> [Real; 2] {
        self.points.last().map_or([0.0; 2], |point| point.place)
    }

    /// Goes straight on for `length` (m).
    pub(crate) fn straight(self, length: Real, speed: Real) -> Self {
        self.weave(length, speed, |_| 0.0)
    }

    /// Goes on for `length` (m), `beside` the straight line to the left as far as that says (m).
    pub(crate) fn weave(
        mut self,
        length: Real,
        speed: Real,
        beside: impl Fn(Real) -> Real,
    ) -> Self {
        let (start, ahead) = (self.end(), direction(self.heading));
        let aside = left(ahead);
        let count = (length / SPACING).ceil().max(1.0);
        for index in 1..=count as usize {
            let way = length * index as Real / count;
            let offset = beside(way);
            let place = [0, 1].map(|axis| start[axis] + ahead[axis] * way + aside[axis] * offset);
            self.points.push(RoutePoint { place, speed });
        }
        self
    }

    /// Turns by half a circle of this `radius` (m), to the left (1) or to the right (-1).
    pub(crate) fn turn_around(mut self, radius: Real, side: Real, speed: Real) -> Self {
        let (start, heading) = (self.end(), self.heading);
        let aside = left(direction(heading));
        let center = [0, 1].map(|axis| start[axis] + side * radius * aside[axis]);
        let count = (PI * radius / SPACING).ceil();
        for index in 1..=count as usize {
            let turned = side * PI * index as Real / count;
            let outward = left(direction(heading + turned));
            let place = [0, 1].map(|axis| center[axis] - side * radius * outward[axis]);
            self.points.push(RoutePoint { place, speed });
        }
        self.heading += side * PI;
        self
    }

    /// How far it is to its end (m).
    pub(crate) fn length(&self) -> Real {
        (self.points.len() - 1) as Real * SPACING
    }

    /// Stops `way` (m) from its beginning.
    pub(crate) fn stopping_at(mut self, way: Real) -> Self {
        let stop = ((way / SPACING) as usize).min(self.points.len() - 1);
        self.points[stop].speed = 0.0;
        self
    }

    /// Slows down in time for what comes.
    pub(crate) fn foreseen(mut self) -> Self {
        for index in (1..self.points.len()).rev() {
            let next = self.points[index].speed;
            let before = &mut self.points[index - 1].speed;
            *before = before.min((next * next + 2.0 * DECELERATION * SPACING).sqrt());
        }
        self
    }

    /// The point this far on it (m), between two of its points; its ends beyond them.
    fn at(&self, way: Real) -> RoutePoint {
        let place = (way / SPACING).clamp(0.0, (self.points.len() - 1) as Real);
        let index = (place as usize).min(self.points.len() - 2);
        let (share, [one, other]) =
            (place - index as Real, [self.points[index], self.points[index + 1]]);
        let mix = |one: Real, other: Real| one + share * (other - one);
        RoutePoint {
            place: [0, 1].map(|axis| mix(one.place[axis], other.place[axis])),
            speed: mix(one.speed.min(1e3), other.speed.min(1e3)),
        }
    }

    /// Where it is, this far from its beginning (m).
    pub(crate) fn place(&self, way: Real) -> [Real; 2] {
        self.at(way).place
    }

    /// How fast it is driven there (m/s).
    pub(crate) fn speed(&self, way: Real) -> Real {
        self.at(way).speed
    }

    /// Where `place` is beside it, from `last` on.
    pub(crate) fn along(&self, place: [Real; 2], last: Real) -> Along {
        let first = (last / SPACING) as usize;
        let end = (((last + REACH) / SPACING) as usize).min(self.points.len() - 1);
        let mut nearest = (Real::INFINITY, Along { way: last, offset: 0.0 });
        for index in first..end {
            let [from, to] = [self.points[index].place, self.points[index + 1].place];
            let ahead = [to[0] - from[0], to[1] - from[1]];
            let length = dot(ahead, ahead).sqrt();
            let unit = ahead.map(|value| value / length);
            let seen = [place[0] - from[0], place[1] - from[1]];
            let share = (dot(seen, unit) / length).clamp(0.0, 1.0);
            let miss = [0, 1].map(|axis| seen[axis] - share * ahead[axis]);
            let distance = dot(miss, miss);
            if distance < nearest.0 {
                let way = (index as Real + share) * SPACING;
                nearest = (distance, Along { way, offset: dot(seen, left(unit)) });
            }
        }
        nearest.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Straight on along +z, half a circle to the left, and back.
    fn hairpin() -> Route {
        Route::from([0.0, 0.0], 0.0)
            .straight(20.0, 20.0)
            .turn_around(10.0, 1.0, 5.0)
            .straight(20.0, 20.0)
    }

    #[test]
    fn hairpin_comes_back_beside_where_it_began() {
        let route = hairpin();
        let end = route.place(route.length());
        assert!((end[0] - 20.0).abs() < 1e-3 && end[1].abs() < 1e-3, "{end:?}");
        let top = route.place(20.0 + 0.5 * PI * 10.0);
        assert!((top[0] - 10.0).abs() < 0.1 && (top[1] - 30.0).abs() < 0.1, "{top:?}");
    }

    #[test]
    fn offset_is_to_the_left_on_both_sides_of_a_hairpin() {
        let route = hairpin();
        for (place, last, expected) in [
            ([0.5, 10.0], 8.0, Along { way: 10.0, offset: 0.5 }),
            ([19.5, 10.0], 60.0, Along { way: 61.4, offset: 0.5 }),
        ] {
            let along = route.along(place, last);
            assert!((along.offset - expected.offset).abs() < 1e-3, "{along:?}, {expected:?}");
            assert!((along.way - expected.way).abs() < 0.5, "{along:?}, {expected:?}");
        }
    }

    #[test]
    fn driver_slows_down_in_time() {
        let route = hairpin().stopping_at(60.0).foreseen();
        assert!((route.speed(40.0) - 5.0).abs() < 1e-3, "{}", route.speed(40.0));
        // v² = v₁² + 2 a s
        let expected = (25.0 + 2.0 * DECELERATION * 10.0_f32).sqrt();
        assert!((route.speed(10.0) - expected).abs() < 0.1, "{}", route.speed(10.0));
        assert!(route.speed(60.0) < 1e-3 && 15.0 < route.speed(route.length()));
    }
}
