//! Where the formulas are asked: inputs within their bounds, and what follows from them alone.

use super::curve::{clamp, not_zero};
use super::{MagicFormula, MagicFormulaInput};
use crate::math::lanes::{Mask, Number};
use crate::math::{Real, atan, sin_cos};
use crate::tire::smooth_sign::smooth_sign;

/// Relative changes of pressure above this count as this (dimensionless).
const MOST_PRESSURE: Real = 3.0;

/// Where formulas are asked: inputs within their bounds, and what all formulas need of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions<N> {
    /// Fz (N).
    pub(super) load: N,
    /// By which forces are multiplied, as the load is below its range (dimensionless).
    pub(super) load_share: N,
    /// Fz0' (N).
    pub(super) nominal_load: N,
    /// Fz / Fz0' - 1 (dimensionless).
    pub(super) dfz: N,
    /// p / p0 - 1 (dimensionless).
    pub(super) dpi: N,
    /// κ (dimensionless).
    pub(super) slip_ratio: N,
    /// tan α (dimensionless).
    pub(super) slip_tangent: N,
    /// α*: the tangent from 6.1 on, the angle before (dimensionless).
    pub(super) lateral_slip: N,
    /// γ*: the sine from 6.1 on, the angle before (dimensionless).
    pub(super) inclination: N,
    /// γ*, scaled, as the lateral force takes it (dimensionless).
    pub(super) tilt: N,
    /// Kxκ (N).
    pub(super) slip_stiffness: N,
    /// How much of the largest cornering stiffness there is (dimensionless).
    pub(super) stiffness_by_load: N,
    /// λμx (dimensionless).
    pub(super) longitudinal_friction: N,
    /// λμy (dimensionless).
    pub(super) lateral_friction: N,
    /// Speed along the rolling direction (m/s).
    pub(super) forward_speed: N,
    /// Which way the tire rolls: from -1 to 1, the ends above VXLOW (dimensionless).
    pub(super) direction: N,
    /// How much of the shifts acts: 0 at standstill, 1 above VXLOW (dimensionless).
    pub(super) shift_share: N,
}

impl<N: Number> MagicFormula<N> {
    /// Fz0' (N).
    #[inline]
    pub(super) fn nominal_load(&self) -> N {
        self.vertical.fnomin * self.scaling.lfzo
    }

    /// dpi (dimensionless).
    #[inline]
    pub(super) fn relative_pressure(&self, pressure: N) -> N {
        let (zero, one) = (N::zero(), N::splat(1.0));
        let nominal = self.pressure.nompres;
        let own = N::select(pressure.is_at_most(zero), self.pressure.inflpres, pressure);
        let bounded = clamp(own, self.bounds.pressure);
        let relative = bounded / not_zero(nominal) - one;
        let is_known = zero.is_below(nominal) & zero.is_below(own);
        N::select(is_known, clamp(relative, [N::splat(-0.9), N::splat(MOST_PRESSURE)]), zero)
    }

    #[inline]
    pub(super) fn conditions(&self, input: &MagicFormulaInput<N>) -> Conditions<N> {
        self.with_slips(self.under_load(input), input)
    }

    /// Conditions that do not depend on slips, which are zero.
    #[inline]
    pub(super) fn under_load(&self, input: &MagicFormulaInput<N>) -> Conditions<N> {
        let (zero, one) = (N::zero(), N::splat(1.0));
        let nominal_load = self.nominal_load();
        let [least, most] = self.bounds.load;
        let load = clamp(input.load, [least, most]);
        let is_light = input.load.is_below(least);
        let load_share = N::select(is_light, input.load.at_least(zero) / not_zero(least), one);
        let inclination = clamp(input.inclination, self.bounds.inclination);
        let inclination = N::select(self.has_camber_stiffness, sin_cos(inclination).0, inclination);
        let (direction, shift_share) = self.rolling(input.forward_speed);
        let at = Conditions {
            load,
            load_share,
            nominal_load,
            dfz: load / nominal_load - one,
            dpi: self.relative_pressure(input.inflation_pressure),
            slip_ratio: zero,
            slip_tangent: zero,
            lateral_slip: zero,
            inclination,
            tilt: inclination * self.camber_scale(self.scaling.lgay),
            slip_stiffness: zero,
            stiffness_by_load: zero,
            longitudinal_friction: zero,
            lateral_friction: zero,
            forward_speed: clamp(input.forward_speed, [N::splat(-1e3), N::splat(1e3)]),
            direction,
            shift_share,
        };
        Conditions {
            slip_stiffness: self.slip_stiffness_at(&at),
            stiffness_by_load: self.stiffness_by_load(&at, at.tilt),
            ..at
        }
    }

    /// The conditions `at` with the slips and the friction of `input`.
    #[inline]
    pub(super) fn with_slips(
        &self,
        at: Conditions<N>,
        input: &MagicFormulaInput<N>,
    ) -> Conditions<N> {
        let (zero, one) = (N::zero(), N::splat(1.0));
        let slip_ratio = clamp(input.slip_ratio, self.bounds.slip_ratio);
        let slip_tangent = clamp(input.slip_tangent, self.bounds.slip_tangent);
        let is_new = self.has_camber_stiffness;
        let lateral_slip = if (!is_new).any() {
            N::select(is_new, slip_tangent, atan(slip_tangent))
        } else {
            slip_tangent
        };
        let sliding = (slip_ratio * slip_ratio + slip_tangent * slip_tangent).sqrt();
        let sliding =
            sliding * (input.forward_speed / self.model.longvl).abs().at_most(N::splat(10.0));
        let friction = input.friction.at_least(zero).at_most(N::splat(1e3))
            / (one + self.scaling.lmuv * sliding);
        Conditions {
            slip_ratio,
            slip_tangent,
            lateral_slip,
            longitudinal_friction: self.scaling.lmux * friction,
            lateral_friction: self.scaling.lmuy * friction,
            ..at
        }
    }

    /// Which way a tire at `speed` (m/s) rolls, and how much of the shifts acts.
    ///
    /// ```text
    /// d = smooth_sign(V / VXLOW),   share = |d|
    /// ```
    #[inline]
    pub(super) fn rolling(&self, speed: N) -> (N, N) {
        let direction = smooth_sign(speed / not_zero(self.model.vxlow));
        (direction, direction.abs())
    }

    /// The scale factor of camber, which is 1 from 6.1 on.
    #[inline]
    pub(super) fn camber_scale(&self, scale: N) -> N {
        N::select(self.has_camber_stiffness, N::splat(1.0), scale)
    }
}
