//! The playground as WebAssembly, for a page in the browser.
//!
//! The page calls plain functions and reads numbers out of the memory of the module: no bindings
//! are generated. Texts and files go through one [`buffer`], answers through one
//! [output](output_pointer). What is drawn is in one array of numbers, [`frame_pointer`], whose
//! layout is in [`frame`].
//!
//! The npm package has a world of its own, see [`own_world`].
//!
//! Functions that can fail return whether they have not; the output is the reason then.

mod app;
mod frame;
mod own_world;
mod scene;

use std::cell::RefCell;

use playground::{AidSwitch, CameraMode, DriverInput, Event, Gamepad, Key};

use crate::app::App;
use crate::own_world::OwnWorld;

thread_local! {
    static APP: RefCell<App> = RefCell::new(App::default());
}

fn with<T>(action: impl FnOnce(&mut App) -> T) -> T {
    APP.with_borrow_mut(action)
}

/// Makes room for `length` bytes that the page is about to hand over; where.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn buffer(length: usize) -> *mut u8 {
    with(|app| app.make_room(length))
}

/// Where the last answer is.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn output_pointer() -> *const u8 {
    with(|app| app.output().as_ptr())
}

/// How long the last answer is.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    with(|app| app.output().len())
}

/// Answers with what can be chosen: vehicles, worlds and driver aids (JSON).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn catalog() -> bool {
    with(App::catalog)
}

/// Begins the drive that the buffer says (JSON): a setup, and in `file` the text of a vehicle's
/// file that is driven in the place of the vehicle. Answers with its scene (JSON).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn begin() -> bool {
    with(App::begin)
}

/// Drives on with the vehicle whose file (JSON) is in the buffer, and answers with the scene
/// (JSON).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn change() -> bool {
    with(App::change)
}

/// Begins the drive of the recording in the buffer, and answers with its scene (JSON).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn replay() -> bool {
    with(App::replay)
}

/// Answers with the recording of the drive until now (bytes).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn recording() -> bool {
    with(App::recording)
}

/// Answers with the driver's best lap, to be kept (bytes).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn best_lap() -> bool {
    with(App::best_lap)
}

/// Takes the lap in the buffer, which was kept, for the one to beat.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn set_best_lap() -> bool {
    with(App::set_best_lap)
}

/// The hash of all bits of the physics at the end of a replay; 0 before.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn replay_end() -> u64 {
    with(|app| app.replay_end())
}

/// Goes on by `seconds`, in fixed steps; their number, or -1.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn advance(seconds: f64) -> i32 {
    with(|app| app.advance(seconds))
}

/// Goes on by `count` steps.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn step(count: u32) -> bool {
    with(|app| app.step(count))
}

/// A hash of all bits of the physics.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn fingerprint() -> u64 {
    with(|app| app.fingerprint())
}

/// Presses a key or lets go of it: forward, backward, left, right, hand brake.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn set_key(key: u32, is_down: bool) {
    let keys = [Key::Forward, Key::Backward, Key::Left, Key::Right, Key::HandBrake];
    if let Some(key) = keys.get(key as usize) {
        with(|app| app.drive(|session| session.keyboard.set(*key, is_down)));
    }
}

/// Lets go of all keys.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn release_keys() {
    with(|app| app.drive(|session| session.keyboard.release_all()));
}

/// Sets pedals, steering and hand brake of a gamepad, or of fingers on a screen.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn set_gamepad(throttle: f32, brake: f32, steer: f32, hand_brake: f32) {
    let gamepad = Gamepad { throttle, brake, steer, hand_brake };
    with(|app| app.drive(|session| session.gamepad = gamepad));
}

/// Something happens: 0 back on the wheels, 1 to the start of number `argument`, 2 a gear up, 3 a
/// gear down, 4 gears by hand or not.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn push_event(kind: u32, argument: u8) {
    let event = match kind {
        0 => Event::Upright,
        1 => Event::Start(argument),
        2 => Event::GearUp,
        3 => Event::GearDown,
        _ => Event::ToggleGearMode,
    };
    with(|app| app.drive(|session| session.push_event(event)));
}

/// Switches the driver aid of this number in the catalog on, or off.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn switch_aid(number: u32, is_on: bool) {
    if let Some(aid) = AidSwitch::ALL.get(number as usize) {
        with(|app| app.drive(|session| session.push_event(Event::SwitchAid(*aid, is_on))));
    }
}

/// Looks from behind (0), from the seat (1), from around (2), or from anywhere (3).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn set_camera_mode(mode: u32) {
    let modes = [CameraMode::Chase, CameraMode::Cockpit, CameraMode::Orbit, CameraMode::Free];
    if let Some(mode) = modes.get(mode as usize) {
        with(|app| app.drive(|session| session.set_camera_mode(*mode)));
    }
}

/// Turns the camera (rad), and changes its distance by a factor.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn turn_camera(yaw: f32, pitch: f32, zoom: f32) {
    with(|app| app.drive(|session| session.turn_camera(yaw, pitch, zoom)));
}

/// Flies the free camera (m).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn fly_camera(forward: f32, left: f32, up: f32) {
    with(|app| app.drive(|session| session.fly_camera([forward, left, up])));
}

/// Shows Rapier's own vehicle controller beside the vehicle, or no more.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn set_ghost(is_shown: bool) -> bool {
    with(|app| app.set_ghost(is_shown))
}

/// Writes what is to be drawn now; where it is.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn frame_pointer() -> *const f32 {
    with(|app| app.frame().as_ptr())
}

/// Number of numbers that are to be drawn.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn frame_length() -> usize {
    with(|app| app.frame().len())
}

/// Lists the names of presets (JSON).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn own_presets() -> bool {
    with(|app| app.in_own_world(|_, _| OwnWorld::presets()))
}

/// Puts the box of the buffer (JSON) into the package's world, and answers with its number (JSON).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn own_box() -> bool {
    with(|app| app.in_own_world(OwnWorld::insert_box))
}

/// Puts the vehicle of the buffer (JSON) into the package's world, and answers with what it is
/// (JSON).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn own_vehicle() -> bool {
    with(|app| app.in_own_world(OwnWorld::insert_vehicle))
}

/// Puts a vehicle to the place of the buffer (JSON).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn own_put(vehicle: usize) -> bool {
    with(|app| app.in_own_world(|world, text| world.put(vehicle, text)))
}

/// What the driver of a vehicle does from now on.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn own_command(
    vehicle: usize,
    throttle: f32,
    brake: f32,
    steer: f32,
    hand_brake: f32,
) -> bool {
    let input = DriverInput::new(throttle, brake, steer, hand_brake);
    with(|app| app.in_own_world(|world, _| world.command(vehicle, input)))
}

/// Steps the package's world by `dt` (s).
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn own_step(dt: f32) -> bool {
    with(|app| app.in_own_world(|world, _| world.step(dt)))
}

/// Writes poses of all boxes, then of body and wheels of each vehicle, between the last two steps;
/// where they are.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn own_poses(share: f32) -> *const f32 {
    with(|app| app.own_world().poses(share).as_ptr())
}

/// Writes what a vehicle does; where it is.
#[allow(unsafe_code, reason = "exported by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn own_readings(vehicle: usize) -> *const f32 {
    with(|app| app.own_world().readings(vehicle).as_ptr())
}
