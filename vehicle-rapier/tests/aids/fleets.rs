//! Aids in fleets, asleep, in the air and with trailers.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{AidsParams, AirControlParams, AntiLockMode};
use vehicle_rapier::fleet::Fleet;
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, Preset};

use crate::scene::{GRAVITY, Result, all_aids, anti_lock, on_road};

fn every_aid() -> AidsParams {
    AidsParams { air_control: Some(AirControlParams::default()), ..crate::every_aid() }
}

/// All presets that are driven, with every aid, apart from each other.
fn crowd() -> Result<(PhysicsWorld, Vec<AnyRapierVehicle>)> {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / 60.0;
    let road = ColliderBuilder::cuboid(2_000.0, 1.0, 2_000.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(0.5), None);
    let mut cars = Vec::new();
    for (number, preset) in Preset::ALL.iter().enumerate() {
        let model = AnyVehicle::preset(preset.name)?;
        let place = Vector::new(30.0 * number as Real, model.standing_height(GRAVITY) + 0.3, 0.0);
        let mut car = model.insert(&mut world, Pose::from_translation(place));
        car.vehicle.set_aids(every_aid())?;
        cars.push(car);
    }
    world.detect_collisions(&(), &());
    Ok((world, cars))
}

fn drive(car: &mut AnyRapierVehicle, step: usize) {
    let commands = car.commands_mut();
    commands.throttle = if step < 120 { 1.0 } else { 0.0 };
    commands.brakes[0] = if 120 <= step { 1.0 } else { 0.0 };
    commands.steer = if step % 40 < 20 { 0.5 } else { -0.5 };
}

fn bits(car: &AnyRapierVehicle) -> Vec<u32> {
    let body = car.vehicle.body();
    let numbers = [body.pose.translation, body.linear_velocity, body.angular_velocity];
    numbers.iter().flat_map(Vector::to_array).map(Real::to_bits).collect()
}

#[test]
fn fleets_have_the_bits_of_each_vehicle_by_itself() -> Result {
    let (mut world, mut cars) = crowd()?;
    let mut active = 0;
    for step in 0..200 {
        for car in &mut cars {
            drive(car, step);
            car.update(&mut world)?;
            active |= car.vehicle.aided().report().active;
        }
        world.step();
    }
    assert!(3 < active.count_ones(), "aids that have acted: {active:b}");
    let expected: Vec<_> =
        cars.iter().map(|car| (bits(car), car.vehicle.aided().clone())).collect();
    for threads in [1, 2] {
        let (mut world, cars) = crowd()?;
        let mut fleet = Fleet::new();
        let handles: Vec<_> = cars.into_iter().map(|car| fleet.insert(car)).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| {
            for step in 0..200 {
                for &handle in &handles {
                    drive(&mut fleet[handle], step);
                }
                let faults = fleet.step(&mut world);
                assert!(faults.is_empty(), "{faults:?}");
            }
        });
        for ((handle, expected), preset) in handles.iter().zip(&expected).zip(Preset::ALL) {
            let car = &fleet[*handle];
            let found = (bits(car), car.vehicle.aided().clone());
            assert!(found == *expected, "{} on {threads} threads", preset.name);
        }
    }
    Ok(())
}

#[test]
fn vehicles_fall_asleep_with_aids_and_wake_as_they_were() -> Result {
    for preset in ["hot_hatch", "electric_car", "truck_6x6"] {
        let (mut world, mut car) = on_road(preset, every_aid(), [0.9; 2], 10.0, 60.0)?;
        let mut asleep = None;
        for step in 0..1_200 {
            car.commands_mut().brakes = [1.0, 1.0];
            if car.step(&mut world)? != Activity::Awake && asleep.is_none() {
                asleep = Some(step);
            }
        }
        let asleep = asleep.ok_or(format!("{preset} does not fall asleep"))?;
        let held = car.vehicle.aided().report().active;
        // It wakes by its throttle, and drives as one that has not slept.
        let mut speeds = Vec::new();
        for _ in 0..240 {
            car.commands_mut().brakes = [0.0; 2];
            car.commands_mut().throttle = 0.6;
            car.step(&mut world)?;
            speeds.push(car.forward_speed());
        }
        println!("{preset} sleeps at {asleep}, held {held:b}, then {:?} m/s", speeds.last());
        assert!(2.0 < speeds[239], "{preset}: {} m/s", speeds[239]);
        let backward = speeds.iter().copied().fold(Real::INFINITY, Real::min);
        assert!(-0.05 < backward, "{preset} rolls back at {backward} m/s");
    }
    Ok(())
}

