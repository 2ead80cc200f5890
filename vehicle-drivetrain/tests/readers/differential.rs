//! Readers of differentials.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use serde_json::{Value, json};
use vehicle_core::implicit_clutch::WheelConstraint;
use vehicle_core::math::Real;
use vehicle_core::wheel::WheelParams;
use vehicle_drivetrain::differential::{
    DrivenWheels, FourWheelDifferentialParams, LimitedSlipParams, LimitedSlips,
    MultiWheelDifferentialParams, TankDifferentialParams, TestedSpeeds, TorqueBiases,
    TorqueSplittingParams, TrackParams, WheelShare, limited_slip_groups, multi_wheel_share,
    tank_share, torque_splitting_shares, track_constraint,
};

use super::parse;
use crate::support::values::{f32_of, f32s_of, field, list_of, numbers, usize_of, usizes_of};
use crate::support::vectors::Outcome;

pub fn shares(value: &Value) -> Result<MultiWheelDifferentialParams> {
    Ok(MultiWheelDifferentialParams {
        torque_ratios: f32s_of(value, "torque_ratios")?,
        speed_ratios: f32s_of(value, "average_wheel_speed_ratios")?,
    })
}

fn pair(value: &Value, name: &str) -> Result<[usize; 2]> {
    let wheels = usizes_of(value, name)?;
    let [first, second] = wheels[..] else { bail!("`{name}`: two wheels, not {}", wheels.len()) };
    Ok([first, second])
}

pub fn four_wheel_params(value: &Value) -> Result<FourWheelDifferentialParams> {
    let slip = |name: &str| -> Result<Option<LimitedSlipParams>> {
        let bias = f32_of(value, &format!("{name}_bias"))?;
        let target = f32_of(value, &format!("{name}_target"))?;
        Ok((bias != 0.0).then_some(LimitedSlipParams { bias, target }))
    };
    Ok(FourWheelDifferentialParams {
        shares: shares(value)?,
        front: pair(value, "front_wheel_ids")?,
        rear: pair(value, "rear_wheel_ids")?,
        limited_slip: LimitedSlips {
            center: slip("center")?,
            front: slip("front")?,
            rear: slip("rear")?,
            rate: parse::known(value, "rate")?,
            min_speed: 0.0,
        },
        torque_bias: TorqueBiases::default(),
    })
}

/// What the four wheels are called in the files of parameters and in those of states.
const DRIVEN: [(&str, u64, DrivenWheels); 3] = [
    ("limited_slip_4wd", 0, DrivenWheels::All),
    ("limited_slip_front_wheel_drive", 1, DrivenWheels::Front),
    ("limited_slip_rear_wheel_drive", 2, DrivenWheels::Rear),
];

/// The number of a kind in the files of parameters.
pub fn driven_number(driven: DrivenWheels) -> Option<u64> {
    DRIVEN.iter().find(|(_, _, known)| *known == driven).map(|(_, number, _)| *number)
}

pub fn torque_splitting_params(value: &Value) -> Result<TorqueSplittingParams> {
    let kind = field(value, "type")?;
    let known = DRIVEN
        .iter()
        .find(|(name, number, _)| kind.as_str() == Some(name) || kind.as_u64() == Some(*number));
    let Some((_, _, driven)) = known else { bail!("`type`: {kind} is unknown") };
    let wheels =
        |name, default| if value.get(name).is_some() { pair(value, name) } else { Ok(default) };
    Ok(TorqueSplittingParams {
        driven: *driven,
        front: wheels("front_wheel_ids", [0, 1])?,
        rear: wheels("rear_wheel_ids", [2, 3])?,
        front_share: f32_of(value, "front_rear_split")?,
        first_front_share: f32_of(value, "front_neg_pos_split")?,
        first_rear_share: f32_of(value, "rear_neg_pos_split")?,
        center_bias: f32_of(value, "center_bias")?,
        front_bias: f32_of(value, "front_bias")?,
        rear_bias: f32_of(value, "rear_bias")?,
    })
}

