//! Random engines, gearboxes and differentials, and what drivers want of them.

use proptest::prelude::*;
use vehicle_core::math::Real;
use vehicle_drivetrain::EngineDriveParams;
use vehicle_drivetrain::differential::{
    DifferentialParams, LimitedSlipParams, MultiWheelDifferentialParams,
};
use vehicle_drivetrain::drivetrain::{DrivetrainParams, DrivetrainState};
use vehicle_drivetrain::gearbox::{GearCommand, GearboxState, overall_gear_ratio};
use vehicle_drivetrain::transmission::TransmissionCommands;

use crate::cars::Car;
use crate::common::engine::{limited_slip, tank};

/// A drivetrain in motion.
#[derive(Clone, Debug)]
pub(crate) struct Drivetrain {
    pub(crate) differential: DifferentialParams,
    pub(crate) gear: usize,
    /// How much faster the engine turns than the wheels would turn it (rad/s).
    pub(crate) clutch_slip: Real,
    pub(crate) commands: TransmissionCommands,
}

impl Drivetrain {
    /// `car` with this drivetrain.
    pub(crate) fn params(&self, car: &Car) -> EngineDriveParams {
        let drivetrain = DrivetrainParams::automatic(self.differential.clone());
        EngineDriveParams { mechanics: car.params().mechanics, drivetrain }
    }

    /// Engine and gearbox of a vehicle of `params` whose wheels turn at `wheel_speeds` (rad/s).
    pub(crate) fn set_in_motion(
        &self,
        state: &mut DrivetrainState,
        params: &DrivetrainParams,
        wheel_speeds: [Real; 4],
    ) {
        state.gearbox = GearboxState::in_gear(self.gear);
        let mean = wheel_speeds.iter().sum::<Real>() / 4.0;
        let speed = overall_gear_ratio(&params.gearbox, self.gear) * mean + self.clutch_slip;
        state.engine.rotation_speed =
            speed.clamp(params.engine.idle_speed, params.engine.max_speed);
    }
}

fn differentials() -> impl Strategy<Value = DifferentialParams> {
    let rear = MultiWheelDifferentialParams::equal(4, &[2, 3]);
    prop_oneof![
        Just(DifferentialParams::MultiWheel(rear)),
        Just(limited_slip(LimitedSlipParams { bias: 1.5, target: 1.3 })),
        Just(tank()),
    ]
}

prop_compose! {
    pub(crate) fn drivetrains()(
        differential in differentials(),
        gear in 0_usize..8,
        clutch_slip in -100.0_f32..100.0,
        wanted in prop_oneof![Just(None), (0_usize..8).prop_map(Some)],
        clutch in prop_oneof![Just(0.0_f32), 0.0_f32..=1.0],
        thrusts in prop::array::uniform2(-1.0_f32..=1.0),
    ) -> Drivetrain {
        let gear_command = wanted.map_or(GearCommand::Automatic, GearCommand::Gear);
        let commands = TransmissionCommands {
            gear: gear_command,
            clutch,
            thrusts,
            ..TransmissionCommands::default()
        };
        Drivetrain { differential, gear, clutch_slip, commands }
    }
}
