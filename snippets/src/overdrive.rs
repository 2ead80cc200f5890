//! A block of one's own: an overdrive, whose dog clutch goes in once a synchronizer has brought
//! both sides together.

use serde::{Deserialize, Serialize};
use vehicle_rapier::core::driveline::{Element, Friction, Ratio};
use vehicle_rapier::core::error::{Bound, ParamCheck, Validate};
use vehicle_rapier::core::math::Real;
use vehicle_rapier::drivetrain::blocks::{
    BlockResult, BlockShaft, BlockStep, Channel, Channels, DrivelineBlock, Sketch, Slots,
};

const INPUT: BlockShaft = BlockShaft::Input(0);
const OUTPUT: BlockShaft = BlockShaft::Output(0);

/// The gear of an overdrive, which a dog clutch takes in and out: `ω_in = ρ ω_out`, with `ρ = 1`
/// while it is out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overdrive {
    /// Ratio ρ, below 1 (dimensionless).
    pub ratio: Real,
    /// Torque by which the synchronizer brings both sides together (N·m).
    pub synchronizer_torque: Real,
    /// Difference of speed at which the dog clutch goes in (rad/s).
    pub largest_slip: Real,
}

impl Default for Overdrive {
    fn default() -> Self {
        Self { ratio: 0.75, synchronizer_torque: 40.0, largest_slip: 2.0 }
    }
}

impl Validate for Overdrive {
    fn check(&self, check: &mut ParamCheck) {
        check.number("ratio", self.ratio, Bound::Positive);
        check.number("synchronizer_torque", self.synchronizer_torque, Bound::Positive);
        check.number("largest_slip", self.largest_slip, Bound::Positive);
    }
}

impl Overdrive {
    fn ratio(&self, is_over: bool) -> f64 {
        if is_over { f64::from(self.ratio) } else { 1.0 }
    }
}

/// What it keeps: the gear that is chosen, 1 for the overdrive, and whether the dog clutch is in.
impl DrivelineBlock for Overdrive {
    fn kind(&self) -> &'static str {
        "overdrive"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn channels(&self) -> Channels {
        Channels {
            inputs: const { &[Channel::new("engaged", "")] },
            sensors: const {
                &[
                    Channel::new("speed out", "rad/s"),
                    Channel::new("ratio", ""),
                    Channel::new("dog clutch in", "").with_default(1.0),
                ]
            },
            memory: 2,
            ..Channels::default()
        }
    }

    fn start(&self, memory: &mut [f64]) {
        memory.copy_from_slice(&[0.0, 1.0]);
    }

    fn sketch(&self, sketch: &mut Sketch) {
        let inner = sketch.inner_shaft();
        sketch.add(Element::Friction(Friction::RIGID), [INPUT, inner]);
        sketch.add(Element::Ratio(Ratio { ratio: 1.0, efficiency: 1.0 }), [inner, OUTPUT]);
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        let wanted = f64::from(u8::from(0.5 < step.inputs[0]));
        if wanted != step.memory[0] {
            step.memory.copy_from_slice(&[wanted, 0.0]);
        }
        let ratio = self.ratio(0.5 < step.memory[0]);
        let slip = step.speed(INPUT) - ratio * step.speed(OUTPUT);
        let is_synchronous = slip.abs() < f64::from(self.largest_slip);
        step.memory[1] = f64::from(u8::from(is_synchronous || 0.5 < step.memory[1]));
        let synchronizer = Friction::clutch(f64::from(self.synchronizer_torque));
        let friction = if 0.5 < step.memory[1] { Friction::RIGID } else { synchronizer };
        step.elements[0] = Element::Friction(friction);
        step.elements[1] = Element::Ratio(Ratio { ratio, efficiency: 1.0 });
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let ratio = self.ratio(0.5 < result.memory[0]);
        result.sensors.copy_from_slice(&[result.speed(OUTPUT), ratio, result.memory[1]]);
    }
}
