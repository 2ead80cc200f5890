//! A small circuit: a closed road on grass, with kerbs in its bends, a guard rail around it, and
//! the gates of a lap.

use rapier3d::prelude::*;

use super::Surface;
use super::builder::{Builder, Solid};
use crate::Error;
use crate::laps::Gate;

/// Corners of the polygon whose cubic B-spline is the middle of the road: to the left and ahead
/// (m).
const CORNERS: [[Real; 2]; 18] = [
    [-60.0, -25.0],
    [-60.0, 20.0],
    [-60.0, 62.0],
    [-36.0, 98.0],
    [6.0, 100.0],
    [40.0, 84.0],
    [44.0, 46.0],
    [14.0, 24.0],
    [2.0, -8.0],
    [26.0, -30.0],
    [66.0, -24.0],
    [98.0, -44.0],
    [92.0, -88.0],
    [52.0, -106.0],
    [10.0, -96.0],
    [-24.0, -105.0],
    [-54.0, -98.0],
    [-64.0, -66.0],
];
/// Cross sections from one corner to the next.
const SECTIONS: usize = 20;
/// Half of the width of the road up to its lines, and with them (m).
const HALF_ROAD: [Real; 2] = [5.0, 5.15];
/// Height of the road above the grass, and depth of its edges in the ground (m).
const HEIGHT: Real = 0.05;
const DEPTH: Real = -0.05;
/// Radius of bends that have kerbs (m).
const KERBED: Real = 45.0;
/// A kerb from the road outward: distance from the middle of the road, and height (m).
const KERB: [[Real; 2]; 4] = [[HALF_ROAD[1], HEIGHT], [5.45, 0.085], [6.05, 0.075], [6.5, DEPTH]];
/// Half of the width of a gate (m): the road, its kerbs, and some grass.
const HALF_GATE: Real = 8.0;
/// Distance of the guard rail from the middle of the road, its thickness and its height (m).
const RAIL: [Real; 3] = [13.0, 0.4, 0.8];
/// Half of the side of a field of the line, and how far it lies above the road (m).
const FIELD: Real = 0.5;
const PAINT: Real = 0.012;
/// Where cars wait before the line (m).
const GRID: Real = 12.0;

/// A place in the middle of the road, in the plane.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Where it is (m).
    point: [Real; 2],
    /// Forward (unit vector).
    forward: [Real; 2],
    /// Curvature, positive to the left (1/m).
    curvature: Real,
}

impl Place {
    /// The place that is so many cross sections after the line.
    ///
    /// ```text
    /// p(u) = Σ b_i(u) p_i,   κ = p' × p''/|p'|³
    /// ```
    fn at(section: usize) -> Self {
        let (corner, part) = (section / SECTIONS, section % SECTIONS);
        let u = part as Real / SECTIONS as Real;
        let v = 1.0 - u;
        let mixed = |weights: [Real; 4]| {
            let mut sum = [0.0; 2];
            for (index, weight) in weights.into_iter().enumerate() {
                let near = CORNERS[(corner + index + CORNERS.len() - 1) % CORNERS.len()];
                sum = [sum[0] + weight * near[0], sum[1] + weight * near[1]];
            }
            sum
        };
        let middle = |u: Real| ((3.0 * u - 6.0) * u * u + 4.0) / 6.0;
        let point = mixed([v * v * v / 6.0, middle(u), middle(v), u * u * u / 6.0]);
        let slope = |u: Real| 0.5 * (3.0 * u - 4.0) * u;
        let [x, z] = mixed([-0.5 * v * v, slope(u), -slope(v), 0.5 * u * u]);
        let [bent_x, bent_z] = mixed([v, 3.0 * u - 2.0, 3.0 * v - 2.0, u]);
        let speed = (x * x + z * z).sqrt();
        let curvature = (z * bent_x - x * bent_z) / (speed * speed * speed);
        Self { point, forward: [x / speed, z / speed], curvature }
    }

