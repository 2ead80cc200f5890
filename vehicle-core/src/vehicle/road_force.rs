//! Force of tires along the road in the step before, from which wheels with mass begin.

use crate::WheelList;
use crate::math::lanes::{Number, Real4, Vec3x4, Vector};
use crate::rows::{FourRows, VehicleRows};
use crate::suspension::unsprung::RoadForces;
use crate::tire::{TireForce, TireModel, TireState};
use crate::vehicle::MechanicalState;

/// Force along the road of tires and of the rows that held them for `step` (s), in a step before.
fn road_force(tire: &TireForce<Vec3x4>, rows: &FourRows, step: Real4) -> Vec3x4 {
    if rows.is_empty() {
        // No zero with a sign: the sum is then the same when it is remembered as one force.
        return tire.longitudinal + tire.lateral + Vector::zero();
    }
    let acts = Real4::zero().is_below(step);
    let held = Vector::select(acts, rows.pushed(Vector::zero()) / step, Vector::zero());
    tire.longitudinal + rows.unless_replaced(tire.lateral) + held
}

impl RoadForces for WheelList<TireState> {
    #[inline]
    fn road_force(&self, four: usize, rows: &VehicleRows, step: Real4) -> Vec3x4 {
        road_force(&self.four(four).force, rows.four(four), step)
    }
}

impl<Tire: TireModel> MechanicalState<Tire> {
    /// Force along the road of four tires and of what held them, in the last step (N).
    pub(crate) fn road_force(&self, four: usize) -> Vec3x4 {
        let step = self.suspensions.four(four).compression.step;
        self.tires.road_force(four, &self.rows, step)
    }
}
