//! A ready-made vehicle with a driveline from blocks, of any number of wheels and axles.

mod gauges;
mod params;
mod power;
mod wheel_motors;

use std::sync::Arc;

use vehicle_core::ComponentSequence;
use vehicle_core::error::{ParamError, ParamErrors};
use vehicle_core::tire::{BrushTire, TireModel};
use vehicle_core::vehicle::OwnState;

pub use self::params::{BlockDriveParams, PreparedDriveline};
use crate::aided::{counting, counting_controls};
use crate::block_drive::{BlockDriveView, HasBlockDrive};
use crate::blocks::{
    BlockDriveline, BlockDrivelineState, BlockError, DrivelineBlock, DrivelineCommands,
    EnergyAccount, NoCustomBlock, SolveReport,
};
use crate::sequences::{block_sequence_with_substeps, engine_substeps};
use crate::vehicle::{Vehicle, VehicleMemory, VehicleState};

/// State of a vehicle with a driveline from blocks.
pub type BlockDriveState<Tire = BrushTire, Own = ()> = VehicleState<Tire, BlockDrivelineState, Own>;

/// State that a vehicle with a driveline from blocks keeps between two steps, and its driver's
/// commands.
///
/// The numbers of the driveline have 64 bits: for the same bits, a text format must read all of
/// their digits, as `serde_json` does with its feature `float_roundtrip`.
pub type BlockDriveMemory<Tire = BrushTire, Own = ()> =
    VehicleMemory<Tire, BlockDrivelineState, DrivelineCommands, Own>;

/// A vehicle whose wheels a [driveline from blocks](crate::blocks) turns, with tires of type
/// `Tire`. Its user may add blocks of type `C` and a [state](OwnState) of type `Own`.
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
/// car.controls = DrivelineCommands { gear: 1, clutch: 0.5, ..DrivelineCommands::default() };
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
pub type BlockDriveVehicleWith<Tire, C = NoCustomBlock, Own = ()> =
    Vehicle<BlockDriveParams<Tire, C>, Own>;

/// A vehicle whose wheels a driveline from blocks turns.
pub type BlockDriveVehicle = BlockDriveVehicleWith<BrushTire>;

impl<Tire: TireModel, C: DrivelineBlock + Clone, Own: OwnState>
    BlockDriveVehicleWith<Tire, C, Own>
{
    /// The stages of the vehicle, in order. The stiff stages take three substeps below 5 m/s and
    /// one above, whichever way the vehicle moves. If its wheels have a mass, they take two above,
    /// and one while its brakes hold the vehicle.
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
        &self.model.prepared.driveline
    }

    /// Value of a block's sensor as of the last step, by the names of the block and the sensor. To
    /// ask for it in every step, find its [number](BlockDriveline::sensor) once.
    ///
    /// # Errors
    ///
    /// If there is none of these names.
    pub fn sensor(&self, block: &str, sensor: &str) -> Result<f64, BlockError> {
        Ok(self.state.drive.sensor(self.model.prepared.driveline.sensor(block, sensor)?))
    }

    /// Writes an input that neither the driver nor the bus reaches, by the names of the block and
    /// the input: it stays until it is written again. To write it in every step, find its
    /// [number](BlockDriveline::input) once.
    ///
    /// # Errors
    ///
    /// If there is none of these names, a control of the driver or a link of the bus writes it, or
    /// `value` is not finite.
    pub fn set_input(&mut self, block: &str, input: &str, value: f64) -> Result<(), BlockError> {
        let driveline = &self.model.prepared.driveline;
        let id = driveline.free_input(block, input)?;
        if !value.is_finite() {
            let name = format!("input {input:?} of {block:?}");
            return Err(ParamErrors::from(ParamError::new(name, "finite", value)).into());
        }
        self.state.drive.set_input(id, value);
        Ok(())
    }

    /// How the last step was solved, in how many passes.
    pub fn solve_report(&self) -> &SolveReport {
        &self.room
    }

    /// Keeps account of the energy of the driveline from now on, or no more. The account is no part
    /// of a snapshot.
    pub fn keep_energy_account(&mut self, is_kept: bool) {
        self.room.energy = is_kept.then(Box::default);
    }

    /// Where the energy of the driveline went since its account is
    /// [kept](Self::keep_energy_account).
    pub fn energy_account(&self) -> Option<&EnergyAccount> {
        self.room.energy.as_deref()
    }

    /// Stops all that turns in the driveline, but engines, which go on idling or stay stalled.
    pub fn stop_driveline(&mut self) {
        self.model.prepared.driveline.stop(&mut self.state.drive);
    }
}

impl<Tire: TireModel, C: DrivelineBlock + Clone, Own: OwnState> HasBlockDrive
    for BlockDriveVehicleWith<Tire, C, Own>
{
    type Custom = C;

    fn block_drive(&mut self) -> BlockDriveView<'_, C> {
        let VehicleState { mechanics, drive, .. } = &mut self.state;
        BlockDriveView {
            axles: &self.model.params.mechanics.axles,
            rigid_body_params: &self.model.params.mechanics.rigid_body,
            road_wheels: self.model.lanes.road_wheels(),
            commands: counting(&self.aid_room, &self.commands),
            levers: counting_controls(&self.aid_room, &self.controls),
            driveline: &self.model.prepared.driveline,
            spin_axes: &self.model.prepared.spin_axes,
            brake_torques: &mut mechanics.brake_torques,
            actuations: &mut mechanics.actuations,
            tires: &mut mechanics.tires,
            wheels: &mut mechanics.wheels,
            rigid_body: &mut mechanics.rigid_body,
            state: drive,
            report: &mut self.room,
        }
    }
}
