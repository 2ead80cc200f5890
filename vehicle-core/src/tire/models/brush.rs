//! The default tire: a brush model with combined slip and load-dependent cornering stiffness.

use serde::{Deserialize, Serialize};

use super::relaxation::rolling_direction;
use crate::error::{Bound, LARGEST_VEHICLE, ParamCheck};
use crate::findings::{FindingCode, Findings, TireExamination, Usual};
use crate::math::lanes::{MAX_LANES, Mask, Number, Real4};
use crate::math::{Real, TAU, cos, tan};
use crate::tire::{
    GripInput, LaneInput, TireGrip, TireInput, TireLanes, TireModel, TireOutput, TireSlip,
};

/// 1/3, truncated as in the reference data.
const ONE_THIRD: Real = 0.33333;
/// 1/27, truncated as in the reference data.
const ONE_27TH: Real = 0.037037;
/// Slips and angles below this are zero in the reference's data (dimensionless, rad).
const REFERENCE_DEAD_BAND: Real = 1e-5;
/// Slips and angles below this are zero: their squares would be no normal numbers (dimensionless, rad).
const DEAD_BAND: Real = 1e-12;
/// Below this longitudinal slip the slope of the force is the stiffness (dimensionless).
const LINEAR_SLIP: Real = 1e-4;
/// Smallest load at rest, by which others are divided (N).
const MIN_REST_LOAD: Real = 1e-3;
/// Smallest multiple of the load at rest that has a meaning (dimensionless).
const MIN_MULTIPLE: Real = 1e-6;
/// Largest loads and friction of a tire, divided by those at rest and of the road (dimensionless).
const MAX_MULTIPLE: Real = 1e6;
/// Largest normalized slip that is told apart from larger ones (dimensionless): its fourth power is a number.
const MOST_NORMALIZED_SLIP: Real = 1e6;
/// Largest longitudinal slip (dimensionless), slip angle of an inclination (rad) and friction times load (N)
/// that are told apart from larger ones: products of them are numbers.
const MOST_SLIP: Real = 1e6;
const MOST_LIMIT: Real = 1e15;
/// What the combined slip is divided by at least (dimensionless): under next to no load that of a slip angle
/// may vanish.
const LEAST_SLIP: Real = 1e-20;
/// Radius of a wheel whose rate of turning [`rolling_direction`] knows by its speed (m).
const USUAL_RADIUS: Real = 1.0 / 3.0;
/// Trail of the moment that the reference reports (m).
const REFERENCE_TRAIL: Real = 1.0;

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
/// ν   = ½ (1 + q - (1 - q) cos(K/2)) for K ≤ 2π, else 1,   q = C_α / C_s
/// F_L = μ N f(K) s / sqrt(s² + (ν T)²)
/// F_T = -μ N f(K) ν T / sqrt(s² + (ν T)²)
/// M_z = μ N m(K) ν T t / sqrt(s² + (ν T)²) for K < 3, else 0,   t = t_rest sqrt(N / N_rest)
/// ```
///
/// The force never exceeds `μ N`. The contact of a tire grows with the root of its load, and with it the
/// pneumatic trail; the lateral force moves to the contact's center as the tread begins to slide.
///
/// Without a trail the tire is the reference's: it reports a moment of `t = 1 m` for any `K`, which turns
/// nothing, and slips below 1e-5 are none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(bound = "N: schemars::JsonSchema + Default"))]
#[serde(deny_unknown_fields)]
pub struct BrushTire<N = Real> {
    /// Longitudinal force per unit of longitudinal slip (N).
    pub longitudinal_stiffness: N,
    /// Largest lateral force per unit of the slip angle's tangent (N).
    pub lateral_stiffness: N,
    /// Load, divided by the rest load, at which the lateral stiffness is largest (dimensionless);
    /// 0 for a stiffness that does not depend on the load.
    pub lateral_stiffness_load: N,
    /// Lateral force per camber angle (N/rad).
    pub camber_stiffness: N,
    /// Load at rest (N).
    pub rest_load: N,
    /// Friction multiplier against slip: three points of increasing slip.
    pub friction_vs_slip: [(N, N); 3],
    /// How much the tangent of the slip angle counts in this slip, beside the longitudinal slip
    /// (dimensionless): 1 for the combined slip, 0 for the longitudinal slip alone, as in the
    /// reference's data.
    #[serde(default)]
    pub lateral_slip_weight: N,
    /// Tire load against suspension load, both divided by the rest load: two points.
    pub load_filter: [(N, N); 2],
    /// t_rest, how far behind the contact's center the lateral force acts at small slip, under the load at
    /// rest: a third of half of the contact's length (m). 0 for the moment of the reference's data, which
    /// does not act.
    #[serde(default)]
    pub pneumatic_trail: N,
}

