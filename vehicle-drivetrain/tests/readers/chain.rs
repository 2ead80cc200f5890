//! Reader of a whole vehicle in closed loop.

use anyhow::{Result, bail};
use serde_json::{Value, json};
use vehicle_core::aerodynamics::AerodynamicsParams;
use vehicle_core::commands::Commands;
use vehicle_core::constraint_rows::{ConstraintRows, SuspensionLimitParams};
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::road_geometry::{ConstantPlane, RoadContact};
use vehicle_core::suspension::{
    AntiRollBarParams, SuspensionComplianceParams, SuspensionForceParams,
};
use vehicle_core::tire::{StickyHold, StickyLimits, TireSlipParams, TireStickyParams};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::{Context, SimulationParams, WheelCoupling};
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle};

use super::mechanics::jounce_params;
use super::parse;
use crate::support::values::{f32_of, f32s_of, field, list_of, numbers, str_of, usize_of};
use crate::support::vectors::Outcome;

pub fn chain_direct_drive(input: &Value) -> Result<Outcome> {
    let params = DirectDriveParams {
        mechanics: mechanics(input)?,
        throttle: parse::response(field(input, "throttle_response")?)?,
    };
    let mut vehicle = DirectDriveVehicle::new(params)?;
    let mechanics = &mut vehicle.state.mechanics;
    mechanics.rigid_body = parse::body(input)?;
    for wheel in &mut mechanics.wheels {
        wheel.rotation_speed = f32_of(input, "initial_wheel_rotation_speed")?;
    }
    let road = ConstantPlane {
        contact: RoadContact::new(parse::plane(input)?, f32_of(input, "friction_coefficient")?),
    };
    let simulation = simulation_params(input)?;
    let context = Context::new(&simulation, &road);
    // The recorded chains stop at the sticky states: no solver executes their constraints.
    let sequence = DirectDriveVehicle::sequence_with_substeps(|_| 1).remove::<ConstraintRows>()?;
    let (dt, record_every) = (f32_of(input, "dt")?, usize_of(input, "record_every")?);

    let mut records = Vec::new();
    let mut step = 0;
    for phase in list_of(input, "command_schedule")? {
        apply_commands(&mut vehicle, phase)?;
        for _ in 0..usize_of(phase, "step_count")? {
            step += 1;
            let _completed = sequence.update(&mut vehicle, dt, &context)?;
            if step <= 2 || step % record_every == 0 {
                records.push(record(&vehicle, step));
            }
        }
    }
    Ok(json!({"records": records}).into())
}

fn simulation_params(input: &Value) -> Result<SimulationParams> {
    let limits = StickyLimits {
        threshold_speed: f32_of(input, "sticky_threshold_speed")?,
        threshold_time: f32_of(input, "sticky_threshold_time")?,
        damping: 0.0,
    };
    let passive = f32_of(input, "min_passive_longitudinal_slip_denominator")?;
    let active = f32_of(input, "min_active_longitudinal_slip_denominator")?;
    Ok(SimulationParams {
        gravity: parse::vector(input, "gravity")?,
        coordinates: CoordinateSystem { frame: parse::frame(input)?, length_scale: 1.0 },
        tire_slip: TireSlipParams {
            min_lateral_denominator: f32_of(input, "min_lateral_slip_denominator")?,
            min_passive_longitudinal_denominator: passive,
            min_active_longitudinal_denominator: active,
        },
        tire_sticky: Some(TireStickyParams {
            longitudinal: limits,
            lateral: limits,
            hold: StickyHold::Damper,
        }),
        wheel_coupling: WheelCoupling::Explicit,
        rolling_blend_speed: f32_of(input, "threshold_forward_speed")?,
    })
}

