//! Who drives a vehicle, and what helps: keys and other devices by the library's inputs, driver
//! aids.

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_reflect::prelude::*;
use bevy_time::{Fixed, Time};
use vehicle_rapier::core::ParamErrors;
use vehicle_rapier::drivetrain::aids::AidsParams;
use vehicle_rapier::drivetrain::inputs::{
    DriverInputs, DrivingCommands, InputParams, RawInputs, ShiftInput, Shifting,
};
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::{DriverCommands, VehicleFault, VehicleInWorld};

/// The player of a vehicle: what devices say becomes its [`DriverCommands`] in each step, by the
/// library's [inputs](vehicle_rapier::drivetrain::inputs). Pedals and steering wheel move as fast
/// as feet and hands do, no further than tires follow; the brake becomes reverse at a standstill.
/// Gears are the player's, and not those of [`DriverCommands::selector`]. Taking this away lets go
/// of pedals and steering wheel. Bevy's reflection sees it as a whole.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, Debug)]
#[require(DriverCommands)]
#[component(on_remove = leave_seat)]
pub struct PlayerInputs {
    /// What devices say. [`PlayerKeys`] write it; for other devices, write it in `FixedUpdate`.
    pub raw: RawInputs,
    /// How it becomes commands; `None` for those of a keyboard, in a vehicle that shifts by itself.
    /// `car.vehicle.input_params` fits those of other devices to a vehicle.
    pub params: Option<InputParams>,
    inputs: Option<DriverInputs>,
    /// Keys that were pressed since the last step: a short tap counts for one, too.
    tapped: [bool; KEYS],
    /// Whether the vehicle is another than that for which `inputs` were made.
    is_of_another: bool,
}

impl PlayerInputs {
    /// Inputs that become commands by these `params`.
    pub fn new(params: InputParams) -> Self {
        Self { params: Some(params), ..Self::default() }
    }

    /// Fits inputs to the vehicle again, which has been made anew.
    pub(crate) fn fit_again(&mut self) {
        self.is_of_another = true;
    }

    /// What the player of `car` does in a step of `dt` (s).
    fn driven(&mut self, car: &AnyRapierVehicle, dt: f32) -> Result<DrivingCommands, ParamErrors> {
        let known = self.inputs.as_ref().filter(|_| !self.is_of_another);
        let known = known.map(|inputs| *inputs.params());
        let usual = || car.vehicle.input_params(InputParams::keyboard, Shifting::Automatic);
        let params = self.params.or(known).unwrap_or_else(usual);
        self.is_of_another = false;
        let before = self.inputs.take();
        let mut inputs = match before {
            Some(inputs) if *inputs.params() == params => inputs,
            Some(inputs) => {
                let mut other = DriverInputs::new(params)?;
                other.state = inputs.state;
                other
            }
            None => DriverInputs::new(params)?,
        };
        let driven = inputs.update(&self.raw, &car.seen_motion(), dt);
        self.inputs = Some(inputs);
        driven
    }
}

/// Number of the keys of a player.
const KEYS: usize = 7;

/// Keys by which a player drives: as they are held, they are written into the [`PlayerInputs`].
/// Taking this away lets go of all of them.
///
/// The app needs Bevy's `InputPlugin`, which is among its default plugins.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[require(PlayerInputs)]
#[component(on_remove = let_go)]
pub struct PlayerKeys {
    /// The accelerator.
    pub forward: KeyCode,
    /// The brake, which becomes reverse at a standstill.
    pub backward: KeyCode,
    /// The steering wheel to the left.
    pub left: KeyCode,
    /// The steering wheel to the right.
    pub right: KeyCode,
    /// The hand brake.
    pub hand_brake: KeyCode,
    /// A gear up, where the player shifts.
    pub gear_up: KeyCode,
    /// A gear down, where the player shifts.
    pub gear_down: KeyCode,
}

impl PlayerKeys {
    /// W, S, A, D, and space for the hand brake.
    pub const LETTERS: Self = Self {
        forward: KeyCode::KeyW,
        backward: KeyCode::KeyS,
        left: KeyCode::KeyA,
        right: KeyCode::KeyD,
        hand_brake: KeyCode::Space,
        gear_up: KeyCode::KeyE,
        gear_down: KeyCode::KeyQ,
    };
    /// Arrows, for a second player.
    pub const ARROWS: Self = Self {
        forward: KeyCode::ArrowUp,
        backward: KeyCode::ArrowDown,
        left: KeyCode::ArrowLeft,
        right: KeyCode::ArrowRight,
        hand_brake: KeyCode::ControlRight,
        gear_up: KeyCode::PageUp,
        gear_down: KeyCode::PageDown,
    };

