//! Drivers who follow a path.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rapier3d::prelude::*;
use vehicle_rapier::core::Frame;
use vehicle_rapier::drivetrain::driver::{DriverView, Path, PathDriver};
use vehicle_rapier::vehicle_file::{AnyDriveVehicle, AnyVehicle};

use crate::aided_fleet::AIDED_PRESET;
use crate::{Errand, Fleet, RapierFleet, START_SPEED};

/// Radius of the circle that they follow (m).
const RADIUS: Real = 40.0;
/// Points of it.
const POINTS: u8 = 24;

/// Cars whose drivers follow one path, each from its own beginning.
pub struct PathDrivers {
    fleet: RapierFleet<AnyDriveVehicle>,
    path: Path,
    drivers: Vec<Seat>,
}

/// A driver, and where the path begins (m): the driver sees the place from there.
struct Seat {
    driver: PathDriver,
    origin: [Real; 2],
}

impl Seat {
    fn seen(&self, view: DriverView) -> DriverView {
        let place = [0, 1].map(|axis| view.place[axis] - self.origin[axis]);
        DriverView { place, ..view }
    }
}

impl PathDrivers {
    /// `count` cars at the beginning of the path, at its speed.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn new(count: usize) -> anyhow::Result<Self> {
        let model = AnyVehicle::preset(AIDED_PRESET)?;
        let mut fleet = RapierFleet::of_model(&model, count, Errand::Driving)?;
        let points: Vec<Vector> = (0..POINTS)
            .map(|point| {
                let angle = std::f32::consts::TAU * Real::from(point) / Real::from(POINTS);
                Frame::Y_UP.translation(RADIUS * angle.sin(), RADIUS * (1.0 - angle.cos()), 0.0)
            })
            .collect();
        let path = Path::closed(&points, &Frame::Y_UP)?.with_speed(START_SPEED)?;
        fleet.restore();
        let mut drivers = Vec::new();
        for car in fleet.cars_mut() {
            let driver = PathDriver::new(Arc::new(car.driver_model(&[])?));
            // Settled cars have driven through their bend for a while.
            let view = car.driver_view();
            let start = path.at(0.0);
            let origin = [0, 1].map(|axis| view.place[axis] - start.place[axis]);
            drivers.push(Seat { driver, origin });
        }
        Ok(Self { fleet, path, drivers })
    }

    /// Time of all drivers in `steps` steps: what they see, decide and do. The cars drive while the
    /// clock stands.
    ///
    /// # Errors
    ///
    /// If a vehicle cannot be updated.
    pub fn time(&mut self, steps: u64, dt: Real) -> anyhow::Result<Duration> {
        self.fleet.restore();
        for seat in &mut self.drivers {
            seat.driver = PathDriver::new(Arc::clone(seat.driver.model()));
        }
        let mut elapsed = Duration::ZERO;
        for _ in 0..steps {
            let start = Instant::now();
            for (car, seat) in self.fleet.cars_mut().zip(&mut self.drivers) {
                let view = seat.seen(car.driver_view());
                let driven = seat.driver.update(&self.path, &view, dt);
                car.drive_by(&driven);
            }
            elapsed += start.elapsed();
            self.fleet.update()?;
            self.fleet.step_world();
        }
        Ok(elapsed)
    }
}
