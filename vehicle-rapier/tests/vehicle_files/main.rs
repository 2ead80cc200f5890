//! Vehicles as files: what is written and read, what is refused, and how it drives.

#[path = "../common/mod.rs"]
mod common;

mod across_slopes;
mod effects;
mod engines;
mod faults;
mod fleet_of_kinds;
mod hill_starts;
mod in_fleets;
mod in_sets;
mod long_steps;
mod mistakes;
mod mutated;
mod mutated_numbers;
mod own_parts;
mod own_tires;
mod pages;
mod physx;
mod presets;
mod repaired;
mod round_trip;
#[cfg(feature = "schema")]
mod schema;
mod slow_drives;
mod track_brakes;
mod while_driving;

/// What is below the folder `tests`.
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
