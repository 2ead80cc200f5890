//! From the numbers of a shape to a body.

use rapier3d::prelude::*;
use vehicle_rapier::core::math::{TAU, sin_cos};

use super::piece::{Form, Measure, Milli, Paint, Piece};
use super::{LookPart, PartLook, WheelLook};

/// A point of a side view: along and up (m).
type Point = [Real; 2];

/// Corners of a disc, and of half an arch.
const DISC_CORNERS: usize = 16;
const ARCH_CORNERS: usize = 9;
/// Radius of an arch by that of its wheel.
const ARCH: Real = 1.17;
/// A wheel at the end of a track, by the radius of a road wheel. The numbers are how far before the
/// last one, how far above the ground, and its radius; then the thickness of the track.
const END_WHEEL: [Real; 3] = [2.15, 2.15, 0.92];
const TRACK: Real = 0.17;

/// Where the numbers of a shape are in a body (m).
pub(super) struct Place<'a> {
    /// What is 0 along and up.
    origin: Point,
    /// What is 1 along, up and across.
    scale: [Real; 3],
    wheels: &'a [WheelLook],
    ground: Real,
}

/// A number of thousandths.
fn whole(thousandths: Milli) -> Real {
    0.001 * Real::from(thousandths)
}

impl<'a> Place<'a> {
    pub(super) fn new(
        measure: Measure,
        wheels: &'a [WheelLook],
        bounds: &Aabb,
        ground: Real,
    ) -> Self {
        let (origin, scale) = match measure {
            Measure::Body => {
                let (low, high) = (bounds.mins, bounds.maxs);
                let base = ground + 0.5 * (low.y - ground);
                let scale = [high.z - low.z, high.y - base, 0.5 * (high.x - low.x)];
                ([0.5 * (low.z + high.z), base], scale)
            }
            Measure::Axles(distance) => {
                let along = wheels.iter().map(|wheel| wheel.place.z);
                let [rear, front] = along
                    .fold([Real::MAX, Real::MIN], |[rear, front], z| [rear.min(z), front.max(z)]);
                let scale = ((front - rear) / whole(distance)).max(0.01);
                ([0.5 * (rear + front), ground], [scale; 3])
            }
        };
        Self { origin, scale, wheels, ground }
    }

    fn point(&self, [along, up]: [Milli; 2]) -> Point {
        [self.origin[0] + self.scale[0] * whole(along), self.origin[1] + self.scale[1] * whole(up)]
    }

    /// A point on a side, 1 or -1.
    fn vector(&self, side: Real, [across, up, along]: [Milli; 3]) -> Vector {
        let [z, y] = self.point([along, up]);
        Vector::new(side * self.scale[2] * whole(across), y, z)
    }

    /// Adds the parts that a piece is.
    pub(super) fn add(&self, piece: &Piece, parts: &mut Vec<LookPart>) {
        let sides: &[Real] = if piece.is_pair { &[-1.0, 1.0] } else { &[1.0] };
        for &side in sides {
            match piece.form {
                Form::Rod(from, to, radius) => {
                    let ends = [from, to].map(|end| self.vector(side, end));
                    let shape = PartLook::Rod { ends, radius: whole(radius) * self.scale[0] };
                    parts.push(LookPart { paint: piece.paint, shape });
                }
                Form::Track => self.add_track(side, parts),
                _ => self.add_profiles(piece, side, parts),
            }
        }
    }

    fn all(&self, points: &[[Milli; 2]]) -> Vec<Point> {
        points.iter().map(|&point| self.point(point)).collect()
    }

    fn add_profiles(&self, piece: &Piece, side: Real, parts: &mut Vec<LookPart>) {
        let across = side * whole(piece.across) * self.scale[2];
        let half_width = piece.half.map(|half| whole(half) * self.scale[2]);
        let mut add = |outline: Vec<Point>| {
            let shape = PartLook::Profile { outline, across, half_width };
            parts.push(LookPart { paint: piece.paint, shape });
        };
        match piece.form {
            Form::View(points) => add(self.all(points)),
            Form::Hull(points) => add(self.with_arches(self.all(points))),
            Form::Slab([rear, front], [low, high]) => {
                add(self.all(&[[rear, low], [rear, high], [front, high], [front, low]]));
            }
            Form::Disc(center, radius) => {
                add(disc(self.point(center), whole(radius) * self.scale[0]));
            }
            Form::Strip(points, thickness) => {
                let thickness = whole(thickness) * self.scale[1];
                for pair in self.all(points).windows(2) {
                    add(sheet([pair[0], pair[1]], thickness).into());
                }
            }
            Form::Track | Form::Rod(..) => {}
        }
    }

