//! Poses for drawing: chassis and wheels between two steps of the world.
//!
//! Games draw more often than they step. [`DrawnPoses`] keeps the poses of the last two steps and
//! gives those in between. Make them [anew](DrawnPoses::new) after a vehicle was put elsewhere, as
//! by a teleport, a reset or a snapshot: there is nothing to draw between the two places. Shift
//! them with the [origin](crate::origin_shift) of the world.
//!
//! A wheel's mesh spins about its lateral axis: the one that [`Frame`] calls
//! lateral, `+x` for [`Frame::Y_UP`], with its center at the origin.

use rapier3d::prelude::*;
use vehicle_core::frame::Frame;
use vehicle_core::math::Quat;
use vehicle_core::vehicle::ReadVehicle;

use crate::actor::ActorError;
use crate::drivable::Drivable;
use crate::origin_shift::shifted_pose;
use crate::vehicle::RapierVehicle;

/// A wheel in its body, and how it turns within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
struct DrawnWheel {
    /// Pose in the chassis' body without the rotation about the axle (m).
    pose: Pose,
    /// Rotation about the axle (rad).
    angle: Real,
    /// Angle by which it turns in a step (rad).
    turn: Real,
    is_detached: bool,
}

/// Poses of a vehicle at the last two steps of its world.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnPoses {
    frame: Frame,
    chassis: [Pose; 2],
    wheels: [Vec<DrawnWheel>; 2],
}

impl DrawnPoses {
    /// The poses of `vehicle` as it is.
    ///
    /// # Errors
    ///
    /// If its body is not in the world.
    pub fn new<V: Drivable>(
        vehicle: &RapierVehicle<V>,
        bodies: &RigidBodySet,
        dt: Real,
    ) -> Result<Self, ActorError> {
        let chassis = chassis(vehicle, bodies)?;
        let frame = vehicle.params.coordinates.frame;
        let wheels = wheels(vehicle, &frame, dt);
        Ok(Self { frame, chassis: [chassis; 2], wheels: [wheels.clone(), wheels] })
    }

    /// Takes the poses of `vehicle` after a step of `dt` (s) of its world.
    ///
    /// # Errors
    ///
    /// If its body is not in the world; the poses are as before then.
    pub fn record<V: Drivable>(
        &mut self,
        vehicle: &RapierVehicle<V>,
        bodies: &RigidBodySet,
        dt: Real,
    ) -> Result<(), ActorError> {
        let chassis = chassis(vehicle, bodies)?;
        self.chassis = [self.chassis[1], chassis];
        self.wheels.swap(0, 1);
        self.wheels[1] = wheels(vehicle, &self.frame, dt);
        Ok(())
    }

    /// Shifts the origin of the poses by `shift` (m), with the rest of the world.
    pub fn shift(&mut self, shift: Vector) {
        self.chassis = self.chassis.map(|pose| shifted_pose(&pose, shift));
    }

    /// Number of wheels.
    pub fn wheel_count(&self) -> usize {
        self.wheels[1].len()
    }

    /// Pose of the chassis' body (m) at the part `share` in [0, 1] of the way from the last step
    /// but one to the last.
    pub fn chassis(&self, share: Real) -> Pose {
        let [before, after] = self.chassis;
        before.lerp(&after, share)
    }

    /// Pose of `wheel` (m), with its rotation about the axle, between the last two steps. At 0 it
    /// is that of the last step but one, at 1 that of the last. `share` is in [0, 1]. `None` if
    /// there is no such wheel, or the vehicle has lost it.
    ///
    /// A wheel may turn more than half around within a step: it is shown to turn at its speed.
    pub fn wheel(&self, wheel: usize, share: Real) -> Option<Pose> {
        let [before, after] = [self.wheels[0].get(wheel)?, self.wheels[1].get(wheel)?];
        if after.is_detached {
            return None;
        }
        let angle = after.angle - (1.0 - share) * after.turn;
        let pose = before.pose.lerp(&after.pose, share);
        let spin = Pose::from_rotation(spin(&self.frame, angle));
        Some(self.chassis(share) * pose * spin)
    }
}

fn spin(frame: &Frame, angle: Real) -> Quat {
    frame.rotation(0.0, angle, 0.0)
}

fn chassis<V>(vehicle: &RapierVehicle<V>, bodies: &RigidBodySet) -> Result<Pose, ActorError> {
    Ok(*vehicle.actor.body_in(bodies)?.position())
}

fn wheels<V: ReadVehicle>(vehicle: &RapierVehicle<V>, frame: &Frame, dt: Real) -> Vec<DrawnWheel> {
    let center_of_mass = vehicle.actor.center_of_mass;
    let drawn = |wheel| {
        let state = vehicle.vehicle.wheel_state(wheel);
        let pose = vehicle.vehicle.wheel_local_pose(wheel, frame);
        let still = pose * Pose::from_rotation(spin(frame, state.rotation_angle).inverse());
        DrawnWheel {
            pose: center_of_mass * still,
            angle: state.rotation_angle,
            turn: state.displayed_rotation_speed * dt,
            is_detached: state.is_detached,
        }
    };
    (0..vehicle.vehicle.axles().wheel_count()).map(drawn).collect()
}
