//! Park, neutral and drive of all drivelines.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::blocks::{DrivelineCommands, Selector, ready_made};
use vehicle_rapier::drivetrain::instruments::{DisplayedGear, Instruments};

use crate::cars::{BlockCar, built, insert, mechanics_for};
use crate::common::{DT, drive};
use crate::slopes::{drive_straight, pedals, slope, standing};

/// The vehicle at rest on a slope that rises by `grade` per length, held by its brakes, the lever
/// at `selector`.
fn held(name: &str, grade: Real, selector: Selector, dt: Real) -> (PhysicsWorld, BlockCar) {
    let mut world = slope(grade, [1.0; 2]);
    world.integration_parameters.dt = dt;
    let (mechanics, height) = mechanics_for(name);
    let mut car = insert(&mut world, mechanics, built(name), standing(grade, height));
    car.vehicle.controls = DrivelineCommands { selector, ..DrivelineCommands::default() };
    car.vehicle.commands = pedals(0.0, 1.0);
    drive(&mut world, &mut car, 1.5);
    car.vehicle.commands = pedals(0.0, 0.0);
    (world, car)
}

fn place(world: &PhysicsWorld, car: &BlockCar) -> Vector {
    world.bodies[car.actor.body].translation()
}

#[test]
fn park_holds_every_driveline_on_a_slope() {
    for (name, _) in ready_made::ALL {
        for (grade, rate) in [(0.1, 60.0), (-0.1, 60.0), (0.2, 60.0), (0.1, 240.0), (0.1, 30.0)] {
            let (mut world, mut car) = held(name, grade, Selector::Park, 1.0 / rate);
            let before = place(&world, &car);
            drive(&mut world, &mut car, 4.0);
            let moved = place(&world, &car).distance(before);
            assert!(moved < 0.01, "{name} on {grade} at {rate} Hz: {moved} m");
            assert_eq!(car.vehicle.displayed_gear(), DisplayedGear::Park, "{name}");
        }
    }
}

#[test]
fn park_bears_the_throttle() {
    for (name, _) in ready_made::ALL {
        let (mut world, mut car) = held(name, 0.1, Selector::Park, DT);
        let before = place(&world, &car);
        car.vehicle.commands = pedals(1.0, 0.0);
        drive(&mut world, &mut car, 3.0);
        let moved = place(&world, &car).distance(before);
        assert!(moved < 0.01, "{name}: {moved} m");
    }
}

#[test]
fn neutral_lets_every_driveline_roll() {
    const SECONDS: Real = 4.0;
    for (name, _) in ready_made::ALL {
        let grade: Real = 0.1;
        let (mut world, mut car) = held(name, -grade, Selector::Neutral, DT);
        car.vehicle.commands = pedals(0.0, 0.0);
        drive_straight(&mut world, &mut car, SECONDS);
        let free = 9.81 * grade.atan().sin() * SECONDS;
        let speed = car.forward_speed();
        // Wheels and shafts turn up, and tires resist.
        assert!(0.75 * free < speed && speed < free, "{name}: {speed} m/s, not {free} m/s");
    }
}

#[test]
fn motors_neither_drive_nor_brake_in_neutral() {
    let lifted = |selector, throttle, seconds| {
        let mut tree = built("electric");
        for block in &mut tree.blocks {
            if let vehicle_rapier::drivetrain::blocks::Block::ElectricMotor(motor) =
                &mut block.block
            {
                motor.lift_regeneration = 0.2;
            }
        }
        let mut world = slope(0.0, [1.0; 2]);
        let (mechanics, height) = mechanics_for("electric");
        let mut car = insert(&mut world, mechanics, tree, standing(0.0, height));
        drive(&mut world, &mut car, 0.5);
        crate::common::roll(&mut world, &mut car, 20.0, 20.0 / 0.3);
        car.vehicle.controls = DrivelineCommands { selector, ..DrivelineCommands::default() };
        car.vehicle.commands = pedals(throttle, 0.0);
        drive_straight(&mut world, &mut car, seconds);
        car.forward_speed()
    };
    let (neutral, drive) = (lifted(Selector::Neutral, 0.0, 3.0), lifted(Selector::Drive, 0.0, 3.0));
    assert!(18.5 < neutral && drive < neutral - 2.0, "{neutral} m/s in neutral, {drive} in drive");
    let floored = lifted(Selector::Neutral, 1.0, 3.0);
    assert!((floored - neutral).abs() < 0.01, "{floored} m/s at full throttle, {neutral} without");
}

#[test]
fn an_automatic_that_rolls_backward_is_turned_around() {
    for (grade, seconds) in [(0.03, 6.0), (0.08, 6.0), (0.08, 10.0)] {
        let (mut world, mut car) = held("front", grade, Selector::Neutral, DT);
        drive_straight(&mut world, &mut car, seconds);
        let back = car.forward_speed();
        car.vehicle.controls.selector = Selector::Drive;
        car.vehicle.commands = pedals(1.0, 0.0);
        drive_straight(&mut world, &mut car, 12.0);
        let speed = car.forward_speed();
        println!("{back} m/s on {grade}, then {speed} m/s");
        assert!(back < -1.0 && 1.0 < speed, "{back} m/s on {grade}, then {speed} m/s");
    }
}

#[test]
fn an_automatic_does_not_hunt_at_a_steady_pedal() {
    for grade in [0.0, 0.04, 0.08, 0.125, 0.18] {
        for throttle in [0.15, 0.3, 0.5, 0.75, 1.0] {
            let (mut world, mut car) = held("front", grade, Selector::Drive, DT);
            car.vehicle.commands = pedals(throttle, 0.0);
            drive_straight(&mut world, &mut car, 20.0);
            let (mut gears, mut last) = (Vec::new(), car.vehicle.displayed_gear());
            for _ in 0..1200 {
                drive_straight(&mut world, &mut car, DT);
                let gear = car.vehicle.displayed_gear();
                if gear != last {
                    gears.push(gear);
                }
                last = gear;
            }
            assert!(gears.len() <= 3, "{grade} at {throttle}: {gears:?}");
        }
    }
}
