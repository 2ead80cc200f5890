//! Where the measurements of a tire end, and what it does beyond.

use serde::{Deserialize, Serialize};

use super::group::coefficient_group;
use crate::math::{Clamped, Real};

coefficient_group! {
    /// Pressures at which the tire was measured.
    PressureRange in "INFLATION_PRESSURE_RANGE" {
        /// Lowest (Pa).
        presmin: Pressure = 0.0,
        /// Highest (Pa).
        presmax: Pressure = 1e7,
    }
}

coefficient_group! {
    /// Loads at which the tire was measured.
    LoadRange in "VERTICAL_FORCE_RANGE" {
        /// Lowest (N).
        fzmin: Force = 0.0,
        /// Highest (N).
        fzmax: Force = 1e9,
    }
}

coefficient_group! {
    /// Slip ratios at which the tire was measured.
    SlipRatioRange in "LONG_SLIP_RANGE" {
        /// Lowest (dimensionless).
        kpumin: Dimensionless = -1000.0,
        /// Highest (dimensionless).
        kpumax: Dimensionless = 1000.0,
    }
}

coefficient_group! {
    /// Slip angles at which the tire was measured.
    SlipAngleRange in "SLIP_ANGLE_RANGE" {
        /// Lowest (rad).
        alpmin: Angle = -1.5699,
        /// Highest (rad).
        alpmax: Angle = 1.5699,
    }
}

coefficient_group! {
    /// Camber angles at which the tire was measured.
    InclinationRange in "INCLINATION_ANGLE_RANGE" {
        /// Lowest (rad).
        cammin: Angle = -1.5699,
        /// Highest (rad).
        cammax: Angle = 1.5699,
    }
}

/// Declares the ends of a range about zero.
macro_rules! ends {
    ($range:ident: $least:ident, $most:ident) => {
        impl $range {
            /// Lowest and highest value of the range.
            pub fn ends(&self) -> [Real; 2] {
                [self.$least, self.$most]
            }
        }
    };
}

ends!(SlipRatioRange: kpumin, kpumax);
ends!(SlipAngleRange: alpmin, alpmax);
ends!(InclinationRange: cammin, cammax);
ends!(PressureRange: presmin, presmax);
ends!(LoadRange: fzmin, fzmax);

/// Part of the longer side of a range below which the shorter one counts as not measured
/// (dimensionless).
pub(crate) const UNMEASURED_SIDE: Real = 0.1;

/// Behavior of a tire outside of the ranges in which it was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub enum OutOfRange {
    /// As [`Clamp`](Self::Clamp), where slips and camber angles reach as far on one side of zero as
    /// they were measured on the other. A tire that was measured on one side alone answers on the
    /// other as its mirror image: most tires are measured as they brake, and drive as well.
    #[default]
    Mirror,
    /// The tire answers as at the end of the range. Below the lowest load, forces and moments fall
    /// in proportion to the load. A tire that was measured as it brakes does not drive.
    Clamp,
    /// The formulas go on.
    Extrapolate,
}

/// The side of zero on which alone a range from `least` to `most` lies, but for a tenth of it. It
/// is -1 below, 1 above, and 0 for a range of both.
pub fn measured_side([least, most]: [Real; 2]) -> Real {
    let is_one_sided = balance([least, most]) < UNMEASURED_SIDE;
    let longer = if -least < most { 1.0 } else { -1.0 };
    if is_one_sided { longer } else { 0.0 }
}

/// The shorter side of a range about zero by its longer one (dimensionless); 1 for a range of
/// nothing but zero.
pub(crate) fn balance([least, most]: [Real; 2]) -> Real {
    let (below, above) = (-least, most);
    let longer = below.max(above);
    if longer == 0.0 { 1.0 } else { below.min(above) / longer }
}

impl OutOfRange {
    /// The slips that a tire of this `range` answers to, where slips can be within `widest`.
    ///
    /// ```text
    /// [-m, m],   m = max(|least|, |most|)        mirrored; all where the range is empty
    /// ```
    pub(super) fn slips(self, range: [Real; 2], widest: [Real; 2]) -> [Real; 2] {
        let is_empty = range == [0.0; 2];
        match self {
            Self::Mirror if is_empty => widest,
            _ => self.angles(range, widest),
        }
    }

    /// The camber angles that a tire of this range answers to, within `widest` (rad): a tire that
    /// was measured upright stays upright.
    pub(super) fn angles(self, [least, most]: [Real; 2], widest: [Real; 2]) -> [Real; 2] {
        let within = |value: Real| value.clamped(widest[0], widest[1]);
        let longer = least.abs().max(most.abs());
        match self {
            Self::Mirror => [within(-longer), within(longer)],
            Self::Clamp => [within(least), within(most)],
            Self::Extrapolate => widest,
        }
    }

    /// The [side](measured_side) whose shape the formulas have on both sides; 0 if each has its
    /// own.
    pub(super) fn shape_side(self, range: [Real; 2]) -> Real {
        if self == Self::Mirror { measured_side(range) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_one_side_count_for_both_if_they_are_mirrored() {
        let widest = [-10.0, 10.0];
        for (range, side, mirrored) in [
            ([-1.0, 0.0], -1.0, [-1.0, 1.0]),
            ([-1.0, 0.02], -1.0, [-1.0, 1.0]),
            ([0.1, 0.5], 1.0, [-0.5, 0.5]),
            ([-0.5, -0.1], -1.0, [-0.5, 0.5]),
            ([-0.3, 0.5], 0.0, [-0.5, 0.5]),
            ([-1.0, 1.0], 0.0, [-1.0, 1.0]),
            ([-50.0, 50.0], 0.0, widest),
            ([0.0, 0.0], 0.0, widest),
        ] {
            assert_eq!(measured_side(range), side, "{range:?}");
            assert_eq!(OutOfRange::Mirror.slips(range, widest), mirrored, "{range:?}");
            let [least, most] = OutOfRange::Clamp.slips(range, widest);
            assert_eq!([least, most], range.map(|end| end.clamped(-10.0, 10.0)), "{range:?}");
            assert_eq!(OutOfRange::Extrapolate.slips(range, widest), widest, "{range:?}");
        }
        assert_eq!(OutOfRange::Mirror.angles([0.0; 2], widest), [0.0; 2]);
    }
}
