//! The vehicle: snapshots, sleep, lost wheels, fleets, other units of length.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::Persistent;
use vehicle_rapier::core::commands::Commands;
use vehicle_rapier::core::convert::Convert;
use vehicle_rapier::core::frame::{CoordinateConversion, CoordinateSystem, Frame};
use vehicle_rapier::drivetrain::blocks::{DrivelineCommands, ready_made};
use vehicle_rapier::drivetrain::{BlockDriveParams, BlockDriveVehicle};
use vehicle_rapier::{Drivable, Fleet, RapierVehicle, VehicleSnapshot, diagnose};

use crate::cars::{BlockCar, built, forward, insert, mechanics_for, ready};
use crate::common::{DT, drive};

/// What there is to see of a vehicle.
fn bits(world: &PhysicsWorld, car: &BlockCar) -> Vec<u8> {
    postcard::to_stdvec(&car.snapshot(&world.bodies).expect("a body")).expect("plain data")
}

/// Starts with a slipping clutch, shifts, brakes, parks, drives on.
fn control(car: &mut BlockCar, name: &str, step: usize) {
    let (throttle, brake) = match step {
        0..20 => (0.0, 0.0),
        20..240 => (0.7, 0.0),
        240..420 => (0.0, 1.0),
        _ => (0.6, 0.0),
    };
    let clutch = match step {
        20..120 => 0.5,
        240..480 => 1.0,
        _ => 0.0,
    };
    let later = i32::from((150..240).contains(&step));
    let levers = forward(name);
    car.vehicle.commands =
        Commands { throttle, brakes: [brake, 0.0], steer: 0.1, steering_torque: None };
    car.vehicle.controls = DrivelineCommands { clutch, gear: levers.gear + later, ..levers };
}

#[test]
fn every_driveline_goes_on_with_the_same_bits() {
    for (name, _) in ready_made::ALL {
        let mut world = level_world(DT, 1.0);
        let mut car = ready(&mut world, name);
        let (mut seen, mut snapshots) = (Vec::new(), Vec::new());
        for step in 0..520 {
            seen.push(bits(&world, &car));
            snapshots.push(car.snapshot(&world.bodies).expect("a body"));
            control(&mut car, name, step);
            car.step(&mut world).expect("the vehicle can be driven");
        }
        let binary = postcard::to_stdvec(&snapshots[200]).expect("plain data").len();
        println!("{name}: {binary} bytes in a binary snapshot");
        assert!(binary < 8_000, "{name}: {binary} bytes");
        assert!(
            1.0 < snapshots[239].vehicle.mechanics.rigid_body.linear_velocity.length(),
            "{name}"
        );
        for start in [1, 30, 130, 199, 300, 430] {
            let bytes = postcard::to_stdvec(&snapshots[start]).expect("plain data");
            let snapshot: VehicleSnapshot<<BlockDriveVehicle as Persistent>::Memory> =
                postcard::from_bytes(&bytes).expect("its own bytes");
            car.restore(&mut world, &snapshot).expect("its own snapshot");
            for (step, seen) in seen.iter().enumerate().skip(start).take(60) {
                assert!(bits(&world, &car) == *seen, "{name}: step {step} from {start} differs");
                control(&mut car, name, step);
                car.step(&mut world).expect("the vehicle can be driven");
            }
        }
    }
}

#[test]
fn snapshots_that_cannot_be_driven_are_refused_and_change_nothing() {
    let mut world = level_world(DT, 1.0);
    let mut car = ready(&mut world, "electric");
    drive(&mut world, &mut car, 0.5);
    let good = car.snapshot(&world.bodies).expect("a body");
    let before = bits(&world, &car);
    let mut refuse = |spoil: &dyn Fn(&mut <BlockDriveVehicle as Persistent>::Memory),
                      message: &str| {
        let mut bad = good.clone();
        spoil(&mut bad.vehicle);
        let error = car.restore(&mut world, &bad).expect_err("a fault").to_string();
        assert!(error.contains(message), "{error}");
        assert!(bits(&world, &car) == before, "{message}: something has changed");
    };
    refuse(&|memory| memory.drive.speeds[0] = f64::NAN, "drive.speeds[0] must be finite");
    refuse(&|memory| _ = memory.drive.speeds.pop(), "drive.speeds must");
    refuse(
        &|memory| memory.drive.battery_energies[0] = 1e12,
        "drive.battery_energies[0] must be within [0, 216000000]",
    );
    refuse(&|memory| memory.controls.clutch = 2.0, "controls.clutch must be within [0, 1], got 2");
}

