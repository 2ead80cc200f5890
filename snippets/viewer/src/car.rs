//! A car that looks like one: hull, cabin and wheels, from the numbers of its vehicle.

use kiss3d::color::Color;
use kiss3d::glamx::{Mat3, Pose3, Vec3};
use kiss3d::scene::{InstanceData3d, SceneNode3d};
use playground::{Look, LookPart, Paint, PartLook};

use crate::meshes::{Cover, Mesh};
use crate::paint;

/// Sides of a drawn tire.
const SIDES: u32 = 32;
/// Spokes of a wheel.
const SPOKES: u32 = 5;

/// Colors of what a car is made of, in the order of [`Paint::ALL`], after its own two; then those
/// of wheels.
const COLORS: [u32; 6] = [0x1b_24_2c, 0x17_18_1a, 0x8d_92_98, 0xf4_f1_e4, 0x8a_10_10, 0xd8_dd_e2];
const WHEEL_COLORS: [u32; 3] = [0x17_18_1a, 0x3a_3d_42, 0xb8_bc_c2];
/// Numbers of the colors of wheels in the palette of a car.
const TIRE: usize = Paint::ALL.len();
const RIM: usize = TIRE + 1;
const SPOKE: usize = TIRE + 2;
/// Number of colors in the palette of a car.
const COLOR_COUNT: usize = TIRE + WHEEL_COLORS.len();

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
    fn palette(self, [body, load]: [u32; 2]) -> (String, Vec<u32>, f32) {
        match self {
            Self::Ghost => ("ghost".to_owned(), vec![0x5a_b4_ff; COLOR_COUNT], 0.4),
            _ => {
                let colors = [body, load].into_iter().chain(COLORS).chain(WHEEL_COLORS);
                let opacity = if self == Self::Glass { 0.4 } else { 1.0 };
                (format!("car {body} {load}"), colors.collect(), opacity)
            }
        }
    }
}

/// A car in the scene: a body, and wheels of each size as instances of one.
pub(crate) struct Car {
    body: SceneNode3d,
    wheels: Vec<(SceneNode3d, Vec<usize>)>,
    look: Look,
}

impl Car {
    pub(crate) fn new(scene: &mut SceneNode3d, look: Look, finish: Finish) -> Self {
        let (name, colors, opacity) = finish.palette(look.colors);
        let texture = paint::palette(&name, &colors);
        let mut add = |mesh: &Mesh| {
            let mut node = mesh.add_to(scene, Cover::Palette(colors.len()));
            node.set_texture(texture.clone());
            node.set_color(Color::new(1.0, 1.0, 1.0, opacity));
            node.set_roughness(0.45);
            node.set_casts_shadows(opacity == 1.0);
            node
        };
        let body = add(&body_mesh(&look));
        let mut wheels: Vec<(SceneNode3d, Vec<usize>)> = Vec::new();
        let size = |wheel: usize| [look.wheels[wheel].radius, look.wheels[wheel].half_width];
        for wheel in 0..look.wheels.len() {
            match wheels.iter_mut().find(|(_, others)| size(others[0]) == size(wheel)) {
                Some((_, others)) => others.push(wheel),
                None => wheels.push((add(&wheel_mesh(size(wheel))), vec![wheel])),
            }
        }
        Self { body, wheels, look }
    }

    pub(crate) fn look(&self) -> &Look {
        &self.look
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

/// An instance of a mesh at `pose`.
pub(crate) fn instance(pose: Pose3) -> InstanceData3d {
    InstanceData3d {
        position: pose.translation,
        deformation: Mat3::from_quat(pose.rotation),
        ..InstanceData3d::default()
    }
}

fn body_mesh(look: &Look) -> Mesh {
    let parts = look.parts.iter().map(|LookPart { paint, shape }| {
        let mesh = match shape {
            PartLook::Profile { outline, across, half_width } => {
                Mesh::profile(outline, *across, *half_width)
            }
            PartLook::Rod { ends, radius } => Mesh::rod(*ends, *radius),
        };
        mesh.painted(*paint as usize)
    });
    parts.fold(Mesh::default(), |body, part| body.with(&part))
}

fn wheel_mesh([radius, half_width]: [f32; 2]) -> Mesh {
    let tire = Mesh::cylinder(half_width, [radius; 2], SIDES).on_side().painted(TIRE);
    let rim = Mesh::cylinder(1.02 * half_width, [0.66 * radius; 2], SIDES).on_side();
    let tire = tire.with(&rim.painted(RIM));
    // Spokes show how it turns.
    let spoke = |number: u32| {
        let (sine, cosine) = (std::f32::consts::TAU * number as f32 / SPOKES as f32).sin_cos();
        let [out, aside] = [Vec3::new(0.0, cosine, sine), Vec3::new(0.0, -sine, cosine)];
        let corner = |along: f32, across: f32, side: f32| {
            out * (along * radius)
                + aside * (across * radius)
                + Vec3::X * (side * 1.04 * half_width)
        };
        let mut corners = Vec::new();
        let mut triangles = Vec::new();
        for side in [-1.0, 1.0] {
            let first = corners.len() as u32;
            let face = [[0.0, -0.09], [0.62, -0.06], [0.62, 0.06], [0.0, 0.09]];
            corners.extend(face.map(|[along, across]| corner(along, across, side)));
            let order = if 0.0 < side { [0, 1, 2, 3] } else { [3, 2, 1, 0] };
            let [a, b, c, d] = order.map(|corner| first + corner);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        Mesh::new(corners, triangles)
    };
    (0..SPOKES).map(spoke).fold(tire, |wheel, spoke| wheel.with(&spoke.painted(SPOKE)))
}
