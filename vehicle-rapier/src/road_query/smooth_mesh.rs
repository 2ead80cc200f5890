//! Smooth triangle meshes and height fields: a curved road of flat triangles feels curved.
//!
//! Where a wheel goes from one triangle to the next, the normal of the road jumps by the angle
//! between them, and the speed of the suspension with it. Interpolated between the corners, the
//! normal turns steadily, and the road bulges out of the triangles, or into them, as its normals
//! say.

use std::ops::Range;
use std::sync::Arc;

use rapier3d::prelude::*;
use vehicle_core::math::{PI, atan2, cos};
use vehicle_core::road_geometry::Plane;

use super::RapierRoad;
use super::hit::Hit;
use super::sheet_rays::cast_on;

/// Angle between neighboring triangles above which their edge stays sharp unless said otherwise
/// (rad).
const DEFAULT_CREASE: Real = 30.0 * PI / 180.0;

/// Part of a triangle by which a point may lie outside before another triangle is sought
/// (dimensionless).
const OUTSIDE: Real = -1e-3;

/// Why a collider has no smooth normals.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SmoothMeshError {
    /// The collider is not in the world.
    #[error("the collider {0:?} is not in the world: was it removed?")]
    Removed(ColliderHandle),
    /// The collider has another shape.
    #[error("the collider {0:?} must be a triangle mesh or a height field, but is a {1:?}")]
    NotAMesh(ColliderHandle, ShapeType),
    /// The collider is no height field, or another one.
    #[error("the collider {0:?} must be the height field that the smooth road was made for")]
    NotTheField(ColliderHandle),
    /// There are no such cells.
    #[error(
        "rows {}..{} and columns {}..{} must be cells of the {} × {} of the field",
        .rows[0], .rows[1], .columns[0], .columns[1], .field[0], .field[1]
    )]
    Cells {
        /// Begin and end of the rows.
        rows: [usize; 2],
        /// Begin and end of the columns.
        columns: [usize; 2],
        /// Rows and columns of the field.
        field: [usize; 2],
    },
    /// The crease angle is out of its range.
    #[error("the crease angle must be within [0, π] rad, got {0}")]
    Crease(Real),
}

/// A triangle mesh or height field as a smooth road, by normals at the corners of its triangles;
/// clones share them.
///
/// It is for roads that are finely divided where they curve. Between corners at the distance `L`
/// whose normals differ by the angle `β`, the road bulges by up to `L β / 8`. This is 2.5 mm on
/// triangles of 1 m in a curve of 50 m radius. A wheel is drawn that far off the triangles there.
///
/// The wheels of `car` ride on it by
/// `car.road_resources.smooth_meshes.push(SmoothMesh::new(road, &world.colliders)?)`.
#[derive(Clone, Debug)]
pub struct SmoothMesh {
    collider: ColliderHandle,
    /// Cosine of the crease angle.
    min_cosine: Real,
    corners: Arc<[[Vector; 3]]>,
}

impl SmoothMesh {
    /// A smooth road on the mesh or height field `collider`, where its triangles meet at up to 30
    /// degrees.
    ///
    /// They are found once, here, and are those of the shape as it is: build them anew when it is
    /// replaced, or [update](Self::update_cells) the cells whose heights have changed. Removed
    /// cells of a height field have none, and are no road.
    ///
    /// # Errors
    ///
    /// If the collider is not in the world, or neither a triangle mesh nor a height field.
    pub fn new(collider: ColliderHandle, colliders: &ColliderSet) -> Result<Self, SmoothMeshError> {
        Self::with_crease(collider, colliders, DEFAULT_CREASE)
    }

    /// A smooth road where triangles meet at up to the angle `crease` (rad); sharper edges, such as
    /// those of a curb, stay sharp.
    ///
    /// # Errors
    ///
    /// If the collider is not in the world, or neither a triangle mesh nor a height field, or the
    /// angle not within [0, π].
    pub fn with_crease(
        collider: ColliderHandle,
        colliders: &ColliderSet,
        crease: Real,
    ) -> Result<Self, SmoothMeshError> {
        if !(0.0..=PI).contains(&crease) {
            return Err(SmoothMeshError::Crease(crease));
        }
        let found = colliders.get(collider).ok_or(SmoothMeshError::Removed(collider))?;
        let shape = found.shape();
        let Some(count) = triangle_count(shape) else {
            return Err(SmoothMeshError::NotAMesh(collider, shape.shape_type()));
        };
        let min_cosine = cos(crease);
        let mut corners = vec![[Vector::ZERO; 3]; count];
        corner_normals(shape, 0..count, min_cosine, |triangle, corner, normal| {
            corners[triangle][corner] = normal;
        });
        Ok(Self { collider, min_cosine, corners: corners.into() })
    }

