//! The gearbox as a block: manual, automatic, power shift, continuously variable.

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::{Brake, Element, Friction, Inertia, Ratio};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::{Clamped, Real};

use super::block::{
    BlockResult, BlockShaft, BlockStep, Channel, Channels, DrivelineBlock, Sketch, Slots,
};
use super::capacity::Capacity;
use super::command::{DriverCommand, Selector};
use super::couplings::check_gear;
use super::shift_lines::ShiftLines;

const INPUT: BlockShaft = BlockShaft::Input(0);
const OUTPUT: BlockShaft = BlockShaft::Output(0);
const INNER: BlockShaft = BlockShaft::Inner(0);

/// A gearbox: slots input 0, output 0.
///
/// Inputs: `gear` (-1, -2, ... reverse, 0 neutral, 1, 2, ...) of a manual one; `selector` of an
/// automatic one (see [`Selector`]); `throttle` in [0, 1] for its shift map; `target speed` of a
/// variable one (rad/s). Sensors: `gear` that is in, `target` gear, `ratio`, `speed in`, `speed
/// out` (rad/s), `torque in`, `torque out` (N·m), `loss` (W), `shifting`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Gearbox {
    /// Ratios of the forward gears, each below the one before (dimensionless).
    pub forward: Vec<Real>,
    /// Ratios of the reverse gears, negative (dimensionless). Without one, reverse is neutral.
    pub reverse: Vec<Real>,
    /// Efficiency of all gears, in (0, 1] (dimensionless).
    pub efficiency: Real,
    /// Moment of inertia of the gears behind the coupling of the input (kg·m²).
    pub inertia: Real,
    /// Time in neutral while the gear is switched (s).
    pub shift_time: Real,
    /// With it, gears change without a gap, while plates of this capacity slip.
    pub power_shift: Option<Capacity>,
    /// Speed of the input that no shift may lead to (rad/s).
    pub max_input_speed: Real,
    /// Speed of the output above which it goes neither into reverse nor into park (rad/s).
    pub max_reversal_speed: Real,
    /// Who chooses the gear.
    pub control: GearControl,
}

/// Who chooses the gear.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[serde(rename_all = "snake_case")]
pub enum GearControl {
    /// The driver, any gear (H-pattern).
    Manual,
    /// The driver, one gear up or down at a time.
    Sequential,
    /// A shift map.
    Automatic(ShiftLines),
    /// Nobody: the ratio follows the target speed of the input, within those of the first and the
    /// last forward gear.
    Variable {
        /// Fastest change of the ratio (1/s).
        max_rate: Real,
    },
}

impl Default for Gearbox {
    /// Six gears of a mid-size car, by hand.
    fn default() -> Self {
        Self {
            forward: vec![3.7, 2.02, 1.4, 1.08, 0.86, 0.69],
            reverse: vec![-3.4],
            efficiency: 0.97,
            inertia: 0.0,
            shift_time: 0.2,
            power_shift: None,
            max_input_speed: 750.0,
            max_reversal_speed: 15.0,
            control: GearControl::Manual,
        }
    }
}

impl Gearbox {
    /// The default gearbox with a shift map that fits [`Engine::default`](super::Engine), and gears
    /// that change without a gap.
    pub fn automatic() -> Self {
        let lines =
            |points: [(Real, Real); 4]| LookupTable::new(points).expect("increasing abscissae");
        Self {
            power_shift: Some(Capacity(600.0)),
            control: GearControl::Automatic(ShiftLines {
                up: lines([(0.0, 190.0), (0.3, 230.0), (0.7, 430.0), (1.0, 640.0)]),
                down: lines([(0.0, 140.0), (0.3, 165.0), (0.7, 300.0), (1.0, 560.0)]),
                kick_down: 0.95,
                dwell: 0.8,
            }),
            ..Self::default()
        }
    }

    /// Ratio of a gear: 0 in neutral and for gears that it has not.
    pub fn ratio(&self, gear: i32) -> f64 {
        let list = if 0 < gear { &self.forward } else { &self.reverse };
        let Some(index) = gear.unsigned_abs().checked_sub(1) else { return 0.0 };
        list.get(index as usize).map_or(0.0, |ratio| f64::from(*ratio))
    }

    /// Whether the driver chooses the gear.
    pub(super) fn is_by_hand(&self) -> bool {
        matches!(self.control, GearControl::Manual | GearControl::Sequential)
    }

    fn highest(&self) -> i32 {
        self.forward.len() as i32
    }

