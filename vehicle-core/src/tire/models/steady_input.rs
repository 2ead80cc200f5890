//! What a tire's force depends on in the steady state.

use crate::math::Real;
use crate::math::lanes::Number;
use crate::tire::smooth_sign::smooth_sign;

/// Slip ratios and tangents of slip angles above this count as this (dimensionless).
const MOST_SLIP: Real = 1e3;
/// Loads above this count as this (N), and pressures (Pa).
const MOST_LOAD: Real = 1e9;
/// Frictions above this count as this (dimensionless).
const MOST_FRICTION: Real = 100.0;
/// Speeds above this count as this (m/s).
const MOST_SPEED: Real = 1e3;
/// Speed above which the direction of rolling is 1 or -1 (m/s).
const ROLLING_SPEED: Real = 1.0;

/// What a tire's force depends on in the steady state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SteadyInput<N = Real> {
    /// Load (N).
    pub load: N,
    /// Friction of the road (dimensionless).
    pub friction: N,
    /// Slip ratio, positive where the wheel drives (dimensionless).
    pub slip_ratio: N,
    /// Tangent of the slip angle, positive where the tire slides to the left (dimensionless).
    pub slip_tangent: N,
    /// Inclination to the road (rad).
    pub inclination: N,
    /// Inflation pressure (Pa).
    pub inflation_pressure: N,
    /// Speed along the rolling direction (m/s).
    pub forward_speed: N,
}

impl<N: Number> SteadyInput<N> {
    /// The input, within bounds that keep all forces finite.
    #[inline]
    #[must_use]
    pub fn bounded(&self) -> Self {
        let within = |value: N, most: Real| value.at_least(N::splat(-most)).at_most(N::splat(most));
        let positive = |value: N, most: Real| value.at_least(N::zero()).at_most(N::splat(most));
        Self {
            load: positive(self.load, MOST_LOAD),
            friction: positive(self.friction, MOST_FRICTION),
            slip_ratio: within(self.slip_ratio, MOST_SLIP),
            slip_tangent: within(self.slip_tangent, MOST_SLIP),
            inclination: within(self.inclination, 1.5),
            inflation_pressure: positive(self.inflation_pressure, MOST_LOAD),
            forward_speed: within(self.forward_speed, MOST_SPEED),
        }
    }

    /// Which way the tire rolls, from -1 to 1 (dimensionless).
    #[inline]
    pub fn rolling_direction(&self) -> N {
        rolling_direction(self.forward_speed)
    }
}

/// Which way a tire rolls: from -1 to 1, the ends above 1 m/s (dimensionless).
#[inline]
pub fn rolling_direction<N: Number>(forward_speed: N) -> N {
    smooth_sign(forward_speed * N::splat(1.0 / ROLLING_SPEED))
}
