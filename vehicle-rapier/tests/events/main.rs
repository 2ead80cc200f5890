//! Events of vehicles in a world: what is told, that it does not depend on the step, and that
//! going back and driving again tells the same.

mod listening;

use std::collections::BTreeMap;

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{AidsParams, AntiLockParams};
use vehicle_rapier::drivetrain::engine::EngineParams;
use vehicle_rapier::drivetrain::engine_control::StallParams;
use vehicle_rapier::events::{EventParams, TimedEvent, VehicleEvent, VehicleEvents};
use vehicle_rapier::prelude::*;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

const GRAVITY: Real = 9.81;
const RATES: [Real; 4] = [30.0, 60.0, 120.0, 240.0];
/// Material of the ground in front of the car.
const GRAVEL: u128 = 7;

/// A floor of `length` (m) along +z from -50 m, at `height` (m).
fn floor(length: Real, height: Real) -> ColliderBuilder {
    let place = Vector::new(0.0, height - 1.0, 0.5 * length - 50.0);
    ColliderBuilder::cuboid(100.0, 1.0, 0.5 * length).translation(place).friction(1.0)
}

/// The world in steps of `rate` (1/s) with these `colliders`.
fn world_of(rate: Real, colliders: impl IntoIterator<Item = ColliderBuilder>) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    for collider in colliders {
        world.insert_collider(collider, None);
    }
    world.detect_collisions(&(), &());
    world
}

/// A preset that has settled on the ground of `world`, goes on at `speed` (m/s), and is listened
/// to.
fn car_at(world: &mut PhysicsWorld, preset: &str, speed: Real) -> Result<AnyRapierVehicle> {
    let model = AnyVehicle::preset(preset)?;
    let place = Pose::from_translation(Vector::Y * model.standing_height(GRAVITY));
    let mut car = model.insert(world, place);
    let rate = 1.0 / world.integration_parameters.dt;
    car.commands_mut().brakes[0] = 0.5;
    for _ in 0..(0.5 * rate) as usize {
        car.step(world)?;
    }
    car.commands_mut().brakes[0] = 0.0;
    car.set_velocity(&mut world.bodies, Vector::Z * speed)?;
    car.listen(EventParams::default())?;
    Ok(car)
}

/// What an event is without its numbers, by which those of two drives are told apart.
fn label(event: &VehicleEvent) -> String {
    let numbers = |text: String| text.split(", speed").next().unwrap_or_default().to_owned();
    match event {
        VehicleEvent::BodyHit { .. } => "BodyHit".to_owned(),
        _ => numbers(format!("{event:?}")),
    }
}

/// The times of each label (s).
fn by_label(events: &[TimedEvent]) -> BTreeMap<String, Vec<f64>> {
    let mut times = BTreeMap::<String, Vec<f64>>::new();
    for TimedEvent { time, event } in events {
        times.entry(label(event)).or_default().push(*time);
    }
    times
}

/// Drives a scene at all rates: each tells the same events, those that are `expected` among them,
/// with times within `tolerance` (s) of those of the finest step.
fn same_at_all_rates(
    tolerance: f64,
    expected: &[&str],
    scene: impl Fn(Real) -> Result<Vec<TimedEvent>>,
) -> Result {
    let finest = by_label(&scene(240.0)?);
    for expected in expected {
        assert!(finest.contains_key(*expected), "no {expected} in {finest:#?}");
    }
    for rate in RATES {
        let found = by_label(&scene(rate)?);
        let labels = |times: &BTreeMap<String, Vec<f64>>| {
            times.iter().map(|(label, times)| (label.clone(), times.len())).collect::<Vec<_>>()
        };
        assert_eq!(labels(&found), labels(&finest), "at {rate} Hz: {found:#?}, not {finest:#?}");
        // When the world lets a body sleep depends on the last of its settling.
        for (label, times) in found.iter().filter(|(label, _)| *label != "Sleeps") {
            for (time, fine) in times.iter().zip(&finest[label]) {
                let off = (time - fine).abs();
                assert!(off <= tolerance, "{label} at {rate} Hz: {time} s, not {fine} s");
            }
        }
    }
    Ok(())
}

