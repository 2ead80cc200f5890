//! The way of a driver over the ground, from above, and how fast it is driven.

use anyhow::Result;
use rapier3d::prelude::*;
use vehicle_rapier::core::Frame;
use vehicle_rapier::core::math::{PI, sin_cos};
use vehicle_rapier::drivetrain::driver::Path;

/// Distance of two points of a route (m), and the least number of them in a section.
const SPACING: Real = 2.0;
const FEWEST: Real = 6.0;

/// A way over the ground in sections, each at its speed, on which a path is laid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Route {
    /// Where it goes: along z and x (m).
    points: Vec<[Real; 2]>,
    heading: Real,
    /// Where sections end, and the largest speeds in them (m/s).
    sections: Vec<([Real; 2], Real)>,
    /// Where one stops on it.
    stops: Vec<[Real; 2]>,
}

/// The direction of a heading, an angle to the left of +z (rad): along z and x.
fn direction(heading: Real) -> [Real; 2] {
    let (sine, cosine) = sin_cos(heading);
    [cosine, sine]
}

/// What is to the left of a direction.
fn left([z, x]: [Real; 2]) -> [Real; 2] {
    [-x, z]
}

impl Route {
    /// A route that begins at a `place`, along z and x (m), in this heading (rad).
    pub(crate) fn from(place: [Real; 2], heading: Real) -> Self {
        Self { points: vec![place], heading, sections: Vec::new(), stops: Vec::new() }
    }

    /// Where it ends.
    pub(crate) fn end(&self) -> [Real; 2] {
        self.points.last().copied().unwrap_or_default()
    }

    /// Goes straight on for `length` (m).
    pub(crate) fn straight(self, length: Real, speed: Real) -> Self {
        self.weave(length, speed, |_| 0.0)
    }

    /// Goes on for `length` (m), `beside` the straight line to the left as far as that says (m).
    pub(crate) fn weave(self, length: Real, speed: Real, beside: impl Fn(Real) -> Real) -> Self {
        let (start, ahead) = (self.end(), direction(self.heading));
        let aside = left(ahead);
        self.section(length, speed, |part| {
            let (way, offset) = (part * length, beside(part * length));
            [0, 1].map(|axis| start[axis] + ahead[axis] * way + aside[axis] * offset)
        })
    }

    /// Turns by half a circle of this `radius` (m), to the left (1) or to the right (-1).
    pub(crate) fn turn_around(self, radius: Real, side: Real, speed: Real) -> Self {
        let (start, heading) = (self.end(), self.heading);
        let aside = left(direction(heading));
        let center = [0, 1].map(|axis| start[axis] + side * radius * aside[axis]);
        let mut turned = self.section(PI * radius, speed, |part| {
            let outward = left(direction(heading + side * PI * part));
            [0, 1].map(|axis| center[axis] - side * radius * outward[axis])
        });
        turned.heading += side * PI;
        turned
    }

    /// Stops here.
    pub(crate) fn stop(mut self) -> Self {
        self.stops.push(self.end());
        self
    }

    fn section(mut self, length: Real, speed: Real, place: impl Fn(Real) -> [Real; 2]) -> Self {
        let count = (length / SPACING).ceil().max(FEWEST);
        self.points.extend((1..=count as usize).map(|index| place(index as Real / count)));
        self.sections.push((self.end(), speed));
        self
    }

    /// The path along it.
    pub(crate) fn path(&self) -> Result<Path> {
        let place = |&[z, x]: &[Real; 2]| Frame::Y_UP.translation(z, x, 0.0);
        let path = Path::open(&self.points.iter().map(place).collect::<Vec<_>>(), &Frame::Y_UP)?;
        let way = |place: [Real; 2]| path.nearest(place).way;
        let ends: Vec<_> = self.sections.iter().map(|it| (way(it.0), it.1)).collect();
        let stops: Vec<_> = self.stops.iter().map(|it| way(*it)).collect();
        let near = 0.6 * path.spacing();
        Ok(path.with_speeds(|way| {
            let is_stop = stops.iter().any(|stop| (stop - way).abs() < near);
            let section = ends.iter().find(|it| way <= it.0).or(ends.last());
            section.filter(|_| !is_stop).map_or(0.0, |it| it.1)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hairpin_comes_back_beside_where_it_began() -> Result<()> {
        let route = Route::from([0.0, 0.0], 0.0).straight(20.0, 20.0).turn_around(10.0, 1.0, 5.0);
        let path = route.straight(20.0, 20.0).stop().path()?;
        let length = 40.0 + 10.0 * PI;
        assert!((path.length() - length).abs() < 0.1, "{} m, not {length}", path.length());
        let [z, x] = path.at(length).place;
        assert!((x - 20.0).abs() < 1e-3 && z.abs() < 1e-3, "{x}, {z}");
        let top = path.at(20.0 + 5.0 * PI);
        let [z, x] = top.place;
        assert!((x - 10.0).abs() < 0.1 && (z - 30.0).abs() < 0.1, "{top:?}");
        assert!((top.curvature - 0.1).abs() < 2e-3, "{top:?}");
        for (way, speed) in [(5.0, 20.0), (35.0, 5.0), (60.0, 20.0)] {
            assert_eq!(path.at(way).speed, speed, "at {way} m");
        }
        assert_eq!(path.at(length).speed, 0.0);
        Ok(())
    }
}
