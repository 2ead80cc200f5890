//! TMeasy: few parameters of a plain meaning, each at two loads.

use super::lane_params::lane_params;
use super::saturation::{length, not_zero, smooth_step};
use super::steady::{RollingTire, SteadyInput, SteadyLanes, SteadyLaw};
use crate::error::{Bound, ParamCheck};
use crate::math::lanes::{MAX_LANES, Number};
use crate::math::{Real, sin_cos};
use crate::tire::TireOutput;
use crate::tire::magic_formula::RelaxationLengths;

/// Bound of forces and slopes (N).
const FORCE: Bound = Bound::Within(1.0, 1e8);
/// Bound of slips (dimensionless).
const SLIP: Bound = Bound::Within(0.001, 100.0);
/// Share of the rolling speed below which a wheel counts as locked (dimensionless).
const LOCKED: Real = 0.02;
/// Smallest slip of a peak under a light load, by that under the nominal load (dimensionless).
const SMALLEST_PEAK: Real = 0.1;

lane_params! {
    /// How force follows slip in one direction: a slope, a peak, and sliding.
    TMeasyCurve {
        /// Slope at zero slip under the nominal load (N).
        slope: FORCE,
        /// Slope at zero slip under twice the nominal load (N).
        slope_at_double_load: FORCE,
        /// Largest force under the nominal load (N).
        peak_force: FORCE,
        /// Largest force under twice the nominal load (N).
        peak_force_at_double_load: FORCE,
        /// Slip of the largest force under the nominal load (dimensionless).
        peak_slip: SLIP,
        /// Slip of the largest force under twice the nominal load (dimensionless).
        peak_slip_at_double_load: SLIP,
        /// Force of a tire that slides under the nominal load (N).
        sliding_force: FORCE,
        /// Force of a tire that slides under twice the nominal load (N).
        sliding_force_at_double_load: FORCE,
        /// Slip from which on the tire slides under the nominal load (dimensionless).
        sliding_slip: SLIP,
        /// Slip from which on the tire slides under twice the nominal load (dimensionless).
        sliding_slip_at_double_load: SLIP,
    }
}

lane_params! {
    /// Numbers of TMeasy that belong to no direction.
    TMeasyCommon {
        /// N0 (N).
        nominal_load: Bound::Within(1.0, 1e7),
        /// Friction of the road on which forces were measured (dimensionless).
        nominal_friction: Bound::Within(0.01, 10.0),
        /// Trail at small slip under the nominal load (m).
        trail: Bound::Within(0.0, 10.0),
        /// Lateral slip at which the trail is zero for the first time (dimensionless).
        zero_trail_slip: SLIP,
        /// Lateral slip from which on the tire slides and has no trail (dimensionless).
        sliding_trail_slip: SLIP,
        /// Lateral slip that has the effect of a unit of inclination (dimensionless).
        camber_slip: Bound::Within(0.0, 1.0),
        /// Longitudinal stiffness of the carcass (N/m); 0 for a stiff one.
        longitudinal_carcass_stiffness: Bound::Within(0.0, 1e9),
        /// Lateral stiffness of the carcass (N/m); 0 for a stiff one.
        lateral_carcass_stiffness: Bound::Within(0.0, 1e9),
    }
}

/// TMeasy's force law.
///
/// In each direction, with `r = N / N0` and `m = μ / μ0`: forces and slopes are parabolas of the
/// load through zero and their values at one and two nominal loads, slips are straight lines. Slips
/// are taken by the rolling speed, `s = (κ, tan α) / |1 + κ|`. Normalized by `ŝ`, they are one
/// slip, `s`, of the direction `φ`; slope, peak and sliding are those of this direction:
///
/// ```text
/// ŝ_x = sM_x / (sM_x + sM_y) + (FM_x/dF_x) / (FM_x/dF_x + FM_y/dF_y)
/// F(s) = dF s / (1 + σ (σ + dF sM/FM - 2)),   σ = s / sM              up to the peak
///      = FM - (FM - FS) h((s - sM) / (sS - sM)),   h(x) = x² (3 - 2x)  beyond
/// Mz   = -t Fy
/// ```
///
/// Source: Rill, Road Vehicle Dynamics (2012), chapter 3; Hirschberg, Rill, Weinfurter, Tire model
/// TMeasy, Vehicle System Dynamics 45 (2007). Differs: peak and sliding force of a direction are
/// those of an ellipse, which the force never leaves; sources take a curve that lies up to 6 %
/// outside of it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TMeasy<N = Real> {
    /// Longitudinal force.
    pub longitudinal: TMeasyCurve<N>,
    /// Lateral force.
    pub lateral: TMeasyCurve<N>,
    /// Numbers that belong to both directions.
    pub common: TMeasyCommon<N>,
}

