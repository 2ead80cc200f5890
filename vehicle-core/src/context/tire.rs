//! What all tires of a simulation share: how slips stay finite, and when tires stick.

use serde::{Deserialize, Serialize};

use crate::error::{Bound, ParamCheck, Validate};
use crate::math::Real;

/// How the denominators of slips are kept from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SlipLimit {
    /// The limit is the denominator at standstill, and is gone at twice its speed: slips are then
    /// those of the formulas. Between, the denominator is smooth, see
    /// [`slip_denominator`](crate::tire::slip_denominator).
    #[default]
    Vanishing,
    /// The limit is added to the speed, as in the reference's data: at 10 m/s a limit of 1 m/s
    /// takes 9 % of a tire's stiffness, at 25 m/s 4 %.
    Added,
}

/// Least denominators of slips (m/s), so that slips stay finite near standstill.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TireSlipParams {
    /// Least denominator of the lateral slip (m/s).
    pub min_lateral_denominator: Real,
    /// Least denominator of the longitudinal slip of a wheel that neither drives nor brakes (m/s).
    pub min_passive_longitudinal_denominator: Real,
    /// Least denominator of the longitudinal slip of a wheel that drives or brakes (m/s).
    pub min_active_longitudinal_denominator: Real,
    /// How far above standstill they count.
    #[serde(default)]
    pub limit: SlipLimit,
}

impl Default for TireSlipParams {
    /// Limits that are gone at a brisk walk, 2 m/s.
    fn default() -> Self {
        Self {
            min_lateral_denominator: 1.0,
            min_passive_longitudinal_denominator: 1.0,
            min_active_longitudinal_denominator: 0.1,
            limit: SlipLimit::Vanishing,
        }
    }
}

impl TireSlipParams {
    /// The limits of the reference's data: 1, 4 and 0.1 m/s, added to the speed.
    pub const REFERENCE: Self = Self {
        min_lateral_denominator: 1.0,
        min_passive_longitudinal_denominator: 4.0,
        min_active_longitudinal_denominator: 0.1,
        limit: SlipLimit::Added,
    };
}

impl Validate for TireSlipParams {
    #[inline]
    fn check(&self, check: &mut ParamCheck) {
        let passive = self.min_passive_longitudinal_denominator;
        let active = self.min_active_longitudinal_denominator;
        check.number("min_lateral_denominator", self.min_lateral_denominator, Bound::Positive);
        check.number("min_passive_longitudinal_denominator", passive, Bound::Positive);
        check.number("min_active_longitudinal_denominator", active, Bound::Positive);
    }
}

/// When a tire sticks in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StickyLimits {
    /// Speed below which the timer runs (m/s). The speed along the rolling direction counts; in the
    /// limits across it, where a [damper](StickyHold::Damper) or a host holds the tire, the speed
    /// across. The threshold of a locked wheel is as high as the speed that friction takes away
    /// within a frame, up to three times this. A parked car that something pushes has such a speed
    /// at the start of each frame.
    pub threshold_speed: Real,
    /// Time after which the tire sticks (s).
    pub threshold_time: Real,
    /// Damping rate of the constraint that holds a sticky tire (1/s).
    pub damping: Real,
}

impl Validate for StickyLimits {
    #[inline]
    fn check(&self, check: &mut ParamCheck) {
        check.number("threshold_speed", self.threshold_speed, Bound::NotNegative);
        check.number("threshold_time", self.threshold_time, Bound::NotNegative);
        check.number("damping", self.damping, Bound::NotNegative);
    }
}

/// The kind of force that holds a sticky tire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StickyHold {
    /// Friction: the tire stands where it began to stick, as firmly as its load and the road allow.
    #[default]
    Anchor,
    /// The reference's damper of unlimited force: slows the tire, but lets it creep.
    Damper,
}

/// When a tire sticks, and what holds it then.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TireStickyParams {
    /// Along the rolling direction.
    pub longitudinal: StickyLimits,
    /// Across it.
    pub lateral: StickyLimits,
    /// The kind of force that holds a sticky tire.
    #[serde(default)]
    pub hold: StickyHold,
}

impl Default for TireStickyParams {
    fn default() -> Self {
        let limits = |damping| StickyLimits { threshold_speed: 0.2, threshold_time: 1.0, damping };
        Self { longitudinal: limits(1.0), lateral: limits(0.1), hold: StickyHold::Anchor }
    }
}

impl Validate for TireStickyParams {
    #[inline]
    fn check(&self, check: &mut ParamCheck) {
        check.field("longitudinal", |inner| self.longitudinal.check(inner));
        check.field("lateral", |inner| self.lateral.check(inner));
    }
}
