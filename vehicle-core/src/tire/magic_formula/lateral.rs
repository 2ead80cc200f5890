//! Lateral force.

use super::MagicFormula;
use super::conditions::Conditions;
use super::curve::{
    Curve, MOST_FRICTION, MOST_STIFFNESS, Reduction, bounded_shift, clamp, cos_atan, not_zero,
    shape_sign, sine,
};
use super::group::coefficient_group;
use super::scaling::friction_of_shifts;
use crate::math::atan;
use crate::math::lanes::Number;

coefficient_group! {
    /// Coefficients of the lateral force (dimensionless).
    LateralCoefficients in "LATERAL_COEFFICIENTS" {
        /// Shape.
        pcy1: Dimensionless = 1.3,
        /// Friction at the nominal load.
        pdy1: Dimensionless = 1.0,
        /// Friction by load.
        pdy2: Dimensionless = 0.0,
        /// Friction by camber squared.
        pdy3: Dimensionless = 0.0,
        /// Curvature at the nominal load.
        pey1: Dimensionless = 0.0,
        /// Curvature by load.
        pey2: Dimensionless = 0.0,
        /// Curvature by the sign of the slip.
        pey3: Dimensionless = 0.0,
        /// Curvature by camber and the sign of the slip.
        pey4: Dimensionless = 0.0,
        /// Curvature by camber squared.
        pey5: Dimensionless = 0.0,
        /// Largest cornering stiffness by nominal load.
        pky1: Dimensionless = -20.0,
        /// Load by nominal load at which the cornering stiffness is largest.
        pky2: Dimensionless = 2.0,
        /// Cornering stiffness by camber.
        pky3: Dimensionless = 0.0,
        /// Shape of the cornering stiffness by load.
        pky4: Dimensionless = 2.0,
        /// Load of the largest cornering stiffness by camber squared.
        pky5: Dimensionless = 0.0,
        /// Camber stiffness by load, at the nominal load.
        pky6: Dimensionless = 0.0,
        /// Camber stiffness by load squared.
        pky7: Dimensionless = 0.0,
        /// Horizontal shift at the nominal load.
        phy1: Dimensionless = 0.0,
        /// Horizontal shift by load.
        phy2: Dimensionless = 0.0,
        /// Horizontal shift by camber (5.2).
        phy3: Dimensionless = 0.0,
        /// Vertical shift by load, at the nominal load.
        pvy1: Dimensionless = 0.0,
        /// Vertical shift by load squared.
        pvy2: Dimensionless = 0.0,
        /// Vertical shift by load and camber.
        pvy3: Dimensionless = 0.0,
        /// Vertical shift by load squared and camber.
        pvy4: Dimensionless = 0.0,
        /// Slope of the reduction by the slip ratio.
        rby1: Dimensionless = 10.0,
        /// This slope by slip angle.
        rby2: Dimensionless = 6.0,
        /// Shift of the slip angle in this slope.
        rby3: Dimensionless = 0.0,
        /// This slope by camber squared.
        rby4: Dimensionless = 0.0,
        /// Shape of the reduction.
        rcy1: Dimensionless = 1.0,
        /// Curvature of the reduction.
        rey1: Dimensionless = 0.0,
        /// Curvature of the reduction by load.
        rey2: Dimensionless = 0.0,
        /// Shift of the reduction.
        rhy1: Dimensionless = 0.0,
        /// Shift of the reduction by load.
        rhy2: Dimensionless = 0.0,
        /// Force caused by the slip ratio, by load.
        rvy1: Dimensionless = 0.0,
        /// This force by load squared.
        rvy2: Dimensionless = 0.0,
        /// This force by camber.
        rvy3: Dimensionless = 0.0,
        /// This force by slip angle.
        rvy4: Dimensionless = 0.0,
        /// Shape of this force.
        rvy5: Dimensionless = 0.0,
        /// This force by slip ratio.
        rvy6: Dimensionless = 0.0,
        /// Largest cornering stiffness by pressure.
        ppy1: Dimensionless = 0.0,
        /// Load of the largest cornering stiffness by pressure.
        ppy2: Dimensionless = 0.0,
        /// Friction by pressure.
        ppy3: Dimensionless = 0.0,
        /// Friction by pressure squared.
        ppy4: Dimensionless = 0.0,
        /// Camber stiffness by pressure.
        ppy5: Dimensionless = 0.0,
        /// Largest relaxation length by radius.
        pty1: Dimensionless = 0.0,
        /// Load by nominal load at which the relaxation length is largest.
        pty2: Dimensionless = 1.0,
    }
}

