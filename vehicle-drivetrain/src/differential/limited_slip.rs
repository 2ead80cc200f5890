//! Limited slip: wheels whose speeds may differ by a limited ratio.
//!
//! The *bias* of two wheels, or of the two axles, is the ratio of their speeds beyond which the
//! differential acts. It then forces the wheels to a ratio closer to the *target*, with whatever
//! torque that takes, like one that locks. [`torque_bias`](super::torque_bias) limits the ratio of
//! torques.
//!
//! On split friction that can be ten times as much torque on one wheel as on the other, at a ratio
//! of the speeds of 1.2.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::implicit_clutch::WheelConstraint;
use vehicle_core::math::{Clamped, Real, sign};

/// Ratios of two speeds above this count as this (dimensionless): its square still has room in a
/// matrix of single precision.
const MAX_SPEED_RATIO: Real = 1e6;

/// How far the speeds of two wheels or axles may differ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LimitedSlipParams {
    /// Ratio of the faster to the slower beyond which the differential acts, at least 1; 1 is
    /// locked (dimensionless).
    pub bias: Real,
    /// Ratio to which it returns them, in [1, bias] (dimensionless).
    pub target: Real,
}

impl LimitedSlipParams {
    /// Wheels that always turn alike.
    pub const LOCKED: Self = Self { bias: 1.0, target: 1.0 };

    /// Checks the ratios.
    pub(super) fn check(&self, check: &mut ParamCheck) {
        let is_ratio = 1.0 <= self.bias && self.bias.is_finite();
        check.require("bias", is_ratio, "at least 1 and finite", self.bias);
        check.number("target", self.target, Bound::Within(1.0, self.bias));
    }
}

/// Which speeds of four wheels may differ, and how far; open where `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[serde(default)]
pub struct LimitedSlips {
    /// Limit of the front axle to the rear axle, each the sum of its wheels.
    pub center: Option<LimitedSlipParams>,
    /// Limit of the front wheels.
    pub front: Option<LimitedSlipParams>,
    /// Limit of the rear wheels.
    pub rear: Option<LimitedSlipParams>,
    /// How fast a ratio beyond its bias is brought back (1/s): at once if `None`, never if 0.
    pub rate: Option<Real>,
    /// Rotation speed from which on wheels are compared (rad/s). One wheel that has it is enough;
    /// where speeds at the start of a frame are tested ([`TestedSpeeds`]), each must have it. Near
    /// standstill a ratio of speeds says nothing; the reference has no such speed, which is 0.
    pub min_speed: Real,
}

impl LimitedSlips {
    /// Whether no speeds are limited.
    pub fn is_open(&self) -> bool {
        self.center.is_none() && self.front.is_none() && self.rear.is_none()
    }

    /// These, without that of the center unless it `is_there`.
    #[inline]
    pub(crate) fn with_center(self, is_there: bool) -> Self {
        Self { center: self.center.filter(|_| is_there), ..self }
    }

    /// Whether no ratio of the `speeds` [front, rear] (rad/s) is to be brought back: so it is most
    /// of the time. What stands has no ratio.
    #[inline]
    pub(crate) fn allow(&self, speeds: [Real; 4]) -> bool {
        let is_within = |first: Real, second: Real, slip: &Option<LimitedSlipParams>| {
            slip.is_none_or(|slip| SpeedPair::of_sums(first, second).is_within(slip.bias))
        };
        let [first, second, third, fourth] = speeds;
        let are_within = || {
            is_within(first, second, &self.front)
                && is_within(third, fourth, &self.rear)
                && is_within(first + second, third + fourth, &self.center)
        };
        self.rate == Some(0.0) || are_within()
    }

    /// The wheels [front, rear] that turn alike whatever their speeds, if all that is limited is
    /// locked: then no solution without groups needs to tell their ratios.
    #[inline]
    pub(crate) fn locked_groups(&self) -> Option<[Option<WheelConstraint>; 4]> {
        let is_locked =
            |slip: &Option<LimitedSlipParams>| slip.is_some_and(|slip| slip.bias <= 1.0);
        let (front, rear) = (is_locked(&self.front), is_locked(&self.rear));
        let axles_are = front == self.front.is_some() && rear == self.rear.is_some();
        let center_is = self.center.is_none() || is_locked(&self.center) && front && rear;
        let acts_at_once = self.min_speed == 0.0 && self.rate != Some(0.0);
        if self.is_open() || !axles_are || !center_is || !acts_at_once {
            return None;
        }
        if self.center.is_some() {
            return Some(one_group(1.0, 1.0, 1.0));
        }
        let locked = |number: u8, is_locked: bool| group(number, is_locked.then_some(1.0));
        let ([first, second], [third, fourth]) = (locked(0, front), locked(1, rear));
        Some([first, second, third, fourth])
    }

