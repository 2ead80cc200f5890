//! Brake over throttle: cuts the throttle while both pedals are pressed.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::Real;

use super::signals::AidSignals;

/// Pedals from which on they count (dimensionless).
const PRESSED: Real = 0.1;
/// Least speed (m/s).
const LEAST_SPEED: Real = 3.0;

/// Parameters of the aid that cuts the throttle while both pedals are pressed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct BrakeOverrideParams {
    /// Time for which both pedals have to be pressed, in [0, 10] (s).
    pub delay: Real,
}

impl Default for BrakeOverrideParams {
    fn default() -> Self {
        Self { delay: 0.3 }
    }
}

impl BrakeOverrideParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        check.number("delay", self.delay, Bound::Within(0.0, 10.0));
    }

    /// Advances the `time` (s) for which both pedals have been pressed. Returns the limit of the
    /// throttle, 0, if there is one.
    pub fn limit(&self, time: &mut Real, signals: &AidSignals<'_>) -> Option<Real> {
        let driver = &signals.driver;
        let both = PRESSED < driver.foot_brake && PRESSED < driver.throttle;
        let is_fast = LEAST_SPEED < signals.body.longitudinal_speed.abs();
        *time = if both && is_fast { *time + signals.dt } else { 0.0 };
        (both && is_fast && self.delay <= *time).then_some(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::signals::{BodySignals, DriverSignals};
    use super::*;

    #[test]
    fn both_pedals_cut_the_engine_after_the_delay_at_speed() {
        let cut_after = |longitudinal_speed, dt: Real| {
            let signals = AidSignals {
                wheels: &[],
                body: BodySignals { longitudinal_speed, ..Default::default() },
                driver: DriverSignals { throttle: 1.0, foot_brake: 0.5, ..Default::default() },
                drive: Default::default(),
                gravity: 9.81,
                dt,
            };
            let (params, mut time) = (BrakeOverrideParams::default(), 0.0);
            (0..1_000).position(|_| params.limit(&mut time, &signals).is_some())
        };
        for rate in [30.0, 60.0, 120.0] {
            let steps = cut_after(20.0, 1.0 / rate).unwrap() as Real;
            assert!((steps / rate - 0.3).abs() <= 1.5 / rate, "{steps} at {rate} Hz");
        }
        assert_eq!(cut_after(1.0, 0.01), None);
    }
}
