//! The stages of vehicles with the drivetrains of this crate, in order: for ready-made vehicles,
//! and for all others on the mechanical base that lend such a drivetrain.
//!
//! With a stage of one's own:
//!
//! ```
//! use std::ops::ControlFlow::{self, Continue};
//! use vehicle_core::math::Real;
//! use vehicle_core::prelude::*;
//! use vehicle_drivetrain::prelude::*;
//!
//! /// A wind of 500 N from the right.
//! fn side_wind<V: HasMechanics>(
//!     vehicle: &mut V,
//!     _: Real,
//!     context: &Context<'_>,
//! ) -> ControlFlow<()> {
//!     let body = &mut vehicle.mechanics().state.rigid_body;
//!     body.external_force += context.frame().lateral() * 500.0;
//!     Continue(())
//! }
//!
//! let mechanics = CarBlueprint::default().mechanics()?;
//! let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
//! let mut car = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
//!
//! let stages = direct_sequence().insert_before::<RoadGeometry>(side_wind::<DirectDriveVehicle>)?;
//! let (simulation, road) = (SimulationParams::default(), FlatRoad::new(&Frame::Y_UP));
//! let context = Context::new(&simulation, &road);
//! let _completed = stages.update_checked(&mut car, 1.0 / 60.0, &context)?;
//! assert!(0.0 < car.state.mechanics.rigid_body.linear_velocity.dot(Frame::Y_UP.lateral()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use vehicle_core::math::Real;
use vehicle_core::sequence::Holds;
use vehicle_core::stages::{Brakes, Steering, vehicle_sequence, vehicle_sequence_with};
use vehicle_core::vehicle::{HasMechanics, HasOwn, ReadVehicle, TreadContact};
use vehicle_core::{Component, ComponentSequence};

use crate::aided::{AidPhase, HasAids};
use crate::block_drive::HasBlockDrive;
use crate::direct_drive::HasDirectDrive;
use crate::drivetrain::HasDrivetrain;
use crate::rider::{Rider, RiderSteering, RiderSupport, RiderThrottle};
use crate::stages::{
    AidIntervention, BlockCommands, BlockDrive, DirectDrive, DirectThrottle, EngineActuation,
    EngineDrive, TorqueDistribution, TrackBrakes, Transmission, WrittenTorques,
};

/// Substeps per step of vehicles with direct drive.
const DIRECT_SUBSTEPS: u32 = 3;
/// Substeps per step of a slow vehicle with an engine.
const SLOW_SUBSTEPS: u32 = 3;
/// Substeps of a vehicle with an engine at speed, if its wheels have a mass.
const UNSPRUNG_SUBSTEPS: u32 = 2;
/// Speed below which a vehicle is slow (m/s).
const SLOW_SPEED: Real = 5.0;

/// The stages of a vehicle with direct drive, with three substeps of the stiff ones, or one
/// while its brakes hold it on wheels with mass.
pub fn direct_sequence<V: HasMechanics + HasDirectDrive + HasAids + ReadVehicle + 'static>()
-> ComponentSequence<V> {
    direct_sequence_with_substeps(|vehicle| direct_substeps(vehicle))
}

/// The stages of a vehicle with direct drive, with `count` substeps of the stiff ones.
pub fn direct_sequence_with_substeps<V: HasMechanics + HasDirectDrive + HasAids + 'static>(
    count: impl Fn(&V) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<V> {
    direct_sequence_of::<V, V>(count)
}

