//! Relaxation: how far a tire rolls until its force has followed a slip.

use super::conditions::Conditions;
use super::curve::{is_zero, not_zero};
use super::{MagicFormula, MagicFormulaInput};
use crate::math::lanes::{Mask, Number};
use crate::math::{Real, atan, exp, sin_cos};

/// Shortest and longest relaxation length by radius (dimensionless).
const SHARES: [Real; 2] = [0.05, 10.0];
/// Relaxation lengths by the radius of a tire whose data do not tell them, along and across
/// (dimensionless).
const USUAL_SHARES: [Real; 2] = [0.5, 1.5];

/// Distances within which force follows slip up to 63 %.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RelaxationLengths<N = Real> {
    /// Relaxation length of the longitudinal force (m).
    pub longitudinal: N,
    /// Relaxation length of the lateral force (m).
    pub lateral: N,
}

impl<N: Number> MagicFormula<N> {
    /// Relaxation lengths under a load.
    ///
    /// From the stiffness of the carcass where it is known, else by the formulas of 5.2, else by
    /// the radius, with the load as stiffnesses have it:
    ///
    /// ```text
    /// σκ = Kxκ / Cx,                   Cx = Cx0 (1 + PCFX1 dfz + PCFX2 dfz²) (1 + PCFX3 dpi)
    /// σα = |Kyα| / Cy,                 Cy = Cy0 (1 + PCFY1 dfz + PCFY2 dfz²) (1 + PCFY3 dpi)
    /// σκ = Fz (PTX1 + PTX2 dfz) exp(PTX3 dfz) R0/Fz0 LSGKP
    /// σα = PTY1 sin(2 atan(Fz / (PTY2 Fz0))) (1 - PKY3 |γ|) R0 LSGAL
    /// ```
    ///
    /// Source: Besselink, Schmeitz, Pacejka (2010); MF-Tyre 5.2. Within 0.05 and 10 radii.
    #[inline]
    pub fn relaxation_lengths(&self, input: &MagicFormulaInput<N>) -> RelaxationLengths<N> {
        self.relaxation_at(&self.under_load(input))
    }

    #[inline]
    pub(super) fn relaxation_at(&self, at: &Conditions<N>) -> RelaxationLengths<N> {
        let radius = self.dimension.unloaded_radius;
        let clamp = |length: N| {
            let [shortest, longest] = SHARES.map(|share| radius * N::splat(share));
            length.at_least(shortest).at_most(longest)
        };
        RelaxationLengths {
            longitudinal: clamp(self.longitudinal_relaxation(at)),
            lateral: clamp(self.lateral_relaxation(at)),
        }
    }

    #[inline]
    fn longitudinal_relaxation(&self, at: &Conditions<N>) -> N {
        let (c, s, one, zero) = (&self.longitudinal, &self.structural, N::splat(1.0), N::zero());
        let radius = self.dimension.unloaded_radius;
        let carcass = s.longitudinal_stiffness
            * (one + (s.pcfx1 + s.pcfx2 * at.dfz) * at.dfz)
            * (one + s.pcfx3 * at.dpi);
        let by_carcass = at.slip_stiffness / not_zero(carcass);
        let has_carcass = zero.is_below(carcass);
        if !(!has_carcass).any() {
            return by_carcass;
        }
        let usual = radius * N::splat(USUAL_SHARES[0]) * at.load / at.nominal_load;
        if is_zero(c.ptx1) {
            return N::select(has_carcass, by_carcass, usual);
        }
        let share = (c.ptx1 + c.ptx2 * at.dfz) * exp(c.ptx3 * at.dfz);
        let by_load = at.load / at.nominal_load * share * radius * self.scaling.lsgkp;
        let by_formula = N::select(c.ptx1.is_equal(zero), usual, by_load);
        N::select(has_carcass, by_carcass, by_formula)
    }

    #[inline]
    fn lateral_relaxation(&self, at: &Conditions<N>) -> N {
        let (c, s, one, zero) = (&self.lateral, &self.structural, N::splat(1.0), N::zero());
        let (radius, two) = (self.dimension.unloaded_radius, N::splat(2.0));
        let carcass = s.lateral_stiffness
            * (one + (s.pcfy1 + s.pcfy2 * at.dfz) * at.dfz)
            * (one + s.pcfy3 * at.dpi);
        let stiffness = self.cornering_stiffness_at(at).abs();
        let by_carcass = stiffness / not_zero(carcass);
        let has_carcass = zero.is_below(carcass);
        if !(!has_carcass).any() {
            return by_carcass;
        }
        let nominal = not_zero(c.pky1 * at.nominal_load).abs();
        let usual = radius * N::splat(USUAL_SHARES[1]) * stiffness / nominal;
        if is_zero(c.pty1) {
            return N::select(has_carcass, by_carcass, usual);
        }
        let ratio = at.load / (at.nominal_load * not_zero(c.pty2));
        let share = c.pty1 * sin_cos(two * atan(ratio)).0;
        let by_camber = one - c.pky3 * at.inclination.abs();
        let by_load = share * by_camber * radius * self.scaling.lsgal;
        let by_formula = N::select(c.pty1.is_equal(zero), usual, by_load);
        N::select(has_carcass, by_carcass, by_formula)
    }
}
