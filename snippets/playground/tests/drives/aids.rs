//! Driver aids: which act, how they are switched, and that a replay switches them, too.

use playground::{AidSet, AidSwitch, Event, Key, Session, vehicle_names};

use crate::{hold, session, session_with, wait};

/// Brakes from about 80 km/h with everything, for a second: the aids that have acted.
fn emergency_stop(session: &mut Session) -> Vec<AidSwitch> {
    while session.readings().speed < 22.0 {
        hold(session, &[Key::Forward], 0.1);
    }
    let mut acting = AidSet::default();
    for _ in 0..10 {
        hold(session, &[Key::Backward], 0.1);
        let now = session.readings().acting_aids;
        acting = AidSwitch::ALL
            .into_iter()
            .filter(|aid| now.has(*aid))
            .fold(acting, |set, aid| set.with(aid, true));
    }
    AidSwitch::ALL.into_iter().filter(|aid| acting.has(*aid)).collect()
}

#[test]
fn aids_act_for_newcomers_and_not_for_those_who_switch_them_off() {
    let locked = |session: &Session| {
        session.readings().wheels.iter().any(|wheel| wheel.longitudinal_slip < -0.9)
    };
    let mut aided = session("proving_ground", 0);
    assert_eq!(aided.aids(), AidSet::usual());
    let acting = emergency_stop(&mut aided);
    assert!(acting.contains(&AidSwitch::AntiLock) && !locked(&aided), "{acting:?}");
    let mut bare = session("proving_ground", 0);
    for aid in AidSwitch::ALL {
        bare.push_event(Event::SwitchAid(aid, false));
    }
    wait(&mut bare, 0.5);
    assert_eq!(bare.aids(), AidSet::default());
    let acting = emergency_stop(&mut bare);
    assert!(acting.is_empty() && locked(&bare), "{acting:?}");
}

#[test]
fn a_car_that_stands_is_held_until_it_pulls_away() {
    let mut session = session("proving_ground", 3);
    wait(&mut session, 1.5);
    assert!(session.readings().acting_aids.has(AidSwitch::HillStart));
    hold(&mut session, &[Key::Forward], 3.0);
    let readings = session.readings();
    assert!(!readings.acting_aids.has(AidSwitch::HillStart), "{readings:?}");
}

#[test]
fn a_cruise_control_keeps_the_speed_until_the_brake_ends_it() {
    let mut session = session("proving_ground", 0);
    hold(&mut session, &[Key::Forward], 3.0);
    session.push_event(Event::SwitchAid(AidSwitch::Cruise, true));
    wait(&mut session, 0.1);
    let speed = session.readings().speed;
    // Another aid that is switched on leaves it as it is.
    session.push_event(Event::SwitchAid(AidSwitch::Drift, true));
    wait(&mut session, 4.0);
    let kept = session.readings().speed;
    assert!((kept - speed).abs() < 0.8, "{speed} and {kept} m/s");
    assert!(session.aids().has(AidSwitch::Cruise));
    hold(&mut session, &[Key::Backward], 0.3);
    assert!(!session.aids().has(AidSwitch::Cruise) && session.aids().has(AidSwitch::Drift));
    // So does its switch, once the brake is up.
    wait(&mut session, 0.3);
    for is_on in [true, false] {
        session.push_event(Event::SwitchAid(AidSwitch::Cruise, is_on));
        wait(&mut session, 0.1);
        assert_eq!(session.readings().acting_aids.has(AidSwitch::Cruise), is_on);
    }
    let slowed = session.readings().speed;
    wait(&mut session, 2.0);
    assert!(session.readings().speed < slowed, "{slowed} m/s and {:?}", session.readings());
}

#[test]
fn every_vehicle_drives_with_all_aids_and_without_any() {
    for name in vehicle_names() {
        for is_on in [true, false] {
            let mut session = session_with(name, "proving_ground", 0);
            for aid in AidSwitch::ALL {
                session.push_event(Event::SwitchAid(aid, is_on && aid != AidSwitch::Launch));
            }
            wait(&mut session, 0.5);
            hold(&mut session, &[Key::Forward], 4.0);
            let speed = session.readings().speed;
            assert!(1.5 < speed, "{name}, {is_on}: {speed} m/s");
            hold(&mut session, &[Key::Backward], 0.5);
            let slowed = session.readings().speed;
            assert!(slowed < speed, "{name}, {is_on}: {speed} and {slowed} m/s");
        }
    }
}

#[test]
fn a_replay_switches_aids_as_the_driver_did() {
    let mut driven = session("proving_ground", 0);
    hold(&mut driven, &[Key::Forward, Key::Left], 2.0);
    driven.push_event(Event::SwitchAid(AidSwitch::Stability, false));
    driven.push_event(Event::SwitchAid(AidSwitch::AntiLock, false));
    hold(&mut driven, &[Key::Forward, Key::Right], 2.0);
    hold(&mut driven, &[Key::Backward], 1.0);
    let mut replayed = Session::replay(driven.recording()).expect("a session");
    for _ in 0..driven.steps() {
        replayed.step().expect("a step");
    }
    assert_eq!(replayed.fingerprint(), driven.fingerprint());
    assert_eq!(replayed.aids(), driven.aids());
}
