//! Cruise control and speed limiter: throttle, and brakes, by speed.
//!
//! ```text
//! a* = clamp( dw/dt + k_v (w - v) + I, -a_b, a_a ),   dI/dt = k_i (w - v)
//! F  = m (a* + g sin θ) + resistance
//! throttle = (F R - T_0) / (T_1 - T_0)
//! ```
//!
//! with the wanted speed `w`, which moves to the set speed by 1 m/s², and the torques `T_0` and
//! `T_1` at the wheels at no and at full throttle. The integral rests while it could not help.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::{Clamped, Real};

use super::commands::AidCommands;
use super::signals::{AidSignals, DriveDirection};
use super::vehicle::AidVehicle;
use crate::pacing::approached;

/// Fastest change of the wanted speed (m/s²).
const WANTED_RATE: Real = 1.0;
/// How far the wanted speed may be from that of the vehicle (m/s).
const WANTED_LEAD: Real = 2.0;
/// Least speed of a cruise (m/s).
const LEAST_SPEED: Real = 5.0;
/// Clutch pedal that ends a cruise (dimensionless).
const CLUTCH_PRESSED: Real = 0.3;
/// Other pedals that do (dimensionless).
const PRESSED: Real = 0.02;
/// Deceleration beyond that of the closed throttle at which brakes come in, and at which they go
/// (m/s²).
const BRAKES_IN: Real = 0.4;
const BRAKES_OUT: Real = 0.2;
/// Lack of speed below which a limiter integrates it (m/s): what it gathers on the way to its speed
/// carries it beyond.
const INTEGRAL_BAND: Real = 1.0;
/// Greatest integral (m/s²).
const GREATEST_INTEGRAL: Real = 2.0;
/// Least difference of torques that a throttle makes (N·m): less is no drive.
const LEAST_AUTHORITY: Real = 1.0;

/// Parameters of a cruise control. It is used by [`CruiseState::set`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct CruiseParams {
    /// Acceleration per lack of speed, in [0, 5] (1/s).
    pub gain: Real,
    /// Growth of the acceleration per lack of speed, in [0, 1] (1/s²).
    pub integral_gain: Real,
    /// Greatest acceleration, in [0.1, 10] (m/s²).
    pub max_acceleration: Real,
    /// Greatest deceleration, in [0.1, 10] (m/s²).
    pub max_deceleration: Real,
    /// Whether it brakes, as downhill.
    pub use_brakes: bool,
}

impl Default for CruiseParams {
    fn default() -> Self {
        Self {
            gain: 0.5,
            integral_gain: 0.05,
            max_acceleration: 1.5,
            max_deceleration: 2.0,
            use_brakes: false,
        }
    }
}

impl CruiseParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        check.number("gain", self.gain, Bound::Within(0.0, 5.0));
        check.number("integral_gain", self.integral_gain, Bound::Within(0.0, 1.0));
        check.number("max_acceleration", self.max_acceleration, Bound::Within(0.1, 10.0));
        check.number("max_deceleration", self.max_deceleration, Bound::Within(0.1, 10.0));
    }

    /// The cruise control of `vehicle`.
    pub fn resolved(&self, vehicle: &AidVehicle) -> Cruise {
        Cruise { params: *self, plant: Longitudinal::new(vehicle) }
    }
}

/// Parameters of a speed limiter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SpeedLimitParams {
    /// Greatest speed forward that the throttle is left open for, above 0 (m/s).
    pub speed: Real,
}

impl SpeedLimitParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        check.number("speed", self.speed, Bound::Positive);
    }

    /// The limiter of `vehicle`.
    pub fn resolved(&self, vehicle: &AidVehicle) -> SpeedLimit {
        let control = CruiseParams { max_acceleration: 10.0, ..CruiseParams::default() };
        SpeedLimit { speed: self.speed, control, plant: Longitudinal::new(vehicle) }
    }
}

/// Numbers of the vehicle by which an acceleration takes a throttle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Longitudinal {
    mass: Real,
    gravity: Real,
    radius: Real,
    /// Sum of the greatest torques of the foot brakes (N·m).
    max_brake_torque: Real,
}

impl Longitudinal {
    fn new(vehicle: &AidVehicle) -> Self {
        Self {
            mass: vehicle.mass,
            gravity: vehicle.gravity,
            radius: vehicle.drive_radius(),
            max_brake_torque: vehicle.wheels.iter().map(|wheel| wheel.max_brake_torque).sum(),
        }
    }

