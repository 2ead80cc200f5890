//! A wheel swept onto triangles: meshes and height fields.
//!
//! A general sweep narrows down on a triangle step by step. For most triangles under a wheel a few
//! products say enough:
//!
//! - A wheel cannot touch a triangle before it touches the triangle's plane. Where it does, with
//!   its point farthest against the normal, it touches the triangle, if the point is in it. That is
//!   the contact, without the error of the general sweep. A wheel that begins with this point below
//!   the plane begins in the triangle, which general sweeps do not always see.
//! - It cannot touch a triangle sooner than the nearest contact of this kind, if the triangle is
//!   all below its plane.
//!
//! Other cases, such as triangles that are touched with an edge, are met in
//! [closed form](super::swept_wheel), too. Where the wheel begins in a triangle, a general sweep
//! finds the way out.

use arrayvec::ArrayVec;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::parry::query::{QueryDispatcher, ShapeCastHit, ShapeCastOptions, ShapeCastStatus};
use rapier3d::prelude::*;

use super::smooth_mesh::barycentric;
use super::swept_wheel::SweptWheel;

/// Least cosine between the sweep and the way into a triangle for which its plane says anything
/// (dimensionless).
const MIN_COSINE: Real = 0.05;

/// Distance by which a contact may be earlier than one that makes it needless to look for, in sizes
/// of the wheel (dimensionless). It is rounding.
const ROUNDING: Real = 3e-6;

/// Part of a triangle by which a point may lie outside by rounding (dimensionless): one on the edge
/// between two is in one of them.
const OUTSIDE: Real = -1e-6;

/// Most triangles that are kept from one pass to the next; where there are more, they are visited
/// again.
const MAX_OTHERS: usize = 32;

/// Relation of a sweep to the plane of a triangle.
enum Met {
    /// The wheel touches the triangle with a point inside of it, or begins so deep in it.
    Face(ShapeCastHit),
    /// The wheel touches nothing of the triangle sooner than at this distance (m).
    NotBefore(Real),
}

/// A wheel that is swept, in the frame of what it is swept onto.
struct Sweep<'a> {
    inner: &'a dyn QueryDispatcher,
    pose: &'a Pose,
    /// Unit vector.
    direction: Vector,
    wheel: &'a dyn Shape,
    /// The wheel as closed forms know it.
    swept: SweptWheel,
    /// Box around the wheel where it begins.
    bounds: Aabb,
    support: &'a dyn SupportMap,
    options: ShapeCastOptions,
    /// Distance that is rounding (m).
    rounding: Real,
}