impl BrushTire {
    /// A load filter that changes nothing up to three times the rest load.
    pub const IDENTITY_LOAD_FILTER: [(Real, Real); 2] = [(0.0, 0.0), (3.0, 3.0)];
    /// Full friction at any slip.
    pub const CONSTANT_FRICTION: [(Real, Real); 3] = [(0.0, 1.0), (0.1, 1.0), (1.0, 1.0)];
}

impl<N: Number> BrushTire<N> {
    /// The tire of each lane.
    #[inline]
    fn from_lanes(tires: [&BrushTire; MAX_LANES]) -> Self {
        let number = |value: fn(&BrushTire) -> Real| N::from_lanes(|lane| value(tires[lane]));
        let point = |of: fn(&BrushTire) -> (Real, Real)| {
            (N::from_lanes(|lane| of(tires[lane]).0), N::from_lanes(|lane| of(tires[lane]).1))
        };
        Self {
            longitudinal_stiffness: number(|tire| tire.longitudinal_stiffness),
            lateral_stiffness: number(|tire| tire.lateral_stiffness),
            lateral_stiffness_load: number(|tire| tire.lateral_stiffness_load),
            camber_stiffness: number(|tire| tire.camber_stiffness),
            rest_load: number(|tire| tire.rest_load),
            lateral_slip_weight: number(|tire| tire.lateral_slip_weight),
            friction_vs_slip: [
                point(|tire| tire.friction_vs_slip[0]),
                point(|tire| tire.friction_vs_slip[1]),
                point(|tire| tire.friction_vs_slip[2]),
            ],
            load_filter: [point(|tire| tire.load_filter[0]), point(|tire| tire.load_filter[1])],
            pneumatic_trail: number(|tire| tire.pneumatic_trail),
        }
    }

    /// The slip on which friction depends (dimensionless).
    #[inline]
    fn sliding_slip(&self, slip: &TireSlip<N>) -> N {
        let (weight, along) = (self.lateral_slip_weight, slip.longitudinal.abs());
        let is_along = weight.is_equal(N::zero());
        if !(!is_along).any() {
            return along;
        }
        let across = weight * tan(slip.lateral);
        let combined = (slip.longitudinal * slip.longitudinal + across * across).sqrt();
        N::select(is_along, along, combined)
    }

    /// Cornering stiffness at `load` (N).
    #[inline]
    fn cornering_stiffness(&self, load: N) -> N {
        let normalized = load / self.rest_load;
        let saturating = saturation(normalized * N::splat(3.0) / self.lateral_stiffness_load);
        let is_constant = self.lateral_stiffness_load.is_equal(N::zero());
        let stiffness = self.lateral_stiffness;
        N::select(is_constant, stiffness, stiffness * saturating)
    }
}

impl<N: Number> TireLanes<N, ()> for BrushTire<N> {
    #[inline]
    fn grips(&self, input: &GripInput<N>) -> TireGrip<N> {
        let [(x0, y0), (x1, y1)] = self.load_filter;
        let normalized = input.normal_load / self.rest_load;
        let between = y0 + (normalized - x0) * (y1 - y0) / (x1 - x0);
        let filtered = N::select(x1.is_at_most(normalized), y1, between);
        let filtered = N::select(normalized.is_at_most(x0), y0, filtered);

        let [(s0, m0), (s1, m1), (s2, m2)] = self.friction_vs_slip;
        let slip = self.sliding_slip(&input.slip);
        let first = m0 + (m1 - m0) * (slip - s0) / (s1 - s0);
        let second = m1 + (m2 - m1) * (slip - s1) / (s2 - s1);
        let multiplier = N::select(slip.is_below(s2), second, m2);
        let multiplier = N::select(slip.is_below(s1), first, multiplier);
        TireGrip { load: self.rest_load * filtered, friction: input.road_friction * multiplier }
    }

