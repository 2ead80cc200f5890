//! Readers of parameters in other axes and length units, and of the shift of the origin.

use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use vehicle_core::SimulationParams;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::{CommandResponseParams, ResponseTable};
use vehicle_core::constraint_rows::{LimitDirection, SuspensionLimitParams};
use vehicle_core::convert::Convert;
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem};
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::{Pose, Real, Vec3};
use vehicle_core::origin_shift::shift_vehicle;
use vehicle_core::road_geometry::RoadContact;
use vehicle_core::suspension::{
    AntiRollAction, AntiRollBarParams, ContactShape, ExpansionSpeed, SuspensionComplianceParams,
    SuspensionForceParams,
};
use vehicle_core::tire::{SlipLimit, StickyLimits, TireSlipParams, TireStickyParams};
use vehicle_core::vehicle::MechanicalState;
use vehicle_drivetrain::DirectDriveParams;
use vehicle_drivetrain::differential::{LimitedSlipParams, MultiWheelDifferentialParams};

use super::mechanics::jounce_params;
use super::{differential, gears, legacy, parse};
use crate::support::values::{
    bool_of, f32_of, f32s_of, field, list_of, number, numbers, str_of, usize_of, vectors,
};
use crate::support::vectors::Outcome;

/// A move from one coordinate system to another.
struct Move {
    source: CoordinateSystem,
    target: CoordinateSystem,
}

impl Move {
    fn read(input: &Value) -> Result<Self> {
        Ok(Self {
            source: CoordinateSystem {
                frame: parse::frame_of(input, "source_frame")?,
                length_scale: f32_of(input, "source_scale")?,
            },
            target: CoordinateSystem {
                frame: parse::frame_of(input, "target_frame")?,
                length_scale: f32_of(input, "target_scale")?,
            },
        })
    }

    fn conversion(&self) -> CoordinateConversion {
        CoordinateConversion::new(&self.source, &self.target)
    }

    /// The factor of a length.
    fn length_factor(&self) -> Real {
        self.target.length_scale / self.source.length_scale
    }
}

/// The recorded parameters, and the conversion that they go through.
fn converted<T: Convert>(input: &Value, read: impl Fn(&Value) -> Result<T>) -> Result<T> {
    Ok(read(field(input, "params")?)?.converted(&Move::read(input)?.conversion()))
}

/// Parameters as an outcome.
fn params(value: Value) -> Outcome {
    Value::from_iter([("params", value)]).into()
}

pub fn ackermann(input: &Value) -> Result<Outcome> {
    let axle = converted(input, parse::ackermann)?;
    Ok(params(json!({
        "wheel_ids": axle.wheels,
        "wheel_base": number(axle.wheel_base),
        "track_width": number(axle.track_width),
        "strength": number(axle.strength),
    })))
}

pub fn anti_roll(input: &Value) -> Result<Outcome> {
    let bar = converted(input, |bar| {
        Ok(AntiRollBarParams {
            wheels: [usize_of(bar, "wheel_0")?, usize_of(bar, "wheel_1")?],
            stiffness: f32_of(bar, "anti_roll_stiffness")?,
            action: AntiRollAction::Body,
        })
    })?;
    Ok(params(json!({
        "wheel_0": bar.wheels[0],
        "wheel_1": bar.wheels[1],
        "anti_roll_stiffness": number(bar.stiffness),
    })))
}

/// A car of which one response is replaced, in its target.
fn car_with(
    input: &Value,
    replace: impl Fn(&mut DirectDriveParams, CommandResponseParams),
) -> Result<DirectDriveParams> {
    converted(input, |recorded| {
        let mut car = DirectDriveParams {
            mechanics: CarBlueprint::default().mechanics()?,
            throttle: CommandResponseParams::default(),
        };
        replace(&mut car, parse::response(recorded)?);
        Ok(car)
    })
}

