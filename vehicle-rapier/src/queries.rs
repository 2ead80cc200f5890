//! What vehicles see of the world as they advance.

use rapier3d::prelude::*;

/// The parts of a world that vehicles read as they advance: those in which roads are found, and its
/// parameters.
#[derive(Clone, Copy)]
pub struct Queries<'a> {
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
