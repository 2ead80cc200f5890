//! What the driver does: keys with their rates, a gamepad, and the input of a step.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};

/// Rates at which a key moves its pedal (1/s): pressed, and let go.
const PEDAL_RATES: [Real; 2] = [4.0, 8.0];
/// Rates at which keys turn the steering wheel (1/s): from the middle, and back to it.
const STEER_RATES: [Real; 2] = [2.0, 3.5];
/// Share of its way below which a stick is taken to be in the middle (dimensionless).
const DEAD_ZONE: Real = 0.08;

/// A key that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The accelerator.
    Forward,
    /// The brake, which becomes reverse at a standstill.
    Backward,
    /// The steering wheel to the left.
    Left,
    /// The steering wheel to the right.
    Right,
    /// The hand brake.
    HandBrake,
}

/// Something that happens once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Event {
    /// The vehicle is put back on its wheels where it is.
    Upright,
    /// The vehicle is put to the start of this number.
    Start(u8),
    /// The next gear up is put in.
    GearUp,
    /// The next gear down is put in.
    GearDown,
    /// The gearbox shifts by itself, or no more.
    ToggleGearMode,
}

/// What the driver does in a step, as it is recorded: in numbers of few bits, so that what is
/// replayed is what has been driven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DriverInput {
    /// Accelerator, in 255ths.
    pub throttle: u8,
    /// Brake, which becomes reverse at a standstill, in 255ths.
    pub brake: u8,
    /// Steering wheel, positive to the left, in 32,767ths.
    pub steer: i16,
    /// Hand brake, in 255ths.
    pub hand_brake: u8,
    /// What happens in this step.
    pub event: Option<Event>,
}

/// The nearest of 256 steps of a pedal.
fn pedal(value: Real) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

impl DriverInput {
    /// The input of pedals, each in [0, 1], and a steering wheel in [-1, 1].
    pub fn new(throttle: Real, brake: Real, steer: Real, hand_brake: Real) -> Self {
        Self {
            throttle: pedal(throttle),
            brake: pedal(brake),
            steer: (steer.clamp(-1.0, 1.0) * 32_767.0).round() as i16,
            hand_brake: pedal(hand_brake),
            event: None,
        }
    }

    /// Accelerator, in [0, 1].
    pub fn throttle(&self) -> Real {
        Real::from(self.throttle) / 255.0
    }

    /// Brake, in [0, 1].
    pub fn brake(&self) -> Real {
        Real::from(self.brake) / 255.0
    }

    /// Steering wheel, in [-1, 1], positive to the left.
    pub fn steer(&self) -> Real {
        Real::from(self.steer) / 32_767.0
    }

    /// Hand brake, in [0, 1].
    pub fn hand_brake(&self) -> Real {
        Real::from(self.hand_brake) / 255.0
    }
}

/// A control that a key moves at a rate.
///
/// ```text
/// dx/dt = ±r,   until x is where the key wants it
/// ```
///
/// A straight line is the same in steps of any length.
fn approach(value: Real, target: Real, [away, back]: [Real; 2], dt: Real) -> Real {
    let is_away = value.abs() < target.abs() && 0.0 <= value * target;
    let step = if is_away { away } else { back } * dt;
    value + (target - value).clamp(-step, step)
}

/// Keys that are held, and where they have moved pedals and steering wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Keyboard {
    held: [bool; 5],
    /// Keys that were pressed since the last step: a short tap counts for one, too.
    tapped: [bool; 5],
    throttle: Real,
    brake: Real,
    steer: Real,
}

impl Keyboard {
    /// A key is pressed, or let go.
    pub fn set(&mut self, key: Key, is_down: bool) {
        self.held[key as usize] = is_down;
        self.tapped[key as usize] |= is_down;
    }

    /// All keys are let go, because the window is no more in front.
    pub fn release_all(&mut self) {
        self.held = [false; 5];
    }

    /// Moves pedals and steering wheel on by `dt` (s).
    pub(crate) fn advance(&mut self, dt: Real) {
        let down = |key: Key| {
            let is_down = self.held[key as usize] || self.tapped[key as usize];
            if is_down { 1.0 } else { 0.0 }
        };
        self.throttle = approach(self.throttle, down(Key::Forward), PEDAL_RATES, dt);
        self.brake = approach(self.brake, down(Key::Backward), PEDAL_RATES, dt);
        self.steer = approach(self.steer, down(Key::Left) - down(Key::Right), STEER_RATES, dt);
        self.tapped = [false; 5];
    }

    fn hand_brake(&self) -> Real {
        if self.held[Key::HandBrake as usize] { 1.0 } else { 0.0 }
    }
}

