//! Actor: the exchange between a vehicle and its body in the world.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::ParamErrors;
use vehicle_core::error::ParamCheck;
use vehicle_core::memory::{MAX_LOAD, check_motion};

use crate::body::{check_freedom, check_gravity, check_mass, has_mass};
use crate::drivable::{Drivable, intent_of};
use crate::driver::{Pace, is_driven, note_driven};
use crate::rest::{GroundChange, Rest};
use crate::sleep::SleepParams;
pub use crate::update_mode::UpdateMode;

/// Whether a vehicle is to be updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Activity {
    /// The body is awake: update the vehicle.
    Awake,
    /// The body sleeps: skip the vehicle.
    Asleep,
    /// The body is disabled: skip the vehicle, and do not touch the body.
    Disabled,
}

/// Why a vehicle cannot be driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ActorError {
    /// The body is not in the world.
    #[error("the vehicle's body {0:?} is not in the world: was it removed?")]
    Removed(RigidBodyHandle),
    /// The body is fixed or kinematic.
    #[error("the vehicle's body {0:?} must be dynamic, but is {1:?}")]
    NotDynamic(RigidBodyHandle, RigidBodyType),
    /// The vehicle has no wheel of this number.
    #[error("wheel must be below {count}, the number of the vehicle's wheels, got {wheel}")]
    NoWheel {
        /// The number.
        wheel: usize,
        /// How many wheels it has.
        count: usize,
    },
}

/// State that an [`Actor`] keeps between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActorMemory {
    rest: Rest,
    written_force: Vector,
    written_torque: Vector,
}

impl ActorMemory {
    /// Reports numbers that are not finite.
    pub(crate) fn check(&self, check: &mut ParamCheck) {
        check.vector_within("written_force", self.written_force, MAX_LOAD);
        check.vector_within("written_torque", self.written_torque, MAX_LOAD);
        check.field("rest", |inner| self.rest.check(inner));
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
    /// When the body is kept awake although it hardly moves.
    #[serde(default)]
    pub sleep: SleepParams,
    #[serde(default)]
    pub(crate) rest: Rest,
    /// Whether the body is to stay awake after this step: the driver has done something that wakes,
    /// and later in the step, whatever else is known to keep it awake.
    #[serde(skip)]
    pub(crate) stays_awake: bool,
    /// Whether the body comes from a [`Chassis`](crate::Chassis), which has it as its user wants
    /// it.
    #[serde(default)]
    is_chassis: bool,
    /// Whether the body has been compared with the vehicle.
    #[serde(default)]
    is_checked: bool,
    written_force: Vector,
    written_torque: Vector,
    /// How often it is updated, and what the last update has noted.
    #[serde(skip)]
    pub(crate) pace: Pace,
}

impl Actor {
    /// The actor of a body that has its center of mass and principal axes at `center_of_mass` (m).
    ///
    /// The body must fit the vehicle, see [`body`](crate::body);
    /// [`Chassis::adopt`](crate::Chassis::adopt) makes it fit.
    pub fn new(body: RigidBodyHandle, center_of_mass: Pose) -> Self {
        Self {
            body,
            center_of_mass,
            update_mode: UpdateMode::default(),
            sleep: SleepParams::default(),
            rest: Rest::default(),
            stays_awake: false,
            is_chassis: false,
            is_checked: false,
            written_force: Vector::ZERO,
            written_torque: Vector::ZERO,
            pace: Pace::default(),
        }
    }

    /// The actor of a body that a chassis has made, or made fit.
    pub(crate) fn of_chassis(body: RigidBodyHandle, center_of_mass: Pose) -> Self {
        Self { is_chassis: true, ..Self::new(body, center_of_mass) }
    }

    /// State of the actor between two steps.
    pub(crate) fn memory(&self) -> ActorMemory {
        let Self { rest, written_force, written_torque, .. } = *self;
        ActorMemory { rest: rest.to_save(), written_force, written_torque }
    }