fn response(input: &Value, converted: &CommandResponseParams) -> Result<Outcome> {
    let rows = converted.table.iter().flat_map(ResponseTable::rows);
    let rows: Vec<_> = rows
        .map(|row| {
            let (speeds, responses): (Vec<_>, Vec<_>) =
                row.response.points().iter().copied().unzip();
            json!({
                "command_value": number(row.command),
                "longitudinal_speeds": numbers(&speeds),
                "normalised_responses": numbers(&responses),
            })
        })
        .collect();
    let produced = params(json!({
        "max_response": number(converted.max_response),
        "wheel_response_multipliers": numbers(&converted.wheel_multipliers),
        "nonlinear_response_table": rows,
    }));
    with_scaled_speeds(input, produced)
}

/// The intent for response tables: their speeds are lengths over time.
fn with_scaled_speeds(input: &Value, outcome: Outcome) -> Result<Outcome> {
    let factor = Move::read(input)?.length_factor();
    let rows = list_of(field(input, "params")?, "nonlinear_response_table")?;
    rows.iter().enumerate().try_fold(outcome, |outcome, (index, row)| {
        let speeds = f32s_of(row, "longitudinal_speeds")?;
        let scaled: Vec<_> = speeds.into_iter().map(|speed| speed * factor).collect();
        let field = format!("params.nonlinear_response_table[{index}].longitudinal_speeds");
        let reason = "speeds of a response table are left in the source's length unit";
        Ok(outcome.with_quirk(&field, numbers(&scaled), reason))
    })
}

pub fn brake_command_response(input: &Value) -> Result<Outcome> {
    let car = car_with(input, |car, brake| car.mechanics.brakes = vec![brake])?;
    response(input, &car.mechanics.brakes[0])
}

pub fn steer_command_response(input: &Value) -> Result<Outcome> {
    let car = car_with(input, |car, steering| car.mechanics.steering = steering)?;
    response(input, &car.mechanics.steering)
}

pub fn direct_drive_throttle_response(input: &Value) -> Result<Outcome> {
    response(input, &car_with(input, |car, throttle| car.throttle = throttle)?.throttle)
}

pub fn rigid_body(input: &Value) -> Result<Outcome> {
    let body = converted(input, parse::body_params)?;
    Ok(params(json!({
        "body_mass": number(body.mass),
        "body_moi": numbers(&body.inertia.to_array()),
    })))
}

pub fn wheel(input: &Value) -> Result<Outcome> {
    let wheel = converted(input, parse::wheel)?;
    Ok(params(json!({
        "wheel_radius": number(wheel.radius),
        "wheel_half_width": number(wheel.half_width),
        "wheel_mass": number(wheel.mass),
        "wheel_moi": number(wheel.inertia),
        "wheel_damping_rate": number(wheel.damping_rate),
    })))
}

pub fn suspension(input: &Value) -> Result<Outcome> {
    let suspension =
        converted(input, |recorded| parse::suspension(&json!({"suspension": recorded})))?;
    Ok(params(json!({
        "suspension_attachment": parse::recorded(&suspension.attachment),
        "suspension_travel_dir": numbers(&suspension.travel_direction.to_array()),
        "suspension_travel_dist": number(suspension.travel_distance),
        "wheel_attachment": parse::recorded(&suspension.wheel_attachment),
    })))
}

pub fn suspension_state_calculation(input: &Value) -> Result<Outcome> {
    let jounce = converted(input, jounce_params)?;
    let calculation = match jounce.contact {
        ContactShape::Ray => "raycast",
        ContactShape::Cylinder => "sweep",
    };
    Ok(params(json!({
        "jounce_calculation": calculation,
        "limit_suspension_expansion_velocity": jounce.expansion == ExpansionSpeed::Limited,
    })))
}

pub fn suspension_limit_constraint(input: &Value) -> Result<Outcome> {
    const DIRECTIONS: [(&str, LimitDirection); 3] = [
        ("suspension", LimitDirection::Suspension),
        ("road_geometry_normal", LimitDirection::EndlessPlane),
        ("none", LimitDirection::None),
    ];
    let limit = converted(input, |recorded| {
        let name = str_of(recorded, "limit_direction")?;
        let direction = DIRECTIONS.into_iter().find(|(recorded, _)| *recorded == name);
        let direction = direction.ok_or_else(|| anyhow!("`limit_direction`: {name} is unknown"))?;
        let restitution = f32_of(recorded, "limit_restitution")?;
        Ok(SuspensionLimitParams { direction: direction.1, restitution })
    })?;
    let direction = DIRECTIONS.into_iter().find(|(_, direction)| *direction == limit.direction);
    Ok(params(json!({
        "limit_restitution": number(limit.restitution),
        "limit_direction": direction.map(|(name, _)| name),
    })))
}

