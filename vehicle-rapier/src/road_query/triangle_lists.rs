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

mod slopes;

use std::cell::Cell;
use std::ptr::addr_eq;
use std::sync::{Arc, Weak};

use arrayvec::ArrayVec;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::prelude::*;
use vehicle_core::math::lanes::MAX_LANES;

use self::slopes::{FourSlopes, Slopes};

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

/// A region of one mesh in which something is known.
#[derive(Clone, Debug)]
struct Region {
    /// The mesh; none at first.
    shape: Option<Weak<dyn Shape>>,
    /// Where it is (m, frame of the mesh).
    bounds: Aabb,
    /// Middle of the look that it was made for (m, frame of the mesh).
    center: Vector,
}

impl Default for Region {
    fn default() -> Self {
        Self { shape: None, bounds: Aabb::new_invalid(), center: Vector::ZERO }
    }
}

impl Region {
    /// Whether the region is of `shape`, as that is now.
    #[inline]
    fn is_of(&self, shape: *const dyn Shape) -> bool {
        self.shape.as_ref().is_some_and(|own| addr_eq(own.as_ptr(), shape))
    }

    /// Makes it the region of `shape` around `look` (m, frame of the mesh). It goes farther by
    /// `margin`, in the largest extent of the look, and ahead the way that looks have come since
    /// the last time. Returns the bounds.
    fn go_to(&mut self, shape: &SharedShape, look: &Aabb, margin: Real) -> Aabb {
        let (center, size) = (look.center(), look.extents().max_element());
        let is_known = self.is_of(Arc::as_ptr(&shape.0));
        if !is_known {
            self.shape = Some(Arc::downgrade(&shape.0));
        }
        let most = Vector::splat(MAX_LEAD * size);
        let from = if is_known { self.center } else { center };
        let lead = (center - from).clamp(-most, most);
        let Aabb { mins, maxs } = look.loosened(margin * size);
        self.bounds = Aabb::new(mins.min(mins + lead), maxs.max(maxs + lead));
        self.center = center;
        self.bounds
    }
}

/// Triangles of one mesh near one wheel.
#[derive(Clone, Debug, Default)]
pub(super) struct TriangleList {
    /// Where it holds all triangles.
    region: Region,
    /// Whether the region has too many.
    is_crowded: bool,
    /// Looks at other shapes until it may be replaced.
    patience: u8,
    /// In the order of the mesh's tree.
    triangles: ArrayVec<u32, MAX_TRIANGLES>,
    /// How they are turned, where that has been asked for.
    slopes: Option<Slopes>,
}

impl TriangleList {
    /// Its triangles, in the order of the mesh's tree.
    pub(super) fn triangles(&self) -> &[u32] {
        &self.triangles
    }

    /// Whether each triangle is surely turned by less than the angle of this `cosine` from a unit
    /// `normal`, from either side, so that looking at each would say the same.
    pub(super) fn is_turned_less(&self, normal: Vector, cosine: Real) -> bool {
        self.slopes.is_some_and(|slopes| slopes.are_less(normal, cosine))
    }

    /// Makes it the list of `mesh`, which `shape` is, for looks near `look` (m, frame of the mesh).
    #[cold]
    fn make(&mut self, shape: &SharedShape, mesh: &TriMesh, look: &Aabb, goal: LookFor) {
        let [wide, narrow] = MARGINS;
        let ahead = self.region.go_to(shape, look, wide);
        let narrow = look.loosened(narrow * look.extents().max_element());
        self.is_crowded = !(self.collect(mesh, ahead) || self.collect(mesh, narrow));
        if self.is_crowded {
            self.triangles.clear();
            // A wheel does not try again before it has left.
            self.region.bounds = ahead;
        }
        let all = self.triangles.iter().map(|&id| mesh.triangle(id));
        self.slopes = if goal == LookFor::Obstacle { Slopes::of(all) } else { None };
    }

    /// Collects the triangles of `region`; `false` if there are too many.
    fn collect(&mut self, mesh: &TriMesh, region: Aabb) -> bool {
        self.triangles.clear();
        self.region.bounds = region;
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
        let own = self.0.iter().position(|list| list.region.is_of(address));
        let index = match own {
            Some(own) => own,
            None => self.replaceable()?,
        };
        let list = &mut self.0[index];
        if own.is_none() || !list.region.bounds.contains(look) {
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

/// Lists of triangles near each wheel of a vehicle, and slopes around each four of its wheels.
/// Their memory is taken at the first look at a mesh: later steps take none.
#[derive(Clone, Debug)]
struct Kept {
    /// Lists of all wheels for the road, and then for obstacles.
    wheels: Box<[WheelTriangles]>,
    fours: Box<[FourSlopes]>,
}

impl Kept {
    fn new(wheel_count: usize) -> Self {
        Self {
            wheels: vec![WheelTriangles::default(); 2 * wheel_count].into(),
            fours: vec![FourSlopes::default(); wheel_count.div_ceil(MAX_LANES)].into(),
        }
    }
}

/// Triangles near the wheels of a vehicle; none before one of them looks at a mesh.
///
/// They are no part of its state: a look has the same answer with any lists and with none.
#[derive(Clone, Debug, Default)]
pub(crate) struct TriangleLists(Option<Box<Kept>>);

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
        let first = match goal {
            LookFor::Road => 0,
            LookFor::Obstacle => self.wheel_count,
        };
        self.with_kept(|kept| {
            let own = kept.wheels.get_mut(first + wheel);
            look(own.and_then(|own| own.near(mesh, bounds, goal)))
        })
    }

    /// Whether all triangles of a mesh around a `four` of wheels, within `bounds` (m, frame of the
    /// mesh), are surely turned less than this `cosine` says. That is the angle to each of the unit
    /// `normals`, from either side. The mesh comes with its shape.
    pub(super) fn are_turned_less(
        &self,
        four: usize,
        mesh: (&SharedShape, &TriMesh),
        bounds: &Aabb,
        (normals, cosine): (&[Vector], Real),
    ) -> bool {
        self.with_kept(|kept| {
            let slopes = kept.fours.get_mut(four).and_then(|own| own.around(mesh, bounds));
            slopes.is_some_and(|slopes| normals.iter().all(|it| slopes.are_less(*it, cosine)))
        })
    }

    fn with_kept<T>(&self, change: impl FnOnce(&mut Kept) -> T) -> T {
        let mut lists = self.lists.take();
        let found = change(lists.0.get_or_insert_with(|| Box::new(Kept::new(self.wheel_count))));
        self.lists.set(lists);
        found
    }
}

#[cfg(test)]
mod tests;
