//! What a real car can measure: estimates in the place of speeds and friction that only a
//! simulation knows.
//!
//! Wheel speeds, yaw rate, accelerations and pedals are measured. From them:
//!
//! ```text
//! v   = clamp( v_select, v - (|a_x| + m) dt, v + (|a_x| + m) dt )
//! v_i = (v - r y_i) cos δ_i + r x_i sin δ_i
//! v_y = ∫ (a_y - r v - v_y/T) dt
//! μ   → √(a_x² + a_y²) / g  while an aid limits torques, else 1
//! ```
//!
//! In the first step they are told how the car moves, and from then on they estimate.
//!
//! `v_select` is the fastest wheel when the driver brakes and the slowest undriven one when he does
//! not. Where none of these touches the road, the speed is that of the accelerations:
//!
//! ```text
//! v   = ∫ (a_x + r v_y - g sin θ) dt
//! ```
//!
//! The margin `m` is 1 m/s², and none while anti-lock brakes act: then no wheel rolls freely,
//! and the accelerations alone tell the speed.

use serde::{Deserialize, Serialize};
use vehicle_core::math::{Clamped, Real, hypot, sin_cos};

use super::signals::{BodySignals, DriverSignals, PRESSED, WheelSignals};
use super::vehicle::{AidVehicle, AidWheel};
use crate::pacing::lag_share;

/// Margin of the speed's change, while wheels roll freely and while they do not (m/s²).
const FREE_MARGIN: Real = 1.0;
const SLIPPING_MARGIN: Real = 0.0;
/// Least change that is allowed (m/s²).
const LEAST_CHANGE: Real = 0.3;
/// Time in which the estimate of the lateral speed forgets (s).
const LATERAL_TIME: Real = 2.0;
/// Time in which the estimate of friction follows accelerations, and returns to 1 (s).
const FRICTION_TIME: Real = 0.2;
const RETURN_TIME: Real = 1.0;
/// Least friction that is believed (dimensionless).
const LEAST_FRICTION: Real = 0.2;
/// Least gravity that accelerations are divided by (m/s²).
const LEAST_GRAVITY: Real = 0.1;
/// Least cosine of a steer angle (dimensionless): a wheel beyond says nothing of the speed.
const LEAST_COSINE: Real = 0.2;
/// Change of the speed of wheels that roll freely at which the car has been put elsewhere (m/s).
const SUDDEN_CHANGE: Real = 3.0;

/// What the sensors of a car remember.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SensorState {
    /// Longitudinal speed at the center of mass (m/s); `None` before the first step, in which the
    /// sensors are told how the car moves.
    pub longitudinal_speed: Option<Real>,
    /// Lateral speed at the center of mass (m/s).
    pub lateral_speed: Real,
    /// Friction (dimensionless).
    pub friction: Real,
}

impl Default for SensorState {
    fn default() -> Self {
        Self { longitudinal_speed: None, lateral_speed: 0.0, friction: 1.0 }
    }
}

/// What aids do that sensors have to know of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActingAids {
    /// Whether anti-lock brakes act.
    pub is_anti_lock: bool,
    /// Whether any aid limits torques of wheels.
    pub is_any: bool,
}

/// The sensors of a car.
#[derive(Clone, Copy, Debug)]
pub struct Sensors<'a> {
    /// The car.
    pub vehicle: &'a AidVehicle,
    /// The driver's pedals.
    pub driver: DriverSignals,
    /// What aids do.
    pub acting: ActingAids,
    /// Gravity of the world (m/s²).
    pub gravity: Real,
    /// The step (s).
    pub dt: Real,
}

