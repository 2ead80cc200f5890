//! Grounds of manoeuvres: planes of one friction or two, slopes, rough roads.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::core::math::{TAU, cos};

use super::posts::on_posts;
use super::scenario::{Ground, Roughness};
use crate::measurements::{ProvingGround, Setting};
use crate::noise::Noise;
use crate::scenes::strip;

/// Half of the size of the plates of a ground of two frictions, and of their thickness (m).
const PLATE: [Real; 2] = [4_000.0, 10.0];
/// Half of the width of a rough road (m), the distance of its points, its length, and the length
/// over which it begins (m).
const HALF_WIDTH: Real = 10.0;
const SPACING: Real = 0.1;
const ROUGH: Real = 600.0;
const FADE: Real = 20.0;
/// Spatial frequencies of which a rough road consists (1/m), and how many there are.
const FREQUENCIES: [Real; 2] = [0.02, 2.0];
const LINES: usize = 200;
/// Spatial frequency of the density (1/m).
const REFERENCE: Real = 0.1;

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
///
/// ```text
/// h = Σ √(2 G(n_i) Δn_i) cos(2π n_i x + φ_i)
/// ```
fn heights(roughness: &Roughness) -> Vec<Real> {
    let mut random = Noise(roughness.seed);
    let [low, high] = FREQUENCIES;
    let growth = (high / low).powf(1.0 / LINES as Real);
    let mut waves = Vec::new();
    let mut edge = low;
    for _ in 0..LINES {
        let next = edge * growth;
        let frequency = edge + (next - edge) * random.next();
        let density = roughness.density as Real * (REFERENCE / frequency).powi(2);
        waves.push([(2.0 * density * (next - edge)).sqrt(), frequency, TAU * random.next()]);
        edge = next;
    }
    let height = |index: usize| {
        let place = SPACING * index as Real;
        let wave =
            |&[size, frequency, phase]: &[Real; 3]| size * cos(TAU * frequency * place + phase);
        waves.iter().map(wave).sum::<Real>()
    };
    let heights: Vec<Real> = (0..(ROUGH / SPACING) as usize).map(height).collect();
    let lowest = heights.iter().copied().fold(Real::INFINITY, Real::min);
    let faded = |(index, height): (usize, &Real)| {
        let share = (SPACING * index as Real / FADE).min(1.0);
        (height - lowest) * share * share * (3.0 - 2.0 * share)
    };
    heights.iter().enumerate().map(faded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rough_roads_are_as_rough_as_their_density() {
        // ∫ G dn = G₀ n₀² (1/n₁ - 1/n₂)
        let density = 64e-6;
        let heights = heights(&Roughness { density, seed: 3 });
        let heights = &heights[200..];
        let mean = heights.iter().sum::<Real>() / heights.len() as Real;
        let square = heights.iter().map(|height| (height - mean).powi(2)).sum::<Real>();
        let [low, high] = FREQUENCIES;
        let expected = density as Real * REFERENCE * REFERENCE * (1.0 / low - 1.0 / high);
        let ratio = (square / heights.len() as Real / expected).sqrt();
        assert!((ratio - 1.0).abs() < 0.15, "{ratio}");
    }
}
