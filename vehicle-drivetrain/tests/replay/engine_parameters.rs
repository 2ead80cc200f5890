//! From the parameters of a recorded drive with an engine to a drivetrain.

use anyhow::{Result, bail};
use serde_json::Value;
use vehicle_core::legacy::clutch::ExplicitSolver;
use vehicle_core::math::Real;
use vehicle_drivetrain::autobox::AutoboxParams;
use vehicle_drivetrain::clutch::ClutchParams;
use vehicle_drivetrain::differential::{
    DifferentialParams, FourWheelDifferentialParams, LimitedSlips, MultiWheelDifferentialParams,
    TankDifferentialParams, TorqueBiases, TrackParams,
};
use vehicle_drivetrain::drivetrain::DrivetrainParams;
use vehicle_drivetrain::engine::{EngineDampingParams, EngineParams};
use vehicle_drivetrain::engine_control::EngineControlParams;
use vehicle_drivetrain::gearbox::GearboxParams;
use vehicle_drivetrain::shift_law::ShiftLaw;

use super::parameters::curve;
use crate::support::values::{
    array, f32_of, f32s_of, field, list_of, optional, str_of, usize_of, usizes_of,
};

/// Engine, clutch, gearbox and differential.
pub fn drivetrain(recorded: &Value) -> Result<DrivetrainParams> {
    let clutch = field(recorded, "clutch")?;
    Ok(DrivetrainParams {
        engine: engine(field(recorded, "engine")?)?,
        clutch: ClutchParams::viscous(f32_of(clutch, "maxResponse")?),
        gearbox: gearbox(field(recorded, "gearbox")?)?,
        autobox: optional(recorded, "autobox").map(autobox).transpose()?,
        differential: differential(recorded)?,
        explicit_solver: solver(clutch)?,
    })
}

fn engine(value: &Value) -> Result<EngineParams> {
    let damping = |name: &str| f32_of(value, &format!("dampingRate{name}"));
    Ok(EngineParams {
        torque_curve: curve(value, "torqueCurve", |[x, y]: [Real; 2]| (x, y))?,
        inertia: f32_of(value, "moi")?,
        peak_torque: f32_of(value, "peakTorque")?,
        idle_speed: f32_of(value, "idleOmega")?,
        max_speed: f32_of(value, "maxOmega")?,
        damping: EngineDampingParams {
            full_throttle: damping("FullThrottle")?,
            engaged: damping("ZeroThrottleClutchEngaged")?,
            disengaged: damping("ZeroThrottleClutchDisengaged")?,
        },
        control: EngineControlParams::default(),
    })
}

fn gearbox(value: &Value) -> Result<GearboxParams> {
    Ok(GearboxParams {
        ratios: f32s_of(value, "ratios")?,
        neutral: usize_of(value, "neutralGear")?,
        final_ratio: f32_of(value, "finalRatio")?,
        switch_time: f32_of(value, "switchTime")?,
        interlock: None,
    })
}

fn autobox(value: &Value) -> Result<ShiftLaw> {
    Ok(ShiftLaw::EngineSpeed(AutoboxParams {
        up_ratios: f32s_of(value, "upRatios")?,
        down_ratios: f32s_of(value, "downRatios")?,
        latency: f32_of(value, "latency")?,
    }))
}

fn solver(clutch: &Value) -> Result<ExplicitSolver> {
    Ok(match str_of(clutch, "accuracy")? {
        "BEST_POSSIBLE" => ExplicitSolver::Elimination,
        "ESTIMATE" => {
            ExplicitSolver::Estimate(u32::try_from(usize_of(clutch, "estimateIterations")?)?)
        }
        other => bail!("`accuracy`: {other} is neither BEST_POSSIBLE nor ESTIMATE"),
    })
}

fn differential(recorded: &Value) -> Result<DifferentialParams> {
    Ok(match str_of(recorded, "differential")? {
        "MULTIWHEEL" => {
            let shares = copied_shares(field(recorded, "multiWheelDifferential")?)?;
            DifferentialParams::MultiWheel(shares)
        }
        "FOURWHEEL" => {
            DifferentialParams::FourWheel(four_wheel(field(recorded, "fourWheelDifferential")?)?)
        }
        "TANK" => DifferentialParams::Tank(tank(field(recorded, "tankDifferential")?)?),
        other => bail!("`differential`: {other} is unknown"),
    })
}

fn shares(value: &Value) -> Result<MultiWheelDifferentialParams> {
    Ok(MultiWheelDifferentialParams {
        torque_ratios: f32s_of(value, "torqueRatios")?,
        speed_ratios: f32s_of(value, "aveWheelSpeedRatios")?,
    })
}

/// The shares that the recorded drives used: the torque ratio of a driven wheel is copied from its
/// speed ratio.
fn copied_shares(value: &Value) -> Result<MultiWheelDifferentialParams> {
    let MultiWheelDifferentialParams { torque_ratios, speed_ratios } = shares(value)?;
    let copied = |(&torque, &speed): (&Real, &Real)| if torque == 0.0 { 0.0 } else { speed };
    let torque_ratios = torque_ratios.iter().zip(&speed_ratios).map(copied).collect();
    Ok(MultiWheelDifferentialParams { torque_ratios, speed_ratios })
}

/// The recorded drives did not hand the groups of limited slip to the drivetrain.
fn four_wheel(value: &Value) -> Result<FourWheelDifferentialParams> {
    Ok(FourWheelDifferentialParams {
        shares: copied_shares(value)?,
        front: array(field(value, "frontWheelIds")?)?.map(|wheel| wheel as usize),
        rear: array(field(value, "rearWheelIds")?)?.map(|wheel| wheel as usize),
        limited_slip: LimitedSlips::default(),
        torque_bias: TorqueBiases::default(),
    })
}

fn tank(value: &Value) -> Result<TankDifferentialParams> {
    let track = |track: &Value| -> Result<TrackParams> {
        Ok(TrackParams {
            wheels: usizes_of(track, "wheels")?,
            thrust: usize_of(track, "thrustId")?,
        })
    };
    let tracks = list_of(value, "tracks")?.iter().map(track).collect::<Result<_>>()?;
    Ok(TankDifferentialParams { shares: shares(value)?, tracks, steering_ratio: 1.0 })
}
