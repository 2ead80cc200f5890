//! A tire of one's own: the force rises as a hyperbolic tangent of the slip.

use serde::{Deserialize, Serialize};
use vehicle_rapier::core::error::{Bound, ParamCheck};
use vehicle_rapier::core::math::lanes::{MAX_LANES, Number};
use vehicle_rapier::core::math::{Real, exp};
use vehicle_rapier::core::tire::TireOutput;
use vehicle_rapier::core::tire::magic_formula::RelaxationLengths;
use vehicle_rapier::core::tire::models::steady::{SteadyInput, SteadyLanes, SteadyLaw};

/// A friction circle that the force approaches as a hyperbolic tangent.
///
/// ```text
/// F = μ N tanh(C s / μ)    against the slip s = sqrt(κ² + tan² α)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TanhTire<N = Real> {
    /// C, force per load and slip (dimensionless).
    pub stiffness: N,
    /// σ, distance in which the force follows (m).
    pub relaxation_length: N,
}

impl Default for TanhTire {
    fn default() -> Self {
        Self { stiffness: 15.0, relaxation_length: 0.4 }
    }
}

impl<N: Number> SteadyLanes<N> for TanhTire<N> {
    fn outputs(&self, input: &SteadyInput<N>) -> TireOutput<N> {
        let (one, tiny) = (N::splat(1.0), N::splat(1e-6));
        let (along, across) = (input.slip_ratio, input.slip_tangent);
        let slip = (along * along + across * across).sqrt().at_least(tiny);
        let limit = input.friction * input.load;
        // tanh x = 1 - 2 / (exp(2 x) + 1), which is 1 for any x above 10.
        let steepness = self.stiffness / input.friction.at_least(tiny);
        let doubled = (N::splat(2.0) * steepness * slip).at_most(N::splat(20.0));
        let share = one - N::splat(2.0) / (exp(doubled) + one);
        let per_slip = limit * share / slip;
        TireOutput {
            longitudinal_force: along * per_slip,
            lateral_force: -(across * per_slip),
            longitudinal_stiffness: per_slip,
            ..TireOutput::default()
        }
    }

    fn relaxation_lengths(&self, _: &SteadyInput<N>) -> RelaxationLengths<N> {
        let length = self.relaxation_length;
        RelaxationLengths { longitudinal: length, lateral: length }
    }
}

impl SteadyLaw for TanhTire {
    type Lanes<N: Number> = TanhTire<N>;

    fn in_lanes<N: Number>(laws: [&Self; MAX_LANES]) -> TanhTire<N> {
        TanhTire {
            stiffness: N::from_lanes(|lane| laws[lane].stiffness),
            relaxation_length: N::from_lanes(|lane| laws[lane].relaxation_length),
        }
    }

    fn check(&self, check: &mut ParamCheck) {
        check.number("stiffness", self.stiffness, Bound::Within(0.1, 1e3));
        check.number("relaxation_length", self.relaxation_length, Bound::Within(0.0, 100.0));
    }
}