    /// The point that is `left` of it and so high (m).
    fn beside(&self, left: Real, height: Real) -> Vector {
        let ([x, z], [ahead_x, ahead_z]) = (self.point, self.forward);
        Vector::new(x + left * ahead_z, height, z - left * ahead_x)
    }

    fn ahead(&self, way: Real, left: Real, height: Real) -> Vector {
        let [x, z] = self.forward;
        self.beside(left, height) + Vector::new(x, 0.0, z) * way
    }

    fn rotation(&self) -> Rotation {
        let [x, z] = self.forward;
        Rotation::from_rotation_arc(Vector::Z, Vector::new(x, 0.0, z))
    }
}

/// A sheet of triangles that looks up, where its lanes go from the right to the left.
#[derive(Default)]
struct Sheet {
    corners: Vec<Vector>,
    triangles: Vec<[u32; 3]>,
}

impl Sheet {
    /// Adds the strip between two cross sections.
    fn add(&mut self, places: [&Place; 2], lanes: &[[Real; 2]]) {
        let (first, row) = (self.corners.len() as u32, lanes.len() as u32);
        for place in places {
            self.corners.extend(lanes.iter().map(|&[left, height]| place.beside(left, height)));
        }
        for a in first..first + row - 1 {
            let [b, c, d] = [a + 1, a + row, a + row + 1];
            self.triangles.extend([[a, c, b], [b, c, d]]);
        }
    }

