//! Laps of the circuit.

use std::sync::Arc;

use playground::{DriverInput, Event, RecordedLap, Session};
use rapier3d::prelude::*;
use vehicle_rapier::core::Frame;
use vehicle_rapier::drivetrain::driver::{Path, PathDriver, ProfileParams};

use crate::{session, session_with, wait};

/// In the middle of the road (m), at a speed (m/s).
const MIDDLE: [Real; 2] = [0.0, 14.0];

/// Drives around from gate to gate, so far to the left of their middles (m) and so fast (m/s),
/// until so many laps are complete. Returns the steps, and how upright it was at least.
fn drive(session: &mut Session, laps: u32, [left, max_speed]: [Real; 2]) -> (u32, Real) {
    let points: Vec<Vector> = session
        .world()
        .gates
        .iter()
        .map(|gate| {
            let ([x, z], [ahead_x, ahead_z]) = (gate.point, gate.forward);
            Vector::new(x + left * ahead_z, 0.05, z - left * ahead_x)
        })
        .collect();
    let model = Arc::new(session.car().driver_model(&[]).expect("a driver"));
    let params = ProfileParams { cornering: 0.6, max_speed, ..ProfileParams::default() };
    let path = Path::closed(&points, &Frame::Y_UP)
        .and_then(|path| path.with_profile(model.figures(), &params))
        .expect("a path");
    // Before its first step the vehicle does not know where it is.
    session.step().expect("a step");
    let mut driver = PathDriver::new(model);
    driver.put(&path, &session.car().driver_view());
    let before = session.lap_times().expect("laps").count;
    let mut upright = 1.0_f32;
    for step in 0..20_000 {
        let driven = driver.update(&path, &session.car().driver_view(), 1.0 / 60.0).commands;
        let input = DriverInput::new(driven.throttle, driven.brakes[0], driven.steer, 0.0);
        session.step_with(input).expect("a step");
        upright = upright.min((session.body_pose(1.0).rotation * Vector::Y).y);
        if before + laps <= session.lap_times().expect("laps").count {
            return (step, upright);
        }
    }
    panic!("no lap in 20,000 steps: {:?}", session.lap_times());
}

#[test]
fn a_lap_is_timed_and_a_replay_takes_the_same_time() {
    let mut session = session("circuit", 0);
    let (steps, _) = drive(&mut session, 2, MIDDLE);
    let times = session.lap_times().expect("laps").clone();
    let (last, best) = (times.last.expect("a lap"), times.best.expect("a lap"));
    println!("laps of {last:?} and {best:?} in {steps} steps");
    assert!((30.0..90.0).contains(&best.time), "{best:?}");
    let sum: Real = best.sectors.iter().sum();
    assert!((sum - best.time).abs() < 1e-3, "{best:?}");
    let mut replay = Session::replay(session.recording()).expect("a session");
    for _ in 0..session.steps() {
        replay.step().expect("a step");
    }
    assert_eq!(replay.lap_times(), session.lap_times());
    assert_eq!(replay.best_lap(), session.best_lap());
    assert!(session.own_best_lap().is_some(), "the driver's own");
    assert!(replay.own_best_lap().is_none(), "perhaps someone else's");
    // A lap that is slower than one of a replay, and was driven from line to line, is the driver's.
    drive(&mut replay, 2, [MIDDLE[0], 10.0]);
    let own = replay.own_best_lap().expect("a lap").lap();
    let best = replay.lap_times().and_then(|times| times.best).expect("a lap");
    assert!(best.time + 1.0 < own.time, "{best:?} and {own:?}");
}

#[test]
fn the_best_lap_drives_along_from_the_line_on() {
    let lap = is_seen_again("hot_hatch");
    // It is no ghost of another vehicle, or elsewhere.
    let error = session_with("kart", "circuit", 0).set_best_lap(lap.clone()).unwrap_err();
    assert!(error.to_string().contains("hot_hatch in circuit, not of kart"), "{error}");
    assert!(session("ship", 0).set_best_lap(lap).is_err());
    is_seen_again("truck_6x6-tandem_trailer");
}

/// Drives a lap of a vehicle, and again beside its ghost: all the way, they are in one place. So
/// are their trailers. Returns the lap.
fn is_seen_again(vehicle: &str) -> RecordedLap {
    let mut first = session_with(vehicle, "circuit", 0);
    drive(&mut first, 1, MIDDLE);
    let kept = first.best_lap().expect("a lap").to_bytes().expect("bytes");
    let lap = RecordedLap::from_bytes(&kept).expect("a lap");
    println!("{vehicle}: a lap of {} s is kept in {} bytes", lap.lap().time, kept.len());
    let recording = first.recording().clone();
    let mut again = Session::replay(&recording).expect("a session");
    again.set_best_lap(lap.clone()).expect("a lap of this vehicle");
    let mut seen = 0;
    while again.lap_times().is_some_and(|times| times.count == 0) {
        again.step().expect("a step");
        let is_first = again.lap_times().is_some_and(|times| times.count == 0);
        if let Some(ghost) = again.best_lap_pose(1.0).filter(|_| is_first) {
            let trailers = again.best_lap_trailer_pose(1.0).zip(again.trailer_pose(1.0));
            assert_eq!(trailers.is_some(), vehicle.contains('-'), "{vehicle}");
            for (one, other) in
                [Some((ghost, again.body_pose(1.0))), trailers].into_iter().flatten()
            {
                let apart = one.translation.distance(other.translation);
                assert!(apart < 0.05, "{vehicle}: {apart} m after {:?}", again.lap_times());
            }
            seen += 1;
        }
    }
    assert!(1_000 < seen, "{seen} steps");
    lap
}

#[test]
fn a_car_that_is_put_to_its_start_begins_a_new_lap() {
    let mut session = session("circuit", 0);
    let gate = session.world().gates[0];
    while session.lap_times().is_some_and(|times| times.current.is_none()) {
        session.step_with(DriverInput::new(0.5, 0.0, 0.0, 0.0)).expect("a step");
    }
    let place = session.body_pose(1.0).translation;
    assert!((place.z - gate.point[1]).abs() < 1.0, "{place}");
    session.push_event(Event::Start(0));
    wait(&mut session, 0.5);
    assert!(session.lap_times().is_some_and(|times| times.current.is_none()));
}

#[test]
fn kerbs_are_driven_over() {
    for name in ["kart", "hot_hatch", "truck_6x6"] {
        let mut session = session_with(name, "circuit", 0);
        // The left wheels go over the kerbs of all bends to the left.
        let (_, most_tilted) = drive(&mut session, 1, [5.0, 9.0]);
        assert!(0.95 < most_tilted, "{name}: {most_tilted}");
    }
}
