//! A vehicle controller of one's own: it takes an overdrive in and out by speed, and lifts the
//! throttle while its dog clutch is out.

use std::ops::ControlFlow::{self, Continue};

use vehicle_rapier::core::math::Real;
use vehicle_rapier::drivetrain::blocks::{
    Block, BlockDriveline, BlockError, BlockTree, Differential, DrivelineBlock, Engine,
    FrictionClutch, Gearbox, InputId, SensorId, chain, wheel,
};
use vehicle_rapier::drivetrain::stages::BlockCommands;
use vehicle_rapier::prelude::*;

use crate::overdrive::Overdrive;

/// Speed of the output from which on the overdrive goes in, and below which it goes out (rad/s).
const IN_SPEED: f64 = 220.0;
const OUT_SPEED: f64 = 170.0;

/// Controls an overdrive. It follows [`BlockCommands`]: what it writes to the inputs of blocks
/// holds.
///
/// All that changes is in the driveline: the controller knows only the numbers of its sensors and
/// inputs.
#[derive(Clone, Copy, Debug)]
pub struct OverdriveController {
    speed: SensorId,
    dog_clutch: SensorId,
    engaged: InputId,
    throttle: InputId,
}

impl OverdriveController {
    /// The controller of a driveline with an engine and an overdrive.
    ///
    /// # Errors
    ///
    /// If one of them is missing.
    pub fn new<C: DrivelineBlock>(driveline: &BlockDriveline<C>) -> Result<Self, BlockError> {
        Ok(Self {
            speed: driveline.sensor("overdrive", "speed out")?,
            dog_clutch: driveline.sensor("overdrive", "dog clutch in")?,
            engaged: driveline.input("overdrive", "engaged")?,
            throttle: driveline.input("engine", "throttle")?,
        })
    }
}

impl<V: HasBlockDrive> Component<V> for OverdriveController {
    fn update(&self, vehicle: &mut V, _dt: Real, _context: &Context<'_>) -> ControlFlow<()> {
        let state = vehicle.block_drive().state;
        let speed = state.sensor(self.speed);
        let was_engaged = 0.5 < state.input(self.engaged);
        let is_engaged = if was_engaged { OUT_SPEED < speed } else { IN_SPEED < speed };
        state.set_input(self.engaged, f64::from(u8::from(is_engaged)));
        if state.sensor(self.dog_clutch) < 0.5 || is_engaged != was_engaged {
            state.set_input(self.throttle, 0.0);
        }
        Continue(())
    }
}

/// A driveline with the overdrive behind the gearbox: `engine -> clutch -> gearbox -> overdrive ->
/// differential`.
///
/// # Errors
///
/// If a setting of `overdrive` is out of its range.
pub fn overdrive_tree(overdrive: Overdrive) -> Result<BlockTree<Overdrive>, BlockError> {
    chain(Engine::default())
        .then(FrictionClutch::default())
        .then(Gearbox::default())
        .then(Block::Custom(overdrive))
        .then(Differential::open(3.7))
        .to([wheel(2), wheel(3)])
        .beside(wheel(0))
        .beside(wheel(1))
        .build()
}

/// The stages of a vehicle with the controller between the driver's commands and the driveline.
///
/// # Errors
///
/// If the driveline has no engine or no overdrive.
pub fn with_controller<V: HasBlockDrive + 'static, C: DrivelineBlock>(
    sequence: ComponentSequence<V>,
    driveline: &BlockDriveline<C>,
) -> anyhow::Result<ComponentSequence<V>> {
    let controller = OverdriveController::new(driveline)?;
    Ok(sequence.insert_after::<BlockCommands>(controller)?)
}
