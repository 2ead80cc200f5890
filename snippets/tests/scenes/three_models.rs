//! The three models of one car in a world, and the changes between them.

use std::thread;

use anyhow::Result;
use rapier3d::glamx::DVec3;
use rapier3d::prelude::*;
use snippets::three_models::car::{Orders, WHEELS, WheelOrder};
use snippets::three_models::levels::{Level, LevelOfDetail, ModelCar, firm_world};

const GRAVITY: f64 = 9.81;
const DT: Real = 1.0 / 60.0;
const FREE: WheelOrder = WheelOrder { drive: 0.0, brake: 0.0, steer: 0.0 };

/// A car that stands on a slope that rises by so many degrees ahead of it.
fn standing(degrees: Real, friction: Real) -> Result<(PhysicsWorld, ModelCar)> {
    before_kerb(degrees, friction, None)
}

/// The same before a kerb of a height 6 m ahead (m), if there is one.
fn before_kerb(
    degrees: Real,
    friction: Real,
    kerb: Option<Real>,
) -> Result<(PhysicsWorld, ModelCar)> {
    let mut world = firm_world(DT);
    if let Some(height) = kerb {
        let kerb = ColliderBuilder::cuboid(20.0, 0.5 * height, 20.0).translation(Vector::new(
            0.0,
            0.5 * height,
            26.0,
        ));
        world.insert_collider(kerb.friction(1.0), None);
    }
    let tilt = Rotation::from_rotation_x(-degrees.to_radians());
    let ground = ColliderBuilder::cuboid(2_000.0, 1.0, 2_000.0)
        .position(Pose::from_parts(tilt * Vector::NEG_Y, tilt))
        .friction(friction);
    world.insert_collider(ground, None);
    world.detect_collisions(&(), &());
    let car = ModelCar::insert(&mut world, Pose::from_parts(tilt * Vector::Y * 0.55, tilt))?;
    Ok((world, car))
}

/// A car of `level` that has settled on level ground.
fn settled(level: Level) -> Result<(PhysicsWorld, ModelCar)> {
    let (mut world, mut car) = standing(0.0, 1.0)?;
    run(&mut world, &mut car, &[FREE; WHEELS], 1.0)?;
    car.change(&mut world, level)?;
    Ok((world, car))
}

fn run(world: &mut PhysicsWorld, car: &mut ModelCar, orders: &Orders, time: f64) -> Result<()> {
    for _ in 0..(time / f64::from(DT)).round() as usize {
        car.step(world, orders)?;
    }
    Ok(())
}

fn driven(torque: f64) -> Orders {
    let driven = WheelOrder { drive: torque, ..FREE };
    [FREE, FREE, driven, driven]
}

fn braked(torque: f64) -> Orders {
    [WheelOrder { brake: torque, ..FREE }; WHEELS]
}

fn speed_of(car: &ModelCar, world: &PhysicsWorld) -> Result<f64> {
    let motion = car.motion(world)?;
    Ok((motion.turn.inverse() * motion.velocity).z)
}

/// A minute of driving in circles: pulls away, turns in and out, brakes to a stop.
fn mixed(time: f64) -> Orders {
    let phase = time % 20.0;
    let smooth = |from: f64, to: f64| (phase - from).clamp(0.0, 1.0) * (to - phase).clamp(0.0, 1.0);
    let mut orders = driven(300.0 * smooth(0.0, 7.0));
    for order in &mut orders[..2] {
        order.steer = 0.08 + 0.04 * smooth(6.0, 10.0) - 0.04 * smooth(10.0, 13.0);
    }
    for order in &mut orders {
        order.brake = 400.0 * smooth(13.0, 19.0);
    }
    orders
}

#[test]
fn every_model_stands_as_its_springs_say() -> Result<()> {
    for level in Level::ALL {
        let (mut world, mut car) = settled(level)?;
        run(&mut world, &mut car, &[FREE; WHEELS], 5.0)?;
        let rest = car.data.rest_jounces(GRAVITY);
        for (wheel, rest) in car.wheels(&world)?.iter().zip(rest) {
            let what = format!("{}: {} m, {rest} m", level.name(), wheel.jounce);
            assert!((wheel.jounce / rest - 1.0).abs() < 0.01, "{what}");
        }
        let load: f64 = car.wheels(&world)?.iter().map(|wheel| wheel.load).sum();
        let weight = car.data.mass * GRAVITY;
        assert!((load / weight - 1.0).abs() < 2e-3, "{}: {load} N of {weight} N", level.name());
    }
    Ok(())
}

