//! Modes: which part of its law an element that is not smooth is on.

use serde::{Deserialize, Serialize};

use super::CREEP;
use super::element::{Brake, DifferentialElement, Element, TireElement, TorqueSign};

/// Relative size of what counts as rounding in a test of a mode (dimensionless).
const TOLERANCE: f64 = 1e-10;
/// Size of rounding, as a part of the largest torque and speed (dimensionless).
const ROUNDING: f64 = 1e-13;

/// Which part of its law an element is on; meaningless for elements that are smooth.
///
/// | element      | `Within`         | `Above`                  | `Below`                  |
/// |--------------|------------------|--------------------------|--------------------------|
/// | tire         | grips            | slides, pushed forward   | slides, pushed backward  |
/// | brake        | holds its shaft  | slips above its target   | slips below its target   |
/// | speed range  | turns freely     | at the upper end         | at the lower end         |
/// | friction     | sticks           | port 0 is faster         | port 1 is faster         |
/// | ratio        | holds itself     | turns forward            | turns backward           |
/// | differential | outputs stick    | port 1 is faster         | port 2 is faster         |
/// | converter    | is locked up     | the pump is faster       | the turbine is faster    |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mode {
    /// The part of the law.
    pub side: Side,
    /// Sign of the torque that passes, where friction depends on it: in ratios and differentials.
    pub torque: TorqueSign,
}

/// Part of a law that is not smooth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// Between both limits.
    #[default]
    Within,
    /// Beyond the upper limit.
    Above,
    /// Beyond the lower limit.
    Below,
}

impl Mode {
    /// A number of its own for each mode.
    pub(super) fn number(self) -> u64 {
        self.side as u64 * 2 + self.torque as u64
    }

    /// Whether laws in this mode are those in `other`: what is held does not ask for the sign of
    /// the torque.
    pub(super) fn has_law_of(self, other: Self) -> bool {
        self.side == other.side && (self.side == Side::Within || self.torque == other.torque)
    }

    fn with(self, side: Side) -> Self {
        Self { side, ..self }
    }

    fn with_other_torque(self) -> Self {
        Self { torque: self.torque.opposite(), ..self }
    }
}

/// An inequality that holds in a mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slack {
    /// At least 0 where the inequality holds.
    pub value: f64,
    /// Size of the numbers that it compares.
    pub size: f64,
    /// The mode beyond it.
    pub next: Mode,
    /// Whether it compares torques, else speeds.
    pub is_torque: bool,
}

impl Slack {
    fn torque(value: f64, size: f64, next: Mode) -> Self {
        Self { value, size, next, is_torque: true }
    }

    fn speed(value: f64, size: f64, next: Mode) -> Self {
        Self { value, size, next, is_torque: false }
    }

    /// Whether the inequality is violated by more than rounding in a solution with these `floors`.
    #[inline]
    pub(super) fn is_violated(&self, floors: Floors<'_>) -> bool {
        // Most hold clearly.
        self.value < 0.0 && self.value < -(TOLERANCE * self.size + floors.of(self.is_torque))
    }
}

/// Size below which a number of a solution is rounding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floors<'a> {
    pub torques: &'a [f64],
    pub speeds: &'a [f64],
}

impl Floors<'_> {
    /// That of its torques (N·m), or that of its speeds (rad/s).
    fn of(self, is_torque: bool) -> f64 {
        let larger = |most: f64, x: &f64| if most < x.abs() { x.abs() } else { most };
        let largest = |numbers: &[f64]| numbers.iter().fold(0.0, larger);
        if is_torque {
            ROUNDING * largest(self.torques)
        } else {
            ROUNDING * largest(self.speeds) + CREEP * CREEP
        }
    }
}

/// Numbers that modes of an element compare; which these are depends on its kind:
///
/// ```text
/// tire           [τ of a tire that grips]
/// brake          [T, ω - target]
/// speed range    [T, ω]
/// friction, lock-up  [T[0], v, max(|ω[0]|, |ω[1]|)]
/// ratio          [T[0], T_o/ρ, ω[0] - creep]
/// differential   [T', T_l, ω[1] - ω[2], max(|ω[1]|, |ω[2]|)]
/// ```
pub(super) type Compared = [f64; 4];

