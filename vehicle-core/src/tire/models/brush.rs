//! The default tire: a brush model with combined slip and load-dependent cornering stiffness.

mod lanes;

use serde::{Deserialize, Serialize};

pub use self::lanes::BrushLanes;
use crate::error::{Bound, LARGEST_VEHICLE, ParamCheck};
use crate::findings::{FindingCode, Findings, TireExamination, Usual};
use crate::math::Real;
use crate::math::lanes::{MAX_LANES, Real4};
use crate::tire::{GripInput, TireGrip, TireInput, TireLanes, TireModel, TireOutput};

/// Smallest load at rest, by which others are divided (N).
const MIN_REST_LOAD: Real = 1e-3;
/// Smallest multiple of the load at rest that has a meaning (dimensionless).
const MIN_MULTIPLE: Real = 1e-6;
/// Largest loads and friction of a tire, divided by those at rest and of the road (dimensionless).
const MAX_MULTIPLE: Real = 1e6;

/// A tire whose tread bends like the bristles of a brush and slides from the rear of its contact.
///
/// With `N` the load, `μ` the friction, `s` the longitudinal slip, `α` the slip angle and `γ` the
/// inclination:
///
/// ```text
/// C_α = lateral stiffness f(3 N / (N_rest x))          x the load at which stiffness saturates
/// T   = tan(α + γ C_γ / C_α)
/// K   = sqrt((C_α T)² + (C_s s)²) / (μ N)              the combined, normalized slip
/// f(K) = min(1, K - K²/3 + K³/27)                      reaches full sliding at K = 3
/// m(K) = K - K² + K³/3 - K⁴/27
/// ν   = q + (1 - q) sin²(K/4) for K ≤ 2π, else 1,   q = C_α / C_s
/// F_L = μ N f(K) s / sqrt(s² + (ν T)²)
/// F_T = -μ N f(K) ν T / sqrt(s² + (ν T)²)
/// F_R = -f N sgn(v_L)                                    at the center of the wheel, as far as it stops the vehicle
/// M_z = μ N m(K) ν T t / sqrt(s² + (ν T)²) for K < 3, else 0,   t = t_rest sqrt(N / N_rest)
/// ```
///
/// The force never exceeds `μ N`. The contact of a tire grows with the root of its load, and with
/// it the pneumatic trail. The lateral force moves to the contact's center as the tread begins to
/// slide.
///
/// Without a trail the tire is the reference's: it reports a moment of `t = 1 m` for any `K`, which
/// turns nothing, and slips below 1e-5 are none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BrushTire {
    /// Longitudinal force per unit of longitudinal slip (N).
    pub longitudinal_stiffness: Real,
    /// Largest lateral force per unit of the slip angle's tangent (N).
    pub lateral_stiffness: Real,
    /// Load, divided by the rest load, at which the lateral stiffness is largest (dimensionless);
    /// 0 for a stiffness that does not depend on the load.
    pub lateral_stiffness_load: Real,
    /// Lateral force per camber angle (N/rad).
    pub camber_stiffness: Real,
    /// Load at rest (N).
    pub rest_load: Real,
    /// Friction multiplier against slip: three points of increasing slip.
    pub friction_vs_slip: [(Real, Real); 3],
    /// How much the tangent of the slip angle counts in this slip, beside the longitudinal slip
    /// (dimensionless). It is 1 for the combined slip, 0 for the longitudinal slip alone, as in the
    /// reference's data.
    #[serde(default)]
    pub lateral_slip_weight: Real,
    /// Tire load against suspension load, both divided by the rest load: two points.
    pub load_filter: [(Real, Real); 2],
    /// Force that resists rolling by load (dimensionless): 0.01 to 0.015 for the tire of a car, 0
    /// as in the reference's data.
    #[serde(default)]
    pub rolling_resistance: Real,
    /// t_rest, how far behind the contact's center the lateral force acts at small slip, under the
    /// load at rest: a third of half of the contact's length (m). 0 for the moment of the
    /// reference's data, which does not act.
    #[serde(default)]
    pub pneumatic_trail: Real,
}

impl BrushTire {
    /// A load filter that changes nothing up to three times the rest load.
    pub const IDENTITY_LOAD_FILTER: [(Real, Real); 2] = [(0.0, 0.0), (3.0, 3.0)];
    /// Full friction at any slip.
    pub const CONSTANT_FRICTION: [(Real, Real); 3] = [(0.0, 1.0), (0.1, 1.0), (1.0, 1.0)];
}

impl TireModel for BrushTire {
    type State = ();
    type Lanes = BrushLanes<Real4>;

    /// ```text
    /// load     = N_rest filter(N / N_rest)
    /// friction = μ_road multiplier(sqrt(s² + (w tan α)²))
    /// ```
    ///
    /// with `w` the weight of the lateral slip.
    ///
    /// A filter that starts above 0 loads the tire even where the suspension pulls.
    fn grip(&self, input: &GripInput) -> TireGrip {
        self.single().grips(input)
    }

    fn knows_inflation(&self) -> bool {
        false
    }

