//! What the driver does: keys, a gamepad, and the input of a step.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_rapier::drivetrain::inputs::{AxisParams, AxisState};

use crate::aids::AidSwitch;

/// How the steering wheel, the accelerator and the brake follow keys, and how they follow a
/// gamepad.
const AXES: [[AxisParams; 3]; 2] = [
    [AxisParams::STEERING_KEYS, AxisParams::THROTTLE_KEY, AxisParams::BRAKE_KEY],
    [AxisParams::STEERING_STICK, AxisParams::TRIGGER, AxisParams::TRIGGER],
];

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
    /// An aid is switched on, or off. A cruise control that is switched on keeps the speed that the
    /// vehicle has.
    SwitchAid(AidSwitch, bool),
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

/// Share of its travel that an axis of a gamepad must pass to count as moved: sticks and pedals
/// never rest quite at 0.
const MOVED: Real = 0.25;

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

/// Keys that are held.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Keyboard {
    held: [bool; 5],
    /// Keys that were pressed since the last step: a short tap counts for one, too.
    tapped: [bool; 5],
}

impl Keyboard {
    /// A key is pressed, or let go; one that is held and repeats itself is pressed once.
    pub fn set(&mut self, key: Key, is_down: bool) {
        self.tapped[key as usize] |= is_down && !self.held[key as usize];
        self.held[key as usize] = is_down;
    }

    /// Whether a key was pressed since the last step.
    pub(crate) fn is_pressed(&self) -> bool {
        self.tapped.contains(&true)
    }

    /// All keys are let go, because the window is no more in front.
    pub fn release_all(&mut self) {
        self.held = [false; 5];
    }

    /// What keys ask of steering wheel, accelerator, brake and hand brake in a step.
    fn take(&mut self) -> [Real; 4] {
        let down = |key: Key| {
            let is_down = self.held[key as usize] || self.tapped[key as usize];
            if is_down { 1.0 } else { 0.0 }
        };
        let asked = [
            down(Key::Left) - down(Key::Right),
            down(Key::Forward),
            down(Key::Backward),
            down(Key::HandBrake),
        ];
        self.tapped = [false; 5];
        asked
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
    /// Whether an axis is beyond a quarter of its travel now, and was not `before`.
    pub(crate) fn is_moved_from(&self, before: &Self) -> bool {
        let axes = |pad: &Self| [pad.throttle, pad.brake, pad.steer, pad.hand_brake];
        let is_beyond = |value: Real| MOVED < value.abs();
        let pairs = axes(before).into_iter().zip(axes(self));
        pairs.into_iter().any(|(before, now)| !is_beyond(before) && is_beyond(now))
    }
}

/// Where keys and a gamepad have moved steering wheel, accelerator and brake.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Hands {
    axes: [[AxisState; 3]; 2],
}

