//! Modes that change one at a time, from a system that is solved to the one that is asked for.
//!
//! Every element that is not smooth gets a private point on its law, in the part of its mode. These
//! points do not fit together: the shafts would need torques from outside. Towards the solution of
//! a pass these torques fall in proportion to the way that is left. Where a point comes to the end
//! of its part of the law, that element alone changes its mode, and a pass finds the way on. All
//! laws are monotone, so the way never turns back, and it ends at the solution.

use super::element::Element;
use super::mode::{Compared, Mode, Side};
use super::pass::System;
use super::solution::DrivelineSolution;

/// Passes per element, and for any driveline.
const PASSES: (usize, usize) = (8, 100);

/// Changes `modes` one at a time until they agree with the solution that they lead to.
/// Returns whether they do.
pub(super) fn follow(
    system: &System<'_>,
    modes: &mut [Mode],
    solution: &mut DrivelineSolution,
) -> bool {
    system.pass(modes, solution);
    start(system, modes, solution);
    let (per_element, base) = PASSES;
    for _ in 0..base + per_element * modes.len() {
        let (way, blocking) = reach(system, modes, solution);
        let Some((blocked, next)) = blocking else {
            return true;
        };
        for (index, element) in system.elements.iter().enumerate() {
            if element.has_modes() {
                let target = system.compared(index, solution);
                let private = &mut solution.private[index];
                for (from, to) in private.iter_mut().zip(target) {
                    *from += way * (to - *from);
                }
            }
        }
        modes[blocked] = next;
        system.pass(modes, solution);
    }
    false
}

/// How far all points can go towards the last pass, as a part of the way, and which element is in
/// the way there, with its next mode.
fn reach(
    system: &System<'_>,
    modes: &[Mode],
    solution: &DrivelineSolution,
) -> (f64, Option<(usize, Mode)>) {
    let floors = solution.floors();
    let (mut way, mut blocking) = (f64::INFINITY, None);
    for (index, element) in system.elements.iter().enumerate() {
        if !element.has_modes() {
            continue;
        }
        let mode = modes[index];
        let ends = element.slacks(mode, &system.compared(index, solution));
        let starts = element.slacks(mode, &solution.private[index]);
        for (from, to) in starts.iter().zip(&ends) {
            if to.is_violated(floors) {
                let left = from.value.max(0.0);
                let until = left / (left - to.value);
                if until < way {
                    (way, blocking) = (until, Some((index, to.next)));
                }
            }
        }
    }
    (way, blocking)
}

/// Puts the points inside the parts of their modes, near the last pass.
fn start(system: &System<'_>, modes: &[Mode], solution: &mut DrivelineSolution) {
    let largest = |numbers: &[f64]| numbers.iter().fold(1e-3, |most: f64, x| most.max(x.abs()));
    let sizes = Sizes {
        torque: largest(&solution.torques),
        speed: largest(&solution.speeds).max(largest(system.start)),
        margin: 0.0,
    };
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for (index, element) in system.elements.iter().enumerate() {
        // A linear congruential generator: two points shall not meet their limits together.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let margin = 0.05 + 0.1 * (random >> 40) as f64 / (1_u64 << 24) as f64;
        let compared = system.compared(index, solution);
        let inside = element.inside(modes[index], compared, Sizes { margin, ..sizes });
        solution.private[index] = inside;
    }
}

/// Sizes of torques (N·m) and speeds (rad/s), and the part of them that is kept from a limit.
#[derive(Clone, Copy)]
struct Sizes {
    torque: f64,
    speed: f64,
    margin: f64,
}

impl Sizes {
    /// `value` where that is well between both limits, else the next that is.
    fn between(self, value: f64, low: f64, high: f64, size: f64) -> f64 {
        let step = if low.is_finite() && high.is_finite() { high - low } else { size };
        let value = if high.is_finite() { value.min(high - self.margin * step) } else { value };
        if low.is_finite() { value.max(low + self.margin * step) } else { value }
    }

