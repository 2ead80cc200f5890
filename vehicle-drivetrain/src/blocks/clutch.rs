//! The friction clutch as a block.

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::{Element, Friction};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::{Clamped, Real};

use super::block::{
    BlockResult, BlockShaft, BlockStep, Channel, Channels, DrivelineBlock, Sketch, Slots,
};
use super::capacity::Capacity;
use super::command::DriverCommand;

const INPUT: BlockShaft = BlockShaft::Input(0);
const OUTPUT: BlockShaft = BlockShaft::Output(0);
/// Speed at which a clutch that keeps the engine alive is closed, by the one below which it is open
/// (dimensionless).
pub(super) const ANTI_STALL_CLOSED: Real = 2.0;

/// A friction clutch: slots input 0, output 0.
///
/// ```text
/// T_k = C b(e)        capacity while it slips, with the engagement e and the bite curve b
/// T_s = σ T_k         capacity while it sticks
/// ```
///
/// Input: `pedal` in [0, 1], 1 pressed. Sensors: `slip` (rad/s), `torque` (N·m), `heat` (W),
/// `locked`.
///
/// Source: Kiencke and Nielsen, *Automotive Control Systems*; friction as Karnopp has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FrictionClutch {
    /// Capacity C when it is closed (N·m).
    pub capacity: Capacity,
    /// Capacity while it sticks per capacity while it slips σ, at least 1.
    pub static_ratio: Real,
    /// Part of the capacity b over the engagement, both in [0, 1].
    pub bite: LookupTable<Real>,
    /// Actuation that closes it.
    pub actuation: ClutchActuation,
}

/// Actuation that closes a clutch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[serde(rename_all = "snake_case")]
pub enum ClutchActuation {
    /// The driver's pedal: `e = 1 - p`.
    Pedal,
    /// The pedal, and below a speed of the engine nothing at all. It is closed at twice that speed,
    /// and smooth between them.
    AntiStall {
        /// Speed of the input below which it is open (rad/s).
        speed: Real,
    },
    /// The speed of the engine: open below one, closed above another, smooth between them; the
    /// pedal opens it, too.
    Automatic {
        /// Speed of the input from which it closes (rad/s).
        open_speed: Real,
        /// Speed of the input at which it is closed (rad/s).
        closed_speed: Real,
    },
    /// Flyweights against springs: `e = (ω² - ω_a²)/(ω_b² - ω_a²)` within [0, 1].
    Centrifugal {
        /// Speed of the input ω_a from which it grips (rad/s).
        engaging_speed: Real,
        /// Speed of the input ω_b at which it is closed (rad/s).
        closed_speed: Real,
    },
}

/// How far `speed` is on the way from `open` to `closed` (rad/s), within [0, 1].
fn ramp(speed: f64, open: Real, closed: Real) -> f64 {
    let (open, closed) = (f64::from(open), f64::from(closed));
    if closed <= speed { 1.0 } else { ((speed - open) / (closed - open)).max(0.0) }
}

impl ClutchActuation {
    /// Engagement in [0, 1] at the pedal and the speed of the input (rad/s).
    fn engagement(self, pedal: f64, speed: f64) -> f64 {
        let by_pedal = 1.0 - pedal.clamped(0.0, 1.0);
        let smooth = |open: Real, closed: Real| {
            let x = ramp(speed, open, closed);
            by_pedal * x * x * (3.0 - 2.0 * x)
        };
        match self {
            Self::Pedal => by_pedal,
            Self::AntiStall { speed: open } => smooth(open, ANTI_STALL_CLOSED * open),
            Self::Automatic { open_speed, closed_speed } => smooth(open_speed, closed_speed),
            Self::Centrifugal { engaging_speed, closed_speed } => {
                let (low, high) = (f64::from(engaging_speed), f64::from(closed_speed));
                ((speed * speed - low * low) / (high * high - low * low)).clamped(0.0, 1.0)
            }
        }
    }

    fn check(self, check: &mut ParamCheck) {
        let (name, low, high) = match self {
            Self::Pedal => return,
            Self::AntiStall { speed } => {
                check.number("actuation.speed", speed, Bound::NotNegative);
                return;
            }
            Self::Automatic { open_speed, closed_speed } => {
                ("actuation.open_speed", open_speed, closed_speed)
            }
            Self::Centrifugal { engaging_speed, closed_speed } => {
                ("actuation.engaging_speed", engaging_speed, closed_speed)
            }
        };
        check.number(name, low, Bound::NotNegative);
        let requirement = format_args!("finite and above {low}");
        let is_met = low < high && high.is_finite();
        check.require("actuation.closed_speed", is_met, requirement, high);
    }
}

