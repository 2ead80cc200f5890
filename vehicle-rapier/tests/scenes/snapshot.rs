//! Vehicles that are saved, restored and driven on: with the same bits.

use crate::common::{DT, car, car_with, torque_splitting};
use rapier3d::prelude::*;
use serde_json::{Value, json};
use snippets::drive::{Controlled, Driven};
use snippets::drivetrains::{SampleDifferential, TankBrakes, sample_engine_drive, sample_tank};
use snippets::scenes::{TruckSetting, level_world, truck};
use snippets::schedule::Controls;
use snippets::truck::Truck;
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_chassis, sample_direct_drive};
use vehicle_rapier::core::Persistent;
use vehicle_rapier::core::commands::Commands;
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::core::tire::BrushTire;
use vehicle_rapier::drivetrain::differential::{DifferentialModel, DifferentialParams};
use vehicle_rapier::drivetrain::engine_drive_vehicle::EngineDriveMemory;
use vehicle_rapier::drivetrain::gearbox::GearCommand;
use vehicle_rapier::drivetrain::transmission::TransmissionCommands;
use vehicle_rapier::drivetrain::{
    DirectDriveVehicle, EngineDriveParams, EngineDriveVehicle, EngineDriveVehicleWith,
};
use vehicle_rapier::snapshot::{SNAPSHOT_VERSION, SnapshotParts};
use vehicle_rapier::{Detail, Drivable, RapierVehicle, SnapshotError, VehicleSnapshot};

const LIMITED_SLIP: SampleDifferential = SampleDifferential::FourWheel { is_slip_limited: true };

/// What there is to see of a vehicle: everything that it remembers, and where its wheels are drawn.
fn bits<V: Drivable + Persistent>(world: &PhysicsWorld, car: &mut RapierVehicle<V>) -> Vec<u8> {
    let snapshot = car.snapshot(&world.bodies).expect("a body");
    let (vehicle, frame) = (&car.vehicle, &car.params.coordinates.frame);
    let pose = |wheel| vehicle.wheel_local_pose(wheel, frame);
    let poses: Vec<_> = vehicle.axles().wheels().map(pose).collect();
    postcard::to_stdvec(&(snapshot, poses)).expect("plain data")
}

/// What the driver does: drops onto the wheels, drives a curve, brakes, parks, drives on.
fn controls(step: usize) -> Controls {
    let (throttle, brake, steer) = match step {
        0..40 => (0.0, 0.0, 0.0),
        40..200 => (0.8, 0.0, 0.3 - 0.002 * step as Real),
        200..460 => (0.0, 1.0, 0.0),
        _ => (1.0, 0.0, -0.2),
    };
    let commands = Commands { throttle, brakes: [brake, 0.0], steer, steering_torque: None };
    let transmission = TransmissionCommands {
        thrusts: [1.0, 0.5],
        track_brakes: [0.0, 0.2],
        ..Default::default()
    };
    Controls { commands, transmission, ..Controls::default() }
}

fn step<V: Controlled>(world: &mut PhysicsWorld, car: &mut RapierVehicle<V>, step: usize) {
    car.vehicle.take(&controls(step));
    car.step(world).expect("the car can be driven");
}

/// Drives to `end`; then goes back to several steps, through JSON and through a binary format, and
/// drives on from each. It does so with the vehicle that has driven and with one that has not.
/// Whether the body slept in one of them.
fn drives_on_from_any_step<V: Controlled + Persistent + Clone>(
    name: &str,
    mut world: PhysicsWorld,
    mut car: RapierVehicle<V>,
) -> bool {
    const END: usize = 520;
    let mut fresh = car.clone();
    let (mut seen, mut snapshots) = (Vec::new(), Vec::new());
    let mut slept = false;
    for number in 0..END {
        seen.push(bits(&world, &mut car));
        snapshots.push(car.snapshot(&world.bodies).expect("a body"));
        slept |= world.bodies[car.actor.body].is_sleeping();
        step(&mut world, &mut car, number);
    }
    for (number, start) in (1..END).step_by(37).enumerate() {
        let car = if number % 2 == 0 { &mut car } else { &mut fresh };
        let snapshot = &snapshots[start];
        let binary = postcard::to_stdvec(snapshot).expect("plain data");
        let text = serde_json::to_string(snapshot).expect("plain data");
        let from_binary: VehicleSnapshot<V::Memory> =
            postcard::from_bytes(&binary).expect("its own bytes");
        let from_text: VehicleSnapshot<V::Memory> =
            serde_json::from_str(&text).expect("its own text");
        assert_eq!(&from_binary, snapshot, "{name}, step {start}");
        assert_eq!(&from_text, snapshot, "{name}, step {start}");

        let restored = if number % 3 == 0 { from_text } else { from_binary };
        car.restore(&mut world, &restored).expect("its own snapshot");
        for (number, seen) in seen.iter().enumerate().skip(start).take(70) {
            let is_same = bits(&world, car) == *seen;
            assert!(is_same, "{name}: step {number} after a return to step {start} differs");
            step(&mut world, car, number);
        }
    }
    slept
}

