//! Grounds of manoeuvres: planes of one friction or two, slopes, rough roads.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::core::road_geometry::{self, RoughProfile};

use super::posts::on_posts;
use super::scenario::{Ground, Roughness};
use crate::measurements::{ProvingGround, Setting};
use crate::scenes::strip;

/// Half of the size of the plates of a ground of two frictions, and of their thickness (m).
const PLATE: [Real; 2] = [4_000.0, 10.0];
/// Half of the width of a rough road (m), the distance of its points, its length, and the length
/// over which it begins (m).
const HALF_WIDTH: Real = 10.0;
const SPACING: Real = 0.1;
const ROUGH: Real = 600.0;
const FADE: Real = 20.0;

/// The vehicle of `name` at rest on `ground`, with its brakes on.
pub(super) fn on_ground(name: &str, setting: &Setting, ground: &Ground) -> Result<ProvingGround> {
    if let Some(posts) = &ground.posts {
        return on_posts(name, setting, ground, posts);
    }
    let turn = Rotation::from_rotation_x(-ground.slope as Real);
    let setting = Setting { friction: ground.friction as Real, ..*setting };
    let Some(left) = ground.left_friction else {
        return ProvingGround::with_plane(name, &setting, turn);
    };
    let [half_size, half_thickness] = PLATE;
    let plate = |side: Real, friction: Real| {
        let middle = turn * Vector::new(side * half_size, -half_thickness, 0.0);
        ColliderBuilder::cuboid(half_size, half_thickness, half_size)
            .position(Pose::from_parts(middle, turn))
            .friction(friction)
    };
    let plates = [plate(1.0, left as Real), plate(-1.0, ground.friction as Real)];
    ProvingGround::with_road(name, &setting, turn, plates)
}

/// Lays a rough road over the level ground ahead of the vehicle.
pub(super) fn roughen(
    ground: &mut ProvingGround,
    roughness: &Roughness,
    friction: f64,
) -> Result<()> {
    let reach = 0.5 * ground.wheel_base() + 5.0;
    let begin = ground.motion().position.z + reach;
    let heights = heights(roughness);
    let profile: Vec<[Real; 2]> = heights
        .iter()
        .enumerate()
        .map(|(index, height)| [begin + SPACING * index as Real, *height])
        .collect();
    let road = strip(&profile, HALF_WIDTH).context("a rough road")?;
    ground.world.insert_collider(road.friction(friction as Real), None);
    ground.world.detect_collisions(&(), &());
    Ok(())
}

/// Heights of a rough road, none below the level ground (m).
fn heights(roughness: &Roughness) -> Vec<Real> {
    let Roughness { density, seed } = *roughness;
    let profile = RoughProfile::new(&road_geometry::Roughness { density: density as Real, seed });
    let height = |index: usize| profile.height(SPACING * index as Real);
    let heights: Vec<Real> = (0..(ROUGH / SPACING) as usize).map(height).collect();
    let lowest = heights.iter().copied().fold(Real::INFINITY, Real::min);
    let faded = |(index, height): (usize, &Real)| {
        let share = (SPACING * index as Real / FADE).min(1.0);
        (height - lowest) * share * share * (3.0 - 2.0 * share)
    };
    heights.iter().enumerate().map(faded).collect()
}