    /// A side view whose lower edge, from the nose back to the tail, leads around wheels.
    fn with_arches(&self, mut outline: Vec<Point>) -> Vec<Point> {
        let (Some(&[rear, edge]), Some(&[front, _])) = (outline.first(), outline.last()) else {
            return outline;
        };
        // From the front: each time the foremost of those that are left.
        let mut last = Real::INFINITY;
        let next = |last: Real| {
            let left = self.wheels.iter().filter(|wheel| wheel.place.z < last - 0.1 * wheel.radius);
            left.reduce(|one, other| if one.place.z < other.place.z { other } else { one })
        };
        while let Some(WheelLook { place, radius, .. }) = next(last) {
            last = place.z;
            let radius = ARCH * radius;
            let below = edge - place.y;
            if radius <= below.abs() {
                continue;
            }
            let half = (radius * radius - below * below).sqrt();
            if place.z + half < front && rear < place.z - half {
                // From the front end of the arch over its top to its rear end.
                let begin = below.atan2(half);
                for corner in 0..ARCH_CORNERS {
                    let share = corner as Real / (ARCH_CORNERS - 1) as Real;
                    let angle = begin + share * (0.5 * TAU - 2.0 * begin);
                    let (sine, cosine) = sin_cos(angle);
                    outline.push([place.z + radius * cosine, place.y + radius * sine]);
                }
            }
        }
        outline
    }

    /// Adds the track of a side, and the wheels at its ends.
    fn add_track(&self, side: Real, parts: &mut Vec<LookPart>) {
        let mut ends = [Real::MAX, Real::MIN];
        let mut road_wheel = None;
        for wheel in self.wheels.iter().filter(|wheel| 0.0 < side * wheel.place.x) {
            ends = [ends[0].min(wheel.place.z), ends[1].max(wheel.place.z)];
            road_wheel = Some(wheel);
        }
        let Some(&WheelLook { place, radius, half_width }) = road_wheel else { return };
        let [before, above, end_radius] = END_WHEEL.map(|share| share * radius);
        let centers = [ends[0] - before, ends[1] + before].map(|z| [z, self.ground + above]);
        let mut add = |paint, outline, half| {
            let shape = PartLook::Profile { outline, across: place.x, half_width: [half; 2] };
            parts.push(LookPart { paint, shape });
        };
        let mut way = vec![[ends[0], self.ground]];
        way.extend(track_end(centers[0], end_radius, -1.0));
        way.extend(track_end(centers[1], end_radius, 1.0).iter().rev());
        way.extend([[ends[1], self.ground], [ends[0], self.ground]]);
        for pair in way.windows(2) {
            let outline = sheet([pair[0], pair[1]], TRACK * radius);
            add(Paint::Dark, outline.into(), half_width);
        }
        for center in centers {
            let outline = disc(center, end_radius - TRACK * radius);
            add(Paint::Metal, outline, 0.8 * half_width);
        }
    }
}

/// Where a track leads around the wheel at its end, from below to the top, toward the nose (1) or
/// the tail (-1).
fn track_end([along, up]: Point, radius: Real, way: Real) -> [Point; 5] {
    [-0.14, -0.02, 0.08, 0.17, 0.25].map(|turn: Real| {
        let (sine, cosine) = sin_cos(turn * TAU);
        [along + way * radius * cosine, up + radius * sine]
    })
}

/// A sheet to the right of a line, which runs clockwise around what is inside.
fn sheet([from, to]: [Point; 2], thickness: Real) -> [Point; 4] {
    let [along, up] = [to[0] - from[0], to[1] - from[1]];
    let length = (along * along + up * up).sqrt().max(1e-6);
    let inward = [up / length * thickness, -along / length * thickness];
    let within = |point: Point| [point[0] + inward[0], point[1] + inward[1]];
    [from, to, within(to), within(from)]
}

fn disc([along, up]: Point, radius: Real) -> Vec<Point> {
    (0..DISC_CORNERS)
        .map(|corner| {
            let (sine, cosine) = sin_cos(TAU * corner as Real / DISC_CORNERS as Real);
            [along - radius * cosine, up + radius * sine]
        })
        .collect()
}
