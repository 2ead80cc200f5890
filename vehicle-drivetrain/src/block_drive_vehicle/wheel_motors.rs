//! Motors that turn one wheel each: aids ask each of them for a torque of its own.

use vehicle_core::math::{Clamped, Real};

use crate::blocks::{
    Block, BlockDriveline, BlockDrivelineState, BlockTree, DrivelineBlock, DriverCommand,
    ElectricMotor, InputId,
};
use crate::vehicle::MotorDemand;

/// The motors of a driveline in which each driven wheel has one of its own.
pub(super) struct WheelMotors {
    /// None if any driven wheel shares its motor.
    motors: Vec<WheelMotor>,
}

struct WheelMotor {
    wheel: usize,
    motor: ElectricMotor,
    command: InputId,
    shaft: usize,
    /// Speed of the motor by that of the wheel.
    ratio: f64,
}

impl WheelMotors {
    pub(super) fn of<C: DrivelineBlock>(driveline: &BlockDriveline<C>) -> Self {
        let motors: Option<Vec<_>> = driveline
            .driven_wheels()
            .iter()
            .map(|&wheel| WheelMotor::of(driveline, wheel))
            .collect();
        Self { motors: motors.unwrap_or_default() }
    }

    /// Whether each driven wheel has a motor of its own.
    pub(super) fn are_all(&self) -> bool {
        !self.motors.is_empty()
    }

    fn motor(&self, wheel: usize) -> Option<&WheelMotor> {
        self.motors.iter().find(|motor| motor.wheel == wheel)
    }

    /// What the motor of `wheel` is asked for, if it has one.
    pub(super) fn demand(&self, state: &BlockDrivelineState, wheel: usize) -> Option<MotorDemand> {
        let motor = self.motor(wheel)?;
        let most = motor.motor.envelope(state.speeds[motor.shaft]);
        let command = state.input(motor.command).clamped(-1.0, 1.0);
        let asked = command * f64::from(motor.motor.max_torque);
        let [torque, most] = [asked, most].map(|torque| (torque * motor.ratio) as Real);
        Some(MotorDemand { torque, most: most.abs() })
    }

    /// Asks the motor of `wheel` for a `torque` at the wheel (N·m).
    pub(super) fn ask(&self, state: &mut BlockDrivelineState, wheel: usize, torque: Real) {
        if let Some(motor) = self.motor(wheel) {
            let most = f64::from(motor.motor.max_torque) * motor.ratio;
            let command = if most == 0.0 { 0.0 } else { f64::from(torque) / most };
            state.set_input(motor.command, command.clamped(-1.0, 1.0));
        }
    }
}

impl WheelMotor {
    /// The motor that turns `wheel` and no other, by nothing but gears; it obeys the accelerator.
    fn of<C: DrivelineBlock>(driveline: &BlockDriveline<C>, wheel: usize) -> Option<Self> {
        let tree = driveline.tree();
        let is_wheel = |block: &usize| tree.blocks[*block].block.as_block().wheel() == Some(wheel);
        let mut block = (0..tree.blocks.len()).find(is_wheel)?;
        let mut ratio = 1.0;
        loop {
            block = source_of(tree, block)?;
            let named = &tree.blocks[block];
            match &named.block {
                Block::Gear(gear) => ratio *= f64::from(gear.ratio),
                Block::ElectricMotor(motor) => {
                    let pedal = [DriverCommand::Throttle, DriverCommand::Traction];
                    let obeys = driveline.is_commanded(&named.name, "command", &pedal);
                    return obeys.then_some(Self {
                        wheel,
                        motor: *motor,
                        command: driveline.input(&named.name, "command").ok()?,
                        shaft: *driveline.shafts_of(block).1.first()?,
                        ratio,
                    });
                }
                _ => return None,
            }
        }
    }
}

/// The block that turns `block`, if it turns nothing else.
fn source_of<C>(tree: &BlockTree<C>, block: usize) -> Option<usize> {
    let mut into = tree.shafts.iter().filter(|shaft| shaft.to.0 == block);
    let (shaft, None) = (into.next()?, into.next()) else { return None };
    let source = shaft.from.0;
    let outputs = tree.shafts.iter().filter(|shaft| shaft.from.0 == source);
    (outputs.count() == 1).then_some(source)
}
