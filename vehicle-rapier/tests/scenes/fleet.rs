//! Fleets: what their vehicles do, whoever does the work, and how they are found.

use crate::common::mixed::{
    Mixed, bits, bits_of, control_all, controls, direct_drive_car, drive_fleet, hilly_world,
    mixed_fleet, start,
};
use rapier3d::prelude::*;
use rayon::ThreadPoolBuilder;
use snippets::drive::Controlled;
use snippets::vehicles::sample_direct_drive;
use std::sync::Arc;
use vehicle_rapier::drivetrain::{DirectDriveVehicle, EngineDriveVehicle, TankVehicle};
use vehicle_rapier::fleet::{Fleet, TowError, UnknownVehicle, VehicleFault};
use vehicle_rapier::{ActorError, Detail, RapierVehicle, RoadQueryShape, StepError};

/// Updates vehicles one by one.
fn update_each<V: Controlled>(
    world: &mut PhysicsWorld,
    vehicles: &mut [RapierVehicle<V>],
    step: usize,
) {
    for (index, vehicle) in vehicles.iter_mut().enumerate() {
        vehicle.vehicle.take(&controls(index, step));
        vehicle.update(&mut *world).expect("the vehicle can be driven");
    }
}

#[test]
fn a_fleet_does_what_its_vehicles_do_alone() {
    const COUNT: usize = 4;
    const STEPS: usize = 300;
    let mut world = hilly_world();
    let Mixed { mut cars, mut engine_cars, mut tanks } = Mixed::new(&mut world, COUNT);
    for step in 0..STEPS {
        update_each(&mut world, &mut cars, step);
        update_each(&mut world, &mut engine_cars, step);
        update_each(&mut world, &mut tanks, step);
        world.step();
    }
    let alone: Vec<String> = cars
        .iter()
        .map(|car| bits_of(&world, car))
        .chain(engine_cars.iter().map(|car| bits_of(&world, car)))
        .chain(tanks.iter().map(|tank| bits_of(&world, tank)))
        .collect();
    let moved = |car: &RapierVehicle<DirectDriveVehicle>, index: usize| {
        world.bodies[car.actor.body].translation().distance(start(3 * index).translation)
    };
    assert!(cars.iter().enumerate().all(|(index, car)| 1.0 < moved(car, index)), "they drive");

    let (mut world, mut fleet, _) = mixed_fleet(COUNT);
    drive_fleet(&mut world, &mut fleet, 0..STEPS);
    for (vehicle, (alone, together)) in alone.iter().zip(bits(&world, &fleet)).enumerate() {
        assert_eq!(*alone, together, "vehicle {vehicle}");
    }
}

/// Cars of one type that differ in all else that a step of a fleet has to tell apart. These are
/// levels of detail, numbers of substeps, stages of their own, wheels with mass and swept wheels.
fn unlike_cars(world: &mut PhysicsWorld) -> Vec<RapierVehicle<DirectDriveVehicle>> {
    let mut heavy = sample_direct_drive().expect("valid data");
    heavy.mechanics = heavy.mechanics.with_unsprung_masses(9.81);
    let heavy = DirectDriveVehicle::new(heavy).expect("valid data");
    let single: Arc<_> = DirectDriveVehicle::sequence_with_substeps(|_| 1).into();
    let by_speed = |car: &DirectDriveVehicle| {
        let speed = car.state.mechanics.rigid_body.linear_velocity.length();
        if 3.0 < speed { 2 } else { 4 }
    };
    let by_speed: Arc<_> = DirectDriveVehicle::sequence_with_substeps(by_speed).into();
    let mut cars = Mixed::new(world, 21).cars;
    for (index, car) in cars.iter_mut().enumerate() {
        match index % 7 {
            1 => car.detail = Detail { road_period: 3, max_substeps: 2, ..Detail::FULL },
            2 => car.sequence = Arc::clone(&single),
            3 => car.vehicle = heavy.another(),
            4 => car.road.shape = RoadQueryShape::Cylinder,
            5 | 6 => car.sequence = Arc::clone(&by_speed),
            _ => {}
        }
    }
    cars
}