    /// Checks the ratios, the rate and the speed.
    pub(super) fn check(&self, check: &mut ParamCheck) {
        let slips = [("center", &self.center), ("front", &self.front), ("rear", &self.rear)];
        for (name, slip) in slips {
            check.field(name, |inner| slip.iter().for_each(|slip| slip.check(inner)));
        }
        check.number("rate", self.rate.unwrap_or_default(), Bound::NotNegative);
        check.number("min_speed", self.min_speed, Bound::NotNegative);
    }
}

/// Which speeds are compared with the biases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestedSpeeds {
    /// Speeds at the start of a frame, whose groups hold during the frame, as in the reference. A
    /// ratio beyond its bias returns at the rate; on split friction it may be far beyond at times.
    StartOfFrame,
    /// Speeds that a solution without groups would end with. The groups of a second solution bring
    /// these ratios at least back to the bias within the step. Wheels that turn against each other,
    /// and one that stands beside one that turns, are beyond any bias: a car whose wheel spins on
    /// ice pulls away with the other.
    Solved,
}

/// Which of the wheels [front, rear] are forced to turn together, given their `speeds` (rad/s).
///
/// ```text
/// q = max(|ω_a|, |ω_b|) / min(|ω_a|, |ω_b|)
/// T = max(target, q - rate dt)              and at most the bias for solved speeds
/// ω_b / ω_a = 1/T if |ω_a| > |ω_b|, else T   where q > bias
/// ```
///
/// `a` and `b` are the wheels of an axle that turn the same way, or the two axles (each the sum of
/// its wheels) if all four do. If the axles differ too much, all wheels are one group, in which an
/// axle within its own bias keeps the ratio of its wheels. Otherwise each axle beyond its bias is a
/// group. The first wheel of a group has the multiplier 1.
///
/// At the start of a frame, wheels that stand or turn against each other have no ratio; see
/// [`TestedSpeeds`].
///
/// Differs from the reference, which stops the second wheel of an axle without a bias when the
/// center acts.
pub fn limited_slip_groups(
    slips: &LimitedSlips,
    speeds: [Real; 4],
    tested: TestedSpeeds,
    dt: Real,
) -> [Option<WheelConstraint>; 4] {
    if slips.allow(speeds) {
        return [None; 4];
    }
    let pair =
        |first: &[Real], second: &[Real]| SpeedPair::new(first, second, tested, slips.min_speed);
    let forced = |pair: Option<SpeedPair>, slip: Option<LimitedSlipParams>| {
        forced_ratio(slips.rate, &pair?, &slip?, tested, dt)
    };
    let [first, second, third, fourth] = speeds;
    let (front, rear) = (pair(&[first], &[second]), pair(&[third], &[fourth]));
    let (of_front, of_rear) = (forced(front, slips.front), forced(rear, slips.rear));
    // An axle whose wheels turn against each other has no ratio to keep.
    let is_one = |pair: Option<SpeedPair>, forced: Option<Real>| {
        forced.is_some() || pair.is_none_or(|pair| !pair.is_opposed)
    };
    let axles = pair(&[first, second], &[third, fourth])
        .filter(|_| is_one(front, of_front) && is_one(rear, of_rear));
    let Some(of_axles) = forced(axles, slips.center) else {
        let ([first, second], [third, fourth]) = (group(0, of_front), group(1, of_rear));
        return [first, second, third, fourth];
    };
    let actual = |pair: Option<SpeedPair>| pair.map_or(1.0, |pair| pair.ratio());
    let of_front = of_front.unwrap_or_else(|| actual(front));
    let of_rear = of_rear.unwrap_or_else(|| actual(rear));
    one_group(of_front, of_rear, of_axles)
}

