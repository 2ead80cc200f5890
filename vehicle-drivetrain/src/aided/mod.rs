//! Aids in a vehicle: what they are told of it, and where they act in its frame.

mod measure;
mod memory;
mod phases;
mod resting;
mod room;
mod signals;
mod throttle;

use vehicle_core::Context;
use vehicle_core::math::Real;
use vehicle_core::math::lanes::Real4;
use vehicle_core::vehicle::MechanicalParams;

pub(crate) use self::measure::measure;
pub use self::memory::{AidedState, AidsMemory};
pub(crate) use self::phases::Aided;
pub(crate) use self::room::{AidRoom, counting, counting_controls};
use crate::aids::{AidVehicle, Aids, AidsParams, in_fours};
use crate::steering_table::table_of;

/// The aids of a model, with the parameters that they are made of.
#[derive(Debug)]
pub(crate) struct AidSystem {
    pub(crate) params: AidsParams,
    pub(crate) aids: Aids,
    acts_in_substeps: bool,
    /// Whether aids look at the whole body in each substep.
    looks_around: bool,
    /// Whether a table by speed stands between steering wheel and wheels.
    has_steering_table: bool,
    /// Radius of each wheel, in units of length of the vehicle.
    radii: Vec<Real4>,
}

impl AidSystem {
    /// The aids of `vehicle`, which has these `mechanics` in its units of length.
    pub(crate) fn new<Tire>(
        params: AidsParams,
        vehicle: AidVehicle,
        mechanics: &MechanicalParams<Tire>,
    ) -> Self {
        let aids = Aids::new(&params, vehicle);
        let has_steering_table = table_of(mechanics).is_some();
        let radii = in_fours(&mechanics.wheels, |wheel| wheel.radius);
        let acts_in_substeps = aids.act_in_substeps();
        let looks_around = params.use_sensors;
        Self { params, acts_in_substeps, looks_around, has_steering_table, radii, aids }
    }
}

/// When in a frame aids act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AidPhase {
    /// At its beginning: they change what the driver asks for.
    Command,
    /// When brakes have answered to their pedals, before the drive answers to its: they brake
    /// wheels, and limit the throttle.
    Demand,
    /// In each substep, when the forces of the tires are known: they limit torques.
    Limit,
    /// At its end: what the driver asks for is his own again.
    Release,
}

/// A vehicle that may have [aids](crate::aids). One without has nothing to do in any phase.
pub trait HasAids {
    /// Lets the aids act in a phase of a frame. It does nothing unless said otherwise.
    fn update_aids(&mut self, _phase: AidPhase, _dt: Real, _context: &Context<'_>) {}
}
