//! Force of tires along the road in the step before, from which wheels with mass begin.

use crate::math::lanes::{Lanes, MAX_LANES, Mask4, Number, Real4, Vec3x4, Vector};
use crate::rows::FourRows;
use crate::tire::{TireForce, TireModel};
use crate::vehicle::MechanicalState;
use crate::wheel_list::Fours;

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

impl<Tire: TireModel> MechanicalState<Tire> {
    /// Force along the road of four tires and of what held them, in the last step (N).
    pub(crate) fn road_force(&self, four: usize) -> Vec3x4 {
        let step = self.suspensions.four(four).step;
        road_force(&self.tires.four(four).force, self.rows.four(four), step)
    }

    /// The same of all tires, four by four.
    pub(crate) fn road_forces(&self) -> Fours<Vec3x4> {
        (0..self.tires.fours().len()).map(|four| self.road_force(four)).collect()
    }

    /// Which lanes are wheels that the vehicle has, four by four.
    pub(crate) fn attached_lanes(&self) -> Fours<Mask4> {
        let is_there =
            |wheel: usize| wheel < self.wheels.len() && !self.wheels.of(wheel).is_detached;
        (0..self.wheels.fours().len())
            .map(|four| Lanes::from_lanes(|lane| is_there(four * MAX_LANES + lane)))
            .collect()
    }
}
