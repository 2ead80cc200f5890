//! The drivetrains of the scenes: data that the reference uses in its own snippets.

use vehicle_rapier::core::lookup_table::LookupTable;
use vehicle_rapier::core::math::Real;
use vehicle_rapier::drivetrain::autobox::AutoboxParams;
use vehicle_rapier::drivetrain::clutch::ClutchParams;
use vehicle_rapier::drivetrain::differential::{
    FourWheelDifferentialParams, LimitedSlipParams, LimitedSlips, MultiWheelDifferentialParams,
    TankDifferentialParams, TorqueBiases, TrackParams,
};
use vehicle_rapier::drivetrain::engine::{EngineDampingParams, EngineParams};
use vehicle_rapier::drivetrain::engine_control::EngineControlParams;
use vehicle_rapier::drivetrain::gearbox::GearboxParams;
use vehicle_rapier::drivetrain::shift_law::ShiftLaw;
use vehicle_rapier::prelude::*;

use crate::vehicles::sample_mechanics;

/// The number of the first gear of the sample car: reverse and neutral are before it.
pub const SAMPLE_FIRST_GEAR: usize = 2;

/// Largest torque of a brake of the sample car (N·m).
const BRAKE_TORQUE: Real = 1_875.0;

/// The engine of the sample car: 500 N·m from 0 to 600 rad/s.
fn sample_engine() -> Result<EngineParams, ParamErrors> {
    Ok(EngineParams {
        torque_curve: LookupTable::new([(0.0, 1.0), (0.33, 1.0), (1.0, 1.0)])?,
        inertia: 1.0,
        peak_torque: 500.0,
        idle_speed: 0.0,
        max_speed: 600.0,
        damping: EngineDampingParams { full_throttle: 0.15, engaged: 2.0, disengaged: 0.35 },
        control: EngineControlParams::default(),
    })
}

fn sample_drivetrain<D>(differential: D) -> Result<DrivetrainParams<D>, ParamErrors> {
    Ok(DrivetrainParams {
        engine: sample_engine()?,
        clutch: ClutchParams::viscous(10.0),
        gearbox: GearboxParams {
            ratios: vec![-4.0, 0.0, 4.0, 2.0, 1.5, 1.1, 1.0],
            neutral: 1,
            final_ratio: 4.0,
            switch_time: 0.5,
            interlock: None,
        },
        autobox: Some(ShiftLaw::EngineSpeed(AutoboxParams {
            up_ratios: vec![0.65, 0.15, 0.65, 0.65, 0.65, 0.65, 0.65],
            down_ratios: vec![0.5; 7],
            latency: 2.0,
        })),
        ..DrivetrainParams::automatic(differential)
    })
}

fn sample_shares() -> MultiWheelDifferentialParams {
    MultiWheelDifferentialParams::equal(4, &[0, 1, 2, 3])
}

fn sample_tracks() -> TankDifferentialParams {
    let track = |wheels: [usize; 2], thrust| TrackParams { wheels: wheels.to_vec(), thrust };
    TankDifferentialParams {
        shares: sample_shares(),
        tracks: vec![track([0, 2], 0), track([1, 3], 1)],
    }
}

/// The differentials of the sample car.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleDifferential {
    /// A quarter of the torque to each wheel; slip between them is limited or not.
    FourWheel {
        /// Whether it is.
        is_slip_limited: bool,
    },
    /// A quarter of the torque to each wheel.
    MultiWheel,
    /// Wheels of one side turn together.
    Tank,
}

impl SampleDifferential {
    fn params(self) -> DifferentialParams {
        match self {
            Self::FourWheel { is_slip_limited } => {
                let slip = is_slip_limited.then_some(LimitedSlipParams { bias: 1.3, target: 1.29 });
                let rate = Some(10.0);
                let limited_slip =
                    LimitedSlips { center: slip, front: slip, rear: slip, rate, min_speed: 0.0 };
                DifferentialParams::FourWheel(FourWheelDifferentialParams {
                    shares: sample_shares(),
                    front: [0, 1],
                    rear: [2, 3],
                    limited_slip,
                    torque_bias: TorqueBiases::default(),
                })
            }
            Self::MultiWheel => DifferentialParams::MultiWheel(sample_shares()),
            Self::Tank => DifferentialParams::Tank(sample_tracks()),
        }
    }
}

/// The sample car with an engine of 500 N·m, an automatic gearbox of five gears and `differential`.
///
/// # Errors
///
/// None with the data as they are.
pub fn sample_engine_drive(
    differential: SampleDifferential,
) -> Result<EngineDriveParams, ParamErrors> {
    let drivetrain = sample_drivetrain(differential.params())?;
    Ok(EngineDriveParams { mechanics: sample_mechanics()?, drivetrain })
}

/// Which wheels the brakes of the sample tank hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TankBrakes {
    /// Each brake one track.
    PerTrack,
    /// The first brake all wheels, the second none: the reference's data.
    AllWheels,
}

/// The sample car on two tracks.
///
/// # Errors
///
/// None with the data as they are.
pub fn sample_tank(brakes: TankBrakes) -> Result<TankParams, ParamErrors> {
    let mut mechanics = sample_mechanics()?;
    if brakes == TankBrakes::PerTrack {
        mechanics.brakes = vec![
            CommandResponseParams::linear(BRAKE_TORQUE, [1.0, 0.0, 1.0, 0.0]),
            CommandResponseParams::linear(BRAKE_TORQUE, [0.0, 1.0, 0.0, 1.0]),
        ];
    }
    Ok(TankParams { mechanics, drivetrain: sample_drivetrain(sample_tracks())? })
}
