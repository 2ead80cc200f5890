//! Orders into fleets and recordings out of them, from and to other threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::common::mixed::{control_all, drive_fleet, mixed_fleet};
use rapier3d::prelude::*;
use snippets::schedule::Phase;
use vehicle_rapier::drivetrain::direct_drive::{DirectControls, Gear};
use vehicle_rapier::drivetrain::{DirectDriveVehicle, EngineDriveVehicle, TankVehicle};
use vehicle_rapier::fleet::VehicleId;
use vehicle_rapier::fleet::orders::{DriverControls, Refused};

fn throttle(throttle: Real) -> DriverControls<DirectControls> {
    let commands = Phase::lasting(0.0).throttle(throttle).controls.commands;
    DriverControls { commands, controls: DirectControls { gear: Gear::Forward } }
}

#[test]
fn the_last_order_for_a_vehicle_holds_whichever_thread_sends_it() {
    let (mut world, mut fleet, handles) = mixed_fleet(8);
    let orders = fleet.orders::<DirectDriveVehicle>(800);
    let last = |driver: usize| throttle(0.1 * driver as Real);
    thread::scope(|scope| {
        for (driver, &car) in handles.cars.iter().enumerate() {
            let orders = orders.clone();
            scope.spawn(move || {
                for _ in 0..99 {
                    orders.send(car, throttle(1.0)).expect("there is room");
                }
                orders.send(car, last(driver)).expect("there is room");
            });
        }
    });
    assert_eq!(fleet.step(&mut world), []);
    for (driver, &car) in handles.cars.iter().enumerate() {
        let vehicle = &fleet[car].vehicle;
        assert_eq!(
            (vehicle.commands, vehicle.controls.gear),
            (last(driver).commands, Gear::Forward)
        );
    }
    // It holds until there is another.
    assert_eq!(fleet.step(&mut world), []);
    assert_eq!(fleet[handles.cars[7]].vehicle.commands, last(7).commands);
    assert_eq!(orders.unknown(), 0);
}

#[test]
fn engines_and_tanks_take_orders_with_gear_and_thrusts() {
    let (mut world, mut fleet, handles) = mixed_fleet(1);
    let phase = Phase::lasting(0.0).throttle(0.4).thrusts([1.0, -1.0]).track_brakes([0.0, 0.3]);
    let controls = phase.gear(3).controls;
    let order = DriverControls { commands: controls.commands, controls: controls.transmission };
    let (engine_cars, tanks) =
        (fleet.orders::<EngineDriveVehicle>(1), fleet.orders::<TankVehicle>(1));
    engine_cars.send(handles.engine_cars[0], order).expect("there is room");
    tanks.send(handles.tanks[0], order).expect("there is room");
    assert_eq!(fleet.step(&mut world), []);
    let (car, tank) = (&fleet[handles.engine_cars[0]].vehicle, &fleet[handles.tanks[0]].vehicle);
    assert_eq!((car.commands, car.controls), (order.commands, order.controls));
    assert_eq!((tank.commands, tank.controls), (order.commands, order.controls));
}

#[test]
fn drivers_are_told_of_orders_that_are_not_carried_out() {
    let (mut world, mut fleet, handles) = mixed_fleet(2);
    let orders = fleet.orders::<DirectDriveVehicle>(2);
    let [stays, goes] = [handles.cars[0], handles.cars[1]];
    fleet.remove(goes).expect("it is there").remove(&mut world);
    orders.send(goes, throttle(0.1)).expect("there is room");
    orders.send(stays, throttle(0.2)).expect("there is room");
    let refused = orders.send(stays, throttle(0.3)).expect_err("two wait");
    assert_eq!(refused, Refused::Full(throttle(0.3)));
    assert_eq!(
        refused.to_string(),
        "as many orders wait for the fleet's next step as there is room for"
    );
    assert_eq!(orders.unknown(), 0);
    assert_eq!(fleet.step(&mut world), []);
    assert_eq!(orders.unknown(), 1);
    assert_eq!(fleet[stays].vehicle.commands, throttle(0.2).commands);
    orders.send(stays, throttle(0.4)).expect("there is room again");
    drop(fleet);
    let refused = orders.send(stays, throttle(0.5)).expect_err("nobody listens");
    assert_eq!(refused, Refused::Closed(throttle(0.5)));
    assert_eq!(refused.to_string(), "the fleet is no more");
}

#[test]
fn an_order_out_of_range_is_a_fault_at_the_step() {
    let (mut world, mut fleet, handles) = mixed_fleet(2);
    let orders = fleet.orders::<DirectDriveVehicle>(8);
    orders.send(handles.cars[1], throttle(1.5)).expect("there is room");
    let faults = fleet.step(&mut world);
    let [fault] = faults else { panic!("{faults:?}") };
    assert_eq!(fault.vehicle, handles.cars[1].id());
    let message = fault.to_string();
    for part in ["vehicle 0.1.0: ", "throttle must be ", "got 1.5"] {
        assert!(message.contains(part), "{part} is missing in {message}");
    }
    orders.send(handles.cars[1], throttle(1.0)).expect("there is room");
    assert_eq!(fleet.step(&mut world), []);
}

