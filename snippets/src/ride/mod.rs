//! Rides over bumps, kerbs, washboards, potholes and hills.

mod car;
mod profile;
mod trial;

pub use car::RideCar;
pub use profile::Profile;
pub use trial::{GRAVITY, Moment, RideFigures, RideMeter, Trial, WINDOW};
