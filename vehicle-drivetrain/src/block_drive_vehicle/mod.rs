//! A ready-made vehicle with a driveline from blocks, of any number of wheels and axles.

mod memory;
mod params;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::clone_by_field;
use vehicle_core::commands::Commands;
use vehicle_core::tire::{BrushTire, TireModel};
use vehicle_core::vehicle::{
    ChangeMechanics, HasMechanics, HasOwn, MechanicalParams, MechanicalState, Mechanics,
    MechanicsRef, MechanicsWithOwn, OwnState,
};
use vehicle_core::{ComponentSequence, ParamErrors};

pub use self::memory::BlockDriveMemory;
pub use self::params::BlockDriveParams;
use self::params::Prepared;
use crate::block_drive::{BlockDriveRoom, BlockDriveView, HasBlockDrive};
use crate::blocks::{
    BlockDriveline, BlockDrivelineState, BlockError, BlockWorkspace, DrivelineBlock,
    DrivelineCommands, EnergyAccount, NoCustomBlock,
};
use crate::model::{Model, impl_model};
use crate::sequences::{block_sequence_with_substeps, engine_substeps};

/// State of a vehicle with a driveline from blocks.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct BlockDriveState<Tire: TireModel = BrushTire, Own: OwnState = ()> {
    /// The mechanical base.
    pub mechanics: MechanicalState<Tire>,
    /// The driveline.
    pub driveline: BlockDrivelineState,
    /// State that the user has added.
    pub own: Own,
}

clone_by_field! {
    impl[Tire: TireModel, Own: OwnState] BlockDriveState<Tire, Own> { mechanics, driveline, own }
}

/// A vehicle whose wheels a [driveline from blocks](crate::blocks) turns, with tires of type
/// `Tire`, blocks of its user's own of type `C` and [state of its user's own](OwnState) of type
/// `Own`.
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
/// car.state.mechanics.rigid_body.pose.translation.y = 0.55; // the height of its center of mass
/// car.commands.throttle = 0.5;
/// car.levers = DrivelineCommands { gear: 1, clutch: 0.5, ..DrivelineCommands::default() };
///
/// let sequence = BlockDriveVehicle::sequence();
/// let (simulation, road) = (SimulationParams::default(), FlatRoad::new(&Frame::Y_UP));
/// for _ in 0..60 {
///     let context = Context::new(&simulation, &road);
///     let _completed = sequence.update_checked(&mut car, 1.0 / 60.0, &context)?;
/// }
/// assert!(50.0 < car.sensor("friction clutch", "torque")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlockDriveVehicleWith<Tire: TireModel, C = NoCustomBlock, Own: OwnState = ()> {
    model: Model<BlockDriveParams<Tire, C>, Own>,
    prepared: Prepared<C>,
    /// Commands of the driver: pedals and steering wheel.
    pub commands: Commands,
    /// Commands of the driver: gearbox, clutch, locks and all else.
    pub levers: DrivelineCommands,
    /// State of the vehicle.
    pub state: BlockDriveState<Tire, Own>,
    room: BlockDriveRoom,
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
    /// A vehicle as [`new`](Self::new) makes it, with state of one's own, made of `own_params`, at
    /// rest.
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

    /// Another vehicle of the same model, at rest at the origin, in neutral: it shares with this
    /// one what both are made of. The vehicles of a fleet are made so.
    pub fn another(&self) -> Self {
        Self::at_rest(self.model.share(), self.prepared.clone())
    }

    fn at_rest(model: Model<BlockDriveParams<Tire, C>, Own>, prepared: Prepared<C>) -> Self {
        let wheel_count = model.wheel_count();
        Self {
            state: BlockDriveState {
                mechanics: MechanicalState::of_vehicle(&model.params.mechanics),
                driveline: prepared.driveline.start(),
                own: model.own_at_rest(),
            },
            room: BlockDriveRoom::new(&prepared.driveline, wheel_count),
            model,
            prepared,
            commands: Commands::default(),
            levers: DrivelineCommands::default(),
        }
    }

    /// Changes what the vehicle is made of, at any time between steps. A driveline of the same
    /// blocks goes on as it was; another one starts anew, its engines idle and its wheels as fast
    /// as they are.
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
        }
        self.room = BlockDriveRoom::new(driveline, self.model.wheel_count());
        self.prepared = prepared;
        Ok(())
    }
}

impl<Tire: TireModel, C: DrivelineBlock, Own: OwnState> BlockDriveVehicleWith<Tire, C, Own> {
    /// The stages of the vehicle, in order, with three substeps of the stiff ones below 5 m/s and
    /// one above, whichever way it moves; if its wheels have a mass, two above, and one while
    /// its brakes hold it.
    ///
    /// One sequence serves every vehicle.
    #[expect(clippy::redundant_closure, reason = "the function would ask for static parts")]
    pub fn sequence() -> ComponentSequence<Self> {
        Self::sequence_with_substeps(|vehicle| engine_substeps(vehicle))
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

    /// Value of a block's sensor as of the last step, by the names of the block and the sensor. To
    /// ask for it in every step, find its [number](BlockDriveline::sensor) once.
    ///
    /// # Errors
    ///
    /// If there is none of these names.
    pub fn sensor(&self, block: &str, sensor: &str) -> Result<f64, BlockError> {
        Ok(self.state.driveline.sensor(self.prepared.driveline.sensor(block, sensor)?))
    }

    /// Writes an input that nothing of the driver reaches, by the names of the block and the input:
    /// it stays until it is written again. To write it in every step, find its
    /// [number](BlockDriveline::input) once.
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

    /// Keeps account of the energy of the driveline from now on, or no more. The account is no part
    /// of a snapshot.
    pub fn keep_energy_account(&mut self, is_kept: bool) {
        self.room.driveline.energy = is_kept.then(EnergyAccount::default);
    }

    /// Where the energy of the driveline went since its account is
    /// [kept](Self::keep_energy_account).
    pub fn energy_account(&self) -> Option<&EnergyAccount> {
        self.room.driveline.energy.as_ref()
    }

    /// Stops all that turns in the driveline, but engines, which go on idling or stay stalled.
    pub fn stop_driveline(&mut self) {
        self.prepared.driveline.stop(&mut self.state.driveline);
    }
}

impl_model! {
    impl[Tire: TireModel, C: DrivelineBlock, Own: OwnState] BlockDriveVehicleWith<Tire, C, Own>,
    BlockDriveParams<Tire, C>
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
            road_wheels: self.model.lanes.road_wheels(),
            commands: &self.commands,
            levers: &self.levers,
            driveline: &self.prepared.driveline,
            spin_axes: &self.prepared.spin_axes,
            brake_torques: &mut mechanics.brake_torques,
            actuations: &mut mechanics.actuations,
            tires: &mut mechanics.tires,
            wheels: &mut mechanics.wheels,
            rigid_body: &mut mechanics.rigid_body,
            state: driveline,
            room: &mut self.room,
        }
    }
}
