//! The deck of a ship that rocks, with cargo.

use rapier3d::prelude::*;
use vehicle_rapier::core::math::PI;

use super::Surface;
use super::builder::{Builder, Solid};
use super::mover::Motion;

/// Half of the width and of the length of the deck (m).
const HALF_DECK: [Real; 2] = [10.0, 32.0];

pub(super) fn build(builder: &mut Builder) {
    let swell = Motion::Swell { roll: 7.0 * PI / 180.0, pitch: 2.5 * PI / 180.0, heave: 0.8 };
    let ship = builder.mover(Pose::from_translation(Vector::Y * 6.0), swell);
    let [width, length] = HALF_DECK;
    let mut part = |half: [Real; 3], center: [Real; 3], surface| {
        let pose = Pose::from_translation(center.into());
        builder.part_of(ship, Solid::Cuboid(half.into()), surface, pose);
    };
    part([width, 0.2, length], [0.0, -0.2, 0.0], Surface::Wood);
    part([width, 2.8, length], [0.0, -3.2, 0.0], Surface::Steel);
    for side in [-1.0, 1.0] {
        part([0.2, 0.5, length], [side * (width - 0.2), 0.5, 0.0], Surface::Steel);
        part([width - 0.4, 0.5, 0.2], [0.0, 0.5, side * (length - 0.2)], Surface::Steel);
    }
    part([4.0, 3.0, 3.0], [0.0, 3.0, -26.0], Surface::Concrete);
    for (column, row) in (0..3).flat_map(|column| (0..2).map(move |row| (column, row))) {
        let place = Vector::new(3.0 * (column as Real - 1.0), 6.4 + 0.8 * row as Real, 18.0);
        let shape = Solid::Cuboid(Vector::new(0.6, 0.4, 0.6));
        builder.loose(shape, Surface::Wood, 45.0, Pose::from_translation(place));
    }
    builder.start_at("Deck", Pose::from_translation(Vector::new(0.0, 0.0, -12.0)), Some(ship));
    let athwart =
        Pose::from_parts(Vector::new(-6.0, 0.0, 4.0), Rotation::from_rotation_y(0.5 * PI));
    builder.start_at("Athwart", athwart, Some(ship));
}
