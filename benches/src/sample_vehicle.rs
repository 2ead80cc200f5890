//! The vehicles that are measured.

use std::sync::Arc;

use rapier3d::prelude::*;
use snippets::drivetrains::{SampleDifferential, sample_engine_drive};
use snippets::vehicles::{sample_direct_drive, sample_mechanics};
use vehicle_rapier::Drivable;
use vehicle_rapier::core::commands::Commands;
use vehicle_rapier::core::tire::BrushTire;
use vehicle_rapier::core::vehicle::{HasMechanics, MechanicalParams, MechanicalState};
use vehicle_rapier::core::{ComponentSequence, ParamErrors};
use vehicle_rapier::drivetrain::blocks::{DrivelineCommands, ready_made};
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::gearbox::{GearCommand, GearboxState, overall_gear_ratio};
use vehicle_rapier::drivetrain::{
    BlockDriveParams, BlockDriveVehicle, DirectDriveParams, DirectDriveVehicle, EngineDriveParams,
    EngineDriveVehicle,
};

use crate::{COMMANDS, PARK};

/// The gear in which the sample car with an engine drives: the third.
const GEAR: usize = 4;

/// A vehicle of the sample data, of which fleets are made.
pub trait SampleVehicle:
    Drivable + HasMechanics<Tire = BrushTire> + Clone + Send + Sync + 'static
{
    /// Its name in the results.
    const NAME: &'static str;

    /// The pedal that makes it as fast as the others.
    const THROTTLE: Real;

    /// What it is made of.
    type Params;

    /// The sample data.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    fn sample_params() -> anyhow::Result<Arc<Self::Params>>;

    /// What the base of a vehicle is made of.
    fn base(params: &Self::Params) -> &MechanicalParams;

    /// A vehicle at rest in a gear.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    fn in_gear(params: &Arc<Self::Params>) -> Result<Self, ParamErrors>;

    /// What the driver does.
    fn commands(&mut self) -> &mut Commands;

    /// What its mechanical base does.
    fn state(&self) -> &MechanicalState {
        self.read_mechanics().state
    }

    /// The state of its mechanical base, mutably.
    fn state_mut(&mut self) -> &mut MechanicalState {
        self.mechanics().state
    }

    /// Its stages, with `substeps` substeps.
    fn stages(substeps: u32) -> ComponentSequence<Self>;

    /// The vehicle with its driver, its wheels rolling at `speed` (m/s).
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    fn driven(params: &Arc<Self::Params>, speed: Real) -> Result<Self, ParamErrors> {
        let mut vehicle = Self::in_gear(params)?;
        *vehicle.commands() = Commands { throttle: Self::THROTTLE, ..COMMANDS };
        // The wheels of the sample data are all alike.
        vehicle.turn(speed / Self::base(params).wheels[0].radius);
        Ok(vehicle)
    }

    /// Lets the wheels turn at `rotation_speed` (rad/s).
    fn turn(&mut self, rotation_speed: Real) {
        self.state_mut().wheels.edit_all(|wheel| wheel.rotation_speed = rotation_speed);
    }

    /// The vehicle at rest, braked.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    fn parked(params: &Arc<Self::Params>) -> Result<Self, ParamErrors> {
        let mut vehicle = Self::in_gear(params)?;
        *vehicle.commands() = PARK;
        Ok(vehicle)
    }
}

impl SampleVehicle for DirectDriveVehicle {
    const NAME: &'static str = "direct drive";

    const THROTTLE: Real = COMMANDS.throttle;

    type Params = DirectDriveParams;

    fn sample_params() -> anyhow::Result<Arc<DirectDriveParams>> {
        Ok(Arc::new(sample_direct_drive()?))
    }

    fn base(params: &DirectDriveParams) -> &MechanicalParams {
        &params.mechanics
    }

    fn in_gear(params: &Arc<DirectDriveParams>) -> Result<Self, ParamErrors> {
        let mut vehicle = Self::new(Arc::clone(params))?;
        vehicle.controls.gear = Gear::Forward;
        Ok(vehicle)
    }

    fn commands(&mut self) -> &mut Commands {
        &mut self.commands
    }

    fn stages(substeps: u32) -> ComponentSequence<Self> {
        Self::sequence_with_substeps(move |_| substeps)
    }
}

/// With limited slip between all wheels.
impl SampleVehicle for EngineDriveVehicle {
    const NAME: &'static str = "engine drive";

    // Much of its torque is lost in the engine.
    const THROTTLE: Real = 0.6;

    type Params = EngineDriveParams;

    fn sample_params() -> anyhow::Result<Arc<EngineDriveParams>> {
        let differential = SampleDifferential::FourWheel { is_slip_limited: true };
        Ok(Arc::new(sample_engine_drive(differential)?))
    }

    fn base(params: &EngineDriveParams) -> &MechanicalParams {
        &params.mechanics
    }

    fn in_gear(params: &Arc<EngineDriveParams>) -> Result<Self, ParamErrors> {
        let mut vehicle = Self::new(Arc::clone(params))?;
        vehicle.controls.gear = GearCommand::Gear(GEAR);
        vehicle.state.drive.gearbox = GearboxState::in_gear(GEAR);
        Ok(vehicle)
    }

    /// Lets the engine turn with them.
    fn turn(&mut self, rotation_speed: Real) {
        self.state.mechanics.wheels.edit_all(|wheel| wheel.rotation_speed = rotation_speed);
        let ratio = overall_gear_ratio(&self.params().drivetrain.gearbox, GEAR);
        self.state.drive.engine.rotation_speed = ratio * rotation_speed;
    }

    fn commands(&mut self) -> &mut Commands {
        &mut self.commands
    }

    fn stages(substeps: u32) -> ComponentSequence<Self> {
        Self::sequence_with_substeps(move |_| substeps)
    }
}

/// Rear-wheel drive as a driveline from blocks.
impl SampleVehicle for BlockDriveVehicle {
    const NAME: &'static str = "rear drive from blocks";

    const THROTTLE: Real = 0.3;

    type Params = BlockDriveParams;

    fn sample_params() -> anyhow::Result<Arc<BlockDriveParams>> {
        let driveline = ready_made::rear_drive().expect("settings are the defaults");
        Ok(Arc::new(BlockDriveParams::new(sample_mechanics()?, driveline)))
    }

    fn base(params: &BlockDriveParams) -> &MechanicalParams {
        &params.mechanics
    }

    fn in_gear(params: &Arc<BlockDriveParams>) -> Result<Self, ParamErrors> {
        let mut vehicle = Self::new(Arc::clone(params))?;
        vehicle.controls = DrivelineCommands { gear: 3, ..DrivelineCommands::default() };
        Ok(vehicle)
    }

    fn commands(&mut self) -> &mut Commands {
        &mut self.commands
    }

    fn stages(substeps: u32) -> ComponentSequence<Self> {
        Self::sequence_with_substeps(move |_| substeps)
    }
}