    /// Reports gears of `memory` that it has not.
    pub(super) fn check_memory(&self, memory: &[f64], check: &mut ParamCheck) {
        let gears = [memory[Memory::GEAR], memory[Memory::TARGET]];
        let most = gears.into_iter().fold(0.0, f64::max);
        let least = gears.into_iter().fold(0.0, f64::min);
        for (name, needed, gears) in
            [("forward", most, &self.forward), ("reverse", -least, &self.reverse)]
        {
            let count = gears.len();
            let requirement =
                format_args!("of {needed} gears or more, as that one is in or chosen");
            check.require(name, needed <= count as f64, requirement, count);
        }
    }

    /// Whether a gear may go in while the output turns with `speed` (rad/s) and `current` is in. A
    /// forward gear may while the vehicle rolls backward: what is before the gearbox slips, and
    /// pulls, until it has turned around.
    fn admits(&self, gear: i32, current: i32, speed: f64) -> bool {
        let ratio = self.ratio(gear);
        let turns_back = gear < 0 && f64::from(self.max_reversal_speed) < speed;
        let turned = ratio * speed;
        let over = f64::from(self.max_input_speed) < turned && self.ratio(current) * speed < turned;
        gear == 0 || (ratio != 0.0 && !turns_back && !over)
    }

    /// The gear that is asked for.
    fn asked(&self, step: &BlockStep<'_>, current: i32) -> i32 {
        let lowest = -(self.reverse.len() as i32);
        match &self.control {
            GearControl::Manual => {
                (step.inputs[Input::GEAR] as i32).clamped(lowest, self.highest())
            }
            GearControl::Sequential => {
                let asked = (step.inputs[Input::GEAR] as i32).clamped(lowest, self.highest());
                current + (asked - current).signum()
            }
            GearControl::Automatic(lines) => self.by_selector(step, |throttle| {
                let limits = lines.at(throttle);
                self.by_lines(limits, current, step.speed(OUTPUT))
            }),
            GearControl::Variable { .. } => self.by_selector(step, |_| 1),
        }
    }

    fn by_selector(&self, step: &BlockStep<'_>, drive: impl Fn(f64) -> i32) -> i32 {
        let selector = step.inputs[Input::SELECTOR];
        if selector == Selector::Reverse.value() {
            if self.reverse.is_empty() { 0 } else { -1 }
        } else if selector == Selector::Drive.value() {
            drive(step.inputs[Input::THROTTLE].clamped(0.0, 1.0))
        } else if selector == Selector::Low.value() {
            1
        } else {
            0
        }
    }

    /// The gear after `current` by the lines `[up, down]` (rad/s). From neutral and reverse it is
    /// the lowest that may go in, and that the line does not leave at once.
    fn by_lines(&self, [up, down]: [f64; 2], current: i32, speed: f64) -> i32 {
        if current < 1 {
            let stays =
                |&gear: &i32| self.ratio(gear) * speed <= up && self.admits(gear, current, speed);
            return (1..self.highest()).find(stays).unwrap_or(self.highest());
        }
        if current < self.highest() && up < self.ratio(current) * speed {
            current + 1
        } else if 1 < current && self.ratio(current - 1) * speed < down {
            current - 1
        } else {
            current
        }
    }

    /// Advances the shift: what is kept is the gear, its target, the time since the shift began,
    /// and the ratio of a variable one.
    fn shift(&self, step: &mut BlockStep<'_>) {
        let current = step.memory[Memory::GEAR] as i32;
        let target = step.memory[Memory::TARGET] as i32;
        step.memory[Memory::TIME] += step.dt;
        let time = step.memory[Memory::TIME];
        if current != target {
            if f64::from(self.shift_time) <= time {
                step.memory[Memory::GEAR] = f64::from(target);
            }
            return;
        }
        let asked = self.asked(step, current);
        let dwell = match &self.control {
            GearControl::Automatic(lines) if 0 < current && 0 < asked => f64::from(lines.dwell),
            _ => 0.0,
        };
        let is_weak = self.is_weak(step, current, asked);
        let is_admitted = !is_weak && self.admits(asked, current, step.speed(OUTPUT));
        if asked != current && dwell <= time && is_admitted {
            self.note_weak_gear(step, current, asked);
            step.memory[Memory::TARGET] = f64::from(asked);
            step.memory[Memory::TIME] = 0.0;
            let is_at_once = self.power_shift.is_some() && current != 0;
            let gear = if is_at_once || asked == 0 { asked } else { 0 };
            step.memory[Memory::GEAR] = f64::from(gear);
        }
    }

    /// Whether the gear that is asked for has just been too weak for the road, at about this
    /// throttle. It is taken again once the throttle changes, or the speed is on the line of full
    /// throttle.
    fn is_weak(&self, step: &mut BlockStep<'_>, current: i32, asked: i32) -> bool {
        let GearControl::Automatic(lines) = &self.control else { return false };
        let throttle = step.inputs[Input::THROTTLE].clamped(0.0, 1.0);
        let change = (throttle - step.memory[Memory::WEAK_THROTTLE]).abs();
        let speed = self.ratio(current) * step.speed(OUTPUT);
        if THROTTLE_CHANGE < change || f64::from(lines.up.evaluate(1.0)) <= speed {
            step.memory[Memory::WEAK_GEAR] = 0.0;
        }
        let weak = step.memory[Memory::WEAK_GEAR];
        0 < current && current < asked && weak != 0.0 && weak <= f64::from(asked)
    }

