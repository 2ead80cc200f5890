//! State of a user's own in ready-made vehicles: it is saved, restored, checked and put back with
//! them.

use std::ops::ControlFlow::{self, Continue};

use crate::common::{DT, drive};
use rapier3d::prelude::*;
use snippets::anti_lock::{AntiLock, AntiLockBrake, AntiLockParams};
use snippets::drivetrains::{SampleDifferential, sample_engine_drive};
use snippets::scenes::level_world;
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_chassis, sample_direct_drive};
use vehicle_rapier::core::sequence::{StateFault, UpdateError};
use vehicle_rapier::core::stages::Tire;
use vehicle_rapier::core::tire::BrushTire;
use vehicle_rapier::core::vehicle::HasOwn;
use vehicle_rapier::core::{ComponentSequence, Context, Persistent};
use vehicle_rapier::drivetrain::differential::DifferentialParams;
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::{DirectDriveVehicleWith, EngineDriveVehicleWith};
use vehicle_rapier::{Drivable, RapierVehicle, SnapshotError, StepError, VehicleSnapshot};

type DirectCar = DirectDriveVehicleWith<BrushTire, AntiLock>;
type EngineCar = EngineDriveVehicleWith<BrushTire, DifferentialParams, AntiLock>;

/// A car that a test can drive.
trait TestCar: Drivable + Persistent + HasOwn<Own = AntiLock> + Clone + 'static {
    const NAME: &'static str;

    fn build() -> (Self, ComponentSequence<Self>);

    /// Takes the pedals.
    fn press(&mut self, throttle: Real, brake: Real);
}

impl TestCar for DirectCar {
    const NAME: &'static str = "direct drive";

    fn build() -> (Self, ComponentSequence<Self>) {
        let params = sample_direct_drive().expect("valid data");
        let mut car = Self::with_own(params, AntiLockParams::default()).expect("valid parameters");
        car.controls.gear = Gear::Forward;
        (car, Self::sequence())
    }

    fn press(&mut self, throttle: Real, brake: Real) {
        (self.commands.throttle, self.commands.brakes[0]) = (throttle, brake);
    }
}

impl TestCar for EngineCar {
    const NAME: &'static str = "engine drive";

    fn build() -> (Self, ComponentSequence<Self>) {
        let params = sample_engine_drive(SampleDifferential::MultiWheel).expect("valid data");
        let car = Self::with_own(params, AntiLockParams::default()).expect("valid parameters");
        (car, Self::sequence())
    }

    fn press(&mut self, throttle: Real, brake: Real) {
        (self.commands.throttle, self.commands.brakes[0]) = (throttle, brake);
    }
}

fn inserted<V: TestCar>() -> (PhysicsWorld, RapierVehicle<V>) {
    let mut world = level_world(DT, 0.2);
    let (vehicle, sequence) = V::build();
    let pose = Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT);
    let chassis = sample_chassis(vehicle.body_params(), pose);
    let sequence = sequence.insert_after::<Tire>(AntiLockBrake).expect("tires");
    let car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    (world, car)
}

/// Accelerates, and brakes on slippery ground from step 150 on.
fn step<V: TestCar>(world: &mut PhysicsWorld, car: &mut RapierVehicle<V>, number: usize) {
    let (throttle, brake) = if number < 150 { (0.6, 0.0) } else { (0.0, 1.0) };
    car.vehicle.press(throttle, brake);
    car.step(world).expect("the car can be driven");
}

fn bits<V: TestCar>(world: &PhysicsWorld, car: &RapierVehicle<V>) -> Vec<u8> {
    postcard::to_stdvec(&car.snapshot(&world.bodies).expect("a body")).expect("plain data")
}

fn goes_on_with_the_same_bits<V: TestCar>() {
    let (mut world, mut car) = inserted::<V>();
    let mut fresh = car.clone();
    let (mut seen, mut snapshots, mut least) = (Vec::new(), Vec::new(), 1.0);
    for number in 0..300 {
        seen.push(bits(&world, &car));
        snapshots.push(car.snapshot(&world.bodies).expect("a body"));
        step(&mut world, &mut car, number);
        least = Real::min(least, car.vehicle.own().state.shares[0]);
    }
    assert!(least < 0.9, "{}: the brake lets go: {least}", V::NAME);
    for start in [20, 155, 170, 200] {
        let text = serde_json::to_string(&snapshots[start]).expect("plain data");
        let snapshot: VehicleSnapshot<V::Memory> = serde_json::from_str(&text).expect("its own");
        for car in [&mut car, &mut fresh] {
            car.restore(&mut world, &snapshot).expect("its own snapshot");
            for (number, seen) in seen.iter().enumerate().skip(start).take(60) {
                let is_same = bits(&world, car) == *seen;
                assert!(is_same, "{}: step {number} after a return to {start}", V::NAME);
                step(&mut world, car, number);
            }
        }
    }
}

