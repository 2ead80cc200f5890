//! The vehicle beside Rapier's own controller.

use playground::Key;
use rapier3d::prelude::*;

use crate::{hold, session, wait};

/// "On 15 degrees".
const FIFTEEN_DEGREES: usize = 3;

#[test]
fn the_ghost_creeps_on_fifteen_degrees_where_the_car_stands() {
    let mut session = session("proving_ground", FIFTEEN_DEGREES);
    wait(&mut session, 1.0);
    session.set_ghost(true).expect("a ghost");
    let (car, ghost) = (session.body_pose(1.0), session.ghost_pose(1.0).expect("a ghost"));
    assert!(car.translation.distance(ghost.translation) < 1e-4);
    wait(&mut session, 10.0);
    let moved = session.body_pose(1.0).translation.distance(car.translation);
    let crept = session.ghost_pose(1.0).expect("a ghost").translation.distance(ghost.translation);
    println!("in 10 s the car has moved by {moved} m, the ghost by {crept} m");
    assert!(moved < 2e-3, "{moved} m");
    assert!(0.05 < crept, "{crept} m");
}

#[test]
fn the_ghost_drives_with_the_same_inputs() {
    let mut session = session("proving_ground", 0);
    session.set_ghost(true).expect("a ghost");
    wait(&mut session, 1.0);
    hold(&mut session, &[Key::Forward], 4.0);
    let (car, ghost) = (session.readings().speed, session.ghost_speed().expect("a ghost"));
    assert!(5.0 < car && 5.0 < ghost, "{car} m/s, {ghost} m/s");
    let wheel = session.ghost_wheel_pose(0, 0.5).expect("a wheel").translation;
    let body = session.ghost_pose(0.5).expect("a ghost").translation;
    assert!((0.5..4.0).contains(&wheel.distance(body)), "{wheel}, {body}");
    session.set_ghost(false).expect("no ghost");
    assert!(!session.has_ghost() && session.ghost_pose(1.0).is_none());
}

#[test]
fn the_ghost_changes_no_bit_of_the_drive() {
    let drive = |is_shown| {
        let mut session = session("proving_ground", 0);
        session.set_ghost(is_shown).expect("a ghost");
        hold(&mut session, &[Key::Forward, Key::Left], 2.0);
        session.fingerprint()
    };
    assert_eq!(drive(true), drive(false));
}

#[test]
fn the_ghost_is_put_where_the_car_is_reset() {
    let mut session = session("proving_ground", 0);
    session.set_ghost(true).expect("a ghost");
    hold(&mut session, &[Key::Forward], 3.0);
    session.push_event(playground::Event::Start(0));
    wait(&mut session, 0.1);
    let ghost = session.ghost_pose(1.0).expect("a ghost").translation;
    assert!(ghost.distance(session.body_pose(1.0).translation) < 0.1, "{ghost}");
    assert!((ghost - Vector::new(0.0, ghost.y, -40.0)).length() < 0.1, "{ghost}");
}
