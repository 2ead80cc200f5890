//! A wheel swept onto a triangle, in closed form.
//!
//! A triangle is a flat solid of two faces. Its sides have normals of their own, from one face to
//! the other.

use rapier3d::prelude::*;

use super::swept_wheel::{Edge, PARALLEL, SweptWheel, Touch};

impl SweptWheel {
    /// Where the wheel first touches a `triangle`, or has touched it before; `None` if it passes by
    /// or the triangle has no area.
    pub(super) fn enter_triangle(&self, triangle: &Triangle) -> Option<Touch> {
        let corners = *triangle.vertices();
        let normal = triangle.normal()?;
        let normal = if normal.dot(self.direction) < 0.0 { normal } else { -normal };
        let sides = [0, 1, 2].map(|side| side_of(&corners, side, normal));
        let bounds = sides.each_ref().map(|side| (side.faces[1], side.middle));
        let mut best = self.enter_face(normal, corners[0], bounds);
        if best.is_on {
            return Some(best);
        }
        // It passes by, or is at least so far away.
        let mut free = best.distance.max(self.free_distance(-normal, corners[0]));
        for side in &sides {
            free = free.max(self.free_distance(side.faces[1], side.middle));
        }
        if free == Real::INFINITY {
            return None;
        }
        for side in &sides {
            let below = Edge { faces: [side.faces[1], -normal], ..*side };
            best = best.or_later(self.enter_edge(side)).or_later(self.enter_edge(&below));
        }
        for index in 0..3 {
            if best.is_on {
                break;
            }
            let [corner, one, other] = [0, 1, 2].map(|step| corners[(index + step) % 3]);
            let ways = [one - corner, other - corner].map(Vector::normalize_or_zero);
            let is_of_corner = |normal: Vector| ways.iter().all(|way| normal.dot(*way) <= PARALLEL);
            let least = best.distance.max(free);
            best = best.or_later(self.enter_corner(corner, is_of_corner, least));
        }
        best.distance.is_finite().then_some(best)
    }
}

/// The edge of a triangle of these `corners` (m) from the one of number `side` to the next, between
/// its face of unit normal `normal` and its side.
fn side_of(corners: &[Vector; 3], side: usize, normal: Vector) -> Edge {
    let [from, to, opposite] = [0, 1, 2].map(|step| corners[(side + step) % 3]);
    let along = (to - from).normalize_or_zero();
    let across = along.cross(normal);
    let outward = if across.dot(opposite - from) < 0.0 { across } else { -across };
    let (middle, half_length) = (0.5 * (from + to), 0.5 * (to - from).length());
    Edge { faces: [normal, outward], along, middle, half_length }
}

#[cfg(test)]
mod tests;
