//! Driver aids: anti-lock brakes, traction and stability control and others, as pure laws.
//!
//! Aids change commands, torques and steer angles, never a force or velocity of the body: what an
//! actuator of a real car could not do, an aid does not do. The [help in the air](air_control) is
//! the exception. They know numbers alone, the [`AidSignals`] of a step and the [`AidVehicle`], in
//! SI units, and are of use for any vehicle.
//!
//! [`AidsParams`] name the aids that a vehicle has; [`Aids`] are these with all numbers that were
//! left to the vehicle. A step asks them three times:
//!
//! | when | call | what it changes |
//! |---|---|---|
//! | in a frame, before commands become torques | [`Aids::command`] | pedals, steering and clutch: hand brake, hill start, launch, cruise, limiter, counter-steer, drift |
//! | in a frame, after that | [`Aids::demand`] | brake and drive torques that are added: hill start, stability control, torque vectoring |
//! | in each substep, after the tires | [`Aids::limit`] | brake and drive torques that are limited: anti-lock brakes, traction control |
//!
//! [`requests`] puts what they and the driver ask for together. Which wheels are braked and driven
//! is a question for the demand before the limits. A brake that is let go for an instant does not
//! make a wheel roll freely.
//!
//! | aid | module |
//! |---|---|
//! | anti-lock brakes | [`anti_lock`] |
//! | traction control | [`traction`] |
//! | stability control | [`stability`] |
//! | torque vectoring | [`torque_vectoring`] |
//! | counter-steer, drift | [`counter_steer`], [`drift`] |
//! | launch control, hill start | [`launch`], [`hill_start`] |
//! | cruise control, speed limiter | [`speed_control`] |
//! | clutch and center with the hand brake | [`hand_brake`] |
//! | brake over throttle | [`brake_override`] |
//! | torques in the air | [`air_control`] |
//!
//! An aid that is absent or of strength 0 changes no bit.

pub mod air_control;
pub mod anti_lock;
pub mod brake_override;
pub mod commands;
pub mod counter_steer;
pub mod drift;
pub mod hand_brake;
pub mod hill_start;
pub mod launch;
pub mod requests;
pub mod sensors;
pub mod signals;
pub mod speed_control;
pub mod stability;
pub mod torque_vectoring;
pub mod traction;
pub mod vehicle;
pub mod yaw_reference;

mod lists;
mod params;
#[cfg(test)]
mod tests;

use vehicle_core::math::Real;
use vehicle_core::math::lanes::Real4;
use vehicle_core::wheel_list::WheelVec;

use crate::pacing::approached;

use self::air_control::{AirControl, BodyTorque};
use self::counter_steer::CounterSteer;
use self::drift::Drift;
use self::hill_start::HillStart;
use self::launch::Launch;
use self::requests::least;
use self::sensors::{ActingAids, Sensors};
use self::speed_control::{Cruise, OtherAids, SpeedLimit};
use self::stability::Stability;
use self::torque_vectoring::{TorqueVectoring, TurningAids};
use self::traction::Traction;

#[doc(inline)]
pub use self::{
    air_control::AirControlParams,
    anti_lock::{AntiLock, AntiLockMode, AntiLockParams, AntiLockState, PhaseParams, RearControl},
    brake_override::BrakeOverrideParams,
    commands::AidCommands,
    counter_steer::CounterSteerParams,
    drift::DriftParams,
    hand_brake::HandBrakeParams,
    hill_start::HillStartParams,
    launch::LaunchParams,
    params::{Aid, AidReport, AidsParams, AidsState},
    requests::{SteerRequest, ThrottleRequest, WheelRequest},
    signals::{
        AidSignals, BodySignals, DriveDirection, DriveSignals, DriverSignals, GearSignals,
        WheelSignals,
    },
    speed_control::{CruiseParams, CruiseState, SpeedLimitParams},
    stability::{StabilityMode, StabilityParams},
    torque_vectoring::{TorqueVectoringParams, VectoringActuator},
    traction::TractionParams,
    vehicle::{AidDrive, AidEngine, AidVehicle, AidWheel, WheelPair},
};
#[doc(inline)]
pub use crate::leader::Leader;

pub(crate) use self::lists::{copy_list, in_fours};

