//! Drift assist: the driver steers relative to the slide.
//!
//! ```text
//! δ_align = atan( (v_y + a r) / v_x )            front wheels along the motion of their axle
//! δ       = (1 - A) δ_driver + A ( δ_align + u δ_range - T_r (r - a_y/v) )
//! ```
//!
//! with the steering wheel `u` and a share `A` that fades in beyond a slip angle of 8 degrees above
//! 6 m/s under throttle. Meanwhile traction control allows more slip, and stability control keeps
//! the car from spinning alone. A trim of the throttle can hold the slip angle.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::{Clamped, Real, atan2};

use super::signals::{AidSignals, calm_slope};
use super::stability::DriftAllowance;
use super::vehicle::AidVehicle;
use crate::pacing::lag_share;

/// Throttle from which on a slide counts as a drift (dimensionless).
const LEAST_THROTTLE: Real = 0.1;
/// Width of the slip angles over which it fades in, per least slip angle (dimensionless).
const FADE_SHARE: Real = 0.5;
/// Width of the speeds over which it fades in (m/s).
const FADE_SPEED: Real = 2.0;
/// Time in which the assist takes over and hands back (s).
const FADE_TIME: Real = 0.1;

/// Parameters of the drift assist.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct DriftParams {
    /// Share of the steering, in [0, 1]: at 0 it does nothing.
    pub strength: Real,
    /// Steer angle about that of the slide at steering wheel 1, in [0, 0.6] (rad).
    pub steer_range: Real,
    /// Slip angle of the body from which on it helps, in [0.05, 0.5] (rad).
    pub min_slip_angle: Real,
    /// Slip angle beyond which stability control comes in, in [0.3, 1.5] (rad).
    pub max_slip_angle: Real,
    /// Least speed, in [1, 30] (m/s).
    pub min_speed: Real,
    /// Steer angle against the rate of the slip angle, in [0, 0.5] (s).
    pub damping_time: Real,
    /// Fastest change of the angle, above 0 and at most 10 (rad/s).
    pub rate: Real,
    /// Slip that traction control allows meanwhile, in [0, 2] (dimensionless).
    pub traction_slip: Real,
    /// Slip angle that the throttle holds with the steering wheel straight, in [0, 1.2] (rad), and
    /// by how much steering to either side changes it, in [0, 0.6] (rad).
    pub held_slip_angle: [Real; 2],
    /// Throttle per lack of slip angle, in [0, 5] (1/rad): at 0 the throttle is that of the driver.
    pub throttle_gain: Real,
}

impl Default for DriftParams {
    fn default() -> Self {
        Self {
            strength: 0.7,
            steer_range: 12.0_f32.to_radians(),
            min_slip_angle: 8.0_f32.to_radians(),
            max_slip_angle: 50.0_f32.to_radians(),
            min_speed: 6.0,
            damping_time: 0.15,
            rate: 60.0_f32.to_radians(),
            traction_slip: 0.6,
            held_slip_angle: [30.0_f32.to_radians(), 10.0_f32.to_radians()],
            throttle_gain: 0.0,
        }
    }
}

impl DriftParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        check.number("strength", self.strength, Bound::Within(0.0, 1.0));
        check.number("steer_range", self.steer_range, Bound::Within(0.0, 0.6));
        check.number("min_slip_angle", self.min_slip_angle, Bound::Within(0.05, 0.5));
        check.number("max_slip_angle", self.max_slip_angle, Bound::Within(0.3, 1.5));
        let requirement = format_args!("above min_slip_angle ({})", self.min_slip_angle);
        let is_ordered = self.min_slip_angle < self.max_slip_angle;
        check.require("max_slip_angle", is_ordered, requirement, self.max_slip_angle);
        check.number("min_speed", self.min_speed, Bound::Within(1.0, 30.0));
        check.number("damping_time", self.damping_time, Bound::Within(0.0, 0.5));
        check.number("rate", self.rate, Bound::Within(0.01, 10.0));
        check.number("traction_slip", self.traction_slip, Bound::Within(0.0, 2.0));
        let [held, change] = self.held_slip_angle;
        check.number("held_slip_angle[0]", held, Bound::Within(0.0, 1.2));
        check.number("held_slip_angle[1]", change, Bound::Within(0.0, 0.6));
        check.number("throttle_gain", self.throttle_gain, Bound::Within(0.0, 5.0));
    }

    /// The assist of `vehicle`; `None` if it is to do nothing, or if no wheels in front are
    /// steered.
    pub fn resolved(&self, vehicle: &AidVehicle) -> Option<Drift> {
        let calm_slope = calm_slope(self.min_slip_angle);
        let front_axle = vehicle.front_axle();
        let can_act = self.strength != 0.0 && vehicle.is_steered_in_front();
        can_act.then_some(Drift { params: *self, front_axle, calm_slope })
    }
}

