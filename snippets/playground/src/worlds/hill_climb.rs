//! A hill climb: a road of triangles up a valley, in bends.

use rapier3d::prelude::*;
use vehicle_rapier::core::math::{TAU, sin_cos};

use super::Surface;
use super::builder::Builder;
use crate::Error;

/// Length of the valley (m).
const LENGTH: Real = 620.0;
/// Half of the width of what is there (m).
const HALF_WIDTH: Real = 70.0;
/// Distance of two corners along the road (m).
const PIECE: Real = 2.5;
/// Half of the width of the road (m).
const HALF_ROAD: Real = 4.5;
/// Where corners are beside the middle of the road (m), finer near it.
const ACROSS: [Real; 13] = [
    -70.0, -45.0, -28.0, -16.0, -9.0, -HALF_ROAD, 0.0, HALF_ROAD, 9.0, 16.0, 28.0, 45.0, HALF_WIDTH,
];

/// How far the road is to the left of the valley's axis (m).
fn bend(z: Real) -> Real {
    let wave = |length: Real| sin_cos(TAU * (z / length).fract()).0;
    let begin = (z / 60.0).clamp(0.0, 1.0);
    begin * (16.0 * wave(190.0) + 7.0 * wave(83.0))
}

/// Height of the road (m): 8 % at first, up to 25 % in the upper part, level at both ends.
fn height(z: Real) -> Real {
    let grade =
        [(0.0, 0.0), (40.0, 0.0), (90.0, 0.08), (240.0, 0.12), (330.0, 0.05), (420.0, 0.25)];
    let rest = [(500.0, 0.25), (560.0, 0.0), (LENGTH, 0.0)];
    let mut sum = 0.0;
    let mut last: (Real, Real) = grade[0];
    for &(end, slope) in grade.iter().chain(&rest).skip(1) {
        let length = end - last.0;
        let reached = (z - last.0).clamp(0.0, length);
        let share = reached / length;
        sum += reached * (last.1 + 0.5 * share * (slope - last.1));
        last = (end, slope);
    }
    sum
}

/// Height of the sides above the road at `offset` from its middle (m).
fn side(z: Real, offset: Real) -> Real {
    let beyond = (offset.abs() - HALF_ROAD).max(0.0);
    let wave = sin_cos(TAU * (z / 47.0 + offset / 61.0).fract()).0;
    0.02 * beyond * beyond * (1.0 - 0.5 * beyond / HALF_WIDTH) + 0.02 * beyond * wave
}

pub(super) fn build(builder: &mut Builder) -> Result<(), Error> {
    let sections = (LENGTH / PIECE) as usize;
    let z_of = |section: usize| section as Real * PIECE - 30.0;
    let strip = |lanes: &[Real]| {
        let mut corners = Vec::new();
        for section in 0..=sections {
            let z = z_of(section);
            for &offset in lanes {
                let x = bend(z.max(0.0)) + offset;
                corners.push(Vector::new(x, height(z) + side(z.max(0.0), offset), z));
            }
        }
        let row = lanes.len() as u32;
        let mut triangles = Vec::new();
        for section in 0..sections as u32 {
            for lane in 0..row - 1 {
                let a = section * row + lane;
                let [b, c, d] = [a + 1, a + row, a + row + 1];
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
        (corners, triangles)
    };
    let middle = ACROSS.len() / 2;
    let parts = [
        (&ACROSS[..middle], Surface::Grass),
        (&ACROSS[middle - 1..=middle + 1], Surface::Asphalt),
        (&ACROSS[middle + 1..], Surface::Grass),
    ];
    for (lanes, surface) in parts {
        let (corners, triangles) = strip(lanes);
        builder.smooth_mesh(corners, triangles, surface)?;
    }
    builder.start("Foot of the hill", [0.0, 0.0, -10.0], 0.0);
    for (name, z) in [("Half way", 250.0), ("The steep part", 400.0)] {
        let ahead = [bend(z + 2.0) - bend(z), height(z + 2.0) - height(z)];
        let place = Vector::new(bend(z), height(z) + 0.05, z);
        let forward = Vector::new(ahead[0], ahead[1], 2.0).normalize();
        let pose = Pose::from_parts(place, Rotation::from_rotation_arc(Vector::Z, forward));
        builder.start_at(name, pose, None);
    }
    Ok(())
}
