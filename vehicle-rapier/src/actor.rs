//! Actor: the exchange between a vehicle and its body in the world.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::memory::MAX_LOAD;

use crate::reaction::{is_moving, sole_ground, stands_on_moving_ground};
use crate::sleep::{Drivable, DriverIntent};

/// How a vehicle's motion reaches its body.
///
/// Links of a multibody ignore velocities, and joints for [rows](crate::row_joints) share forces, not
/// jumps of the velocity: [`RapierVehicle`](crate::RapierVehicle) then takes
/// [`Acceleration`](Self::Acceleration), whatever the actor says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UpdateMode {
    /// The body gets the vehicle's velocity.
    #[default]
    Velocity,
    /// The body gets the force and torque that change its velocity to the vehicle's over the next
    /// step, which must be as long as the vehicle's.
    Acceleration,
}

/// Whether a vehicle is to be updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// The body is awake: update the vehicle.
    Awake,
    /// The body sleeps: skip the vehicle.
    Asleep,
}

/// Why a vehicle cannot be driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActorError {
    /// The body is not in the world.
    #[error("the vehicle's body {0:?} is not in the world: was it removed?")]
    Removed(RigidBodyHandle),
    /// The body is fixed or kinematic.
    #[error("the vehicle's body {0:?} must be dynamic, but is {1:?}")]
    NotDynamic(RigidBodyHandle, RigidBodyType),
}

/// Whether a vehicle has come to rest since its body fell asleep, and on what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Rest {
    #[default]
    Awake,
    /// All wheels on the ground of this number: it is known without a look at the wheels.
    OnOne(u64),
    /// On several grounds, or none.
    OnSeveral,
}

/// What an [`Actor`] remembers between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActorMemory {
    last_intent: Option<DriverIntent>,
    rest: Rest,
    written_force: Vector,
    written_torque: Vector,
}

impl ActorMemory {
    /// Reports numbers that are not finite.
    pub(crate) fn check(&self, check: &mut ParamCheck) {
        check.vector_within("written_force", self.written_force, MAX_LOAD);
        check.vector_within("written_torque", self.written_torque, MAX_LOAD);
        if let Some(intent) = &self.last_intent {
            let numbers =
                [("throttle", intent.throttle), ("steer", intent.steer), ("clutch", intent.clutch)];
            for (name, value) in numbers {
                check.number(format_args!("last_intent.{name}"), value, Bound::Finite);
            }
        }
    }
}

/// A vehicle's body in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Actor {
    /// The chassis.
    pub body: RigidBodyHandle,
    /// Center of mass and principal axes of inertia in the body (m).
    pub center_of_mass: Pose,
    /// How the vehicle's motion reaches the body.
    pub update_mode: UpdateMode,
    last_intent: Option<DriverIntent>,
    #[serde(default)]
    rest: Rest,
    written_force: Vector,
    written_torque: Vector,
}

impl Actor {
    /// The actor of a body that has its center of mass and principal axes at `center_of_mass` (m).
    pub fn new(body: RigidBodyHandle, center_of_mass: Pose) -> Self {
        Self {
            body,
            center_of_mass,
            update_mode: UpdateMode::default(),
            last_intent: None,
            rest: Rest::default(),
            written_force: Vector::ZERO,
            written_torque: Vector::ZERO,
        }
    }

    /// What it remembers now.
    pub(crate) fn memory(&self) -> ActorMemory {
        let Self { last_intent, rest, written_force, written_torque, .. } = *self;
        ActorMemory { last_intent, rest, written_force, written_torque }
    }

    /// Becomes the actor that remembers `memory`.
    pub(crate) fn recall(&mut self, memory: &ActorMemory) {
        let ActorMemory { last_intent, rest, written_force, written_torque } = *memory;
        *self = Self { last_intent, rest, written_force, written_torque, ..*self };
    }

    /// Begins a step: wakes the body if the driver wants to move, and reads its motion.
    ///
    /// The vehicle of a body that has fallen asleep comes to rest, once. It is not to be updated.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic; nothing has changed then.
    pub fn begin<V: Drivable>(
        &mut self,
        vehicle: &mut V,
        bodies: &mut RigidBodySet,
    ) -> Result<Activity, ActorError> {
        let is_sleeping = self.dynamic_body(bodies)?.is_sleeping();
        let intent = vehicle.intent();
        if is_sleeping && !intent.wakes(self.last_intent.as_ref()) {
            self.last_intent = Some(intent);
            if self.rest == Rest::Awake {
                vehicle.rest();
                self.rest = sole_ground(vehicle).map_or(Rest::OnSeveral, Rest::OnOne);
            }
            return Ok(Activity::Asleep);
        }
        if is_sleeping {
            bodies[self.body].wake_up(true);
        }
        self.read_awake(vehicle, bodies)?;
        Ok(Activity::Awake)
    }

