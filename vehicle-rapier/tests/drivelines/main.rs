//! Drivelines from blocks in a Rapier world.

#[path = "../common/mod.rs"]
mod common;

mod cars;
mod vehicle;
