//! Vehicles as files: JSON, RON or TOML, for vehicles of every kind.
//!
//! A [`VehicleFile`] is plain data that says all of a vehicle: its body, mechanics, tires, what
//! drives it. [`AnyVehicle`] reads one and makes vehicles of it:
//!
//! ```
//! use rapier3d::prelude::*;
//! use vehicle_rapier::vehicle_file::{AnyVehicle, FileFormat};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let mut world = PhysicsWorld::new();
//! # let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
//! # world.insert_collider(road.friction(1.0), None);
//! # world.detect_collisions(&(), &());
//! let text = r#"{
//!   "version": 1,
//!   "mechanics": { "data_sheet": {
//!     "mass": 1050.0, "size": [3.9, 1.7, 1.2], "wheel_base": 2.5, "track_width": 1.48,
//!     "front_share": 0.62, "center_of_mass_height": 0.53, "brake_torques": [1700.0, 300.0]
//!   } },
//!   "drive": { "direct": {
//!     "throttle": { "max_response": 500.0, "wheel_multipliers": [1.0, 1.0, 0.0, 0.0] }
//!   } }
//! }"#;
//! let car = AnyVehicle::from_str(FileFormat::Json, text)?;
//! let height = Vector::Y * car.standing_height(9.81);
//! let mut car = car.insert(&mut world, Pose::from_translation(height));
//! car.commands_mut().throttle = 0.5;
//! for _ in 0..60 {
//!     car.step(&mut world)?;
//! }
//! assert!(1.0 < car.forward_speed());
//! # Ok(())
//! # }
//! ```
//!
//! Names are those of the parameters in this crate's documentation, units are SI. What is not known
//! is refused, with its place and, where a name is close, with what may have been meant. Where a
//! bound may be infinite, it is written `"inf"`.

mod any_drive;
mod any_vehicle;
mod chassis;
mod fault;
mod file_changes;
mod format;
mod locate;
mod migration;
mod model;
mod own_tires;
pub mod physx;
#[cfg(feature = "presets")]
mod presets;
mod resolve;
mod tires;
mod to_file;
mod tree;
mod typed;

use std::path::Path;

use serde::{Deserialize, Serialize};
use vehicle_core::blueprint::{CarBlueprint, VehicleBlueprint};
use vehicle_core::commands::CommandResponseParams;
#[cfg(feature = "schema")]
use vehicle_core::math::Real;
use vehicle_core::math::Vec3;
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::{Frame, SimulationParams};
use vehicle_drivetrain::aids::AidsParams;
use vehicle_drivetrain::block_drive::SpinAxis;
use vehicle_drivetrain::blocks::BlockTree;
use vehicle_drivetrain::blueprint::EngineBlueprint;
use vehicle_drivetrain::differential::TankDifferentialParams;
use vehicle_drivetrain::drivetrain::DrivetrainParams;
use vehicle_drivetrain::rider::RiderParams;

pub use self::any_drive::{
    AnyDrive, AnyDriveControls, AnyDriveMemory, AnyDriveState, AnyDriveVehicle, AnyMemory,
    AnyRapierVehicle, AnySaved, AnySnapshot, CouplingError, HitchError, RemakeError, StartPlace,
};
pub use self::any_vehicle::AnyVehicle;
pub use self::chassis::{ChassisCollider, ChassisSource, ColliderShape};
pub use self::fault::{FaultLines, FileFault, FilePosition, VehicleFileError};
pub use self::file_changes::FileChange;
pub use self::format::FileFormat;
pub use self::own_tires::{OwnTireSource, OwnTires};
#[cfg(feature = "presets")]
pub use self::presets::{Coupling, Preset};
pub use self::tires::{TireFile, TireSource};
use crate::road_query::RoadQueryShape;

/// The version of the files that this build writes. It reads older ones, too.
pub const FILE_VERSION: u32 = 1;

/// A vehicle, as in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VehicleFile {
    /// Where an editor finds the schema of such files; without meaning for the vehicle.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The version of the file: 1.
    pub version: u32,
    /// Name of the vehicle.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Where the figures come from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// Axes of the vehicle: forward +z, left +x, up +y unless said otherwise.
    #[serde(default)]
    pub frame: Frame,
    /// Body and colliders. Without it, a vehicle of a data sheet gets a box of its size, and others
    /// get no collider. The center of mass is then the origin of the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chassis: Option<ChassisSource>,
    /// Mass, wheels, suspensions, brakes and steering.
    pub mechanics: MechanicsSource,
    /// Tires that replace those of the mechanics: one for all wheels, or one for each. Friction,
    /// stiffness and rolling resistance in the data sheet then have no effect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tires: Vec<TireSource>,
    /// Drive that turns the wheels.
    pub drive: DriveSource,
    /// Rider of a motorcycle, who balances and leans it. The vehicle needs an engine and two wheels
    /// in line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rider: Option<RiderParams>,
    /// Driver aids of the vehicle.
    #[serde(default, skip_serializing_if = "AidsParams::is_none")]
    pub aids: AidsParams,
    /// Substeps of suspension, tires, wheels and body per step, from 1 to 64. By default, as many
    /// as the kind of drive usually takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substeps: Option<u32>,
    /// Shape that each wheel sends down to find the road.
    #[serde(default)]
    pub road_query: RoadQueryShape,
    /// Whether its wheels meet what stands in front of them, such as kerbs; otherwise a road only
    /// lifts them. By default, wheels with mass do; those without mass cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meets_obstacles: Option<bool>,
    /// Where trailers are coupled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hitches: Vec<HitchParams>,
}

