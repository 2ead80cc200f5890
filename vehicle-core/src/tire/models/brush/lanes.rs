//! Brush tires side by side: their forces, and what of them follows from the parameters alone.

use super::super::rolling_resistance::rolling_resistance;
use super::super::steady_input::rolling_direction;
use super::BrushTire;
use crate::math::lanes::{MAX_LANES, Mask, Number};
use crate::math::{Clamped, PI, Real, sin_of_quarter_turn, tan};
use crate::tire::{GripInput, LaneInput, TireGrip, TireLanes, TireOutput, TireSlip};

/// 1/3, truncated as in the reference data.
const ONE_THIRD: Real = 0.33333;
/// 1/27, truncated as in the reference data.
const ONE_27TH: Real = 0.037037;
/// Slips and angles below this are zero in the reference's data (dimensionless, rad).
const REFERENCE_DEAD_BAND: Real = 1e-5;
/// Slips and angles below this are zero: their squares would be no normal numbers (dimensionless,
/// rad).
const DEAD_BAND: Real = 1e-12;
/// Normalized slips above this count as this (dimensionless): its fourth power is finite.
const MOST_NORMALIZED_SLIP: Real = 1e6;
/// Slip ratios and tangents of slip angles (dimensionless) and slip angles of inclinations (rad)
/// above this count as this, so that products of them are finite.
const MOST_SLIP: Real = 1e6;
/// Friction times load above this counts as this (N).
const MOST_LIMIT: Real = 1e15;
/// Least divisor of the combined slip (dimensionless): under next to no load that of a slip angle
/// may vanish.
const LEAST_SLIP: Real = 1e-20;
/// Radius of a wheel whose rate of turning [`rolling_direction`] knows by its speed (m).
const USUAL_RADIUS: Real = 1.0 / 3.0;
/// Trail of the moment that the reference reports (m).
const REFERENCE_TRAIL: Real = 1.0;

/// [Brush tires](BrushTire), one in each lane, with slopes and reciprocals of their parameters.
#[derive(Clone, Copy, Debug)]
pub struct BrushLanes<N: Number> {
    longitudinal_stiffness: N,
    per_longitudinal_stiffness: N,
    lateral_stiffness: N,
    /// Whether the lateral stiffness does not depend on the load.
    is_constant: N::Mask,
    /// 3 / (N_rest x), by which the load becomes what the lateral stiffness saturates with (1/N).
    saturation_per_load: N,
    camber_stiffness: N,
    per_rest_load: N,
    /// Load by that of the suspension (N).
    load: Segment<N>,
    /// Load of the suspension from which on the tire's is the last one (N).
    load_end: N,
    last_load: N,
    /// Friction multiplier by slip, in two pieces (dimensionless).
    friction: [Segment<N>; 2],
    /// Slip from which on it is the last one (dimensionless).
    friction_end: N,
    last_friction: N,
    lateral_slip_weight: N,
    pneumatic_trail: N,
    rolling_resistance: N,
    has_resistance: bool,
    /// Whether the tire is the reference's.
    is_reference: N::Mask,
    /// Slips and angles below this are zero (dimensionless, rad).
    dead_band: N,
}

/// A straight piece of a curve.
#[derive(Clone, Copy, Debug)]
struct Segment<N> {
    start: N,
    value: N,
    slope: N,
}

impl<N: Number> Segment<N> {
    /// The piece between the two points of each lane.
    fn between(ends: impl Fn(usize) -> [(Real, Real); 2]) -> Self {
        Self {
            start: N::from_lanes(|lane| ends(lane)[0].0),
            value: N::from_lanes(|lane| ends(lane)[0].1),
            slope: N::from_lanes(|lane| {
                let [(start, value), (end, next)] = ends(lane);
                finite((next - value) / (end - start))
            }),
        }
    }

    #[inline]
    fn at(&self, place: N) -> N {
        self.value + (place - self.start) * self.slope
    }
}

/// `number`, or the largest one where it is infinite: zero times that is zero.
fn finite(number: Real) -> Real {
    number.clamped(-Real::MAX, Real::MAX)
}

