//! The linkage between the steering wheel and the wheels: their angles, and how fast each turns
//! with it.

use super::{AckermannInput, AckermannParams, ackermann_angles, ackermann_rates};
use crate::WheelList;
use crate::commands::{CommandResponseParams, linear_response, linear_responses};
use crate::math::Real;

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

/// Linkage by which the steering wheel turns the wheels of a vehicle that drives at some speed.
#[derive(Clone, Copy)]
pub(super) struct SteeringLinkage<'a> {
    pub(super) params: &'a CommandResponseParams,
    pub(super) ackermann: &'a [AckermannParams],
    /// Forward speed of the vehicle (m/s).
    pub(super) longitudinal_speed: Real,
}

impl SteeringLinkage<'_> {
    /// Writes the `angles` (rad) of all wheels of `axles` at the command `command`.
    ///
    /// A corrected axle turns by the mean of its wheels' responses.
    pub(super) fn turn(&self, command: Real, angles: &mut WheelList<Real>) {
        let effective = effective_steer(self.params, command, self.longitudinal_speed);
        for (index, four) in angles.fours_mut().iter_mut().enumerate() {
            *four = linear_responses(self.params, effective, index);
        }
        for axle in self.ackermann {
            let [right, left] = axle.wheels;
            let (input, _) = self.input(axle, command, effective);
            if let Some(corrected) = ackermann_angles(axle, self.mean_response(axle, input)) {
                [angles[right], angles[left]] = corrected;
            }
        }
    }

    /// How fast `wheel` turns per rate of the command, at `command` (rad).
    pub(super) fn rate(&self, command: Real, wheel: usize) -> Real {
        let effective = effective_steer(self.params, command, self.longitudinal_speed);
        let slope = self.params.slope(command.abs(), self.longitudinal_speed);
        let mut rate = linear_response(self.params, slope, wheel);
        for axle in self.ackermann.iter().filter(|axle| 0.0 < axle.strength) {
            let Some(side) = axle.wheels.iter().position(|&other| other == wheel) else { continue };
            let (input, slope) = self.input(axle, command, effective);
            let rates = ackermann_rates(axle, self.mean_response(axle, input));
            rate = rates[side] * self.mean_response(axle, slope);
        }
        rate
    }

    /// The command to which the response of a corrected axle is linear, and its slope against the
    /// steering wheel's.
    fn input(&self, axle: &AckermannParams, command: Real, effective: Real) -> (Real, Real) {
        match axle.input {
            AckermannInput::Response => {
                (effective, self.params.slope(command.abs(), self.longitudinal_speed))
            }
            AckermannInput::LinearResponse => (command, 1.0),
        }
    }

    fn mean_response(&self, axle: &AckermannParams, input: Real) -> Real {
        let [right, left] = axle.wheels;
        let response = |wheel| linear_response(self.params, input, wheel);
        0.5 * (response(right) + response(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{ResponseRow, ResponseTable};
    use crate::lookup_table::LookupTable;

    #[test]
    fn steer_is_odd_in_the_command() {
        let params = CommandResponseParams::linear(0.5, [1.0]);
        assert_eq!(steer_angle(&params, 0.5, 10.0, 0), 0.25);
        assert_eq!(steer_angle(&params, -0.5, 10.0, 0), -0.25);
    }

    #[test]
    fn every_wheel_turns_as_fast_as_its_rate_says() {
        let row = |command, response: Real| ResponseRow {
            command,
            response: LookupTable::new([(0.0, response)]).unwrap(),
        };
        let table = ResponseTable::new([row(0.0, 0.0), row(0.5, 0.3), row(1.0, 1.0)]).unwrap();
        let linear = CommandResponseParams::linear(0.6, [1.0, 1.0, -0.2, -0.1]);
        let progressive = CommandResponseParams { table: Some(table), ..linear.clone() };
        for params in [linear, progressive] {
            for input in [AckermannInput::Response, AckermannInput::LinearResponse] {
                let front = AckermannParams {
                    wheels: [0, 1],
                    wheel_base: 2.7,
                    track_width: 1.5,
                    strength: 0.8,
                    input,
                };
                let linkage = SteeringLinkage {
                    params: &params,
                    ackermann: &[front],
                    longitudinal_speed: 0.0,
                };
                let angles = |command| {
                    let mut angles = WheelList::new(4);
                    linkage.turn(command, &mut angles);
                    angles
                };
                for command in [-0.8, -0.3, 0.2, 0.7] {
                    let (above, below) = (angles(command + 0.01), angles(command - 0.01));
                    for wheel in 0..4 {
                        let slope = (above[wheel] - below[wheel]) / 0.02;
                        let rate = linkage.rate(command, wheel);
                        assert!((rate - slope).abs() < 1e-3, "{wheel}: {rate}, not {slope}");
                    }
                }
            }
        }
    }
}