    fn forces(&self, input: &TireInput<'_>, (): &mut ()) -> TireOutput {
        self.single().outputs(&input.into(), &mut [])
    }

    /// The load is that of the spring alone, as in the reference.
    #[inline]
    fn feels_stops(&self) -> bool {
        false
    }

    #[inline]
    fn in_lanes(tires: [&Self; MAX_LANES]) -> Option<BrushLanes<Real4>> {
        Some(BrushLanes::new(tires))
    }

    fn check(&self, check: &mut ParamCheck) {
        check.number("longitudinal_stiffness", self.longitudinal_stiffness, Bound::Positive);
        check.number("lateral_stiffness", self.lateral_stiffness, Bound::Positive);
        let saturation = self.lateral_stiffness_load;
        let is_load = saturation == 0.0 || (MIN_MULTIPLE..=MAX_MULTIPLE).contains(&saturation);
        let requirement = format_args!("0 or {}", Bound::Within(MIN_MULTIPLE, MAX_MULTIPLE));
        check.require("lateral_stiffness_load", is_load, requirement, saturation);
        check.number("camber_stiffness", self.camber_stiffness, Bound::NotNegative);
        check.number("rest_load", self.rest_load, Bound::Positive);
        let is_divisor = !(0.0 < self.rest_load && self.rest_load < MIN_REST_LOAD);
        let requirement = format_args!("at least {MIN_REST_LOAD}");
        check.require("rest_load", is_divisor, requirement, self.rest_load);
        check.number("pneumatic_trail", self.pneumatic_trail, Bound::Within(0.0, LARGEST_VEHICLE));
        check.number("rolling_resistance", self.rolling_resistance, Bound::Within(0.0, 1.0));
        check.number("lateral_slip_weight", self.lateral_slip_weight, Bound::Within(0.0, 1.0));

        let [(s0, _), (s1, _), (s2, _)] = self.friction_vs_slip;
        check.each("friction_vs_slip", &self.friction_vs_slip, |&(slip, multiplier), inner| {
            inner.number("slip", slip, Bound::NotNegative);
            inner.number("multiplier", multiplier, Bound::Within(0.0, MAX_MULTIPLE));
        });
        let slips = format_args!("{s0}, {s1}, {s2}");
        check.require("friction_vs_slip", s0 < s1 && s1 < s2, "of increasing slips", slips);

        let [(x0, y0), (x1, y1)] = self.load_filter;
        check.number("load_filter[0].suspension_load", x0, Bound::Within(0.0, 0.0));
        check.number("load_filter[0].tire_load", y0, Bound::Within(0.0, MAX_MULTIPLE));
        check.number("load_filter[1].suspension_load", x1, Bound::Within(0.0, MAX_MULTIPLE));
        check.number("load_filter[1].tire_load", y1, Bound::Within(MIN_MULTIPLE, MAX_MULTIPLE));
    }

    fn examine(&self, examination: &TireExamination<'_>, findings: &mut Findings) {
        examination.expect_no_chatter(self.longitudinal_stiffness, findings);
        self.examine_load(examination, findings);
        let [(_, first), (_, second), (_, last)] = self.friction_vs_slip;
        let most = first.max(second);
        let path = "friction_vs_slip";
        let codes = [FindingCode::TireGripLow, FindingCode::TireGripHigh];
        findings.expect_within(codes, path, "largest multiplier", most.max(last), (0.3, 3.0));
        let (code, quantity) = (FindingCode::TireGripRises, "multiplier of a sliding tire");
        findings.expect(code, path, quantity, last, Usual::AtMost(most));
        let [(x0, y0), (x1, y1)] = self.load_filter;
        let slope = if x0 < x1 { (y1 - y0) / (x1 - x0) } else { 0.0 };
        let (code, quantity) = (FindingCode::TireLoadFilterSteep, "slope");
        findings.expect(code, "load_filter", quantity, slope, Usual::AtMost(1.2));
    }
}

impl BrushTire {
    /// This tire alone.
    #[inline]
    fn single(&self) -> BrushLanes<Real> {
        BrushLanes::new([self; MAX_LANES])
    }

    /// Adds stiffnesses and a load at rest that do not fit what the tire carries.
    fn examine_load(&self, examination: &TireExamination<'_>, findings: &mut Findings) {
        let load = examination.load;
        if load <= 0.0 {
            return;
        }
        let quantity = "stiffness per load";
        let (path, along) = ("longitudinal_stiffness", self.longitudinal_stiffness / load);
        let code = FindingCode::TireStiffnessLongitudinalLow;
        findings.expect(code, path, quantity, along, Usual::AtLeast(1.0));
        let (path, across) = ("lateral_stiffness", self.lateral_stiffness / load);
        let code = FindingCode::TireStiffnessLateralLow;
        findings.expect(code, path, quantity, across, Usual::AtLeast(3.0));
        let codes = [FindingCode::TireRestLoad; 2];
        let quantity = "load at rest per sprung weight";
        findings.expect_within(codes, "rest_load", quantity, self.rest_load / load, (0.5, 2.0));
    }
}

#[cfg(test)]
mod tests;
