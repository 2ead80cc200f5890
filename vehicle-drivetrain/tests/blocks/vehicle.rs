//! The vehicle whose wheels a driveline turns, on a flat road.

use std::ops::ControlFlow::Continue;

use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::frame::Frame;
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::{Pose, Real, Vec3};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::sequence::Recoverable;
use vehicle_core::vehicle::ChangeMechanics;
use vehicle_core::{Context, Persistent, SimulationParams, WheelReaction};
use vehicle_drivetrain::block_drive::SpinAxis;
use vehicle_drivetrain::blocks::{DrivelineCommands, GearControl, Gearbox, Wheel, ready_made};
use vehicle_drivetrain::{BlockDriveParams, BlockDriveVehicle};

const DT: Real = 1.0 / 60.0;
const CARS: [&str; 9] = [
    "rear",
    "front",
    "all-planetary",
    "all-on-demand",
    "all-part-time",
    "h-drive",
    "electric-four",
    "hybrid-parallel",
    "hybrid-power-split",
];

fn params(name: &str) -> BlockDriveParams {
    let (_, build) = ready_made::ALL.iter().find(|(each, _)| *each == name).expect("a name");
    let mechanics = CarBlueprint::default().mechanics().expect("valid data");
    BlockDriveParams::new(mechanics, build().expect("no faults"))
}

/// A car at rest above the origin, in gear.
fn car(params: BlockDriveParams) -> BlockDriveVehicle {
    let mut car = BlockDriveVehicle::new(params).expect("valid parameters");
    let height = Vec3::Y * CarBlueprint::default().center_of_mass_height;
    car.state.mechanics.rigid_body.pose = Pose::from_translation(height);
    car.controls = DrivelineCommands { clutch: 0.4, ..DrivelineCommands::forward() };
    car
}

fn run(car: &mut BlockDriveVehicle, steps: usize, is_checked: bool) {
    run_with(car, &SimulationParams::new(Frame::Y_UP), steps, is_checked);
}

fn run_with(
    car: &mut BlockDriveVehicle,
    simulation: &SimulationParams,
    steps: usize,
    is_checked: bool,
) {
    let sequence = BlockDriveVehicle::sequence();
    let road = FlatRoad::new(&Frame::Y_UP);
    let context = Context::new(simulation, &road);
    for _ in 0..steps {
        if is_checked {
            assert_eq!(sequence.update_checked(car, DT, &context), Ok(Continue(())));
        } else {
            assert_eq!(sequence.update(car, DT, &context), Ok(Continue(())));
        }
    }
}

#[test]
fn a_step_takes_no_memory_checked_or_not() {
    for name in CARS {
        let mut car = car(params(name));
        car.commands.throttle = 0.5;
        run(&mut car, 60, true);
        let sequence = BlockDriveVehicle::sequence();
        let (simulation, road) = (SimulationParams::new(Frame::Y_UP), FlatRoad::new(&Frame::Y_UP));
        let context = Context::new(&simulation, &road);
        let counted = allocation_counter::measure(|| {
            for _ in 0..100 {
                let _flow = sequence.update(&mut car, DT, &context);
                let _flow = sequence.update_checked(&mut car, DT, &context);
            }
        });
        assert_eq!(counted.count_total, 0, "{name}");
        let speed = car.state.mechanics.rigid_body.linear_velocity.length();
        assert!(3.0 < speed, "{name}: {speed} m/s");
    }
}

