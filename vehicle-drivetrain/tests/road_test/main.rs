//! Road tests: the default saloon on a proving ground, and what follows from its parts.

mod braking;
mod car;
#[path = "../common/mod.rs"]
mod common;
mod cornering;
mod drivetrain;
mod rotation;
mod suspension;
