//! A rig of posts: wheels that are moved up and down below a standing vehicle.

use anyhow::Result;
use rapier3d::prelude::*;

use super::scenario::{Ground, PostMotion, Posts};
use crate::measurements::{Post, ProvingGround, Setting};
use crate::presets;

/// Half of the length and width of the plate of a post, and of its thickness (m).
const PLATE: [Real; 2] = [0.3, 0.1];
/// How far the floor is below (m).
const FLOOR: Real = 2.0;

/// The vehicle of `name`, without a trailer, on posts, with its brakes on.
pub(super) fn on_posts(
    name: &str,
    setting: &Setting,
    ground: &Ground,
    posts: &Posts,
) -> Result<ProvingGround> {
    let setting = Setting { friction: ground.friction as Real, ..*setting };
    let floor = ColliderBuilder::new(SharedShape::halfspace(Vector::Y));
    let floor = floor.translation(Vector::new(0.0, -FLOOR, 0.0));
    let name = &presets::alone(name);
    let mut ground = ProvingGround::with_road(name, &setting, Rotation::IDENTITY, [floor])?;
    let body = ground.world.bodies[ground.front().body()].center_of_mass();
    let suspensions = &ground.front().mechanics().params.suspensions;
    let mounts: Vec<_> = suspensions.iter().map(|each| each.attachment.translation).collect();
    for mount in mounts {
        let is_up = match posts.motion {
            PostMotion::Heave => true,
            PostMotion::Pitch => mount.z < 0.0,
            PostMotion::Roll => 0.0 < mount.x,
        };
        let [half_size, half_thickness] = PLATE;
        let place = Vector::new(body.x + mount.x, -half_thickness, body.z + mount.z);
        let plate = ColliderBuilder::cuboid(half_size, half_thickness, half_size);
        let moving = RigidBodyBuilder::kinematic_position_based().translation(place);
        // On a rig, wheels go aside as their suspensions take them.
        let plate = plate.friction(if posts.held { 0.0 } else { setting.friction });
        let (body, _) = ground.world.insert(moving, plate);
        ground.posts.push(Post { body, place, direction: if is_up { 1.0 } else { -1.0 } });
    }
    ground.world.detect_collisions(&(), &());
    Ok(ground)
}

/// Lets the posts reach this height in the next step (m).
pub(super) fn move_posts(ground: &mut ProvingGround, height: Real) {
    for post in &ground.posts {
        if let Some(body) = ground.world.bodies.get_mut(post.body) {
            let up = Vector::Y * (post.direction * height);
            body.set_next_kinematic_translation(post.place + up);
        }
    }
}
