//! The proving ground: one lane for each thing that a vehicle must cope with.

use rapier3d::prelude::*;
use vehicle_rapier::core::math::{PI, sin_cos};

use super::builder::{Builder, Solid};
use super::mover::Motion;
use super::{Surface, oval};
use crate::Error;

/// Slopes (degrees).
const SLOPES: [Real; 6] = [5.0, 10.0, 15.0, 20.0, 25.0, 30.0];
/// Length of a slope (m).
const SLOPE_LENGTH: Real = 25.0;
/// Heights of the kerbs (m): lowered at a crossing, half, of a street.
const KERBS: [Real; 3] = [0.04, 0.08, 0.12];

pub(super) fn build(builder: &mut Builder) -> Result<(), Error> {
    builder.block([400.0, 1.0, 400.0], [0.0, -1.0, 0.0], Surface::Asphalt);
    builder.start("Open road", [0.0, 0.0, -40.0], 0.0);
    slopes(builder);
    kerbs(builder);
    stairs(builder);
    bumps(builder);
    split_friction(builder);
    skid_pad(builder);
    oval::build(builder, [0.0, -190.0])?;
    builder.start("Banked oval", [-30.0, 0.05, -239.0], 0.5 * PI);
    platforms(builder);
    loose_boxes(builder);
    slalom(builder);
    builder.start("Long straight", [200.0, 0.0, 380.0], PI);
    Ok(())
}

fn slopes(builder: &mut Builder) {
    for (index, degrees) in SLOPES.into_iter().enumerate() {
        let angle = degrees * PI / 180.0;
        let (sine, cosine) = sin_cos(angle);
        let x = -34.0 - 10.0 * index as Real;
        builder.ramp(Vector::new(x, 0.0, 60.0), 4.0, SLOPE_LENGTH, angle, Surface::Concrete);
        let (top, end) = (SLOPE_LENGTH * sine, 60.0 + SLOPE_LENGTH * cosine);
        builder.block([4.0, 0.5 * top, 6.0], [x, 0.5 * top, end + 5.99], Surface::Concrete);
        // On the slope itself, at two fifths of its length.
        let place = Vector::new(x, 0.4 * SLOPE_LENGTH * sine, 60.0 + 0.4 * SLOPE_LENGTH * cosine);
        let pose = Pose::from_parts(place, Rotation::from_rotation_x(-angle));
        builder.start_at(&format!("On {degrees} degrees"), pose, None);
    }
}

fn kerbs(builder: &mut Builder) {
    for (index, height) in KERBS.into_iter().enumerate() {
        let z = 20.0 + 20.0 * index as Real;
        builder.block([3.5, 0.5 * height, 4.0], [14.0, 0.5 * height, z], Surface::Kerb);
    }
    builder.start("Kerbs", [14.0, 0.0, -5.0], 0.0);
}

fn stairs(builder: &mut Builder) {
    let (rise, run, count) = (0.08, 0.5, 10);
    for step in 0..count {
        let height = rise * (step + 1) as Real;
        let z = 30.0 + run * step as Real;
        let depth = run * (count - step) as Real;
        let center = [28.0, height - 0.5 * rise, z + 0.5 * depth];
        builder.block([3.5, 0.5 * rise, 0.5 * depth], center, Surface::Concrete);
    }
    let (top, end) = (rise * count as Real, 30.0 + run * count as Real);
    builder.block([3.5, 0.5 * top, 4.0], [28.0, 0.5 * top, end + 4.0], Surface::Concrete);
    builder.start("Stairs", [28.0, 0.0, 5.0], 0.0);
}

/// Sleepers under the left and the right wheels in turn, then a washboard.
fn bumps(builder: &mut Builder) {
    let (radius, top) = (0.6, 0.07);
    let across = Rotation::from_rotation_z(0.5 * PI);
    let mut sleeper = |x: Real, half: Real, z: Real| {
        let pose = Pose::from_parts(Vector::new(x, top - radius, z), across);
        let shape = Solid::Cylinder { half_height: half, radius };
        builder.fixed(shape, Surface::Kerb, pose);
    };
    for index in 0..12 {
        let side = if index % 2 == 0 { 1.0 } else { -1.0 };
        sleeper(42.0 + 1.0 * side, 1.0, 20.0 + 2.5 * index as Real);
    }
    for index in 0..16 {
        sleeper(42.0, 2.2, 60.0 + 1.2 * index as Real);
    }
    builder.start("Bumps", [42.0, 0.0, -10.0], 0.0);
}

