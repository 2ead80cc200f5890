//! Anti-lock brakes: caps of brake torques that keep wheels turning.
//!
//! Runs in each substep, when the forces of the tires are known and before wheels turn. With the
//! slip κ of [`WheelSignals::braking_slip`], forces and speeds along the motion, a wheel of inertia
//! `J` and radius `R`:
//!
//! ```text
//! slip target   cap = R F_b + D + J (Ω - Ω_t)/τ + J (1 - κ_t) max(0, -a_x)/R,   Ω_t = (1 - κ_t)|v|/R
//! phases        κ_p = κ + T_p dκ/dt:  above κ_high the cap falls, below κ_low it rises, between it stays
//! ```
//!
//! Each cap is within 0 and what is asked for. A wheel is watched from where its slip passes the
//! target until its cap has been no limit for 0.1 s, the brake is released or the wheel is slow. On
//! an axle whose hand brake is pulled nothing is limited.

mod params;
mod state;
#[cfg(test)]
mod tests;

use vehicle_core::math::lanes::{Lanes, MAX_LANES, Real4};
use vehicle_core::math::{Clamped, Real, sign};
use vehicle_core::wheel_list::WheelVec;

use self::params::SLIP_TARGETS;
use super::lists::{four_of, in_fours};
use super::requests::{WheelRequest, weakened};
use super::signals::{AidSignals, WheelSignals, braking_slip};
use super::vehicle::{AidVehicle, AidWheel, WheelPair};

#[doc(inline)]
pub use self::{
    params::{AntiLockMode, AntiLockParams, PhaseParams, RearControl},
    state::{AntiLockPhase, AntiLockState, AntiLockWheelState},
};

/// Slip target where the tire's force has no peak (dimensionless).
const USUAL_SLIP_TARGET: Real = 0.12;
/// Time for which a cap is no limit, after which it is given up (s).
const LEAVE_TIME: Real = 0.1;
/// Time in the air after which a wheel is no longer watched (s).
const AIR_TIME: Real = 0.2;
/// Time that a torque is held for before it is raised by a step (s).
const HOLD_TIME: Real = 0.12;
/// Step by which a held torque is raised, per greatest brake torque (dimensionless).
const HOLD_STEP: Real = 0.03;
/// Greatest rate of change of slip that is believed (1/s).
const MAX_SLIP_RATE: Real = 20.0;
/// Rates of the phases per greatest brake torque (1/s).
const RELEASE_RATE: Real = 8.4;
const BUILD_RATE: Real = 3.0;
/// First difference of the front caps and its growth, per greatest brake torque (dimensionless,
/// 1/s).
const YAW_TORQUE_START: Real = 0.04;
const YAW_TORQUE_RATE: Real = 0.2;
/// Ends of the band of the phases per slip target (dimensionless).
const SLIP_BAND: (Real, Real) = (0.75, 1.35);

impl AntiLockParams {
    /// The brakes of `vehicle`; `None` if they are to do nothing, or if there are none.
    pub fn resolved(&self, vehicle: &AidVehicle) -> Option<AntiLock> {
        let front_torque = vehicle.front_brake_torque();
        (self.strength != 0.0 && vehicle.has_brakes()).then(|| AntiLock {
            strength: self.strength,
            mode: self.mode,
            rear: self.rear,
            response_time: self.response_time,
            off_speed: self.off_speed,
            prediction_time: self.phases.prediction_time,
            yaw_torque_start: self.yaw_torque_start.unwrap_or(YAW_TORQUE_START * front_torque),
            yaw_torque_rate: self.yaw_torque_rate.unwrap_or(YAW_TORQUE_RATE * front_torque),
            wheels: vehicle.each(|wheel| self.of_wheel(wheel)),
            radii: in_fours(&vehicle.wheels, |wheel| wheel.radius),
            pairs: vehicle.pairs(),
        })
    }

    fn of_wheel(&self, wheel: &AidWheel) -> AntiLockWheel {
        let (least, greatest) = SLIP_TARGETS;
        let of_tire = || wheel.peak_slip.unwrap_or(USUAL_SLIP_TARGET).clamped(least, greatest);
        let slip_target = self.slip_target.unwrap_or_else(of_tire);
        let (low, high) = SLIP_BAND;
        // An end that is absent leaves a band beside the one that is given.
        let PhaseParams { slip_low, slip_high, .. } = self.phases;
        let most = low / high * slip_high.unwrap_or(Real::INFINITY);
        let least = high / low * slip_low.unwrap_or(0.0);
        AntiLockWheel {
            slip_target,
            slip_low: slip_low.unwrap_or((low * slip_target).min(most)),
            slip_high: slip_high.unwrap_or((high * slip_target).max(least)),
            release_rate: self.phases.release_rate.unwrap_or(RELEASE_RATE * wheel.max_brake_torque),
            build_rate: self.phases.build_rate.unwrap_or(BUILD_RATE * wheel.max_brake_torque),
            hold_step: HOLD_STEP * wheel.max_brake_torque,
            radius: wheel.radius,
            inertia: wheel.inertia,
            axle: wheel.axle,
        }
    }
}