#[test]
fn inputs_of_the_driver_and_numbers_that_are_none_are_refused() {
    for (name, block, input, value, expected) in [
        ("tank", "steering motor", "command", 0.8, "is written in each step by Steer, a control"),
        ("hybrid-power-split", "motor", "command", 0.8, "is written in each step by a link of"),
        ("tank", "steering motor", "regeneration", f64::NAN, "must be finite, got NaN"),
        ("tank", "steering motor", "twist", 0.8, "there is no channel \"twist\" of a block"),
    ] {
        let mut world = level_world(DT, 1.0);
        let mut car = ready(&mut world, name).vehicle;
        let before = car.memory();
        let error = car.set_input(block, input, value).expect_err("refused").to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(car.memory(), before, "{error}");
    }
}

#[test]
fn a_parked_vehicle_sleeps_and_wakes_as_its_driver_wants() {
    type Wake = (&'static str, &'static str, fn(&mut BlockDriveVehicle));
    let wakes: [Wake; 5] = [
        ("rear", "throttle", |car| car.commands.throttle = 0.3),
        ("rear", "gear", |car| car.controls.gear = 2),
        ("rear", "lock", |car| car.controls.differential_lock = 1.0),
        ("front", "brake let go in drive", |car| car.commands.brakes[0] = 0.0),
        ("tank", "an input", |car| {
            car.set_input("steering motor", "regeneration", 0.2).expect("a free input");
        }),
    ];
    for (name, what, wake) in wakes {
        let mut world = level_world(DT, 1.0);
        let mut car = ready(&mut world, name);
        car.vehicle.commands.brakes[0] = 1.0;
        car.vehicle.controls = DrivelineCommands { gear: 0, ..DrivelineCommands::forward() };
        drive(&mut world, &mut car, 6.0);
        assert!(world.bodies[car.actor.body].is_sleeping(), "{name} sleeps");
        let before = car.vehicle.memory();
        drive(&mut world, &mut car, 1.0);
        assert_eq!(car.vehicle.memory(), before, "{name} sleeps on");
        wake(&mut car.vehicle);
        drive(&mut world, &mut car, 2.0 * DT);
        assert!(!world.bodies[car.actor.body].is_sleeping(), "{name}: {what} wakes");
    }
}

#[test]
fn a_converter_creeps_off_once_the_brakes_are_let_go() {
    let mut world = level_world(DT, 1.0);
    let mut car = ready(&mut world, "front");
    car.vehicle.commands.brakes[0] = 1.0;
    car.vehicle.controls = DrivelineCommands::forward();
    drive(&mut world, &mut car, 6.0);
    assert!(world.bodies[car.actor.body].is_sleeping());
    car.vehicle.commands.brakes[0] = 0.0;
    drive(&mut world, &mut car, 5.0);
    let speed = car.forward_speed();
    assert!(0.5 < speed && speed < 5.0, "{speed} m/s");
}

#[test]
fn a_lost_wheel_takes_no_drive_from_the_others() {
    for (name, lost) in [
        ("rear", 2),
        ("all-planetary", 1),
        ("all-part-time", 3),
        ("h-drive", 0),
        ("truck-8x8", 5),
        ("tank", 2),
        ("electric-four", 1),
    ] {
        for lock in [0.0, 1.0] {
            let mut world = level_world(DT, 1.0);
            let mut car = ready(&mut world, name);
            drive(&mut world, &mut car, 1.0);
            car.detach_wheel(&mut world.bodies, lost).expect("a wheel");
            car.vehicle.controls =
                DrivelineCommands { differential_lock: lock, clutch: 0.4, ..forward(name) };
            car.vehicle.commands.throttle = 0.6;
            drive(&mut world, &mut car, 1.0);
            car.vehicle.controls.clutch = 0.0;
            drive(&mut world, &mut car, 3.0);
            let speed = car.forward_speed();
            println!("{name} without wheel {lost}, lock {lock}: {speed} m/s");
            assert!(1.0 < speed, "{name} without wheel {lost}, lock {lock}: {speed} m/s");
            let hub = car.vehicle.state.mechanics.wheels.of(lost).rotation_speed;
            assert_eq!(hub, 0.0, "{name}");
            car.attach_wheel(&mut world.bodies, lost).expect("a wheel");
            drive(&mut world, &mut car, 2.0);
            let hub = car.vehicle.state.mechanics.wheels.of(lost).rotation_speed;
            assert!(1.0 < hub, "{name}: {hub} rad/s");
        }
    }
}

