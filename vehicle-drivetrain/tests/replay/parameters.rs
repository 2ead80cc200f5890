//! From the parameters of a recorded drive to a vehicle.

use anyhow::{Context as _, Result, anyhow, bail};
use serde_json::Value;
use vehicle_core::aerodynamics::AerodynamicsParams;
use vehicle_core::commands::{CommandResponseParams, ResponseRow, ResponseTable};
use vehicle_core::constraint_rows::{RowExecution, SuspensionLimitParams};
use vehicle_core::frame::{Axis, CoordinateSystem};
use vehicle_core::lookup_table::{Interpolate, LookupTable};
use vehicle_core::math::{Pose, Quat, Real, Vec3};
use vehicle_core::rigid_body::RigidBodyParams;
use vehicle_core::steering::{AckermannInput, AckermannParams};
use vehicle_core::suspension::unsprung::SuspensionDynamics;
use vehicle_core::suspension::{
    AntiRollAction, AntiRollBarParams, ContactShape, ExpansionSpeed, JounceParams,
    SuspensionComplianceParams, SuspensionForceParams, SuspensionParams,
};
use vehicle_core::tire::{
    BrushTire, SlipLimit, StickyHold, StickyLimits, TireSlipParams, TireStickyParams,
};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::wheel::WheelParams;
use vehicle_core::{AxleDescription, Frame, SimulationParams, WheelCoupling, WheelReaction};

use crate::support::values::{
    array, bool_of, f32_of, f32s_of, field, list_of, optional, quat_of, str_of, usize_of,
    usizes_of, vec3_of,
};

fn vector(value: &Value, name: &str) -> Result<Vec3> {
    Ok(Vec3::from_array(vec3_of(value, name)?))
}

fn pose(value: &Value, name: &str) -> Result<Pose> {
    let recorded = field(value, name)?;
    let rotation = Quat::from_array(quat_of(recorded, "q_xyzw")?);
    Ok(Pose::from_parts(vector(recorded, "p")?, rotation))
}

/// Gravity, axes and limits.
pub fn simulation(parameters: &Value) -> Result<SimulationParams> {
    let context = field(parameters, "context")?;
    let axis = |name: &str| {
        let code = usize_of(context, name)?;
        Axis::ALL.get(code).copied().ok_or_else(|| anyhow!("`{name}`: no axis has the code {code}"))
    };
    let frame = Frame::new(axis("lngAxis")?, axis("latAxis")?, axis("vrtAxis")?)?;
    let passive = f32_of(context, "minPassiveLongSlipDenominator")?;
    let active = f32_of(context, "minActiveLongSlipDenominator")?;
    Ok(SimulationParams {
        gravity: vector(context, "gravity")?,
        coordinates: CoordinateSystem { frame, length_scale: f32_of(context, "scale")? },
        tire_slip: TireSlipParams {
            min_lateral_denominator: f32_of(context, "minLatSlipDenominator")?,
            min_passive_longitudinal_denominator: passive,
            min_active_longitudinal_denominator: active,
            limit: SlipLimit::Added,
        },
        tire_sticky: Some(TireStickyParams {
            longitudinal: sticky_limits(field(context, "stickyLong")?)?,
            lateral: sticky_limits(field(context, "stickyLat")?)?,
            hold: StickyHold::Damper,
        }),
        wheel_coupling: WheelCoupling::Explicit,
        wheel_reaction: WheelReaction::None,
        row_execution: RowExecution::Local,
        rolling_blend_speed: f32_of(context, "thresholdForwardSpeedForWheelAngleIntegration")?,
        ..SimulationParams::default()
    })
}

fn sticky_limits(value: &Value) -> Result<StickyLimits> {
    Ok(StickyLimits {
        threshold_speed: f32_of(value, "thresholdSpeed")?,
        threshold_time: f32_of(value, "thresholdTime")?,
        damping: f32_of(value, "damping")?,
    })
}