    /// A strip all around.
    fn around(places: &[Place], lanes: &[[Real; 2]]) -> Self {
        let mut sheet = Self::default();
        let (count, row) = (places.len() as u32, lanes.len() as u32);
        for place in places {
            sheet.corners.extend(lanes.iter().map(|&[left, height]| place.beside(left, height)));
        }
        for section in 0..count {
            let (near, far) = (section * row, (section + 1) % count * row);
            for lane in 0..row - 1 {
                let [a, b, c, d] = [near + lane, near + lane + 1, far + lane, far + lane + 1];
                sheet.triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
        sheet
    }
}

pub(super) fn build(builder: &mut Builder) -> Result<(), Error> {
    builder.block([150.0, 1.0, 150.0], [0.0, -1.0, 0.0], Surface::Grass);
    let count = CORNERS.len() * SECTIONS;
    let places: Vec<Place> = (0..count).map(Place::at).collect();
    road(builder, &places)?;
    kerbs(builder, &places)?;
    rail(builder, &places);
    line(builder, &places[0]);
    let gate = |place: &Place| Gate::new(place.point, place.forward, HALF_GATE);
    builder.gates(places.iter().step_by(SECTIONS).map(gate).collect());
    let start = Pose::from_parts(places[0].ahead(-GRID, 0.0, HEIGHT), places[0].rotation());
    builder.start_at("Start", start, None);
    let half = places[count / 2];
    builder.start_at("Half way", Pose::from_parts(half.beside(0.0, HEIGHT), half.rotation()), None);
    Ok(())
}

fn road(builder: &mut Builder, places: &[Place]) -> Result<(), Error> {
    let [inner, outer] = HALF_ROAD;
    let edge = outer + 0.6;
    let strips: [(&[[Real; 2]], Surface); 5] = [
        (&[[-edge, DEPTH], [-outer, HEIGHT]], Surface::Asphalt),
        (&[[-outer, HEIGHT], [-inner, HEIGHT]], Surface::White),
        (&[[-inner, HEIGHT], [0.0, HEIGHT], [inner, HEIGHT]], Surface::Asphalt),
        (&[[inner, HEIGHT], [outer, HEIGHT]], Surface::White),
        (&[[outer, HEIGHT], [edge, DEPTH]], Surface::Asphalt),
    ];
    for (lanes, surface) in strips {
        let Sheet { corners, triangles } = Sheet::around(places, lanes);
        builder.smooth_mesh(corners, triangles, surface)?;
    }
    Ok(())
}

/// Stones of two colors in turn on the inner side of bends.
fn kerbs(builder: &mut Builder, places: &[Place]) -> Result<(), Error> {
    let to_left = KERB;
    let to_right = [3, 2, 1, 0].map(|index| [-KERB[index][0], KERB[index][1]]);
    let mut sheets = [Surface::Red, Surface::White].map(|surface| (surface, Sheet::default()));
    for (section, place) in places.iter().enumerate() {
        if place.curvature.abs() * KERBED < 1.0 {
            continue;
        }
        let next = &places[(section + 1) % places.len()];
        let lanes = if 0.0 < place.curvature { to_left } else { to_right };
        sheets[section % 2].1.add([place, next], &lanes);
    }
    for (surface, Sheet { corners, triangles }) in sheets {
        builder.mesh(corners, triangles, surface)?;
    }
    Ok(())
}

/// A guard rail on the right, which is the outer side: boxes, drawn as one.
fn rail(builder: &mut Builder, places: &[Place]) {
    let [way, thickness, height] = RAIL;
    let lanes =
        [[-way - thickness, DEPTH], [-way - thickness, height], [-way, height], [-way, DEPTH]];
    let Sheet { corners, triangles } = Sheet::around(places, &lanes);
    builder.drawn_mesh(corners, triangles, Surface::Steel);
    for section in (0..places.len()).step_by(2) {
        let left = -way - 0.5 * thickness;
        let ends = [section, section + 2].map(|it| places[it % places.len()].beside(left, 0.0));
        let (middle, along) = (0.5 * (ends[0] + ends[1]), ends[1] - ends[0]);
        let turn = Rotation::from_rotation_arc(Vector::Z, along.normalize());
        let half = Vector::new(0.5 * thickness, 0.5 * height, 0.5 * along.length());
        let pose = Pose::from_parts(middle + Vector::Y * half.y, turn);
        builder.undrawn(Solid::Cuboid(half), Surface::Steel, pose);
    }
}

/// The line: two rows of fields across the road.
fn line(builder: &mut Builder, place: &Place) {
    let mut sheet = Sheet::default();
    let columns = (HALF_ROAD[0] / FIELD) as usize * 2;
    for (row, column) in (0..2).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        if (row + column) % 2 == 0 {
            let right = column as Real * FIELD - HALF_ROAD[0];
            let lanes = [right, right + FIELD].map(|left| [left, HEIGHT + PAINT]);
            let [near, far] = [row, row + 1].map(|row| Place {
                point: {
                    let point = place.ahead(FIELD * row as Real, 0.0, 0.0);
                    [point.x, point.z]
                },
                ..*place
            });
            sheet.add([&near, &far], &lanes);
        }
    }
    builder.drawn_mesh(sheet.corners, sheet.triangles, Surface::White);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_road_is_a_closed_loop_to_the_left_in_which_any_vehicle_finds_its_way() {
        let count = CORNERS.len() * SECTIONS;
        let places: Vec<Place> = (0..count).map(Place::at).collect();
        let mut turned = 0.0;
        for (section, place) in places.iter().enumerate() {
            let next = places[(section + 1) % count];
            let [x, z] = [0, 1].map(|axis| next.point[axis] - place.point[axis]);
            let way = (x * x + z * z).sqrt();
            assert!((0.5..3.0).contains(&way), "{section}: {way} m");
            let along = (x * place.forward[0] + z * place.forward[1]) / way;
            assert!(0.99 < along, "{section}: {along}");
            assert!(place.curvature.abs() < 1.0 / 18.0, "{section}: {} 1/m", place.curvature);
            turned += place.curvature * way;
        }
        let around = 2.0 * std::f32::consts::PI;
        assert!((turned / around - 1.0).abs() < 0.02, "{turned} rad");
    }
}
