//! A wheel swept onto the convex hull of points, in closed form.

use rapier3d::parry::shape::ConvexPolyhedron;
use rapier3d::prelude::*;

use super::swept_wheel::{Edge, PARALLEL, SweptWheel, Touch};

/// Most edges of a hull that are looked at one by one. What has more of them is round, and seldom
/// large: general sweeps do.
pub(super) const MAX_EDGES: usize = 200;

impl SweptWheel {
    /// Where the wheel first touches a `hull`, or has touched it before; `None` if it passes by.
    pub(super) fn enter_hull(&self, hull: &ConvexPolyhedron) -> Option<Touch> {
        let mut last: Option<(Real, usize)> = None;
        for (number, face) in hull.faces().iter().enumerate() {
            let distance = self.free_distance(face.normal, corner_of(hull, number));
            if distance == Real::INFINITY {
                return None;
            }
            if last.is_none_or(|(latest, _)| latest < distance) {
                last = Some((distance, number));
            }
        }
        let (_, face) = last?;
        let (normal, corner) = (hull.faces()[face].normal, corner_of(hull, face));
        let mut best = self.enter_face(normal, corner, sides(hull, face));
        if best.is_on {
            return Some(best);
        }
        for edge in (0..hull.edges().len()).filter_map(|edge| edge_of(hull, edge)) {
            best = best.or_later(self.enter_edge(&edge));
        }
        for (number, corner) in hull.points().iter().enumerate() {
            if best.is_on {
                break;
            }
            let is_of_corner =
                |normal: Vector| ways(hull, number as u32).all(|way| normal.dot(way) <= PARALLEL);
            best = best.or_later(self.enter_corner(*corner, is_of_corner, best.distance));
        }
        best.distance.is_finite().then_some(best)
    }
}

/// The corner of a face that is farthest along its normal (m): faces are flat up to a degree.
fn corner_of(hull: &ConvexPolyhedron, face: usize) -> Vector {
    let face = hull.faces()[face];
    let first = face.first_vertex_or_edge as usize;
    let corners = &hull.vertices_adj_to_face()[first..first + face.num_vertices_or_edges as usize];
    let places = corners.iter().map(|&corner| hull.points()[corner as usize]);
    let height = |place: &Vector| face.normal.dot(*place);
    places.max_by(|one, other| height(one).total_cmp(&height(other))).unwrap_or_default()
}

/// Unit vectors out of a face across its edges, and points of those (m).
fn sides(hull: &ConvexPolyhedron, face: usize) -> impl Iterator<Item = (Vector, Vector)> {
    let face = hull.faces()[face];
    let first = face.first_vertex_or_edge as usize;
    let edges = &hull.edges_adj_to_face()[first..first + face.num_vertices_or_edges as usize];
    edges.iter().map(move |&number| {
        let edge = &hull.edges()[number as usize];
        let out = edge.dir.cross(face.normal);
        // The face on the other side of the edge is turned outwards.
        let others = edge.faces.into_iter().filter_map(|other| hull.faces().get(other as usize));
        let leans: Real = others.map(|other| other.normal.dot(out)).sum();
        (out * leans.signum(), hull.points()[edge.vertices[0] as usize])
    })
}

/// An edge between two faces; `None` if it is within one.
fn edge_of(hull: &ConvexPolyhedron, number: usize) -> Option<Edge> {
    let edge = &hull.edges()[number];
    let [one, other] = edge.faces.map(|face| hull.faces().get(face as usize));
    let faces = [one?.normal, other?.normal];
    let [from, to] = edge.vertices.map(|corner| hull.points()[corner as usize]);
    (edge.faces[0] != edge.faces[1]).then_some(Edge {
        faces,
        along: edge.dir,
        middle: 0.5 * (from + to),
        half_length: 0.5 * (to - from).length(),
    })
}

/// Unit vectors along the edges that begin at corner `number`.
fn ways(hull: &ConvexPolyhedron, number: u32) -> impl Iterator<Item = Vector> {
    hull.edges().iter().filter_map(move |edge| match edge.vertices {
        [from, _] if from == number => Some(edge.dir),
        [_, to] if to == number => Some(-edge.dir),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
