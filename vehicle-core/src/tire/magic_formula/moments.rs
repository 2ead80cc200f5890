//! Overturning moment and rolling resistance.

use super::MagicFormula;
use super::conditions::Conditions;
use super::curve::is_zero;
use super::group::coefficient_group;
use crate::math::lanes::Number;
use crate::math::{Real, atan, cos, exp, ln, sin_cos};

coefficient_group! {
    /// Coefficients of the overturning moment (dimensionless).
    OverturningCoefficients in "OVERTURNING_COEFFICIENTS" {
        /// Constant moment.
        qsx1: Dimensionless = 0.0,
        /// By camber.
        qsx2: Dimensionless = 0.0,
        /// By lateral force.
        qsx3: Dimensionless = 0.0,
        /// Size of the part that swings with load, camber and lateral force.
        qsx4: Dimensionless = 0.0,
        /// Shape of the part that swings, by load.
        qsx5: Dimensionless = 0.0,
        /// Slope of the part that swings, by load.
        qsx6: Dimensionless = 0.0,
        /// Slope of the part that swings, by camber.
        qsx7: Dimensionless = 0.0,
        /// Shape of the part that swings, by lateral force.
        qsx8: Dimensionless = 0.0,
        /// Slope of the part that swings, by lateral force.
        qsx9: Dimensionless = 0.0,
        /// By camber and load.
        qsx10: Dimensionless = 0.0,
        /// Slope of this by load.
        qsx11: Dimensionless = 0.0,
        /// By camber squared, with its sign (6.2).
        qsx12: Dimensionless = 0.0,
        /// By lateral force, whatever the load (6.2).
        qsx13: Dimensionless = 0.0,
        /// By lateral force and camber, whatever the load (6.2).
        qsx14: Dimensionless = 0.0,
        /// Change of the camber's part by pressure.
        ppmx1: Dimensionless = 0.0,
    }
}

coefficient_group! {
    /// Coefficients of the rolling resistance (dimensionless).
    RollingCoefficients in "ROLLING_COEFFICIENTS" {
        /// Constant.
        qsy1: Dimensionless = 0.0,
        /// By longitudinal force.
        qsy2: Dimensionless = 0.0,
        /// By speed.
        qsy3: Dimensionless = 0.0,
        /// By the fourth power of speed.
        qsy4: Dimensionless = 0.0,
        /// By camber squared.
        qsy5: Dimensionless = 0.0,
        /// By load and camber squared.
        qsy6: Dimensionless = 0.0,
        /// Exponent of the load.
        qsy7: Dimensionless = 1.0,
        /// Exponent of the pressure.
        qsy8: Dimensionless = 0.0,
    }
}

impl<N: Number> MagicFormula<N> {
    /// Mx (N·m).
    ///
    /// ```text
    /// Mx = s R0 LMX (Fz (QSX1 LVMX - QSX2 γ (1 + PPMX1 dpi) - QSX12 γ |γ| + QSX3 Fy/Fz0
    ///                    + QSX4 cos(QSX5 atan((QSX6 Fz/Fz0)²)) sin(QSX7 γ + QSX8 atan(QSX9 Fy/Fz0))
    ///                    + QSX10 atan(QSX11 Fz/Fz0) γ)
    ///                + Fy (QSX13 + QSX14 |γ|))
    /// ```
    ///
    /// with the share `s` of [`Conditions::shift_share`]: 0 at standstill, 1 above VXLOW.
    #[inline]
    pub(super) fn overturning_moment(&self, at: &Conditions<N>, lateral_force: N) -> N {
        let (c, scale, one) = (&self.overturning, &self.scaling, N::splat(1.0));
        let inclination = at.inclination;
        let (load, force) = (at.load / at.nominal_load, lateral_force / at.nominal_load);
        // Most tires have none of the parts that need an arc tangent.
        let swinging = if is_zero(c.qsx4) {
            N::zero()
        } else {
            let relative = c.qsx6 * load;
            c.qsx4
                * cos(c.qsx5 * atan(relative * relative))
                * sin_cos(c.qsx7 * inclination + c.qsx8 * atan(c.qsx9 * force)).0
        };
        let by_load = if is_zero(c.qsx10) { N::zero() } else { c.qsx10 * atan(c.qsx11 * load) };
        let by_camber = by_load - c.qsx2 * (one + c.ppmx1 * at.dpi) - c.qsx12 * inclination.abs();
        let share = c.qsx1 * scale.lvmx + by_camber * inclination + c.qsx3 * force + swinging;
        let by_force = lateral_force * (c.qsx13 + c.qsx14 * inclination.abs());
        let moment = at.load * share + by_force;
        self.dimension.unloaded_radius * scale.lmx * moment * at.shift_share
    }

    /// Size of My (N·m), which acts against the rolling wheel.
    ///
    /// ```text
    /// |My| = R0 Fz0 LMY (Fz/Fz0)^QSY7 (p/p0)^QSY8
    ///      (QSY1 + QSY2 Fx/Fz0 + QSY3 |V/V0| + QSY4 (V/V0)⁴ + (QSY5 + QSY6 Fz/Fz0) γ²)
    /// ```
    #[inline]
    pub(super) fn rolling_moment(&self, at: &Conditions<N>, longitudinal_force: N) -> N {
        let c = &self.rolling;
        let load = at.load / at.nominal_load;
        let speed = (at.forward_speed / self.model.longvl).abs();
        let speed_squared = speed * speed;
        let share = c.qsy1
            + c.qsy2 * longitudinal_force / at.nominal_load
            + c.qsy3 * speed
            + c.qsy4 * speed_squared * speed_squared
            + (c.qsy5 + c.qsy6 * load) * at.inclination * at.inclination;
        let by_load = powers(load, c.qsy7);
        let by_pressure = powers(N::splat(1.0) + at.dpi, c.qsy8);
        // A wheel never speeds itself up.
        let resistance = share.at_least(N::zero()) * by_load * by_pressure * self.scaling.lmy;
        self.dimension.unloaded_radius * at.nominal_load * resistance
    }
}

/// `base` to the power of `exponent` in each lane.
#[inline]
fn powers<N: Number>(base: N, exponent: N) -> N {
    let (zero, one) = (N::zero(), N::splat(1.0));
    let is_plain = exponent.is_equal(zero) | exponent.is_equal(one);
    let plain = N::select(exponent.is_equal(zero), one, base);
    if crate::math::lanes::Mask::any(!is_plain) {
        let raised = exp(exponent * ln(base.at_least(N::splat(Real::MIN_POSITIVE))));
        N::select(is_plain, plain, raised)
    } else {
        plain
    }
}
