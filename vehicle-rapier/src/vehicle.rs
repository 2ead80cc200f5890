//! One vehicle in a world, driven around the world's step.

mod lying;
mod read;

use std::sync::Arc;

use rapier3d::prelude::*;
use vehicle_core::clone_by_field;
use vehicle_core::constraint_rows::RowExecution;
use vehicle_core::error::ParamCheck;
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::sequence::{TimeStepError, UpdateError};
use vehicle_core::{ComponentSequence, ParamErrors, SimulationParams, Validate};
use vehicle_drivetrain::events::VehicleEvents;

use crate::actor::{Activity, Actor, ActorError};
use crate::chassis::Chassis;
use crate::detail::{Detail, Look};
use crate::drivable::Drivable;
use crate::driver::{forget_driven, note_driven};
use crate::lost_parts::Seldom;
use crate::reaction::{LinkForces, Push};
use crate::rest::is_on_the_move;
use crate::road_query::{RapierRoad, RoadMark, RoadQueryParams, RoadResources, TriangleLists};
use crate::row_joints::{JointWorld, RowJoints};
use crate::scene::{Queries, Scene, WorldParts};
use crate::sleep::LOOK_PERIOD;
use crate::update_mode::UpdateMode;
use crate::user_data::UserData;
use crate::wheel_colliders::WheelColliders;

/// Why a vehicle's step failed; neither vehicle nor world has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The vehicle's road query or its sleep parameters have a fault.
    #[error(transparent)]
    Road(#[from] ParamErrors),
    /// The body cannot be driven.
    #[error(transparent)]
    Actor(#[from] ActorError),
    /// The body does not fit the vehicle.
    #[error(
        "{0}; Chassis::adopt makes a body fit; to load it, give colliders .density(0.0), and call set_mass"
    )]
    Body(ParamErrors),
    /// The motion of the body cannot be simulated.
    #[error("{0}: give the body a finite pose and velocity, and the vehicle drives on")]
    Motion(ParamErrors),
    /// Rows are the host's to execute, or have been, and the scene has no joints.
    #[error(
        "the scene must have impulse_joints for a vehicle whose simulation.row_execution is or has \
         been Host"
    )]
    NoJoints,
    /// The body has been driven by another vehicle since the world's last step, or been given
    /// another velocity since this one has driven it. Of two vehicles in one
    /// [`Fleet`](crate::Fleet) that have one body, both advance, and the motion of the first
    /// reaches it.
    #[error(
        "the vehicle's body {0:?} must be driven by one vehicle, once in each step of the world, and has \
         been driven since the last one: by a clone of it, or its actor's copy? Both move the same body. \
         Or has it been pushed between two updates without a step of the world?"
    )]
    DrivenTwice(RigidBodyHandle),
    /// The inputs cannot be simulated, or the vehicle's state is not finite after the step.
    #[error(transparent)]
    Update(#[from] UpdateError),
}

/// A vehicle in a Rapier world: the vehicle, its rigid body, and the stages of its step.
///
/// [`step`](Self::step) updates it and steps the world; [`update`](Self::update) only updates it.
#[derive(Debug)]
pub struct RapierVehicle<V> {
    /// The vehicle.
    pub vehicle: V,
    /// The vehicle's body in the world.
    pub actor: Actor,
    /// Stages of the vehicle; vehicles of one type may share them.
    pub sequence: Arc<ComponentSequence<V>>,
    /// Parameters of the simulation: axes, sticky tires, obstacles, longest substep. Each step
    /// overwrites `gravity` by that of the world.
    pub params: SimulationParams,
    /// How wheels look for the road: ray or cylinder, groups, friction by material.
    pub road: RoadQueryParams,
    /// Data shared by its road queries.
    pub road_resources: RoadResources,
    /// Joints that execute its rows in the world's step, if they are the host's to execute.
    pub row_joints: RowJoints,
    /// Forces of the vehicle on links of multibodies that it stands on.
    pub link_forces: LinkForces,
    /// Colliders of its wheels, which turn with them; none unless its chassis has
    /// [them](Chassis::wheel_colliders).
    pub wheel_colliders: WheelColliders,
    /// What it has lost with its wheels, and where its origin is.
    pub(crate) seldom: Seldom,
    /// Numbers of your own for the vehicle and its wheels. The library only stores them.
    pub user_data: UserData,
    /// How closely the vehicle is computed, see [`Detail`].
    pub detail: Detail,
    /// How closely it has been looked at.
    pub(crate) look: Look,
    /// Events of the vehicle, if anyone listens.
    pub(crate) events: Option<Box<VehicleEvents>>,
    /// Triangles of meshes near its wheels.
    pub(crate) triangles: TriangleLists,
}

