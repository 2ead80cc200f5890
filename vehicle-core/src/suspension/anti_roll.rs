//! Anti-roll bars: a torque that resists different jounces of two wheels.

use serde::{Deserialize, Serialize};

use super::params::SuspensionParams;
use crate::error::{Bound, ParamCheck};
use crate::math::{Real, Vec3, transform_point};
use crate::rigid_body::RigidBodyState;

/// A bar between two wheels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AntiRollBarParams {
    /// The wheels that the bar joins.
    pub wheels: [usize; 2],
    /// Force per difference of the jounces (N/m).
    pub stiffness: Real,
}

impl AntiRollBarParams {
    /// Checks the parameters of a vehicle of `wheel_count` wheels.
    pub fn check(&self, check: &mut ParamCheck, wheel_count: usize) {
        for (index, &wheel) in self.wheels.iter().enumerate() {
            let requirement = format_args!("a wheel below {wheel_count}");
            check.require(format_args!("wheels[{index}]"), wheel < wheel_count, requirement, wheel);
        }
        let [first, second] = self.wheels;
        check.require("wheels", first != second, "two different wheels", first);
        check.number("stiffness", self.stiffness, Bound::Finite);
    }
}

/// One end of an anti-roll bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AntiRollBarEnd<'a> {
    /// Mount of the suspension.
    pub suspension: &'a SuspensionParams,
    /// Jounce (m).
    pub jounce: Real,
    /// Where the suspension force acts (m, suspension frame).
    pub force_point: Vec3,
}

impl AntiRollBarEnd<'_> {
    /// Torque of `force` along the travel direction (N), about the center of mass (N·m, body frame).
    ///
    /// A suspension at full droop hangs in the air and holds nothing.
    fn torque(&self, force: Real) -> Vec3 {
        if self.jounce == 0.0 {
            return Vec3::ZERO;
        }
        let arm = transform_point(&self.suspension.attachment, self.force_point);
        arm.cross(self.suspension.travel_direction * force)
    }
}

/// Torque of an anti-roll bar on the body (N·m, body frame).
///
/// ```text
/// f = κ (j0 - j1)
/// τ = r0 × (-f t0) + r1 × (f t1)
/// ```
///
/// The bar pushes the body up over the more compressed wheel and down over the other. It gives a
/// torque only, no net force.
pub fn anti_roll_torque(stiffness: Real, ends: &[AntiRollBarEnd<'_>; 2]) -> Vec3 {
    let force = (ends[0].jounce - ends[1].jounce) * stiffness;
    ends[0].torque(-force) + ends[1].torque(force)
}

/// Torque of all `bars` on `body` (N·m), with the end of a bar at each wheel.
pub(crate) fn anti_roll_bars_torque<'a>(
    bars: &[AntiRollBarParams],
    body: &RigidBodyState,
    end: impl Fn(usize) -> AntiRollBarEnd<'a>,
) -> Vec3 {
    let torques = bars.iter().map(|bar| {
        let ends = bar.wheels.map(&end);
        body.direction(anti_roll_torque(bar.stiffness, &ends))
    });
    torques.fold(Vec3::ZERO, |sum, torque| sum + torque)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose;

    fn suspension(side: Real) -> SuspensionParams {
        SuspensionParams {
            attachment: Pose::from_translation(Vec3::Y * side),
            travel_direction: Vec3::NEG_Z,
            travel_distance: 0.2,
            wheel_attachment: Pose::IDENTITY,
        }
    }

    fn torque(left: Real, right: Real) -> Vec3 {
        let suspensions = [suspension(0.75), suspension(-0.75)];
        let end = |index: usize, jounce| AntiRollBarEnd {
            suspension: &suspensions[index],
            jounce,
            force_point: Vec3::ZERO,
        };
        anti_roll_torque(10_000.0, &[end(0, left), end(1, right)])
    }

    #[test]
    fn bar_raises_the_more_compressed_side() {
        // 10000 (0.1 - 0.05) · 2 · 0.75, positive roll lifts the left
        assert!(torque(0.1, 0.05).distance(Vec3::X * 750.0) < 1e-2);
        assert!(torque(0.05, 0.1).distance(Vec3::X * -750.0) < 1e-2);
    }

    #[test]
    fn wheel_in_the_air_holds_nothing() {
        assert!(torque(0.1, 0.0).distance(Vec3::X * 750.0) < 1e-2);
        assert_eq!(torque(0.0, 0.0), Vec3::ZERO);
    }
}