/// The lateral force without that of a slip ratio, and what other formulas need of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PureLateral<N> {
    /// Whose sine the force is, but for its shift.
    pub(super) curve: Curve<N>,
    /// Dy (N).
    peak: N,
    /// Kyα (N/rad), not zero.
    pub(super) stiffness: N,
    /// μy (dimensionless).
    pub(super) friction: N,
    /// SHy and SVy (dimensionless, N).
    pub(super) shifts: [N; 2],
    /// By Cy (dimensionless).
    pub(super) slope_and_shape: N,
}

impl<N: Number> PureLateral<N> {
    /// Fy0, with the angle of the curve (N).
    #[inline]
    pub(super) fn force(&self, angle: N) -> N {
        self.peak * sine(angle) + self.shifts[1]
    }
}

/// Camber thrust and shifts (N, dimensionless, N).
struct Shifts<N> {
    horizontal: N,
    vertical: N,
}

impl<N: Number> MagicFormula<N> {
    /// Kyα (N/rad); negative, as the force opposes the slip.
    ///
    /// ```text
    /// Kyα = PKY1 Fz0 (1 + PPY1 dpi) (1 - PKY3 |γ|) sin(PKY4 atan(Fz / (Fz0 q))) LKY
    /// q   = (PKY2 + PKY5 γ²) (1 + PPY2 dpi)
    /// ```
    #[inline]
    pub(super) fn cornering_stiffness_at(&self, at: &Conditions<N>) -> N {
        self.cornering_stiffness_by(at, at.tilt, at.stiffness_by_load)
    }

    /// sin(PKY4 atan(Fz / (Fz0 q))) at an `inclination` (dimensionless).
    #[inline]
    pub(super) fn stiffness_by_load(&self, at: &Conditions<N>, inclination: N) -> N {
        let (c, one) = (&self.lateral, N::splat(1.0));
        let saturation = (c.pky2 + c.pky5 * inclination * inclination) * (one + c.ppy2 * at.dpi);
        let ratio = at.load / (at.nominal_load * not_zero(saturation));
        sine(c.pky4 * atan(ratio))
    }

    #[inline]
    fn cornering_stiffness_by(&self, at: &Conditions<N>, inclination: N, by_load: N) -> N {
        let (c, one) = (&self.lateral, N::splat(1.0));
        let most = c.pky1 * at.nominal_load * (one + c.ppy1 * at.dpi);
        let by_camber = one - c.pky3 * inclination.abs();
        let bound = N::splat(MOST_STIFFNESS);
        clamp(most * by_camber * by_load * self.scaling.lky, [-bound, bound])
    }

    /// μy at an `inclination` (dimensionless).
    #[inline]
    fn lateral_friction(&self, at: &Conditions<N>, inclination: N) -> N {
        let (c, one) = (&self.lateral, N::splat(1.0));
        let by_load = c.pdy1 + c.pdy2 * at.dfz;
        let by_pressure = one + (c.ppy3 + c.ppy4 * at.dpi) * at.dpi;
        let by_camber = one - c.pdy3 * inclination * inclination;
        // Files of measurements with other signs have a negative friction and slope.
        let friction = (by_load * by_pressure).abs() * by_camber * at.lateral_friction;
        clamp(friction, [N::zero(), N::splat(MOST_FRICTION)])
    }

    /// SHy and SVy.
    ///
    /// ```text
    /// SVyγ = Fz (PVY3 + PVY4 dfz) γ LKYC λ'μy
    /// SVy  = Fz (PVY1 + PVY2 dfz) LVY λ'μy + SVyγ
    /// SHy  = (PHY1 + PHY2 dfz) LHY + (Kyγ0 γ - SVyγ) / Kyα     6.1, 6.2
    /// SHy  = (PHY1 + PHY2 dfz) LHY + PHY3 γ LKYC               5.2, 6.0
    /// Kyγ0 = Fz (PKY6 + PKY7 dfz) (1 + PPY5 dpi) LKYC
    /// ```
    #[inline]
    fn lateral_shifts(&self, at: &Conditions<N>, inclination: N, stiffness: N) -> Shifts<N> {
        let (c, scale, one) = (&self.lateral, &self.scaling, N::splat(1.0));
        let friction = friction_of_shifts(at.lateral_friction);
        let by_camber = at.load * (c.pvy3 + c.pvy4 * at.dfz) * inclination * scale.lkyc * friction;
        let vertical = at.load * (c.pvy1 + c.pvy2 * at.dfz) * scale.lvy * friction;
        let horizontal = (c.phy1 + c.phy2 * at.dfz) * scale.lhy;
        let camber_stiffness =
            at.load * (c.pky6 + c.pky7 * at.dfz) * (one + c.ppy5 * at.dpi) * scale.lkyc;
        let thrust = (camber_stiffness * inclination - by_camber) / stiffness;
        let shifted = c.phy3 * inclination * scale.lkyc;
        let by_inclination = N::select(self.has_camber_stiffness, thrust, shifted);
        Shifts {
            horizontal: bounded_shift(horizontal + by_inclination) * at.shift_share,
            vertical: (vertical + by_camber) * at.shift_share,
        }
    }

