//! Laws that hold for every car: weight, mirror, frames, energy, grip, finiteness.
//!
//! Cars and motions are given in the frame [`FRAME`](cars::FRAME); numbers are drawn from a fixed
//! seed.

#[path = "../common/mod.rs"]
mod common;

mod cars;
mod engines;
mod motions;
mod scene;
mod vehicles;

mod balance;
mod energy;
mod grip;
mod losses;
mod symmetry;