/// Steps for `seconds`, as `drive` says from the time (s); all events.
fn drive(
    world: &mut PhysicsWorld,
    car: &mut AnyRapierVehicle,
    seconds: Real,
    mut drive: impl FnMut(&mut AnyRapierVehicle, Real),
) -> Result<Vec<TimedEvent>> {
    let dt = world.integration_parameters.dt;
    let mut events = Vec::new();
    for step in 0..(seconds / dt).round() as usize {
        drive(car, step as Real * dt);
        car.step(world)?;
        events.extend(car.drain_events());
    }
    assert_eq!(car.events().map(VehicleEvents::lost), Some(0));
    Ok(events)
}

/// Two steps of 30 Hz (s).
const TWO_FRAMES: f64 = 2.0 / 30.0;

#[test]
fn a_jump_is_told_wheel_by_wheel_and_ends_on_the_stops() -> Result {
    let scene = |rate| {
        let lower = floor(400.0, -1.5);
        let mut world = world_of(rate, [floor(60.0, 0.0), lower]);
        let mut car = car_at(&mut world, "hot_hatch", 15.0)?;
        car.select(Selector::Neutral);
        // Until all wheels have landed: how it bounces then depends on the step.
        drive(&mut world, &mut car, 1.55, |_, _| {})
    };
    let expected =
        ["WheelLeavesGround { wheel: 0 }", "WheelLands { wheel: 0", "WheelLands { wheel: 3"];
    same_at_all_rates(TWO_FRAMES, &expected, scene)?;
    let events = scene(240.0)?;
    let bottomed = |wheel| {
        let wheel_of = move |event: &TimedEvent| match event.event {
            VehicleEvent::SuspensionBottoms { wheel: bottomed, speed } => {
                (bottomed == wheel).then_some(speed)
            }
            _ => None,
        };
        events.iter().find_map(wheel_of)
    };
    assert!(bottomed(0).is_some_and(|speed| 1.0 < speed), "{events:#?}");
    for event in &events {
        if let VehicleEvent::WheelLands { speed, wheel } = event.event {
            // A fall of 1.5 m, less what the wheels droop, ends at √(2 g h) = 5.4 m/s at most.
            assert!((3.5..5.6).contains(&speed), "wheel {wheel} lands at {speed} m/s");
        }
    }
    Ok(())
}

#[test]
fn locked_wheels_a_stop_and_the_sleep_after_it_are_told() -> Result {
    let scene = |rate| {
        let mut world = world_of(rate, [floor(400.0, 0.0)]);
        let mut car = car_at(&mut world, "hot_hatch", 15.0)?;
        drive(&mut world, &mut car, 6.0, |car, time| {
            let brake = if time < 5.5 { 1.0 } else { 0.0 };
            car.commands_mut().brakes[0] = brake;
        })
    };
    let expected = ["WheelLocked { wheel: 0", "WheelRolls { wheel: 2 }", "Sleeps", "Wakes"];
    same_at_all_rates(TWO_FRAMES, &expected, scene)
}

#[test]
fn gears_are_told_as_they_are_chosen() -> Result {
    let scene = |rate| {
        let mut world = world_of(rate, [floor(400.0, 0.0)]);
        let mut car = car_at(&mut world, "electric_car", 0.0)?;
        drive(&mut world, &mut car, 2.0, |car, time| {
            car.commands_mut().brakes[0] = 1.0;
            let is_back = (0.5..1.0).contains(&time);
            car.select(if is_back { Selector::Reverse } else { Selector::Drive });
        })
    };
    let expected = ["GearChanged { from: Drive, to: Reverse(1) }"];
    same_at_all_rates(TWO_FRAMES, &expected, scene)?;
    let scene = |rate| {
        let mut world = world_of(rate, [floor(400.0, 0.0)]);
        let mut car = car_at(&mut world, "hot_hatch", 0.0)?;
        drive(&mut world, &mut car, 5.0, |car, _| car.commands_mut().throttle = 1.0)
    };
    let expected = ["GearChanged { from: Forward(1), to: Forward(2) }"];
    same_at_all_rates(TWO_FRAMES, &expected, scene)
}

