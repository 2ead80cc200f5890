//! Forward and backward by two pedals: the brake becomes the accelerator of reverse at a
//! standstill.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;

/// Pedal from which on a foot is on it, and below which it is off (dimensionless): noise of an axis
/// is neither.
const FEET: [Real; 2] = [0.1, 0.05];
/// Brake at a standstill while the direction is about to change (dimensionless).
const HOLD: Real = 1.0;
/// Speed below which a brake that works by itself brings a vehicle to rest (m/s).
const CREEP: Real = 1.0;

/// Which way a driver wants to drive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Forward.
    #[default]
    Forward,
    /// Backward.
    Reverse,
}

impl Direction {
    /// 1 forward, -1 backward.
    pub fn sign(self) -> Real {
        match self {
            Self::Forward => 1.0,
            Self::Reverse => -1.0,
        }
    }

    /// The other one.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Forward => Self::Reverse,
            Self::Reverse => Self::Forward,
        }
    }
}

/// When the direction changes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DirectionParams {
    /// Speed up to which a vehicle stands, in [0.05, 2] (m/s).
    pub standstill: Real,
    /// Speed up to which one whose braked wheels are all locked is taken for standing, as on ice,
    /// in [0, 10] (m/s).
    pub locked_speed: Real,
    /// Time for which the other pedal is held until the direction changes, in [0, 1] (s).
    pub delay: Real,
    /// Whether the pedal must be let go of at the standstill, and pressed again.
    pub require_release: bool,
    /// Time that the gearbox takes for its switch (s): meanwhile the brake holds, and the throttle
    /// is closed.
    pub switch_time: Real,
    /// Brake that works by itself below 1 m/s while no pedal is pressed and no cruise control is
    /// on, in [0, 1].
    pub auto_brake: Real,
}

impl Default for DirectionParams {
    fn default() -> Self {
        Self {
            standstill: 0.4,
            locked_speed: 3.0,
            delay: 0.15,
            require_release: false,
            switch_time: 0.15,
            auto_brake: 0.15,
        }
    }
}

impl Validate for DirectionParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("standstill", self.standstill, Bound::Within(0.05, 2.0));
        check.number("locked_speed", self.locked_speed, Bound::Within(0.0, 10.0));
        check.number("delay", self.delay, Bound::Within(0.0, 1.0));
        check.number("switch_time", self.switch_time, Bound::Within(0.0, 10.0));
        check.number("auto_brake", self.auto_brake, Bound::Within(0.0, 1.0));
    }
}

/// What is seen of the vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DirectionInput {
    /// Pedals forward and backward, each in [0, 1].
    pub pedals: [Real; 2],
    /// Forward speed over the ground (m/s).
    pub speed: Real,
    /// Whether all wheels stand that the brakes hold.
    pub are_wheels_locked: bool,
    /// Whether no wheel touches the ground: nothing changes then.
    pub is_airborne: bool,
    /// Whether a cruise control keeps the speed, which brakes by itself.
    pub is_cruising: bool,
    /// Whether the vehicle has no reverse gear: the brake stays a brake then.
    pub is_forward_only: bool,
}

/// Accelerator and brake that follow from two pedals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DirectionOutput {
    /// Accelerator, in [0, 1].
    pub throttle: Real,
    /// Foot brake, in [0, 1].
    pub brake: Real,
}

/// Which way a vehicle is driven, between two steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DirectionState {
    /// The direction.
    pub direction: Direction,
    /// Whether a foot is on the pedals forward and backward.
    pub is_pressed: [bool; 2],
    /// Time for which the other pedal has been held at a standstill (s).
    pub waiting: Real,
    /// Whether that pedal must be let go of first.
    pub awaits_release: bool,
    /// Time until the gearbox has switched (s).
    pub switching: Real,
}

impl DirectionState {
    /// Pedals and direction after `dt` (s).
    ///
    /// With `p` the pedal of the direction that is driven, `q` the other, and `v` the speed that
    /// way:
    ///
    /// ```text
    /// q = 0, p > 0, v > -v_s             throttle p
    /// q = 0, p > 0, v < -v_s             brake p, as it rolls the wrong way
    /// q > 0, v > v_s                     brake q, throttle p
    /// q > 0, |v| ≤ v_s                   brake 1; with p = 0 for the delay, the direction changes
    /// p = q = 0                          it coasts, and is braked to rest below 1 m/s
    /// ```
    ///
    /// The direction of a vehicle without a reverse gear stays forward.
    pub fn update(
        &mut self,
        params: &DirectionParams,
        input: &DirectionInput,
        dt: Real,
    ) -> DirectionOutput {
        let [on, off] = FEET;
        for (is_pressed, &pedal) in self.is_pressed.iter_mut().zip(&input.pedals) {
            *is_pressed = if *is_pressed { off < pedal } else { on < pedal };
        }
        self.switching = (self.switching - dt).max(0.0);
        if !input.is_airborne {
            self.change(params, input, dt);
        }
        self.pedals(params, input)
    }

