//! A wheel swept onto a box, in closed form.

use rapier3d::prelude::*;

use super::swept_wheel::{Edge, PARALLEL, SweptWheel, Touch};

impl SweptWheel {
    /// Where the wheel first touches a box of these half extents (m), or has touched it before;
    /// `None` if it passes by.
    pub(super) fn enter_box(&self, half_extents: Vector) -> Option<Touch> {
        let mut best = self.enter_box_face(half_extents)?;
        if best.is_on {
            return Some(best);
        }
        // Free distances have one maximum over all normals: a contact on an edge, between its ends,
        // is it. Most are on an edge of the face that was last.
        let last_face = best.normal;
        let adjoins = |edge: &Edge| edge.faces.contains(&last_face);
        let adjoining = edges(half_extents).filter(adjoins);
        for edge in adjoining.chain(edges(half_extents).filter(|edge| !adjoins(edge))) {
            let touch = self.enter_edge(&edge);
            best = best.or_later(touch);
            let is_it = |touch: Touch| touch.is_on && best.distance <= touch.distance;
            if let Some(touch) = touch.filter(|&touch| touch.distance.is_finite() && is_it(touch)) {
                return Some(touch);
            }
        }
        if !best.is_on {
            for signs in corners() {
                let is_of_corner = |normal: Vector| -PARALLEL <= (normal * signs).min_element();
                let is_ahead = (signs * self.direction).min_element() < 0.0;
                let corner = signs * half_extents;
                if is_ahead {
                    best = best.or_later(self.enter_corner(corner, is_of_corner, best.distance));
                }
            }
        }
        best.distance.is_finite().then_some(best)
    }

    /// The last face that the wheel goes through; `None` if it passes by a face.
    fn enter_box_face(&self, half_extents: Vector) -> Option<Touch> {
        let mut last: Option<(Real, usize, Vector)> = None;
        for axis in 0..3 {
            let unit = Vector::AXES[axis];
            let normal = if 0.0 < self.direction[axis] { -unit } else { unit };
            let (height, reach) = (normal.dot(self.center), self.reach(unit));
            let (gap, approach) = (height - half_extents[axis] - reach, self.direction[axis].abs());
            let is_past = 0.0 < -height - half_extents[axis] - reach;
            let is_parallel = approach <= PARALLEL;
            if is_past || (is_parallel && self.passes_by(normal, gap)) {
                return None;
            }
            let distance = gap / approach;
            if !is_parallel && last.is_none_or(|(latest, ..)| latest < distance) {
                last = Some((distance, axis, normal));
            }
        }
        let (distance, axis, normal) = last?;
        let sides = (0..3).filter(|&side| side != axis).flat_map(|side| {
            let unit = Vector::AXES[side];
            [unit, -unit].map(|outward| (outward, outward * half_extents[side]))
        });
        let touch = self.enter_face(normal, normal * half_extents[axis], sides);
        let mut point = touch.point;
        point[axis] = normal[axis] * half_extents[axis];
        Some(Touch { distance, point: point.max(-half_extents).min(half_extents), ..touch })
    }
}

/// The twelve edges of a box of these half extents (m).
fn edges(half_extents: Vector) -> impl Iterator<Item = Edge> {
    (0..12).map(move |index| {
        let (axis, signs) = (index / 4, index % 4);
        let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
        let sign = |bit: usize| if signs & bit == 0 { 1.0 } else { -1.0 };
        let faces = [Vector::AXES[first] * sign(1), Vector::AXES[second] * sign(2)];
        let middle = (faces[0] + faces[1]) * half_extents;
        Edge { faces, along: Vector::AXES[axis], middle, half_length: half_extents[axis] }
    })
}

/// The signs of the eight corners of a box.
fn corners() -> impl Iterator<Item = Vector> {
    (0..8).map(|index| {
        let sign = |bit: i32| if index & bit == 0 { 1.0 } else { -1.0 };
        Vector::new(sign(1), sign(2), sign(4))
    })
}

#[cfg(test)]
mod tests;
