//! The power-split hybrid: its engine on the best line, its battery in a band, its engine at rest
//! where it can be.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::blocks::{Block, PowerSplitControl, SensorId};

use crate::cars::{BlockCar, built, forward, insert, mechanics_for};
use crate::common::DT;
use crate::slopes::{drive_straight, pedals, slope, standing};

const NAME: &str = "hybrid-power-split";

fn hybrid(charge: f64) -> (PhysicsWorld, BlockCar) {
    let mut world = slope(0.0, [1.0; 2]);
    let (mechanics, height) = mechanics_for(NAME);
    let mut car = insert(&mut world, mechanics, built(NAME), standing(0.0, height));
    car.vehicle.controls = forward(NAME);
    let capacity = f64::from(car.vehicle.params().driveline.batteries[0].capacity);
    car.vehicle.state.drive.battery_energies[0] = charge * capacity;
    (world, car)
}

fn control(car: &BlockCar) -> PowerSplitControl {
    let tree = &car.vehicle.params().driveline;
    let place = tree.find("control").expect("a control");
    match &tree.blocks[place].block {
        Block::PowerSplitControl(control) => control.clone(),
        _ => panic!("a control"),
    }
}

fn id(car: &BlockCar, block: &str, sensor: &str) -> SensorId {
    car.vehicle.driveline().sensor(block, sensor).expect("a sensor")
}

fn sensor(car: &BlockCar, block: &str, sensor: &str) -> f64 {
    car.vehicle.sensor(block, sensor).expect("a sensor")
}

fn charge(car: &BlockCar) -> f64 {
    sensor(car, "motor", "charge")
}

/// Keeps `speed` (m/s) for `seconds`.
fn cruise(world: &mut PhysicsWorld, car: &mut BlockCar, speed: Real, seconds: Real) {
    let mut integral = 0.0;
    for _ in 0..(seconds / DT) as usize {
        let error = speed - car.forward_speed();
        let asked = 0.3 * error + integral;
        if (0.0..1.0).contains(&asked) {
            integral += 0.02 * error * DT;
        }
        car.vehicle.commands = pedals(asked.clamp(0.0, 1.0), (-0.2 * error - 0.2).clamp(0.0, 1.0));
        drive_straight(world, car, 1.01 * DT);
    }
}

#[test]
fn it_drives_off_on_its_motor_alone() {
    let (mut world, mut car) = hybrid(0.62);
    car.vehicle.commands = pedals(0.15, 0.0);
    for _ in 0..240 {
        drive_straight(&mut world, &mut car, 1.01 * DT);
        assert_eq!(sensor(&car, "control", "engine on"), 0.0, "{} m/s", car.forward_speed());
        assert!(sensor(&car, "engine", "speed").abs() < 1.0, "the engine stands");
    }
    let speed = car.forward_speed();
    assert!(1.0 < speed, "{speed} m/s");
}

#[test]
fn its_engine_runs_on_its_best_line() {
    for speed in [20.0, 28.0, 34.0] {
        let (mut world, mut car) = hybrid(0.5);
        cruise(&mut world, &mut car, speed, 30.0);
        let control = control(&car);
        let ids = [
            id(&car, "control", "engine on"),
            id(&car, "control", "engine power"),
            id(&car, "engine", "speed"),
            id(&car, "engine", "power"),
        ];
        let (mut on, mut farthest, mut given, mut asked) = (0, 0.0_f64, 0.0, 0.0);
        for step in 0..900 {
            cruise(&mut world, &mut car, speed, 1.01 * DT);
            // The driver has just begun to hold the pedal otherwise.
            if step < 300 {
                continue;
            }
            let state = &car.vehicle.state.drive;
            let [is_on, power, engine, work] = ids.map(|id| state.sensor(id));
            if is_on == 1.0 {
                let best = f64::from(control.best_speed.evaluate(power as Real));
                farthest = farthest.max((engine - best).abs() / best);
                (on, given, asked) = (on + 1, given + work, asked + power);
            }
        }
        println!(
            "{speed} m/s: on in {on} of 600 steps, {farthest} off its best speed, {given} of {asked}"
        );
        assert!(540 < on, "{speed} m/s: on in {on} of 600 steps");
        assert!(farthest < 0.02, "{speed} m/s: {farthest} off its best speed");
        assert!((given / asked - 1.0).abs() < 0.15, "{speed} m/s: {given} of {asked} W");
    }
}

#[test]
fn its_battery_stays_in_the_band_whatever_it_starts_with() {
    for start in [0.3, 0.6, 0.9] {
        let (mut world, mut car) = hybrid(start);
        let (mut least, mut most) = (1.0_f64, 0.0_f64);
        for round in 0..8 {
            // Back to the middle of the road.
            let body = &mut world.bodies[car.actor.body];
            let height = body.translation().y;
            body.set_translation(Vector::Y * height, true);
            for speed in [12.0, 25.0, 8.0, 33.0, 0.0] {
                cruise(&mut world, &mut car, speed, 14.0);
                if 3 <= round {
                    (least, most) = (least.min(charge(&car)), most.max(charge(&car)));
                }
            }
        }
        println!("from {start}: {least} to {most}");
        assert!(0.42 < least && most < 0.78, "from {start}: {least} to {most}");
    }
}

#[test]
fn its_engine_does_not_start_and_stop_all_the_time() {
    for speed in [6.0, 10.0, 14.0, 18.0] {
        let (mut world, mut car) = hybrid(0.6);
        cruise(&mut world, &mut car, speed, 20.0);
        let mut starts = 0;
        let mut was_on = sensor(&car, "control", "engine on");
        for _ in 0..60 * 60 {
            cruise(&mut world, &mut car, speed, 1.01 * DT);
            let is_on = sensor(&car, "control", "engine on");
            starts += i32::from(is_on > was_on);
            was_on = is_on;
        }
        println!("{speed} m/s: {starts} starts in a minute");
        assert!(starts <= 4, "{speed} m/s: {starts} starts in a minute");
    }
}

#[test]
fn engine_and_battery_accelerate_it_together() {
    let (mut world, mut car) = hybrid(0.6);
    car.vehicle.commands = pedals(1.0, 0.0);
    let mut time = 0.0;
    while car.forward_speed() < 100.0 / 3.6 {
        drive_straight(&mut world, &mut car, 1.01 * DT);
        time += DT;
        assert!(time < 20.0, "{} m/s", car.forward_speed());
    }
    println!("100 km/h in {time} s");
    assert!(sensor(&car, "engine", "power") > 4e4, "{} W", sensor(&car, "engine", "power"));
    car.vehicle.controls.selector = vehicle_rapier::drivetrain::blocks::Selector::Reverse;
    car.vehicle.commands = pedals(0.0, 1.0);
    drive_straight(&mut world, &mut car, 8.0);
    car.vehicle.commands = pedals(0.3, 0.0);
    drive_straight(&mut world, &mut car, 4.0);
    assert!(car.forward_speed() < -1.0, "{} m/s", car.forward_speed());
}
