//! Steering: from the steering wheel to a steer angle of each wheel, with Ackermann correction.

use std::ops::ControlFlow::{self, Continue};

use serde::{Deserialize, Serialize};

use crate::commands::{CommandResponseParams, Commands, linear_response};
use crate::error::{Bound, ParamCheck};
use crate::math::{Real, atan, tan};
use crate::rigid_body::RigidBodyState;
use crate::{AxleDescription, Component, Context, PerWheelMut};

/// Steer angle of `wheel` (rad), positive to the left.
///
/// ```text
/// δ = sgn(c) response(|c|, v)
/// ```
pub fn steer_angle(
    params: &CommandResponseParams,
    command: Real,
    longitudinal_speed: Real,
    wheel: usize,
) -> Real {
    linear_response(params, effective_steer(params, command, longitudinal_speed), wheel)
}

/// The command that the linear response of every wheel is to.
fn effective_steer(
    params: &CommandResponseParams,
    command: Real,
    longitudinal_speed: Real,
) -> Real {
    let effective = params.effective_command(command.abs(), longitudinal_speed);
    if 0.0 <= command { effective } else { -effective }
}

/// Geometry of a steered axle whose wheels shall roll about one common point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AckermannParams {
    /// The wheel on the negative lateral (right) side, then the one on the positive (left) side.
    pub wheels: [usize; 2],
    /// Distance between the steered axle and the axle about which it turns (m).
    pub wheel_base: Real,
    /// Distance between the two wheels (m).
    pub track_width: Real,
    /// 0 for equal angles, 1 for the full correction (dimensionless).
    pub strength: Real,
}

impl AckermannParams {
    /// Checks the parameters of a vehicle of `wheel_count` wheels.
    pub fn check(&self, check: &mut ParamCheck, wheel_count: usize) {
        check.number("strength", self.strength, Bound::Within(0.0, 1.0));
        if self.strength == 0.0 {
            return;
        }
        for (index, &wheel) in self.wheels.iter().enumerate() {
            let requirement = format_args!("a wheel below {wheel_count}");
            check.require(format_args!("wheels[{index}]"), wheel < wheel_count, requirement, wheel);
        }
        let [right, left] = self.wheels;
        check.require("wheels", right != left, "two different wheels", right);
        check.number("wheel_base", self.wheel_base, Bound::Positive);
        check.number("track_width", self.track_width, Bound::Positive);
    }
}

/// Steer angles (rad) of the right and the left wheel of an axle steered by `angle` (rad).
///
/// The inner wheel keeps `a = |angle|`; the outer one turns less:
///
/// ```text
/// outer = a + s (atan(B / (W + B / tan a)) - a)
/// ```
///
/// with `B` the wheel base, `W` the track width and `s` the strength. `None` if nothing is to be
/// corrected.
pub fn ackermann_angles(params: &AckermannParams, angle: Real) -> Option<[Real; 2]> {
    if params.strength <= 0.0 || angle == 0.0 {
        return None;
    }
    let inner = angle.abs();
    let perfect = atan(params.wheel_base / (params.track_width + params.wheel_base / tan(inner)));
    let outer = inner + params.strength * (perfect - inner);
    Some(if 0.0 < angle { [outer, inner] } else { [-inner, -outer] })
}

/// What the stage needs from a vehicle.
pub struct SteeringView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// The driver's controls.
    pub commands: &'a Commands,
    /// Response of each wheel (rad).
    pub params: &'a CommandResponseParams,
    /// Axles to be corrected.
    pub ackermann: &'a [AckermannParams],
    /// Written: steer angle of each wheel (rad).
    pub angles: PerWheelMut<'a, Real>,
}

impl SteeringView<'_> {
    /// Updates the steer angle of every wheel.
    ///
    /// A corrected axle turns by the mean of its wheels' linear responses; a response table does
    /// not act on it.
    pub fn update(mut self, context: &Context<'_>) {
        let speed = self.rigid_body.longitudinal_speed(context.frame());
        let command = self.commands.steer;
        let effective = effective_steer(self.params, command, speed);
        for wheel in self.axles.wheels() {
            self.angles[wheel] = linear_response(self.params, effective, wheel);
        }
        for axle in self.ackermann {
            let [right, left] = axle.wheels;
            let linear = |wheel| linear_response(self.params, command, wheel);
            if let Some(angles) = ackermann_angles(axle, 0.5 * (linear(right) + linear(left))) {
                [self.angles[right], self.angles[left]] = angles;
            }
        }
    }
}

/// A vehicle that steers.
pub trait HasSteering {
    /// Borrows what the stage reads and writes.
    fn steering(&mut self) -> SteeringView<'_>;
}

/// The steering stage as a component.
#[derive(Clone, Copy, Debug)]
pub struct Steering;

impl<V: HasSteering + ?Sized> Component<V> for Steering {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.steering().update(context);
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: AckermannParams =
        AckermannParams { wheels: [0, 1], wheel_base: 3.0, track_width: 1.5, strength: 1.0 };

    #[test]
    fn both_wheels_roll_about_one_point() {
        let [right, left] = ackermann_angles(&PARAMS, 0.4).unwrap();
        // The turning point lies B / tan δ beside each wheel; the wheels are W apart.
        let distance = PARAMS.wheel_base / tan(right) - PARAMS.wheel_base / tan(left);
        assert!((distance - PARAMS.track_width).abs() < 1e-5, "{right}, {left}");
        assert_eq!(left, 0.4);
    }

    #[test]
    fn correction_is_mirrored() {
        let [right, left] = ackermann_angles(&PARAMS, 0.4).unwrap();
        assert_eq!(ackermann_angles(&PARAMS, -0.4), Some([-left, -right]));
    }

    #[test]
    fn no_correction_without_strength_or_angle() {
        let weak = AckermannParams { strength: 0.0, ..PARAMS };
        assert_eq!(ackermann_angles(&weak, 0.4), None);
        assert_eq!(ackermann_angles(&PARAMS, 0.0), None);
    }

    #[test]
    fn steer_is_odd_in_the_command() {
        let params = CommandResponseParams::linear(0.5, [1.0]);
        assert_eq!(steer_angle(&params, 0.5, 10.0, 0), 0.25);
        assert_eq!(steer_angle(&params, -0.5, 10.0, 0), -0.25);
    }
}
