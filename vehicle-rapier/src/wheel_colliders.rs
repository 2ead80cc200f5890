//! Colliders of the wheels: a wheel pushes back what meets it front-on or from the side.
//!
//! Road queries look down. If a ray or a sweep meets a step, it finds a road higher up, and the
//! suspension lifts the wheel there. Over a kerb of a few centimeters, a real wheel does this, too.
//! A wall, or a step that is higher than the suspension can lift, must stop the wheel instead. No
//! vertical query can do that. So wheels can have colliders, for Rapier's own contacts:
//!
//! - They are at the place of the wheels at full compression, and do not follow the jounce. So only
//!   obstacles above the suspension's travel touch them. At the height of the wheels, they would
//!   rest on the road beside the suspension, and take its load.
//! - They steer, toe and lean with the wheels, if the wheels have turned by [`MIN_TURN`] since. A
//!   collider that turns costs the world about two microseconds in its step; one that does not,
//!   none.
//! - They have no friction, no mass and round shoulders: the tire has its own friction, and a
//!   smooth wheel slides off a post.
//! - That of a wheel that is [lost](crate::RapierVehicle::lose_wheel) is disabled until the wheel
//!   is on again.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::error::ParamCheck;
use vehicle_core::math::PI;
use vehicle_core::suspension::SuspensionParams;
use vehicle_core::vehicle::ReadVehicle;
use vehicle_core::wheel::WheelParams;
use vehicle_core::{Frame, ParamErrors};

/// Least angle between a wheel's axle and its collider's for which the collider is turned (rad):
/// the tread is off by no more than a few millimeters.
pub const MIN_TURN: Real = 0.5 * PI / 180.0;

/// Least radius of the shoulders of a wheel's collider, as a part of the wheel's smaller size
/// (dimensionless).
const SHOULDER: Real = 0.2;

/// The collider of a wheel, along the lateral axis of `frame`, at full compression in a body with
/// its center of mass at `center_of_mass` (m).
pub(crate) fn wheel_collider(
    wheel: &WheelParams,
    suspension: &SuspensionParams,
    center_of_mass: &Pose,
    frame: &Frame,
) -> ColliderBuilder {
    let mount = *center_of_mass * suspension.attachment * suspension.wheel_attachment;
    let least = SHOULDER * wheel.radius.min(wheel.half_width);
    let round = wheel.shoulder_radius.max(least);
    ColliderBuilder::round_cylinder(wheel.half_width - round, wheel.radius - round, round)
        .position(Pose::from_parts(mount.translation, along(mount.rotation * frame.lateral())))
        .friction(0.0)
        .friction_combine_rule(CoefficientCombineRule::Min)
        .density(0.0)
}

/// Whether `collider` is as that of a wheel, somewhere on its steering axis in a body with its
/// center of mass at `center_of_mass` (m).
pub(crate) fn is_wheel_collider(
    collider: &Collider,
    wheel: &WheelParams,
    suspension: &SuspensionParams,
    center_of_mass: &Pose,
    frame: &Frame,
) -> bool {
    let expected = wheel_collider(wheel, suspension, center_of_mass, frame);
    let shapes = [collider.shape(), &*expected.shape].map(|shape| shape.as_round_cylinder());
    let [Some(shape), Some(expected_shape)] = shapes else { return false };
    let is_alike = |[value, expected]: [Real; 2]| (value - expected).abs() <= LIKENESS * expected;
    let sizes = [
        [shape.inner_shape.half_height, expected_shape.inner_shape.half_height],
        [shape.inner_shape.radius, expected_shape.inner_shape.radius],
        [shape.border_radius, expected_shape.border_radius],
    ];
    let place = |pose: &Pose| pose.translation.distance(expected.position.translation);
    sizes.into_iter().all(is_alike)
        && collider.friction() == 0.0
        && collider.position_wrt_parent().is_some_and(|pose| place(pose) < wheel.radius)
}

/// Largest difference of a wheel's collider from what it is expected to be, as a part of its size
/// (dimensionless).
const LIKENESS: Real = 1e-3;

/// Rotation of a cylinder whose axis is `axle`.
fn along(axle: Vector) -> Rotation {
    Rotation::from_rotation_arc(Vector::Y, axle)
}

