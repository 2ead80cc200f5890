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
//!
//! Behind a [`Leader`], at a distance `d` and of the speed `v_l`, it keeps a gap that grows with
//! the speed:
//!
//! ```text
//! a* = min( a*, k_d (d - d_0 - T v) + k_l (v_l - v) ),   within -a_b, a_a
//! ```
//!
//! A column of such vehicles does not sway more from one to the next if `k_d T²/2 + k_l T ≥ 1`.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::{Clamped, Real};

use super::commands::AidCommands;
use super::signals::{AidSignals, DriveDirection, PRESSED};
use super::vehicle::AidVehicle;
use crate::leader::Leader;
use crate::pacing::approached;

/// Fastest change of the wanted speed (m/s²).
const WANTED_RATE: Real = 1.0;
/// How far the wanted speed may be from that of the vehicle (m/s).
const WANTED_LEAD: Real = 2.0;
/// Least speed of a cruise (m/s).
const LEAST_SPEED: Real = 5.0;
/// Clutch pedal from which on a cruise rests (dimensionless), and time after which it ends (s):
/// more than a foot takes to shift a gear.
const CLUTCH_PRESSED: Real = 0.3;
const CLUTCH_TIME: Real = 1.0;
/// Deceleration beyond that of the closed throttle at which brakes come in, and at which they go
/// (m/s²). They go where the closed throttle is enough: a grade that takes some of them would have
/// them come and go for as long as it lasts.
const BRAKES_IN: Real = 0.2;
const BRAKES_OUT: Real = 0.0;
/// Lack of speed below which a limiter integrates it (m/s): what it gathers on the way to its speed
/// carries it beyond.
const INTEGRAL_BAND: Real = 1.0;
/// Acceleration that the full throttle of a drive gives whose torques are not known (m/s²).
const USUAL_ACCELERATION: Real = 3.0;
/// Speeds up to which a vehicle and its leader stand (m/s), and how much nearer or farther than the
/// gap it is then (m).
const STANDING_SPEED: Real = 1.0;
const STANDING_ROOM: Real = 1.0;
/// Greatest integral (m/s²).
const GREATEST_INTEGRAL: Real = 2.0;

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
    /// Whether the cruise control brakes, as downhill or behind a leader.
    pub use_brakes: bool,
    /// Time T in which the vehicle drives as far as its leader is ahead, in [0.5, 5] (s).
    pub time_gap: Real,
    /// Distance d_0 that it keeps from a leader that stands, in [1, 50] (m).
    pub standstill_gap: Real,
    /// Acceleration per lack of distance k_d, in [0, 2] (1/s²).
    pub distance_gain: Real,
    /// Acceleration per speed that the leader gains k_l, in [0, 5] (1/s).
    pub leader_gain: Real,
}

impl Default for CruiseParams {
    fn default() -> Self {
        Self {
            gain: 0.5,
            integral_gain: 0.05,
            max_acceleration: 1.5,
            max_deceleration: 2.0,
            use_brakes: false,
            time_gap: 1.8,
            standstill_gap: 5.0,
            distance_gain: 0.2,
            leader_gain: 0.9,
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
        check.number("time_gap", self.time_gap, Bound::Within(0.5, 5.0));
        check.number("standstill_gap", self.standstill_gap, Bound::Within(1.0, 50.0));
        check.number("distance_gain", self.distance_gain, Bound::Within(0.0, 2.0));
        check.number("leader_gain", self.leader_gain, Bound::Within(0.0, 5.0));
    }

    /// The cruise control of `vehicle`; `None` without a drive.
    pub fn resolved(&self, vehicle: &AidVehicle) -> Option<Cruise> {
        let plant = Longitudinal::new(vehicle);
        plant.is_driven.then_some(Cruise { params: *self, plant })
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

    /// The limiter of `vehicle`; `None` without a drive.
    pub fn resolved(&self, vehicle: &AidVehicle) -> Option<SpeedLimit> {
        let control = CruiseParams { max_acceleration: 10.0, ..CruiseParams::default() };
        let plant = Longitudinal::new(vehicle);
        plant.is_driven.then_some(SpeedLimit { speed: self.speed, control, plant })
    }
}

/// Numbers of the vehicle by which an acceleration takes a throttle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Longitudinal {
    /// With that of its trailers (kg).
    mass: Real,
    radius: Real,
    is_driven: bool,
    /// Least difference of torques that a throttle makes (N·m): less is no drive.
    least_torque: Real,
    /// Sum of the greatest torques of the foot brakes (N·m). What is towed brakes as much of its
    /// own weight.
    max_brake_torque: Real,
}

impl Longitudinal {
    fn new(vehicle: &AidVehicle) -> Self {
        let torque: Real = vehicle.wheels.iter().map(|wheel| wheel.max_brake_torque).sum();
        Self {
            mass: vehicle.train_mass(),
            radius: vehicle.drive_radius(),
            is_driven: vehicle.is_driven(),
            least_torque: vehicle.least_torque(),
            max_brake_torque: torque * vehicle.train_mass() / vehicle.mass,
        }
    }

    /// Torque at the wheels that an acceleration takes (N·m).
    fn torque(&self, acceleration: Real, signals: &AidSignals<'_>) -> Real {
        let body = &signals.body;
        let force =
            self.mass * (acceleration + signals.gravity * body.grade_sine) + body.resistance;
        force * self.radius
    }

