//! What programs name most, of the other two crates as well: `use vehicle_rapier::prelude::*;`
//!
//! It has no name that `rapier3d::prelude` has, so that both can be taken together.

pub use vehicle_core::prelude::*;
pub use vehicle_drivetrain::prelude::*;

pub use crate::drawing::DrawnPoses;
pub use crate::{
    Activity, AnyVehicle, Chassis, Detail, Drivable, DriverIntent, Fleet, FrictionTable,
    GroundContact, RapierVehicle, RoadQueryParams, RoadQueryShape, SleepParams, SnapshotError,
    StepError, VehicleSnapshot, WrapsDrivable, diagnose,
};
