//! The driver's controls, and which input of which block each of them reaches.

use serde::{Deserialize, Serialize};
use vehicle_core::commands::Commands;
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;

/// Most gears of a gearbox, in either direction.
const MAX_GEAR: i32 = 32;

/// A control of the driver, as a number for an input of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DriverCommand {
    /// Nothing: the input stays what has been [written](super::BlockDrivelineState::set_input) to
    /// it.
    Nothing,
    /// Accelerator pedal, in [0, 1].
    Throttle,
    /// Accelerator pedal in the direction of the lever, in [-1, 1]: what a motor without a reverse
    /// gear answers to.
    Traction,
    /// Whether the levers point anywhere, 0 or 1: not in neutral and in park.
    InGear,
    /// Brake pedal, in [0, 1].
    Brake,
    /// Hand brake, in [0, 1].
    HandBrake,
    /// Steering wheel, in [-1, 1], positive to the left.
    Steer,
    /// Clutch pedal, in [0, 1]: 1 is pressed.
    Clutch,
    /// Gear of a manual gearbox.
    Gear,
    /// [Lever](Selector) of an automatic gearbox.
    Selector,
    /// Ignition, 0 or 1.
    Ignition,
    /// Starter, 0 or 1.
    Starter,
    /// Retarder, in [0, 1].
    Retarder,
    /// Locks of the differentials of axles and between axles, in [0, 1].
    DifferentialLock,
    /// Lock of the transfer case, in [0, 1].
    TransferLock,
    /// Low range, 0 or 1.
    LowRange,
}

/// A control of the driver that reaches another input than [the block's
/// own](super::Channel::command) would.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DriverLink {
    /// The control.
    pub command: DriverCommand,
    /// Names of a block and of its input.
    pub to: (String, String),
    /// Factor of the number.
    pub factor: f64,
}

/// The driver's controls of a driveline beside pedals and steering wheel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrivelineCommands {
    /// Gear of a manual gearbox: 1, 2, ..., 0 in neutral, -1, -2, ... in reverse.
    pub gear: i32,
    /// Lever of an automatic gearbox, and of motors without a gearbox. In park, a manual gearbox is
    /// in neutral, and the driven wheels of any driveline are held from 5 km/h down.
    pub selector: Selector,
    /// Clutch pedal, in [0, 1]: 1 is pressed down and disengages.
    pub clutch: Real,
    /// Retarder, in [0, 1].
    pub retarder: Real,
    /// Locks of the differentials of axles and between axles, in [0, 1].
    pub differential_lock: Real,
    /// Lock of the transfer case, in [0, 1]: the clutch of one on demand, the dog clutch of a
    /// part-time one.
    pub transfer_lock: Real,
    /// Whether the low range is in.
    pub is_low_range: bool,
    /// Whether the ignition is on.
    pub has_ignition: bool,
    /// Whether the starter turns.
    pub is_starting: bool,
}

impl Default for DrivelineCommands {
    /// Neutral, the clutch pedal released, ignition on, all else off.
    fn default() -> Self {
        Self {
            gear: 0,
            selector: Selector::Neutral,
            clutch: 0.0,
            retarder: 0.0,
            differential_lock: 0.0,
            transfer_lock: 0.0,
            is_low_range: false,
            has_ignition: true,
            is_starting: false,
        }
    }
}

impl Validate for DrivelineCommands {
    fn check(&self, check: &mut ParamCheck) {
        let is_gear = (-MAX_GEAR..=MAX_GEAR).contains(&self.gear);
        check.require("gear", is_gear, "within [-32, 32]", self.gear);
        let controls = [
            ("clutch", self.clutch),
            ("retarder", self.retarder),
            ("differential_lock", self.differential_lock),
            ("transfer_lock", self.transfer_lock),
        ];
        for (name, value) in controls {
            check.number(name, value, Bound::Within(0.0, 1.0));
        }
    }
}

impl DrivelineCommands {
    /// All levers forward: first gear, or drive.
    pub fn forward() -> Self {
        Self { gear: 1, selector: Selector::Drive, ..Self::default() }
    }

    /// All levers backward.
    pub fn backward() -> Self {
        Self { gear: -1, selector: Selector::Reverse, ..Self::default() }
    }

    /// Retarder, locks, low range and ignition as numbers.
    pub fn numbers(&self) -> [Real; 5] {
        let flag = |is_on: bool| Real::from(u8::from(is_on));
        let (low_range, ignition) = (flag(self.is_low_range), flag(self.has_ignition));
        [self.retarder, self.differential_lock, self.transfer_lock, low_range, ignition]
    }

    /// -1, 0 or 1: where the levers point, that of an automatic gearbox before that of a manual
    /// one.
    pub fn direction(&self) -> f64 {
        match self.selector {
            Selector::Drive | Selector::Low => 1.0,
            Selector::Reverse => -1.0,
            Selector::Park => 0.0,
            Selector::Neutral => f64::from(self.gear.signum()),
        }
    }

    /// The number of a control, with pedals and steering wheel as in `commands`; `None` for
    /// nothing.
    pub(super) fn value(&self, command: DriverCommand, commands: &Commands) -> Option<f64> {
        let number = |value: Real| Some(f64::from(value));
        let flag = |is_on: bool| Some(f64::from(u8::from(is_on)));
        match command {
            DriverCommand::Nothing => None,
            DriverCommand::Throttle => number(commands.throttle),
            DriverCommand::Traction => Some(self.direction() * f64::from(commands.throttle)),
            DriverCommand::InGear => flag(self.direction() != 0.0),
            DriverCommand::Brake => number(commands.brakes[0]),
            DriverCommand::HandBrake => number(commands.brakes[1]),
            DriverCommand::Steer => number(commands.steer),
            DriverCommand::Clutch => number(self.clutch),
            DriverCommand::Gear if self.selector == Selector::Park => Some(0.0),
            DriverCommand::Gear => Some(f64::from(self.gear)),
            DriverCommand::Selector => Some(self.selector.value()),
            DriverCommand::Ignition => flag(self.has_ignition),
            DriverCommand::Starter => flag(self.is_starting),
            DriverCommand::Retarder => number(self.retarder),
            DriverCommand::DifferentialLock => number(self.differential_lock),
            DriverCommand::TransferLock => number(self.transfer_lock),
            DriverCommand::LowRange => flag(self.is_low_range),
        }
    }
}

/// Positions of an automatic gearbox's lever: numbers of the input `selector`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Selector {
    /// No gear; the output is held, and the driven wheels of the vehicle.
    Park = 0,
    /// The first reverse gear.
    Reverse = 1,
    /// No gear.
    Neutral = 2,
    /// All forward gears.
    Drive = 3,
    /// The first forward gear.
    Low = 4,
}

impl Selector {
    /// The number of the input.
    pub fn value(self) -> f64 {
        f64::from(self as u8)
    }
}
