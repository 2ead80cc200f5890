//! Differentials and transfer cases.

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::{DifferentialElement, Element, Friction, Ratio, ViscousDifferential};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::{Clamped, Real};

use super::block::{
    BlockResult, BlockShaft, BlockStep, Channel, Channels, DrivelineBlock, Sketch, Slots,
};
use super::capacity::Capacity;
use super::command::DriverCommand;
use super::couplings::{check_gear, check_ratio};

const INPUT: BlockShaft = BlockShaft::Input(0);
const OUTPUTS: [BlockShaft; 2] = [BlockShaft::Output(0), BlockShaft::Output(1)];

/// Coupling between the outputs of a differential.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[serde(rename_all = "snake_case")]
pub enum DifferentialMode {
    /// A little friction.
    Open {
        /// Torque of the friction (N·m).
        friction: Real,
    },
    /// Both outputs turn as one.
    Locked,
    /// A viscous fluid.
    Viscous {
        /// Torque per difference of the speeds (N·m·s).
        strength: Real,
    },
    /// Plates that the torque presses together (Salisbury).
    ClutchPack {
        /// Torque without load (N·m).
        preload: Real,
        /// Torque per torque of both outputs while it drives.
        drive: Real,
        /// Torque per torque of both outputs while it coasts; 0 in a one-way differential.
        coast: Real,
    },
    /// Worm gears, by which one output gets at most `bias` times the torque of the other (Torsen).
    TorqueBias {
        /// Torque without load (N·m).
        preload: Real,
        /// Largest ratio of the torques, at least 1.
        bias: Real,
    },
    /// Plates that a control presses together, as the input `lock` says.
    Active {
        /// Torque at full command (N·m).
        capacity: Capacity,
    },
}

/// A differential: slots input 0, outputs 0 and 1.
///
/// The laws are those of [`vehicle_core::driveline::DifferentialElement`]; the bias B of a
/// torque-biasing one is `c_t = min(s, 1-s) (B - 1)/(B + 1)`.
///
/// Inputs: `lock` in [0, 1] (active ones, and a lock for any other), `range` 1 for the low range of
/// a transfer case. Sensors: `speed in`, `slip` of the outputs (rad/s), `torque 0`, `torque 1` out
/// (N·m), `heat` (W), `locked`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Differential {
    /// Speed of the input per mean speed of the outputs (dimensionless).
    pub ratio: Real,
    /// Efficiency of the final drive, in (0, 1] (dimensionless).
    pub efficiency: Real,
    /// Share of output 0 of the torque, in (0, 1) (dimensionless).
    pub share: Real,
    /// Coupling between the outputs.
    pub mode: DifferentialMode,
}

impl Differential {
    /// An open differential with a final drive of this ratio.
    pub fn open(ratio: Real) -> Self {
        let mode = DifferentialMode::Open { friction: 0.0 };
        Self { ratio, efficiency: 1.0, share: 0.5, mode }
    }

    /// This differential in another mode.
    pub fn with_mode(self, mode: DifferentialMode) -> Self {
        Self { mode, ..self }
    }

    /// This differential with another share of output 0.
    pub fn with_share(self, share: Real) -> Self {
        Self { share, ..self }
    }

    /// The element behind the final drive, while its input turns with `speed` (rad/s).
    fn element(&self, lock: f64, speed: f64) -> Element {
        let share = f64::from(self.share);
        let most = DifferentialElement::largest_bias(share);
        let plain = |preload: f64| DifferentialElement {
            ratio: 1.0,
            share,
            preload,
            bias: 0.0,
            reverse_bias: 0.0,
        };
        let differential = match self.mode {
            _ if 0.5 < lock && !matches!(self.mode, DifferentialMode::Active { .. }) => {
                plain(f64::INFINITY)
            }
            DifferentialMode::Open { friction } => plain(f64::from(friction)),
            DifferentialMode::Locked => plain(f64::INFINITY),
            DifferentialMode::Viscous { strength } => {
                let strength = f64::from(strength);
                return Element::ViscousDifferential(ViscousDifferential {
                    ratio: 1.0,
                    share,
                    strength,
                });
            }
            DifferentialMode::ClutchPack { preload, drive, coast } => {
                let (drive, coast) = (f64::from(drive), f64::from(coast));
                let (bias, reverse_bias) =
                    if 0.0 <= speed { (drive, coast) } else { (coast, drive) };
                DifferentialElement { bias, reverse_bias, ..plain(f64::from(preload)) }
            }
            DifferentialMode::TorqueBias { preload, bias } => {
                let bias = f64::from(bias);
                let per_torque = most * (bias - 1.0) / (bias + 1.0);
                DifferentialElement {
                    bias: per_torque,
                    reverse_bias: per_torque,
                    ..plain(f64::from(preload))
                }
            }
            DifferentialMode::Active { capacity } => {
                let lock = lock.clamped(0.0, 1.0);
                plain(if lock == 0.0 { 0.0 } else { lock * capacity.torque() })
            }
        };
        Element::Differential(differential)
    }
}

