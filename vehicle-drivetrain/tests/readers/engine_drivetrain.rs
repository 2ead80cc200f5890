//! Readers of engine, clutch and wheels in one step.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use vehicle_core::actuation::WheelActuation;
use vehicle_core::implicit_clutch::{
    ClutchEngine, ClutchSolution, ClutchSystem, ClutchWheel, FrictionCouplers, WheelConstraint,
};
use vehicle_core::legacy::clutch;
use vehicle_core::legacy::wheel_rotation_speed;
use vehicle_core::math::{Real, sign};
use vehicle_core::wheel::WheelParams;
use vehicle_core::wheel_rotation::{TireTorque, WheelTorques};
use vehicle_drivetrain::clutch::{ClutchState, effective_clutch};
use vehicle_drivetrain::engine::{engine_damping_rate, engine_torque};
use vehicle_drivetrain::gearbox::overall_gear_ratio;

use super::{gears, parse};
use crate::support::values::{
    bools_of, f32_of, f32s_of, field, number, numbers, usize_of, usizes_of,
};
use crate::support::vectors::Outcome;

pub fn best_possible(input: &Value) -> Result<Outcome> {
    solved(input, clutch::solve)
}

pub fn constraint_groups(input: &Value) -> Result<Outcome> {
    solved(input, clutch::solve_least_squares)
}

pub fn estimate(input: &Value) -> Result<Outcome> {
    let iterations = u32::try_from(usize_of(input, "clutch_estimate_iterations")?)?;
    solved(input, |system, dt| clutch::estimate(system, iterations, dt))
}

/// What becomes of all wheels and the engine, those of the differential by `solver`.
fn solved(
    input: &Value,
    solver: impl Fn(&ClutchSystem, Real) -> ClutchSolution,
) -> Result<Outcome> {
    let connected = usizes_of(field(input, "differential")?, "connected_wheels")?;
    let (system, dt) = (system(input, &connected)?, f32_of(input, "dt")?);
    let solution = solver(&system, dt);
    let mut speeds = free_wheel_speeds(input, dt)?;
    for (&wheel, solved) in connected.iter().zip(&solution.wheels) {
        speeds[wheel] = solved.rotation_speed;
    }
    let produced = json!({
        "wheel_rotation_speeds": numbers(&speeds),
        "engine_rotation_speed": number(solution.engine_speed),
        "clutch_slip": number(system.slip()),
    });
    let reason = "the sign of a wheel's gearing is left out";
    Ok(Outcome::from(produced).with_quirk("clutch_slip", number(intended_slip(input)?), reason))
}

/// Engine, clutch and the wheels that the differential connects, in its order.
fn system(input: &Value, connected: &[usize]) -> Result<ClutchSystem> {
    let (gearbox, gear) =
        (gears::gearbox(field(input, "gearbox")?)?, usize_of(input, "current_gear")?);
    let clutch = ClutchState {
        engagement: f32_of(input, "clutch_normalised_response")?,
        strength: f32_of(input, "clutch_strength_response")?,
    };
    let clutch = effective_clutch(&gearbox, gear, clutch);
    let wheels = connected.iter().map(|&wheel| clutch_wheel(input, wheel));
    Ok(ClutchSystem {
        strength: clutch.strength,
        capacity: Real::INFINITY,
        gear_ratio: overall_gear_ratio(&gearbox, gear),
        engine: clutch_engine(input, clutch.engagement)?,
        wheels: wheels.collect::<Result<_>>()?,
        couplers: FrictionCouplers::new(),
    })
}

fn clutch_engine(input: &Value, engagement: Real) -> Result<ClutchEngine> {
    let params = gears::engine(field(input, "engine")?)?;
    let throttle = f32_of(input, "throttle_response")?;
    let rotation_speed = f32_of(input, "engine_rotation_speed")?;
    Ok(ClutchEngine {
        rotation_speed,
        inertia: params.inertia,
        damping_rate: engine_damping_rate(&params.damping, throttle, engagement),
        torque: engine_torque(&params, throttle, rotation_speed),
        speed_range: [params.idle_speed, params.max_speed],
    })
}

