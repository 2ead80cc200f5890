//! What turns the wheels of a vehicle.
//!
//! # Torque path
//!
//! | drivetrain       | from                    | through                                               | to                   |
//! |------------------|-------------------------|-------------------------------------------------------|----------------------|
//! | [`direct_drive`] | throttle pedal and gear | response, table                                       | each driven wheel    |
//! | engine           | both pedals and gear    | [`engine`], [`clutch`], [`gearbox`], [`differential`] | each connected wheel |
//! | [`block_drive`]  | all controls            | any tree of [`blocks`]                                | each wheel of the tree |
//!
//! Of a vehicle with an engine, [`transmission`] reads the driver's controls: it asks the
//! automatic gearbox, if there is one, for the gear ([`shift_map`], or the reference's [`autobox`]),
//! and says how gearbox, clutch and throttle answer.
//! The differential gives each wheel its share, and [`actuation`] says which wheels are driven.
//!
//! [`blocks`] has drivelines of any shape, from any engines to any number of wheels; [`block_drive`] turns the wheels
//! of a vehicle by them.
//!
//! A drivetrain says which wheels drive and brake before the road is probed, and integrates the
//! wheels' rotation in the substep group, when the tires' forces are known.
//!
//! [`DirectDriveVehicle`], [`EngineDriveVehicle`], [`TankVehicle`] and [`BlockDriveVehicle`] are ready-made vehicles for any
//! number of wheels and axles.

pub mod direct_drive;

pub mod actuation;
pub mod autobox;
pub mod clutch;
pub mod differential;
pub mod engine;
pub mod engine_control;
pub mod gearbox;
pub mod shift_law;
pub mod shift_map;
pub mod transmission;

pub mod engine_drive;

pub mod block_drive;
pub mod blocks;

pub mod drivetrain;

pub mod block_drive_vehicle;
pub mod diagnosis;
pub mod direct_drive_vehicle;
pub mod engine_drive_vehicle;
pub mod instruments;
pub mod prelude;
pub mod sequences;

mod model;
mod own;
mod turning;

pub use block_drive_vehicle::{
    BlockDriveParams, BlockDriveState, BlockDriveVehicle, BlockDriveVehicleWith,
};
pub use direct_drive_vehicle::{DirectDriveParams, DirectDriveVehicle, DirectDriveVehicleWith};
pub use engine_drive_vehicle::{
    EngineDriveParams, EngineDriveVehicle, EngineDriveVehicleWith, TankParams, TankVehicle,
};
