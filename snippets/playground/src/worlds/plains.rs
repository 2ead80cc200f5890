//! Plains: soft ground, and room for a crowd.

use rapier3d::prelude::*;
use vehicle_rapier::core::tire::soil::Soil;

use super::Surface;
use super::builder::{Builder, Solid};

/// A field of sandy loam: cars get through it, and dig in if they spin their wheels.
pub(super) fn build_soft(builder: &mut Builder) {
    builder.soil(Soil::SANDY_LOAM);
    builder.block([250.0, 1.0, 250.0], [0.0, -1.0, 0.0], Surface::Sand);
    for (index, x) in [-40.0_f32, -20.0, 20.0, 40.0].into_iter().enumerate() {
        let angle = 0.06 + 0.04 * index as Real;
        builder.ramp(Vector::new(x, 0.0, 40.0), 6.0, 25.0, angle, Surface::Sand);
    }
    for index in 0..8 {
        let place = Vector::new(3.0 * index as Real - 10.5, 0.4, 90.0);
        let shape = Solid::Cuboid(Vector::splat(0.4));
        builder.loose(shape, Surface::Wood, 18.0, Pose::from_translation(place));
    }
    builder.start("Field", [0.0, 0.0, -20.0], 0.0);
    builder.start("Sand slope", [40.0, 0.0, 20.0], 0.0);
}

/// A plain.
pub(super) fn build_crowd(builder: &mut Builder) {
    builder.block([600.0, 1.0, 600.0], [0.0, -1.0, 0.0], Surface::Asphalt);
    builder.start("Before the crowd", [0.0, 0.0, -200.0], 0.0);
    builder.start("Beside it", [-220.0, 0.0, 0.0], 0.0);
}
