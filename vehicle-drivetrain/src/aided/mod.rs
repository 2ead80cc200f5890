//! Aids in a vehicle: what they are told of it, and where they act in its frame.

mod measure;
mod memory;
mod phases;
mod room;
mod signals;

use vehicle_core::Context;
use vehicle_core::math::Real;

pub(crate) use self::measure::measure;
pub use self::memory::{AidedState, AidsMemory};
pub(crate) use self::phases::Aided;
pub(crate) use self::room::{AidRoom, counting, counting_controls};
use crate::aids::{AidVehicle, Aids, AidsParams};

/// The aids of a model, with the parameters that they are made of.
#[derive(Debug)]
pub(crate) struct AidSystem {
    pub(crate) params: AidsParams,
    pub(crate) aids: Aids,
    acts_in_substeps: bool,
}

impl AidSystem {
    pub(crate) fn new(params: AidsParams, vehicle: AidVehicle) -> Self {
        let aids = Aids::new(&params, vehicle);
        let acts_in_substeps = aids.act_in_substeps();
        Self { params, aids, acts_in_substeps }
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
