//! A ready-made vehicle with a driveline from blocks, of any number of wheels and axles.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::commands::Commands;
use vehicle_core::convert::Convert;
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::{CoordinateConversion, Frame};
use vehicle_core::math::Vec3;
use vehicle_core::memory::MechanicalMemory;
use vehicle_core::sequence::Recoverable;
use vehicle_core::tire::{BrushTire, TireModel};
use vehicle_core::vehicle::{
    ChangeMechanics, HasMechanics, HasOwn, MechanicalParams, MechanicalState, Mechanics,
    MechanicsRef, MechanicsWithOwn, OwnState,
};
use vehicle_core::{ComponentSequence, ParamErrors, Persistent, Validate};

use crate::block_drive::{BlockDriveRoom, BlockDriveView, HasBlockDrive, SpinAxis};
use crate::blocks::{
    BlockDriveline, BlockDrivelineState, BlockError, BlockTree, BlockWorkspace, DrivelineBlock,
    DrivelineCommands, EnergyAccount, NoCustomBlock,
};
use crate::model::{Model, ModelParams};
use crate::own::check_own_memory;
use crate::sequences::{block_sequence_with_substeps, engine_substeps};

/// What a vehicle with a driveline from blocks is made of, with tires of type `Tire` and blocks of the user's own
/// of type `C`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "Tire: Serialize, C: Serialize",
    deserialize = "Tire: Deserialize<'de>, C: Deserialize<'de>"
))]
pub struct BlockDriveParams<Tire = BrushTire, C = NoCustomBlock> {
    /// The mechanical base.
    pub mechanics: MechanicalParams<Tire>,
    /// The driveline, in SI units whatever the unit of length of the vehicle. Wheels that are no part of it roll
    /// freely, under their brakes.
    pub driveline: BlockTree<C>,
    /// Blocks whose rotating parts turn the body as they change their speed.
    #[serde(default)]
    pub spin_axes: Vec<SpinAxis>,
}

impl<Tire, C> BlockDriveParams<Tire, C> {
    /// A vehicle whose driveline does not turn the body.
    pub fn new(mechanics: MechanicalParams<Tire>, driveline: BlockTree<C>) -> Self {
        Self { mechanics, driveline, spin_axes: Vec::new() }
    }
}

impl<Tire: TireModel, C: DrivelineBlock + Clone> BlockDriveParams<Tire, C> {
    /// The driveline, or all faults.
    fn checked_driveline(&self, check: &mut ParamCheck) -> Option<BlockDriveline<C>> {
        check.field("mechanics", |inner| self.mechanics.check(inner));
        check.each("spin_axes", &self.spin_axes, SpinAxis::check);
        let driveline = match BlockDriveline::new(self.driveline.clone()) {
            Ok(driveline) => driveline,
            Err(BlockError::Params(_)) => {
                check.field("driveline", |inner| self.driveline.check(inner));
                return None;
            }
            Err(fault) => {
                check.require("driveline", false, "a tree of blocks that can be solved", fault);
                return None;
            }
        };
        let wheel_count = self.mechanics.axles.wheel_count();
        for named in &self.driveline.blocks {
            let Some(wheel) = named.block.as_block().wheel() else { continue };
            let name = format_args!("driveline.{:?}.wheel", named.name);
            check.require(name, wheel < wheel_count, format_args!("below {wheel_count}"), wheel);
        }
        for (index, spin) in self.spin_axes.iter().enumerate() {
            let is_block = self.driveline.find(&spin.block).is_some();
            let name = format_args!("spin_axes[{index}].block");
            check.require(name, is_block, "the name of a block of the driveline", &spin.block);
        }
        Some(driveline)
    }

    /// What is made of parameters that have been checked.
    fn prepared(&self) -> Result<Prepared<C>, ParamErrors> {
        let mut check = ParamCheck::default();
        let driveline = self.checked_driveline(&mut check);
        check.finish()?;
        let Some(driveline) = driveline else { unreachable!("what is no driveline is reported") };
        let spin_axis = |spin: &SpinAxis| Some((self.driveline.find(&spin.block)?, spin.axis));
        Ok(Prepared {
            driveline: Arc::new(driveline),
            spin_axes: self.spin_axes.iter().filter_map(spin_axis).collect(),
        })
    }
}

impl<Tire: TireModel, C: DrivelineBlock + Clone> Validate for BlockDriveParams<Tire, C> {
    fn check(&self, check: &mut ParamCheck) {
        let _driveline = self.checked_driveline(check);
    }
}

impl<Tire: TireModel, C> ModelParams for BlockDriveParams<Tire, C> {
    type Tire = Tire;

    fn mechanics(&self) -> &MechanicalParams<Tire> {
        &self.mechanics
    }
}

