//! Grounds of manoeuvres: planes of one friction or two, slopes, rough roads.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::core::road_geometry::{self, RoughProfile};

use super::posts::on_posts;
use super::scenario::{Ground, Pedals, Phase, Roughness};
use crate::measurements::{Extent, ProvingGround, Setting};
use crate::scenes::strip;

/// Half of the size of the plates of a ground of two frictions, and of their thickness (m).
const PLATE: [Real; 2] = [4_000.0, 10.0];
/// Half of the width of a rough road (m), the distance of its points, its least and its largest
/// length, and the length over which it begins (m).
const HALF_WIDTH: Real = 10.0;
const SPACING: Real = 0.1;
const ROUGH: [f64; 2] = [600.0, 6_000.0];
const FADE: Real = 20.0;
/// Room between the wheels of a vehicle and the end of its road (m).
const MARGIN: Real = 5.0;
/// How often a speed that is asked for is looked at (s).
const LOOK: f64 = 0.1;

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
    let mut placed = ProvingGround::with_road(name, &setting, turn, plates)?;
    let end = half_size * (ground.slope as Real).cos() - length(&placed);
    placed.extent = Some(Extent { aside: half_size - length(&placed), along: [-end, end] });
    Ok(placed)
}

/// Room that the vehicle on `ground` takes on all sides of its center of mass (m).
fn length(ground: &ProvingGround) -> Real {
    0.5 * ground.wheel_base() + MARGIN
}

/// The longest way that a driver asks for from this `speed` on (m/s), as far as it is known (m).
fn longest_way(phases: &[Phase], mut speed: f64) -> f64 {
    let mut way = 0.0;
    for phase in phases {
        let time = phase.until.time;
        if let Pedals::Speed(signal) = &phase.pedals {
            let looks = 0..=(time / LOOK).ceil() as usize;
            speed = looks.map(|look| signal.at(LOOK * look as f64)).fold(speed, f64::max);
        }
        way += phase.until.distance.unwrap_or(f64::INFINITY).min(time * speed);
    }
    way
}

/// Lays a rough road over the level ground ahead of the vehicle, which has this `speed` (m/s). The
/// road is as long as the way that is asked for in the `phases`, within bounds.
pub(super) fn roughen(
    ground: &mut ProvingGround,
    roughness: &Roughness,
    friction: f64,
    (phases, speed): (&[Phase], f64),
) -> Result<()> {
    let reach = length(ground);
    let begin = ground.motion().position.z + reach;
    let [least, largest] = ROUGH;
    // Twice the room: that before the road, and that before its end.
    let way = longest_way(phases, speed) + 2.0 * f64::from(reach);
    let heights = heights(roughness, way.clamp(least, largest));
    let profile: Vec<[Real; 2]> = heights
        .iter()
        .enumerate()
        .map(|(index, height)| [begin + SPACING * index as Real, *height])
        .collect();
    let road = strip(&profile, HALF_WIDTH).context("a rough road")?;
    ground.world.insert_collider(road.friction(friction as Real), None);
    ground.world.detect_collisions(&(), &());
    let end = profile.last().map_or(begin, |point| point[0]) - reach;
    let aside = HALF_WIDTH - 0.5 * track(ground);
    ground.extent = Some(Extent { aside, along: [-Real::INFINITY, end] });
    Ok(())
}

/// Distance of the outermost wheels (m).
fn track(ground: &ProvingGround) -> Real {
    let suspensions = &ground.front().mechanics().params.suspensions;
    let aside = suspensions.iter().map(|each| each.attachment.translation.x.abs());
    2.0 * aside.fold(0.0, Real::max)
}

/// Heights of a rough road of this `length` (m), none below the level ground (m).
fn heights(roughness: &Roughness, length: f64) -> Vec<Real> {
    let Roughness { density, seed } = *roughness;
    let profile = RoughProfile::new(&road_geometry::Roughness { density: density as Real, seed });
    let height = |index: usize| profile.height(SPACING * index as Real);
    let heights: Vec<Real> = (0..(length as Real / SPACING) as usize).map(height).collect();
    let lowest = heights.iter().copied().fold(Real::INFINITY, Real::min);
    let faded = |(index, height): (usize, &Real)| {
        let share = (SPACING * index as Real / FADE).min(1.0);
        (height - lowest) * share * share * (3.0 - 2.0 * share)
    };
    heights.iter().enumerate().map(faded).collect()
}
