//! Soft ground under a vehicle, which remembers the ruts of its wheels.

use rapier3d::prelude::*;
use vehicle_rapier::core::ComponentSequence;
use vehicle_rapier::core::stages::RoadGeometry;
use vehicle_rapier::core::vehicle::{Ruts, SoftGround, WheelInRut};
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::Error;

/// Side of the cells that remember ruts (m).
const CELL: Real = 0.25;
/// Half of the side of the field (m).
const HALF_SIDE: Real = 120.0;

/// A square field around the origin, and where the wheels of a vehicle are in it.
pub(crate) struct SoftField {
    ruts: Ruts,
    wheels: Vec<WheelInRut>,
}

impl SoftField {
    /// A field without ruts, in which the wheels of `car` sink as deep as their tires say.
    pub(crate) fn under(car: &mut AnyRapierVehicle) -> Result<Self, Error> {
        let stages = ComponentSequence::clone(&car.sequence);
        // One of its own from now on: others of its model stay on the ground.
        car.sequence = stages.insert_after::<RoadGeometry>(SoftGround)?.into();
        let corner = Vector::new(-HALF_SIDE, 0.0, -HALF_SIDE);
        let ruts = Ruts::new(Default::default(), corner, [2.0 * HALF_SIDE; 2], CELL)?;
        Ok(Self { ruts, wheels: vec![WheelInRut::default(); car.wheel_count()] })
    }

    /// The wheels of `car` press their ruts, or roll in them, after its step.
    pub(crate) fn roll(&mut self, car: &mut AnyRapierVehicle) {
        self.ruts.roll(&mut car.vehicle, &mut self.wheels);
    }
}
