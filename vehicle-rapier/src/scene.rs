//! The parts of a world that vehicles need.

use std::fmt;

use rapier3d::prelude::*;

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
    /// Where the joints of [`RowJoints`](crate::RowJoints) are; needed only for vehicles that have
    /// such.
    pub impulse_joints: Option<&'a mut ImpulseJointSet>,
    /// Number of the solver's steps in a step of the world
    /// ([`IntegrationParameters::num_solver_iterations`]), from which the forces of these joints
    /// follow.
    pub solver_iterations: usize,
    /// Joints whose bodies take forces, but no velocities; without them no body is taken for one.
    pub multibody_joints: Option<&'a MultibodyJointSet>,
    /// Gravitational acceleration (m/s²).
    pub gravity: Vector,
    /// Time step of the world (s).
    pub dt: Real,
}

impl fmt::Debug for Scene<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scene")
            .field("bodies", &self.bodies.len())
            .field("colliders", &self.colliders.len())
            .field("gravity", &self.gravity)
            .field("dt", &self.dt)
            .finish_non_exhaustive()
    }
}

impl<'a> From<&'a mut PhysicsWorld> for Scene<'a> {
    fn from(world: &'a mut PhysicsWorld) -> Self {
        Self {
            bodies: &mut world.bodies,
            colliders: &mut world.colliders,
            broad_phase: &world.broad_phase,
            narrow_phase: &world.narrow_phase,
            impulse_joints: Some(&mut world.impulse_joints),
            solver_iterations: world.integration_parameters.num_solver_iterations,
            multibody_joints: Some(&world.multibody_joints),
            gravity: world.gravity,
            dt: world.integration_parameters.dt,
        }
    }
}

/// All parts of a world that a vehicle leaves, or that are put back with it; a `&mut PhysicsWorld`
/// converts into it.
///
/// Applications that keep these sets themselves, as bevy_rapier does, have them without a
/// [`PhysicsWorld`].
pub struct WorldParts<'a> {
    /// All bodies.
    pub bodies: &'a mut RigidBodySet,
    /// All colliders.
    pub colliders: &'a mut ColliderSet,
    /// Which bodies are awake.
    pub islands: &'a mut IslandManager,
    /// Where colliders are found.
    pub broad_phase: &'a mut BroadPhaseBvh,
    /// Contacts of colliders.
    pub narrow_phase: &'a mut NarrowPhase,
    /// Joints by impulses.
    pub impulse_joints: &'a mut ImpulseJointSet,
    /// Joints of multibodies.
    pub multibody_joints: &'a mut MultibodyJointSet,
    /// Soft bodies.
    pub soft_bodies: &'a mut SoftBodySet,
    /// Distance from which on contacts are looked for
    /// ([`IntegrationParameters::prediction_distance`]) (m).
    pub prediction_distance: Real,
}

impl fmt::Debug for WorldParts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorldParts")
            .field("bodies", &self.bodies.len())
            .field("colliders", &self.colliders.len())
            .field("prediction_distance", &self.prediction_distance)
            .finish_non_exhaustive()
    }
}

impl<'a> From<&'a mut PhysicsWorld> for WorldParts<'a> {
    fn from(world: &'a mut PhysicsWorld) -> Self {
        Self {
            bodies: &mut world.bodies,
            colliders: &mut world.colliders,
            islands: &mut world.islands,
            broad_phase: &mut world.broad_phase,
            narrow_phase: &mut world.narrow_phase,
            impulse_joints: &mut world.impulse_joints,
            multibody_joints: &mut world.multibody_joints,
            soft_bodies: &mut world.soft_bodies,
            prediction_distance: world.integration_parameters.prediction_distance(),
        }
    }
}

/// A world as a [diagnosis](crate::diagnose_in) looks at it; a `&PhysicsWorld` converts into it.
#[derive(Clone, Copy)]
pub struct WorldView<'a> {
    /// All bodies.
    pub bodies: &'a RigidBodySet,
    /// All colliders.
    pub colliders: &'a ColliderSet,
    /// Where colliders are found.
    pub broad_phase: &'a BroadPhaseBvh,
    /// Contacts of colliders.
    pub narrow_phase: &'a NarrowPhase,
    /// Gravitational acceleration (m/s²).
    pub gravity: Vector,
    /// Time step and unit of length.
    pub integration_parameters: &'a IntegrationParameters,
    /// Joints by impulses, where they are known: they couple vehicles.
    pub impulse_joints: Option<&'a ImpulseJointSet>,
    /// Joints of multibodies, where they are known.
    pub multibody_joints: Option<&'a MultibodyJointSet>,
}

