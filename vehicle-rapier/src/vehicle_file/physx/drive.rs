//! The files DirectDrive and EngineDrive.

use vehicle_core::commands::{CommandResponseParams, ResponseRow, ResponseTable};
use vehicle_drivetrain::autobox::AutoboxParams;
use vehicle_drivetrain::clutch::ClutchParams;
use vehicle_drivetrain::differential::{
    DifferentialParams, FourWheelDifferentialParams, LimitedSlipParams, LimitedSlips,
    MultiWheelDifferentialParams, TankDifferentialParams, TorqueBiases, TrackParams,
};
use vehicle_drivetrain::drivetrain::DrivetrainParams;
use vehicle_drivetrain::engine::{EngineDampingParams, EngineParams};
use vehicle_drivetrain::engine_control::EngineControlParams;
use vehicle_drivetrain::gearbox::GearboxParams;
use vehicle_drivetrain::shift_law::ShiftLaw;

use super::PhysxDifferential;
use super::mechanics::{curve, response_of};
use super::reader::{Fields, Value};
use crate::vehicle_file::DriveSource;

/// The throttle of a DirectDrive file.
pub(super) fn read_direct(root: &Value<'_>) -> CommandResponseParams {
    let file = root.fields();
    let throttle = file.get("ThrottleCommandResponseParams").fields();
    let table = throttle.find("NonLinearResponse").and_then(|rows| response_table(&rows));
    CommandResponseParams { table, ..response_of(&throttle) }
}

/// Response against throttle and speed; none if there is no row.
fn response_table(rows: &Value<'_>) -> Option<ResponseTable> {
    let row = |row: &Value<'_>| {
        let fields = row.fields();
        let command = fields.get("Throttle").number();
        ResponseRow { command, response: curve(&fields.get("ResponseCurve")) }
    };
    let list: Vec<_> = rows.list().iter().map(row).collect();
    if list.is_empty() {
        return None;
    }
    match ResponseTable::new(list) {
        Ok(table) => Some(table),
        Err(errors) => {
            for error in errors.errors() {
                let below = error.path.trim_start_matches("rows");
                rows.fault_below(below, &error.requirement, &error.value);
            }
            None
        }
    }
}

/// Engine, clutch, gearbox and a differential of an EngineDrive file, for a vehicle of `count`
/// wheels.
pub(super) fn read_engine(
    root: &Value<'_>,
    differential: PhysxDifferential,
    count: usize,
) -> DriveSource {
    let file = root.fields();
    file.leave("ClutchParams", "engine and wheels are solved exactly, whatever the effort");
    let chosen = match differential {
        PhysxDifferential::MultiWheel => "MultiWheelDifferentialParams",
        PhysxDifferential::FourWheel => "FourWheelDifferentialParams",
        PhysxDifferential::Tank => "TankDifferentialParams",
    };
    let all =
        ["MultiWheelDifferentialParams", "FourWheelDifferentialParams", "TankDifferentialParams"];
    for other in all.into_iter().filter(|name| *name != chosen) {
        file.leave(other, &format!("the differential is that of {chosen}"));
    }
    let value = file.get(chosen);
    let fields = value.fields();
    match differential {
        PhysxDifferential::MultiWheel => {
            let params = DifferentialParams::MultiWheel(shares(&fields));
            DriveSource::Engine(Box::new(drivetrain(&file, params)))
        }
        PhysxDifferential::FourWheel => {
            let params = DifferentialParams::FourWheel(four_wheel(&fields));
            DriveSource::Engine(Box::new(drivetrain(&file, params)))
        }
        PhysxDifferential::Tank => {
            let params = TankDifferentialParams {
                steering_ratio: 1.0,
                shares: shares(&fields),
                tracks: tracks(&fields.get("TankTracks"), count),
            };
            DriveSource::Tank(Box::new(drivetrain(&file, params)))
        }
    }
}

fn drivetrain<D>(file: &Fields<'_>, differential: D) -> DrivetrainParams<D> {
    let clutch = file.get("ClutchCommandResponseParams").fields();
    let strength = clutch.get("MaxResponse").number();
    let autobox = file.find("AutoboxParams").map(|value| {
        let fields = value.fields();
        ShiftLaw::EngineSpeed(AutoboxParams {
            up_ratios: fields.get("UpRatios").numbers(),
            down_ratios: fields.get("DownRatios").numbers(),
            latency: fields.get("Latency").number(),
        })
    });
    DrivetrainParams {
        engine: engine(&file.get("EngineParams").fields()),
        clutch: ClutchParams::viscous(strength),
        gearbox: gearbox(&file.get("GearboxParams").fields()),
        autobox,
        ..DrivetrainParams::automatic(differential)
    }
}

fn engine(fields: &Fields<'_>) -> EngineParams {
    EngineParams {
        torque_curve: curve(&fields.get("TorqueCurve")),
        inertia: fields.get("MOI").number(),
        peak_torque: fields.get("PeakTorque").number(),
        idle_speed: fields.get("IdleOmega").number(),
        max_speed: fields.get("MaxOmega").number(),
        damping: EngineDampingParams {
            full_throttle: fields.get("DampingRateFullThrottle").number(),
            engaged: fields.get("DampingRateZeroThrottleClutchEngaged").number(),
            disengaged: fields.get("DampingRateZeroThrottleClutchDisengaged").number(),
        },
        control: EngineControlParams::default(),
    }
}

fn gearbox(fields: &Fields<'_>) -> GearboxParams {
    GearboxParams {
        ratios: fields.get("Ratios").numbers(),
        neutral: fields.get("NeutralGear").index(),
        final_ratio: fields.get("FinalRatio").number(),
        switch_time: fields.get("SwitchTime").number(),
        interlock: None,
    }
}

fn shares(fields: &Fields<'_>) -> MultiWheelDifferentialParams {
    MultiWheelDifferentialParams {
        torque_ratios: fields.get("TorqueRatios").numbers(),
        speed_ratios: fields.get("AveWheelSpeedRatios").numbers(),
    }
}

fn four_wheel(fields: &Fields<'_>) -> FourWheelDifferentialParams {
    let slip = |name: &str| {
        let bias = fields.get(&format!("{name}Bias")).number();
        let target = fields.get(&format!("{name}Target")).number();
        (bias != 0.0).then_some(LimitedSlipParams { bias, target })
    };
    FourWheelDifferentialParams {
        shares: shares(fields),
        front: fields.get("FrontWheelIds").pair(),
        rear: fields.get("RearWheelIds").pair(),
        limited_slip: LimitedSlips {
            center: slip("Center"),
            front: slip("Front"),
            rear: slip("Rear"),
            rate: Some(fields.get("Rate").number()),
            min_speed: 0.0,
        },
        torque_bias: TorqueBiases::default(),
    }
}

/// Tracks, each driven by the thrust of its number.
fn tracks(value: &Value<'_>, count: usize) -> Vec<TrackParams> {
    let list = value.list();
    if 2 < list.len() {
        value.fault("a list of at most 2 tracks, one for each thrust", list.len());
    }
    let track = |(thrust, track): (usize, &Value<'_>)| {
        let wheels = track.indices();
        for &wheel in wheels.iter().filter(|&&wheel| count <= wheel) {
            track.fault(&format!("wheels below {count}"), wheel);
        }
        TrackParams { wheels, thrust }
    };
    list.iter().enumerate().map(track).collect()
}
