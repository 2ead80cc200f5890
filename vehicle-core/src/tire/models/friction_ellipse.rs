//! The friction ellipse: a tire told by where its forces peak.

use super::lane_params::{lane_params, steady_law};
use super::saturation::{length, not_zero, smooth_step};
use super::steady::{RollingTire, SteadyInput, SteadyLanes};
use crate::error::Bound;
use crate::math::lanes::Number;
use crate::math::sin_cos;
use crate::tire::TireOutput;
use crate::tire::magic_formula::RelaxationLengths;

lane_params! {
    /// Forces that rise to an ellipse of friction and fall when the tire slides.
    ///
    /// ```text
    /// x = κ / κ_p,   y = (tan α + c_γ sin γ) / tan α_p,   k = sqrt(x² + y²)
    /// g(k) = k (3 - k²) / 2                 for k < 1
    ///      = 1 - (1 - u) h((k - 1) / (k_u - 1)),  h(x) = x² (3 - 2 x)
    /// Fx = μ N m_x g x / k,   Fy = -μ N m_y g y / k
    /// Mz = -t Fy (1 - k)² for k < 1
    /// ```
    ///
    /// The force never leaves the ellipse of the axes `μ N m_x` and `μ N m_y`.
    FrictionEllipse {
        /// m_x, longitudinal friction by that of the road (dimensionless).
        longitudinal_friction: Bound::Within(0.01, 1.0),
        /// m_y, lateral friction by that of the road (dimensionless).
        lateral_friction: Bound::Within(0.01, 1.0),
        /// κ_p, slip ratio of the largest longitudinal force (dimensionless).
        peak_slip_ratio: Bound::Within(0.005, 2.0),
        /// tan α_p, tangent of the slip angle of the largest lateral force (dimensionless).
        peak_slip_tangent: Bound::Within(0.005, 2.0),
        /// u, friction of a tire that slides by the largest (dimensionless).
        sliding_friction: Bound::Within(0.01, 1.0),
        /// k_u, slip from which on the tire slides, by that of the peak (dimensionless).
        sliding_slip: Bound::Within(1.1, 1e3),
        /// c_γ, tangent of a slip angle that has the effect of a unit of inclination
        /// (dimensionless).
        camber_slip: Bound::Within(0.0, 1.0),
        /// t, trail at small slip (m).
        trail: Bound::Within(0.0, 10.0),
        /// Relaxation length of the longitudinal force (m); 0 for none.
        longitudinal_relaxation_length: Bound::Within(0.0, 100.0),
        /// Relaxation length of the lateral force (m); 0 for none.
        lateral_relaxation_length: Bound::Within(0.0, 100.0),
    }
}

/// A tire that rolls by a friction ellipse.
pub type FrictionEllipseTire = RollingTire<FrictionEllipse>;

steady_law!(FrictionEllipse);

impl<N: Number> SteadyLanes<N> for FrictionEllipse<N> {
    #[inline]
    fn outputs(&self, input: &SteadyInput<N>) -> TireOutput<N> {
        let (one, half) = (N::splat(1.0), N::splat(0.5));
        let tangent = input.slip_tangent + self.camber_slip * sin_cos(input.inclination).0;
        let x = input.slip_ratio / self.peak_slip_ratio;
        let y = tangent / self.peak_slip_tangent;
        let k = length(x, y);
        let rising = half * (N::splat(3.0) - k * k);
        let beyond = (k - one) / (self.sliding_slip - one);
        let falling = one - (one - self.sliding_friction) * smooth_step(beyond);
        let per_slip = N::select(k.is_below(one), rising, falling / k.at_least(one));
        let limit = input.friction * input.load;
        let along = limit * self.longitudinal_friction * per_slip;
        let lateral = -(limit * self.lateral_friction * per_slip * y);
        let left = (one - k).at_least(N::zero());
        let trail = self.trail * left * left * input.rolling_direction();
        TireOutput {
            longitudinal_force: along * x,
            lateral_force: lateral,
            aligning_moment: -(trail * lateral),
            longitudinal_stiffness: along / not_zero(self.peak_slip_ratio),
            ..TireOutput::default()
        }
    }

    #[inline]
    fn relaxation_lengths(&self, _: &SteadyInput<N>) -> RelaxationLengths<N> {
        self.constant_relaxation()
    }
}