/// The drift assist of a vehicle: [`DriftParams`] with all numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    params: DriftParams,
    /// Position of the front axle ahead of the center of mass (m).
    front_axle: Real,
    /// Tangent of a slip angle up to which nothing is done.
    calm_slope: Real,
}

/// What the drift assist remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DriftState {
    /// How far it has taken over, in [0, 1].
    pub share: Real,
}

/// Share below which the assist has handed back (dimensionless).
const LEAST_SHARE: Real = 1e-3;

impl DriftState {
    /// Whether the drift aid helps.
    pub fn is_active(&self) -> bool {
        self.share != 0.0
    }
}

impl Drift {
    /// Fastest change of its angle (rad/s).
    pub fn rate(&self) -> Real {
        self.params.rate
    }

    /// Least slip target of traction control while `state` is active (dimensionless).
    pub fn slip_target(&self, state: &DriftState) -> Real {
        if state.is_active() { self.params.traction_slip } else { 0.0 }
    }

    /// What is left of stability control while `state` is active.
    pub fn allowance(&self, state: &DriftState) -> Option<DriftAllowance> {
        let allowance = DriftAllowance { max_slip_angle: self.params.max_slip_angle };
        state.is_active().then_some(allowance)
    }

    /// Advances how far it has taken over.
    pub fn advance(&self, state: &mut DriftState, signals: &AidSignals<'_>) {
        let wanted = self.wanted_share(signals);
        if wanted == 0.0 && state.share == 0.0 {
            return;
        }
        state.share += (wanted - state.share) * lag_share(signals.dt, FADE_TIME);
        if wanted == 0.0 && state.share < LEAST_SHARE {
            state.share = 0.0;
        }
    }

    fn wanted_share(&self, signals: &AidSignals<'_>) -> Real {
        let body = &signals.body;
        let is_calm = body.lateral_speed.abs() < self.calm_slope * body.longitudinal_speed.abs();
        if signals.driver.throttle <= LEAST_THROTTLE || is_calm {
            return 0.0;
        }
        let least = self.params.min_slip_angle;
        let sliding = (body.slip_angle().abs() - least) / (FADE_SHARE * least);
        let moving = (body.longitudinal_speed - self.params.min_speed) / FADE_SPEED;
        self.params.strength * sliding.clamped(0.0, 1.0) * moving.clamped(0.0, 1.0)
    }

    /// Steer angle that it asks for beside that of the driver, positive to the left (rad), where
    /// another assist asks for `other` (rad).
    pub fn angle(&self, state: &DriftState, signals: &AidSignals<'_>, other: Real) -> Real {
        if !state.is_active() {
            return other;
        }
        let (body, driver) = (&signals.body, &signals.driver);
        let speed = body.longitudinal_speed.abs().max(1.0);
        let aligned = atan2(body.lateral_speed + self.front_axle * body.yaw_rate, speed);
        let damping =
            self.params.damping_time * (body.yaw_rate - body.lateral_acceleration / speed);
        let wanted = aligned + driver.steer * self.params.steer_range - damping;
        (1.0 - state.share) * other + state.share * (wanted - driver.steer_angle)
    }