/// The mechanical base.
pub fn mechanics(base: &Value) -> Result<MechanicalParams> {
    let axles: Vec<Vec<usize>> = serde_json::from_value(field(base, "axles")?.clone())?;
    let axles = AxleDescription::new(axles)?;
    let wheel_count = axles.wheel_count();
    let wheels = wheels_by_id(base, wheel_count)?;
    let body = field(base, "rigidBody")?;
    Ok(MechanicalParams {
        rigid_body: RigidBodyParams { mass: f32_of(body, "mass")?, inertia: vector(body, "moi")? },
        brakes: vec![
            response(field(base, "brake0Response")?, wheel_count)?,
            response(field(base, "brake1Response_handbrake")?, wheel_count)?,
        ],
        steering: response(field(base, "steerResponse")?, wheel_count)?,
        ackermann: one_or_many(base, "ackermann").iter().map(ackermann).collect::<Result<_>>()?,
        steering_system: None,
        brake_valves: Vec::new(),
        jounce: jounce(field(base, "suspensionStateCalculation")?)?,
        wheels: each(&wheels, "wheel", wheel)?,
        suspensions: each(&wheels, "suspension", suspension)?,
        compliances: each(&wheels, "compliance", compliance)?,
        suspension_forces: each(&wheels, "suspensionForce", spring)?,
        anti_roll_bars: one_or_many(base, "antiRollBars")
            .iter()
            .map(anti_roll_bar)
            .collect::<Result<_>>()?,
        beam_axles: Vec::new(),
        aerodynamics: AerodynamicsParams::default(),
        suspension_dynamics: SuspensionDynamics::Massless,
        suspension_limit: SuspensionLimitParams::default(),
        tires: each(&wheels, "tire", tire)?,
        axles,
    })
}

/// One object, a list of objects, or nothing.
fn one_or_many<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    match optional(value, name) {
        None => &[],
        Some(Value::Array(values)) => values,
        Some(single) => std::slice::from_ref(single),
    }
}

fn wheels_by_id(base: &Value, wheel_count: usize) -> Result<Vec<&Value>> {
    let recorded = list_of(base, "wheels")?;
    (0..wheel_count)
        .map(|id| {
            let has_id = |wheel: &&Value| usize_of(wheel, "id").is_ok_and(|found| found == id);
            recorded.iter().find(has_id).ok_or_else(|| anyhow!("`wheels`: no wheel {id}"))
        })
        .collect()
}

fn each<T>(wheels: &[&Value], name: &str, parse: fn(&Value) -> Result<T>) -> Result<Vec<T>> {
    let parse = |wheel: &&Value| parse(field(wheel, name)?).with_context(|| format!("`{name}`"));
    wheels.iter().map(parse).collect()
}

/// A response to a command.
pub fn response(value: &Value, wheel_count: usize) -> Result<CommandResponseParams> {
    let rows = match optional(value, "nonlinearResponse") {
        Some(Value::Array(rows)) => rows.iter().map(response_row).collect::<Result<Vec<_>>>()?,
        _ => Vec::new(),
    };
    let mut wheel_multipliers = f32s_of(value, "wheelResponseMultipliers")?;
    wheel_multipliers.truncate(wheel_count);
    Ok(CommandResponseParams {
        max_response: f32_of(value, "maxResponse")?,
        wheel_multipliers,
        table: if rows.is_empty() { None } else { Some(ResponseTable::new(rows)?) },
    })
}

fn response_row(value: &Value) -> Result<ResponseRow> {
    let (speeds, responses) = (f32s_of(value, "speeds")?, f32s_of(value, "responses")?);
    if speeds.len() != responses.len() {
        bail!("{} speeds, {} responses", speeds.len(), responses.len());
    }
    let points: Vec<_> = speeds.into_iter().zip(responses).collect();
    Ok(ResponseRow { command: f32_of(value, "command")?, response: LookupTable::new(points)? })
}

fn ackermann(value: &Value) -> Result<AckermannParams> {
    let wheels = usizes_of(value, "wheelIds")?;
    let [right, left] = wheels[..] else { bail!("`wheelIds`: two wheels, not {}", wheels.len()) };
    Ok(AckermannParams {
        wheels: [right, left],
        wheel_base: f32_of(value, "wheelBase")?,
        track_width: f32_of(value, "trackWidth")?,
        strength: f32_of(value, "strength")?,
        input: AckermannInput::LinearResponse,
    })
}

