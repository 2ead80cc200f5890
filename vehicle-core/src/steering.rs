//! Steering: from the steering wheel to a steer angle of each wheel, with Ackermann correction.

use std::ops::ControlFlow::{self, Continue};

use serde::{Deserialize, Serialize};

use crate::body::RigidBodyState;
use crate::commands::{CommandResponseParams, Commands, linear_response};
use crate::error::{Bound, ParamCheck};
use crate::math::{Real, atan, tan};
use crate::{AxleDescription, Component, Context, WheelList};

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

/// By what angle an axle is steered whose wheels are corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AckermannInput {
    /// The response to the steering wheel, with its table.
    #[default]
    Response,
    /// The linear response: a table does not act on the axle. For the reference's data.
    LinearResponse,
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
    /// By what angle the axle is steered.
    #[serde(default)]
    pub input: AckermannInput,
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
    pub angles: &'a mut WheelList<Real>,
}

impl SteeringView<'_> {
    /// Updates the steer angle of every wheel.
    ///
    /// A corrected axle turns by the mean of its wheels' responses.
    pub fn update(self, context: &Context<'_>) {
        let speed = self.rigid_body.longitudinal_speed(context.frame());
        let command = self.commands.steer;
        let effective = effective_steer(self.params, command, speed);
        for wheel in self.axles.wheels() {
            self.angles[wheel] = linear_response(self.params, effective, wheel);
        }
        for axle in self.ackermann {
            let [right, left] = axle.wheels;
            let input = match axle.input {
                AckermannInput::Response => effective,
                AckermannInput::LinearResponse => command,
            };
            let angle = |wheel| linear_response(self.params, input, wheel);
            if let Some(angles) = ackermann_angles(axle, 0.5 * (angle(right) + angle(left))) {
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
    use crate::SimulationParams;
    use crate::commands::{ResponseRow, ResponseTable};
    use crate::lookup_table::LookupTable;
    use crate::math::Vec3;
    use crate::road::FlatRoad;

    const PARAMS: AckermannParams = AckermannParams {
        wheels: [0, 1],
        wheel_base: 3.0,
        track_width: 1.5,
        strength: 1.0,
        input: AckermannInput::Response,
    };

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
    fn table_acts_on_a_corrected_axle() {
        let row = |command, slow, fast| ResponseRow {
            command,
            response: LookupTable::new([(0.0, slow), (20.0, fast)]).unwrap(),
        };
        let params = CommandResponseParams {
            table: Some(ResponseTable::new([row(0.0, 0.0, 0.0), row(1.0, 1.0, 0.1)]).unwrap()),
            ..CommandResponseParams::linear(0.6, [1.0, 1.0])
        };
        let axles = AxleDescription::new([[0, 1]]).unwrap();
        let commands = Commands { steer: 0.5, ..Commands::default() };
        let rigid_body = RigidBodyState { linear_velocity: Vec3::Z * 20.0, ..Default::default() };
        let inner = |input| {
            let ackermann = AckermannParams { input, ..PARAMS };
            let mut angles = WheelList::new(2);
            let view = SteeringView {
                axles: &axles,
                rigid_body: &rigid_body,
                commands: &commands,
                params: &params,
                ackermann: &[ackermann],
                angles: &mut angles,
            };
            let simulation = SimulationParams::default();
            let road = FlatRoad::new(&simulation.coordinates.frame);
            view.update(&Context::new(&simulation, &road));
            assert!(angles[0] < angles[1], "{angles:?}");
            angles[1]
        };
        // 0.5 · 0.1 · 0.6
        assert!((inner(AckermannInput::Response) - 0.03).abs() < 1e-6);
        assert!((inner(AckermannInput::LinearResponse) - 0.3).abs() < 1e-6);
    }

    #[test]
    fn steer_is_odd_in_the_command() {
        let params = CommandResponseParams::linear(0.5, [1.0]);
        assert_eq!(steer_angle(&params, 0.5, 10.0, 0), 0.25);
        assert_eq!(steer_angle(&params, -0.5, 10.0, 0), -0.25);
    }
}
