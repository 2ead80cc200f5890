//! Settings and use of a world that do not fit a vehicle.

use rapier3d::prelude::*;
use vehicle_core::diagnosis::{FindingCode as Code, Findings, Usual};
use vehicle_core::vehicle::ReadVehicle;

use super::ground::{examine_ground, up_of};
use crate::actor::Actor;
use crate::drivable::Drivable;
use crate::driver::skipped_steps;
use crate::scene::WorldView;
use crate::towing::REACH;
use crate::vehicle::RapierVehicle;
use crate::wheel_colliders::is_wheel_collider;

/// Cosine of the angle between the vehicle's up and the world's below which it does not stand: some
/// 60 degrees.
const UPRIGHT: Real = 0.5;

/// Gap between hull and road (m) from which on they do not touch: a hull that is so near touches in
/// every dip.
const LEAST_CLEARANCE: Real = 0.01;

/// Adds what is odd about `vehicle` in `world`.
pub(super) fn examine<V: Drivable>(
    vehicle: &RapierVehicle<V>,
    world: &WorldView<'_>,
    findings: &mut Findings,
) {
    let Some(body) = world.bodies.get(vehicle.actor.body) else {
        let quantity = "bodies of the vehicle in the world";
        findings.expect(Code::BodyMissing, "body", quantity, 0.0, Usual::AtLeast(1.0));
        return;
    };
    if let Err(errors) = Actor::check_motion(body) {
        let quantity = "faults of its motion";
        let count = errors.errors().len() as Real;
        let advice = || Some(errors.to_string());
        let usual = Usual::AtMost(0.0);
        findings.expect_with(Code::BodyMotionInvalid, "body", quantity, count, usual, advice);
        return;
    }
    examine_length_unit(vehicle, world, findings);
    examine_wheel_colliders(vehicle, body, world, findings);
    examine_pace(vehicle, body, world, findings);
    examine_couplings(vehicle, world, findings);
    examine_hull(vehicle, body, world, findings);
    let up = up_of(vehicle, body);
    if is_upright(vehicle, world, up, findings) {
        examine_ground(vehicle, body, world, findings);
    }
}

/// Whether a joint holds `body` to another one.
pub(super) fn is_coupled(body: RigidBodyHandle, world: &WorldView<'_>) -> bool {
    let by_impulse =
        world.impulse_joints.is_some_and(|it| it.attached_joints(body).next().is_some());
    let by_multibody =
        world.multibody_joints.is_some_and(|it| it.attached_joints(body).next().is_some());
    by_impulse || by_multibody
}

/// Whether the anchors of joints that hold two bodies together are where the joints want them.
fn examine_couplings<V>(
    vehicle: &RapierVehicle<V>,
    world: &WorldView<'_>,
    findings: &mut Findings,
) {
    let attached = world.impulse_joints.map(|it| it.attached_joints(vehicle.actor.body));
    let gaps = attached.into_iter().flatten().filter_map(|(first, second, _, joint)| {
        let data = &joint.data;
        let holds = data.is_enabled() && data.locked_axes.contains(JointAxesMask::LIN_AXES);
        let place = |body, anchor| Some(world.bodies.get(body)?.position().transform_point(anchor));
        let ends = [place(first, data.local_anchor1())?, place(second, data.local_anchor2())?];
        holds.then_some(ends[0].distance(ends[1]))
    });
    let widest = gaps.fold(0.0, Real::max) / vehicle.params.coordinates.length_scale;
    let quantity = "distance between the ends of a joint that holds the body to another (m)";
    findings.expect(Code::HitchApart, "impulse_joints", quantity, widest, Usual::AtMost(REACH));
}

