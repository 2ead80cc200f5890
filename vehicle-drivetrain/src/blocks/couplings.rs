//! Blocks between two shafts that need no driver: freewheel, viscous coupling, gear, shaft brake,
//! retarder, flywheel.

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::{Brake, Element, Friction, Inertia, Ratio};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::{Clamped, Real};

use super::block::{
    BlockResult, BlockShaft, BlockStep, Channel, Channels, DrivelineBlock, Sketch, Slots,
};
use super::capacity::Capacity;
use super::clutch::{COUPLING_SENSORS, sense_coupling};
use super::command::DriverCommand;

const INPUT: BlockShaft = BlockShaft::Input(0);
const OUTPUT: BlockShaft = BlockShaft::Output(0);

/// Sensors of a shaft that goes through.
const SHAFT_SENSORS: &[Channel] = &[
    Channel::new("speed", "rad/s"),
    Channel::new("torque in", "N·m"),
    Channel::new("torque out", "N·m"),
    Channel::new("heat", "W"),
];

/// Writes these sensors, with the torque of what sits on the shaft.
fn sense_shaft(result: &mut BlockResult<'_>, torque: f64) {
    let speed = result.speed(OUTPUT);
    let numbers = [speed, result.torque(INPUT), result.torque(INPUT) - torque, torque * speed];
    result.sensors.copy_from_slice(&numbers);
}

/// A freewheel: passes torque from input 0 to output 0, and lets the output turn faster. Sensors as
/// a clutch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Freewheel {
    /// Largest torque that it passes (N·m).
    pub capacity: Capacity,
}

impl Validate for Freewheel {
    fn check(&self, check: &mut ParamCheck) {
        self.capacity.check("capacity", check);
    }
}

impl DrivelineBlock for Freewheel {
    fn kind(&self) -> &'static str {
        "freewheel"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn channels(&self) -> Channels {
        Channels { sensors: COUPLING_SENSORS, ..Channels::default() }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        let friction = Friction::freewheel(self.capacity.torque());
        sketch.add(Element::Friction(friction), [INPUT, OUTPUT]);
    }

    fn pre_step(&self, _: &mut BlockStep<'_>) {}

    fn set_state(&self, result: &mut BlockResult<'_>) {
        sense_coupling(result);
    }
}

/// A viscous coupling `T = k (ω_in - ω_out)`: slots input 0, output 0. Sensors as a clutch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ViscousCoupling {
    /// Torque per slip k (N·m·s).
    pub strength: Real,
}

impl Validate for ViscousCoupling {
    fn check(&self, check: &mut ParamCheck) {
        check.number("strength", self.strength, Bound::NotNegative);
    }
}

impl DrivelineBlock for ViscousCoupling {
    fn kind(&self) -> &'static str {
        "viscous coupling"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn channels(&self) -> Channels {
        Channels { sensors: COUPLING_SENSORS, ..Channels::default() }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        sketch.add(Element::Viscous(f64::from(self.strength)), [INPUT, OUTPUT]);
    }

    fn pre_step(&self, _: &mut BlockStep<'_>) {}

    fn set_state(&self, result: &mut BlockResult<'_>) {
        sense_coupling(result);
    }
}

/// A gear without a lever, such as a final drive or a hub reduction: slots input 0, output 0.
///
/// Sensors: `speed in`, `speed out` (rad/s), `torque in`, `torque out` (N·m), `loss` (W).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FixedGear {
    /// Speed of the input per speed of the output, not 0 (dimensionless).
    pub ratio: Real,
    /// Efficiency, in (0, 1] (dimensionless).
    pub efficiency: Real,
    /// Moment of inertia at the input (kg·m²).
    pub inertia: Real,
}

impl FixedGear {
    /// A gear that loses nothing and weighs nothing.
    pub fn new(ratio: Real) -> Self {
        Self { ratio, efficiency: 1.0, inertia: 0.0 }
    }
}