impl<N: Number> BrushLanes<N> {
    /// The tire of each lane.
    #[inline]
    pub(in crate::tire::models) fn new(tires: [&BrushTire; MAX_LANES]) -> Self {
        let number = |value: fn(&BrushTire) -> Real| N::from_lanes(|lane| value(tires[lane]));
        let pneumatic_trail = number(|tire| tire.pneumatic_trail);
        let is_reference = pneumatic_trail.is_equal(N::zero());
        let [reference, least] = [REFERENCE_DEAD_BAND, DEAD_BAND].map(N::splat);
        let loads = |lane: usize| {
            let BrushTire { load_filter, rest_load, .. } = *tires[lane];
            load_filter.map(|(suspension, tire)| (suspension * rest_load, tire * rest_load))
        };
        let frictions = |lane: usize| tires[lane].friction_vs_slip;
        Self {
            longitudinal_stiffness: number(|tire| tire.longitudinal_stiffness),
            per_longitudinal_stiffness: number(|tire| finite(1.0 / tire.longitudinal_stiffness)),
            lateral_stiffness: number(|tire| tire.lateral_stiffness),
            is_constant: number(|tire| tire.lateral_stiffness_load).is_equal(N::zero()),
            saturation_per_load: number(|tire| {
                finite(3.0 / (tire.rest_load * tire.lateral_stiffness_load))
            }),
            camber_stiffness: number(|tire| tire.camber_stiffness),
            per_rest_load: number(|tire| 1.0 / tire.rest_load),
            load: Segment::between(loads),
            load_end: N::from_lanes(|lane| loads(lane)[1].0),
            last_load: N::from_lanes(|lane| loads(lane)[1].1),
            friction: [0, 1].map(|first| {
                Segment::between(|lane| [frictions(lane)[first], frictions(lane)[first + 1]])
            }),
            friction_end: N::from_lanes(|lane| frictions(lane)[2].0),
            last_friction: N::from_lanes(|lane| frictions(lane)[2].1),
            lateral_slip_weight: number(|tire| tire.lateral_slip_weight),
            pneumatic_trail,
            rolling_resistance: number(|tire| tire.rolling_resistance),
            has_resistance: tires.iter().any(|tire| 0.0 < tire.rolling_resistance),
            is_reference,
            dead_band: N::select(is_reference, reference, least),
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
        let across = weight * slip.tangent;
        let combined = (slip.longitudinal * slip.longitudinal + across * across).sqrt();
        N::select(is_along, along, combined)
    }

    /// Cornering stiffness at `load` (N).
    #[inline]
    pub(super) fn cornering_stiffness(&self, load: N) -> N {
        let stiffness = self.lateral_stiffness;
        let saturating = stiffness * saturation(load * self.saturation_per_load);
        N::select(self.is_constant, stiffness, saturating)
    }
}

impl<N: Number> TireLanes<N, ()> for BrushLanes<N> {
    #[inline]
    fn grips(&self, input: &GripInput<N>) -> TireGrip<N> {
        let pressing = input.normal_load;
        let load =
            N::select(self.load_end.is_at_most(pressing), self.last_load, self.load.at(pressing));
        let load = N::select(pressing.is_at_most(self.load.start), self.load.value, load);

        let [first, second] = &self.friction;
        let slip = self.sliding_slip(&input.slip);
        let beyond =
            N::select(slip.is_below(self.friction_end), second.at(slip), self.last_friction);
        let multiplier = N::select(slip.is_below(second.start), first.at(slip), beyond);
        TireGrip { load, friction: input.road_friction * multiplier }
    }

