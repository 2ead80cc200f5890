//! What is on the ground of a world, for the moving view of a report.

use playground::worlds::{Part, PartShape, Surface, World};
use rapier3d::prelude::*;
use vehicle_rapier::core::math::{TAU, sin_cos};

use crate::report::GroundMark;

/// Largest size of what is drawn (m): the ground itself is larger.
const LARGEST: Real = 150.0;
/// Corners of what is round.
const CORNERS: usize = 16;

/// Outlines of cones, boxes, kerbs, slopes and paint of `world`, as they are.
pub(super) fn ground_marks(world: &World) -> Vec<GroundMark> {
    let marks = world.parts.iter().filter_map(|part| mark(part, &world.physics.bodies));
    marks.collect()
}

fn mark(part: &Part, bodies: &RigidBodySet) -> Option<GroundMark> {
    let place = match part.body {
        Some(body) => *bodies.get(body)?.position() * part.pose,
        None => part.pose,
    };
    let corners: Vec<Vector> = match &part.shape {
        PartShape::Cuboid(half) => {
            let corner = |[x, z]: [Real; 2]| Vector::new(x * half.x, half.y, z * half.z);
            [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]].map(corner).into()
        }
        PartShape::Cylinder { half_height, radius } => {
            let is_lying = (place.rotation * Vector::Y).y.abs() < 0.5;
            if is_lying {
                let corner = |[y, z]: [Real; 2]| Vector::new(0.0, y * half_height, z * radius);
                [[-1.0, -0.4], [-1.0, 0.4], [1.0, 0.4], [1.0, -0.4]].map(corner).into()
            } else {
                let corner = |number: usize| {
                    let (sine, cosine) = sin_cos(TAU * number as Real / CORNERS as Real);
                    Vector::new(radius * sine, *half_height, radius * cosine)
                };
                (0..CORNERS).map(corner).collect()
            }
        }
        PartShape::Mesh { corners, .. } => around(corners),
    };
    let corners: Vec<_> = corners.into_iter().map(|corner| place.transform_point(corner)).collect();
    let reach = |axis: Vector| {
        let along = corners.iter().map(|corner| corner.dot(axis));
        let [low, high] = along
            .fold([Real::MAX, Real::MIN], |[low, high], value| [low.min(value), high.max(value)]);
        high - low
    };
    if LARGEST < reach(Vector::X).max(reach(Vector::Z)) {
        return None;
    }
    let outline = corners.iter().map(|corner| [corner.x, corner.z].map(f64::from)).collect();
    Some(GroundMark { color: color(part.surface), outline })
}

/// The corners of the box around a mesh, at its top.
fn around(corners: &[Vector]) -> Vec<Vector> {
    let bounds = Aabb::from_points(corners.iter().copied());
    let (low, high) = (bounds.mins, bounds.maxs);
    let corner = |[x, z]: [Real; 2]| Vector::new(x, high.y, z);
    [[low.x, low.z], [low.x, high.z], [high.x, high.z], [high.x, low.z]].map(corner).into()
}

fn color(surface: Surface) -> u32 {
    match surface {
        Surface::Cone => 0xff_6a_1f,
        Surface::Wood => 0xa8_78_48,
        Surface::Kerb => 0xb9_b4_aa,
        Surface::Ice => 0x9f_d3_ee,
        Surface::Wet => 0x5f_86_a8,
        Surface::Sand => 0xb4_9a_6b,
        Surface::Grass => 0x7f_a0_62,
        _ => 0x9b_9a_94,
    }
}
