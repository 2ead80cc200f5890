//! A course off the road, in lanes along z: kerbs, rocks, a log, ruts, a washboard, and a field of
//! 100,000 triangles.

use rapier3d::prelude::*;
use vehicle_rapier::core::math::{PI, TAU, sin_cos};
use vehicle_rapier::core::road_geometry::{RoughSurface, RoughnessClass};

use super::Surface;
use super::builder::{Builder, Solid};
use crate::Error;

/// Kerbs: their number, by how much each is higher than the one before, length and distance (m).
const KERBS: u32 = 8;
const KERB_STEP: Real = 0.05;
const KERB_LENGTH: Real = 5.0;
const KERB_DISTANCE: Real = 12.0;
/// Rocks, and the length of the lane that they lie in (m).
const ROCKS: u64 = 60;
const ROCK_LANE: Real = 40.0;
/// Radius of the log (m).
const LOG: Real = 0.18;
/// Length of ruts and of the washboard, and half of their width (m).
const LANE: Real = 48.0;
const HALF_LANE: Real = 3.0;
/// Cells of the field across and along, of this side (m).
const FIELD: [u32; 2] = [200, 250];
const FIELD_CELL: Real = 0.25;
/// Seed of the field.
const SEED: u64 = 12;

/// A lane of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Kerbs, each 5 cm higher than the one before, up to 40 cm.
    Kerbs,
    /// Rocks of 5 to 30 cm.
    Rocks,
    /// A log of 36 cm across the way.
    Log,
    /// Ruts that wind, with bumps below the left and the right wheels in turn.
    Ruts,
    /// Waves of 0.8 m, 6 cm high.
    Washboard,
    /// A rough field.
    Field,
}

impl Lane {
    /// Distance from a start to the first obstacle (m).
    pub const RUN_UP: Real = 15.0;

    /// All of them: their starts have these numbers.
    pub const ALL: [Self; 6] =
        [Self::Kerbs, Self::Rocks, Self::Log, Self::Ruts, Self::Washboard, Self::Field];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kerbs => "Kerbs",
            Self::Rocks => "Rocks",
            Self::Log => "Log",
            Self::Ruts => "Ruts",
            Self::Washboard => "Washboard",
            Self::Field => "Field",
        }
    }

    /// Way from its start over all that is in it (m).
    pub fn length(self) -> Real {
        Self::RUN_UP
            + match self {
                Self::Kerbs => KERBS as Real * KERB_DISTANCE,
                Self::Rocks => ROCK_LANE + 6.0,
                Self::Log => 12.0,
                Self::Ruts | Self::Washboard => LANE + 4.0,
                Self::Field => FIELD[1] as Real * FIELD_CELL + 4.0,
            }
    }

    /// Where its start is, to the left (m): the field is wide.
    fn place(self) -> Real {
        if self == Self::Field { 70.0 } else { 16.0 * (self as u8 as Real - 2.0) }
    }
}

/// Part of a ramp of 3 m that begins at 0 (dimensionless).
fn ramp(way: Real) -> Real {
    (way / 3.0).clamp(0.0, 1.0)
}

/// A sheet of triangles from the end of the run-up of `lane` on, of `cells` of a `size` across and
/// along (m): ramps lead onto it and off it.
fn sheet(
    builder: &mut Builder,
    lane: Lane,
    [columns, rows]: [u32; 2],
    size: [Real; 2],
    height: impl Fn([Real; 2]) -> Real,
) -> Result<(), Error> {
    let (middle, length) = (lane.place(), rows as Real * size[1]);
    let corner = |row: u32, column: u32| {
        let (x, way) = ((column as Real - 0.5 * columns as Real) * size[0], row as Real * size[1]);
        let is_inside = 0 < column && column < columns;
        let part = if is_inside { ramp(way.min(length - way)) } else { 0.0 };
        Vector::new(middle + x, part * height([x, way]), Lane::RUN_UP + way)
    };
    let row = |row| (0..=columns).map(move |column| corner(row, column));
    let corners = (0..=rows).flat_map(row).collect();
    let square = |row: u32, column: u32| {
        let a = row * (columns + 1) + column;
        let c = a + columns + 1;
        [[a, c, a + 1], [a + 1, c, c + 1]]
    };
    let squares = |row| (0..columns).flat_map(move |column| square(row, column));
    let triangles = (0..rows).flat_map(squares).collect();
    builder.mesh(corners, triangles, Surface::Sand)?;
    Ok(())
}

