//! What the engines and motors of a driveline give its wheels at the speeds that they have.
//!
//! By their power, whatever gears are between:
//!
//! ```text
//! T = Σ T_i ω_i / Ω
//! ```
//!
//! with the torques `T_i` and speeds `ω_i` of engines and motors and the mean speed `Ω` of the
//! driven wheels. Losses on the way are left out.

use vehicle_core::math::Real;

use crate::aids::DriveSignals;
use crate::blocks::{
    Block, BlockDriveline, BlockDrivelineState, DrivelineBlock, DriverCommand, ElectricMotor,
    Engine,
};

/// Least mean speed of the driven wheels at which their torque is known by the power (rad/s).
const LEAST_SPEED: f64 = 1.0;

/// The engines and motors of a driveline that the accelerator reaches.
pub(super) struct Power {
    engines: Vec<(Engine, usize)>,
    motors: Vec<(ElectricMotor, usize)>,
    /// Shafts of the driven wheels.
    wheels: Vec<usize>,
}

impl Power {
    pub(super) fn of<C: DrivelineBlock>(driveline: &BlockDriveline<C>) -> Self {
        let tree = driveline.tree();
        let shaft = |block: usize| driveline.shafts_of(block).1.first().copied();
        let blocks = || tree.blocks.iter().enumerate();
        let engines = blocks().filter_map(|(index, named)| match &named.block {
            Block::Engine(engine) => {
                let pedal = [DriverCommand::Throttle];
                let is_asked = driveline.is_commanded(&named.name, "throttle", &pedal);
                Some((engine.clone(), shaft(index)?)).filter(|_| is_asked)
            }
            _ => None,
        });
        let motors = blocks().filter_map(|(index, named)| match &named.block {
            Block::ElectricMotor(motor) => {
                let pedal = [DriverCommand::Throttle, DriverCommand::Traction];
                let is_asked = driveline.is_commanded(&named.name, "command", &pedal);
                Some((*motor, shaft(index)?)).filter(|_| is_asked)
            }
            _ => None,
        });
        let driven = driveline.driven_wheels();
        let wheels = driveline.wheels().iter().filter(|(wheel, _)| driven.contains(wheel));
        Self {
            engines: engines.collect(),
            motors: motors.collect(),
            wheels: wheels.map(|&(_, shaft)| shaft).collect(),
        }
    }

    /// Writes the torques at the wheels of a driveline in `state` to `signals`. They stay unknown
    /// where wheels hardly turn.
    pub(super) fn write(&self, state: &BlockDrivelineState, signals: &mut DriveSignals) {
        let count = self.wheels.len().max(1) as f64;
        let turning = self.wheels.iter().map(|&shaft| state.speeds[shaft]).sum::<f64>() / count;
        if turning.abs() < LEAST_SPEED {
            return;
        }
        let sign = f64::from(signals.direction.sign());
        let (mut full, mut closed, mut slope, mut lift) = (0.0, 0.0, 0.0, 0.0);
        for (engine, shaft) in &self.engines {
            let speed = state.speeds[*shaft].abs();
            let (friction, all) = (engine.friction_torque(speed), engine.combustion_torque(speed));
            full += (all - friction) * speed;
            closed -= friction * speed;
            slope += all * speed;
        }
        for (motor, shaft) in &self.motors {
            let speed = state.speeds[*shaft].abs();
            let lifted = f64::from(motor.lift_regeneration * motor.max_torque);
            full += motor.envelope(speed) * speed;
            lift -= lifted.min(motor.braking_envelope(speed)) * speed;
            slope += f64::from(motor.max_torque) * speed;
        }
        // The drive pushes its way, what holds back works against the rotation.
        let per_speed = |power: f64, sign: f64| (power / turning.abs() * sign) as Real;
        let (push, hold) = (sign, turning.signum());
        signals.full_throttle_torque = per_speed(full, push);
        signals.closed_throttle_torque = per_speed(closed + lift, hold);
        signals.torque_per_throttle = per_speed(slope, push);
        signals.lift_torque = per_speed(lift, hold);
        signals.lift_throttle = if lift == 0.0 { 0.0 } else { ElectricMotor::LIFTED as Real };
    }
}
