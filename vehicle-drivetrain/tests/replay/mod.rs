//! Replaying recorded drives with our vehicles.

// Private to the test binary, and not seen from outside.
#![allow(unreachable_pub)]

pub mod drive;
mod parameters;
pub mod row;
