//! Drivers on level ground, without a physics engine: they take no memory, and stop where their
//! path ends.

use std::sync::Arc;

use vehicle_core::math::{Pose, Real, Vec3};
use vehicle_core::prelude::*;
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_drivetrain::driver::{
    DriveFigures, DriverModel, DriverView, Path, PathDriver, ProfileParams,
};
use vehicle_drivetrain::inputs::{Direction, DrivingCommands, GearChoice};
use vehicle_drivetrain::prelude::*;

const DT: Real = 1.0 / 60.0;

/// The default saloon with an engine, at rest at the origin, and its driver.
fn saloon() -> (EngineDriveVehicle, Arc<DriverModel>) {
    let mechanics = CarBlueprint::default().mechanics().expect("a car");
    let params = EngineDriveParams::automatic(mechanics, &[2, 3]);
    let drive = DriveFigures::engine(&params.drivetrain, &params.mechanics);
    let model = DriverModel::car(&params.mechanics, drive, 0.0, &Frame::Y_UP).expect("a car");
    let mut car = EngineDriveVehicle::new(params).expect("valid");
    let start = Pose::from_translation(Vec3::Y * 0.55);
    car.state.mechanics.rigid_body = RigidBodyState::at_rest(start);
    (car, Arc::new(model))
}

/// One step of the driver and of the car.
fn step(car: &mut EngineDriveVehicle, driver: &mut PathDriver, path: &Path) {
    let driven = driver.update(path, &DriverView::of(car, &Frame::Y_UP), DT);
    drive(car, &driven);
}

/// One step of the car.
fn drive(car: &mut EngineDriveVehicle, driven: &DrivingCommands) {
    let world = SimulationParams::default();
    let road = FlatRoad::new(&world.coordinates.frame);
    car.commands = driven.commands;
    car.controls = driven.transmission(&car.params().drivetrain, &car.controls);
    let context = Context::new(&world, &road);
    let _completed =
        EngineDriveVehicle::sequence().update(car, DT, &context).expect("it can be driven");
}

fn path(points: &[[Real; 2]]) -> Path {
    let points: Vec<Vec3> =
        points.iter().map(|&[ahead, left]| Frame::Y_UP.translation(ahead, left, 0.0)).collect();
    Path::open(&points, &Frame::Y_UP).expect("a path")
}

#[test]
fn a_driver_stops_at_the_end_of_a_path() {
    let (mut car, model) = saloon();
    let profile = ProfileParams { ends: [Some(0.0); 2], max_speed: 15.0, ..Default::default() };
    let path = path(&[[0.0, 0.0], [60.0, 0.0], [120.0, 20.0], [180.0, 20.0]])
        .with_profile(model.figures(), &profile)
        .expect("valid");
    let mut driver = PathDriver::new(model);
    for _ in 0..2_400 {
        step(&mut car, &mut driver, &path);
    }
    let place = driver.state.place;
    let speed = DriverView::of(&car, &Frame::Y_UP).speed;
    assert!(driver.is_at_end(&path), "{place:?} of {}", path.length());
    assert!(speed.abs() < 0.05 && place.offset.abs() < 0.3, "{speed} m/s at {place:?}");
}

#[test]
fn a_driver_backs_along_a_path() {
    let (mut car, model) = saloon();
    let path = path(&[[0.0, 0.0], [-15.0, 0.0], [-28.0, 5.0], [-34.0, 18.0], [-34.0, 30.0]])
        .with_speeds(|way| (0.6 * (55.0 - way)).max(0.0).sqrt().min(2.0))
        .expect("speeds");
    let mut driver = PathDriver::new(model).backward();
    let mut worst = 0.0_f32;
    for _ in 0..1_500 {
        step(&mut car, &mut driver, &path);
        worst = worst.max(driver.state.place.offset.abs());
    }
    let place = driver.state.place;
    assert!(45.0 < place.way, "{place:?} of {}", path.length());
    assert!(worst < 0.4, "{worst} m aside");
}

