//! Meshes with flat faces: boxes, cylinders, side views pulled across.

use std::cell::RefCell;
use std::rc::Rc;

use kiss3d::glamx::{Pose3, Vec2, Vec3};
use kiss3d::resource::GpuMesh3d;
use kiss3d::scene::SceneNode3d;

/// Sides of a rod, and rings of each of its ends.
const ROD_SIDES: u32 = 12;
const ROD_RINGS: u32 = 4;

/// Corners and triangles, counterclockwise as seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mesh {
    corners: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// The color of each triangle, by its number in a palette; missing ones are 0.
    colors: Vec<usize>,
}

/// What a texture shows on a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cover {
    /// Tiles of this size (m).
    Tiles(f32),
    /// A palette of so many colors in a row.
    Palette(usize),
}

impl Mesh {
    pub(crate) fn new(corners: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self { corners, triangles, colors: Vec::new() }
    }

    /// This mesh in the color of this number.
    pub(crate) fn painted(mut self, color: usize) -> Self {
        self.colors = vec![color; self.triangles.len()];
        self
    }

    /// A side view of `[along, up]` (m), clockwise with along to the right, pulled across to both
    /// sides of `across`. It is pulled by the first of `half_width` at its lowest corner, by the
    /// second at its highest.
    pub(crate) fn profile(view: &[[f32; 2]], across: f32, half_width: [f32; 2]) -> Self {
        let heights = view.iter().map(|point| point[1]);
        let [low, high] =
            heights.fold([f32::MAX, f32::MIN], |[low, high], up| [low.min(up), high.max(up)]);
        let at = |[along, up]: [f32; 2], side: f32| {
            let share = (up - low) / (high - low).max(1e-6);
            let half = half_width[0] + (half_width[1] - half_width[0]) * share;
            Vec3::new(across + side * half, up, along)
        };
        let mut mesh = Self::default();
        for [a, b, c] in ears(view) {
            mesh.triangle([at(a, 1.0), at(b, 1.0), at(c, 1.0)]);
            mesh.triangle([at(a, -1.0), at(c, -1.0), at(b, -1.0)]);
        }
        for (index, &point) in view.iter().enumerate() {
            let next = view[(index + 1) % view.len()];
            mesh.triangle([at(point, 1.0), at(point, -1.0), at(next, -1.0)]);
            mesh.triangle([at(point, 1.0), at(next, -1.0), at(next, 1.0)]);
        }
        mesh
    }

    /// A rod with round ends (m).
    pub(crate) fn rod([from, to]: [Vec3; 2], radius: f32) -> Self {
        let way = (to - from).normalize_or(Vec3::Y);
        let (aside, beside) = way.any_orthonormal_pair();
        // Rings from one end to the other: their places along and their radii.
        let quarter =
            |ring: u32| (std::f32::consts::FRAC_PI_2 * ring as f32 / ROD_RINGS as f32).sin_cos();
        let ring =
            |end: Vec3, (along, out): (f32, f32)| (end + way * (along * radius), out * radius);
        let below = (0..=ROD_RINGS).rev().map(|number| {
            let (sine, cosine) = quarter(number);
            ring(from, (-sine, cosine))
        });
        let above = (0..=ROD_RINGS).map(|number| ring(to, quarter(number)));
        let rings: Vec<_> = below.chain(above).collect();
        let mut mesh = Self::default();
        for pair in rings.windows(2) {
            let corner = |(center, out): (Vec3, f32), side: u32| {
                let (sine, cosine) =
                    (std::f32::consts::TAU * side as f32 / ROD_SIDES as f32).sin_cos();
                center + (aside * cosine + beside * sine) * out
            };
            for side in 0..ROD_SIDES {
                let [low, next_low] = [side, side + 1].map(|side| corner(pair[0], side));
                let [high, next_high] = [side, side + 1].map(|side| corner(pair[1], side));
                mesh.triangle([low, next_low, next_high]);
                mesh.triangle([low, next_high, high]);
            }
        }
        mesh
    }

    /// A box of these half extents around `center` (m).
    pub(crate) fn cuboid(half: Vec3, center: Vec3) -> Self {
        let side = [[-half.z, -half.y], [half.z, -half.y], [half.z, half.y], [-half.z, half.y]];
        Self::extruded(&side, half.x, half.x, [0.0, 1.0]).moved(center)
    }

