//! Parameters of a vehicle with a driveline from blocks.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::commands::Commands;
use vehicle_core::convert::Convert;
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::tire::{BrushTire, TireModel};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::{ParamErrors, Validate};

use super::gauges::Gauges;
use super::power::Power;
use super::wheel_motors::WheelMotors;
use crate::aids::commands::AidCommands;
use crate::aids::{AidDrive, AidEngine, AidVehicle, DriveDirection, DriveSignals, GearSignals};
use crate::block_drive::SpinAxis;
use crate::blocks::{
    Block, BlockDriveline, BlockDrivelineState, BlockError, BlockTree, DrivelineBlock,
    DrivelineCommands, NoCustomBlock, SolveReport,
};
use crate::readings::DriveReading;
use crate::vehicle::{Drive, MotorDemand};

/// Largest torque of a motor by the mass of its vehicle (N·m/kg): beyond, a step of it turns the
/// vehicle over.
const MOST_TORQUE: Real = 2e4;

/// Parameters of a vehicle with a driveline from blocks, with tires of type `Tire` and blocks of
/// the user's own of type `C`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[serde(bound(
    serialize = "Tire: Serialize, C: Serialize",
    deserialize = "Tire: Deserialize<'de>, C: Deserialize<'de>"
))]
pub struct BlockDriveParams<Tire = BrushTire, C = NoCustomBlock> {
    /// The mechanical base.
    pub mechanics: MechanicalParams<Tire>,
    /// The driveline, in SI units whatever the unit of length of the vehicle. Wheels that are no
    /// part of it roll freely, under their brakes.
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
            if let Block::ElectricMotor(motor) = &named.block {
                let most = MOST_TORQUE * self.mechanics.rigid_body.mass;
                let name = format_args!("driveline.{:?}.max_torque", named.name);
                let requirement = format_args!("at most {most}, {MOST_TORQUE:e} times the mass");
                check.require(name, motor.max_torque <= most, requirement, motor.max_torque);
            }
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
}

impl<Tire: TireModel, C: DrivelineBlock + Clone> Validate for BlockDriveParams<Tire, C> {
    fn check(&self, check: &mut ParamCheck) {
        let _driveline = self.checked_driveline(check);
    }
}

impl<Tire: TireModel, C: DrivelineBlock + Clone> Drive for BlockDriveParams<Tire, C> {
    type Tire = Tire;
    type State = BlockDrivelineState;
    type Memory = BlockDrivelineState;
    type Controls = DrivelineCommands;
    type Prepared = PreparedDriveline<C>;
    type Room = SolveReport;

    fn mechanics(&self) -> &MechanicalParams<Tire> {
        &self.mechanics
    }

    fn mechanics_mut(&mut self) -> &mut MechanicalParams<Tire> {
        &mut self.mechanics
    }

    fn prepare(&self) -> Result<PreparedDriveline<C>, ParamErrors> {
        let mut check = ParamCheck::default();
        let driveline = self.checked_driveline(&mut check);
        check.finish()?;
        let Some(driveline) = driveline else { unreachable!("what is no driveline is reported") };
        let spin_axis = |spin: &SpinAxis| Some((self.driveline.find(&spin.block)?, spin.axis));
        Ok(PreparedDriveline {
            gauges: Arc::new(Gauges::of(&driveline)),
            power: Arc::new(Power::of(&driveline)),
            motors: Arc::new(WheelMotors::of(&driveline)),
            driveline: Arc::new(driveline),
            spin_axes: self.spin_axes.iter().filter_map(spin_axis).collect(),
        })
    }

    fn room(&self, prepared: &PreparedDriveline<C>) -> SolveReport {
        prepared.driveline.report()
    }

    fn at_rest(&self, prepared: &PreparedDriveline<C>) -> BlockDrivelineState {
        prepared.driveline.start()
    }

    fn controls_at_rest(&self) -> DrivelineCommands {
        DrivelineCommands::default()
    }

    fn check_controls(&self, controls: &DrivelineCommands, check: &mut ParamCheck) {
        controls.check(check);
    }

    fn check_state(
        &self,
        prepared: &PreparedDriveline<C>,
        state: &BlockDrivelineState,
        check: &mut ParamCheck,
    ) {
        prepared.driveline.check_lengths(state, check);
    }

    fn check_change(
        &self,
        prepared: &PreparedDriveline<C>,
        (_, before): (&Self, &PreparedDriveline<C>),
        state: &BlockDrivelineState,
        check: &mut ParamCheck,
    ) {
        // Another driveline starts anew.
        if prepared.driveline.is_alike(&before.driveline) {
            check.field("driveline", |inner| prepared.driveline.check_gears(state, inner));
        }
    }

    fn adopt(
        before: &PreparedDriveline<C>,
        after: &PreparedDriveline<C>,
        state: &mut BlockDrivelineState,
    ) {
        if !after.driveline.is_alike(&before.driveline) {
            *state = after.driveline.start();
        }
    }

    fn is_finite(state: &BlockDrivelineState) -> bool {
        state.is_finite()
    }

    fn memory(state: &BlockDrivelineState) -> BlockDrivelineState {
        state.clone()
    }