pub fn tank_params(value: &Value) -> Result<TankDifferentialParams> {
    let track = |track: &Value| -> Result<TrackParams> {
        let (wheels, thrust) =
            (usizes_of(track, "wheel_ids")?, usize_of(track, "thrust_controller")?);
        Ok(TrackParams { wheels, thrust })
    };
    let tracks = list_of(value, "tracks")?.iter().map(track).collect::<Result<_>>()?;
    Ok(TankDifferentialParams { shares: shares(value)?, tracks, steering_ratio: 1.0 })
}

/// Shares of all wheels as they are recorded; `order` lists those that may be connected.
fn recorded_shares(shares: &[WheelShare], order: impl IntoIterator<Item = usize>) -> Value {
    let connected: Vec<_> = order.into_iter().filter(|&wheel| shares[wheel].is_connected).collect();
    let list =
        |ratio: fn(&WheelShare) -> Real| numbers(&shares.iter().map(ratio).collect::<Vec<_>>());
    json!({
        "connected_wheels": connected,
        "torque_ratios": list(|share| share.torque),
        "average_wheel_speed_contributions": list(|share| share.speed),
    })
}

/// Groups as they are recorded, from their members in order.
fn recorded_groups(members: impl IntoIterator<Item = (usize, Option<WheelConstraint>)>) -> Value {
    let mut groups: BTreeMap<u8, (Vec<usize>, Vec<Real>)> = BTreeMap::new();
    for (wheel, constraint) in members {
        let Some(constraint) = constraint else { continue };
        let (wheels, multipliers) = groups.entry(constraint.group).or_default();
        wheels.push(wheel);
        multipliers.push(constraint.speed_multiplier);
    }
    let group = |(wheels, multipliers): (Vec<usize>, Vec<Real>)| {
        let multipliers = numbers(&multipliers);
        json!({"wheel_ids": wheels, "speed_multipliers": multipliers})
    };
    groups.into_values().map(group).collect()
}

/// The intent for torque ratios: those of the parameters, 0 for a wheel that is not driven.
fn with_own_torque_ratios(outcome: Outcome, params: &MultiWheelDifferentialParams) -> Outcome {
    let reason = "the torque ratio is copied from the speed ratio";
    outcome.with_quirk("torque_ratios", numbers(&params.torque_ratios), reason)
}

pub fn multi_wheel(input: &Value) -> Result<Outcome> {
    let (axles, params) = (parse::axle_description(input, "axles")?, shares(input)?);
    let all: Vec<_> =
        (0..axles.wheel_count()).map(|wheel| multi_wheel_share(&params, wheel)).collect();
    Ok(with_own_torque_ratios(recorded_shares(&all, axles.wheels()).into(), &params))
}

pub fn four_wheel(input: &Value) -> Result<Outcome> {
    let axles = parse::axle_description(input, "axles")?;
    let recorded = field(input, "differential")?;
    let params = four_wheel_params(recorded)?;
    let speeds = f32s_of(input, "wheel_rotation_speeds")?;
    let all: Vec<_> =
        (0..axles.wheel_count()).map(|wheel| multi_wheel_share(&params.shares, wheel)).collect();
    let (wheels, dt) = (params.wheels(), f32_of(input, "dt")?);
    let speeds = wheels.map(|wheel| speeds[wheel]);
    let groups = limited_slip_groups(&params.limited_slip, speeds, TestedSpeeds::StartOfFrame, dt);
    let mut produced = recorded_shares(&all, axles.wheels());
    produced["constraint_groups"] = recorded_groups(wheels.into_iter().zip(groups));
    let outcome = with_own_torque_ratios(produced.into(), &params.shares);
    Ok(match intended_multipliers(recorded, speeds.map(f64::from), f64::from(dt))? {
        Some(multipliers) => outcome.with_quirk(
            "constraint_groups[0].speed_multipliers",
            numbers(&multipliers),
            "an axle without a bias loses the ratio of its wheels when the center acts",
        ),
        None => outcome,
    })
}

