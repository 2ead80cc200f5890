//! Motors that brake: in the place of the brakes, no more than these, and what the battery gets of
//! it.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::BlockDriveVehicle;
use vehicle_rapier::drivetrain::blocks::{Block, BlockTree, DriverCommand, DriverLink};

use crate::cars::{BlockCar, built, forward, insert, mechanics_for};
use crate::common::{DT, roll};
use crate::slopes::{drive_straight, pedals, slope, standing};

/// The name of a motor, and its wheels.
type Motor = (&'static str, &'static [usize]);

/// Electric drivelines with their motors.
const MOTORS: [(&str, &[Motor]); 5] = [
    ("electric", &[("electric motor", &[2, 3])]),
    ("electric-two", &[("front motor", &[0, 1]), ("rear motor", &[2, 3])]),
    (
        "electric-four",
        &[("motor 0", &[0]), ("motor 1", &[1]), ("motor 2", &[2]), ("motor 3", &[3])],
    ),
    ("hybrid-parallel", &[("motor", &[0, 1])]),
    ("hybrid-power-split", &[("motor", &[0, 1])]),
];

/// The driveline `name` without motors that answer to the brake pedal.
fn without_regeneration(name: &str) -> BlockTree {
    let mut tree = built(name);
    for (motor, _) in motors(name) {
        let to = ((*motor).to_owned(), "regeneration".to_owned());
        tree.driver.push(DriverLink { command: DriverCommand::Nothing, to, factor: 0.0 });
    }
    tree
}

fn motors(name: &str) -> &'static [Motor] {
    MOTORS.iter().find(|(each, _)| *each == name).expect("a driveline").1
}

/// A car that rolls at `speed` (m/s) in a gear that suits it.
fn rolling(name: &str, tree: BlockTree, friction: Real, speed: Real) -> (PhysicsWorld, BlockCar) {
    let mut world = slope(0.0, [friction; 2]);
    let (mechanics, height) = mechanics_for(name);
    let radius = mechanics.wheels[0].radius;
    let mut car = insert(&mut world, mechanics, tree, standing(0.0, height));
    car.vehicle.controls = forward(name);
    car.vehicle.controls.gear = 4;
    // Half charged, so that there is room.
    let battery = car.vehicle.params().driveline.batteries[0].capacity;
    car.vehicle.state.drive.battery_energies[0] = f64::from(0.5 * battery);
    roll(&mut world, &mut car, speed, speed / radius);
    car.vehicle.controls.clutch = 1.0;
    drive_straight(&mut world, &mut car, 1.0);
    (world, car)
}

fn sensor(car: &BlockCar, block: &str, sensor: &str) -> f64 {
    car.vehicle.sensor(block, sensor).expect("a sensor")
}

#[test]
fn a_rear_drive_electric_car_brakes_hard_from_37_m_s_and_stays_straight() {
    let (mut world, mut car) = rolling("electric", built("electric"), 1.0, 37.0);
    for pedal in [0.6, 1.0] {
        car.vehicle.commands = pedals(0.0, pedal);
        let mut turned = 0.0_f32;
        for _ in 0..6 * 60 {
            drive_straight(&mut world, &mut car, 1.01 * DT);
            let heading = (*world.bodies[car.actor.body].rotation() * Vector::Z).x;
            turned = turned.max(heading.abs());
        }
        let speed = car.forward_speed();
        println!("pedal {pedal}: {turned} rad aside, {speed} m/s");
        assert!(turned < 0.02, "pedal {pedal}: {turned} rad");
        assert!(speed.abs() < 0.1, "pedal {pedal}: {speed} m/s");
        roll(&mut world, &mut car, 37.0, 37.0 / 0.31);
        car.vehicle.commands = pedals(0.0, 0.0);
        drive_straight(&mut world, &mut car, 1.0);
    }
}

#[test]
fn motors_brake_in_the_place_of_the_brakes_and_no_more() {
    for (name, motors) in MOTORS {
        for pedal in [0.1, 0.3, 0.6] {
            let (mut world, mut car) = rolling(name, built(name), 1.0, 25.0);
            // Speeds before a step are those of its only substep.
            car.sequence = BlockDriveVehicle::sequence_with_substeps(|_| 1).into();
            car.vehicle.commands = pedals(0.0, pedal);
            let mut most = 0.0_f64;
            for step in 0..120 {
                let before = car.vehicle.state.mechanics.wheels.clone();
                drive_straight(&mut world, &mut car, 1.01 * DT);
                for (motor, braked) in motors {
                    let taken = sensor(&car, motor, "brake power");
                    // Slow cars take several steps in a frame.
                    if before.of(braked[0]).rotation_speed < 20.0 {
                        continue;
                    }
                    // What brakes give way by is what the motor brakes with, at the speed before
                    // the step.
                    let power = -sensor(&car, motor, "power");
                    let is_motor_alone = name.starts_with("electric");
                    assert!(
                        !is_motor_alone || (taken - power).abs() < 0.05 * power + 1.0,
                        "{name}, {pedal}, step {step}: {taken} of {power} W"
                    );
                    let (mut asked, mut given) = (0.0, 0.0);
                    for &wheel in *braked {
                        let brake = f64::from(car.vehicle.state.mechanics.brake_torques[wheel]);
                        let speed = f64::from(before.of(wheel).rotation_speed).abs();
                        let left = sensor(&car, &format!("wheel {wheel}"), "brake torque").abs();
                        assert!(left <= brake * (1.0 + 1e-6), "{name}: {left} of {brake} N·m");
                        asked += brake * speed;
                        given += left * speed;
                    }
                    let excess = (given + taken) / asked - 1.0;
                    assert!(
                        excess.abs() < 1e-5,
                        "{name}, {pedal}, step {step}: {given} and {taken} for {asked} W"
                    );
                    most = most.max(taken / asked);
                }
            }
            println!("{name}, pedal {pedal}: motors take over {most} of the brakes' power");
            assert!(most < 1.0 + 1e-5, "{name}: {most}");
            assert!(0.1 < most || pedal > 0.2, "{name}, pedal {pedal}: {most}");
        }
    }
}