impl Validate for Differential {
    fn check(&self, check: &mut ParamCheck) {
        check_gear(check, self.ratio, self.efficiency);
        let share = self.share;
        check.require("share", 0.0 < share && share < 1.0, "above 0 and below 1", share);
        match self.mode {
            DifferentialMode::Locked => {}
            DifferentialMode::Open { friction } => {
                check.number("mode.friction", friction, Bound::NotNegative);
            }
            DifferentialMode::Viscous { strength } => {
                check.number("mode.strength", strength, Bound::NotNegative);
            }
            DifferentialMode::ClutchPack { preload, drive, coast } => {
                check.number("mode.preload", preload, Bound::NotNegative);
                let most = share.min(1.0 - share);
                let requirement = format_args!(
                    "within [0, min(share, 1 - share) = {most}], or one output would get less \
                     torque the more goes in and a step could have several solutions"
                );
                for (name, value) in [("mode.drive", drive), ("mode.coast", coast)] {
                    check.require(name, 0.0 <= value && value <= most, requirement, value);
                }
            }
            DifferentialMode::TorqueBias { preload, bias } => {
                check.number("mode.preload", preload, Bound::NotNegative);
                check.require("mode.bias", (1.0..=1e6).contains(&bias), "at least 1", bias);
            }
            DifferentialMode::Active { capacity } => capacity.check("mode.capacity", check),
        }
    }
}

/// Inputs of a differential.
const LOCK: &[Channel] = &[Channel::new("lock", "").under(DriverCommand::DifferentialLock)];
/// Inputs of a transfer case.
const TRANSFER_INPUTS: &[Channel] = &[
    Channel::new("lock", "").under(DriverCommand::TransferLock),
    Channel::new("low range", "").under(DriverCommand::LowRange),
];

/// Sensors of a block with two outputs.
const SPLIT_SENSORS: &[Channel] = &[
    Channel::new("speed in", "rad/s"),
    Channel::new("slip", "rad/s"),
    Channel::new("torque 0", "N·m"),
    Channel::new("torque 1", "N·m"),
    Channel::new("heat", "W"),
    Channel::new("locked", ""),
];

/// Writes these sensors, with the torques into the input and out of the outputs.
fn sense_split(result: &mut BlockResult<'_>, [torque, out0, out1]: [f64; 3]) {
    let speed = result.speed(INPUT);
    // Read one by one: closures over arrays are not inlined.
    let [first, second] = [result.speed(OUTPUTS[0]), result.speed(OUTPUTS[1])];
    let heat = torque * speed - out0 * first - out1 * second;
    let size = first.abs().max(second.abs());
    let is_locked = (first - second).abs() <= 1e-9 * size;
    let numbers = [speed, first - second, out0, out1, heat, f64::from(u8::from(is_locked))];
    result.sensors.copy_from_slice(&numbers);
}

impl DrivelineBlock for Differential {
    fn kind(&self) -> &'static str {
        "differential"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 2)
    }

    fn channels(&self) -> Channels {
        Channels { inputs: LOCK, sensors: SPLIT_SENSORS, ..Channels::default() }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        let inner = sketch.inner_shaft();
        let (ratio, efficiency) = (f64::from(self.ratio), f64::from(self.efficiency));
        sketch.add(Element::Ratio(Ratio { ratio, efficiency }), [INPUT, inner]);
        sketch.add(self.element(0.0, 0.0), [inner, OUTPUTS[0], OUTPUTS[1]]);
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        step.elements[1] = self.element(step.inputs[0], step.speed(INPUT));
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let torque = result.element_torque(0, 0);
        let out = [-result.element_torque(1, 1), -result.element_torque(1, 2)];
        sense_split(result, [torque, out[0], out[1]]);
    }
}