impl<Tire: Convert, C: Clone> Convert for BlockDriveParams<Tire, C> {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        // Where axes are mirrored, the right-hand rule turns the other way.
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| conversion.direction(axis));
        let handedness = x.cross(y).dot(z);
        let spin = |spin: &SpinAxis| SpinAxis {
            block: spin.block.clone(),
            axis: conversion.direction(spin.axis) * handedness,
        };
        Self {
            mechanics: self.mechanics.converted(conversion),
            driveline: self.driveline.clone(),
            spin_axes: self.spin_axes.iter().map(spin).collect(),
        }
    }
}

/// What changes as a vehicle with a driveline from blocks drives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct BlockDriveState<Tire: TireModel = BrushTire, Own: OwnState = ()> {
    /// The mechanical base.
    pub mechanics: MechanicalState<Tire>,
    /// The driveline.
    pub driveline: BlockDrivelineState,
    /// What the user has added.
    pub own: Own,
}

/// The driveline of a model, ready for steps.
#[derive(Debug)]
struct Prepared<C> {
    driveline: Arc<BlockDriveline<C>>,
    spin_axes: Arc<[(usize, Vec3)]>,
}

impl<C> Clone for Prepared<C> {
    fn clone(&self) -> Self {
        let Self { driveline, spin_axes } = self;
        Self { driveline: Arc::clone(driveline), spin_axes: Arc::clone(spin_axes) }
    }
}

/// A vehicle whose wheels a [driveline from blocks](crate::blocks) turns, with tires of type `Tire`, blocks of its
/// user's own of type `C` and [state of its user's own](OwnState) of type `Own`.
///
/// [`BlockDriveVehicle`] is the one with the default tire and no blocks of one's own.
///
/// ```
/// use vehicle_core::prelude::*;
/// use vehicle_drivetrain::blocks::ready_made;
/// use vehicle_drivetrain::prelude::*;
///
/// let mechanics = CarBlueprint::default().mechanics()?;
/// let params = BlockDriveParams::new(mechanics, ready_made::rear_drive()?);
/// let mut car = BlockDriveVehicle::new(params)?;
/// car.commands.throttle = 0.5;
/// car.levers = DrivelineCommands { gear: 1, clutch: 0.5, ..DrivelineCommands::default() };
///
/// let sequence = BlockDriveVehicle::sequence();
/// let (simulation, road) = (SimulationParams::default(), FlatRoad::new(&Frame::Y_UP));
/// for _ in 0..60 {
///     let context = Context::new(&simulation, &road);
///     let _completed = sequence.update_checked(&mut car, 1.0 / 60.0, &context)?;
/// }
/// assert!(100.0 < car.sensor("friction clutch", "torque")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlockDriveVehicleWith<Tire: TireModel, C = NoCustomBlock, Own: OwnState = ()> {
    model: Model<BlockDriveParams<Tire, C>, Own>,
    prepared: Prepared<C>,
    /// What the driver wants of pedals and steering wheel.
    pub commands: Commands,
    /// What the driver wants of gearbox, clutch, locks and all else.
    pub levers: DrivelineCommands,
    /// What the vehicle does.
    pub state: BlockDriveState<Tire, Own>,
    room: BlockDriveRoom,
    /// Room for a copy of the driveline's state.
    spare: BlockDrivelineState,
}

/// A vehicle whose wheels a driveline from blocks turns.
pub type BlockDriveVehicle = BlockDriveVehicleWith<BrushTire>;

impl<Tire: TireModel, C: DrivelineBlock + Clone> BlockDriveVehicleWith<Tire, C> {
    /// A vehicle at rest at the origin, in neutral, with engines that idle.
    ///
    /// Vehicles of one model may share `params`. Place the vehicle through its state, or on a body
    /// of a physics engine.
    ///
    /// # Errors
    ///
    /// All faults of `params`.
    pub fn new(params: impl Into<Arc<BlockDriveParams<Tire, C>>>) -> Result<Self, ParamErrors> {
        Self::with_own(params, ())
    }
}