/// The mechanical base of a vehicle, as in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MechanicsSource {
    /// The data sheet of a car with two axles, from which everything else follows.
    DataSheet(Box<CarBlueprint>),
    /// The data sheets of all axles of a vehicle, from which everything else follows.
    Blueprint(Box<VehicleBlueprint>),
    /// All parameters, for any number of wheels.
    Parameters(Box<MechanicalParams<TireSource>>),
}

/// Drive that turns the wheels of a vehicle, as a file gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DriveSource {
    /// Nothing: a trailer.
    Towed,
    /// A torque on each wheel.
    Direct(DirectSource),
    /// An engine, a clutch, a gearbox and a differential.
    Engine(Box<DrivetrainParams>),
    /// The data sheet of an engine, from which clutch, gears and an open differential follow.
    DataSheet(EngineBlueprint),
    /// An engine, a clutch and a gearbox that drive two tracks.
    Tank(Box<DrivetrainParams<TankDifferentialParams>>),
    /// A driveline of blocks.
    Blocks(BlockSource),
}

/// A torque on each wheel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DirectSource {
    /// Response of each wheel's drive torque (N·m) to the throttle.
    pub throttle: CommandResponseParams,
}

/// A driveline of blocks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BlockSource {
    /// Blocks and shafts.
    pub driveline: BlockTree,
    /// Blocks whose rotating parts turn the body as they change their speed.
    #[serde(default)]
    pub spin_axes: Vec<SpinAxis>,
}

/// Where a trailer is coupled, or couples itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HitchParams {
    /// A name of its own.
    pub name: String,
    /// Where it is in the body (m).
    #[cfg_attr(feature = "schema", schemars(with = "[Real; 3]"))]
    pub position: Vec3,
}

impl VehicleFile {
    /// A file of the present version, of mechanics and drive, with nothing else said.
    pub fn new(mechanics: MechanicsSource, drive: DriveSource) -> Self {
        Self {
            schema: None,
            version: FILE_VERSION,
            name: String::new(),
            source: String::new(),
            frame: Frame::default(),
            chassis: None,
            mechanics,
            tires: Vec::new(),
            drive,
            rider: None,
            aids: AidsParams::default(),
            substeps: None,
            road_query: RoadQueryShape::default(),
            meets_obstacles: None,
            hitches: Vec::new(),
        }
    }

    /// Whether it is made to rest on another vehicle, or to carry a part of one. Loads of a data
    /// sheet say so, and hitches beside full parameters.
    pub(super) fn is_made_for_coupling(&self) -> bool {
        match &self.mechanics {
            MechanicsSource::Blueprint(sheet) => {
                sheet.coupled_load.is_some()
                    || sheet.axles.iter().any(|axle| axle.laden_load.is_some())
            }
            MechanicsSource::DataSheet(_) => false,
            MechanicsSource::Parameters(_) => !self.hitches.is_empty(),
        }
    }

    /// Numbers of the simulation as the file says them.
    pub(super) fn simulation_params(&self) -> SimulationParams {
        let usual = SimulationParams::new(self.frame);
        let meets_obstacles = self.meets_obstacles.unwrap_or(usual.meets_obstacles);
        SimulationParams { meets_obstacles, ..usual }
    }

    /// Reads a file's text. What it means is not checked yet: [`AnyVehicle`] does.
    ///
    /// # Errors
    ///
    /// The first fault of syntax, with its place; a version that is not known.
    pub fn from_str(format: FileFormat, text: &str) -> Result<Self, VehicleFileError> {
        migration::read(format, text).map_err(VehicleFileError::of_fault)
    }

    /// Reads the file at `path`, in the format of its extension: `json`, `ron` or `toml`.
    ///
    /// # Errors
    ///
    /// As of [`from_str`](Self::from_str); if the file cannot be read.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, VehicleFileError> {
        let path = path.as_ref();
        let (format, text) = format::read_file(path, &format::of_file_system)?;
        Self::from_str(format, &text).map_err(|error| error.in_file(path))
    }

    /// The text of a file. Read again, it is the same vehicle, bit by bit. RON has no
    /// [`schema`](Self::schema).
    ///
    /// # Errors
    ///
    /// If a number is none.
    pub fn to_text(&self, format: FileFormat) -> Result<String, VehicleFileError> {
        let text = if format == FileFormat::Ron && self.schema.is_some() {
            format.write(&Self { schema: None, ..self.clone() })
        } else {
            format.write(self)
        };
        text.map_err(VehicleFileError::of_fault)
    }
}

/// The JSON Schema of vehicle files, for editors that complete and check them.
#[cfg(feature = "schema")]
pub fn json_schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(VehicleFile).to_value();
    if let Some(object) = schema.as_object_mut() {
        object.insert("title".to_owned(), "A vehicle".into());
    }
    for_readers(&mut schema);
    schema
}

/// Descriptions without links into the code, which lead nowhere in an editor.
#[cfg(feature = "schema")]
fn for_readers(node: &mut serde_json::Value) {
    match node {
        serde_json::Value::Object(fields) => {
            if let Some(serde_json::Value::String(text)) = fields.get_mut("description") {
                *text = without_links(text);
            }
            fields.values_mut().for_each(for_readers);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(for_readers),
        _ => {}
    }
}

/// `text` in which `[words](path)` is `words`; an address on the web stays.
#[cfg(feature = "schema")]
fn without_links(text: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(middle) = rest.find("](") {
        let (before, after) = (&rest[..middle], &rest[middle + 2..]);
        let (Some(start), Some(end)) = (before.rfind('['), after.find(')')) else { break };
        let is_address = after[..end].contains("://");
        let link = &rest[start..middle + 2 + end + 1];
        plain.push_str(&before[..start]);
        plain.push_str(if is_address { link } else { &before[start + 1..] });
        rest = &after[end + 1..];
    }
    plain + rest
}
