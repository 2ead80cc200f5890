//! Triangles of meshes near the wheels of a vehicle, kept from look to look.
//!
//! In a mesh of 100,000 triangles, each look for the road goes down seventeen levels of a tree to
//! the few under a wheel. But a wheel moves little from look to look. So it keeps the triangles in
//! a region around its last look, in the frame of the mesh, and asks these as long as it looks
//! within. A list holds all triangles of its region in the order of the tree: a look has the bits
//! that it has without.
//!
//! The shape of a list is held by a weak reference. As long as there is one, Rapier edits a shape
//! by a copy ([`SharedShape::make_mut`]), and no other shape takes its place in memory. So a shape
//! at the same address is the same, unchanged. Height fields need no lists: their cells are
//! numbered by their places.

use std::cell::Cell;
use std::ptr::addr_eq;
use std::sync::{Arc, Weak};

use arrayvec::ArrayVec;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::prelude::*;

/// Most triangles of a list; where there are more, each look goes down the tree.
const MAX_TRIANGLES: usize = 32;

/// Shapes that a wheel has lists of: those on both sides of a border.
const SHAPES: usize = 2;

/// How far a region goes beyond the look that it is made for, in the largest extent of that
/// (dimensionless), and how far if that would be too many triangles.
const MARGINS: [Real; 2] = [0.25, 0.1];

/// Most by which a region goes ahead of a wheel, in the largest extent of a look (dimensionless).
const MAX_LEAD: Real = 1.0;

/// Looks at other shapes that a list outlives without being used.
const PATIENCE: u8 = 2;

/// More than rounding of cosines (dimensionless).
const ROUNDING: Real = 1e-4;

/// How the triangles of a list are turned.
#[derive(Clone, Copy, Debug)]
struct Slopes {
    /// Unit vector in the middle of their normals, seen from above or below.
    middle: Vector,
    /// Cosine and sine of the greatest angle of a normal to it.
    spread: [Real; 2],
}

impl Slopes {
    /// The slopes of `triangles`; `None` if one is too narrow to have any.
    fn of(triangles: impl Iterator<Item = Triangle> + Clone) -> Option<Self> {
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

    /// Least cosine that the angle between `normal` and that of a triangle may have, from either
    /// side: that of the sum of both angles to the middle.
    fn least_cosine(&self, normal: Vector) -> Real {
        let cosine = normal.dot(self.middle).abs().min(1.0);
        let sine = (1.0 - cosine * cosine).sqrt();
        cosine * self.spread[0] - sine * self.spread[1]
    }
}

/// Triangles of one mesh near one wheel.
#[derive(Clone, Debug)]
pub(super) struct TriangleList {
    shape: Option<Weak<dyn Shape>>,
    /// Where it holds all triangles (m, frame of the mesh).
    region: Aabb,
    /// Middle of the look that it was made for (m, frame of the mesh).
    center: Vector,
    /// Whether the region has too many.
    is_crowded: bool,
    /// Looks at other shapes until it may be replaced.
    patience: u8,
    /// In the order of the mesh's tree.
    triangles: ArrayVec<u32, MAX_TRIANGLES>,
    /// How they are turned, where that has been asked for.
    slopes: Option<Slopes>,
}

impl Default for TriangleList {
    fn default() -> Self {
        Self {
            shape: None,
            region: Aabb::new_invalid(),
            center: Vector::ZERO,
            is_crowded: false,
            patience: 0,
            triangles: ArrayVec::new(),
            slopes: None,
        }
    }
}

impl TriangleList {
    /// Its triangles, in the order of the mesh's tree.
    pub(super) fn triangles(&self) -> &[u32] {
        &self.triangles
    }

    /// Whether each triangle is surely turned by less than the angle of this `cosine` from a unit
    /// `normal`, from either side, so that looking at each would say the same.
    pub(super) fn is_turned_less(&self, normal: Vector, cosine: Real) -> bool {
        self.slopes.is_some_and(|slopes| cosine + ROUNDING < slopes.least_cosine(normal))
    }

    /// Whether the list is of `shape`, as that is now.
    #[inline]
    fn is_of(&self, shape: *const dyn Shape) -> bool {
        self.shape.as_ref().is_some_and(|own| addr_eq(own.as_ptr(), shape))
    }

