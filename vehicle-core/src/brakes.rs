//! Brakes: from the brake pedals to a torque on each wheel.

use serde::{Deserialize, Serialize};

use crate::body::RigidBodyState;
use crate::commands::{
    CommandResponseParams, Commands, MAX_BRAKES, linear_response, linear_responses,
};
use crate::error::{Bound, ParamCheck};
use crate::math::lanes::{Number, Real4};
use crate::math::{Clamped, Real};
use crate::suspension::SuspensionState;
use crate::{AxleDescription, Context, WheelList};

/// A load-sensing valve between the foot brake and the brakes of an axle.
///
/// A lever between axle and body tells it how far the springs are compressed. It lets the less
/// through, the less the axle carries, and so keeps an empty or a rising axle from locking before
/// the others:
///
/// ```text
/// T = p c R k,   p = p_0 + (1 - p_0) (j - j_0) / (j_1 - j_0) within [p_0, 1]
/// ```
///
/// with the command's response `c R k` of a wheel and the mean jounce `j` of the wheels. The hand
/// brake does not pass through it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BrakeValveParams {
    /// Numbers of the wheels whose foot brakes are behind it.
    pub wheels: Vec<usize>,
    /// p_0, the part of the torque that it always lets through, in [0, 1] (dimensionless).
    pub least_part: Real,
    /// j_0 and j_1, the jounces up to which it lets the least part through, and from which on all
    /// (m).
    pub jounces: [Real; 2],
}

impl BrakeValveParams {
    /// The part of the torque that it lets through where its wheels have this mean `jounce` (m), in
    /// [0, 1].
    pub fn part(&self, jounce: Real) -> Real {
        let [least, full] = self.jounces;
        let way = ((jounce - least) / (full - least)).clamped(0.0, 1.0);
        self.least_part + (1.0 - self.least_part) * way
    }

    /// Checks the valve of a vehicle of `wheel_count` wheels: its wheels are some of them, each
    /// named once, and the second jounce is above the first.
    pub fn check(&self, check: &mut ParamCheck, wheel_count: usize) {
        check.require("wheels", !self.wheels.is_empty(), "at least one wheel", "none");
        for (index, &wheel) in self.wheels.iter().enumerate() {
            let requirement = format_args!("below {wheel_count}, the number of wheels");
            check.require(format_args!("wheels[{index}]"), wheel < wheel_count, requirement, wheel);
            let is_new = !self.wheels[..index].contains(&wheel);
            check.require(format_args!("wheels[{index}]"), is_new, "named once", wheel);
        }
        check.number("least_part", self.least_part, Bound::Within(0.0, 1.0));
        let [least, full] = self.jounces;
        check.number("jounces[0]", least, Bound::Finite);
        check.number("jounces[1]", full, Bound::Finite);
        let requirement = format_args!("above {least}, that of the least part");
        check.require("jounces[1]", least < full, requirement, full);
    }

    /// Mean jounce of its wheels (m); before they have been anywhere, all passes through.
    fn jounce(&self, suspensions: &WheelList<SuspensionState>) -> Real {
        let jounce =
            |&wheel: &usize| suspensions.of(wheel).compression.jounce.unwrap_or(Real::INFINITY);
        let sum: Real = self.wheels.iter().map(jounce).sum();
        sum / self.wheels.len() as Real
    }
}

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

/// Brake pedals and brake torques of a vehicle.
#[derive(Debug)]
pub struct BrakesView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// The driver's controls.
    pub commands: &'a Commands,
    /// Response of each brake.
    pub params: &'a [CommandResponseParams],
    /// Load-sensing valves of the foot brake.
    pub valves: &'a [BrakeValveParams],
    /// State of each suspension, from its compression to its force.
    pub suspensions: &'a WheelList<SuspensionState>,
    /// Written: brake torque of each wheel (N·m).
    pub torques: &'a mut WheelList<Real>,
}

