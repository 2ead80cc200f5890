//! Readers of the legacy suspension and the legacy tire.

use anyhow::Result;
use serde_json::{Value, json};
use vehicle_core::legacy::{
    LegacySuspensionForceParams, legacy_suspension_force, legacy_tire_directions, legacy_tire_slip,
};
use vehicle_core::math::rotate;
use vehicle_core::suspension::{Compression, SuspensionForce, SuspensionLoad};
use vehicle_core::tire::TireDirections;
use vehicle_core::wheel::{WheelAngles, wheel_local_orientation};

use super::{parse, tire};
use crate::support::values::{bool_of, f32_of, number, numbers};
use crate::support::vectors::Outcome;

pub fn spring(value: &Value) -> Result<LegacySuspensionForceParams> {
    Ok(LegacySuspensionForceParams {
        stiffness: f32_of(value, "suspension_stiffness")?,
        damping: f32_of(value, "suspension_damping")?,
        rest_distance: f32_of(value, "suspension_rest_distance")?,
        sprung_mass: f32_of(value, "sprung_mass")?,
    })
}

pub fn suspension_force(input: &Value) -> Result<Outcome> {
    let (suspension, body) = (parse::mount(input)?, parse::turned_body(input)?);
    let load = SuspensionLoad::new(
        &body,
        &suspension,
        0.0,
        parse::vector(input, "gravity")?,
        parse::vector(input, "ground_plane_normal")?,
        parse::vector(input, "suspension_force_app_point")?,
    );
    let jounce = f32_of(input, "suspension_jounce")?;
    let state = Compression {
        jounce: Some(jounce),
        jounce_speed: f32_of(input, "suspension_jounce_speed")?,
        separation: Some(f32_of(input, "suspension_separation")?),
        ..Compression::default()
    };
    let force = if state.is_on_ground() {
        let speed = state.jounce_speed;
        legacy_suspension_force(&spring(input)?, &suspension, &body, jounce, speed, &load)
    } else {
        SuspensionForce::default()
    };
    Ok(json!({
        "suspension_force": numbers(&force.force.to_array()),
        "suspension_torque": numbers(&force.torque.to_array()),
        "suspension_normal_force": number(force.normal_load),
    })
    .into())
}

pub fn tire_dirs(input: &Value) -> Result<Outcome> {
    let directions = if bool_of(input, "has_ground_hit")? {
        let frame = parse::frame(input)?;
        let suspension = parse::suspension(input)?;
        let unsteered = wheel_local_orientation(&suspension, &WheelAngles::default(), &frame);
        let axle = parse::turned_body(input)?.direction(rotate(unsteered, frame.lateral()));
        let normal = parse::vector(input, "ground_normal")?;
        legacy_tire_directions(axle, normal, f32_of(input, "steer_angle")?)
    } else {
        TireDirections::default()
    };
    Ok(tire::recorded_directions(&directions).into())
}

pub fn tire_slips(input: &Value) -> Result<Outcome> {
    tire::slips(input, legacy_tire_slip)
}