#[test]
fn cars_that_fall_land_with_sane_aids() -> Result {
    for preset in ["hot_hatch", "sports_car", "electric_car", "truck_6x6"] {
        let (mut world, mut car) = on_road(preset, every_aid(), [0.8; 2], 20.0, 60.0)?;
        let up = car.pose(&world.bodies)?;
        car.teleport(&mut world.bodies, Pose::from_translation(Vector::Y * 2.0) * up)?;
        car.set_velocity(&mut world.bodies, Vector::Z * 20.0)?;
        for step in 0..360 {
            let commands = car.commands_mut();
            commands.throttle = if step < 60 { 1.0 } else { 0.3 };
            commands.brakes[0] = if (60..90).contains(&step) { 1.0 } else { 0.0 };
            car.step(&mut world)?;
        }
        let body = car.vehicle.body();
        let up = (body.pose.rotation * Vector::Y).y;
        let turned = crate::scene::heading(&car).to_degrees();
        println!(
            "{preset} lands: up {up}, turned by {turned} degrees, {} m/s",
            car.forward_speed()
        );
        assert!(0.98 < up && turned.abs() < 5.0, "{preset}: up {up}, turned by {turned} degrees");
    }
    Ok(())
}

/// How a train stops from 20 m/s on a road of this friction: way (m), and the largest angle of the
/// trailer to its tractor (degrees).
fn train_stop(preset: &Preset, aids: AidsParams, friction: Real) -> Result<[Real; 2]> {
    let coupling = preset.coupling.ok_or("no trailer")?;
    let (mut world, tractor) =
        on_road(preset.name, AidsParams::default(), [friction; 2], 0.0, 60.0)?;
    let mut tractor = tractor;
    let trailer = AnyVehicle::preset(coupling.trailer)?;
    let mut trailer =
        tractor.insert_trailer(coupling.own, &trailer, coupling.theirs, &mut world)?;
    tractor.vehicle.set_aids(aids)?;
    trailer.vehicle.set_aids(AidsParams { anti_lock: aids.anti_lock, ..AidsParams::default() })?;
    for step in 0..360 {
        if step < 300 {
            tractor.set_velocity(&mut world.bodies, Vector::Z * 20.0)?;
            trailer.set_velocity(&mut world.bodies, Vector::Z * 20.0)?;
        }
        tractor.update(&mut world)?;
        trailer.update(&mut world)?;
        world.step();
    }
    let start = tractor.pose(&world.bodies)?.translation.z;
    let mut angle: Real = 0.0;
    for _ in 0..1_200 {
        tractor.commands_mut().brakes[0] = 1.0;
        tractor.commands_mut().steer = 0.03;
        trailer.commands_mut().brakes[0] = 1.0;
        tractor.update(&mut world)?;
        trailer.update(&mut world)?;
        world.step();
        let ways = [&tractor, &trailer].map(|it| it.vehicle.body().pose.rotation * Vector::Z);
        angle = angle.max(ways[0].cross(ways[1]).y.asin().abs());
        if tractor.forward_speed() < 0.1 {
            break;
        }
    }
    Ok([tractor.pose(&world.bodies)?.translation.z - start, angle.to_degrees()])
}

#[test]
fn trains_stop_without_jackknifing() -> Result {
    for preset in Preset::ALL.iter().filter(|it| it.coupling.is_some()) {
        let without = train_stop(preset, AidsParams::default(), 0.5)?;
        let alone = train_stop(preset, anti_lock(AntiLockMode::SlipTarget), 0.5)?;
        let with = train_stop(preset, all_aids(), 0.5)?;
        println!("{}: {with:?}, anti-lock {alone:?}, without {without:?}", preset.name);
        assert!(with[1] < 10.0 && with[0] < 1.05 * without[0], "{}: {with:?}", preset.name);
    }
    Ok(())
}
