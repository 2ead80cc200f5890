//! All aids of a vehicle with the numbers that it gives them, and what they do in each phase of a
//! frame.

use super::air_control::AirControl;
use super::anti_lock::{AntiLock, AntiLockState};
use super::commands::AidCommands;
use super::counter_steer::CounterSteer;
use super::drift::Drift;
use super::hill_start::HillStart;
use super::launch::Launch;
use super::params::{AidsParams, AidsState};
use super::requests::{SteerRequest, WheelRequest, least};
use super::sensors::{ActingAids, Sensors};
use super::signals::{AidSignals, BodySignals, DriverSignals, WheelSignals, approached};
use super::speed_control::{Cruise, OtherAids, SpeedLimit};
use super::stability::Stability;
use super::torque_vectoring::TorqueVectoring;
use super::traction::{Traction, TractionState};
use super::vehicle::AidVehicle;
use vehicle_core::math::Real;

/// The aids of a vehicle, ready for steps.
#[derive(Clone, Debug)]
pub struct AidSystem {
    /// Their parameters.
    pub params: AidsParams,
    /// Numbers of the vehicle.
    pub vehicle: AidVehicle,
    anti_lock: Option<AntiLock>,
    traction: Option<Traction>,
    stability: Option<Stability>,
    counter_steer: Option<CounterSteer>,
    drift: Option<Drift>,
    torque_vectoring: Option<TorqueVectoring>,
    launch: Option<Launch>,
    hill_start: Option<HillStart>,
    cruise: Option<Cruise>,
    speed_limit: Option<SpeedLimit>,
    air_control: Option<AirControl>,
}

impl AidSystem {
    /// The aids of `params`, which have been checked, of `vehicle`.
    pub fn new(params: AidsParams, vehicle: AidVehicle) -> Self {
        Self {
            anti_lock: params.anti_lock.and_then(|aid| aid.resolved(&vehicle)),
            traction: params.traction.and_then(|aid| aid.resolved(&vehicle)),
            stability: params.stability.and_then(|aid| aid.resolved(&vehicle)),
            counter_steer: params.counter_steer.and_then(|aid| aid.resolved(&vehicle)),
            drift: params.drift.and_then(|aid| aid.resolved(&vehicle)),
            torque_vectoring: params.torque_vectoring.and_then(|aid| aid.resolved(&vehicle)),
            launch: params.launch.and_then(|aid| aid.resolved(&vehicle)),
            hill_start: params.hill_start.map(|aid| aid.resolved(&vehicle)),
            cruise: params.cruise.map(|aid| aid.resolved(&vehicle)),
            speed_limit: params.speed_limit.map(|aid| aid.resolved(&vehicle)),
            air_control: params.air_control.map(|aid| aid.resolved(&vehicle)),
            params,
            vehicle,
        }
    }

    /// What the aids remember at rest.
    pub fn at_rest(&self) -> AidsState {
        let wheel_count = self.vehicle.wheels.len();
        AidsState {
            anti_lock: AntiLockState::at_rest(wheel_count),
            traction: TractionState::at_rest(wheel_count),
            ..AidsState::default()
        }
    }

    /// Replaces what no car can measure by estimates, if the aids are to know no more.
    pub fn sense(
        &self,
        state: &mut AidsState,
        driver: DriverSignals,
        body: &mut BodySignals,
        wheels: &mut [WheelSignals],
        dt: Real,
    ) {
        if !self.params.use_sensors {
            return;
        }
        let is_anti_lock = state.anti_lock.is_active();
        let acting = ActingAids { is_anti_lock, is_any: is_anti_lock || state.traction.is_active() };
        let sensors = Sensors { vehicle: &self.vehicle, driver, acting, dt };
        sensors.sense(&mut state.sensors, body, wheels);
    }

    /// The first phase of a frame, before pedals and steering wheel are answered: changes
    /// `commands`, which are the driver's.
    pub fn command(
        &self,
        state: &mut AidsState,
        signals: &AidSignals<'_>,
        commands: &mut AidCommands,
    ) {
        if let Some(hand_brake) = &self.params.hand_brake {
            state.is_hand_brake_active = hand_brake.is_active(commands);
            hand_brake.command(commands);
        }
        if let Some(cruise) = &self.cruise {
            let held = least(state.frame_throttle_limit, state.traction_throttle_limit);
            let others = OtherAids {
                is_stability_active: state.stability.is_active(),
                is_throttle_held: held.is_some(),
            };
            cruise.command(&mut state.cruise, signals, others, commands);
        }
        if let Some(speed_limit) = &self.speed_limit {
            speed_limit.command(&mut state.speed_limit, signals, commands);
        }
        if let Some(launch) = &self.launch {
            launch.command(&mut state.launch, signals, commands);
        }
        if let Some(hill_start) = &self.hill_start {
            hill_start.command(&mut state.hill_start, signals, commands);
        }
        self.steer(state, signals, commands);
    }

    /// Turns the front wheels towards the motion in a slide.
    fn steer(&self, state: &mut AidsState, signals: &AidSignals<'_>, commands: &mut AidCommands) {
        let mut rate: Real = 0.0;
        let mut wanted = 0.0;
        if let Some(counter_steer) = &self.counter_steer {
            rate = rate.max(counter_steer.rate());
            wanted = counter_steer.angle(signals);
        }
        if let Some(drift) = &self.drift {
            rate = rate.max(drift.rate());
            drift.advance(&mut state.drift, signals);
            wanted = drift.angle(&state.drift, signals, wanted);
            commands.throttle = drift.throttle(&state.drift, signals, commands.throttle);
        }
        state.steer_assistance = approached(state.steer_assistance, wanted, rate * signals.dt);
        let request = SteerRequest {
            driver: commands.steer,
            assistance: state.steer_assistance,
            max_angle: self.vehicle.max_steer_angle,
        };
        commands.steer = request.steer();
    }

    /// The second phase of a frame, when brakes have answered to their pedals and before the drive
    /// answers to its: adds brake torques to `requests`, one per wheel, and limits the throttle.
    pub fn demand(
        &self,
        state: &mut AidsState,
        signals: &AidSignals<'_>,
        requests: &mut [WheelRequest],
    ) {
        let mut limit = None;
        if let Some(stability) = &self.stability {
            let allowance = self.drift.as_ref().and_then(|drift| drift.allowance(&state.drift));
            limit = stability.demand(&mut state.stability, signals, allowance, requests);
        }
        if let Some(brake_override) = &self.params.brake_override {
            limit = least(limit, brake_override.limit(&mut state.both_pedals_time, signals));
        }
        state.frame_throttle_limit = limit;
    }

    /// The third phase, in each substep, when the forces of the tires are known and before wheels
    /// turn: limits drive and brake torques of `requests`, one per wheel.
    pub fn limit(
        &self,
        state: &mut AidsState,
        signals: &AidSignals<'_>,
        requests: &mut [WheelRequest],
    ) {
        if let Some(torque_vectoring) = &self.torque_vectoring {
            torque_vectoring.demand(&mut state.torque_vectoring, signals, requests);
        }
        if let Some(traction) = &self.traction {
            let least_slip = self.drift.as_ref().map_or(0.0, |it| it.slip_target(&state.drift));
            state.traction_throttle_limit =
                traction.limit(&mut state.traction, signals, least_slip, requests);
        }
        if let Some(anti_lock) = &self.anti_lock {
            anti_lock.limit(&mut state.anti_lock, signals, requests);
        }
    }

    /// The help in the air, if there is one.
    pub fn air_control(&self) -> Option<&AirControl> {
        self.air_control.as_ref()
    }
}
