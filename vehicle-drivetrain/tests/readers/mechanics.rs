//! Readers of suspension, wheel and rigid body.

use anyhow::{Result, bail};
use serde_json::{Value, json};
use vehicle_core::actuation::WheelActuation;
use vehicle_core::constraint_rows::VehicleRows;
use vehicle_core::math::{Pose, Vec3};
use vehicle_core::rigid_body::{RigidBodyState, RigidBodyView};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::suspension::{
    AntiRollBarEnd, Compression, ContactShape, ExpansionSpeed, JounceParams,
    SuspensionComplianceParams, SuspensionForce, SuspensionForceParams, SuspensionLoad,
    SuspensionState, WheelDrop, anti_roll_torque as torque_of_bar,
    suspension_compliance as compliance_at, suspension_compression, suspension_force as force_of,
    wheel_travel,
};
use vehicle_core::tire::{TireForce, TireState};
use vehicle_core::wheel::{
    WheelAngles, WheelRolling, advance_rotation_angle, displayed_rotation_speed,
    wheel_local_orientation as local_orientation, wheel_local_pose as local_pose,
};
use vehicle_core::wheel_forces::WheelForces;
use vehicle_core::{Context, Frame, SimulationParams, WheelList};

use super::parse;
use crate::support::values::{bool_of, f32_of, field, list_of, number, numbers, str_of, usize_of};
use crate::support::vectors::Outcome;

/// The separation that marks a wheel in the air.
const IN_THE_AIR: f32 = f32::MIN_POSITIVE;

fn recorded_state(state: &Compression) -> Value {
    json!({
        "suspension_jounce": number(state.jounce.unwrap_or(f32::MAX)),
        "suspension_jounce_speed": number(state.jounce_speed),
        "suspension_separation": number(state.separation.unwrap_or(IN_THE_AIR)),
        "is_wheel_on_ground": state.is_on_ground(),
    })
}

pub fn jounce_params(input: &Value) -> Result<JounceParams> {
    let contact = match str_of(input, "jounce_calculation")? {
        "raycast" => ContactShape::Ray,
        "sweep" => ContactShape::Cylinder,
        other => bail!("`jounce_calculation`: {other} is neither raycast nor sweep"),
    };
    let is_limited = bool_of(input, "limit_suspension_expansion_velocity")?;
    let expansion = if is_limited { ExpansionSpeed::Limited } else { ExpansionSpeed::Unlimited };
    Ok(JounceParams { contact, expansion })
}

pub fn suspension_state_update(input: &Value) -> Result<Outcome> {
    let frame = parse::frame(input)?;
    let body = RigidBodyState::at_rest(parse::transform(input, "body_pose")?);
    let (suspension, wheel) = (parse::suspension(input)?, parse::partial_wheel(input)?);
    let steer = f32_of(input, "steer_angle")?;
    let travel = wheel_travel(&suspension, &wheel, &body, steer, &frame);
    let drop = WheelDrop {
        stiffness: f32_of(input, "suspension_stiffness")?,
        damping: f32_of(input, "suspension_damping")?,
        wheel_mass: wheel.mass,
        gravity: parse::vector(input, "gravity")?,
    };
    let previous = Compression {
        jounce: parse::known(input, "previous_suspension_jounce")?,
        jounce_speed: f32_of(input, "previous_suspension_jounce_speed")?,
        ..Compression::default()
    };
    let plane = parse::plane(input)?;
    let road = bool_of(input, "has_ground_hit")?.then_some(&plane);
    let (params, dt) = (jounce_params(input)?, f32_of(input, "dt")?);
    let state = suspension_compression(&params, &travel, &frame, road, &drop, &previous, dt);
    Ok(recorded_state(&state).into())
}

pub fn suspension_compliance(input: &Value) -> Result<Outcome> {
    let params = SuspensionComplianceParams {
        toe: parse::scalar_curve(input, "wheel_toe_angle_table")?,
        camber: parse::scalar_curve(input, "wheel_camber_angle_table")?,
        suspension_force_point: parse::vector_curve(input, "suspension_force_app_point_table")?,
        tire_force_point: parse::vector_curve(input, "tire_force_app_point_table")?,
    };
    let jounce = f32_of(input, "suspension_jounce")?;
    let compliance = compliance_at(&params, jounce, f32_of(input, "suspension_travel_dist")?);
    Ok(json!({
        "compliance_toe": number(compliance.toe),
        "compliance_camber": number(compliance.camber),
        "suspension_force_app_point": numbers(&compliance.suspension_force_point.to_array()),
        "tire_force_app_point": numbers(&compliance.tire_force_point.to_array()),
    })
    .into())
}