#[test]
fn rigid_wheels_are_not_held_back_by_their_spin() -> Result<()> {
    let (mut world, mut car) = settled(Level::RigidWheels)?;
    let torque = 1_100.0;
    let mut speeds = Vec::new();
    for _ in 0..2 {
        run(&mut world, &mut car, &driven(torque), 7.0)?;
        speeds.push(speed_of(&car, &world)?);
    }
    // Two driven wheels of 1.2 kg·m² and two that are dragged along.
    let wheel = &car.data.wheels[0];
    let mass = car.data.mass + 4.0 * wheel.inertia / wheel.radius.powi(2);
    let expected = 7.0 * 2.0 * torque / wheel.radius / mass;
    assert!(24.0 < speeds[0] && 60.0 < speeds[1], "{speeds:?} m/s");
    assert!((speeds[0] / expected - 1.0).abs() < 0.03, "{} m/s, {expected} m/s", speeds[0]);
    Ok(())
}

#[test]
fn joints_keep_wheels_in_their_places() -> Result<()> {
    let (mut world, mut car) = settled(Level::RigidWheels)?;
    let mut worst: [f64; 2] = [0.0; 2];
    for step in 0..1_500 {
        let mut orders = if step < 600 { driven(600.0) } else { [FREE; WHEELS] };
        if (600..900).contains(&step) {
            orders[..2].iter_mut().for_each(|order| order.steer = 0.03);
        } else if 900 <= step {
            orders = braked(400.0);
        }
        car.step(&mut world, &orders)?;
        let errors = car.joint_errors(&world)?;
        worst = [0, 1].map(|error| worst[error].max(errors[error]));
    }
    assert!(worst[0] < 2e-4, "{} m", worst[0]);
    assert!(worst[1] < 1e-3, "{} rad", worst[1]);
    Ok(())
}

#[test]
fn rigid_wheels_run_straight_without_wobble() -> Result<()> {
    let (mut world, mut car) = settled(Level::RigidWheels)?;
    run(&mut world, &mut car, &driven(1_100.0), 9.5)?;
    let mut worst: f64 = 0.0;
    let mut before = car.motion(&world)?.velocity;
    let speed = speed_of(&car, &world)?;
    for _ in 0..300 {
        car.step(&mut world, &[FREE; WHEELS])?;
        let now = car.motion(&world)?.velocity;
        worst = worst.max(((now - before) / f64::from(DT)).x.abs());
        before = now;
    }
    assert!((38.0..45.0).contains(&speed), "{speed} m/s");
    assert!(worst < 0.05 * GRAVITY, "{worst} m/s² at {speed} m/s");
    Ok(())
}

/// Way in which a car of `level` comes to a stop from `speed` (m/s), and its yaw rate in a bend
/// (rad/s).
fn figures(level: Level) -> Result<[f64; 2]> {
    let (mut world, mut car) = settled(level)?;
    run(&mut world, &mut car, &driven(600.0), 8.0)?;
    let mut bend = [FREE; WHEELS];
    bend[..2].iter_mut().for_each(|order| order.steer = 0.02);
    run(&mut world, &mut car, &bend, 3.0)?;
    let motion = car.motion(&world)?;
    let gain = motion.angular.y / speed_of(&car, &world)?;
    run(&mut world, &mut car, &[FREE; WHEELS], 1.0)?;
    let speed = speed_of(&car, &world)?;
    let before = car.motion(&world)?.place;
    run(&mut world, &mut car, &braked(900.0), 12.0)?;
    let way = car.motion(&world)?.place.distance(before);
    // By the distance from the same speed.
    Ok([way / speed.powi(2), gain])
}

#[test]
fn all_models_brake_and_turn_alike() -> Result<()> {
    let [way, gain] = figures(Level::Forces)?;
    for level in [Level::Constraints, Level::RigidWheels] {
        let [other_way, other_gain] = figures(level)?;
        assert!((other_way / way - 1.0).abs() < 0.03, "{}: way {other_way}, {way}", level.name());
        let what = format!("{}: yaw gain {other_gain}, {gain}", level.name());
        assert!((other_gain / gain - 1.0).abs() < 0.05, "{what}");
    }
    Ok(())
}