/// The aids of a vehicle: [`AidsParams`] with all numbers. Vehicles of a model share them.
#[derive(Clone, Debug, PartialEq)]
pub struct Aids {
    vehicle: AidVehicle,
    use_sensors: bool,
    /// Share of each wheel of a torque that all foot brakes have.
    brake_shares: WheelVec<Real>,
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
    hand_brake: Option<HandBrakeParams>,
    brake_override: Option<BrakeOverrideParams>,
    air_control: Option<AirControl>,
}

impl Aids {
    /// The aids of `vehicle`. Those that can do nothing for it are left out.
    pub fn new(params: &AidsParams, mut vehicle: AidVehicle) -> Self {
        if let Some(mass) = params.train_mass {
            vehicle.trailer_mass = (mass - vehicle.mass).max(0.0);
        }
        let sum: Real = vehicle.wheels.iter().map(|wheel| wheel.max_brake_torque).sum();
        let share = |torque: Real| if 0.0 < sum { torque / sum } else { 0.0 };
        Self {
            use_sensors: params.use_sensors,
            brake_shares: vehicle.each(|wheel| share(wheel.max_brake_torque)),
            anti_lock: params.anti_lock.and_then(|aid| aid.resolved(&vehicle)),
            traction: params.traction.and_then(|aid| aid.resolved(&vehicle)),
            stability: params.stability.and_then(|aid| aid.resolved(&vehicle)),
            counter_steer: params.counter_steer.and_then(|aid| aid.resolved(&vehicle)),
            drift: params.drift.and_then(|aid| aid.resolved(&vehicle)),
            torque_vectoring: params.torque_vectoring.and_then(|aid| aid.resolved(&vehicle)),
            launch: params.launch.and_then(|aid| aid.resolved(&vehicle)),
            hill_start: params.hill_start.and_then(|aid| aid.resolved(&vehicle)),
            cruise: params.cruise.and_then(|aid| aid.resolved(&vehicle)),
            speed_limit: params.speed_limit.and_then(|aid| aid.resolved(&vehicle)),
            hand_brake: params.hand_brake.filter(|_| vehicle.is_driven()),
            brake_override: params.brake_override.filter(|_| vehicle.is_driven()),
            air_control: params.air_control.map(|aid| aid.resolved(&vehicle)),
            vehicle,
        }
    }

    /// The vehicle.
    pub fn vehicle(&self) -> &AidVehicle {
        &self.vehicle
    }

