//! No shaft of a vehicle alternates from step to step, at 60 Hz and one substep, from rest to 80
//! m/s.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::drivetrain::BlockDriveVehicle;
use vehicle_rapier::drivetrain::blocks::{Block, DrivelineCommands, SensorId, ready_made};

use crate::cars::{BlockCar, built, forward, insert_with, mechanics_for};
use crate::common::{DT, roll};
use crate::slopes::{keep_straight, pedals};

/// Changes of a speed that count, as a part of it, and as a part of the fastest one
/// (dimensionless). Forces of tires have 32 bits, and where a steering shaft turns by the
/// difference of two tracks, their rounding moves it.
const CHANGE: [f64; 2] = [1e-3, 1e-5];
/// Changes of a speed that count at rest (rad/s).
const LEAST_CHANGE: f64 = 1e-5;
/// Steps over which none may alternate.
const CHANGES: usize = 8;
/// Steps in a row in which a speed may not change its sign each time.
const SIGNS: usize = 4;

/// The last speeds of all shafts.
struct Watch {
    name: String,
    speeds: Vec<Vec<f64>>,
    cuts: Vec<SensorId>,
}

impl Watch {
    fn new(name: String, car: &BlockCar) -> Self {
        let driveline = car.vehicle.driveline();
        let engines = driveline.tree().blocks.iter();
        let engines = engines.filter(|named| matches!(named.block, Block::Engine(_)));
        let cut = |name: &str| driveline.sensor(name, "fuel cut").expect("an engine");
        Self { name, speeds: Vec::new(), cuts: engines.map(|named| cut(&named.name)).collect() }
    }

    /// Looks at the speeds after a step. Where a limiter is at work, it begins anew.
    fn look(&mut self, car: &BlockCar, what: &str) {
        let state = &car.vehicle.state.drive;
        if self.cuts.iter().any(|&cut| state.sensor(cut) == 1.0) {
            self.speeds.clear();
        }
        self.speeds.push(state.speeds.clone());
        if CHANGES + 1 < self.speeds.len() {
            self.speeds.remove(0);
        }
        let fastest = state.speeds.iter().fold(0.0, |most: f64, speed| most.max(speed.abs()));
        let least = LEAST_CHANGE.max(CHANGE[1] * fastest);
        for shaft in 0..state.speeds.len() {
            let speeds: Vec<f64> = self.speeds.iter().map(|speeds| speeds[shaft]).collect();
            let changes = speeds.windows(2).map(|pair| {
                let (change, size) = (pair[1] - pair[0], pair[0].abs().max(pair[1].abs()));
                if change.abs() < (CHANGE[0] * size).max(least) { 0.0 } else { change }
            });
            let (name, speed) = (&self.name, car.forward_speed());
            let changes: Vec<f64> = changes.collect();
            let alternates = changes.len() == CHANGES && is_alternating(&changes);
            assert!(!alternates, "{name}, {what} at {speed} m/s, shaft {shaft}: {speeds:?}");
            let last = &speeds[speeds.len().saturating_sub(SIGNS)..];
            let counts = last.iter().all(|speed| least < speed.abs());
            let alternates = last.len() == SIGNS && counts && is_alternating(last);
            assert!(!alternates, "{name}, {what} at {speed} m/s, shaft {shaft}: {last:?}");
        }
    }
}

fn is_alternating(numbers: &[f64]) -> bool {
    numbers.windows(2).all(|pair| pair[0] * pair[1] < 0.0)
}

/// The highest gear that the engine bears at `speed` (m/s); 0 if none does.
fn gear_at(name: &str, speed: Real) -> i32 {
    let (ratios, reach): (&[Real], Real) = match name {
        // Speed of the vehicle per speed of the gearbox's output, at the largest speed of the
        // engine (m/s).
        "truck-6x4" | "truck-8x8" => (&[14.0, 11.0, 8.6, 6.8, 5.4, 4.3, 3.4, 2.7, 2.1], 28.0),
        "tank" => (&[8.0, 6.6, 5.4, 4.5, 3.7, 3.0, 2.5, 2.1, 1.7], 18.0),
        _ => (&[3.7, 2.02, 1.4, 1.08, 0.86, 0.69], 57.0),
    };
    let most = ratios.iter().position(|ratio| ratio * speed < reach);
    most.map_or(0, |gear| gear as i32 + 1)
}

fn drive(
    world: &mut PhysicsWorld,
    car: &mut BlockCar,
    watch: &mut Watch,
    what: &str,
    seconds: Real,
) {
    for _ in 0..(seconds / DT) as usize {
        keep_straight(world, car);
        car.step(world).expect("the vehicle can be driven");
        let is_solved = car.vehicle.solve_report().outcome.expect("a step").is_consistent;
        assert!(is_solved, "{}: {what}", watch.name);
        watch.look(car, what);
    }
}