#[test]
fn a_vehicle_with_state_of_ones_own_goes_on_with_the_same_bits() {
    goes_on_with_the_same_bits::<DirectCar>();
    goes_on_with_the_same_bits::<EngineCar>();
}

/// A component that goes wrong as the driver accelerates fully: in what the user has added.
fn spoil<V: TestCar>(vehicle: &mut V, _: Real, _: &Context<'_>) -> ControlFlow<()> {
    let own = vehicle.own();
    if own.mechanics.commands.throttle == 1.0 {
        own.state.shares[2] = Real::NAN;
    }
    Continue(())
}

fn faults_are_found_and_put_back<V: TestCar>() {
    let (mut world, mut car) = inserted::<V>();
    let sequence = V::build().1.insert_after::<Tire>(AntiLockBrake).expect("tires");
    car.sequence = sequence.insert_after::<AntiLockBrake>(spoil::<V>).expect("tires").into();
    for number in 140..170 {
        step(&mut world, &mut car, number);
    }
    let before = car.vehicle.own().state.clone();
    car.vehicle.press(1.0, 1.0);
    let error = car.step(&mut world).expect_err("a state that is not finite");
    let StepError::Update(UpdateError::State(StateFault { stage, .. })) = error else {
        panic!("{}: {error}", V::NAME)
    };
    assert!(stage.contains("spoil"), "{}: {stage}", V::NAME);
    car.vehicle.press(0.0, 1.0);
    assert_eq!(*car.vehicle.own().state, before, "{}: it was put back", V::NAME);

    // What was written from outside is found before a step, and so are lists of another length.
    car.vehicle.own().state.shares[1] = Real::NAN;
    let error = car.step(&mut world).expect_err("a state that is not finite");
    let place = Some("own.shares[1] is NaN".to_owned());
    assert_eq!(error, StepError::Update(UpdateError::NotFinite(place)), "{}", V::NAME);
    car.vehicle.own().state.shares[1] = 1.0;
    let share = car.vehicle.own().state.shares.pop();
    let error = car.step(&mut world).expect_err("a share is missing").to_string();
    let expected = "state.own.shares must be of 4 elements, one per wheel, got 3";
    assert_eq!(error, expected, "{}", V::NAME);
    car.vehicle.own().state.shares.extend(share);
    drive(&mut world, &mut car, 0.1);
}

#[test]
fn faults_of_ones_own_state_are_found_named_and_put_back() {
    faults_are_found_and_put_back::<DirectCar>();
    faults_are_found_and_put_back::<EngineCar>();
}

#[test]
fn snapshots_and_parameters_of_ones_own_are_refused_by_name() {
    let (mut world, mut car) = inserted::<DirectCar>();
    drive(&mut world, &mut car, 0.2);
    let good = car.snapshot(&world.bodies).expect("a body");
    let refused = |car: &mut RapierVehicle<DirectCar>, world: &mut PhysicsWorld, snapshot: &_| {
        let before = bits(world, car);
        let error = car.restore(world, snapshot).expect_err("a fault");
        assert!(matches!(error, SnapshotError::Memory(_)), "{error}");
        assert!(bits(world, car) == before, "{error}");
        error.to_string()
    };
    let mut spoiled = good.clone();
    spoiled.vehicle.own.demands.pop();
    let error = refused(&mut car, &mut world, &spoiled);
    assert_eq!(error, "own.demands must be of 4 elements, one per wheel, got 3");
    let mut spoiled = good.clone();
    spoiled.vehicle.own.shares[3] = Real::NAN;
    let error = refused(&mut car, &mut world, &spoiled);
    assert_eq!(error, "own must be finite, got a number that is not");
    car.restore(&mut world, &good).expect("its own snapshot");

    let params = AntiLockParams { slip: 2.0, ..AntiLockParams::default() };
    let fault = "own.slip must be within [0, 1], got 2";
    let error = car.vehicle.set_own_params(params).expect_err(fault).to_string();
    assert_eq!((error.as_str(), car.vehicle.own_params().slip), (fault, 0.15));
    let error = DirectCar::with_own(sample_direct_drive().expect("valid data"), params);
    assert_eq!(error.expect_err(fault).to_string(), fault);
}
