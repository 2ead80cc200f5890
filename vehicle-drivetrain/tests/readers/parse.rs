//! From recorded fields to the types of the crates.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use vehicle_core::commands::{CommandResponseParams, ResponseRow, ResponseTable};
use vehicle_core::frame::Axis;
use vehicle_core::lookup_table::{Interpolate, LookupTable};
use vehicle_core::math::{Pose, Quat, Real, Vec3};
use vehicle_core::rigid_body::{RigidBodyParams, RigidBodyState};
use vehicle_core::road_geometry::Plane;
use vehicle_core::steering::{AckermannInput, AckermannParams};
use vehicle_core::suspension::SuspensionParams;
use vehicle_core::tire::BrushTire;
use vehicle_core::wheel::WheelParams;
use vehicle_core::{AxleDescription, Frame};

use crate::support::values::{
    array, f32_of, f32s_of, field, list_of, optional, optional_f32_of, pose, pose_of, quat_of,
    str_of, usizes_of, vec3_of,
};

/// The number that marks a value that is not known yet.
const UNKNOWN: Real = Real::MAX;

pub fn vector(value: &Value, name: &str) -> Result<Vec3> {
    Ok(Vec3::from_array(vec3_of(value, name)?))
}

pub fn quaternion(value: &Value, name: &str) -> Result<Quat> {
    Ok(Quat::from_array(quat_of(value, name)?))
}

pub fn transform(value: &Value, name: &str) -> Result<Pose> {
    let recorded = pose_of(value, name)?;
    let rotation = Quat::from_array(recorded.orientation);
    Ok(Pose::from_parts(Vec3::from_array(recorded.position), rotation))
}

/// A pose in the form in which it is recorded.
pub fn recorded(value: &Pose) -> Value {
    pose(value.translation.to_array(), value.rotation.to_array())
}

/// A number, or `None` if it is marked as unknown.
pub fn known(value: &Value, name: &str) -> Result<Option<Real>> {
    let number = f32_of(value, name)?;
    Ok((number != UNKNOWN).then_some(number))
}

pub fn axis(value: &Value, name: &str) -> Result<Axis> {
    let text = str_of(value, name)?;
    serde_json::from_value(Value::from(text)).with_context(|| format!("`{name}`"))
}

/// Three axes, which need not be a frame.
pub fn axes(value: &Value, name: &str) -> Result<[Axis; 3]> {
    let axes = field(value, name)?;
    Ok([
        axis(axes, "longitudinal_axis")?,
        axis(axes, "lateral_axis")?,
        axis(axes, "vertical_axis")?,
    ])
}

pub fn frame(value: &Value) -> Result<Frame> {
    frame_of(value, "frame")
}

pub fn frame_of(value: &Value, name: &str) -> Result<Frame> {
    let [longitudinal, lateral, vertical] = axes(value, name)?;
    Ok(Frame::new(longitudinal, lateral, vertical)?)
}

pub fn axle_description(value: &Value, name: &str) -> Result<AxleDescription> {
    let axles = list_of(value, name)?;
    let wheels: Vec<Vec<usize>> = axles
        .iter()
        .map(|axle| Ok(serde_json::from_value(axle.clone())?))
        .collect::<Result<_>>()?;
    Ok(AxleDescription::new(wheels)?)
}

pub fn body(value: &Value) -> Result<RigidBodyState> {
    Ok(RigidBodyState {
        linear_velocity: vector(value, "body_linear_velocity")?,
        angular_velocity: vector(value, "body_angular_velocity")?,
        ..RigidBodyState::at_rest(transform(value, "body_pose")?)
    })
}

/// A body at rest, turned.
pub fn turned_body(value: &Value) -> Result<RigidBodyState> {
    Ok(RigidBodyState::at_rest(Pose::from_rotation(quaternion(value, "body_orientation")?)))
}

pub fn body_params(value: &Value) -> Result<RigidBodyParams> {
    Ok(RigidBodyParams { mass: f32_of(value, "body_mass")?, inertia: vector(value, "body_moi")? })
}

pub fn wheel(value: &Value) -> Result<WheelParams> {
    Ok(WheelParams {
        radius: f32_of(value, "wheel_radius")?,
        half_width: f32_of(value, "wheel_half_width")?,
        mass: f32_of(value, "wheel_mass")?,
        inertia: f32_of(value, "wheel_moi")?,
        damping_rate: f32_of(value, "wheel_damping_rate")?,
        ..WheelParams::default()
    })
}

/// A wheel of which only some values are recorded.
pub fn partial_wheel(value: &Value) -> Result<WheelParams> {
    let default = WheelParams::default();
    let or = |name, other| Ok::<_, anyhow::Error>(optional_f32_of(value, name)?.unwrap_or(other));
    Ok(WheelParams {
        radius: or("wheel_radius", default.radius)?,
        half_width: or("wheel_half_width", default.half_width)?,
        mass: or("wheel_mass", default.mass)?,
        inertia: or("wheel_moi", default.inertia)?,
        damping_rate: or("wheel_damping_rate", default.damping_rate)?,
        ..default
    })
}