    /// Makes it the list of `mesh`, which `shape` is, for looks near `look` (m, frame of the mesh).
    #[cold]
    fn make(&mut self, shape: &SharedShape, mesh: &TriMesh, look: &Aabb, goal: LookFor) {
        let center = look.center();
        let size = look.extents().max_element();
        let mut lead = Vector::ZERO;
        if self.is_of(Arc::as_ptr(&shape.0)) {
            let most = Vector::splat(MAX_LEAD * size);
            lead = (center - self.center).clamp(-most, most);
        } else {
            self.shape = Some(Arc::downgrade(&shape.0));
        }
        self.center = center;
        let [wide, narrow] = MARGINS.map(|margin| look.loosened(margin * size));
        let ahead = Aabb::new(wide.mins.min(wide.mins + lead), wide.maxs.max(wide.maxs + lead));
        self.is_crowded = !(self.collect(mesh, ahead) || self.collect(mesh, narrow));
        if self.is_crowded {
            self.triangles.clear();
            // A wheel does not try again before it has left.
            self.region = ahead;
        }
        let all = self.triangles.iter().map(|&id| mesh.triangle(id));
        self.slopes = if goal == LookFor::Obstacle { Slopes::of(all) } else { None };
    }

    /// Collects the triangles of `region`; `false` if there are too many.
    fn collect(&mut self, mesh: &TriMesh, region: Aabb) -> bool {
        self.triangles.clear();
        self.region = region;
        for id in mesh.bvh().intersect_aabb(&region) {
            if self.triangles.try_push(id).is_err() {
                return false;
            }
        }
        true
    }
}

/// The purpose of a look at triangles. A wheel has lists for each, since looks for obstacles reach
/// farther than those for the road.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LookFor {
    /// To find the road below the wheel.
    Road,
    /// To find what stands in the way of the wheel.
    Obstacle,
}

/// Triangles near one wheel, for looks of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct WheelTriangles([TriangleList; SHAPES]);

impl WheelTriangles {
    /// The list of `mesh`, which `shape` is, for a `look` (m, frame of the mesh), made anew if need
    /// be; `None` where that is not worth it.
    fn near(
        &mut self,
        (shape, mesh): (&SharedShape, &TriMesh),
        look: &Aabb,
        goal: LookFor,
    ) -> Option<&TriangleList> {
        let address = Arc::as_ptr(&shape.0);
        let own = self.0.iter().position(|list| list.is_of(address));
        let index = match own {
            Some(own) => own,
            None => self.replaceable()?,
        };
        let list = &mut self.0[index];
        if own.is_none() || !list.region.contains(look) {
            if !(look.mins.is_finite() && look.maxs.is_finite()) {
                return None;
            }
            list.make(shape, mesh, look, goal);
        }
        list.patience = PATIENCE;
        (!list.is_crowded).then_some(&*list)
    }

    /// The list in the place of which another may be made, if one has not been used for long.
    fn replaceable(&mut self) -> Option<usize> {
        let index = (0..SHAPES).min_by_key(|&index| self.0[index].patience)?;
        for list in &mut self.0 {
            list.patience = list.patience.saturating_sub(1);
        }
        (self.0[index].patience == 0).then_some(index)
    }
}

/// Triangles near the wheels of a vehicle; none before one of them looks at a mesh.
///
/// They are no part of its state: a look has the same answer with any lists and with none.
#[derive(Clone, Debug, Default)]
// A box of a box is as small as a pointer: most vehicles never see a mesh.
pub(crate) struct TriangleLists(Option<Box<Box<[WheelTriangles]>>>);

/// The lists of a vehicle as its road query uses them.
#[derive(Clone, Copy)]
pub(super) struct NearTriangles<'a> {
    lists: &'a Cell<TriangleLists>,
    wheel_count: usize,
}

impl<'a> NearTriangles<'a> {
    pub(super) fn new(lists: &'a Cell<TriangleLists>, wheel_count: usize) -> Self {
        Self { lists, wheel_count }
    }

    /// The answer of `look`, which gets the list of triangles of `mesh` around `bounds` (m, frame
    /// of the mesh) for this wheel and purpose, or none. The mesh comes with its shape.
    pub(super) fn look<T>(
        &self,
        (wheel, goal): (usize, LookFor),
        mesh: (&SharedShape, &TriMesh),
        bounds: &Aabb,
        look: impl FnOnce(Option<&TriangleList>) -> T,
    ) -> T {
        let (first, count) = match goal {
            LookFor::Road => (0, self.wheel_count),
            LookFor::Obstacle => (self.wheel_count, 2 * self.wheel_count),
        };
        let mut lists = self.lists.take();
        if lists.0.as_ref().is_none_or(|all| all.len() < count) {
            lists.0 = Some(Box::new(vec![WheelTriangles::default(); count].into()));
        }
        let own = lists.0.as_mut().and_then(|all| all.get_mut(first + wheel));
        let found = look(own.and_then(|own| own.near(mesh, bounds, goal)));
        self.lists.set(lists);
        found
    }
}

#[cfg(test)]
mod tests;