/// A tire that rolls by TMeasy.
pub type TMeasyTire = RollingTire<TMeasy>;

/// A curve under a load and on a friction.
#[derive(Clone, Copy)]
struct LoadedCurve<N> {
    slope: N,
    peak_force: N,
    peak_slip: N,
    sliding_force: N,
    sliding_slip: N,
}

impl<N: Number> TMeasyCurve<N> {
    /// The slope under `ratio` of the nominal load (N).
    #[inline]
    fn slope_at(&self, ratio: N) -> N {
        parabola(ratio, self.slope, self.slope_at_double_load)
    }

    #[inline]
    fn at(&self, ratio: N, friction: N) -> LoadedCurve<N> {
        let line = |single: N, double: N| {
            let slip = single + (double - single) * (ratio - N::splat(1.0));
            slip.at_least(single * N::splat(SMALLEST_PEAK)) * friction
        };
        let peak_force = parabola(ratio, self.peak_force, self.peak_force_at_double_load);
        let sliding = parabola(ratio, self.sliding_force, self.sliding_force_at_double_load);
        let peak_slip = line(self.peak_slip, self.peak_slip_at_double_load);
        let sliding_slip = line(self.sliding_slip, self.sliding_slip_at_double_load);
        LoadedCurve {
            slope: self.slope_at(ratio),
            peak_force: peak_force * friction,
            peak_slip,
            sliding_force: sliding.at_most(peak_force) * friction,
            sliding_slip: sliding_slip.at_least(peak_slip * N::splat(1.1)),
        }
    }
}

/// The parabola of the load through zero and the values at one and two nominal loads, up to its
/// top.
#[inline]
fn parabola<N: Number>(ratio: N, single: N, double: N) -> N {
    let (half, two) = (N::splat(0.5), N::splat(2.0));
    let (linear, bend) = (two * single - half * double, single - half * double);
    let ratio = ratio.at_most(half * linear / bend.at_least(single * N::splat(1e-3)));
    ratio * (linear - bend * ratio)
}

impl<N: Number> TMeasyCommon<N> {
    /// Trail at the lateral slip `slip` under `ratio` of the nominal load (m).
    #[inline]
    fn trail_at(&self, slip: N, ratio: N) -> N {
        let (one, zero) = (N::splat(1.0), N::zero());
        let size = slip.abs();
        let (first, last) = (self.zero_trail_slip, self.sliding_trail_slip);
        let weight = first / last;
        let near = size / first;
        let rising = (one - weight) * (one - near) + weight * (one - smooth_step(near));
        let left = (last - size) / not_zero(last - first);
        let beyond = -((one - weight) * (near - one) * left * left);
        let share = N::select(size.is_below(last), beyond, zero);
        let share = N::select(size.is_below(first), rising, share);
        self.trail * ratio.sqrt() * share
    }
}

