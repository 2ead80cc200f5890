//! Road query: where the wheels of a vehicle meet the world.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::error::{ParamCheck, Validate};
use vehicle_core::road_geometry::{Plane, RoadContact, RoadProbe, RoadSurface};

use crate::friction::FrictionTable;

/// What the wheels of a vehicle can stand on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoadQueryParams {
    /// Groups of colliders that wheels stand on; all if `None`.
    pub groups: Option<InteractionGroups>,
    /// Friction of known surfaces.
    pub friction: FrictionTable,
}

impl Validate for RoadQueryParams {
    fn check(&self, check: &mut ParamCheck) {
        check.field("friction", |inner| self.friction.check(inner));
    }
}

/// The world as the wheels of one vehicle see it: a ray per wheel, from the top of the wheel at full
/// compression to its bottom at full droop.
///
/// The vehicle's own body and sensors are not seen. Queries see the world as of its last step: what
/// was inserted since then appears after the next, or after `PhysicsWorld::detect_collisions`.
#[derive(Clone, Copy)]
pub struct RapierRoad<'a> {
    query: QueryPipeline<'a>,
    friction: &'a FrictionTable,
}

impl<'a> RapierRoad<'a> {
    /// The world as the wheels of the vehicle with body `own_body` see it.
    pub fn new(
        params: &'a RoadQueryParams,
        own_body: RigidBodyHandle,
        bodies: &'a RigidBodySet,
        colliders: &'a ColliderSet,
        broad_phase: &'a BroadPhaseBvh,
        narrow_phase: &'a NarrowPhase,
    ) -> Self {
        let mut filter = QueryFilter::default().exclude_sensors().exclude_rigid_body(own_body);
        filter.groups = params.groups;
        let dispatcher = narrow_phase.query_dispatcher();
        let query = broad_phase.as_query_pipeline(dispatcher, bodies, colliders, filter);
        Self { query, friction: &params.friction }
    }

    fn contact(
        &self,
        handle: ColliderHandle,
        point: Vector,
        normal: Vector,
        tire_kind: u32,
    ) -> Option<RoadContact> {
        let collider = self.query.colliders.get(handle)?;
        let known = self.friction.friction(collider.user_data, tire_kind);
        let body = collider.parent().and_then(|body| self.query.bodies.get(body));
        let (index, generation) = handle.into_raw_parts();
        Some(RoadContact {
            plane: Plane::through(point, normal),
            friction: known.unwrap_or_else(|| collider.friction()),
            velocity: body.map_or(Vector::ZERO, |body| body.velocity_at_point(point)),
            material: collider.user_data as u64,
            ground: u64::from(generation) << 32 | u64::from(index),
        })
    }
}

impl RoadSurface for RapierRoad<'_> {
    /// A ray that starts inside a solid meets nothing.
    fn probe(&self, probe: &RoadProbe) -> Option<RoadContact> {
        let (start, direction) = (probe.travel.ray_start(), probe.travel.direction);
        let ray = Ray::new(start, direction);
        let (handle, hit) =
            self.query.cast_ray_and_get_normal(&ray, probe.travel.ray_length(), true)?;
        if hit.time_of_impact == 0.0 || hit.normal == Vector::ZERO {
            return None;
        }
        let point = start + direction * hit.time_of_impact;
        self.contact(handle, point, hit.normal, probe.tire_kind)
    }
}
