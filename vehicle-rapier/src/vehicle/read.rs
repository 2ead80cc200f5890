//! What a vehicle in a world says of itself: where it is, how fast, what its wheels do.

use rapier3d::prelude::*;
use vehicle_core::vehicle::{HasMechanics, MechanicsRef};
use vehicle_drivetrain::instruments::{DisplayedGear, Instruments};

use super::RapierVehicle;
use crate::actor::ActorError;
use crate::drivable::Drivable;

impl<V: Drivable> RapierVehicle<V> {
    /// The vehicle's body in the world.
    pub fn body(&self) -> RigidBodyHandle {
        self.actor.body
    }

    /// Pose of its body in the world (m).
    ///
    /// # Errors
    ///
    /// If the body is not in the world.
    pub fn pose(&self, bodies: &RigidBodySet) -> Result<Pose, ActorError> {
        Ok(*self.actor.body_in(bodies)?.position())
    }

    /// Velocity of its center of mass at its last update (m/s).
    pub fn velocity(&self) -> Vector {
        self.vehicle.body().linear_velocity
    }

    /// Angular velocity at its last update (rad/s).
    pub fn angular_velocity(&self) -> Vector {
        self.vehicle.body().angular_velocity
    }

    /// Number of wheels.
    pub fn wheel_count(&self) -> usize {
        self.vehicle.axles().wheel_count()
    }

    /// Forward speed at the vehicle's last update (m/s).
    pub fn forward_speed(&self) -> Real {
        self.vehicle.body().longitudinal_speed(&self.params.coordinates.frame)
    }

    /// Speed as a speedometer shows it (km/h): never negative, whatever the unit of length.
    pub fn speed_kmh(&self) -> Real {
        self.forward_speed().abs() / self.params.coordinates.length_scale * 3.6
    }

    /// Pose of `wheel` in the world (m), with its rotation about the axle, for drawing.
    ///
    /// # Errors
    ///
    /// If the body is not in the world, or the vehicle has no such wheel.
    pub fn wheel_pose(&self, wheel: usize, bodies: &RigidBodySet) -> Result<Pose, ActorError> {
        let body = self.actor.body_in(bodies)?;
        let count = self.vehicle.axles().wheel_count();
        if count <= wheel {
            return Err(ActorError::NoWheel { wheel, count });
        }
        let local_pose = self.vehicle.wheel_local_pose(wheel, &self.params.coordinates.frame);
        Ok(*body.position() * self.actor.center_of_mass * local_pose)
    }
}

impl<V: HasMechanics> RapierVehicle<V> {
    /// The mechanical base: parameters, commands and state. The parameters are the vehicle's own,
    /// also while its [detail](crate::Detail::wheel_mass) leaves out the masses of its wheels.
    pub fn mechanics(&self) -> MechanicsRef<'_, V::Tire> {
        let params = self.vehicle.mechanical_params();
        MechanicsRef { params, ..self.vehicle.read_mechanics() }
    }
}

impl<V: Instruments> Instruments for RapierVehicle<V> {
    fn engine_speed(&self) -> Option<Real> {
        self.vehicle.engine_speed()
    }

    fn displayed_gear(&self) -> DisplayedGear {
        self.vehicle.displayed_gear()
    }
}
