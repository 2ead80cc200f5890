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

    fn trace(&self) {
        use std::sync::atomic::{AtomicU32, Ordering};
        static N: AtomicU32 = AtomicU32::new(0);
        if std::env::var("TRACE").is_err() || N.fetch_add(1, Ordering::Relaxed) % 12 != 0 { return; }
        let state = self.driver.state;
        let view = self.train[0].driver_view();
        let p = self.path.at(state.place.way);
        let c = self.train[0].commands();
        eprintln!("way {:6.1} e {:5.2} v {:4.1} of {:4.1} ay {:5.2} want {:5.2} vy {:5.2} steer {:5.2} th {:.2} br {:.2} cuts {:.2} {:.2} learned {:?} u {:.4} gear {} slips {:.1} {:.1}",
            state.place.way, state.place.offset, view.speed, p.speed, view.speed*view.yaw_rate, p.curvature*view.speed*view.speed, view.lateral_speed, c.steer, c.throttle, c.brakes[0], state.feet.cuts[0], state.feet.cuts[1], state.feet.learned, state.understeer, self.train[0].displayed_gear(), view.slips[0], view.slips[1]);
    }

    /// A lap from the next time that the line is crossed.
    pub(crate) fn lap(&mut self) -> Result<Lap, Box<dyn Error>> {
        let mut lap = Lap { forecast: self.path.lap_time(), ..Lap::default() };
        let limit = (4.0 * lap.forecast / DT) as usize + 1_200;
        let (mut count, start) = (0, self.driver.state.laps);
        for _ in 0..limit {
            self.step()?;
            let state = self.driver.state;
            self.trace();
            if start + 2 <= state.laps {
                lap.mean_offset = (lap.mean_offset / count as Real).sqrt();
                return Ok(lap);
            }
            if start < state.laps {
                count += 1;
                lap.time += self.world.integration_parameters.dt;
                lap.offset = lap.offset.max(state.place.offset.abs());
                lap.mean_offset += state.place.offset * state.place.offset;
                lap.fastest = lap.fastest.max(self.train[0].forward_speed());
            }
        }
        let place = self.driver.state.place;
        Err(format!("not around after {} laps, at {place:?}, {lap:?}", self.driver.state.laps).into())
    }
}