clone_by_field! {
    impl[V: Clone] RapierVehicle<V> {
        vehicle, actor, sequence, params, road, road_resources, row_joints, link_forces,
        wheel_colliders, seldom, user_data, detail, look, events, triangles,
    }
}

impl<V: Drivable> RapierVehicle<V> {
    /// Puts `vehicle` on `chassis` into the world.
    ///
    /// Its axes are those of [`Frame::Y_UP`](vehicle_core::Frame::Y_UP): for others, change
    /// [`params`](Self::params).
    pub fn insert(
        world: &mut PhysicsWorld,
        chassis: Chassis,
        vehicle: V,
        sequence: impl Into<Arc<ComponentSequence<V>>>,
    ) -> Self {
        Self::insert_into(&mut world.bodies, &mut world.colliders, chassis, vehicle, sequence)
    }

    /// Puts `vehicle` on `chassis` into the sets of a world, as [`insert`](Self::insert) does.
    pub fn insert_into(
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
        chassis: Chassis,
        vehicle: V,
        sequence: impl Into<Arc<ComponentSequence<V>>>,
    ) -> Self {
        let (actor, wheel_colliders) = chassis.insert_with_wheels(bodies, colliders);
        Self { wheel_colliders, ..Self::new(actor, vehicle, sequence) }
    }

    /// The vehicle of a body that is in a world already, which a chassis has
    /// [inserted](Chassis::insert) or [adopted](Chassis::adopt). Another body must
    /// [fit](crate::body): otherwise the first step is an error.
    pub fn new(actor: Actor, vehicle: V, sequence: impl Into<Arc<ComponentSequence<V>>>) -> Self {
        Self {
            vehicle,
            actor,
            sequence: sequence.into(),
            params: SimulationParams::default(),
            road: RoadQueryParams::default(),
            road_resources: RoadResources::default(),
            row_joints: RowJoints::default(),
            link_forces: LinkForces::default(),
            wheel_colliders: WheelColliders::default(),
            seldom: Seldom::default(),
            user_data: UserData::default(),
            detail: Detail::FULL,
            look: Look::NONE,
            events: None,
            triangles: TriangleLists::default(),
        }
    }

    /// Takes body, colliders and joints out of the world; the vehicle is left.
    pub fn remove(self, world: &mut PhysicsWorld) -> V {
        self.remove_from(world)
    }