pub fn suspension_compliance(input: &Value) -> Result<Outcome> {
    let compliance = converted(input, |recorded| {
        Ok(SuspensionComplianceParams {
            toe: parse::scalar_curve(recorded, "wheel_toe_angle_table")?,
            camber: parse::scalar_curve(recorded, "wheel_camber_angle_table")?,
            suspension_force_point: parse::vector_curve(
                recorded,
                "suspension_force_app_point_table",
            )?,
            tire_force_point: parse::vector_curve(recorded, "tire_force_app_point_table")?,
        })
    })?;
    let angles = |curve: &LookupTable<Real>| {
        let (jounces, angles): (Vec<_>, Vec<_>) = curve.points().iter().copied().unzip();
        json!({"x": numbers(&jounces), "y": numbers(&angles)})
    };
    let points = |curve: &LookupTable<Vec3>| {
        let points = curve.points().iter().map(|(jounce, point)| (*jounce, point.to_array()));
        let (jounces, points): (Vec<_>, Vec<_>) = points.unzip();
        json!({"x": numbers(&jounces), "y": vectors(&points)})
    };
    Ok(params(json!({
        "wheel_toe_angle_table": angles(&compliance.toe),
        "wheel_camber_angle_table": angles(&compliance.camber),
        "suspension_force_app_point_table": points(&compliance.suspension_force_point),
        "tire_force_app_point_table": points(&compliance.tire_force_point),
    })))
}

pub fn suspension_force(input: &Value) -> Result<Outcome> {
    let spring = converted(input, |recorded| {
        Ok(SuspensionForceParams {
            stiffness: f32_of(recorded, "suspension_stiffness")?,
            damping: f32_of(recorded, "suspension_damping")?,
            sprung_mass: f32_of(recorded, "sprung_mass")?,
        })
    })?;
    Ok(params(json!({
        "suspension_stiffness": number(spring.stiffness),
        "suspension_damping": number(spring.damping),
        "sprung_mass": number(spring.sprung_mass),
    })))
}

pub fn suspension_force_legacy(input: &Value) -> Result<Outcome> {
    let spring = converted(input, legacy::spring)?;
    let produced = params(json!({
        "suspension_stiffness": number(spring.stiffness),
        "suspension_damping": number(spring.damping),
        "suspension_rest_distance": number(spring.rest_distance),
        "sprung_mass": number(spring.sprung_mass),
    }));
    let recorded = f32_of(field(input, "params")?, "suspension_rest_distance")?;
    let intended = number(recorded * Move::read(input)?.length_factor());
    let reason = "the rest distance is left in the source's length unit";
    Ok(produced.with_quirk("params.suspension_rest_distance", intended, reason))
}

pub fn tire_force(input: &Value) -> Result<Outcome> {
    let tire = converted(input, parse::tire)?;
    let points =
        |points: &[(Real, Real)]| vectors(&points.iter().map(|&(x, y)| [x, y]).collect::<Vec<_>>());
    Ok(params(json!({"tire": {
        "lateral_stiffness_x": number(tire.lateral_stiffness_load),
        "lateral_stiffness_y": number(tire.lateral_stiffness),
        "longitudinal_stiffness": number(tire.longitudinal_stiffness),
        "camber_stiffness": number(tire.camber_stiffness),
        "rest_load": number(tire.rest_load),
        "friction_vs_slip": points(&tire.friction_vs_slip),
        "load_filter": points(&tire.load_filter),
    }})))
}

pub fn slip_params(value: &Value) -> Result<TireSlipParams> {
    let limit = |name| f32_of(value, &format!("min_{name}_slip_denominator"));
    Ok(TireSlipParams {
        min_lateral_denominator: limit("lateral")?,
        min_passive_longitudinal_denominator: limit("passive_longitudinal")?,
        min_active_longitudinal_denominator: limit("active_longitudinal")?,
        limit: SlipLimit::Added,
    })
}