impl fmt::Debug for WorldView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorldView")
            .field("bodies", &self.bodies.len())
            .field("colliders", &self.colliders.len())
            .field("gravity", &self.gravity)
            .field("integration_parameters", self.integration_parameters)
            .finish_non_exhaustive()
    }
}

impl<'a> From<&'a PhysicsWorld> for WorldView<'a> {
    fn from(world: &'a PhysicsWorld) -> Self {
        Self {
            bodies: &world.bodies,
            colliders: &world.colliders,
            broad_phase: &world.broad_phase,
            narrow_phase: &world.narrow_phase,
            gravity: world.gravity,
            integration_parameters: &world.integration_parameters,
            impulse_joints: Some(&world.impulse_joints),
            multibody_joints: Some(&world.multibody_joints),
        }
    }
}

impl WorldParts<'_> {
    /// Takes a body out, with its colliders and joints.
    pub(crate) fn remove_body(&mut self, body: RigidBodyHandle) {
        let Self { bodies, colliders, islands, impulse_joints, .. } = self;
        let (multibody_joints, soft_bodies) = (&mut *self.multibody_joints, &mut *self.soft_bodies);
        bodies.remove(
            body,
            islands,
            colliders,
            impulse_joints,
            multibody_joints,
            soft_bodies,
            true,
        );
    }

    /// Finds contacts anew, and does to islands and joints what follows from all that has been
    /// changed since the world's last step, as a step without time.
    pub(crate) fn catch_up(&mut self) {
        let mut pipeline = PhysicsPipeline::new();
        self.step_without_time(&mut pipeline);
        // Some steps lend the tree of colliders to their pipeline, which gives it back in the next.
        if !self.colliders.is_empty() && self.has_lent_tree() {
            self.step_without_time(&mut pipeline);
        }
    }

    fn step_without_time(&mut self, pipeline: &mut PhysicsPipeline) {
        let params = IntegrationParameters {
            dt: 0.0,
            normalized_prediction_distance: self.prediction_distance,
            contact_clustering: false,
            contact_recycling: false,
            ..IntegrationParameters::default()
        };
        pipeline.step(
            Vector::ZERO,
            &params,
            self.islands,
            self.broad_phase,
            self.narrow_phase,
            self.bodies,
            self.colliders,
            self.impulse_joints,
            self.multibody_joints,
            self.soft_bodies,
            &mut CCDSolver::new(),
            &(),
            &(),
        );
    }

    /// Whether the tree of colliders is in the hands of a pipeline.
    fn has_lent_tree(&self) -> bool {
        let dispatcher = self.narrow_phase.query_dispatcher();
        let (bodies, colliders) = (&*self.bodies, &*self.colliders);
        let filter = QueryFilter::default();
        self.broad_phase.as_query_pipeline(dispatcher, bodies, colliders, filter).bvh.is_empty()
    }

    /// Finds contacts anew, as [`PhysicsWorld::detect_collisions`] does, after the world has
    /// [caught up](Self::catch_up) and only poses have changed. What sleeps sleeps on.
    pub(crate) fn detect_collisions(&mut self) {
        CollisionPipeline::new().step(
            self.prediction_distance,
            self.islands,
            self.broad_phase,
            self.narrow_phase,
            self.bodies,
            self.colliders,
            &(),
            &(),
        );
    }
}

impl<'a> Scene<'a> {
    /// The parts of the world that vehicles read as they advance: many threads may do so at once.
    pub(crate) fn queries(&self) -> Queries<'_> {
        Queries {
            bodies: self.bodies,
            colliders: self.colliders,
            broad_phase: self.broad_phase,
            narrow_phase: self.narrow_phase,
            gravity: self.gravity,
            dt: self.dt,
            impulse_joints: self.impulse_joints.as_deref(),
            multibody_joints: self.multibody_joints,
        }
    }
}

/// The parts of a world that vehicles read as they advance: those in which roads are found, and its
/// parameters.
#[derive(Clone, Copy)]
pub(crate) struct Queries<'a> {
    pub(crate) bodies: &'a RigidBodySet,
    pub(crate) colliders: &'a ColliderSet,
    pub(crate) broad_phase: &'a BroadPhaseBvh,
    pub(crate) narrow_phase: &'a NarrowPhase,
    /// Gravitational acceleration (m/s²).
    pub(crate) gravity: Vector,
    /// Time step (s).
    pub(crate) dt: Real,
    /// Joints by impulses, among them those of [`RowJoints`](crate::RowJoints).
    pub(crate) impulse_joints: Option<&'a ImpulseJointSet>,
    /// Joints of multibodies.
    pub(crate) multibody_joints: Option<&'a MultibodyJointSet>,
}
