//! Longitudinal force.

use super::MagicFormula;
use super::conditions::Conditions;
use super::curve::{
    Curve, MOST_FRICTION, MOST_STIFFNESS, Reduction, bounded_shift, clamp, cos_atan, not_zero,
    shape_sign, sine,
};
use super::group::coefficient_group;
use super::scaling::friction_of_shifts;
use crate::math::exp;
use crate::math::lanes::Number;

coefficient_group! {
    /// Coefficients of the longitudinal force (dimensionless).
    LongitudinalCoefficients in "LONGITUDINAL_COEFFICIENTS" {
        /// Shape.
        pcx1: Dimensionless = 1.65,
        /// Friction at the nominal load.
        pdx1: Dimensionless = 1.0,
        /// Friction by load.
        pdx2: Dimensionless = 0.0,
        /// Friction by camber squared.
        pdx3: Dimensionless = 0.0,
        /// Curvature at the nominal load.
        pex1: Dimensionless = 0.0,
        /// Curvature by load.
        pex2: Dimensionless = 0.0,
        /// Curvature by load squared.
        pex3: Dimensionless = 0.0,
        /// Curvature by the sign of the slip.
        pex4: Dimensionless = 0.0,
        /// Slip stiffness by load, at the nominal load.
        pkx1: Dimensionless = 20.0,
        /// Slip stiffness by load squared.
        pkx2: Dimensionless = 0.0,
        /// Exponent of the load in the slip stiffness.
        pkx3: Dimensionless = 0.0,
        /// Horizontal shift at the nominal load.
        phx1: Dimensionless = 0.0,
        /// Horizontal shift by load.
        phx2: Dimensionless = 0.0,
        /// Vertical shift by load, at the nominal load.
        pvx1: Dimensionless = 0.0,
        /// Vertical shift by load squared.
        pvx2: Dimensionless = 0.0,
        /// Slope of the reduction by the slip angle.
        rbx1: Dimensionless = 10.0,
        /// This slope by slip ratio.
        rbx2: Dimensionless = 6.0,
        /// This slope by camber squared.
        rbx3: Dimensionless = 0.0,
        /// Shape of the reduction.
        rcx1: Dimensionless = 1.0,
        /// Curvature of the reduction.
        rex1: Dimensionless = 0.0,
        /// Curvature of the reduction by load.
        rex2: Dimensionless = 0.0,
        /// Shift of the reduction.
        rhx1: Dimensionless = 0.0,
        /// Slip stiffness by pressure.
        ppx1: Dimensionless = 0.0,
        /// Slip stiffness by pressure squared.
        ppx2: Dimensionless = 0.0,
        /// Friction by pressure.
        ppx3: Dimensionless = 0.0,
        /// Friction by pressure squared.
        ppx4: Dimensionless = 0.0,
        /// Relaxation length by load, at the nominal load.
        ptx1: Dimensionless = 0.0,
        /// Relaxation length by load squared.
        ptx2: Dimensionless = 0.0,
        /// Exponent of the load in the relaxation length.
        ptx3: Dimensionless = 0.0,
    }
}

/// The longitudinal force without that of a slip angle, and what other formulas need of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PureLongitudinal<N> {
    /// Whose sine the force is, but for its shift.
    pub(super) curve: Curve<N>,
    /// Dx (N).
    peak: N,
    /// SVx (N).
    vertical: N,
    /// Kxκ (N).
    pub(super) stiffness: N,
    /// κx, the slip ratio with its shift (dimensionless).
    pub(super) shifted_slip: N,
}

impl<N: Number> PureLongitudinal<N> {
    /// Fx0, with the angle of the curve (N).
    #[inline]
    pub(super) fn force(&self, angle: N) -> N {
        self.peak * sine(angle) + self.vertical
    }
}

