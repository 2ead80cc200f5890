//! Whether there is ground below a vehicle, and whether its wheels see it.

use rapier3d::prelude::*;
use vehicle_core::diagnosis::{FindingCode as Code, Findings, Usual};
use vehicle_core::math::cos;
use vehicle_core::road_geometry::LEAST_SLOPE;

use crate::drivable::Drivable;
use crate::road_query::RoadCandidate;
use crate::scene::WorldView;
use crate::vehicle::RapierVehicle;

/// How far below a vehicle ground is looked for (m): beyond, it has left its world.
const DEPTH: Real = 1_000.0;

/// Why a collider is no road to a wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    Sensor,
    Groups,
    Filter,
    Light,
    Steep,
    Wall,
}

impl Refusal {
    fn advice(self) -> &'static str {
        match self {
            Self::Sensor => "the collider below is a sensor",
            Self::Groups => {
                "the `collision_groups` of the collider below and `road.groups` or `road.wheel_groups` exclude each other"
            }
            Self::Filter => "`road_resources.filter` refuses the collider below",
            Self::Light => "the body below is lighter than `road.lightest_ground`",
            Self::Steep => "the ground below is steeper than `road.max_slope`",
            Self::Wall => {
                "the ground below is steeper than 72.5 degrees: wheels with mass do not stand on it, whatever `road.max_slope` allows"
            }
        }
    }
}

/// Says if no wheel of a vehicle that stands upright has a road below it, near or far.
pub(super) fn examine_ground<V: Drivable>(
    vehicle: &RapierVehicle<V>,
    body: &RigidBody,
    world: &WorldView<'_>,
    findings: &mut Findings,
) {
    let filter = QueryFilter::default().exclude_rigid_body(vehicle.actor.body);
    let dispatcher = world.narrow_phase.query_dispatcher();
    let (bodies, colliders) = (world.bodies, world.colliders);
    let query = world.broad_phase.as_query_pipeline(dispatcher, bodies, colliders, filter);
    let place = *body.position() * vehicle.actor.center_of_mass;
    let up = up_of(vehicle, body);
    let depth = DEPTH * vehicle.params.coordinates.length_scale;
    let mut refused = None;
    let mut has_road = false;
    for wheel in vehicle.vehicle.axles().wheels() {
        let mount = vehicle.vehicle.suspension_params(wheel).wheel_mount();
        let ray = Ray::new(place.transform_point(mount), -up);
        for (handle, collider, hit) in query.intersect_ray(ray, depth, true) {
            let steepness = hit.normal.dot(up);
            let hit = (handle, collider, (0.0 < hit.time_of_impact).then_some(steepness));
            match refusal(vehicle, wheel, hit, bodies) {
                None => has_road = true,
                Some(why) => refused = Some(why),
            }
        }
    }
    if has_road {
        return;
    }
    let quantity = "wheels that have a road below them";
    let usual = Usual::AtLeast(1.0);
    if let Some(why) = refused {
        let advice = || Some(why.advice().to_owned());
        findings.expect_with(Code::RoadHidden, "road", quantity, 0.0, usual, advice);
    } else {
        let others = colliders.len().saturating_sub(body.colliders().len());
        let advice =
            || Some(format!("the world has {others} colliders that are not the vehicle's"));
        findings.expect_with(Code::RoadMissing, "road", quantity, 0.0, usual, advice);
    }
}

/// Why `wheel` does not stand on a collider that it meets, with its normal along the vehicle's up
/// if it is not within.
fn refusal<V: Drivable>(
    vehicle: &RapierVehicle<V>,
    wheel: usize,
    (handle, collider, steepness): (ColliderHandle, &Collider, Option<Real>),
    bodies: &RigidBodySet,
) -> Option<Refusal> {
    let road = &vehicle.road;
    let groups = road.wheel_groups.get(wheel).copied().or(road.groups);
    let candidate = RoadCandidate { wheel, handle, collider };
    let body = collider.parent().and_then(|body| bodies.get(body));
    let is_light = |body: &RigidBody| body.is_dynamic() && body.mass() < road.lightest_ground;
    let is_below = |least: Real| steepness.is_some_and(|cosine| cosine < least);
    let has_mass = vehicle.vehicle.has_unsprung_masses();
    let refusals = [
        (Refusal::Sensor, collider.is_sensor()),
        (Refusal::Groups, groups.is_some_and(|own| !collider.collision_groups().test(own))),
        (
            Refusal::Filter,
            vehicle.road_resources.filter.as_ref().is_some_and(|own| !own.allows(&candidate)),
        ),
        (Refusal::Light, !road.pushes_ground && body.is_some_and(is_light)),
        (Refusal::Steep, is_below(cos(road.max_slope))),
        (Refusal::Wall, has_mass && is_below(LEAST_SLOPE as Real)),
    ];
    refusals.into_iter().find(|(_, is_refused)| *is_refused).map(|(why, _)| why)
}

/// The unit vector out of the roof, in the world.
pub(super) fn up_of<V>(vehicle: &RapierVehicle<V>, body: &RigidBody) -> Vector {
    let axes = *body.rotation() * vehicle.actor.center_of_mass.rotation;
    axes * vehicle.params.coordinates.frame.vertical()
}
