//! Relaxation: a tire's carcass follows a slip while the tire rolls.

use serde::{Deserialize, Serialize};

use super::steady_input::SteadyInput;
use crate::math::lanes::{Number, lanes_by_field};
use crate::math::{Real, exp};
use crate::tire::magic_formula::RelaxationLengths;

/// Speed at which slips follow at standstill (m/s): a tire that stands gives way within some tenths
/// of a second, instead of never.
const CREEP_SPEED: Real = 0.5;
/// Shortest relaxation length that delays anything (m).
const SHORTEST: Real = 1e-4;

/// Slips that the carcass of a tire has followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RelaxedSlip<N = Real> {
    /// Slip ratio (dimensionless).
    pub slip_ratio: N,
    /// Tangent of the slip angle (dimensionless).
    pub slip_tangent: N,
}

lanes_by_field!(RelaxedSlip<Number> { slip_ratio, slip_tangent });

/// How much of a step in slip is followed within the time step (dimensionless).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowedShares<N = Real> {
    /// Share of the slip ratio.
    pub longitudinal_share: N,
    /// Share of the slip angle's tangent.
    pub lateral_share: N,
}

/// How much of a step in slip is followed within a distance of rolling.
///
/// ```text
/// 1 - exp(-sqrt(V² + V_c²) dt / σ)
/// ```
#[inline]
pub fn followed_share<N: Number>(length: N, forward_speed: N, dt: N) -> N {
    let creep = N::splat(CREEP_SPEED);
    let speed = (forward_speed * forward_speed + creep * creep).sqrt();
    let (one, shortest) = (N::splat(1.0), N::splat(SHORTEST));
    let share = one - exp(-(speed * dt / length.at_least(shortest)));
    N::select(length.is_below(shortest), one, share)
}

impl<N: Number> RelaxedSlip<N> {
    /// Follows the slips of `input` for a time `dt` (s), exactly for slips that stay.
    ///
    /// ```text
    /// dκ'/dt = V (κ - κ') / σ
    /// ```
    #[inline]
    pub fn advance(
        &mut self,
        input: &SteadyInput<N>,
        lengths: &RelaxationLengths<N>,
        dt: N,
    ) -> FollowedShares<N> {
        let along = followed_share(lengths.longitudinal, input.forward_speed, dt);
        let across = followed_share(lengths.lateral, input.forward_speed, dt);
        self.slip_ratio = self.slip_ratio + (input.slip_ratio - self.slip_ratio) * along;
        self.slip_tangent = self.slip_tangent + (input.slip_tangent - self.slip_tangent) * across;
        FollowedShares { longitudinal_share: along, lateral_share: across }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_followed_by_63_percent_within_the_relaxation_length() {
        for (speed, dt) in [(20.0, 0.001), (20.0, 1.0 / 60.0), (5.0, 0.002), (-10.0, 0.01)] {
            let lengths = RelaxationLengths { longitudinal: 0.2, lateral: 0.6 };
            let input = SteadyInput {
                slip_ratio: 0.1,
                slip_tangent: 0.05,
                forward_speed: speed,
                ..SteadyInput::default()
            };
            let mut slip = RelaxedSlip::default();
            let mut distance: Real = 0.0;
            for _ in 0..20 {
                slip.advance(&input, &lengths, dt);
                distance += speed.abs() * dt;
                let shares = [slip.slip_ratio / 0.1, slip.slip_tangent / 0.05];
                for (share, length) in shares.into_iter().zip([0.2, 0.6]) {
                    // The length that this share tells of; close to 1, rounding is all it tells.
                    if share < 0.999 {
                        let found = -distance / (1.0 - share).ln();
                        let error = found / length - 1.0;
                        assert!(
                            error.abs() < 0.02,
                            "{found} m, expected {length} m at {speed} m/s"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn without_a_length_slips_are_followed_at_once_and_at_rest_they_fade() {
        let mut slip = RelaxedSlip { slip_ratio: 0.3, slip_tangent: 0.3 };
        let lengths = RelaxationLengths { longitudinal: 0.0, lateral: 0.5 };
        slip.advance(&SteadyInput::default(), &lengths, 0.01);
        assert_eq!(slip.slip_ratio, 0.0);
        for _ in 0..500 {
            slip.advance(&SteadyInput::default(), &lengths, 0.01);
        }
        assert!(slip.slip_tangent.abs() < 0.003, "{slip:?}");
    }
}