/// Checks a ratio in the field `name`.
pub(super) fn check_ratio(check: &mut ParamCheck, name: &str, ratio: Real) {
    let is_met = (1e-3..=1e3).contains(&ratio.abs());
    check.require(name, is_met, "within [0.001, 1000] or [-1000, -0.001]", ratio);
}

/// Checks ratio and efficiency of a gear.
pub(super) fn check_gear(check: &mut ParamCheck, ratio: Real, efficiency: Real) {
    check_ratio(check, "ratio", ratio);
    let is_met = 0.0 < efficiency && efficiency <= 1.0;
    check.require("efficiency", is_met, "above 0 and at most 1", efficiency);
}

impl Validate for FixedGear {
    fn check(&self, check: &mut ParamCheck) {
        check_gear(check, self.ratio, self.efficiency);
        check.number("inertia", self.inertia, Bound::NotNegative);
    }
}

impl DrivelineBlock for FixedGear {
    fn kind(&self) -> &'static str {
        "gear"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn channels(&self) -> Channels {
        let sensors = const {
            &[
                Channel::new("speed in", "rad/s"),
                Channel::new("speed out", "rad/s"),
                Channel::new("torque in", "N·m"),
                Channel::new("torque out", "N·m"),
                Channel::new("loss", "W"),
            ]
        };
        Channels { sensors, ..Channels::default() }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        let (ratio, efficiency) = (f64::from(self.ratio), f64::from(self.efficiency));
        sketch.add(Element::Ratio(Ratio { ratio, efficiency }), [INPUT, OUTPUT]);
        let inertia = f64::from(self.inertia);
        sketch.add(Element::Inertia(Inertia { inertia, ..Inertia::default() }), [INPUT]);
    }

    fn pre_step(&self, _: &mut BlockStep<'_>) {}

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let (fast, slow) = (result.speed(INPUT), result.speed(OUTPUT));
        let (input, output) = (result.element_torque(0, 0), -result.element_torque(0, 1));
        result.sensors.copy_from_slice(&[fast, slow, input, output, input * fast - output * slow]);
    }
}

/// A brake on a shaft that goes through: slots input 0, output 0 (may stay open).
///
/// Input: `brake` in [0, 1]. Sensors: `speed` (rad/s), `torque in`, `torque out` (N·m), `heat` (W).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShaftBrake {
    /// Torque when it is pulled (N·m).
    pub max_torque: Real,
}

impl Validate for ShaftBrake {
    fn check(&self, check: &mut ParamCheck) {
        check.number("max_torque", self.max_torque, Bound::NotNegative);
    }
}

impl DrivelineBlock for ShaftBrake {
    fn kind(&self) -> &'static str {
        "shaft brake"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 1).with_optional_outputs()
    }

    fn is_end(&self) -> bool {
        true
    }

    fn channels(&self) -> Channels {
        Channels {
            inputs: const { &[Channel::new("brake", "")] },
            sensors: SHAFT_SENSORS,
            ..Channels::default()
        }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        sketch.add(Element::Friction(Friction::RIGID), [INPUT, OUTPUT]);
        sketch.add(Element::Brake(Brake::against_housing(0.0)), [OUTPUT]);
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        let torque = step.inputs[0].clamped(0.0, 1.0) * f64::from(self.max_torque);
        step.elements[1] = Element::Brake(Brake::against_housing(torque));
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let torque = result.element_torque(1, 0);
        sense_shaft(result, torque);
    }
}

/// A retarder on a shaft that goes through: slots input 0, output 0.
///
/// Its torque at the speed of the start of the step acts in proportion to the speed of the end, so
/// that it never turns a shaft back. Input: `level` in [0, 1]. Sensors as a shaft brake.
///
/// Source: Gillespie, *Fundamentals of Vehicle Dynamics*.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[serde(rename_all = "snake_case")]
pub enum Retarder {
    /// `T = min(c ω², P/|ω|, T_max)`.
    Hydrodynamic {
        /// Capacity c (N·m·s²).
        capacity: Real,
        /// Largest power P (W).
        max_power: Real,
        /// Largest torque T_max (N·m).
        max_torque: Real,
    },
    /// `T = T_p 2x/(1 + x²)` with `x = |ω|/ω_p`.
    EddyCurrent {
        /// Peak torque T_p (N·m).
        peak_torque: Real,
        /// Speed ω_p at which it has that (rad/s).
        peak_speed: Real,
    },
}

