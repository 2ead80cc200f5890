//! What keys do: the same as on the page in the browser.

use kiss3d::event::Key as Pressed;
use playground::{AidSwitch, Key};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Moves a control as long as it is held.
    Hold(Key),
    /// Flies the free camera as long as it is held: forward, to the left and up.
    Fly([f32; 3]),
    /// Does something once.
    Do(Deed),
}

/// Something that is done once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Puts the car back on its wheels.
    Upright,
    /// Puts it to its start.
    Restart,
    /// A gear up.
    GearUp,
    /// A gear down.
    GearDown,
    /// Gears by hand or not.
    ToggleGears,
    /// A driver aid, on or off.
    ToggleAid(AidSwitch),
    /// The next camera.
    NextCamera,
    /// The ghost, or none.
    ToggleGhost,
    /// Forces, or none.
    ToggleForces,
    /// The next vehicle.
    NextVehicle,
    /// The next world.
    NextWorld,
    /// Shows the drive again.
    Replay,
    /// Saves the drive.
    SaveDrive,
    /// The parameters, or none.
    ToggleParameters,
    /// The list of keys, or none.
    ToggleHelp,
}

/// Keys and what they do, for the list of keys.
pub const HELP: [(&str, &str); 12] = [
    ("W S A D, arrows", "drive; at a standstill, the brake becomes reverse"),
    ("Space", "hand brake"),
    ("R, Backspace", "back on the wheels, back to the start"),
    ("E Q, T", "a gear up, down; automatic again"),
    ("1 to 9, 0, -", "driver aids, in the order of their lamps; one that acts lights up"),
    ("C", "camera: chase, cockpit, orbit, free (drag, wheel, I J K L, U B)"),
    ("G", "ghost: Rapier's own vehicle controller on the same chassis"),
    ("F", "forces, friction circles"),
    ("V, N", "next vehicle, next world"),
    ("P, O", "replay this drive; save it as a file"),
    ("X", "parameters"),
    ("H", "this list"),
];

/// Keys of the driver aids, in their order.
const AIDS: [Pressed; AidSwitch::ALL.len()] = [
    Pressed::Key1,
    Pressed::Key2,
    Pressed::Key3,
    Pressed::Key4,
    Pressed::Key5,
    Pressed::Key6,
    Pressed::Key7,
    Pressed::Key8,
    Pressed::Key9,
    Pressed::Key0,
    Pressed::Minus,
];

/// What `key` does.
pub fn action(key: Pressed) -> Option<Action> {
    if let Some(number) = AIDS.iter().position(|aid| *aid == key) {
        return Some(Action::Do(Deed::ToggleAid(AidSwitch::ALL[number])));
    }
    Some(match key {
        Pressed::W | Pressed::Up => Action::Hold(Key::Forward),
        Pressed::S | Pressed::Down => Action::Hold(Key::Backward),
        Pressed::A | Pressed::Left => Action::Hold(Key::Left),
        Pressed::D | Pressed::Right => Action::Hold(Key::Right),
        Pressed::Space => Action::Hold(Key::HandBrake),
        Pressed::I => Action::Fly([1.0, 0.0, 0.0]),
        Pressed::K => Action::Fly([-1.0, 0.0, 0.0]),
        Pressed::J => Action::Fly([0.0, 1.0, 0.0]),
        Pressed::L => Action::Fly([0.0, -1.0, 0.0]),
        Pressed::U => Action::Fly([0.0, 0.0, 1.0]),
        Pressed::B => Action::Fly([0.0, 0.0, -1.0]),
        Pressed::R => Action::Do(Deed::Upright),
        Pressed::Back => Action::Do(Deed::Restart),
        Pressed::E => Action::Do(Deed::GearUp),
        Pressed::Q => Action::Do(Deed::GearDown),
        Pressed::T => Action::Do(Deed::ToggleGears),
        Pressed::C => Action::Do(Deed::NextCamera),
        Pressed::G => Action::Do(Deed::ToggleGhost),
        Pressed::F => Action::Do(Deed::ToggleForces),
        Pressed::V => Action::Do(Deed::NextVehicle),
        Pressed::N => Action::Do(Deed::NextWorld),
        Pressed::P => Action::Do(Deed::Replay),
        Pressed::O => Action::Do(Deed::SaveDrive),
        Pressed::X => Action::Do(Deed::ToggleParameters),
        Pressed::H => Action::Do(Deed::ToggleHelp),
        _ => return None,
    })
}
