//! What programs name most, of the other two crates as well: `use vehicle_rapier::prelude::*;`
//!
//! It has no name that `rapier3d::prelude` has, so that both can be taken together. Bevy's prelude
//! has `Commands`, `Component` and `Scene`, too: an app with both names the one that it means.

pub use vehicle_core::prelude::*;
pub use vehicle_drivetrain::prelude::*;

pub use crate::drawing::DrawnPoses;
#[cfg(feature = "presets")]
pub use crate::vehicle_file::Preset;
pub use crate::vehicle_file::{AnyDriveVehicle, AnyRapierVehicle, FileFormat, VehicleFile};
pub use crate::{
    Activity, AnyVehicle, Chassis, Detail, Drivable, DriverIntent, Fleet, FrictionTable,
    GroundContact, RapierVehicle, RoadQueryParams, RoadQueryShape, Scene, SleepParams, SmoothMesh,
    SnapshotError, SoilTable, SprungMasses, StepError, VehicleSnapshot, diagnose, diagnose_in,
};
