//! All of a driver's inputs in one: from devices to commands.

use serde::{Deserialize, Serialize};
use vehicle_core::commands::Commands;
use vehicle_core::error::{Bound, ParamCheck, ParamErrors, Validate};
use vehicle_core::math::Real;

use super::axis::{AxisParams, AxisState};
use super::clutch::{ClutchFootParams, ClutchFootState};
use super::commands::DrivingCommands;
use super::direction::{
    Direction, DirectionInput, DirectionOutput, DirectionParams, DirectionState,
};
use super::seen::SeenMotion;
use super::shifter::{GearChoice, ShiftInput, ShifterParams, ShifterState, Shifting};
use super::steer_limit::SteerLimitParams;
use crate::handling::Handling;
use crate::pacing::{approached, pace_of};

/// Largest rate of the steer angle of a car that hands turn (rad/s): 35 degrees per second.
const HANDS: Real = 0.61;
/// Longest step (s).
const LONGEST_STEP: Real = 1.0;

/// Raw values of keys, sticks and pedals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RawInputs {
    /// Steering, in [-1, 1], positive to the left.
    pub steer: Real,
    /// Pedal or key forward, in [0, 1].
    pub forward: Real,
    /// Pedal or key backward, in [0, 1]: the brake of a driver who shifts.
    pub backward: Real,
    /// Hand brake, in [0, 1].
    pub hand_brake: Real,
    /// Clutch pedal, in [0, 1].
    pub clutch: Real,
    /// Paddles and gear lever.
    pub shift: ShiftInput,
}

impl Validate for RawInputs {
    fn check(&self, check: &mut ParamCheck) {
        check.number("steer", self.steer, Bound::Within(-1.0, 1.0));
        check.number("forward", self.forward, Bound::Within(0.0, 1.0));
        check.number("backward", self.backward, Bound::Within(0.0, 1.0));
        check.number("hand_brake", self.hand_brake, Bound::Within(0.0, 1.0));
        check.number("clutch", self.clutch, Bound::Within(0.0, 1.0));
    }
}

/// How inputs become commands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InputParams {
    /// Steering.
    pub steer: AxisParams,
    /// The pedal forward.
    pub forward: AxisParams,
    /// The pedal backward.
    pub backward: AxisParams,
    /// The hand brake.
    #[serde(default = "hand_brake")]
    pub hand_brake: AxisParams,
    /// Limit of the steer angle by speed, if there is one.
    pub steer_limit: Option<SteerLimitParams>,
    /// Largest rate of the steering command (1/s), if there is one.
    pub max_steer_rate: Option<Real>,
    /// How the brake becomes reverse, where the shifter has reverse gears; a driver who shifts
    /// chooses the direction by the gear.
    pub direction: DirectionParams,
    /// Gears.
    pub shifter: ShifterParams,
    /// Works the clutch pedal by itself, for devices without one.
    pub clutch: Option<ClutchFootParams>,
}

/// The hand brake of any device: a key, a button, or a lever whose potentiometer is not quite at
/// its end.
fn hand_brake() -> AxisParams {
    AxisParams::PEDAL
}

impl InputParams {
    /// Inputs from a keyboard, for a road of friction 1. Steering is limited to what the tires can
    /// follow and to the speed of hands, which small vehicles answer to the faster. Without
    /// `handling`, as for tanks and motorcycles, it is not limited.
    pub fn keyboard(handling: Option<&Handling>) -> Self {
        let keys = [AxisParams::STEERING_KEYS, AxisParams::THROTTLE_KEY, AxisParams::BRAKE_KEY];
        Self::limited(keys, handling)
    }

    /// A game pad: a stick and two triggers. Limited as [`keyboard`](Self::keyboard).
    pub fn game_pad(handling: Option<&Handling>) -> Self {
        let trigger = AxisParams::TRIGGER;
        Self::limited([AxisParams::STEERING_STICK, trigger, trigger], handling)
    }

    /// A steering wheel and pedals, which nothing limits.
    pub fn wheel() -> Self {
        let pedal = AxisParams::PEDAL;
        Self::limited([AxisParams::WHEEL, pedal, pedal], None)
    }

    fn limited([steer, forward, backward]: [AxisParams; 3], handling: Option<&Handling>) -> Self {
        let handling = handling.filter(|handling| 0.0 < handling.lock);
        Self {
            steer,
            forward,
            backward,
            hand_brake: hand_brake(),
            steer_limit: handling
                .filter(|handling| handling.is_turned_by_steering())
                .map(|handling| SteerLimitParams::of(handling, 1.0)),
            max_steer_rate: handling.map(|handling| steer_rate(handling) / handling.lock),
            direction: DirectionParams::default(),
            shifter: ShifterParams::default(),
            clutch: None,
        }
    }
}

