//! Scale factors, by which a tire is changed without being measured again.

use super::group::coefficient_group;
use crate::math::lanes::Number;

coefficient_group! {
    /// Scale factors (dimensionless); all 1 but for `lmuv`, which is 0.
    ScalingCoefficients in "SCALING_COEFFICIENTS" {
        /// Scale of the nominal load.
        lfzo: Dimensionless = 1.0,
        /// Scale of the shape of the longitudinal force.
        lcx: Dimensionless = 1.0,
        /// Scale of the longitudinal friction.
        lmux: Dimensionless = 1.0,
        /// Scale of the curvature of the longitudinal force.
        lex: Dimensionless = 1.0,
        /// Scale of the slip stiffness.
        lkx: Dimensionless = 1.0,
        /// Scale of the horizontal shift of the longitudinal force.
        lhx: Dimensionless = 1.0,
        /// Scale of the vertical shift of the longitudinal force.
        lvx: Dimensionless = 1.0,
        /// Scale of the camber in the longitudinal force (5.2).
        lgax: Dimensionless = 1.0,
        /// Scale of the shape of the lateral force.
        lcy: Dimensionless = 1.0,
        /// Scale of the lateral friction.
        lmuy: Dimensionless = 1.0,
        /// Scale of the curvature of the lateral force.
        ley: Dimensionless = 1.0,
        /// Scale of the cornering stiffness.
        lky: Dimensionless = 1.0,
        /// Scale of the camber stiffness.
        lkyc: Dimensionless = 1.0,
        /// Scale of the torsional camber stiffness.
        lkzc: Dimensionless = 1.0,
        /// Scale of the horizontal shift of the lateral force.
        lhy: Dimensionless = 1.0,
        /// Scale of the vertical shift of the lateral force.
        lvy: Dimensionless = 1.0,
        /// Scale of the camber in the lateral force (5.2).
        lgay: Dimensionless = 1.0,
        /// Scale of the pneumatic trail.
        ltr: Dimensionless = 1.0,
        /// Scale of the residual moment.
        lres: Dimensionless = 1.0,
        /// Scale of the camber in the aligning moment (5.2).
        lgaz: Dimensionless = 1.0,
        /// Scale of the influence of the slip angle on the longitudinal force.
        lxal: Dimensionless = 1.0,
        /// Scale of the influence of the slip ratio on the lateral force.
        lyka: Dimensionless = 1.0,
        /// Scale of the lateral force that the slip ratio causes.
        lvyka: Dimensionless = 1.0,
        /// Scale of the lever of the longitudinal force.
        ls: Dimensionless = 1.0,
        /// Scale of the relaxation length of the longitudinal force.
        lsgkp: Dimensionless = 1.0,
        /// Scale of the relaxation length of the lateral force.
        lsgal: Dimensionless = 1.0,
        /// Scale of the gyroscopic moment.
        lgyr: Dimensionless = 1.0,
        /// Scale of the overturning moment.
        lmx: Dimensionless = 1.0,
        /// Scale of the vertical shift of the overturning moment.
        lvmx: Dimensionless = 1.0,
        /// Scale of the rolling resistance.
        lmy: Dimensionless = 1.0,
        /// Scale of the moment of a tire that is turned at standstill.
        lmp: Dimensionless = 1.0,
        /// How much friction falls with the sliding speed.
        lmuv: Dimensionless = 0.0,
    }
}

/// Friction of the vertical shifts, λ': that of a slippery road takes less from them than from the
/// peak.
///
/// ```text
/// λ' = A λ / (1 + (A - 1) λ),   A = 10
/// ```
#[inline]
pub(super) fn friction_of_shifts<N: Number>(friction: N) -> N {
    let (one, ten, nine) = (N::splat(1.0), N::splat(10.0), N::splat(9.0));
    ten * friction / (one + nine * friction)
}
