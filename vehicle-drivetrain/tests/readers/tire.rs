//! Readers of the tire.

use anyhow::Result;
use serde_json::{Value, json};
use vehicle_core::WheelList;
use vehicle_core::actuation::{WheelActuation, has_acceleration_intent, is_any_wheel_braked};
use vehicle_core::math::{Quat, Vec3, rotate};
use vehicle_core::road_geometry::{Plane, RoadContact};
use vehicle_core::suspension::{force_arm, wheel_travel};
use vehicle_core::tire::{
    GripInput, StickyHold, StickyInput, StickyLimits, StickyState, TireContact, TireDirections,
    TireGrip, TireInput, TireModel, TireSlip, TireSlipParams, TireSpeeds, TireStickyParams,
    TireStickyState, TireWheel, camber_angle, slip_beside_sticky, tire_directions, tire_force,
    tire_slip, tire_speeds, tire_sticky_state as sticky_state_after,
};
use vehicle_core::wheel::{WheelAngles, wheel_local_orientation};

use super::commands::recorded_sticky_state;
use super::conversion::slip_params;
use super::parse;
use crate::support::values::{bool_of, bools_of, f32_of, list_of, number, numbers};
use crate::support::vectors::Outcome;

fn orientation(input: &Value) -> Result<Quat> {
    let angles = WheelAngles {
        steer: f32_of(input, "steer_angle")?,
        toe: f32_of(input, "compliance_toe")?,
        camber: f32_of(input, "compliance_camber")?,
        rotation: 0.0,
    };
    let local = wheel_local_orientation(&parse::suspension(input)?, &angles, &parse::frame(input)?);
    Ok(parse::quaternion(input, "body_orientation")? * local)
}

pub fn tire_dirs(input: &Value) -> Result<Outcome> {
    let directions = if bool_of(input, "is_wheel_on_ground")? {
        let normal = parse::vector(input, "ground_normal")?;
        tire_directions(rotate(orientation(input)?, parse::frame(input)?.lateral()), normal)
    } else {
        TireDirections::default()
    };
    Ok(recorded_directions(&directions).into())
}

pub fn recorded_directions(directions: &TireDirections) -> Value {
    json!({
        "tire_longitudinal_dir": numbers(&directions.longitudinal.to_array()),
        "tire_lateral_dir": numbers(&directions.lateral.to_array()),
    })
}

pub fn tire_camber_angle(input: &Value) -> Result<Outcome> {
    let angle = if bool_of(input, "is_wheel_on_ground")? {
        let normal = parse::vector(input, "ground_normal")?;
        let (orientation, frame) = (orientation(input)?, parse::frame(input)?);
        let axle = rotate(orientation, frame.lateral());
        camber_angle(axle, rotate(orientation, frame.longitudinal()), normal)
    } else {
        0.0
    };
    Ok(json!({"tire_camber_angle": number(angle)}).into())
}

fn directions(input: &Value) -> Result<TireDirections> {
    Ok(TireDirections {
        longitudinal: parse::vector(input, "tire_longitudinal_dir")?,
        lateral: parse::vector(input, "tire_lateral_dir")?,
    })
}

fn speeds(input: &Value) -> Result<TireSpeeds> {
    Ok(TireSpeeds {
        longitudinal: f32_of(input, "tire_longitudinal_speed")?,
        lateral: f32_of(input, "tire_lateral_speed")?,
    })
}

pub fn tire_slip_speeds(input: &Value) -> Result<Outcome> {
    let (body, wheel) = (parse::body(input)?, parse::partial_wheel(input)?);
    let (suspension, frame) = (parse::suspension(input)?, parse::frame(input)?);
    let travel = wheel_travel(&suspension, &wheel, &body, f32_of(input, "steer_angle")?, &frame);
    let contact = travel.bottom(f32_of(input, "suspension_jounce")?);
    let road_velocity = parse::vector(input, "road_velocity")?;
    let speeds = tire_speeds(&body, contact, road_velocity, &directions(input)?);
    Ok(json!({
        "tire_longitudinal_speed": number(speeds.longitudinal),
        "tire_lateral_speed": number(speeds.lateral),
    })
    .into())
}

pub fn tire_slips(input: &Value) -> Result<Outcome> {
    slips(input, tire_slip)
}

/// A formula of the slips: of its speeds, of the rim's speed (m/s), and of what the wheel does.
pub type SlipLaw = fn(&TireSlipParams, &TireSpeeds, f32, WheelActuation) -> TireSlip;

pub fn slips(input: &Value, law: SlipLaw) -> Result<Outcome> {
    let actuation = WheelActuation {
        is_braked: bool_of(input, "is_brake_applied")?,
        is_driven: bool_of(input, "is_drive_applied")?,
    };
    let rim_speed = f32_of(input, "wheel_rotation_speed")? * f32_of(input, "wheel_radius")?;
    let slip = law(&slip_params(input)?, &speeds(input)?, rim_speed, actuation);
    Ok(recorded_slip(&slip).into())
}

fn recorded_slip(slip: &TireSlip) -> Value {
    json!({
        "tire_longitudinal_slip": number(slip.longitudinal),
        "tire_lateral_slip": number(slip.angle()),
    })
}

