//! The ranges of a tire's measurement, as bounds of inputs.

use super::{MagicFormulaParams, OutOfRange};
use crate::math::lanes::{MAX_LANES, Number};
use crate::math::{Clamped, Real, tan};

/// Loads, by the nominal load, above this count as this (dimensionless).
const MOST_LOAD: Real = 20.0;
/// Slip ratios and tangents of slip angles above this count as this (dimensionless).
const MOST_SLIP: Real = 1e3;

/// Bounds to which inputs are clamped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<N> {
    pub(super) load: [N; 2],
    pub(super) slip_ratio: [N; 2],
    pub(super) slip_tangent: [N; 2],
    pub(super) inclination: [N; 2],
    pub(super) pressure: [N; 2],
    /// The sides of slip ratio and slip angle whose curvature the other has too; 0 where each has
    /// its own.
    pub(super) shape_sides: [N; 2],
}

impl<N: Number> Bounds<N> {
    #[inline]
    pub(super) fn from_lanes(tires: [(&MagicFormulaParams, OutOfRange); MAX_LANES]) -> Self {
        type Range = fn(&MagicFormulaParams) -> [Real; 2];
        let ends = |of: &dyn Fn(usize) -> [Real; 2]| {
            [N::from_lanes(|lane| of(lane)[0]), N::from_lanes(|lane| of(lane)[1])]
        };
        let bounds = |range: Range, widest: [Real; 2]| {
            ends(&|lane| match tires[lane] {
                (_, OutOfRange::Extrapolate) => widest,
                (params, _) => range(params).map(|end| end.clamped(widest[0], widest[1])),
            })
        };
        let slips = |range: Range, widest: [Real; 2]| {
            ends(&|lane| tires[lane].1.slips(range(tires[lane].0), widest))
        };
        let side =
            |range: Range| N::from_lanes(|lane| tires[lane].1.shape_side(range(tires[lane].0)));
        let load = bounds(|tire| tire.load_range.ends(), [0.0, 1e9]);
        let most =
            |lane: usize| MOST_LOAD * tires[lane].0.vertical.fnomin * tires[lane].0.scaling.lfzo;
        let ratio: Range = |tire| tire.slip_ratio_range.ends();
        let angle: Range = |tire| tire.slip_angle_range.ends();
        let inclination: Range = |tire| tire.inclination_range.ends();
        let upright = [-1.5699, 1.5699];
        Self {
            load: [load[0], load[1].at_most(N::from_lanes(most))],
            slip_ratio: slips(ratio, [-MOST_SLIP, MOST_SLIP]),
            slip_tangent: slips(angle, upright).map(tan),
            inclination: ends(&|lane| tires[lane].1.angles(inclination(tires[lane].0), upright)),
            pressure: bounds(|tire| tire.pressure_range.ends(), [0.0, 1e9]),
            shape_sides: [side(ratio), side(angle)],
        }
    }
}
