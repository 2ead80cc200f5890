//! No aid pushes or turns a body: only wheels do, and the help in the air, which says so.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{
    Aid, AidsParams, AirControlParams, BrakeOverrideParams, CounterSteerParams, CruiseParams,
    DriftParams, HandBrakeParams, HillStartParams, LaunchParams, SpeedLimitParams, StabilityParams,
    TorqueVectoringParams, TractionParams, VectoringActuator,
};
use vehicle_rapier::prelude::*;

use crate::motors::with_four_motors;
use crate::scene::{Result, all_aids, on_road_with};

/// Velocities that differ by less are the same (m/s, rad/s): wheels that spin or stand have another
/// rolling resistance, a few newtons of it.
const SAME: Real = 0.02;

/// Every aid alone, by its name.
fn each_aid() -> Vec<(&'static str, AidsParams)> {
    let none = AidsParams::default();
    let vectoring =
        TorqueVectoringParams { actuator: Some(VectoringActuator::Brakes), ..Default::default() };
    vec![
        ("anti_lock", AidsParams { anti_lock: all_aids().anti_lock, ..none }),
        ("traction", AidsParams { traction: Some(TractionParams::default()), ..none }),
        ("stability", AidsParams { stability: Some(StabilityParams::default()), ..none }),
        (
            "counter_steer",
            AidsParams { counter_steer: Some(CounterSteerParams::default()), ..none },
        ),
        ("drift", AidsParams { drift: Some(DriftParams::default()), ..none }),
        ("torque_vectoring", AidsParams { torque_vectoring: Some(vectoring), ..none }),
        (
            "torque_vectoring by motors",
            AidsParams { torque_vectoring: Some(TorqueVectoringParams::default()), ..none },
        ),
        ("launch", AidsParams { launch: Some(LaunchParams::default()), ..none }),
        ("hill_start", AidsParams { hill_start: Some(HillStartParams::default()), ..none }),
        ("cruise", AidsParams { cruise: Some(CruiseParams::default()), ..none }),
        ("speed_limit", AidsParams { speed_limit: Some(SpeedLimitParams { speed: 5.0 }), ..none }),
        ("hand_brake", AidsParams { hand_brake: Some(HandBrakeParams::default()), ..none }),
        (
            "brake_override",
            AidsParams { brake_override: Some(BrakeOverrideParams::default()), ..none },
        ),
        ("air_control", AidsParams { air_control: Some(AirControlParams::default()), ..none }),
    ]
}

/// Where a car is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A road without friction, on which it turns.
    Smooth,
    /// The air.
    Air,
}

/// Velocity and yaw rate after a second of driving in which no wheel grips, and the bits of the
/// aids that have acted. Brakes turn the body in pitch by what they take from the wheels.
fn driven(model: &AnyVehicle, aids: AidsParams, place: Place) -> Result<(Vector, Real, u32)> {
    let speed = 15.0;
    let (mut world, mut car) = on_road_with(model, AidsParams::default(), [1.0; 2], speed, 60.0)?;
    let colliders: Vec<_> = world.colliders.iter().map(|(handle, _)| handle).collect();
    for handle in colliders {
        if world.colliders[handle].parent().is_none() {
            world.colliders[handle].set_friction(0.0);
        }
    }
    if place == Place::Air {
        let up = car.pose(&world.bodies)?;
        car.teleport(&mut world.bodies, Pose::from_translation(Vector::Y * 30.0) * up)?;
        car.set_velocity(&mut world.bodies, Vector::Z * speed)?;
    }
    car.vehicle.set_aids(aids)?;
    world.bodies[car.body()].set_angvel(Vector::new(0.0, 0.4, 0.0), true);
    let mut active = 0;
    for step in 0..60 {
        if let Some(memory) = car.vehicle.aided_mut().memory_mut() {
            memory.aids.cruise.set(30.0);
        }
        let commands = car.commands_mut();
        commands.throttle = if step < 30 { 1.0 } else { 0.0 };
        commands.brakes = [[0.0, 0.0], [0.8, 0.0], [0.4, 1.0]][step / 20];
        commands.steer = if step % 20 < 10 { 0.6 } else { -0.6 };
        car.step(&mut world)?;
        active |= car.vehicle.aided().report().active;
    }
    let body = car.vehicle.body();
    Ok((body.linear_velocity, body.angular_velocity.y, active))
}

#[test]
fn no_aid_pushes_the_body() -> Result {
    let mut active = 0;
    let models = [
        ("hot_hatch", AnyVehicle::preset("hot_hatch")?),
        ("electric_car", AnyVehicle::preset("electric_car")?),
        ("four motors", with_four_motors()?),
    ];
    for (preset, model) in &models {
        for place in [Place::Smooth, Place::Air] {
            let (velocity, yaw_rate, _) = driven(model, AidsParams::default(), place)?;
            for (name, aids) in each_aid() {
                let (with, turning, acts) = driven(model, aids, place)?;
                active |= acts;
                let (pushed, turned) = ((with - velocity).length(), (turning - yaw_rate).abs());
                println!("{preset} {place:?} {name}: {pushed} m/s, {turned} rad/s, {acts:b}");
                let turns = name == "air_control" && place == Place::Air;
                assert_eq!(turned < SAME, !turns, "{preset}, {name}, {place:?}: {turned} rad/s");
                assert!(pushed < SAME, "{preset}, {name}, {place:?}: {pushed} m/s");
            }
        }
    }
    let has_acted = |aid: Aid| active & aid.bit() != 0;
    for aid in [Aid::AntiLock, Aid::Traction, Aid::Stability, Aid::SteerAssistance, Aid::AirControl]
    {
        assert!(has_acted(aid), "{aid:?} has not acted");
    }
    Ok(())
}