    /// The actor as it is saved: what it knows of the last step alone is left out.
    pub(crate) fn to_save(self) -> Self {
        Self { rest: self.rest.to_save(), stays_awake: false, pace: Pace::default(), ..self }
    }

    /// Becomes the actor that remembers `memory`.
    pub(crate) fn recall(&mut self, memory: &ActorMemory) {
        let ActorMemory { rest, written_force, written_torque } = *memory;
        *self = Self { rest, written_force, written_torque, ..*self };
    }

    /// Begins a step: wakes the body if the driver wants to move, and reads its motion.
    ///
    /// The vehicle of a body that has fallen asleep comes to rest, once. It is not to be updated,
    /// and neither is that of a body that is disabled.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic; nothing has changed then.
    pub fn begin<V: Drivable>(
        &mut self,
        vehicle: &mut V,
        bodies: &mut RigidBodySet,
    ) -> Result<Activity, ActorError> {
        let body = self.dynamic_body(bodies)?;
        if !body.is_enabled() {
            return Ok(Activity::Disabled);
        }
        if body.is_sleeping() {
            let intent = intent_of(vehicle);
            if !self.rest.is_stirred_by(&intent) {
                if !self.rest.knows_driver() {
                    self.rest.note_driver(&intent);
                }
                if !self.rest.is_resting {
                    vehicle.rest();
                    vehicle.mechanics().state.rigid_body.forget_frame();
                    self.rest.is_resting = true;
                }
                return Ok(Activity::Asleep);
            }
            bodies[self.body].wake_up(true);
        }
        self.read_awake(vehicle, bodies)?;
        Ok(Activity::Awake)
    }

    /// Looks at what the vehicle stands on, before [`begin`](Self::begin). Wakes the body, or keeps
    /// it awake, if its ground moves, is gone or is not as it was, or if gravity (m/s²) has
    /// changed.
    ///
    /// See [`sleep`](crate::sleep) for what counts. Of a vehicle whose body is not about to sleep,
    /// nothing is looked at.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic; nothing has changed then.
    pub fn watch_ground<V: Drivable>(
        &mut self,
        vehicle: &V,
        bodies: &mut RigidBodySet,
        colliders: &ColliderSet,
        gravity: Vector,
    ) -> Result<(), ActorError> {
        let body = self.dynamic_body(bodies)?;
        if !body.is_enabled() {
            return Ok(());
        }
        let is_sleeping = body.is_sleeping();
        if !is_sleeping && body.activation().time_since_can_sleep <= 0.0 {
            self.rest.forget_ground();
            return Ok(());
        }
        let wakes = match self.rest.look_at_ground(vehicle, bodies, colliders, gravity) {
            GroundChange::None => false,
            GroundChange::IsAnother => true,
            // A dynamic body that is awake is never quite still: it may fall asleep with the
            // vehicle.
            GroundChange::MovesOrIsGone => is_sleeping,
        };
        if wakes {
            bodies[self.body].wake_up(true);
        }
        Ok(())
    }

    /// Whether the vehicle of a body that sleeps rests on: its driver asks for nothing that wakes
    /// it, and its ground is as it was.
    pub(crate) fn sleeps_on<V: Drivable>(
        &mut self,
        vehicle: &V,
        bodies: &RigidBodySet,
        colliders: &ColliderSet,
        gravity: Vector,
    ) -> bool {
        // What has changed is still to be seen by those who wake the body.
        let mut rest = self.rest;
        let sleeps_on = rest.is_resting
            && !rest.is_stirred_by(&intent_of(vehicle))
            && rest.look_at_ground(vehicle, bodies, colliders, gravity) == GroundChange::None;
        if sleeps_on {
            self.rest = rest;
        }
        sleeps_on
    }

    /// Whether the vehicle rested on its ground until its body woke, after its last step.
    pub(crate) fn has_slept(&self) -> bool {
        self.rest.is_resting
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
        self.stays_awake = self.rest.is_stirred_by(&intent_of(vehicle));
        self.rest.end();
        self.read(vehicle, body);
        Ok(())
    }

