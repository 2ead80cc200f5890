//! A car that looks like one: hull, cabin and wheels, from the numbers of its vehicle.

use std::sync::Arc;

use kiss3d::color::Color;
use kiss3d::glamx::{Mat3, Pose3};
use kiss3d::resource::Texture;
use kiss3d::scene::{InstanceData3d, SceneNode3d};
use playground::{Look, Mesh, Paint};

use crate::meshes::{self, Cover};
use crate::paint;

/// The color of brake lamps that are lit.
const LIT: u32 = 0xff_30_28;
/// The color of a ghost.
const GHOST: u32 = 0x5a_b4_ff;

/// How a car is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// As one is.
    Solid,
    /// So that one can look through it.
    Glass,
    /// As a ghost.
    Ghost,
}

impl Finish {
    /// Its palette by a name, and how opaque it is.
    fn palette(self, look: &Look) -> (String, Vec<u32>, f32) {
        let colors = look.palette();
        match self {
            Self::Ghost => ("ghost".to_owned(), vec![GHOST; colors.len()], 0.4),
            _ => {
                let [body, load] = look.colors;
                let opacity = if self == Self::Glass { 0.4 } else { 1.0 };
                (format!("car {body} {load}"), colors.into(), opacity)
            }
        }
    }
}

/// A car in the scene: a body, and wheels of each size as instances of one.
pub(crate) struct Car {
    body: SceneNode3d,
    wheels: Vec<(SceneNode3d, Vec<usize>)>,
    look: Look,
    /// The colors of its body, with brake lamps that are dark and lit, and which it has.
    textures: [Arc<Texture>; 2],
    is_lit: bool,
}

impl Car {
    pub(crate) fn new(scene: &mut SceneNode3d, look: Look, finish: Finish) -> Self {
        let (name, colors, opacity) = finish.palette(&look);
        let texture = paint::palette(&name, &colors);
        let bright = paint::palette(&format!("{name} lit"), &lit(&colors));
        let mut add = |mesh: &Mesh| {
            let mut node = meshes::add(mesh, scene, Cover::Palette(colors.len()));
            node.set_texture(texture.clone());
            node.set_color(Color::new(1.0, 1.0, 1.0, opacity));
            node.set_roughness(0.45);
            node.set_casts_shadows(opacity == 1.0);
            node
        };
        let body = add(&look.body_mesh());
        let mut wheels: Vec<(SceneNode3d, Vec<usize>)> = Vec::new();
        let size = |wheel: usize| [look.wheels[wheel].radius, look.wheels[wheel].half_width];
        for wheel in 0..look.wheels.len() {
            match wheels.iter_mut().find(|(_, others)| size(others[0]) == size(wheel)) {
                Some((_, others)) => others.push(wheel),
                None => wheels.push((add(&look.wheels[wheel].mesh()), vec![wheel])),
            }
        }
        Self { body, wheels, look, textures: [texture, bright], is_lit: false }
    }

    pub(crate) fn look(&self) -> &Look {
        &self.look
    }

    /// Lights its brake lamps, or puts them out.
    pub(crate) fn light(&mut self, is_braking: bool) {
        if self.is_lit != is_braking {
            self.is_lit = is_braking;
            self.body.set_texture(self.textures[usize::from(is_braking)].clone());
        }
    }

    /// Puts it where it is drawn; a body that is `None` is not drawn, nor are its wheels.
    pub(crate) fn place(&mut self, body: Option<Pose3>, wheel: impl Fn(usize) -> Option<Pose3>) {
        self.body.set_visible(body.is_some());
        if let Some(pose) = body {
            self.body.set_pose(pose);
        }
        for (node, numbers) in &mut self.wheels {
            node.set_visible(body.is_some());
            let poses = numbers.iter().filter_map(|number| wheel(*number));
            node.set_instances(&poses.map(instance).collect::<Vec<_>>());
        }
    }

    pub(crate) fn remove(mut self) {
        self.body.remove();
        self.wheels.iter_mut().for_each(|(node, _)| node.remove());
    }
}

/// These colors of a body with brake lamps that are lit.
fn lit(colors: &[u32]) -> Vec<u32> {
    let mut colors = colors.to_vec();
    if let Some(lamps) = colors.get_mut(Paint::Brake as usize) {
        *lamps = LIT;
    }
    colors
}

/// An instance of a mesh at `pose`.
pub(crate) fn instance(pose: Pose3) -> InstanceData3d {
    InstanceData3d {
        position: pose.translation,
        deformation: Mat3::from_quat(pose.rotation),
        ..InstanceData3d::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_brake_lamps_are_lit() {
        let colors: Vec<u32> = (0..11).collect();
        let changed: Vec<_> = (0..11).filter(|&at| lit(&colors)[at] != colors[at]).collect();
        assert_eq!(changed, [Paint::Brake as usize]);
    }
}