#[test]
fn spinning_wheels_and_another_material_are_told() -> Result {
    let scene = |rate| {
        let gravel = ColliderBuilder::cuboid(100.0, 1.0, 200.0)
            .translation(Vector::new(0.0, -1.0, 205.0))
            .friction(0.9)
            .user_data(GRAVEL);
        let asphalt = floor(55.0, 0.0).friction(0.4);
        let mut world = world_of(rate, [asphalt, gravel]);
        let mut car = car_at(&mut world, "hot_hatch", 0.0)?;
        drive(&mut world, &mut car, 4.0, |car, time| {
            car.commands_mut().throttle = if time < 0.35 { 1.0 } else { 0.3 };
        })
    };
    let to_gravel = format!(
        "MaterialChanged {{ wheel: 0, from: {:?}, to: {:?} }}",
        vehicle_rapier::core::road_geometry::Material::default(),
        vehicle_rapier::core::road_geometry::Material::from(GRAVEL)
    );
    let expected = ["WheelSpins { wheel: 0", to_gravel.as_str()];
    same_at_all_rates(TWO_FRAMES, &expected, scene)
}

#[test]
fn the_material_that_a_wheel_first_lands_on_is_no_change() -> Result {
    for rate in RATES {
        let gravel = ColliderBuilder::cuboid(100.0, 1.0, 100.0)
            .translation(Vector::new(300.0, -1.0, 0.0))
            .user_data(GRAVEL);
        let mut world = world_of(rate, [floor(400.0, 0.0), gravel]);
        // It is put into the air above gravel, and falls on it.
        let model = AnyVehicle::preset("hot_hatch")?;
        let height = model.standing_height(GRAVITY) + 1.0;
        let above_gravel = Pose::from_translation(Vector::new(300.0, height, 0.0));
        let mut car = model.insert(&mut world, above_gravel);
        car.listen(EventParams::default())?;
        let spawned = drive(&mut world, &mut car, 2.0, |_, _| {})?;
        // The same from asphalt, where it has stood.
        let mut car = car_at(&mut world, "hot_hatch", 0.0)?;
        drive(&mut world, &mut car, 0.5, |_, _| {})?;
        let above_gravel = Pose::from_translation(Vector::new(330.0, height, 0.0));
        car.teleport(&mut world.bodies, above_gravel)?;
        let put = drive(&mut world, &mut car, 2.0, |_, _| {})?;
        for (what, events) in [("spawned", spawned), ("teleported", put)] {
            let times = by_label(&events);
            let has = |start: &str| times.keys().any(|label| label.starts_with(start));
            assert!(has("WheelLands"), "{what} at {rate} Hz: {times:#?}");
            assert!(!has("MaterialChanged"), "{what} at {rate} Hz: {times:#?}");
        }
    }
    Ok(())
}

#[test]
fn the_limiter_is_reached_once_however_often_it_cuts() -> Result {
    for preset in ["hot_hatch", "motorcycle", "tank"] {
        let scene = |rate| {
            let mut world = world_of(rate, [floor(400.0, 0.0)]);
            let mut car = car_at(&mut world, preset, 0.0)?;
            car.select(Selector::Neutral);
            drive(&mut world, &mut car, 8.0, |car, time| {
                let throttle = if (4.0..6.0).contains(&time) { 0.0 } else { 1.0 };
                car.commands_mut().throttle = throttle;
            })
        };
        let times = by_label(&scene(60.0)?);
        assert_eq!(times.get("LimiterReached").map(Vec::len), Some(2), "{preset}: {times:#?}");
        same_at_all_rates(TWO_FRAMES, &["LimiterReached"], scene)?;
    }
    Ok(())
}

