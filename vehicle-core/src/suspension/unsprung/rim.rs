//! Rims of wheels, onto which tires bottom.
//!
//! Without them a dip of 4 g would lay a car on its hull.

use super::laws::{DampedStop, Stop};
use super::scalar::Scalar;
use crate::road::RIM_DEPTH;

/// How far a tire is pressed at most, by the wheel's radius (dimensionless): a road may be at any
/// depth, the push of a rim has an end.
pub(super) const DEEPEST: f64 = 2.0;

/// Where a tire is pressed flat: springs of its tread and its rim beside its own.
///
/// ```text
/// f = k δ + 12 k (δ - 0.28 R)₊ + 25 k (δ - 0.35 R)₊
/// ```
///
/// with the stiffness `k` and the radius `R` of the tire, of a rim of 0.62 `R`. Both springs of the
/// rim are [damped](DampedStop): rubber between metal and road gives little back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rim<S>(pub(super) [DampedStop<S>; 2]);

impl<S: Scalar> Rim<S> {
    /// Deflections at which its springs begin, by the wheel's radius, and their stiffness by the
    /// tire's (dimensionless).
    const SPRINGS: [(f64, f64); 2] = [(RIM_DEPTH, 12.0), (0.35, 25.0)];

    /// The rim in a tire of this `stiffness` (N/m) on a wheel of this `radius` (m), not damped.
    pub(super) fn of(radius: S, stiffness: S) -> Self {
        Self(Self::SPRINGS.map(|(edge, by_tire)| {
            let spring = Stop { edge: radius * S::of(edge), stiffness: stiffness * S::of(by_tire) };
            DampedStop::elastic(spring)
        }))
    }

    /// This rim below a body of `mass` (kg), which damps it.
    pub(super) fn below(&self, mass: S) -> Self {
        Self(self.0.map(|stop| DampedStop::below(mass, stop.spring)))
    }

    /// The largest load of a tire by its stiffness and its radius: pressed by the diameter
    /// (dimensionless).
    pub(super) fn most_of_radius() -> S {
        let rims = Self::SPRINGS.map(|(edge, by_tire)| by_tire * (DEEPEST - edge));
        S::of(DEEPEST + rims.iter().sum::<f64>())
    }

    /// This rim on ground that could `give` way by so much per force (m/N): softer.
    ///
    /// ```text
    /// 1 / k' = 1 / k + K dt²
    /// ```
    ///
    /// with the ground's response `K` (1/kg) in a frame of `dt`. A rim is so stiff that a light
    /// body below it would be gone before a step ends.
    pub(super) fn softer_by(&self, give: S) -> Self {
        Self(self.0.map(|DampedStop { spring: Stop { edge, stiffness }, damping_time }| {
            let stiffness = stiffness / (S::of(1.0) + stiffness * give);
            DampedStop { spring: Stop { edge, stiffness }, damping_time }
        }))
    }

    /// Slope of the law of tire and rim under a `load` (N), if the tire is of this `stiffness`
    /// (N/m).
    pub(super) fn slope_under(&self, load: S, stiffness: S) -> S {
        let (mut slope, mut deflection, mut reached) = (stiffness, S::of(0.0), S::of(0.0));
        for DampedStop { spring: stop, .. } in &self.0 {
            reached = reached + slope * (stop.edge - deflection);
            deflection = stop.edge;
            slope = slope + stop.stiffness.where_true(reached.is_less(load));
        }
        slope
    }
}

/// A spring of a rim in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RimSpring<S> {
    pub(super) stop: DampedStop<S>,
    /// How much of its force is that of the step's end (dimensionless).
    pub(super) theta: S,
    /// Deflection of the tire, with the road's rise of a part of the step (m).
    pub(super) deflection: S,
}
