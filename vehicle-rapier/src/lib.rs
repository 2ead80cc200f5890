//! Vehicles in a Rapier world: cars, trucks, trailers, tanks, motorcycles and machines of your own,
//! for any application on Rapier.
//!
//! Until the first release, the crate is not on crates.io. Clone the repository beside your
//! application, here as `vehicles`, then:
//!
//! ```sh
//! cargo add rapier3d@0.36
//! cargo add vehicle-rapier --path ../vehicles/vehicle-rapier
//! ```
//!
//! A hot hatch that drives off; [`AnyVehicle::load`] takes a file of your own instead:
//!
//! ```
//! use rapier3d::prelude::*;
//! use vehicle_rapier::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = PhysicsWorld::new();
//! let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
//! world.insert_collider(road.friction(1.0), None); // dry asphalt; Rapier's default is 0.5
//! world.detect_collisions(&(), &()); // the first step already sees the road
//!
//! let model = AnyVehicle::preset("hot_hatch")?;
//! let place = Pose::from_translation(Vector::Y * model.standing_height(9.81));
//! let mut car = model.insert(&mut world, place);
//! car.commands_mut().throttle = 0.5;
//! for _ in 0..300 {
//!     car.step(&mut world)?; // the car, then the world
//! }
//! assert!(5.0 < car.forward_speed());
//! # Ok(())
//! # }
//! ```
//!
//! The same from parameters in the program, with a chassis of your own:
//!
//! ```
//! # use rapier3d::prelude::*;
//! # use vehicle_rapier::prelude::*;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let mut world = PhysicsWorld::new();
//! # let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
//! # world.insert_collider(road.friction(1.0), None);
//! # world.detect_collisions(&(), &());
//! let mechanics = CarBlueprint::default().mechanics()?;
//! let chassis = Chassis::new(&mechanics.rigid_body)
//!     .pose(Pose::from_translation(Vector::Y * 0.6))
//!     .collider(ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2));
//! let vehicle = EngineDriveVehicle::new(EngineDriveParams::automatic(mechanics, &[2, 3]))?;
//! let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, EngineDriveVehicle::sequence());
//!
//! car.vehicle.commands.throttle = 0.5;
//! for _ in 0..300 {
//!     car.step(&mut world)?;
//! }
//! assert!(20.0 < car.speed_kmh());
//! # Ok(())
//! # }
//! ```
//!
//! # Where next
//!
//! | task | see |
//! |---|---|
//! | put a vehicle into a world, step it, read it | [`RapierVehicle`], [`Chassis`], [`Instruments`](drivetrain::instruments::Instruments) |
//! | change the parameters of a car | [`CarBlueprint`](core::blueprint::CarBlueprint), [`MechanicalParams`](core::vehicle::MechanicalParams) |
//! | choose what turns the wheels | [`drivetrain`]: direct drive, engine, tank, drivelines from blocks |
//! | choose, or write, a tire | [`core::tire`] |
//! | find what is odd about a vehicle, and about its world | [`diagnose`], [`diagnose_in`] |
//! | update many vehicles on all cores | [`fleet`] |
//! | get events and readings for sound and effects | [`events`], [`RapierVehicle::readings`] |
//! | save and go back | [`snapshot`] |
//! | save and load a game | [`saved`] |
//! | drive far from the origin | [`origin_shift`] |
//! | replace Rapier's own vehicle controller | [`migration`] |
//! | keep vehicles in files, JSON, RON or TOML | [`AnyVehicle`], [`vehicle_file`] |
//!
//! The crate re-exports [`vehicle_core`] as [`core`] and [`vehicle_drivetrain`] as [`drivetrain`]:
//! depend on `rapier3d` and this crate only. The [`prelude`] has the names that most programs need.
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `presets` | yes | ready-made vehicles, compiled into your program: `AnyVehicle::preset` |
//! | `all-formats` | yes | vehicle files in RON and TOML beside JSON |
//! | `rayon` | yes | the vehicles of a [`Fleet`] are updated by all threads of the pool |
//! | `debug-render` | yes | vehicles as lines, by Rapier's debug renderer: `RapierVehicle::debug_render` |
//! | `parallel` | no | the world's step uses all threads of the pool, with the same bits |
//! | `enhanced-determinism` | no | the same bits on all platforms |
//! | `schema` | no | the JSON Schema of vehicle files |
//!
//! # A step
//!
//! A vehicle's chassis is a dynamic rigid body of the world. An update has these phases, before the
//! step of the world:
//!
//! | phase                            | reads                    | → writes                       |
//! |----------------------------------|--------------------------|--------------------------------|
//! | [`Actor::watch_ground`]          | the ground               | the body wakes                 |
//! | [`Actor::begin`]                 | the body                 | the vehicle's rigid body state |
//! | the vehicle's sequence           | the world, by [`RapierRoad`] | the vehicle                |
//! | [`Actor::push_ground`]: bodies in front; those below, if asked for | the vehicle | the velocity of these bodies |
//! | [`Actor::end`]                   | the vehicle              | the body's velocity or force   |
//! | [`WheelColliders::follow`], if there are any | the vehicle  | the place of the wheels' colliders |
//! | [`RowJoints`], if asked for      | the vehicle              | the world's joints             |
//!
//! [`RapierVehicle`] does all of this for one vehicle.
//!
//! # A drivetrain of your own
//!
//! Robots, test benches and games may have a drivetrain of their own. They write the torques and
//! steer angles of the wheels before each step. The vehicle computes all else: suspension, tires,
//! brakes that hold. Here a controller keeps each rear wheel at a speed:
//!
//! ```
//! use rapier3d::prelude::*;
//! use vehicle_rapier::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let mut world = PhysicsWorld::new();
//! # let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
//! # world.insert_collider(road.user_data(7), None);
//! # world.detect_collisions(&(), &());
//! let mechanics = CarBlueprint::default().mechanics()?;
//! let chassis = Chassis::new(&mechanics.rigid_body)
//!     .pose(Pose::from_translation(Vector::Y * 0.6))
//!     .collider(ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2));
//! let throttle = CommandResponseParams::linear(0.0, [0.0; 4]); // there is no driver
//! let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
//! let sequence = DirectDriveVehicle::sequence_of_written_torques(|_| 3);
//! let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
//!
//! for _ in 0..300 {
//!     let state = &mut car.vehicle.state;
//!     for wheel in [2, 3] {
//!         let speed = state.mechanics.wheels.of(wheel).rotation_speed;
//!         state.drive.torques[wheel] = (200.0 * (15.0 - speed)).clamp(-600.0, 600.0); // N·m
//!     }
//!     for wheel in [0, 1] {
//!         state.mechanics.steer_angles[wheel] = 0.05; // rad
//!     }
//!     car.step(&mut world)?;
//! }
//! assert!((car.vehicle.state.mechanics.wheels.of(2).rotation_speed - 15.0).abs() < 0.5);
//!
//! let contact = car.wheel_contact(2).expect("the wheel is on the road");
//! assert_eq!(contact.user_data(&world.colliders), Some(7));
//! assert!(contact.wheel.skid_speed < 0.2);
//! # Ok(())
//! # }
//! ```

