//! Planes, and the lines in which they meet.

use serde::{Deserialize, Serialize};

use crate::math::lanes::{Number, Vector, lanes_by_field};
use crate::math::{Real, Vec3};

/// The points x with n·x + d = 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plane<V: Vector = Vec3> {
    /// Unit normal n, out of the road.
    pub normal: V,
    /// Offset d (m).
    pub offset: V::Number,
}

impl Plane {
    /// No plane at all, where there is no road.
    pub(crate) const NONE: Self = Self { normal: Vec3::ZERO, offset: 0.0 };
}

impl<V: Vector> Plane<V> {
    /// The plane through `point` (m) with the unit vector `normal`.
    #[inline]
    pub fn through(point: V, normal: V) -> Self {
        Self { normal, offset: -point.dot(normal) }
    }

    /// Offset (m) of the plane after `dt` (s) at `velocity` (m/s).
    ///
    /// ```text
    /// d' = d - n·v dt
    /// ```
    #[inline]
    pub fn advanced_offset(&self, velocity: V, dt: Real) -> V::Number {
        self.offset - self.normal.dot(velocity) * Number::splat(dt)
    }

    /// Distance of `point` (m) from the plane, positive on the side of the normal (m).
    #[inline]
    pub fn distance(&self, point: V) -> V::Number {
        self.normal.dot(point) + self.offset
    }
}

lanes_by_field!(Plane<Vector> { normal, offset });

/// A straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<V = Vec3> {
    /// A point of the line (m).
    pub point: V,
    /// Unit vector along the line.
    pub direction: V,
}

impl Line {
    /// The line in which two planes meet; `None` if they are parallel.
    ///
    /// ```text
    /// direction ∝ D = n₁ × n₂
    /// ```
    ///
    /// The point has a zero coordinate along the axis on which `D` is largest.
    pub fn between(first: &Plane, second: &Plane) -> Option<Self> {
        let (line, squared) = Self::in_lanes(first, second);
        (0.0 < squared).then_some(line)
    }
}

impl<V: Vector> Line<V> {
    /// The line in which two planes [meet](Line::between), and the square of the sine of the angle
    /// between them, where it is above zero.
    #[inline]
    pub(crate) fn in_lanes(first: &Plane<V>, second: &Plane<V>) -> (Self, V::Number) {
        let ((a, d), (b, e)) = ((first.normal, first.offset), (second.normal, second.offset));
        let ([ax, ay, az], [bx, by, bz]) = (a.components(), b.components());
        let direction = a.cross(b);
        let [x, y, z] = direction.components();
        let [xx, yy, zz] = [x * x, y * y, z * z];
        // Components of the point times those of the direction, but for their signs.
        let (p, q, r) = (ay * e - by * d, bx * d - ax * e, az * e - bz * d);
        let is_z_largest = yy.is_below(zz) & xx.is_below(zz);
        let is_y_largest = !is_z_largest & xx.is_below(yy);
        let is_x_largest = !(is_z_largest | is_y_largest);
        let zero = V::Number::zero();
        let or_zero = |is_zero, value| Number::select(is_zero, zero, value);
        let largest = Number::select(is_z_largest, z, Number::select(is_y_largest, y, x));
        let point = V::new(
            or_zero(is_x_largest, Number::select(is_z_largest, p, -r) / largest),
            or_zero(is_y_largest, Number::select(is_z_largest, q, r) / largest),
            or_zero(is_z_largest, Number::select(is_y_largest, -q, -p) / largest),
        );
        let squared = xx + yy + zz;
        (Self { point, direction: direction / squared.sqrt() }, squared)
    }

    /// The point of the line that is nearest to `point` (m).
    #[inline]
    pub fn closest_point(&self, point: V) -> V {
        self.point + self.direction * (point - self.point).dot(self.direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_meet_in_a_line_unless_parallel() {
        let normals =
            [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.0, -0.8, 0.6)];
        for first in normals {
            for second in normals {
                let planes = [first, second].map(|normal| Plane { normal, offset: -0.7 });
                let line = Line::between(&planes[0], &planes[1]);
                assert_eq!(line.is_none(), first == second, "{first}, {second}");
                let Some(line) = line else { continue };
                let closest = line.closest_point(Vec3::new(3.0, -2.0, 1.0));
                for plane in planes {
                    assert!(plane.distance(closest).abs() < 1e-5, "{first}, {second}: {closest}");
                }
            }
        }
    }

    #[test]
    fn plane_measures_distance_along_its_normal() {
        let plane = Plane::through(Vec3::new(1.0, 2.0, 3.0), Vec3::Y);
        assert_eq!(plane.distance(Vec3::new(5.0, 2.5, 0.0)), 0.5);
    }
}
