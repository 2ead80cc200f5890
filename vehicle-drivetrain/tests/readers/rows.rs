//! Reader of constraint rows.

use anyhow::{Result, bail};
use serde_json::{Value, json};
use vehicle_core::constraint_rows::{
    ConstraintRow, LimitDirection, SuspensionLimitParams, suspension_limit,
};
use vehicle_core::math::Vec3;
use vehicle_core::suspension::force_arm;

use super::parse;
use crate::support::values::{bool_of, f32_of, number, numbers, str_of};
use crate::support::vectors::Outcome;

pub fn constraint_states(input: &Value) -> Result<Outcome> {
    let (body, mount) = (parse::turned_body(input)?, parse::mount(input)?);
    let arm = force_arm(&mount, &body, parse::vector(input, "tire_force_app_point")?);
    let params = SuspensionLimitParams {
        direction: match str_of(input, "limit_direction")? {
            "suspension" => LimitDirection::Suspension,
            "road_geometry_normal" => LimitDirection::EndlessPlane,
            "none" => LimitDirection::None,
            other => bail!("`limit_direction`: {other} is no direction"),
        },
        restitution: f32_of(input, "limit_restitution")?,
    };
    let separation = f32_of(input, "suspension_separation")?;
    let travel = body.direction(mount.travel_direction);
    let normal = parse::vector(input, "ground_plane_normal")?;
    let limit = suspension_limit(&params, Some(separation), travel, normal);
    let limit_row = limit.map(|(direction, _)| ConstraintRow::new(direction, arm));
    let mut recorded = recorded_row(limit_row.as_ref());
    recorded["geometric_error"] = number(limit.map_or(0.0, |(_, error)| error));
    recorded["restitution"] = number(limit.map_or(0.0, |_| params.restitution));
    Ok(json!({
        "longitudinal_sticky_row": sticky_row(input, "longitudinal", arm)?,
        "lateral_sticky_row": sticky_row(input, "lateral", arm)?,
        "suspension_limit_row": recorded,
    })
    .into())
}

fn sticky_row(input: &Value, direction: &str, arm: Vec3) -> Result<Value> {
    let is_active = bool_of(input, &format!("{direction}_sticky_active"))?;
    let along = parse::vector(input, &format!("tire_{direction}_dir"))?;
    let damping = f32_of(input, &format!("{direction}_sticky_damping"))?;
    let row = is_active.then(|| ConstraintRow::new(along, arm));
    let mut recorded = recorded_row(row.as_ref());
    recorded["damping"] = number(if is_active { damping } else { 0.0 });
    Ok(recorded)
}

fn recorded_row(row: Option<&ConstraintRow>) -> Value {
    let (linear, angular) = row.map_or((Vec3::ZERO, Vec3::ZERO), |row| (row.linear, row.angular));
    json!({
        "active": row.is_some(),
        "linear": numbers(&linear.to_array()),
        "angular": numbers(&angular.to_array()),
    })
}