/// The second over the first speed to which `pair` is forced, if it is beyond the bias.
#[inline]
fn forced_ratio(
    rate: Option<Real>,
    pair: &SpeedPair,
    slip: &LimitedSlipParams,
    tested: TestedSpeeds,
    dt: Real,
) -> Option<Real> {
    let bias = pair.bias();
    if bias <= slip.bias {
        return None;
    }
    let restored = rate.map_or(slip.target, |rate| slip.target.max(bias - rate * dt));
    let forced = match tested {
        TestedSpeeds::StartOfFrame => restored,
        TestedSpeeds::Solved => restored.min(slip.bias),
    };
    Some(if pair.second < pair.first { 1.0 / forced } else { forced })
}

fn member(group: u8, speed_multiplier: Real) -> Option<WheelConstraint> {
    Some(WheelConstraint { group, speed_multiplier })
}

/// All wheels, at the ratios of the second to the first wheel of each axle, and of the rear to the
/// front axle.
///
/// ```text
/// 1,  φ,  A (1 + φ) / (1 + ψ),  ψ A (1 + φ) / (1 + ψ)
/// ```
fn one_group(front: Real, rear: Real, axles: Real) -> [Option<WheelConstraint>; 4] {
    let third = axles * (1.0 + front) / (1.0 + rear);
    [1.0, front, third, rear * third].map(|multiplier| member(0, multiplier))
}

/// Two wheels at a ratio of their speeds.
fn group(group: u8, ratio: Option<Real>) -> [Option<WheelConstraint>; 2] {
    ratio.map_or([None; 2], |ratio| [member(group, 1.0), member(group, ratio)])
}

/// Speeds of two wheels or axles, without sign and not both 0 (rad/s).
#[derive(Clone, Copy, Debug)]
struct SpeedPair {
    first: Real,
    second: Real,
    /// Whether the wheels turn against each other.
    is_opposed: bool,
}

impl SpeedPair {
    /// The sums of the wheels' speeds, if they can be compared.
    #[inline]
    fn new(first: &[Real], second: &[Real], tested: TestedSpeeds, min_speed: Real) -> Option<Self> {
        let sum = |speeds: &[Real]| speeds.iter().fold(0.0, |sum, speed| sum + speed);
        let pair = Self::of_sums(sum(first), sum(second));
        let mut speeds = first.iter().chain(second);
        let is_comparable = match tested {
            TestedSpeeds::StartOfFrame => {
                let direction = sign(*first.first()?);
                direction != 0.0
                    && speeds.all(|&speed| sign(speed) == direction && min_speed <= speed.abs())
            }
            TestedSpeeds::Solved => {
                let fastest = pair.first.max(pair.second);
                0.0 < fastest && speeds.any(|speed| min_speed <= speed.abs())
            }
        };
        is_comparable.then_some(pair)
    }

    #[inline]
    fn of_sums(first: Real, second: Real) -> Self {
        Self { first: first.abs(), second: second.abs(), is_opposed: first * second < 0.0 }
    }

    /// The second over the first.
    fn ratio(&self) -> Real {
        (self.second / self.first).clamped(1.0 / MAX_SPEED_RATIO, MAX_SPEED_RATIO)
    }

    /// Whether the faster is at most `bias` times the slower, and turns the same way.
    #[inline]
    fn is_within(&self, bias: Real) -> bool {
        !self.is_opposed && self.first.max(self.second) <= bias * self.first.min(self.second)
    }

