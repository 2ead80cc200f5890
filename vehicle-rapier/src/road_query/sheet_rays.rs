//! Rays on meshes and height fields that pass between no two triangles.
//!
//! Whether a ray crosses a triangle is asked of each of its edges. Triangles that share one must
//! have the same answer, or a ray on the edge misses both by rounding. So corners are seen from the
//! ray: along its longest axis, sheared onto it, each by its own numbers alone. There, an edge from
//! `p` to `q` passes the ray on the side of
//!
//! ```text
//! p × q = p_x q_y - p_y q_x
//! ```
//!
//! Products of single precision are exact in double precision, and so is the sign of the
//! difference. The triangle at the other side, which sees the edge from `q` to `p`, gets just the
//! other sign. A ray on an edge crosses both, and the one of the lower number counts.
//!
//! Source: Woop, Benthin and Wald, Watertight ray/triangle intersection (2013).

use rapier3d::parry::partitioning::TraversalAction;
use rapier3d::prelude::*;

use super::RapierRoad;
use super::triangle_lists::{LookFor, TriangleList};

/// How far beyond their bounds triangles are looked for, in parts of the coordinates
/// (dimensionless): more than rounding.
const MARGIN: Real = 1e-6;

/// A ray that is seen along its longest axis.
struct SheetRay<'a> {
    ray: &'a Ray,
    /// Distance that is more than rounding within its length (m).
    margin: Real,
    /// The axis along it.
    along: usize,
    /// How far it goes across per length along (dimensionless).
    shear: [Real; 2],
}

/// The nearest triangle so far.
struct Nearest {
    distance: Real,
    met: Option<(u32, Triangle)>,
}

/// Distance that is more than rounding within `length` (m) of `ray` (m).
fn margin_of(ray: &Ray, length: Real) -> Real {
    MARGIN * (ray.origin.abs().max_element() + length)
}

impl RapierRoad<'_> {
    /// First intersection of `ray` of `wheel` with `collider` within `length` (m).
    pub(super) fn cast_on(
        &self,
        wheel: usize,
        collider: &Collider,
        ray: &Ray,
        length: Real,
    ) -> Option<RayIntersection> {
        let (shape, pose) = (collider.shared_shape(), collider.position());
        let Some((near, mesh)) = self.near_triangles.zip(shape.as_trimesh()) else {
            return cast_on(&**shape, pose, ray, length);
        };
        let ray = &ray.inverse_transform_by(pose);
        let cast = |list: Option<&TriangleList>| match list {
            Some(list) => cast_on_triangles(mesh, list.triangles(), ray, length),
            None => cast_on_mesh(mesh, ray, length),
        };
        let met = near.look((wheel, LookFor::Road), (shape, mesh), &bounds_of(ray, length), cast);
        met.map(|met| met.transform_by(pose))
    }
}

/// First intersection of `ray` with `shape` at `pose` within `length` (m).
pub(super) fn cast_on(
    shape: &dyn Shape,
    pose: &Pose,
    ray: &Ray,
    length: Real,
) -> Option<RayIntersection> {
    let met = if let Some(mesh) = shape.as_trimesh() {
        cast_on_mesh(mesh, &ray.inverse_transform_by(pose), length)
    } else if let Some(field) = shape.as_heightfield() {
        cast_on_field(field, &ray.inverse_transform_by(pose), length)
    } else {
        return shape.cast_ray_and_get_normal(pose, ray, length, true);
    };
    met.map(|met| met.transform_by(pose))
}

/// First intersection of `ray` with a mesh, in the frame of the mesh.
fn cast_on_mesh(mesh: &TriMesh, ray: &Ray, length: Real) -> Option<RayIntersection> {
    let sheet_ray = SheetRay::new(ray, length)?;
    let margin = sheet_ray.margin;
    let mut nearest = Nearest { distance: length, met: None };
    mesh.bvh().traverse(|node| {
        let bounds = node.aabb().loosened(margin);
        if bounds.cast_local_ray(ray, nearest.distance, true).is_none() {
            return TraversalAction::Prune;
        }
        if let Some(id) = node.leaf_data() {
            nearest.meet(&sheet_ray, id, &mesh.triangle(id));
        }
        TraversalAction::Continue
    });
    nearest.intersection(ray)
}

/// First intersection of `ray` with some `triangles` of a mesh, in the frame of the mesh.
fn cast_on_triangles(
    mesh: &TriMesh,
    triangles: &[u32],
    ray: &Ray,
    length: Real,
) -> Option<RayIntersection> {
    let sheet_ray = SheetRay::new(ray, length)?;
    let mut nearest = Nearest { distance: length, met: None };
    for &id in triangles {
        nearest.meet(&sheet_ray, id, &mesh.triangle(id));
    }
    nearest.intersection(ray)
}