    /// Finds the normals anew around cells of a height field whose heights or holes have changed,
    /// in these `rows` and `columns`: much sooner than those of the whole field. Clones keep what
    /// they have.
    ///
    /// ```
    /// use rapier3d::prelude::*;
    /// use vehicle_rapier::SmoothMesh;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut colliders = ColliderSet::new();
    /// let field = |pit: Real| {
    ///     let mut heights = Array2::new(41, 41, vec![0.0; 41 * 41]);
    ///     heights[(12, 20)] = -pit;
    ///     SharedShape::heightfield(heights, Vector::new(40.0, 1.0, 40.0))
    /// };
    /// let ground = colliders.insert(ColliderBuilder::new(field(0.0)));
    /// let mut smooth = SmoothMesh::new(ground, &colliders)?;
    /// colliders[ground].set_shape(field(0.1));
    /// // The four cells around the corner in row 12 and column 20.
    /// smooth.update_cells(&colliders, 11..13, 19..21)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the collider is gone or no height field of as many cells, or there are no such cells;
    /// nothing has changed then.
    pub fn update_cells(
        &mut self,
        colliders: &ColliderSet,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> Result<(), SmoothMeshError> {
        let collider = self.collider;
        let found = colliders.get(collider).ok_or(SmoothMeshError::Removed(collider))?;
        let shape = found.shape();
        let field = shape.as_heightfield().map(|field| [field.nrows(), field.ncols()]);
        let known = |[rows, columns]: &[usize; 2]| 2 * rows * columns == self.corners.len();
        let Some(field) = field.filter(known) else {
            return Err(SmoothMeshError::NotTheField(collider));
        };
        let fits = |cells: &Range<usize>, count| cells.start <= cells.end && cells.end <= count;
        if !(fits(&rows, field[0]) && fits(&columns, field[1])) {
            let [rows, columns] = [rows, columns].map(|cells| [cells.start, cells.end]);
            return Err(SmoothMeshError::Cells { rows, columns, field });
        }
        let around = |by: usize| {
            [(&rows, field[0]), (&columns, field[1])]
                .map(|(cells, count)| cells.start.saturating_sub(by)..(cells.end + by).min(count))
        };
        // Corners of the cells next to them change, which all cells around those share.
        let ([changed_rows, changed_columns], [near_rows, near_columns]) = (around(1), around(2));
        let ids = near_columns.flat_map(|column| {
            let cells = near_rows.clone().map(move |row| row + field[0] * column);
            cells.flat_map(move |cell| [cell, cell + field[0] * field[1]])
        });
        let corners = Arc::make_mut(&mut self.corners);
        corner_normals(shape, ids, self.min_cosine, |triangle, corner, normal| {
            let cell = triangle % (field[0] * field[1]);
            let (row, column) = (cell % field[0], cell / field[0]);
            if changed_rows.contains(&row) && changed_columns.contains(&column) {
                corners[triangle][corner] = normal;
            }
        });
        Ok(())
    }

    /// The smooth road at `point` (m, frame of the shape) of a triangle; `None` if the point is
    /// outside of it.
    ///
    /// ```text
    /// n = normalize(Σ wᵢ nᵢ)
    /// b = ½ Σ wᵢ nᵢ nᵢ·(aᵢ - p)
    /// ```
    ///
    /// with `aᵢ` the corners, `nᵢ` their normals and `wᵢ` their weights at `p`. The road is half
    /// of the way from the triangle to the weighted mean of the planes that the corners span with
    /// their normals. On an arc, it is the arc. Triangles that share an edge and its normals meet
    /// there.
    ///
    /// Source: Boubekeur and Alexa, Phong tessellation (2008); differs: half of the way, not three
    /// quarters.
    fn surface(&self, shape: &dyn Shape, triangle: u32, point: Vector) -> Option<SmoothSurface> {
        let normals = self.corners.get(triangle as usize)?;
        let corners = triangle_of(shape, triangle)?;
        let weights = barycentric(&corners, point)?;
        if weights.min_element() < OUTSIDE {
            return None;
        }
        let weights = weights.to_array();
        let sum = |of: &dyn Fn(usize) -> Vector| of(0) + of(1) + of(2);
        let [places, weighted] = [corners.vertices(), normals]
            .map(|vectors| sum(&|corner| vectors[corner] * weights[corner]));
        let to_planes = sum(&|corner| {
            let normal = normals[corner];
            normal * (weights[corner] * normal.dot(corners.vertices()[corner] - places))
        });
        Some(SmoothSurface { normal: weighted.try_normalize()?, bulge: to_planes * 0.5 })
    }
}

/// The smooth road at a place of a triangle.
struct SmoothSurface {
    /// Unit normal, out of the triangle's front.
    normal: Vector,
    /// From the triangle to the smooth road (m).
    bulge: Vector,
}

/// One corner of a triangle.
struct Corner {
    triangle: usize,
    corner: usize,
    place: Vector,
    /// Normal of the triangle times its angle here (rad).
    weighted: Vector,
    normal: Vector,
}

/// How many triangles a mesh or a height field has, with those that are removed.
fn triangle_count(shape: &dyn Shape) -> Option<usize> {
    let of_field = |field: &HeightField| 2 * field.nrows() * field.ncols();
    let of_mesh = shape.as_trimesh().map(TriMesh::num_triangles);
    of_mesh.or_else(|| shape.as_heightfield().map(of_field))
}

/// The triangle `part` of a mesh or a height field (m, frame of the shape); `None` if it is
/// removed, or of another shape.
pub(super) fn triangle_of(shape: &dyn Shape, part: u32) -> Option<Triangle> {
    let of_mesh = shape.as_trimesh().map(|mesh| mesh.triangle(part));
    of_mesh.or_else(|| shape.as_heightfield()?.triangle_at_id(part))
}

/// Tells `set`, for each corner of these triangles of `shape`, a sum of normals, weighted by their
/// angles. It adds up all of the triangles that meet there at an angle of at most `min_cosine`'s.
fn corner_normals(
    shape: &dyn Shape,
    ids: impl Iterator<Item = usize>,
    min_cosine: Real,
    mut set: impl FnMut(usize, usize, Vector),
) {
    let triangles = ids.filter_map(|index| Some((index, triangle_of(shape, index as u32)?)));
    let mut corners: Vec<_> = triangles.flat_map(|(index, one)| corners_of(index, &one)).collect();
    let key = |corner: &Corner| corner.place.to_array();
    // Neighbors need not share their vertices, but the vertices' place.
    corners.sort_by(|a, b| {
        let axes = key(a).into_iter().zip(key(b));
        axes.map(|(a, b)| a.total_cmp(&b))
            .find(|order| order.is_ne())
            .unwrap_or(a.triangle.cmp(&b.triangle))
    });
    for meeting in corners.chunk_by(|a, b| a.place == b.place) {
        for one in meeting {
            let smooth = meeting.iter().filter(|other| min_cosine <= one.normal.dot(other.normal));
            let sum = smooth.fold(Vector::ZERO, |sum, other| sum + other.weighted);
            set(one.triangle, one.corner, sum.try_normalize().unwrap_or(one.normal));
        }
    }
}

fn corners_of(index: usize, triangle: &Triangle) -> [Corner; 3] {
    let normal = triangle.normal().unwrap_or(Vector::ZERO);
    let vertices = triangle.vertices();
    [0, 1, 2].map(|corner| {
        let place = vertices[corner];
        let [next, last] = [1, 2].map(|step| vertices[(corner + step) % 3] - place);
        let angle = atan2(next.cross(last).length(), next.dot(last));
        // Both zeros are one place.
        let place = place + Vector::ZERO;
        Corner { triangle: index, corner, place, weighted: normal * angle, normal }
    })
}

/// Weights of the corners of `triangle` whose mean is the projection of `point`; `None` for a
/// triangle without area.
pub(super) fn barycentric(triangle: &Triangle, point: Vector) -> Option<Vector> {
    let (first, second) = (triangle.b - triangle.a, triangle.c - triangle.a);
    let normal = first.cross(second);
    let square = normal.length_squared();
    let offset = point - triangle.a;
    let of_second = normal.dot(first.cross(offset)) / square;
    let of_first = normal.dot(offset.cross(second)) / square;
    let weights = Vector::new(1.0 - of_first - of_second, of_first, of_second);
    weights.is_finite().then_some(weights)
}

impl RapierRoad<'_> {
    /// The plane of the road at `hit` on a smooth mesh or height field; `None` on other grounds.
    pub(super) fn smooth_plane(&self, hit: &Hit) -> Option<Plane> {
        let smooth = self.smooth_meshes.iter().find(|smooth| smooth.collider == hit.collider)?;
        let collider = self.query.colliders.get(hit.collider)?;
        let (pose, shape) = (collider.position(), collider.shape());
        let point = pose.inverse_transform_point(hit.point);
        let found = smooth.surface(shape, hit.part, point).or_else(|| {
            // A swept wheel may touch the next triangle with its shoulder.
            let normal = pose.rotation.inverse() * hit.plane.normal;
            let down = Ray::new(point + normal, -normal);
            let below = cast_on(shape, &Pose::IDENTITY, &down, 2.0)?;
            smooth.surface(shape, below.subshape, point)
        });
        let SmoothSurface { normal, bulge } = found?;
        let normal = pose.rotation * normal;
        // A mesh has two sides.
        let normal = normal * normal.dot(hit.plane.normal).signum();
        Some(Plane::through(hit.point + pose.rotation * bulge, normal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two unit squares that meet along the z axis at the angle `bend` (rad), with vertices of
    /// their own.
    fn bent(bend: Real) -> (ColliderSet, ColliderHandle) {
        let far = Vector::new(bend.cos(), -bend.sin(), 0.0);
        let vertices = vec![
            Vector::NEG_X,
            Vector::NEG_X + Vector::Z,
            Vector::Z,
            Vector::ZERO,
            Vector::ZERO,
            Vector::Z,
            far + Vector::Z,
            far,
        ];
        let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        let mesh = ColliderBuilder::trimesh(vertices, triangles).expect("a mesh");
        let mut colliders = ColliderSet::new();
        let handle = colliders.insert(mesh);
        (colliders, handle)
    }

    #[test]
    fn normals_turn_steadily_from_face_to_face_and_sharp_edges_stay() {
        for (bend, at_edge) in [(0.2, 0.1), (1.0, 0.0)] {
            let (colliders, handle) = bent(bend);
            let smooth = SmoothMesh::new(handle, &colliders).unwrap();
            let mesh = colliders[handle].shape();
            for (x, tilt) in [(-1.0, 0.0), (-0.5, 0.5 * at_edge), (0.0, at_edge)] {
                let point = Vector::new(x, 0.0, 0.5);
                let found = [0, 1].iter().find_map(|&part| smooth.surface(mesh, part, point));
                let normal = found.unwrap().normal;
                let angle = normal.x.atan2(normal.y);
                assert!((angle - tilt).abs() < 2e-3, "bend {bend}, {point}: {angle} rad");
            }
        }
    }

    #[test]
    fn only_meshes_of_the_world_have_smooth_normals() {
        let (mut colliders, handle) = bent(0.2);
        let ball = colliders.insert(ColliderBuilder::ball(1.0));
        let error = |handle| SmoothMesh::new(handle, &colliders).unwrap_err();
        assert_eq!(error(ball), SmoothMeshError::NotAMesh(ball, ShapeType::Ball));
        let gone = ColliderHandle::from_raw_parts(9, 9);
        assert_eq!(error(gone), SmoothMeshError::Removed(gone));
        let flat = SmoothMesh::with_crease(handle, &colliders, -1.0).unwrap_err();
        assert_eq!(flat.to_string(), "the crease angle must be within [0, π] rad, got -1");
    }

    #[test]
    fn triangles_without_area_have_no_smooth_normal() {
        let triangle = Triangle::new(Vector::ZERO, Vector::X, Vector::X * 2.0);
        assert_eq!(barycentric(&triangle, Vector::X), None);
    }
}