#[test]
fn a_car_stops_alike_with_and_without_regeneration() {
    for (name, _) in MOTORS {
        for pedal in [0.2, 0.6] {
            let distance = |tree: BlockTree| {
                let (mut world, mut car) = rolling(name, tree, 1.0, 25.0);
                let start = world.bodies[car.actor.body].translation().z;
                car.vehicle.commands = pedals(0.0, pedal);
                drive_straight(&mut world, &mut car, 15.0);
                assert!(car.forward_speed().abs() < 0.2, "{name}: {} m/s", car.forward_speed());
                world.bodies[car.actor.body].translation().z - start
            };
            let (with, without) = (distance(built(name)), distance(without_regeneration(name)));
            println!("{name}, pedal {pedal}: {with} m with regeneration, {without} m without");
            assert!((with - without).abs() < 0.03 * without, "{name}: {with}, {without} m");
        }
    }
}

#[test]
fn brakes_take_all_where_the_battery_is_full_or_the_motor_is_cut_off() {
    let stop = |name: &str, prepare: &dyn Fn(&mut BlockCar)| {
        let (mut world, mut car) = rolling(name, built(name), 1.0, 25.0);
        prepare(&mut car);
        drive_straight(&mut world, &mut car, 0.5);
        let start = world.bodies[car.actor.body].translation().z;
        car.vehicle.commands = pedals(0.0, 0.3);
        drive_straight(&mut world, &mut car, 12.0);
        world.bodies[car.actor.body].translation().z - start
    };
    let half = stop("electric", &|_| {});
    let full = stop("electric", &|car| {
        let most = f64::from(car.vehicle.params().driveline.batteries[0].capacity);
        car.vehicle.state.drive.battery_energies[0] = most;
    });
    assert!((half - full).abs() < 0.03 * half, "{half} m half full, {full} m full");
    let in_gear = stop("hybrid-parallel", &|_| {});
    let neutral = stop("hybrid-parallel", &|car| car.vehicle.controls.gear = 0);
    assert!((in_gear - neutral).abs() < 0.05 * in_gear, "{in_gear} m in gear, {neutral} m out");
}

#[test]
fn regenerated_energy_reaches_the_battery_and_no_more_than_there_was() {
    for (name, _) in MOTORS {
        let (mut world, mut car) = rolling(name, built(name), 1.0, 25.0);
        let mass = f64::from(car.vehicle.params().mechanics.rigid_body.mass);
        let kinetic = |car: &BlockCar| 0.5 * mass * f64::from(car.forward_speed()).powi(2);
        let charge = |car: &BlockCar| car.vehicle.state.drive.battery_energies[0];
        let (before, held) = (kinetic(&car), charge(&car));
        car.vehicle.commands = pedals(0.0, 0.15);
        drive_straight(&mut world, &mut car, 8.0);
        let (given, gained) = (before - kinetic(&car), charge(&car) - held);
        println!(
            "{name}: {before} J of motion give {given} J, of which the battery gets {gained} J"
        );
        // The rest goes to the brakes of the other axle, to motors and gears.
        assert!(0.1 * given < gained && gained < given, "{name}: {given} J, {gained} J");
    }
}

#[test]
fn a_motor_brakes_as_the_pedal_is_lifted_where_it_is_told_to() {
    let slowed = |part: Real| {
        let mut tree = built("electric");
        for named in &mut tree.blocks {
            if let Block::ElectricMotor(motor) = &mut named.block {
                motor.lift_regeneration = part;
            }
        }
        let (mut world, mut car) = rolling("electric", tree, 1.0, 20.0);
        let held = car.vehicle.state.drive.battery_energies[0];
        let speed = car.forward_speed();
        drive_straight(&mut world, &mut car, 2.0);
        let gained = car.vehicle.state.drive.battery_energies[0] - held;
        (speed - car.forward_speed(), gained)
    };
    let ((free, _), (braked, gained)) = (slowed(0.0), slowed(0.1));
    println!("{free} m/s slower without, {braked} m/s with, {gained} J gained");
    assert!(free + 0.8 < braked && 1e4 < gained, "{free}, {braked} m/s, {gained} J");
}
