//! The brush model with parabolic pressure: the exact solution of a thin tread on a stiff carcass.

use super::lane_params::{lane_params, steady_law};
use super::saturation::{length, not_zero, saturation_per_slip, trail_share};
use super::steady::{RollingTire, SteadyInput, SteadyLanes};
use crate::error::Bound;
use crate::math::lanes::Number;
use crate::math::sin_cos;
use crate::tire::TireOutput;
use crate::tire::magic_formula::RelaxationLengths;

lane_params! {
    /// A brush with parabolic pressure, whose contact grows with the root of the load.
    ///
    /// ```text
    /// a = a0 sqrt(N / N0),   σ = (κ, tan α) / |1 + κ|,   q = 2 c a² |σ| / (3 μ N)
    /// F = μ N (3 q - 3 q² + q³) for q < 1, else μ N      against the slip, (κ, -tan α)
    /// Mz = -t Fy,   t = a (1 - q)³ / (3 - 3 q + q²)
    /// μ = μ_road / (1 + s V |(κ, tan α)|)
    /// ```
    ///
    /// with `c` the stiffness of the tread per length. Source: Pacejka (2012), section 3.2.
    /// Differs: camber adds to the slip angle.
    ParabolicBrush {
        /// c, stiffness of the tread per length of contact (N/m²).
        tread_stiffness: Bound::Within(1e3, 1e10),
        /// a0, half of the contact's length under the nominal load (m).
        contact_half_length: Bound::Within(1e-3, 10.0),
        /// N0 (N).
        nominal_load: Bound::Within(1.0, 1e7),
        /// s, how much friction falls with the sliding speed (s/m).
        friction_decay: Bound::Within(0.0, 10.0),
        /// Tangent of a slip angle that has the effect of a unit of inclination (dimensionless).
        camber_slip: Bound::Within(0.0, 1.0),
        /// Relaxation length of the longitudinal force (m); 0 for none.
        longitudinal_relaxation_length: Bound::Within(0.0, 100.0),
        /// Relaxation length of the lateral force (m); 0 for none.
        lateral_relaxation_length: Bound::Within(0.0, 100.0),
    }
}

steady_law!(ParabolicBrush);

/// A tire that rolls as a brush with parabolic pressure.
pub type ParabolicBrushTire = RollingTire<ParabolicBrush>;

impl<N: Number> SteadyLanes<N> for ParabolicBrush<N> {
    #[inline]
    fn outputs(&self, input: &SteadyInput<N>) -> TireOutput<N> {
        let (one, two) = (N::splat(1.0), N::splat(2.0));
        let slip = input.slip_ratio;
        let tangent = input.slip_tangent + self.camber_slip * sin_cos(input.inclination).0;
        let size = length(slip, tangent);
        let sliding = size * input.forward_speed.abs();
        let limit = input.friction * input.load / (one + self.friction_decay * sliding);
        let half_length = self.contact_half_length * (input.load / self.nominal_load).sqrt();
        let stiffness = two * self.tread_stiffness * half_length * half_length;
        // Slip by the rolling speed: a locked wheel has no rolling speed and slides all over.
        let transport = not_zero((one + slip).abs());
        let demand = stiffness * size / transport;
        let k = demand / not_zero(limit);
        let saturated = N::splat(3.0).is_at_most(k);
        let per_slip = stiffness / transport * saturation_per_slip(k);
        let per_slip = N::select(saturated, limit / not_zero(size), per_slip);
        let has_grip = N::zero().is_below(limit);
        let kept = |value| N::select(has_grip, value, N::zero());
        let lateral = kept(-(tangent * per_slip));
        let trail = half_length * trail_share(k) * input.rolling_direction();
        TireOutput {
            longitudinal_force: kept(slip * per_slip),
            lateral_force: lateral,
            aligning_moment: -(trail * lateral),
            longitudinal_stiffness: kept(per_slip),
            ..TireOutput::default()
        }
    }

    #[inline]
    fn relaxation_lengths(&self, _: &SteadyInput<N>) -> RelaxationLengths<N> {
        self.constant_relaxation()
    }
}