    /// Remembers a gear that is left for a lower one under throttle: on a hill, the higher one
    /// would be left again and again.
    fn note_weak_gear(&self, step: &mut BlockStep<'_>, current: i32, asked: i32) {
        let throttle = step.inputs[Input::THROTTLE].clamped(0.0, 1.0);
        if 0 < asked && asked < current && HILL_THROTTLE < throttle {
            let weak = step.memory[Memory::WEAK_GEAR];
            let gear = f64::from(current);
            step.memory[Memory::WEAK_GEAR] = if weak == 0.0 { gear } else { weak.min(gear) };
            step.memory[Memory::WEAK_THROTTLE] = throttle;
        }
    }

    /// Ratio that is in, and whether plates slip between two gears.
    fn present_ratio(&self, step: &mut BlockStep<'_>) -> f64 {
        let gear = step.memory[Memory::GEAR] as i32;
        let ratio = self.ratio(gear);
        let GearControl::Variable { max_rate } = self.control else { return ratio };
        let (Some(first), Some(last), true) =
            (self.forward.first(), self.forward.last(), gear == 1)
        else {
            return ratio;
        };
        let (most, least) = (f64::from(*first), f64::from(*last));
        let speed = step.speed(OUTPUT);
        let target = step.inputs[Input::TARGET_SPEED];
        let wanted = if speed <= 0.0 { most } else { (target / speed).clamped(least, most) };
        let change = f64::from(max_rate) * step.dt;
        let variable = &mut step.memory[Memory::RATIO];
        *variable =
            (*variable + (wanted - *variable).clamped(-change, change)).clamped(least, most);
        *variable
    }

    fn is_parked(&self, step: &BlockStep<'_>) -> bool {
        let has_selector =
            matches!(self.control, GearControl::Automatic(_) | GearControl::Variable { .. });
        has_selector && step.inputs[Input::SELECTOR] == Selector::Park.value()
    }
}

/// Name of the input of a variable one.
pub(super) const TARGET_SPEED: &str = "target speed";

/// Numbers of the inputs.
struct Input;

impl Input {
    const GEAR: usize = 0;
    const SELECTOR: usize = 1;
    const THROTTLE: usize = 2;
    const TARGET_SPEED: usize = 3;
}

/// Numbers of what the gearbox keeps.
struct Memory;

impl Memory {
    const GEAR: usize = 0;
    const TARGET: usize = 1;
    const TIME: usize = 2;
    const RATIO: usize = 3;
    const IS_PARKED: usize = 4;
    const WEAK_GEAR: usize = 5;
    const WEAK_THROTTLE: usize = 6;
    const COUNT: usize = 7;
}

/// Throttle above which a gear that is left for a lower one was too weak for the road
/// (dimensionless).
const HILL_THROTTLE: f64 = 0.15;
/// Change of the throttle that asks for something else than what the gear was too weak for
/// (dimensionless).
const THROTTLE_CHANGE: f64 = 0.1;
/// Torque of a parking lock (N·m).
const PARK_TORQUE: f64 = 1e5;

impl Validate for Gearbox {
    fn check(&self, check: &mut ParamCheck) {
        let count = self.forward.len();
        check.require("forward", (1..=32).contains(&count), "of 1 to 32 gears", count);
        let count = self.reverse.len();
        check.require("reverse", count <= 32, "of at most 32 gears", count);
        for (index, ratio) in self.forward.iter().enumerate() {
            let name = format_args!("forward[{index}]");
            check.require(name, (1e-3..=1e3).contains(ratio), "within [0.001, 1000]", ratio);
        }
        for (index, pair) in self.forward.windows(2).enumerate() {
            let name = format_args!("forward[{}]", index + 1);
            let requirement = format_args!("below {}, the ratio of the gear before", pair[0]);
            check.require(name, pair[1] < pair[0], requirement, pair[1]);
        }
        for (index, ratio) in self.reverse.iter().enumerate() {
            let name = format_args!("reverse[{index}]");
            check.require(name, (-1e3..=-1e-3).contains(ratio), "within [-1000, -0.001]", ratio);
        }
        check_gear(check, 1.0, self.efficiency);
        check.number("inertia", self.inertia, Bound::NotNegative);
        check.number("shift_time", self.shift_time, Bound::NotNegative);
        check.number("max_input_speed", self.max_input_speed, Bound::Positive);
        check.number("max_reversal_speed", self.max_reversal_speed, Bound::NotNegative);
        if let Some(capacity) = self.power_shift {
            capacity.check("power_shift", check);
        }
        match &self.control {
            GearControl::Manual | GearControl::Sequential => {}
            GearControl::Variable { max_rate } => {
                check.number("control.max_rate", *max_rate, Bound::Positive);
            }
            GearControl::Automatic(lines) => lines.check(check),
        }
    }
}

