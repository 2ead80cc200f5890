//! Road query: where the wheels of a vehicle meet the world.
//!
//! Each wheel sends a [ray](RoadQueryShape::Ray) or [itself](RoadQueryShape::Cylinder) down its
//! travel. What it meets first is its road: a plane, with the friction that the
//! [table](crate::friction) or the collider says, moving as the collider's body does.

mod box_rays;
mod box_sweep;
mod company;
mod face_sweeps;
mod filter;
mod flat_face;
mod hit;
mod hull_sweep;
mod joined;
mod nearby;
mod obstacle;
mod params;
mod place;
mod ray;
mod sheet_rays;
mod smooth_mesh;
mod steep_sheets;
mod sweep;
mod swept_wheel;
mod triangle_lists;
mod triangle_sweep;
mod triangle_touch;
mod wheel_sweeps;

use std::cell::Cell;
use std::fmt;

pub(crate) use company::RoadMark;
pub use filter::{RoadCandidate, RoadFilter};
pub(crate) use hit::ground_collider;
use hit::{Ground, Hit, response_along};
use joined::Joined;
pub use params::{RoadQueryParams, RoadQueryShape};
use rapier3d::prelude::*;
pub use smooth_mesh::{SmoothMesh, SmoothMeshError};
use vehicle_core::Frame;
use vehicle_core::math::cos;
use vehicle_core::math::lanes::{Lanes, MAX_LANES, Mask, Mask4};
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::road_geometry::{
    FourProbes, Material, Obstacle, ObstacleFace, ObstacleProbe, RoadContact, RoadContacts,
    RoadProbe, RoadSurface, Soil,
};
use vehicle_core::suspension::wheel_travel;
use vehicle_core::vehicle::ReadVehicle;

use self::nearby::{Nearby, Nearest};
use self::triangle_lists::NearTriangles;
pub(crate) use self::triangle_lists::TriangleLists;
use crate::mark::Marker;

/// Data shared by road queries; not saved with the parameters.
#[derive(Clone, Debug, Default)]
pub struct RoadResources {
    /// Which colliders wheels stand on, beyond what groups can say; all if `None`.
    pub filter: Option<RoadFilter>,
    /// Triangle meshes that are smooth roads; at most one entry per mesh counts, the first.
    pub smooth_meshes: Vec<SmoothMesh>,
}

/// The world as the wheels of one vehicle see it.
///
/// The vehicle's own body and sensors are not seen. Queries see the world as of its last step: what
/// was inserted since then appears after the next, or after `PhysicsWorld::detect_collisions`. The
/// latter is for ground that stays: a kinematic platform that it is the first to see does not move.
#[derive(Clone, Copy)]
pub struct RapierRoad<'a> {
    query: QueryPipeline<'a>,
    params: &'a RoadQueryParams,
    filter: Option<&'a RoadFilter>,
    smooth_meshes: &'a [SmoothMesh],
    frame: Frame,
    /// Cosine of the largest drivable slope.
    min_cosine: Real,
    dt: Real,
    /// Whether the paths of wheels begin at their hubs: nothing above is road.
    begins_at_hubs: bool,
    /// Whether wheels with mass meet what stands in front of them.
    has_obstacles: bool,
    /// Bodies that are joined to the vehicle's own.
    joined: Joined<'a>,
    /// Colliders near all wheels, if they are known.
    nearby: Option<&'a Nearby<'a>>,
    /// Triangles near the wheels, if they are kept.
    near_triangles: Option<NearTriangles<'a>>,
    /// Whether a dynamic body is ground, if that is noted.
    gives_way: Option<&'a Cell<bool>>,
}

impl fmt::Debug for RapierRoad<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RapierRoad")
            .field("params", self.params)
            .field("frame", &self.frame)
            .field("dt", &self.dt)
            .finish_non_exhaustive()
    }
}

impl<'a> RapierRoad<'a> {
    /// The world as the wheels of the vehicle with body `own_body` see it, with the axes of
    /// [`Frame::Y_UP`].
    pub fn new(
        params: &'a RoadQueryParams,
        own_body: RigidBodyHandle,
        bodies: &'a RigidBodySet,
        colliders: &'a ColliderSet,
        broad_phase: &'a BroadPhaseBvh,
        narrow_phase: &'a NarrowPhase,
    ) -> Self {
        let filter = QueryFilter::default().exclude_sensors().exclude_rigid_body(own_body);
        let dispatcher = narrow_phase.query_dispatcher();
        let query = broad_phase.as_query_pipeline(dispatcher, bodies, colliders, filter);
        let min_cosine = cos(params.max_slope);
        let frame = Frame::Y_UP;
        Self {
            query,
            params,
            filter: None,
            smooth_meshes: &[],
            frame,
            min_cosine,
            dt: 0.0,
            begins_at_hubs: false,
            has_obstacles: false,
            joined: Joined::none(own_body),
            nearby: None,
            near_triangles: None,
            gives_way: None,
        }
    }

