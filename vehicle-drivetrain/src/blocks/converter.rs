//! The torque converter as a block.

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::{CapacityConverter, Element};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::{Clamped, Real};

use super::block::{
    BlockResult, BlockShaft, BlockStep, Channel, Channels, DrivelineBlock, Sketch, Slots,
};

const INPUT: BlockShaft = BlockShaft::Input(0);
const OUTPUT: BlockShaft = BlockShaft::Output(0);

/// A torque converter with an optional lock-up clutch: slots input 0 (pump), output 0 (turbine).
///
/// The law is that of [`CapacityConverter`], with `λ₀ = 1/K₀²`.
///
/// Input: `lock-up` in [0, 1], beside what the automatic lock-up does. Sensors: `speed ratio`,
/// `pump torque`, `turbine torque` (N·m), `heat` (W), `locked`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TorqueConverter {
    /// Speed of the pump per root of its torque at stall K₀ (rad/s per √(N·m)).
    pub stall_factor: Real,
    /// Torque ratio at stall, at least 1 (dimensionless).
    pub stall_torque_ratio: Real,
    /// Speed ratio of the coupling point, in (0, 1) (dimensionless). Above a torque ratio of 2 at
    /// stall it is at most [`CapacityConverter::highest_coupling_point`].
    pub coupling_point: Real,
    /// Capacity when the turbine drives, as a fraction of the one at stall (dimensionless).
    pub reverse_capacity: Real,
    /// Lock-up clutch; without it, only the fluid passes torque.
    pub lock_up: Option<LockUp>,
}

/// A clutch beside the fluid of a converter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LockUp {
    /// Capacity when it is closed (N·m).
    pub capacity: Real,
    /// Speed of the turbine above which it closes on its own (rad/s). Without one, it never does.
    pub speed: Option<Real>,
    /// How much slower the turbine is when it opens again (rad/s), less than that speed.
    pub hysteresis: Real,
}

impl Default for TorqueConverter {
    /// The torque converter of a mid-size car: 225 N·m at 250 rad/s at stall.
    fn default() -> Self {
        Self {
            stall_factor: 16.7,
            stall_torque_ratio: 2.0,
            coupling_point: 0.88,
            reverse_capacity: 0.5,
            lock_up: Some(LockUp { capacity: 400.0, speed: Some(170.0), hysteresis: 40.0 }),
        }
    }
}

impl TorqueConverter {
    /// The converter as an element, with a lock-up of this capacity (N·m).
    pub fn element(&self, lock_up: f64) -> CapacityConverter {
        let factor = f64::from(self.stall_factor);
        CapacityConverter {
            capacity: 1.0 / (factor * factor),
            stall_torque_ratio: f64::from(self.stall_torque_ratio),
            coupling_point: f64::from(self.coupling_point),
            reverse_capacity: f64::from(self.reverse_capacity),
            lock_up,
        }
    }
}

impl Validate for TorqueConverter {
    fn check(&self, check: &mut ParamCheck) {
        check.number("stall_factor", self.stall_factor, Bound::Positive);
        let bound = Bound::Within(1.0, 10.0);
        check.number("stall_torque_ratio", self.stall_torque_ratio, bound);
        let point = self.coupling_point;
        check.number("coupling_point", point, Bound::Within(0.01, 0.99));
        let most = self.element(0.0).highest_coupling_point() as Real;
        let requirement = format_args!(
            "at most {most} with stall_torque_ratio = {}, or more power would come out than in",
            self.stall_torque_ratio
        );
        check.require("coupling_point", point <= most || 0.99 < point, requirement, point);
        check.number("reverse_capacity", self.reverse_capacity, Bound::NotNegative);
        if let Some(lock_up) = &self.lock_up {
            check.number("lock_up.capacity", lock_up.capacity, Bound::NotNegative);
            check.number("lock_up.hysteresis", lock_up.hysteresis, Bound::NotNegative);
            if let Some(speed) = lock_up.speed {
                check.number("lock_up.speed", speed, Bound::NotNegative);
                // Else it would stay closed until the vehicle rolls backward.
                let hysteresis = lock_up.hysteresis;
                let opens = hysteresis <= 0.0 || hysteresis < speed || hysteresis.is_nan();
                let requirement = format_args!("below lock_up.speed = {speed}");
                check.require("lock_up.hysteresis", opens, requirement, hysteresis);
            }
        }
    }
}

impl DrivelineBlock for TorqueConverter {
    fn kind(&self) -> &'static str {
        "torque converter"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn channels(&self) -> Channels {
        Channels {
            inputs: const { &[Channel::new("lock-up", "")] },
            states: &[],
            sensors: const {
                &[
                    Channel::new("speed ratio", ""),
                    Channel::new("pump torque", "N·m"),
                    Channel::new("turbine torque", "N·m"),
                    Channel::new("heat", "W"),
                    Channel::new("locked", ""),
                ]
            },
            memory: 1,
        }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        sketch.add(Element::CapacityConverter(self.element(0.0)), [INPUT, OUTPUT]);
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        let turbine = step.speed(OUTPUT);
        let Some(lock_up) = &self.lock_up else { return };
        if let Some(speed) = lock_up.speed {
            let is_closed = step.memory[0] == 1.0;
            let threshold = if is_closed { speed - lock_up.hysteresis } else { speed };
            step.memory[0] = f64::from(u8::from(f64::from(threshold) < turbine));
        }
        let asked = step.inputs[0].clamped(0.0, 1.0).max(step.memory[0]);
        let capacity = asked * f64::from(lock_up.capacity);
        step.elements[0] = Element::CapacityConverter(self.element(capacity));
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let (pump, turbine) = (result.speed(INPUT), result.speed(OUTPUT));
        let (input, output) = (result.element_torque(0, 0), -result.element_torque(0, 1));
        let ratio = if pump == 0.0 { 0.0 } else { turbine / pump };
        let has_lock = matches!(
            &result.elements[0],
            Element::CapacityConverter(converter) if 0.0 < converter.lock_up
        );
        let is_locked = has_lock && (pump - turbine).abs() <= 1e-9 * pump.abs();
        let heat = input * pump - output * turbine;
        let numbers = [ratio, input, output, heat, f64::from(u8::from(is_locked))];
        result.sensors.copy_from_slice(&numbers);
    }
}
