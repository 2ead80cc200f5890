//! Who listens, who does not, and who goes back.

use rapier3d::prelude::*;
use vehicle_rapier::events::{EventParams, TimedEvent, VehicleEvent, VehicleEvents};
use vehicle_rapier::prelude::*;

use super::{Result, car_at, drive, floor, world_of};

/// Full throttle, then a hand brake with the wheel turned.
fn turn(car: &mut AnyRapierVehicle, time: Real) {
    let commands = car.commands_mut();
    let is_turning = 1.5 < time;
    commands.throttle = if is_turning { 0.0 } else { 1.0 };
    commands.brakes[1] = if is_turning { 1.0 } else { 0.0 };
    commands.steer = if is_turning { 0.5 } else { 0.0 };
}

#[test]
fn going_back_and_driving_again_tells_the_same() -> Result {
    // In the middle of a latch: the hand brake has just been pulled.
    for back in [1.45, 1.55, 1.6] {
        let mut world = world_of(60.0, [floor(400.0, 0.0).friction(0.5)]);
        let mut car = car_at(&mut world, "hot_hatch", 8.0)?;
        drive(&mut world, &mut car, back, turn)?;
        let snapshot = car.snapshot(&world.bodies)?;
        let go_on = |car: &mut AnyRapierVehicle, world: &mut PhysicsWorld| -> Result<Vec<_>> {
            for step in 0..60 {
                turn(car, back + step as Real / 60.0);
                car.step(world)?;
            }
            Ok(car.events().into_iter().flat_map(VehicleEvents::waiting).copied().collect())
        };
        let first = go_on(&mut car, &mut world)?;
        let is_lock = |event: &TimedEvent| matches!(event.event, VehicleEvent::WheelLocked { .. });
        assert!(first.iter().any(is_lock), "from {back} s: {first:#?}");
        car.restore(&mut world, &snapshot)?;
        assert_eq!(car.events().map(|events| events.waiting().count()), Some(0), "not forgotten");
        assert_eq!(go_on(&mut car, &mut world)?, first, "from {back} s");
        // Of one that is not listened to, as a server's.
        car.stop_listening();
        car.restore(&mut world, &snapshot)?;
        let silent = car.snapshot(&world.bodies)?;
        assert_eq!(silent.events, None);
        car.listen(EventParams::default())?;
        car.restore(&mut world, &silent)?;
        car.step(&mut world)?;
        assert_eq!(car.drain_events().count(), 0, "the first step tells nothing");
    }
    Ok(())
}

#[test]
fn a_snapshot_of_other_wheels_or_no_numbers_is_refused() -> Result {
    let mut world = world_of(60.0, [floor(400.0, 0.0)]);
    let mut car = car_at(&mut world, "hot_hatch", 8.0)?;
    car.step(&mut world)?;
    let mut snapshot = car.snapshot(&world.bodies)?;
    let events = snapshot.events.as_mut().ok_or("no events")?;
    events.wheels.pop();
    events.clock = f64::NAN;
    let fault = car.restore(&mut world, &snapshot).expect_err("two faults").to_string();
    assert!(fault.contains("events.wheels") && fault.contains("events.clock"), "{fault}");
    Ok(())
}

#[test]
fn listening_changes_no_bit_and_takes_nothing_in_a_step() -> Result {
    let drive = |listens: bool| -> Result<_> {
        let mut world = world_of(60.0, [floor(400.0, 0.0).friction(0.5)]);
        let mut car = car_at(&mut world, "hot_hatch", 8.0)?;
        if !listens {
            car.stop_listening();
        }
        let mut allocations = 0;
        for step in 0..200 {
            turn(&mut car, step as Real / 60.0);
            let _changed = world.bodies.get_mut(car.body());
            let counted = allocation_counter::measure(|| {
                car.update(&mut world).expect("the car can be driven");
            });
            world.step();
            // The first step takes memory for the copy of the state.
            allocations += if step < 2 { 0 } else { counted.count_total };
        }
        let told = car.events().map_or(0, |events| events.waiting().count());
        Ok((car.pose(&world.bodies)?, car.velocity(), allocations, told))
    };
    let (silent, told) = (drive(false)?, drive(true)?);
    assert_eq!((silent.0, silent.1), (told.0, told.1));
    assert_eq!((silent.2, told.2), (0, 0), "allocations");
    assert!(silent.3 == 0 && 4 < told.3, "{} and {} events", silent.3, told.3);
    Ok(())
}

