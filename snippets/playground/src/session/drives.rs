//! Drives for tests.

use rapier3d::prelude::*;

use super::Session;
use crate::{Key, Setup};

/// A drive of so many seconds with the accelerator on the floor.
pub(super) fn driven(setup: Setup, seconds: Real) -> Session {
    let mut session = Session::new(setup).unwrap();
    session.keyboard.set(Key::Forward, true);
    go(&mut session, seconds);
    session
}

/// Goes on for so many seconds.
pub(super) fn go(session: &mut Session, seconds: Real) {
    for _ in 0..(60.0 * seconds) as u32 {
        session.step().unwrap();
    }
}