    #[inline]
    fn outputs(&self, input: &LaneInput<N>, _: &mut [()]) -> TireOutput<N> {
        let mut output = self.sliding(input);
        if self.has_resistance {
            let resistance = self.rolling_resistance * input.grip.load.at_least(N::zero());
            output.rolling_resistance_force = rolling_resistance(resistance, input);
            output.standing_resistance = resistance;
        }
        output
    }
}

impl<N: Number> BrushLanes<N> {
    /// Forces and moments of the tread that sticks and slides.
    #[inline]
    fn sliding(&self, input: &LaneInput<N>) -> TireOutput<N> {
        let zero = N::zero();
        let TireGrip { load, friction } = input.grip;
        let limit = (friction * load).at_least(zero).at_most(N::splat(MOST_LIMIT));
        let without_noise = |value: N| N::select(value.abs().is_below(self.dead_band), zero, value);
        let slip_ratio = bounded(without_noise(input.slip.longitudinal));
        let slip_tangent = bounded(without_noise(input.slip.tangent));
        let thrust = without_noise(input.inclination) * self.camber_stiffness;
        let (stiffness, cornering) = (self.longitudinal_stiffness, self.cornering_stiffness(load));
        let is_free = (slip_tangent * cornering).is_equal(zero)
            & (slip_ratio * stiffness).is_equal(zero)
            & thrust.is_equal(zero);

        let is_off = limit.is_equal(zero);
        if !(!(is_off | is_free)).any() {
            let longitudinal_stiffness = N::select(is_off, zero, stiffness);
            return TireOutput { longitudinal_stiffness, ..TireOutput::default() };
        }

        let tangent = tilted(slip_tangent, thrust, cornering);
        let (along, across) = (stiffness * slip_ratio, cornering * tangent);
        let combined = (across * across + along * along).sqrt();
        // The division does not wait for the root.
        let per_limit = N::splat(1.0) / limit.at_least(N::splat(Real::MIN_POSITIVE));
        let k = (combined * per_limit).at_most(N::splat(MOST_NORMALIZED_SLIP));
        let weighted = lateral_weight(k, cornering * self.per_longitudinal_stiffness) * tangent;
        let size = (slip_ratio * slip_ratio + weighted * weighted).sqrt();
        let per_slip = limit / size.at_least(N::splat(LEAST_SLIP));
        // The force by its slip, which is the stiffness where the slip is small.
        let slope = saturation(k) * per_slip;

        let lateral = weighted * per_slip;
        let trailing = lateral * alignment(k);
        let growth = (load * self.per_rest_load).at_least(zero).sqrt();
        // By how fast the wheel would turn, which is the same in any unit of length.
        let turning = input.contact_speeds.longitudinal / input.radius;
        let direction = rolling_direction(turning * N::splat(USUAL_RADIUS));
        let trail = self.pneumatic_trail * growth * direction;
        let aligning_moment = N::select(k.is_below(N::splat(3.0)), trailing * trail, zero);
        let slipping = |value| N::select(is_off | is_free, zero, value);
        let reported_moment = if self.is_reference.any() {
            let moment = trailing * N::splat(REFERENCE_TRAIL);
            slipping(N::select(self.is_reference, moment, zero))
        } else {
            zero
        };
        TireOutput {
            longitudinal_force: slipping(slip_ratio * slope),
            lateral_force: slipping(-(weighted * slope)),
            aligning_moment: slipping(aligning_moment),
            reported_moment,
            longitudinal_stiffness: N::select(is_off, zero, N::select(is_free, stiffness, slope)),
            ..TireOutput::default()
        }
    }
}

/// The slip, at most [`MOST_SLIP`] to either side (dimensionless, rad).
#[inline]
fn bounded<N: Number>(slip: N) -> N {
    slip.at_least(N::splat(-MOST_SLIP)).at_most(N::splat(MOST_SLIP))
}

/// T of a tire of this `cornering` stiffness, from the tangent of its slip angle and the `thrust` γ
/// C_γ of its inclination (N).
///
/// ```text
/// tan(α + δ) = (tan α + tan δ) / (1 - tan α tan δ),   δ = γ C_γ / C_α
/// ```
///
/// Both together slide no further than straight aside: beyond a right angle, the tangent would have
/// the other sign, and the tire would push a fallen motorcycle along.
#[inline]
fn tilted<N: Number>(slip_tangent: N, thrust: N, cornering: N) -> N {
    if !(!thrust.is_equal(N::zero())).any() {
        return slip_tangent;
    }
    let tilt = tan(bounded(thrust / cornering.at_least(N::splat(Real::MIN_POSITIVE))));
    let rest = (N::splat(1.0) - slip_tangent * tilt).at_least(N::splat(Real::MIN_POSITIVE));
    bounded((slip_tangent + tilt) / rest)
}

/// f(K): the share of the friction limit that is used at the normalized slip `k`.
#[inline]
fn saturation<N: Number>(k: N) -> N {
    let (third, twenty_seventh) = (N::splat(ONE_THIRD), N::splat(ONE_27TH));
    (k - third * k * k + twenty_seventh * k * k * k).at_most(N::splat(1.0))
}

/// m(K): the share of the aligning moment at the normalized slip `k`.
#[inline]
pub(super) fn alignment<N: Number>(k: N) -> N {
    let (third, twenty_seventh) = (N::splat(ONE_THIRD), N::splat(ONE_27TH));
    k - k * k + third * k * k * k - twenty_seventh * k * k * k * k
}

/// ν: how much the stiffness of lateral and longitudinal slip differ at the normalized slip `k`,
/// whose `ratio` is q.
#[inline]
fn lateral_weight<N: Number>(k: N, ratio: N) -> N {
    let sine = sin_of_quarter_turn((k * N::splat(0.25)).at_most(N::splat(0.5 * PI)));
    ratio + (N::splat(1.0) - ratio) * (sine * sine)
}
