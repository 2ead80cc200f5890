//! The stages of vehicles with the drivetrains of this crate, in order: for ready-made vehicles,
//! for those that [wrap](vehicle_core::vehicle::Wraps) them, and for all others that have what the
//! stages ask for.
//!
//! A vehicle of one's own around a ready-made one:
//!
//! ```
//! use vehicle_core::prelude::*;
//! use vehicle_drivetrain::prelude::*;
//!
//! struct Taxi {
//!     car: DirectDriveVehicle,
//!     passengers: usize,
//! }
//!
//! impl Wraps for Taxi {
//!     type Vehicle = DirectDriveVehicle;
//!
//!     fn vehicle(&self) -> &DirectDriveVehicle {
//!         &self.car
//!     }
//!
//!     fn vehicle_mut(&mut self) -> &mut DirectDriveVehicle {
//!         &mut self.car
//!     }
//! }
//!
//! let mechanics = CarBlueprint::default().mechanics()?;
//! let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
//! let car = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
//! let mut taxi = Taxi { car, passengers: 3 };
//!
//! let sequence = direct_sequence::<Taxi>();
//! let (simulation, road) = (SimulationParams::default(), FlatRoad::new(&Frame::Y_UP));
//! let _completed =
//!     sequence.update_checked(&mut taxi, 1.0 / 60.0, &Context::new(&simulation, &road))?;
//! # assert_eq!(taxi.passengers, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use vehicle_core::ComponentSequence;
use vehicle_core::brakes::{Brakes, HasBrakes};
use vehicle_core::math::Real;
use vehicle_core::sequence::Holds;
use vehicle_core::steering::{HasSteering, Steering};
use vehicle_core::vehicle::{
    HasOwn, HasStages, ReadVehicle, TreadContact, vehicle_sequence, vehicle_sequence_with,
};

use crate::block_drive::{BlockCommands, BlockDrive, HasBlockDrive};
use crate::differential::{Differential, HasDifferential, TrackBrakes};
use crate::direct_drive::{DirectDrive, DirectThrottle, HasDirectDrive, WrittenTorques};
use crate::drivetrain::HasDrivetrain;
use crate::engine_drive::{EngineActuation, EngineDrive, HasEngineDrive};
use crate::rider::{Rider, RiderSteering, RiderSupport, RiderThrottle};
use crate::transmission::{HasTransmission, Transmission};

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
pub fn direct_sequence<V: HasStages + HasDirectDrive + ReadVehicle + 'static>()
-> ComponentSequence<V> {
    direct_sequence_with_substeps(|vehicle| direct_substeps(vehicle))
}

/// The stages of a vehicle with direct drive, with `count` substeps of the stiff ones.
pub fn direct_sequence_with_substeps<V: HasStages + HasDirectDrive + 'static>(
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
    V: HasDirectDrive + 'static,
    W: HasStages + Holds<V>,
{
    let inputs = direct_inputs::<V, W>();
    vehicle_sequence_with(
        inputs,
        |tires| tires,
        |group| group.then_held::<V, _>(DirectDrive),
        count,
    )
}

