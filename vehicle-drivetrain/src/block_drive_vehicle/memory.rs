//! Checked steps and snapshots of vehicles with a driveline from blocks.

use serde::{Deserialize, Serialize};
use vehicle_core::commands::Commands;
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::Frame;
use vehicle_core::memory::MechanicalMemory;
use vehicle_core::sequence::Recoverable;
use vehicle_core::tire::{BrushTire, TireModel};
use vehicle_core::vehicle::{OwnState, check_own_memory};
use vehicle_core::{ParamErrors, Persistent, Validate};

use super::{BlockDriveState, BlockDriveVehicleWith};
use crate::blocks::{BlockDrivelineState, DrivelineBlock, DrivelineCommands};

impl<Tire: TireModel, C: DrivelineBlock, Own: OwnState> Recoverable
    for BlockDriveVehicleWith<Tire, C, Own>
{
    type Snapshot = BlockDriveState<Tire, Own>;

    fn check_inputs(&self, check: &mut ParamCheck) {
        let wheel_count = self.model.wheel_count();
        let mechanics = &self.model.params.mechanics;
        check.field("commands", |inner| mechanics.check_commands(&self.commands, inner));
        check.field("levers", |inner| self.levers.check(inner));
        let BlockDriveState { mechanics, driveline, own, .. } = &self.state;
        check.field("state.mechanics", |inner| mechanics.check_lengths(wheel_count, inner));
        check.field("state.driveline", |inner| {
            self.prepared.driveline.check_lengths(driveline, inner);
        });
        check.field("state.own", |inner| own.check(&self.model.own_params, wheel_count, inner));
    }

    fn check_axes(&self, frame: &Frame, check: &mut ParamCheck) {
        check.field("params.mechanics", |inner| {
            self.model.params.mechanics.check_axes(frame, inner);
        });
    }

    fn snapshot(&self) -> BlockDriveState<Tire, Own> {
        self.state.clone()
    }

    fn snapshot_into(&self, snapshot: &mut BlockDriveState<Tire, Own>) {
        snapshot.clone_from(&self.state);
    }

    fn restore(&mut self, snapshot: BlockDriveState<Tire, Own>) {
        self.state = snapshot;
    }

    fn is_finite(&self) -> bool {
        let BlockDriveState { mechanics, driveline, own } = &self.state;
        mechanics.is_finite() && driveline.is_finite() && own.is_finite()
    }

    fn stage_fault(&self) -> Option<&'static str> {
        self.state.mechanics.stage_fault()
    }
}

/// State that a vehicle with a driveline from blocks keeps between two steps, and its driver's
/// commands.
///
/// The numbers of the driveline have 64 bits: for the same bits, a text format must read all of
/// their digits, as `serde_json` does with its feature `float_roundtrip`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
#[non_exhaustive]
pub struct BlockDriveMemory<Tire: TireModel = BrushTire, Own: OwnState = ()> {
    /// The mechanical base.
    pub mechanics: MechanicalMemory<Tire>,
    /// The driveline.
    pub driveline: BlockDrivelineState,
    /// Commands of the driver: pedals and steering wheel.
    pub commands: Commands,
    /// Commands of the driver: gearbox, clutch, locks and all else.
    pub levers: DrivelineCommands,
    /// State that the user has added.
    pub own: Own,
}

impl<Tire: TireModel, C: DrivelineBlock, Own: OwnState> Persistent
    for BlockDriveVehicleWith<Tire, C, Own>
{
    type Memory = BlockDriveMemory<Tire, Own>;

    fn memory(&self) -> BlockDriveMemory<Tire, Own> {
        BlockDriveMemory {
            mechanics: MechanicalMemory::of(&self.state.mechanics),
            driveline: self.state.driveline.clone(),
            commands: self.commands,
            levers: self.levers,
            own: self.state.own.clone(),
        }
    }

    fn recall(&mut self, memory: &BlockDriveMemory<Tire, Own>) -> Result<(), ParamErrors> {
        let params = &self.model.params.mechanics;
        let wheel_count = params.axles.wheel_count();
        let mut check = ParamCheck::default();
        check.field("mechanics", |inner| memory.mechanics.check(wheel_count, inner));
        check.field("driveline", |inner| {
            self.prepared.driveline.check_state(&memory.driveline, inner);
        });
        check.field("commands", |inner| params.check_commands(&memory.commands, inner));
        check.field("levers", |inner| memory.levers.check(inner));
        check_own_memory::<Own>(&self.model.own_params, &memory.own, wheel_count, &mut check);
        check.finish()?;
        self.state = BlockDriveState {
            mechanics: memory.mechanics.state(params),
            driveline: memory.driveline.clone(),
            own: memory.own.clone(),
        };
        (self.commands, self.levers) = (memory.commands, memory.levers);
        Ok(())
    }
}
