//! Tracks, and vehicles that are driven around them.

use std::error::Error;
use std::sync::Arc;

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::driver::{Path, PathDriver, ProfileParams};
use vehicle_rapier::prelude::*;

use crate::common::DT;

/// A closed path on level ground: straights of `length` and turns of `radius` (m), with a chicane
/// in one of the straights and one turn wider than the other.
pub(crate) fn circuit(length: Real, radius: Real) -> Vec<Vector> {
    let (mut points, wide) = (Vec::new(), 1.3 * radius);
    let straight = |points: &mut Vec<Vector>, from: [Real; 2], to: [Real; 2], aside: Real| {
        let count = (length / (0.7 * radius)).ceil().max(6.0);
        for step in 0..count as usize {
            let part = step as Real / count;
            let [x, z] = [0, 1].map(|axis| from[axis] + part * (to[axis] - from[axis]));
            let swing = (std::f32::consts::TAU * part).sin().powi(3);
            points.push(Vector::new(x + aside * swing, 0.0, z));
        }
    };
    let turn = |points: &mut Vec<Vector>, center: [Real; 2], radius: Real, begin: Real| {
        for step in 0..8 {
            let angle = begin + std::f32::consts::PI * step as Real / 8.0;
            let [x, z] = [center[0] + radius * angle.cos(), center[1] + radius * angle.sin()];
            points.push(Vector::new(x, 0.0, z));
        }
    };
    // Ahead is +z, left is +x: forward, around to the left, back, and around again.
    straight(&mut points, [0.0, 0.0], [0.0, length], 0.0);
    // From x = 0 over +z to x = 2 radius.
    let count = points.len();
    turn(&mut points, [radius, length], radius, 0.0);
    for point in &mut points[count..] {
        point.x = 2.0 * radius - point.x;
    }
    straight(&mut points, [2.0 * radius, length], [2.0 * wide, 0.0], 0.15 * radius);
    let count = points.len();
    turn(&mut points, [wide, 0.0], wide, 0.0);
    for point in &mut points[count..] {
        point.z = -point.z;
    }
    points
}

/// Height of hilly ground (m): a hill on the first straight of a circuit, and a jump on the other.
fn hilly(x: Real, z: Real) -> Real {
    let rise = |height: Real, middle: Real, half: Real| {
        let part = ((z - middle) / half).clamp(-1.0, 1.0);
        height * (0.5 * std::f32::consts::PI * part).cos().powi(2)
    };
    if x < 60.0 { rise(4.0, 130.0, 80.0) } else { rise(0.8, 100.0, 10.0) }
}

/// A world of hills, and the path through `points` over them.
pub(crate) fn over_hills(points: &[Vector]) -> Result<(PhysicsWorld, Vec<Vector>), Box<dyn Error>> {
    let (rows, columns, cell) = (261, 161, 2.0);
    let center = Vector::new(70.0, 0.0, 110.0);
    let size = Vector::new(cell * (columns - 1) as Real, 1.0, cell * (rows - 1) as Real);
    let height = |index: usize| {
        let (row, column) = (index % rows, index / rows);
        let x = center.x - 0.5 * size.x + cell * column as Real;
        hilly(x, center.z - 0.5 * size.z + cell * row as Real)
    };
    let heights = Array2::new(rows, columns, (0..rows * columns).map(height).collect());
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let ground = ColliderBuilder::heightfield(heights, size).translation(center);
    world.insert_collider(ground.friction(1.0), None);
    world.detect_collisions(&(), &());
    let flat = Path::closed(points, &Frame::Y_UP)?;
    let count = (flat.length() / 4.0) as usize;
    let places = (0..count).map(|index| {
        let [z, x] = flat.at(flat.length() * index as Real / count as Real).place;
        Vector::new(x, hilly(x, z), z)
    });
    Ok((world, places.collect()))
}