    /// A cylinder along y, whose top may have another radius (m).
    pub(crate) fn cylinder(half_height: f32, [bottom, top]: [f32; 2], sides: u32) -> Self {
        let mut mesh = Self::default();
        let at = |side: u32, radius: f32, height: f32| {
            let (sine, cosine) = (std::f32::consts::TAU * side as f32 / sides as f32).sin_cos();
            Vec3::new(radius * cosine, height, radius * sine)
        };
        for side in 0..sides {
            let [low, next_low] = [side, side + 1].map(|side| at(side, bottom, -half_height));
            let [high, next_high] = [side, side + 1].map(|side| at(side, top, half_height));
            mesh.triangle([low, high, next_high]);
            mesh.triangle([low, next_high, next_low]);
            mesh.triangle([Vec3::Y * half_height, next_high, high]);
            mesh.triangle([-Vec3::Y * half_height, low, next_low]);
        }
        mesh
    }

    /// A side view of `[along, up]` (m), counterclockwise with along to the right, pulled across to
    /// both sides. It is pulled by `low` at the first of `heights` and below, by `high` at the
    /// second and above. The view is to be seen as a whole from its middle.
    pub(crate) fn extruded(view: &[[f32; 2]], low: f32, high: f32, heights: [f32; 2]) -> Self {
        let mut mesh = Self::default();
        let width = |up: f32| {
            let share = ((up - heights[0]) / (heights[1] - heights[0])).clamp(0.0, 1.0);
            low + (high - low) * share
        };
        let count = view.len() as f32;
        let sum = view.iter().fold([0.0; 2], |sum, point| [sum[0] + point[0], sum[1] + point[1]]);
        let middle = sum.map(|part| part / count);
        // Along is z and across is x: as seen from +x, z leads to the left.
        let at = |[along, up]: [f32; 2], side: f32| Vec3::new(side * width(up), up, along);
        for (index, &point) in view.iter().enumerate() {
            let next = view[(index + 1) % view.len()];
            mesh.triangle([at(middle, -1.0), at(point, -1.0), at(next, -1.0)]);
            mesh.triangle([at(middle, 1.0), at(next, 1.0), at(point, 1.0)]);
            mesh.triangle([at(point, 1.0), at(next, 1.0), at(next, -1.0)]);
            mesh.triangle([at(point, 1.0), at(next, -1.0), at(point, -1.0)]);
        }
        mesh
    }

    fn triangle(&mut self, corners: [Vec3; 3]) {
        let first = self.corners.len() as u32;
        self.corners.extend(corners);
        self.triangles.push([first, first + 1, first + 2]);
    }

    fn moved(mut self, by: Vec3) -> Self {
        self.corners.iter_mut().for_each(|corner| *corner += by);
        self
    }

    /// This mesh, moved from the origin to `pose` (m).
    pub(crate) fn at(mut self, pose: &Pose3) -> Self {
        self.corners.iter_mut().for_each(|corner| *corner = pose.transform_point(*corner));
        self
    }

    /// This mesh with y turned into x: a cylinder becomes a wheel.
    pub(crate) fn on_side(mut self) -> Self {
        for corner in &mut self.corners {
            *corner = Vec3::new(corner.y, corner.z, corner.x);
        }
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Both as one.
    pub(crate) fn with(mut self, other: &Self) -> Self {
        let first = self.corners.len() as u32;
        self.colors.resize(self.triangles.len(), 0);
        self.colors.extend(&other.colors);
        self.corners.extend(&other.corners);
        let shifted = other.triangles.iter().map(|triangle| triangle.map(|corner| corner + first));
        self.triangles.extend(shifted);
        self.colors.resize(self.triangles.len(), 0);
        self
    }

    /// The volume that the triangles enclose (m³), positive if they are seen from outside.
    #[cfg(test)]
    fn volume(&self) -> f32 {
        let corner = |index: u32| self.corners[index as usize];
        let parts = self.triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(corner);
            a.dot(b.cross(c)) / 6.0
        });
        parts.sum()
    }

    /// Adds it to `parent`, with places of this cover.
    pub(crate) fn add_to(&self, parent: &mut SceneNode3d, cover: Cover) -> SceneNode3d {
        let count = 3 * self.triangles.len();
        let (mut corners, mut normals) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut places = Vec::with_capacity(count);
        for (number, triangle) in self.triangles.iter().enumerate() {
            let face = triangle.map(|corner| self.corners[corner as usize]);
            let normal = (face[1] - face[0]).cross(face[2] - face[0]).normalize_or(Vec3::Y);
            for corner in face {
                corners.push(corner);
                normals.push(normal);
                places.push(match cover {
                    Cover::Tiles(size) => across(corner, normal) / size,
                    Cover::Palette(colors) => {
                        let color = self.colors.get(number).copied().unwrap_or(0);
                        Vec2::new((color as f32 + 0.5) / colors as f32, 0.5)
                    }
                });
            }
        }
        let faces =
            (0..self.triangles.len() as u32).map(|face| [3 * face, 3 * face + 1, 3 * face + 2]);
        let mesh = GpuMesh3d::new(corners, faces.collect(), Some(normals), Some(places), false);
        parent.add_mesh(Rc::new(RefCell::new(mesh)), Vec3::ONE)
    }
}