#[test]
fn a_drop_adds_no_energy() -> Result<()> {
    let (mut world, mut car) = standing(0.0, 1.0)?;
    let mut pose = *world.bodies[car.body()].position();
    pose.translation.y += 0.15;
    world.bodies[car.body()].set_position(pose, true);
    car.change(&mut world, Level::RigidWheels)?;
    let rest = 0.55;
    let top = car.motion(&world)?.place.y;
    let energy = |car: &ModelCar, world: &PhysicsWorld| -> Result<f64> {
        let motion = car.motion(world)?;
        let turning = motion.turn.inverse() * motion.angular;
        let wheels = car.wheels(world)?;
        let parts = wheels.iter().zip(&car.data.wheels).map(|(wheel, data)| {
            0.5 * data.stiffness * wheel.jounce.powi(2)
                + 0.5 * data.mass * wheel.jounce_speed.powi(2)
                + 0.5 * data.inertia * wheel.speed.powi(2)
        });
        let body = 0.5 * car.data.mass * motion.velocity.length_squared()
            + 0.5 * (car.data.inertia * turning).dot(turning);
        Ok(body + car.data.mass * GRAVITY * (motion.place.y - rest) + parts.sum::<f64>())
    };
    let first = energy(&car, &world)?;
    for step in 0..300 {
        car.step(&mut world, &[FREE; WHEELS])?;
        let (now, height) = (energy(&car, &world)?, car.motion(&world)?.place.y);
        assert!(height <= top, "step {step}: {height} m");
        assert!(now < 1.001 * first, "step {step}: {now} J of {first} J");
    }
    let at_rest = car.motion(&world)?;
    assert!((at_rest.place.y - rest).abs() < 2e-3 && at_rest.velocity.length() < 1e-2);
    Ok(())
}

/// A kerb of a part of the wheel's radius, 6 m ahead: how far the car comes.
fn over_kerb(level: Level, part: Real, speed: f64) -> Result<f64> {
    let (mut world, mut car) = before_kerb(0.0, 1.0, Some(0.33 * part))?;
    run(&mut world, &mut car, &[FREE; WHEELS], 1.0)?;
    car.change(&mut world, level)?;
    for _ in 0..600 {
        let missing = speed - speed_of(&car, &world)?;
        car.step(&mut world, &driven((300.0 * missing).clamp(0.0, 150.0)))?;
    }
    Ok(car.motion(&world)?.place.z)
}

#[test]
fn a_kerb_of_half_a_radius_stops_rigid_wheels_and_one_of_a_tenth_does_not() -> Result<()> {
    let front = 1.215;
    let low = over_kerb(Level::RigidWheels, 0.1, 1.0)?;
    let high = over_kerb(Level::RigidWheels, 0.5, 1.0)?;
    assert!(6.0 + 2.0 < low, "{low} m");
    assert!(high + front < 6.05, "{high} m");
    Ok(())
}

#[test]
fn a_change_while_driving_jumps_by_less_than_is_seen() -> Result<()> {
    let (mut world, mut car) = settled(Level::Forces)?;
    let dt = f64::from(DT);
    let (mut before, mut wheels) = (car.motion(&world)?, car.wheels(&world)?);
    let (mut gained, mut spun) = (DVec3::ZERO, [0.0; WHEELS]);
    let (mut seed, mut wait, mut count) = (1_u32, 50, [0; 9]);
    let mut worst: [f64; 3] = [0.0; 3];
    for step in 0..3_600 {
        wait -= 1;
        let changes = wait == 0;
        if changes {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            wait = 25 + (seed >> 26) as i32;
            let from = car.level() as usize;
            let to = (from + 1 + (seed >> 20 & 1) as usize) % 3;
            count[3 * from + to] += 1;
            car.change(&mut world, Level::ALL[to])?;
            let after = car.motion(&world)?;
            let scale = before.velocity.length().max(1.0);
            let error = after.velocity.distance(before.velocity) / scale;
            assert!(error < 1e-5, "step {step}: momentum by {error}");
            let error = after.angular.distance(before.angular) / before.angular.length().max(1.0);
            assert!(error < 5e-5, "step {step}: angular momentum by {error}");
        }
        car.step(&mut world, &mixed(step as f64 * dt))?;
        let (now, turning) = (car.motion(&world)?, car.wheels(&world)?);
        let change = now.velocity - before.velocity;
        let spin: [f64; WHEELS] =
            std::array::from_fn(|wheel| turning[wheel].speed - wheels[wheel].speed);
        if changes {
            let way = now.place - before.place - now.velocity * dt;
            let jump = (0..WHEELS).map(|wheel| (spin[wheel] - spun[wheel]).abs());
            let found = [way.length(), change.distance(gained), jump.fold(0.0, f64::max)];
            worst = [0, 1, 2].map(|it| worst[it].max(found[it]));
        }
        (gained, spun, before, wheels) = (change, spin, now, turning);
    }
    assert!([1, 2, 3, 5, 6, 7].iter().all(|pair| 4 < count[*pair]), "{count:?}");
    assert!(worst[0] < 1e-3, "{} m", worst[0]);
    assert!(worst[1] < 1e-2, "{} m/s", worst[1]);
    assert!(worst[2] < 0.1, "{} rad/s", worst[2]);
    Ok(())
}

