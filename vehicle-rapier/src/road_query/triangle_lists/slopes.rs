//! How the triangles around wheels are turned.

use std::sync::Arc;

use arrayvec::ArrayVec;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::prelude::*;

use super::Region;

/// More than rounding of cosines (dimensionless).
const ROUNDING: Real = 1e-4;

/// Most triangles around four wheels that are looked at; where there are more, each wheel looks at
/// those around itself.
const MAX_AROUND: usize = 256;

/// How far a region goes beyond the look that it is made for, in the largest extent of that
/// (dimensionless).
const MARGIN: Real = 0.15;

/// How triangles are turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes {
    /// Unit vector in the middle of their normals, seen from above or below.
    middle: Vector,
    /// Cosine and sine of the greatest angle of a normal to it.
    spread: [Real; 2],
}

impl Slopes {
    /// The slopes of `triangles`; `None` if one is too narrow to have any.
    pub(super) fn of(triangles: impl Iterator<Item = Triangle> + Clone) -> Option<Self> {
        let mut sum = Vector::ZERO;
        for triangle in triangles.clone() {
            let normal = triangle.normal()?;
            sum += if normal.dot(sum) < 0.0 { -normal } else { normal };
        }
        let middle = sum.try_normalize()?;
        let to_middle = |triangle: Triangle| triangle.normal().map_or(0.0, |n| n.dot(middle).abs());
        let cosine = triangles.map(to_middle).fold(1.0, Real::min);
        Some(Self { middle, spread: [cosine, (1.0 - cosine * cosine).sqrt()] })
    }

    /// Whether each triangle is surely turned by less than the angle of this `cosine` from a unit
    /// `normal`, from either side.
    pub(super) fn are_less(&self, normal: Vector, cosine: Real) -> bool {
        cosine + ROUNDING < self.least_cosine(normal)
    }

    /// Least cosine that the angle between `normal` and that of a triangle may have, from either
    /// side: that of the sum of both angles to the middle.
    fn least_cosine(&self, normal: Vector) -> Real {
        let cosine = normal.dot(self.middle).abs().min(1.0);
        let sine = (1.0 - cosine * cosine).sqrt();
        cosine * self.spread[0] - sine * self.spread[1]
    }
}

/// How the triangles of one mesh around four wheels are turned. On a smooth road this tells all
/// four at once that nothing stands in their way, for many looks.
#[derive(Clone, Debug, Default)]
pub(super) struct FourSlopes {
    /// Where no triangle is turned otherwise.
    region: Region,
    /// None where there are no triangles, or too many.
    slopes: Option<Slopes>,
}

impl FourSlopes {
    /// The slopes of `mesh`, which `shape` is, around `look` (m, frame of the mesh), found anew if
    /// need be.
    pub(super) fn around(
        &mut self,
        (shape, mesh): (&SharedShape, &TriMesh),
        look: &Aabb,
    ) -> Option<Slopes> {
        let is_known = self.region.is_of(Arc::as_ptr(&shape.0));
        if !is_known || !self.region.bounds.contains(look) {
            if !(look.mins.is_finite() && look.maxs.is_finite()) {
                return None;
            }
            self.find((shape, mesh), look);
        }
        self.slopes
    }

    #[cold]
    fn find(&mut self, (shape, mesh): (&SharedShape, &TriMesh), look: &Aabb) {
        let region = self.region.go_to(shape, look, MARGIN);
        let mut around = ArrayVec::<u32, MAX_AROUND>::new();
        let mut all = mesh.bvh().intersect_aabb(&region);
        let is_crowded = all.any(|id| around.try_push(id).is_err());
        let triangles = around.iter().map(|&id| mesh.triangle(id));
        self.slopes = if is_crowded { None } else { Slopes::of(triangles) };
    }
}