fn slip(input: &Value) -> Result<TireSlip> {
    Ok(TireSlip {
        longitudinal: f32_of(input, "tire_longitudinal_slip")?,
        tangent: f32_of(input, "tire_lateral_slip")?.tan(),
    })
}

pub fn tire_slips_accounting_for_sticky(input: &Value) -> Result<Outcome> {
    let state = |is_active| StickyState { low_speed_time: 0.0, is_active };
    let sticky = TireStickyState {
        longitudinal: state(bool_of(input, "longitudinal_sticky_active")?),
        lateral: state(bool_of(input, "lateral_sticky_active")?),
    };
    Ok(recorded_slip(&slip_beside_sticky(
        &slip(input)?,
        sticky.longitudinal.is_active,
        sticky.lateral.is_active,
    ))
    .into())
}

pub fn tire_grip(input: &Value) -> Result<Outcome> {
    let grip = if bool_of(input, "is_wheel_on_ground")? {
        parse::tire(input)?.grip(&GripInput {
            normal_load: f32_of(input, "suspension_normal_force")?,
            road_friction: f32_of(input, "friction_coefficient")?,
            slip: TireSlip { longitudinal: f32_of(input, "tire_longitudinal_slip")?, tangent: 0.0 },
        })
    } else {
        TireGrip::default()
    };
    Ok(json!({"tire_load": number(grip.load), "tire_friction": number(grip.friction)}).into())
}

pub fn tire_sticky_state(input: &Value) -> Result<Outcome> {
    let limits = |direction: &str| -> Result<StickyLimits> {
        Ok(StickyLimits {
            threshold_speed: f32_of(input, &format!("{direction}_threshold_speed"))?,
            threshold_time: f32_of(input, &format!("{direction}_threshold_time"))?,
            damping: 0.0,
        })
    };
    let params = TireStickyParams {
        longitudinal: limits("longitudinal")?,
        lateral: limits("lateral")?,
        hold: StickyHold::Damper,
    };
    let (radius, dt) = (f32_of(input, "wheel_radius")?, f32_of(input, "dt")?);
    let timer = |low_speed_time| StickyState { low_speed_time, is_active: false };
    let mut state = TireStickyState {
        longitudinal: timer(f32_of(input, "initial_longitudinal_low_speed_time")?),
        lateral: timer(f32_of(input, "initial_lateral_low_speed_time")?),
    };
    let mut steps = Vec::new();
    for step in list_of(input, "steps")? {
        let sticky_input = sticky_input(step, radius)?;
        state = sticky_state_after(&params, &sticky_input, &state, dt);
        steps.push(recorded_sticky_state(&state));
    }
    Ok(json!({"steps": steps}).into())
}

fn sticky_input(step: &Value, radius: f32) -> Result<StickyInput> {
    let (drives, brakes) =
        (bools_of(step, "is_drive_applied")?, bools_of(step, "is_brake_applied")?);
    let actuations: WheelList<_> = drives
        .into_iter()
        .zip(brakes)
        .map(|(is_driven, is_braked)| WheelActuation { is_braked, is_driven })
        .collect();
    Ok(StickyInput {
        grip: TireGrip {
            load: f32_of(step, "tire_load")?,
            friction: f32_of(step, "tire_friction")?,
        },
        speeds: speeds(step)?,
        rotation_speed: f32_of(step, "wheel_rotation_speed")?,
        radius,
        stopping_speed: 0.0,
        slides_to_rest: false,
        is_vehicle_driven: has_acceleration_intent(&actuations),
        is_vehicle_braked: is_any_wheel_braked(&actuations),
    })
}

pub fn tire_forces(input: &Value) -> Result<Outcome> {
    let body = parse::turned_body(input)?;
    let wheel = parse::partial_wheel(input)?;
    let ground = RoadContact::new(Plane { normal: Vec3::Y, offset: 0.0 }, 1.0);
    let load = f32_of(input, "tire_load")?;
    let tire_input = TireInput {
        wheel: TireWheel {
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            pose: body.pose,
            contact_speeds: TireSpeeds::default(),
            rotation_speed: 0.0,
            radius: wheel.radius,
            half_width: wheel.half_width,
            inclination: f32_of(input, "tire_camber_angle")?,
            inflation_pressure: wheel.inflation_pressure,
            radial_stiffness: wheel.stiffness(),
        },
        ground: &ground,
        soil: None,
        normal_load: load,
        grip: TireGrip { load, friction: f32_of(input, "tire_friction")? },
        slip: slip(input)?,
        stopping_force: f32::INFINITY,
        dt: 0.01,
    };
    let contact = TireContact {
        directions: directions(input)?,
        normal: ground.plane.normal,
        arm: force_arm(&parse::mount(input)?, &body, parse::vector(input, "tire_force_app_point")?),
        radius: wheel.radius,
    };
    let output = parse::tire(input)?.forces(&tire_input, &mut ());
    let force = tire_force(&output, &contact);
    Ok(json!({
        "tire_longitudinal_force": numbers(&force.longitudinal.to_array()),
        "tire_lateral_force": numbers(&force.lateral.to_array()),
        "tire_longitudinal_torque": numbers(&force.longitudinal_torque.to_array()),
        "tire_lateral_torque": numbers(&force.lateral_torque().to_array()),
        "tire_aligning_moment": number(force.aligning_moment),
        "wheel_torque": number(force.wheel_torque),
    })
    .into())
}