    /// The faster over the slower.
    #[inline]
    fn bias(&self) -> Real {
        if self.is_opposed {
            return MAX_SPEED_RATIO;
        }
        (self.first.max(self.second) / self.first.min(self.second)).min(MAX_SPEED_RATIO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    /// The reference's car of its tests.
    fn differential() -> LimitedSlips {
        let slip = Some(LimitedSlipParams { bias: 1.3, target: 1.29 });
        LimitedSlips { center: slip, front: slip, rear: slip, rate: Some(10.0), min_speed: 0.0 }
    }

    fn open_center(slip: LimitedSlipParams) -> LimitedSlips {
        LimitedSlips { front: Some(slip), rear: Some(slip), ..LimitedSlips::default() }
    }

    /// Group and multiplier of each wheel, after a frame of 1/60 s.
    fn groups(
        slips: &LimitedSlips,
        speeds: [Real; 4],
        tested: TestedSpeeds,
    ) -> [Option<(u8, Real)>; 4] {
        limited_slip_groups(slips, speeds, tested, 1.0 / 60.0)
            .map(|wheel| wheel.map(|wheel| (wheel.group, wheel.speed_multiplier)))
    }

    fn assert_groups(
        slips: &LimitedSlips,
        speeds: [Real; 4],
        tested: TestedSpeeds,
        expected: [Option<(u8, Real)>; 4],
    ) {
        let actual = groups(slips, speeds, tested);
        let is_close = actual.iter().zip(&expected).all(|pair| match pair {
            (Some((group, actual)), Some((wanted, expected))) => {
                group == wanted && (actual - expected).abs() < 1e-6
            }
            (actual, expected) => actual == expected,
        });
        assert!(is_close, "{speeds:?}: {actual:?}, not {expected:?}");
    }

    #[test]
    fn groups_are_the_references() {
        let frame = TestedSpeeds::StartOfFrame;
        let all = |multipliers: [Real; 4]| multipliers.map(|multiplier| Some((0, multiplier)));
        let front = [Some((0, 1.0)), Some((0, 1.433_333_4)), None, None];
        assert_groups(&differential(), [5.0, 8.0, 6.0, 6.5], frame, front);
        let center = all([1.0, 1.1, 1.435_294_2, 1.614_705_9]);
        assert_groups(&differential(), [5.0, 5.5, 8.0, 9.0], frame, center);
        let both = all([1.0, 1.433_333_4, 1.985_819_1, 1.539_394_7]);
        assert_groups(&differential(), [5.0, 8.0, 12.0, 9.0], frame, both);
    }

    #[test]
    fn each_axle_beyond_its_bias_is_a_group() {
        let params = open_center(LimitedSlipParams { bias: 1.5, target: 1.25 });
        let frame = TestedSpeeds::StartOfFrame;
        let both = [Some((0, 1.0)), Some((0, 0.8)), Some((1, 1.0)), Some((1, 1.25))];
        assert_groups(&params, [-8.0, -4.0, 3.0, 6.0], frame, both);
        assert_groups(&params, [6.0, 4.0, 4.0, 6.0], frame, [None; 4]);
        // Opposite and standing wheels have no ratio.
        assert_groups(&params, [8.0, -4.0, 0.0, 6.0], frame, [None; 4]);
    }

    #[test]
    fn locked_axle_turns_as_one() {
        let params = open_center(LimitedSlipParams::LOCKED);
        let front = [Some((0, 1.0)), Some((0, 1.0)), None, None];
        assert_groups(&params, [4.0, 4.1, 5.0, 5.0], TestedSpeeds::StartOfFrame, front);
    }

    #[test]
    fn locked_wheels_turn_alike_whatever_their_speeds() {
        let lock = Some(LimitedSlipParams::LOCKED);
        let rear = LimitedSlips { rear: lock, ..LimitedSlips::default() };
        let axles = LimitedSlips { front: lock, ..rear };
        let all = LimitedSlips { center: lock, ..axles };
        for slips in [rear, axles, all] {
            let solved =
                limited_slip_groups(&slips, [5.0, 6.0, 9.0, -7.0], TestedSpeeds::Solved, 0.01);
            assert_eq!(slips.locked_groups(), Some(solved), "{slips:?}");
        }
    }

    #[test]
    fn groups_depend_on_speeds_where_not_all_is_locked() {
        let lock = Some(LimitedSlipParams::LOCKED);
        let center = LimitedSlips { center: lock, ..LimitedSlips::default() };
        let rear = LimitedSlips { rear: lock, ..LimitedSlips::default() };
        let beside = LimitedSlips { front: differential().front, ..rear };
        let slow = LimitedSlips { min_speed: 1.0, ..rear };
        let never = LimitedSlips { rate: Some(0.0), ..rear };
        for slips in [LimitedSlips::default(), differential(), center, beside, slow, never] {
            assert_eq!(slips.locked_groups(), None, "{slips:?}");
        }
    }

    #[test]
    fn axle_without_bias_keeps_its_ratio_when_the_center_acts() {
        let mut params = differential();
        params.front = None;
        // T = max(1.29, 24/13 - 10/60), and the rear is within its bias: 1.2.
        let axles = 24.0 / 13.0 - 10.0 / 60.0;
        let third = axles * 2.6 / 2.2;
        let expected = [1.0, 1.6, third, 1.2 * third].map(|multiplier| Some((0, multiplier)));
        let speeds = [5.0, 8.0, 24.0 / 2.2, 1.2 * 24.0 / 2.2];
        assert_groups(&params, speeds, TestedSpeeds::StartOfFrame, expected);
    }

    #[test]
    fn solved_speeds_never_end_beyond_the_bias() {
        let speeds = [5.0, 20.0, 6.0, 6.5];
        let mut params = differential();
        params.center = None;
        let front = |ratio| [Some((0, 1.0)), Some((0, ratio)), None, None];
        let at_start = 4.0 - 10.0 / 60.0;
        assert_groups(&params, speeds, TestedSpeeds::StartOfFrame, front(at_start));
        assert_groups(&params, speeds, TestedSpeeds::Solved, front(1.3));
        let swapped = [20.0, 5.0, 6.0, 6.5];
        assert_groups(&params, swapped, TestedSpeeds::Solved, front(1.0 / 1.3));
    }

    #[test]
    fn solved_wheel_that_stands_is_helped_by_one_that_spins() {
        let params = open_center(LimitedSlipParams { bias: 1.5, target: 1.25 });
        let both = [Some((0, 1.0)), Some((0, 0.8)), Some((1, 1.0)), Some((1, 1.25))];
        assert_groups(&params, [8.0, 0.0, -0.1, 6.0], TestedSpeeds::Solved, both);
        assert_groups(&params, [0.0; 4], TestedSpeeds::Solved, [None; 4]);
        assert_groups(&params, [8.0, 0.0, -0.1, 6.0], TestedSpeeds::StartOfFrame, [None; 4]);
    }

    #[test]
    fn solved_axles_that_turn_against_each_other_are_brought_together() {
        let slip = Some(LimitedSlipParams { bias: 1.5, target: 1.25 });
        let center = LimitedSlips { center: slip, ..LimitedSlips::default() };
        let speeds = [8.0, 8.0, -1.0, -2.0];
        let third = 0.8 * 2.0 / 3.0;
        let expected = [1.0, 1.0, third, 2.0 * third].map(|multiplier| Some((0, multiplier)));
        assert_groups(&center, speeds, TestedSpeeds::Solved, expected);
        // Nothing can be said of an axle whose own wheels turn against each other.
        assert_groups(&center, [8.0, -3.0, 1.0, 1.0], TestedSpeeds::Solved, [None; 4]);
    }

    #[test]
    fn slow_wheels_take_no_part() {
        let mut params = open_center(LimitedSlipParams { bias: 1.5, target: 1.5 });
        params.min_speed = 1.0;
        let rear = [None, None, Some((1, 1.0)), Some((1, 1.5))];
        assert_groups(&params, [0.5, 8.0, 1.0, 8.0], TestedSpeeds::StartOfFrame, rear);
    }

    #[test]
    fn nothing_is_forced_without_a_rate_or_a_limit() {
        let speeds = [5.0, 8.0, 12.0, 9.0];
        let still = LimitedSlips { rate: Some(0.0), ..differential() };
        let open = LimitedSlips::default();
        for params in [still, open] {
            assert_groups(&params, speeds, TestedSpeeds::StartOfFrame, [None; 4]);
        }
    }

    #[test]
    fn multipliers_stay_finite_whatever_the_speeds() {
        let tiny = Real::MIN_POSITIVE;
        let mut open_axles = differential();
        (open_axles.front, open_axles.rear) = (None, None);
        for params in [differential(), open_axles] {
            for speeds in [[tiny, 1e9, 1.0, 1.0], [1e9, tiny, tiny, tiny], [tiny, tiny, 1e9, 1e9]] {
                let groups = groups(&params, speeds, TestedSpeeds::StartOfFrame);
                let mut members = groups.iter().flatten();
                assert!(members.all(|(_, multiplier)| multiplier.is_normal()), "{groups:?}");
            }
        }
    }
}