fn kerbs(builder: &mut Builder) {
    for index in 1..=KERBS {
        let half = 0.5 * KERB_STEP * index as Real;
        let z = Lane::RUN_UP + KERB_DISTANCE * (index - 1) as Real + 0.5 * KERB_LENGTH;
        let center = [Lane::Kerbs.place(), half, z];
        builder.block([3.5, half, 0.5 * KERB_LENGTH], center, Surface::Kerb);
    }
}

/// A number in [0, 1) for each `index`: the golden ratio's multiples are evenly spread.
fn spread(index: u64, times: u64) -> Real {
    ((index + 1) * times * 40_503 % 65_536) as Real / 65_536.0
}

fn rocks(builder: &mut Builder) {
    for index in 0..ROCKS {
        let part = |times| spread(index, times);
        let size = 0.15 + 0.25 * part(3);
        let half = Vector::new(size, 0.6 * size, 0.8 * size + 0.1 * part(5));
        let x = Lane::Rocks.place() + 5.0 * (part(1) - 0.5);
        let z = Lane::RUN_UP + ROCK_LANE * (index as Real + part(7)) / ROCKS as Real;
        let turn = Rotation::from_rotation_y(TAU * part(11))
            * Rotation::from_rotation_x(0.5 * (part(13) - 0.5))
            * Rotation::from_rotation_z(0.5 * (part(17) - 0.5));
        let place = Vector::new(x, 0.35 * part(19) * half.y - 0.1 * size, z);
        builder.fixed(Solid::Cuboid(half), Surface::Concrete, Pose::from_parts(place, turn));
    }
}

fn log(builder: &mut Builder) {
    let place = Vector::new(Lane::Log.place(), LOG, Lane::RUN_UP);
    let pose = Pose::from_parts(place, Rotation::from_rotation_z(0.5 * PI));
    let shape = Solid::Cylinder { half_height: 3.0, radius: LOG };
    builder.fixed(shape, Surface::Wood, pose);
}

/// Two ruts of a truck, 25 cm deep.
fn ruts(builder: &mut Builder) -> Result<(), Error> {
    let height = |[x, way]: [Real; 2]| {
        let wave = |length: Real| sin_cos(TAU * (way / length).fract()).0;
        let middle = 0.4 * wave(16.0);
        let beside = ((x - middle).abs() - 0.8).abs();
        let groove = (1.0 - beside / 0.45).max(0.0);
        0.33 - 0.25 * groove * (2.0 - groove) + 0.07 * wave(5.0) * x.signum()
    };
    let cell = 0.2;
    let cells = [2.0 * HALF_LANE, LANE].map(|side| (side / cell) as u32);
    sheet(builder, Lane::Ruts, cells, [cell; 2], height)
}

fn washboard(builder: &mut Builder) -> Result<(), Error> {
    let height = |[_, way]: [Real; 2]| 0.04 + 0.03 * sin_cos(TAU * (way / 0.8).fract()).0;
    let size = [0.5 * HALF_LANE, 0.1];
    let cells = [4, (LANE / size[1]) as u32];
    sheet(builder, Lane::Washboard, cells, size, height)
}

fn field(builder: &mut Builder) -> Result<(), Error> {
    let surface = RoughSurface::new(&RoughnessClass::F.road(SEED));
    let height = |place| (0.45 + surface.height(place)).max(0.01);
    sheet(builder, Lane::Field, FIELD, [FIELD_CELL; 2], height)
}

pub(super) fn build(builder: &mut Builder) -> Result<(), Error> {
    builder.block([250.0, 1.0, 250.0], [0.0, -1.0, 0.0], Surface::Sand);
    kerbs(builder);
    rocks(builder);
    log(builder);
    ruts(builder)?;
    washboard(builder)?;
    field(builder)?;
    for lane in Lane::ALL {
        builder.start(lane.name(), [lane.place(), 0.0, 0.0], 0.0);
    }
    Ok(())
}
