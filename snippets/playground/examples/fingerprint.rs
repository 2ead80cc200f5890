//! Replays a recording, and prints its steps and the hash of all bits at its end.
//!
//! With the feature `enhanced-determinism`, WebAssembly gives the same.

use std::error::Error;

use playground::{Recording, Session};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("the path of a recording is missing")?;
    let bytes = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let recording = Recording::from_bytes(&bytes)?;
    let mut session = Session::replay(&recording)?;
    for _ in 0..recording.step_count() {
        session.step()?;
    }
    println!("{} {:016x}", session.steps(), session.fingerprint());
    Ok(())
}