    /// Whether the body has been driven since the world's last step, by another vehicle than this
    /// one.
    pub(crate) fn is_driven_by_another(&mut self, body: &RigidBody) -> bool {
        self.pace.begins_driven = is_driven(body);
        self.pace.begins_driven && !self.pace.has_left(body)
    }

    /// Whether another vehicle has driven the body since this one has begun its step.
    pub(crate) fn has_been_overtaken(&self, body: &RigidBody) -> bool {
        !self.pace.begins_driven && is_driven(body)
    }

    /// Notes how often the vehicle is updated, in a world of time step `dt` (s).
    pub(crate) fn note_pace<V: Drivable>(&mut self, vehicle: &V, body: &RigidBody, dt: Real) {
        // The first update has none before it.
        if self.is_checked {
            self.pace.note(vehicle.body(), body.center_of_mass(), dt);
        }
    }

    /// Whether the vehicle has been updated at all.
    pub(crate) fn is_updated(&self) -> bool {
        self.is_checked
    }

    /// Checks that the body fits `vehicle`: all that is asked of it in the first step. In each, it
    /// must have no gravity, and the vehicle's mass and center of mass.
    ///
    /// # Errors
    ///
    /// All that does not fit.
    pub(crate) fn check_body<V: Drivable>(
        &mut self,
        vehicle: &V,
        bodies: &mut RigidBodySet,
        colliders: &ColliderSet,
    ) -> Result<(), ParamErrors> {
        let Some(body) = bodies.get(self.body) else { return Ok(()) };
        let (params, center) = (vehicle.body_params(), &self.center_of_mass);
        let fits = has_mass(body, params, center.translation);
        if self.is_checked && fits && body.gravity_scale() == 0.0 {
            return Ok(());
        }
        let asks_mass = !self.is_checked || !fits;
        if asks_mass {
            // The world computes the mass at its next step.
            bodies[self.body].recompute_mass_properties_from_colliders(colliders);
        }
        let body = &bodies[self.body];
        let mut check = ParamCheck::default();
        check.field("body", |inner| {
            check_gravity(body, inner);
            if asks_mass {
                check_mass(body, params, center, inner);
            }
            if !self.is_chassis {
                check_freedom(body, inner);
            }
        });
        check.finish()?;
        self.is_checked = true;
        Ok(())
    }

    /// Checks that the body's motion can be simulated.
    ///
    /// # Errors
    ///
    /// Numbers of the motion that are not finite, or too far or too fast to be simulated.
    pub(crate) fn check_motion(body: &RigidBody) -> Result<(), ParamErrors> {
        let mut check = ParamCheck::default();
        check.field("body", |inner| {
            check_motion(inner, body.position(), body.linvel(), body.angvel());
        });
        check.finish()
    }

    /// Gives the motion of the body to `vehicle`.
    pub(crate) fn read<V: Drivable>(&self, vehicle: &mut V, body: &RigidBody) {
        let state = &mut vehicle.mechanics().state.rigid_body;
        let pose = *body.position() * self.center_of_mass;
        state.follow(pose, body.linvel(), body.angvel());
    }

    /// Ends a step of `dt` (s): hands the vehicle's motion to the body, and keeps it awake while
    /// the vehicle is driven or its wheels turn. The world has `length_scale` units per meter.
    /// Impulses that others have given the body since [`begin`](Self::begin) stay.
    ///
    /// A link of a multibody needs [`UpdateMode::Acceleration`].
    ///
    /// A body that sleeps or is disabled is left alone.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic; nothing has changed then.
    pub fn end<V: Drivable>(
        &mut self,
        vehicle: &V,
        bodies: &mut RigidBodySet,
        length_scale: Real,
        dt: Real,
    ) -> Result<(), ActorError> {
        let is_busy = self.is_busy(vehicle, length_scale);
        self.end_by(self.update_mode, vehicle, bodies, is_busy, [Vector::ZERO; 2], dt)
    }

