//! Keys, gears, resets and frames.

use playground::{DT, Event, GearMode, Key, Session, vehicle_names};
use rapier3d::prelude::*;

use crate::{hold, session, session_with, wait};

#[test]
fn every_vehicle_goes_turns_and_stops() {
    for name in vehicle_names() {
        let mut session = session_with(name, "proving_ground", 0);
        hold(&mut session, &[Key::Forward], 4.0);
        let speed = session.readings().speed;
        assert!(2.0 < speed, "{name}: {speed} m/s after 4 s");
        // A motorcycle leans before it turns; what turns at once soon comes to the end of the
        // ground.
        let heading = |session: &Session| session.body_pose(1.0).rotation * Vector::Z;
        for _ in 0..22 {
            if heading(&session).x <= 0.1 {
                hold(&mut session, &[Key::Forward, Key::Left], 0.1);
            }
        }
        let heading = heading(&session);
        assert!(0.1 < heading.x && 0.9 < heading.z, "{name} turns left: {heading}");
        let speed = session.readings().speed;
        let least = 0.5 + speed / 3.0;
        for _ in 0..(least / DT) as usize {
            session.keyboard.set(Key::Backward, true);
            session.step().expect("a step");
            if session.readings().speed < 0.4 {
                break;
            }
        }
        let slow = session.readings().speed;
        assert!(slow < 0.4, "{name}: {slow} m/s, {least} s after it braked from {speed} m/s");
    }
}

#[test]
fn the_brake_becomes_reverse_at_a_standstill_and_back() {
    let mut session = session("proving_ground", 0);
    hold(&mut session, &[Key::Forward], 3.0);
    let ahead = session.body_pose(1.0).translation.z;
    hold(&mut session, &[Key::Backward], 6.0);
    assert!(session.readings().speed < -1.0, "{} m/s", session.readings().speed);
    assert_eq!(session.readings().gear, "R");
    hold(&mut session, &[Key::Forward], 5.0);
    assert!(1.0 < session.readings().speed, "{} m/s", session.readings().speed);
    assert!(-40.0 < ahead, "{ahead} m");
}

#[test]
fn gears_by_hand_stay_until_the_driver_shifts() {
    let mut session = session("proving_ground", 0);
    session.push_event(Event::ToggleGearMode);
    hold(&mut session, &[Key::Forward], 0.2);
    assert_eq!(session.gear_mode(), GearMode::Manual);
    session.push_event(Event::GearUp);
    hold(&mut session, &[Key::Forward], 5.0);
    let first = session.readings().gear.clone();
    session.push_event(Event::GearUp);
    hold(&mut session, &[Key::Forward], 1.0);
    let second = session.readings().gear.clone();
    let numbers: Vec<i32> =
        [&first, &second].iter().map(|gear| gear.parse().expect("a gear")).collect();
    assert_eq!(numbers[1], numbers[0] + 1, "{first}, {second}");
    session.push_event(Event::ToggleGearMode);
    wait(&mut session, 0.1);
    assert_eq!(session.gear_mode(), GearMode::Automatic);
}

#[test]
fn a_car_on_its_roof_gets_back_on_its_wheels() {
    let mut session = session("proving_ground", 0);
    hold(&mut session, &[Key::Forward], 2.0);
    session.push_event(Event::Upright);
    wait(&mut session, 2.0);
    let pose = session.body_pose(1.0);
    let up = pose.rotation * Vector::Y;
    assert!(0.999 < up.y && pose.translation.y < 1.0, "{pose:?}");
    assert!(session.readings().speed.abs() < 0.05);
    assert!(session.readings().wheels.iter().all(|wheel| wheel.is_on_ground));
}

#[test]
fn frames_of_any_rate_give_the_same_bits() {
    let drive = |rate: u32| {
        let mut session = session("proving_ground", 0);
        session.keyboard.set(Key::Forward, true);
        let mut frames = 0;
        while session.steps() < 120 {
            if session.steps() == 60 {
                session.keyboard.set(Key::Left, true);
            }
            session.advance(1.0 / f64::from(rate)).expect("a frame");
            frames += 1;
            assert!(frames < 10_000);
        }
        session.fingerprint()
    };
    let reference = drive(60);
    assert_eq!(drive(30 * 2), reference);
    assert_eq!(drive(144), reference, "144 Hz");
    assert_eq!(drive(240), reference, "240 Hz");
}

#[test]
fn poses_between_steps_are_in_between() {
    let mut session = session("proving_ground", 0);
    hold(&mut session, &[Key::Forward], 3.0);
    let [before, half, after] = [0.0, 0.5, 1.0].map(|share| session.body_pose(share).translation.z);
    let way = session.readings().speed * DT;
    assert!((after - before - way).abs() < 0.1 * way, "{before}, {after}, {way}");
    assert!((half - 0.5 * (before + after)).abs() < 0.01 * way);
    session.advance(0.5 * f64::from(DT)).expect("half a step");
    assert!((session.share() - 0.5).abs() < 0.01, "{}", session.share());
}

#[test]
fn a_hidden_page_does_not_catch_up() {
    let mut session = session("proving_ground", 0);
    let steps = session.advance(60.0).expect("a frame");
    assert!(steps <= 6, "{steps} steps after a minute");
    assert_eq!(session.advance(-1.0).expect("a frame"), 0);
}

#[test]
fn unknown_names_are_refused_with_those_that_there_are() {
    use playground::{Session, Setup};
    let refused = |setup| Session::new(setup).err().expect("a refusal").to_string();
    let error = refused(Setup { vehicle: "hovercraft".to_owned(), ..Setup::default() });
    assert!(error.contains("hot_hatch") && error.contains("hovercraft"), "{error}");
    let error = refused(Setup { world: "moon".to_owned(), ..Setup::default() });
    assert!(error.contains("proving_ground") && error.contains("moon"), "{error}");
    let error = refused(Setup { start: 99, ..Setup::default() });
    assert!(error.contains("below") && error.contains("99"), "{error}");
}

#[test]
fn a_car_that_falls_out_of_the_world_starts_again() {
    let mut session = session("ship", 1);
    // Athwart at full throttle: over the bulwark, or against it.
    hold(&mut session, &[Key::Forward], 6.0);
    for _ in 0..10 {
        wait(&mut session, 1.0);
        let height = session.body_pose(1.0).translation.y;
        assert!(-16.0 < height, "{height} m");
    }
}
