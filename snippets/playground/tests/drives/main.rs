//! Drives in the playground: what anyone sees who opens it.

mod aids;
mod driving;
mod ghosts;
mod laps;
mod replays;
mod tour;

use playground::{DT, Key, Session, Setup};

/// A session with the default vehicle.
fn session(world: &str, start: usize) -> Session {
    session_with("hot_hatch", world, start)
}

fn session_with(vehicle: &str, world: &str, start: usize) -> Session {
    let setup = Setup { vehicle: vehicle.to_owned(), world: world.to_owned(), start };
    Session::new(setup).unwrap_or_else(|error| panic!("{vehicle} in {world}, {start}: {error}"))
}

/// Drives for a while with keys held, and lets go of them.
fn hold(session: &mut Session, keys: &[Key], seconds: f32) {
    for key in keys {
        session.keyboard.set(*key, true);
    }
    wait(session, seconds);
    for key in keys {
        session.keyboard.set(*key, false);
    }
}

fn wait(session: &mut Session, seconds: f32) {
    for _ in 0..(seconds / DT).round() as usize {
        session.step().expect("a step");
    }
}