impl Sensors<'_> {
    /// Writes estimates over the speeds and the friction in `body` and `wheels`, one per wheel of
    /// the vehicle.
    pub fn sense(
        &self,
        state: &mut SensorState,
        body: &mut BodySignals,
        wheels: &mut [WheelSignals],
    ) {
        let longitudinal_speed = self.advance_speed(state, body, wheels);
        self.advance_friction(state, body);
        body.longitudinal_speed = longitudinal_speed;
        body.lateral_speed = state.lateral_speed;
        for (wheel, params) in wheels.iter_mut().zip(&self.vehicle.wheels) {
            let (sin, cos) = sin_cos(wheel.steer_angle);
            let longitudinal = longitudinal_speed - body.yaw_rate * params.left;
            let lateral = state.lateral_speed + body.yaw_rate * params.forward;
            wheel.longitudinal_speed = longitudinal * cos + lateral * sin;
            wheel.friction = state.friction;
        }
    }

    /// Advances the speeds. Returns that along the car (m/s).
    fn advance_speed(
        &self,
        state: &mut SensorState,
        body: &BodySignals,
        wheels: &[WheelSignals],
    ) -> Real {
        let Some(before) = state.longitudinal_speed else {
            state.longitudinal_speed = Some(body.longitudinal_speed);
            state.lateral_speed = body.lateral_speed;
            return body.longitudinal_speed;
        };
        let margin = if self.acting.is_anti_lock { SLIPPING_MARGIN } else { FREE_MARGIN };
        let acceleration = body.longitudinal_acceleration;
        let change = (acceleration.abs() + margin).max(LEAST_CHANGE) * self.dt;
        let coasting = || {
            let along = acceleration + body.yaw_rate * state.lateral_speed;
            before + (along - self.gravity * body.grade_sine) * self.dt
        };
        let speed = match self.sudden_speed(before, state, body, wheels) {
            Some(sudden) => sudden,
            None => match self.selected_speed(state, body, wheels) {
                Some(selected) => selected.clamped(before - change, before + change),
                None => coasting(),
            },
        };
        state.longitudinal_speed = Some(speed);
        let drift = body.lateral_acceleration - body.yaw_rate * speed;
        state.lateral_speed += drift * self.dt;
        state.lateral_speed -= state.lateral_speed * lag_share(self.dt, LATERAL_TIME);
        speed
    }

    /// Speed of a car that has been put elsewhere since it had the speed `before` (m/s), if it has:
    /// then all its wheels without a drive are far off. Without a brake they roll as the road goes.
    fn sudden_speed(
        &self,
        before: Real,
        state: &SensorState,
        body: &BodySignals,
        wheels: &[WheelSignals],
    ) -> Option<Real> {
        if self.is_braking() || self.acting.is_anti_lock {
            return None;
        }
        let rolling = wheels.iter().zip(&self.vehicle.wheels).filter(|(_, it)| !it.is_driven);
        let speeds = rolling.filter_map(|(wheel, params)| Self::said(state, body, wheel, params));
        let off = |speed: Real| (speed - before).abs();
        let nearest =
            speeds.reduce(|best, speed| if off(speed) < off(best) { speed } else { best });
        nearest.filter(|&speed| SUDDEN_CHANGE < off(speed))
    }

    fn is_braking(&self) -> bool {
        PRESSED < self.driver.foot_brake.max(self.driver.hand_brake)
    }

    /// Speed of the center of mass that a wheel says which does not slip; `None` of a wheel that
    /// says nothing.
    fn said(
        state: &SensorState,
        body: &BodySignals,
        wheel: &WheelSignals,
        params: &AidWheel,
    ) -> Option<Real> {
        let (sin, cos) = sin_cos(wheel.steer_angle);
        if !wheel.is_on_ground || cos < LEAST_COSINE {
            return None;
        }
        let lateral = state.lateral_speed + body.yaw_rate * params.forward;
        let rim = wheel.rotation_speed * params.radius;
        Some((rim - lateral * sin) / cos + body.yaw_rate * params.left)
    }

    /// Speed of the center of mass that the wheel says which slips the least.
    fn selected_speed(
        &self,
        state: &SensorState,
        body: &BodySignals,
        wheels: &[WheelSignals],
    ) -> Option<Real> {
        let is_braking = self.is_braking();
        let has_undriven = self.vehicle.wheels.iter().any(|wheel| !wheel.is_driven);
        let mut selected: Option<Real> = None;
        for (wheel, params) in wheels.iter().zip(&self.vehicle.wheels) {
            let is_counted = is_braking || !has_undriven || !params.is_driven;
            let said = Self::said(state, body, wheel, params).filter(|_| is_counted);
            let Some(speed) = said else { continue };
            let is_better = selected.is_none_or(|best| {
                if is_braking { best.abs() < speed.abs() } else { speed.abs() < best.abs() }
            });
            selected = if is_better { Some(speed) } else { selected };
        }
        selected
    }

    fn advance_friction(&self, state: &mut SensorState, body: &BodySignals) {
        let used = hypot(body.longitudinal_acceleration, body.lateral_acceleration);
        let (wanted, time) = if self.acting.is_any {
            ((used / self.gravity.max(LEAST_GRAVITY)).max(LEAST_FRICTION), FRICTION_TIME)
        } else {
            (1.0, RETURN_TIME)
        };
        state.friction += (wanted - state.friction) * lag_share(self.dt, time);
    }
}

#[cfg(test)]
mod tests {
    use super::super::vehicle::tests::car;
    use super::*;

