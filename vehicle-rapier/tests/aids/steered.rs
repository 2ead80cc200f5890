//! What aids take the driver's steering for: of axles behind, of a free steering wheel, of a table,
//! and of tanks.

use rapier3d::prelude::*;
use vehicle_rapier::core::commands::{Commands, ResponseRow, ResponseTable};
use vehicle_rapier::core::lookup_table::LookupTable;
use vehicle_rapier::core::steering::SteeringSystemParams;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::core::vehicle::{ChangeMechanics, MechanicalParams};
use vehicle_rapier::drivetrain::aids::{
    Aid, AidsParams, CounterSteerParams, DriftParams, StabilityParams, TorqueVectoringParams,
};
use vehicle_rapier::drivetrain::inputs::{Direction, DrivingCommands, GearChoice};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{AnyDrive, AnyRapierVehicle};

use crate::scene::{Result, on_road, on_road_with};

const RATE: Real = 60.0;

/// Aids that compare what a vehicle does with what its driver steers.
fn yaw_aids() -> AidsParams {
    AidsParams {
        stability: Some(StabilityParams::default()),
        torque_vectoring: Some(TorqueVectoringParams::default()),
        ..AidsParams::default()
    }
}

/// The preset `name` whose axles are steered by these angles at full lock (rad).
fn steered_by(name: &str, angles: &[Real]) -> Result<AnyVehicle> {
    let text = AnyVehicle::preset(name)?.file().to_text(FileFormat::Json)?;
    let mut file: serde_json::Value = serde_json::from_str(&text)?;
    for (axle, &angle) in angles.iter().enumerate() {
        file["mechanics"]["blueprint"]["axles"][axle]["max_steer_angle"] = angle.into();
    }
    Ok(AnyVehicle::from_str(FileFormat::Json, &file.to_string())?)
}

/// Yaw rate (rad/s) of a vehicle that is steered so far for four seconds, and the greatest moments
/// of stability control and torque vectoring (N·m). They are positive to the left.
fn turned(model: &AnyVehicle, aids: AidsParams, speed: Real, steer: Real) -> Result<[Real; 3]> {
    let (mut world, mut car) = on_road_with(model, aids, [1.0; 2], speed, RATE)?;
    let mut seen: [Real; 3] = [0.0; 3];
    for step in 0..(4.0 * RATE) as usize {
        let lack = speed - car.forward_speed();
        car.commands_mut().throttle = (0.1 + 0.5 * lack).clamp(0.0, 1.0);
        car.commands_mut().steer = steer * (step as Real / RATE).min(1.0);
        car.step(&mut world)?;
        let report = car.vehicle.aided().report();
        seen[0] = car.vehicle.body().angular_velocity.y;
        for (most, moment) in
            seen[1..].iter_mut().zip([report.stability_moment, report.vectoring_moment])
        {
            *most = if most.abs() < moment.abs() { moment } else { *most };
        }
    }
    Ok(seen)
}

#[test]
fn axles_steered_behind_turn_as_their_driver_expects() -> Result {
    // (preset, angles at full lock, speed, steering wheel)
    let cases: [(&str, &[Real], Real, Real); 4] = [
        ("truck_6x6", &[0.6, 0.0, -0.2], 12.0, 0.15),
        ("pick_up", &[0.35, -0.35], 12.0, 0.2),
        ("pick_up", &[0.0, -0.35], 8.0, 0.3),
        ("pick_up", &[0.35, 0.1], 15.0, 0.2),
    ];
    for (name, angles, speed, steer) in cases {
        let model = steered_by(name, angles)?;
        let [plain, ..] = turned(&model, AidsParams::default(), speed, steer)?;
        let [aided, stability, vectoring] = turned(&model, yaw_aids(), speed, steer)?;
        let shown = format!(
            "{name} {angles:?}: {aided} rad/s by {stability} and {vectoring} N·m, {plain} without"
        );
        println!("{shown}");
        assert!(0.1 < plain, "{shown}");
        assert_eq!(stability, 0.0, "{shown}");
        assert!(0.0 <= vectoring, "{shown}");
        assert!(0.97 * plain < aided && aided < 1.2 * plain, "{shown}");
    }
    Ok(())
}

