//! Loads of suspensions and tires on the body.

use crate::WheelList;
use crate::body::Wrench;
use crate::math::lanes::{Vec3x4, Vector};
use crate::rows::VehicleRows;
use crate::suspension::SuspensionState;
use crate::tire::TireState;

/// The forces of suspensions and tires, as loads of the body.
#[derive(Clone, Copy, Debug)]
pub struct WheelForces<'a> {
    /// Force of each suspension.
    pub suspensions: &'a WheelList<SuspensionState>,
    /// Force of each tire.
    pub tires: &'a WheelList<TireState>,
}

impl WheelForces<'_> {
    /// Force and torque about the center of mass of each of a `four` of wheels, but for the lateral
    /// forces for which `rows` stand (N, N·m).
    #[inline(always)]
    pub(crate) fn wrench(&self, four: usize, rows: &VehicleRows) -> Wrench<Vec3x4> {
        let (strut, tire) = (&self.suspensions.four(four).force, &self.tires.four(four).force);
        let rows = rows.four(four);
        let lateral = rows.unless_replaced(tire.lateral);
        let lateral_torque = rows.unless_replaced(tire.lateral_torque());
        Wrench {
            force: force_on_body(strut.force, tire.longitudinal, lateral),
            torque: (strut.torque + tire.longitudinal_torque) + (lateral_torque + tire.moment),
        }
    }
}

/// The force of a wheel on the body (N), of those of its suspension and tire.
#[inline(always)]
pub(crate) fn force_on_body<V: Vector>(suspension: V, longitudinal: V, lateral: V) -> V {
    suspension + longitudinal + lateral
}