/// The colliders of a vehicle's wheels in a world: one per wheel, or none at all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelColliders(
    // Few vehicles have any, and all take the room for them.
    Option<Box<Colliders>>,
);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Colliders {
    /// By number of the wheel.
    handles: Vec<ColliderHandle>,
    /// Wheels whose colliders are disabled because they are lost, one bit each.
    left_out: u64,
}

impl WheelColliders {
    pub(crate) fn new(handles: Vec<ColliderHandle>) -> Self {
        Self((!handles.is_empty()).then(|| Colliders { handles, left_out: 0 }.into()))
    }

    /// The colliders, by number of the wheel.
    pub fn handles(&self) -> &[ColliderHandle] {
        self.0.as_deref().map_or(&[], |wheels| &wheels.handles)
    }

    /// Reports another number of colliders than `wheel_count`.
    pub(crate) fn check(&self, wheel_count: usize, check: &mut ParamCheck) {
        if let Some(Colliders { handles, .. }) = self.0.as_deref() {
            check.count("wheel_colliders", handles.len(), wheel_count);
        }
    }

    /// Reports colliders that another body has than `own`. They may be gone.
    pub(crate) fn check_owner(
        &self,
        own: RigidBodyHandle,
        bodies: &RigidBodySet,
    ) -> Result<(), ParamErrors> {
        let has = |body: &RigidBody, handle| body.colliders().contains(handle);
        let mut check = ParamCheck::default();
        for (wheel, handle) in self.handles().iter().enumerate() {
            if bodies.get(own).is_some_and(|body| has(body, handle)) {
                continue;
            }
            let other = bodies.iter().find(|(_, body)| has(body, handle));
            if let Some((other, _)) = other {
                let path = format_args!("wheel_colliders[{wheel}]");
                let requirement = format_args!("a collider of the vehicle's body {own:?}");
                check.require(path, false, requirement, format_args!("one of {other:?}"));
            }
        }
        check.finish()
    }

    /// Disables the colliders of the `lost` wheels, one bit each, and enables those of wheels that
    /// are on again.
    pub(crate) fn leave_out(&mut self, lost: u64, colliders: &mut ColliderSet) {
        let Some(Colliders { handles, left_out }) = self.0.as_deref_mut() else { return };
        let changed = lost ^ std::mem::replace(left_out, lost);
        if changed == 0 {
            return;
        }
        for (wheel, &handle) in handles.iter().enumerate() {
            let is_one_of = |wheels: u64| wheels >> wheel & 1 == 1;
            if let Some(collider) = colliders.get_mut(handle).filter(|_| is_one_of(changed)) {
                collider.set_enabled(!is_one_of(lost));
            }
        }
    }

    /// Turns the colliders as the wheels of `vehicle` are turned, in a body with its center of mass
    /// at `center_of_mass` (m). It follows the vehicle's update, before the world's step.
    ///
    /// Colliders that are gone are passed over.
    pub fn follow<V: ReadVehicle + ?Sized>(
        &self,
        vehicle: &V,
        center_of_mass: &Pose,
        frame: &Frame,
        colliders: &mut ColliderSet,
    ) {
        for (wheel, &handle) in self.handles().iter().enumerate() {
            let place = colliders.get(handle).and_then(Collider::position_wrt_parent);
            let Some(place) = place else { continue };
            let local_pose = vehicle.wheel_local_pose(wheel, frame);
            let axle = center_of_mass.rotation * (local_pose.rotation * frame.lateral());
            let turn = axle.cross(place.rotation * Vector::Y);
            if turn.length_squared() <= MIN_TURN * MIN_TURN {
                continue;
            }
            // A wheel beside its kingpin moves as it turns.
            let suspension = vehicle.suspension_params(wheel);
            let jounce = vehicle.suspension_state(wheel).compression.jounce;
            let extension = jounce.map_or(0.0, |jounce| suspension.travel_distance - jounce);
            let hub = local_pose.translation - suspension.travel_direction * extension;
            if let Some(collider) = colliders.get_mut(handle) {
                let place = center_of_mass.transform_point(hub);
                collider.set_position_wrt_parent(Pose::from_parts(place, along(axle)));
            }
        }
    }
}