/// Anti-lock brakes of a vehicle: [`AntiLockParams`] with all numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct AntiLock {
    strength: Real,
    mode: AntiLockMode,
    rear: RearControl,
    response_time: Real,
    off_speed: Real,
    prediction_time: Real,
    yaw_torque_start: Real,
    yaw_torque_rate: Real,
    wheels: WheelVec<AntiLockWheel>,
    /// Radius of each wheel, four side by side (m).
    radii: Vec<Real4>,
    pairs: Vec<WheelPair>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct AntiLockWheel {
    slip_target: Real,
    slip_low: Real,
    slip_high: Real,
    release_rate: Real,
    build_rate: Real,
    hold_step: Real,
    radius: Real,
    inertia: Real,
    axle: usize,
}

impl AntiLock {
    /// Slip that `wheel` is kept at (dimensionless).
    pub fn slip_target(&self, wheel: usize) -> Real {
        self.wheels[wheel].slip_target
    }

    /// Limits the brake torques of `requests`, one per wheel as in `signals` and `state`.
    pub fn limit(
        &self,
        state: &mut AntiLockState,
        signals: &AidSignals<'_>,
        requests: &mut [WheelRequest],
    ) {
        let brakes = |request: &WheelRequest| request.asks_brake() && 0.0 < request.brake_demand();
        if !requests.iter().any(brakes) {
            self.rest(state, |number| {
                let wheels = &signals.wheels[MAX_LANES * number..];
                let along = four_of(wheels, 0.0, |wheel| wheel.longitudinal_speed);
                (along, four_of(wheels, 0.0, |wheel| wheel.rotation_speed))
            });
            requests.iter_mut().for_each(|request| request.brake_cap = None);
            return;
        }
        let deceleration = -signals.body.longitudinal_acceleration;
        for (wheel, params) in self.wheels.iter().enumerate() {
            let is_pulled = signals.driver.is_hand_brake_pulled()
                && requests
                    .iter()
                    .zip(&self.wheels)
                    .any(|(request, other)| other.axle == params.axle && 0.0 < request.hand_brake);
            let measured = &signals.wheels[wheel];
            let braking = Braking {
                motion: sign(measured.longitudinal_speed),
                speed: measured.longitudinal_speed.abs(),
                slip: measured.braking_slip(params.radius),
                deceleration: deceleration * sign(measured.longitudinal_speed),
                demand: if is_pulled { 0.0 } else { requests[wheel].brake_demand() },
                drive: requests[wheel].drive_torque(),
                dt: signals.dt,
            };
            let cap = self.cap(params, &mut state.wheels[wheel], measured, &braking);
            requests[wheel].brake_cap = cap;
        }
        self.join_pairs(state, signals, requests);
        for request in requests {
            let demand = request.brake_demand();
            request.brake_cap = request.brake_cap.map(|cap| weakened(cap, demand, self.strength));
        }
    }

    /// Leaves all wheels alone, with these `speeds` of the contacts (m/s) and of the rotation
    /// (rad/s) of the four wheels of each number.
    pub(crate) fn rest(&self, state: &mut AntiLockState, speeds: impl Fn(usize) -> (Real4, Real4)) {
        state.front_difference = None;
        let fours = state.wheels.chunks_mut(MAX_LANES).zip(&self.radii);
        for (number, (memories, &radius)) in fours.enumerate() {
            let (along, rotation_speed) = speeds(number);
            let slips = braking_slip(along, rotation_speed, radius).lanes();
            for (memory, slip) in memories.iter_mut().zip(slips) {
                *memory = AntiLockWheelState { slip, ..Default::default() };
            }
        }
    }

    /// Whether a substep in which nothing is braked need not be told of: the law asks for the slip
    /// of no substep but its own.
    pub(crate) fn forgets(&self) -> bool {
        self.mode == AntiLockMode::SlipTarget
    }

