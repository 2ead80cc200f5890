//! A foot that holds a speed, whatever the wheels do: who climbs a log lets them slip.

use rapier3d::prelude::*;

use super::proving_ground::Motion;

/// Pedal per speed that is missing (s/m), and its growth (1/m).
const PEDAL: [Real; 2] = [0.25, 0.08];

/// A foot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpeedFoot {
    /// Lateral acceleration at which there is nothing left for the drive (m/s²).
    lateral: Real,
    /// What the accelerator has come to (dimensionless).
    sum: Real,
}

impl SpeedFoot {
    /// A foot that gives no throttle at this `lateral` acceleration (m/s²).
    pub(crate) fn new(lateral: Real) -> Self {
        Self { lateral, sum: 0.0 }
    }

    /// Accelerator and brake, in [0, 1], for a `speed` (m/s), for a step of `dt` (s).
    ///
    /// ```text
    /// u = p (v* - v) + i ∫ (v* - v) dt,   throttle = u √(1 - (v ω/a)²)
    /// ```
    pub(crate) fn pedals(&mut self, speed: Real, motion: &Motion, dt: Real) -> [Real; 2] {
        let (forward, [part, growth]) = (motion.forward_speed(), PEDAL);
        let missing = speed - forward;
        self.sum = (self.sum + growth * missing * dt).clamp(0.0, 1.0);
        let pedal = (self.sum + part * missing).clamp(-1.0, 1.0);
        // What the tires do across they cannot do along.
        let across = (forward * motion.yaw_rate / self.lateral).clamp(-1.0, 1.0);
        [(1.0 - across * across).sqrt() * pedal.max(0.0), (-pedal).max(0.0)]
    }
}