/// From rest through some gears, coasting, to rest again.
fn start_and_stop(world: &mut PhysicsWorld, car: &mut BlockCar, watch: &mut Watch, name: &str) {
    let levers = forward(name);
    car.vehicle.commands = pedals(0.0, 1.0);
    drive(world, car, watch, "waiting", 1.0);
    car.vehicle.controls = DrivelineCommands { clutch: 0.5, ..levers };
    car.vehicle.commands = pedals(0.7, 0.0);
    drive(world, car, watch, "starting", 2.0);
    car.vehicle.controls.clutch = 0.0;
    drive(world, car, watch, "driving off", 3.0);
    for _ in 0..3 {
        car.vehicle.commands = pedals(0.0, 0.0);
        car.vehicle.controls.clutch = 1.0;
        car.vehicle.controls.gear += 1;
        drive(world, car, watch, "shifting", 0.4);
        car.vehicle.controls.clutch = 0.0;
        car.vehicle.commands = pedals(0.8, 0.0);
        drive(world, car, watch, "driving", 2.0);
    }
    car.vehicle.commands = pedals(0.0, 0.0);
    drive(world, car, watch, "coasting", 2.0);
    car.vehicle.commands = pedals(0.0, 0.4);
    drive(world, car, watch, "braking", 1.0);
    car.vehicle.controls.clutch = 1.0;
    drive(world, car, watch, "stopping", 6.0);
}

/// Rolls at `speed` (m/s), takes a gear, coasts, drives, shifts and brakes.
fn cruise(
    world: &mut PhysicsWorld,
    car: &mut BlockCar,
    watch: &mut Watch,
    name: &str,
    speed: Real,
) {
    let radius = car.vehicle.params().mechanics.wheels[0].radius;
    car.vehicle.commands = pedals(0.0, 0.0);
    car.vehicle.controls =
        DrivelineCommands { clutch: 1.0, gear: 0, ..DrivelineCommands::default() };
    drive(world, car, watch, "in neutral", 0.5);
    roll(world, car, speed, speed / radius);
    drive(world, car, watch, "rolling", 1.0);
    let gear = gear_at(name, speed);
    car.vehicle.controls = DrivelineCommands { clutch: 1.0, gear, ..DrivelineCommands::forward() };
    drive(world, car, watch, "in gear", 0.5);
    car.vehicle.controls.clutch = 0.0;
    drive(world, car, watch, "coasting", 2.0);
    car.vehicle.commands = pedals(0.6, 0.0);
    drive(world, car, watch, "driving", 2.0);
    if 0 < gear {
        car.vehicle.commands = pedals(0.0, 0.0);
        car.vehicle.controls =
            DrivelineCommands { clutch: 1.0, gear: gear + 1, ..car.vehicle.controls };
        drive(world, car, watch, "shifting", 0.4);
        car.vehicle.controls.clutch = 0.0;
        car.vehicle.commands = pedals(1.0, 0.0);
        drive(world, car, watch, "driving on", 1.0);
    }
    car.vehicle.commands = pedals(0.0, 0.4);
    drive(world, car, watch, "braking", 2.0);
}

fn keeps_smooth(drivelines: &[ready_made::ReadyMade]) {
    for (name, _) in drivelines {
        for friction in [1.0, 0.1] {
            let mut world = level_world(DT, friction);
            let (mechanics, height) = mechanics_for(name);
            let pose = Pose::from_translation(Vector::Y * height);
            let sequence = BlockDriveVehicle::sequence_with_substeps(|_| 1);
            let mut car = insert_with(&mut world, mechanics, built(name), pose, sequence);
            let mut watch = Watch::new(format!("{name} on {friction}"), &car);
            start_and_stop(&mut world, &mut car, &mut watch, name);
            for speed in [5.0, 10.0, 20.0, 40.0, 60.0, 80.0] {
                cruise(&mut world, &mut car, &mut watch, name, speed);
            }
        }
    }
}

#[test]
fn no_shaft_of_a_car_alternates_from_rest_to_80_m_s() {
    keeps_smooth(&ready_made::ALL[..6]);
}

#[test]
fn no_shaft_of_a_truck_or_tank_alternates_from_rest_to_80_m_s() {
    keeps_smooth(&ready_made::ALL[6..9]);
}

#[test]
fn no_shaft_of_an_electric_car_or_hybrid_alternates_from_rest_to_80_m_s() {
    keeps_smooth(&ready_made::ALL[9..]);
}
