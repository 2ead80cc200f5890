//! What tires have done along the road in the step before, from which wheels with mass begin.

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

/// Moment of tires on the body beside the forces at their contacts, in a step before (N·m): those of tires and turning
/// wheels, and that of a resistance at the center of the wheel.
fn road_moment(tire: &TireForce<Vec3x4>) -> Vec3x4 {
    let beside = tire.longitudinal_torque - tire.arm.cross(tire.longitudinal);
    tire.moment + beside + Vector::zero()
}

impl RoadForces for WheelList<TireState> {
    #[inline]
    fn road_load(&self, four: usize, rows: &VehicleRows, step: Real4) -> [Vec3x4; 2] {
        let tire = &self.four(four).force;
        [road_force(tire, rows.four(four), step), road_moment(tire)]
    }
}

impl<Tire: TireModel> MechanicalState<Tire> {
    /// Force along the road of four tires and of what held them (N), and their moment beside it (N·m), in the last
    /// step.
    pub(crate) fn road_load(&self, four: usize) -> [Vec3x4; 2] {
        let step = self.suspensions.four(four).step;
        self.tires.road_load(four, &self.rows, step)
    }
}