/// What the driver of one of these cars does in `step`. Every fifth brakes throughout; another asks
/// for what cannot be.
fn take_unlike(car: &mut DirectDriveVehicle, index: usize, step: usize) {
    car.take(&controls(index, step));
    if index % 5 == 4 {
        (car.commands.throttle, car.commands.brakes[0]) = (0.0, 1.0);
    }
    if index == 9 && (40..50).contains(&step) {
        car.commands.steer = Real::NAN;
    }
}

/// Bodies fly off, one after the other, faster than numbers can say.
fn throw(world: &mut PhysicsWorld, bodies: &[RigidBodyHandle], step: usize) {
    if step % 20 == 15 {
        world.bodies[bodies[step / 20]].set_linvel(Vector::X * Real::MAX, true);
    }
}

/// The time step of a world at `rate` (Hz), but for a hitch.
fn tick(world: &mut PhysicsWorld, rate: Real, step: usize) {
    world.integration_parameters.dt = if step == 101 { 0.2 } else { 1.0 / rate };
}

#[test]
fn unlike_cars_of_a_fleet_do_what_they_do_alone() {
    for rate in [30.0, 60.0, 240.0] {
        compare_unlike_cars(rate);
    }
}

fn compare_unlike_cars(rate: Real) {
    const STEPS: usize = 150;
    let mut world = hilly_world();
    let mut cars = unlike_cars(&mut world);
    let bodies: Vec<_> = cars.iter().map(|car| car.actor.body).collect();
    let mut faults_alone = Vec::new();
    for step in 0..STEPS {
        tick(&mut world, rate, step);
        throw(&mut world, &bodies, step);
        for (index, car) in cars.iter_mut().enumerate() {
            take_unlike(&mut car.vehicle, index, step);
            let outcome = car.update(&mut world);
            faults_alone.extend(outcome.err().map(|error| (step, error.to_string())));
        }
        world.step();
    }
    let alone: Vec<_> = cars.iter().map(|car| bits_of(&world, car)).collect();

    let (mut world, mut fleet) = (hilly_world(), Fleet::new());
    for car in unlike_cars(&mut world) {
        fleet.insert(car);
    }
    let mut faults = Vec::new();
    for step in 0..STEPS {
        tick(&mut world, rate, step);
        throw(&mut world, &bodies, step);
        for (index, (_, car)) in fleet.iter_mut::<DirectDriveVehicle>().enumerate() {
            take_unlike(&mut car.vehicle, index, step);
        }
        faults.extend(fleet.step(&mut world).iter().map(|fault| (step, fault.error.to_string())));
    }
    for (index, (_, car)) in fleet.iter::<DirectDriveVehicle>().enumerate() {
        assert!(bits_of(&world, car) == alone[index], "car {index} at {rate} Hz");
    }
    assert_eq!(faults, faults_alone, "{rate} Hz");
    assert!(faults.iter().any(|(_, fault)| fault.contains("steer")));
    assert!(faults.iter().any(|(_, fault)| fault.contains("body.linear_velocity")), "{faults:?}");
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    // Enough of each type for several tasks.
    let run = || {
        let (mut world, mut fleet, _) = mixed_fleet(32);
        drive_fleet(&mut world, &mut fleet, 0..90);
        bits(&world, &fleet)
    };
    let outside = run();
    for threads in [1, 2, 3, 8, 16] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        assert!(pool.install(run) == outside, "{threads} threads");
    }
}

