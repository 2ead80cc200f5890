//! Readers of engine, clutch, gearbox and automatic gearbox.

use anyhow::Result;
use serde_json::{Value, json};
use vehicle_core::actuation::WheelActuation;
use vehicle_core::commands::Commands;
use vehicle_core::math::Real;
use vehicle_drivetrain::actuation::engine_drive_actuation;
use vehicle_drivetrain::autobox::{AutoboxInput, AutoboxParams, AutoboxState, autobox};
use vehicle_drivetrain::clutch::{ClutchParams, ClutchState, clutch_response, effective_clutch};
use vehicle_drivetrain::engine::{
    EngineDampingParams, EngineParams, EngineState, engine_damping_rate, engine_torque,
};
use vehicle_drivetrain::engine_control::EngineControlParams;
use vehicle_drivetrain::gearbox::{
    GearCommand, GearSwitch, GearboxParams, GearboxState, commanded_gearbox, overall_gear_ratio,
    updated_gearbox,
};
use vehicle_drivetrain::transmission::{TransmissionCommands, TransmissionView};

use super::parse;
use crate::support::values::{bool_of, f32_of, f32s_of, field, list_of, number, usize_of};
use crate::support::vectors::Outcome;

/// The gear that stands for the automatic gearbox.
const AUTOMATIC: usize = 255;
/// The time of a gearbox that stays in its gear.
const NO_SWITCH: Real = -1.0;
/// The time of a gearbox whose clock has not started.
const REQUESTED: Real = -2.0;

pub fn engine(value: &Value) -> Result<EngineParams> {
    let damping = |name: &str| f32_of(value, &format!("damping_rate_{name}"));
    Ok(EngineParams {
        torque_curve: parse::scalar_curve(value, "torque_curve")?,
        inertia: f32_of(value, "engine_moi")?,
        peak_torque: f32_of(value, "peak_torque")?,
        idle_speed: f32_of(value, "idle_rotation_speed")?,
        max_speed: f32_of(value, "max_rotation_speed")?,
        damping: EngineDampingParams {
            full_throttle: damping("full_throttle")?,
            engaged: damping("zero_throttle_clutch_engaged")?,
            disengaged: damping("zero_throttle_clutch_disengaged")?,
        },
        control: EngineControlParams::default(),
    })
}

pub fn gearbox(value: &Value) -> Result<GearboxParams> {
    Ok(GearboxParams {
        ratios: f32s_of(value, "gear_ratios")?,
        neutral: usize_of(value, "neutral_gear")?,
        final_ratio: f32_of(value, "final_ratio")?,
        switch_time: f32_of(value, "gear_switch_time")?,
        interlock: None,
    })
}

pub fn gearbox_state(value: &Value) -> Result<GearboxState> {
    let time = f32_of(value, "gear_switch_elapsed_time")?;
    let switch = match time {
        NO_SWITCH => GearSwitch::None,
        REQUESTED => GearSwitch::Requested,
        time => GearSwitch::Elapsed(time),
    };
    let (current, target) = (usize_of(value, "current_gear")?, usize_of(value, "target_gear")?);
    Ok(GearboxState { current, target, switch })
}

fn recorded_gearbox_state(state: &GearboxState) -> Value {
    let time = match state.switch {
        GearSwitch::None => NO_SWITCH,
        GearSwitch::Requested => REQUESTED,
        GearSwitch::Elapsed(time) => time,
    };
    json!({
        "current_gear": state.current,
        "target_gear": state.target,
        "gear_switch_elapsed_time": number(time),
    })
}

pub fn autobox_params(value: &Value) -> Result<AutoboxParams> {
    Ok(AutoboxParams {
        up_ratios: f32s_of(value, "up_ratios")?,
        down_ratios: f32s_of(value, "down_ratios")?,
        latency: f32_of(value, "latency")?,
    })
}

pub fn autobox_state(value: &Value) -> Result<AutoboxState> {
    Ok(AutoboxState {
        time_since_shift: parse::known(value, "time_since_last_shift")?,
        is_shifting: bool_of(value, "is_autobox_shift_active")?,
        ..AutoboxState::default()
    })
}

