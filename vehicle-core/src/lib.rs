//! The mechanical model of a vehicle: suspensions, tires, wheels, steering and a rigid body.
//!
//! The crate needs no physics engine: a vehicle asks a [`RoadSurface`](road_geometry::RoadSurface)
//! for the road and returns a velocity. To drive in a Rapier world, depend on `vehicle-rapier`
//! instead: it re-exports this crate.
//!
//! Until the first release, the crate is not on crates.io. Clone the repository beside your
//! application, here as `vehicles`, then:
//!
//! ```sh
//! cargo add vehicle-core --path ../vehicles/vehicle-core
//! ```
//!
//! A data sheet gives all parameters of a car:
//!
//! ```
//! use vehicle_core::prelude::*;
//!
//! let sheet = CarBlueprint { mass: 1_200.0, natural_frequency: 1.6, ..CarBlueprint::default() };
//! let car = sheet.mechanics()?;
//! let stiffness = car.suspension_forces[0].stiffness;
//! assert!((28e3..32e3).contains(&stiffness), "{stiffness} N/m");
//! # Ok::<(), ParamErrors>(())
//! ```
//!
//! | task | see |
//! |---|---|
//! | see all parameters of a car | [`vehicle::MechanicalParams`] |
//! | compute with one formula | [`suspension`], [`tire`], [`steering`], [`aerodynamics`] |
//! | write a tire | [`tire::TireModel`] |
//! | write a stage, and put it in order | [`Component`], [`ComponentSequence`] |
//! | find odd numbers of a vehicle | [`diagnosis`] |
//!
//! *The reference* in these pages is the Vehicle SDK of PhysX 5. Our mechanical model started from
//! it.
//!
//! # Data flow
//!
//! One step runs the stages in this order. Each stage is one module; it reads the middle column and
//! writes only the right one.
//!
//! | stage             | reads                                   | → writes                          |
//! |-------------------|-----------------------------------------|-----------------------------------|
//! | [`brakes`]        | brake pedals, responses                 | brake torques                     |
//! | [`steering`]      | steering wheel, response, Ackermann     | steer angles                      |
//! | a drivetrain      | throttle, gear                          | drive torques, [`actuation`]      |
//! | [`aerodynamics`]  | body velocity                           | force of the air                  |
//! | [`road_geometry`] | body pose, steer angles, the road       | plane and friction per wheel      |
//! | [`suspension`] ●  | road planes, body state                 | jounce, compliance, forces        |
//! | [`tire`] ●        | suspension forces, wheel speeds         | slips, tire forces                |
//! | [`constraint_rows`] ● | sticky tires, suspensions at their end | rows that hold the body        |
//! | a drivetrain ●    | torques, tire forces                    | wheel speeds, tire forces         |
//! | [`stages::SteeringFeedback`] ● | tire forces, torque of hands | steering-wheel torque, steer angles |
//! | [`rigid_body`] ●  | suspension and tire forces, rows        | body pose and velocity            |
//! | [`ground`] ●      | forces of the wheels, the road's speed  | road planes, what pushes them     |
//! | [`wheel`]         | wheel speeds, jounce, steer angles      | wheel rotation, local pose        |
//!
//! Stages with ● form a substep group in the ready-made vehicles.
//!
//! # Layers
//!
//! 1. *Formulas*: pure functions of one wheel, values in, value out.
//! 2. *Stages*: `SuspensionView::update` and friends, loops over the wheels of one vehicle, on
//!    borrowed lists ([`WheelList`]), four wheels at once.
//! 3. *Components*: the [`stages`] ask a vehicle for a view and run it. A [`ComponentSequence`]
//!    orders them.
//!
//! Each layer can be used without the next. [`vehicle`] has a ready-made vehicle without a
//! drivetrain, and [`blueprint`] computes its parameters from a car's data sheet.
//!
//! # Conventions
//!
//! SI units and radians. Axes are those of the [`Frame`]. Vectors are in the world unless their
//! documentation says body or suspension frame.

// Bounds that are computed from data must not panic: `math::Clamped` limits numbers in place of
// `clamp`.
#![warn(clippy::disallowed_methods, missing_debug_implementations)]

mod clone_by_field;
pub mod math;

pub mod convert;
pub mod error;
pub mod frame;
pub mod lookup_table;
pub mod tire_code;
pub mod unbounded;
pub mod written_pose;

pub mod axle;
pub mod wheel_list;

mod body;
mod mount;
mod plane;
mod road;
mod rows;
mod turning_wheel;

pub mod component;
pub mod context;
pub mod sequence;
pub mod spare;

pub mod commands;

pub mod brakes;
pub mod steering;

pub mod actuation;
pub mod road_geometry;
pub mod suspension;
pub mod tire;

pub mod aerodynamics;
pub mod constraint_rows;
pub mod driveline;
pub mod ground;
pub mod implicit_clutch;
pub mod legacy;
pub mod mass_distribution;
pub mod rigid_body;
pub mod wheel;
pub mod wheel_forces;
pub mod wheel_rotation;

pub mod diagnosis;
mod findings;
pub mod memory;
pub mod vehicle;

pub mod stages;

pub mod origin_shift;

pub mod blueprint;

pub mod prelude;

pub use axle::AxleDescription;
pub use component::Component;
pub use context::{
    Context, LevelOfDetail, SimulationParams, Substep, WheelCoupling, WheelReaction,
};
pub use error::{ParamError, ParamErrors, Validate};
pub use frame::Frame;
pub use memory::Persistent;
pub use sequence::ComponentSequence;
pub use wheel_list::{MAX_WHEELS, WheelList, WheelRefs, WheelVec};

/// The program of the page in a registry.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct RegistryPage;
