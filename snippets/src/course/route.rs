//! Builds the path of a drive over the ground, and how fast it is driven.

use anyhow::Result;
use rapier3d::prelude::*;
use vehicle_rapier::core::Frame;
use vehicle_rapier::core::math::{PI, sin_cos};
use vehicle_rapier::drivetrain::driver::Path;

/// Distance of two points of a route (m).
const SPACING: Real = 1.0;
/// Deceleration with which a driver slows down in time (m/s²).
const DECELERATION: Real = 2.5;

/// A way over the ground, from above, that grows at its end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Route {
    /// Places along x and z (m).
    points: Vec<[Real; 2]>,
    heading: Real,
    /// The last point of each section, and the speed up to there (m/s).
    sections: Vec<(usize, Real)>,
}

/// The direction of a heading, an angle to the left of +z (rad): along x and z.
fn direction(heading: Real) -> [Real; 2] {
    let (sine, cosine) = sin_cos(heading);
    [sine, cosine]
}

/// What is to the left of a direction.
fn left([x, z]: [Real; 2]) -> [Real; 2] {
    [z, -x]
}

impl Route {
    /// A route that begins here, in this heading (rad).
    pub(super) fn from(place: [Real; 2], heading: Real) -> Self {
        Self { points: vec![place], heading, sections: Vec::new() }
    }

    /// Where it ends (m).
    pub(super) fn end(&self) -> [Real; 2] {
        self.points.last().copied().unwrap_or_default()
    }

    /// Goes straight on for `length` (m).
    pub(super) fn straight(self, length: Real, speed: Real) -> Self {
        self.weave(length, speed, |_| 0.0)
    }

    /// Goes on for `length` (m), `beside` the straight line to the left as far as that says (m).
    pub(super) fn weave(self, length: Real, speed: Real, beside: impl Fn(Real) -> Real) -> Self {
        let (start, ahead) = (self.end(), direction(self.heading));
        let aside = left(ahead);
        self.section(length, speed, |way| {
            [0, 1].map(|axis| start[axis] + ahead[axis] * way + aside[axis] * beside(way))
        })
    }

    /// Turns by half a circle of this `radius` (m), to the left (1) or to the right (-1).
    pub(super) fn turn_around(self, radius: Real, side: Real, speed: Real) -> Self {
        let (start, heading) = (self.end(), self.heading);
        let aside = left(direction(heading));
        let center = [0, 1].map(|axis| start[axis] + side * radius * aside[axis]);
        let mut turned = self.section(PI * radius, speed, |way| {
            let outward = left(direction(heading + side * way / radius));
            [0, 1].map(|axis| center[axis] - side * radius * outward[axis])
        });
        turned.heading += side * PI;
        turned
    }

    /// Goes on for `length` (m) through each `place` at a way from here.
    fn section(mut self, length: Real, speed: Real, place: impl Fn(Real) -> [Real; 2]) -> Self {
        let count = (length / SPACING).ceil().max(1.0);
        let places = (1..=count as usize).map(|index| place(length * index as Real / count));
        self.points.extend(places);
        self.sections.push((self.points.len() - 1, speed));
        self
    }

    /// Stops here.
    pub(super) fn stop(mut self) -> Self {
        self.sections.push((self.points.len() - 1, 0.0));
        self
    }

    /// The path in the axes of the course, with speeds from which a driver slows down in time for
    /// those that come.
    ///
    /// ```text
    /// v² = min( v_i² + 2 a (s_i - s) )
    /// ```
    ///
    /// # Errors
    ///
    /// If it turns too sharply.
    pub(super) fn path(&self) -> Result<Path> {
        let frame = Frame::Y_UP;
        let points: Vec<_> =
            self.points.iter().map(|[x, z]| frame.translation(*z, *x, 0.0)).collect();
        let path = Path::open(&points, &frame)?;
        let mut begin = 0.0;
        let mut limits = Vec::with_capacity(self.sections.len());
        for (last, speed) in &self.sections {
            let [x, z] = self.points[*last];
            let end = path.nearest([z, x]).way;
            limits.push(([begin, end], *speed));
            begin = end;
        }
        let speed = |way: Real| {
            let coming = limits.iter().filter(|([_, end], _)| way <= *end);
            let square = |([begin, _], speed): &([Real; 2], Real)| {
                speed * speed + 2.0 * DECELERATION * (begin - way).max(0.0)
            };
            coming.map(square).fold(Real::INFINITY, Real::min).min(1e4).sqrt()
        };
        Ok(path.with_speeds(speed)?)
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
    fn hairpin_comes_back_beside_where_it_began() -> Result<()> {
        let path = hairpin().path()?;
        let [z, x] = path.at(path.length()).place;
        assert!((x - 20.0).abs() < 1e-3 && z.abs() < 1e-3, "{x}, {z}");
        let [z, x] = path.at(20.0 + 0.5 * PI * 10.0).place;
        assert!((x - 10.0).abs() < 0.1 && (z - 30.0).abs() < 0.1, "{x}, {z}");
        assert!((10.0 * path.at(35.0).curvature - 1.0).abs() < 0.02, "{:?}", path.at(35.0));
        Ok(())
    }

    #[test]
    fn driver_slows_down_in_time() -> Result<()> {
        let path = hairpin().stop().straight(20.0, 20.0).path()?;
        let stop = 40.0 + PI * 10.0;
        // v² = v₁² + 2 a s
        let braking = |speed: Real, way: Real| (speed * speed + 2.0 * DECELERATION * way).sqrt();
        for (way, expected) in [
            (40.0, 5.0),
            (10.0, braking(5.0, 10.0)),
            (stop - 10.0, braking(0.0, 10.0)),
            (stop + 5.0, 20.0),
        ] {
            let speed = path.at(way).speed;
            assert!((speed - expected).abs() < 0.2, "{speed} m/s at {way} m, not {expected}");
        }
        Ok(())
    }
}
