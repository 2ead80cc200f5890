//! What turns the wheels of a vehicle: direct drive, engines with gears, tanks, drivelines from
//! blocks. Also driver aids, inputs from keys and sticks, drivers and riders.
//!
//! To drive in a Rapier world, depend on `vehicle-rapier` instead: it re-exports this crate.
//!
//! Until the first release, the crate is not on crates.io. Clone the repository beside your
//! application, here as `vehicles`, then:
//!
//! ```sh
//! cargo add vehicle-core --path ../vehicles/vehicle-core
//! cargo add vehicle-drivetrain --path ../vehicles/vehicle-drivetrain
//! ```
//!
//! A car with an engine and an automatic gearbox, on a plane, without a physics engine:
//!
//! ```
//! use vehicle_core::math::{Pose, Vec3};
//! use vehicle_core::prelude::*;
//! use vehicle_core::rigid_body::RigidBodyState;
//! use vehicle_drivetrain::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mechanics = CarBlueprint::default().mechanics()?;
//! let mut car = EngineDriveVehicle::new(EngineDriveParams::automatic(mechanics, &[2, 3]))?;
//! let start = Pose::from_translation(Vec3::Y * 0.55);
//! car.state.mechanics.rigid_body = RigidBodyState::at_rest(start);
//!
//! let world = SimulationParams::default();
//! let road = FlatRoad::new(&world.coordinates.frame);
//! let sequence = EngineDriveVehicle::sequence();
//! car.commands.throttle = 0.5;
//! for _ in 0..300 {
//!     let _completed = sequence.update(&mut car, 1.0 / 60.0, &Context::new(&world, &road))?;
//! }
//! assert_eq!(car.displayed_gear().to_string(), "2");
//! # Ok(())
//! # }
//! ```
//!
//! # Torque path
//!
//! | drivetrain       | from                    | through                                               | to                   |
//! |------------------|-------------------------|-------------------------------------------------------|----------------------|
//! | [`direct_drive`] | throttle pedal and gear | response, table                                       | each driven wheel    |
//! | engine           | both pedals and gear    | [`engine`], [`clutch`], [`gearbox`], [`differential`] | each connected wheel |
//! | [`block_drive`]  | all controls            | any tree of [`blocks`]                                | each wheel of the tree |
//!
//! In a vehicle with an engine, [`transmission`] reads the driver's controls. It asks the automatic
//! gearbox, if there is one, for the gear ([`shift_map`], or the reference's [`autobox`]). Then it
//! sets gearbox, clutch and throttle. The differential gives each wheel its share, and
//! [`actuation`] says which wheels are driven.
//!
//! [`blocks`] has drivelines of any shape, from any engines to any number of wheels.
//! [`block_drive`] turns the wheels of a vehicle by such a driveline.
//!
//! A drivetrain runs twice in a step. Before the vehicle looks for its road, it says which wheels
//! drive and brake. In the substep group, when the tires' forces are known, it integrates the
//! wheels' rotation.
//!
//! [`DirectDriveVehicle`], [`EngineDriveVehicle`], [`TankVehicle`] and [`BlockDriveVehicle`] are
//! ready-made vehicles for any number of wheels and axles.

// Bounds that are computed from data must not panic: `math::Clamped` limits numbers in place of
// `clamp`.
#![warn(clippy::disallowed_methods, missing_debug_implementations)]

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

pub mod aids;
pub mod assistance;

pub mod engine_drive;
mod hill_holder;
mod parking_lock;

pub mod block_drive;
pub mod blocks;
pub mod blueprint;

pub mod driver;
pub mod drivetrain;

pub mod block_drive_vehicle;
pub mod diagnosis;
pub mod direct_drive_vehicle;
pub mod engine_drive_vehicle;
pub mod events;
pub mod handling;
pub mod inputs;
pub mod instruments;
pub mod prelude;
pub mod readings;
pub mod rider;
pub mod sequences;
pub mod stages;
pub mod vehicle;

mod aided;
mod displayed_gear;
mod drive;
mod leader;
mod model;
mod pacing;
mod plausible;
mod probed_tire;
mod regulator;
mod steering_table;
mod turning;

pub use block_drive_vehicle::{
    BlockDriveParams, BlockDriveState, BlockDriveVehicle, BlockDriveVehicleWith,
};
pub use direct_drive_vehicle::{DirectDriveParams, DirectDriveVehicle, DirectDriveVehicleWith};
pub use engine_drive_vehicle::{
    EngineDriveParams, EngineDriveVehicle, EngineDriveVehicleWith, TankParams, TankVehicle,
};

pub use aided::{AidPhase, AidedState, AidsMemory, HasAids};
pub use vehicle::{Drive, Vehicle};

/// The program of the page in a registry.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct RegistryPage;
