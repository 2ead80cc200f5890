//! Rides over bumps, kerbs, washboards, potholes and hills, falls and a shaker rig, in steps of
//! several lengths.

mod car;
mod curves;
mod profile;
mod recording;
mod shaker;
mod trial;

pub use car::RideCar;
pub use curves::Curve;
pub use profile::Profile;
pub use recording::{FINE, Obstacle, RATES, RideRecording, record, report, run_count};
pub use shaker::{Shaken, ShakerRig, Transmitted};
pub use trial::{Moment, RideFigures, RideMeter, Trial, WINDOW};
