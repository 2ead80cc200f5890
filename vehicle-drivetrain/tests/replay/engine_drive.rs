//! Replaying drives with an engine.

use std::ops::ControlFlow::Continue;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};
use serde_json::Value;
use vehicle_core::Context;
use vehicle_core::commands::Commands;
use vehicle_core::math::{Real, sign};
use vehicle_core::stages::ConstraintRows;
use vehicle_core::tire::BrushTire;
use vehicle_core::vehicle::{
    HasMechanics, MechanicalParams, MechanicalState, Mechanics, MechanicsRef,
};
use vehicle_drivetrain::autobox::AutoboxState;
use vehicle_drivetrain::gearbox::{
    GearCommand, GearSwitch, GearboxState, overall_gear_ratio, updated_gearbox,
};
use vehicle_drivetrain::stages::EngineDrive;
use vehicle_drivetrain::transmission::TransmissionCommands;
use vehicle_drivetrain::{EngineDriveParams, EngineDriveVehicle};

use super::vehicle::ReplayedVehicle;
use super::{engine_parameters, parameters};
use crate::support::one_step::OneStepJudge;
use crate::support::traces::Row;
use crate::support::values::field;

/// The gear that stands for the automatic gearbox.
const AUTOMATIC: Real = 255.0;
/// The time of a gearbox that stays in its gear.
const NO_SWITCH: Real = -1.0;
/// The time of a gearbox whose clock has not started.
const REQUESTED: Real = -2.0;

/// A vehicle with an engine, and what the reference reports of it otherwise than we.
pub struct EngineReplay {
    vehicle: EngineDriveVehicle,
    /// What the slip of the clutch lacks to the recorded one, which counts wheels that are geared
    /// to turn backward, or not at all, as if they turned forward (rad/s).
    unsigned_slip: Real,
}

impl HasMechanics for EngineReplay {
    type Tire = BrushTire;

    fn mechanics(&mut self) -> Mechanics<'_, BrushTire> {
        self.vehicle.mechanics()
    }

    fn read_mechanics(&self) -> MechanicsRef<'_, BrushTire> {
        self.vehicle.read_mechanics()
    }
}

impl ReplayedVehicle for EngineReplay {
    type Params = EngineDriveParams;

    fn params(recorded: &Value) -> Result<EngineDriveParams> {
        let mechanics = parameters::mechanics(field(recorded, "base")?)?;
        let drivetrain = engine_parameters::drivetrain(field(recorded, "engineDrive")?)?;
        Ok(EngineDriveParams { mechanics, drivetrain })
    }

    fn mechanics(params: &mut EngineDriveParams) -> &mut MechanicalParams {
        &mut params.mechanics
    }

    fn at_rest(params: EngineDriveParams) -> Result<Self> {
        Ok(Self { vehicle: EngineDriveVehicle::new(params)?, unsigned_slip: 0.0 })
    }

    fn change(&mut self, params: EngineDriveParams) -> Result<()> {
        Ok(self.vehicle.set_params(params)?)
    }

    fn state(&self) -> &MechanicalState {
        &self.vehicle.state.mechanics
    }

    fn state_mut(&mut self) -> &mut MechanicalState {
        &mut self.vehicle.state.mechanics
    }

    fn load(&mut self, row: Row<'_>) -> Result<()> {
        let state = &mut self.vehicle.state.drive;
        state.engine.rotation_speed = row.get("engineSpeed")?;
        state.gearbox = gearbox(row)?;
        let time = row.get("autoTimeSinceShift")?;
        state.autobox = AutoboxState {
            time_since_shift: (time != Real::MAX).then_some(time),
            is_shifting: row.flag("autoShiftActive")?,
            ..AutoboxState::default()
        };
        Ok(())
    }

    fn command(&mut self, commands: Commands, row: Row<'_>) -> Result<()> {
        self.vehicle.commands = commands;
        self.vehicle.controls = TransmissionCommands {
            gear: match row.get("c_gear")? {
                AUTOMATIC => GearCommand::Automatic,
                gear => GearCommand::Gear(gear_number(gear)?),
            },
            clutch: row.get("c_clutch")?,
            thrusts: row.array(["c_thrust0", "c_thrust1"])?,
            ..TransmissionCommands::default()
        };
        Ok(())
    }