fn anti_roll_bar(value: &Value) -> Result<AntiRollBarParams> {
    Ok(AntiRollBarParams {
        wheels: [usize_of(value, "wheel0")?, usize_of(value, "wheel1")?],
        stiffness: f32_of(value, "stiffness")?,
        action: AntiRollAction::Body,
    })
}

fn jounce(value: &Value) -> Result<JounceParams> {
    let contact = match str_of(value, "jounceType")? {
        "RAYCAST" => ContactShape::Ray,
        "SWEEP" => ContactShape::Cylinder,
        other => bail!("`jounceType`: {other} is neither RAYCAST nor SWEEP"),
    };
    let is_limited = bool_of(value, "limitSuspensionExpansionVelocity")?;
    let expansion = if is_limited { ExpansionSpeed::Limited } else { ExpansionSpeed::Unlimited };
    Ok(JounceParams { contact, expansion })
}

fn wheel(value: &Value) -> Result<WheelParams> {
    Ok(WheelParams {
        radius: f32_of(value, "radius")?,
        half_width: f32_of(value, "halfWidth")?,
        mass: f32_of(value, "mass")?,
        inertia: f32_of(value, "moi")?,
        damping_rate: f32_of(value, "dampingRate")?,
        ..WheelParams::default()
    })
}

fn suspension(value: &Value) -> Result<SuspensionParams> {
    Ok(SuspensionParams {
        attachment: pose(value, "attachment")?,
        travel_direction: vector(value, "travelDir")?,
        travel_distance: f32_of(value, "travelDist")?,
        wheel_attachment: pose(value, "wheelAttachment")?,
    })
}

fn compliance(value: &Value) -> Result<SuspensionComplianceParams> {
    Ok(SuspensionComplianceParams {
        toe: curve(value, "toe", |[x, y]: [Real; 2]| (x, y))?,
        camber: curve(value, "camber", |[x, y]: [Real; 2]| (x, y))?,
        suspension_force_point: curve(value, "suspForceAppPoint", point)?,
        tire_force_point: curve(value, "tireForceAppPoint", point)?,
    })
}

fn point([x, a, b, c]: [Real; 4]) -> (Real, Vec3) {
    (x, Vec3::new(a, b, c))
}

/// A curve, given as a list of points.
pub fn curve<T: Interpolate, const N: usize>(
    value: &Value,
    name: &str,
    point: fn([Real; N]) -> (Real, T),
) -> Result<LookupTable<T>> {
    let points = list_of(value, name)?.iter().map(|entry| Ok(point(array(entry)?)));
    Ok(LookupTable::new(points.collect::<Result<Vec<_>>>()?)?)
}

fn spring(value: &Value) -> Result<SuspensionForceParams> {
    Ok(SuspensionForceParams {
        stiffness: f32_of(value, "stiffness")?,
        damping: f32_of(value, "damping")?,
        sprung_mass: f32_of(value, "sprungMass")?,
    })
}

fn tire(value: &Value) -> Result<BrushTire> {
    let [s0, m0, s1, m1, s2, m2] = array(field(value, "frictionVsSlip_flat3x2")?)?;
    let [x0, y0, x1, y1] = array(field(value, "loadFilter_flat2x2")?)?;
    Ok(BrushTire {
        longitudinal_stiffness: f32_of(value, "longStiff")?,
        lateral_stiffness: f32_of(value, "latStiffY")?,
        lateral_stiffness_load: f32_of(value, "latStiffX")?,
        camber_stiffness: f32_of(value, "camberStiff")?,
        rest_load: f32_of(value, "restLoad")?,
        friction_vs_slip: [(s0, m0), (s1, m1), (s2, m2)],
        lateral_slip_weight: 0.0,
        rolling_resistance: 0.0,
        pneumatic_trail: 0.0,
        load_filter: [(x0, y0), (x1, y1)],
    })
}