/// Triangles of a side view, which runs clockwise with along to the right, in the same order: ears
/// are cut off until a triangle is left.
fn ears(view: &[[f32; 2]]) -> Vec<[[f32; 2]; 3]> {
    let mut rest = view.to_vec();
    let mut triangles = Vec::with_capacity(view.len());
    while 3 < rest.len() {
        let count = rest.len();
        let corners = |index: usize| {
            [rest[(index + count - 1) % count], rest[index], rest[(index + 1) % count]]
        };
        let is_ear = |index: &usize| {
            let triangle = corners(*index);
            area(triangle) < 0.0 && !rest.iter().any(|&point| is_within(triangle, point))
        };
        // A view that crosses itself has no ear in the end: what is left of it is cut anyhow.
        let ear = (0..count).find(is_ear).unwrap_or(0);
        triangles.push(corners(ear));
        rest.remove(ear);
    }
    if let &[a, b, c] = rest.as_slice() {
        triangles.push([a, b, c]);
    }
    triangles
}

/// Twice the area of a triangle, positive if it runs counterclockwise.
fn area([a, b, c]: [[f32; 2]; 3]) -> f32 {
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}

/// Whether a point is inside of a triangle that runs clockwise, and none of its corners.
fn is_within([a, b, c]: [[f32; 2]; 3], point: [f32; 2]) -> bool {
    [a, b, c].iter().all(|corner| *corner != point)
        && [[a, b, point], [b, c, point], [c, a, point]].into_iter().all(|part| area(part) <= 0.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_are_closed_and_seen_from_outside() {
        let cuboid = Mesh::cuboid(Vec3::new(1.0, 2.0, 3.0), Vec3::splat(5.0));
        assert!((cuboid.volume() - 48.0).abs() < 1e-3, "{}", cuboid.volume());
        let cylinder = Mesh::cylinder(2.0, [0.5; 2], 64);
        let exact = 4.0 * std::f32::consts::PI * 0.25;
        assert!((cylinder.volume() / exact - 1.0).abs() < 0.01, "{}", cylinder.volume());
        let wheel = cylinder.clone().on_side();
        assert!((wheel.volume() - cylinder.volume()).abs() < 1e-4, "{}", wheel.volume());
        let most = wheel.corners.iter().fold(Vec3::ZERO, |most, corner| most.max(corner.abs()));
        assert!((most - Vec3::new(2.0, 0.5, 0.5)).length() < 1e-3, "{most}");
        let rod = Mesh::rod([Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 4.0, 3.0)], 0.5);
        let exact = std::f32::consts::PI * (0.25 * 2.0 + 4.0 / 3.0 * 0.125);
        assert!((rod.volume() / exact - 1.0).abs() < 0.1, "{} of {exact}", rod.volume());
        let both = cuboid.clone().with(&cylinder);
        assert!((both.volume() - 48.0 - cylinder.volume()).abs() < 1e-3);
        let both = cuboid.painted(1).with(&cylinder.painted(2));
        assert_eq!(both.colors.len(), both.triangles.len());
        assert_eq!((both.colors[0], both.colors.last()), (1, Some(&2)));
    }

    #[test]
    fn side_views_with_notches_are_filled_without_their_notches() {
        // A block of 4 m by 2 m with an arch of 1 m by 1 m in its lower edge.
        let view = [
            [-2.0, 0.0],
            [-2.0, 2.0],
            [2.0, 2.0],
            [2.0, 0.0],
            [0.5, 0.0],
            [0.5, 1.0],
            [-0.5, 1.0],
            [-0.5, 0.0],
        ];
        let mesh = Mesh::profile(&view, 3.0, [0.5, 0.5]);
        assert!((mesh.volume() - 7.0).abs() < 1e-4, "{}", mesh.volume());
        let narrow = Mesh::profile(&view[..4], 0.0, [1.0, 0.0]);
        assert!((narrow.volume() - 8.0).abs() < 1e-4, "{}", narrow.volume());
    }
}
