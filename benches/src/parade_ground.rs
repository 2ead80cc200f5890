//! The parade ground: a Rapier world with a flat ground on which fleets drive in formation.

use rapier3d::prelude::*;
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_chassis};
use vehicle_rapier::Actor;
use vehicle_rapier::core::rigid_body::RigidBodyParams;

use crate::{DT, Errand, START_SPEED};

/// Half of the ground's width (m).
const HALF_WIDTH: Real = 2_500.0;

/// Half of the ground's thickness (m).
const HALF_THICKNESS: Real = 1.0;

/// Distance between neighbors (m).
const SPACING: Real = 10.0;

/// Vehicles in a row: 100,000 are a square.
const ROW_LENGTH: usize = 320;

/// Where the first vehicle of all starts, on both axes (m).
const CORNER: Real = -1_600.0;

/// Where vehicle `index` of a fleet starts (m).
pub(crate) fn start_pose(index: usize) -> Pose {
    let (row, column) = ((index / ROW_LENGTH) as Real, (index % ROW_LENGTH) as Real);
    let (x, z) = (CORNER + SPACING * column, CORNER + SPACING * row);
    Pose::from_translation(Vector::new(x, SAMPLE_REST_HEIGHT, z))
}

/// Velocity with which every vehicle starts (m/s).
pub(crate) const START_VELOCITY: Vector = Vector::new(0.0, 0.0, START_SPEED);

/// A world with nothing but the ground, its top at height 0.
///
/// A cuboid, not a half-space: the infinite box of the latter slows every query down.
pub(crate) fn world() -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let ground = ColliderBuilder::cuboid(HALF_WIDTH, HALF_THICKNESS, HALF_WIDTH)
        .translation(Vector::NEG_Y * HALF_THICKNESS)
        .friction(1.0);
    world.insert_collider(ground, None);
    world
}

/// Puts the body of vehicle `index` into `world`, on an `errand`: asleep only if it is to be.
///
/// Its hull touches neither the ground nor other hulls: contacts are not what is measured.
pub(crate) fn insert_body(
    world: &mut PhysicsWorld,
    params: &RigidBodyParams,
    index: usize,
    errand: Errand,
) -> Actor {
    let velocity = if errand == Errand::Driving { START_VELOCITY } else { Vector::ZERO };
    let actor = sample_chassis(params, start_pose(index))
        .configure(|body| body.can_sleep(errand == Errand::Sleeping).linvel(velocity))
        .insert(&mut world.bodies, &mut world.colliders);
    let alone = InteractionGroups::new(Group::GROUP_2, Group::NONE, InteractionTestMode::And);
    for &hull in world.bodies[actor.body].colliders() {
        world.colliders[hull].set_collision_groups(alone);
    }
    actor
}

/// Pose and velocity of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    body: RigidBodyHandle,
    pose: Pose,
    velocity: RigidBodyVelocity<Real>,
}

impl Motion {
    /// The present motion of `body`.
    pub(crate) fn of(body: RigidBodyHandle, bodies: &RigidBodySet) -> Self {
        let state = &bodies[body];
        let velocity = RigidBodyVelocity::new(state.linvel(), state.angvel());
        Self { body, pose: *state.position(), velocity }
    }

    /// Gives the motion back to its body.
    pub(crate) fn restore(&self, bodies: &mut RigidBodySet) {
        let body = &mut bodies[self.body];
        body.set_position(self.pose, false);
        body.set_vels(self.velocity, false);
    }
}
