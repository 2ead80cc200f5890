//! A lap by a driver: a path through points, speeds by what the car can, and who drives it.

use std::sync::Arc;

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::driver::{Path, PathDriver, ProfileParams};
use vehicle_rapier::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());

    let car = AnyVehicle::preset(&std::env::args().nth(1).unwrap_or("hot_hatch".to_owned()))?;
    let place = Pose::from_translation(Vector::Y * car.standing_height(9.81));
    let mut car = car.insert(&mut world, place);

    let corners =
        [[0.0, 0.0], [0.0, 90.0], [40.0, 150.0], [90.0, 100.0], [70.0, 0.0], [30.0, -40.0]];
    let points = corners.map(|[left, ahead]| Vector::new(left, 0.0, ahead));
    let model = Arc::new(car.driver_model(&[])?);
    let path = Path::closed(&points, &Frame::Y_UP)?
        .with_profile(model.figures(), &ProfileParams::default())?;
    let mut driver = PathDriver::new(model);

    let dt = world.integration_parameters.dt;
    let (mut time, mut aside) = (0.0, 0.0_f32);
    while driver.state.laps < 2 {
        assert!(time < 120.0, "the car is stuck at {:?}", driver.state.place);
        let driven = driver.update(&path, &car.driver_view(), dt);
        car.drive_by(&driven);
        car.step(&mut world)?;
        if driver.state.laps == 1 {
            time += dt;
            aside = aside.max(driver.state.place.offset.abs());
        }
    }
    println!("{time:.1} s, forecast {:.1} s, within {aside:.2} m", path.lap_time());
    assert!((time / path.lap_time() - 1.0).abs() < 0.08);
    Ok(())
}
