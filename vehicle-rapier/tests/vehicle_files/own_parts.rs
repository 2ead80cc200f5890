//! Parts of a user's own in vehicles from files: stages, and what these remember.

use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

use rapier3d::prelude::*;
use snippets::anti_lock::{AntiLock, AntiLockBrake, AntiLockParams};
use snippets::scenes::level_world;
use vehicle_rapier::core::ComponentSequence;
use vehicle_rapier::core::sequence::{StateFault, UpdateError};
use vehicle_rapier::core::stages::Tire;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::fleet::Fleet;
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{AnyDriveControls, AnySnapshot, Preset};

const DT: Real = 1.0 / 60.0;

type Car = AnyRapierVehicle<AntiLock>;
type Stages = ComponentSequence<AnyDriveVehicle<AntiLock>>;

fn model(name: &str) -> AnyVehicle {
    AnyVehicle::preset(name).expect("valid")
}

fn place(model: &AnyVehicle) -> Pose {
    Pose::from_translation(Vector::Y * model.standing_height(9.81))
}

/// A vehicle with an anti-lock brake on slippery ground, at 20 m/s.
fn inserted(model: &AnyVehicle) -> (PhysicsWorld, Car) {
    let mut world = level_world(DT, 0.2);
    let stages: Stages = model.sequence();
    let stages = stages.insert_after::<Tire>(AntiLockBrake).expect("tires");
    let params = AntiLockParams::default();
    let mut car =
        model.insert_with_own(&mut world, place(model), params, stages).expect("valid parameters");
    car.set_velocity(&mut world.bodies, Vector::Z * 20.0).expect("a body");
    (world, car)
}

fn brake(world: &mut PhysicsWorld, car: &mut Car, steps: usize) {
    car.commands_mut().brakes[0] = 1.0;
    for _ in 0..steps {
        car.step(world).expect("it can be driven");
    }
}

fn bits(world: &PhysicsWorld, car: &Car) -> Vec<u8> {
    postcard::to_stdvec(&car.snapshot(&world.bodies).expect("a body")).expect("plain data")
}

/// Pose and velocity of the body.
fn motion<Own: OwnState>(world: &PhysicsWorld, car: &AnyRapierVehicle<Own>) -> (Pose, Vector) {
    let body = &world.bodies[car.body()];
    (*body.position(), body.linvel())
}

#[test]
fn an_aid_works_on_every_preset_and_goes_on_with_the_same_bits() {
    for preset in Preset::ALL.iter().filter(|preset| preset.is_driven()) {
        let model = model(preset.name);
        let (mut world, mut car) = inserted(&model);
        brake(&mut world, &mut car, 30);
        let saved = car.snapshot(&world.bodies).expect("a body");
        let text = serde_json::to_string(&saved).expect("plain data");
        let mut least = 1.0;
        for _ in 0..60 {
            brake(&mut world, &mut car, 1);
            least = car.vehicle.own_state().shares.iter().copied().fold(least, Real::min);
        }
        let expected = bits(&world, &car);
        let loaded: AnySnapshot<AntiLock> = serde_json::from_str(&text).expect("its own");
        assert_eq!(loaded, saved, "{}", preset.name);
        car.restore(&mut world, &loaded).expect("its own");
        brake(&mut world, &mut car, 60);
        assert!(bits(&world, &car) == expected, "{}", preset.name);
        // A rider brakes so that no wheel locks, but lifts the rear one.
        let locks = model.file().rider.is_none();
        assert!(least < 0.9 || !locks, "{}: no brake lets go: {least}", preset.name);
    }
}

/// A component that goes wrong as the driver accelerates: in what the user has added.
fn spoil(car: &mut AnyDriveVehicle<AntiLock>, _: Real, _: &Context<'_>) -> ControlFlow<()> {
    if car.commands().throttle == 1.0 {
        car.own().state.shares[1] = Real::NAN;
    }
    Continue(())
}