/// Largest rate of the steer angle of a vehicle (rad/s): that of hands, and of a small vehicle as
/// much more as it is quicker by its size. A kart is steered without a gear, a model car by a
/// servo.
///
/// ```text
/// 0.61 √(2.6 m / L),   at least 0.61
/// ```
fn steer_rate(handling: &Handling) -> Real {
    HANDS / pace_of(handling.wheel_base)
}

impl Validate for InputParams {
    fn check(&self, check: &mut ParamCheck) {
        check.field("steer", |inner| self.steer.check(inner));
        check.field("forward", |inner| self.forward.check(inner));
        check.field("backward", |inner| self.backward.check(inner));
        check.field("hand_brake", |inner| self.hand_brake.check(inner));
        if let Some(limit) = &self.steer_limit {
            check.field("steer_limit", |inner| limit.check(inner));
        }
        if let Some(rate) = self.max_steer_rate {
            check.number("max_steer_rate", rate, Bound::Positive);
        }
        check.field("direction", |inner| self.direction.check(inner));
        check.field("shifter", |inner| self.shifter.check(inner));
        if let Some(clutch) = &self.clutch {
            check.field("clutch", |inner| clutch.check(inner));
        }
    }
}

/// Inputs between two steps: part of a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct InputState {
    /// Steering before its limits.
    pub steer: AxisState,
    /// The pedal forward.
    pub forward: AxisState,
    /// The pedal backward.
    pub backward: AxisState,
    /// The hand brake.
    #[serde(default)]
    pub hand_brake: AxisState,
    /// The steering command, in [-1, 1].
    pub command: Real,
    /// Direction.
    pub direction: DirectionState,
    /// Gears.
    pub shifter: ShifterState,
    /// The foot on the clutch pedal.
    pub clutch: ClutchFootState,
}

/// The inputs of a driver.
#[derive(Clone, Debug, PartialEq)]
pub struct DriverInputs {
    params: InputParams,
    /// What changes from step to step.
    pub state: InputState,
}

impl DriverInputs {
    /// Inputs at rest.
    ///
    /// # Errors
    ///
    /// All faults of `params`.
    pub fn new(params: InputParams) -> Result<Self, ParamErrors> {
        params.validate()?;
        Ok(Self { params, state: InputState::default() })
    }

    /// How inputs become commands.
    pub fn params(&self) -> &InputParams {
        &self.params
    }

    /// The commands after `dt` (s) of these `inputs`, in a vehicle that moves as is `seen`. Once a
    /// frame, before its step.
    ///
    /// # Errors
    ///
    /// Inputs out of their ranges or not finite, and a `dt` that is not in (0, 1] s; nothing has
    /// changed then.
    pub fn update(
        &mut self,
        inputs: &RawInputs,
        seen: &SeenMotion,
        dt: Real,
    ) -> Result<DrivingCommands, ParamErrors> {
        let mut check = ParamCheck::default();
        inputs.check(&mut check);
        check.field("seen", |inner| seen.check(inner));
        let is_step = 0.0 < dt && dt <= LONGEST_STEP;
        check.require("dt", is_step, format_args!("above 0 and at most {LONGEST_STEP}"), dt);
        check.finish()?;
        Ok(self.updated(inputs, seen, dt))
    }

    fn updated(&mut self, inputs: &RawInputs, seen: &SeenMotion, dt: Real) -> DrivingCommands {
        let Self { params, state } = self;
        let steer = state.steer.update(&params.steer, inputs.steer, seen.speed, dt);
        let pedals = [
            state.forward.update(&params.forward, inputs.forward, seen.speed, dt),
            state.backward.update(&params.backward, inputs.backward, seen.speed, dt),
        ];
        let pulled = state.hand_brake.update(&params.hand_brake, inputs.hand_brake, seen.speed, dt);
        let wanted = match &params.steer_limit {
            Some(limit) => limit.limited(steer, seen.speed, seen.side_slip),
            None => steer,
        };
        let step = params.max_steer_rate.map_or(Real::INFINITY, |rate| rate * dt);
        state.command = approached(state.command, wanted, step);
        let (DirectionOutput { throttle, brake }, direction) =
            Self::pedals(params, state, pedals, seen, dt);
        let before = state.shifter.gear;
        let driven = (direction, inputs.clutch);
        let gear =
            state.shifter.update(&params.shifter, &inputs.shift, driven, seen.engine_speed, dt);
        if let Some(foot) = &params.clutch
            && before != state.shifter.gear
        {
            state.clutch.shift(foot);
        }
        let foot = match (&params.clutch, seen.engine_speed) {
            (Some(foot), Some(speed)) => state.clutch.update(foot, speed, dt),
            _ => 0.0,
        };
        // A gear that drives the other way is still in.
        let is_switching =
            matches!(gear, GearChoice::Automatic(_)) && seen.gear_sign * gear.sign() < 0;
        let throttle = if is_switching { 0.0 } else { throttle };
        let commands = Commands {
            throttle,
            brakes: [brake, pulled],
            steer: state.command,
            steering_torque: None,
        };
        DrivingCommands { clutch: foot.max(inputs.clutch), ..DrivingCommands::new(commands, gear) }
    }