pub fn tire_slip(input: &Value) -> Result<Outcome> {
    let slip = converted(input, slip_params)?;
    Ok(params(json!({
        "min_lateral_slip_denominator": number(slip.min_lateral_denominator),
        "min_passive_longitudinal_slip_denominator":
            number(slip.min_passive_longitudinal_denominator),
        "min_active_longitudinal_slip_denominator":
            number(slip.min_active_longitudinal_denominator),
    })))
}

fn sticky_params(value: &Value) -> Result<TireStickyParams> {
    let limits = |direction: &str| -> Result<StickyLimits> {
        Ok(StickyLimits {
            threshold_speed: f32_of(value, &format!("{direction}_threshold_speed"))?,
            threshold_time: f32_of(value, &format!("{direction}_threshold_time"))?,
            damping: f32_of(value, &format!("{direction}_sticky_damping"))?,
        })
    };
    Ok(TireStickyParams {
        longitudinal: limits("longitudinal")?,
        lateral: limits("lateral")?,
        ..TireStickyParams::default()
    })
}

fn recorded_sticky_params(sticky: &TireStickyParams) -> Value {
    json!({
        "longitudinal_threshold_speed": number(sticky.longitudinal.threshold_speed),
        "longitudinal_threshold_time": number(sticky.longitudinal.threshold_time),
        "longitudinal_sticky_damping": number(sticky.longitudinal.damping),
        "lateral_threshold_speed": number(sticky.lateral.threshold_speed),
        "lateral_threshold_time": number(sticky.lateral.threshold_time),
        "lateral_sticky_damping": number(sticky.lateral.damping),
    })
}

pub fn tire_sticky(input: &Value) -> Result<Outcome> {
    Ok(params(recorded_sticky_params(&converted(input, sticky_params)?)))
}

pub fn simulation_context(input: &Value) -> Result<Outcome> {
    let world = converted(input, |recorded| {
        let (frame, length_scale) = (parse::frame(recorded)?, f32_of(recorded, "scale")?);
        Ok(SimulationParams {
            gravity: parse::vector(recorded, "gravity")?,
            coordinates: CoordinateSystem { frame, length_scale },
            tire_slip: slip_params(recorded)?,
            tire_sticky: Some(sticky_params(field(recorded, "sticky")?)?),
            rolling_blend_speed: f32_of(recorded, "threshold_forward_speed")?,
            ..SimulationParams::default()
        })
    })?;
    let slip = &world.tire_slip;
    let frame = serde_json::to_value(world.coordinates.frame)?;
    Ok(params(json!({
        "frame": {
            "longitudinal_axis": frame["longitudinal"],
            "lateral_axis": frame["lateral"],
            "vertical_axis": frame["vertical"],
        },
        "scale": number(world.coordinates.length_scale),
        "gravity": numbers(&world.gravity.to_array()),
        "threshold_forward_speed": number(world.rolling_blend_speed),
        "min_lateral_slip_denominator": number(slip.min_lateral_denominator),
        "min_passive_longitudinal_slip_denominator":
            number(slip.min_passive_longitudinal_denominator),
        "min_active_longitudinal_slip_denominator":
            number(slip.min_active_longitudinal_denominator),
        "sticky": world.tire_sticky.as_ref().map(recorded_sticky_params),
    })))
}

pub fn autobox(input: &Value) -> Result<Outcome> {
    let autobox = converted(input, gears::autobox_params)?;
    Ok(params(json!({
        "up_ratios": numbers(&autobox.up_ratios),
        "down_ratios": numbers(&autobox.down_ratios),
        "latency": number(autobox.latency),
    })))
}

pub fn clutch_command_response(input: &Value) -> Result<Outcome> {
    let clutch = converted(input, gears::clutch_params)?;
    Ok(params(json!({"clutch_max_strength": number(clutch.max_strength)})))
}

pub fn engine(input: &Value) -> Result<Outcome> {
    let engine = converted(input, gears::engine)?;
    let (speeds, torques): (Vec<_>, Vec<_>) = engine.torque_curve.points().iter().copied().unzip();
    Ok(params(json!({
        "torque_curve": {"x": numbers(&speeds), "y": numbers(&torques)},
        "engine_moi": number(engine.inertia),
        "peak_torque": number(engine.peak_torque),
        "idle_rotation_speed": number(engine.idle_speed),
        "max_rotation_speed": number(engine.max_speed),
        "damping_rate_full_throttle": number(engine.damping.full_throttle),
        "damping_rate_zero_throttle_clutch_engaged": number(engine.damping.engaged),
        "damping_rate_zero_throttle_clutch_disengaged": number(engine.damping.disengaged),
    })))
}