    /// Pedal of the direction that is driven, and the other: whether a foot is on it, and how far.
    fn with_and_against(&self, input: &DirectionInput) -> [(bool, Real); 2] {
        let both = [0, 1].map(|index| (self.is_pressed[index], input.pedals[index]));
        match self.direction {
            Direction::Forward => both,
            Direction::Reverse => [both[1], both[0]],
        }
    }

    fn stands(params: &DirectionParams, input: &DirectionInput) -> bool {
        let is_on_ice = input.are_wheels_locked && input.speed.abs() <= params.locked_speed;
        input.speed.abs() <= params.standstill || is_on_ice
    }

    fn change(&mut self, params: &DirectionParams, input: &DirectionInput, dt: Real) {
        if input.is_forward_only {
            (self.direction, self.waiting) = (Direction::Forward, 0.0);
            return;
        }
        let [(with, _), (against, _)] = self.with_and_against(input);
        let stands = Self::stands(params, input);
        if !against {
            (self.waiting, self.awaits_release) = (0.0, false);
            return;
        }
        // A pedal that has braked is not yet the wish to go the other way.
        if !stands {
            self.awaits_release = params.require_release;
        }
        if with || !stands || self.awaits_release || 0.0 < self.switching {
            self.waiting = 0.0;
            return;
        }
        self.waiting += dt;
        if params.delay <= self.waiting {
            self.waiting = 0.0;
            self.direction = self.direction.opposite();
            self.switching = params.switch_time;
        }
    }