    fn step(&mut self, substeps: u32, dt: Real, context: &Context<'_>) -> Result<()> {
        let slip = Arc::new(Mutex::new(0.0));
        let seen = Arc::clone(&slip);
        let look = move |vehicle: &mut EngineDriveVehicle, dt: Real, _: &Context<'_>| {
            *seen.lock().unwrap_or_else(PoisonError::into_inner) = unsigned_slip(vehicle, dt);
            Continue(())
        };
        // No engine took part in the recorded drives: suspensions are not stopped.
        let sequence = EngineDriveVehicle::sequence_with_substeps(move |_| substeps)
            .remove::<ConstraintRows>()?
            .insert_before::<EngineDrive>(look)?;
        let _completed = sequence.update(&mut self.vehicle, dt, context)?;
        self.unsigned_slip = *slip.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(())
    }

    fn for_each_number(&mut self, change: &mut dyn FnMut(&mut Real)) {
        change(&mut self.vehicle.state.drive.engine.rotation_speed);
    }

    fn compare(&self, judge: &mut OneStepJudge<'_>, after: Row<'_>) {
        let state = &self.vehicle.state.drive;
        let number = |gear: usize| gear as f64;
        judge.compare(after, "engineSpeed", state.engine.rotation_speed);
        judge.compare(after, "currentGear", number(state.gearbox.current));
        judge.compare(after, "targetGear", number(state.gearbox.target));
        judge.compare(after, "gearSwitchTime", recorded_time(&state.gearbox, after));
        let time = state.autobox.time_since_shift.unwrap_or(Real::MAX);
        judge.compare(after, "autoTimeSinceShift", time);
        judge.compare(after, "autoShiftActive", state.autobox.is_shifting);
        judge.compare(after, "clutchNorm", state.clutch.engagement);
        judge.compare(after, "clutchStrength", state.clutch.strength);
        judge.compare(after, "clutchSlip", state.clutch_slip + self.unsigned_slip);
        judge.compare(after, "throttleResponse", state.throttle);
        for (wheel, share) in state.shares.iter().enumerate() {
            judge.compare_wheel(after, wheel, "diffTorqueRatio", share.torque);
            judge.compare_wheel(after, wheel, "diffAveSpeedRatio", share.speed);
        }
    }
}

fn gear_number(gear: Real) -> Result<usize> {
    if gear < 0.0 || gear.fract() != 0.0 {
        bail!("{gear} is no number of a gear");
    }
    Ok(gear as usize)
}

fn gearbox(row: Row<'_>) -> Result<GearboxState> {
    let switch = match row.get("gearSwitchTime")? {
        NO_SWITCH => GearSwitch::None,
        REQUESTED => GearSwitch::Requested,
        time => GearSwitch::Elapsed(time),
    };
    let (current, target) = (row.get("currentGear")?, row.get("targetGear")?);
    let (current, target) = (gear_number(current)?, gear_number(target)?);
    // Neutral, which is in at once, leaves the clock as of a switch to come.
    let switch = if current == target { GearSwitch::None } else { switch };
    Ok(GearboxState { current, target, switch })
}

/// The time of a gearbox as it is recorded.
fn recorded_time(state: &GearboxState, after: Row<'_>) -> Real {
    match state.switch {
        // The clock of neutral, which is in at once.
        GearSwitch::None if after.optional("gearSwitchTime") == Some(REQUESTED) => REQUESTED,
        GearSwitch::None => NO_SWITCH,
        GearSwitch::Requested => REQUESTED,
        GearSwitch::Elapsed(time) => time,
    }
}

/// What the slip of the clutch lacks to the recorded one (rad/s), before a substep of `dt` (s).
///
/// ```text
/// G Σ α ω - G Σ α sgn(r) ω
/// ```
fn unsigned_slip(vehicle: &EngineDriveVehicle, dt: Real) -> Real {
    let (params, state) = (&vehicle.params().drivetrain, &vehicle.state);
    let gear = updated_gearbox(&params.gearbox, &state.drive.gearbox, dt).current;
    let wheels = state.mechanics.wheels.iter().zip(&state.drive.shares);
    let sum: Real = wheels
        .map(|(wheel, share)| share.speed * (1.0 - sign(share.torque)) * wheel.rotation_speed)
        .sum();
    overall_gear_ratio(&params.gearbox, gear) * sum
}