#[test]
fn there_and_back_is_where_it_was() -> Result<()> {
    for (from, to) in Level::ALL.into_iter().flat_map(|from| Level::ALL.map(|to| (from, to))) {
        let (mut world, mut car) = settled(from)?;
        for step in 0..300 {
            car.step(&mut world, &mixed(step as f64 / 60.0))?;
        }
        let (before, wheels) = (car.motion(&world)?, car.wheels(&world)?);
        car.change(&mut world, to)?;
        car.change(&mut world, from)?;
        let after = car.motion(&world)?;
        let what = format!("{} to {}", from.name(), to.name());
        let near = |a: f64, b: f64, what: &str| {
            assert!((a - b).abs() < 1e-5 * b.abs().max(1.0), "{what}: {a}, {b}");
        };
        near(after.place.distance(before.place), 0.0, &what);
        near(after.velocity.distance(before.velocity), 0.0, &what);
        near(after.angular.distance(before.angular), 0.0, &what);
        for (a, b) in car.wheels(&world)?.iter().zip(&wheels) {
            near(a.speed, b.speed, &what);
            near(a.jounce, b.jounce, &what);
            near(a.jounce_speed, b.jounce_speed, &what);
            near(a.force[1], b.force[1], &what);
        }
    }
    Ok(())
}

/// On 15 degrees, through every pair of models in a minute.
#[test]
fn a_parked_car_stays_through_all_changes() -> Result<()> {
    let (mut world, mut car) = standing(15.0, 0.8)?;
    let held = braked(3_000.0);
    run(&mut world, &mut car, &held, 5.0)?;
    let before = car.motion(&world)?.place;
    let mut far: f64 = 0.0;
    use Level::{Constraints, Forces, RigidWheels};
    for level in [RigidWheels, Forces, Constraints, RigidWheels, Constraints, Forces] {
        car.change(&mut world, level)?;
        for _ in 0..600 {
            car.step(&mut world, &held)?;
            far = far.max(car.motion(&world)?.place.distance(before));
        }
    }
    assert!(far < 1e-3, "{far} m in 60 s");
    Ok(())
}

#[test]
fn wheels_do_not_become_bodies_in_the_air_or_within_something_loose() -> Result<()> {
    let (mut world, mut car) = settled(Level::Forces)?;
    assert!(car.may_change(&world, Level::RigidWheels)?);
    let collider = ColliderBuilder::ball(0.1);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.775, 0.33, 1.2));
    let (loose, _) = world.insert(body, collider);
    car.step(&mut world, &[FREE; WHEELS])?;
    assert!(!car.may_change(&world, Level::RigidWheels)?, "a ball is in the place of a wheel");
    assert!(car.may_change(&world, Level::Constraints)?);
    world.remove_body(loose);
    let mut pose = *world.bodies[car.body()].position();
    pose.translation.y += 1.0;
    world.bodies[car.body()].set_position(pose, true);
    car.step(&mut world, &[FREE; WHEELS])?;
    assert!(!car.may_change(&world, Level::RigidWheels)?, "the wheels hang in the air");
    Ok(())
}