/// How a transfer case divides torque.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[serde(rename_all = "snake_case")]
pub enum TransferMode {
    /// A planetary differential.
    Planetary {
        /// Share of output 0, in (0, 1).
        share: Real,
        /// Coupling between the outputs.
        mode: DifferentialMode,
    },
    /// Output 0 is driven, and a clutch takes output 1 along, as the input `lock` says.
    OnDemand {
        /// Torque at full command (N·m).
        capacity: Capacity,
    },
    /// Output 0 is driven, and a dog clutch takes output 1 along where the input `lock` is above
    /// 0.5.
    PartTime,
}

/// A transfer case: slots input 0, outputs 0 (always driven) and 1.
///
/// Inputs: `lock` in [0, 1], `low range` (above 0.5). Sensors as a differential.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TransferCase {
    /// Ratio of the high range (dimensionless).
    pub ratio: Real,
    /// Ratio of the low range (dimensionless).
    pub low_ratio: Real,
    /// Efficiency, in (0, 1] (dimensionless).
    pub efficiency: Real,
    /// How it divides torque.
    pub mode: TransferMode,
}

impl TransferCase {
    fn planetary(share: Real, mode: DifferentialMode) -> Differential {
        Differential { ratio: 1.0, efficiency: 1.0, share, mode }
    }

    fn split(&self, lock: f64, speed: f64) -> Element {
        match self.mode {
            TransferMode::Planetary { share, mode } => {
                Self::planetary(share, mode).element(lock, speed)
            }
            TransferMode::OnDemand { capacity } => {
                let lock = lock.clamped(0.0, 1.0);
                let torque = if lock == 0.0 { 0.0 } else { lock * capacity.torque() };
                Element::Friction(Friction::clutch(torque))
            }
            TransferMode::PartTime => {
                Element::Friction(if 0.5 < lock { Friction::RIGID } else { Friction::OPEN })
            }
        }
    }
}

impl Validate for TransferCase {
    fn check(&self, check: &mut ParamCheck) {
        check_gear(check, self.ratio, self.efficiency);
        check_ratio(check, "low_ratio", self.low_ratio);
        match self.mode {
            TransferMode::Planetary { share, mode } => {
                let planetary = Self::planetary(share, mode);
                check.field("mode.planetary", |inner| planetary.check(inner));
            }
            TransferMode::OnDemand { capacity } => capacity.check("mode.capacity", check),
            TransferMode::PartTime => {}
        }
    }
}

impl DrivelineBlock for TransferCase {
    fn kind(&self) -> &'static str {
        "transfer case"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 2)
    }

    fn channels(&self) -> Channels {
        Channels { inputs: TRANSFER_INPUTS, sensors: SPLIT_SENSORS, ..Channels::default() }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        let (ratio, efficiency) = (f64::from(self.ratio), f64::from(self.efficiency));
        let gear = Element::Ratio(Ratio { ratio, efficiency });
        if let TransferMode::Planetary { .. } = self.mode {
            let inner = sketch.inner_shaft();
            sketch.add(gear, [INPUT, inner]);
            sketch.add(self.split(0.0, 0.0), [inner, OUTPUTS[0], OUTPUTS[1]]);
        } else {
            sketch.add(gear, [INPUT, OUTPUTS[0]]);
            sketch.add(self.split(0.0, 0.0), OUTPUTS);
        }
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        let is_low = 0.5 < step.inputs[1];
        let ratio = f64::from(if is_low { self.low_ratio } else { self.ratio });
        let efficiency = f64::from(self.efficiency);
        step.elements[0] = Element::Ratio(Ratio { ratio, efficiency });
        step.elements[1] = self.split(step.inputs[0], step.speed(INPUT));
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let out = OUTPUTS.map(|output| -result.torque(output));
        sense_split(result, [result.torque(INPUT), out[0], out[1]]);
    }
}
