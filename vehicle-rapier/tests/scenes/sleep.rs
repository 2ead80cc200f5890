//! When vehicles fall asleep, and what wakes them.

use crate::common::{DT, car, drive};
use rapier3d::prelude::*;
use snippets::drive::Driven;
use snippets::drivetrains::{SampleDifferential, sample_engine_drive};
use snippets::scenes::{self, TruckSetting, level_world};
use snippets::schedule::Controls;
use snippets::truck::Truck;
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_chassis};
use vehicle_rapier::drivetrain::gearbox::GearCommand;
use vehicle_rapier::drivetrain::{DirectDriveVehicle, EngineDriveVehicle};
use vehicle_rapier::{Activity, Drivable, RapierVehicle};

/// Speed below which a vehicle has come to rest (m/s).
const REST_SPEED: Real = 0.01;

/// Time after which a vehicle at rest is to be asleep (s).
const TIME_TO_SLEEP: Real = 1.0;

/// Longest that anything here takes to come to rest and sleep (s).
const PATIENCE: Real = 12.0;

/// A world with something that can be driven.
trait Parked {
    fn world(&mut self) -> &mut PhysicsWorld;

    fn bodies(&self) -> Vec<RigidBodyHandle>;

    fn step(&mut self);

    /// Time until all of it sleeps (s), and time from which on it was slow (s).
    fn times(&mut self) -> (Real, Real) {
        let (mut time, mut at_rest) = (0.0, 0.0);
        let bodies = self.bodies();
        while bodies.iter().any(|&body| !self.world().bodies[body].is_sleeping()) {
            self.step();
            time += DT;
            let speed = |&body: &RigidBodyHandle| self.world().bodies[body].linvel().length();
            if REST_SPEED < bodies.iter().map(speed).fold(0.0, Real::max) {
                at_rest = time;
            }
            assert!(time < PATIENCE, "awake, at rest since {at_rest} s");
        }
        (time, at_rest)
    }
}

impl<V: Drivable> Parked for (PhysicsWorld, RapierVehicle<V>) {
    fn world(&mut self) -> &mut PhysicsWorld {
        &mut self.0
    }

    fn bodies(&self) -> Vec<RigidBodyHandle> {
        vec![self.1.actor.body]
    }

    fn step(&mut self) {
        self.1.step(&mut self.0).expect("the car can be driven");
    }
}

/// A truck whose driver holds these controls.
struct DrivenTruck {
    world: PhysicsWorld,
    truck: Truck,
    controls: Controls,
}

impl Parked for DrivenTruck {
    fn world(&mut self) -> &mut PhysicsWorld {
        &mut self.world
    }

    fn bodies(&self) -> Vec<RigidBodyHandle> {
        vec![self.truck.tractor.actor.body, self.truck.trailer.actor.body]
    }

    fn step(&mut self) {
        self.truck.update(&self.controls, &mut self.world).expect("the truck can be driven");
        self.world.step();
    }
}

fn direct_drive(brake: Real) -> (PhysicsWorld, RapierVehicle<DirectDriveVehicle>) {
    let mut world = level_world(DT, 1.0);
    let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
    car.vehicle.commands.brakes[0] = brake;
    (world, car)
}

fn engine_drive(brake: Real) -> (PhysicsWorld, RapierVehicle<EngineDriveVehicle>) {
    let mut world = level_world(DT, 1.0);
    let open = SampleDifferential::FourWheel { is_slip_limited: false };
    let params = sample_engine_drive(open).expect("valid data");
    let pose = Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT);
    let chassis = sample_chassis(&params.mechanics.rigid_body, pose);
    let vehicle = EngineDriveVehicle::new(params).expect("valid parameters");
    let sequence = EngineDriveVehicle::sequence();
    let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    car.vehicle.controls.gear = GearCommand::Gear(1);
    car.vehicle.commands.brakes[0] = brake;
    (world, car)
}

fn truck(brake: Real) -> DrivenTruck {
    let scene = scenes::truck(&TruckSetting::default()).expect("valid data");
    let mut controls = Controls::default();
    controls.commands.brakes[0] = brake;
    DrivenTruck { world: scene.world, truck: scene.driven, controls }
}

/// Builds something that is parked.
type Build = fn() -> Box<dyn Parked>;