    fn pedals(&self, params: &DirectionParams, input: &DirectionInput) -> DirectionOutput {
        let [(is_with, with), (is_against, against)] = self.with_and_against(input);
        let with = if is_with { with } else { 0.0 };
        let along = self.direction.sign() * input.speed;
        let stands = input.speed.abs() <= params.standstill;
        if 0.0 < self.switching && stands {
            return DirectionOutput { throttle: 0.0, brake: HOLD };
        }
        if is_against {
            let brake = if stands { HOLD } else { against };
            return DirectionOutput { throttle: with, brake };
        }
        if is_with {
            let rolls_back = along < -params.standstill;
            let is_open = !rolls_back && self.switching == 0.0;
            let throttle = if is_open { with } else { 0.0 };
            return DirectionOutput { throttle, brake: if rolls_back { with } else { 0.0 } };
        }
        let is_slow = input.speed.abs() < CREEP && !input.is_cruising;
        let brake = if is_slow { params.auto_brake } else { 0.0 };
        DirectionOutput { throttle: 0.0, brake }
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::math::Clamped;

    use super::*;

    const DT: Real = 1.0 / 60.0;

    /// A vehicle on a `slope` (m/s² forward) that pedals accelerate by 4 m/s² and brakes by 8.
    struct Toy {
        params: DirectionParams,
        state: DirectionState,
        speed: Real,
        way: Real,
        slope: Real,
        changes: u32,
    }

    impl Toy {
        fn at(speed: Real) -> Self {
            let (params, state) = (DirectionParams::default(), DirectionState::default());
            Self { params, state, speed, way: 0.0, slope: 0.0, changes: 0 }
        }

        fn step(&mut self, pedals: [Real; 2]) -> DirectionOutput {
            let input = DirectionInput { pedals, speed: self.speed, ..DirectionInput::default() };
            let before = self.state.direction;
            let output = self.state.update(&self.params, &input, DT);
            self.changes += u32::from(before != self.state.direction);
            let pull = 4.0 * output.throttle * self.state.direction.sign() + self.slope;
            self.speed += pull * DT;
            let brake = 8.0 * output.brake * DT;
            self.speed -= self.speed.clamped(-brake, brake);
            self.way += self.speed * DT;
            output
        }

        fn run(&mut self, pedals: [Real; 2], seconds: Real) {
            for _ in 0..(seconds / DT).round() as u32 {
                self.step(pedals);
            }
        }
    }

    #[test]
    fn forward_brake_reverse_and_forward_again_change_the_direction_once_each() {
        let mut car = Toy::at(0.0);
        car.run([1.0, 0.0], 3.0);
        assert!(10.0 < car.speed && car.changes == 0, "{} m/s", car.speed);
        car.run([0.0, 1.0], 4.0);
        assert!(car.speed < -4.0, "{} m/s backward", car.speed);
        assert_eq!(car.changes, 1);
        car.run([1.0, 0.0], 4.0);
        assert!(4.0 < car.speed, "{} m/s forward", car.speed);
        assert_eq!(car.changes, 2);
    }

    #[test]
    fn a_brake_holds_a_vehicle_that_has_no_reverse_gear() {
        // One that has come from a vehicle with a reverse gear, too.
        for direction in [Direction::Forward, Direction::Reverse] {
            let mut state = DirectionState { direction, ..DirectionState::default() };
            let pedals = [0.0, 1.0];
            let input =
                DirectionInput { pedals, is_forward_only: true, ..DirectionInput::default() };
            for step in 0..60 {
                let output = state.update(&DirectionParams::default(), &input, DT);
                let held = DirectionOutput { throttle: 0.0, brake: HOLD };
                assert_eq!((state.direction, output), (Direction::Forward, held), "step {step}");
            }
        }
    }

    #[test]
    fn noise_of_an_axis_changes_nothing() {
        let mut car = Toy::at(0.0);
        for step in 0..600 {
            let noise = if step % 3 == 0 { 0.05 } else { 0.0 };
            car.step([0.5 * noise, noise]);
        }
        assert_eq!((car.changes, car.speed), (0, 0.0));
        for step in 0..60 {
            let noise = 0.05 * (step % 3) as Real - 0.05;
            car.step([0.0, 0.5 + noise]);
        }
        assert_eq!(car.changes, 1, "a pedal that trembles is held");
    }

    #[test]
    fn a_cruise_control_is_not_braked_by_pedals_that_nobody_presses() {
        let params = DirectionParams::default();
        for (is_cruising, brake) in [(false, params.auto_brake), (true, 0.0)] {
            let input = DirectionInput { speed: 0.5, is_cruising, ..DirectionInput::default() };
            let output = DirectionState::default().update(&params, &input, DT);
            assert_eq!(output, DirectionOutput { throttle: 0.0, brake });
        }
    }

    #[test]
    fn both_pedals_brake_at_speed_and_stand_at_rest() {
        let mut car = Toy::at(20.0);
        let output = car.step([1.0, 0.6]);
        assert_eq!(output, DirectionOutput { throttle: 1.0, brake: 0.6 });
        car.run([1.0, 1.0], 10.0);
        assert_eq!((car.speed, car.changes), (0.0, 0));
    }

    #[test]
    fn a_tap_of_the_brake_at_speed_never_selects_reverse() {
        let mut car = Toy::at(50.0);
        for _ in 0..20 {
            car.run([0.0, 1.0], 0.2);
            car.run([1.0, 0.0], 0.2);
        }
        assert_eq!(car.changes, 0);
        // Nor do wheels that lock in a panic stop.
        let mut state = DirectionState::default();
        let input = DirectionInput {
            pedals: [0.0, 1.0],
            speed: 50.0,
            are_wheels_locked: true,
            ..DirectionInput::default()
        };
        for _ in 0..200 {
            state.update(&DirectionParams::default(), &input, DT);
        }
        assert_eq!(state.direction, Direction::Forward);
    }

    #[test]
    fn a_car_on_ice_with_locked_wheels_can_be_reversed_and_one_in_the_air_cannot() {
        let params = DirectionParams::default();
        for (is_airborne, expected) in [(false, Direction::Reverse), (true, Direction::Forward)] {
            let mut state = DirectionState::default();
            let input = DirectionInput {
                pedals: [0.0, 1.0],
                speed: 1.5,
                are_wheels_locked: true,
                is_airborne,
                ..DirectionInput::default()
            };
            for _ in 0..60 {
                state.update(&params, &input, DT);
            }
            assert_eq!(state.direction, expected, "in the air: {is_airborne}");
        }
    }

    #[test]
    fn a_pedal_that_has_braked_is_let_go_of_first_if_that_is_required() {
        let mut car = Toy::at(8.0);
        car.params.require_release = true;
        car.run([0.0, 1.0], 5.0);
        assert_eq!((car.changes, car.speed), (0, 0.0));
        car.run([0.0, 0.0], 0.1);
        car.run([0.0, 1.0], 0.5);
        assert_eq!(car.changes, 1);
    }

    #[test]
    fn on_slopes_it_never_rolls_far_the_wrong_way() {
        for slope in [-2.0, 2.0] {
            let mut car = Toy::at(0.0);
            car.slope = slope;
            for pedals in [[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]] {
                let start = car.state.direction;
                // Until the direction has changed and beyond: the way against it.
                let (mut before, mut wrong) = (car.way, 0.0_f32);
                for _ in 0..300 {
                    car.step(pedals);
                    let wanted = pedals[0] - pedals[1];
                    if car.state.direction != start || car.state.direction.sign() == wanted {
                        wrong += (-(car.way - before) * wanted).max(0.0)
                            * Real::from(u8::from(car.speed.abs() <= 1.0));
                    }
                    before = car.way;
                }
                assert!(wrong < 0.1, "{wrong} m on a slope of {slope} m/s² with {pedals:?}");
            }
        }
    }

    #[test]
    fn direction_changes_after_as_much_time_at_any_rate() {
        let params = DirectionParams::default();
        for rate in [30.0, 60.0, 144.0, 240.0] {
            let mut state = DirectionState::default();
            let input = DirectionInput { pedals: [0.0, 1.0], ..DirectionInput::default() };
            let mut time = 0.0;
            while state.direction == Direction::Forward {
                state.update(&params, &input, 1.0 / rate);
                time += 1.0 / rate;
            }
            let late: Real = time - params.delay;
            assert!((-1e-4..1.01 / rate).contains(&late), "{rate} Hz: after {time} s");
        }
    }
}