/// The value of `wheel` in a list of one per wheel.
fn of_wheel(value: &Value, name: &str, wheel: usize) -> Result<Real> {
    let values = f32s_of(value, name)?;
    values.get(wheel).copied().with_context(|| format!("`{name}`: no wheel {wheel}"))
}

fn clutch_wheel(input: &Value, wheel: usize) -> Result<ClutchWheel> {
    let share = |name: &str| of_wheel(field(input, "differential")?, name, wheel);
    let tire_torque = of_wheel(input, "tire_wheel_torques", wheel)?;
    Ok(ClutchWheel {
        rotation_speed: of_wheel(input, "wheel_rotation_speeds", wheel)?,
        inertia: of_wheel(input, "wheel_mois", wheel)?,
        damping_rate: of_wheel(input, "wheel_damping_rates", wheel)?,
        torques: WheelTorques { drive: 0.0, brake: of_wheel(input, "brake_torques", wheel)? },
        tire: TireTorque { torque: tire_torque, ..TireTorque::default() },
        torque_ratio: share("torque_ratios")?,
        speed_ratio: share("average_wheel_speed_contributions")?,
        constraint: constraint(input, wheel)?,
    })
}

/// The group of `wheel`; the first wheel of a group has its speed, whatever is recorded.
fn constraint(input: &Value, wheel: usize) -> Result<Option<WheelConstraint>> {
    for (index, group) in parse::one_or_many(input.get("constraint_groups")).iter().enumerate() {
        let wheels = usizes_of(group, "wheel_ids")?;
        let Some(place) = wheels.iter().position(|&member| member == wheel) else { continue };
        let multiplier = of_wheel(group, "speed_multipliers", place)?;
        let speed_multiplier = if place == 0 { 1.0 } else { multiplier };
        return Ok(Some(WheelConstraint { group: u8::try_from(index)?, speed_multiplier }));
    }
    Ok(None)
}

/// Speeds of all wheels as if none were connected.
fn free_wheel_speeds(input: &Value, dt: Real) -> Result<Vec<Real>> {
    let is_braked = bools_of(input, "is_brake_applied")?;
    let of_free = |(wheel, is_braked): (usize, bool)| {
        let ClutchWheel { rotation_speed, inertia, damping_rate, torques, tire, .. } =
            clutch_wheel(input, wheel)?;
        let params = WheelParams { inertia, damping_rate, ..WheelParams::default() };
        let actuation = WheelActuation { is_braked, is_driven: false };
        Ok(wheel_rotation_speed(&params, &torques, tire.torque, actuation, rotation_speed, dt))
    };
    is_braked.into_iter().enumerate().map(of_free).collect()
}

/// `G Σ α sgn(r) ω - ω_E`, what the torque of the clutch follows.
fn intended_slip(input: &Value) -> Result<f64> {
    let (gearbox, differential) = (field(input, "gearbox")?, field(input, "differential")?);
    let final_ratio = f64::from(f32_of(gearbox, "final_ratio")?);
    let gear_ratio = of_wheel(gearbox, "gear_ratios", usize_of(input, "current_gear")?)?;
    let mut mean = 0.0;
    for wheel in usizes_of(differential, "connected_wheels")? {
        let torque_ratio = of_wheel(differential, "torque_ratios", wheel)?;
        let speed_ratio = of_wheel(differential, "average_wheel_speed_contributions", wheel)?;
        let speed = of_wheel(input, "wheel_rotation_speeds", wheel)?;
        mean += f64::from(speed_ratio) * f64::from(sign(torque_ratio)) * f64::from(speed);
    }
    let engine_speed = f64::from(f32_of(input, "engine_rotation_speed")?);
    Ok(f64::from(gear_ratio) * final_ratio * mean - engine_speed)
}
