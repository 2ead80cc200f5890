//! Worlds to drive in, without graphics.
//!
//! A [`Session`] is a vehicle in a world, driven by a keyboard, a gamepad or a recording. It steps
//! at a fixed rate and gives poses between two steps, so that any front, a page in a browser or a
//! window, only draws:
//!
//! ```
//! use playground::{Key, Session, Setup};
//!
//! # fn main() -> Result<(), playground::Error> {
//! let mut session = Session::new(Setup::default())?;
//! session.keyboard.set(Key::Forward, true);
//! for _ in 0..144 {
//!     session.advance(1.0 / 144.0)?; // a frame of a display of 144 Hz
//! }
//! assert!(1.0 < session.readings().speed);
//! # Ok(())
//! # }
//! ```
//!
//! Everything is in meters, seconds, newtons and radians; forward is +z, left +x, up +y.

mod aids;
mod camera;
mod controls;
mod crowd;
mod driver;
mod error;
pub mod fingerprint;
mod ghost;
mod laps;
mod look;
mod mesh;
mod readings;
mod recorded_lap;
mod recording;
mod session;
mod soft_field;
mod vehicles;
pub mod worlds;

pub use aids::{AidSet, AidSwitch};
pub use camera::{CameraMode, CameraPose};
pub use controls::{DriverInput, Event, Gamepad, Key, Keyboard};
pub use crowd::CROWD_SIZE;
pub use driver::{Driver, GearMode};
pub use error::Error;
pub use laps::{Lap, LapTimes, SECTORS};
pub use look::{Look, LookKind, LookPart, Paint, PartLook, WheelLook, bounds_of, look_of};
pub use mesh::{Face, Mesh};
pub use readings::{Readings, WheelReading};
pub use recorded_lap::RecordedLap;
pub use recording::Recording;
pub use session::{DT, Session, Setup};
pub use vehicles::{DEFAULT_VEHICLE, body_size, train_names, vehicle_file, vehicle_names};
