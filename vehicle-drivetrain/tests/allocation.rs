//! A step takes no memory: the ready-made vehicle keeps all it needs from its first step on.

mod common;

use common::engine::{EngineScene, limited_slip, tank};
use common::{COAST, Drive, all_wheel_drive};
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::Commands;
use vehicle_core::math::Real;
use vehicle_core::road_geometry::FlatRoad;
use vehicle_drivetrain::differential::LimitedSlipParams;

/// Time until the car does what its driver wants, at the start or at rest (s).
const WARM_UP: Real = 2.0;
/// Steps, unchecked and as many checked, in which allocations are counted.
const STEPS: usize = 100;

/// A car that rests at the origin.
fn resting_car() -> Drive<FlatRoad> {
    let blueprint = CarBlueprint::default();
    let road = FlatRoad::new(&blueprint.frame);
    Drive::with_params(&blueprint, all_wheel_drive(&blueprint), road)
}

/// Allocations of some steps, after the car has warmed up.
fn allocations(drive: &mut Drive<FlatRoad>, commands: Commands) -> u64 {
    drive.run(WARM_UP, commands);
    let counted = allocation_counter::measure(|| {
        for _ in 0..STEPS {
            drive.step(commands);
            drive.checked_step(commands);
        }
    });
    counted.count_total
}

#[test]
fn allocations_are_counted() {
    let counted = allocation_counter::measure(|| {
        std::hint::black_box(vec![0_u8; 100]);
    });
    assert_eq!(counted.count_total, 1);
}

#[test]
fn a_driving_car_does_not_allocate() {
    let commands = Commands { throttle: 0.5, steer: 0.1, ..COAST };
    let mut drive = resting_car();
    let allocations = allocations(&mut drive, commands);
    let speed = drive.speed();
    assert!(5.0 < speed, "{speed} m/s");
    assert_eq!(allocations, 0, "in 2 · {STEPS} steps");
}

#[test]
fn a_parked_car_does_not_allocate() {
    let commands = Commands { brakes: [0.0, 1.0], ..COAST };
    let mut drive = resting_car();
    let allocations = allocations(&mut drive, commands);
    let speed = drive.speed();
    let is_held = drive.vehicle.state.mechanics.anchor.is_some();
    assert!(is_held && speed.abs() < 1e-3, "{speed} m/s");
    assert_eq!(allocations, 0, "in 2 · {STEPS} steps");
}

/// Allocations of some steps of a vehicle with an engine, after it has warmed up.
fn engine_allocations(scene: &mut EngineScene) -> u64 {
    scene.run(WARM_UP, Commands { throttle: 0.5, steer: 0.1, ..COAST });
    let counted = allocation_counter::measure(|| {
        for _ in 0..STEPS {
            scene.step();
            scene.checked_step();
        }
    });
    counted.count_total
}

/// Asserts that `first` and `second` wheel turn, and as one.
#[track_caller]
fn assert_turn_as_one(scene: &EngineScene, first: usize, second: usize) {
    let speeds = scene.wheel_speeds();
    let difference = (speeds[first] - speeds[second]).abs();
    assert!(5.0 < speeds[first] && difference < 1e-4 * speeds[first], "{speeds:?}");
}

#[test]
fn a_car_with_limited_slip_does_not_allocate() {
    let mut scene = EngineScene::at_rest(limited_slip(LimitedSlipParams::LOCKED));
    let allocations = engine_allocations(&mut scene);
    assert_turn_as_one(&scene, 0, 1);
    assert_turn_as_one(&scene, 2, 3);
    assert_eq!(allocations, 0, "in 2 · {STEPS} steps");
}

#[test]
fn a_tank_does_not_allocate() {
    let mut scene = EngineScene::at_rest(tank());
    scene.vehicle.transmission.thrusts = [1.0, 0.8];
    let allocations = engine_allocations(&mut scene);
    assert_turn_as_one(&scene, 0, 2);
    assert_turn_as_one(&scene, 1, 3);
    assert_eq!(allocations, 0, "in 2 · {STEPS} steps");
}
