//! The world as nodes of a scene: what stays, what moves, the crowd, and light.

use std::sync::Arc;

use kiss3d::color::Color;
use kiss3d::glamx::{Pose3, Vec3};
use kiss3d::light::{Fog, Light};
use kiss3d::resource::Texture;
use kiss3d::scene::{InstanceData3d, SceneNode3d};
use kiss3d::window::Window;
use playground::worlds::{Part, PartShape, Surface};
use playground::{Mesh, Session};
use rapier3d::prelude::RigidBodyHandle;

use crate::car::instance;
use crate::meshes::{self, Cover};
use crate::paint::{self, SKY, TILE};

/// Where the rays of the sun go.
const RAYS: Vec3 = Vec3::new(-0.45, -0.62, 0.35);

/// Parts that move and look alike, as instances of one.
struct Moving {
    node: SceneNode3d,
    like: Part,
    /// Their bodies by number, and where they are in them (m).
    parts: Vec<(usize, Pose3)>,
}

/// The nodes of a world.
///
/// There are few: each costs time in every picture, much of it where there is no graphics card.
pub(crate) struct Scenery {
    root: SceneNode3d,
    moving: Vec<Moving>,
    crowd: Option<SceneNode3d>,
}

/// Sets what does not depend on the world: sky, haze, light.
pub(crate) fn light(window: &mut Window, scene: &mut SceneNode3d) {
    window.set_background_color(SKY);
    window.set_fog(Fog::linear(SKY, 120.0, 700.0));
    window.set_ambient(0.6);
    window.set_shadow_resolution(2048);
    scene.add_light(Light::directional(RAYS).with_intensity(3.0));
}

impl Scenery {
    pub(crate) fn new(scene: &mut SceneNode3d, session: &Session) -> Self {
        let mut root = scene.add_group();
        let texture = paint::ground_texture();
        let bodies = session.world().moving_bodies();
        let number = |body: RigidBodyHandle| bodies.iter().position(|other| *other == body);
        let mut fixed = Surface::ALL.map(|surface| (surface, Mesh::default()));
        let mut moving: Vec<Moving> = Vec::new();
        for part in &session.world().parts {
            let alike = |other: &&mut Moving| {
                (&other.like.shape, other.like.surface) == (&part.shape, part.surface)
            };
            match part.body.and_then(number) {
                Some(body) => match moving.iter_mut().find(alike) {
                    Some(others) => others.parts.push((body, part.pose)),
                    None => {
                        let node = add(&mut root, &mesh(part), part.surface, &texture);
                        let parts = vec![(body, part.pose)];
                        moving.push(Moving { node, like: part.clone(), parts });
                    }
                },
                None => {
                    let (_, all) = &mut fixed[part.surface as usize];
                    *all = std::mem::take(all).with(&mesh(part).at(&part.pose));
                }
            }
        }
        for (surface, mesh) in fixed.iter().filter(|(_, mesh)| !mesh.is_empty()) {
            add(&mut root, mesh, *surface, &texture);
        }
        let crowd = session.crowd_size().map(|[length, width, height, up]| {
            let half = Vec3::new(0.5 * width, 0.5 * height, 0.5 * length);
            meshes::add(&Mesh::cuboid(half, Vec3::Y * up), &mut root, Cover::Tiles(TILE))
        });
        Self { root, moving, crowd }
    }

    /// Moves what moves to where it is drawn.
    pub(crate) fn update(&mut self, session: &Session) {
        let share = session.share();
        for Moving { node, parts, .. } in &mut self.moving {
            let pose = |(body, pose): &(usize, Pose3)| session.moving_pose(*body, share) * *pose;
            let instances: Vec<_> = parts.iter().map(pose).map(instance).collect();
            node.set_instances(&instances);
        }
        if let Some(crowd) = &mut self.crowd {
            let own = session.world().moving_bodies().len();
            let cars = own..session.moving_count();
            let instances: Vec<_> = cars.map(|number| of_crowd(session, number, share)).collect();
            crowd.set_instances(&instances);
        }
    }

    pub(crate) fn remove(mut self) {
        self.root.remove();
    }
}

fn of_crowd(session: &Session, number: usize, share: f32) -> InstanceData3d {
    let shade = (number * 37 % 100) as f32 / 100.0;
    let color = Color::new(0.25 + 0.6 * shade, 0.35, 0.85 - 0.6 * shade, 1.0);
    InstanceData3d { color, ..instance(session.moving_pose(number, share)) }
}

fn mesh(part: &Part) -> Mesh {
    match &part.shape {
        PartShape::Cuboid(half) => Mesh::cuboid(*half, Vec3::ZERO),
        PartShape::Cylinder { half_height, radius } => {
            let top = if part.surface == Surface::Cone { 0.25 * radius } else { *radius };
            Mesh::cylinder(*half_height, [*radius, top], if *radius < 1.0 { 20 } else { 96 })
        }
        PartShape::Mesh { corners, triangles } => Mesh::new(corners.clone(), triangles.clone()),
    }
}

fn add(
    root: &mut SceneNode3d,
    mesh: &Mesh,
    surface: Surface,
    texture: &Arc<Texture>,
) -> SceneNode3d {
    let is_small = matches!(surface, Surface::Wood | Surface::Kerb | Surface::Cone);
    let cover = Cover::Tiles(if is_small { 2.0 } else { TILE });
    let mut node = meshes::add(mesh, root, cover);
    let (color, roughness, metalness) = paint::surface(surface);
    node.set_color(color);
    node.set_roughness(roughness);
    node.set_metallic(metalness);
    node.set_texture(Arc::clone(texture));
    node
}