    /// Torque at the wheels that an acceleration takes (N·m).
    fn torque(&self, acceleration: Real, signals: &AidSignals<'_>) -> Real {
        let body = &signals.body;
        let force = self.mass * (acceleration + self.gravity * body.grade_sine) + body.resistance;
        force * self.radius
    }

    /// Throttle that gives the wheels a torque (N·m), not limited to [0, 1]; `None` without a
    /// drive.
    fn throttle(&self, torque: Real, signals: &AidSignals<'_>) -> Option<Real> {
        let drive = &signals.drive;
        let authority = drive.full_throttle_torque - drive.closed_throttle_torque;
        let has_drive = LEAST_AUTHORITY < authority;
        has_drive.then(|| (torque - drive.closed_throttle_torque) / authority)
    }
}

/// A cruise control of a vehicle: [`CruiseParams`] with all numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cruise {
    params: CruiseParams,
    plant: Longitudinal,
}

/// What a cruise control remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CruiseState {
    /// Speed that is set (m/s).
    pub set_speed: Real,
    /// Whether it keeps the speed.
    pub is_on: bool,
    /// Speed that is wanted now, on the way to the one that is set (m/s); `None` before the first
    /// step.
    pub wanted_speed: Option<Real>,
    /// Integral of the lack of speed (m/s²).
    pub integral: Real,
    /// Whether it brakes.
    pub is_braking: bool,
}

impl CruiseState {
    /// Keeps `speed` (m/s) from now on.
    pub fn set(&mut self, speed: Real) {
        self.set_speed = speed;
        self.is_on = true;
    }

    /// Leaves the speed to the driver. [`resume`](Self::resume) takes it up again.
    pub fn cancel(&mut self) {
        *self = Self { set_speed: self.set_speed, ..Self::default() };
    }

    /// Keeps the speed that was set last, if there is one.
    pub fn resume(&mut self) {
        self.is_on = 0.0 < self.set_speed;
    }

    /// Whether it keeps the speed.
    pub fn is_active(&self) -> bool {
        self.is_on
    }
}

impl Cruise {
    /// Opens the throttle of `commands` as far as the speed asks for, where the driver opens it
    /// less, and brakes if it may.
    ///
    /// Brake, clutch and hand brake of the driver, a gear that is not forward, a speed below 5 m/s
    /// and stability control that acts cancel it; the driver may always give more throttle. Its
    /// integral rests while another aid holds the throttle.
    pub fn command(
        &self,
        state: &mut CruiseState,
        signals: &AidSignals<'_>,
        others: OtherAids,
        commands: &mut AidCommands,
    ) {
        if !state.is_on {
            return;
        }
        if cancels(signals) || others.is_stability_active {
            state.cancel();
            return;
        }
        let speed = signals.body.longitudinal_speed;
        let lead = |wanted: Real| wanted.clamped(speed - WANTED_LEAD, speed + WANTED_LEAD);
        let before = lead(state.wanted_speed.unwrap_or(speed));
        let wanted = lead(approached(before, state.set_speed, WANTED_RATE * signals.dt));
        state.wanted_speed = Some(wanted);
        let trend = (wanted - before) / signals.dt;
        let error = wanted - speed;
        let CruiseParams { gain, max_acceleration, max_deceleration, .. } = self.params;
        let acceleration =
            (trend + gain * error + state.integral).clamped(-max_deceleration, max_acceleration);
        let torque = self.plant.torque(acceleration, signals);
        let Some(throttle) = self.plant.throttle(torque, signals) else { return };
        let brake = self.brake(state, torque, signals);
        let is_saturated = (1.0 <= throttle && 0.0 < error)
            || (throttle <= 0.0 && error < 0.0 && !state.is_braking);
        let rests = is_saturated
            || trend != 0.0
            || signals.drive.is_shifting
            || others.is_throttle_held
            || throttle < commands.throttle;
        if !rests {
            let integral = state.integral + self.params.integral_gain * error * signals.dt;
            state.integral = integral.clamped(-GREATEST_INTEGRAL, GREATEST_INTEGRAL);
        }
        commands.throttle = commands.throttle.max(throttle.clamped(0.0, 1.0));
        commands.foot_brake = commands.foot_brake.max(brake);
    }

    /// Foot brake that makes up for what the closed throttle lacks of `torque` (N·m).
    fn brake(&self, state: &mut CruiseState, torque: Real, signals: &AidSignals<'_>) -> Real {
        let lack = signals.drive.closed_throttle_torque - torque;
        let deceleration = lack / (self.plant.mass * self.plant.radius);
        let limit = if state.is_braking { BRAKES_OUT } else { BRAKES_IN };
        state.is_braking = self.params.use_brakes
            && limit < deceleration
            && signals.driver.throttle < PRESSED
            && 0.0 < self.plant.max_brake_torque;
        if state.is_braking { (lack / self.plant.max_brake_torque).clamped(0.0, 1.0) } else { 0.0 }
    }
}