/// The stages of a vehicle whose wheels are turned from outside, with `count` substeps of the stiff
/// ones: see
/// [`sequence_of_written_torques`](crate::DirectDriveVehicleWith::sequence_of_written_torques).
pub fn written_torques_sequence<V: HasStages + HasDirectDrive>(
    count: impl Fn(&V) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<V> {
    let inputs = ComponentSequence::new().then(WrittenTorques);
    vehicle_sequence(inputs, DirectDrive, count)
}

/// The stages of a vehicle with an engine, a tank for example, with three substeps of the stiff
/// ones below 5 m/s and one above; if its wheels have a mass, two above, and one while its
/// brakes hold it.
pub fn engine_sequence<V>() -> ComponentSequence<V>
where
    V: HasStages + HasDifferential + HasTransmission + HasEngineDrive + ReadVehicle + 'static,
{
    engine_sequence_with_substeps(|vehicle| engine_substeps(vehicle))
}

/// The stages of a vehicle with an engine, with `count` substeps of the stiff ones.
pub fn engine_sequence_with_substeps<V>(
    count: impl Fn(&V) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<V>
where
    V: HasStages + HasDifferential + HasTransmission + HasEngineDrive + 'static,
{
    engine_sequence_of::<V, V>(count)
}

/// The stages of a vehicle that [holds](Holds) one of type `V` with an engine, with `count`
/// substeps of the stiff ones.
pub fn engine_sequence_of<V, W>(
    count: impl Fn(&W) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<W>
where
    V: HasBrakes + HasDifferential + HasTransmission + HasEngineDrive + 'static,
    W: HasStages + Holds<V>,
{
    let inputs = engine_inputs::<V, W>();
    vehicle_sequence_with(
        inputs,
        |tires| tires,
        |group| group.then_held::<V, _>(EngineDrive),
        count,
    )
}

/// The stages of a motorcycle with an engine and a [rider](crate::rider), with three substeps of
/// the stiff ones below 5 m/s and one above.
pub fn motorcycle_sequence<V>() -> ComponentSequence<V>
where
    V: HasStages + HasDrivetrain + HasOwn<Own = Rider> + ReadVehicle + 'static,
{
    motorcycle_sequence_with_substeps(|vehicle| engine_substeps(vehicle))
}

/// The stages of a motorcycle with an engine and a rider, with `count` substeps of the stiff ones.
pub fn motorcycle_sequence_with_substeps<V>(
    count: impl Fn(&V) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<V>
where
    V: HasStages + HasDrivetrain + HasOwn<Own = Rider> + 'static,
{
    motorcycle_sequence_of::<V, V>(count)
}

/// The stages of a vehicle that [holds](Holds) a motorcycle of type `V` with an engine and a rider,
/// with `count` substeps of the stiff ones.
pub fn motorcycle_sequence_of<V, W>(
    count: impl Fn(&W) -> u32 + Send + Sync + 'static,
) -> ComponentSequence<W>
where
    V: HasStages + HasDrivetrain + HasOwn<Own = Rider> + 'static,
    W: HasStages + Holds<V>,
{
    let inputs = ComponentSequence::new()
        .then(Brakes)
        .then(Steering)
        .then_held::<V, _>(RiderSteering)
        .then_held::<V, _>(Differential)
        .then_held::<V, _>(Transmission)
        .then_held::<V, _>(RiderThrottle)
        .then_held::<V, _>(EngineActuation);
    let after_tires = |group: ComponentSequence<W>| {
        group.then_held::<V, _>(TreadContact).then_held::<V, _>(RiderSupport)
    };
    vehicle_sequence_with(inputs, after_tires, |group| group.then_held::<V, _>(EngineDrive), count)
}

/// The stages of a vehicle with a driveline from blocks, with three substeps of the stiff ones
/// below 5 m/s and one above; if its wheels have a mass, two above, and one while its
/// brakes hold it.
pub fn block_sequence<V>() -> ComponentSequence<V>
where
    V: HasStages + HasBlockDrive + ReadVehicle + 'static,
{
    block_sequence_with_substeps(|vehicle| engine_substeps(vehicle))
}

/// The stages of a vehicle with a driveline from blocks, with `count` substeps of the stiff ones.
pub fn block_sequence_with_substeps<V: HasStages + HasBlockDrive + 'static>(
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
    V: HasBlockDrive + 'static,
    W: HasStages + Holds<V>,
{
    let inputs =
        ComponentSequence::new().then(Brakes).then(Steering).then_held::<V, _>(BlockCommands);
    vehicle_sequence_with(inputs, |tires| tires, |group| group.then_held::<V, _>(BlockDrive), count)
}

/// Substeps per step of a vehicle with an engine: wheels with mass take two at speed, so that they
/// find bumps and kerbs within the way of a frame.
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

/// The stages that find torques and steer angles of a vehicle that holds one with direct drive.
pub(crate) fn direct_inputs<V, W>() -> ComponentSequence<W>
where
    V: HasDirectDrive + 'static,
    W: HasBrakes + HasSteering + Holds<V>,
{
    ComponentSequence::new().then(Brakes).then(Steering).then_held::<V, _>(DirectThrottle)
}

/// The stages that find torques and steer angles of a vehicle that holds one with an engine.
pub(crate) fn engine_inputs<V, W>() -> ComponentSequence<W>
where
    V: HasBrakes + HasDifferential + HasTransmission + HasEngineDrive + 'static,
    W: HasBrakes + HasSteering + Holds<V>,
{
    ComponentSequence::new()
        .then(Brakes)
        .then_held::<V, _>(TrackBrakes)
        .then(Steering)
        .then_held::<V, _>(Differential)
        .then_held::<V, _>(Transmission)
        .then_held::<V, _>(EngineActuation)
}
