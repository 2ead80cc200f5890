//! A foot on the clutch pedal, for a driver who has none: it presses the pedal before the engine
//! stalls, and while gears are shifted.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::{Clamped, Real};

use crate::engine::EngineParams;
use crate::pacing::approached;

/// A foot on the clutch pedal.
///
/// ```text
/// c* = 1 - (ω - ω_0)/(ω_1 - ω_0) within [0, 1],   and 1 while a gear is shifted
/// ```
///
/// A clutch that [lets go by itself](crate::clutch::ClutchParams::automatic) needs none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClutchFootParams {
    /// ω_0, engine speed at which the pedal is pressed down (rad/s).
    pub open_speed: Real,
    /// ω_1, engine speed from which on it is let go of (rad/s).
    pub closed_speed: Real,
    /// Time in which the pedal comes up (s); it goes down at once.
    pub release_time: Real,
    /// Time for which it is pressed for a shift (s).
    pub shift_time: Real,
}

impl ClutchFootParams {
    /// A foot for `engine`, which pulls away between its idle speed and a quarter of the way from
    /// there to its largest.
    pub fn of(engine: &EngineParams) -> Self {
        Self::between([engine.idle_speed, engine.max_speed])
    }

    /// As [`of`](Self::of), for an engine with these idle and largest speeds (rad/s).
    pub(super) fn between([idle, most]: [Real; 2]) -> Self {
        let closed_speed = idle + 0.25 * (most - idle);
        Self { open_speed: idle, closed_speed, release_time: 0.3, shift_time: 0.15 }
    }
}

impl Validate for ClutchFootParams {
    fn check(&self, check: &mut ParamCheck) {
        let open = self.open_speed;
        check.number("open_speed", open, Bound::NotNegative);
        check.number("closed_speed", self.closed_speed, Bound::Positive);
        let requirement = format_args!("above {open}, the open_speed");
        check.require("closed_speed", open < self.closed_speed, requirement, self.closed_speed);
        check.number("release_time", self.release_time, Bound::NotNegative);
        check.number("shift_time", self.shift_time, Bound::NotNegative);
    }
}

/// The foot between two steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClutchFootState {
    /// The pedal, in [0, 1]: 1 is pressed down.
    pub pedal: Real,
    /// Time for which it stays pressed for a shift (s).
    pub shifting: Real,
}

impl ClutchFootState {
    /// Presses the pedal for a shift.
    pub fn shift(&mut self, params: &ClutchFootParams) {
        self.shifting = params.shift_time;
    }

    /// The pedal after `dt` (s) at this `engine_speed` (rad/s).
    pub fn update(&mut self, params: &ClutchFootParams, engine_speed: Real, dt: Real) -> Real {
        let range = params.closed_speed - params.open_speed;
        let wanted = (1.0 - (engine_speed - params.open_speed) / range).clamped(0.0, 1.0);
        let wanted = if 0.0 < self.shifting { 1.0 } else { wanted };
        self.shifting = (self.shifting - dt).max(0.0);
        self.pedal = if self.pedal < wanted || params.release_time == 0.0 {
            wanted
        } else {
            approached(self.pedal, wanted, dt / params.release_time)
        };
        self.pedal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pedal_goes_down_before_the_engine_stalls_and_comes_up_slowly() {
        let params = ClutchFootParams::of(&EngineParams::default());
        let mut state = ClutchFootState::default();
        assert_eq!(state.update(&params, params.open_speed, 0.01), 1.0);
        let rising = state.update(&params, params.closed_speed, 0.03);
        assert!((rising - 0.9).abs() < 1e-6, "{rising}");
        for _ in 0..20 {
            state.update(&params, params.closed_speed, 0.03);
        }
        assert_eq!(state.pedal, 0.0);
        let half = 0.5 * (params.open_speed + params.closed_speed);
        assert!((state.update(&params, half, 0.01) - 0.5).abs() < 1e-6, "{state:?}");
    }

    #[test]
    fn a_shift_presses_the_pedal_for_its_time_at_any_rate() {
        let params = ClutchFootParams::of(&EngineParams::default());
        for rate in [30.0, 60.0, 144.0, 240.0] {
            let mut state = ClutchFootState::default();
            state.shift(&params);
            let mut pressed = 0.0;
            while state.update(&params, 600.0, 1.0 / rate) == 1.0 {
                pressed += 1.0 / rate;
            }
            let late: Real = pressed - params.shift_time;
            assert!(late.abs() < 1.01 / rate, "{rate} Hz: {pressed} s");
        }
    }
}