#[test]
fn bad_parameters_are_named() {
    type Fault = (fn(&mut BlockDriveParams), &'static str);
    let faults: [Fault; 7] = [
        (
            |params| params.mechanics.rigid_body.mass = -1.0,
            "mechanics.rigid_body.mass must be positive and finite, got -1",
        ),
        (
            |params| {
                let wheel = params.driveline.blocks.last_mut().expect("a block");
                wheel.block = Wheel { wheel: 7 }.into();
            },
            "driveline.\"wheel 1\".wheel must be below 4, got 7",
        ),
        (
            |params| _ = params.driveline.shafts.pop(),
            "driveline must be a tree of blocks that can be solved, got",
        ),
        (
            |params| {
                let gearbox = Gearbox { efficiency: 2.0, ..Gearbox::default() };
                params.driveline.blocks[2].block = gearbox.into();
            },
            "driveline.\"gearbox\".efficiency must be above 0 and at most 1, got 2",
        ),
        (
            |params| {
                let mut gearbox = Gearbox::automatic();
                if let GearControl::Automatic(lines) = &mut gearbox.control {
                    lines.kick_down = 2.0;
                    lines.up = LookupTable::new([(0.0, 190.0), (1.5, 600.0)]).expect("a line");
                    lines.down = LookupTable::new([(0.0, -1.0), (1.0, 100.0)]).expect("a line");
                }
                params.driveline.blocks[2].block = gearbox.into();
            },
            "driveline.\"gearbox\".control.kick_down must be within [0, 1], got 2; \
             driveline.\"gearbox\".control.up[1].x must be within [0, 1], got 1.5; \
             driveline.\"gearbox\".control.down[0].y must be finite and not negative, got -1",
        ),
        (
            |params| {
                let axis = Vec3::Z;
                params.spin_axes.push(SpinAxis { block: "motor".to_owned(), axis });
            },
            "spin_axes[0].block must be the name of a block of the driveline, got motor",
        ),
        (
            |params| {
                let axis = Vec3::ZERO;
                params.spin_axes.push(SpinAxis { block: "engine".to_owned(), axis });
            },
            "spin_axes[0].axis must be",
        ),
    ];
    for (spoil, message) in faults {
        let mut bad = params("rear");
        spoil(&mut bad);
        let error = BlockDriveVehicle::new(bad.clone()).expect_err(message).to_string();
        assert!(error.starts_with(message), "{error}");
        let mut car = car(params("rear"));
        let before = car.snapshot();
        assert_eq!(car.set_params(bad).expect_err(message).to_string(), error);
        assert_eq!(car.snapshot(), before);
    }
}

#[test]
fn bad_commands_and_lists_are_named_and_nothing_changes() {
    type Fault = (fn(&mut BlockDriveVehicle), &'static str);
    let faults: [Fault; 3] = [
        (|car| car.controls.clutch = 2.0, "controls.clutch must be within [0, 1], got 2"),
        (|car| car.controls.gear = 99, "controls.gear must be within [-32, 32], got 99"),
        (|car| _ = car.state.drive.speeds.pop(), "state.drive.speeds must"),
    ];
    let (simulation, road) = (SimulationParams::new(Frame::Y_UP), FlatRoad::new(&Frame::Y_UP));
    for (spoil, message) in faults {
        let mut car = car(params("rear"));
        spoil(&mut car);
        let before = car.snapshot();
        let context = Context::new(&simulation, &road);
        let error = BlockDriveVehicle::sequence().update_checked(&mut car, DT, &context);
        let error = error.expect_err(message).to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(car.snapshot(), before);
    }
}

#[test]
fn a_step_that_fails_leaves_the_last_good_state() {
    let mut car = car(params("rear"));
    run(&mut car, 30, true);
    car.commands.throttle = 0.5;
    let before = car.snapshot();
    let (simulation, road) = (SimulationParams::new(Frame::Y_UP), FlatRoad::new(&Frame::Y_UP));
    let sequence = BlockDriveVehicle::sequence()
        .insert_after::<vehicle_drivetrain::stages::BlockDrive>(
            |car: &mut BlockDriveVehicle, _: Real, _: &Context<'_>| {
                car.state.drive.speeds[0] = f64::NAN;
                Continue(())
            },
        );
    let context = Context::new(&simulation, &road);
    let sequence = sequence.expect("a block drive");
    let _fault = sequence.update_checked(&mut car, DT, &context).expect_err("a fault");
    assert_eq!(car.snapshot(), before);
    run(&mut car, 30, true);
}

#[test]
fn a_driveline_of_the_same_blocks_goes_on_and_another_one_starts_anew() {
    let mut car = car(params("rear"));
    car.commands.throttle = 0.6;
    run(&mut car, 120, true);
    let speeds = car.state.drive.speeds.clone();
    let mut heavy = CarBlueprint::default().mechanics().expect("valid data");
    heavy.rigid_body.mass += 100.0;
    car.set_mechanics(heavy).expect("valid parameters");
    assert_eq!(car.state.drive.speeds, speeds);
    car.set_params(params("electric")).expect("valid parameters");
    let wheel = car.state.mechanics.wheels.of(2).rotation_speed;
    assert!(3.0 < wheel, "{wheel} rad/s");
    run(&mut car, 1, true);
    let motor = car.sensor("electric motor", "speed").expect("a motor");
    let wheels = [2, 3].map(|wheel| car.state.mechanics.wheels.of(wheel).rotation_speed);
    let mean = f64::from(0.5 * (wheels[0] + wheels[1]));
    assert!(1.0 < mean && (motor / 9.0 - mean).abs() < 1e-4 * mean, "{motor}, {wheels:?} rad/s");
}

/// The engine lies along the car: as it speeds up, the body rolls the other way, by as much angular
/// momentum.
#[test]
fn an_engine_that_speeds_up_turns_the_body() {
    let mut params = params("rear");
    params.spin_axes = vec![SpinAxis { block: "engine".to_owned(), axis: Vec3::Z }];
    let mut car = car(params);
    car.controls = DrivelineCommands::default();
    car.state.mechanics.rigid_body.pose.translation.y = 100.0;
    let simulation = SimulationParams {
        gravity: Vec3::ZERO,
        wheel_reaction: WheelReaction::None,
        ..SimulationParams::new(Frame::Y_UP)
    };
    let idle = car.sensor("engine", "speed").expect("an engine");
    assert_eq!(idle, 0.0);
    let start = car.state.drive.speeds[0];
    car.commands.throttle = 1.0;
    run_with(&mut car, &simulation, 20, true);
    let engine = car.sensor("engine", "speed").expect("an engine");
    let body = &car.state.mechanics.rigid_body;
    let roll = f64::from(body.angular_velocity.z * car.params().mechanics.rigid_body.inertia.z);
    let taken = 0.15 * (engine - start);
    assert!(50.0 < engine - start, "{start} to {engine} rad/s");
    assert!((roll + taken).abs() < 1e-3 * taken, "{roll}, {taken} kg·m²/s");
}

/// Vehicles of a thread share the room for the steps of their driveline.
#[test]
fn cars_that_step_in_turn_go_on_as_each_does_alone() {
    let commands = |car: &mut BlockDriveVehicle, index: usize, step: usize| {
        car.commands.throttle = if (step / 40 + index).is_multiple_of(2) { 1.0 } else { 0.1 };
        car.commands.brakes[0] = if step % 100 < 20 * index { 0.7 } else { 0.0 };
    };
    for name in CARS {
        let first = car(params(name));
        let cars = || [first.clone(), first.clone(), car(params(name))];
        let (mut in_turn, mut alone) = (cars(), cars());
        for step in 0..200 {
            for (index, car) in in_turn.iter_mut().enumerate() {
                commands(car, index, step);
                run(car, 1, false);
            }
        }
        for (index, car) in alone.iter_mut().enumerate() {
            for step in 0..200 {
                commands(car, index, step);
                run(car, 1, false);
            }
        }
        for (index, (in_turn, alone)) in in_turn.iter().zip(&alone).enumerate() {
            assert_eq!(in_turn.state, alone.state, "{name}, car {index}");
            assert_eq!(in_turn.solve_report(), alone.solve_report(), "{name}, car {index}");
        }
        assert_ne!(in_turn[0].state, in_turn[1].state, "{name}: they have one driver");
    }
}

#[test]
fn a_gearbox_without_the_gear_that_is_in_is_refused() {
    let with = |forward: &[Real]| {
        let mut params = params("rear");
        let gearbox = Gearbox { forward: forward.to_vec(), ..Gearbox::default() };
        params.driveline.blocks[2].block = gearbox.into();
        params
    };
    let mut car = car(with(&[3.7, 2.0, 1.0]));
    for gear in 1..=3 {
        car.controls.gear = gear;
        run(&mut car, 20, true);
    }
    assert_eq!(car.sensor("gearbox", "gear"), Ok(3.0));
    let before = car.snapshot();
    let fault =
        "\"gearbox\".forward must be of 3 gears or more, as that one is in or chosen, got 2";
    let error = car.set_params(with(&[3.7, 2.0])).expect_err("two gears");
    assert_eq!(error.to_string(), format!("driveline.{fault}"));
    assert_eq!(car.snapshot(), before);
    let mut other = BlockDriveVehicle::new(with(&[3.7, 2.0])).expect("valid parameters");
    let error = other.recall(&car.memory()).expect_err("two gears");
    assert_eq!(error.to_string(), format!("drive.{fault}"));
    car.set_params(with(&[3.7, 2.0, 1.2, 0.9])).expect("it has three gears");
    assert_eq!(car.sensor("gearbox", "gear"), Ok(3.0));
}