fn mechanics(input: &Value) -> Result<MechanicalParams> {
    let wheels = list_of(input, "wheels")?;
    let each =
        |parse: fn(&Value) -> Result<_>| wheels.iter().map(parse).collect::<Result<Vec<_>>>();
    let wheel = parse::wheel(field(input, "wheel")?)?;
    let ackermann = parse::one_or_many(input.get("ackermann"));
    Ok(MechanicalParams {
        axles: parse::axle_description(input, "axles")?,
        rigid_body: parse::body_params(input)?,
        brakes: parse::responses(input, "brake_responses")?,
        steering: parse::response(field(input, "steer_response")?)?,
        ackermann: ackermann.iter().map(parse::ackermann).collect::<Result<_>>()?,
        jounce: jounce_params(input)?,
        wheels: vec![wheel; wheels.len()],
        suspensions: each(parse::suspension)?,
        compliances: wheels.iter().map(compliance).collect::<Result<_>>()?,
        suspension_forces: wheels.iter().map(spring).collect::<Result<_>>()?,
        anti_roll_bars: anti_roll_bars(input)?,
        aerodynamics: AerodynamicsParams::default(),
        suspension_limit: SuspensionLimitParams::default(),
        tires: wheels.iter().map(parse::tire).collect::<Result<_>>()?,
    })
}

fn compliance(wheel: &Value) -> Result<SuspensionComplianceParams> {
    let curve = |name: &str| {
        let abscissae = f32s_of(wheel, &format!("{name}_x"))?;
        parse::curve(&abscissae, f32s_of(wheel, &format!("{name}_y"))?)
    };
    let point = |name| Ok::<_, anyhow::Error>(LookupTable::constant(parse::vector(wheel, name)?));
    Ok(SuspensionComplianceParams {
        toe: curve("wheel_toe_angle_table")?,
        camber: curve("wheel_camber_angle_table")?,
        suspension_force_point: point("suspension_force_app_point")?,
        tire_force_point: point("tire_force_app_point")?,
    })
}

fn spring(wheel: &Value) -> Result<SuspensionForceParams> {
    Ok(SuspensionForceParams {
        stiffness: f32_of(wheel, "suspension_stiffness")?,
        damping: f32_of(wheel, "suspension_damping")?,
        sprung_mass: f32_of(wheel, "sprung_mass")?,
    })
}

fn anti_roll_bars(input: &Value) -> Result<Vec<AntiRollBarParams>> {
    let bar = |bar: &Value| {
        Ok(AntiRollBarParams {
            wheels: [usize_of(bar, "wheel_0")?, usize_of(bar, "wheel_1")?],
            stiffness: f32_of(bar, "anti_roll_stiffness")?,
        })
    };
    list_of(input, "anti_roll_bars")?.iter().map(bar).collect()
}

fn apply_commands(vehicle: &mut DirectDriveVehicle, phase: &Value) -> Result<()> {
    let mut commands = Commands {
        throttle: f32_of(phase, "throttle_command")?,
        steer: f32_of(phase, "steer_command")?,
        ..Commands::default()
    };
    let brakes = f32s_of(phase, "brake_commands")?;
    if commands.brakes.len() < brakes.len() {
        bail!("`brake_commands`: {} commands", brakes.len());
    }
    commands.brakes[..brakes.len()].copy_from_slice(&brakes);
    vehicle.commands = commands;
    vehicle.gear = serde_json::from_value(Value::from(str_of(phase, "direct_drive_gear")?))?;
    Ok(())
}

fn record(vehicle: &DirectDriveVehicle, step: usize) -> Value {
    let state = &vehicle.state.mechanics;
    let wheels = |value: fn(&_) -> f32| state.wheels.iter().map(value).collect::<Vec<_>>();
    let tires = |value: fn(&_) -> f32| state.tires.iter().map(value).collect::<Vec<_>>();
    let jounces: Vec<_> =
        state.suspensions.iter().map(|suspension| suspension.jounce.unwrap_or(f32::MAX)).collect();
    json!({
        "step": step,
        "body_pose": parse::recorded(&state.rigid_body.pose),
        "body_linear_velocity": numbers(&state.rigid_body.linear_velocity.to_array()),
        "body_angular_velocity": numbers(&state.rigid_body.angular_velocity.to_array()),
        "wheel_rotation_speeds": numbers(&wheels(|wheel| wheel.rotation_speed)),
        "wheel_rotation_angles": numbers(&wheels(|wheel| wheel.rotation_angle)),
        "suspension_jounces": numbers(&jounces),
        "tire_longitudinal_slips": numbers(&tires(|tire| tire.slip.longitudinal)),
        "tire_lateral_slips": numbers(&tires(|tire| tire.slip.lateral)),
        "tire_loads": numbers(&tires(|tire| tire.grip.load)),
        "tire_frictions": numbers(&tires(|tire| tire.grip.friction)),
    })
}