#[test]
fn a_wall_is_one_hit_with_the_momentum_that_it_takes() -> Result {
    let speed = 6.0;
    let scene = |rate| {
        let wall = ColliderBuilder::cuboid(100.0, 2.0, 0.5).translation(Vector::new(0.0, 1.0, 9.0));
        let mut world = world_of(rate, [floor(400.0, 0.0), wall]);
        let mut car = car_at(&mut world, "hot_hatch", speed)?;
        car.select(Selector::Neutral);
        drive(&mut world, &mut car, 1.5, |_, _| {})
    };
    let mut times = Vec::new();
    for rate in RATES {
        let events = scene(rate)?;
        let hits: Vec<_> = events
            .iter()
            .filter_map(|event| match event.event {
                VehicleEvent::BodyHit { impulse } => Some((event.time, impulse)),
                _ => None,
            })
            .collect();
        assert_eq!(hits.len(), 1, "at {rate} Hz: {events:#?}");
        let (time, impulse) = hits[0];
        times.push(time);
        let mass = AnyVehicle::preset("hot_hatch")?.mechanics().rigid_body.mass;
        let share = -impulse.z / (mass * speed);
        // It has rolled for some meters, and its wheels push on while the wall gives way.
        assert!((0.85..1.1).contains(&share), "{share} of the momentum at {rate} Hz");
    }
    // What is added up until it is told ends with a step of its own.
    let spread = times[0] - times[3];
    assert!(spread.abs() <= 0.1, "hits at {times:?} s");
    Ok(())
}

#[test]
fn a_car_on_its_roof_is_hit_as_it_falls_and_not_for_ever() -> Result {
    for rate in RATES {
        let mut world = world_of(rate, [floor(400.0, 0.0)]);
        let mut car = car_at(&mut world, "hot_hatch", 0.0)?;
        let roof =
            Pose::from_parts(Vector::Y * 2.5, Rotation::from_rotation_z(std::f32::consts::PI));
        car.teleport(&mut world.bodies, roof)?;
        let events = drive(&mut world, &mut car, 6.0, |_, _| {})?;
        let hits = by_label(&events).remove("BodyHit").unwrap_or_default();
        let late = hits.iter().filter(|&&time| 3.0 < time).count();
        assert!(!hits.is_empty() && late == 0, "hits at {hits:?} s in steps of {rate} Hz");
    }
    Ok(())
}

#[test]
fn anti_lock_brakes_act_once_in_a_stop() -> Result {
    let scene = |rate| {
        let mut world = world_of(rate, [floor(400.0, 0.0)]);
        let mut car = car_at(&mut world, "hot_hatch", 25.0)?;
        let anti_lock = Some(AntiLockParams::default());
        car.vehicle.set_aids(AidsParams { anti_lock, ..AidsParams::default() })?;
        car.select(Selector::Neutral);
        drive(&mut world, &mut car, 2.0, |car, time| {
            car.commands_mut().brakes[0] = if time < 0.25 { 0.0 } else { 1.0 };
        })
    };
    same_at_all_rates(TWO_FRAMES, &["AidActs { aid: AntiLock }"], scene)
}

#[test]
fn an_engine_dies_against_the_brakes_and_is_started_again() -> Result {
    let scene = |rate| {
        let mut world = world_of(rate, [floor(400.0, 0.0)]);
        let mechanics = CarBlueprint::default().mechanics()?;
        let chassis = Chassis::new(&mechanics.rigid_body)
            .pose(Pose::from_translation(Vector::Y * 0.55))
            .collider(ColliderBuilder::cuboid(0.9, 0.3, 2.2).translation(Vector::Y * 0.3));
        let mut engine = EngineParams::default();
        engine.control.stall = Some(StallParams { speed: 40.0, starter_torque: 60.0 });
        let mut params = EngineDriveParams::automatic_with(engine, mechanics, &[2, 3]);
        params.drivetrain.autobox = None;
        params.drivetrain.clutch.automatic = None;
        let vehicle = EngineDriveVehicle::new(params)?;
        let sequence = EngineDriveVehicle::sequence();
        let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
        car.listen(EventParams::default())?;
        let first = car.vehicle.params().drivetrain.gearbox.first_gear().ok_or("no gear")?;
        car.vehicle.controls.gear = GearCommand::Gear(first);
        let mut events = Vec::new();
        for step in 0..(6.0 * rate) as usize {
            let time = step as Real / rate;
            car.vehicle.commands.brakes[0] = 1.0;
            car.vehicle.controls.clutch = if (1.0..2.5).contains(&time) { 0.0 } else { 1.0 };
            car.vehicle.controls.is_starting = 4.0 <= time;
            car.step(&mut world)?;
            events.extend(car.drain_events());
        }
        Ok(events)
    };
    same_at_all_rates(TWO_FRAMES, &["EngineStalled", "EngineStarted"], scene)
}
