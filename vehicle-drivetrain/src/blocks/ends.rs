//! Blocks at the ends of a driveline: wheel, dynamometer, hold.

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::{Brake, Element, Inertia, TireElement};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;

use super::block::{
    BlockResult, BlockShaft, BlockStep, Channel, Channels, DrivelineBlock, Sketch, Slots, WheelLoad,
};

const INPUT: BlockShaft = BlockShaft::Input(0);
const OUTPUT: BlockShaft = BlockShaft::Output(0);

/// A wheel of the vehicle, with its brake and its tire: slot input 0 (open where it is not driven).
///
/// The vehicle says what it is under, as a [`WheelLoad`](super::WheelLoad). Sensors: `speed`
/// (rad/s), `drive torque`, `brake torque`, `tire torque` (N·m), into the wheel where positive;
/// `brake heat` (W).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// Number of the wheel in the vehicle.
    pub wheel: usize,
}

impl Validate for Wheel {
    fn check(&self, _: &mut ParamCheck) {}
}

impl DrivelineBlock for Wheel {
    fn kind(&self) -> &'static str {
        "wheel"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 0).with_optional_inputs()
    }

    fn wheel(&self) -> Option<usize> {
        Some(self.wheel)
    }

    fn channels(&self) -> Channels {
        let sensors = const {
            &[
                Channel::new("speed", "rad/s"),
                Channel::new("drive torque", "N·m"),
                Channel::new("brake torque", "N·m"),
                Channel::new("tire torque", "N·m"),
                Channel::new("brake heat", "W"),
            ]
        };
        Channels { sensors, ..Channels::default() }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        sketch.add(Element::Inertia(Inertia { inertia: 1.0, ..Inertia::default() }), [INPUT]);
        let tire = TireElement { stiffness: 0.0, torque: 0.0, max_torque: 0.0 };
        sketch.add(Element::Tire(tire), [INPUT]);
        sketch.add(Element::Brake(Brake::against_housing(0.0)), [INPUT]);
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        Self::take(step.load(self.wheel), step.elements);
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let torques = [0, 1, 2].map(|element| result.element_torque(element, 0));
        let _drive = Self::sense(result.speed(INPUT), torques, result.sensors);
    }
}

impl Wheel {
    /// Count of its elements, each of which has one port.
    pub(super) const ELEMENTS: usize = 3;
    /// Count of its sensors.
    pub(super) const SENSORS: usize = 5;

    /// Puts its `elements` under a `load`.
    #[inline]
    pub(super) fn take(load: WheelLoad, elements: &mut [Element]) {
        let load = match load {
            WheelLoad { is_lost: true, inertia, .. } => {
                WheelLoad { inertia, ..WheelLoad::default() }
            }
            load => load,
        };
        // Written where they stand: an element that is replaced as a whole is dropped first.
        if let [Element::Inertia(inertia), Element::Tire(tire), Element::Brake(brake)] = elements {
            *inertia = Inertia {
                inertia: load.inertia,
                torque: load.torque,
                damping: load.damping,
                slope: 0.0,
            };
            *tire = TireElement {
                stiffness: load.tire_stiffness,
                torque: load.tire_torque,
                max_torque: load.max_tire_torque,
            };
            *brake = Brake::against_housing(load.brake_torque);
        }
    }

    /// Writes its `sensors` at a `speed` (rad/s) and the torques into its elements (N·m). Returns
    /// the torque of the driveline on it.
    #[inline]
    pub(super) fn sense(speed: f64, [inertia, tire, brake]: [f64; 3], sensors: &mut [f64]) -> f64 {
        let drive = inertia + tire + brake;
        let numbers: [f64; Self::SENSORS] = [speed, drive, -brake, -tire, brake * speed];
        sensors.copy_from_slice(&numbers);
        drive
    }
}

/// A source or load of torque for tests, such as a roller: slot output 0 where it drives, input 0
/// where it is driven.
///
/// Input: `torque` (N·m), in the direction of positive speeds. Sensors: `speed` (rad/s), `torque`
/// (N·m), `power` (W).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Dynamometer {
    /// Moment of inertia, at least 0 (kg·m²).
    pub inertia: Real,
    /// Torque against its speed (N·m·s).
    pub damping: Real,
    /// Which end it is.
    pub end: DynamometerEnd,
}

/// Which end of a driveline a dynamometer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[serde(rename_all = "snake_case")]
pub enum DynamometerEnd {
    /// In the place of an engine.
    Source,
    /// In the place of a wheel.
    Load,
}

impl Dynamometer {
    fn shaft(&self) -> BlockShaft {
        match self.end {
            DynamometerEnd::Source => OUTPUT,
            DynamometerEnd::Load => INPUT,
        }
    }
}

impl Validate for Dynamometer {
    fn check(&self, check: &mut ParamCheck) {
        check.number("inertia", self.inertia, Bound::NotNegative);
        check.number("damping", self.damping, Bound::NotNegative);
    }
}

impl DrivelineBlock for Dynamometer {
    fn kind(&self) -> &'static str {
        "dynamometer"
    }

    fn initialize(&self) -> Slots {
        match self.end {
            DynamometerEnd::Source => Slots::new(0, 1),
            DynamometerEnd::Load => Slots::new(1, 0),
        }
    }

    fn is_end(&self) -> bool {
        true
    }

    fn channels(&self) -> Channels {
        Channels {
            inputs: const { &[Channel::new("torque", "N·m")] },
            sensors: const {
                &[
                    Channel::new("speed", "rad/s"),
                    Channel::new("torque", "N·m"),
                    Channel::new("power", "W"),
                ]
            },
            ..Channels::default()
        }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        sketch.add(Element::Inertia(Inertia::default()), [self.shaft()]);
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        step.elements[0] = Element::Inertia(Inertia {
            inertia: f64::from(self.inertia),
            torque: step.inputs[0],
            damping: f64::from(self.damping),
            slope: 0.0,
        });
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let (speed, torque) = (result.speed(self.shaft()), result.inputs[0]);
        result.sensors.copy_from_slice(&[speed, torque, torque * speed]);
    }
}

/// Holds a shaft at a speed: slot output 0. A steering shaft that is held keeps a tracked vehicle
/// straight.
///
/// Input: `target` (rad/s). Sensors: `speed` (rad/s), `torque` that it gives (N·m), `power` (W).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Hold {
    /// Largest torque; finite, so that two holds do not contradict each other (N·m).
    pub max_torque: Real,
}

impl Validate for Hold {
    fn check(&self, check: &mut ParamCheck) {
        check.number("max_torque", self.max_torque, Bound::NotNegative);
    }
}

impl DrivelineBlock for Hold {
    fn kind(&self) -> &'static str {
        "hold"
    }

    fn initialize(&self) -> Slots {
        Slots::new(0, 1)
    }

    fn channels(&self) -> Channels {
        Channels {
            inputs: const { &[Channel::new("target", "rad/s")] },
            sensors: const {
                &[
                    Channel::new("speed", "rad/s"),
                    Channel::new("torque", "N·m"),
                    Channel::new("power", "W"),
                ]
            },
            ..Channels::default()
        }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        sketch.add(Element::Brake(Brake::against_housing(0.0)), [OUTPUT]);
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        let (most, target) = (f64::from(self.max_torque), step.inputs[0]);
        step.elements[0] = Element::Brake(Brake { low: -most, high: most, target });
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let (speed, torque) = (result.speed(OUTPUT), -result.element_torque(0, 0));
        result.sensors.copy_from_slice(&[speed, torque, torque * speed]);
    }
}