#[test]
fn handles_stay_while_others_come_and_go() {
    let (mut world, mut fleet, handles) = mixed_fleet(4);
    let bodies: Vec<_> = handles.cars.iter().map(|&car| fleet[car].actor.body).collect();
    let removed = fleet.remove(handles.cars[1]).expect("it is there");
    assert_eq!(removed.actor.body, bodies[1]);
    removed.remove(&mut world);
    fleet.remove(handles.tanks[3]).expect("it is there").remove(&mut world);
    let newcomer = direct_drive_car(&mut world, start(20));
    let newcomer_body = newcomer.actor.body;
    let newcomer = fleet.insert(newcomer);

    assert_eq!(fleet.len(), 11);
    for car in [0, 2, 3] {
        assert_eq!(fleet[handles.cars[car]].actor.body, bodies[car], "car {car}");
        assert!(fleet.contains(handles.cars[car]));
    }
    // Its place is taken again, and its handle finds nothing all the same.
    assert_eq!(fleet[newcomer].actor.body, newcomer_body);
    assert_ne!(newcomer, handles.cars[1]);
    assert!(!fleet.contains(handles.cars[1]) && !fleet.contains(handles.tanks[3]));
    assert!(fleet.get(handles.cars[1]).is_none() && fleet.get_mut(handles.cars[1]).is_none());
    assert!(fleet.remove(handles.cars[1]).is_none() && fleet.remove(handles.tanks[3]).is_none());

    let cars = fleet.iter::<DirectDriveVehicle>();
    let found: Vec<_> = cars.map(|(car, vehicle)| (car, vehicle.actor.body)).collect();
    assert_eq!(found.len(), 4);
    for (car, body) in found {
        assert_eq!(fleet[car].actor.body, body);
    }
    drive_fleet(&mut world, &mut fleet, 0..30);
}

#[test]
fn a_fleet_without_vehicles_of_a_type_finds_none() {
    let mut fleet = Fleet::new();
    assert!(fleet.is_empty() && fleet.iter::<EngineDriveVehicle>().next().is_none());
    let mut world = hilly_world();
    assert_eq!(fleet.step(&mut world), []);
    let car = direct_drive_car(&mut world, start(0));
    let car = fleet.insert(car);
    assert!(!fleet.is_empty() && fleet.iter::<TankVehicle>().next().is_none());
    assert!(fleet.iter_mut::<TankVehicle>().next().is_none());
    // A vehicle of a fleet with more types than this one.
    let (_, _, handles) = mixed_fleet(1);
    assert!(fleet.get(handles.tanks[0]).is_none() && !fleet.contains(handles.tanks[0]));
    assert!(fleet.contains(car));
}

#[test]
#[should_panic(expected = "the fleet has no vehicle 0.1.0: was it removed?")]
fn the_index_of_a_removed_vehicle_is_named() {
    let (_, mut fleet, handles) = mixed_fleet(2);
    fleet.remove(handles.cars[1]);
    let _car = &fleet[handles.cars[1]];
}

#[test]
fn a_body_that_is_gone_is_a_fault_of_its_vehicle_alone() {
    let (mut world, mut fleet, handles) = mixed_fleet(2);
    drive_fleet(&mut world, &mut fleet, 0..30);
    let lost = handles.engine_cars[0];
    let body = fleet[lost].actor.body;
    world.remove_body(body);
    for step in 30..90 {
        control_all(&mut fleet, step);
        let faults = fleet.step(&mut world);
        let [VehicleFault { vehicle, error, .. }] = faults else { panic!("{faults:?}") };
        let expected = (&lost.id(), &ActorError::Removed(body).into());
        assert_eq!((vehicle, error), expected, "step {step}");
        let message = faults[0].to_string();
        assert!(message.starts_with("vehicle 1.0.0: the vehicle's body"), "{message}");
    }

    // The same without the vehicle. What is left keeps the commands of its old number.
    let (mut expected_world, mut expected, handles) = mixed_fleet(2);
    drive_fleet(&mut expected_world, &mut expected, 0..30);
    let removed = expected.remove(handles.engine_cars[0]).expect("it is there");
    removed.remove(&mut expected_world);
    for step in 30..90 {
        control_all(&mut expected, step);
        expected[handles.engine_cars[1]].vehicle.take(&controls(1, step));
        assert_eq!(expected.step(&mut expected_world), []);
    }
    fleet.remove(lost);
    assert!(bits(&world, &fleet) == bits(&expected_world, &expected));
}

