//! A driveline between two steps.

use serde::{Deserialize, Serialize};
use vehicle_core::clone_by_field;
use vehicle_core::driveline::Mode;
use vehicle_core::error::ParamCheck;
use vehicle_core::memory::{MAX_LOAD, MAX_ROTATION_SPEED};

use super::battery::BatterySettings;

/// The number of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SensorId(pub(super) usize);

/// The number of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputId(pub(super) usize);

/// The number of a state that the vehicle tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateId(pub(super) usize);

/// A driveline between two steps: plain, clonable, serializable.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockDrivelineState {
    /// Speed of each shaft (rad/s).
    pub speeds: Vec<f64>,
    /// Modes (sticking, slipping): where the next solve starts.
    pub(super) modes: Vec<Mode>,
    /// Values that blocks keep between steps.
    pub(super) memory: Vec<f64>,
    /// Commands of the driver.
    pub(super) inputs: Vec<f64>,
    /// Values that the vehicle tells.
    pub(super) states: Vec<f64>,
    /// Values that blocks tell.
    pub(super) sensors: Vec<f64>,
    /// Torque of the driveline on each of its wheels in the last step, in order of
    /// [`wheels`](super::BlockDriveline::wheels) (N·m).
    pub(super) drive_torques: Vec<f64>,
    /// Energy in each battery (J).
    pub battery_energies: Vec<f64>,
}

clone_by_field! {
    impl[] BlockDrivelineState {
        speeds, modes, memory, inputs, states, sensors, drive_torques, battery_energies,
    }
}

impl BlockDrivelineState {
    /// Value of a block's sensor, as of the end of the last step.
    #[inline]
    pub fn sensor(&self, sensor: SensorId) -> f64 {
        self.sensors[sensor.0]
    }

    /// Command of the driver at this input.
    #[inline]
    pub fn input(&self, input: InputId) -> f64 {
        self.inputs[input.0]
    }

    /// Asks for something. Numbers that are not finite count as 0.
    #[inline]
    pub fn set_input(&mut self, input: InputId, value: f64) {
        self.inputs[input.0] = if value.is_finite() { value } else { 0.0 };
    }

    /// Tells a block something. Numbers that are not finite count as 0.
    #[inline]
    pub fn set_state(&mut self, state: StateId, value: f64) {
        self.states[state.0] = if value.is_finite() { value } else { 0.0 };
    }

    /// Commands of the driver, of all blocks in order.
    pub fn inputs(&self) -> &[f64] {
        &self.inputs
    }

    /// Torque of the driveline on each of its wheels in the last step, in order of
    /// [`wheels`](super::BlockDriveline::wheels) (N·m).
    pub fn drive_torques(&self) -> &[f64] {
        &self.drive_torques
    }

    fn numbers(&self) -> [(&'static str, &[f64]); 7] {
        [
            ("speeds", &self.speeds),
            ("memory", &self.memory),
            ("inputs", &self.inputs),
            ("states", &self.states),
            ("sensors", &self.sensors),
            ("drive_torques", &self.drive_torques),
            ("battery_energies", &self.battery_energies),
        ]
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.numbers().iter().all(|(_, list)| are_finite(list))
    }

    /// Reports the lists that are not as long as those of `start`, the same driveline before its
    /// first step.
    pub(super) fn check_lengths(&self, counts: &Counts, check: &mut ParamCheck) {
        for ((name, list), count) in self.numbers().into_iter().zip(counts.in_order()) {
            check.count(name, list.len(), count);
        }
        check.count("modes", self.modes.len(), counts.elements);
    }

    /// Reports numbers that no driveline can go on with.
    pub(super) fn check_numbers(&self, batteries: &[BatterySettings], check: &mut ParamCheck) {
        for (name, list) in self.numbers() {
            let most = if name == "speeds" { MAX_ROTATION_SPEED } else { MAX_LOAD };
            for (index, number) in list.iter().enumerate() {
                let is_met = number.abs() <= f64::from(most);
                let requirement = format_args!("finite and of a size of at most {most}");
                check.require(format_args!("{name}[{index}]"), is_met, requirement, number);
            }
        }
        for (index, (energy, battery)) in self.battery_energies.iter().zip(batteries).enumerate() {
            let most = f64::from(battery.capacity);
            let name = format_args!("battery_energies[{index}]");
            let is_met = (0.0..=most).contains(energy);
            check.require(name, is_met, format_args!("within [0, {most}]"), energy);
        }
    }
}

/// Whether all `numbers` are finite, without a branch for each: nothing times one that is not
/// finite is not 0.
fn are_finite(numbers: &[f64]) -> bool {
    let (fours, rest) = numbers.as_chunks::<4>();
    let mut nothing = [0.0; 4];
    for four in fours {
        for (nothing, number) in nothing.iter_mut().zip(four) {
            *nothing += 0.0 * number;
        }
    }
    nothing == [0.0; 4] && rest.iter().all(|number| number.is_finite())
}

/// Lengths of the lists of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) shafts: usize,
    pub(super) elements: usize,
    pub(super) memory: usize,
    pub(super) inputs: usize,
    pub(super) states: usize,
    pub(super) sensors: usize,
    pub(super) wheels: usize,
    pub(super) batteries: usize,
}

impl Counts {
    /// Those of the lists of numbers, in their order.
    fn in_order(&self) -> [usize; 7] {
        let Self { shafts, memory, inputs, states, sensors, wheels, batteries, .. } = *self;
        [shafts, memory, inputs, states, sensors, wheels, batteries]
    }
}
