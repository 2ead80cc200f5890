//! Anti-roll bars: forces at two wheels that resist different jounces.
//!
//! What a bar gives to the load of one wheel it takes from that of the other, and the body feels it
//! through these loads alone. So the moments about the track balance, however stiff the bars are.

use serde::{Deserialize, Serialize};

use crate::body::RigidBodyState;
use crate::error::{Bound, ParamCheck};
use crate::math::lanes::{MAX_LANES, Number};
use crate::math::{Real, Vec3, transform_point};
use crate::mount::SuspensionParams;

/// The parts on which an anti-roll bar acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AntiRollAction {
    /// The wheels feel it: what a bar gives to the load of one, it takes from that of the other. So
    /// it moves the balance of the vehicle to the other axle.
    #[default]
    Wheels,
    /// The body alone, by a torque: the loads of the wheels do not know of it. For the reference's
    /// data. Bars of wheels with mass act on the wheels in any case; `diagnose` then tells.
    Body,
}

/// A bar between two wheels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AntiRollBarParams {
    /// The wheels that the bar joins.
    pub wheels: [usize; 2],
    /// Force per difference of the jounces (N/m).
    pub stiffness: Real,
    /// The parts on which the bar acts.
    #[serde(default)]
    pub action: AntiRollAction,
}

impl AntiRollBarParams {
    /// A bar between `wheels` of a `stiffness` (N/m), which acts on these wheels.
    pub fn new(wheels: [usize; 2], stiffness: Real) -> Self {
        Self { wheels, stiffness, action: AntiRollAction::Wheels }
    }

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

/// A wheel at the end of an anti-roll bar.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AntiRollWheel {
    /// Jounce (m).
    pub jounce: Real,
    /// Stiffness of the wheel's own spring (N/m).
    pub stiffness: Real,
}

impl AntiRollWheel {
    /// Jounce of the wheel itself (m), which a bar of `stiffness` (N/m) may lift off the road when
    /// the wheel at its other end has the jounce `other` (m).
    fn lifted(&self, stiffness: Real, other: Real) -> Real {
        if stiffness <= 0.0 {
            return self.jounce;
        }
        self.jounce.max(other * (stiffness / (self.stiffness + stiffness)))
    }
}

/// Force with which a bar presses the first of its `wheels` onto the road, and lifts the second
/// (N).
///
/// ```text
/// f = κ (e0 - e1),   e = max(j, j' κ / (k + κ))
/// ```
///
/// with `j` the jounce of a wheel and `j'` that of the other one. A wheel that the bar lifts hangs
/// where the wheel's own spring `k` balances the bar, and gives the bar no more hold than this
/// spring.
pub fn anti_roll_force(stiffness: Real, wheels: &[AntiRollWheel; 2]) -> Real {
    let [first, second] = wheels;
    let jounces = [first.lifted(stiffness, second.jounce), second.lifted(stiffness, first.jounce)];
    (jounces[0] - jounces[1]) * stiffness
}

/// Whether any of `bars` acts on wheels.
#[inline]
pub(crate) fn act_on_wheels(bars: &[AntiRollBarParams]) -> bool {
    bars.iter().any(|bar| bar.action == AntiRollAction::Wheels)
}

/// Force with which all `bars` together press the wheel `number` of each lane onto the road (N).
#[inline]
pub(crate) fn anti_roll_forces<N: Number>(
    bars: &[AntiRollBarParams],
    numbers: [usize; MAX_LANES],
    wheel: impl Fn(usize) -> AntiRollWheel,
) -> N {
    N::from_lanes(|lane| {
        let acting = bars.iter().filter(|bar| bar.action == AntiRollAction::Wheels);
        let forces = acting.map(|bar| {
            let [first, second] = bar.wheels;
            let force = || anti_roll_force(bar.stiffness, &[wheel(first), wheel(second)]);
            if numbers[lane] == first {
                force()
            } else if numbers[lane] == second {
                -force()
            } else {
                0.0
            }
        });
        forces.sum()
    })
}

/// One end of an anti-roll bar that turns the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AntiRollBarEnd {
    /// Mount of the suspension.
    pub suspension: SuspensionParams,
    /// Jounce (m).
    pub jounce: Real,
    /// Where the suspension force acts (m, suspension frame).
    pub force_point: Vec3,
}

impl AntiRollBarEnd {
    /// Torque of `force` along the travel direction (N), about the center of mass (N·m, body
    /// frame).
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

/// Torque of an anti-roll bar that acts on the body alone (N·m, body frame).
///
/// ```text
/// f = κ (j0 - j1)
/// τ = r0 × (-f t0) + r1 × (f t1)
/// ```
///
/// The bar pushes the body up over the more compressed wheel and down over the other. It gives a
/// torque only, no net force. This is the reference's bar; see [`anti_roll_force`] for the default.
pub fn anti_roll_torque(stiffness: Real, ends: &[AntiRollBarEnd; 2]) -> Vec3 {
    let force = (ends[0].jounce - ends[1].jounce) * stiffness;
    ends[0].torque(-force) + ends[1].torque(force)
}

/// Torque on `body` of all `bars` that act on it alone (N·m), with the end of a bar at each wheel.
pub(crate) fn anti_roll_bars_torque(
    bars: &[AntiRollBarParams],
    body: &RigidBodyState,
    end: impl Fn(usize) -> AntiRollBarEnd,
) -> Vec3 {
    let acting = bars.iter().filter(|bar| bar.action == AntiRollAction::Body);
    let torques = acting.map(|bar| {
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
            suspension: suspensions[index],
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
    fn bar_presses_the_more_compressed_wheel_and_lifts_the_other() {
        let force = |first, second| {
            let wheels =
                [first, second].map(|jounce| AntiRollWheel { jounce, stiffness: 30_000.0 });
            anti_roll_force(10_000.0, &wheels)
        };
        // 10000 (0.1 - 0.05)
        assert!((force(0.1, 0.05) - 500.0).abs() < 1e-2);
        assert!((force(0.05, 0.1) + 500.0).abs() < 1e-2);
        // A lifted wheel hangs at 0.1 · 10 / 40, where 30000 · 0.025 = 10000 (0.1 - 0.025).
        for hanging in [0.0, 0.01, 0.025] {
            assert!((force(0.1, hanging) - 750.0).abs() < 1e-2, "{hanging} m");
        }
        assert_eq!(force(0.0, 0.0), 0.0);
    }

    #[test]
    fn bars_add_up_at_each_wheel() {
        let bars = [
            AntiRollBarParams::new([0, 1], 10_000.0),
            AntiRollBarParams::new([2, 1], 20_000.0),
            AntiRollBarParams {
                action: AntiRollAction::Body,
                ..AntiRollBarParams::new([0, 2], 1e6)
            },
        ];
        let jounces = [0.12, 0.10, 0.09, 0.11];
        let wheel = |number: usize| AntiRollWheel { jounce: jounces[number], stiffness: 30_000.0 };
        // 10000 · 0.02; -200 - 20000 (0.09 - 0.10); 20000 (0.09 - 0.10); no bar
        for (number, expected) in [200.0, 0.0, -200.0, 0.0].into_iter().enumerate() {
            let force: Real = anti_roll_forces(&bars, [number; MAX_LANES], wheel);
            assert!((force - expected).abs() < 1e-2, "wheel {number}: {force} N");
        }
    }

    #[test]
    fn wheel_in_the_air_holds_nothing() {
        assert!(torque(0.1, 0.0).distance(Vec3::X * 750.0) < 1e-2);
        assert_eq!(torque(0.0, 0.0), Vec3::ZERO);
    }
}
