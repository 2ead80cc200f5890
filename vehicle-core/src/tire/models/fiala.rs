//! Fiala's tire: constant stiffnesses, a cubic rise to friction, and friction that falls with slip.

use super::lane_params::{lane_params, steady_law};
use super::saturation::{length, not_zero, saturation_per_slip, smooth_step, trail_share};
use super::steady::{RollingTire, SteadyInput, SteadyLanes};
use crate::error::Bound;
use crate::math::lanes::Number;
use crate::math::sin_cos;
use crate::tire::TireOutput;
use crate::tire::magic_formula::RelaxationLengths;

lane_params! {
    /// Fiala's force law.
    ///
    /// With `κ` the slip ratio, `α` the slip angle, `γ` the inclination, `N` the load, `μ` the
    /// friction:
    ///
    /// ```text
    /// S = min(1, sqrt(κ² + tan² α)),   L = μ N (1 - (1 - u) S)
    /// X = C_κ κ,   Y = C_α tan α + C_γ sin γ,   k = sqrt(X² + Y²) / L
    /// F = L f(k)    along (X, -Y) at small slip, against the slip (κ, -tan α) when sliding
    /// f(k) = k - k²/3 + k³/27   where k < 3,   else 1
    /// Mz = -t Fy,   t = a (1 - q)³ / (3 - 3 q + q²),   q = min(k/3, 1)
    /// ```
    ///
    /// Without longitudinal slip this is Fiala's law, `|Fy| = L (1 - (1 - C_α |tan α| / 3 L)³)`.
    /// Slips are combined by their normalized size, so that the force never exceeds `μ N`.
    ///
    /// Source: Fiala, Seitenkräfte am rollenden Luftreifen (1954); Pacejka (2012), section 3.2.
    /// Differs: combined slip.
    Fiala {
        /// C_κ, longitudinal force by slip ratio (N).
        longitudinal_stiffness: Bound::Within(1.0, 1e8),
        /// C_α, lateral force by slip angle (N/rad).
        cornering_stiffness: Bound::Within(1.0, 1e8),
        /// C_γ, lateral force by inclination (N/rad).
        camber_stiffness: Bound::Within(0.0, 1e8),
        /// u, friction of a tire that slides by that of one that does not (dimensionless).
        sliding_friction: Bound::Within(0.01, 1.0),
        /// a, half of the contact's length (m).
        contact_half_length: Bound::Within(0.0, 10.0),
        /// Relaxation length of the longitudinal force (m); 0 for none.
        longitudinal_relaxation_length: Bound::Within(0.0, 100.0),
        /// Relaxation length of the lateral force (m); 0 for none.
        lateral_relaxation_length: Bound::Within(0.0, 100.0),
    }
}

/// A tire that rolls by Fiala's law.
pub type FialaTire = RollingTire<Fiala>;

steady_law!(Fiala);

impl<N: Number> SteadyLanes<N> for Fiala<N> {
    #[inline]
    fn outputs(&self, input: &SteadyInput<N>) -> TireOutput<N> {
        let one = N::splat(1.0);
        let (slip, tangent) = (input.slip_ratio, input.slip_tangent);
        let sliding = length(slip, tangent).at_most(one);
        let friction = input.friction * (one - (one - self.sliding_friction) * sliding);
        let limit = friction * input.load;
        let along = self.longitudinal_stiffness * slip;
        let thrust = self.camber_stiffness * sin_cos(input.inclination).0;
        let across = self.cornering_stiffness * tangent + thrust;
        let demand = length(along, across);
        let k = demand / not_zero(limit);

        // A tread that slides pushes against the slip, whatever its stiffnesses.
        let slide = smooth_step(k * N::splat(1.0 / 3.0));
        let (stiffness, stick) = (self.cornering_stiffness, one - slide);
        let x = along * stick + stiffness * slip * slide;
        let y = across * stick + (stiffness * tangent + thrust * stick) * slide;
        let force = demand * saturation_per_slip(k);
        let per_size = force / not_zero(length(x, y));
        let has_grip = N::zero().is_below(limit);
        let kept = |value| N::select(has_grip, value, N::zero());
        let lateral = kept(-(y * per_size));
        let trail = self.contact_half_length * trail_share(k) * input.rolling_direction();
        let rigidity = (one - slide) * self.longitudinal_stiffness + slide * stiffness;
        let at_rest = demand.is_at_most(N::splat(1e-6));
        TireOutput {
            longitudinal_force: kept(x * per_size),
            lateral_force: lateral,
            aligning_moment: -(trail * lateral),
            longitudinal_stiffness: kept(N::select(at_rest, rigidity, rigidity * per_size)),
            ..TireOutput::default()
        }
    }

    #[inline]
    fn relaxation_lengths(&self, _: &SteadyInput<N>) -> RelaxationLengths<N> {
        self.constant_relaxation()
    }
}