    /// With data that road queries share: the filter and smooth meshes.
    pub fn with_resources(mut self, resources: &'a RoadResources) -> Self {
        self.filter = resources.filter.as_ref();
        self.smooth_meshes = &resources.smooth_meshes;
        self
    }

    /// The query for a vehicle of the axes `frame`; a swept wheel turns about the lateral one.
    pub fn with_frame(mut self, frame: Frame) -> Self {
        self.frame = frame;
        self
    }

    /// For a vehicle whose wheels have a mass, if `have_mass`: their paths
    /// [begin](vehicle_core::suspension::WheelTravel::below) at their hubs, and
    /// what is above is no road.
    pub fn for_wheels_with_mass(mut self, have_mass: bool) -> Self {
        self.begins_at_hubs = have_mass;
        self
    }

    /// With what stands in front of wheels with mass, if they `meet` it.
    pub fn with_obstacles(mut self, meet: bool) -> Self {
        self.has_obstacles = meet;
        self
    }

    /// With the joints of the world: wheels neither stand on nor meet what is joined to their
    /// vehicle and does not collide with it.
    pub(crate) fn with_joints(
        mut self,
        by_impulses: Option<&'a ImpulseJointSet>,
        of_multibodies: Option<&'a MultibodyJointSet>,
    ) -> Self {
        self.joined = Joined::of(self.joined.own_body, by_impulses, of_multibodies);
        self
    }

    /// The query for a step of `dt` (s): the velocity of ground that turns is the mean over the
    /// step.
    pub fn with_step(mut self, dt: Real) -> Self {
        self.dt = dt;
        self
    }

    /// With triangles that a vehicle of `wheel_count` wheels keeps from look to look.
    pub(crate) fn with_triangles(
        mut self,
        lists: &'a Cell<TriangleLists>,
        wheel_count: usize,
    ) -> Self {
        self.near_triangles = Some(NearTriangles::new(lists, wheel_count));
        self
    }

    /// With a note of whether a dynamic body is ground: it becomes true as a wheel finds one.
    pub(crate) fn with_note_of_loose_ground(mut self, note: &'a Cell<bool>) -> Self {
        self.gives_way = Some(note);
        self
    }

    /// Whether the query is asked for obstacles.
    fn looks_for_obstacles(&self) -> bool {
        self.has_obstacles && self.begins_at_hubs
    }

