//! Parameters of a vehicle with a driveline from blocks.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::convert::Convert;
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::tire::{BrushTire, TireModel};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::{ParamErrors, Validate};

use crate::block_drive::SpinAxis;
use crate::blocks::{Block, BlockDriveline, BlockError, BlockTree, DrivelineBlock, NoCustomBlock};
use crate::model::ModelParams;

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

    /// Prepares a vehicle's model from parameters that have been checked.
    pub(super) fn prepared(&self) -> Result<Prepared<C>, ParamErrors> {
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

/// The driveline of a model, ready for steps.
#[derive(Debug)]
pub(super) struct Prepared<C> {
    pub(super) driveline: Arc<BlockDriveline<C>>,
    /// Blocks, by their numbers, that turn the body.
    pub(super) spin_axes: Arc<[(usize, Vec3)]>,
}

impl<C> Clone for Prepared<C> {
    fn clone(&self) -> Self {
        let Self { driveline, spin_axes } = self;
        Self { driveline: Arc::clone(driveline), spin_axes: Arc::clone(spin_axes) }
    }
}