/// What other aids do while the speed is controlled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherAids {
    /// Whether stability control acts.
    pub is_stability_active: bool,
    /// Whether another aid limits the throttle.
    pub is_throttle_held: bool,
}

/// Whether the driver or the state of the vehicle ends a cruise.
fn cancels(signals: &AidSignals<'_>) -> bool {
    let driver = &signals.driver;
    PRESSED < driver.foot_brake
        || PRESSED < driver.hand_brake
        || CLUTCH_PRESSED < driver.clutch
        || signals.drive.direction != DriveDirection::Forward
        || signals.body.longitudinal_speed < LEAST_SPEED
}

/// A speed limiter of a vehicle: [`SpeedLimitParams`] with all numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedLimit {
    speed: Real,
    control: CruiseParams,
    plant: Longitudinal,
}

/// What a speed limiter remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpeedLimitState {
    /// Integral of the lack of speed (m/s²).
    pub integral: Real,
    /// Whether it limits the throttle.
    pub is_active: bool,
}

impl SpeedLimit {
    /// Limits the throttle of `commands`.
    pub fn command(
        &self,
        state: &mut SpeedLimitState,
        signals: &AidSignals<'_>,
        commands: &mut AidCommands,
    ) {
        let error = self.speed - signals.body.longitudinal_speed;
        let acceleration = self.control.gain * error + state.integral;
        let torque = self.plant.torque(acceleration, signals);
        let is_forward = signals.drive.direction == DriveDirection::Forward;
        let throttle = self.plant.throttle(torque, signals).filter(|_| is_forward);
        let limit = throttle.filter(|&throttle| throttle < commands.throttle);
        state.is_active = limit.is_some();
        let Some(limit) = limit else {
            state.integral = 0.0;
            return;
        };
        if 0.0 < limit && error < INTEGRAL_BAND && !signals.drive.is_shifting {
            state.integral += self.control.integral_gain * error * signals.dt;
            state.integral = state.integral.clamped(-GREATEST_INTEGRAL, GREATEST_INTEGRAL);
        }
        commands.throttle = limit.max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::signals::{BodySignals, DriveSignals, DriverSignals};
    use super::super::vehicle::tests::car;
    use super::*;

    /// A point mass with drag, which the control is told of or not, on a grade.
    struct Car {
        speed: Real,
        throttle: Real,
        foot_brake: Real,
        grade_sine: Real,
        is_drag_known: bool,
    }

    impl Car {
        fn at(speed: Real) -> Self {
            let (throttle, foot_brake) = (0.0, 0.0);
            Self { speed, throttle, foot_brake, grade_sine: 0.0, is_drag_known: true }
        }

        fn drag(&self) -> Real {
            150.0 + 0.4 * self.speed * self.speed
        }

        /// Torques at full and at no throttle: 90 kW, and an engine that brakes.
        fn torques(&self) -> [Real; 2] {
            [90e3 / self.speed.max(10.0) * 0.3, -60.0]
        }

        fn signals(&self, dt: Real) -> AidSignals<'static> {
            let [full, closed] = self.torques();
            AidSignals {
                wheels: &[],
                body: BodySignals {
                    longitudinal_speed: self.speed,
                    grade_sine: self.grade_sine,
                    resistance: if self.is_drag_known { self.drag() } else { 0.0 },
                    ..Default::default()
                },
                driver: DriverSignals::default(),
                drive: DriveSignals {
                    full_throttle_torque: full,
                    closed_throttle_torque: closed,
                    ..Default::default()
                },
                dt,
            }
        }

        fn advance(&mut self, dt: Real) {
            let [full, closed] = self.torques();
            let torque = closed + self.throttle * (full - closed) - self.foot_brake * 10_000.0;
            let force = torque / 0.3 - self.drag() - 1_500.0 * 9.81 * self.grade_sine;
            self.speed += force / 1_500.0 * dt;
        }

        fn cruise(&mut self, cruise: &Cruise, state: &mut CruiseState, dt: Real) {
            let mut commands = AidCommands::default();
            cruise.command(state, &self.signals(dt), OtherAids::default(), &mut commands);
            (self.throttle, self.foot_brake) = (commands.throttle, commands.foot_brake);
            self.advance(dt);
        }
    }