impl Sweep<'_> {
    /// Relation of the sweep to the plane of `triangle`.
    fn meet(&self, triangle: &Triangle) -> Met {
        let Some(normal) = triangle.normal() else {
            return Met::NotBefore(Real::NEG_INFINITY);
        };
        // A triangle has two sides.
        let normal = if normal.dot(self.direction) < 0.0 { normal } else { -normal };
        let cosine = -normal.dot(self.direction);
        if cosine < MIN_COSINE {
            return Met::NotBefore(Real::NEG_INFINITY);
        }
        let deepest = self.support.support_point(self.pose, -normal);
        let distance = normal.dot(deepest - triangle.a) / cosine;
        let point = deepest + self.direction * distance;
        let is_inside =
            barycentric(triangle, point).is_some_and(|weights| OUTSIDE <= weights.min_element());
        let begins_within = distance <= 0.0;
        if begins_within {
            let highest = self.support.support_point(self.pose, normal);
            // Where the wheel begins in the plane beside the triangle, nothing is said.
            if !is_inside || normal.dot(highest - triangle.a) <= 0.0 {
                return Met::NotBefore(Real::NEG_INFINITY);
            }
        } else if !is_inside {
            return Met::NotBefore(distance);
        }
        let status = if begins_within {
            ShapeCastStatus::PenetratingOrWithinTargetDist
        } else {
            ShapeCastStatus::Converged
        };
        Met::Face(ShapeCastHit {
            time_of_impact: distance.max(0.0),
            witness1: point,
            witness2: self.pose.inverse_transform_point(deepest),
            normal1: normal,
            normal2: self.pose.rotation.inverse() * -normal,
            status,
            subshape1: 0,
            subshape2: 0,
        })
    }

    /// Whether all of `triangle` is below the plane of a contact with a `face`.
    fn is_below(&self, triangle: &Triangle, face: Option<&ShapeCastHit>) -> bool {
        face.is_some_and(|face| {
            let height = |corner: &Vector| face.normal1.dot(*corner - face.witness1);
            triangle.vertices().iter().all(|corner| height(corner) <= self.rounding)
        })
    }

    /// The sweep onto `triangle`, up to `limit` (m).
    fn narrow(&self, triangle: &Triangle, limit: Real) -> Option<ShapeCastHit> {
        let enter = |wheel: &SweptWheel| wheel.enter_triangle(triangle);
        self.swept.meet(self.pose, limit, enter, |_| self.way_out(triangle, limit))
    }

    /// The general sweep out of `triangle`, up to `limit` (m).
    fn way_out(&self, triangle: &Triangle, limit: Real) -> Option<ShapeCastHit> {
        let options = ShapeCastOptions { max_time_of_impact: limit, ..self.options };
        let cast = self.inner.cast_shapes(self.pose, self.direction, triangle, self.wheel, options);
        cast.ok().flatten()
    }

    /// Box around the wheel all along the sweep.
    fn swept_bounds(&self) -> Aabb {
        let way = self.direction * self.options.max_time_of_impact;
        let end = Aabb { mins: self.bounds.mins + way, maxs: self.bounds.maxs + way };
        self.bounds.merged(&end)
    }

    /// The first contact with the triangles that `visit` shows, with their numbers: those in the
    /// swept box.
    fn onto(&self, visit: impl Fn(&Aabb, &mut dyn FnMut(u32, &Triangle))) -> Option<ShapeCastHit> {
        let (limit, swept) = (self.options.max_time_of_impact, self.swept_bounds());
        let mut face: Option<ShapeCastHit> = None;
        let (mut others, mut is_full) = (ArrayVec::<_, MAX_OTHERS>::new(), false);
        visit(&swept, &mut |id, triangle| match self.meet(triangle) {
            Met::Face(hit) => {
                if hit.time_of_impact <= face.map_or(limit, |face| face.time_of_impact) {
                    face = Some(ShapeCastHit { subshape1: id, ..hit });
                }
            }
            Met::NotBefore(distance) => {
                is_full |= others.try_push((id, *triangle, distance)).is_err();
            }
        });
        let mut best = face;
        let mut narrow = |id, triangle: &Triangle, distance: Real| {
            let limit = best.map_or(limit, |best| best.time_of_impact);
            if limit <= distance + self.rounding || self.is_below(triangle, face.as_ref()) {
                return;
            }
            let hit = self.narrow(triangle, limit);
            if let Some(hit) = hit.filter(|hit| best.is_none() || hit.time_of_impact < limit) {
                best = Some(ShapeCastHit { subshape1: id, ..hit });
            }
        };
        if is_full {
            visit(&swept, &mut |id, triangle| {
                if let Met::NotBefore(distance) = self.meet(triangle) {
                    narrow(id, triangle, distance);
                }
            });
        } else {
            others.iter().for_each(|(id, triangle, distance)| narrow(*id, triangle, *distance));
        }
        best
    }
}

