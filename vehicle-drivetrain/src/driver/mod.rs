//! Drivers: who follows a path, keeps the distance to others, and backs a trailer into a bay.
//!
//! | type | what it is |
//! |---|---|
//! | [`Path`] | a smooth way through points, with curvature and speeds |
//! | [`VehicleFigures`] | what a vehicle can, from its parameters |
//! | [`ProfileParams`] | how fast it follows a path: [`Path::with_profile`] |
//! | [`DriverModel`], [`PathDriver`] | a driver who follows the path, any vehicle, either way |
//! | [`Leader`] | the vehicle ahead, for traffic |
//! | [`Towing`] | a trailer that is pushed backward along the path |
//! | [`Track`] | two borders, and the racing line between them |
//!
//! A driver reads the vehicle by [`DriverView::of`] and gives
//! [`DrivingCommands`](crate::inputs::DrivingCommands), as inputs of a player do. Its state is
//! plain and belongs into snapshots; nothing in a step allocates.
//!
//! Drivers think in meters: vehicles of another unit of length have none.

mod demand;
mod figures;
mod following;
mod forecast;
mod gearing;
mod model;
mod path;
mod path_driver;
mod pedals;
mod profile;
mod profile_params;
mod racing_line;
mod spline;
mod stance;
mod steering;
mod towing;
mod view;

pub use self::figures::{DriveFigures, VehicleFigures};
pub use self::following::PathUser;
pub use self::model::DriverModel;
pub use self::path::{Path, PathPlace, PathPoint};
pub use self::path_driver::{PathDriver, PathDriverState};
pub use self::pedals::Feet;
pub use self::profile_params::ProfileParams;
pub use self::racing_line::Track;
pub use self::towing::Towing;
pub use self::view::DriverView;
pub use crate::leader::Leader;
