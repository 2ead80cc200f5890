//! Meshes of vehicles, in the colors of a palette.

use rapier3d::prelude::*;

use super::{Look, LookPart, Paint, PartLook, WheelLook};
use crate::mesh::Mesh;

/// Sides of a tire.
const SIDES: u32 = 32;
/// Spokes of a wheel.
const SPOKES: u32 = 5;

/// Colors of [`Paint::ALL`] after those of a vehicle's own; then those of wheels.
const COLORS: [u32; 6] = [0x1b_24_2c, 0x17_18_1a, 0x8d_92_98, 0xf4_f1_e4, 0x8a_10_10, 0xd8_dd_e2];
const WHEEL_COLORS: [u32; 3] = [0x17_18_1a, 0x3a_3d_42, 0xb8_bc_c2];
/// Numbers of the colors of wheels in the palette.
const TIRE: usize = Paint::ALL.len();
const RIM: usize = TIRE + 1;
const SPOKE: usize = TIRE + 2;

impl Look {
    /// The colors of the meshes of its body and its wheels by their numbers, as three bytes of the
    /// sRGB, red first.
    pub fn palette(&self) -> [u32; Paint::ALL.len() + WHEEL_COLORS.len()] {
        let mut colors = self.colors.into_iter().chain(COLORS).chain(WHEEL_COLORS);
        std::array::from_fn(|_| colors.next().unwrap_or_default())
    }

    /// The mesh of its body without wheels, in the axes of the body (m).
    pub fn body_mesh(&self) -> Mesh {
        let parts = self.parts.iter().map(|LookPart { paint, shape }| {
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
}

impl WheelLook {
    /// Its mesh around the origin (m): it turns about x.
    pub fn mesh(&self) -> Mesh {
        let Self { radius, half_width, .. } = *self;
        let tire = Mesh::cylinder(half_width, [radius; 2], SIDES).on_side().painted(TIRE);
        let rim = Mesh::cylinder(1.02 * half_width, [0.66 * radius; 2], SIDES).on_side();
        let tire = tire.with(&rim.painted(RIM));
        // Spokes show how it turns.
        let spokes = (0..SPOKES).map(|number| self.spoke(number).painted(SPOKE));
        spokes.fold(tire, |wheel, spoke| wheel.with(&spoke))
    }

    /// A spoke, on both sides.
    fn spoke(&self, number: u32) -> Mesh {
        let Self { radius, half_width, .. } = *self;
        let (sine, cosine) = (std::f32::consts::TAU * number as Real / SPOKES as Real).sin_cos();
        let [out, aside] = [Vector::new(0.0, cosine, sine), Vector::new(0.0, -sine, cosine)];
        let corner = |along: Real, across: Real, side: Real| {
            out * (along * radius)
                + aside * (across * radius)
                + Vector::X * (side * 1.04 * half_width)
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
    }
}