/// Every kind of vehicle, parked with the brake or without.
fn parked() -> [(&'static str, Build); 5] {
    [
        ("direct drive, braked", || Box::new(direct_drive(1.0))),
        ("direct drive", || Box::new(direct_drive(0.0))),
        ("engine, braked", || Box::new(engine_drive(1.0))),
        ("engine", || Box::new(engine_drive(0.0))),
        ("truck, braked", || Box::new(truck(1.0))),
    ]
}

#[test]
fn vehicle_that_stands_in_balance_sleeps_within_a_second() {
    for (name, build) in parked() {
        // Where the springs are in balance.
        let mut settled = build();
        settled.times();
        let mut parked = build();
        for (from, to) in settled.bodies().into_iter().zip(parked.bodies()) {
            let pose = *settled.world().bodies[from].position();
            parked.world().bodies[to].set_position(pose, true);
        }
        let (asleep, _) = parked.times();
        assert!(asleep <= TIME_TO_SLEEP, "{name}: {asleep} s");
    }
}

#[test]
fn vehicle_sleeps_within_a_second_of_coming_to_rest() {
    for (name, build) in parked() {
        // Dropped, and thrown ahead where there is a brake.
        let speed = if name.ends_with("braked") { 3.0 } else { 0.0 };
        let mut dropped = build();
        for body in dropped.bodies() {
            let body = &mut dropped.world().bodies[body];
            body.set_translation(body.translation() + Vector::Y * 0.3, true);
            body.set_linvel(Vector::Z * speed, true);
        }
        let (asleep, at_rest) = dropped.times();
        let waited = asleep - at_rest;
        assert!(waited <= TIME_TO_SLEEP, "{name}: {waited} s after it came to rest at {at_rest} s");
    }
}

#[test]
fn bad_commands_of_a_sleeping_vehicle_are_refused() {
    let (mut world, mut car) = engine_drive(1.0);
    assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep);
    type Fault = (fn(&mut EngineDriveVehicle), &'static str);
    let faults: [Fault; 5] = [
        (|car| car.commands.brakes[0] = Real::NAN, "commands.brakes[0] must be within [0, 1]"),
        (|car| car.commands.steer = Real::NAN, "commands.steer must be within [-1, 1], got NaN"),
        (|car| car.controls.thrusts[1] = 2.0, "controls.thrusts[1] must be within [-1, 1]"),
        (|car| car.controls.clutch = -1.0, "controls.clutch must be within [0, 1], got -1"),
        (
            |car| car.controls.track_brakes[0] = 2.0,
            "controls.track_brakes[0] must be within [0, 1], got 2",
        ),
    ];
    for (spoil, message) in faults {
        let mut faulty = car.clone();
        spoil(&mut faulty.vehicle);
        let before = format!("{faulty:?}");
        let error = faulty.step(&mut world).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}, not {message}");
        assert_eq!(format!("{faulty:?}"), before, "{message}");
        assert!(world.bodies[car.actor.body].is_sleeping(), "{message}");
    }
    world.integration_parameters.dt = Real::NAN;
    let error = car.step(&mut world).unwrap_err().to_string();
    assert_eq!(error, "dt must be positive and finite, got NaN");
}

#[test]
fn clutch_and_a_hit_wake_a_sleeping_car() {
    let (mut world, mut car) = engine_drive(1.0);
    assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep);
    for clutch in [0.5, 0.0] {
        car.vehicle.controls.clutch = clutch;
        assert_eq!(drive(&mut world, &mut car, DT), Activity::Awake, "clutch {clutch}");
        assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep, "clutch {clutch}, held");
    }
    // A ball of half a tonne at 8 m/s, from the left.
    let center = world.bodies[car.actor.body].center_of_mass();
    let before = *world.bodies[car.actor.body].position();
    let ball = RigidBodyBuilder::dynamic()
        .translation(center + Vector::X * 3.0)
        .linvel(Vector::X * -8.0)
        .gravity_scale(0.0);
    world.insert(ball, ColliderBuilder::ball(0.3).density(500.0 / 0.113));
    let mut is_awake = false;
    for _ in 0..60 {
        is_awake |= car.step(&mut world).expect("the car can be driven") == Activity::Awake;
    }
    let moved = world.bodies[car.actor.body].translation().distance(before.translation);
    assert!(is_awake && 0.02 < moved, "awake {is_awake}, moved by {moved} m");
}