/// The stages of a vehicle that [holds](Holds) one of type `V` with direct drive, with `count`
/// substeps of the stiff ones.
pub fn direct_sequence_of<V, W>(
    count: impl Fn(&W) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<W>
where
    V: HasDirectDrive + HasAids + 'static,
    W: HasMechanics + Holds<V>,
{
    aided_sequence::<V, W>(direct_inputs::<V, W>(), |group| group, DirectDrive, count)
}

/// The stages of a vehicle whose wheels are turned from outside, with `count` substeps of the stiff
/// ones: see
/// [`sequence_of_written_torques`](crate::DirectDriveVehicleWith::sequence_of_written_torques).
pub fn written_torques_sequence<V: HasMechanics + HasDirectDrive>(
    count: impl Fn(&V) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<V> {
    let inputs = ComponentSequence::new().then(WrittenTorques);
    vehicle_sequence(inputs, DirectDrive, count)
}

/// The stages of a vehicle with an engine, a tank for example. The stiff stages take three substeps
/// below 5 m/s and one above. If its wheels have a mass, they take two above, and one while its
/// brakes hold the vehicle.
pub fn engine_sequence<V>() -> ComponentSequence<V>
where
    V: HasMechanics + HasDrivetrain + HasAids + ReadVehicle + 'static,
{
    engine_sequence_with_substeps(|vehicle| engine_substeps(vehicle))
}

/// The stages of a vehicle with an engine, with `count` substeps of the stiff ones.
pub fn engine_sequence_with_substeps<V>(
    count: impl Fn(&V) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<V>
where
    V: HasMechanics + HasDrivetrain + HasAids + 'static,
{
    engine_sequence_of::<V, V>(count)
}

/// The stages of a vehicle that [holds](Holds) one of type `V` with an engine, with `count`
/// substeps of the stiff ones.
pub fn engine_sequence_of<V, W>(
    count: impl Fn(&W) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<W>
where
    V: HasMechanics + HasDrivetrain + HasAids + 'static,
    W: HasMechanics + Holds<V>,
{
    aided_sequence::<V, W>(engine_inputs::<V, W>(), |group| group, EngineDrive, count)
}

/// The stages of a motorcycle with an engine and a [rider](crate::rider), with three substeps of
/// the stiff ones below 5 m/s and one above.
pub fn motorcycle_sequence<V>() -> ComponentSequence<V>
where
    V: HasMechanics + HasDrivetrain + HasAids + HasOwn<Own = Rider> + ReadVehicle + 'static,
{
    motorcycle_sequence_with_substeps(|vehicle| engine_substeps(vehicle))
}

/// The stages of a motorcycle with an engine and a rider, with `count` substeps of the stiff ones.
pub fn motorcycle_sequence_with_substeps<V>(
    count: impl Fn(&V) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<V>
where
    V: HasMechanics + HasDrivetrain + HasAids + HasOwn<Own = Rider> + 'static,
{
    motorcycle_sequence_of::<V, V>(count)
}

/// The stages of a vehicle that [holds](Holds) a motorcycle of type `V` with an engine and a rider,
/// with `count` substeps of the stiff ones.
pub fn motorcycle_sequence_of<V, W>(
    count: impl Fn(&W) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<W>
where
    V: HasMechanics + HasDrivetrain + HasAids + HasOwn<Own = Rider> + 'static,
    W: HasMechanics + Holds<V>,
{
    let inputs = ComponentSequence::new()
        .then_held::<V, _>(AidIntervention(AidPhase::Command))
        .then(Brakes)
        .then(Steering)
        .then_held::<V, _>(RiderSteering)
        .then_held::<V, _>(AidIntervention(AidPhase::Demand))
        .then_held::<V, _>(TorqueDistribution)
        .then_held::<V, _>(Transmission)
        .then_held::<V, _>(RiderThrottle)
        .then_held::<V, _>(EngineActuation);
    let after_tires = |group: ComponentSequence<W>| {
        group.then_held::<V, _>(TreadContact).then_held::<V, _>(RiderSupport)
    };
    aided_sequence::<V, W>(inputs, after_tires, EngineDrive, count)
}

/// The stages of a vehicle with a driveline from blocks. The stiff stages take three substeps below
/// 5 m/s and one above. If its wheels have a mass, they take two above, and one while its brakes
/// hold the vehicle.
pub fn block_sequence<V>() -> ComponentSequence<V>
where
    V: HasMechanics + HasBlockDrive + HasAids + ReadVehicle + 'static,
{
    block_sequence_with_substeps(|vehicle| engine_substeps(vehicle))
}

/// The stages of a vehicle with a driveline from blocks, with `count` substeps of the stiff ones.
pub fn block_sequence_with_substeps<V: HasMechanics + HasBlockDrive + HasAids + 'static>(
    count: impl Fn(&V) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<V> {
    block_sequence_of::<V, V>(count)
}

/// The stages of a vehicle that [holds](Holds) one of type `V` with a driveline from blocks, with
/// `count` substeps of the stiff ones.
pub fn block_sequence_of<V, W>(
    count: impl Fn(&W) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<W>
where
    V: HasBlockDrive + HasAids + 'static,
    W: HasMechanics + Holds<V>,
{
    let inputs = ComponentSequence::new()
        .then_held::<V, _>(AidIntervention(AidPhase::Command))
        .then(Brakes)
        .then(Steering)
        .then_held::<V, _>(AidIntervention(AidPhase::Demand))
        .then_held::<V, _>(BlockCommands);
    aided_sequence::<V, W>(inputs, |group| group, BlockDrive, count)
}

/// Substeps per step of a vehicle with an engine: wheels with mass take two at speed, so that they
/// find bumps and kerbs within the way of a frame.
///
/// Vehicles are slow below 5 units of length per second. In a world whose unit is not the meter,
/// give the sequence a count of your own (`sequence_with_substeps`).
pub fn engine_substeps(vehicle: &impl ReadVehicle) -> u32 {
    if rests(vehicle) {
        1
    } else if vehicle.body().linear_velocity.length() < SLOW_SPEED {
        SLOW_SUBSTEPS
    } else if vehicle.has_unsprung_masses() {
        UNSPRUNG_SUBSTEPS
    } else {
        1
    }
}

/// Substeps per step of a vehicle with direct drive.
pub fn direct_substeps(vehicle: &impl ReadVehicle) -> u32 {
    if rests(vehicle) { 1 } else { DIRECT_SUBSTEPS }
}

/// Whether one substep does as well as many: the vehicle stands on its brakes, and what it stands
/// on is implicit. Springs of wheels without mass are not.
fn rests(vehicle: &impl ReadVehicle) -> bool {
    vehicle.has_unsprung_masses() && vehicle.is_held()
}

/// The stages of a vehicle that holds one of type `V`, whose [aids](crate::aids) act after the
/// tires and what `after_tires` puts behind them, in each substep.
fn aided_sequence<V, W>(
    inputs: ComponentSequence<W>,
    after_tires: impl FnOnce(ComponentSequence<W>) -> ComponentSequence<W>,
    drive: impl Component<V> + 'static,
    count: impl Fn(&W) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<W>
where
    V: HasAids + 'static,
    W: HasMechanics + Holds<V>,
{
    vehicle_sequence_with(
        inputs,
        |group| after_tires(group).then_held::<V, _>(AidIntervention(AidPhase::Limit)),
        |group| group.then_held::<V, _>(drive),
        count,
    )
    .then_held::<V, _>(AidIntervention(AidPhase::Release))
}

/// The stages that find torques and steer angles of a vehicle that holds one with direct drive.
pub(crate) fn direct_inputs<V, W>() -> ComponentSequence<W>
where
    V: HasDirectDrive + HasAids + 'static,
    W: HasMechanics + Holds<V>,
{
    ComponentSequence::new()
        .then_held::<V, _>(AidIntervention(AidPhase::Command))
        .then(Brakes)
        .then(Steering)
        .then_held::<V, _>(AidIntervention(AidPhase::Demand))
        .then_held::<V, _>(DirectThrottle)
}

/// The stages that find torques and steer angles of a vehicle that holds one with an engine.
pub(crate) fn engine_inputs<V, W>() -> ComponentSequence<W>
where
    V: HasMechanics + HasDrivetrain + HasAids + 'static,
    W: HasMechanics + Holds<V>,
{
    ComponentSequence::new()
        .then_held::<V, _>(AidIntervention(AidPhase::Command))
        .then(Brakes)
        .then_held::<V, _>(TrackBrakes)
        .then(Steering)
        .then_held::<V, _>(AidIntervention(AidPhase::Demand))
        .then_held::<V, _>(TorqueDistribution)
        .then_held::<V, _>(Transmission)
        .then_held::<V, _>(EngineActuation)
}
