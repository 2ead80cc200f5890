//! Placement: vehicles that are put elsewhere, or on their wheels again.

use rapier3d::prelude::*;
use vehicle_core::ParamErrors;
use vehicle_core::constraint_rows::VehicleRows;
use vehicle_core::error::ParamCheck;
use vehicle_core::math::normalize_or_zero;
use vehicle_core::memory::{MAX_DISTANCE, MAX_SPEED};
use vehicle_core::suspension::CompressionLanes;
use vehicle_core::tire::release_sticky_tires;
use vehicle_core::vehicle::HasMechanics;

use crate::actor::ActorError;
use crate::detail::Look;
use crate::drivable::Drivable;
use crate::vehicle::RapierVehicle;

/// Why a vehicle cannot be placed; nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlacementError {
    /// The body cannot be driven.
    #[error(transparent)]
    Actor(#[from] ActorError),
    /// The pose is none.
    #[error(transparent)]
    Pose(#[from] ParamErrors),
}

impl<V: Drivable> RapierVehicle<V> {
    /// Puts the vehicle at rest, with its body at `pose` (m): where it stood, how far its springs
    /// were compressed and what its wheels did is forgotten. Parameters, commands and gears stay;
    /// an engine that runs idles. Its next step tells no [events](crate::events) but the ends of
    /// what had begun.
    ///
    /// The root of a multibody takes its links along, but the multibody keeps its speed, which is
    /// not that of its bodies: set its `generalized_velocity_mut` to zero, too. Its other links
    /// stay on their joints, wherever they are put.
    ///
    /// A vehicle that is coupled to others goes alone, and the world then pulls their joint shut
    /// over any distance. Teleport each of a train: the trailer to where
    /// [`inserted_trailer_pose`](crate::AnyRapierVehicle::inserted_trailer_pose) says.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic, or `pose` is not finite, farther from the origin than
    /// [`MAX_DISTANCE`], or has no unit quaternion.
    pub fn teleport(
        &mut self,
        bodies: &mut RigidBodySet,
        pose: Pose,
    ) -> Result<(), PlacementError> {
        let mut check = ParamCheck::default();
        check.pose_within("pose", &pose, MAX_DISTANCE);
        check.finish()?;
        self.actor.dynamic_body(bodies)?;
        let body = &mut bodies[self.actor.body];
        body.set_position(pose, true);
        body.set_vels(RigidBodyVelocity::zero(), true);
        // Neither wakes a body that sleeps there already.
        body.wake_up(true);
        self.vehicle.stop();
        self.vehicle.mechanics().state.rigid_body.forget_frame();
        forget_ground(&mut self.vehicle);
        self.look = Look::NONE;
        if let Some(events) = &mut self.events {
            events.begin_anew();
        }
        Ok(())
    }

    /// Lets the vehicle go on at `velocity` (m/s) of its center of mass, straight on: it does not
    /// turn, and its wheels roll at the forward speed.
    ///
    /// An engine in gear is slower or faster than its wheels then: its clutch slips until they
    /// agree.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic, or `velocity` is not finite or above [`MAX_SPEED`].
    pub fn set_velocity(
        &mut self,
        bodies: &mut RigidBodySet,
        velocity: Vector,
    ) -> Result<(), PlacementError> {
        let mut check = ParamCheck::default();
        check.vector_within("velocity", velocity, MAX_SPEED);
        check.finish()?;
        Ok(self.set_motion(bodies, RigidBodyVelocity::new(velocity, Vector::ZERO))?)
    }

    /// Lets the vehicle go on at this `velocity` of its body (m/s, rad/s), with wheels that roll at
    /// the forward speeds of their mounts.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic.
    pub(crate) fn set_motion(
        &mut self,
        bodies: &mut RigidBodySet,
        velocity: RigidBodyVelocity<Real>,
    ) -> Result<(), ActorError> {
        self.actor.dynamic_body(bodies)?;
        let body = &mut bodies[self.actor.body];
        body.set_vels(velocity, true);
        let axes = *body.rotation() * self.actor.center_of_mass.rotation;
        let ahead = axes * self.params.coordinates.frame.longitudinal();
        for wheel in 0..self.vehicle.axles().wheel_count() {
            let arm = axes * self.vehicle.suspension_params(wheel).wheel_mount();
            let speed = (velocity.linvel + velocity.angvel.cross(arm)).dot(ahead);
            let rolling = speed / self.vehicle.wheel_params(wheel).radius;
            let wheels = &mut self.vehicle.mechanics().state.wheels;
            wheels.edit(wheel, |state| state.rotation_speed = rolling);
        }
        self.vehicle.mechanics().state.rigid_body.forget_frame();
        let body = &bodies[self.actor.body];
        self.actor.read(&mut self.vehicle, body);
        // The frame that begins is that of the new velocity.
        self.vehicle.mechanics().state.rigid_body.forget_frame();
        Ok(())
    }

    /// The pose of the body (m) on its wheels, `height` (m) above its place, with its present
    /// heading. [`teleport`](Self::teleport) there to recover from a fall onto the roof.
    ///
    /// `up` is the unit vector out of the ground. A vehicle that stands on its nose or tail keeps
    /// the heading of its roof or floor.
    ///
    /// # Errors
    ///
    /// If the body is not in the world, `up` is no unit vector or `height` is not finite, negative
    /// or above [`MAX_DISTANCE`].
    pub fn upright_pose(
        &self,
        bodies: &RigidBodySet,
        up: Vector,
        height: Real,
    ) -> Result<Pose, PlacementError> {
        let mut check = ParamCheck::default();
        check.direction("up", up);
        check.finite_within("height", height, 0.0, MAX_DISTANCE);
        check.finish()?;
        let body = self.actor.body_in(bodies)?;
        let frame = &self.params.coordinates.frame;
        // The axes of the vehicle lie in its body as its center of mass does.
        let Pose { rotation: axes, translation: center_of_mass, .. } = self.actor.center_of_mass;
        let present = *body.rotation() * axes;
        let level = |direction: Vector| {
            let direction = present * direction;
            normalize_or_zero(direction - up * direction.dot(up))
        };
        let (ahead, above) = (level(frame.longitudinal()), level(frame.vertical()));
        // Of nose and roof, one is not vertical. With the nose up, the roof shows backward.
        let rise = (present * frame.longitudinal()).dot(up);
        let forward = if STEEP < rise.abs() { above * -rise.signum() } else { ahead };
        let upright = turned(frame.longitudinal(), frame.vertical(), forward, up);
        let rotation = upright * axes.inverse();
        let center = body.center_of_mass() + up * height;
        let arm = rotation * center_of_mass;
        Ok(Pose::from_parts(center - arm, rotation))
    }
}

/// Cosine of the angle to the vertical from which on a vehicle stands on its nose or tail.
const STEEP: Real = 0.99;

/// The rotation that turns `forward` and `up` into `new_forward` and `new_up`, two unit vectors at
/// right angles each.
pub(crate) fn turned(forward: Vector, up: Vector, new_forward: Vector, new_up: Vector) -> Rotation {
    let basis = |forward: Vector, up: Vector| {
        Rotation::from_mat3(&Matrix::from_cols(forward, up, forward.cross(up)))
    };
    basis(new_forward, new_up) * basis(forward, up).inverse()
}

/// Forgets on what `vehicle` stood and at what its wheels were. Also forgets how far its springs
/// were compressed, and what has held it.
pub(crate) fn forget_ground<V: HasMechanics + ?Sized>(vehicle: &mut V) {
    let state = vehicle.mechanics().state;
    for suspensions in state.suspensions.fours_mut() {
        suspensions.compression = CompressionLanes::default();
    }
    state.obstacles.forget();
    state.wheel_inertia = state.wheel_inertia.map(|_| Default::default());
    release_sticky_tires(&mut state.tires);
    state.rows = VehicleRows::none(state.rows.len());
    state.anchor = None;
}
