//! One vehicle in a world, driven around the world's step.

use std::sync::Arc;

use rapier3d::prelude::*;
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::sequence::UpdateError;
use vehicle_core::{ComponentSequence, Context, ParamErrors, SimulationParams};

use crate::actor::{Activity, Actor, ActorError};
use crate::chassis::Chassis;
use crate::road_query::{RapierRoad, RoadQueryParams, RoadResources};
use crate::sleep::Drivable;
use crate::wheel_colliders::WheelColliders;

/// The parts of a world that a vehicle needs; a `&mut PhysicsWorld` converts into it.
pub struct Scene<'a> {
    /// All bodies.
    pub bodies: &'a mut RigidBodySet,
    /// All colliders.
    pub colliders: &'a mut ColliderSet,
    /// Where colliders are found.
    pub broad_phase: &'a BroadPhaseBvh,
    /// How shapes are queried.
    pub narrow_phase: &'a NarrowPhase,
    /// Gravitational acceleration (m/s²).
    pub gravity: Vector,
    /// Time step of the world (s).
    pub dt: Real,
}

impl<'a> From<&'a mut PhysicsWorld> for Scene<'a> {
    fn from(world: &'a mut PhysicsWorld) -> Self {
        Self {
            bodies: &mut world.bodies,
            colliders: &mut world.colliders,
            broad_phase: &world.broad_phase,
            narrow_phase: &world.narrow_phase,
            gravity: world.gravity,
            dt: world.integration_parameters.dt,
        }
    }
}

/// Why a vehicle's step failed; neither vehicle nor world has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// What its wheels can stand on has a fault.
    #[error(transparent)]
    Road(#[from] ParamErrors),
    /// The body cannot be driven.
    #[error(transparent)]
    Actor(#[from] ActorError),
    /// The inputs cannot be simulated, or the vehicle's state is not finite after the step.
    #[error(transparent)]
    Update(#[from] UpdateError),
}

/// A vehicle, its body in a world, and the order of its stages.
#[derive(Clone, Debug)]
pub struct RapierVehicle<V> {
    /// The vehicle.
    pub vehicle: V,
    /// Its body in the world.
    pub actor: Actor,
    /// Its stages; vehicles of one type may share them.
    pub sequence: Arc<ComponentSequence<V>>,
    /// Axes and limits. Gravity is taken from the world each step.
    pub params: SimulationParams,
    /// What its wheels can stand on.
    pub road: RoadQueryParams,
    /// What the query for it has at hand beside its parameters.
    pub road_resources: RoadResources,
    /// Colliders of its wheels, which turn with them; none unless its chassis has
    /// [them](Chassis::wheel_colliders).
    pub wheel_colliders: WheelColliders,
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
        let (actor, wheel_colliders) =
            chassis.insert_with_wheels(&mut world.bodies, &mut world.colliders);
        Self {
            vehicle,
            actor,
            sequence: sequence.into(),
            params: SimulationParams::default(),
            road: RoadQueryParams::default(),
            road_resources: RoadResources::default(),
            wheel_colliders,
        }
    }

    /// Updates the vehicle, then steps the world.
    ///
    /// With several vehicles in one world, [`update`](Self::update) each and step the world once.
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
    /// If a component ends the step early, the body gets the motion that was reached.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic, the world's time step is not positive and finite, or a
    /// command, a list of the state, [`params`](Self::params) or [`road`](Self::road) has a fault:
    /// all are named. If the vehicle's state would not be finite after the step: the error names
    /// the stage. The vehicle's last good state stays, and the world is not changed.
    pub fn update<'a>(&mut self, scene: impl Into<Scene<'a>>) -> Result<Activity, StepError> {
        let Scene { bodies, colliders, broad_phase, narrow_phase, gravity, dt } = scene.into();
        let params = SimulationParams { gravity, ..self.params };
        UpdateError::check(&self.vehicle, dt, &params)?;
        self.check_road()?;
        self.actor.wake_on_moving_ground(&mut self.vehicle, bodies, colliders)?;
        if self.actor.begin(&mut self.vehicle, bodies)? == Activity::Asleep {
            return Ok(Activity::Asleep);
        }
        self.params = params;
        let own_body = self.actor.body;
        let road =
            RapierRoad::new(&self.road, own_body, bodies, colliders, broad_phase, narrow_phase)
                .with_resources(&self.road_resources)
                .with_frame(params.coordinates.frame)
                .with_step(dt);
        let context = Context::new(&self.params, &road);
        let _reached = self.sequence.update_recoverably(&mut self.vehicle, dt, &context)?;
        let CoordinateSystem { frame, length_scale } = params.coordinates;
        self.actor.end(&mut self.vehicle, bodies, length_scale, dt)?;
        let center_of_mass = &self.actor.center_of_mass;
        self.wheel_colliders.follow(&mut self.vehicle, center_of_mass, &frame, colliders);
        if self.road.pushes_ground {
            self.actor.push_ground(&mut self.vehicle, bodies, colliders, &frame, length_scale)?;
        }
        Ok(Activity::Awake)
    }

    fn check_road(&mut self) -> Result<(), ParamErrors> {
        let wheel_count = self.vehicle.wheels().axles.wheel_count();
        let mut check = ParamCheck::default();
        check.field("road", |inner| self.road.check_for(wheel_count, inner));
        check.finish()
    }

    /// Forward speed at the vehicle's last update (m/s).
    pub fn forward_speed(&mut self) -> Real {
        let frame = self.params.coordinates.frame;
        self.vehicle.rigid_body().state.longitudinal_speed(&frame)
    }

    /// Pose of `wheel` in the world (m), with its rotation about the axle, for drawing.
    ///
    /// # Errors
    ///
    /// If the body is not in the world.
    ///
    /// # Panics
    ///
    /// If the vehicle has no such wheel.
    pub fn wheel_pose(&mut self, wheel: usize, bodies: &RigidBodySet) -> Result<Pose, ActorError> {
        let body = self.actor.body_in(bodies)?;
        let local_pose = self.vehicle.wheels().states[wheel].local_pose;
        Ok(*body.position() * self.actor.center_of_mass * local_pose)
    }
}
