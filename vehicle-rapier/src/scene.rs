//! The parts of a world that vehicles need.

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
    /// Where the joints of [`RowJoints`](crate::RowJoints) are; needed only for vehicles that have such.
    pub impulse_joints: Option<&'a mut ImpulseJointSet>,
    /// Number of the solver's steps in a step of the world
    /// ([`IntegrationParameters::num_solver_iterations`]), from which the forces of these joints follow.
    pub solver_iterations: usize,
    /// Joints whose bodies take forces, but no velocities; without them no body is taken for one.
    pub multibody_joints: Option<&'a MultibodyJointSet>,
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
            impulse_joints: Some(&mut world.impulse_joints),
            solver_iterations: world.integration_parameters.num_solver_iterations,
            multibody_joints: Some(&world.multibody_joints),
            gravity: world.gravity,
            dt: world.integration_parameters.dt,
        }
    }
}

impl<'a> Scene<'a> {
    /// What vehicles look at as they advance: many threads may do so at once.
    pub(crate) fn queries(&self) -> Queries<'_> {
        Queries {
            bodies: self.bodies,
            colliders: self.colliders,
            broad_phase: self.broad_phase,
            narrow_phase: self.narrow_phase,
            gravity: self.gravity,
            dt: self.dt,
            has_joints: self.impulse_joints.is_some(),
        }
    }
}

/// What vehicles look at as they advance: the parts of a world in which roads are found, and its
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
    /// Whether there are joints for [`RowJoints`](crate::RowJoints).
    pub(crate) has_joints: bool,
}
