//! Blocks that join shafts without friction: splitter, joint, planetary gear, double differential.

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::{DoubleDifferentialElement, Element, Friction, Junction};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;

use super::block::{
    BlockResult, BlockShaft, BlockStep, Channel, Channels, DrivelineBlock, Sketch, Slots,
};
use super::couplings::check_gear;

const INPUT: BlockShaft = BlockShaft::Input(0);
const OUTPUTS: [BlockShaft; 2] = [BlockShaft::Output(0), BlockShaft::Output(1)];

/// Shafts that turn as one: slots input 0, any number of outputs (H-drives, road wheels of a
/// track).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Splitter {
    /// Number of outputs, within [1, 32].
    pub outputs: usize,
}

impl Validate for Splitter {
    fn check(&self, check: &mut ParamCheck) {
        let is_met = (1..=32).contains(&self.outputs);
        check.require("outputs", is_met, "within [1, 32]", self.outputs);
    }
}

impl DrivelineBlock for Splitter {
    fn kind(&self) -> &'static str {
        "splitter"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, self.outputs)
    }

    fn sketch(&self, sketch: &mut Sketch) {
        for output in 0..self.outputs {
            let shafts = [INPUT, BlockShaft::Output(output)];
            sketch.add(Element::Friction(Friction::RIGID), shafts);
        }
    }

    fn pre_step(&self, _: &mut BlockStep<'_>) {}
}

/// Two shafts that turn a third as one: slots inputs 0 and 1, output 0. A motor on the shaft of an
/// engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "NoSettings", into = "NoSettings")]
pub struct Joint;

/// A block without settings as it is written, because some formats have no units.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct NoSettings {}

impl From<NoSettings> for Joint {
    fn from(NoSettings {}: NoSettings) -> Self {
        Self
    }
}

impl From<Joint> for NoSettings {
    fn from(Joint: Joint) -> Self {
        Self {}
    }
}

impl Validate for Joint {
    fn check(&self, _: &mut ParamCheck) {}
}

impl DrivelineBlock for Joint {
    fn kind(&self) -> &'static str {
        "joint"
    }

    fn initialize(&self) -> Slots {
        Slots::new(2, 1)
    }

    fn sketch(&self, sketch: &mut Sketch) {
        for input in 0..2 {
            let shafts = [BlockShaft::Input(input), OUTPUTS[0]];
            sketch.add(Element::Friction(Friction::RIGID), shafts);
        }
    }

    fn pre_step(&self, _: &mut BlockStep<'_>) {}
}

/// A planetary gear that joins two sources: slots input 0 (carrier), input 1 (sun), output 0
/// (ring).
///
/// ```text
/// (1 + z) ω_carrier = ω_sun + z ω_ring
/// ```
///
/// Sensors: `carrier speed`, `sun speed`, `ring speed` (rad/s), `carrier torque`, `sun torque`,
/// `ring torque` (N·m), in where positive.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PowerSplit {
    /// Teeth of the ring per teeth of the sun z, at least 1 (dimensionless).
    pub teeth_ratio: Real,
}

impl Validate for PowerSplit {
    fn check(&self, check: &mut ParamCheck) {
        check.number("teeth_ratio", self.teeth_ratio, Bound::Within(1.0, 100.0));
    }
}

impl DrivelineBlock for PowerSplit {
    fn kind(&self) -> &'static str {
        "power split"
    }

    fn initialize(&self) -> Slots {
        Slots::new(2, 1)
    }

    fn channels(&self) -> Channels {
        let sensors = const {
            &[
                Channel::new("carrier speed", "rad/s"),
                Channel::new("sun speed", "rad/s"),
                Channel::new("ring speed", "rad/s"),
                Channel::new("carrier torque", "N·m"),
                Channel::new("sun torque", "N·m"),
                Channel::new("ring torque", "N·m"),
            ]
        };
        Channels { sensors, ..Channels::default() }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        let z = f64::from(self.teeth_ratio);
        let junction = Junction { coefficients: vec![1.0 + z, -1.0, -z] };
        let shafts = [INPUT, BlockShaft::Input(1), OUTPUTS[0]];
        sketch.add(Element::Junction(junction), shafts);
    }

    fn pre_step(&self, _: &mut BlockStep<'_>) {}

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let shafts = [INPUT, BlockShaft::Input(1), OUTPUTS[0]];
        for (port, shaft) in shafts.into_iter().enumerate() {
            result.sensors[port] = result.speed(shaft);
            result.sensors[port + 3] = result.element_torque(0, port);
        }
    }
}

/// Two differentials that drive and steer a tracked vehicle: slots input 0 (drive), input 1
/// (steer), outputs 0 (left) and 1 (right).
///
/// The law is that of [`vehicle_core::driveline::DoubleDifferentialElement`]: what one track gives
/// up in a turn the other gets. Sensors: `drive speed`, `steer speed`, `left speed`, `right speed`
/// (rad/s), `left torque`, `right torque` out (N·m).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DoubleDifferential {
    /// Speed of the drive shaft per mean speed of the outputs (dimensionless).
    pub drive_ratio: Real,
    /// Speed of the steering shaft per half of the difference of the outputs (dimensionless).
    pub steer_ratio: Real,
}

impl Validate for DoubleDifferential {
    fn check(&self, check: &mut ParamCheck) {
        check.field("drive", |inner| check_gear(inner, self.drive_ratio, 1.0));
        check.field("steer", |inner| check_gear(inner, self.steer_ratio, 1.0));
    }
}

impl DrivelineBlock for DoubleDifferential {
    fn kind(&self) -> &'static str {
        "double differential"
    }

    fn initialize(&self) -> Slots {
        Slots::new(2, 2)
    }

    fn channels(&self) -> Channels {
        let sensors = const {
            &[
                Channel::new("drive speed", "rad/s"),
                Channel::new("steer speed", "rad/s"),
                Channel::new("left speed", "rad/s"),
                Channel::new("right speed", "rad/s"),
                Channel::new("left torque", "N·m"),
                Channel::new("right torque", "N·m"),
            ]
        };
        Channels { sensors, ..Channels::default() }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        let double = DoubleDifferentialElement {
            drive_ratio: f64::from(self.drive_ratio),
            steer_ratio: f64::from(self.steer_ratio),
        };
        let shafts = [INPUT, BlockShaft::Input(1), OUTPUTS[0], OUTPUTS[1]];
        sketch.add(Element::DoubleDifferential(double), shafts);
    }

    fn pre_step(&self, _: &mut BlockStep<'_>) {}

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let shafts = [INPUT, BlockShaft::Input(1), OUTPUTS[0], OUTPUTS[1]];
        for (sensor, shaft) in shafts.into_iter().enumerate() {
            result.sensors[sensor] = result.speed(shaft);
        }
        result.sensors[4] = -result.element_torque(0, 2);
        result.sensors[5] = -result.element_torque(0, 3);
    }
}
