//! Meshes of the playground as nodes of a scene.

use std::cell::RefCell;
use std::rc::Rc;

use kiss3d::glamx::{Vec2, Vec3};
use kiss3d::resource::GpuMesh3d;
use kiss3d::scene::SceneNode3d;
use playground::{Face, Mesh};

/// What a texture shows on a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cover {
    /// Tiles of this size (m).
    Tiles(f32),
    /// A palette of so many colors in a row.
    Palette(usize),
}

/// Adds `mesh` to `parent`, with places of this cover.
pub(crate) fn add(mesh: &Mesh, parent: &mut SceneNode3d, cover: Cover) -> SceneNode3d {
    let faces = mesh.faces();
    let numbers = 0..faces.len() as u32;
    let numbers = numbers.map(|face| [3 * face, 3 * face + 1, 3 * face + 2]).collect();
    let count = 3 * faces.len();
    let (mut corners, mut normals) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut places = Vec::with_capacity(count);
    for Face { corners: face, normal, color } in faces {
        for corner in face {
            corners.push(corner);
            normals.push(normal);
            places.push(match cover {
                Cover::Tiles(size) => across(corner, normal) / size,
                Cover::Palette(colors) => Vec2::new((color as f32 + 0.5) / colors as f32, 0.5),
            });
        }
    }
    let mesh = GpuMesh3d::new(corners, numbers, Some(normals), Some(places), false);
    parent.add_mesh(Rc::new(RefCell::new(mesh)), Vec3::ONE)
}

/// Where a corner is as seen along the axis that is nearest to the normal (m).
fn across(corner: Vec3, normal: Vec3) -> Vec2 {
    let size = normal.abs();
    if size.x.max(size.z) <= size.y {
        Vec2::new(corner.x, corner.z)
    } else if size.z <= size.x {
        Vec2::new(corner.z, corner.y)
    } else {
        Vec2::new(corner.x, corner.y)
    }
}
