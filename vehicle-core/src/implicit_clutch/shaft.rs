//! Wheels that the clutch turns, each on a shaft of its own: four in lanes, in 64 bits.

use wide::f64x4;

use super::FourClutchWheels;
use crate::math::lanes::{MAX_LANES, Real4, doubles, singles};
use crate::wheel_rotation::CoupledWheel;

/// A bit for each of four wheels.
const LANES: u64 = (1 << MAX_LANES) - 1;

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
    /// The product of both, not negative: shares of opposite signs would make a machine that drives
    /// itself.
    ratio_product: f64x4,
    gripping: Inertia,
    sliding: Inertia,
}

/// Torque on a shaft but for clutch and brake, and its inertia, with its tire in one of two modes.
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
    /// Wheels of which any is on its own; see [`Self::new`].
    #[inline(always)]
    pub(super) fn any_of(
        wheels: &FourClutchWheels,
        gear_ratio: f64,
        per_dt: f64,
        is_single: u64,
    ) -> Option<Self> {
        (is_single & LANES != 0).then(|| Self::new(wheels, gear_ratio, per_dt, is_single))
    }

    /// Wheels that turn `gear_ratio` times slower than the clutch (dimensionless); `per_dt` is 1/dt
    /// (1/s). Bits of `is_single` say which of them are on their own: others, and lanes that are
    /// left over, have no share.
    #[inline(always)]
    fn new(wheels: &FourClutchWheels, gear_ratio: f64, per_dt: f64, is_single: u64) -> Self {
        let ratio = |lane: usize| if is_single >> lane & 1 == 1 { gear_ratio } else { 0.0 };
        let gear_ratio = f64x4::new([ratio(0), ratio(1), ratio(2), ratio(3)]);
        let rotation_speed = doubles(wheels.rotation_speed);
        let per_time = doubles(wheels.inertia) * f64x4::splat(per_dt);
        let damping_rate = doubles(wheels.damping_rate);
        let drive = doubles(wheels.torques.drive);
        let tire_torque = doubles(wheels.tire.torque);
        let tire_resistance = doubles(wheels.tire.resistance);
        let torque_ratio = gear_ratio * doubles(wheels.torque_ratio);
        let speed_ratio = gear_ratio * doubles(wheels.signed_speed_ratio());
        let product = speed_ratio * torque_ratio;
        Self {
            rotation_speed,
            brake: doubles(wheels.torques.brake),
            tire_torque,
            tire_resistance,
            max_tire_torque: doubles(wheels.tire.max_torque),
            torque_ratio,
            speed_ratio,
            ratio_product: product.simd_lt(f64x4::ZERO).bitselect(f64x4::ZERO, product),
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

    /// Wheels at the end of the step under the torque `clutch` of the clutch (N·m).
    #[inline]
    pub(super) fn at_end(&self, clutch: f64) -> CoupledWheel<Real4> {
        let Turned { speed, tire_torque, .. } = self.turned(clutch);
        CoupledWheel { rotation_speed: singles(speed), tire_torque: singles(tire_torque) }
    }

    /// Rotation speed at the clutch, and how fast it falls with the torque of the clutch.
    #[inline]
    pub(super) fn at_clutch(&self, clutch: f64) -> (f64x4, f64x4) {
        let Turned { speed, mobility, .. } = self.turned(clutch);
        (self.speed_ratio * speed, self.ratio_product * mobility)
    }

    /// Rotation speed at the clutch without a torque of the clutch, if all tires gripped and no
    /// brake acted, and how fast it falls with that torque.
    #[inline]
    pub(super) fn at_open_clutch(&self) -> (f64x4, f64x4) {
        let Inertia { torque, mobility } = &self.gripping;
        (self.speed_ratio * *torque * *mobility, self.ratio_product * *mobility)
    }

    /// The wheels under the torque `clutch`.
    ///
    /// A tire whose torque would be beyond the limit, if it gripped, slides. The faster its wheel
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

/// `size` with the sign of `sign`.
#[inline]
fn with_sign(size: f64x4, sign: f64x4) -> f64x4 {
    size | (sign & f64x4::splat(-0.0))
}