    /// Throttle that gives the wheels a torque (N·m), not limited to [0, 1]; `None` without a
    /// drive. Where nothing is known of its torques, the throttle that a usual drive needs: the
    /// integral makes up for the rest.
    fn throttle(&self, torque: Real, signals: &AidSignals<'_>) -> Option<Real> {
        let mut drive = signals.drive;
        let is_known = drive.full_throttle_torque != drive.closed_throttle_torque;
        if !is_known && self.is_driven && drive.direction != DriveDirection::Neutral {
            drive.full_throttle_torque += self.mass * self.radius * USUAL_ACCELERATION;
        }
        drive.throttle_for(torque, self.least_torque)
    }

    /// Whether a `torque` (N·m) is more than the drive gives at full throttle, as far as that is
    /// known.
    fn is_too_much(torque: Real, signals: &AidSignals<'_>) -> bool {
        let drive = &signals.drive;
        drive.closed_throttle_torque < drive.full_throttle_torque
            && drive.full_throttle_torque <= torque
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
    /// Whether the cruise control keeps the speed.
    pub is_on: bool,
    /// Speed that is wanted now, on the way to the one that is set (m/s); `None` before the first
    /// step.
    pub wanted_speed: Option<Real>,
    /// Integral of the lack of speed (m/s²).
    pub integral: Real,
    /// Whether the cruise control brakes.
    pub is_braking: bool,
    /// Who drives ahead, if anybody does.
    pub leader: Option<Leader>,
    /// Whether the vehicle drives slower because of the leader.
    pub is_following: bool,
    /// Time for which the clutch pedal has been pressed (s).
    #[serde(default)]
    pub clutch_time: Real,
}

impl CruiseState {
    /// Sum of all numbers, which is finite only if each of them is.
    pub(crate) fn sum(&self) -> Real {
        let Leader { gap, speed } = self.leader.unwrap_or_default();
        self.set_speed + self.integral + self.clutch_time + gap + speed
    }

    /// Keeps a distance from `leader`, as seen now: to be called in each frame, with `None` where
    /// the lane is free.
    pub fn follow(&mut self, leader: Option<Leader>) {
        self.leader = leader;
    }

    /// Keeps `speed` (m/s) from now on.
    pub fn set(&mut self, speed: Real) {
        self.set_speed = speed;
        self.is_on = true;
    }

    /// Leaves the speed to the driver. [`resume`](Self::resume) takes it up again.
    pub fn cancel(&mut self) {
        *self = Self { set_speed: self.set_speed, leader: self.leader, ..Self::default() };
    }

    /// Keeps the speed that was set last, if there is one.
    pub fn resume(&mut self) {
        self.is_on = 0.0 < self.set_speed;
    }

    /// Whether the cruise control keeps the speed.
    pub fn is_active(&self) -> bool {
        self.is_on
    }
}

impl Cruise {
    /// Opens the throttle of `commands` as far as the speed asks for, where the driver opens it
    /// less, and brakes if it may.
    ///
    /// These cancel it: brake and hand brake of the driver, a gear that is not forward, a speed
    /// below 5 m/s without a leader, and stability control that acts. So does a clutch pedal that
    /// is pressed for a second; until then, as in a shift, it leaves the pedals alone. The driver
    /// may always give more throttle. Its integral rests while another aid holds the throttle.
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
        let is_declutched = CLUTCH_PRESSED < signals.driver.clutch;
        state.clutch_time = if is_declutched { state.clutch_time + signals.dt } else { 0.0 };
        let is_ended = CLUTCH_TIME <= state.clutch_time || others.is_stability_active;
        if cancels(signals, state.leader.is_some()) || is_ended {
            state.cancel();
            return;
        }
        if is_declutched {
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
        let behind = state.leader.map_or(Real::INFINITY, |leader| self.behind(&leader, speed));
        state.is_following = behind < acceleration;
        let acceleration = acceleration.min(behind.max(-max_deceleration));
        let torque = self.plant.torque(acceleration, signals);
        let Some(throttle) = self.plant.throttle(torque, signals) else { return };
        let brake = self.brake(state, torque, signals);
        let is_full = 1.0 <= throttle || Longitudinal::is_too_much(torque, signals);
        let is_saturated =
            (is_full && 0.0 < error) || (throttle <= 0.0 && error < 0.0 && !state.is_braking);
        let rests = is_saturated
            || trend != 0.0
            || state.is_following
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

    /// Acceleration that keeps the gap to `leader` at this `speed` (m/s).
    fn behind(&self, leader: &Leader, speed: Real) -> Real {
        let CruiseParams { time_gap, standstill_gap, distance_gain, leader_gain, .. } = self.params;
        let lack = leader.gap - standstill_gap - time_gap * speed;
        let stands = speed.abs() < STANDING_SPEED && leader.speed.abs() < STANDING_SPEED;
        if stands && lack < STANDING_ROOM {
            // A clutch that creeps would push it on.
            return -self.params.max_deceleration;
        }
        distance_gain * lack + leader_gain * (leader.speed - speed)
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
fn cancels(signals: &AidSignals<'_>, has_leader: bool) -> bool {
    let driver = &signals.driver;
    PRESSED < driver.foot_brake
        || PRESSED < driver.hand_brake
        || signals.drive.direction != DriveDirection::Forward
        || (!has_leader && signals.body.longitudinal_speed < LEAST_SPEED)
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
    /// Whether the speed limiter limits the throttle.
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