impl Default for FrictionClutch {
    /// The clutch of a mid-size car, with a pedal.
    fn default() -> Self {
        Self {
            capacity: Capacity(450.0),
            static_ratio: 1.1,
            bite: LookupTable::new([(0.1, 0.0), (1.0, 1.0)]).expect("increasing abscissae"),
            actuation: ClutchActuation::Pedal,
        }
    }
}

impl FrictionClutch {
    /// A coupling that cannot slip and has no pedal.
    pub fn rigid() -> Self {
        Self {
            capacity: Capacity::INFINITE,
            static_ratio: 1.0,
            bite: LookupTable::constant(1.0),
            actuation: ClutchActuation::Pedal,
        }
    }

    /// Capacity (N·m) of plates pressed together, under uniform pressure:
    ///
    /// ```text
    /// C = μ F n R,   R = 2/3 (R_o³ - R_i³)/(R_o² - R_i²)
    /// ```
    ///
    /// with the `friction` μ, the `force` F (N), the number of `faces` n and the `radii` R_i, R_o
    /// (m).
    pub fn plate_capacity(friction: Real, force: Real, faces: u8, radii: [Real; 2]) -> Real {
        let [inner, outer] = radii;
        let cubes = outer * outer * outer - inner * inner * inner;
        let squares = outer * outer - inner * inner;
        friction * force * Real::from(faces) * (2.0 / 3.0) * cubes / squares
    }

    /// Whether it opens by its pedal alone, so that a foot must keep the engine alive.
    pub(crate) fn needs_foot(&self) -> bool {
        self.actuation == ClutchActuation::Pedal && self.bite.evaluate(0.0) < 1.0
    }
}

impl Validate for FrictionClutch {
    fn check(&self, check: &mut ParamCheck) {
        self.capacity.check("capacity", check);
        let ratio = self.static_ratio;
        let is_met = 1.0 <= ratio && ratio.is_finite();
        check.require("static_ratio", is_met, "at least 1 and finite", ratio);
        check.require("bite", !self.bite.points().is_empty(), "at least one point", "none");
        for (index, &(_, part)) in self.bite.points().iter().enumerate() {
            check.number(format_args!("bite[{index}].y"), part, Bound::Within(0.0, 1.0));
        }
        self.actuation.check(check);
    }
}

impl DrivelineBlock for FrictionClutch {
    fn kind(&self) -> &'static str {
        "friction clutch"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn channels(&self) -> Channels {
        Channels {
            inputs: const { &[Channel::new("pedal", "").under(DriverCommand::Clutch)] },
            states: &[],
            sensors: COUPLING_SENSORS,
            memory: 1,
        }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        sketch.add(Element::Friction(Friction::OPEN), [INPUT, OUTPUT]);
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        let engagement = self.actuation.engagement(step.inputs[0], step.speed(INPUT));
        let part = f64::from(self.bite.evaluate(engagement as Real)).clamped(0.0, 1.0);
        let was_locked = step.memory[0] == 1.0;
        let ratio = if was_locked { f64::from(self.static_ratio) } else { 1.0 };
        // Nothing of an infinite capacity is nothing.
        let capacity = if part == 0.0 { 0.0 } else { ratio * part * self.capacity.torque() };
        step.elements[0] = Element::Friction(Friction::clutch(capacity));
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        sense_coupling(result);
        result.memory[0] = result.sensors[3];
    }
}

/// Sensors of two shafts with friction between them, which is the first element.
pub(super) const COUPLING_SENSORS: &[Channel] = &[
    Channel::new("slip", "rad/s"),
    Channel::new("torque", "N·m"),
    Channel::new("heat", "W"),
    Channel::new("locked", ""),
];

/// Writes these sensors.
pub(super) fn sense_coupling(result: &mut BlockResult<'_>) {
    let slip = result.speed(INPUT) - result.speed(OUTPUT);
    let torque = result.element_torque(0, 0);
    let size = result.speed(INPUT).abs().max(result.speed(OUTPUT).abs());
    let is_closed = !matches!(
        &result.elements[0],
        Element::Friction(friction) if friction.high <= friction.low
    );
    let is_locked = is_closed && slip.abs() <= 1e-9 * size;
    let numbers = [slip, torque, torque * slip, f64::from(u8::from(is_locked))];
    result.sensors.copy_from_slice(&numbers);
}