pub fn suspension_force(input: &Value) -> Result<Outcome> {
    let params = SuspensionForceParams {
        stiffness: f32_of(input, "suspension_stiffness")?,
        damping: f32_of(input, "suspension_damping")?,
        sprung_mass: f32_of(input, "sprung_mass")?,
    };
    let body = RigidBodyState {
        external_force: parse::vector(input, "body_external_force")?,
        external_torque: parse::vector(input, "body_external_torque")?,
        ..parse::turned_body(input)?
    };
    let load = SuspensionLoad::new(
        &body,
        &parse::mount(input)?,
        f32_of(input, "vehicle_mass")?,
        parse::vector(input, "gravity")?,
        parse::vector(input, "ground_plane_normal")?,
        parse::vector(input, "suspension_force_app_point")?,
    );
    let state = Compression {
        jounce: Some(f32_of(input, "suspension_jounce")?),
        jounce_speed: f32_of(input, "suspension_jounce_speed")?,
        separation: Some(f32_of(input, "suspension_separation")?),
        ..Compression::default()
    };
    let force = match state.jounce.filter(|_| state.is_on_ground()) {
        Some(jounce) => {
            force_of(&params, &parse::mount(input)?, &body, jounce, state.jounce_speed, &load)
        }
        None => SuspensionForce::default(),
    };
    Ok(json!({
        "suspension_force": numbers(&force.force.to_array()),
        "suspension_torque": numbers(&force.torque.to_array()),
        "suspension_normal_force": number(force.normal_load),
    })
    .into())
}

pub fn anti_roll_torque(input: &Value) -> Result<Outcome> {
    let body = parse::turned_body(input)?;
    let wheels = list_of(input, "wheels")?;
    let mounts: Vec<_> = wheels.iter().map(parse::mount).collect::<Result<_>>()?;
    let mut torque = Vec3::ZERO;
    for bar in list_of(input, "anti_roll_bars")? {
        let end = |name| -> Result<AntiRollBarEnd> {
            let wheel = usize_of(bar, name)?;
            Ok(AntiRollBarEnd {
                suspension: mounts[wheel],
                jounce: f32_of(&wheels[wheel], "suspension_jounce")?,
                force_point: parse::vector(&wheels[wheel], "suspension_force_app_point")?,
            })
        };
        let ends = [end("wheel_0")?, end("wheel_1")?];
        torque += body.direction(torque_of_bar(f32_of(bar, "anti_roll_stiffness")?, &ends));
    }
    Ok(json!({"anti_roll_torque": numbers(&torque.to_array())}).into())
}

pub fn suspension_raycast_query(input: &Value) -> Result<Outcome> {
    let body = RigidBodyState::at_rest(parse::transform(input, "body_pose")?);
    let (suspension, wheel) = (parse::suspension(input)?, parse::partial_wheel(input)?);
    let steer = f32_of(input, "steer_angle")?;
    let travel = wheel_travel(&suspension, &wheel, &body, steer, &parse::frame(input)?);
    Ok(json!({
        "start": numbers(&travel.ray_start().to_array()),
        "direction": numbers(&travel.direction.to_array()),
        "distance": number(travel.ray_length()),
    })
    .into())
}

pub fn suspension_sweep_query(input: &Value) -> Result<Outcome> {
    let body = RigidBodyState::at_rest(parse::transform(input, "body_pose")?);
    let (suspension, wheel) = (parse::suspension(input)?, parse::partial_wheel(input)?);
    let steer = f32_of(input, "steer_angle")?;
    let travel = wheel_travel(&suspension, &wheel, &body, steer, &parse::frame(input)?);
    Ok(json!({
        "start_pose": parse::recorded(&travel.pose),
        "direction": numbers(&travel.direction.to_array()),
        "distance": number(travel.distance),
    })
    .into())
}

fn wheel_angles(input: &Value) -> Result<WheelAngles> {
    Ok(WheelAngles {
        steer: f32_of(input, "steer_angle")?,
        toe: f32_of(input, "toe_angle")?,
        camber: f32_of(input, "camber_angle")?,
        rotation: f32_of(input, "wheel_rotation_angle")?,
    })
}

pub fn wheel_local_orientation(input: &Value) -> Result<Outcome> {
    let (suspension, angles) = (parse::suspension(input)?, wheel_angles(input)?);
    let orientation = local_orientation(&suspension, &angles, &parse::frame(input)?);
    Ok(json!({"wheel_local_orientation": numbers(&orientation.to_array())}).into())
}

pub fn wheel_orientation(input: &Value) -> Result<Outcome> {
    let (suspension, angles) = (parse::suspension(input)?, wheel_angles(input)?);
    let body = parse::turned_body(input)?;
    let local = local_orientation(&suspension, &angles, &parse::frame(input)?);
    let orientation = body.pose.rotation * local;
    Ok(json!({"wheel_orientation": numbers(&orientation.to_array())}).into())
}

fn local_wheel_pose(input: &Value) -> Result<Pose> {
    let (suspension, angles) = (parse::suspension(input)?, wheel_angles(input)?);
    let jounce = parse::known(input, "suspension_jounce")?.unwrap_or(suspension.travel_distance);
    Ok(local_pose(&suspension, jounce, &angles, &parse::frame(input)?))
}

pub fn wheel_local_pose(input: &Value) -> Result<Outcome> {
    Ok(json!({"wheel_local_pose": parse::recorded(&local_wheel_pose(input)?)}).into())
}

