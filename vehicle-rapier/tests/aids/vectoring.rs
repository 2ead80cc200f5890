//! Torque vectoring by a motor at each rear wheel, and by brakes.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{
    Aid, AidsParams, StabilityParams, TorqueVectoringParams, VectoringActuator,
};
use vehicle_rapier::drivetrain::handling::Handling;
use vehicle_rapier::drivetrain::readings::ReadDrive;
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::scene::{GRAVITY, Result, on_road};

/// The preset `sports_car` with a motor at each rear wheel in the place of its engine.
fn with_motors(
    aids: AidsParams,
    speed: Real,
    rate: Real,
) -> Result<(PhysicsWorld, AnyRapierVehicle)> {
    let text = AnyVehicle::preset("sports_car")?.file().to_text(FileFormat::Json)?;
    let mut file: serde_json::Value = serde_json::from_str(&text)?;
    file["drive"] = serde_json::json!({ "direct": { "throttle": {
        "max_response": 800.0,
        "wheel_multipliers": [0.0, 0.0, 1.0, 1.0]
    } } });
    let model = AnyVehicle::from_str(FileFormat::Json, &file.to_string())?;
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    let road = ColliderBuilder::cuboid(3_000.0, 1.0, 3_000.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());
    let place = Pose::from_translation(Vector::Y * model.standing_height(GRAVITY));
    let mut car = model.insert(&mut world, place);
    car.vehicle.set_aids(aids)?;
    for _ in 0..(rate as usize / 2) {
        car.step(&mut world)?;
    }
    car.set_velocity(&mut world.bodies, Vector::Z * speed)?;
    Ok((world, car))
}

/// Understeer gradient (rad·s²/m) between the lateral accelerations of two steer angles that are
/// held at 20 m/s.
fn understeer_gradient(aids: AidsParams, rate: Real) -> Result<Real> {
    let speed = 20.0;
    let mut found = Vec::new();
    for angle in [0.01, 0.02] {
        let (mut world, mut car) = with_motors(aids, speed, rate)?;
        let lock = car.vehicle.read_mechanics().params.steering.max_response;
        let handling = Handling::of(car.vehicle.read_mechanics().params, car.vehicle.frame())
            .ok_or("no wheels")?;
        let mut mean: Real = 0.0;
        let (steps, settled) = ((12.0 * rate) as usize, (10.0 * rate) as usize);
        for step in 0..steps {
            let lack = speed - car.forward_speed();
            car.commands_mut().throttle = (0.15 + 0.5 * lack).clamp(0.0, 1.0);
            car.commands_mut().steer = angle / lock;
            car.step(&mut world)?;
            if settled <= step {
                mean += car.vehicle.body().angular_velocity.y / (steps - settled) as Real;
            }
        }
        let v = car.forward_speed();
        let lateral = mean * v;
        assert!(lateral.abs() < 0.4 * GRAVITY, "{lateral} m/s²");
        found.push((angle - handling.wheel_base * mean / v) / lateral);
    }
    Ok(0.5 * (found[0] + found[1]))
}

#[test]
fn motors_move_the_understeer_gradient_to_the_one_that_is_asked_for() -> Result {
    let own = understeer_gradient(AidsParams::default(), 60.0)?;
    for share in [0.25, 0.5] {
        let gradient = Some(share * own);
        let vectoring = TorqueVectoringParams {
            understeer_gradient: gradient,
            ..TorqueVectoringParams::default()
        };
        let aids = AidsParams { torque_vectoring: Some(vectoring), ..AidsParams::default() };
        let finest = understeer_gradient(aids, 240.0)?;
        for rate in [30.0, 60.0] {
            let found = understeer_gradient(aids, rate)?;
            println!("{share} of {own} asked, {found} at {rate} Hz, {finest} at 240 Hz");
            let off = (found - share * own).abs() / own;
            assert!(off < 0.1, "{share} of {own} asked, {found} at {rate} Hz");
            assert!((found / finest - 1.0).abs() < 0.05, "{found} at {rate} Hz, {finest}");
        }
    }
    Ok(())
}

#[test]
fn straight_on_nothing_is_moved() -> Result {
    let torque_vectoring = Some(TorqueVectoringParams::default());
    let stability = Some(StabilityParams::default());
    let bits = |aids: AidsParams| -> Result<Vec<u32>> {
        let (mut world, mut car) = with_motors(aids, 15.0, 60.0)?;
        for _ in 0..120 {
            car.commands_mut().throttle = 0.4;
            car.step(&mut world)?;
        }
        Ok(car.vehicle.body().linear_velocity.to_array().map(Real::to_bits).to_vec())
    };
    let with = bits(AidsParams { torque_vectoring, stability, ..AidsParams::default() })?;
    assert_eq!(with, bits(AidsParams::default())?);
    Ok(())
}

#[test]
fn brakes_turn_a_car_in_where_motors_cannot() -> Result {
    let turned = |torque_vectoring: Option<TorqueVectoringParams>| -> Result<Real> {
        let aids = AidsParams { torque_vectoring, ..AidsParams::default() };
        let (mut world, mut car) = on_road("hot_hatch", aids, [1.0; 2], 20.0, 60.0)?;
        // Until the car turns by half of what it is to.
        for _ in 0..9 {
            car.commands_mut().throttle = 0.3;
            car.commands_mut().steer = 0.15;
            car.step(&mut world)?;
        }
        Ok(car.vehicle.body().angular_velocity.y)
    };
    let by = |actuator| Some(TorqueVectoringParams { actuator, ..Default::default() });
    let plain = turned(None)?;
    let braked = turned(by(Some(VectoringActuator::Brakes)))?;
    println!("{braked} rad/s by brakes, {plain} without");
    assert!(1.02 * plain < braked, "{braked} rad/s by brakes, {plain} without");
    assert_eq!(turned(by(None))?, braked, "an engine's car has brakes to do it by");
    // One engine behind a differential has no torque to move.
    assert_eq!(turned(by(Some(VectoringActuator::Motors)))?, plain);
    Ok(())
}