fn engine_car<D: DifferentialModel + Clone + 'static>(
    world: &mut PhysicsWorld,
    params: EngineDriveParams<BrushTire, D>,
    height: Real,
) -> RapierVehicle<EngineDriveVehicleWith<BrushTire, D>> {
    let pose = Pose::from_translation(Vector::Y * height);
    let chassis = sample_chassis(&params.mechanics.rigid_body, pose);
    let vehicle = EngineDriveVehicleWith::new(params).expect("valid parameters");
    RapierVehicle::insert(world, chassis, vehicle, EngineDriveVehicleWith::sequence())
}

fn limited_slip_car() -> (PhysicsWorld, RapierVehicle<EngineDriveVehicle>) {
    let mut world = level_world(DT, 1.0);
    let params = sample_engine_drive(LIMITED_SLIP).expect("valid data");
    let car = engine_car(&mut world, params, SAMPLE_REST_HEIGHT);
    (world, car)
}

#[test]
fn direct_drive_goes_on_with_the_same_bits() {
    for height in [SAMPLE_REST_HEIGHT, 0.4] {
        let mut world = level_world(DT, 1.0);
        let mut car = car(&mut world, height);
        car.vehicle.commands.brakes[1] = 1.0;
        assert!(
            drives_on_from_any_step("direct drive", world, car),
            "it sleeps while it is parked"
        );
    }
}

#[test]
fn wheels_with_mass_go_on_with_the_same_bits() {
    let mut world = level_world(DT, 1.0);
    let mut params = sample_direct_drive().expect("valid data");
    params.mechanics = params.mechanics.with_unsprung_masses(9.81);
    let car = car_with(&mut world, params, 0.4);
    drives_on_from_any_step("wheels with mass", world, car);
}

#[test]
fn engines_go_on_with_the_same_bits_through_any_differential() {
    let differentials = [
        LIMITED_SLIP,
        SampleDifferential::FourWheel { is_slip_limited: false },
        SampleDifferential::MultiWheel,
        SampleDifferential::Tank,
    ];
    for differential in differentials {
        let mut world = level_world(DT, 1.0);
        let params = sample_engine_drive(differential).expect("valid data");
        let car = engine_car(&mut world, params, 0.2);
        drives_on_from_any_step(&format!("{differential:?}"), world, car);
    }
    let mut world = level_world(DT, 1.0);
    let mut params = sample_engine_drive(LIMITED_SLIP).expect("valid data");
    params.drivetrain.differential = DifferentialParams::TorqueSplitting(torque_splitting());
    let car = engine_car(&mut world, params, 0.2);
    drives_on_from_any_step("torque splitting", world, car);
}

#[test]
fn tanks_go_on_with_the_same_bits() {
    let mut world = level_world(DT, 1.0);
    let tank = sample_tank(TankBrakes::AllWheels).expect("valid data");
    let tank = engine_car(&mut world, tank, SAMPLE_REST_HEIGHT);
    drives_on_from_any_step("tank", world, tank);
}

#[test]
fn roads_that_are_kept_and_lost_wheels_go_on_with_the_same_bits() {
    let (world, mut car) = limited_slip_car();
    car.detail = Detail { road_period: 5, max_substeps: 2, ..Detail::FULL };
    drives_on_from_any_step("kept roads", world, car);

    let (mut world, mut car) = limited_slip_car();
    car.detach_wheel(&mut world.bodies, 1).expect("a wheel");
    let snapshot = car.snapshot(&world.bodies).expect("a body");
    car.attach_wheel(&mut world.bodies, 1).expect("a wheel");
    car.restore(&mut world, &snapshot).expect("its own snapshot");
    assert!(car.vehicle.state.mechanics.wheels.of(1).is_detached);
}