pub fn gear_command(value: &Value) -> Result<GearCommand> {
    Ok(match usize_of(value, "target_gear_command")? {
        AUTOMATIC => GearCommand::Automatic,
        gear => GearCommand::Gear(gear),
    })
}

/// The quirk of a gearbox that stays in its gear, under `prefix`.
fn with_settled_clock(outcome: Outcome, prefix: &str, state: &GearboxState) -> Outcome {
    if state.is_switching() {
        return outcome;
    }
    let field = format!("{prefix}gear_switch_elapsed_time");
    let reason = "neutral, which is in at once, leaves the clock as of a switch to come";
    outcome.with_quirk(&field, number(NO_SWITCH), reason)
}

pub fn gear_command_response(input: &Value) -> Result<Outcome> {
    let (params, state) = (gearbox(field(input, "gearbox")?)?, gearbox_state(input)?);
    let gear = usize_of(input, "target_gear_command")?;
    let state = commanded_gearbox(&params, &state, gear);
    Ok(with_settled_clock(recorded_gearbox_state(&state).into(), "", &state))
}

pub fn gearbox_update(input: &Value) -> Result<Outcome> {
    let (params, dt) = (gearbox(field(input, "gearbox")?)?, f32_of(input, "dt")?);
    let mut state = gearbox_state(input)?;
    let steps = (0..usize_of(input, "step_count")?).map(|_| {
        state = updated_gearbox(&params, &state, dt);
        recorded_gearbox_state(&state)
    });
    Ok(json!({"steps": steps.collect::<Vec<_>>()}).into())
}

pub fn gear_ratio(input: &Value) -> Result<Outcome> {
    let ratio =
        overall_gear_ratio(&gearbox(field(input, "gearbox")?)?, usize_of(input, "current_gear")?);
    Ok(json!({"overall_gear_ratio": number(ratio)}).into())
}

/// An automatic gearbox of a case.
struct Autobox {
    params: AutoboxParams,
    gearbox: GearboxParams,
    engine: EngineParams,
    gears: GearboxState,
    state: AutoboxState,
    dt: Real,
}

impl Autobox {
    fn read(input: &Value) -> Result<Self> {
        let max_speed = f32_of(input, "max_rotation_speed")?;
        Ok(Self {
            params: autobox_params(field(input, "autobox")?)?,
            gearbox: gearbox(field(input, "gearbox")?)?,
            engine: EngineParams { max_speed, ..EngineParams::default() },
            gears: gearbox_state(input)?,
            state: autobox_state(input)?,
            dt: f32_of(input, "dt")?,
        })
    }

    /// Updates the state; gear and outputs as they are recorded.
    fn update(&mut self, step: &Value) -> Result<(usize, Value)> {
        let input = AutoboxInput {
            gear: gear_command(step)?,
            throttle: f32_of(step, "throttle_command")?,
            engine_speed_fraction: self
                .engine
                .speed_fraction(f32_of(step, "engine_rotation_speed")?),
            lowest_gear: self.gearbox.first_gear(),
        };
        let response =
            autobox(&self.params, &self.gearbox, &self.gears, &input, &self.state, self.dt);
        self.state = response.state;
        let recorded = json!({
            "target_gear_command": response.gear,
            "throttle_command": number(response.throttle),
            "time_since_last_shift": number(self.state.time_since_shift.unwrap_or(Real::MAX)),
            "is_autobox_shift_active": self.state.is_shifting,
        });
        Ok((response.gear, recorded))
    }
}

pub fn autobox_update(input: &Value) -> Result<Outcome> {
    Ok(Autobox::read(input)?.update(input)?.1.into())
}

pub fn autobox_gearbox_sequence(input: &Value) -> Result<Outcome> {
    let mut vehicle = Autobox::read(input)?;
    let (mut steps, mut settled) = (Vec::new(), Vec::new());
    for step in list_of(input, "steps")? {
        let (gear, mut recorded) = vehicle.update(step)?;
        let commanded = commanded_gearbox(&vehicle.gearbox, &vehicle.gears, gear);
        vehicle.gears = updated_gearbox(&vehicle.gearbox, &commanded, vehicle.dt);
        let gears = recorded_gearbox_state(&vehicle.gears);
        for name in ["current_gear", "target_gear", "gear_switch_elapsed_time"] {
            recorded[name] = gears[name].clone();
        }
        steps.push(recorded);
        settled.push(vehicle.gears);
    }
    let outcome = Outcome::from(json!({"steps": steps}));
    let steps = settled.iter().enumerate();
    Ok(steps.fold(outcome, |outcome, (index, state)| {
        with_settled_clock(outcome, &format!("steps[{index}]."), state)
    }))
}