    fn pedals(
        params: &InputParams,
        state: &mut InputState,
        pedals: [Real; 2],
        seen: &SeenMotion,
        dt: Real,
    ) -> (DirectionOutput, Direction) {
        if params.shifter.shifting != Shifting::Automatic {
            let [throttle, brake] = pedals;
            return (DirectionOutput { throttle, brake }, Direction::Forward);
        }
        let input = DirectionInput {
            pedals,
            speed: seen.speed,
            are_wheels_locked: seen.are_wheels_locked,
            is_airborne: seen.is_airborne,
            is_cruising: seen.is_cruising,
            is_forward_only: params.shifter.gears[0] == 0,
        };
        let output = state.direction.update(&params.direction, &input, dt);
        (output, state.direction.direction)
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::blueprint::CarBlueprint;

    use super::*;

    fn saloon() -> Handling {
        let sheet = CarBlueprint::default();
        Handling::of(&sheet.mechanics().expect("a car"), &sheet.frame).expect("it has wheels")
    }

    fn keyboard() -> DriverInputs {
        DriverInputs::new(InputParams::keyboard(Some(&saloon()))).expect("valid")
    }

    #[test]
    fn small_vehicles_are_steered_the_faster() {
        let rate = |wheel_base: Real| {
            let car = Handling { wheel_base, ..saloon() };
            let params = InputParams::game_pad(Some(&car));
            params.max_steer_rate.expect("limited") * car.lock
        };
        for (wheel_base, expected) in
            [(5.0, 0.61), (2.6, 0.61), (1.05, 0.61 * 1.574), (0.26, 0.61 * 3.162)]
        {
            let found = rate(wheel_base);
            assert!((found - expected).abs() < 1e-3, "{found} rad/s at {wheel_base} m");
        }
    }

    #[test]
    fn inputs_out_of_range_are_refused_before_anything_changes() {
        let mut inputs = keyboard();
        let raw = RawInputs { forward: 0.5, ..RawInputs::default() };
        inputs.update(&raw, &SeenMotion::default(), 0.01).expect("valid");
        let before = inputs.clone();
        let bad = RawInputs { steer: Real::NAN, forward: 1.5, hand_brake: -0.1, ..raw };
        let seen = SeenMotion { speed: Real::INFINITY, ..SeenMotion::default() };
        let errors = inputs.update(&bad, &seen, 0.0).expect_err("bad inputs");
        assert_eq!(
            errors.to_string(),
            "steer must be within [-1, 1], got NaN; forward must be within [0, 1], got 1.5; \
             hand_brake must be within [0, 1], got -0.1; seen.speed must be finite, got inf; \
             dt must be above 0 and at most 1, got 0"
        );
        assert_eq!(inputs, before);
    }

    #[test]
    fn rates_of_frames_agree_on_a_drive() {
        let drive = |rate: Real| {
            let mut inputs = keyboard();
            let mut found = Vec::new();
            for step in 1..=(4.0 * rate).round() as u32 {
                let time = step as Real / rate;
                let raw = RawInputs {
                    steer: if time <= 1.0001 { 1.0 } else { -1.0 },
                    forward: if time <= 2.0001 { 1.0 } else { 0.0 },
                    backward: if 2.0001 < time { 1.0 } else { 0.0 },
                    ..RawInputs::default()
                };
                let seen = SeenMotion { speed: 10.0, ..SeenMotion::default() };
                let driven = inputs.update(&raw, &seen, 1.0 / rate).expect("valid");
                if (2.0 * time).round() == 2.0 * time || step % (rate as u32 / 6) == 0 {
                    let Commands { throttle, brakes: [brake, _], steer, .. } = driven.commands;
                    found.push([throttle, brake, steer]);
                }
            }
            found
        };
        let expected = drive(240.0);
        for rate in [30.0, 60.0, 144.0] {
            let found = drive(rate);
            assert_eq!(found.len(), expected.len(), "{rate} Hz");
            for (index, (one, other)) in found.iter().zip(&expected).enumerate() {
                for (one, other) in one.iter().zip(other) {
                    let error: Real = (one - other).abs();
                    assert!(error < 10.0 / rate + 0.02, "{rate} Hz, {index}: {one}, {other}");
                }
            }
        }
    }

    #[test]
    fn a_driver_who_shifts_has_two_pedals_and_no_reverse_by_the_brake() {
        let params = InputParams {
            shifter: ShifterParams {
                shifting: Shifting::Sequential,
                gears: [-1, 5],
                ..ShifterParams::default()
            },
            ..InputParams::wheel()
        };
        let mut inputs = DriverInputs::new(params).expect("valid");
        let raw = RawInputs { backward: 1.0, ..RawInputs::default() };
        for _ in 0..100 {
            let driven = inputs.update(&raw, &SeenMotion::default(), 0.02).expect("valid");
            assert_eq!(driven.gear, GearChoice::Manual(0));
            assert_eq!((driven.commands.brakes[0], driven.commands.throttle), (1.0, 0.0));
        }
    }

    #[test]
    fn a_brake_becomes_reverse_where_there_is_a_reverse_gear() {
        let raw = RawInputs { backward: 1.0, ..RawInputs::default() };
        for (lowest, direction, pedals) in
            [(-1, Direction::Reverse, (0.0, 1.0)), (0, Direction::Forward, (1.0, 0.0))]
        {
            let mut params = InputParams::wheel();
            params.shifter.gears[0] = lowest;
            let mut inputs = DriverInputs::new(params).expect("valid");
            let update = |_| inputs.update(&raw, &SeenMotion::default(), 0.02).expect("valid");
            let driven = (0..100).map(update).last().expect("a step");
            assert_eq!(driven.gear, GearChoice::Automatic(direction), "lowest gear {lowest}");
            assert_eq!((driven.commands.brakes[0], driven.commands.throttle), pedals, "{lowest}");
        }
    }

    #[test]
    fn throttle_waits_for_a_gear_that_drives_the_other_way() {
        let mut inputs = keyboard();
        let raw = RawInputs { forward: 1.0, ..RawInputs::default() };
        let mut throttle = |gear_sign| {
            let seen = SeenMotion { gear_sign, ..SeenMotion::default() };
            inputs.update(&raw, &seen, 0.5).expect("valid").commands.throttle
        };
        assert_eq!([throttle(-1), throttle(0), throttle(1)], [0.0, 1.0, 1.0]);
    }

    #[test]
    fn taps_of_a_key_keep_the_lane_at_40_meters_per_second() {
        let car = saloon();
        let mut inputs = keyboard();
        let (speed, dt) = (40.0, 1.0 / 60.0);
        let (mut aside, mut heading, mut held): (Real, Real, Real) = (0.8, 0.0, 0.0);
        let (mut steer, mut worst) = (0.0, 0.0_f32);
        for step in 0..1_200 {
            // Looks ten times a second where it will be in a second, and taps for 0.1 s.
            if step % 6 == 0 {
                let ahead = aside + speed * heading;
                steer = if 0.15 < ahead.abs() { -ahead.signum() } else { 0.0 };
            }
            let raw = RawInputs { steer, ..RawInputs::default() };
            let seen = SeenMotion { speed, ..SeenMotion::default() };
            let driven = inputs.update(&raw, &seen, dt).expect("valid");
            held = driven.commands.steer * car.lock;
            let turn = held / (car.wheel_base + car.understeer_gradient() * speed * speed);
            heading += speed * turn * dt;
            aside += speed * heading * dt;
            if 300 < step {
                worst = worst.max(aside.abs());
            }
        }
        assert!(worst < 1.0, "{worst} m off the middle, steered by {held} rad");
    }

    #[test]
    fn a_hand_brake_that_is_not_quite_released_does_not_brake() {
        let mut inputs = DriverInputs::new(InputParams::wheel()).expect("valid");
        for (lever, brake) in [(0.004, 0.0), (0.02, 0.0), (0.51, 0.5), (1.0, 1.0)] {
            let raw = RawInputs { hand_brake: lever, ..RawInputs::default() };
            let driven = inputs.update(&raw, &SeenMotion::default(), 0.016).expect("valid");
            let found = driven.commands.brakes[1];
            assert!((found - brake).abs() < 1e-6, "{lever}: {found}");
        }
        assert_eq!(AxisParams::PEDAL.shaped(1.0), 1.0, "all of it");
    }

    #[test]
    fn state_survives_a_file() {
        let mut inputs = keyboard();
        let raw = RawInputs { forward: 1.0, steer: -1.0, ..RawInputs::default() };
        for _ in 0..7 {
            inputs.update(&raw, &SeenMotion::default(), 0.016).expect("valid");
        }
        let text = serde_json::to_string(&inputs.state).expect("plain data");
        let back: InputState = serde_json::from_str(&text).expect("its own text");
        assert_eq!(back, inputs.state);
    }
}