    fn check_memory(
        &self,
        prepared: &PreparedDriveline<C>,
        memory: &BlockDrivelineState,
        check: &mut ParamCheck,
    ) {
        prepared.driveline.check_state(memory, check);
    }

    fn recall(&self, memory: &BlockDrivelineState) -> BlockDrivelineState {
        memory.clone()
    }

    fn describe(&self, prepared: &PreparedDriveline<C>, vehicle: &mut AidVehicle) {
        for &wheel in prepared.driveline.driven_wheels() {
            vehicle.wheels[wheel].is_driven = true;
        }
        // Else one throttle for all; launch control needs an engine that it knows.
        vehicle.drive = AidDrive::Engine(AidEngine::default());
        prepared.motors.describe(vehicle);
    }

    const IS_IN_SI_UNITS: bool = true;

    fn wheel_torque(
        &self,
        prepared: &PreparedDriveline<C>,
        state: &BlockDrivelineState,
        wheel: usize,
    ) -> Real {
        let places = prepared.driveline.wheels().iter().zip(state.drive_torques());
        let own = places.filter(|((number, _), _)| *number == wheel);
        own.map(|(_, torque)| *torque as Real).sum()
    }

    fn motor_demand(
        &self,
        prepared: &PreparedDriveline<C>,
        state: &BlockDrivelineState,
        wheel: usize,
    ) -> Option<MotorDemand> {
        prepared.motors.demand(state, wheel)
    }

    fn ask_motor(
        &self,
        prepared: &PreparedDriveline<C>,
        state: &mut BlockDrivelineState,
        wheel: usize,
        torque: Real,
    ) {
        prepared.motors.ask(state, wheel, torque);
    }

    fn drive_signals(
        &self,
        prepared: &PreparedDriveline<C>,
        controls: &DrivelineCommands,
        state: &BlockDrivelineState,
    ) -> DriveSignals {
        let torque: f64 = state.drive_torques().iter().sum();
        let signals = DriveSignals { torque: torque as Real, ..DriveSignals::default() };
        let mut signals = signals.in_gear(self.gear_signals(prepared, controls, state));
        prepared.power.write(state, &mut signals);
        signals
    }

    fn gear_signals(
        &self,
        prepared: &PreparedDriveline<C>,
        controls: &DrivelineCommands,
        _: &BlockDrivelineState,
    ) -> GearSignals {
        let wheels = prepared.driveline.driven_wheels().len();
        let direction = match controls.direction().partial_cmp(&0.0) {
            Some(Ordering::Less) if prepared.gauges.can_reverse() => DriveDirection::Reverse,
            Some(Ordering::Greater) if 0 < wheels => DriveDirection::Forward,
            _ => DriveDirection::Neutral,
        };
        GearSignals { direction, ..GearSignals::default() }
    }

    fn reading(
        &self,
        prepared: &PreparedDriveline<C>,
        controls: &DrivelineCommands,
        state: &BlockDrivelineState,
    ) -> DriveReading {
        prepared.gauges.read(controls, state)
    }

    fn clutch(controls: &DrivelineCommands) -> Real {
        controls.clutch
    }

    fn shape(commands: &AidCommands, controls: &mut DrivelineCommands) {
        controls.clutch = commands.clutch;
        if commands.frees_center {
            (controls.differential_lock, controls.transfer_lock) = (0.0, 0.0);
        }
    }

    fn limit_throttle(
        &self,
        prepared: &PreparedDriveline<C>,
        state: &mut BlockDrivelineState,
        limit: Option<Real>,
        (commands, levers): (&Commands, &DrivelineCommands),
    ) {
        if limit.is_some() {
            prepared.driveline.command(state, commands, levers);
        }
    }

    const HAS_OWN_THROTTLE: bool = true;

    fn open_throttle(
        &self,
        prepared: &PreparedDriveline<C>,
        state: &mut BlockDrivelineState,
        throttle: Real,
        (commands, levers): (&Commands, &DrivelineCommands),
    ) {
        let opened = Commands { throttle, ..*commands };
        prepared.driveline.command_but_gears(state, &opened, levers);
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

/// The driveline of a model, ready for steps.
pub struct PreparedDriveline<C> {
    pub(super) driveline: Arc<BlockDriveline<C>>,
    /// Blocks, by their numbers, that turn the body.
    pub(super) spin_axes: Arc<[(usize, Vec3)]>,
    /// Gauges that tell how the driveline runs.
    gauges: Arc<Gauges>,
    /// What its engines and motors give.
    power: Arc<Power>,
    /// The motors that turn wheels by themselves.
    motors: Arc<WheelMotors>,
}

impl<C> Clone for PreparedDriveline<C> {
    fn clone(&self) -> Self {
        let Self { driveline, spin_axes, gauges, power, motors } = self;
        Self {
            driveline: Arc::clone(driveline),
            spin_axes: Arc::clone(spin_axes),
            gauges: Arc::clone(gauges),
            power: Arc::clone(power),
            motors: Arc::clone(motors),
        }
    }
}

impl<C> fmt::Debug for PreparedDriveline<C> {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.debug_struct("PreparedDriveline").finish_non_exhaustive()
    }
}