fn split_friction(builder: &mut Builder) {
    builder.painted([2.0, 60.0], [58.0, 60.0], Surface::Ice);
    builder.painted([2.0, 60.0], [54.0, 60.0], Surface::Wet);
    builder.start("Split friction", [56.0, 0.0, -30.0], 0.0);
}

fn skid_pad(builder: &mut Builder) {
    builder.painted_disc(38.0, [125.0, 60.0], Surface::Concrete);
    let pose = Pose::from_translation(Vector::new(125.0, 0.003, 60.0));
    let shape = Solid::Cylinder { half_height: 0.006, radius: 20.0 };
    builder.fixed(shape, Surface::Wet, pose);
    builder.start("Skid pad", [125.0 - 30.0, 0.01, 60.0], 0.0);
}

fn platforms(builder: &mut Builder) {
    let slab = |half: [Real; 3]| Solid::Cuboid(half.into());
    // A lift, from the ground to a deck and back.
    let lift = builder.mover(
        Pose::from_translation(Vector::new(-130.0, -0.08, 0.0)),
        Motion::Shuttle { way: Vector::Y * 3.0, period: 16.0 },
    );
    builder.part_of(lift, slab([3.5, 0.1, 5.0]), Surface::Steel, Pose::IDENTITY);
    builder.block([3.5, 0.2, 12.0], [-130.0, 2.82, 17.05], Surface::Concrete);
    builder.ramp(Vector::new(-140.0, 0.0, 3.0), 3.0, 14.33, 0.2124, Surface::Concrete);
    builder.block([8.0, 0.2, 6.0], [-135.0, 2.82, 23.0], Surface::Concrete);
    builder.start("Lift", [-130.0, 0.0, -20.0], 0.0);
    // A ferry, to and fro.
    let ferry = builder.mover(
        Pose::from_translation(Vector::new(-150.0, -0.05, -40.0)),
        Motion::Shuttle { way: Vector::X * 40.0, period: 20.0 },
    );
    builder.part_of(ferry, slab([4.0, 0.1, 6.0]), Surface::Steel, Pose::IDENTITY);
    builder.start_at("Ferry", Pose::from_translation(Vector::Y * 0.1), Some(ferry));
    let carousel = builder.mover(
        Pose::from_translation(Vector::new(-120.0, -0.05, -80.0)),
        Motion::Turn { rate: 0.35 },
    );
    let disc = Solid::Cylinder { half_height: 0.1, radius: 14.0 };
    builder.part_of(carousel, disc, Surface::Steel, Pose::IDENTITY);
    for quarter in 0..4 {
        // Marks that show how it turns.
        let turn = Rotation::from_rotation_y(0.5 * PI * quarter as Real);
        let pose = Pose::from_parts(turn * Vector::new(0.0, 0.1, 9.0), turn);
        builder.part_of(carousel, slab([0.15, 0.005, 4.5]), Surface::Kerb, pose);
    }
    let place = Pose::from_translation(Vector::new(8.0, 0.1, 0.0));
    builder.start_at("Carousel", place, Some(carousel));
}

fn loose_boxes(builder: &mut Builder) {
    let half = 0.4;
    for row in 0..5 {
        for column in 0..6 - row {
            let x = (column as Real - 0.5 * (5 - row) as Real) * 2.1 * half;
            let place = Vector::new(x, half * (2 * row + 1) as Real, 110.0);
            let shape = Solid::Cuboid(Vector::splat(half));
            builder.loose(shape, Surface::Wood, 18.0, Pose::from_translation(place));
        }
    }
    builder.start("Boxes", [0.0, 0.0, 70.0], 0.0);
}

fn slalom(builder: &mut Builder) {
    for index in 0..10 {
        let place = Vector::new(75.0, 0.25, 10.0 + 18.0 * index as Real);
        let shape = Solid::Cylinder { half_height: 0.25, radius: 0.14 };
        builder.loose(shape, Surface::Cone, 2.0, Pose::from_translation(place));
    }
    builder.start("Slalom", [75.0, 0.0, -40.0], 0.0);
}
