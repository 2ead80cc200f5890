//! Drivelines from blocks.

mod bench;
mod building;
mod couplings;
mod custom;
mod drives;
mod engine;
mod fuzz;
mod laws;
mod protocol;
mod road;
mod shifting;
mod vehicle;