impl BrakesView<'_> {
    /// Updates the brake torque of every wheel.
    pub fn update(self, context: &Context<'_>) {
        let effective = self.effective(self.commands.brakes, context);
        for (index, four) in self.torques.fours_mut().iter_mut().enumerate() {
            let responses = self.params.iter().zip(effective);
            *four = responses.fold(Real4::zero(), |sum, (params, command)| {
                sum + linear_responses(params, command, index)
            });
        }
        for valve in self.valves {
            let part = valve.part(valve.jounce(self.suspensions));
            for &wheel in &valve.wheels {
                self.torques[wheel] = self.behind_valve(wheel, effective[0], part);
            }
        }
    }

    /// Presses the foot brake of `wheel` alone to `pedal`, in [0, 1], after the
    /// [update](Self::update) of all. The larger of the two pedals counts: this does nothing where
    /// the driver's foot presses as far.
    ///
    /// It answers as to the driver's foot, through the brake's table and valves, and beside the
    /// other brakes.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    pub fn press(&mut self, wheel: usize, pedal: Real, context: &Context<'_>) {
        let mut commands = self.commands.brakes;
        if pedal <= commands[0] {
            return;
        }
        commands[0] = pedal;
        let effective = self.effective(commands, context);
        self.torques[wheel] = sum_of_responses(self.params, effective, wheel);
        for valve in self.valves.iter().filter(|valve| valve.wheels.contains(&wheel)) {
            let part = valve.part(valve.jounce(self.suspensions));
            self.torques[wheel] = self.behind_valve(wheel, effective[0], part);
        }
    }

    /// Commands of the brakes as their response tables map them, at the speed of the vehicle.
    fn effective(
        &self,
        mut commands: [Real; MAX_BRAKES],
        context: &Context<'_>,
    ) -> [Real; MAX_BRAKES] {
        let speed = self.rigid_body.longitudinal_speed(context.frame());
        for (params, command) in self.params.iter().zip(&mut commands) {
            *command = params.effective_command(*command, speed);
        }
        commands
    }

    /// Torque of `wheel` under an `effective` foot brake, the only one that passes through valves,
    /// behind a valve that lets this `part` through (N·m).
    fn behind_valve(&self, wheel: usize, effective: Real, part: Real) -> Real {
        let pressed =
            |brake: &CommandResponseParams| linear_response(brake, effective, wheel) * (1.0 - part);
        let held_back = self.params.first().map_or(0.0, pressed);
        (self.torques[wheel] - held_back).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimulationParams;
    use crate::blueprint::CarBlueprint;
    use crate::commands::{ResponseRow, ResponseTable};
    use crate::error::Validate;
    use crate::lookup_table::LookupTable;
    use crate::math::Vec3;
    use crate::road::FlatRoad;
    use crate::vehicle::HasMechanics;
    use crate::vehicle::test_car::TestCar;

    #[test]
    fn brakes_add_up() {
        let foot = CommandResponseParams::linear(1_000.0, [1.0, 1.0]);
        let hand = CommandResponseParams::linear(400.0, [0.0, 1.0]);
        let brakes = [foot, hand];
        assert_eq!(brake_torque(&brakes, &[0.5, 1.0], 0.0, 0), 500.0);
        assert_eq!(brake_torque(&brakes, &[0.5, 1.0], 0.0, 1), 900.0);
        assert_eq!(brake_torque(&brakes, &[], 0.0, 1), 0.0);
    }

    fn valve() -> BrakeValveParams {
        BrakeValveParams { wheels: vec![2, 3], least_part: 0.2, jounces: [0.01, 0.09] }
    }

    #[test]
    fn valves_let_through_what_the_axle_can_take() {
        for (jounce, part) in [(-0.1, 0.2), (0.01, 0.2), (0.05, 0.6), (0.09, 1.0), (0.2, 1.0)] {
            let found = valve().part(jounce);
            assert!((found - part).abs() < 1e-6, "{found} at {jounce} m, not {part}");
        }
    }

    #[test]
    fn hand_brakes_do_not_pass_through_valves() {
        let mut mechanics = CarBlueprint::default().mechanics().unwrap();
        mechanics.brake_valves = vec![valve()];
        let mut car = TestCar::new(mechanics);
        for (wheel, jounce) in [(0, 0.0), (1, 0.0), (2, 0.03), (3, 0.07)] {
            car.state.suspensions.edit(wheel, |state| state.compression.jounce = Some(jounce));
        }
        let simulation = SimulationParams::default();
        let road = FlatRoad::new(&simulation.coordinates.frame);
        for (pedals, front, rear) in [
            ([0.5, 0.0], 1_200.0, 0.6 * 335.0),
            ([0.0, 1.0], 0.0, 1_500.0),
            ([1.0, 0.5], 2_400.0, 0.6 * 670.0 + 750.0),
        ] {
            car.commands.brakes = pedals;
            car.mechanics().brakes().update(&Context::new(&simulation, &road));
            for (wheel, expected) in [front, front, rear, rear].into_iter().enumerate() {
                let torque = car.state.brake_torques[wheel];
                let error = (torque - expected).abs();
                assert!(error < 1e-2, "{pedals:?}, wheel {wheel}: {torque}, not {expected} N·m");
            }
        }
    }

    #[test]
    fn a_wheel_pressed_alone_is_braked_as_by_the_foot_and_no_more() {
        let mut mechanics = CarBlueprint::default().mechanics().unwrap();
        mechanics.brake_valves = vec![valve()];
        // Nothing up to 0.2, and less the faster.
        let rows = [(0.0, 0.0), (0.2, 0.0), (1.0, 1.0)].map(|(command, response)| ResponseRow {
            command,
            response: LookupTable::new([(0.0, response), (20.0, 0.5 * response)]).unwrap(),
        });
        mechanics.brakes[0].table = Some(ResponseTable::new(rows).unwrap());
        let mut car = TestCar::new(mechanics);
        car.state.rigid_body.linear_velocity = 10.0 * Vec3::Z;
        for wheel in 0..4 {
            car.state.suspensions.edit(wheel, |state| state.compression.jounce = Some(0.05));
        }
        let simulation = SimulationParams::default();
        let road = FlatRoad::new(&simulation.coordinates.frame);
        let context = Context::new(&simulation, &road);
        let mut under = |foot, pressed: &[(usize, Real)]| {
            car.commands.brakes = [foot, 0.4];
            car.mechanics().brakes().update(&context);
            for &(wheel, pedal) in pressed {
                car.mechanics().brakes().press(wheel, pedal, &context);
            }
            [0, 1, 2, 3].map(|wheel| car.state.brake_torques[wheel].to_bits())
        };
        for (foot, pedal) in [(0.0, 0.1), (0.0, 0.6), (0.3, 1.0), (0.6, 0.3), (1.0, 1.0)] {
            let (alone, further) = (under(foot, &[]), under(Real::max(foot, pedal), &[]));
            assert_eq!(
                under(foot, &[(1, pedal), (2, pedal)]),
                [alone[0], further[1], further[2], alone[3]],
                "foot {foot}, pressed to {pedal}"
            );
        }
    }

    #[test]
    fn faults_of_valves_are_named() {
        let mut mechanics = CarBlueprint::default().mechanics().unwrap();
        let wheels = vec![2, 2, 4];
        mechanics.brake_valves =
            vec![BrakeValveParams { wheels, least_part: 1.5, jounces: [0.1, 0.1] }];
        assert_eq!(
            mechanics.validate().unwrap_err().to_string(),
            "brake_valves[0].wheels[1] must be named once, got 2; \
             brake_valves[0].wheels[2] must be below 4, the number of wheels, got 4; \
             brake_valves[0].least_part must be within [0, 1], got 1.5; \
             brake_valves[0].jounces[1] must be above 0.1, that of the least part, got 0.1"
        );
    }
}