#[test]
fn faults_of_ones_own_are_found_named_and_put_back() {
    let model = model("hot_hatch");
    let (mut world, mut car) = inserted(&model);
    let stages = Stages::clone(&car.sequence);
    car.sequence = stages.insert_after::<AntiLockBrake>(spoil).expect("the brake").into();
    brake(&mut world, &mut car, 10);
    let before = (car.vehicle.own_state().clone(), motion(&world, &car));
    car.commands_mut().throttle = 1.0;
    let error = car.step(&mut world).expect_err("a state that is not finite");
    assert!(error.to_string().contains("own.shares[1] is NaN"), "{error}");
    let StepError::Update(UpdateError::State(StateFault { stage, reason: None, .. })) = error
    else {
        panic!("{error}")
    };
    assert!(stage.contains("spoil"), "{stage}");
    car.commands_mut().throttle = 0.0;
    assert_eq!((car.vehicle.own_state().clone(), motion(&world, &car)), before);

    let share = car.vehicle.own().state.shares.pop();
    let error = car.step(&mut world).expect_err("a share is missing").to_string();
    assert_eq!(error, "own.shares must be of 4 elements, one per wheel, got 3");
    car.vehicle.own().state.shares.extend(share);
    brake(&mut world, &mut car, 10);

    let saved = car.snapshot(&world.bodies).expect("a body");
    let mut spoiled = saved.clone();
    spoiled.vehicle.own.demands.pop();
    let before = bits(&world, &car);
    let error = car.restore(&mut world, &spoiled).expect_err("a demand is missing").to_string();
    assert_eq!(error, "own.demands must be of 4 elements, one per wheel, got 3");
    assert!(bits(&world, &car) == before);
    car.restore(&mut world, &saved).expect("its own");

    let params = AntiLockParams { slip: 2.0, ..AntiLockParams::default() };
    let fault = "own.slip must be within [0, 1], got 2";
    let error = car.vehicle.set_own_params(params).expect_err(fault).to_string();
    assert_eq!((error.as_str(), car.vehicle.own_params().slip), (fault, 0.15));
    let (count, pose) = (world.bodies.len(), place(&model));
    let error = model.insert_with_own(&mut world, pose, params, model.sequence::<AntiLock>());
    assert_eq!(error.expect_err(fault).to_string(), fault);
    assert_eq!(world.bodies.len(), count, "nothing was put into the world");
}

#[test]
fn stages_of_another_drive_are_refused_by_name_and_the_vehicle_stays() {
    let kinds = ["semi_trailer", "hot_hatch", "motorcycle", "tank", "electric_car"].map(model);
    for (number, own) in kinds.iter().enumerate() {
        for (other_number, other) in kinds.iter().enumerate() {
            let mut world = level_world(DT, 1.0);
            let mut car = own.insert(&mut world, place(own));
            car.sequence = Arc::new(other.sequence());
            let before = motion(&world, &car);
            match car.step(&mut world) {
                Ok(_) => assert_eq!(number, other_number, "{:?}", own.file().name),
                Err(error) => {
                    assert_ne!(number, other_number, "{error}");
                    assert!(error.to_string().contains("of another kind of drive"), "{error}");
                    assert_eq!(motion(&world, &car), before);
                    car.sequence = Arc::new(own.sequence());
                    car.step(&mut world).expect("its own stages");
                }
            }
        }
    }
}

#[test]
fn orders_reach_vehicles_of_every_kind_in_a_fleet() {
    let mut world = level_world(DT, 1.0);
    let mut fleet = Fleet::new();
    let names = ["hot_hatch", "tank", "electric_car", "rc_car", "motorcycle"];
    let handles: Vec<_> = (0..)
        .zip(names)
        .map(|(number, name)| {
            let model = model(name);
            let mut pose = place(&model);
            pose.translation.x = 10.0 * number as Real;
            fleet.insert(model.insert(&mut world, pose))
        })
        .collect();
    let orders = fleet.orders::<AnyDriveVehicle>(names.len());
    let mut drive = |selector, throttle| {
        for step in 0..240 {
            for &handle in &handles {
                let commands = Commands { throttle, ..Commands::default() };
                let selector = (step == 0).then_some(selector);
                let controls = AnyDriveControls { commands, selector };
                orders.send(handle, controls).expect("there is room");
            }
            assert!(fleet.step(&mut world).is_empty());
        }
        handles.iter().map(|&handle| fleet[handle].forward_speed()).collect::<Vec<_>>()
    };
    for (name, speed) in names.iter().zip(drive(Selector::Reverse, 0.4)) {
        // A motorcycle has no reverse gear: its lever stays in neutral.
        assert!(speed < -0.5 || *name == "motorcycle", "{name} backs at {speed} m/s");
    }
    for (name, speed) in names.iter().zip(drive(Selector::Drive, 0.6)) {
        assert!(1.0 < speed, "{name} drives at {speed} m/s");
    }
}

