//! A gamepad, if there is one.

use gilrs::ev::state::{AxisData, ButtonData};
use gilrs::{Axis, Button, EventType, Gilrs};
use playground::Gamepad;

use crate::app::App;
use crate::keys::Deed;

/// Gamepads; on machines on which there can be none, nothing.
pub struct Pads(Option<Gilrs>);

impl Pads {
    /// The gamepads of this machine.
    pub fn new() -> Self {
        Self(Gilrs::new().ok())
    }

    /// Hands what the first gamepad does over, once in a frame.
    pub fn update(&mut self, app: &mut App) {
        let Some(gilrs) = &mut self.0 else { return };
        while let Some(event) = gilrs.next_event() {
            if let EventType::ButtonPressed(button, _) = event.event
                && let Some(deed) = deed(button)
                && let Err(error) = app.do_it(deed)
            {
                app.say(format!("{error:#}"));
            }
        }
        // One that is unplugged has no foot on a pedal.
        app.set_gamepad(gilrs.gamepads().next().map_or_else(Gamepad::default, |(_, pad)| {
            let value = |button| pad.button_data(button).map_or(0.0, ButtonData::value);
            Gamepad {
                throttle: value(Button::RightTrigger2),
                brake: value(Button::LeftTrigger2),
                steer: -pad.axis_data(Axis::LeftStickX).map_or(0.0, AxisData::value),
                hand_brake: value(Button::South),
            }
        }));
    }
}

impl Default for Pads {
    fn default() -> Self {
        Self::new()
    }
}

/// What a button does beside pedals, steering and hand brake.
fn deed(button: Button) -> Option<Deed> {
    match button {
        Button::RightTrigger => Some(Deed::GearUp),
        Button::LeftTrigger => Some(Deed::GearDown),
        Button::North => Some(Deed::NextCamera),
        Button::East => Some(Deed::Upright),
        _ => None,
    }
}