/// The inequalities of one mode.
pub(super) type Slacks = arrayvec::ArrayVec<Slack, 3>;

impl Element {
    /// Whether its law has several parts.
    #[inline]
    pub(super) fn has_modes(&self) -> bool {
        match self {
            Self::Tire(_) | Self::SpeedRange(_) => true,
            Self::Differential(differential) => !differential.is_open(),
            Self::Brake(brake) => brake.has_modes(),
            Self::Friction(friction) => friction.low < friction.high,
            Self::Ratio(ratio) => ratio.efficiency < 1.0,
            Self::CapacityConverter(converter) => 0.0 < converter.lock_up,
            _ => false,
        }
    }

    /// `mode`, or the one within both limits where a limit is infinite and cannot be passed.
    #[inline]
    pub(super) fn possible(&self, mode: Mode) -> Mode {
        if mode.side == Side::Within {
            return mode;
        }
        let (low, high) = match self {
            Self::Brake(brake) => return brake.possible(mode),
            Self::SpeedRange(range) => (range.low, range.high),
            Self::Friction(friction) => (friction.low, friction.high),
            Self::Differential(differential) => (-differential.preload, differential.preload),
            Self::CapacityConverter(converter) => (-converter.lock_up, converter.lock_up),
            _ => return mode,
        };
        possible(mode, low, high)
    }

    /// Numbers that its modes compare, at the end-of-step speeds and torques of its ports and the
    /// start speed of port 0.
    #[inline]
    pub(super) fn compared(&self, start: f64, speeds: [f64; 3], torques: &[f64]) -> Compared {
        match (self, torques) {
            (Self::Tire(tire), _) => [tire.gripping_torque(start, speeds[0]), 0.0, 0.0, 0.0],
            (Self::Brake(brake), [torque]) => [*torque, speeds[0] - brake.target, 0.0, 0.0],
            (Self::SpeedRange(_), [torque]) => [*torque, speeds[0], 0.0, 0.0],
            (Self::Friction(_) | Self::CapacityConverter(_), [torque, _]) => {
                let size = speeds[0].abs().max(speeds[1].abs());
                [*torque, speeds[0] - speeds[1], size, 0.0]
            }
            (Self::Ratio(ratio), [input, output]) => {
                let passed = -output / ratio.ratio;
                [*input, passed, speeds[0] - CREEP * (input - passed), 0.0]
            }
            (Self::Differential(differential), [input, first, second]) => {
                let share = differential.share;
                let size = speeds[1].abs().max(speeds[2].abs());
                let exchanged = (1.0 - share) * first - share * second;
                [differential.ratio * input, exchanged, speeds[1] - speeds[2], size]
            }
            _ => [0.0; 4],
        }
    }

    /// The inequalities of `mode`, and how far they hold.
    pub(super) fn slacks(&self, mode: Mode, compared: &Compared) -> Slacks {
        let mut slacks = Slacks::new();
        self.see_slacks(mode, compared, &mut |slack| slacks.push(slack));
        slacks
    }

    /// Tells the inequalities of `mode`, and how far they hold.
    #[inline]
    fn see_slacks(&self, mode: Mode, compared: &Compared, see: &mut impl FnMut(Slack)) {
        if !self.has_modes() {
            return;
        }
        match self {
            Self::Tire(tire) => tire.see_slacks(mode, compared[0], see),
            Self::Brake(brake) => brake.see_slacks(mode, [compared[0], compared[1]], see),
            Self::SpeedRange(range) => {
                let [torque, speed, ..] = *compared;
                if mode.side == Side::Within {
                    for (end, sign, side) in
                        [(range.high, 1.0, Side::Above), (range.low, -1.0, Side::Below)]
                    {
                        if end.is_finite() {
                            let size = end.abs() + speed.abs();
                            see(Slack::speed(sign * (end - speed), size, mode.with(side)));
                        }
                    }
                } else {
                    let (sign, _) = beyond(mode, 0.0, 0.0);
                    let next = mode.with(Side::Within);
                    see(Slack::torque(sign * torque, torque.abs(), next));
                }
            }
            Self::Friction(friction) => {
                friction_slacks(mode, compared, friction.low, friction.high, see);
            }
            Self::CapacityConverter(converter) => {
                let most = converter.lock_up;
                friction_slacks(mode, compared, -most, most, see);
            }
            Self::Ratio(ratio) => ratio_slacks(mode, ratio.efficiency, compared, see),
            Self::Differential(differential) => {
                differential_slacks(mode, differential, compared, see);
            }
            _ => {}
        }
    }