#[test]
fn a_snapshot_of_a_car_with_an_engine_is_below_a_kilobyte() {
    let (mut world, mut car) = limited_slip_car();
    let mut sizes = Vec::new();
    for number in 0..460 {
        step(&mut world, &mut car, number);
        let snapshot = car.snapshot(&world.bodies).expect("a body");
        sizes.push(postcard::to_stdvec(&snapshot).expect("plain data").len());
    }
    let parked = car.vehicle.state.mechanics.anchor.is_some();
    assert!(parked, "it has parked, with all that holds it");
    let (least, most) = (sizes.iter().min().copied(), sizes.iter().max().copied());
    println!("{least:?} to {most:?} bytes");
    assert!(most < Some(1_000), "{least:?} to {most:?} bytes");
}

#[test]
fn a_command_that_comes_late_is_made_up_for_by_going_back() {
    let late = |number: usize| Controls {
        commands: Commands {
            throttle: 1.0,
            brakes: [0.0; 2],
            steer: if number < 80 { 0.0 } else { 0.7 },
            steering_torque: None,
        },
        ..Controls::default()
    };
    let drive = |world: &mut PhysicsWorld, car: &mut RapierVehicle<_>, controls: &Controls| {
        let car: &mut RapierVehicle<EngineDriveVehicle> = car;
        car.vehicle.take(controls);
        car.step(world).expect("the car can be driven");
    };
    let (mut world, mut car) = limited_slip_car();
    for number in 0..100 {
        drive(&mut world, &mut car, &late(number));
    }
    let in_time = bits(&world, &mut car);

    let (mut world, mut car) = limited_slip_car();
    let mut snapshots = Vec::new();
    for number in 0..100 {
        snapshots.push(car.snapshot(&world.bodies).expect("a body"));
        drive(&mut world, &mut car, &late(number.min(79)));
    }
    assert!(bits(&world, &mut car) != in_time, "the command matters");
    car.restore(&mut world, &snapshots[80]).expect("its own snapshot");
    for number in 80..100 {
        drive(&mut world, &mut car, &late(number));
    }
    assert!(bits(&world, &mut car) == in_time, "it is as if the command had come in time");
}

/// Drives a scene to the end; goes back in between with the world and all vehicles, and drives on.
fn goes_back_with_its_world<T>(
    world: PhysicsWorld,
    driven: T,
    drive: impl Fn(&mut PhysicsWorld, &mut T, usize),
    save: impl Fn(&PhysicsWorld, &T) -> Vec<u8>,
    restore: impl Fn(&mut PhysicsWorld, &mut T, &[u8]),
) {
    let (mut world, mut driven) = (world, driven);
    let mut saved = Vec::new();
    for number in 0..400 {
        if number % 90 == 60 {
            let world_bytes = postcard::to_stdvec(&world).expect("plain data");
            saved.push((number, world_bytes, save(&world, &driven)));
        }
        drive(&mut world, &mut driven, number);
    }
    let end = save(&world, &driven);
    for (start, world_bytes, vehicle_bytes) in saved {
        world = postcard::from_bytes(&world_bytes).expect("its own bytes");
        restore(&mut world, &mut driven, &vehicle_bytes);
        for number in start..400 {
            drive(&mut world, &mut driven, number);
        }
        assert!(save(&world, &driven) == end, "another end after a return to step {start}");
    }
}