fn examine_length_unit<V>(
    vehicle: &RapierVehicle<V>,
    world: &WorldView<'_>,
    findings: &mut Findings,
) {
    let unit = world.integration_parameters.length_unit;
    let ratio = unit / vehicle.params.coordinates.length_scale;
    let path = "integration_parameters.length_unit";
    let quantity = "Rapier's units of length per meter, to those of the vehicle";
    // Units that differ by a few percent are taken to be equal.
    findings.expect_within([Code::WorldLengthUnit; 2], path, quantity, ratio, (0.9, 1.1));
}

/// Whether steps of the world and updates of the vehicle alternate, and whether the body takes
/// part.
fn examine_pace<V: Drivable>(
    vehicle: &RapierVehicle<V>,
    body: &RigidBody,
    world: &WorldView<'_>,
    findings: &mut Findings,
) {
    let (path, quantity) = ("update", "updates per step of the world");
    let pace = vehicle.actor.pace;
    if pace.repeats() {
        findings.expect(Code::UpdateRepeated, path, quantity, 2.0, Usual::AtMost(1.0));
    }
    let since = body.activation().time_since_can_sleep;
    let dt = world.integration_parameters.dt;
    // The time since a body can sleep grows in steps of the world alone.
    let never = !vehicle.actor.is_updated() && (0.0 < since || body.is_sleeping());
    let beyond = skipped_steps(vehicle.vehicle.body(), body.center_of_mass(), dt);
    if never {
        findings.expect(Code::UpdateMissing, path, quantity, 0.0, Usual::AtLeast(1.0));
    } else if let Some(steps) = beyond {
        let part = 1.0 / (1.0 + steps);
        findings.expect(Code::UpdateMissing, path, quantity, part, Usual::AtLeast(1.0));
    } else if pace.skips() {
        findings.expect(Code::UpdateMissing, path, quantity, 0.5, Usual::AtLeast(1.0));
    }
    let is_idle = (body.is_sleeping() && vehicle.vehicle.intent().drives()) || !body.is_enabled();
    if is_idle {
        let quantity = "steps that the body takes part in, per step of the world";
        findings.expect(Code::BodyInactive, "body", quantity, 0.0, Usual::AtLeast(1.0));
    }
}

/// Whether the body has colliders as its wheels would have them, which the vehicle does not know.
fn examine_wheel_colliders<V: Drivable>(
    vehicle: &RapierVehicle<V>,
    body: &RigidBody,
    world: &WorldView<'_>,
    findings: &mut Findings,
) {
    let of_wheels = vehicle.wheel_colliders.handles();
    let frame = &vehicle.params.coordinates.frame;
    let is_left = |handle: &&ColliderHandle| {
        let collider = world.colliders.get(**handle).filter(|_| !of_wheels.contains(handle));
        collider.is_some_and(|collider| {
            let mut wheels = vehicle.vehicle.axles().wheels();
            wheels.any(|wheel| {
                let (wheel, mount) =
                    (vehicle.vehicle.wheel_params(wheel), vehicle.vehicle.suspension_params(wheel));
                is_wheel_collider(collider, wheel, mount, &vehicle.actor.center_of_mass, frame)
            })
        })
    };
    let count = body.colliders().iter().filter(is_left).count();
    let quantity = "colliders of wheels that the vehicle does not know";
    let usual = Usual::AtMost(0.0);
    findings.expect(Code::WheelCollidersLeft, "wheel_colliders", quantity, count as Real, usual);
}