    /// The throttle of the driver with the trim that holds the slip angle, in [0, 1].
    pub fn throttle(&self, state: &DriftState, signals: &AidSignals<'_>, throttle: Real) -> Real {
        if !state.is_active() || self.params.throttle_gain == 0.0 {
            return throttle;
        }
        let slip_angle = signals.body.slip_angle();
        // Steering into the turn, away from the motion, asks for more angle.
        let into_turn = -signals.driver.steer * vehicle_core::math::sign(slip_angle);
        let [held, change] = self.params.held_slip_angle;
        let lack = held + change * into_turn - slip_angle.abs();
        (throttle + state.share * self.params.throttle_gain * lack).clamped(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::signals::{BodySignals, DriverSignals};
    use super::super::vehicle::tests::car;
    use super::*;

    fn sliding(steer: Real, throttle: Real) -> AidSignals<'static> {
        AidSignals {
            wheels: &[],
            body: BodySignals {
                longitudinal_speed: 10.0,
                lateral_speed: 5.0,
                yaw_rate: -0.5,
                lateral_acceleration: -5.0,
                ..Default::default()
            },
            driver: DriverSignals {
                steer,
                steer_angle: 0.6 * steer,
                throttle,
                ..Default::default()
            },
            drive: Default::default(),
            gravity: 9.81,
            dt: 0.01,
        }
    }

    fn taken_over(drift: &Drift, signals: &AidSignals<'_>) -> DriftState {
        let mut state = DriftState::default();
        for _ in 0..100 {
            drift.advance(&mut state, signals);
        }
        state
    }

    #[test]
    fn straight_steering_follows_the_motion_of_the_front_axle() {
        let drift = DriftParams { strength: 1.0, ..Default::default() }.resolved(&car()).unwrap();
        let signals = sliding(0.0, 0.5);
        let state = taken_over(&drift, &signals);
        assert!((state.share - 1.0).abs() < 1e-3);
        let angle = drift.angle(&state, &signals, 0.0);
        // atan(0.44); the path turns as the body does.
        assert!((angle - 0.4145).abs() < 1e-3, "{angle}");
        let steered = sliding(-1.0, 0.5);
        let angle = drift.angle(&state, &steered, 0.0) + steered.driver.steer_angle;
        assert!((angle - (0.4145 - 0.2094)).abs() < 1e-3, "{angle}");
    }

    #[test]
    fn without_throttle_or_slide_it_hands_back() {
        let drift = DriftParams::default().resolved(&car()).unwrap();
        assert_eq!(taken_over(&drift, &sliding(0.0, 0.05)), DriftState::default());
        let mut straight = sliding(0.0, 0.5);
        straight.body.lateral_speed = 1.0;
        let mut state = taken_over(&drift, &sliding(0.0, 0.5));
        assert!((state.share - 0.7).abs() < 1e-3);
        assert_eq!(drift.slip_target(&state), 0.6);
        assert!(drift.allowance(&state).is_some());
        for _ in 0..100 {
            drift.advance(&mut state, &straight);
        }
        assert_eq!(state, DriftState::default());
        assert_eq!(drift.angle(&state, &straight, 0.123), 0.123);
        assert_eq!(DriftParams { strength: 0.0, ..Default::default() }.resolved(&car()), None);
    }

    #[test]
    fn throttle_trims_the_slip_angle() {
        let params = DriftParams { throttle_gain: 1.0, strength: 1.0, ..Default::default() };
        let drift = params.resolved(&car()).unwrap();
        let signals = sliding(0.0, 0.5);
        let state = DriftState { share: 1.0 };
        // 30° - atan 0.5
        let throttle = drift.throttle(&state, &signals, 0.5);
        assert!((throttle - (0.5 + 30.0_f32.to_radians() - 0.4636)).abs() < 1e-3, "{throttle}");
        // Steering to the right, into the turn.
        let more = drift.throttle(&state, &sliding(-1.0, 0.5), 0.5);
        assert!((more - throttle - 10.0_f32.to_radians()).abs() < 1e-5, "{more}");
    }
}