pub fn wheel_pose(input: &Value) -> Result<Outcome> {
    let pose = parse::transform(input, "body_pose")? * local_wheel_pose(input)?;
    Ok(json!({"wheel_pose": parse::recorded(&pose)}).into())
}

pub fn wheel_rotation_angle_update(input: &Value) -> Result<Outcome> {
    let actuation = WheelActuation {
        is_braked: bool_of(input, "is_brake_applied")?,
        is_driven: bool_of(input, "is_drive_applied")?,
    };
    let rolling = WheelRolling {
        is_free_on_ground: 0.0 < f32_of(input, "suspension_jounce")?
            && actuation == WheelActuation::default(),
        longitudinal_speed: f32_of(input, "tire_longitudinal_speed")?,
        radius: f32_of(input, "wheel_radius")?,
    };
    let speed = f32_of(input, "wheel_rotation_speed")?;
    let displayed =
        displayed_rotation_speed(speed, &rolling, f32_of(input, "threshold_forward_speed")?);
    let angle = f32_of(input, "wheel_rotation_angle")?;
    Ok(json!({
        "wheel_rotation_speed": number(speed),
        "wheel_corrected_rotation_speed": number(displayed),
        "wheel_rotation_angle": number(advance_rotation_angle(angle, displayed, f32_of(input, "dt")?)),
    })
    .into())
}

pub fn rigid_body_local_speeds(input: &Value) -> Result<Outcome> {
    let frame = parse::frame(input)?;
    let body = RigidBodyState {
        linear_velocity: parse::vector(input, "body_linear_velocity")?,
        ..parse::turned_body(input)?
    };
    Ok(json!({
        "longitudinal_speed": number(body.longitudinal_speed(&frame)),
        "lateral_speed": number(body.lateral_speed(&frame)),
        "vertical_speed": number(body.vertical_speed(&frame)),
    })
    .into())
}

pub fn rigid_body_update(input: &Value) -> Result<Outcome> {
    let axles = parse::axle_description(input, "axles")?;
    let params = parse::body_params(input)?;
    let mut state = RigidBodyState {
        external_force: parse::vector(input, "body_external_force")?,
        external_torque: parse::vector(input, "body_external_torque")?,
        ..parse::body(input)?
    };
    let wheels = list_of(input, "wheels")?;
    let suspensions: WheelList<_> =
        wheels.iter().map(recorded_suspension).collect::<Result<_>>()?;
    let tires: WheelList<_> = wheels.iter().map(recorded_tire_force).collect::<Result<_>>()?;
    let mut rows = VehicleRows::none(wheels.len());
    let view = RigidBodyView {
        axles: &axles,
        params: &params,
        wheels: WheelForces { suspensions: &suspensions, tires: &tires },
        wheel_inertia: None,
        anti_roll_torque: match input.get("anti_roll_torque") {
            Some(Value::Array(_)) => parse::vector(input, "anti_roll_torque")?,
            _ => Vec3::ZERO,
        },
        rows: &mut rows,
        state: &mut state,
    };
    let params = SimulationParams {
        gravity: parse::vector(input, "gravity")?,
        ..SimulationParams::default()
    };
    let road = FlatRoad::new(&Frame::default());
    view.update(f32_of(input, "dt")?, &Context::new(&params, &road));
    let produced = json!({
        "body_pose": parse::recorded(&state.pose),
        "body_linear_velocity": numbers(&state.linear_velocity.to_array()),
        "body_angular_velocity": numbers(&state.angular_velocity.to_array()),
        "body_external_force": numbers(&state.external_force.to_array()),
        "body_external_torque": numbers(&state.external_torque.to_array()),
    });
    let reason = "external loads are forgotten after one substep; ours act for the whole frame";
    let held = |name| field(input, name).cloned();
    Ok(Outcome::from(produced)
        .with_quirk("body_external_force", held("body_external_force")?, reason)
        .with_quirk("body_external_torque", held("body_external_torque")?, reason))
}

fn recorded_suspension(wheel: &Value) -> Result<SuspensionState> {
    let force = SuspensionForce {
        force: parse::vector(wheel, "suspension_force")?,
        torque: parse::vector(wheel, "suspension_torque")?,
        normal_load: 0.0,
    };
    Ok(SuspensionState { force, ..SuspensionState::default() })
}

fn recorded_tire_force(wheel: &Value) -> Result<TireState> {
    let force = TireForce {
        longitudinal: parse::vector(wheel, "tire_longitudinal_force")?,
        lateral: parse::vector(wheel, "tire_lateral_force")?,
        longitudinal_torque: parse::vector(wheel, "tire_longitudinal_torque")?,
        // Beside its arm, which is not recorded.
        moment: parse::vector(wheel, "tire_lateral_torque")?,
        aligning_moment: f32_of(wheel, "tire_aligning_moment")?,
        ..TireForce::default()
    };
    Ok(TireState { force, ..TireState::default() })
}
