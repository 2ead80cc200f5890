//! Drivelines from blocks in a Rapier world.

#[path = "../common/mod.rs"]
mod common;

mod behavior;
mod cars;
mod slopes;
mod vehicle;