impl Retarder {
    /// Torque at full level over the speed (N·m·s).
    pub fn torque_per_speed(&self, speed: f64) -> f64 {
        let size = speed.abs();
        match *self {
            Self::Hydrodynamic { capacity, max_power, max_torque } => {
                let (power, torque) = (f64::from(max_power), f64::from(max_torque));
                let by_fluid = f64::from(capacity) * size;
                if size == 0.0 {
                    0.0
                } else {
                    by_fluid.min(power / (size * size)).min(torque / size)
                }
            }
            Self::EddyCurrent { peak_torque, peak_speed } => {
                let peak = f64::from(peak_speed);
                let x = size / peak;
                f64::from(peak_torque) * 2.0 / (peak * (1.0 + x * x))
            }
        }
    }
}

impl Validate for Retarder {
    fn check(&self, check: &mut ParamCheck) {
        match *self {
            Self::Hydrodynamic { capacity, max_power, max_torque } => {
                check.number("capacity", capacity, Bound::NotNegative);
                check.number("max_power", max_power, Bound::NotNegative);
                check.number("max_torque", max_torque, Bound::NotNegative);
            }
            Self::EddyCurrent { peak_torque, peak_speed } => {
                check.number("peak_torque", peak_torque, Bound::NotNegative);
                check.number("peak_speed", peak_speed, Bound::Positive);
            }
        }
    }
}

impl DrivelineBlock for Retarder {
    fn kind(&self) -> &'static str {
        "retarder"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn channels(&self) -> Channels {
        Channels {
            inputs: const { &[Channel::new("level", "").under(DriverCommand::Retarder)] },
            sensors: SHAFT_SENSORS,
            ..Channels::default()
        }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        sketch.add(Element::Friction(Friction::RIGID), [INPUT, OUTPUT]);
        sketch.add(Element::Damper(0.0), [OUTPUT]);
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        let level = step.inputs[0].clamped(0.0, 1.0);
        let speed = step.speed(OUTPUT);
        step.elements[1] = Element::Damper(level * self.torque_per_speed(speed));
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let torque = result.element_torque(1, 0);
        sense_shaft(result, torque);
    }
}

/// A rotating mass on a shaft that goes through: slots input 0, output 0 (may stay open). Sensors
/// as a shaft brake.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Flywheel {
    /// Moment of inertia (kg·m²).
    pub inertia: Real,
    /// Friction torque per speed (N·m·s).
    pub damping: Real,
}

impl Validate for Flywheel {
    fn check(&self, check: &mut ParamCheck) {
        check.number("inertia", self.inertia, Bound::Positive);
        check.number("damping", self.damping, Bound::NotNegative);
    }
}

impl DrivelineBlock for Flywheel {
    fn kind(&self) -> &'static str {
        "flywheel"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 1).with_optional_outputs()
    }

    fn is_end(&self) -> bool {
        true
    }

    fn channels(&self) -> Channels {
        Channels { sensors: SHAFT_SENSORS, ..Channels::default() }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        let (inertia, damping) = (f64::from(self.inertia), f64::from(self.damping));
        sketch.add(Element::Friction(Friction::RIGID), [INPUT, OUTPUT]);
        let parts = Inertia { inertia, damping, ..Inertia::default() };
        sketch.add(Element::Inertia(parts), [OUTPUT]);
    }

    fn pre_step(&self, _: &mut BlockStep<'_>) {}

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let torque = result.element_torque(1, 0);
        sense_shaft(result, torque);
    }
}
