//! Which way a wheel is swept onto which shape.

use rapier3d::parry::query::{
    ClosestPoints, Contact, NonlinearRigidMotion, QueryDispatcher, ShapeCastHit, ShapeCastOptions,
    ShapeDistance, ShapeIntersection, Unsupported,
};
use rapier3d::parry::shape::CompositeShapeRef;
use rapier3d::prelude::*;

use super::hull_sweep::MAX_EDGES;
use super::swept_wheel::SweptWheel;
use super::triangle_sweep::sweep_onto_triangles;

/// Size of the part of a box in which a sweep begins, beyond that of the wheel, in sizes of the
/// wheel (dimensionless). What is farther away is not the nearest way out.
const PART_OF_BOX: Real = 2.0;

/// Sweeps wheels onto boxes, hulls, meshes and height fields in closed form, also as parts of
/// compounds; leaves the rest to another dispatcher.
pub(super) struct WheelSweeps<'a>(pub(super) &'a dyn QueryDispatcher);

impl WheelSweeps<'_> {
    /// Sweeps the shape `g2`, which may be a wheel, onto a box; `None` if it is none.
    fn cast_on_box(
        &self,
        pose: &Pose,
        direction: Vector,
        cuboid: &Cuboid,
        g2: &dyn Shape,
        options: ShapeCastOptions,
    ) -> Option<Option<ShapeCastHit>> {
        let wheel = SweptWheel::of(g2, pose, direction)?;
        let enter = |wheel: &SweptWheel| wheel.enter_box(cuboid.half_extents);
        let way_out =
            |hit| self.cast_from_within(pose, direction, cuboid, g2, options).or(Some(hit));
        Some(wheel.meet(pose, options.max_time_of_impact, enter, way_out))
    }

    /// The general sweep of a wheel that begins in a box, onto the part of the box that is near. It
    /// finds the nearest way out, but not of a large box.
    fn cast_from_within(
        &self,
        pose: &Pose,
        direction: Vector,
        cuboid: &Cuboid,
        g2: &dyn Shape,
        options: ShapeCastOptions,
    ) -> Option<ShapeCastHit> {
        let bounds = g2.compute_aabb(pose);
        let near = bounds.loosened(PART_OF_BOX * bounds.half_extents().max_element());
        let mins = near.mins.max(-cuboid.half_extents);
        let maxs = near.maxs.min(cuboid.half_extents);
        let part = Aabb::new(mins, maxs);
        let (center, part) = (part.center(), Cuboid::new(part.half_extents()));
        let from_center = Pose::from_parts(pose.translation - center, pose.rotation);
        let cast = self.0.cast_shapes(&from_center, direction, &part, g2, options).ok()??;
        Some(ShapeCastHit { witness1: cast.witness1 + center, ..cast })
    }
}

impl QueryDispatcher for WheelSweeps<'_> {
    fn cast_shapes(
        &self,
        pos12: &Pose,
        local_vel12: Vector,
        g1: &dyn Shape,
        g2: &dyn Shape,
        options: ShapeCastOptions,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        if let Some(cuboid) = g1.as_cuboid()
            && let Some(hit) = self.cast_on_box(pos12, local_vel12, cuboid, g2, options)
        {
            return Ok(hit);
        }
        if let Some(hull) = g1.as_convex_polyhedron()
            && hull.edges().len() <= MAX_EDGES
            && let Some(wheel) = SweptWheel::of(g2, pos12, local_vel12)
        {
            let enter = |wheel: &SweptWheel| wheel.enter_hull(hull);
            let way_out =
                |_| self.0.cast_shapes(pos12, local_vel12, g1, g2, options).ok().flatten();
            return Ok(wheel.meet(pos12, options.max_time_of_impact, enter, way_out));
        }
        if let Some(compound) = g1.as_compound() {
            let parts = CompositeShapeRef(compound);
            let met = parts.cast_shape(self, pos12, local_vel12, g2, options);
            return Ok(met.map(|(part, hit)| ShapeCastHit { subshape1: part, ..hit }));
        }
        sweep_onto_triangles(self.0, pos12, local_vel12, g1, g2, options)
            .map_or_else(|| self.0.cast_shapes(pos12, local_vel12, g1, g2, options), Ok)
    }

    fn intersection_test(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
    ) -> Result<ShapeIntersection, Unsupported> {
        self.0.intersection_test(pos12, g1, g2)
    }

    fn distance(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
    ) -> Result<ShapeDistance, Unsupported> {
        self.0.distance(pos12, g1, g2)
    }

    fn contact(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: Real,
    ) -> Result<Option<Contact>, Unsupported> {
        self.0.contact(pos12, g1, g2, prediction)
    }

    fn closest_points(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        max_dist: Real,
    ) -> Result<ClosestPoints, Unsupported> {
        self.0.closest_points(pos12, g1, g2, max_dist)
    }

    fn cast_shapes_nonlinear(
        &self,
        motion1: &NonlinearRigidMotion,
        g1: &dyn Shape,
        motion2: &NonlinearRigidMotion,
        g2: &dyn Shape,
        start_time: Real,
        end_time: Real,
        stop_at_penetration: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        let (from, to) = (start_time, end_time);
        self.0.cast_shapes_nonlinear(motion1, g1, motion2, g2, from, to, stop_at_penetration)
    }
}
