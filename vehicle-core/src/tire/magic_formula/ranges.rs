//! Where the measurements of a tire end, and what it does beyond.

use serde::{Deserialize, Serialize};

use super::group::coefficient_group;

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

/// What a tire does where it was not measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub enum OutOfRange {
    /// It answers as at the end of the range. Below the lowest load, forces and moments fall in
    /// proportion to the load.
    #[default]
    Clamp,
    /// The formulas go on.
    Extrapolate,
}
