//! Wheels as the clutch turns them, four in lanes, in 64 bits.

use std::array::from_fn;

use arrayvec::ArrayVec;
use wide::f64x4;

use super::{ClutchSystem, ClutchWheel};
use crate::math::Real;
use crate::math::lanes::MAX_LANES;
use crate::per_wheel::{MAX_WHEELS, WheelRefs};
use crate::wheel_rotation::CoupledWheel;

/// Most fours of wheels.
const MAX_FOURS: usize = MAX_WHEELS / MAX_LANES;

/// A list with one element per four wheels.
pub(super) type Fours<T> = ArrayVec<T, MAX_FOURS>;

/// Four wheels of a system.
pub(super) struct FourWheels {
    /// Speed at the start of the step (rad/s).
    rotation_speed: f64x4,
    /// Speed per speed of the wheels that this one turns with (dimensionless).
    multiplier: f64x4,
    /// I/dt (N·m·s).
    per_time: f64x4,
    damping_rate: f64x4,
    drive: f64x4,
    brake: f64x4,
    tire: Tires,
    /// Largest torque of each tire (N·m).
    max_tire_torque: f64x4,
    /// G r (dimensionless).
    torque_ratio: f64x4,
    /// G α g (dimensionless).
    speed_ratio: f64x4,
}

/// The torques of tires as they stand in the equations.
#[derive(Clone, Copy)]
struct Tires {
    torque: f64x4,
    resistance: f64x4,
}

impl FourWheels {
    /// A few of the wheels that turn `gear_ratio` times slower than the clutch (dimensionless), the last
    /// one again in lanes that are left over, without a share; `per_dt` is 1/dt (1/s).
    #[inline]
    pub(super) fn new(wheels: &[ClutchWheel], gear_ratio: f64, per_dt: f64) -> Self {
        let last = wheels.len() - 1;
        let wheel = |lane: usize| &wheels[lane.min(last)];
        let four = match wheels {
            [first, second, third, fourth] => [first, second, third, fourth],
            _ => [wheel(0), wheel(1), wheel(2), wheel(3)],
        };
        let ratio = |lane: usize| if lane <= last { gear_ratio } else { 0.0 };
        let gear_ratio = f64x4::new([ratio(0), ratio(1), ratio(2), ratio(3)]);
        Self {
            rotation_speed: lanes(four, |wheel| wheel.rotation_speed),
            multiplier: lanes(four, ClutchWheel::speed_multiplier),
            per_time: lanes(four, |wheel| wheel.inertia) * f64x4::splat(per_dt),
            damping_rate: lanes(four, |wheel| wheel.damping_rate),
            drive: lanes(four, |wheel| wheel.torques.drive),
            brake: lanes(four, |wheel| wheel.torques.brake),
            tire: Tires {
                torque: lanes(four, |wheel| wheel.tire.torque),
                resistance: lanes(four, |wheel| wheel.tire.resistance),
            },
            max_tire_torque: lanes(four, |wheel| wheel.tire.max_torque),
            torque_ratio: gear_ratio * lanes(four, |wheel| wheel.torque_ratio),
            speed_ratio: gear_ratio * lanes(four, ClutchWheel::signed_speed_ratio),
        }
    }

    /// Adds what the wheels do under the torque `clutch` to `wheels`, of which there are `count` in
    /// all.
    #[inline]
    pub(super) fn write<const WHEELS: usize>(
        &self,
        shafts: &FourShafts,
        clutch: f64,
        count: usize,
        wheels: &mut WheelRefs<CoupledWheel, WHEELS>,
    ) {
        let (speeds, torques) = self.turned(shafts, clutch);
        let (speeds, torques) = (speeds.to_array(), torques.to_array());
        for lane in 0..MAX_LANES.min(count - wheels.len()) {
            wheels.push(CoupledWheel {
                rotation_speed: speeds[lane] as Real,
                tire_torque: torques[lane] as Real,
            });
        }
    }

    /// Holds the torque of tires at the limit of friction where it exceeds that under the torque
    /// `clutch`; whether any did.
    #[inline]
    pub(super) fn saturate(&mut self, shafts: &FourShafts, clutch: f64) -> bool {
        let (_, torque) = self.turned(shafts, clutch);
        let is_sliding = self.max_tire_torque.simd_lt(torque.abs());
        if !is_sliding.any() {
            return false;
        }
        let limit = with_sign(self.max_tire_torque, torque);
        self.tire.torque = is_sliding.bitselect(limit, self.tire.torque);
        self.tire.resistance = is_sliding.bitselect(f64x4::ZERO, self.tire.resistance);
        true
    }

    /// Rotation speeds (rad/s) and torques of the tires (N·m) under the torque `clutch`.
    #[inline]
    fn turned(&self, shafts: &FourShafts, clutch: f64) -> (f64x4, f64x4) {
        let speed = shafts.speed(clutch) * self.multiplier;
        let change = speed - self.rotation_speed;
        (speed, self.tire.torque - self.tire.resistance * change)
    }
}

