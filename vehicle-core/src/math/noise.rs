//! Noise: pseudo-random numbers, the same on every machine.

use super::{Real, Vec3};

/// Pseudo-random numbers, from a seed.
#[derive(Clone, Debug)]
pub struct Noise(pub u64);

impl Noise {
    /// The next one in [0, 1).
    #[expect(clippy::should_implement_trait, reason = "there is always one more")]
    pub fn next(&mut self) -> Real {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 40) as Real / (1_u64 << 24) as Real
    }

    /// The next one in [`low`, `high`).
    pub fn within(&mut self, low: Real, high: Real) -> Real {
        low + (high - low) * self.next()
    }

    /// A vector whose components are within `size` of 0.
    pub fn vector(&mut self, size: Real) -> Vec3 {
        Vec3::new(self.within(-size, size), self.within(-size, size), self.within(-size, size))
    }
}
