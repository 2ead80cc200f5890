//! What can be sent to other threads and shared with them. No listing of the API tells it: these
//! tests do not compile without.

use std::error::Error;

use vehicle_core::diagnosis::Findings;
use vehicle_core::sequence::UpdateError;
use vehicle_core::vehicle::{MechanicalParams, MechanicalState};
use vehicle_core::{ComponentSequence, ParamErrors, SimulationParams};
use vehicle_drivetrain::{
    BlockDriveParams, BlockDriveVehicle, DirectDriveParams, DirectDriveVehicle, EngineDriveParams,
    EngineDriveVehicle, TankVehicle,
};

use crate::fleet::orders::Orders;
use crate::fleet::recording::{Recording, Samples};
use crate::fleet::{UnknownVehicle, VehicleFault, VehicleHandle, VehicleId};
use crate::vehicle_file::{
    AnyDriveVehicle, AnyRapierVehicle, AnySnapshot, AnyVehicle, FileFault, VehicleFile,
    VehicleFileError,
};
use crate::{
    ActorError, ChangeError, Chassis, Fleet, RapierVehicle, RoadQueryParams, SnapshotError,
    StepError,
};

fn goes_to_threads<T: Send + Sync + 'static>() {}

/// An error as `anyhow` takes it, and `?` in any thread.
fn is_an_error<T: Error + Send + Sync + 'static>() {}

#[test]
fn vehicles_and_snapshots_go_to_other_threads() {
    goes_to_threads::<Fleet>();
    goes_to_threads::<RapierVehicle<DirectDriveVehicle>>();
    goes_to_threads::<RapierVehicle<EngineDriveVehicle>>();
    goes_to_threads::<RapierVehicle<TankVehicle>>();
    goes_to_threads::<RapierVehicle<BlockDriveVehicle>>();
    goes_to_threads::<AnyRapierVehicle>();
    goes_to_threads::<AnyVehicle>();
    goes_to_threads::<AnySnapshot>();
    goes_to_threads::<Chassis>();
    goes_to_threads::<ComponentSequence<AnyDriveVehicle>>();
    goes_to_threads::<MechanicalState>();
    goes_to_threads::<Findings>();
}

#[test]
fn parameters_go_to_other_threads() {
    goes_to_threads::<VehicleFile>();
    goes_to_threads::<SimulationParams>();
    goes_to_threads::<MechanicalParams>();
    goes_to_threads::<DirectDriveParams>();
    goes_to_threads::<EngineDriveParams>();
    goes_to_threads::<BlockDriveParams>();
    goes_to_threads::<RoadQueryParams>();
}

#[test]
fn both_ends_of_a_way_between_threads_go_there() {
    goes_to_threads::<Orders<DirectDriveVehicle>>();
    goes_to_threads::<Recording<DirectDriveVehicle, u64>>();
    goes_to_threads::<Samples<DirectDriveVehicle, u64>>();
    goes_to_threads::<VehicleHandle<DirectDriveVehicle>>();
    goes_to_threads::<VehicleId>();
}

#[test]
fn errors_go_to_other_threads() {
    is_an_error::<ParamErrors>();
    is_an_error::<UpdateError>();
    is_an_error::<StepError>();
    is_an_error::<ActorError>();
    is_an_error::<ChangeError>();
    is_an_error::<SnapshotError>();
    is_an_error::<VehicleFault>();
    is_an_error::<UnknownVehicle>();
    is_an_error::<VehicleFileError>();
    goes_to_threads::<FileFault>();
}
