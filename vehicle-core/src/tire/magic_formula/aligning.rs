//! Aligning moment.

use super::MagicFormula;
use super::conditions::Conditions;
use super::curve::{Curve, MOST_SHIFT, bounded_shift, clamp, cos_atan, cosine, not_zero};
use super::group::coefficient_group;
use super::lateral::PureLateral;
use crate::math::lanes::Number;
use crate::math::{PI, atan};

coefficient_group! {
    /// Coefficients of the aligning moment (dimensionless but for `mbelt`).
    AligningCoefficients in "ALIGNING_COEFFICIENTS" {
        /// Slope of the trail at the nominal load.
        qbz1: Dimensionless = 10.0,
        /// Slope of the trail by load.
        qbz2: Dimensionless = 0.0,
        /// Slope of the trail by load squared.
        qbz3: Dimensionless = 0.0,
        /// Slope of the trail by camber.
        qbz4: Dimensionless = 0.0,
        /// Slope of the trail by the size of the camber.
        qbz5: Dimensionless = 0.0,
        /// Slope of the trail by camber squared.
        qbz6: Dimensionless = 0.0,
        /// Slope of the residual moment by cornering stiffness.
        qbz9: Dimensionless = 0.0,
        /// Slope of the residual moment by that of the lateral force.
        qbz10: Dimensionless = 0.0,
        /// Shape of the trail.
        qcz1: Dimensionless = 1.1,
        /// Largest trail at the nominal load.
        qdz1: Dimensionless = 0.1,
        /// Largest trail by load.
        qdz2: Dimensionless = 0.0,
        /// Largest trail by camber.
        qdz3: Dimensionless = 0.0,
        /// Largest trail by camber squared.
        qdz4: Dimensionless = 0.0,
        /// Residual moment at the nominal load.
        qdz6: Dimensionless = 0.0,
        /// Residual moment by load.
        qdz7: Dimensionless = 0.0,
        /// Residual moment by camber.
        qdz8: Dimensionless = 0.0,
        /// Residual moment by camber and load.
        qdz9: Dimensionless = 0.0,
        /// Residual moment by camber squared.
        qdz10: Dimensionless = 0.0,
        /// Residual moment by camber squared and load.
        qdz11: Dimensionless = 0.0,
        /// Curvature of the trail at the nominal load.
        qez1: Dimensionless = 0.0,
        /// Curvature of the trail by load.
        qez2: Dimensionless = 0.0,
        /// Curvature of the trail by load squared.
        qez3: Dimensionless = 0.0,
        /// Curvature of the trail by the side of the slip.
        qez4: Dimensionless = 0.0,
        /// Curvature of the trail by camber and the side of the slip.
        qez5: Dimensionless = 0.0,
        /// Shift of the trail at the nominal load.
        qhz1: Dimensionless = 0.0,
        /// Shift of the trail by load.
        qhz2: Dimensionless = 0.0,
        /// Shift of the trail by camber.
        qhz3: Dimensionless = 0.0,
        /// Shift of the trail by camber and load.
        qhz4: Dimensionless = 0.0,
        /// Lever of the longitudinal force by radius.
        ssz1: Dimensionless = 0.0,
        /// This lever by lateral force.
        ssz2: Dimensionless = 0.0,
        /// This lever by camber.
        ssz3: Dimensionless = 0.0,
        /// This lever by camber and load.
        ssz4: Dimensionless = 0.0,
        /// Trail by pressure.
        ppz1: Dimensionless = 0.0,
        /// Residual moment by pressure.
        ppz2: Dimensionless = 0.0,
        /// Gyroscopic moment.
        qtz1: Dimensionless = 0.0,
        /// Mass of the belt (kg).
        mbelt: Mass = 0.0,
    }
}

/// Forces from which the aligning moment follows.
pub(super) struct Forces<'a, N> {
    /// The lateral force without slip ratio.
    pub(super) lateral: &'a PureLateral<N>,
    /// Fx (N).
    pub(super) longitudinal_force: N,
    /// Fy (N).
    pub(super) lateral_force: N,
    /// F'y, on which the trail acts (N).
    pub(super) trailing_force: N,
    /// t without the cosine of the slip angle (m).
    pub(super) trail: N,
}

/// The trail of the lateral force, but for the cosine of the slip angle.
pub(super) struct Trail<N> {
    /// Whose cosine it is.
    pub(super) curve: Curve<N>,
    /// Dt; none without friction, where there is no force that a trail could act on (m).
    peak: N,
}

impl<N: Number> Trail<N> {
    /// It, with the angle of its curve (m).
    #[inline]
    pub(super) fn length(&self, angle: N) -> N {
        self.peak * cosine(angle)
    }
}