    /// The mode that follows on `mode`, which led to what is `compared`: itself where all of its
    /// inequalities hold.
    #[inline]
    pub(super) fn next_mode(&self, mode: Mode, compared: &Compared, floors: Floors<'_>) -> Mode {
        // The sign of the torque changes nothing in the law of what is held.
        let mode = match self {
            Self::Ratio(_) if mode.side == Side::Within => {
                Mode { torque: TorqueSign::of(compared[1]), ..mode }
            }
            Self::Differential(_) if mode.side == Side::Within => {
                Mode { torque: TorqueSign::of(compared[0]), ..mode }
            }
            _ => mode,
        };
        let mut first = FirstViolated::new(floors);
        self.see_slacks(mode, compared, &mut |slack| first.see(slack));
        first.next.unwrap_or(mode)
    }
}

impl TireElement {
    /// Torque of a tire that grips, on a wheel that has come from the speed `start` to `speed`
    /// (rad/s) (N·m).
    #[inline]
    fn gripping_torque(&self, start: f64, speed: f64) -> f64 {
        self.torque - self.stiffness * (speed - start)
    }

    /// Whether a tire that grips stays within its limits.
    #[inline]
    pub(super) fn can_grip(&self, start: f64, speed: f64) -> bool {
        self.gripping_torque(start, speed).abs() <= self.max_torque
    }

    #[inline]
    fn see_slacks(&self, mode: Mode, torque: f64, see: &mut impl FnMut(Slack)) {
        limit_slacks(mode, torque, -self.max_torque, self.max_torque, see);
    }

    /// [`Element::next_mode`] of a tire on such a wheel.
    #[inline]
    pub(super) fn next_mode(&self, mode: Mode, start: f64, speed: f64, floors: Floors<'_>) -> Mode {
        let torque = self.gripping_torque(start, speed);
        let mut first = FirstViolated::new(floors);
        self.see_slacks(mode, torque, &mut |slack| first.see(slack));
        first.next.unwrap_or(mode)
    }
}

impl Brake {
    /// Whether the brake bears more than one torque.
    #[inline]
    pub(super) fn has_modes(&self) -> bool {
        self.low < self.high
    }

    /// [`Element::possible`] of a brake.
    #[inline]
    pub(super) fn possible(&self, mode: Mode) -> Mode {
        possible(mode, self.low, self.high)
    }

    /// Tells inequalities at a torque (N·m) and a speed above the target (rad/s).
    #[inline]
    fn see_slacks(&self, mode: Mode, [torque, above]: [f64; 2], see: &mut impl FnMut(Slack)) {
        if mode.side == Side::Within {
            within_slacks(mode, torque, self.low, self.high, see);
        } else {
            let (sign, limit) = beyond(mode, self.low, self.high);
            let size = above.abs() + self.target.abs();
            let value = sign * (above - CREEP * limit);
            see(Slack::speed(value, size, mode.with(Side::Within)));
        }
    }

    /// [`Element::next_mode`] of a brake that bears `torque` (N·m) at a `speed` (rad/s).
    #[inline]
    pub(super) fn next_mode(
        &self,
        mode: Mode,
        torque: f64,
        speed: f64,
        floors: Floors<'_>,
    ) -> Mode {
        let compared = [torque, speed - self.target];
        let mut first = FirstViolated::new(floors);
        self.see_slacks(mode, compared, &mut |slack| first.see(slack));
        first.next.unwrap_or(mode)
    }
}

/// The first inequality that is violated of those that are seen.
struct FirstViolated<'a> {
    floors: Floors<'a>,
    /// The mode beyond it.
    next: Option<Mode>,
}

impl<'a> FirstViolated<'a> {
    #[inline]
    fn new(floors: Floors<'a>) -> Self {
        Self { floors, next: None }
    }

