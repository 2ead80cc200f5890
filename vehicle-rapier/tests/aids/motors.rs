//! Drivelines of blocks with a motor at each wheel, or at each axle: aids ask each motor by itself.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{Aid, AidsParams, TorqueVectoringParams, TractionParams};
use vehicle_rapier::drivetrain::blocks::{Selector, ready_made};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{AnyDrive, AnyRapierVehicle};

use crate::scene::{Result, on_road_with};

/// The preset `sports_car` with a motor at each wheel in the place of its engine.
pub(crate) fn with_four_motors() -> Result<AnyVehicle> {
    with_driveline(&serde_json::to_value(ready_made::electric_four_motors()?)?)
}

/// The preset `sports_car` with a motor at each axle, behind an open differential.
fn with_two_motors() -> Result<AnyVehicle> {
    with_driveline(&serde_json::to_value(ready_made::electric_two_motors()?)?)
}

fn with_driveline(driveline: &serde_json::Value) -> Result<AnyVehicle> {
    let text = AnyVehicle::preset("sports_car")?.file().to_text(FileFormat::Json)?;
    let mut file: serde_json::Value = serde_json::from_str(&text)?;
    file["drive"] = serde_json::json!({ "blocks": { "driveline": driveline } });
    Ok(AnyVehicle::from_str(FileFormat::Json, &file.to_string())?)
}

/// A car with four motors and `aids` at `speed` (m/s), in drive.
fn driving(
    aids: AidsParams,
    friction: [Real; 2],
    speed: Real,
    rate: Real,
) -> Result<(PhysicsWorld, AnyRapierVehicle)> {
    let (world, mut car) = on_road_with(&with_four_motors()?, aids, friction, speed, rate)?;
    car.select(Selector::Drive);
    Ok((world, car))
}

/// What each motor is asked for, by its largest torque.
fn commands(car: &AnyRapierVehicle) -> Result<Vec<f64>> {
    let AnyDrive::Blocks(car) = &car.vehicle.drive else { return Err("no blocks".into()) };
    let command = |wheel: usize| -> Result<f64> {
        let input = car.driveline().input(&format!("motor {wheel}"), "command")?;
        Ok(car.state.drive.input(input))
    };
    (0..4).map(command).collect()
}

#[test]
fn torque_vectoring_moves_torque_between_motors_and_keeps_its_sum() -> Result {
    let torque_vectoring = Some(TorqueVectoringParams::default());
    let turned = |aids: AidsParams| -> Result<(Real, f64)> {
        let (mut world, mut car) = driving(aids, [1.0; 2], 20.0, 60.0)?;
        let (mut yaw_rate, mut moved) = (0.0, 0.0_f64);
        for step in 0..90 {
            car.commands_mut().throttle = 0.4;
            car.commands_mut().steer = 0.1;
            car.step(&mut world)?;
            let asked = commands(&car)?;
            // Right before left on each axle.
            moved = moved.max((asked[3] - asked[2]).abs());
            let sum: f64 = asked.iter().sum();
            let wanted = 4.0 * f64::from(0.4_f32);
            assert!((sum - wanted).abs() < 1e-5 * wanted, "step {step}: {asked:?}");
            yaw_rate = car.vehicle.body().angular_velocity.y;
        }
        Ok((yaw_rate, moved))
    };
    let (plain, unmoved) = turned(AidsParams::default())?;
    let (vectored, moved) = turned(AidsParams { torque_vectoring, ..AidsParams::default() })?;
    println!("{vectored} rad/s, {moved} moved; {plain} rad/s without");
    assert_eq!(unmoved, 0.0);
    assert!(0.02 < moved && 1.02 * plain < vectored, "{vectored} rad/s, {moved}, {plain} without");
    Ok(())
}

