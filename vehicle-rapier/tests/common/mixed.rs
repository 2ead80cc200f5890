//! Vehicles of three types side by side on gentle hills: cars with direct drive, cars with an
//! engine, tanks.

use std::fmt;

use rapier3d::prelude::*;
use snippets::crowd::{Models, hill_height, hills};
use snippets::drive::Controlled;
use snippets::schedule::{Controls, Phase};
use snippets::vehicles::SAMPLE_REST_HEIGHT;
use vehicle_rapier::drivetrain::{DirectDriveVehicle, EngineDriveVehicle, TankVehicle};
use vehicle_rapier::fleet::{Fleet, VehicleHandle};
use vehicle_rapier::{Drivable, RapierVehicle};

use super::grounds::drivable_world_of;

/// Distance between neighbors (m).
const SPACING: Real = 8.0;

/// Vehicles in a row.
const ROW_LENGTH: usize = 8;

/// A world of hills, 200 m wide.
pub fn hilly_world() -> PhysicsWorld {
    drivable_world_of([hills(100, 2.0)])
}

/// Where vehicle `index` starts (m).
pub fn start(index: usize) -> Pose {
    let (row, column) = ((index / ROW_LENGTH) as Real, (index % ROW_LENGTH) as Real);
    let (x, z) = (SPACING * (column - 3.5), SPACING * row - 60.0);
    Pose::from_translation(Vector::new(x, hill_height(x, z) + SAMPLE_REST_HEIGHT + 0.1, z))
}

/// Puts a car with direct drive into the world.
pub fn direct_drive_car(world: &mut PhysicsWorld, pose: Pose) -> RapierVehicle<DirectDriveVehicle> {
    models().car(world, pose).expect("valid parameters")
}

fn models() -> Models {
    Models::new().expect("valid data")
}

/// Vehicles of each type, their bodies in the world in turn.
pub struct Mixed {
    pub cars: Vec<RapierVehicle<DirectDriveVehicle>>,
    pub engine_cars: Vec<RapierVehicle<EngineDriveVehicle>>,
    pub tanks: Vec<RapierVehicle<TankVehicle>>,
}

impl Mixed {
    /// `count` vehicles of each type in `world`.
    pub fn new(world: &mut PhysicsWorld, count: usize) -> Self {
        let models = models();
        let mut mixed = Self { cars: Vec::new(), engine_cars: Vec::new(), tanks: Vec::new() };
        for index in 0..count {
            let place = |kind| start(3 * index + kind);
            let valid = "valid parameters";
            mixed.cars.push(models.car(world, place(0)).expect(valid));
            mixed.engine_cars.push(models.engine_car(world, place(1)).expect(valid));
            mixed.tanks.push(models.tank(world, place(2)).expect(valid));
        }
        mixed
    }
}

/// The vehicles of a fleet, by type.
pub struct Handles {
    pub cars: Vec<VehicleHandle<DirectDriveVehicle>>,
    pub engine_cars: Vec<VehicleHandle<EngineDriveVehicle>>,
    pub tanks: Vec<VehicleHandle<TankVehicle>>,
}

/// A fleet of `count` vehicles of each type on hills.
pub fn mixed_fleet(count: usize) -> (PhysicsWorld, Fleet, Handles) {
    let mut world = hilly_world();
    let Mixed { cars, engine_cars, tanks } = Mixed::new(&mut world, count);
    let mut fleet = Fleet::new();
    let handles = Handles {
        cars: cars.into_iter().map(|car| fleet.insert(car)).collect(),
        engine_cars: engine_cars.into_iter().map(|car| fleet.insert(car)).collect(),
        tanks: tanks.into_iter().map(|tank| fleet.insert(tank)).collect(),
    };
    (world, fleet, handles)
}

/// What the driver of vehicle `index` does in `step`: half a second each of something else.
pub fn controls(index: usize, step: usize) -> Controls {
    let phase = (step / 30 + index) % 6;
    let throttle = [0.6, 1.0, 0.0, 0.0, 0.3, 0.0][phase];
    let brake = [0.0, 0.0, 0.0, 0.7, 0.0, 1.0][phase];
    let steer = [0.0, 0.2, -0.4, 0.0, 1.0, 0.0][(phase + index) % 6];
    Phase::lasting(0.0)
        .throttle(throttle)
        .brakes([brake, brake])
        .steer(steer)
        .thrusts([1.0, 0.5 - steer])
        .controls
}

/// Gives every vehicle what its driver does in `step`.
pub fn control_all(fleet: &mut Fleet, step: usize) {
    control::<DirectDriveVehicle>(fleet, step);
    control::<EngineDriveVehicle>(fleet, step);
    control::<TankVehicle>(fleet, step);
}

fn control<V: Controlled + Send + Sync + 'static>(fleet: &mut Fleet, step: usize) {
    for (index, (_, vehicle)) in fleet.iter_mut::<V>().enumerate() {
        vehicle.vehicle.take(&controls(index, step));
    }
}

/// Drives a fleet through `steps` in which nothing goes wrong.
pub fn drive_fleet(
    world: &mut PhysicsWorld,
    fleet: &mut Fleet,
    steps: impl IntoIterator<Item = usize>,
) {
    for step in steps {
        control_all(fleet, step);
        assert_eq!(fleet.step(world), [], "step {step}");
    }
}

/// All bits of a vehicle and its body: single precision is printed so that it reads back the same.
pub fn bits_of<V: Drivable + fmt::Debug>(
    world: &PhysicsWorld,
    vehicle: &RapierVehicle<V>,
) -> String {
    let body = &world.bodies[vehicle.actor.body];
    let motion = (body.position(), body.linvel(), body.angvel(), body.is_sleeping());
    format!("{motion:?} {:?} {:?}", vehicle.actor, vehicle.vehicle)
}

/// All bits of a fleet of mixed vehicles and their bodies.
pub fn bits(world: &PhysicsWorld, fleet: &Fleet) -> Vec<String> {
    let cars = fleet.iter::<DirectDriveVehicle>().map(|(_, vehicle)| bits_of(world, vehicle));
    let engine_cars =
        fleet.iter::<EngineDriveVehicle>().map(|(_, vehicle)| bits_of(world, vehicle));
    let tanks = fleet.iter::<TankVehicle>().map(|(_, vehicle)| bits_of(world, vehicle));
    cars.chain(engine_cars).chain(tanks).collect()
}