impl<N: Number> MagicFormula<N> {
    /// ```text
    /// Mz = -t F'y + Mzr + s Fx
    /// t  = Dt cos(Ct atan(Bt αt - Et (Bt αt - atan(Bt αt)))) cos α,   αt = sqrt((α* + SHt)² + (Kxκ κ / Kyα)²)
    /// s  = R0 (SSZ1 + SSZ2 Fy / Fz0 + (SSZ3 + SSZ4 dfz) γ) LS
    /// ```
    #[inline]
    pub(super) fn aligning_moment(&self, at: &Conditions<N>, forces: &Forces<'_, N>) -> N {
        let (c, scale) = (&self.aligning, &self.scaling);
        let inclination = at.inclination * self.camber_scale(scale.lgaz);
        let stiffness = forces.lateral.stiffness;
        let along = at.slip_stiffness * at.slip_ratio / stiffness;
        let cosine = cos_atan(at.slip_tangent);
        let trail = forces.trail * cosine;

        let [horizontal, vertical] = forces.lateral.shifts;
        let residual = at.lateral_slip + horizontal + bounded_shift(vertical / stiffness);
        let residual =
            self.residual_moment(at, forces.lateral, inclination, [residual, along]) * cosine;

        let radius = self.dimension.unloaded_radius;
        let lever = c.ssz1
            + c.ssz2 * forces.lateral_force / at.nominal_load
            + (c.ssz3 + c.ssz4 * at.dfz) * at.inclination;
        let lever = radius * lever * scale.ls;
        residual - trail * forces.trailing_force + lever * forces.longitudinal_force
    }

    /// t without the cosine of the slip angle (m).
    ///
    /// ```text
    /// Bt = (QBZ1 + QBZ2 dfz + QBZ3 dfz²) (1 + QBZ4 γ + QBZ5 |γ| + QBZ6 γ²) LKY / LMUY
    /// Dt = Fz R0/Fz0 (QDZ1 + QDZ2 dfz) (1 - PPZ1 dpi) (1 + QDZ3 γ + QDZ4 γ²) LTR
    /// Et = (QEZ1 + QEZ2 dfz + QEZ3 dfz²) (1 + (QEZ4 + QEZ5 γ) 2/π atan(Bt Ct αt))
    /// ```
    ///
    /// From 6.1 on, QDZ3 belongs to |γ|.
    #[inline]
    pub(super) fn trail(&self, at: &Conditions<N>, pure: &PureLateral<N>) -> Trail<N> {
        let (c, one) = (&self.aligning, N::splat(1.0));
        let inclination = at.inclination * self.camber_scale(self.scaling.lgaz);
        let shift = c.qhz1 + c.qhz2 * at.dfz + (c.qhz3 + c.qhz4 * at.dfz) * inclination;
        let across = at.lateral_slip + bounded_shift(shift) * at.shift_share;
        let along = at.slip_stiffness * at.slip_ratio / pure.stiffness;
        let size = inclination.abs();
        let slope = (c.qbz1 + (c.qbz2 + c.qbz3 * at.dfz) * at.dfz)
            * (one + c.qbz4 * inclination + (c.qbz5 + c.qbz6 * size) * size)
            * self.scaling.lky
            / not_zero(at.lateral_friction);
        let sided = N::select(self.has_camber_stiffness, size, inclination);
        let peak = at.load * self.dimension.unloaded_radius / at.nominal_load
            * (c.qdz1 + c.qdz2 * at.dfz)
            * (one - c.ppz1 * at.dpi)
            * (one + c.qdz3 * sided + c.qdz4 * inclination * inclination)
            * self.scaling.ltr;
        let most = self.dimension.unloaded_radius * N::splat(MOST_SHIFT);
        let peak = clamp(peak, [-most, most]) * at.direction;
        let side = N::splat(2.0 / PI) * atan(slope * c.qcz1 * across);
        let curvature = (c.qez1 + (c.qez2 + c.qez3 * at.dfz) * at.dfz)
            * (one + (c.qez4 + c.qez5 * inclination) * side);
        let equivalent = (across * across + along * along).sqrt();
        let has_grip = N::zero().is_below(pure.friction);
        Trail {
            curve: Curve {
                x: slope * equivalent,
                shape: c.qcz1,
                curvature: curvature.at_most(one),
            },
            peak: N::select(has_grip, peak, N::zero()),
        }
    }

    /// Mzr without the cosine of the slip angle (N·m).
    ///
    /// ```text
    /// Br = QBZ9 LKY / LMUY + QBZ10 By Cy
    /// Dr = Fz R0 ((QDZ6 + QDZ7 dfz) LRES
    ///      + ((QDZ8 + QDZ9 dfz) (1 + PPZ2 dpi) + (QDZ10 + QDZ11 dfz) |γ|) γ LKZC) LMUY
    /// Mzr = Dr cos(atan(Br αr)),   αr = sqrt((α* + SHy + SVy / Kyα)² + (Kxκ κ / Kyα)²)
    /// ```
    #[inline]
    fn residual_moment(
        &self,
        at: &Conditions<N>,
        pure: &PureLateral<N>,
        inclination: N,
        [across, along]: [N; 2],
    ) -> N {
        let (c, scale, one) = (&self.aligning, &self.scaling, N::splat(1.0));
        let slope =
            c.qbz9 * scale.lky / not_zero(at.lateral_friction) + c.qbz10 * pure.slope_and_shape;
        let by_camber = (c.qdz8 + c.qdz9 * at.dfz) * (one + c.ppz2 * at.dpi)
            + (c.qdz10 + c.qdz11 * at.dfz) * inclination.abs();
        let share = (c.qdz6 + c.qdz7 * at.dfz) * scale.lres + by_camber * inclination * scale.lkzc;
        let share = bounded_shift(share) * at.lateral_friction * at.direction;
        let peak = at.load * self.dimension.unloaded_radius * share;
        let equivalent = (across * across + along * along).sqrt();
        peak * cos_atan(slope * equivalent)
    }
}
