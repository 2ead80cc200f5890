//! Meshes with flat faces: boxes, cylinders, side views pulled across.

use rapier3d::prelude::{Pose, Real, Vector};

/// Sides of a rod, and rings of each of its ends.
const ROD_SIDES: u32 = 12;
const ROD_RINGS: u32 = 4;

/// Corners and triangles, counterclockwise as seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    corners: Vec<Vector>,
    triangles: Vec<[u32; 3]>,
    /// The color of each triangle, by its number in a palette; missing ones are 0.
    colors: Vec<usize>,
}

/// A triangle of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Its corners (m), counterclockwise as seen from outside.
    pub corners: [Vector; 3],
    /// The way out (unit vector).
    pub normal: Vector,
    /// The number of its color in a palette.
    pub color: usize,
}

impl Mesh {
    /// A mesh of these corners (m) and triangles.
    pub fn new(corners: Vec<Vector>, triangles: Vec<[u32; 3]>) -> Self {
        Self { corners, triangles, colors: Vec::new() }
    }

    /// This mesh in the color of this number.
    pub fn painted(mut self, color: usize) -> Self {
        self.colors = vec![color; self.triangles.len()];
        self
    }

    /// A side view of `[along, up]` (m), clockwise with along to the right, pulled across to both
    /// sides of `across`. Its lowest corner is pulled by the first `half_width`, its highest by the
    /// second.
    pub fn profile(view: &[[Real; 2]], across: Real, half_width: [Real; 2]) -> Self {
        let heights = view.iter().map(|point| point[1]);
        let [low, high] =
            heights.fold([Real::MAX, Real::MIN], |[low, high], up| [low.min(up), high.max(up)]);
        let at = |[along, up]: [Real; 2], side: Real| {
            let share = (up - low) / (high - low).max(1e-6);
            let half = half_width[0] + (half_width[1] - half_width[0]) * share;
            Vector::new(across + side * half, up, along)
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
    pub fn rod([from, to]: [Vector; 2], radius: Real) -> Self {
        let way = (to - from).normalize_or(Vector::Y);
        let (aside, beside) = way.any_orthonormal_pair();
        // Rings from one end to the other: their places along and their radii.
        let quarter =
            |ring: u32| (std::f32::consts::FRAC_PI_2 * ring as Real / ROD_RINGS as Real).sin_cos();
        let ring =
            |end: Vector, (along, out): (Real, Real)| (end + way * (along * radius), out * radius);
        let below = (0..=ROD_RINGS).rev().map(|number| {
            let (sine, cosine) = quarter(number);
            ring(from, (-sine, cosine))
        });
        let above = (0..=ROD_RINGS).map(|number| ring(to, quarter(number)));
        let rings: Vec<_> = below.chain(above).collect();
        let mut mesh = Self::default();
        for pair in rings.windows(2) {
            let corner = |(center, out): (Vector, Real), side: u32| {
                let (sine, cosine) =
                    (std::f32::consts::TAU * side as Real / ROD_SIDES as Real).sin_cos();
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
    pub fn cuboid(half: Vector, center: Vector) -> Self {
        let side = [[-half.z, -half.y], [-half.z, half.y], [half.z, half.y], [half.z, -half.y]];
        Self::profile(&side, 0.0, [half.x; 2]).at(&Pose::from_translation(center))
    }

    /// A cylinder along y, whose top may have another radius (m).
    pub fn cylinder(half_height: Real, [bottom, top]: [Real; 2], sides: u32) -> Self {
        let mut mesh = Self::default();
        let at = |side: u32, radius: Real, height: Real| {
            let (sine, cosine) = (std::f32::consts::TAU * side as Real / sides as Real).sin_cos();
            Vector::new(radius * cosine, height, radius * sine)
        };
        for side in 0..sides {
            let [low, next_low] = [side, side + 1].map(|side| at(side, bottom, -half_height));
            let [high, next_high] = [side, side + 1].map(|side| at(side, top, half_height));
            mesh.triangle([low, high, next_high]);
            mesh.triangle([low, next_high, next_low]);
            mesh.triangle([Vector::Y * half_height, next_high, high]);
            mesh.triangle([-Vector::Y * half_height, low, next_low]);
        }
        mesh
    }

    fn triangle(&mut self, corners: [Vector; 3]) {
        let first = self.corners.len() as u32;
        self.corners.extend(corners);
        self.triangles.push([first, first + 1, first + 2]);
    }

    /// This mesh, moved from the origin to `pose` (m).
    pub fn at(mut self, pose: &Pose) -> Self {
        self.corners.iter_mut().for_each(|corner| *corner = pose.transform_point(*corner));
        self
    }

    /// This mesh with y turned into x: a cylinder becomes a wheel.
    pub fn on_side(mut self) -> Self {
        for corner in &mut self.corners {
            *corner = Vector::new(corner.y, corner.z, corner.x);
        }
        self
    }

    /// Whether it has no triangle.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Both as one.
    pub fn with(mut self, other: &Self) -> Self {
        let first = self.corners.len() as u32;
        self.colors.resize(self.triangles.len(), 0);
        self.colors.extend(&other.colors);
        self.corners.extend(&other.corners);
        let shifted = other.triangles.iter().map(|triangle| triangle.map(|corner| corner + first));
        self.triangles.extend(shifted);
        self.colors.resize(self.triangles.len(), 0);
        self
    }

    /// Its triangles, each with corners of its own: faces are flat.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = Face> {
        self.triangles.iter().enumerate().map(|(number, triangle)| {
            let corners = triangle.map(|corner| self.corners[corner as usize]);
            let [a, b, c] = corners;
            let normal = (b - a).cross(c - a).normalize_or(Vector::Y);
            Face { corners, normal, color: self.colors.get(number).copied().unwrap_or(0) }
        })
    }

    /// The volume that the triangles enclose (m³), positive if they are seen from outside.
    #[cfg(test)]
    fn volume(&self) -> Real {
        self.faces().map(|Face { corners: [a, b, c], .. }| a.dot(b.cross(c)) / 6.0).sum()
    }
}

/// Triangles of a side view, which runs clockwise with along to the right, in the same order: ears
/// are cut off until a triangle is left.
fn ears(view: &[[Real; 2]]) -> Vec<[[Real; 2]; 3]> {
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
fn area([a, b, c]: [[Real; 2]; 3]) -> Real {
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}

/// Whether a point is inside of a triangle that runs clockwise, and none of its corners.
fn is_within([a, b, c]: [[Real; 2]; 3], point: [Real; 2]) -> bool {
    [a, b, c].iter().all(|corner| *corner != point)
        && [[a, b, point], [b, c, point], [c, a, point]].into_iter().all(|part| area(part) <= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_are_closed_and_seen_from_outside() {
        let cuboid = Mesh::cuboid(Vector::new(1.0, 2.0, 3.0), Vector::splat(5.0));
        assert!((cuboid.volume() - 48.0).abs() < 1e-3, "{}", cuboid.volume());
        let cylinder = Mesh::cylinder(2.0, [0.5; 2], 64);
        let exact = 4.0 * std::f32::consts::PI * 0.25;
        assert!((cylinder.volume() / exact - 1.0).abs() < 0.01, "{}", cylinder.volume());
        let wheel = cylinder.clone().on_side();
        assert!((wheel.volume() - cylinder.volume()).abs() < 1e-4, "{}", wheel.volume());
        let most = wheel.corners.iter().fold(Vector::ZERO, |most, corner| most.max(corner.abs()));
        assert!((most - Vector::new(2.0, 0.5, 0.5)).length() < 1e-3, "{most}");
        let rod = Mesh::rod([Vector::new(1.0, 2.0, 3.0), Vector::new(1.0, 4.0, 3.0)], 0.5);
        let exact = std::f32::consts::PI * (0.25 * 2.0 + 4.0 / 3.0 * 0.125);
        assert!((rod.volume() / exact - 1.0).abs() < 0.1, "{} of {exact}", rod.volume());
        let both = cuboid.clone().with(&cylinder);
        assert!((both.volume() - 48.0 - cylinder.volume()).abs() < 1e-3);
        let both = cuboid.painted(1).with(&cylinder.clone().painted(2));
        assert_eq!(both.colors.len(), both.triangles.len());
        assert_eq!((both.colors[0], both.colors.last()), (1, Some(&2)));
        for Face { corners: [a, ..], normal, .. } in cylinder.faces() {
            assert!((normal.length() - 1.0).abs() < 1e-5 && 0.0 < normal.dot(a), "{normal} at {a}");
        }
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
