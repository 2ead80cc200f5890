//! Wheels of a differential whose friction passes torque from the faster to the slower.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::joined::{Member, Motion, start_speed, torque_at_rest, turned_as_one};
use super::side_by_side::{ClutchFours, CoupledFours};
use super::{ClutchSystem, ClutchWheel};
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
    brakes: [f64; 2],
    /// G r of each wheel (dimensionless).
    torque_ratios: [f64; 2],
    /// G α g of each wheel (dimensionless).
    speed_ratios: [f64; 2],
    preload: f64,
    torque_share: f64,
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
        for coupler in &system.couplers {
            let [Some(first), Some(second)] = coupler.wheels_in(&system.wheels) else { continue };
            let wheels = [first, second];
            let member = |index: usize| Member::new(coupler.wheels[index], &wheels[index], per_dt);
            self.pairs.push(Pair {
                members: [member(0), member(1)],
                brakes: wheels.map(|wheel| f64::from(wheel.torques.brake)),
                torque_ratios: wheels.map(|wheel| gear_ratio * f64::from(wheel.torque_ratio)),
                speed_ratios: wheels
                    .map(|wheel| gear_ratio * f64::from(wheel.signed_speed_ratio())),
                preload: f64::from(coupler.preload),
                torque_share: f64::from(coupler.torque_share),
            });
        }
    }

    /// Sums over the pairs under the torque `clutch`: rotation speed at the clutch, how fast it
    /// falls with the torque, and the speed without signs.
    #[inline]
    pub(super) fn at_clutch(&self, clutch: f64) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for pair in &self.pairs {
            let PairMotion { speeds, rates } = pair.turned(clutch);
            let at_clutch = |values: [f64; 2]| {
                pair.speed_ratios[0] * values[0] + pair.speed_ratios[1] * values[1]
            };
            let sizes = [0, 1].map(|index| (pair.speed_ratios[index] * speeds[index]).abs());
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
    /// Its wheels, if they are among `wheels`, each of them on its own.
    fn wheels_in<const FOURS: usize>(
        &self,
        wheels: &ClutchFours<FOURS>,
    ) -> [Option<ClutchWheel>; 2] {
        let [first, second] = self.wheels;
        let single = |place: usize| wheels.get(place).filter(|wheel| wheel.group().is_none());
        if first == second { [None; 2] } else { [single(first), single(second)] }
    }

    /// Whether its wheels are among `wheels`, each of them on its own.
    pub(super) fn acts_in<const FOURS: usize>(&self, wheels: &ClutchFours<FOURS>) -> bool {
        self.wheels_in(wheels).iter().all(Option::is_some)
    }
}

impl Pair {
    /// The wheels under the torque `clutch`: as the faster one, the one that turns faster although
    /// it passes on what friction allows; else together.
    fn turned(&self, clutch: f64) -> PairMotion {
        let ratio = self.torque_ratios[0] + self.torque_ratios[1];
        let friction = self.preload + self.torque_share * (ratio * clutch).abs();
        let rate = self.torque_share * ratio.abs() * 1.0_f64.copysign(clutch);
        for direction in [1.0, -1.0] {
            let slipping = self.slipping(clutch, direction * friction, direction * rate);
            if 0.0 <= direction * (slipping.speeds[0] - slipping.speeds[1]) {
                return slipping;
            }
        }
        let brake = self.brakes[0] + self.brakes[1];
        let start = start_speed(&self.members);
        let torques = (torque_at_rest(&self.members), -ratio * clutch);
        let Motion { speed, mobility } = turned_as_one(&self.members, start, brake, torques);
        PairMotion { speeds: [speed; 2], rates: [-ratio * mobility; 2] }
    }

    /// The wheels under the torque `clutch` where the first passes on the torque `passed` (N·m),
    /// which rises with that of the clutch by `rate` (dimensionless).
    fn slipping(&self, clutch: f64, passed: f64, rate: f64) -> PairMotion {
        let motion = |index: usize, passed: f64, rate: f64| {
            let ratio = self.torque_ratios[index];
            let drive = -ratio * clutch - passed;
            let Motion { speed, mobility } = self.members[index].turned(self.brakes[index], drive);
            (speed, -(ratio + rate) * mobility)
        };
        let (first, second) = (motion(0, passed, rate), motion(1, -passed, -rate));
        PairMotion { speeds: [first.0, second.0], rates: [first.1, second.1] }
    }
}