    /// Names in a file of the aids that `params` ask for and that can do nothing for the vehicle.
    /// The aids are made of these `params`.
    pub(crate) fn idle(&self, params: &AidsParams) -> impl Iterator<Item = &'static str> {
        macro_rules! each {
            ($strength:expr; $($aid:ident),*) => {[$(
                (stringify!($aid), self.$aid.is_some(), params.$aid.map($strength)),
            )*]};
        }
        let weighted = each!(
            |aid| aid.strength;
            anti_lock, traction, stability, counter_steer, drift, torque_vectoring
        );
        let others = each!(
            |_| 1.0;
            launch, hill_start, cruise, speed_limit, hand_brake, brake_override
        );
        let asked = |strength: Option<Real>| strength.is_some_and(|strength| strength != 0.0);
        let idle = weighted.into_iter().chain(others);
        idle.filter(move |(_, is_there, strength)| !is_there && asked(*strength))
            .map(|(name, ..)| name)
    }

    /// Whether any of them acts in each substep, or has to know what each was like.
    pub fn act_in_substeps(&self) -> bool {
        self.anti_lock.is_some()
            || self.traction.is_some()
            || self.torque_vectoring.is_some()
            || self.air_control.is_some()
            || self.use_sensors
    }

    /// Whether there is help in the air.
    pub(crate) fn helps_in_air(&self) -> bool {
        self.air_control.is_some()
    }

    /// The help in the air.
    pub(crate) fn air_control(&self) -> Option<&AirControl> {
        self.air_control.as_ref()
    }

    /// Whether [`limit`](Self::limit) can be left out as far as `state` says, in a substep in which
    /// no wheel is braked and none [spins](Self::leaves).
    pub(crate) fn may_rest(&self, state: &AidsState) -> bool {
        !self.use_sensors
            && !state.traction.is_active()
            && !state.anti_lock.is_active()
            && self.anti_lock.as_ref().is_none_or(AntiLock::forgets)
    }

    /// Whether none of the driven wheels of the four of this `number` spins, with these speeds of
    /// the contacts (m/s) and of the rotation (rad/s).
    pub(crate) fn leaves(&self, state: &AidsState, number: usize, speeds: (Real4, Real4)) -> bool {
        let is_left = |aid: &Traction| aid.leaves(number, speeds, self.least_slip_target(state));
        self.traction.as_ref().is_none_or(is_left)
    }

    /// Passes a substep that [`limit`](Self::limit) and [`body_torque`](Self::body_torque) would
    /// leave alone, the last one of a frame if it `is_last`. The four wheels of each number have
    /// these `speeds` of their contacts (m/s) and of their rotation (rad/s).
    pub(crate) fn rest(
        &self,
        state: &mut AidsState,
        speeds: impl Fn(usize) -> (Real4, Real4),
        is_last: bool,
        dt: Real,
    ) {
        if let Some(aid) = &self.traction {
            aid.rest(&mut state.traction, dt);
            state.traction_throttle_limit = None;
        }
        if let Some(aid) = self.anti_lock.as_ref().filter(|_| is_last) {
            aid.rest(&mut state.anti_lock, speeds);
        }
        state.is_air_control_active = false;
    }

    /// Least slip target of traction control (dimensionless).
    fn least_slip_target(&self, state: &AidsState) -> Real {
        self.drift.as_ref().map_or(0.0, |drift| drift.slip_target(&state.drift))
    }

    /// Whether help in the air looks at more than how a `body` on these `wheels` leans.
    pub(crate) fn may_turn_body(&self, body: &BodySignals, wheels: &[WheelSignals]) -> bool {
        self.air_control.as_ref().is_some_and(|aid| !aid.rests(body, wheels))
    }

    /// What the aids remember at rest.
    pub fn at_rest(&self) -> AidsState {
        let mut state = AidsState::default();
        self.fit(&mut state);
        state
    }

    /// Gives `state` a place for each wheel where an aid remembers some of each.
    fn fit(&self, state: &mut AidsState) {
        let wheels = self.vehicle.wheels.len();
        if self.anti_lock.is_some() && state.anti_lock.wheels.len() != wheels {
            state.anti_lock.wheels.resize(wheels, Default::default());
        }
        if self.traction.is_some() && state.traction.wheels.len() != wheels {
            state.traction.wheels.resize(wheels, Default::default());
        }
    }

    /// Writes what sensors of a real car would know over speeds and friction of `body` and
    /// `wheels`, if aids are to know no more, under this `gravity` (m/s²). It is asked once per
    /// step in which signals are made.
    pub fn sense(
        &self,
        state: &mut AidsState,
        driver: &DriverSignals,
        body: &mut BodySignals,
        wheels: &mut [WheelSignals],
        gravity: Real,
        dt: Real,
    ) {
        if !self.use_sensors {
            return;
        }
        let is_anti_lock = state.anti_lock.is_active();
        let is_any = is_anti_lock || state.traction.is_active() || state.stability.is_active();
        let acting = ActingAids { is_anti_lock, is_any };
        let sensors = Sensors { vehicle: &self.vehicle, driver: *driver, acting, gravity, dt };
        sensors.sense(&mut state.sensors, body, wheels);
    }

    /// Changes what the driver commands, before it becomes torques and angles.
    pub fn command(
        &self,
        state: &mut AidsState,
        signals: &AidSignals<'_>,
        commands: &mut AidCommands,
    ) {
        state.is_hand_brake_active = self.hand_brake.is_some_and(|aid| aid.is_active(commands));
        if let Some(aid) = &self.hand_brake {
            aid.command(commands);
        }
        let others = OtherAids {
            is_stability_active: state.stability.is_active(),
            is_throttle_held: state.traction.is_active() || state.frame_throttle_limit.is_some(),
        };
        if let Some(aid) = &self.cruise {
            aid.command(&mut state.cruise, signals, others, commands);
        }
        if let Some(aid) = &self.drift {
            aid.advance(&mut state.drift, signals);
            commands.throttle = aid.throttle(&state.drift, signals, commands.throttle);
        }
        if let Some(aid) = &self.speed_limit {
            aid.command(&mut state.speed_limit, signals, commands);
        }
        if let Some(aid) = &self.launch {
            aid.command(&mut state.launch, signals, commands);
        }
        if let Some(aid) = &self.hill_start {
            aid.command(&mut state.hill_start, signals, commands);
        }
        self.steer(state, signals, commands);
    }

    fn steer(&self, state: &mut AidsState, signals: &AidSignals<'_>, commands: &mut AidCommands) {
        let counter = self.counter_steer.as_ref().map_or(0.0, |aid| aid.angle(signals));
        let drift = self.drift.as_ref();
        let wanted = drift.map_or(counter, |aid| aid.angle(&state.drift, signals, counter));
        let of_counter = self.counter_steer.as_ref().map_or(0.0, CounterSteer::rate);
        let rate = drift.map_or(0.0, Drift::rate).max(of_counter);
        state.steer_assistance = approached(state.steer_assistance, wanted, rate * signals.dt);
        let (assistance, max_angle) = (state.steer_assistance, self.vehicle.max_steer_angle);
        commands.steer = SteerRequest { driver: commands.steer, assistance, max_angle }.steer();
    }

    /// Writes the torques that aids add in this frame into `requests`, one per wheel, whose drive
    /// torques are those of the frame. `commands` are those that [`command`](Self::command) made.
    pub fn demand(
        &self,
        state: &mut AidsState,
        signals: &AidSignals<'_>,
        commands: &AidCommands,
        requests: &mut [WheelRequest],
    ) {
        let brakes = self.brake_shares.iter().zip(&self.vehicle.wheels);
        for (request, (share, wheel)) in requests.iter_mut().zip(brakes) {
            let hold = if commands.hold_torque == 0.0 { 0.0 } else { share * commands.hold_torque };
            (request.hold, request.stability, request.traction) = (hold, 0.0, 0.0);
            (request.brake_bound, request.brake_cap) = (Some(wheel.max_brake_torque), None);
            (request.drive_shift, request.drive_cap) = (0.0, None);
        }
        let mut known = None;
        let mut friction = || *known.get_or_insert_with(|| signals.friction());
        let mut limit = None;
        if let Some(aid) = &self.stability {
            let drift = self.drift.as_ref().and_then(|drift| drift.allowance(&state.drift));
            let vectoring = self.torque_vectoring.as_ref();
            let vectored = vectoring
                .and_then(|aid| aid.wanted_yaw_rate(&state.torque_vectoring, &state.stability));
            let wishes = (drift, vectored);
            limit = aid.demand_on(friction(), &mut state.stability, signals, wishes, requests);
        }
        if let Some(aid) = &self.torque_vectoring {
            let others = TurningAids {
                stability_moment: state.stability.moment,
                is_drifting: state.drift.is_active(),
            };
            aid.demand_on(friction(), &mut state.torque_vectoring, signals, others, requests);
        }
        if let Some(aid) = &self.brake_override {
            let is_wished = state.launch.is_active() || state.drift.is_active();
            let cut = aid.limit(&mut state.both_pedals_time, signals);
            let cut = cut.filter(|_| !is_wished);
            state.is_brake_override_active = cut.is_some();
            limit = least(limit, cut);
        }
        state.frame_throttle_limit = limit;
    }

    /// Limits the torques of `requests`, one per wheel, by what the tires do in this substep. The
    /// throttle of `signals` is the one that [`Aids::command`] has left in the commands: that of
    /// the driver, or of a cruise control.
    pub fn limit(
        &self,
        state: &mut AidsState,
        signals: &AidSignals<'_>,
        requests: &mut [WheelRequest],
    ) {
        self.fit(state);
        if let Some(aid) = &self.traction {
            let slip = self.least_slip_target(state);
            let limit = aid.limit(&mut state.traction, signals, slip, requests);
            state.traction_throttle_limit = limit;
        }
        if let Some(aid) = &self.anti_lock {
            aid.limit(&mut state.anti_lock, signals, requests);
        }
    }

    /// The torque on the body by which it is helped in the air.
    pub fn body_torque(&self, state: &mut AidsState, signals: &AidSignals<'_>) -> BodyTorque {
        let torque = self.air_control.map_or_else(BodyTorque::default, |aid| aid.torque(signals));
        state.is_air_control_active = torque != BodyTorque::default();
        torque
    }
}