/// Box around all that `ray` can meet within `length` (m).
fn bounds_of(ray: &Ray, length: Real) -> Aabb {
    let end = ray.origin + ray.dir * length;
    Aabb::new(ray.origin.min(end), ray.origin.max(end)).loosened(margin_of(ray, length))
}

/// First intersection of `ray` with a height field, in the frame of the field.
fn cast_on_field(field: &HeightField, ray: &Ray, length: Real) -> Option<RayIntersection> {
    let sheet_ray = SheetRay::new(ray, length)?;
    // Cells are counted from the end of the field.
    let bounds = bounds_of(ray, length).loosened(MARGIN * field.scale().abs().max_element());
    let mut nearest = Nearest { distance: length, met: None };
    field.map_elements_in_local_aabb(&bounds, &mut |id, _| {
        // The triangles that are shown do not have quite the corners of their neighbors.
        if let Some(triangle) = field.triangle_at_id(id) {
            nearest.meet(&sheet_ray, id, &triangle);
        }
    });
    nearest.intersection(ray)
}

impl<'a> SheetRay<'a> {
    /// `None` for a ray without a direction.
    fn new(ray: &'a Ray, length: Real) -> Option<Self> {
        let lengths = ray.dir.abs();
        let longest = lengths.max_element();
        let along = (0..3).find(|&axis| lengths[axis] == longest)?;
        let [across, beside, longest_part] = turned(along, ray.dir);
        let shear = [across / longest_part, beside / longest_part];
        let margin = margin_of(ray, length);
        (0.0 < longest && longest.is_finite()).then_some(Self { ray, margin, along, shear })
    }

    /// Where `corner` is beside the ray (m).
    #[inline]
    fn beside(&self, corner: Vector) -> [Real; 2] {
        let [x, y, along] = turned(self.along, corner - self.ray.origin);
        [x - self.shear[0] * along, y - self.shear[1] * along]
    }

    /// Whether the line of the ray crosses `triangle`, also at its edges.
    fn crosses(&self, triangle: &Triangle) -> bool {
        let (a, b, c) = (self.beside(triangle.a), self.beside(triangle.b), self.beside(triangle.c));
        // Most triangles near a ray are all on one side of it.
        let is_apart = |a: Real, b: Real, c: Real| {
            (0.0 < a && 0.0 < b && 0.0 < c) || (a < 0.0 && b < 0.0 && c < 0.0)
        };
        if is_apart(a[0], b[0], c[0]) || is_apart(a[1], b[1], c[1]) {
            return false;
        }
        let side = |p: [Real; 2], q: [Real; 2]| {
            f64::from(p[0]) * f64::from(q[1]) - f64::from(p[1]) * f64::from(q[0])
        };
        let (first, second, third) = (side(a, b), side(b, c), side(c, a));
        (0.0 <= first && 0.0 <= second && 0.0 <= third)
            || (first <= 0.0 && second <= 0.0 && third <= 0.0)
    }

    /// Distance along the ray to the plane of `triangle` (m).
    fn distance(&self, triangle: &Triangle) -> Option<Real> {
        let normal = (triangle.b - triangle.a).cross(triangle.c - triangle.a);
        let (slope, height) =
            (normal.dot(self.ray.dir), (self.ray.origin - triangle.a).dot(normal));
        let is_ahead = slope != 0.0 && (height == 0.0 || (0.0 < height) == (slope < 0.0));
        is_ahead.then(|| height.abs() * slope.abs().recip())
    }
}

/// Parts of `vector` across an axis, in the order of the axes, and along it.
#[inline]
fn turned(along: usize, Vector { x, y, z }: Vector) -> [Real; 3] {
    match along {
        0 => [y, z, x],
        1 => [z, x, y],
        _ => [x, y, z],
    }
}

impl Nearest {
    /// Keeps `triangle` if `ray` meets it before the others, and within its box: so it does not
    /// matter which other triangles are looked at, and in which order.
    fn meet(&mut self, ray: &SheetRay<'_>, id: u32, triangle: &Triangle) {
        if !ray.crosses(triangle) {
            return;
        }
        let Some(distance) = ray.distance(triangle) else { return };
        let is_nearer = distance < self.distance
            || (distance == self.distance && self.met.is_some_and(|(other, _)| id < other));
        let is_in_box = || {
            let bounds = triangle.local_aabb().loosened(ray.margin);
            bounds.cast_local_ray(ray.ray, distance, true).is_some()
        };
        if is_nearer && is_in_box() {
            *self = Self { distance, met: Some((id, *triangle)) };
        }
    }

    fn intersection(self, ray: &Ray) -> Option<RayIntersection> {
        let (id, triangle) = self.met?;
        let normal = (triangle.b - triangle.a).cross(triangle.c - triangle.a).try_normalize()?;
        let is_front = normal.dot(ray.dir) < 0.0;
        let normal = if is_front { normal } else { -normal };
        let feature = FeatureId::Face(u32::from(!is_front));
        Some(RayIntersection::new(self.distance, normal, feature).with_subshape(id))
    }
}
