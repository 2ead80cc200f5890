//! Readers of commands, tables, frames and sprung masses.

use anyhow::Result;
use serde_json::{Value, json};
use vehicle_core::actuation::{WheelActuation, has_acceleration_intent};
use vehicle_core::brakes::brake_torque;
use vehicle_core::commands::{command_response, linear_response};
use vehicle_core::frame::{Axis, CoordinateConversion, CoordinateSystem};
use vehicle_core::legacy::wheel_rotation_speed;
use vehicle_core::math::{Mat3, Vec3, sign};
use vehicle_core::steering::{ackermann_angles, steer_angle};
use vehicle_core::suspension::sprung_masses;
use vehicle_core::tire::{StickyState, TireStickyState};
use vehicle_core::tire::{TireState, release_sticky_tires};
use vehicle_core::wheel_rotation::WheelTorques;
use vehicle_core::{Frame, WheelList};
use vehicle_drivetrain::direct_drive::{Gear, drive_torque};

use super::parse;
use crate::support::values::{
    bool_of, bools_of, f32_of, f32s_of, field, list_of, number, numbers, str_of, usize_of,
    vec3s_of, vectors,
};
use crate::support::vectors::Outcome;

pub fn compute_sign(input: &Value) -> Result<Outcome> {
    Ok(json!({"sign": number(sign(f32_of(input, "value")?))}).into())
}

pub fn lookup_table_scalar(input: &Value) -> Result<Outcome> {
    let table = parse::scalar_curve(input, "table")?;
    let values: Vec<_> =
        f32s_of(input, "query_x")?.into_iter().map(|x| table.evaluate(x)).collect();
    Ok(json!({"value": numbers(&values)}).into())
}

pub fn lookup_table_vec3(input: &Value) -> Result<Outcome> {
    let table = parse::vector_curve(input, "table")?;
    let values: Vec<_> =
        f32s_of(input, "query_x")?.into_iter().map(|x| table.evaluate(x).to_array()).collect();
    Ok(json!({"value": vectors(&values)}).into())
}

pub fn nonlinear_command_response(input: &Value) -> Result<Outcome> {
    let params = parse::response(field(input, "response")?)?;
    let (command, wheel) = (f32_of(input, "command")?, usize_of(input, "wheel_id")?);
    let speed = f32_of(input, "longitudinal_speed")?;
    Ok(json!({
        "response_value": number(command_response(&params, command, speed, wheel)),
        "linear_response_value": number(linear_response(&params, command, wheel)),
    })
    .into())
}

pub fn brake_command_response(input: &Value) -> Result<Outcome> {
    let params = parse::responses(input, "brake_responses")?;
    let commands = f32s_of(input, "brake_commands")?;
    let (speed, wheel) = (f32_of(input, "longitudinal_speed")?, usize_of(input, "wheel_id")?);
    Ok(json!({"brake_torque": number(brake_torque(&params, &commands, speed, wheel))}).into())
}

pub fn steer_command_response(input: &Value) -> Result<Outcome> {
    let params = parse::response(field(input, "steer_response")?)?;
    let (command, wheel) = (f32_of(input, "steer_command")?, usize_of(input, "wheel_id")?);
    let speed = f32_of(input, "longitudinal_speed")?;
    Ok(json!({"steer_angle": number(steer_angle(&params, command, speed, wheel))}).into())
}

pub fn ackermann_steer(input: &Value) -> Result<Outcome> {
    let response = parse::response(field(input, "steer_response")?)?;
    let command = f32_of(input, "steer_command")?;
    let mut angles = f32s_of(input, "steer_angles_before")?;
    for recorded in parse::one_or_many(input.get("ackermann")) {
        let params = parse::ackermann(recorded)?;
        let [right, left] = params.wheels;
        let linear = |wheel| linear_response(&response, command, wheel);
        if let Some(corrected) = ackermann_angles(&params, 0.5 * (linear(right) + linear(left))) {
            [angles[right], angles[left]] = corrected;
        }
    }
    Ok(json!({"steer_angles": numbers(&angles)}).into())
}

fn gear(input: &Value) -> Result<Gear> {
    Ok(serde_json::from_value(Value::from(str_of(input, "direct_drive_gear")?))?)
}

pub fn direct_drive_throttle_response(input: &Value) -> Result<Outcome> {
    let params = parse::response(field(input, "throttle_response")?)?;
    let (throttle, wheel) = (f32_of(input, "throttle_command")?, usize_of(input, "wheel_id")?);
    let speed = f32_of(input, "longitudinal_speed")?;
    let torque = drive_torque(&params, throttle, gear(input)?, speed, wheel);
    Ok(json!({"drive_torque": number(torque)}).into())
}

pub fn direct_drive_actuation_state(input: &Value) -> Result<Outcome> {
    let (brake, drive) = (f32_of(input, "brake_torque")?, f32_of(input, "drive_torque")?);
    let actuation = WheelActuation::from_torques(brake, drive);
    Ok(json!({
        "is_brake_applied": actuation.is_braked,
        "is_drive_applied": actuation.is_driven,
    })
    .into())
}

pub fn direct_drive_wheel_update(input: &Value) -> Result<Outcome> {
    let torques = WheelTorques {
        drive: f32_of(input, "drive_torque")?,
        brake: f32_of(input, "brake_torque")?,
    };
    let tire_torque = f32_of(input, "tire_wheel_torque")?;
    let actuation = WheelActuation {
        is_braked: bool_of(input, "is_brake_applied")?,
        is_driven: bool_of(input, "is_drive_applied")?,
    };
    let (speed, dt) = (f32_of(input, "wheel_rotation_speed")?, f32_of(input, "dt")?);
    let wheel = parse::partial_wheel(input)?;
    let speed = wheel_rotation_speed(&wheel, &torques, tire_torque, actuation, speed, dt);
    Ok(json!({"wheel_rotation_speed": number(speed)}).into())
}

