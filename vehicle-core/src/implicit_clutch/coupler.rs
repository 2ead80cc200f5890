//! Wheels of a differential whose friction passes torque from the faster to the slower.

use std::cell::Cell;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::ClutchSystem;
use super::joined::{Member, Motion, Shaft, added};
use super::side_by_side::{ClutchFours, CoupledFours};
use crate::math::Real;

/// Most couplers of a system.
pub const MAX_COUPLERS: usize = 4;

/// Friction between two wheels: a differential that biases torque, or one with a multi-plate
/// clutch.
///
/// ```text
/// |T_l| ≤ T_0 + c |T'|
/// ```
///
/// with the torque `T_l` that goes from the first wheel to the second, beside their shares, and the
/// sum `T'` of their shares of the clutch's torque, at the wheels. As long as that suffices, the
/// wheels turn alike; else the faster one passes on as much as friction allows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrictionCoupler {
    /// The wheels, as places in the list of the system. One that turns with others takes no part.
    pub wheels: [usize; 2],
    /// Friction without a load, T_0 (N·m).
    pub preload: Real,
    /// Friction per torque, c (dimensionless), at most the smaller of the wheels' shares of `T'`:
    /// with more, a wheel would be turned backward by a torque forward.
    pub torque_share: Real,
}

/// The couplers of a system, each wheel in one of them at most.
pub type FrictionCouplers = ArrayVec<FrictionCoupler, MAX_COUPLERS>;

/// Pairs of wheels with friction between them.
pub(super) struct Pairs {
    pairs: ArrayVec<Pair, MAX_COUPLERS>,
}

struct Pair {
    members: [Member; 2],
    /// Mobilities of each wheel on its own.
    mobilities: [[f64; 2]; 2],
    /// The shaft that they share where they turn alike.
    shaft: Shaft,
    preload: f64,
    torque_share: f64,
    /// The torque of the clutch at the last look (N·m), and how they turn there.
    last: Cell<Option<(f64, PairMotion)>>,
}

/// Two wheels under the torque of the clutch.
#[derive(Clone, Copy)]
struct PairMotion {
    speeds: [f64; 2],
    /// How fast the speeds rise with the torque of the clutch (rad/s per N·m).
    rates: [f64; 2],
}

impl Pairs {
    /// No pairs.
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self { pairs: ArrayVec::new() }
    }

    /// Adds the pairs of `system`; `per_dt` is 1/dt (1/s).
    pub(super) fn add<const FOURS: usize>(
        &mut self,
        system: &ClutchSystem<ClutchFours<FOURS>>,
        per_dt: f64,
    ) {
        let gear_ratio = f64::from(system.gear_ratio);
        for coupler in system.couplers.iter().filter(|coupler| coupler.acts_in(&system.wheels)) {
            let [first, second] = coupler.wheels;
            let member = |number: usize| {
                let wheel = system.wheels.get(number)?;
                Some(Member::new(number, &wheel, gear_ratio, per_dt))
            };
            let (Some(first), Some(second)) = (member(first), member(second)) else { continue };
            let members = [first, second];
            self.pairs.push(Pair {
                shaft: Shaft::new(&members, 0),
                mobilities: [members[0].mobilities(), members[1].mobilities()],
                members,
                preload: f64::from(coupler.preload),
                torque_share: f64::from(coupler.torque_share),
                last: Cell::new(None),
            });
        }
    }

    /// Sums over the pairs of the rotation speed at an open clutch, and of how fast it falls with
    /// the torque of the clutch. They hold if wheels turn alike and all grips and slides that does
    /// at the start.
    #[inline]
    pub(super) fn at_open_clutch(&self) -> [f64; 2] {
        self.pairs.iter().map(|pair| pair.shaft.at_open_clutch()).fold([0.0; 2], added)
    }

    /// Sums over the pairs under the torque `clutch`: rotation speed at the clutch, how fast it
    /// falls with the torque, and the speed without signs.
    #[inline]
    pub(super) fn at_clutch(&self, clutch: f64) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for pair in &self.pairs {
            let PairMotion { speeds, rates } = pair.turned(clutch);
            let ratios = [0, 1].map(|index| pair.members[index].speed_ratio);
            let at_clutch = |values: [f64; 2]| ratios[0] * values[0] + ratios[1] * values[1];
            let sizes = [0, 1].map(|index| (ratios[index] * speeds[index]).abs());
            // Shares of opposite signs would make a machine that drives itself.
            let response = (-at_clutch(rates)).max(0.0);
            sums = [sums[0] + at_clutch(speeds), sums[1] + response, sums[2] + sizes[0] + sizes[1]];
        }
        sums
    }

    /// Overwrites what those of `wheels` do that are in a pair, under the torque `clutch`.
    #[inline]
    pub(super) fn write<const FOURS: usize>(&self, clutch: f64, wheels: &mut CoupledFours<FOURS>) {
        for pair in &self.pairs {
            let motion = pair.turned(clutch);
            for (member, speed) in pair.members.iter().zip(motion.speeds) {
                member.write(speed, wheels);
            }
        }
    }
}

impl FrictionCoupler {
    /// Whether its wheels are among `wheels`, each of them on its own.
    pub(super) fn acts_in<const FOURS: usize>(&self, wheels: &ClutchFours<FOURS>) -> bool {
        let [first, second] = self.wheels;
        let is_single =
            |place: usize| place < wheels.wheel_count && wheels.group_of(place).is_none();
        first != second && is_single(first) && is_single(second)
    }
}

impl Pair {
    /// The wheels under the torque `clutch`, by the last look at them where that was under it.
    fn turned(&self, clutch: f64) -> PairMotion {
        if let Some((_, motion)) = self.last.get().filter(|(last, _)| *last == clutch) {
            return motion;
        }
        let motion = self.found(clutch);
        self.last.set(Some((clutch, motion)));
        motion
    }

    /// The wheels under the torque `clutch`: as the faster one, the one that turns faster although
    /// it passes on what friction allows; else together.
    fn found(&self, clutch: f64) -> PairMotion {
        let ratio = self.shaft.torque_ratio;
        let friction = self.preload + self.torque_share * (ratio * clutch).abs();
        let rate = self.torque_share * ratio.abs() * 1.0_f64.copysign(clutch);
        for direction in [1.0, -1.0] {
            let slipping = self.slipping(clutch, direction * friction, direction * rate);
            if 0.0 <= direction * (slipping.speeds[0] - slipping.speeds[1]) {
                return slipping;
            }
        }
        let Motion { speed, mobility } = self.shaft.turned(&self.members, clutch);
        PairMotion { speeds: [speed; 2], rates: [-ratio * mobility; 2] }
    }

    /// The wheels under the torque `clutch` where the first passes on the torque `passed` (N·m),
    /// which rises with that of the clutch by `rate` (dimensionless).
    fn slipping(&self, clutch: f64, passed: f64, rate: f64) -> PairMotion {
        let motion = |index: usize, passed: f64, rate: f64| {
            let member = &self.members[index];
            let ratio = member.torque_ratio;
            let drive = -ratio * clutch - passed;
            let Motion { speed, mobility } = member.turned(self.mobilities[index], drive);
            (speed, -(ratio + rate) * mobility)
        };
        let (first, second) = (motion(0, passed, rate), motion(1, -passed, -rate));
        PairMotion { speeds: [first.0, second.0], rates: [first.1, second.1] }
    }
}