/// A stage that only looks: it counts itself in what the user has added.
fn look(car: &mut AnyDriveVehicle<AntiLock>, _: Real, _: &Context<'_>) -> ControlFlow<()> {
    let own = car.own();
    own.state.demands[0] += Real::from(own.mechanics.state.suspensions.of(0).is_on_ground());
    Continue(())
}

/// How a vehicle begins.
#[derive(Clone, Copy, Debug)]
enum Start {
    Falling,
    OnItsRoof,
    Sweeping,
    Coupled,
}

/// Motion after two seconds of a vehicle of `model` that begins by `start` with `own` parts.
fn after_two_seconds<Own: OwnState>(
    model: &AnyVehicle,
    start: Start,
    own: Own::Params,
    stages: ComponentSequence<AnyDriveVehicle<Own>>,
) -> ((Pose, Vector), Own) {
    let mut world = level_world(DT, 1.0);
    let mut pose = place(model);
    match start {
        Start::Falling => pose.translation.y += 1.0,
        Start::OnItsRoof => {
            pose.rotation = Rotation::from_axis_angle(Vector::Z, 3.0);
            pose.translation.y += 2.0;
        }
        Start::Sweeping | Start::Coupled => {}
    }
    let mut car = model.insert_with_own(&mut world, pose, own, stages).expect("valid parameters");
    if matches!(start, Start::Sweeping) {
        car.road.shape = RoadQueryShape::Cylinder;
    }
    let hitch = model.file().hitches.first().filter(|_| matches!(start, Start::Coupled));
    let mut trailer = hitch.map(|hitch| {
        let is_semi = hitch.name == "fifth wheel";
        let kind = self::model(if is_semi { "semi_trailer" } else { "tandem_trailer" });
        let theirs = kind.file().hitches[0].name.clone();
        car.insert_trailer(&hitch.name, &kind, &theirs, &mut world).expect("both have hitches")
    });
    for step in 0..120 {
        let commands = car.commands_mut();
        (commands.throttle, commands.steer) = (0.5, 0.2 * (step as Real * 0.05).sin());
        if let Some(trailer) = &mut trailer {
            trailer.follow(&car.vehicle, &mut world.bodies);
            trailer.update(&mut world).expect("it can be driven");
        }
        car.step(&mut world).expect("it can be driven");
    }
    (motion(&world, &car), car.vehicle.own_state().clone())
}

#[test]
fn a_stage_that_only_looks_changes_no_bit_however_a_vehicle_begins() {
    for preset in Preset::ALL.iter().filter(|preset| preset.is_driven()) {
        let model = model(preset.name);
        for start in [Start::Falling, Start::OnItsRoof, Start::Sweeping, Start::Coupled] {
            let (plain, ()) = after_two_seconds(&model, start, (), model.sequence());
            let stages: Stages = model.sequence();
            let stages = stages.insert_after::<Tire>(look).expect("tires");
            let params = AntiLockParams::default();
            let (looked_at, own) = after_two_seconds(&model, start, params, stages);
            assert_eq!(looked_at, plain, "{}: {start:?}", preset.name);
            let stands = !matches!(start, Start::OnItsRoof);
            assert!(!stands || 0.0 < own.demands[0], "{}: {start:?}", preset.name);
        }
    }
}
