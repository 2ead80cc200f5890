//! Drivelines from blocks.

mod building;
mod custom;
mod drives;
mod fuzz;
mod laws;
mod protocol;
mod road;
mod shifting;
mod vehicle;