#[test]
fn motors_and_stability_control_do_not_switch_each_other() -> Result {
    let aids = AidsParams {
        stability: Some(StabilityParams::default()),
        torque_vectoring: Some(TorqueVectoringParams::default()),
        ..AidsParams::default()
    };
    let speed = 40.0;
    let (mut world, mut car) = with_motors(aids, speed, 60.0)?;
    let lock = car.vehicle.read_mechanics().params.steering.max_response;
    let (mut changes, mut was_active, mut greatest): (usize, bool, Real) = (0, false, 0.0);
    // As slowly as a driver who enters a bend.
    for step in 0..600 {
        let lack = speed - car.forward_speed();
        car.commands_mut().throttle = (0.15 + 0.5 * lack).clamp(0.0, 1.0);
        car.commands_mut().steer = (0.08 * step as Real / 240.0).min(0.08) / lock;
        car.step(&mut world)?;
        let is_active = car.vehicle.aided().report().is_active(Aid::TorqueVectoring);
        changes += usize::from(60 < step && is_active != was_active);
        was_active = is_active;
        greatest = greatest.max(car.vehicle.body().angular_velocity.y * car.forward_speed());
    }
    println!("{changes} changes in 10 s, up to {greatest} m/s²");
    assert!(0.6 * GRAVITY < greatest, "{greatest} m/s²");
    assert!(changes <= 4, "{changes} changes in 10 s");
    Ok(())
}

/// Speed (m/s), yaw rate (rad/s) and largest slip of a wheel that rolls slower than the road, after
/// six seconds of a bend that a preset enters at 20 m/s. Beside these, how often it has shifted.
fn in_a_bend(
    preset: &str,
    torque_vectoring: Option<TorqueVectoringParams>,
    throttle: Real,
    rate: Real,
) -> Result<([Real; 3], usize)> {
    let aids = AidsParams { torque_vectoring, ..AidsParams::default() };
    let (mut world, mut car) = on_road(preset, aids, [1.0; 2], 20.0, rate)?;
    let (mut most, mut shifts): (Real, usize) = (0.0, 0);
    let mut gear = car.vehicle.drive_reading().gear;
    for step in 0..(6.0 * rate) as usize {
        car.commands_mut().throttle = throttle;
        car.commands_mut().steer = 0.15 * (2.0 * step as Real / rate).min(1.0);
        car.step(&mut world)?;
        let before = std::mem::replace(&mut gear, car.vehicle.drive_reading().gear);
        shifts += usize::from(before != gear);
        let params = &car.vehicle.read_mechanics().params.wheels;
        let Some(memory) = car.vehicle.aided().memory() else { continue };
        for (wheel, params) in memory.wheels.iter().zip(params) {
            if 5.0 < wheel.longitudinal_speed {
                most = most.max(wheel.braking_slip(params.radius));
            }
        }
    }
    Ok(([car.forward_speed(), car.vehicle.body().angular_velocity.y, most], shifts))
}

#[test]
fn brakes_that_turn_a_car_take_little_of_its_speed_and_lock_no_wheel() -> Result {
    let vectoring = Some(TorqueVectoringParams::default());
    for preset in ["hot_hatch", "sports_car", "pick_up"] {
        for (throttle, least) in [(0.3, 0.98), (0.0, 0.85)] {
            let ([plain, plain_rate, _], _) = in_a_bend(preset, None, throttle, 60.0)?;
            for rate in [30.0, 60.0, 240.0] {
                let ([speed, yaw_rate, slip], _) = in_a_bend(preset, vectoring, throttle, rate)?;
                let what = format!("{preset}, throttle {throttle}, {rate} Hz");
                println!(
                    "{what}: {speed} m/s, {yaw_rate} rad/s, slip {slip}; {plain}, {plain_rate}"
                );
                assert!(least * plain < speed, "{what}: {speed} m/s, {plain} without");
                assert!(0.97 * plain_rate < yaw_rate, "{what}: {yaw_rate}, {plain_rate} without");
                assert!(slip < 0.3, "{what}: a wheel slips by {slip}");
            }
        }
    }
    Ok(())
}

#[test]
fn the_throttle_that_makes_up_for_brakes_shifts_no_gear() -> Result {
    let vectoring = Some(TorqueVectoringParams::default());
    for preset in ["hot_hatch", "sports_car"] {
        let ([finest, ..], _) = in_a_bend(preset, vectoring, 0.3, 240.0)?;
        for rate in [30.0, 60.0, 240.0] {
            let (_, plain) = in_a_bend(preset, None, 0.3, rate)?;
            let ([speed, ..], shifts) = in_a_bend(preset, vectoring, 0.3, rate)?;
            let what = format!("{preset} at {rate} Hz: {shifts} shifts, {plain} without");
            println!("{what}; {speed} m/s");
            assert_eq!(shifts, plain, "{what}");
            let off = (speed / finest - 1.0).abs();
            assert!(off < 0.01, "{what}: {speed} m/s, {finest} at 240 Hz");
        }
    }
    Ok(())
}