    #[inline]
    fn outputs(&self, input: &LaneInput<N>, _: &mut [()]) -> TireOutput<N> {
        let zero = N::zero();
        let TireGrip { load, friction } = input.grip;
        let limit = (friction * load).at_least(zero).at_most(N::splat(MOST_LIMIT));
        let is_reference = self.pneumatic_trail.is_equal(zero);
        let dead_band = N::select(is_reference, N::splat(REFERENCE_DEAD_BAND), N::splat(DEAD_BAND));
        let without_noise = |value: N| N::select(value.abs().is_below(dead_band), zero, value);
        let bounded = |value: N| value.at_least(N::splat(-MOST_SLIP)).at_most(N::splat(MOST_SLIP));
        let slip = TireSlip {
            longitudinal: bounded(without_noise(input.slip.longitudinal)),
            lateral: without_noise(input.slip.lateral),
        };
        let inclination = without_noise(input.inclination);
        let cornering = self.cornering_stiffness(load);
        let stiffness = self.longitudinal_stiffness;
        let is_free = (slip.lateral * cornering).is_equal(zero)
            & (slip.longitudinal * stiffness).is_equal(zero)
            & (inclination * self.camber_stiffness).is_equal(zero);

        let is_off = limit.is_equal(zero);
        if !(!(is_off | is_free)).any() {
            let longitudinal_stiffness = N::select(is_off, zero, stiffness);
            return TireOutput { longitudinal_stiffness, ..TireOutput::default() };
        }

        let divisor = cornering.at_least(N::splat(Real::MIN_POSITIVE));
        let tilted = bounded(inclination * self.camber_stiffness / divisor);
        let tangent = tan(slip.lateral + tilted);
        let across = cornering * tangent * cornering * tangent;
        let along = stiffness * slip.longitudinal * stiffness * slip.longitudinal;
        let k = ((across + along).sqrt() / limit).at_most(N::splat(MOST_NORMALIZED_SLIP));
        let weight = lateral_weight(k, cornering, stiffness);
        let weighted = weight * tangent;
        let size = (slip.longitudinal * slip.longitudinal + weighted * weighted).sqrt();
        let per_slip = limit / size.at_least(N::splat(LEAST_SLIP));
        let longitudinal_force = slip.longitudinal * saturation(k) * per_slip;
        let is_linear = slip.longitudinal.abs().is_at_most(N::splat(LINEAR_SLIP));
        let slope = N::select(is_linear, stiffness, longitudinal_force / slip.longitudinal);

        let trailing = weighted * per_slip * alignment(k);
        let growth = (load / self.rest_load).at_least(zero).sqrt();
        // By how fast the wheel would turn, which is the same in any unit of length.
        let turning = input.contact_speeds.longitudinal / input.radius;
        let direction = rolling_direction(turning * N::splat(USUAL_RADIUS));
        let trail = self.pneumatic_trail * growth * direction;
        let aligning_moment = N::select(k.is_below(N::splat(3.0)), trailing * trail, zero);
        let slipping = |value| N::select(is_off | is_free, zero, value);
        let reported_moment = if is_reference.any() {
            let moment = weighted * N::splat(REFERENCE_TRAIL) * alignment(k) * per_slip;
            slipping(N::select(is_reference, moment, zero))
        } else {
            zero
        };
        TireOutput {
            longitudinal_force: slipping(longitudinal_force),
            lateral_force: slipping(-weighted * saturation(k) * per_slip),
            aligning_moment: slipping(aligning_moment),
            reported_moment,
            longitudinal_stiffness: N::select(is_off, zero, N::select(is_free, stiffness, slope)),
            ..TireOutput::default()
        }
    }
}

/// f(K): the share of the friction limit that is used at the normalized slip `k`.
#[inline]
fn saturation<N: Number>(k: N) -> N {
    let (third, twenty_seventh) = (N::splat(ONE_THIRD), N::splat(ONE_27TH));
    (k - third * k * k + twenty_seventh * k * k * k).at_most(N::splat(1.0))
}

/// m(K): the share of the aligning moment at the normalized slip `k`.
#[inline]
fn alignment<N: Number>(k: N) -> N {
    let (third, twenty_seventh) = (N::splat(ONE_THIRD), N::splat(ONE_27TH));
    k - k * k + third * k * k * k - twenty_seventh * k * k * k * k
}

/// ν: how much the stiffness of lateral and longitudinal slip differ at the normalized slip `k`.
#[inline]
fn lateral_weight<N: Number>(k: N, cornering_stiffness: N, longitudinal_stiffness: N) -> N {
    let (half, one) = (N::splat(0.5), N::splat(1.0));
    let ratio = cornering_stiffness / longitudinal_stiffness;
    let weight = half * (one + ratio - (one - ratio) * cos(k * half));
    N::select(N::splat(TAU).is_below(k), one, weight)
}

impl TireModel for BrushTire {
    type State = ();
    type Lanes = BrushTire<Real4>;

    /// ```text
    /// load     = N_rest filter(N / N_rest)
    /// friction = μ_road multiplier(sqrt(s² + (w tan α)²))
    /// ```
    ///
    /// with `w` the weight of the lateral slip.
    ///
    /// A filter that starts above 0 loads the tire even where the suspension pulls.
    fn grip(&self, input: &GripInput) -> TireGrip {
        self.grips(input)
    }

    fn forces(&self, input: &TireInput<'_>, (): &mut ()) -> TireOutput {
        self.outputs(&input.into(), &mut [])
    }

    /// The load is that of the spring alone, as in the reference.
    #[inline]
    fn feels_stops(&self) -> bool {
        false
    }

    #[inline]
    fn in_lanes(tires: [&Self; MAX_LANES]) -> Option<BrushTire<Real4>> {
        Some(BrushTire::from_lanes(tires))
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
