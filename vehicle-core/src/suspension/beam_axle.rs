//! Beam axles: a rigid axle that joins two wheels.
//!
//! The axle moves up and down and rolls below the body. Its two wheels are a body with each other:
//! a bump below one of them leans the other, too, and both stand upright on their road as the body
//! leans. A wheel that hops alone shakes the axle about its center: *tramp*.

mod checks;

use serde::{Deserialize, Serialize};

pub(crate) use self::checks::check_beam_axles;
use crate::math::Real;
use crate::mount::SuspensionParams;

/// A rigid axle between two wheels with mass. Its mass is that of its wheels, of which each has
/// that of half of the axle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BeamAxleParams {
    /// The wheels that the axle joins.
    pub wheels: [usize; 2],
    /// Moment of inertia of axle and wheels about the axis of roll through their center (kg·m²).
    pub roll_inertia: Real,
    /// Distance between the springs, which have the bump stops beside them (m). The stops at the
    /// ends of the travel are at the wheels.
    pub spring_track: Real,
    /// Distance between the dampers (m).
    pub damper_track: Real,
    /// Height of the roll center above the ground (m), at which a Panhard rod, a Watt's linkage or
    /// leaf springs hold the axle from the side.
    #[serde(default)]
    pub roll_center_height: Real,
    /// Steer angle of the axle by the angle at which the body rolls above it (dimensionless). It is
    /// positive into the bend as the body rolls out of it: a rear axle's understeer.
    #[serde(default)]
    pub roll_steer: Real,
}

impl BeamAxleParams {
    /// An axle between `wheels` of this `roll_inertia` (kg·m²), with springs and dampers this far
    /// apart (m), a roll center on the ground and no roll steer.
    pub fn new(wheels: [usize; 2], roll_inertia: Real, spring_track: Real) -> Self {
        Self {
            wheels,
            roll_inertia,
            spring_track,
            damper_track: spring_track,
            roll_center_height: 0.0,
            roll_steer: 0.0,
        }
    }

    /// Distance between its wheels (m).
    pub(crate) fn track(&self, suspensions: &[SuspensionParams]) -> Real {
        let [first, second] = self.wheels.map(|wheel| suspensions[wheel].wheel_mount());
        first.distance(second)
    }

    /// The mass that its two wheels share (kg): how much less of one moves with it alone, and more
    /// with the other, than if they were independent.
    ///
    /// ```text
    /// b = m m' / (m + m') - J / T²
    /// ```
    ///
    /// with the masses `m` and `m'` of the wheels, the roll inertia `J` and the track `T`.
    pub(crate) fn shared_mass(&self, masses: [Real; 2], track: Real) -> Real {
        let [first, second] = masses;
        first * second / (first + second) - self.roll_inertia / (track * track)
    }
}

#[cfg(test)]
mod tests;