#[test]
fn a_bad_command_is_a_fault_of_its_vehicle_alone() {
    let (mut expected_world, mut expected, _) = mixed_fleet(2);
    drive_fleet(&mut expected_world, &mut expected, 0..60);
    let expected = bits(&expected_world, &expected);

    let (mut world, mut fleet, handles) = mixed_fleet(2);
    drive_fleet(&mut world, &mut fleet, 0..30);
    let bad = handles.tanks[1];
    let last_state = format!("{:?}", fleet[bad].vehicle.state);
    for step in 30..60 {
        control_all(&mut fleet, step);
        fleet[bad].vehicle.commands.steer = Real::NAN;
        let faults = fleet.step(&mut world);
        let [fault] = faults else { panic!("{faults:?}") };
        assert_eq!(fault.vehicle, bad.id());
        assert!(matches!(fault.error, StepError::Update(_)), "{fault}");
        assert!(fault.to_string().contains("steer"), "{fault}");
        assert_eq!(format!("{:?}", fleet[bad].vehicle.state), last_state, "step {step}");
    }
    // The tank is the last of six.
    assert!(bits(&world, &fleet)[..5] == expected[..5]);
    drive_fleet(&mut world, &mut fleet, 60..90);
    assert_ne!(format!("{:?}", fleet[bad].vehicle.state), last_state, "it drives again");
}

#[test]
fn a_state_that_is_not_finite_is_put_back_in_its_vehicle_alone() {
    let (mut world, mut fleet, handles) = mixed_fleet(2);
    drive_fleet(&mut world, &mut fleet, 0..30);
    let bad = handles.cars[0];
    let body = fleet[bad].actor.body;
    world.bodies[body].set_linvel(Vector::X * Real::MAX, true);
    let before = format!("{:?}", fleet[bad].vehicle.state.mechanics.wheels);
    let faults = fleet.update(&mut world);
    let [fault] = faults else { panic!("{faults:?}") };
    assert_eq!(fault.vehicle, bad.id());
    assert_eq!(format!("{:?}", fleet[bad].vehicle.state.mechanics.wheels), before);
    assert_eq!(world.bodies[body].linvel(), Vector::X * Real::MAX, "the world is not changed");
}

#[test]
fn unknown_vehicles_cannot_tow() {
    let (_, mut fleet, handles) = mixed_fleet(2);
    let (tractor, trailer) = (handles.engine_cars[0], handles.cars[0]);
    assert_eq!(fleet.tow(tractor, trailer), Ok(()));
    fleet.remove(trailer);
    let unknown = TowError::Unknown(UnknownVehicle(trailer.id()));
    assert_eq!(fleet.tow(tractor, trailer), Err(unknown));
    assert_eq!(fleet.tow(trailer, tractor), Err(unknown));
}

#[test]
fn no_vehicle_pulls_itself_or_what_pulls_it() {
    let (_, mut fleet, handles) = mixed_fleet(4);
    let [a, b, c] = [handles.engine_cars[0].id(), handles.cars[0].id(), handles.cars[1].id()];
    assert_eq!(fleet.tow(a, a), Err(TowError::Itself(a)));
    assert_eq!(fleet.tow(a, b), Ok(()));
    assert_eq!(fleet.tow(a, b), Ok(()), "again");
    assert_eq!(fleet.tow(b, a), Err(TowError::Reversed { tractor: b, trailer: a }));
    assert_eq!(fleet.tow(b, c), Ok(()));
    assert_eq!(fleet.tow(c, a), Err(TowError::Reversed { tractor: c, trailer: a }));
    assert!(!fleet.untow(b, a) && fleet.untow(a, b));
    assert_eq!(fleet.tow(c, a), Ok(()));
}
