//! What two features do together, each of which is tested alone elsewhere.

#[path = "../common/mod.rs"]
mod common;

mod relieved_wheels;
