//! A tire of the user's own.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::Real;
use vehicle_core::tire::{NoLanes, TireInput, TireModel, TireOutput};

/// A linear tire within the friction circle, whose lateral force builds up as the tire rolls.
///
/// ```text
/// dα'/dt = |v| (α - α') / σ
/// F = (C_s s, -C_α α') min(1, μ N / |(C_s s, C_α α')|)
/// ```
///
/// with `σ` the relaxation length; α' advances implicitly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearTire {
    /// C_s (N).
    pub longitudinal_stiffness: Real,
    /// C_α (N/rad).
    pub cornering_stiffness: Real,
    /// σ (m).
    pub relaxation_length: Real,
}

/// What a [`LinearTire`] remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinearTireState {
    /// Slip angle α' that the tire's carcass has followed (rad).
    pub slip_angle: Real,
}

impl TireModel for LinearTire {
    type State = LinearTireState;
    type Lanes = NoLanes;

    fn forces(&self, input: &TireInput<'_>, state: &mut LinearTireState) -> TireOutput {
        let speed = input.wheel.contact_speeds.longitudinal.abs();
        let share = speed * input.dt / self.relaxation_length;
        state.slip_angle = (state.slip_angle + share * input.slip.angle()) / (1.0 + share);

        let along = self.longitudinal_stiffness * input.slip.longitudinal;
        let across = -self.cornering_stiffness * state.slip_angle;
        let limit = input.grip.friction * input.grip.load;
        let scale = if limit < along.hypot(across) { limit / along.hypot(across) } else { 1.0 };
        TireOutput {
            longitudinal_force: along * scale,
            lateral_force: across * scale,
            longitudinal_stiffness: self.longitudinal_stiffness * scale,
            ..TireOutput::default()
        }
    }

    fn check(&self, check: &mut ParamCheck) {
        check.number("longitudinal_stiffness", self.longitudinal_stiffness, Bound::Positive);
        check.number("cornering_stiffness", self.cornering_stiffness, Bound::Positive);
        check.number("relaxation_length", self.relaxation_length, Bound::Positive);
    }
}