#[test]
fn a_truck_with_rows_as_joints_goes_back_with_its_world() {
    for execution in [RowExecution::Local, RowExecution::Host] {
        let mut scene = truck(&TruckSetting::default()).expect("valid data");
        scene.driven.tractor.params.row_execution = execution;
        scene.driven.trailer.params.row_execution = execution;
        let schedule: Vec<_> = scene.schedule.collect();
        let drive = |world: &mut PhysicsWorld, truck: &mut Truck, number: usize| {
            truck.update(&schedule[number], world).expect("the truck can be driven");
            world.step();
        };
        let save = |world: &PhysicsWorld, truck: &Truck| {
            let tractor = truck.tractor.snapshot(&world.bodies).expect("a body");
            let trailer = truck.trailer.snapshot(&world.bodies).expect("a body");
            postcard::to_stdvec(&(tractor, trailer)).expect("plain data")
        };
        let restore = |world: &mut PhysicsWorld, truck: &mut Truck, bytes: &[u8]| {
            let (tractor, trailer) = postcard::from_bytes(bytes).expect("its own bytes");
            truck
                .tractor
                .restore_with_world(&mut world.bodies, &tractor)
                .expect("its own snapshot");
            truck
                .trailer
                .restore_with_world(&mut world.bodies, &trailer)
                .expect("its own snapshot");
        };
        goes_back_with_its_world(scene.world, scene.driven, drive, save, restore);
    }
}

#[test]
fn a_car_that_scrapes_along_a_wall_goes_back_with_its_world() {
    let (mut world, car) = limited_slip_car();
    let wall = ColliderBuilder::cuboid(0.5, 1.0, 100.0).translation(Vector::new(-3.0, 1.0, 60.0));
    world.insert_collider(wall, None);
    let drive = |world: &mut PhysicsWorld, car: &mut RapierVehicle<EngineDriveVehicle>, _| {
        car.vehicle.commands = Commands { throttle: 0.6, steer: -0.2, ..Commands::default() };
        car.step(world).expect("the car can be driven");
    };
    let save = |world: &PhysicsWorld, car: &RapierVehicle<EngineDriveVehicle>| {
        postcard::to_stdvec(&car.snapshot(&world.bodies).expect("a body")).expect("plain data")
    };
    let restore =
        |world: &mut PhysicsWorld, car: &mut RapierVehicle<EngineDriveVehicle>, bytes: &[u8]| {
            let snapshot = postcard::from_bytes(bytes).expect("its own bytes");
            car.restore_with_world(&mut world.bodies, &snapshot).expect("its own snapshot");
        };
    goes_back_with_its_world(world, car, drive, save, restore);
}

/// The snapshot of a car that drives.
fn driving() -> (
    PhysicsWorld,
    RapierVehicle<EngineDriveVehicle>,
    VehicleSnapshot<<EngineDriveVehicle as Persistent>::Memory>,
) {
    let (mut world, mut car) = limited_slip_car();
    for number in 0..100 {
        step(&mut world, &mut car, number);
    }
    let snapshot = car.snapshot(&world.bodies).expect("a body");
    for number in 100..120 {
        step(&mut world, &mut car, number);
    }
    (world, car, snapshot)
}

#[test]
fn snapshots_that_cannot_be_driven_are_refused_and_change_nothing() {
    let (mut world, mut car, good) = driving();
    let before = bits(&world, &mut car);
    let mut refuse = |snapshot: &VehicleSnapshot<_>, expected: &str| {
        for error in [
            car.restore(&mut world, snapshot).expect_err("a fault"),
            car.restore_with_world(&mut world.bodies, snapshot).expect_err("a fault"),
        ] {
            assert_eq!(error.to_string(), expected);
        }
        assert!(bits(&world, &mut car) == before, "{expected}: something has changed");
    };
    let mut bad = good.clone();
    bad.version = SNAPSHOT_VERSION + 1;
    let expected =
        format!("the snapshot's version must be {SNAPSHOT_VERSION}, got {}", bad.version);
    refuse(&bad, &expected);

    let mut bad = good.clone();
    bad.vehicle.mechanics.wheels.pop();
    refuse(&bad, "mechanics.wheels must be of 4 elements, one per wheel, got 3");

    let mut bad = good.clone();
    bad.vehicle.mechanics.wheels[2].rotation_speed = Real::NAN;
    bad.vehicle.mechanics.wheels[3].rotation_angle = Real::INFINITY;
    refuse(
        &bad,
        "mechanics.wheels[2].rotation_speed must be finite, got NaN; \
         mechanics.wheels[3].rotation_angle must be finite, got inf",
    );

    let mut bad = good.clone();
    bad.body.linear_velocity.x = Real::NAN;
    let expected = format!("body.linear_velocity must be finite, got {}", bad.body.linear_velocity);
    refuse(&bad, &expected);

    let mut bad = good.clone();
    bad.vehicle.drive.gearbox.target = 9;
    bad.vehicle.commands.throttle = 2.0;
    refuse(
        &bad,
        "drive.gearbox.target must be a gear below 7, got 9; \
         commands.throttle must be within [0, 1], got 2",
    );
    car.restore(&mut world, &good).expect("its own snapshot");
}