impl<Tire: TireModel, C: DrivelineBlock + Clone, Own: OwnState>
    BlockDriveVehicleWith<Tire, C, Own>
{
    /// A vehicle as [`new`](Self::new) makes it, with state of one's own, made of `own_params`, at rest.
    ///
    /// # Errors
    ///
    /// All faults of `params` and `own_params`, the latter as those of `own`.
    pub fn with_own(
        params: impl Into<Arc<BlockDriveParams<Tire, C>>>,
        own_params: Own::Params,
    ) -> Result<Self, ParamErrors> {
        let model = Model::new(params.into(), own_params)?;
        let prepared = model.params.prepared()?;
        Ok(Self::at_rest(model, prepared))
    }

    /// Another vehicle of the same model, at rest at the origin, in neutral: it shares with this one
    /// what both are made of. The vehicles of a fleet are made so.
    pub fn another(&self) -> Self {
        Self::at_rest(self.model.share(), self.prepared.clone())
    }

    fn at_rest(model: Model<BlockDriveParams<Tire, C>, Own>, prepared: Prepared<C>) -> Self {
        let wheel_count = model.wheel_count();
        let start = prepared.driveline.start();
        Self {
            state: BlockDriveState {
                mechanics: MechanicalState::of_vehicle(&model.params.mechanics),
                driveline: start.clone(),
                own: model.own_at_rest(),
            },
            room: BlockDriveRoom::new(&prepared.driveline, wheel_count),
            spare: start,
            model,
            prepared,
            commands: Commands::default(),
            levers: DrivelineCommands::default(),
        }
    }

    /// Changes what the vehicle is made of, at any time between steps. A driveline of the same blocks goes on as it
    /// was; another one starts anew, its engines idle and its wheels as fast as they are.
    ///
    /// # Errors
    ///
    /// All faults of `params`, also if the number of wheels differs; nothing has changed then.
    pub fn set_params(
        &mut self,
        params: impl Into<Arc<BlockDriveParams<Tire, C>>>,
    ) -> Result<(), ParamErrors> {
        self.model.set_params(params.into(), |_, _| {})?;
        self.state.mechanics.fit(&self.model.params.mechanics);
        let prepared = self.model.params.prepared()?;
        let driveline = &prepared.driveline;
        if !driveline.is_alike(&self.prepared.driveline) {
            self.state.driveline = driveline.start();
            self.spare = driveline.start();
        }
        self.room = BlockDriveRoom::new(driveline, self.model.wheel_count());
        self.prepared = prepared;
        Ok(())
    }
}

impl<Tire: TireModel, C: DrivelineBlock, Own: OwnState> BlockDriveVehicleWith<Tire, C, Own> {
    /// What the vehicle is made of.
    pub fn params(&self) -> &Arc<BlockDriveParams<Tire, C>> {
        &self.model.params
    }

    /// What the state of one's own is made of.
    pub fn own_params(&self) -> &Own::Params {
        &self.model.own_params
    }

    /// Changes what the state of one's own is made of, at any time between steps.
    ///
    /// # Errors
    ///
    /// All faults of `own_params`, and of the state with them; nothing has changed then.
    pub fn set_own_params(&mut self, own_params: Own::Params) -> Result<(), ParamErrors> {
        self.model.set_own_params(own_params, &self.state.own)
    }

    /// The stages of the vehicle, in order, with three substeps of the stiff ones below 5 m/s and
    /// one above, whichever way it moves.
    ///
    /// One sequence serves every vehicle.
    pub fn sequence() -> ComponentSequence<Self> {
        Self::sequence_with_substeps(|vehicle| engine_substeps(&vehicle.state.mechanics.rigid_body))
    }

    /// The stages of the vehicle, in order, with `count` substeps of the stiff ones.
    pub fn sequence_with_substeps(
        count: impl Fn(&Self) -> u32 + Send + Sync + 'static,
    ) -> ComponentSequence<Self> {
        block_sequence_with_substeps(count)
    }

    /// The driveline, ready for steps: numbers of sensors and inputs by their names.
    pub fn driveline(&self) -> &Arc<BlockDriveline<C>> {
        &self.prepared.driveline
    }

    /// What a block tells as of the last step, by the names of the block and the sensor. To ask for it in every
    /// step, find its [number](BlockDriveline::sensor) once.
    ///
    /// # Errors
    ///
    /// If there is none of these names.
    pub fn sensor(&self, block: &str, sensor: &str) -> Result<f64, BlockError> {
        Ok(self.state.driveline.sensor(self.prepared.driveline.sensor(block, sensor)?))
    }

    /// Writes an input that nothing of the driver reaches, by the names of the block and the input: it stays until
    /// it is written again. To write it in every step, find its [number](BlockDriveline::input) once.
    ///
    /// # Errors
    ///
    /// If there is none of these names.
    pub fn set_input(&mut self, block: &str, input: &str, value: f64) -> Result<(), BlockError> {
        let input = self.prepared.driveline.input(block, input)?;
        self.state.driveline.set_input(input, value);
        Ok(())
    }

    /// How the last step was solved, in how many passes.
    pub fn solve_report(&self) -> &BlockWorkspace {
        &self.room.driveline
    }

    /// Keeps account of the energy of the driveline from now on, or no more. The account is no part of a snapshot.
    pub fn keep_energy_account(&mut self, is_kept: bool) {
        self.room.driveline.energy = is_kept.then(EnergyAccount::default);
    }

