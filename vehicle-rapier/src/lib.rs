//! Vehicles in a Rapier world.
//!
//! A vehicle's chassis is a dynamic rigid body of the world. Each step, before the world's own:
//!
//! | phase                            | reads                    | → writes                       |
//! |----------------------------------|--------------------------|--------------------------------|
//! | [`Actor::wake_on_moving_ground`] | the ground               | the body wakes                 |
//! | [`Actor::begin`]                 | the body                 | the vehicle's rigid body state |
//! | the vehicle's sequence           | the world, by [`RapierRoad`] | the vehicle                |
//! | [`Actor::end`]                   | the vehicle              | the body's velocity or force   |
//! | [`Actor::push_ground`], if asked for | the vehicle          | the velocity of the ground's bodies |
//! | [`RowJoints`], if asked for      | the vehicle              | the world's joints             |
//! | [`WheelColliders::follow`], if there are any | the vehicle  | the place of the wheels' colliders |
//!
//! [`RapierVehicle`] does all of it for one vehicle. The crate re-exports [`vehicle_core`] as
//! [`core`] and [`vehicle_drivetrain`] as [`drivetrain`]: depend on `rapier3d` and this crate.

pub use vehicle_core as core;
pub use vehicle_drivetrain as drivetrain;

pub mod actor;
pub mod changes;
pub mod chassis;
#[cfg(feature = "debug-render")]
pub mod debug_render;
pub mod detail;
pub mod diagnosis;
pub mod drawing;
pub mod fleet;
pub mod friction;
pub mod placement;
pub mod reaction;
pub mod road_query;
pub mod row_joints;
pub mod scene;
pub mod sleep;
pub mod snapshot;
pub mod vehicle;
pub mod wheel_colliders;

pub use actor::{Activity, Actor, ActorError, ActorMemory, UpdateMode};
pub use changes::{ChangeError, SprungMasses};
pub use chassis::Chassis;
pub use detail::Detail;
pub use diagnosis::diagnose;
pub use fleet::Fleet;
pub use friction::FrictionTable;
pub use reaction::LinkForces;
pub use road_query::{
    RapierRoad, RoadCandidate, RoadFilter, RoadQueryParams, RoadQueryShape, RoadResources,
    SmoothMesh, SmoothMeshError,
};
pub use row_joints::RowJoints;
pub use scene::Scene;
pub use sleep::{Drivable, DriverIntent};
pub use snapshot::{SnapshotError, VehicleSnapshot};
pub use vehicle::{RapierVehicle, StepError};
pub use wheel_colliders::WheelColliders;

/// The program of the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