#[test]
fn a_vehicle_without_its_body_is_neither_saved_nor_restored() {
    let (mut world, mut car, good) = driving();
    world.remove_body(car.actor.body);
    let memory = car.vehicle.memory();
    let errors = [
        car.snapshot(&world.bodies).expect_err("no body"),
        car.restore(&mut world, &good).expect_err("no body"),
        car.restore_with_world(&mut world.bodies, &good).expect_err("no body"),
    ];
    for error in errors {
        assert!(matches!(error, SnapshotError::Actor(_)), "{error}");
    }
    assert_eq!(car.vehicle.memory(), memory);
}

#[test]
fn a_vehicle_of_another_type_has_another_memory() {
    let mut world = level_world(DT, 1.0);
    let car: RapierVehicle<DirectDriveVehicle> = car(&mut world, SAMPLE_REST_HEIGHT);
    let text = serde_json::to_string(&car.snapshot(&world.bodies).expect("a body"));
    let text = text.expect("plain data");
    let other: Result<VehicleSnapshot<<EngineDriveVehicle as Persistent>::Memory>, _> =
        serde_json::from_str(&text);
    let error = other.expect_err("another type").to_string();
    assert!(error.contains("missing field `engine`"), "{error}");
}

/// The numbers of `value`, each with its path.
fn numbers<'a>(path: &str, value: &'a mut Value, found: &mut Vec<(String, &'a mut Value)>) {
    match value {
        Value::Array(parts) => {
            for (index, part) in parts.iter_mut().enumerate() {
                numbers(&format!("{path}[{index}]"), part, found);
            }
        }
        Value::Object(parts) => {
            for (name, part) in parts {
                numbers(&format!("{path}.{name}"), part, found);
            }
        }
        Value::Number(number) if number.is_f64() => found.push((path.to_owned(), value)),
        _ => {}
    }
}

