//! The tire of simulations in accident reconstruction: straight up to the friction of the road.

use serde::{Deserialize, Serialize};
use vehicle_rapier::core::error::{Bound, ParamCheck};
use vehicle_rapier::core::math::Real;
use vehicle_rapier::core::tire::{NoLanes, TireInput, TireModel, TireOutput};

/// A tire whose force grows with the slip in a straight line until it slides.
///
/// ```text
/// F = N min(s/s₁, μ),   s = √(κ² + α²)
/// ```
///
/// against the direction in which the contact slides, `(κ cos α, sin α)`. `α` is the angle between
/// rolling direction and velocity at any speed, from 0 to a right angle: it needs no least speed.
///
/// Source: the lateral law is the linear tire of PC-Crash, as pycrash (joe-cormier/pycrash) says it
/// of its validation runs, `F = N min(α/10°, 0.76)`. That it is as stiff along the wheel is ours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitedLinearTire {
    /// Slip angle at which the force would be as large as the load (rad).
    pub full_slip_angle: Real,
}

impl LimitedLinearTire {
    /// The name by which vehicle files call it.
    pub const NAME: &'static str = "limited_linear";
}

impl Default for LimitedLinearTire {
    /// 10°.
    fn default() -> Self {
        Self { full_slip_angle: 0.174_533 }
    }
}

impl TireModel for LimitedLinearTire {
    type State = ();
    type Lanes = NoLanes;

    fn forces(&self, input: &TireInput<'_>, (): &mut ()) -> TireOutput {
        let speeds = &input.wheel.contact_speeds;
        // A tire that sticks has no slip, whatever the speeds are.
        let is_stuck = input.slip.tangent == 0.0;
        let angle = if is_stuck { 0.0 } else { speeds.lateral.atan2(speeds.longitudinal.abs()) };
        let ratio = input.slip.longitudinal;
        let slip = ratio.hypot(angle);
        let (along, across) = (ratio * angle.cos(), angle.sin());
        let size = along.hypot(across);
        if size == 0.0 {
            let stiffness = input.grip.load / self.full_slip_angle;
            return TireOutput { longitudinal_stiffness: stiffness, ..TireOutput::default() };
        }
        let force = input.grip.load * (slip / self.full_slip_angle).min(input.grip.friction);
        TireOutput {
            longitudinal_force: force * along / size,
            lateral_force: -force * across / size,
            longitudinal_stiffness: force * angle.cos() / size,
            ..TireOutput::default()
        }
    }

    fn check(&self, check: &mut ParamCheck) {
        check.number("full_slip_angle", self.full_slip_angle, Bound::Within(1e-3, 1.5));
    }
}