#[test]
fn traction_control_limits_the_motors_whose_wheels_spin_and_no_others() -> Result {
    let traction = Some(TractionParams::default());
    let mut speeds = Vec::new();
    for rate in [30.0, 60.0, 240.0] {
        let aids = AidsParams { traction, ..AidsParams::default() };
        let (mut world, mut car) = driving(aids, [1.0, 0.1], 0.0, rate)?;
        let (mut ahead, mut active): (Real, bool) = (0.0, false);
        for step in 0..(2.0 * rate) as usize {
            car.commands_mut().throttle = 0.5;
            // Kept straight by its steering.
            let forward = car.pose(&world.bodies)?.rotation * Vector::Z;
            let rate_of_turn = car.vehicle.body().angular_velocity.y;
            car.commands_mut().steer = (-2.0 * forward.x - 0.5 * rate_of_turn).clamp(-1.0, 1.0);
            car.step(&mut world)?;
            active |= car.vehicle.aided().report().is_active(Aid::Traction);
            if rate < step as Real {
                let asked = commands(&car)?;
                // Left wheels, with odd numbers, are on the dry side.
                for wheel in [1, 3] {
                    assert!(0.49 < asked[wheel], "{rate} Hz, step {step}: {asked:?}");
                    assert!(asked[wheel - 1] < 0.4, "{rate} Hz, step {step}: {asked:?}");
                }
                for wheel in 0..4 {
                    let rim = car.vehicle.wheel_state(wheel).rotation_speed
                        * car.vehicle.wheel_params(wheel).radius;
                    ahead = ahead.max(rim - car.forward_speed());
                }
            }
        }
        println!("{rate} Hz: {} m/s, rims {ahead} m/s ahead", car.forward_speed());
        assert!(active && ahead < 1.5, "{rate} Hz: rims {ahead} m/s ahead");
        speeds.push(car.forward_speed());
    }
    for speed in &speeds {
        assert!((speed / speeds[2] - 1.0).abs() < 0.05, "{speeds:?}");
    }
    Ok(())
}

#[test]
fn motors_are_left_alone_to_the_bit_where_nothing_is_to_do() -> Result {
    let bits = |aids: AidsParams| -> Result<Vec<u32>> {
        let (mut world, mut car) = driving(aids, [1.0; 2], 15.0, 60.0)?;
        for _ in 0..120 {
            car.commands_mut().throttle = 0.3;
            car.step(&mut world)?;
        }
        Ok(car.vehicle.body().linear_velocity.to_array().map(Real::to_bits).to_vec())
    };
    let traction = Some(TractionParams::default());
    let torque_vectoring = Some(TorqueVectoringParams::default());
    let with = bits(AidsParams { traction, torque_vectoring, ..AidsParams::default() })?;
    assert_eq!(with, bits(AidsParams::default())?);
    Ok(())
}

/// How the motors of a car with two of them pull away at half of the throttle, while one axle is on
/// ice. Returns the speed of the fastest rim over the road (m/s) and the least command, front and
/// rear.
fn start_with_an_axle_on_ice(on_ice: usize, rate: Real) -> Result<([Real; 2], [f64; 2])> {
    let aids = AidsParams { traction: Some(TractionParams::default()), ..AidsParams::default() };
    let (mut world, mut car) = on_road_with(&with_two_motors()?, aids, [1.0; 2], 0.0, rate)?;
    car.select(Selector::Drive);
    // A thin sheet of ice from the middle of the car on, ahead or behind.
    let middle = car.pose(&world.bodies)?.translation.z + [50.0, -50.0][on_ice];
    let sheet = ColliderBuilder::cuboid(20.0, 1.0, 50.0).friction(0.1);
    world.insert_collider(sheet.translation(Vector::new(0.0, -0.999, middle)), None);
    world.detect_collisions(&(), &());
    let (mut ahead, mut least) = ([0.0_f32; 2], [1.0_f64; 2]);
    // Until the other axle comes to where the first one was.
    for step in 0..(0.7 * rate) as usize {
        car.commands_mut().throttle = 0.5;
        car.step(&mut world)?;
        if (step as Real) < 0.3 * rate {
            continue;
        }
        let AnyDrive::Blocks(blocks) = &car.vehicle.drive else { return Err("no blocks".into()) };
        for (axle, name) in ["front motor", "rear motor"].into_iter().enumerate() {
            let input = blocks.driveline().input(name, "command")?;
            least[axle] = least[axle].min(blocks.state.drive.input(input));
            for wheel in [2 * axle, 2 * axle + 1] {
                let radius = car.vehicle.wheel_params(wheel).radius;
                let rim = car.vehicle.wheel_state(wheel).rotation_speed * radius;
                ahead[axle] = ahead[axle].max(rim - car.forward_speed());
            }
        }
    }
    Ok((ahead, least))
}

#[test]
fn traction_control_limits_the_motor_of_the_axle_on_ice_and_not_the_other() -> Result {
    for rate in [30.0, 60.0, 240.0] {
        for on_ice in [0, 1] {
            let (ahead, asked) = start_with_an_axle_on_ice(on_ice, rate)?;
            let what = format!("axle {on_ice} at {rate} Hz: {ahead:?} m/s ahead, asked {asked:?}");
            println!("{what}");
            assert!(asked[on_ice] < 0.35 && 0.49 < asked[1 - on_ice], "{what}");
            assert!(ahead[on_ice] < 1.5, "{what}");
        }
    }
    Ok(())
}