#[test]
fn a_driver_holds_a_speed_without_a_path_and_brakes_along_one() {
    let (mut car, model) = saloon();
    let mut driver = PathDriver::new(model);
    let view = |car: &EngineDriveVehicle| DriverView::of(car, &Frame::Y_UP);
    for _ in 0..1_500 {
        let [throttle, brake] = driver.hold_speed(20.0, &view(&car), DT);
        let commands = Commands { throttle, brakes: [brake, 0.0], ..Commands::default() };
        let gear = GearChoice::Automatic(Direction::Forward);
        drive(&mut car, &DrivingCommands::new(commands, gear));
    }
    let (speed, [way, aside]) = (view(&car).speed, view(&car).place);
    assert!((speed - 20.0).abs() < 0.1, "{speed} m/s");
    // Half of the brakes, into a gentle bend.
    let path = path(&[[way - 10.0, aside], [way + 10.0, aside], [way + 80.0, aside + 8.0]]);
    driver.put(&path, &view(&car));
    let mut worst = 0.0_f32;
    while 0.5 < view(&car).speed {
        let driven = driver.update_with_pedals(&path, &view(&car), [0.0, 0.5], DT);
        assert_eq!((driven.commands.throttle, driven.commands.brakes), (0.0, [0.5, 0.0]));
        drive(&mut car, &driven);
        worst = worst.max(driver.state.place.offset.abs());
    }
    let turned = view(&car).heading[1];
    assert!(worst < 0.3 && 0.02 < turned, "{worst} m aside, turned by {turned}");
}

#[test]
fn a_path_without_speeds_is_driven_at_walking_pace_and_speeds_are_checked() {
    let path = path(&[[0.0, 0.0], [60.0, 0.0], [120.0, 20.0], [180.0, 20.0]]);
    assert!(path.places().iter().all(|place| place.speed == 2.0));
    for (speed, got) in [(f32::NAN, "NaN"), (-5.0, "-5")] {
        let error = path.clone().with_speed(speed).expect_err("no speed").to_string();
        let expected = format!("speed at 0 m must be finite and not negative, got {got}");
        assert_eq!(error, expected);
    }
}

#[test]
fn a_step_of_no_time_teaches_a_driver_nothing() {
    let (car, model) = saloon();
    let path = path(&[[0.0, 0.0], [60.0, 0.0], [120.0, 20.0], [180.0, 20.0]]);
    let view = DriverView::of(&car, &Frame::Y_UP);
    let steps = [0.0, -1.0, f32::NAN, f32::INFINITY];
    let [still, others @ ..] = steps.map(|dt| {
        let mut driver = PathDriver::new(model.clone());
        let commands = driver.update(&path, &view, dt);
        driver.hold_speed(5.0, &view, dt);
        (commands, driver.state)
    });
    for other in others {
        assert_eq!(other, still);
    }
}

#[test]
fn a_car_that_steers_all_wheels_alike_has_no_driver() {
    let mut mechanics = CarBlueprint::default().mechanics().expect("a car");
    mechanics.steering.wheel_multipliers = vec![1.0; 4];
    mechanics.ackermann.clear();
    let error = DriverModel::car(&mechanics, DriveFigures::none(), 0.0, &Frame::Y_UP)
        .expect_err("it moves aside");
    assert!(error.to_string().contains("steered otherwise than the rear ones"), "{error}");
}

#[test]
fn a_step_of_a_driver_takes_no_memory() {
    let (car, model) = saloon();
    let path = path(&[[0.0, 0.0], [60.0, 0.0], [120.0, 20.0], [180.0, 20.0]])
        .with_speed(15.0)
        .expect("a speed");
    let mut driver = PathDriver::new(model);
    let mut view = DriverView::of(&car, &Frame::Y_UP);
    let counted = allocation_counter::measure(|| {
        for step in 0..1_000 {
            let way = 0.15 * step as Real;
            (view.place, view.speed, view.friction) = (path.at(way).place, 9.0, 1.0);
            std::hint::black_box(driver.update(&path, &view, DT));
        }
    });
    assert_eq!(counted.count_total, 0);
}