/// Whether there are colliders, and whether they keep clear of the road.
fn examine_hull<V: Drivable>(
    vehicle: &RapierVehicle<V>,
    body: &RigidBody,
    world: &WorldView<'_>,
    findings: &mut Findings,
) {
    let of_wheels = vehicle.wheel_colliders.handles();
    let solid = |handle: &ColliderHandle| {
        let collider = world.colliders.get(*handle);
        collider.is_some_and(|it| !it.is_sensor() && it.is_enabled())
    };
    let hull: Vec<_> = body.colliders().iter().copied().filter(solid).collect();
    if hull.is_empty() {
        let quantity = "number of its solid colliders";
        findings.expect(Code::HullMissing, "chassis", quantity, 0.0, Usual::AtLeast(1.0));
    }
    let scale = vehicle.params.coordinates.length_scale;
    let hull = || hull.iter().filter(|handle| !of_wheels.contains(handle));
    let lowest = hull().filter_map(|&handle| clearance_at_droop(vehicle, handle, world));
    let gaps = hull().filter_map(|&handle| gap_below(vehicle, body, handle, world));
    if let Some(gap) = lowest.filter(|gap| *gap < 0.0).chain(gaps).reduce(Real::min) {
        let quantity = "clearance between hull and road (m)";
        let usual = Usual::AtLeast(LEAST_CLEARANCE);
        findings.expect(Code::HullOnRoad, "chassis", quantity, gap / scale, usual);
    }
}

/// Height of the lowest point of a collider above the lowest point of the wheels at full droop (m):
/// if it is negative, no wheel can touch a plane road.
fn clearance_at_droop<V: ReadVehicle>(
    vehicle: &RapierVehicle<V>,
    handle: ColliderHandle,
    world: &WorldView<'_>,
) -> Option<Real> {
    let up = vehicle.params.coordinates.frame.vertical();
    let collider = world.colliders.get(handle)?;
    let place = vehicle.actor.center_of_mass.inverse() * *collider.position_wrt_parent()?;
    let bounds = collider.shape().compute_aabb(&place);
    let bottom = bounds.center().dot(up) - bounds.half_extents().dot(up.abs());
    let of_wheel = |wheel: usize| {
        let mount = vehicle.vehicle.suspension_params(wheel);
        let hub = mount.wheel_mount() + mount.travel_direction * mount.travel_distance;
        hub.dot(up) - vehicle.vehicle.wheel_params(wheel).radius
    };
    let wheels = vehicle.vehicle.axles().wheels().map(of_wheel);
    Some(bottom - wheels.reduce(Real::min)?)
}

/// Gap between a collider and what it touches below (m), of the deepest contact.
fn gap_below<V>(
    vehicle: &RapierVehicle<V>,
    body: &RigidBody,
    handle: ColliderHandle,
    world: &WorldView<'_>,
) -> Option<Real> {
    let up = up_of(vehicle, body);
    let mut deepest: Option<Real> = None;
    for pair in world.narrow_phase.contact_pairs_with(handle) {
        if !pair.has_any_active_contact() {
            continue;
        }
        let side = if pair.collider1 == handle { 1.0 } else { -1.0 };
        for manifold in pair.manifolds() {
            let is_below = side * manifold.data.normal.dot(up) < -BELOW;
            let Some(contact) = manifold.find_deepest_contact().filter(|_| is_below) else {
                continue;
            };
            deepest = Some(deepest.map_or(contact.dist, |gap| gap.min(contact.dist)));
        }
    }
    deepest
}

/// Cosine of the angle to the vertical up to which a contact is below the hull, not in front of it.
const BELOW: Real = 0.7;

/// Whether the wheels point to where things fall; says so if not.
fn is_upright<V>(
    vehicle: &RapierVehicle<V>,
    world: &WorldView<'_>,
    up: Vector,
    findings: &mut Findings,
) -> bool {
    let strength = world.gravity.length();
    if strength <= 0.0 || !strength.is_finite() {
        return true;
    }
    let cosine = -up.dot(world.gravity) / strength;
    let advice = || {
        let frame = vehicle.params.coordinates.frame.vertical();
        Some(format!(
            "gravity is {} m/s², and the vertical of its `Frame` is {frame}, which is {up} in the world",
            world.gravity
        ))
    };
    let quantity = "cosine of the angle between the vehicle's up and the world's";
    let usual = Usual::AtLeast(UPRIGHT);
    findings.expect_with(
        Code::NotUpright,
        "params.coordinates.frame",
        quantity,
        cosine,
        usual,
        advice,
    );
    UPRIGHT <= cosine
}
