//! Wheels that the clutch turns, each on a shaft of its own: four in lanes, in 64 bits.

use arrayvec::ArrayVec;
use wide::f64x4;

use super::ClutchWheel;
use crate::math::Real;
use crate::math::lanes::MAX_LANES;
use crate::wheel_list::{MAX_WHEELS, WheelRefs};
use crate::wheel_rotation::CoupledWheel;

/// Most fours of wheels.
const MAX_FOURS: usize = MAX_WHEELS / MAX_LANES;

/// A list with one element per four wheels.
pub(super) type Fours<T> = ArrayVec<T, MAX_FOURS>;

/// Four wheels of a system. Those that are joined or coupled with others have no share here.
pub(super) struct FourWheels {
    /// Speed at the start of the step (rad/s).
    rotation_speed: f64x4,
    brake: f64x4,
    /// Torque of each tire at that speed, and by how much it falls per speed.
    tire_torque: f64x4,
    tire_resistance: f64x4,
    /// Largest torque of each tire (N·m).
    max_tire_torque: f64x4,
    /// G r (dimensionless).
    torque_ratio: f64x4,
    /// G α g (dimensionless).
    speed_ratio: f64x4,
    gripping: Inertia,
    sliding: Inertia,
}

/// What turns a shaft but clutch and brake, with its tire in one of two modes.
struct Inertia {
    /// F (N·m), without the torque of a tire that slides.
    torque: f64x4,
    /// 1/A (rad/s per N·m).
    mobility: f64x4,
}

/// Four wheels at the end of a step.
struct Turned {
    speed: f64x4,
    tire_torque: f64x4,
    /// 1/A of shafts that turn, 0 of those that are held (rad/s per N·m).
    mobility: f64x4,
}

impl FourWheels {
    /// A few of the wheels that turn `gear_ratio` times slower than the clutch (dimensionless), the last
    /// one again in lanes that are left over, without a share; `per_dt` is 1/dt (1/s). Bits of `is_single`
    /// say which wheels are on their own.
    #[inline]
    pub(super) fn new(
        wheels: &[ClutchWheel],
        gear_ratio: f64,
        per_dt: f64,
        is_single: u64,
    ) -> Self {
        let last = wheels.len() - 1;
        let wheel = |lane: usize| &wheels[lane.min(last)];
        let four = match wheels {
            [first, second, third, fourth] => [first, second, third, fourth],
            _ => [wheel(0), wheel(1), wheel(2), wheel(3)],
        };
        let ratio = |lane: usize| {
            if lane <= last && is_single >> lane & 1 == 1 { gear_ratio } else { 0.0 }
        };
        let gear_ratio = f64x4::new([ratio(0), ratio(1), ratio(2), ratio(3)]);
        let rotation_speed = lanes(four, |wheel| wheel.rotation_speed);
        let per_time = lanes(four, |wheel| wheel.inertia) * f64x4::splat(per_dt);
        let damping_rate = lanes(four, |wheel| wheel.damping_rate);
        let drive = lanes(four, |wheel| wheel.torques.drive);
        let tire_torque = lanes(four, |wheel| wheel.tire.torque);
        let tire_resistance = lanes(four, |wheel| wheel.tire.resistance);
        Self {
            rotation_speed,
            brake: lanes(four, |wheel| wheel.torques.brake),
            tire_torque,
            tire_resistance,
            max_tire_torque: lanes(four, |wheel| wheel.tire.max_torque),
            torque_ratio: gear_ratio * lanes(four, |wheel| wheel.torque_ratio),
            speed_ratio: gear_ratio * lanes(four, ClutchWheel::signed_speed_ratio),
            gripping: Inertia {
                torque: (per_time + tire_resistance) * rotation_speed + drive + tire_torque,
                mobility: f64x4::ONE / (per_time + damping_rate + tire_resistance),
            },
            sliding: Inertia {
                torque: per_time * rotation_speed + drive,
                mobility: f64x4::ONE / (per_time + damping_rate),
            },
        }
    }

    /// Adds what the wheels do under the torque `clutch` to `wheels`, of which there are `count` in
    /// all.
    #[inline]
    pub(super) fn write<const WHEELS: usize>(
        &self,
        clutch: f64,
        count: usize,
        wheels: &mut WheelRefs<CoupledWheel, WHEELS>,
    ) {
        let turned = self.turned(clutch);
        let (speeds, torques) = (turned.speed.to_array(), turned.tire_torque.to_array());
        for lane in 0..MAX_LANES.min(count - wheels.len()) {
            wheels.push(CoupledWheel {
                rotation_speed: speeds[lane] as Real,
                tire_torque: torques[lane] as Real,
            });
        }
    }

    /// Rotation speed at the clutch, and how fast it falls with the torque of the clutch.
    #[inline]
    pub(super) fn at_clutch(&self, clutch: f64) -> (f64x4, f64x4) {
        let Turned { speed, mobility, .. } = self.turned(clutch);
        let product = self.speed_ratio * self.torque_ratio;
        // Shares of opposite signs would make a machine that drives itself.
        let product = product.simd_lt(f64x4::ZERO).bitselect(f64x4::ZERO, product);
        (self.speed_ratio * speed, product * mobility)
    }

    /// The wheels under the torque `clutch`.
    ///
    /// A tire whose torque would be beyond the limit, if it gripped, slides: the faster its wheel
    /// turns, the less torque it has, so that the limit does not bring it back.
    #[inline]
    fn turned(&self, clutch: f64) -> Turned {
        let drive = -self.torque_ratio * f64x4::splat(clutch);
        let gripping = self.gripping.turned(drive, self.brake);
        let change = gripping.0 - self.rotation_speed;
        let wanted = self.tire_torque - self.tire_resistance * change;
        let (speed, mobility) = gripping;
        let is_sliding = self.max_tire_torque.simd_lt(wanted.abs());
        if !is_sliding.any() {
            return Turned { speed, tire_torque: wanted, mobility };
        }
        let limit = with_sign(self.max_tire_torque, wanted);
        let sliding = self.sliding.turned(drive + limit, self.brake);
        Turned {
            speed: is_sliding.bitselect(sliding.0, speed),
            tire_torque: is_sliding.bitselect(limit, wanted),
            mobility: is_sliding.bitselect(sliding.1, mobility),
        }
    }
}

impl Inertia {
    /// Rotation speed under the torque `added` and a `brake` (N·m), and 1/A where it turns.
    #[inline]
    fn turned(&self, added: f64x4, brake: f64x4) -> (f64x4, f64x4) {
        let torque = self.torque + added;
        let left = torque.abs() - brake;
        let is_held = left.simd_le(f64x4::ZERO);
        let speed = with_sign(left, torque) * self.mobility;
        (is_held.bitselect(f64x4::ZERO, speed), is_held.bitselect(f64x4::ZERO, self.mobility))
    }
}

/// The value of each wheel.
#[inline]
fn lanes(wheels: [&ClutchWheel; MAX_LANES], value: impl Fn(&ClutchWheel) -> Real) -> f64x4 {
    let value = |lane: usize| f64::from(value(wheels[lane]));
    f64x4::new([value(0), value(1), value(2), value(3)])
}

/// `size` with the sign of `sign`.
#[inline]
fn with_sign(size: f64x4, sign: f64x4) -> f64x4 {
    size | (sign & f64x4::splat(-0.0))
}