pub fn acceleration_intent(input: &Value) -> Result<Outcome> {
    let (drives, brakes) =
        (bools_of(input, "is_drive_applied")?, bools_of(input, "is_brake_applied")?);
    let actuations: WheelList<_> = drives
        .into_iter()
        .zip(brakes)
        .map(|(is_driven, is_braked)| WheelActuation { is_braked, is_driven })
        .collect();
    let intent = has_acceleration_intent(&actuations);
    Ok(json!({"is_intention_to_accelerate": intent}).into())
}

pub fn tire_sticky_reset(input: &Value) -> Result<Outcome> {
    let states = list_of(input, "sticky_states")?;
    let tire = |state| Ok(TireState { sticky: sticky_state(state)?, ..TireState::default() });
    let mut tires: WheelList<_> = states.iter().map(tire).collect::<Result<_>>()?;
    if bool_of(input, "is_intention_to_accelerate")? {
        release_sticky_tires(&mut tires);
    }
    let states: Vec<_> = tires.iter().map(|tire| recorded_sticky_state(&tire.sticky)).collect();
    Ok(json!({"sticky_states": states}).into())
}

fn sticky_state(value: &Value) -> Result<TireStickyState> {
    Ok(TireStickyState {
        longitudinal: StickyState {
            low_speed_time: f32_of(value, "longitudinal_low_speed_time")?,
            is_active: bool_of(value, "longitudinal_sticky_active")?,
        },
        lateral: StickyState {
            low_speed_time: f32_of(value, "lateral_low_speed_time")?,
            is_active: bool_of(value, "lateral_sticky_active")?,
        },
    })
}

pub fn recorded_sticky_state(state: &TireStickyState) -> Value {
    json!({
        "longitudinal_low_speed_time": number(state.longitudinal.low_speed_time),
        "lateral_low_speed_time": number(state.lateral.low_speed_time),
        "longitudinal_sticky_active": state.longitudinal.is_active,
        "lateral_sticky_active": state.lateral.is_active,
    })
}

pub fn vehicle_frame(input: &Value) -> Result<Outcome> {
    let [longitudinal, lateral, vertical] = parse::axes(input, "frame")?;
    let directions = [longitudinal, lateral, vertical].map(Axis::direction);
    let determinant = Mat3::from_cols(directions[0], directions[1], directions[2]).determinant();
    let is_valid = Frame::new(longitudinal, lateral, vertical).is_ok();
    let produced = json!({
        "longitudinal_dir": numbers(&directions[0].to_array()),
        "lateral_dir": numbers(&directions[1].to_array()),
        "vertical_dir": numbers(&directions[2].to_array()),
        "determinant": number(determinant),
        "is_valid_frame": is_valid,
    });
    let is_right_handed = Value::from(determinant == 1.0);
    let reason = "left-handed frames are accepted";
    Ok(Outcome::from(produced).with_quirk("is_valid_frame", is_right_handed, reason))
}

pub fn compute_translation(input: &Value) -> Result<Outcome> {
    let vector = parse::frame(input)?.translation(
        f32_of(input, "longitudinal")?,
        f32_of(input, "lateral")?,
        f32_of(input, "vertical")?,
    );
    Ok(json!({"vector": numbers(&vector.to_array())}).into())
}

pub fn compute_rotation(input: &Value) -> Result<Outcome> {
    let rotation = parse::frame(input)?.rotation(
        f32_of(input, "roll")?,
        f32_of(input, "pitch")?,
        f32_of(input, "yaw")?,
    );
    Ok(json!({"orientation": numbers(&rotation.to_array())}).into())
}

fn conversion(input: &Value) -> Result<CoordinateConversion> {
    let source = CoordinateSystem {
        frame: parse::frame_of(input, "source_frame")?,
        length_scale: f32_of(input, "source_scale")?,
    };
    let target = CoordinateSystem {
        frame: parse::frame_of(input, "target_frame")?,
        length_scale: f32_of(input, "target_scale")?,
    };
    Ok(CoordinateConversion::new(&source, &target))
}

pub fn transform_frame_to_frame_vector(input: &Value) -> Result<Outcome> {
    let conversion = conversion(input)?;
    let vector = parse::vector(input, "vector")?;
    Ok(json!({
        "rotated_vector": numbers(&conversion.direction(vector).to_array()),
        "rotated_and_scaled_vector": numbers(&conversion.length(vector).to_array()),
    })
    .into())
}

pub fn transform_frame_to_frame_pose(input: &Value) -> Result<Outcome> {
    let conversion = conversion(input)?;
    let pose = parse::transform(input, "pose")?;
    Ok(json!({"pose": parse::recorded(&conversion.pose(&pose))}).into())
}

pub fn compute_sprung_masses(input: &Value) -> Result<Outcome> {
    let positions: Vec<_> =
        vec3s_of(input, "wheel_coordinates")?.into_iter().map(Vec3::from_array).collect();
    let gravity = parse::axis(input, "gravity_axis")?;
    let masses = sprung_masses(&positions, f32_of(input, "total_mass")?, gravity);
    Ok(match masses {
        Ok(masses) => json!({"success": true, "sprung_masses": numbers(&masses)}).into(),
        Err(_) => json!({"success": false}).into(),
    })
}