impl<N: Number> SteadyLanes<N> for TMeasy<N> {
    #[inline]
    fn outputs(&self, input: &SteadyInput<N>) -> TireOutput<N> {
        let (one, zero) = (N::splat(1.0), N::zero());
        let rolling = one + input.slip_ratio;
        let transport = (rolling * rolling + N::splat(LOCKED * LOCKED)).sqrt();
        let thrust = self.common.camber_slip * sin_cos(input.inclination).0;
        let (slip_x, slip_y) =
            (input.slip_ratio / transport, (input.slip_tangent + thrust) / transport);
        let ratio = input.load / self.common.nominal_load;
        let friction = input.friction / self.common.nominal_friction;
        let (x, y) = (self.longitudinal.at(ratio, friction), self.lateral.at(ratio, friction));

        let (reach_x, reach_y) =
            (x.peak_force / not_zero(x.slope), y.peak_force / not_zero(y.slope));
        let (slips, reaches) = (not_zero(x.peak_slip + y.peak_slip), not_zero(reach_x + reach_y));
        let unit_x = not_zero(x.peak_slip / slips + reach_x / reaches);
        let unit_y = not_zero(y.peak_slip / slips + reach_y / reaches);
        let (normal_x, normal_y) = (slip_x / unit_x, slip_y / unit_y);
        let slip = length(normal_x, normal_y);
        // Without slip there is no direction; the slope is then that of the longitudinal force.
        let is_at_rest = slip.is_at_most(N::splat(1e-8));
        let cos = N::select(is_at_rest, one, normal_x / not_zero(slip));
        let sin = N::select(is_at_rest, zero, normal_y / not_zero(slip));
        let both = |x: N, y: N| length(x * cos, y * sin);
        let ellipse = |x: N, y: N| one / not_zero(length(cos / not_zero(x), sin / not_zero(y)));

        let slope = both(x.slope * unit_x, y.slope * unit_y);
        let peak_slip = not_zero(both(x.peak_slip / unit_x, y.peak_slip / unit_y));
        let peak_force = ellipse(x.peak_force, y.peak_force);
        let sliding_slip = both(x.sliding_slip / unit_x, y.sliding_slip / unit_y);
        let sliding_force = ellipse(x.sliding_force, y.sliding_force);
        let relative = slip / peak_slip;
        let steepness = slope * peak_slip / not_zero(peak_force);
        let rising = slope / (one + relative * (relative + steepness - N::splat(2.0)));
        let beyond = (slip - peak_slip) / not_zero(sliding_slip - peak_slip);
        let falling = peak_force - (peak_force - sliding_force) * smooth_step(beyond);
        let per_slip =
            N::select(relative.is_below(one), rising, falling / slip.at_least(peak_slip));
        let has_grip = zero.is_below(input.load) & zero.is_below(friction);
        let per_slip = N::select(has_grip, per_slip, zero);

        let lateral = -(per_slip * normal_y);
        let trail = self.common.trail_at(slip_y, ratio) * input.rolling_direction();
        TireOutput {
            longitudinal_force: per_slip * normal_x,
            lateral_force: lateral,
            aligning_moment: -(trail * lateral),
            longitudinal_stiffness: per_slip / (unit_x * transport),
            ..TireOutput::default()
        }
    }

    #[inline]
    fn relaxation_lengths(&self, input: &SteadyInput<N>) -> RelaxationLengths<N> {
        let ratio = input.load / self.common.nominal_load;
        let of = |slope: N, carcass: N| {
            let length = slope / carcass.at_least(N::splat(1e-3));
            N::select(N::zero().is_below(carcass), length.at_most(N::splat(100.0)), N::zero())
        };
        let common = &self.common;
        RelaxationLengths {
            longitudinal: of(
                self.longitudinal.slope_at(ratio),
                common.longitudinal_carcass_stiffness,
            ),
            lateral: of(self.lateral.slope_at(ratio), common.lateral_carcass_stiffness),
        }
    }
}

impl SteadyLaw for TMeasy {
    type Lanes<N: Number> = TMeasy<N>;

    #[inline]
    fn in_lanes<N: Number>(laws: [&Self; MAX_LANES]) -> TMeasy<N> {
        TMeasy {
            longitudinal: TMeasyCurve::from_lanes(|lane| &laws[lane].longitudinal),
            lateral: TMeasyCurve::from_lanes(|lane| &laws[lane].lateral),
            common: TMeasyCommon::from_lanes(|lane| &laws[lane].common),
        }
    }

    fn check(&self, check: &mut ParamCheck) {
        check.field("longitudinal", |inner| self.longitudinal.check(inner));
        check.field("lateral", |inner| self.lateral.check(inner));
        check.field("common", |inner| {
            self.common.check_bounds(inner);
            let (first, last) = (self.common.zero_trail_slip, self.common.sliding_trail_slip);
            let requirement = format_args!("above zero_trail_slip, {first}");
            inner.require("sliding_trail_slip", first < last, requirement, last);
        });
    }
}

impl TMeasyCurve {
    fn check(&self, check: &mut ParamCheck) {
        self.check_bounds(check);
        let forces = [
            ("slope_at_double_load", self.slope, self.slope_at_double_load),
            ("peak_force_at_double_load", self.peak_force, self.peak_force_at_double_load),
            ("sliding_force_at_double_load", self.sliding_force, self.sliding_force_at_double_load),
        ];
        for (name, single, double) in forces {
            let is_degressive = single <= double && double <= 2.0 * single;
            let requirement = format_args!("between {single} and its double");
            check.require(name, is_degressive, requirement, double);
        }
        let pairs = [
            ("sliding_force", self.sliding_force, self.peak_force),
            ("peak_slip", self.peak_slip, self.sliding_slip),
        ];
        for (name, less, more) in pairs {
            check.require(name, less <= more, format_args!("at most {more}"), less);
        }
    }
}