impl DrivelineBlock for Gearbox {
    fn kind(&self) -> &'static str {
        "gearbox"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn channels(&self) -> Channels {
        Channels {
            inputs: const {
                &[
                    Channel::new("gear", "").under(DriverCommand::Gear),
                    Channel::new("selector", "").with_default(2.0).under(DriverCommand::Selector),
                    Channel::new("throttle", "").under(DriverCommand::Throttle),
                    Channel::new(TARGET_SPEED, "rad/s"),
                ]
            },
            states: &[],
            sensors: const {
                &[
                    Channel::new("gear", ""),
                    Channel::new("target", ""),
                    Channel::new("ratio", ""),
                    Channel::new("speed in", "rad/s"),
                    Channel::new("speed out", "rad/s"),
                    Channel::new("torque in", "N·m"),
                    Channel::new("torque out", "N·m"),
                    Channel::new("loss", "W"),
                    Channel::new("shifting", ""),
                ]
            },
            memory: Memory::COUNT,
        }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        let inner = sketch.inner_shaft();
        sketch.add(Element::Friction(Friction::OPEN), [INPUT, inner]);
        let ratio = self.ratio(1);
        let efficiency = f64::from(self.efficiency);
        sketch.add(Element::Ratio(Ratio { ratio, efficiency }), [inner, OUTPUT]);
        let inertia = f64::from(self.inertia);
        sketch.add(Element::Inertia(Inertia { inertia, ..Inertia::default() }), [inner]);
        sketch.add(Element::Brake(Brake::against_housing(0.0)), [OUTPUT]);
    }

    fn start(&self, memory: &mut [f64]) {
        // The first shift need not wait.
        memory[Memory::TIME] = 1e3;
        memory[Memory::RATIO] = self.ratio(1);
    }

    fn is_busy(&self, sensors: &[f64], _overspeed: f64) -> bool {
        sensors.last().is_some_and(|is_shifting| *is_shifting != 0.0)
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        self.shift(step);
        let ratio = self.present_ratio(step);
        let is_in = ratio != 0.0;
        let is_changing = step.memory[Memory::TIME] < f64::from(self.shift_time);
        step.elements[0] = Element::Friction(match self.power_shift {
            _ if !is_in => Friction::OPEN,
            Some(capacity) if is_changing => Friction::clutch(capacity.torque()),
            _ => Friction::RIGID,
        });
        // Out of gear, any ratio will do, but always the same.
        let ratio = if is_in { ratio } else { self.ratio(1) };
        let efficiency = f64::from(self.efficiency);
        step.elements[1] = Element::Ratio(Ratio { ratio, efficiency });
        // Park goes in at little speed, and stays in.
        let is_slow = step.speed(OUTPUT).abs() <= f64::from(self.max_reversal_speed);
        let was_parked = step.memory[Memory::IS_PARKED] == 1.0;
        let is_parked = self.is_parked(step) && (is_slow || was_parked);
        step.memory[Memory::IS_PARKED] = f64::from(u8::from(is_parked));
        let torque = if is_parked { PARK_TORQUE } else { 0.0 };
        step.elements[3] = Element::Brake(Brake::against_housing(torque));
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let (input, output) = (result.speed(INPUT), result.speed(OUTPUT));
        let (torque_in, torque_out) = (result.torque(INPUT), -result.torque(OUTPUT));
        let is_open = matches!(
            &result.elements[0],
            Element::Friction(friction) if friction.high <= friction.low
        );
        let ratio = match &result.elements[1] {
            Element::Ratio(parts) if !is_open => parts.ratio,
            _ => 0.0,
        };
        let loss = result.element_torque(0, 0) * (input - result.speed(INNER))
            + result.element_torque(1, 0) * result.speed(INNER)
            + result.element_torque(1, 1) * output;
        let is_shifting = result.memory[Memory::GEAR] != result.memory[Memory::TARGET]
            || result.memory[Memory::TIME] < f64::from(self.shift_time);
        let numbers = [
            result.memory[Memory::GEAR],
            result.memory[Memory::TARGET],
            ratio,
            input,
            output,
            torque_in,
            torque_out,
            loss,
            f64::from(u8::from(is_shifting)),
        ];
        result.sensors.copy_from_slice(&numbers);
    }
}
