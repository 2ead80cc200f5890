//! Grounds: worlds of given colliders.

use rapier3d::prelude::*;

use super::DT;

/// A world of these colliders.
pub fn world_of(colliders: impl IntoIterator<Item = ColliderBuilder>) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    for collider in colliders {
        world.insert_collider(collider, None);
    }
    world.detect_collisions(&(), &());
    world
}

/// Level grounds of every kind, their top at height 0.
pub fn grounds() -> Vec<(&'static str, PhysicsWorld)> {
    let corners = [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)];
    let vertices = corners.map(|(x, z)| Vector::new(x, 0.0, z)).to_vec();
    let mesh = ColliderBuilder::trimesh(vertices, vec![[0, 2, 1], [0, 3, 2]]).expect("a mesh");
    let heights = Array2::new(19, 19, vec![0.0; 19 * 19]);
    let cuboid = ColliderBuilder::cuboid(9.0, 2.0, 9.0).translation(Vector::Y * -2.0);
    let field = ColliderBuilder::heightfield(heights, Vector::new(18.0, 1.0, 18.0));
    vec![
        ("half space", world_of([ColliderBuilder::new(SharedShape::halfspace(Vector::Y))])),
        ("cuboid", world_of([cuboid])),
        ("mesh", world_of([mesh])),
        ("height field", world_of([field])),
    ]
}

/// A world of these colliders, with friction 1 and the time step of the scenarios.
pub fn drivable_world_of(colliders: impl IntoIterator<Item = ColliderBuilder>) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    for collider in colliders {
        world.insert_collider(collider.friction(1.0), None);
    }
    world.detect_collisions(&(), &());
    world
}

/// A box of the given half extents, the middle of its top at `top` (m).
pub fn block(half: Vector, top: Vector) -> ColliderBuilder {
    ColliderBuilder::cuboid(half.x, half.y, half.z).translation(top - Vector::Y * half.y)
}
