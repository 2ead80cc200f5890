//! States in files: text and binary formats read back what they wrote, with the same bits.

mod common;

use std::fmt::Debug;

use common::engine::{EngineScene, limited_slip};
use common::{COAST, Drive, all_wheel_drive};
use serde::Serialize;
use serde::de::DeserializeOwned;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::Commands;
use vehicle_core::constraint_rows::{RowExecution, WheelRows};
use vehicle_core::math::Real;
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::tire::{StickyHold, TireStickyParams};
use vehicle_drivetrain::differential::LimitedSlipParams;

/// Binary form of `value`, in which every number has its bits, after both formats have read it
/// back.
fn check_formats<T: Serialize + DeserializeOwned + Debug>(value: &T, when: &str) {
    let binary = postcard::to_stdvec(value).expect("plain data");
    let read: T = postcard::from_bytes(&binary).expect("its own bytes");
    assert_eq!(postcard::to_stdvec(&read).expect("plain data"), binary, "{when}");
    let text = serde_json::to_string(value).expect("plain data");
    let read: T = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{when}: {error} in {text} of {value:?}"));
    assert_eq!(postcard::to_stdvec(&read).expect("plain data"), binary, "{when}: {text}");
}

/// Whether any limit, bound of friction and softness of `rows` is infinite.
fn infinities(rows: &WheelRows) -> [bool; 3] {
    let sticky = [rows.longitudinal, rows.lateral];
    [
        rows.limit.is_some_and(|row| row.max_impulse.is_infinite()),
        rows.max_friction_impulse.is_infinite(),
        sticky.into_iter().flatten().any(|row| row.softness.is_infinite()),
    ]
}

/// A car that falls onto its stops by 1 m, brakes and parks; tells which numbers were infinite.
fn fall_and_park(execution: RowExecution, sticky: TireStickyParams) -> [bool; 3] {
    // Rows are the stops of wheels without mass.
    let blueprint = CarBlueprint { ride: None, ..CarBlueprint::default() };
    let road = FlatRoad::new(&blueprint.frame);
    let mut drive = Drive::with_params(&blueprint, all_wheel_drive(&blueprint), road);
    drive.simulation.row_execution = execution;
    drive.simulation.tire_sticky = Some(sticky);
    drive.place(blueprint.center_of_mass_height + 1.0);
    let mut found = [false; 3];
    for step in 0..200 {
        drive.checked_step(Commands { brakes: [1.0, 0.0], ..COAST });
        let state = &drive.vehicle.state;
        check_formats(state, &format!("step {step}, {execution:?}, {sticky:?}"));
        for rows in &state.mechanics.rows {
            let here = infinities(&rows);
            found = [0, 1, 2].map(|kind| found[kind] || here[kind]);
        }
    }
    found
}

#[test]
fn every_state_is_read_back_while_stops_and_tires_hold() {
    let anchor = TireStickyParams::default();
    let mut damper = TireStickyParams { hold: StickyHold::Damper, ..anchor };
    assert_eq!(fall_and_park(RowExecution::Local, anchor), [true, false, false]);
    assert_eq!(fall_and_park(RowExecution::Host, anchor), [true, false, false]);
    assert_eq!(fall_and_park(RowExecution::Local, damper), [true, true, false]);
    // A damper that does not damp is infinitely soft.
    (damper.longitudinal.damping, damper.lateral.damping) = (0.0, 0.0);
    assert_eq!(fall_and_park(RowExecution::Local, damper), [true, true, true]);
}

#[test]
fn every_state_of_a_car_with_an_engine_is_read_back() {
    let slip = LimitedSlipParams { bias: 1.3, target: 1.1 };
    let mut scene = EngineScene::at_rest(limited_slip(slip));
    for step in 0..120 {
        let throttle = if step < 90 { 1.0 } else { 0.0 };
        let steer = 0.2 * (step as Real * 0.1).sin();
        scene.vehicle.commands =
            Commands { throttle, steer, brakes: [1.0 - throttle, 0.0], ..Commands::default() };
        scene.checked_step();
        check_formats(&scene.vehicle.state, &format!("step {step}"));
    }
}