/// A gamepad, a wheel with pedals, or fingers on a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gamepad {
    /// Accelerator, in [0, 1].
    pub throttle: Real,
    /// Brake, in [0, 1].
    pub brake: Real,
    /// Steering, in [-1, 1], positive to the left.
    pub steer: Real,
    /// Hand brake, in [0, 1].
    pub hand_brake: Real,
}

impl Gamepad {
    /// Steering beyond the dead zone: fine in the middle.
    ///
    /// ```text
    /// s |s|,   s = (|x| - x₀) / (1 - x₀) sign(x)
    /// ```
    fn shaped_steer(&self) -> Real {
        let beyond = (self.steer.abs() - DEAD_ZONE).max(0.0) / (1.0 - DEAD_ZONE);
        (beyond * beyond).min(1.0).copysign(self.steer)
    }
}

/// The input of a step: what is farther down or farther turned counts, and the steering wheel of
/// keys turns less the faster the car is, by `steer_limit` in [0, 1].
pub(crate) fn combined(keyboard: &Keyboard, gamepad: &Gamepad, steer_limit: Real) -> DriverInput {
    let keys = keyboard.steer * steer_limit;
    let stick = gamepad.shaped_steer();
    DriverInput::new(
        keyboard.throttle.max(gamepad.throttle),
        keyboard.brake.max(gamepad.brake),
        if keys.abs() < stick.abs() { stick } else { keys },
        keyboard.hand_brake().max(gamepad.hand_brake),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(keys: &[Key], rate: u32, time: Real) -> Keyboard {
        let mut keyboard = Keyboard::default();
        for key in keys {
            keyboard.set(*key, true);
        }
        for _ in 0..(time * rate as Real).round() as u32 {
            keyboard.advance(1.0 / rate as Real);
        }
        keyboard
    }

    #[test]
    fn rates_do_not_depend_on_the_frame_rate() {
        let reference = held(&[Key::Forward, Key::Left], 1_000, 0.2);
        assert!((reference.throttle - 0.8).abs() < 1e-4, "{reference:?}");
        assert!((reference.steer - 0.4).abs() < 1e-4, "{reference:?}");
        for rate in [10, 30, 60, 240] {
            let keyboard = held(&[Key::Forward, Key::Left], rate, 0.2);
            assert!((keyboard.throttle - reference.throttle).abs() < 1e-4, "{rate} Hz");
            assert!((keyboard.steer - reference.steer).abs() < 1e-4, "{rate} Hz");
        }
    }

    #[test]
    fn keys_that_are_let_go_return_to_the_middle_and_stay() {
        let mut keyboard = held(&[Key::Right, Key::Forward], 60, 1.0);
        assert_eq!((keyboard.steer, keyboard.throttle), (-1.0, 1.0));
        keyboard.release_all();
        for _ in 0..60 {
            keyboard.advance(1.0 / 60.0);
        }
        assert_eq!((keyboard.steer, keyboard.throttle), (0.0, 0.0));
    }

    #[test]
    fn a_tap_between_two_steps_counts_for_one() {
        let mut keyboard = Keyboard::default();
        keyboard.set(Key::Forward, true);
        keyboard.set(Key::Forward, false);
        keyboard.advance(1.0 / 60.0);
        let pressed = keyboard.throttle;
        keyboard.advance(1.0 / 60.0);
        assert!((pressed - 4.0 / 60.0).abs() < 1e-6 && keyboard.throttle == 0.0, "{keyboard:?}");
    }

    #[test]
    fn opposite_keys_leave_the_wheel_in_the_middle() {
        assert_eq!(held(&[Key::Left, Key::Right], 60, 0.5).steer, 0.0);
    }

    #[test]
    fn a_stick_is_dead_in_the_middle_and_full_at_its_end() {
        let steer = |steer| Gamepad { steer, ..Gamepad::default() }.shaped_steer();
        assert_eq!(steer(0.05), 0.0);
        assert_eq!((steer(1.0), steer(-1.0)), (1.0, -1.0));
        assert!((0.1..0.3).contains(&steer(0.5)), "{}", steer(0.5));
    }

    #[test]
    fn inputs_out_of_range_are_brought_into_it() {
        let input = DriverInput::new(2.0, -1.0, Real::NAN, 0.5);
        assert_eq!((input.throttle, input.brake, input.steer, input.hand_brake), (255, 0, 0, 128));
        let input = DriverInput::new(0.0, 0.0, -3.0, 0.0);
        assert_eq!(input.steer(), -1.0);
    }
}
