//! The sequences of ready-made vehicles, whose frames run in one go where they can.

use vehicle_core::aerodynamics::Aerodynamics;
use vehicle_core::constraint_rows::ConstraintRows;
use vehicle_core::four_wheels::{run_frame, run_substeps};
use vehicle_core::ground::Ground;
use vehicle_core::math::Real;
use vehicle_core::rigid_body::{ClearExternalForces, RigidBody};
use vehicle_core::road_geometry::RoadGeometry;
use vehicle_core::sequence::{FrameStep, FusedFrame, FusedSubsteps};
use vehicle_core::suspension::Suspension;
use vehicle_core::tire::{Tire, TireModel};
use vehicle_core::vehicle::{HasStages, OwnState};
use vehicle_core::wheel::Wheel;
use vehicle_core::{Component, ComponentSequence, Context};

use crate::differential::DifferentialModel;
use crate::direct_drive_vehicle::DirectDriveVehicleWith;
use crate::drivetrain::HasDrivetrain;
use crate::engine_drive::FourWheelEngineDrive;
use crate::engine_drive_vehicle::EngineDriveVehicleWith;

/// The stages of [`vehicle_sequence`](vehicle_core::vehicle::vehicle_sequence), fused.
pub(crate) fn fused_sequence<V: HasStages>(
    inputs: ComponentSequence<V>,
    drive: impl Component<V> + 'static,
    count: impl Fn(&V) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<V>
where
    FourWheels: FusedFrame<V> + FusedSubsteps<V>,
{
    let substeps = |group: ComponentSequence<V>| {
        group
            .then(Suspension)
            .then(Tire)
            .then(ConstraintRows)
            .then(drive)
            .then(RigidBody)
            .then(Ground)
    };
    inputs
        .then(Aerodynamics)
        .fused_frame(
            |frame| {
                frame.then(RoadGeometry).fused_substeps(count, substeps, FourWheels).then(Wheel)
            },
            FourWheels,
        )
        .then(ClearExternalForces)
}

/// The frame of a vehicle of up to four wheels.
pub(crate) struct FourWheels;

impl<Tire: TireModel, Own: OwnState> FusedSubsteps<DirectDriveVehicleWith<Tire, Own>>
    for FourWheels
{
    fn run(
        &self,
        vehicle: &mut DirectDriveVehicleWith<Tire, Own>,
        count: u32,
        dt: Real,
        context: &Context<'_>,
    ) -> bool {
        let (mechanics, mut drive) = vehicle.split();
        run_substeps(mechanics, &mut drive, count, dt, context)
    }
}

impl<Tire: TireModel, Own: OwnState> FusedFrame<DirectDriveVehicleWith<Tire, Own>> for FourWheels {
    fn run(
        &self,
        vehicle: &mut DirectDriveVehicleWith<Tire, Own>,
        step: &FrameStep,
        context: &Context<'_>,
    ) -> bool {
        let (mechanics, mut drive) = vehicle.split();
        run_frame(mechanics, &mut drive, step, context)
    }
}

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState>
    FusedSubsteps<EngineDriveVehicleWith<Tire, D, Own>> for FourWheels
{
    fn run(
        &self,
        vehicle: &mut EngineDriveVehicleWith<Tire, D, Own>,
        count: u32,
        dt: Real,
        context: &Context<'_>,
    ) -> bool {
        let (mechanics, powertrain) = vehicle.drivetrain().split();
        run_substeps(mechanics, &mut FourWheelEngineDrive(powertrain), count, dt, context)
    }
}

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState>
    FusedFrame<EngineDriveVehicleWith<Tire, D, Own>> for FourWheels
{
    fn run(
        &self,
        vehicle: &mut EngineDriveVehicleWith<Tire, D, Own>,
        step: &FrameStep,
        context: &Context<'_>,
    ) -> bool {
        let (mechanics, powertrain) = vehicle.drivetrain().split();
        run_frame(mechanics, &mut FourWheelEngineDrive(powertrain), step, context)
    }
}
