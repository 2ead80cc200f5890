//! A driver who holds a circle of a constant radius at a lateral acceleration.

use rapier3d::prelude::*;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::vehicle_file::AnyDrive;

use super::proving_ground::{Motion, ProvingGround};

/// Gains of the steering wheel on what is missing of the turn, and on its integral (1, 1/s), in a
/// car and of a rider.
const GAINS: [Real; 2] = [0.8, 4.0];
const RIDDEN_GAINS: [Real; 2] = [0.2, 0.8];

/// A driver in a circle to the left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CircleDriver {
    /// Radius of the circle (m).
    pub(crate) radius: Real,
    /// Steering command at a walking pace.
    kinematic: Real,
    /// Whether who steers asks for a lateral acceleration, as on a motorcycle, and not for an
    /// angle.
    pub(super) leans: bool,
    steer_sum: Real,
    throttle_sum: Real,
}

/// What such a driver does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CircleCommands {
    /// Pedals, in [0, 1].
    pub(crate) throttle: Real,
    pub(crate) brake: Real,
    /// Steering wheel, in [-1, 1].
    pub(crate) steer: Real,
    /// Part of the curvature that is missing (dimensionless).
    pub(crate) missed: Real,
}

impl CircleDriver {
    /// The driver of the vehicle on `ground`, in a circle of this `radius` (m).
    pub(crate) fn new(ground: &ProvingGround, radius: Real) -> Self {
        let (base, lock) = (ground.wheel_base(), ground.turn_at_lock());
        let leans = matches!(ground.front().vehicle.drive, AnyDrive::Motorcycle(_));
        let kinematic = (base / radius).atan() / lock;
        Self { radius, kinematic, leans, steer_sum: 0.0, throttle_sum: 0.0 }
    }

    /// What the driver does in a step of `dt` (s) for a lateral acceleration of `wanted` (g).
    pub(crate) fn commands(&mut self, motion: &Motion, wanted: Real, dt: Real) -> CircleCommands {
        let (radius, curvature) = (self.radius, 1.0 / self.radius);
        let (gain, sum_gain) = if self.leans { RIDDEN_GAINS.into() } else { GAINS.into() };
        let speed = motion.speed();
        let largest_speed = (GRAVITY * radius).sqrt();
        // Who steers a motorcycle asks for a lateral acceleration, and not for an angle.
        let ahead = if self.leans { wanted } else { self.kinematic };
        let wanted_speed = (wanted * GRAVITY * radius).sqrt();
        let error = (wanted_speed - speed) / largest_speed;
        self.throttle_sum = (self.throttle_sum + 2.5 * error * dt).clamp(-0.2, 1.0);
        let pedal = (6.0 * error + self.throttle_sum).clamp(-1.0, 1.0);
        let missed = if speed < 0.2 * wanted_speed {
            0.0
        } else {
            1.0 - motion.yaw_rate / (speed * curvature)
        };
        // The steering wheel may be turned against the circle, if its lock is negative.
        let most = 1.0 / ahead.abs();
        self.steer_sum = (self.steer_sum + sum_gain * missed * dt).clamp(-1.0, most);
        let steer = (ahead * (1.0 + gain * missed + self.steer_sum)).clamp(-1.0, 1.0);
        CircleCommands { throttle: pedal.max(0.0), brake: 0.3 * (-pedal).max(0.0), steer, missed }
    }
}