    /// Whether the body of `vehicle` is to stay awake.
    ///
    /// A command of the driver just before the body falls asleep must not be missed.
    pub(crate) fn is_busy<V: Drivable>(&self, vehicle: &V, length_scale: Real) -> bool {
        self.stays_awake || vehicle.is_busy(&self.sleep, length_scale)
    }

    /// Ends a step as [`end`](Self::end) does, but by `update_mode`, of a vehicle that [is
    /// busy](Self::is_busy) or not. What the hull has borne in it, as velocities (m/s, rad/s), the
    /// world is to give again: a force over its step takes it back.
    pub(crate) fn end_by<V: Drivable>(
        &mut self,
        update_mode: UpdateMode,
        vehicle: &V,
        bodies: &mut RigidBodySet,
        is_busy: bool,
        borne: [Vector; 2],
        dt: Real,
    ) -> Result<(), ActorError> {
        let body = self.dynamic_body(bodies)?;
        if body.is_sleeping() || !body.is_enabled() {
            return Ok(());
        }
        self.rest.note_driver(&intent_of(vehicle));
        let state = *vehicle.body();
        let body = &mut bodies[self.body];
        let (linear, angular) = (state.frame_linear_velocity, state.frame_angular_velocity);
        let [mut push, mut turn] = borne.map(|velocity| Vector::ZERO - velocity / dt);
        match update_mode {
            UpdateMode::Velocity => {
                // What others have done to the body since its motion was read stays.
                let after = |velocity: Vector, now: Vector, begin: Vector| {
                    if now == begin { velocity } else { velocity + (now - begin) }
                };
                let linear = after(linear, body.linvel(), state.previous_linear_velocity);
                let angular = after(angular, body.angvel(), state.previous_angular_velocity);
                body.set_vels(RigidBodyVelocity::new(linear, angular), false);
            }
            UpdateMode::Acceleration => {
                push += (linear - state.previous_linear_velocity) / dt;
                turn += (angular - state.previous_angular_velocity) / dt;
            }
        }
        let torque = if turn == Vector::ZERO { turn } else { turn_with(body, turn) };
        self.write_force(body, push * body.mass(), torque);
        if is_busy {
            let activation = body.activation_mut();
            activation.wake_up(true);
            // The world adds its step: one as long as that would stop the vehicle. Who drives the
            // body is not told then.
            if activation.time_until_sleep <= dt {
                activation.time_since_can_sleep = -dt;
            }
        }
        note_driven(body);
        self.pace.leave(body);
        Ok(())
    }

    /// What the hull of a body of `mass` (kg) bore in the last step, of `dt` (s) (m/s).
    pub(crate) fn borne(&self, mass: Real, dt: Real) -> Vector {
        if self.pace.leans { self.written_force * (-dt / mass) } else { Vector::ZERO }
    }

    /// Takes the force of the last step back, as a step fails: without steps it would act for ever.
    pub(crate) fn withdraw_force(&mut self, bodies: &mut RigidBodySet) {
        let is_written = [self.written_force, self.written_torque] != [Vector::ZERO; 2];
        if let Some(body) = bodies.get_mut(self.body).filter(|_| is_written) {
            self.write_force(body, Vector::ZERO, Vector::ZERO);
        }
    }

    /// Replaces the force of the last step; forces that the user added stay.
    ///
    /// Who resets the forces of the body has taken that of the last step away, too. A body that is
    /// not dynamic keeps its forces without telling them, until it is dynamic again.
    fn write_force(&mut self, body: &mut RigidBody, force: Vector, torque: Vector) {
        if !body.is_dynamic() {
            return;
        }
        if body.user_force() == Vector::ZERO {
            self.written_force = Vector::ZERO;
        }
        if body.user_torque() == Vector::ZERO {
            self.written_torque = Vector::ZERO;
        }
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
