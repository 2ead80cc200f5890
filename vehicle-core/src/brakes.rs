//! Brakes: from the brake pedals to a torque on each wheel.

use std::ops::ControlFlow::{self, Continue};

use crate::body::RigidBodyState;
use crate::commands::{CommandResponseParams, Commands, linear_response, linear_responses};
use crate::math::Real;
use crate::math::lanes::{Number, Real4};
use crate::{AxleDescription, Component, Context, WheelList};

/// Brake torque on `wheel` (N·m), not negative: the sum over the brakes.
///
/// ```text
/// T = Σ response_i(c_i, v)
/// ```
///
/// Brake `i` answers to `commands[i]`. The torque's sign against the rotation is applied where the
/// wheel's speed is integrated.
pub fn brake_torque(
    params: &[CommandResponseParams],
    commands: &[Real],
    longitudinal_speed: Real,
    wheel: usize,
) -> Real {
    let brakes = params.iter().zip(commands);
    let effective =
        brakes.map(|(params, &command)| params.effective_command(command, longitudinal_speed));
    sum_of_responses(params, effective, wheel)
}

/// The sum over the brakes of the responses of `wheel` to `effective` commands.
#[inline]
fn sum_of_responses(
    params: &[CommandResponseParams],
    effective: impl IntoIterator<Item = Real>,
    wheel: usize,
) -> Real {
    let responses = params.iter().zip(effective);
    responses.fold(0.0, |sum, (params, command)| sum + linear_response(params, command, wheel))
}

/// What the stage needs from a vehicle.
pub struct BrakesView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// The driver's controls.
    pub commands: &'a Commands,
    /// Response of each brake.
    pub params: &'a [CommandResponseParams],
    /// Written: brake torque of each wheel (N·m).
    pub torques: &'a mut WheelList<Real>,
}

impl BrakesView<'_> {
    /// Updates the brake torque of every wheel.
    pub fn update(self, context: &Context<'_>) {
        let speed = self.rigid_body.longitudinal_speed(context.frame());
        let mut effective = self.commands.brakes;
        for (params, command) in self.params.iter().zip(&mut effective) {
            *command = params.effective_command(*command, speed);
        }
        for (index, four) in self.torques.fours_mut().iter_mut().enumerate() {
            let responses = self.params.iter().zip(effective);
            *four = responses.fold(Real4::zero(), |sum, (params, command)| {
                sum + linear_responses(params, command, index)
            });
        }
    }
}

/// A vehicle with brakes.
pub trait HasBrakes {
    /// Borrows what the stage reads and writes.
    fn brakes(&mut self) -> BrakesView<'_>;
}

/// The brake stage as a component.
#[derive(Clone, Copy, Debug)]
pub struct Brakes;

impl<V: HasBrakes + ?Sized> Component<V> for Brakes {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.brakes().update(context);
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brakes_add_up() {
        let foot = CommandResponseParams::linear(1_000.0, [1.0, 1.0]);
        let hand = CommandResponseParams::linear(400.0, [0.0, 1.0]);
        let brakes = [foot, hand];
        assert_eq!(brake_torque(&brakes, &[0.5, 1.0], 0.0, 0), 500.0);
        assert_eq!(brake_torque(&brakes, &[0.5, 1.0], 0.0, 1), 900.0);
        assert_eq!(brake_torque(&brakes, &[], 0.0, 1), 0.0);
    }
}