fn fingerprint() -> Result<[u32; 6]> {
    let (mut world, mut car) = settled(Level::Forces)?;
    for step in 0..900 {
        if step % 100 == 99 {
            let next = Level::ALL[(car.level() as usize + 1) % 3];
            car.change(&mut world, next)?;
        }
        car.step(&mut world, &mixed(f64::from(step) / 60.0))?;
    }
    let body = &world.bodies[car.body()];
    let (place, velocity) = (body.translation(), body.linvel());
    Ok([place.x, place.y, place.z, velocity.x, velocity.y, velocity.z].map(f32::to_bits))
}

#[test]
fn changes_give_the_same_bits_in_any_thread() -> Result<()> {
    let alone = fingerprint()?;
    let threads: Vec<_> = (0..8).map(|_| thread::spawn(fingerprint)).collect();
    for thread in threads {
        let other = thread.join().map_err(|_| anyhow::anyhow!("a thread has panicked"))??;
        assert_eq!(other, alone);
    }
    Ok(())
}

#[test]
fn levels_do_not_flicker_about_a_limit() -> Result<()> {
    for car in 0..10 {
        let mut choice = LevelOfDetail::new([30.0, 80.0])?;
        let mut level = Level::Forces;
        let mut last = -10.0_f32;
        for step in 0..3_600 {
            let time = step as Real * DT;
            let limit = if car % 2 == 0 { 30.0 } else { 80.0 };
            let phase = time * (0.5 + car as Real) + car as Real;
            let next = choice.level(level, limit * (1.0 + 0.05 * phase.sin()), DT);
            if next != level {
                assert!(0.5 <= time - last + 1e-4, "car {car}: after {} s", time - last);
                (level, last) = (next, time);
            }
        }
        // 5 % are less than the hysteresis: it changes once at most.
        assert!(last < 10.0, "car {car} has changed at {last} s");
    }
    Ok(())
}

#[test]
fn levels_follow_the_distance() -> Result<()> {
    let mut choice = LevelOfDetail::new([30.0, 80.0])?;
    let mut level = Level::Constraints;
    let mut seen = Vec::new();
    for step in 0..4_000 {
        let distance = (150.0 - 0.1 * step as Real).abs() + 5.0;
        let next = choice.level(level, distance, DT);
        if next != level {
            seen.push((next, distance));
            level = next;
        }
    }
    let levels: Vec<_> = seen.iter().map(|(level, _)| *level).collect();
    let expected = [Level::Forces, Level::RigidWheels, Level::Forces, Level::Constraints];
    assert_eq!(levels, expected);
    for ((_, distance), expected) in seen.iter().zip([80.0, 30.0, 36.0, 96.0]) {
        assert!((distance - expected).abs() < 0.2, "{distance} m, {expected} m");
    }
    let message = LevelOfDetail::new([80.0, 30.0]).unwrap_err().to_string();
    assert!(message.contains("increasing, got 80 m and 30 m"), "{message}");
    Ok(())
}

#[test]
fn of_many_cars_as_many_change_in_a_step_as_may() -> Result<()> {
    let mut cars = vec![(LevelOfDetail::new([30.0, 80.0])?, Level::Constraints); 10];
    for step in 0..5 {
        let mut changes_left = 3;
        for (choice, level) in &mut cars {
            *level = choice.level_within(&mut changes_left, *level, 50.0, DT);
        }
        let changed: Vec<_> = cars.iter().map(|(_, level)| *level == Level::Forces).collect();
        let expected: Vec<_> = (0..10).map(|car| car < 3 * (step + 1)).collect();
        assert_eq!(changed, expected, "after step {step}");
    }
    Ok(())
}

#[test]
fn wheels_that_are_too_heavy_are_refused_by_number() -> Result<()> {
    let (mut world, mut car) = settled(Level::Forces)?;
    car.data.wheels[2].mass = 2_000.0;
    let message = car.change(&mut world, Level::RigidWheels).unwrap_err().to_string();
    assert!(message.contains("mass of the wheels must be below that of the car"), "{message}");
    assert!(message.contains("got 2060 kg"), "{message}");
    car.data.wheels[2].mass = 700.0;
    let message = car.change(&mut world, Level::RigidWheels).unwrap_err().to_string();
    assert!(message.contains("wheels[2].mass") && message.contains("got 700 kg"), "{message}");
    assert_eq!(car.level(), Level::Forces);
    Ok(())
}
