//! What can go wrong.

use vehicle_rapier::StepError;
use vehicle_rapier::actor::ActorError;
use vehicle_rapier::core::ParamErrors;
use vehicle_rapier::core::sequence::MissingComponent;
use vehicle_rapier::placement::PlacementError;
use vehicle_rapier::road_query::SmoothMeshError;
use vehicle_rapier::vehicle_file::{CouplingError, VehicleFileError};

/// Why there is no drive.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No vehicle has this name.
    #[error("the vehicle must be one of {}, got {name:?}", known.join(", "))]
    UnknownVehicle {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// No world has this name.
    #[error("the world must be one of {}, got {name:?}", known.join(", "))]
    UnknownWorld {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// The world has no such place to start from.
    #[error("the place to start from (`start`) must be below {count}, got {start}")]
    UnknownStart {
        /// The number.
        start: usize,
        /// How many there are.
        count: usize,
    },
    /// The file of a vehicle has a fault.
    #[error(transparent)]
    File(#[from] VehicleFileError),
    /// Parameters of the world have a fault.
    #[error(transparent)]
    Params(#[from] ParamErrors),
    /// The vehicle has not the stage beside which the world needs one.
    #[error(transparent)]
    Stage(#[from] MissingComponent),
    /// A vehicle could not make a step.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A vehicle's body is gone.
    #[error(transparent)]
    Actor(#[from] ActorError),
    /// A trailer could not be coupled.
    #[error(transparent)]
    Coupling(#[from] CouplingError),
    /// A vehicle could not be put elsewhere.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// A vehicle cannot become one of another kind on the way.
    #[error("a vehicle that is changed on the way must keep its kind of drive")]
    OtherDrive,
    /// A road of triangles could not be made smooth.
    #[error(transparent)]
    SmoothMesh(#[from] SmoothMeshError),
    /// A collider could not be made of its mesh.
    #[error("the mesh is none: {0}")]
    Mesh(String),
    /// The bytes are no recording.
    #[error("the recording cannot be read: {0}")]
    Recording(String),
    /// The bytes are no recorded lap, or it is none of this vehicle in this world.
    #[error("the lap cannot be read: {0}")]
    RecordedLap(String),
}