impl Hands {
    /// The input after a step of `dt` (s) in a vehicle of this `speed` (m/s): of keys and gamepad,
    /// what is farther down or farther turned counts.
    pub(crate) fn update(
        &mut self,
        keyboard: &mut Keyboard,
        gamepad: &Gamepad,
        speed: Real,
        dt: Real,
    ) -> DriverInput {
        let Gamepad { throttle, brake, steer, hand_brake } = *gamepad;
        let [turn, ahead, back, pulled] = keyboard.take();
        let asked = [[turn, ahead, back], [steer, throttle, brake]];
        let mut moved = [[0.0; 3]; 2];
        for (device, values) in moved.iter_mut().enumerate() {
            for (axis, value) in values.iter_mut().enumerate() {
                let asked = asked[device][axis];
                let asked = if asked.is_finite() { asked.clamp(-1.0, 1.0) } else { 0.0 };
                let (params, state) = (&AXES[device][axis], &mut self.axes[device][axis]);
                *value = state.update(params, asked, speed, dt);
            }
        }
        let [keys, pad] = moved;
        DriverInput::new(
            keys[1].max(pad[1]),
            keys[2].max(pad[2]),
            if keys[0].abs() < pad[0].abs() { pad[0] } else { keys[0] },
            pulled.max(hand_brake),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The input after keys were held for a time (s) in a car at rest, in so many steps a second.
    fn held(keys: &[Key], rate: u32, time: Real) -> DriverInput {
        let (mut keyboard, mut hands) = (Keyboard::default(), Hands::default());
        for key in keys {
            keyboard.set(*key, true);
        }
        let mut input = DriverInput::default();
        for _ in 0..(time * rate as Real).round() as u32 {
            input = hands.update(&mut keyboard, &Gamepad::default(), 0.0, 1.0 / rate as Real);
        }
        input
    }

    #[test]
    fn rates_do_not_depend_on_the_frame_rate() {
        let reference = held(&[Key::Forward, Key::Left], 1_000, 0.2);
        assert!((reference.throttle() - 0.8).abs() < 0.01, "{reference:?}");
        assert!((reference.steer() - 0.5).abs() < 1e-3, "{reference:?}");
        for rate in [10, 30, 60, 240] {
            let input = held(&[Key::Forward, Key::Left], rate, 0.2);
            assert!((input.throttle() - reference.throttle()).abs() < 0.01, "{rate} Hz: {input:?}");
            assert!((input.steer() - reference.steer()).abs() < 1e-3, "{rate} Hz: {input:?}");
        }
    }

    #[test]
    fn keys_that_are_let_go_return_to_the_middle_and_stay() {
        let (mut keyboard, mut hands) = (Keyboard::default(), Hands::default());
        keyboard.set(Key::Right, true);
        keyboard.set(Key::Forward, true);
        let mut go = |keyboard: &mut Keyboard| {
            let step = |_| hands.update(keyboard, &Gamepad::default(), 10.0, 1.0 / 60.0);
            (0..60).map(step).last().expect("a step")
        };
        let input = go(&mut keyboard);
        assert_eq!((input.steer(), input.throttle()), (-1.0, 1.0));
        keyboard.release_all();
        let input = go(&mut keyboard);
        assert_eq!((input.steer, input.throttle), (0, 0));
    }

    #[test]
    fn a_tap_between_two_steps_counts_for_one() {
        let (mut keyboard, mut hands) = (Keyboard::default(), Hands::default());
        keyboard.set(Key::Forward, true);
        keyboard.set(Key::Forward, false);
        let mut step = || hands.update(&mut keyboard, &Gamepad::default(), 0.0, 1.0 / 60.0);
        let pressed = step();
        assert!((pressed.throttle() - 4.0 / 60.0).abs() < 0.01, "{pressed:?}");
        assert_eq!(step().throttle, 0);
    }

    #[test]
    fn opposite_keys_leave_the_wheel_in_the_middle() {
        assert_eq!(held(&[Key::Left, Key::Right], 60, 0.5).steer, 0);
    }

    #[test]
    fn of_keys_and_a_gamepad_what_is_farther_counts() {
        let (mut keyboard, mut hands) = (Keyboard::default(), Hands::default());
        keyboard.set(Key::Left, true);
        let gamepad = Gamepad { throttle: 0.5, steer: -0.4, hand_brake: 0.3, ..Gamepad::default() };
        let mut input = DriverInput::default();
        for _ in 0..60 {
            input = hands.update(&mut keyboard, &gamepad, 0.0, 1.0 / 60.0);
        }
        assert_eq!(input.steer(), 1.0);
        assert!((0.4..0.55).contains(&input.throttle()), "{input:?}");
        assert!((input.hand_brake() - 0.3).abs() < 0.01, "{input:?}");
        keyboard.release_all();
        for _ in 0..60 {
            input = hands.update(&mut keyboard, &gamepad, 0.0, 1.0 / 60.0);
        }
        assert!((-0.3..-0.1).contains(&input.steer()), "fine in the middle: {input:?}");
    }

    #[test]
    fn inputs_out_of_range_are_brought_into_it() {
        let input = DriverInput::new(2.0, -1.0, Real::NAN, 0.5);
        assert_eq!((input.throttle, input.brake, input.steer, input.hand_brake), (255, 0, 0, 128));
        let input = DriverInput::new(0.0, 0.0, -3.0, 0.0);
        assert_eq!(input.steer(), -1.0);
        // A gamepad that says nonsense for a moment drives on afterwards.
        let (mut keyboard, mut hands) = (Keyboard::default(), Hands::default());
        let broken = Gamepad { throttle: Real::NAN, steer: Real::INFINITY, ..Gamepad::default() };
        hands.update(&mut keyboard, &broken, 0.0, 1.0 / 60.0);
        let good = Gamepad { throttle: 1.0, ..Gamepad::default() };
        let mut input = DriverInput::default();
        for _ in 0..60 {
            input = hands.update(&mut keyboard, &good, 0.0, 1.0 / 60.0);
        }
        assert_eq!((input.throttle, input.steer), (255, 0));
    }
}
