//! Thirty vehicles on one track: each keeps its distance.

use std::error::Error;
use std::sync::Arc;

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::drivetrain::driver::{Leader, Path, PathDriver, PathUser, ProfileParams};
use vehicle_rapier::prelude::*;

use crate::common::DT;
use crate::tracks::circuit;

const PRESETS: [&str; 5] = ["city_car", "hot_hatch", "pick_up", "electric_car", "sports_car"];
const COUNT: usize = 30;
/// Half of the length of the longest of them (m).
const HALF_LENGTH: Real = 2.8;
/// How far a driver sees (m).
const SIGHT: Real = 150.0;

/// A vehicle in traffic, with the path at its own speeds.
struct User {
    car: AnyRapierVehicle,
    driver: PathDriver,
    path: Path,
}

impl User {
    fn seen(&self) -> PathUser {
        let way = self.driver.state.place.way;
        PathUser { way, speed: self.car.forward_speed(), half_length: HALF_LENGTH }
    }
}

fn users(world: &mut PhysicsWorld) -> Result<Vec<User>, Box<dyn Error>> {
    let points = circuit(250.0, 60.0);
    let mut users = Vec::new();
    for index in 0..COUNT {
        let vehicle = AnyVehicle::preset(PRESETS[index % PRESETS.len()])?;
        let path = Path::closed(&points, &Frame::Y_UP)?;
        let way = path.length() * index as Real / COUNT as Real;
        let start = path.at(way);
        let [forward, left] = start.direction;
        let up = vehicle.standing_height(9.81) + 0.02;
        let heading = Rotation::from_rotation_y(left.atan2(forward));
        let place = Vector::new(start.place[1], up, start.place[0]);
        let car = vehicle.insert(world, Pose::from_parts(place, heading));
        let model = Arc::new(car.driver_model(&[])?);
        // Some are in a hurry, some are not.
        let cornering = 0.45 + 0.05 * (index % 4) as Real;
        let max_speed = 18.0 + 3.0 * (index % 3) as Real;
        let profile = ProfileParams { cornering, max_speed, ..ProfileParams::default() };
        let path = path.with_profile(model.figures(), &profile)?;
        let mut driver = PathDriver::new(model);
        driver.state.place.way = way;
        users.push(User { car, driver, path });
    }
    Ok(users)
}

/// Drives for so long (s): the least gap between two (m), and the mean speed (m/s).
fn drive(seconds: Real) -> Result<(Real, Real), Box<dyn Error>> {
    let mut world = level_world(DT, 1.0);
    let mut users = users(&mut world)?;
    let (mut least, mut way) = (Real::INFINITY, 0.0);
    for _ in 0..(seconds / DT) as usize {
        let seen: Vec<PathUser> = users.iter().map(User::seen).collect();
        for (user, own) in users.iter_mut().zip(&seen) {
            let leader = Leader::of(&user.path, own, seen.iter().copied(), SIGHT);
            least = least.min(leader.map_or(Real::INFINITY, |leader| leader.gap));
            let view = user.car.driver_view();
            let driven = user.driver.update_behind(&user.path, &view, leader, DT);
            user.car.drive_by(&driven);
            user.car.update(&mut world)?;
            way += own.speed * DT;
        }
        world.step();
    }
    Ok((least, way / seconds / COUNT as Real))
}

#[test]
fn thirty_vehicles_keep_their_distance() -> Result<(), Box<dyn Error>> {
    // `SECONDS=600` drives for ten minutes.
    let seconds = std::env::var("SECONDS").map_or(Ok(60.0), |text| text.parse())?;
    let (gap, speed) = drive(seconds)?;
    println!("{seconds} s of traffic: least gap {gap:.2} m, mean speed {speed:.1} m/s");
    assert!(1.0 < gap, "two came within {gap} m");
    assert!(8.0 < speed, "{speed} m/s on the average: they stand in a jam");
    Ok(())
}