/// A vehicle and its driver on a track.
pub(crate) struct Drive {
    pub(crate) world: PhysicsWorld,
    pub(crate) train: Vec<AnyRapierVehicle>,
    pub(crate) driver: PathDriver,
    pub(crate) path: Path,
}

/// The way that a lap went.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lap {
    /// Time, and that of the profile (s).
    pub(crate) time: Real,
    pub(crate) forecast: Real,
    /// Largest offset, and its root mean square (m).
    pub(crate) offset: Real,
    pub(crate) mean_offset: Real,
    /// Fastest speed (m/s).
    pub(crate) fastest: Real,
    /// Time in the air (s).
    pub(crate) airborne: Real,
}

impl Drive {
    /// The preset `name`, with its trailer, at the beginning of the path through `points` on the
    /// ground of `world`.
    pub(crate) fn new(
        name: &str,
        mut world: PhysicsWorld,
        points: &[Vector],
        profile: &ProfileParams,
    ) -> Result<Self, Box<dyn Error>> {
        let preset = Preset::ALL.iter().find(|preset| preset.name == name).expect("a preset");
        let vehicle = AnyVehicle::preset(name)?;
        let path = Path::closed(points, &Frame::Y_UP)?;
        let start = path.at(0.0);
        let [forward, left] = start.direction;
        let up = vehicle.standing_height(9.81) + start.height + 0.02;
        let heading = Rotation::from_rotation_y(left.atan2(forward));
        let place = Vector::new(start.place[1], up, start.place[0]);
        let front = vehicle.insert(&mut world, Pose::from_parts(place, heading));
        let mut train = vec![front];
        if let Some(coupling) = preset.coupling {
            let trailer = AnyVehicle::preset(coupling.trailer)?;
            let trailer =
                train[0].insert_trailer(coupling.own, &trailer, coupling.theirs, &mut world)?;
            train.push(trailer);
        }
        let trailers: Vec<_> = train[1..].iter().collect();
        let model = Arc::new(train[0].driver_model(&trailers)?);
        let path = path.with_profile(model.figures(), profile)?;
        Ok(Self { world, train, driver: PathDriver::new(model), path })
    }

    /// One step.
    pub(crate) fn step(&mut self) -> Result<(), Box<dyn Error>> {
        let dt = self.world.integration_parameters.dt;
        let view = self.train[0].driver_view();
        let driven = self.driver.update(&self.path, &view, dt);
        self.train[0].drive_by(&driven);
        if let [front, trailer] = &mut self.train[..] {
            trailer.vehicle.commands_mut().brakes = driven.commands.brakes;
            trailer.follow(&front.vehicle, &mut self.world.bodies);
        }
        for car in &mut self.train {
            car.update(&mut self.world)?;
        }
        self.world.step();
        Ok(())
    }

    /// A lap from the next time that the line is crossed.
    pub(crate) fn lap(&mut self) -> Result<Lap, Box<dyn Error>> {
        let mut lap = Lap { forecast: self.path.lap_time(), ..Lap::default() };
        let limit = (4.0 * lap.forecast / DT) as usize + 1_200;
        let (mut count, start) = (0, self.driver.state.laps);
        for _ in 0..limit {
            self.step()?;
            let state = self.driver.state;
            if start + 2 <= state.laps {
                lap.mean_offset = (lap.mean_offset / count as Real).sqrt();
                return Ok(lap);
            }
            if start < state.laps {
                count += 1;
                lap.time += self.world.integration_parameters.dt;
                lap.offset = lap.offset.max(state.place.offset.abs());
                lap.mean_offset += state.place.offset * state.place.offset;
                let is_airborne = self.train[0].driver_view().friction == 0.0;
                lap.airborne += if is_airborne { DT } else { 0.0 };
                lap.fastest = lap.fastest.max(self.train[0].forward_speed());
            }
        }
        let place = self.driver.state.place;
        Err(format!("not around after {} laps, at {place:?}, {lap:?}", self.driver.state.laps)
            .into())
    }
}