    const RATES: [Real; 4] = [30.0, 60.0, 120.0, 240.0];

    #[test]
    fn a_higher_set_speed_is_reached_without_passing_it() {
        let cruise = CruiseParams::default().resolved(&car());
        for rate in RATES {
            let mut car = Car::at(80.0 / 3.6);
            let mut state = CruiseState::default();
            state.set(120.0 / 3.6);
            let mut highest: Real = 0.0;
            for _ in 0..(60.0 * rate) as usize {
                car.cruise(&cruise, &mut state, 1.0 / rate);
                highest = highest.max(car.speed);
            }
            let overshoot = 3.6 * highest - 120.0;
            assert!(overshoot < 1.0, "{overshoot} km/h at {rate} Hz");
            let error = car.speed - 120.0 / 3.6;
            assert!(error.abs() < 0.1, "{error} m/s at {rate} Hz");
        }
    }

    #[test]
    fn grades_and_unknown_drag_are_made_up_for() {
        let cruise = CruiseParams { use_brakes: true, ..Default::default() }.resolved(&car());
        for rate in RATES {
            for (grade, is_drag_known) in [(0.06, true), (-0.06, true), (0.0, false)] {
                let mut car = Car::at(25.0);
                car.is_drag_known = is_drag_known;
                let mut state = CruiseState::default();
                state.set(25.0);
                let mut worst: Real = 0.0;
                for step in 0..(90.0 * rate) as usize {
                    car.grade_sine = if step < (10.0 * rate) as usize { 0.0 } else { grade };
                    car.cruise(&cruise, &mut state, 1.0 / rate);
                    worst = worst.max((car.speed - 25.0).abs());
                }
                let shown = format!("grade {grade}, {rate} Hz, drag known: {is_drag_known}");
                assert!(3.6 * worst < 2.0, "{} km/h: {shown}", 3.6 * worst);
                let steady = 3.6 * (car.speed - 25.0).abs();
                assert!(steady < 0.3, "{steady} km/h: {shown}");
            }
        }
    }

    #[test]
    fn the_driver_ends_and_resumes_a_cruise_and_may_give_more() {
        let cruise = CruiseParams::default().resolved(&car());
        let car = Car::at(25.0);
        let signals = car.signals(0.01);
        let mut commands = AidCommands { throttle: 1.0, ..Default::default() };
        let mut state = CruiseState::default();
        state.set(25.0);
        cruise.command(&mut state, &signals, OtherAids::default(), &mut commands);
        assert_eq!(commands.throttle, 1.0);
        assert!(state.is_active());
        for driver in [
            DriverSignals { foot_brake: 0.1, ..Default::default() },
            DriverSignals { hand_brake: 0.1, ..Default::default() },
            DriverSignals { clutch: 0.4, ..Default::default() },
        ] {
            let mut state = state;
            let braking = AidSignals { driver, ..signals };
            cruise.command(&mut state, &braking, OtherAids::default(), &mut commands);
            assert!(!state.is_active(), "{driver:?}");
            state.resume();
            assert!(state.is_active() && state.set_speed == 25.0);
        }
        let skidding = OtherAids { is_stability_active: true, ..Default::default() };
        cruise.command(&mut state, &signals, skidding, &mut commands);
        assert!(!state.is_active());
        let before = AidCommands { throttle: 0.123, ..Default::default() };
        let mut commands = before;
        cruise.command(&mut state, &signals, OtherAids::default(), &mut commands);
        assert_eq!(commands, before);
    }

    #[test]
    fn the_limiter_holds_its_speed_and_leaves_lower_ones_alone() {
        let limit = SpeedLimitParams { speed: 25.0 }.resolved(&car());
        for rate in RATES {
            let mut car = Car::at(15.0);
            let mut state = SpeedLimitState::default();
            let mut highest: Real = 0.0;
            for _ in 0..(60.0 * rate) as usize {
                let mut commands = AidCommands { throttle: 1.0, ..Default::default() };
                limit.command(&mut state, &car.signals(1.0 / rate), &mut commands);
                if car.speed < 18.0 {
                    assert_eq!(commands.throttle, 1.0, "at {} m/s", car.speed);
                }
                car.throttle = commands.throttle;
                car.advance(1.0 / rate);
                highest = highest.max(car.speed);
            }
            assert!(highest < 25.3, "{highest} m/s at {rate} Hz");
            assert!((car.speed - 25.0).abs() < 0.1, "{} m/s at {rate} Hz", car.speed);
        }
    }
}
