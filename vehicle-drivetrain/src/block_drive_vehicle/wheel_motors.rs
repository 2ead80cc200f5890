//! Motors that turn wheels by nothing but gears and differentials: aids ask each of them for a
//! torque of its own.

use vehicle_core::math::{Clamped, Real};

use crate::aids::{AidDrive, AidVehicle};
use crate::blocks::{
    Block, BlockDriveline, BlockDrivelineState, BlockTree, DrivelineBlock, DriverCommand,
    ElectricMotor, InputId,
};
use crate::vehicle::MotorDemand;

/// The motors of a driveline in which motors alone turn the driven wheels.
pub(super) struct WheelMotors {
    /// None if any driven wheel is turned otherwise.
    motors: Vec<WheelMotor>,
}

/// The motor of one wheel, which it may share with others.
struct WheelMotor {
    wheel: usize,
    motor: ElectricMotor,
    /// Number of its block.
    block: usize,
    command: InputId,
    shaft: usize,
    /// Torque at the wheel by that of the motor.
    ratio: f64,
    /// Speed of the motor by that of the wheel and of those that turn with it.
    gear: f64,
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

    /// Tells aids which motor turns which wheel, if motors turn all, and what its rotor adds to the
    /// inertia of the wheel. Wheels that share it change their speed alike, and share its inertia
    /// as they share its torque.
    pub(super) fn describe(&self, vehicle: &mut AidVehicle) {
        if self.motors.is_empty() {
            return;
        }
        let is_shared = |motor: &WheelMotor| {
            1 < self.motors.iter().filter(|other| other.block == motor.block).count()
        };
        let are_shared = self.motors.iter().any(is_shared);
        vehicle.drive = if are_shared { AidDrive::PerMotor } else { AidDrive::PerWheel };
        for motor in &self.motors {
            let wheel = &mut vehicle.wheels[motor.wheel];
            wheel.motor = motor.block;
            wheel.inertia += (f64::from(motor.motor.inertia) * motor.ratio * motor.gear) as Real;
        }
    }

    fn motor(&self, wheel: usize) -> Option<&WheelMotor> {
        self.motors.iter().find(|motor| motor.wheel == wheel)
    }

    /// What the motor of `wheel` is asked for, at the wheel, if it has one.
    pub(super) fn demand(&self, state: &BlockDrivelineState, wheel: usize) -> Option<MotorDemand> {
        let motor = self.motor(wheel)?;
        let most = motor.motor.envelope(state.speeds[motor.shaft]);
        let command = state.input(motor.command).clamped(-1.0, 1.0);
        let asked = command * f64::from(motor.motor.max_torque);
        let [torque, most] = [asked, most].map(|torque| (torque * motor.ratio) as Real);
        Some(MotorDemand { torque, most: most.abs() })
    }

    /// Asks the motor of `wheel` for a `torque` at the wheel (N·m), and for as much at the others
    /// that it turns.
    pub(super) fn ask(&self, state: &mut BlockDrivelineState, wheel: usize, torque: Real) {
        if let Some(motor) = self.motor(wheel) {
            let most = f64::from(motor.motor.max_torque) * motor.ratio;
            let command = if most == 0.0 { 0.0 } else { f64::from(torque) / most };
            state.set_input(motor.command, command.clamped(-1.0, 1.0));
        }
    }
}

impl WheelMotor {
    /// The motor that turns `wheel` by nothing but gears and differentials; it obeys the
    /// accelerator.
    fn of<C: DrivelineBlock>(driveline: &BlockDriveline<C>, wheel: usize) -> Option<Self> {
        let tree = driveline.tree();
        let is_wheel = |block: &usize| tree.blocks[*block].block.as_block().wheel() == Some(wheel);
        let mut block = (0..tree.blocks.len()).find(is_wheel)?;
        let (mut ratio, mut gear_ratio) = (1.0, 1.0);
        loop {
            let output;
            (block, output) = source_of(tree, block)?;
            let named = &tree.blocks[block];
            match &named.block {
                Block::Gear(gear) => {
                    ratio *= f64::from(gear.ratio);
                    gear_ratio *= f64::from(gear.ratio);
                }
                Block::Differential(differential) => {
                    let share = f64::from(differential.share);
                    let share = if output == 0 { share } else { 1.0 - share };
                    ratio *= f64::from(differential.ratio) * share;
                    gear_ratio *= f64::from(differential.ratio);
                }
                Block::ElectricMotor(motor) => {
                    let pedal = [DriverCommand::Throttle, DriverCommand::Traction];
                    let obeys = driveline.is_commanded(&named.name, "command", &pedal);
                    return obeys.then_some(Self {
                        wheel,
                        motor: *motor,
                        block,
                        command: driveline.input(&named.name, "command").ok()?,
                        shaft: *driveline.shafts_of(block).1.first()?,
                        ratio,
                        gear: gear_ratio,
                    });
                }
                _ => return None,
            }
        }
    }
}

/// The block that alone turns `block`, and the output of it that does. Of gears and motors, which
/// have one, nothing else is turned.
fn source_of<C>(tree: &BlockTree<C>, block: usize) -> Option<(usize, usize)> {
    let mut into = tree.shafts.iter().filter(|shaft| shaft.to.0 == block);
    let (shaft, None) = (into.next()?, into.next()) else { return None };
    Some(shaft.from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aids::vehicle::tests::car;
    use crate::blocks::{NoCustomBlock, ready_made};

    #[test]
    fn rotors_add_to_the_inertia_of_the_wheels_that_they_turn() {
        let inertias = |tree: BlockTree| {
            let driveline = BlockDriveline::<NoCustomBlock>::new(tree).expect("can be solved");
            let mut vehicle = car();
            WheelMotors::of(&driveline).describe(&mut vehicle);
            vehicle.wheels.iter().map(|wheel| wheel.inertia).collect::<Vec<_>>()
        };
        let rotor = ElectricMotor::default().inertia;
        for (tree, added) in [
            (ready_made::electric_four_motors(), 7.0 * 7.0 * rotor),
            // Two wheels share a rotor.
            (ready_made::electric_two_motors(), 0.5 * 9.0 * 9.0 * rotor),
            (ready_made::rear_drive(), 0.0),
        ] {
            for found in inertias(tree.expect("no faults")) {
                assert!((found - 1.0 - added).abs() < 1e-4, "{found} kg·m², {added} of a rotor");
            }
        }
    }
}
