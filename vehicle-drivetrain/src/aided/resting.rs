//! Substeps in which aids have nothing to do.

use vehicle_core::Context;
use vehicle_core::math::lanes::{Lanes, Mask, Number, Real4};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::MechanicalState;

use super::phases::Aided;
use super::signals::speeds;
use crate::drive::Drive;

impl<D: Drive> Aided<'_, D> {
    /// Whether all aids leave this substep alone: no wheel is braked, none that is driven spins,
    /// and the body neither flies nor leans. They would change no bit.
    pub(super) fn rests(&mut self, context: &Context<'_>) -> bool {
        if !D::IS_SOLVED || self.has_motors() {
            return false;
        }
        if context.substep.index == 0 {
            let is_braked = |four: &Real4| (!four.is_equal(Real4::zero())).any();
            let are_braked = self.mechanics.brake_torques.fours().iter().any(is_braked);
            self.room.is_left =
                self.room.is_unasked && !are_braked && self.system.aids.may_rest(&self.memory.aids);
        }
        self.room.is_left = self.room.is_left && self.no_wheel_spins() && self.is_upright(context);
        self.room.is_left
    }

    /// Whether no driven wheel is faster than it is to be.
    fn no_wheel_spins(&self) -> bool {
        let scale = self.system.params.coordinates.length_scale;
        (0..self.mechanics.tires.fours().len()).all(|number| {
            let speeds = speeds(self.mechanics, number, scale);
            self.system.aids.leaves(&self.memory.aids, number, speeds)
        })
    }

    /// Whether help in the air has nothing to do.
    fn is_upright(&self, context: &Context<'_>) -> bool {
        let Some(aid) = self.system.aids.air_control() else { return true };
        let (frame, body) = (context.frame(), &self.mechanics.rigid_body);
        let up = body.pose.rotation.inverse() * -context.params.gravity;
        aid.leaves(up.dot(frame.lateral()), up.dot(frame.vertical()))
            && touches_ground(self.mechanics, self.memory.wheels.len())
    }
}

/// Whether any of so many wheels touches the road.
fn touches_ground<Tire: TireModel>(mechanics: &MechanicalState<Tire>, wheel_count: usize) -> bool {
    let is_loaded = |wheel: usize| {
        let (tires, lane) = mechanics.tires.at(wheel);
        0.0 < tires.grip.load.lane(lane)
    };
    (0..wheel_count).any(is_loaded)
}
