//! Drivelines from blocks in a Rapier world.

#[path = "../common/mod.rs"]
mod common;

mod behavior;
mod cars;
mod disturbed;
mod hybrid;
mod park;
mod regeneration;
mod slopes;
mod smooth;
mod vehicle;
