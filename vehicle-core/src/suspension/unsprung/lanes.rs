//! Wheels with mass, four side by side, and the bars and beam axles between them.

use super::axles::{FourBeams, least_mass, other_wheel};
use super::laws::{DampedStop, Stop, StrutLaws};
use super::params::SuspensionDynamics;
use super::rim::Rim;
use super::scalar::Scalar;
use super::solve::RideBars;
use super::wheel::TireSpring;
use crate::math::Real;
use crate::math::lanes::{MAX_LANES, Number, Real4, each_lane};
use crate::mount::WheelParams;
use crate::road::StandingHubs;
use crate::suspension::strut::strut_laws;
use crate::suspension::{
    AntiRollBarParams, BeamAxleParams, SuspensionForceParams, SuspensionParams,
};

/// Four wheels with mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourUnsprung {
    pub(super) mass: Real4,
    /// See [`RideWheel`](super::wheel::RideWheel).
    pub(super) least_mass: Real4,
    pub(super) tire: TireSpring<Real4>,
    pub(super) rim: Rim<Real4>,
    /// Mass of the vehicle that it carries beside its own (kg).
    pub(super) sprung_mass: Real4,
    pub(super) laws: StrutLaws<Real4>,
    pub(super) path_slope: [Real4; 2],
}

/// Wheels with mass in lanes, and the bars and beam axles between them.
#[derive(Clone, Debug)]
pub struct UnsprungLanes {
    pub(super) wheels: Box<[FourUnsprung]>,
    pub(super) bars: Box<[RideBars<Real4>]>,
    pub(super) beams: Box<[FourBeams]>,
}

impl UnsprungLanes {
    /// The wheels of `dynamics` in lanes, if they have a mass.
    pub(crate) fn new(
        dynamics: &SuspensionDynamics,
        shapes: &[WheelParams],
        springs: &[SuspensionForceParams],
        suspensions: &[SuspensionParams],
        (bars, axles): (&[AntiRollBarParams], &[BeamAxleParams]),
    ) -> Option<Self> {
        let SuspensionDynamics::Unsprung(wheels) = dynamics else {
            return None;
        };
        let fours = wheels.len().div_ceil(MAX_LANES);
        let number = |four: usize| {
            let last = wheels.len() - 1;
            each_lane(|lane| (four * MAX_LANES + lane).min(last))
        };
        let four = |four: usize| {
            let numbers = number(four);
            let parts = numbers.map(|wheel| (&wheels[wheel].strut, &springs[wheel]));
            let of = |value: &dyn Fn(usize) -> Real| {
                <Real4 as Scalar>::from_lanes(|lane| value(numbers[lane]))
            };
            let stiffness = of(&|wheel| wheels[wheel].tire_stiffness);
            let sprung_mass = |wheel: usize| springs[wheel].sprung_mass - wheels[wheel].mass;
            let sprung = of(&sprung_mass);
            let of_parts = strut_laws(parts);
            FourUnsprung {
                mass: of(&|wheel| wheels[wheel].mass),
                least_mass: of(&|wheel| least_mass(axles, wheel, wheels, suspensions)),
                sprung_mass: sprung,
                rim: Rim::of(of(&|wheel| shapes[wheel].radius), stiffness).below(sprung),
                tire: TireSpring { stiffness, damping: of(&|wheel| wheels[wheel].tire_damping) },
                laws: StrutLaws {
                    bump_stop: DampedStop::below(sprung, of_parts.bump_stop.spring),
                    end_stop: DampedStop::below(
                        sprung,
                        Stop {
                            edge: of(&|wheel| suspensions[wheel].travel_distance),
                            stiffness: of(&|wheel| wheels[wheel].end_stop),
                        },
                    ),
                    droop_stop: of(&|wheel| wheels[wheel].droop_stop),
                    ..of_parts
                },
                path_slope: [
                    of(&|wheel| wheels[wheel].path_slope[0]),
                    of(&|wheel| wheels[wheel].path_slope[1]),
                ],
            }
        };
        let bar = |four: usize| ride_bars(bars, axles, four);
        let beam = |four: usize| FourBeams::new(axles, four, wheels, suspensions);
        let has_bars = !axles.is_empty() || bars.iter().any(|bar| bar.stiffness != 0.0);
        let beam_count = if axles.is_empty() { 0 } else { fours };
        let bar_count = if has_bars { fours } else { 0 };
        Some(Self {
            wheels: (0..fours).map(four).collect(),
            bars: (0..bar_count).map(bar).collect(),
            beams: (0..beam_count).map(beam).collect(),
        })
    }
}

/// Halvings of the travel in which a standing jounce is found: to a part in a million.
const HALVINGS: usize = 20;

impl StandingHubs for UnsprungLanes {
    #[cold]
    fn standing_jounce(&self, four: usize, gravity: Real) -> Real4 {
        let FourUnsprung { mass, sprung_mass, tire, laws, .. } = &self.wheels[four];
        let gravity = <Real4 as Number>::splat(gravity);
        let load = *sprung_mass * gravity;
        let (mut low, mut high) = (Real4::zero(), laws.end_stop.spring.edge);
        for _ in 0..HALVINGS {
            let middle = (low + high) * <Real4 as Number>::splat(0.5);
            let force = laws.spring.piece(middle).at(middle)
                + laws.bump_stop.spring.piece(middle).at(middle);
            let is_low = force.is_below(load);
            low = Number::select(is_low, middle, low);
            high = Number::select(is_low, high, middle);
        }
        high + (load + *mass * gravity) / tire.stiffness
    }

    #[inline]
    fn compliance(&self, four: usize) -> [Real4; 2] {
        let FourUnsprung { mass, tire, laws, .. } = &self.wheels[four];
        [tire.stiffness, laws.damper.bump.rate_beyond].map(|rate| rate / *mass)
    }
}

/// The bars of the wheels of this `four`, which join the same wheels as beam axles. A wheel without
/// either is told to have its neighbor at the other end: so bars of one axle of two also join
/// neighbors.
fn ride_bars(bars: &[AntiRollBarParams], axles: &[BeamAxleParams], four: usize) -> RideBars<Real4> {
    let wheels = each_lane(|lane| four * MAX_LANES + lane);
    let end = |wheel: usize| {
        let bar = bars.iter().find(|bar| bar.wheels.contains(&wheel))?;
        let other = bar.wheels.into_iter().find(|&other| other != wheel)?;
        Some((bar.stiffness, other))
    };
    RideBars {
        stiffness: Scalar::from_lanes(|lane| {
            end(wheels[lane]).map_or(0.0, |(stiffness, _)| stiffness)
        }),
        other: wheels.map(|wheel| {
            let of_bar = end(wheel).map(|(_, other)| other);
            of_bar.or(other_wheel(axles, wheel)).unwrap_or(wheel ^ 1)
        }),
    }
}