    /// The sensors of a step of 0.01 s in which no aid acts.
    fn sensors(vehicle: &AidVehicle, driver: DriverSignals) -> Sensors<'_> {
        Sensors { vehicle, driver, acting: ActingAids::default(), gravity: 9.81, dt: 0.01 }
    }

    #[test]
    fn rolling_wheels_tell_the_speed_in_a_turn() {
        let car = car();
        let driver = DriverSignals::default();
        let sensors = sensors(&car, driver);
        // A steady turn to the left at 10 m/s and 0.4 rad/s, without lateral speed.
        let body = BodySignals {
            longitudinal_speed: 10.0,
            yaw_rate: 0.4,
            lateral_acceleration: 4.0,
            ..Default::default()
        };
        let mut wheels = [WheelSignals { is_on_ground: true, ..Default::default() }; 4];
        for (wheel, params) in wheels.iter_mut().zip(&car.wheels) {
            wheel.steer_angle = if params.is_steered() { 0.1 } else { 0.0 };
            let (sin, cos) = wheel.steer_angle.sin_cos();
            let speed = (10.0 - 0.4 * params.left) * cos + 0.4 * params.forward * sin;
            (wheel.longitudinal_speed, wheel.rotation_speed) = (speed, speed / 0.3);
        }
        // A driven wheel that spins is not asked.
        wheels[3].rotation_speed = 200.0;
        let mut state = SensorState { longitudinal_speed: Some(9.0), ..Default::default() };
        let mut estimated = wheels;
        // Twenty seconds: the lateral speed forgets in two what the wrong start taught it.
        for _ in 0..2_000 {
            let mut measured = body;
            estimated = wheels;
            sensors.sense(&mut state, &mut measured, &mut estimated);
        }
        for (wheel, truth) in estimated.iter().zip(&wheels) {
            let error = wheel.longitudinal_speed - truth.longitudinal_speed;
            assert!(error.abs() < 1e-3, "{error}");
        }
        let speed = state.longitudinal_speed.expect("known");
        assert!((speed - 10.0).abs() < 1e-3, "{state:?}");
        assert_eq!(state.friction, 1.0);
    }

    #[test]
    fn a_car_that_begins_or_is_put_elsewhere_is_known_at_once() {
        let car = car();
        let driver = DriverSignals { throttle: 0.5, ..DriverSignals::default() };
        let sensors = sensors(&car, driver);
        let mut state = SensorState::default();
        let mut sense = |sensors: &Sensors<'_>, speed: Real, rolling: Real| {
            let rotation_speed = rolling / 0.3;
            let wheel = WheelSignals { rotation_speed, is_on_ground: true, ..Default::default() };
            let mut body = BodySignals {
                longitudinal_speed: speed,
                lateral_speed: 0.02 * speed,
                ..Default::default()
            };
            sensors.sense(&mut state, &mut body, &mut [wheel; 4]);
            (body.longitudinal_speed, body.lateral_speed)
        };
        assert_eq!(sense(&sensors, 25.0, 25.0), (25.0, 0.5), "as it begins");
        for speed in [3.0, 31.0, -6.0] {
            let (found, _) = sense(&sensors, speed, speed);
            assert!((found - speed).abs() < 1e-3, "put to {speed} m/s: {found}");
        }
        // Wheels that lock under brakes say nothing of the kind.
        let braked = DriverSignals { foot_brake: 0.5, ..driver };
        let braking = Sensors { driver: braked, ..sensors };
        let (found, _) = sense(&braking, -6.0, 0.0);
        assert!((found + 6.0).abs() < 0.02, "{found} m/s");
    }

    #[test]
    fn without_a_wheel_that_rolls_freely_accelerations_tell_the_speed() {
        let car = car();
        let driver = DriverSignals { throttle: 1.0, ..DriverSignals::default() };
        let sensors = sensors(&car, driver);
        // (acceleration (m/s²), sine of the grade, speed after a second (m/s)); from 10 m/s on, its
        // front wheels off the ground.
        for (acceleration, grade_sine, expected) in [(4.0, 0.0, 14.0), (4.0, 0.2, 12.038)] {
            let mut state =
                SensorState { longitudinal_speed: Some(10.0), ..SensorState::default() };
            for _ in 0..100 {
                let mut body = BodySignals {
                    longitudinal_acceleration: acceleration,
                    grade_sine,
                    ..Default::default()
                };
                let mut wheels = [WheelSignals { rotation_speed: 60.0, ..Default::default() }; 4];
                (wheels[2].is_on_ground, wheels[3].is_on_ground) = (true, true);
                sensors.sense(&mut state, &mut body, &mut wheels);
            }
            let found = state.longitudinal_speed.expect("known");
            assert!((found - expected).abs() < 0.01, "{found} m/s, not {expected}");
        }
    }

    #[test]
    fn friction_is_what_accelerations_show_while_aids_act() {
        let car = car();
        let acting = ActingAids { is_anti_lock: true, is_any: true };
        let driver = DriverSignals::default();
        let friction = |acceleration, gravity| {
            let sensors = Sensors { vehicle: &car, driver, acting, gravity, dt: 0.01 };
            let mut state = SensorState::default();
            let mut body =
                BodySignals { longitudinal_acceleration: acceleration, ..Default::default() };
            for _ in 0..200 {
                sensors.sense(&mut state, &mut body, &mut []);
            }
            state.friction
        };
        assert!((friction(-4.905, 9.81) - 0.5).abs() < 1e-3);
        assert!((friction(-0.1, 9.81) - 0.2).abs() < 1e-3);
        assert!((friction(-10.0, 20.0) - 0.5).abs() < 1e-3);
        assert!(friction(-10.0, 0.0).is_finite());
    }
}