    #[inline]
    fn see(&mut self, slack: Slack) {
        if self.next.is_none() && slack.is_violated(self.floors) {
            self.next = Some(slack.next);
        }
    }
}

/// `mode`, or the one within both limits where it is beyond one that is infinite.
#[inline]
fn possible(mode: Mode, low: f64, high: f64) -> Mode {
    match mode.side {
        Side::Above if high == f64::INFINITY => mode.with(Side::Within),
        Side::Below if low == f64::NEG_INFINITY => mode.with(Side::Within),
        _ => mode,
    }
}

/// Direction of the slip in a mode beyond the limits, and the limit.
#[inline]
fn beyond(mode: Mode, low: f64, high: f64) -> (f64, f64) {
    if mode.side == Side::Below { (-1.0, low) } else { (1.0, high) }
}

/// A torque between two limits.
#[inline]
fn within_slacks(mode: Mode, torque: f64, low: f64, high: f64, see: &mut impl FnMut(Slack)) {
    for (limit, sign, side) in [(high, 1.0, Side::Above), (low, -1.0, Side::Below)] {
        if limit.is_finite() {
            let size = torque.abs() + limit.abs();
            see(Slack::torque(sign * (limit - torque), size, mode.with(side)));
        }
    }
}

/// Friction between two shafts.
#[inline]
fn friction_slacks(
    mode: Mode,
    compared: &Compared,
    low: f64,
    high: f64,
    see: &mut impl FnMut(Slack),
) {
    let [torque, slip, size, _] = *compared;
    if mode.side == Side::Within {
        within_slacks(mode, torque, low, high, see);
    } else {
        let (sign, _) = beyond(mode, 0.0, 0.0);
        see(Slack::speed(sign * slip, size, mode.with(Side::Within)));
    }
}

/// A torque that is cut off at two limits.
#[inline]
fn limit_slacks(mode: Mode, torque: f64, low: f64, high: f64, see: &mut impl FnMut(Slack)) {
    if mode.side == Side::Within {
        within_slacks(mode, torque, low, high, see);
    } else {
        let (sign, limit) = beyond(mode, low, high);
        let size = torque.abs() + limit.abs();
        see(Slack::torque(sign * (torque - limit), size, mode.with(Side::Within)));
    }
}

#[inline]
fn ratio_slacks(mode: Mode, efficiency: f64, compared: &Compared, see: &mut impl FnMut(Slack)) {
    let [input, passed, speed, _] = *compared;
    let torque_sign = mode.torque.value();
    if mode.side == Side::Within {
        let size = input.abs() + passed.abs();
        let (more, less) = match mode.torque {
            TorqueSign::Positive => (passed / efficiency, passed * efficiency),
            TorqueSign::Negative => (passed * efficiency, passed / efficiency),
        };
        see(Slack::torque(more - input, size, mode.with(Side::Above)));
        see(Slack::torque(input - less, size, mode.with(Side::Below)));
    } else {
        let (sign, _) = beyond(mode, 0.0, 0.0);
        see(Slack::speed(sign * speed, speed.abs(), mode.with(Side::Within)));
        let value = torque_sign * input;
        see(Slack::torque(value, input.abs(), mode.with_other_torque()));
    }
}

#[inline]
fn differential_slacks(
    mode: Mode,
    differential: &DifferentialElement,
    compared: &Compared,
    see: &mut impl FnMut(Slack),
) {
    let (preload, bias) = (differential.preload, differential.bias_at(mode.torque));
    let [passed, exchanged, slip, speed] = *compared;
    let torque = mode.torque.value() * passed;
    let capacity = preload + bias * torque;
    if mode.side != Side::Within {
        let (sign, _) = beyond(mode, 0.0, 0.0);
        see(Slack::speed(sign * slip, speed, mode.with(Side::Within)));
    } else if preload.is_finite() {
        let size = exchanged.abs() + preload + bias * passed.abs();
        see(Slack::torque(capacity - exchanged, size, mode.with(Side::Above)));
        see(Slack::torque(capacity + exchanged, size, mode.with(Side::Below)));
    }
    if differential.is_biased() {
        see(Slack::torque(torque, torque.abs(), mode.with_other_torque()));
    }
}