/// The intent where the center acts: an axle that is not forced keeps the ratio of its wheels.
fn intended_multipliers(params: &Value, speeds: [f64; 4], dt: f64) -> Result<Option<[f64; 4]>> {
    let value = |name: &str| f32_of(params, name).map(f64::from);
    let rate = parse::known(params, "rate")?.map(f64::from);
    let forced = |axle: &str, first: f64, second: f64| -> Result<Option<f64>> {
        let (bias, target) = (value(&format!("{axle}_bias"))?, value(&format!("{axle}_target"))?);
        let ratio = first.max(second) / first.min(second);
        let restored = rate.map_or(target, |rate| target.max(ratio - rate * dt));
        let acts = 1.0 <= bias && bias < ratio && rate != Some(0.0);
        Ok(acts.then_some(if second < first { 1.0 / restored } else { restored }))
    };
    let is_alike = speeds.iter().all(|speed| 0.0 < speed * speeds[0]);
    let [first, second, third, fourth] = speeds.map(f64::abs);
    if !is_alike {
        return Ok(None);
    }
    let Some(axles) = forced("center", first + second, third + fourth)? else {
        return Ok(None);
    };
    let front = forced("front", first, second)?.unwrap_or(second / first);
    let rear = forced("rear", third, fourth)?.unwrap_or(fourth / third);
    let of_rear = axles * (1.0 + front) / (1.0 + rear);
    Ok(Some([1.0, front, of_rear, rear * of_rear]))
}

/// Shares of all wheels and the order of those that are connected.
fn split_shares(input: &Value) -> Result<(Vec<WheelShare>, [usize; 4])> {
    let params = torque_splitting_params(field(input, "differential")?)?;
    let speeds = f32s_of(input, "wheel_rotation_speeds")?;
    let wheels = params.wheels();
    let mut all = vec![WheelShare::default(); speeds.len()];
    let shares = torque_splitting_shares(&params, wheels.map(|wheel| speeds[wheel]));
    for (wheel, share) in wheels.into_iter().zip(shares) {
        all[wheel] = share;
    }
    Ok((all, wheels))
}

pub fn legacy_four_wheel(input: &Value) -> Result<Outcome> {
    let (all, wheels) = split_shares(input)?;
    Ok(recorded_shares(&all, wheels).into())
}

pub fn legacy_helpers(input: &Value) -> Result<Outcome> {
    let (all, wheels) = split_shares(input)?;
    let shares = recorded_shares(&all, wheels);
    let names = ["average_wheel_speed_contributions", "torque_ratios"];
    Ok(Value::from_iter(names.map(|name| (name, shares[name].clone()))).into())
}

pub fn tank(input: &Value) -> Result<Outcome> {
    let axles = parse::axle_description(input, "axles")?;
    let params = tank_params(field(input, "differential")?)?;
    let thrusts = f32s_of(input, "thrust_commands")?;
    let [first, second] = thrusts[..] else { bail!("two thrusts, not {}", thrusts.len()) };
    let radii = f32s_of(input, "wheel_radii")?;
    let radii = radii.into_iter().map(|radius| WheelParams { radius, ..WheelParams::default() });
    let wheels: Vec<_> = radii.collect();

    let count = axles.wheel_count();
    let all: Vec<_> = (0..count).map(|wheel| tank_share(&params, wheel, [first, second])).collect();
    let constraint = |wheel| track_constraint(&params, &wheels, wheel);
    let in_tracks = params.tracks.iter().flat_map(|track| &track.wheels);
    let mut produced = recorded_shares(&all, axles.wheels());
    produced["constraint_groups"] =
        recorded_groups(in_tracks.map(|&wheel| (wheel, constraint(wheel))));
    Ok(produced.into())
}