    /// Whether the vehicle of a body that sleeps rests on: its driver asks for nothing that wakes it,
    /// and its ground rests.
    pub(crate) fn sleeps_on<V: Drivable>(
        &self,
        vehicle: &mut V,
        bodies: &RigidBodySet,
        colliders: &ColliderSet,
    ) -> bool {
        if vehicle.intent().wakes(self.last_intent.as_ref()) {
            return false;
        }
        match self.rest {
            Rest::Awake => false,
            Rest::OnOne(ground) => !is_moving(ground, bodies, colliders),
            Rest::OnSeveral => !stands_on_moving_ground(vehicle, bodies, colliders),
        }
    }

    /// Whether the vehicle rested on its ground until its body woke, after its last step.
    pub(crate) fn has_slept(&self) -> bool {
        self.rest != Rest::Awake
    }

    /// Begins a step of a vehicle whose body is awake, as [`begin`](Self::begin) does.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic; nothing has changed then.
    pub(crate) fn read_awake<V: Drivable>(
        &mut self,
        vehicle: &mut V,
        bodies: &RigidBodySet,
    ) -> Result<(), ActorError> {
        let body = self.dynamic_body(bodies)?;
        self.last_intent = Some(vehicle.intent());
        self.rest = Rest::Awake;
        self.read(vehicle, body);
        Ok(())
    }

    /// Gives the motion of the body to `vehicle`.
    pub(crate) fn read<V: Drivable>(&self, vehicle: &mut V, body: &RigidBody) {
        let state = vehicle.rigid_body().state;
        state.pose = *body.position() * self.center_of_mass;
        state.linear_velocity = body.linvel();
        state.angular_velocity = body.angvel();
        state.previous_linear_velocity = state.linear_velocity;
        state.previous_angular_velocity = state.angular_velocity;
    }

    /// Ends a step of `dt` (s): hands the vehicle's motion to the body, and keeps it awake while
    /// the vehicle is driven or its wheels turn. The world has `length_scale` units per meter.
    ///
    /// A link of a multibody needs [`UpdateMode::Acceleration`].
    ///
    /// A body that sleeps is left alone.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic; nothing has changed then.
    pub fn end<V: Drivable>(
        &mut self,
        vehicle: &mut V,
        bodies: &mut RigidBodySet,
        length_scale: Real,
        dt: Real,
    ) -> Result<(), ActorError> {
        self.end_by(self.update_mode, vehicle, bodies, length_scale, dt)
    }

    /// Ends a step as [`end`](Self::end) does, but by `update_mode`.
    pub(crate) fn end_by<V: Drivable>(
        &mut self,
        update_mode: UpdateMode,
        vehicle: &mut V,
        bodies: &mut RigidBodySet,
        length_scale: Real,
        dt: Real,
    ) -> Result<(), ActorError> {
        if self.dynamic_body(bodies)?.is_sleeping() {
            return Ok(());
        }
        let is_busy = vehicle.is_busy(length_scale);
        let state = *vehicle.rigid_body().state;
        let body = &mut bodies[self.body];
        match update_mode {
            UpdateMode::Velocity => {
                self.write_force(body, Vector::ZERO, Vector::ZERO);
                let velocity =
                    RigidBodyVelocity::new(state.linear_velocity, state.angular_velocity);
                body.set_vels(velocity, false);
            }
            UpdateMode::Acceleration => {
                let linear = (state.linear_velocity - state.previous_linear_velocity) / dt;
                let angular = (state.angular_velocity - state.previous_angular_velocity) / dt;
                let torque = turn_with(body, angular);
                self.write_force(body, linear * body.mass(), torque);
            }
        }
        if is_busy {
            body.activation_mut().wake_up(true);
        }
        Ok(())
    }

    /// Replaces the force of the last step; forces that the user added stay.
    fn write_force(&mut self, body: &mut RigidBody, force: Vector, torque: Vector) {
        if force != self.written_force || torque != self.written_torque {
            body.add_force(force - self.written_force, false);
            body.add_torque(torque - self.written_torque, false);
            (self.written_force, self.written_torque) = (force, torque);
        }
    }

    /// The body.
    ///
    /// # Errors
    ///
    /// If it is not in the world.
    #[inline]
    pub fn body_in<'a>(&self, bodies: &'a RigidBodySet) -> Result<&'a RigidBody, ActorError> {
        bodies.get(self.body).ok_or(ActorError::Removed(self.body))
    }

    #[inline]
    pub(crate) fn dynamic_body<'a>(
        &self,
        bodies: &'a RigidBodySet,
    ) -> Result<&'a RigidBody, ActorError> {
        let body = self.body_in(bodies)?;
        if body.is_dynamic() {
            Ok(body)
        } else {
            Err(ActorError::NotDynamic(self.body, body.body_type()))
        }
    }
}

/// Torque (N·m) that gives `body` the angular acceleration `angular` (rad/s²).
fn turn_with(body: &RigidBody, angular: Vector) -> Vector {
    let local = &body.mass_properties().local_mprops;
    let axes = body.rotation() * local.principal_inertia_local_frame;
    axes * (local.principal_inertia() * (axes.inverse() * angular))
}
