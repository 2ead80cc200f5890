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

    /// Finds contacts anew, as [`PhysicsWorld::detect_collisions`] does. Bodies that are new to the
    /// world move in its next step nevertheless, which also finds their contacts: the world's
    /// islands must know a body before it touches anything.
    pub(crate) fn detect_collisions(&mut self) {
        let new = self.new_bodies();
        let groups = self.let_nothing_touch(&new);
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
        for (handle, groups) in groups {
            self.colliders[handle].set_collision_groups(groups);
        }
        for body in new {
            // Marked as changed, the world's next step sees it, and lets it move.
            let _changed = self.bodies.get_mut(body);
        }
    }

    /// Bodies that may move, and that no step of the world has seen.
    fn new_bodies(&self) -> Vec<RigidBodyHandle> {
        let is_new = |body: &RigidBody| {
            !body.is_fixed() && body.is_enabled() && body.effective_active_set_offset() == u32::MAX
        };
        let new = self.bodies.iter().filter(|(_, body)| is_new(body));
        new.map(|(handle, _)| handle).collect()
    }

    /// Takes the colliders of these `bodies` out of all groups, so that they touch nothing; their
    /// groups.
    fn let_nothing_touch(
        &mut self,
        bodies: &[RigidBodyHandle],
    ) -> Vec<(ColliderHandle, InteractionGroups)> {
        let handles = bodies.iter().flat_map(|&body| self.bodies[body].colliders());
        let mut groups = Vec::new();
        for &handle in handles {
            if let Some(collider) = self.colliders.get_mut(handle) {
                groups.push((handle, collider.collision_groups()));
                collider.set_collision_groups(InteractionGroups::none());
            }
        }
        groups
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