    /// ```text
    /// Fy0 = Dy sin(Cy atan(By αy - Ey (By αy - atan(By αy)))) + SVy
    /// αy = α* + SHy,   Dy = μy Fz,   By = Kyα / (Cy Dy)
    /// ```
    #[inline]
    pub(super) fn pure_lateral(&self, at: &Conditions<N>) -> PureLateral<N> {
        self.pure_lateral_by(at, at.tilt, at.stiffness_by_load)
    }

    /// Pure lateral force at an `inclination` (dimensionless) at which there is this share of the
    /// cornering stiffness.
    #[inline]
    pub(super) fn pure_lateral_by(
        &self,
        at: &Conditions<N>,
        inclination: N,
        by_load: N,
    ) -> PureLateral<N> {
        let (c, scale, one) = (&self.lateral, &self.scaling, N::splat(1.0));
        let stiffness = not_zero(self.cornering_stiffness_by(at, inclination, by_load));
        let shifts = self.lateral_shifts(at, inclination, stiffness);
        let slip = at.lateral_slip + shifts.horizontal;
        let shape = c.pcy1 * scale.lcy;
        let friction = self.lateral_friction(at, inclination);
        let peak = friction * at.load;
        let side = shape_sign(self.bounds.shape_sides[1], slip);
        let asymmetry = c.pey3 + c.pey4 * inclination;
        let curvature = (c.pey1 + c.pey2 * at.dfz)
            * (one + c.pey5 * inclination * inclination - asymmetry * side)
            * scale.ley;
        let slope = stiffness / not_zero(shape * peak);
        PureLateral {
            curve: Curve { x: slope * slip, shape, curvature: curvature.at_most(one) },
            peak,
            stiffness,
            friction,
            shifts: [shifts.horizontal, shifts.vertical],
            slope_and_shape: slope * shape,
        }
    }

    /// Gyκ: what a slip ratio leaves of the lateral force.
    ///
    /// ```text
    /// Gyκ = cos(Cyκ atan(Byκ κs - Eyκ (Byκ κs - atan(Byκ κs)))) / Gyκ0,   κs = κ + SHyκ
    /// ```
    #[inline]
    pub(super) fn lateral_reduction(&self, at: &Conditions<N>, inclination: N) -> Reduction<N> {
        let c = &self.lateral;
        let slope = (c.rby1 + c.rby4 * inclination * inclination)
            * cos_atan(c.rby2 * (at.lateral_slip - c.rby3))
            * self.scaling.lyka;
        let curvature = (c.rey1 + c.rey2 * at.dfz).at_most(N::splat(1.0));
        Reduction::new(slope, c.rcy1, curvature, [at.slip_ratio, c.rhy1 + c.rhy2 * at.dfz])
    }

    /// SVyκ: lateral force that the slip ratio causes (N).
    ///
    /// ```text
    /// SVyκ = μy Fz (RVY1 + RVY2 dfz + RVY3 γ) cos(atan(RVY4 α*)) sin(RVY5 atan(RVY6 κ)) LVYKA
    /// ```
    #[inline]
    pub(super) fn slip_ratio_force(&self, at: &Conditions<N>, friction: N) -> N {
        let c = &self.lateral;
        let share = c.rvy1 + c.rvy2 * at.dfz + c.rvy3 * at.inclination;
        let most = friction * at.load * share * cos_atan(c.rvy4 * at.lateral_slip);
        most * sine(c.rvy5 * atan(c.rvy6 * at.slip_ratio)) * self.scaling.lvyka
    }
}