    /// Takes body, colliders and joints out of the sets of a world; the vehicle is left.
    pub fn remove_from<'a>(self, parts: impl Into<WorldParts<'a>>) -> V {
        let Self { vehicle, actor, mut row_joints, mut link_forces, .. } = self;
        let mut parts = parts.into();
        link_forces.withdraw(parts.bodies);
        row_joints.remove(parts.impulse_joints);
        for body in row_joints.anchor.into_iter().chain([actor.body]) {
            parts.remove_body(body);
        }
        vehicle
    }

    /// Updates the vehicle, then steps the world.
    ///
    /// With several vehicles in one world, [`update`](Self::update) each and step the world once;
    /// with many, let a [`Fleet`](crate::Fleet) do it in less time.
    ///
    /// # Errors
    ///
    /// See [`update`](Self::update); the world is not stepped then.
    pub fn step(&mut self, world: &mut PhysicsWorld) -> Result<Activity, StepError> {
        let activity = self.update(&mut *world)?;
        world.step();
        Ok(activity)
    }

    /// Updates the vehicle and hands its motion to its body, before the world's step.
    ///
    /// A body that is a link of a multibody, as [`Scene::multibody_joints`] tell, gets a force, and
    /// so does one whose rows are executed by [joints](crate::row_joints).
    ///
    /// If a component ends the step early, the body gets the motion that was reached.
    ///
    /// A vehicle that [sleeps](crate::sleep) costs next to nothing. Its commands and `dt` are
    /// checked in every step. [`params`](Self::params), [`road`](Self::road) and the lists of its
    /// state are checked only in every [`LOOK_PERIOD`]th step, and when it wakes, before anything
    /// changes.
    ///
    /// A vehicle whose body is disabled does nothing, and drives on from where it was when its body
    /// is enabled again. Nothing of it is checked but its body.
    ///
    /// # Errors
    ///
    /// If the body is gone, not dynamic or does not [fit](crate::body), or has a motion that is not
    /// finite: with the next one that is, the vehicle drives on. If another vehicle has driven the
    /// body since the world's last step. If the world's time step is not positive and finite, or a
    /// command, a list of the state, [`params`](Self::params) or [`road`](Self::road) has a fault:
    /// all are named. If the scene has no joints for the rows. If the vehicle's state would not be
    /// finite after the step: the error names the stage. The vehicle's last good state stays, and
    /// the world is not changed, but that the vehicle's forces of its last step are taken back.
    pub fn update<'a>(&mut self, scene: impl Into<Scene<'a>>) -> Result<Activity, StepError> {
        let mut scene = scene.into();
        let outcome = self.update_in(&mut scene);
        if let Err(error) = &outcome {
            self.give_up(error, scene.bodies);
        }
        outcome
    }

    fn update_in(&mut self, scene: &mut Scene<'_>) -> Result<Activity, StepError> {
        let activity = self.begin(scene)?;
        if activity == Activity::Awake {
            self.advance(&scene.queries())?;
            self.finish(scene, false)?;
        }
        Ok(activity)
    }

    /// Takes back the forces of the last step, as a step fails with this `error`. Those on a body
    /// that another vehicle drives are the other's.
    pub(crate) fn give_up(&mut self, error: &StepError, bodies: &mut RigidBodySet) {
        if !matches!(error, StepError::DrivenTwice(_)) {
            self.actor.withdraw_force(bodies);
            self.link_forces.withdraw(bodies);
        }
    }

    /// The first of four phases: leaves the body of a vehicle that sleeps asleep, or wakes it.
    ///
    /// A vehicle that is awake has nothing to do here: its inputs are checked as it
    /// advances, before anything of it changes.
    pub(crate) fn begin(&mut self, scene: &mut Scene<'_>) -> Result<Activity, StepError> {
        let activity = self.wake_or_leave(scene)?;
        if activity == Activity::Asleep
            && let Some(events) = &mut self.events
        {
            events.sleep(scene.dt);
        }
        Ok(activity)
    }

    /// Leaves the body of a vehicle that sleeps asleep, or wakes it.
    fn wake_or_leave(&mut self, scene: &mut Scene<'_>) -> Result<Activity, StepError> {
        let body = match self.actor.dynamic_body(scene.bodies) {
            Ok(body) => body,
            Err(error) => {
                if matches!(error, ActorError::NotDynamic(..)) {
                    // It may be anywhere as it is driven again.
                    self.look = Look::NONE;
                }
                return Err(error.into());
            }
        };
        if !body.is_enabled() {
            // The world's steps, which the body takes no part in, do not forget that it was driven.
            forget_driven(&mut scene.bodies[self.actor.body]);
            self.link_forces.withdraw(scene.bodies);
            self.look = Look::NONE;
            return Ok(Activity::Disabled);
        }
        let is_sleeping = body.is_sleeping();
        if self.actor.is_driven_by_another(body) {
            return Err(StepError::DrivenTwice(self.actor.body));
        }
        let Scene { bodies, colliders, .. } = &mut *scene;
        self.actor.check_body(&self.vehicle, bodies, colliders).map_err(StepError::Body)?;
        let gravity = scene.gravity;
        if !is_sleeping {
            let Scene { bodies, colliders, .. } = scene;
            self.actor.watch_ground(&self.vehicle, bodies, colliders, gravity)?;
            return Ok(Activity::Awake);
        }
        let params = self.params_in(gravity);
        let (bodies, colliders) = (&*scene.bodies, &*scene.colliders);
        if self.actor.sleeps_on(&self.vehicle, bodies, colliders, gravity) {
            self.check_asleep(scene.dt)?;
            if !self.sees_another_road(&params, scene)? {
                return Ok(Activity::Asleep);
            }
        }
        self.check(&params, scene.dt, scene.impulse_joints.is_some())?;
        let Scene { bodies, colliders, .. } = scene;
        self.actor.watch_ground(&self.vehicle, bodies, colliders, gravity)?;
        self.params = params;
        let activity = self.actor.begin(&mut self.vehicle, bodies)?;
        if activity == Activity::Awake {
            self.look = Look::NONE;
        } else if self.actor.rest.road_mark == 0 {
            let found = self.road_mark(scene);
            self.actor.rest.note_road(found);
            self.actor.rest.note_params(&self.vehicle);
        }
        Ok(activity)
    }

    /// Whether the vehicle, which sleeps, finds other parameters or another road than it did, or
    /// something that comes to its wheels, and wakes. It looks in every [`LOOK_PERIOD`]th step, and
    /// for the latter in each while something near moves.
    ///
    /// # Errors
    ///
    /// If an input has a fault.
    fn sees_another_road(
        &mut self,
        params: &SimulationParams,
        scene: &mut Scene<'_>,
    ) -> Result<bool, StepError> {
        // Vehicles that have fallen asleep together take turns.
        let (turn, _) = self.actor.body.into_raw_parts();
        let has_company = self.actor.rest.has_company;
        let steps = (self.actor.rest.steps + 1) % LOOK_PERIOD;
        let is_turn = u32::from(steps) == turn % u32::from(LOOK_PERIOD);
        if is_turn {
            self.check(params, scene.dt, scene.impulse_joints.is_some())?;
            if self.actor.rest.note_params(&self.vehicle) {
                scene.bodies[self.actor.body].wake_up(true);
                return Ok(true);
            }
        }
        if is_turn || has_company {
            let found = self.road_mark(scene);
            let is_another = ![0, found.mark].contains(&self.actor.rest.road_mark);
            if found.has_comer || is_another {
                scene.bodies[self.actor.body].wake_up(true);
                return Ok(true);
            }
            self.actor.rest.note_road(found);
        }
        self.actor.rest.steps = steps;
        Ok(false)
    }

    /// A mark of the road under the vehicle as its body is.
    fn road_mark(&self, scene: &Scene<'_>) -> RoadMark {
        let queries = scene.queries();
        let Queries { bodies, colliders, broad_phase, narrow_phase, dt, .. } = queries;
        let own_body = self.actor.body;
        let frame = self.params.coordinates.frame;
        let place = *bodies[own_body].position() * self.actor.center_of_mass;
        RapierRoad::new(&self.road, own_body, bodies, colliders, broad_phase, narrow_phase)
            .with_resources(&self.road_resources)
            .with_frame(frame)
            .for_wheels_with_mass(self.vehicle.has_unsprung_masses())
            .with_obstacles(self.params.meets_obstacles)
            .with_joints(queries.impulse_joints, queries.multibody_joints)
            .with_step(dt)
            .mark(&self.vehicle, &RigidBodyState::at_rest(place))
    }

    /// The third phase, of a vehicle that has advanced: does to other bodies what its wheels do.
    /// Where a vehicle pushes its ground, all do so before any of them [ends](Self::end) its step,
    /// so that their bodies have the motion from which the wheels have begun.
    pub(crate) fn push(&mut self, scene: &mut Scene<'_>) -> Result<(), StepError> {
        if self.actor.has_been_overtaken(self.actor.dynamic_body(scene.bodies)?) {
            return Err(StepError::DrivenTwice(self.actor.body));
        }
        note_driven(&mut scene.bodies[self.actor.body]);
        let length_scale = self.params.coordinates.length_scale;
        let is_busy = self.actor.is_busy(&self.vehicle, length_scale);
        let is_pressed = self.push_ground(scene, is_busy)?;
        self.actor.stays_awake = is_busy || is_pressed;
        Ok(())
    }

    /// The phases after the vehicle has advanced, of which it may have done the first one.
    pub(crate) fn finish(
        &mut self,
        scene: &mut Scene<'_>,
        has_pushed: bool,
    ) -> Result<(), StepError> {
        if !has_pushed {
            self.push(scene)?;
        }
        self.end(scene)
    }

    /// The last phase, of a vehicle that has pushed: hands its motion to its body.
    fn end(&mut self, scene: &mut Scene<'_>) -> Result<(), StepError> {
        let dt = scene.dt;
        let is_hosted = self.params.row_execution == RowExecution::Host;
        let takes_force = is_hosted
            || is_link(self.actor.body, scene.multibody_joints)
            || self.lies(&scene.queries());
        let mode = if takes_force { UpdateMode::Acceleration } else { self.actor.update_mode };
        let borne = self.borne(&scene.queries());
        let frame = self.params.coordinates.frame;
        let (bodies, colliders) = (&mut *scene.bodies, &mut *scene.colliders);
        let is_busy = self.actor.stays_awake;
        self.actor.end_by(mode, &self.vehicle, bodies, is_busy, borne, dt)?;
        let center_of_mass = &self.actor.center_of_mass;
        self.wheel_colliders.leave_out(self.seldom.lost_parts().wheels(), colliders);
        self.wheel_colliders.follow(&self.vehicle, center_of_mass, &frame, colliders);
        let joints = scene.impulse_joints.as_deref_mut();
        if let Some(joints) = joints.filter(|_| is_hosted || !self.row_joints.is_empty()) {
            let (pushes_ground, solver_iterations) =
                (self.road.pushes_ground, scene.solver_iterations);
            let mut world =
                JointWorld { bodies, colliders, joints, pushes_ground, dt, solver_iterations };
            self.row_joints.update(&self.actor, &mut self.vehicle, &mut world);
        }
        Ok(())
    }

    /// Pushes the bodies in front of the wheels, and those below, if they are to be pushed. Links
    /// of a multibody get a force for the next step, all others an impulse. A vehicle that
    /// `is_busy` wakes them. Returns whether something that moves presses a wheel from before it: a
    /// vehicle that slept would not hold it.
    fn push_ground(&mut self, scene: &mut Scene<'_>, is_busy: bool) -> Result<bool, ActorError> {
        self.link_forces.withdraw(scene.bodies);
        let pushes_ground = self.pushes_ground();
        if !pushes_ground && !self.params.meets_obstacles {
            return Ok(false);
        }
        let forces = &mut self.link_forces;
        let (multibody_joints, dt) = (scene.multibody_joints, scene.dt);
        let mut push = |handle, ground: &mut RigidBody, push: &Push| {
            if is_link(handle, multibody_joints) {
                forces.add(handle, ground, push, dt, is_busy);
            } else {
                push.apply(ground, is_busy);
            }
        };
        if pushes_ground {
            let coordinates = &self.params.coordinates;
            self.actor.for_each_push(&mut self.vehicle, scene, coordinates, &mut push)?;
        }
        let mut is_pressed = false;
        self.actor.push_obstacles(&self.vehicle, scene, &mut |handle, obstacle, given| {
            is_pressed |= is_on_the_move(obstacle);
            push(handle, obstacle, given);
        })?;
        Ok(is_pressed)
    }

    /// Whether it has something to push below its wheels, once it has advanced.
    pub(crate) fn pushes_ground(&self) -> bool {
        self.road.pushes_ground && self.actor.pace.ground_gives_way
    }

    /// The parameters in a world of this gravity (m/s²).
    pub(crate) fn params_in(&self, gravity: Vector) -> SimulationParams {
        SimulationParams { gravity, ..self.params }
    }

    /// Checks all inputs of a step of `dt` (s), in a scene that has joints or not.
    pub(crate) fn check(
        &self,
        params: &SimulationParams,
        dt: Real,
        has_joints: bool,
    ) -> Result<(), StepError> {
        UpdateError::check(&self.vehicle, dt, params)?;
        self.check_own()?;
        let is_hosted = params.row_execution == RowExecution::Host;
        if !has_joints && (is_hosted || !self.row_joints.is_empty()) {
            return Err(StepError::NoJoints);
        }
        Ok(())
    }

    /// Checks what a vehicle that sleeps on has to bear in a step of `dt` (s).
    fn check_asleep(&self, dt: Real) -> Result<(), UpdateError> {
        TimeStepError::check(dt)?;
        let mut check = ParamCheck::default();
        self.vehicle.check_commands(&mut check);
        Ok(check.finish()?)
    }

    /// Checks what it has beside the vehicle.
    fn check_own(&self) -> Result<(), ParamErrors> {
        let wheel_count = || self.vehicle.axles().wheel_count();
        let mut check = ParamCheck::default();
        check.field("road", |inner| self.road.check_for(wheel_count, inner));
        check.field("actor.sleep", |inner| self.actor.sleep.check(inner));
        check.finish()
    }
}

/// Whether `body` is a link of a multibody.
fn is_link(body: RigidBodyHandle, multibody_joints: Option<&MultibodyJointSet>) -> bool {
    multibody_joints.is_some_and(|joints| joints.rigid_body_link(body).is_some())
}