pub fn gearbox(input: &Value) -> Result<Outcome> {
    let gearbox = converted(input, gears::gearbox)?;
    Ok(params(json!({
        "neutral_gear": gearbox.neutral,
        "gear_ratios": numbers(&gearbox.ratios),
        "final_ratio": number(gearbox.final_ratio),
        "gear_switch_time": number(gearbox.switch_time),
    })))
}

/// Shares of the wheels as they are recorded.
fn recorded_ratios(shares: &MultiWheelDifferentialParams) -> Value {
    json!({
        "torque_ratios": numbers(&shares.torque_ratios),
        "average_wheel_speed_ratios": numbers(&shares.speed_ratios),
    })
}

pub fn differential_multi_wheel(input: &Value) -> Result<Outcome> {
    Ok(params(recorded_ratios(&converted(input, differential::shares)?)))
}

pub fn differential_four_wheel(input: &Value) -> Result<Outcome> {
    let differential = converted(input, differential::four_wheel_params)?;
    let mut recorded = recorded_ratios(&differential.shares);
    let slips = &differential.limited_slip;
    for (name, slip) in [("center", slips.center), ("front", slips.front), ("rear", slips.rear)] {
        let slip = slip.unwrap_or(LimitedSlipParams { bias: 0.0, target: 0.0 });
        recorded[format!("{name}_bias")] = number(slip.bias);
        recorded[format!("{name}_target")] = number(slip.target);
    }
    recorded["rate"] = number(slips.rate.unwrap_or(Real::MAX));
    recorded["front_wheel_ids"] = json!(differential.front);
    recorded["rear_wheel_ids"] = json!(differential.rear);
    Ok(params(recorded))
}

pub fn differential_legacy_four_wheel(input: &Value) -> Result<Outcome> {
    let differential = converted(input, differential::torque_splitting_params)?;
    Ok(params(json!({
        "type": differential::driven_number(differential.driven),
        "front_rear_split": number(differential.front_share),
        "front_neg_pos_split": number(differential.first_front_share),
        "rear_neg_pos_split": number(differential.first_rear_share),
        "center_bias": number(differential.center_bias),
        "front_bias": number(differential.front_bias),
        "rear_bias": number(differential.rear_bias),
    })))
}

pub fn differential_tank(input: &Value) -> Result<Outcome> {
    let differential = converted(input, differential::tank_params)?;
    let mut recorded = recorded_ratios(&differential.shares);
    let tracks = differential.tracks.iter();
    recorded["tracks"] = tracks
        .map(|track| json!({"thrust_controller": track.thrust, "wheel_ids": track.wheels}))
        .collect();
    Ok(params(recorded))
}

pub fn shift_origin(input: &Value) -> Result<Outcome> {
    let wheels = list_of(input, "wheels")?;
    let mut state: MechanicalState = MechanicalState::at_rest(wheels.len());
    state.rigid_body.pose = Pose::from_translation(parse::vector(input, "body_position")?);
    for (number, wheel) in wheels.iter().enumerate() {
        if bool_of(wheel, "has_ground_hit")? {
            state.roads.set(number, Some(RoadContact::new(parse::plane(wheel)?, 1.0)));
        }
    }
    shift_vehicle(&mut state, parse::vector(input, "shift")?);

    // The record keeps the plane of a wheel without a road; ours has none.
    let offset = |(road, wheel): (Option<RoadContact>, &Value)| match road {
        Some(road) => Ok(road.plane.offset),
        None => f32_of(wheel, "ground_plane_d"),
    };
    let offsets: Vec<_> = state.roads.iter().zip(wheels).map(offset).collect::<Result<_>>()?;
    Ok(json!({
        "body_position": numbers(&state.rigid_body.pose.translation.to_array()),
        "ground_plane_d": numbers(&offsets),
    })
    .into())
}