#[test]
fn a_recorder_gets_every_sample_in_order() {
    const STEPS: usize = 100;
    let (mut world, mut fleet, handles) = mixed_fleet(4);
    let recording = fleet.record::<TankVehicle, _>(4 * STEPS, |tank| {
        tank.vehicle.state.mechanics.rigid_body.pose.translation
    });
    let received = thread::scope(|scope| {
        let samples = recording.samples.clone();
        let recorder = scope.spawn(move || samples.iter().collect::<Vec<_>>());
        let mut told = Vec::new();
        for step in 0..STEPS {
            control_all(&mut fleet, step);
            assert_eq!(fleet.step(&mut world), []);
            for &tank in &handles.tanks {
                let place = fleet[tank].vehicle.state.mechanics.rigid_body.pose.translation;
                told.push((step as u64, VehicleId::from(tank), place));
            }
        }
        // The recorder sees the end of the fleet.
        drop(fleet);
        let received = recorder.join().expect("the recorder ends");
        let received: Vec<_> = received
            .into_iter()
            .map(|sample| (sample.step, sample.vehicle.id(), sample.value))
            .collect();
        assert!(received == told, "{} samples of {}", received.len(), told.len());
        received.len()
    });
    assert_eq!((received, recording.dropped()), (4 * STEPS, 0));
    // The fleet is no more: whoever waits is told so at once.
    assert!(recording.samples.is_empty());
    assert!(recording.samples.wait(Duration::from_secs(60)).is_none());
    assert_eq!(format!("{recording:?}"), "Recording { samples: Samples { len: 0 }, dropped: 0 }");
}

#[test]
fn a_recorder_that_sleeps_drops_samples_that_are_counted() {
    const STEPS: usize = 60;
    const VEHICLES: usize = 4;
    for naps in [None, Some(Duration::from_millis(1))] {
        let (mut world, mut fleet, _) = mixed_fleet(VEHICLES);
        let recording = fleet.record::<EngineDriveVehicle, _>(10, |_| ());
        let samples = recording.samples.clone();
        let recorder = naps.map(|nap| {
            thread::spawn(move || samples.iter().inspect(|_| thread::sleep(nap)).count())
        });
        drive_fleet(&mut world, &mut fleet, 0..STEPS);
        drop(fleet);
        let received = match recorder {
            Some(recorder) => recorder.join().expect("the recorder ends"),
            None => recording.samples.iter().count(),
        };
        let told = received as u64 + recording.dropped();
        assert_eq!(told, (VEHICLES * STEPS) as u64, "{naps:?}: {received} received");
        if naps.is_none() {
            assert_eq!(received, 10, "as many as there is room for");
        }
    }
}

#[test]
fn a_recording_stops_when_its_end_is_dropped() {
    let (mut world, mut fleet, _) = mixed_fleet(4);
    let told = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&told);
    let recording = fleet.record::<TankVehicle, _>(100, move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    drive_fleet(&mut world, &mut fleet, 0..5);
    assert_eq!(told.load(Ordering::Relaxed), 5 * 4);
    drop(recording);
    drive_fleet(&mut world, &mut fleet, 5..10);
    // The first vehicle that tells finds out.
    assert_eq!(told.load(Ordering::Relaxed), 5 * 4 + 1);
}

#[test]
fn sleeping_vehicles_and_new_ones_are_recorded() {
    let (mut world, mut fleet, handles) = mixed_fleet(1);
    let recording = fleet.record::<DirectDriveVehicle, _>(1_000, |_| ());
    let body = fleet[handles.cars[0]].actor.body;
    let mut steps = 0;
    while !world.bodies[body].is_sleeping() {
        fleet[handles.cars[0]].vehicle.commands.brakes[0] = 1.0;
        assert_eq!(fleet.step(&mut world), []);
        steps += 1;
        assert!(steps < 300, "a braked car falls asleep");
    }
    assert_eq!(fleet.step(&mut world), []);
    assert_eq!(recording.samples.try_iter().count(), steps + 1);
    let newcomer =
        crate::common::mixed::direct_drive_car(&mut world, crate::common::mixed::start(9));
    let newcomer = fleet.insert(newcomer);
    assert_eq!(fleet.step(&mut world), []);
    let vehicles: Vec<_> = recording.samples.try_iter().map(|sample| sample.vehicle).collect();
    assert_eq!(vehicles, [handles.cars[0], newcomer]);
}

#[test]
fn a_way_without_room_has_room_for_one() {
    let (mut world, mut fleet, handles) = mixed_fleet(2);
    let orders = fleet.orders::<DirectDriveVehicle>(0);
    let recording = fleet.record::<DirectDriveVehicle, _>(0, |_| ());
    orders.send(handles.cars[0], throttle(0.2)).expect("there is room for one");
    assert_eq!(fleet.step(&mut world), []);
    assert_eq!(fleet[handles.cars[0]].vehicle.commands, throttle(0.2).commands);
    assert_eq!((recording.samples.len(), recording.dropped()), (1, 1));
}