/// Bits of a fleet of all drivelines after some steps of this many threads.
fn fleet_bits(threads: usize) -> Vec<Vec<u8>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let mut world = level_world(DT, 1.0);
    let mut fleet = Fleet::new();
    let mut handles = Vec::new();
    for (place, (name, _)) in ready_made::ALL.iter().enumerate() {
        let (mechanics, height) = mechanics_for(name);
        let pose = Pose::from_translation(Vector::new(12.0 * place as Real, height, 0.0));
        let mut car = insert(&mut world, mechanics, built(name), pose);
        car.vehicle.controls = DrivelineCommands { clutch: 0.5, ..forward(name) };
        car.vehicle.commands.throttle = 0.1 + 0.05 * place as Real;
        handles.push(fleet.insert(car));
    }
    pool.install(|| {
        for _ in 0..120 {
            let faults = fleet.step(&mut world);
            assert!(faults.is_empty(), "{faults:?}");
        }
    });
    handles.iter().map(|&handle| bits(&world, &fleet[handle])).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let alone = fleet_bits(1);
    for threads in [2, 5] {
        assert!(fleet_bits(threads) == alone, "{threads} threads");
    }
}

/// Speed after a start, in a world of `scale` units per meter (m/s).
fn speed_at_scale(scale: Real) -> Real {
    let meters = CoordinateSystem { frame: Frame::Y_UP, length_scale: 1.0 };
    let target = CoordinateSystem { frame: Frame::Y_UP, length_scale: scale };
    let conversion = CoordinateConversion::new(&meters, &target);
    let (mechanics, height) = mechanics_for("electric");
    let params = BlockDriveParams::new(mechanics, built("electric")).converted(&conversion);
    let mut world = level_world(DT, 1.0);
    world.integration_parameters.length_unit = scale;
    world.gravity *= scale;
    let half = Vector::new(0.9, 0.4, 2.2) * scale;
    let hull = ColliderBuilder::cuboid(half.x, half.y, half.z);
    let chassis = vehicle_rapier::Chassis::new(&params.mechanics.rigid_body)
        .pose(Pose::from_translation(Vector::Y * (height * scale)))
        .collider(hull.translation(Vector::Y * (0.3 * scale)));
    let vehicle = BlockDriveVehicle::new(params).expect("valid parameters");
    let mut car =
        RapierVehicle::insert(&mut world, chassis, vehicle, BlockDriveVehicle::sequence());
    car.params = car.params.clone().converted(&conversion);
    car.vehicle.controls = DrivelineCommands::forward();
    car.vehicle.commands.throttle = 0.6;
    drive(&mut world, &mut car, 4.0);
    car.forward_speed() / scale
}

#[test]
fn a_driveline_in_si_units_drives_a_world_of_centimeters() {
    let (meters, centimeters) = (speed_at_scale(1.0), speed_at_scale(100.0));
    assert!(5.0 < meters, "{meters} m/s");
    assert!((centimeters - meters).abs() < 1e-3 * meters, "{centimeters}, {meters} m/s");
}

#[test]
fn nothing_is_odd_about_ready_made_drivelines() {
    for (name, _) in ready_made::ALL {
        let mut world = level_world(DT, 1.0);
        let car = ready(&mut world, name);
        let found = diagnose(&car, DT).expect("a step");
        let about_drive = found.iter().filter(|finding| finding.to_string().contains("driveline"));
        assert_eq!(about_drive.count(), 0, "{name}: {found:?}");
        assert!(!car.vehicle.intent().drives(), "{name} idles");
    }
}
