//! What two features do together, each of which is tested alone elsewhere.

#[path = "../common/mod.rs"]
mod common;

mod lost_wheels;
mod relieved_wheels;
