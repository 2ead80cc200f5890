//! Road tests: the default saloon on a proving ground, and what follows from its parts.

mod car;
#[path = "../common/mod.rs"]
mod common;
mod cornering;
mod drivetrain;
mod suspension;