    /// Answers a question about what `wheel` can stand on, but for the colliders that are `passed`.
    fn ask<T>(
        &self,
        wheel: usize,
        passed: &[ColliderHandle],
        question: impl FnOnce(&QueryPipeline<'_>) -> Option<T>,
    ) -> Option<T> {
        let mut filter = self.query.filter;
        filter.groups = self.params.groups_of(wheel);
        let allows = |handle, collider: &Collider| self.allows(wheel, passed, handle, collider);
        let has_own_word = self.filter.is_some() || self.joined.is_any();
        if has_own_word || !passed.is_empty() || self.passes_light_bodies() {
            filter.predicate = Some(&allows);
        }
        question(&self.query.with_filter(filter))
    }

    /// Whether `wheel` can meet a collider, as far as its mass, joints and the user's own word go.
    fn can_meet(&self, wheel: usize, handle: ColliderHandle, collider: &Collider) -> bool {
        !self.is_lighter(collider, self.params.lightest_obstacle)
            && self.is_allowed(wheel, handle, collider)
    }

    /// Whether `wheel` can meet a collider as far as joints and the user's own word go.
    fn is_allowed(&self, wheel: usize, handle: ColliderHandle, collider: &Collider) -> bool {
        let candidate = RoadCandidate { wheel, handle, collider };
        self.filter.is_none_or(|own| own.allows(&candidate)) && !self.joined.has(collider)
    }

    /// Whether `wheel` can stand on a collider as far as its mass, joints and the user's own word
    /// go, and the ones that are `passed`.
    fn allows(
        &self,
        wheel: usize,
        passed: &[ColliderHandle],
        handle: ColliderHandle,
        collider: &Collider,
    ) -> bool {
        !passed.contains(&handle)
            && self.is_allowed(wheel, handle, collider)
            && !(self.passes_light_bodies()
                && self.is_lighter(collider, self.params.lightest_ground))
    }

    /// Whether `wheel` can stand on a collider, but for the ones that are `passed`.
    #[inline]
    fn is_asked(
        &self,
        wheel: usize,
        passed: &[ColliderHandle],
        handle: ColliderHandle,
        collider: &Collider,
    ) -> bool {
        let groups = self.params.groups_of(wheel);
        groups.is_none_or(|groups| collider.collision_groups().test(groups))
            && self.allows(wheel, passed, handle, collider)
    }

    /// Which of the four wheels after `first` can stand on a collider, of those in `lanes`.
    #[inline]
    fn are_asked(
        &self,
        first: usize,
        lanes: Mask4,
        handle: ColliderHandle,
        collider: &Collider,
    ) -> Mask4 {
        if self.filter.is_none() && self.params.wheel_groups.is_empty() {
            let is_asked = self.is_asked(first, &[], handle, collider);
            return Mask4::from_lanes(|_| is_asked);
        }
        Mask4::from_lanes(|lane| {
            lanes.lane(lane) && self.is_asked(first + lane, &[], handle, collider)
        })
    }

    /// Whether light bodies are no road.
    fn passes_light_bodies(&self) -> bool {
        !self.params.pushes_ground && 0.0 < self.params.lightest_ground
    }

    /// Whether `collider` is of a dynamic body of less than this `mass` (kg).
    fn is_lighter(&self, collider: &Collider, mass: Real) -> bool {
        let body = collider.parent().and_then(|body| self.query.bodies.get(body));
        body.is_some_and(|body| body.is_dynamic() && body.mass() < mass)
    }

    /// First hit of `ray` of `wheel` within `length` (m), but for the colliders that are `passed`.
    fn first_met(
        &self,
        wheel: usize,
        passed: &[ColliderHandle],
        ray: &Ray,
        length: Real,
    ) -> Option<(ColliderHandle, RayIntersection)> {
        let is_asked = |handle, collider: &Collider| self.is_asked(wheel, passed, handle, collider);
        let cast_on = |collider: &Collider| self.cast_on(wheel, collider, ray, length);
        match self.nearby.map(|nearby| nearby.nearest(ray, length, is_asked, cast_on)) {
            Some(Nearest::One(handle, met)) => Some((handle, met)),
            Some(Nearest::None) => None,
            Some(Nearest::Several) | None => {
                self.ask(wheel, passed, |query| self.search(query, wheel, ray, length))
            }
        }
    }

    /// A mark of what rays down all wheels of `vehicle` meet, its body being at `start`.
    pub(crate) fn mark<V: ReadVehicle + ?Sized>(
        &self,
        vehicle: &V,
        start: &RigidBodyState,
    ) -> RoadMark {
        // Rays alone: whether wheels may meet more than the road is not asked here.
        let road = RapierRoad { has_obstacles: false, ..*self };
        let mut marker = Marker::new();
        let (mut has_company, mut has_comer) = (false, false);
        let wheel_count = vehicle.axles().wheel_count();
        for first in (0..wheel_count).step_by(MAX_LANES) {
            let mut tire_kinds = [0; MAX_LANES];
            let travel = Lanes::from_lanes(|lane| {
                let wheel = (first + lane).min(wheel_count - 1);
                let params = vehicle.wheel_params(wheel);
                tire_kinds[lane] = params.tire_kind;
                let (mount, steer_angle) =
                    (vehicle.suspension_params(wheel), vehicle.steer_angle(wheel));
                let travel = wheel_travel(mount, params, start, steer_angle, &self.frame);
                let jounce = vehicle.suspension_state(wheel).compression.jounce.unwrap_or(0.0);
                if self.begins_at_hubs { travel.below(travel.distance - jounce) } else { travel }
            });
            let asks = Mask4::from_lanes(|lane| first + lane < wheel_count);
            let mut roads = [RoadContacts::default()];
            let probes = [FourProbes { first, asks, tire_kinds, travel }];
            road.find_fours(RoadQueryShape::Ray, &probes, &mut roads);
            for lane in 0..MAX_LANES.min(wheel_count - first) {
                if let Some(road) = roads[0].lane(lane) {
                    marker.vector(road.plane.normal);
                    marker.numbers([road.plane.offset, road.friction]);
                    let material = u128::from(road.material);
                    marker.wide(material as u64);
                    marker.wide((material >> 64) as u64);
                } else {
                    marker.word(0);
                }
                let company = self.company(first + lane, &travel.lane(lane));
                has_company |= company.is_near;
                has_comer |= company.comes;
            }
        }
        RoadMark { mark: marker.mark(), has_company, has_comer }
    }

    /// Finds the roads of several wheels that send this `shape` down their travels. It looks once
    /// for what is near all of them.
    fn find_fours(&self, shape: RoadQueryShape, probes: &[FourProbes], roads: &mut [RoadContacts]) {
        let mut nearby = Nearby::default();
        let nearby = nearby.find(self, shape, probes).then_some(&nearby);
        let road = RapierRoad { nearby, ..*self };
        let mut ground = None;
        for (probes, roads) in probes.iter().zip(&mut *roads) {
            let found = match shape {
                RoadQueryShape::Ray => road.find_on_box(probes, &mut ground, roads),
                RoadQueryShape::Cylinder => road.find_on_face(probes, &mut ground, roads),
            };
            let left = probes.asks & !found.unwrap_or_default();
            if left.any() {
                probes.answer(left, roads, |probe| {
                    road.road_at(road.hit(shape, probe), probe, &mut ground)
                });
            }
        }
        if let Some(nearby) = nearby {
            self.note_alone(nearby, probes, roads);
        }
    }

    /// What a wheel meets first that sends this `shape` down its travel.
    fn hit(&self, shape: RoadQueryShape, probe: &RoadProbe) -> Option<Hit> {
        match shape {
            RoadQueryShape::Ray => self.ray_hit(probe),
            RoadQueryShape::Cylinder => self.sweep_hit(probe),
        }
    }

    /// First hit of `ray` of `wheel` on what `query` sees within `length` (m).
    fn search(
        &self,
        query: &QueryPipeline<'_>,
        wheel: usize,
        ray: &Ray,
        length: Real,
    ) -> Option<(ColliderHandle, RayIntersection)> {
        let cast = |id, nearest| {
            let (collider, handle) = query.colliders.get_unknown_gen(id)?;
            let is_asked = query.filter.test(query.bodies, handle, collider);
            is_asked.then(|| self.cast_on(wheel, collider, ray, nearest)).flatten()
        };
        let (id, met) =
            query.bvh.find_best(length, |node, nearest| node.cast_ray(ray, nearest), cast)?;
        let (_, handle) = query.colliders.get_unknown_gen(id)?;
        Some((handle, met))
    }

    /// Contact with the road at `hit` of the wheel of `probe`, if it may stand there, and if the
    /// hit before was on `ground`.
    #[inline]
    fn road_at(
        &self,
        hit: Option<Hit>,
        probe: &RoadProbe,
        ground: &mut Option<Ground<'a>>,
    ) -> Option<RoadContact> {
        let mut hit = hit?;
        if !self.is_drivable(&hit, probe) {
            return None;
        }
        if let Some(smooth) = self.smooth_plane(&hit) {
            hit.plane = smooth;
        }
        self.contact(&hit, probe, ground)
    }

    /// Answers a question about one collider.
    fn ask_only<T>(
        &self,
        only: ColliderHandle,
        question: impl FnOnce(&QueryPipeline<'_>) -> Option<T>,
    ) -> Option<T> {
        let is_it = |handle, _: &Collider| handle == only;
        question(&self.query.with_filter(QueryFilter::default().predicate(&is_it)))
    }
}

impl RoadSurface for RapierRoad<'_> {
    fn probe(&self, probe: &RoadProbe) -> Option<RoadContact> {
        self.road_at(self.hit(self.params.shape, probe), probe, &mut None)
    }

    fn probe_fours(&self, probes: &[FourProbes], roads: &mut [RoadContacts]) {
        self.find_fours(self.params.shape, probes, roads);
    }

    fn has_obstacles(&self) -> bool {
        self.has_obstacles
    }

    fn obstacle(&self, probe: &ObstacleProbe) -> Option<Obstacle> {
        self.obstacle_before(probe)
    }

    fn obstacle_now(&self, known: &Obstacle) -> Option<Obstacle> {
        self.obstacle_as_it_is(known)
    }

    fn obstacle_response(&self, obstacle: &Obstacle) -> [Vector; 3] {
        self.obstacle_mobility(obstacle)
    }

    fn approaching(&self, wheel: usize, hub: Vector, reach: Real) -> Option<Vector> {
        self.velocity_near(wheel, hub, reach)
    }

    fn face_between(&self, wheel: usize, from: Vector, to: Vector) -> Option<ObstacleFace> {
        self.face_met(wheel, from, to)
    }

    fn soil(&self, material: Material) -> Option<Soil> {
        self.params.soils.soil(material.into())
    }

    fn ground_pose(&self, ground: u64) -> Option<Pose> {
        let body = self.query.colliders.get(ground_collider(ground))?.parent()?;
        let body = self.query.bodies.get(body)?;
        (!body.is_fixed()).then(|| *body.position())
    }

    fn gives_way(&self) -> bool {
        self.params.pushes_ground && self.gives_way.is_none_or(Cell::get)
    }

    fn ground_response(&self, road: &RoadContact, point: Vector) -> Real {
        if !self.params.pushes_ground {
            return 0.0;
        }
        let collider = self.query.colliders.get(ground_collider(road.ground));
        let body = collider.and_then(Collider::parent).and_then(|body| self.query.bodies.get(body));
        body.map_or(0.0, |body| response_along(body, point, road.plane.normal))
    }
}
