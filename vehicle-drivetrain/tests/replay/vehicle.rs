//! What the replay needs of a kind of vehicle.

use anyhow::Result;
use serde_json::Value;
use vehicle_core::Context;
use vehicle_core::commands::Commands;
use vehicle_core::convert::Convert;
use vehicle_core::math::Real;
use vehicle_core::vehicle::{MechanicalParams, MechanicalState, ReadVehicle};

use crate::support::one_step::OneStepJudge;
use crate::support::traces::Row;

/// A vehicle of a kind whose drives are recorded: what it has beside the mechanical base.
pub trait ReplayedVehicle: ReadVehicle + Sized {
    /// What it is made of.
    type Params: Clone + Convert;

    /// The parameters of a recorded drive.
    fn params(recorded: &Value) -> Result<Self::Params>;

    /// The mechanical base of `params`.
    fn mechanics(params: &mut Self::Params) -> &mut MechanicalParams;

    /// A vehicle at rest.
    fn at_rest(params: Self::Params) -> Result<Self>;

    /// Takes other parameters.
    fn change(&mut self, params: Self::Params) -> Result<()>;

    /// What the mechanical base does.
    fn state(&self) -> &MechanicalState;

    /// The state of the mechanical base, mutably.
    fn state_mut(&mut self) -> &mut MechanicalState;

    /// Takes the state of its drive from `row`.
    fn load(&mut self, row: Row<'_>) -> Result<()>;

    /// Takes `commands`, and those for its drive from `row`.
    fn command(&mut self, commands: Commands, row: Row<'_>) -> Result<()>;

    /// Runs a step of `dt` (s).
    fn step(&mut self, substeps: u32, dt: Real, context: &Context<'_>) -> Result<()>;

    /// Hands every number of the state of its drive to `change`.
    fn for_each_number(&mut self, change: &mut dyn FnMut(&mut Real));

    /// Compares the state of its drive with the row after its step.
    fn compare(&self, judge: &mut OneStepJudge<'_>, after: Row<'_>);
}
