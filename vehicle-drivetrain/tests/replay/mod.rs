//! Replaying recorded drives with our vehicles.

// Private to the test binary, and not seen from outside.
#![allow(unreachable_pub)]

pub mod comparison;
mod direct_drive;
pub mod drive;
pub mod engine_drive;
mod engine_parameters;
mod parameters;
pub mod row;
pub mod vehicle;