    /// Where the energy of the driveline went since its account is [kept](Self::keep_energy_account).
    pub fn energy_account(&self) -> Option<&EnergyAccount> {
        self.room.driveline.energy.as_ref()
    }

    /// Stops all that turns in the driveline, but engines, which go on idling or stay stalled.
    pub fn stop_driveline(&mut self) {
        self.prepared.driveline.stop(&mut self.state.driveline);
    }
}

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

    fn restore(&mut self, snapshot: BlockDriveState<Tire, Own>) {
        self.spare = std::mem::replace(&mut self.state, snapshot).driveline;
    }

    fn keep(&mut self) -> BlockDriveState<Tire, Own> {
        let mut driveline = std::mem::take(&mut self.spare);
        driveline.copy_from(&self.state.driveline);
        let BlockDriveState { mechanics, own, .. } = &self.state;
        BlockDriveState { mechanics: mechanics.clone(), driveline, own: own.clone() }
    }

    fn release(&mut self, kept: BlockDriveState<Tire, Own>) {
        self.spare = kept.driveline;
    }

    fn is_finite(&self) -> bool {
        let BlockDriveState { mechanics, driveline, own } = &self.state;
        mechanics.is_finite() && driveline.is_finite() && own.is_finite()
    }
}

/// What a vehicle with a driveline from blocks remembers between two steps, and what its driver wants.
///
/// The numbers of the driveline have 64 bits: for the same bits, a text format must read all of their digits, as
/// `serde_json` does with its feature `float_roundtrip`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
#[non_exhaustive]
pub struct BlockDriveMemory<Tire: TireModel = BrushTire, Own: OwnState = ()> {
    /// The mechanical base.
    pub mechanics: MechanicalMemory<Tire>,
    /// The driveline.
    pub driveline: BlockDrivelineState,
    /// What the driver wants of pedals and steering wheel.
    pub commands: Commands,
    /// What the driver wants of gearbox, clutch, locks and all else.
    pub levers: DrivelineCommands,
    /// What the user has added.
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

impl<Tire: TireModel, C: DrivelineBlock, Own: OwnState> HasMechanics
    for BlockDriveVehicleWith<Tire, C, Own>
{
    type Tire = Tire;

    fn mechanics(&mut self) -> Mechanics<'_, Tire> {
        self.model.mechanics(&self.commands, &mut self.state.mechanics)
    }

    fn read_mechanics(&self) -> MechanicsRef<'_, Tire> {
        self.model.read_mechanics(&self.commands, &self.state.mechanics)
    }
}

impl<Tire: TireModel, C: DrivelineBlock, Own: OwnState> HasOwn
    for BlockDriveVehicleWith<Tire, C, Own>
{
    type Own = Own;

    fn own(&mut self) -> MechanicsWithOwn<'_, Tire, Own> {
        let mechanics = self.model.mechanics(&self.commands, &mut self.state.mechanics);
        MechanicsWithOwn { mechanics, params: &self.model.own_params, state: &mut self.state.own }
    }
}

impl<Tire: TireModel, C: DrivelineBlock + Clone, Own: OwnState> ChangeMechanics
    for BlockDriveVehicleWith<Tire, C, Own>
{
    fn set_mechanics(&mut self, mechanics: MechanicalParams<Tire>) -> Result<(), ParamErrors> {
        let BlockDriveParams { driveline, spin_axes, .. } = &*self.model.params;
        let (driveline, spin_axes) = (driveline.clone(), spin_axes.clone());
        self.set_params(BlockDriveParams { mechanics, driveline, spin_axes })
    }
}

impl<Tire: TireModel, C: DrivelineBlock, Own: OwnState> HasBlockDrive
    for BlockDriveVehicleWith<Tire, C, Own>
{
    type Custom = C;

    fn block_drive(&mut self) -> BlockDriveView<'_, C> {
        let BlockDriveState { mechanics, driveline, .. } = &mut self.state;
        BlockDriveView {
            axles: &self.model.params.mechanics.axles,
            rigid_body_params: &self.model.params.mechanics.rigid_body,
            turning_wheels: self.model.lanes.turning_wheels(),
            commands: &self.commands,
            levers: &self.levers,
            driveline: &self.prepared.driveline,
            spin_axes: &self.prepared.spin_axes,
            brake_torques: &mechanics.brake_torques,
            actuations: &mut mechanics.actuations,
            tires: &mut mechanics.tires,
            wheels: &mut mechanics.wheels,
            rigid_body: &mut mechanics.rigid_body,
            state: driveline,
            room: &mut self.room,
        }
    }
}