#[test]
fn readings_take_nothing_once_there_is_room() -> Result {
    let mut world = world_of(60.0, [floor(400.0, 0.0)]);
    for preset in ["hot_hatch", "truck_6x6", "electric_car"] {
        let mut car = car_at(&mut world, preset, 0.0)?;
        car.step(&mut world)?;
        let mut readings = car.readings();
        let counted = allocation_counter::measure(|| car.read(&mut readings));
        assert_eq!(counted.count_total, 0, "{preset}");
        let _removed = car.remove(&mut world);
    }
    Ok(())
}

#[test]
fn what_is_not_drained_is_lost_from_the_oldest_and_counted() -> Result {
    let run = |capacity| -> Result<_> {
        let mut world = world_of(60.0, [floor(400.0, 0.0).friction(0.5)]);
        let mut car = car_at(&mut world, "hot_hatch", 8.0)?;
        car.listen(EventParams { capacity, ..EventParams::default() })?;
        for step in 0..200 {
            turn(&mut car, step as Real / 60.0);
            car.step(&mut world)?;
        }
        let lost = car.events().ok_or("nobody listens")?.lost();
        Ok((car.drain_events().collect::<Vec<_>>(), lost))
    };
    let (all, lost) = run(64)?;
    assert!(4 < all.len() && lost == 0, "{all:#?}");
    let (last, lost) = run(3)?;
    assert_eq!(last, all[all.len() - 3..]);
    assert_eq!(lost, all.len() as u64 - 3);
    Ok(())
}

/// All events of a fleet of every kind of drive, in `threads` threads.
fn fleet_events(threads: usize) -> Result<Vec<Vec<TimedEvent>>> {
    let mut world = world_of(60.0, [floor(600.0, 0.0)]);
    let mut fleet = Fleet::new();
    let presets = ["kart", "hot_hatch", "electric_car", "tank", "motorcycle", "truck_6x6"];
    let mut cars = Vec::new();
    for (place, preset) in presets.iter().enumerate() {
        let model = AnyVehicle::preset(preset)?;
        let place = Vector::new(12.0 * place as Real - 30.0, model.standing_height(9.81), 0.0);
        let mut car = model.insert(&mut world, Pose::from_translation(place));
        car.listen(EventParams::default())?;
        cars.push(fleet.insert(car));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut events = vec![Vec::new(); cars.len()];
    for step in 0..300 {
        for &car in &cars {
            let commands = fleet[car].commands_mut();
            commands.throttle = if step < 200 { 1.0 } else { 0.0 };
            commands.brakes[0] = if step < 200 { 0.0 } else { 1.0 };
        }
        let faults = pool.install(|| fleet.step(&mut world).len());
        assert_eq!(faults, 0);
        for (&car, events) in cars.iter().zip(&mut events) {
            events.extend(fleet[car].drain_events());
        }
    }
    Ok(events)
}

#[test]
fn fleets_tell_the_same_in_one_thread_and_in_two() -> Result {
    let (one, two) = (fleet_events(1)?, fleet_events(2)?);
    assert_eq!(one, two);
    for (events, what) in one.iter().zip(["kart", "hot_hatch", "electric_car", "tank"]) {
        assert!(!events.is_empty(), "{what} tells nothing");
    }
    Ok(())
}

#[test]
fn bad_thresholds_are_refused_before_anything_changes() -> Result {
    let mut world = world_of(60.0, [floor(400.0, 0.0)]);
    let mut car = car_at(&mut world, "hot_hatch", 8.0)?;
    let params = EventParams { air_time: -1.0, ..EventParams::default() };
    let fault = car.listen(params).expect_err("a negative time").to_string();
    assert_eq!(fault, "air_time must be finite and not negative, got -1");
    assert_eq!(car.events().map(|events| *events.params()), Some(EventParams::default()));
    Ok(())
}