    /// The cap of one wheel, if it is watched.
    fn cap(
        &self,
        params: &AntiLockWheel,
        state: &mut AntiLockWheelState,
        wheel: &WheelSignals,
        braking: &Braking,
    ) -> Option<Real> {
        let slip_rate = (braking.slip - state.slip) / braking.dt;
        state.slip = braking.slip;
        if braking.demand <= 0.0 || braking.speed <= self.off_speed {
            *state = AntiLockWheelState { slip: braking.slip, ..Default::default() };
            return None;
        }
        state.air_time = if wheel.is_on_ground { 0.0 } else { state.air_time + braking.dt };
        if AIR_TIME < state.air_time {
            state.phase = AntiLockPhase::Off;
        }
        let is_off = state.phase == AntiLockPhase::Off;
        if !wheel.is_on_ground {
            return (!is_off).then_some(state.torque_limit);
        }
        if is_off {
            if braking.slip <= params.slip_target {
                return None;
            }
            state.phase = AntiLockPhase::Hold;
            (state.held_time, state.free_time) = (0.0, 0.0);
            state.torque_limit = params.radius * wheel.longitudinal_force.abs();
        }
        match self.mode {
            AntiLockMode::SlipTarget => {
                let torque = params.computed_torque(wheel, braking, self.response_time);
                state.torque_limit = torque.clamped(0.0, braking.demand);
            }
            AntiLockMode::Phases => {
                let rate = slip_rate.clamped(-MAX_SLIP_RATE, MAX_SLIP_RATE);
                params.switch(state, braking.slip + self.prediction_time * rate, braking);
            }
        }
        state.leave(braking)
    }

    /// Gives rear axles the smaller cap, and front wheels caps that differ slowly.
    fn join_pairs(
        &self,
        state: &mut AntiLockState,
        signals: &AidSignals<'_>,
        requests: &mut [WheelRequest],
    ) {
        for pair in &self.pairs {
            let caps = pair.wheels().map(|wheel| {
                let is_felt = signals.wheels[wheel].is_on_ground;
                requests[wheel].brake_cap.filter(|_| is_felt)
            });
            let low = caps.into_iter().flatten().reduce(Real::min);
            if pair.axle == 0 {
                state.front_difference = match (low, state.front_difference) {
                    (None, _) => None,
                    (Some(_), None) => Some(self.yaw_torque_start),
                    (Some(_), Some(before)) => Some(before + self.yaw_torque_rate * signals.dt),
                };
            } else if self.rear == RearControl::Individual {
                continue;
            }
            let spread = state.front_difference.filter(|_| pair.axle == 0).unwrap_or(0.0);
            let Some(low) = low else { continue };
            for wheel in pair.wheels() {
                let request = &mut requests[wheel];
                if low + spread < request.brake_cap.unwrap_or_else(|| request.brake_demand()) {
                    request.brake_cap = Some(low + spread);
                }
            }
        }
    }
}

/// What a wheel's brake does, along the motion of the wheel over the road.
struct Braking {
    /// Direction of the motion, 1 or -1.
    motion: Real,
    speed: Real,
    slip: Real,
    deceleration: Real,
    demand: Real,
    drive: Real,
    dt: Real,
}

impl AntiLockWheel {
    /// The brake torque that brings the wheel to its slip target in the response time.
    fn computed_torque(
        &self,
        wheel: &WheelSignals,
        braking: &Braking,
        response_time: Real,
    ) -> Real {
        let rotation_speed = wheel.rotation_speed * braking.motion;
        let target = (1.0 - self.slip_target) * braking.speed / self.radius;
        let excess = rotation_speed - target;
        // The tire's force once the wheel turns as it is to.
        let force = wheel.force_slope.max(0.0) * excess - wheel.longitudinal_force * braking.motion;
        let target_slowing = (1.0 - self.slip_target) * braking.deceleration.max(0.0) / self.radius;
        let slowing = excess / response_time.max(braking.dt) + target_slowing;
        self.radius * force + braking.drive * braking.motion + self.inertia * slowing
    }

    /// Moves the cap by the slip that is foreseen.
    fn switch(&self, state: &mut AntiLockWheelState, foreseen: Real, braking: &Braking) {
        let phase = if self.slip_high < foreseen {
            AntiLockPhase::Release
        } else if foreseen < self.slip_low {
            AntiLockPhase::Build
        } else {
            AntiLockPhase::Hold
        };
        if phase != state.phase {
            state.held_time = 0.0;
        }
        state.phase = phase;
        let change = match phase {
            AntiLockPhase::Release => -self.release_rate * braking.dt,
            AntiLockPhase::Build => self.build_rate * braking.dt,
            AntiLockPhase::Hold => self.held(state, braking.dt),
            AntiLockPhase::Off => 0.0,
        };
        state.torque_limit = (state.torque_limit + change).clamped(0.0, braking.demand);
    }

    /// The step by which a torque rises that has been held for a while.
    fn held(&self, state: &mut AntiLockWheelState, dt: Real) -> Real {
        state.held_time += dt;
        if state.held_time < HOLD_TIME {
            return 0.0;
        }
        state.held_time -= HOLD_TIME;
        self.hold_step
    }
}

impl AntiLockWheelState {
    /// The cap, unless it has been no limit for a while.
    fn leave(&mut self, braking: &Braking) -> Option<Real> {
        let is_limit = self.torque_limit < braking.demand;
        self.free_time = if is_limit { 0.0 } else { self.free_time + braking.dt };
        if LEAVE_TIME <= self.free_time {
            self.phase = AntiLockPhase::Off;
            return None;
        }
        Some(self.torque_limit)
    }
}
