//! A step takes no memory: the ready-made vehicle, and the thread that steps it, keep all they need
//! from the first step on.

mod common;

use std::ops::ControlFlow::Continue;

use common::engine::{EngineScene, limited_slip, long_tank, many_axles, tank};
use common::{COAST, DT, Drive, all_wheel_drive};
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::CommandResponseParams;
use vehicle_core::commands::Commands;
use vehicle_core::math::{Pose, Real};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::{Context, SimulationParams};
use vehicle_drivetrain::blocks::ready_made;
use vehicle_drivetrain::differential::{
    DifferentialParams, LimitedSlipParams, MultiWheelDifferentialParams,
};
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::{
    BlockDriveParams, BlockDriveVehicle, DirectDriveParams, DirectDriveVehicle,
};

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
    drive.checked_step(commands);
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
    scene.checked_step();
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
    scene.vehicle.controls.thrusts = [1.0, 0.8];
    scene.vehicle.controls.track_brakes = [0.0, 0.1];
    let allocations = engine_allocations(&mut scene);
    assert_turn_as_one(&scene, 0, 2);
    assert_turn_as_one(&scene, 1, 3);
    assert_eq!(allocations, 0, "in 2 · {STEPS} steps");
}

#[test]
fn vehicles_of_many_wheels_do_not_allocate() {
    let driven =
        DifferentialParams::MultiWheel(MultiWheelDifferentialParams::equal(6, &[2, 3, 4, 5]));
    for mut scene in [EngineScene::long(3, driven), EngineScene::long(5, long_tank(5))] {
        let count = scene.vehicle.state.mechanics.wheels.len();
        let allocations = engine_allocations(&mut scene);
        let speeds = scene.wheel_speeds();
        assert!(5.0 < speeds[2], "{count} wheels: {speeds:?}");
        assert_eq!(allocations, 0, "{count} wheels, in 2 · {STEPS} steps");
    }
}

#[test]
fn a_car_of_six_wheels_under_their_own_torques_does_not_allocate() {
    let blueprint = many_axles(3);
    let params = DirectDriveParams {
        mechanics: blueprint.mechanics().unwrap(),
        throttle: CommandResponseParams::linear(400.0, [1.0; 6]),
    };
    let mut drive = Drive::of(
        DirectDriveVehicle::new(params).unwrap(),
        blueprint.frame,
        FlatRoad::new(&blueprint.frame),
    );
    drive.vehicle.controls.gear = Gear::Forward;
    drive.place(blueprint.center_of_mass_height);
    let allocations = allocations(&mut drive, Commands { throttle: 0.5, steer: 0.1, ..COAST });
    let speed = drive.speed();
    assert!(1.0 < speed, "{speed} m/s");
    assert_eq!(allocations, 0, "in 2 · {STEPS} steps");
}

#[test]
fn a_truck_with_a_driveline_from_blocks_does_not_allocate() {
    let blueprint = many_axles(4);
    let params =
        BlockDriveParams::new(blueprint.mechanics().unwrap(), ready_made::truck_8x8().unwrap());
    let mut truck = BlockDriveVehicle::new(params).unwrap();
    let height = blueprint.frame.vertical() * blueprint.center_of_mass_height;
    truck.state.mechanics.rigid_body.pose = Pose::from_translation(height);
    let (simulation, road) =
        (SimulationParams::new(blueprint.frame), FlatRoad::new(&blueprint.frame));
    let sequence = BlockDriveVehicle::sequence();
    let mut step = || {
        let context = Context::new(&simulation, &road);
        let flow = sequence.update_checked(&mut truck, DT, &context);
        assert_eq!(flow, Ok(Continue(())));
    };
    (0..STEPS).for_each(|_| step());
    let counted = allocation_counter::measure(|| (0..STEPS).for_each(|_| step()));
    assert_eq!(counted.count_total, 0, "in {STEPS} steps");
}
