//! What two features do together, each of which is tested alone elsewhere.

#[path = "../common/mod.rs"]
mod common;

mod failed_steps;
mod lost_wheels;
mod pending_changes;
mod pushes;
mod put_elsewhere;
mod relieved_wheels;
mod resets;
mod saved_games;
mod shifted_origin;
mod tows;
mod trains;
mod turned_axes;
