//! Our vehicles against whole recorded drives of the reference implementation, without a physics
//! engine.
//!
//! Each recorded step is repeated from the recorded state before it. Then ours runs freely for two
//! seconds, from the first row and from the first driving command. All that is done in other axes,
//! too. `VEHICLE_TRACES_DIR` names another folder of files of the same format. `--nocapture` shows
//! a line per file.

mod replay;
mod support;

use anyhow::{Result, ensure};
use replay::comparison;
use replay::drive::Drive;
use replay::engine_drive::EngineReplay;
use replay::vehicle::ReplayedVehicle;
use support::one_step::OneStepJudge;
use support::scenarios::{self, Scenario, TraceKind};
use support::traces::Trace;
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem, Frame};
use vehicle_core::math::Vec3;
use vehicle_drivetrain::DirectDriveVehicle;

/// Checks every drive that can be replayed by `direct` or `engine`, by its kind.
fn for_each_drive(
    direct: fn(&Scenario) -> Result<bool>,
    engine: fn(&Scenario) -> Result<bool>,
) -> Result<()> {
    let found = scenarios::find(&scenarios::folder())?;
    let mut failures = found.incomplete.clone();
    let mut skipped = Vec::new();
    for scenario in &found.complete {
        let check = match scenario.kind() {
            TraceKind::DirectDrive => direct,
            TraceKind::EngineDrive => engine,
            TraceKind::InScene | TraceKind::Unknown => {
                skipped.push(scenario.name.as_str());
                continue;
            }
        };
        match check(scenario) {
            Ok(true) => {}
            Ok(false) => failures.push(format!("{}: see above", scenario.name)),
            Err(error) => failures.push(format!("{}: {error:#}", scenario.name)),
        }
    }
    println!("skipped, no reader: {}", skipped.join(", "));
    ensure!(failures.is_empty(), "failed:\n{}", failures.join("\n"));
    Ok(())
}

#[test]
fn our_vehicles_repeat_the_recorded_drives() -> Result<()> {
    for_each_drive(replay::<DirectDriveVehicle>, replay::<EngineReplay>)
}

#[test]
fn our_vehicles_repeat_the_drives_in_other_frames() -> Result<()> {
    for_each_drive(moved::<DirectDriveVehicle>, moved::<EngineReplay>)
}

/// Replays one drive; whether it stayed within all bounds.
fn replay<V: ReplayedVehicle>(scenario: &Scenario) -> Result<bool> {
    let drive = Drive::<V>::new(scenario)?;
    let length_scale = scenario.length_scale()?;
    let table = scenario.table()?;
    let mut has_passed = single_steps(&drive, &table, OneStepJudge::new(&table, length_scale))?;
    if let Some(whole) = scenario.whole()? {
        if !table.is_whole() {
            has_passed &= single_steps(&drive, &whole, OneStepJudge::new(&whole, length_scale))?;
        }
        has_passed &= free_runs(&drive, &whole, length_scale)?;
    }
    Ok(has_passed)
}

/// Replays one drive in all right-handed frames that share no axis with the recorded one.
///
/// Other axes round otherwise, which a few steps show at random: every recorded step counts.
fn moved<V: ReplayedVehicle>(scenario: &Scenario) -> Result<bool> {
    let drive = Drive::<V>::new(scenario)?;
    let length_scale = scenario.length_scale()?;
    let whole = scenario.whole()?;
    let table = whole.map_or_else(|| scenario.table(), Ok)?;
    let start = drive.coordinates();
    let axes = |frame: &Frame| [frame.longitudinal(), frame.lateral(), frame.vertical()];
    let shares_axis = |frame: &Frame| {
        let mut pairs = axes(frame).into_iter().zip(axes(&start.frame));
        pairs.any(|(new, old)| new.dot(old) != 0.0)
    };
    let mut has_passed = true;
    for frame in Frame::all().filter(|frame| !shares_axis(frame)) {
        let target = CoordinateSystem { frame, ..*start };
        let conversion = CoordinateConversion::new(start, &target);
        let turn = |vector| conversion.direction(Vec3::from_array(vector)).to_array();
        let (drive, turned) = (drive.moved(&conversion), table.turned(turn));
        let judge = OneStepJudge::new(&turned, length_scale).in_other_axes();
        has_passed &= single_steps(&drive, &turned, judge)?;
        if table.is_whole() {
            has_passed &= free_runs(&drive, &turned, length_scale)?;
        }
    }
    Ok(has_passed)
}

fn single_steps<V: ReplayedVehicle>(
    drive: &Drive<V>,
    trace: &Trace,
    judge: OneStepJudge<'_>,
) -> Result<bool> {
    let report = comparison::single_steps(drive, trace, judge)?;
    println!("{report}");
    Ok(report.passed())
}

fn free_runs<V: ReplayedVehicle>(
    drive: &Drive<V>,
    whole: &Trace,
    length_scale: f64,
) -> Result<bool> {
    let mut has_passed = true;
    for (step, report) in comparison::free_runs(drive, whole, length_scale)? {
        println!("{} from step {step}: {report}", whole.name);
        has_passed &= report.passed();
    }
    Ok(has_passed)
}
