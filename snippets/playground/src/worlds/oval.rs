//! A banked oval: a smooth road of triangles.

use rapier3d::prelude::*;
use vehicle_rapier::core::math::{PI, sin_cos};

use super::Surface;
use super::builder::Builder;
use crate::Error;

/// Half of the length of a straight (m).
const HALF_STRAIGHT: Real = 80.0;
/// Radius of the inner edge of the turns (m).
const RADIUS: Real = 42.0;
/// Width of the road (m).
const WIDTH: Real = 14.0;
/// Bank of the turns at the outer edge (rad).
const BANK: Real = 26.0 * PI / 180.0;
/// Length over which the bank grows at the ends of the straights (m).
const RUN_OUT: Real = 50.0;
/// Cells across the road.
const LANES: usize = 7;
/// Distance of two cross sections (m).
const PIECE: Real = 3.0;

/// A point of the inner edge and the direction outward from there, both in the plane (m).
fn inner_edge(way: Real) -> ([Real; 2], [Real; 2]) {
    let (straight, turn) = (2.0 * HALF_STRAIGHT, PI * RADIUS);
    let half_lap = straight + turn;
    // The second half is the first one, turned by half a turn.
    let (along, sign) = if way < half_lap { (way, 1.0) } else { (way - half_lap, -1.0) };
    let (point, outward) = if along < straight {
        ([along - HALF_STRAIGHT, -RADIUS], [0.0, -1.0])
    } else {
        let (sine, cosine) = sin_cos((along - straight) / RADIUS);
        ([HALF_STRAIGHT + RADIUS * sine, -RADIUS * cosine], [sine, -cosine])
    };
    (point.map(|value| value * sign), outward.map(|value| value * sign))
}

/// How much of the bank there is: all in the turns, none in the middle of the straights.
fn share_of_bank(way: Real) -> Real {
    let (straight, half_lap) = (2.0 * HALF_STRAIGHT, 2.0 * HALF_STRAIGHT + PI * RADIUS);
    let along = if way < half_lap { way } else { way - half_lap };
    if straight <= along {
        return 1.0;
    }
    let to_turn = along.min(straight - along);
    let rest = (1.0 - to_turn / RUN_OUT).max(0.0);
    rest * rest * (3.0 - 2.0 * rest)
}

pub(super) fn build(builder: &mut Builder, center: [Real; 2]) -> Result<(), Error> {
    let lap = 2.0 * (2.0 * HALF_STRAIGHT + PI * RADIUS);
    let count = (lap / PIECE) as usize;
    let mut corners = Vec::with_capacity(count * (LANES + 1));
    for section in 0..count {
        let way = lap * section as Real / count as Real;
        let ([x, z], [out_x, out_z]) = inner_edge(way);
        let share = share_of_bank(way);
        for lane in 0..=LANES {
            // The road is a bowl: the farther out, the steeper.
            let across = lane as Real / LANES as Real;
            let height = 0.02 + 0.5 * (BANK * share) * WIDTH * across * across;
            let out = WIDTH * across;
            corners.push(Vector::new(
                center[0] + x + out * out_x,
                height,
                center[1] + z + out * out_z,
            ));
        }
    }
    let row = (LANES + 1) as u32;
    let mut triangles = Vec::new();
    for section in 0..count as u32 {
        let (near, far) = (section * row, (section + 1) % count as u32 * row);
        for lane in 0..LANES as u32 {
            let [a, b, c, d] = [near + lane, near + lane + 1, far + lane, far + lane + 1];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
    }
    let upward = {
        let [a, b, c] = triangles[0].map(|corner| corners[corner as usize]);
        0.0 < (b - a).cross(c - a).y
    };
    if !upward {
        for triangle in &mut triangles {
            triangle.swap(1, 2);
        }
    }
    builder.smooth_mesh(corners, triangles, Surface::Concrete)
}