/// The preset `hot_hatch` with other mechanics, in a straight line at `speed` (m/s).
fn changed(
    speed: Real,
    change: impl FnOnce(&mut MechanicalParams<AnyTire>),
) -> Result<(PhysicsWorld, AnyRapierVehicle)> {
    let (world, mut car) = on_road("hot_hatch", AidsParams::default(), [1.0; 2], speed, RATE)?;
    let AnyDrive::Engine(engine) = &mut car.vehicle.drive else { return Err("an engine".into()) };
    let mut mechanics = engine.params().mechanics.clone();
    change(&mut mechanics);
    engine.set_mechanics(mechanics)?;
    car.vehicle.set_aids(yaw_aids())?;
    Ok((world, car))
}

#[test]
fn a_steering_wheel_that_is_let_go_asks_for_where_it_is() -> Result {
    let system = |mechanics: &mut MechanicalParams<AnyTire>| {
        mechanics.steering_system = Some(SteeringSystemParams::car(0, 1));
    };
    let (mut world, mut car) = changed(20.0, system)?;
    // What the steering command was when the driver let go no longer counts.
    car.commands_mut().steer = 0.4;
    car.commands_mut().steering_torque = Some(0.0);
    for step in 0..120 {
        car.commands_mut().throttle = 0.2;
        car.step(&mut world)?;
        let report = car.vehicle.aided().report();
        assert_eq!(report.stability_moment, 0.0, "let go: step {step}");
        assert_eq!(report.vectoring_moment, 0.0, "let go: step {step}");
    }
    // Hands turn it by a torque, and the command stays straight on.
    car.commands_mut().steer = 0.0;
    for step in 0..180 {
        car.commands_mut().steering_torque = Some(10.0);
        car.commands_mut().throttle = 0.2;
        car.step(&mut world)?;
        let report = car.vehicle.aided().report();
        assert_eq!(report.stability_moment, 0.0, "turned: step {step}");
    }
    let yaw_rate = car.vehicle.body().angular_velocity.y;
    assert!(0.08 < yaw_rate, "{yaw_rate} rad/s");
    Ok(())
}

#[test]
fn a_table_by_speed_is_what_the_steering_asks_for() -> Result {
    let row = |command, response: &[(Real, Real)]| -> Result<ResponseRow> {
        Ok(ResponseRow { command, response: LookupTable::new(response)? })
    };
    let rows = [row(0.0, &[(0.0, 0.0)])?, row(1.0, &[(0.0, 1.0), (20.0, 0.2)])?];
    let table = ResponseTable::new(rows)?;
    let (mut world, mut car) =
        changed(25.0, |mechanics| mechanics.steering.table = Some(table.clone()))?;
    for step in 0..180 {
        car.commands_mut().steer = 0.3 * (step as Real / RATE).min(1.0);
        car.commands_mut().throttle = 0.3;
        car.step(&mut world)?;
        let moment = car.vehicle.aided().report().stability_moment;
        assert_eq!(moment, 0.0, "step {step}");
    }
    let yaw_rate = car.vehicle.body().angular_velocity.y;
    assert!(0.15 < yaw_rate, "{yaw_rate} rad/s");
    Ok(())
}

#[test]
fn tanks_turn_in_bends_as_they_do_without_aids() -> Result {
    let turned = |aids: AidsParams| -> Result<(Vec<u32>, Real)> {
        let (mut world, mut car) = on_road("tank", aids, [1.0; 2], 8.0, RATE)?;
        let mut turning: Real = 0.0;
        for step in 0..240 {
            let steer = if step < 60 { 0.0 } else { 0.3 };
            let commands = Commands { throttle: 0.8, steer, ..Commands::default() };
            let gear = GearChoice::Automatic(Direction::Forward);
            car.drive_by(&DrivingCommands::new(commands, gear));
            car.step(&mut world)?;
            let report = car.vehicle.aided().report();
            for aid in [Aid::Stability, Aid::SteerAssistance, Aid::Drift, Aid::TorqueVectoring] {
                assert!(!report.is_active(aid), "step {step}: {aid:?}");
            }
            turning = turning.max(car.vehicle.body().angular_velocity.y.abs());
        }
        Ok((crate::bits(&car), turning))
    };
    let (alone, turning) = turned(AidsParams::default())?;
    assert!(0.15 < turning, "{turning} rad/s");
    let aids = AidsParams {
        counter_steer: Some(CounterSteerParams::default()),
        drift: Some(DriftParams::default()),
        ..yaw_aids()
    };
    assert_eq!(turned(aids)?.0, alone);
    Ok(())
}