    /// The inputs of these `keys`: those that are held, and those in `tapped`, which were pressed
    /// since the last step. Adds the keys that are pressed now to `tapped`.
    fn read(&self, keys: &ButtonInput<KeyCode>, tapped: &mut [bool; KEYS]) -> RawInputs {
        let Self { forward, backward, left, right, hand_brake, gear_up, gear_down } = *self;
        let all = [forward, backward, left, right, hand_brake, gear_up, gear_down];
        let mut held = [false; KEYS];
        for ((held, tapped), key) in held.iter_mut().zip(tapped).zip(all) {
            *tapped |= keys.pressed(key) || keys.just_pressed(key);
            *held = *tapped;
        }
        let [forward, backward, left, right, hand_brake, up, down] = held;
        let share = |is_held| if is_held { 1.0 } else { 0.0 };
        RawInputs {
            steer: share(left) - share(right),
            forward: share(forward),
            backward: share(backward),
            hand_brake: share(hand_brake),
            clutch: 0.0,
            shift: ShiftInput { up, down, lever: 0 },
        }
    }
}

impl Default for PlayerKeys {
    fn default() -> Self {
        Self::LETTERS
    }
}

/// Driver aids of a vehicle, in the place of those of its file. They may be changed at any time;
/// `car.vehicle.aided().report()` tells which of them act. Taking this away leaves the vehicle its
/// aids. Bevy's reflection sees it as a whole.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct VehicleAids(pub AidsParams);

/// Lets go of the keys of a player who has none any more.
fn let_go(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut player) = world.get_mut::<PlayerInputs>(entity) {
        (player.raw, player.tapped) = (RawInputs::default(), [false; KEYS]);
    }
}

/// Lets go of pedals and steering wheel of a vehicle that its player leaves.
fn leave_seat(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut driver) = world.get_mut::<DriverCommands>(entity) {
        *driver = DriverCommands { selector: driver.selector, ..DriverCommands::default() };
    }
}

/// Hands the keys that are held to those who drive by them.
pub(crate) fn read_keys(
    keys: Option<Res<ButtonInput<KeyCode>>>,
    mut players: Query<(&PlayerKeys, &mut PlayerInputs)>,
) {
    let Some(keys) = keys else { return };
    for (bound, mut player) in &mut players {
        let PlayerInputs { raw, tapped, .. } = &mut *player;
        *raw = bound.read(&keys, tapped);
    }
}

/// Gives vehicles the aids of their entities.
pub(crate) fn give_aids(
    mut vehicles: Query<(Entity, &mut VehicleInWorld, &VehicleAids), Without<VehicleFault>>,
    mut commands: Commands,
) {
    for (entity, mut vehicle, aids) in &mut vehicles {
        let present = vehicle.car.vehicle.aids().copied().unwrap_or_default();
        if present == (AidsParams { coordinates: present.coordinates, ..aids.0 }) {
            continue;
        }
        if let Err(errors) = vehicle.car.vehicle.set_aids(aids.0) {
            commands.entity(entity).insert(VehicleFault::Aids(errors));
        }
    }
}

/// A vehicle that a player drives.
type Played<'a> = (Entity, &'a mut VehicleInWorld, &'a mut PlayerInputs, &'a mut DriverCommands);

/// Lets players drive.
pub(crate) fn play(
    time: Res<Time<Fixed>>,
    mut players: Query<Played, Without<VehicleFault>>,
    mut commands: Commands,
) {
    let dt = time.timestep().as_secs_f32();
    for (entity, mut vehicle, mut player, mut driver) in &mut players {
        player.tapped = [false; KEYS];
        match player.driven(&vehicle.car, dt) {
            Ok(driven) => {
                vehicle.car.drive_by(&driven);
                driver.note(&mut vehicle.car);
            }
            Err(errors) => {
                commands.entity(entity).insert(VehicleFault::Inputs(errors));
            }
        }
    }
}