pub fn clutch_params(value: &Value) -> Result<ClutchParams> {
    Ok(ClutchParams::viscous(f32_of(value, "clutch_max_strength")?))
}

pub fn clutch_command_response(input: &Value) -> Result<Outcome> {
    let clutch = clutch_response(&clutch_params(input)?, f32_of(input, "clutch_command")?);
    Ok(json!({
        "clutch_normalised_response": number(clutch.engagement),
        "clutch_strength_response": number(clutch.strength),
    })
    .into())
}

/// The coupling of engine and wheels in the current gear of a case.
fn coupling(input: &Value, clutch: ClutchState) -> Result<ClutchState> {
    let neutral = usize_of(input, "neutral_gear")?;
    let gearbox = GearboxParams { neutral, ..GearboxParams::default() };
    Ok(effective_clutch(&gearbox, usize_of(input, "current_gear")?, clutch))
}

pub fn clutch_strength(input: &Value) -> Result<Outcome> {
    let strength = f32_of(input, "clutch_strength_response")?;
    let clutch = coupling(input, ClutchState { engagement: 1.0, strength })?;
    Ok(json!({"clutch_strength": number(clutch.strength)}).into())
}

pub fn damping_rate(input: &Value) -> Result<Outcome> {
    let engagement = f32_of(input, "clutch_normalised_response")?;
    let clutch = coupling(input, ClutchState { engagement, strength: 1.0 })?;
    let damping = engine(field(input, "engine")?)?.damping;
    let rate =
        engine_damping_rate(&damping, f32_of(input, "throttle_response")?, clutch.engagement);
    Ok(json!({"engine_damping_rate": number(rate)}).into())
}

pub fn drive_torque(input: &Value) -> Result<Outcome> {
    let throttle = f32_of(input, "throttle_response")?;
    let speed = f32_of(input, "engine_rotation_speed")?;
    let torque = engine_torque(&engine(field(input, "engine")?)?, throttle, speed);
    Ok(json!({"engine_drive_torque": number(torque)}).into())
}

pub fn throttle_response(input: &Value) -> Result<Outcome> {
    let mut throttle = 0.0;
    let view = TransmissionView {
        commands: &Commands { throttle: f32_of(input, "throttle_command")?, ..Commands::default() },
        transmission_commands: &TransmissionCommands::default(),
        engine: &EngineParams::default(),
        engine_state: &EngineState::default(),
        driven_speed: 0.0,
        rolling_speed: 0.0,
        carried_inertia: 0.0,
        gearbox: &GearboxParams::default(),
        clutch: &ClutchParams::default(),
        autobox: None,
        gearbox_state: &mut GearboxState::in_gear(2),
        clutch_state: &mut ClutchState::default(),
        throttle: &mut throttle,
    };
    view.update(1.0 / 60.0);
    Ok(json!({"throttle_response": number(throttle)}).into())
}

pub fn actuation_state(input: &Value) -> Result<Outcome> {
    let (brakes, ratios) =
        (f32s_of(input, "brake_torques")?, f32s_of(input, "differential_torque_ratios")?);
    let throttle = f32_of(input, "throttle_response")?;
    let strength = f32_of(input, "clutch_strength_response")?;
    let clutch = coupling(input, ClutchState { engagement: 1.0, strength })?;
    let mut wheels = vec![WheelActuation::default(); brakes.len()];
    for wheel in parse::axle_description(input, "axles")?.wheels() {
        wheels[wheel] =
            engine_drive_actuation(brakes[wheel], clutch.strength, ratios[wheel], throttle);
    }
    let flags = |flag: fn(&WheelActuation) -> bool| Value::from_iter(wheels.iter().map(flag));
    Ok(json!({
        "is_brake_applied": flags(|wheel| wheel.is_braked),
        "is_drive_applied": flags(|wheel| wheel.is_driven),
    })
    .into())
}