/// What four wheels turn with, on their own or as one with others: it follows from the torque of the
/// clutch.
pub(super) struct FourShafts {
    /// A (N·m·s).
    resistance: f64x4,
    /// F (N·m).
    torque: f64x4,
    /// B (N·m).
    brake: f64x4,
    /// p (dimensionless).
    torque_ratio: f64x4,
    /// Speed at the clutch per speed of the shaft, the part of this wheel, G α g m (dimensionless).
    speed_ratio: f64x4,
    /// 1/A (rad/s per N·m).
    mobility: f64x4,
    /// How fast the speed at the clutch falls with its torque while the shaft turns, once per shaft
    /// (rad/s per N·m).
    response: f64x4,
}

impl FourShafts {
    /// The shafts of `wheels`, each of them on its own.
    #[inline]
    pub(super) fn of_single(wheels: &FourWheels) -> Self {
        let FourWheels { multiplier, per_time, tire, .. } = *wheels;
        let resistance = per_time + wheels.damping_rate + tire.resistance;
        let torque =
            (per_time + tire.resistance) * wheels.rotation_speed + wheels.drive + tire.torque;
        let mut shafts = Self {
            resistance: multiplier * multiplier * resistance,
            torque: multiplier * torque,
            brake: multiplier.abs() * wheels.brake,
            torque_ratio: multiplier * wheels.torque_ratio,
            speed_ratio: multiplier * wheels.speed_ratio,
            mobility: f64x4::ZERO,
            response: f64x4::ZERO,
        };
        shafts.mobility = f64x4::ONE / shafts.resistance;
        shafts.response = response(shafts.speed_ratio, shafts.torque_ratio, shafts.mobility);
        shafts
    }

    /// Rotation speed under the torque `clutch` (rad/s).
    #[inline]
    fn speed(&self, clutch: f64) -> f64x4 {
        let torque = self.torque - self.torque_ratio * f64x4::splat(clutch);
        let left = torque.abs() - self.brake;
        left.simd_le(f64x4::ZERO).bitselect(f64x4::ZERO, with_sign(left, torque) * self.mobility)
    }

    /// Rotation speed at the clutch, and how fast it falls with the torque of the clutch.
    #[inline]
    pub(super) fn at_clutch(&self, clutch: f64) -> (f64x4, f64x4) {
        let speed = self.speed(clutch);
        let response = speed.simd_eq(f64x4::ZERO).bitselect(f64x4::ZERO, self.response);
        (self.speed_ratio * speed, response)
    }
}

/// How fast the speed of a shaft at the clutch falls with the torque of the clutch.
///
/// Shares of torque and speed of opposite signs would make a machine that drives itself.
#[inline]
fn response(speed_ratio: f64x4, torque_ratio: f64x4, mobility: f64x4) -> f64x4 {
    let product = speed_ratio * torque_ratio;
    product.simd_lt(f64x4::ZERO).bitselect(f64x4::ZERO, product) * mobility
}

/// The value of each wheel.
#[inline]
fn lanes(wheels: [&ClutchWheel; MAX_LANES], value: impl Fn(&ClutchWheel) -> Real) -> f64x4 {
    let value = |lane: usize| f64::from(value(wheels[lane]));
    f64x4::new([value(0), value(1), value(2), value(3)])
}

/// Puts the wheels of `system` that turn as one on one shaft.
#[cold]
pub(super) fn join<const WHEELS: usize>(
    system: &ClutchSystem<WHEELS>,
    shafts: &mut Fours<FourShafts>,
) {
    let mut sums = [[0.0; 5]; MAX_WHEELS];
    let groups = || {
        let constraints = system.wheels.iter().map(|wheel| wheel.constraint);
        let groups = constraints.map(|constraint| constraint.map(|wheel| usize::from(wheel.group)));
        groups.enumerate().filter_map(|(wheel, group)| {
            let group = group.filter(|&group| group < MAX_WHEELS)?;
            Some((wheel / MAX_LANES, wheel % MAX_LANES, group))
        })
    };
    for (four, lane, group) in groups() {
        let values = shafts[four].values().map(|value| value.to_array()[lane]);
        sums[group] = from_fn(|index| sums[group][index] + values[index]);
    }
    let mut is_known = [false; MAX_WHEELS];
    for (four, lane, group) in groups() {
        let [resistance, torque, brake, torque_ratio, speed_ratio] = sums[group];
        let mobility = 1.0 / resistance;
        let [speed, torque_share, per_torque] =
            [speed_ratio, torque_ratio, mobility].map(f64x4::splat);
        let [response, ..] = response(speed, torque_share, per_torque).to_array();
        let shafts = &mut shafts[four];
        shafts.resistance.as_mut_array()[lane] = resistance;
        shafts.torque.as_mut_array()[lane] = torque;
        shafts.brake.as_mut_array()[lane] = brake;
        shafts.torque_ratio.as_mut_array()[lane] = torque_ratio;
        shafts.mobility.as_mut_array()[lane] = mobility;
        shafts.response.as_mut_array()[lane] = if is_known[group] { 0.0 } else { response };
        is_known[group] = true;
    }
}

impl FourShafts {
    /// What adds up over the wheels of a shaft.
    fn values(&self) -> [f64x4; 5] {
        [self.resistance, self.torque, self.brake, self.torque_ratio, self.speed_ratio]
    }
}

/// `size` with the sign of `sign`.
#[inline]
fn with_sign(size: f64x4, sign: f64x4) -> f64x4 {
    size | (sign & f64x4::splat(-0.0))
}