// Bounds that are computed from data must not panic: `math::Clamped` limits numbers in place of
// `clamp`.
#![warn(clippy::disallowed_methods, missing_debug_implementations)]

pub use vehicle_core as core;
pub use vehicle_drivetrain as drivetrain;

pub mod actor;
mod advance;
#[cfg(test)]
mod auto_traits;
pub mod body;
pub mod changes;
pub mod chassis;
pub mod contact;
#[cfg(feature = "debug-render")]
pub mod debug_render;
pub mod detail;
pub mod diagnosis;
pub mod drawing;
mod drivable;
mod driver;
pub mod events;
pub mod fleet;
pub mod friction;
mod loaded_mass;
pub mod loose_wheels;
mod lost_parts;
mod mark;
pub mod migration;
pub mod origin_shift;
pub mod placement;
pub mod prelude;
pub mod reaction;
mod rest;
pub mod road_query;
pub mod rough_ground;
pub mod row_joints;
pub mod saved;
pub mod scene;
pub mod sleep;
pub mod snapshot;
pub mod soils;
mod towing;
mod update_mode;
pub mod user_data;
pub mod vehicle;
pub mod vehicle_file;
pub mod wheel_colliders;
mod yielding;

pub use actor::{Activity, Actor, ActorError, ActorMemory, UpdateMode};
pub use changes::{ChangeError, SprungMasses};
pub use chassis::Chassis;
pub use contact::GroundContact;
pub use detail::Detail;
pub use diagnosis::{diagnose, diagnose_in};
pub use drivable::{Drivable, DriverIntent};
pub use fleet::Fleet;
pub use friction::FrictionTable;
pub use loaded_mass::LoadedMass;
pub use loose_wheels::{LooseWheel, WheelLimits};
pub use lost_parts::LostParts;
pub use reaction::LinkForces;
pub use road_query::{
    RapierRoad, RoadCandidate, RoadFilter, RoadQueryParams, RoadQueryShape, RoadResources,
    SmoothMesh, SmoothMeshError,
};
pub use rough_ground::RoughGround;
pub use row_joints::RowJoints;
pub use saved::SavedVehicle;
pub use scene::{Scene, WorldParts, WorldView};
pub use sleep::SleepParams;
pub use snapshot::{SnapshotError, VehicleSnapshot};
pub use soils::SoilTable;
pub use user_data::UserData;
pub use vehicle::{RapierVehicle, StepError};
pub use vehicle_file::{AnyRapierVehicle, AnyVehicle, VehicleFile};
pub use wheel_colliders::WheelColliders;

/// The programs of all pages: what they show compiles, and drives.
#[cfg(doctest)]
mod pages {
    /// A page, whose blocks of code are tests.
    macro_rules! page {
        ($name:ident, $path:literal) => {
            #[doc = include_str!($path)]
            struct $name;
        };
    }

    page!(Readme, "../../README.md");
    page!(RegistryPage, "../README.md");
    page!(Architecture, "../../ARCHITECTURE.md");
    page!(Contributing, "../../CONTRIBUTING.md");
    page!(Aids, "../../docs/aids.md");
    page!(Drivelines, "../../docs/drivelines.md");
    page!(Events, "../../docs/events.md");
    page!(Guide, "../../docs/guide.md");
    page!(Migration, "../../docs/migration.md");
    page!(Motorcycle, "../../docs/motorcycle.md");
    page!(Multiplayer, "../../docs/multiplayer.md");
    page!(Obstacles, "../../docs/obstacles.md");
    page!(Ride, "../../docs/ride.md");
    page!(Steering, "../../docs/steering.md");
    page!(Tires, "../../docs/tires.md");
    page!(Troubleshooting, "../../docs/troubleshooting.md");
    page!(Tuning, "../../docs/tuning.md");
    page!(VehicleFiles, "../../docs/vehicle_files.md");
}