/// Sweeps the shape `g2` onto the mesh or height field `g1`; `None` if that is neither. What is not
/// met in the middle of a triangle is left to the dispatcher `inner`.
pub(super) fn sweep_onto_triangles(
    inner: &dyn QueryDispatcher,
    pose: &Pose,
    direction: Vector,
    g1: &dyn Shape,
    g2: &dyn Shape,
    options: ShapeCastOptions,
) -> Option<Option<ShapeCastHit>> {
    let (mesh, field) = (g1.as_trimesh(), g1.as_heightfield());
    if mesh.is_none() && field.is_none() {
        return None;
    }
    let bounds = g2.compute_aabb(pose);
    let rounding = ROUNDING * bounds.half_extents().max_element();
    let support = g2.as_support_map()?;
    let swept = SweptWheel::of(g2, pose, direction)?;
    let sweep =
        Sweep { inner, pose, direction, wheel: g2, swept, bounds, support, options, rounding };
    Some(sweep.onto(|swept, show| {
        if let Some(mesh) = mesh {
            for id in mesh.bvh().intersect_aabb(swept) {
                show(id, &mesh.triangle(id));
            }
        } else if let Some(field) = field {
            field.map_elements_in_local_aabb(swept, &mut |id, triangle| show(id, triangle));
        }
    }))
}

#[cfg(test)]
mod tests {
    use rapier3d::parry::query::DefaultQueryDispatcher;
    use snippets::noise::Noise;

    use super::super::wheel_sweeps::WheelSweeps;
    use super::*;

    #[test]
    fn sweeps_onto_triangles_meet_what_general_sweeps_meet() {
        let general = DefaultQueryDispatcher;
        let ours = WheelSweeps(&general);
        let mut noise = Noise(1);
        for count in [8, 24, 80] {
            let heights = (0..count * count).map(|_| noise.within(-0.05, 0.05)).collect();
            let heights = Array2::new(count, count, heights);
            let field = HeightField::new(heights, Vector::new(8.0, 1.0, 8.0));
            let (vertices, triangles) = field.to_trimesh();
            let mesh = TriMesh::new(vertices, triangles).expect("a mesh");
            let grounds: [&dyn Shape; 2] = [&field, &mesh];
            for case in 0..400 {
                let round = [0.0, 0.04, 0.12][case % 3];
                let inner_shape = Cylinder::new(0.12 - round, 0.35 - round);
                let wheel = RoundCylinder { inner_shape, border_radius: round };
                let place = noise.vector(3.0) * Vector::new(1.0, 0.0, 1.0) + Vector::Y * 0.5;
                let axle = (Vector::X + noise.vector(0.3)).normalize();
                let pose = Pose::from_parts(place, Rotation::from_rotation_arc(Vector::Y, axle));
                let direction = (Vector::NEG_Y + noise.vector(0.2)).normalize();
                let options = ShapeCastOptions {
                    max_time_of_impact: 0.5,
                    target_distance: 0.0,
                    stop_at_penetration: true,
                    compute_impact_geometry_on_penetration: true,
                };
                for (ground, kind) in grounds.into_iter().zip(["height field", "mesh"]) {
                    let cast = |dispatcher: &dyn QueryDispatcher| {
                        let hit = dispatcher.cast_shapes(&pose, direction, ground, &wheel, options);
                        hit.expect("supported").expect("a contact")
                    };
                    let (expected, found) = (cast(&general), cast(&ours));
                    let what = format!("{kind} of {count}, case {case}: {found:?}, {expected:?}");
                    // Where a general sweep meets it later, the wheel must be there already.
                    let sooner = expected.time_of_impact - found.time_of_impact;
                    let swept = SweptWheel::of(&wheel, &pose, direction).expect("a wheel");
                    let (gap, _) = swept.clearance(found.witness1, found.time_of_impact);
                    assert!(-1e-3 < sooner && gap < 1e-5, "{what}: {sooner} m, {gap} m");
                    assert!(sooner < 5e-3, "{what}: {sooner} m");
                    // The wheel touches the plane of the contact with its deepest point.
                    let at =
                        Pose::from_parts(place + direction * found.time_of_impact, pose.rotation);
                    let deepest = wheel.support_point(&at, -found.normal1);
                    let depth = found.normal1.dot(found.witness1 - deepest);
                    assert!(depth.abs() < 2e-3, "{what}: {depth} m below its plane");
                }
            }
        }
    }
}
