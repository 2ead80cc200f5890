//! Replaying direct drives.

use anyhow::{Result, bail};
use serde_json::Value;
use vehicle_core::Context;
use vehicle_core::commands::Commands;
use vehicle_core::math::Real;
use vehicle_core::stages::ConstraintRows;
use vehicle_core::vehicle::{MechanicalParams, MechanicalState};
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle};

use super::parameters;
use super::vehicle::ReplayedVehicle;
use crate::support::one_step::OneStepJudge;
use crate::support::traces::Row;
use crate::support::values::field;

impl ReplayedVehicle for DirectDriveVehicle {
    type Params = DirectDriveParams;

    fn params(recorded: &Value) -> Result<DirectDriveParams> {
        let mechanics = parameters::mechanics(field(recorded, "base")?)?;
        let throttle = field(field(recorded, "directDrive")?, "throttleResponse")?;
        let throttle = parameters::response(throttle, mechanics.axles.wheel_count())?;
        Ok(DirectDriveParams { mechanics, throttle })
    }

    fn mechanics(params: &mut DirectDriveParams) -> &mut MechanicalParams {
        &mut params.mechanics
    }

    fn at_rest(params: DirectDriveParams) -> Result<Self> {
        Ok(Self::new(params)?)
    }

    fn change(&mut self, params: DirectDriveParams) -> Result<()> {
        Ok(self.set_params(params)?)
    }

    fn state(&self) -> &MechanicalState {
        &self.state.mechanics
    }

    fn state_mut(&mut self) -> &mut MechanicalState {
        &mut self.state.mechanics
    }

    fn load(&mut self, _: Row<'_>) -> Result<()> {
        Ok(())
    }

    fn command(&mut self, commands: Commands, row: Row<'_>) -> Result<()> {
        self.commands = commands;
        self.controls.gear = match row.get("c_gear")? {
            0.0 => Gear::Reverse,
            1.0 => Gear::Neutral,
            2.0 => Gear::Forward,
            other => bail!("`c_gear`: {other} is no gear of a direct drive"),
        };
        Ok(())
    }

    fn step(&mut self, substeps: u32, dt: Real, context: &Context<'_>) -> Result<()> {
        // No engine took part in the recorded drives: suspensions are not stopped.
        let sequence =
            Self::sequence_with_substeps(move |_| substeps).remove::<ConstraintRows>()?;
        let _completed = sequence.update(self, dt, context)?;
        Ok(())
    }

    fn for_each_number(&mut self, _: &mut dyn FnMut(&mut Real)) {}

    fn compare(&self, judge: &mut OneStepJudge<'_>, after: Row<'_>) {
        for (wheel, torque) in self.state.drive.torques.iter().enumerate() {
            judge.compare_wheel(after, wheel, "driveTorque", torque);
        }
    }
}
