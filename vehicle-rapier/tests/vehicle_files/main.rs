//! Vehicles as files: what is written and read, what is refused, and how it drives.

#[path = "../common/mod.rs"]
mod common;

mod braked_presets;
mod faults;
mod fleet_of_kinds;
mod mutated;
mod parked_across;
mod physx;
mod presets;
mod round_trip;
#[cfg(feature = "schema")]
mod schema;

/// What is below the folder `tests`.
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