impl<N: Number> MagicFormula<N> {
    /// μx (dimensionless).
    #[inline]
    fn longitudinal_friction(&self, at: &Conditions<N>) -> N {
        let (c, one) = (&self.longitudinal, N::splat(1.0));
        let by_load = c.pdx1 + c.pdx2 * at.dfz;
        let by_pressure = one + (c.ppx3 + c.ppx4 * at.dpi) * at.dpi;
        let inclination = at.inclination * self.camber_scale(self.scaling.lgax);
        let by_camber = one - c.pdx3 * inclination * inclination;
        let friction = by_load.at_least(N::zero()) * by_pressure.at_least(N::zero()) * by_camber;
        clamp(friction * at.longitudinal_friction, [N::zero(), N::splat(MOST_FRICTION)])
    }

    /// Kxκ (N).
    ///
    /// ```text
    /// Kxκ = Fz (PKX1 + PKX2 dfz) exp(PKX3 dfz) (1 + PPX1 dpi + PPX2 dpi²) LKX
    /// ```
    #[inline]
    pub(super) fn slip_stiffness_at(&self, at: &Conditions<N>) -> N {
        let (c, one) = (&self.longitudinal, N::splat(1.0));
        let by_load = (c.pkx1 + c.pkx2 * at.dfz) * exp(c.pkx3 * at.dfz);
        let by_pressure = one + (c.ppx1 + c.ppx2 * at.dpi) * at.dpi;
        let stiffness = at.load * by_load.at_least(N::zero()) * by_pressure * self.scaling.lkx;
        clamp(stiffness, [N::zero(), N::splat(MOST_STIFFNESS)])
    }

    /// ```text
    /// Fx0 = Dx sin(Cx atan(Bx κx - Ex (Bx κx - atan(Bx κx)))) + SVx
    /// κx = κ + SHx,   Dx = μx Fz,   Bx = Kxκ / (Cx Dx)
    /// ```
    #[inline]
    pub(super) fn pure_longitudinal(&self, at: &Conditions<N>) -> PureLongitudinal<N> {
        let (c, scale, one) = (&self.longitudinal, &self.scaling, N::splat(1.0));
        let shift = bounded_shift((c.phx1 + c.phx2 * at.dfz) * scale.lhx) * at.shift_share;
        let slip = at.slip_ratio + shift;
        let shape = c.pcx1 * scale.lcx;
        let peak = self.longitudinal_friction(at) * at.load;
        let by_load = c.pex1 + (c.pex2 + c.pex3 * at.dfz) * at.dfz;
        let side = shape_sign(self.bounds.shape_sides[0], slip);
        let curvature = by_load * (one - c.pex4 * side) * scale.lex;
        let stiffness = at.slip_stiffness;
        let slope = stiffness / not_zero(shape * peak);
        let vertical = at.load
            * (c.pvx1 + c.pvx2 * at.dfz)
            * scale.lvx
            * friction_of_shifts(at.longitudinal_friction)
            * at.shift_share;
        let curve = Curve { x: slope * slip, shape, curvature: curvature.at_most(one) };
        PureLongitudinal { curve, peak, vertical, stiffness, shifted_slip: slip }
    }

    /// Gxα: what a slip angle leaves of the longitudinal force.
    ///
    /// ```text
    /// Gxα = cos(Cxα atan(Bxα αs - Exα (Bxα αs - atan(Bxα αs)))) / Gxα0,   αs = α* + SHxα
    /// ```
    #[inline]
    pub(super) fn longitudinal_reduction(&self, at: &Conditions<N>) -> Reduction<N> {
        let c = &self.longitudinal;
        let slope = (c.rbx1 + c.rbx3 * at.inclination * at.inclination)
            * cos_atan(c.rbx2 * at.slip_ratio)
            * self.scaling.lxal;
        let curvature = (c.rex1 + c.rex2 * at.dfz).at_most(N::splat(1.0));
        Reduction::new(slope, c.rcx1, curvature, [at.lateral_slip, c.rhx1])
    }
}