pub fn suspension(value: &Value) -> Result<SuspensionParams> {
    let recorded = field(value, "suspension")?;
    Ok(SuspensionParams {
        attachment: transform(recorded, "suspension_attachment")?,
        travel_direction: vector(recorded, "suspension_travel_dir")?,
        travel_distance: f32_of(recorded, "suspension_travel_dist")?,
        wheel_attachment: transform(recorded, "wheel_attachment")?,
    })
}

/// A suspension of which only the mount, and perhaps the travel, is recorded.
pub fn mount(value: &Value) -> Result<SuspensionParams> {
    let travel =
        optional(value, "suspension_travel_dir").map(|_| vector(value, "suspension_travel_dir"));
    Ok(SuspensionParams {
        attachment: transform(value, "suspension_attachment")?,
        travel_direction: travel.transpose()?.unwrap_or(Vec3::NEG_Y),
        travel_distance: optional_f32_of(value, "suspension_travel_dist")?.unwrap_or(1.0),
        wheel_attachment: Pose::IDENTITY,
    })
}

pub fn plane(value: &Value) -> Result<Plane> {
    Ok(Plane {
        normal: vector(value, "ground_plane_normal")?,
        offset: f32_of(value, "ground_plane_d")?,
    })
}

pub fn tire(value: &Value) -> Result<BrushTire> {
    let recorded = field(value, "tire")?;
    Ok(BrushTire {
        longitudinal_stiffness: f32_of(recorded, "longitudinal_stiffness")?,
        lateral_stiffness: f32_of(recorded, "lateral_stiffness_y")?,
        lateral_stiffness_load: f32_of(recorded, "lateral_stiffness_x")?,
        camber_stiffness: f32_of(recorded, "camber_stiffness")?,
        rest_load: f32_of(recorded, "rest_load")?,
        friction_vs_slip: points(recorded, "friction_vs_slip")?,
        lateral_slip_weight: 0.0,
        rolling_resistance: 0.0,
        pneumatic_trail: 0.0,
        load_filter: points(recorded, "load_filter")?,
    })
}

fn points<const N: usize>(value: &Value, name: &str) -> Result<[(Real, Real); N]> {
    let points = list_of(value, name)?;
    let points: Vec<_> =
        points.iter().map(|point| array(point).map(|[x, y]| (x, y))).collect::<Result<_>>()?;
    let count = points.len();
    points.try_into().map_err(|_| anyhow::anyhow!("`{name}`: {N} points, not {count}"))
}

/// A curve given as lists of abscissae and values.
pub fn curve<T: Interpolate>(
    xs: &[Real],
    ys: impl IntoIterator<Item = T>,
) -> Result<LookupTable<T>> {
    let points: Vec<_> = xs.iter().copied().zip(ys).collect();
    if points.len() != xs.len() {
        bail!("{} abscissae, {} values", xs.len(), points.len());
    }
    Ok(LookupTable::new(points)?)
}

pub fn scalar_curve(value: &Value, name: &str) -> Result<LookupTable<Real>> {
    let table = field(value, name)?;
    curve(&f32s_of(table, "x")?, f32s_of(table, "y")?)
}

pub fn vector_curve(value: &Value, name: &str) -> Result<LookupTable<Vec3>> {
    let table = field(value, name)?;
    let values: Vec<_> = list_of(table, "y")?
        .iter()
        .map(|point| array(point).map(Vec3::from_array))
        .collect::<Result<_>>()?;
    curve(&f32s_of(table, "x")?, values)
}

pub fn response(value: &Value) -> Result<CommandResponseParams> {
    let rows = optional(value, "nonlinear_response_table").and_then(Value::as_array);
    let rows = rows.map(Vec::as_slice).unwrap_or_default();
    let rows: Vec<_> = rows.iter().map(response_row).collect::<Result<_>>()?;
    Ok(CommandResponseParams {
        max_response: f32_of(value, "max_response")?,
        wheel_multipliers: f32s_of(value, "wheel_response_multipliers")?,
        table: if rows.is_empty() { None } else { Some(ResponseTable::new(rows)?) },
    })
}

fn response_row(value: &Value) -> Result<ResponseRow> {
    let speeds = f32s_of(value, "longitudinal_speeds")?;
    Ok(ResponseRow {
        command: f32_of(value, "command_value")?,
        response: curve(&speeds, f32s_of(value, "normalised_responses")?)?,
    })
}

pub fn responses(value: &Value, name: &str) -> Result<Vec<CommandResponseParams>> {
    list_of(value, name)?.iter().map(response).collect()
}

pub fn ackermann(value: &Value) -> Result<AckermannParams> {
    let wheels = usizes_of(value, "wheel_ids")?;
    let [right, left] = wheels[..] else { bail!("`wheel_ids`: two wheels, not {}", wheels.len()) };
    Ok(AckermannParams {
        wheels: [right, left],
        wheel_base: f32_of(value, "wheel_base")?,
        track_width: f32_of(value, "track_width")?,
        strength: f32_of(value, "strength")?,
        input: AckermannInput::LinearResponse,
    })
}

/// One object or a list of objects.
pub fn one_or_many(value: Option<&Value>) -> &[Value] {
    match value {
        None => &[],
        Some(Value::Array(values)) => values,
        Some(single) => std::slice::from_ref(single),
    }
}