#[test]
fn snapshots_are_refused_or_driven_on_from_whatever_their_numbers() {
    const EXTREMES: [f64; 7] = [1e-40, 1e-9, 7.0, 1e6, 1e10, 1e20, 1e38];
    let (mut world, mut car) = limited_slip_car();
    for number in 0..120 {
        step(&mut world, &mut car, number);
    }
    let good = car.snapshot(&world.bodies).expect("a body");
    let mut tree = serde_json::to_value(&good).expect("plain data");
    let mut found = Vec::new();
    numbers("", &mut tree, &mut found);
    let (count, mut refused) = (found.len(), 0);
    let mut failures = Vec::new();
    for index in 0..count {
        for extreme in EXTREMES.into_iter().flat_map(|extreme| [extreme, -extreme]) {
            let mut tree = serde_json::to_value(&good).expect("plain data");
            let mut found = Vec::new();
            numbers("", &mut tree, &mut found);
            let (path, number) = found.swap_remove(index);
            *number = Value::from(extreme);
            car.restore(&mut world, &good).expect("its own snapshot");
            let before = bits(&world, &mut car);
            let spoiled = serde_json::from_value(tree).expect("a snapshot");
            if let Err(error) = car.restore(&mut world, &spoiled) {
                refused += 1;
                assert_eq!(bits(&world, &mut car), before, "{path} = {extreme}: {error}");
            } else if let Err(error) = car.step(&mut world) {
                failures.push(format!("{path} = {extreme:e}: {error}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count * 4 < refused, "{refused} of {count} numbers, {} each", 2 * EXTREMES.len());
}

#[test]
fn bad_motion_is_refused_by_name() {
    type Spoil = fn(&mut VehicleSnapshot<EngineDriveMemory>);
    let (mut world, mut car) = limited_slip_car();
    for number in 0..60 {
        step(&mut world, &mut car, number);
    }
    let good = car.snapshot(&world.bodies).expect("a body");
    let before = bits(&world, &mut car);
    let faults: [(Spoil, &str); 6] = [
        (|snapshot| snapshot.body.pose.rotation.w = 3.0, "body.pose.rotation must be a unit"),
        (
            |snapshot| snapshot.body.pose.translation.x = Real::NAN,
            "body.pose.translation must be finite, got [NaN",
        ),
        (
            |snapshot| snapshot.body.linear_velocity.y = 1e15,
            "body.linear_velocity must be of a length of at most 1e7, got",
        ),
        (
            |snapshot| snapshot.vehicle.mechanics.rigid_body.pose.rotation.x = 1.0,
            "mechanics.rigid_body.pose.rotation must be a unit quaternion",
        ),
        (
            |snapshot| snapshot.vehicle.mechanics.wheels[1].rotation_speed = 1e9,
            "mechanics.wheels[1].rotation_speed must be within [-1e6, 1e6], got 1000000000",
        ),
        (
            |snapshot| snapshot.vehicle.controls.gear = GearCommand::Gear(7),
            "controls.gear must be a gear below 7, got 7",
        ),
    ];
    for (spoil, message) in faults {
        let mut spoiled = good.clone();
        spoil(&mut spoiled);
        let error = car.restore(&mut world, &spoiled).expect_err(message).to_string();
        assert!(error.contains(message), "{error}, not {message}");
        assert_eq!(bits(&world, &mut car), before, "{message}");
    }
}

#[test]
fn bodies_that_are_new_to_the_world_move_after_a_vehicle_has_gone_back() {
    let (mut world, mut car, snapshot) = driving();
    let put = |world: &mut PhysicsWorld, x: Real| {
        let place = Vector::new(x, 50.0, 0.0);
        let kinds = [
            RigidBodyBuilder::dynamic().translation(place),
            RigidBodyBuilder::kinematic_velocity_based()
                .translation(place + Vector::Z * 5.0)
                .linvel(Vector::NEG_Y * 5.0),
        ];
        kinds.map(|body| world.insert(body, ColliderBuilder::cuboid(0.5, 0.5, 0.5)).0)
    };
    let early = put(&mut world, 20.0);
    car.restore(&mut world, &snapshot).expect("its own snapshot");
    let late = put(&mut world, 30.0);
    for number in 100..160 {
        step(&mut world, &mut car, number);
    }
    let fallen = |body: RigidBodyHandle| 50.0 - world.bodies[body].translation().y;
    for (early, late) in early.into_iter().zip(late) {
        let [early, late] = [early, late].map(fallen);
        assert!(4.0 < late && early == late, "{early} m and {late} m");
    }
}

#[test]
fn forces_on_links_and_colliders_of_wheels_that_cannot_be_are_refused() {
    let (mut world, mut car, good) = driving();
    let before = bits(&world, &mut car);
    let handle = |handle| serde_json::to_value(handle).expect("plain data");
    let other = world.insert_body(RigidBodyBuilder::fixed());
    let foreign = world.insert_collider(ColliderBuilder::ball(0.3), Some(other));
    let foreign = serde_json::to_value(foreign).expect("plain data");
    let mut refused = |field: &str, value: Value, expected: &str| {
        let mut bad = serde_json::to_value(&good).expect("plain data");
        bad[field] = value;
        let bad: VehicleSnapshot<_> = serde_json::from_value(bad).expect("its own form");
        let error = car.restore_with_world(&mut world.bodies, &bad).expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}");
        assert!(bits(&world, &mut car) == before, "{expected}: something has changed");
    };
    let force =
        json!({ "link": handle(other), "force": [1e30, 0.0, 0.0], "torque": [0.0, 0.0, 0.0] });
    refused("link_forces", json!([force]), "link_forces[0].force must be of a length of at most");
    let parts = |collider: &Value, count: usize| {
        let mut parts = serde_json::to_value(SnapshotParts::default()).expect("plain data");
        parts["wheel_colliders"] = json!({ "handles": vec![collider; count], "left_out": 0 });
        parts
    };
    let gone = serde_json::to_value(ColliderHandle::invalid()).expect("plain data");
    refused(
        "parts",
        parts(&gone, 3),
        "wheel_colliders must be of 4 elements, one per wheel, got 3",
    );
    refused(
        "parts",
        parts(&foreign, 4),
        "wheel_colliders[0] must be a collider of the vehicle's body",
    );
}