    /// `value` where that is well above 0 times `sign`, else the next that is.
    fn beyond(self, value: f64, sign: f64, size: f64) -> f64 {
        sign * (sign * value).max(self.margin * size)
    }
}

impl Element {
    /// A point on the part of the law that is of `mode`, near what is `compared`.
    fn inside(&self, mode: Mode, compared: Compared, sizes: Sizes) -> Compared {
        let is_within = mode.side == Side::Within;
        let sign = if mode.side == Side::Below { -1.0 } else { 1.0 };
        let limit = |low: f64, high: f64| if mode.side == Side::Below { low } else { high };
        match self {
            Self::Tire(tire) => {
                let most = tire.max_torque;
                let torque = if is_within {
                    sizes.between(compared[0], -most, most, sizes.torque)
                } else {
                    sign * most
                        + sizes.beyond(compared[0] - sign * most, sign, most.max(sizes.torque))
                };
                [torque, 0.0, 0.0, 0.0]
            }
            Self::Brake(brake) if is_within => {
                let torque = sizes.between(compared[0], brake.low, brake.high, sizes.torque);
                [torque, super::CREEP * torque, 0.0, 0.0]
            }
            Self::Brake(brake) => {
                let torque = limit(brake.low, brake.high);
                let creep = super::CREEP * torque;
                let above = creep + sizes.beyond(compared[1] - creep, sign, sizes.speed);
                [torque, above, 0.0, 0.0]
            }
            Self::SpeedRange(range) if is_within => {
                [0.0, sizes.between(compared[1], range.low, range.high, sizes.speed), 0.0, 0.0]
            }
            Self::SpeedRange(range) => {
                let torque = sizes.beyond(compared[0], sign, sizes.torque);
                [torque, limit(range.low, range.high) + super::CREEP * torque, 0.0, 0.0]
            }
            Self::Friction(friction) if is_within => {
                let (low, high) = (friction.low, friction.high);
                [sizes.between(compared[0], low, high, sizes.torque), 0.0, sizes.speed, 0.0]
            }
            Self::CapacityConverter(converter) if is_within => {
                let most = converter.lock_up;
                [sizes.between(compared[0], -most, most, sizes.torque), 0.0, sizes.speed, 0.0]
            }
            Self::CapacityConverter(_) => {
                let slip = sizes.beyond(compared[1], sign, sizes.speed);
                [compared[0], slip, sizes.speed, 0.0]
            }
            Self::Friction(friction) => {
                let slip = sizes.beyond(compared[1], sign, sizes.speed);
                let torque = limit(friction.low, friction.high) + friction.strength * slip;
                [torque, slip, sizes.speed, 0.0]
            }
            Self::Ratio(ratio) => {
                let torque_sign = mode.torque.value();
                let input = sizes.beyond(compared[0], torque_sign, sizes.torque);
                if is_within {
                    return [input, input, 0.0, 0.0];
                }
                let is_driving = sign == torque_sign;
                let efficiency = if is_driving { ratio.efficiency } else { 1.0 / ratio.efficiency };
                let speed = sizes.beyond(compared[2], sign, sizes.speed);
                [input, input * efficiency, speed, 0.0]
            }
            Self::Differential(differential) => {
                let torque_sign = mode.torque.value();
                let passed = if differential.is_biased() {
                    sizes.beyond(compared[0], torque_sign, sizes.torque)
                } else {
                    compared[0]
                };
                let bias = differential.bias_at(mode.torque);
                let capacity = differential.preload + bias * passed.abs();
                if is_within {
                    let between = sizes.between(compared[1], -capacity, capacity, sizes.torque);
                    return [passed, between, 0.0, sizes.speed];
                }
                let slip = sizes.beyond(compared[2], sign, sizes.speed);
                [passed, sign * capacity, slip, sizes.speed]
            }
            _ => compared,
        }
    }
}
