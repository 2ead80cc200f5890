//! All aids of a vehicle: parameters, what they remember, and what they report.

use serde::{Deserialize, Serialize};
use vehicle_core::clone_by_field;
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem};
use vehicle_core::math::Real;

use super::air_control::AirControlParams;
use super::anti_lock::{AntiLockParams, AntiLockState};
use super::brake_override::BrakeOverrideParams;
use super::counter_steer::CounterSteerParams;
use super::drift::{DriftParams, DriftState};
use super::hand_brake::HandBrakeParams;
use super::hill_start::{HillStartParams, HillStartState};
use super::launch::{LaunchParams, LaunchState};
use super::requests::{ThrottleRequest, least};
use super::sensors::SensorState;
use super::speed_control::{CruiseParams, CruiseState, SpeedLimitParams, SpeedLimitState};
use super::stability::{StabilityParams, StabilityState};
use super::torque_vectoring::{TorqueVectoringParams, TorqueVectoringState};
use super::traction::{TractionParams, TractionState};

/// Parameters of the aids of a vehicle. The default is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AidsParams {
    /// Axes and unit of length of the vehicle, which a vehicle file says for all. Numbers of aids
    /// are in SI units whatever these are.
    #[serde(skip)]
    pub coordinates: CoordinateSystem,
    /// Whether aids know only what a real car can [measure](super::sensors), not the truth of the
    /// simulation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub use_sensors: bool,
    /// Mass of the vehicle with its trailers (kg), for cruise control, speed limiter and hill
    /// start. Else that of the vehicle alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub train_mass: Option<Real>,
    /// Anti-lock brakes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anti_lock: Option<AntiLockParams>,
    /// Traction control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traction: Option<TractionParams>,
    /// Stability control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stability: Option<StabilityParams>,
    /// Counter-steer assist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter_steer: Option<CounterSteerParams>,
    /// Drift assist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<DriftParams>,
    /// Torque vectoring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torque_vectoring: Option<TorqueVectoringParams>,
    /// Launch control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<LaunchParams>,
    /// Hill-start assist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hill_start: Option<HillStartParams>,
    /// Cruise control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cruise: Option<CruiseParams>,
    /// Speed limiter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_limit: Option<SpeedLimitParams>,
    /// Opens the clutch and the center differential while the hand brake is pulled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand_brake: Option<HandBrakeParams>,
    /// Cuts the throttle while both pedals are pressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brake_override: Option<BrakeOverrideParams>,
    /// Turns the body in the air, for games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub air_control: Option<AirControlParams>,
}

impl AidsParams {
    /// Whether there is no aid.
    pub fn is_none(&self) -> bool {
        let Self { coordinates, use_sensors, train_mass, .. } = *self;
        *self == Self { coordinates, use_sensors, train_mass, ..Self::default() }
    }
}

impl Convert for AidsParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self { coordinates: *conversion.target(), ..*self }
    }
}

impl Validate for AidsParams {
    fn check(&self, check: &mut ParamCheck) {
        macro_rules! check_each {
            ($($aid:ident),*) => {$(
                if let Some(params) = &self.$aid {
                    check.field(stringify!($aid), |check| params.check(check));
                }
            )*};
        }
        if let Some(mass) = self.train_mass {
            check.number("train_mass", mass, Bound::Positive);
        }
        check_each!(anti_lock, traction, stability, counter_steer, drift, torque_vectoring);
        check_each!(launch, hill_start, cruise, speed_limit, brake_override, air_control);
    }
}

/// What the aids of a vehicle remember. The default is at rest.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AidsState {
    /// Sensors.
    pub sensors: SensorState,
    /// Anti-lock brakes.
    pub anti_lock: AntiLockState,
    /// Traction control.
    pub traction: TractionState,
    /// Stability control.
    pub stability: StabilityState,
    /// Drift assist.
    pub drift: DriftState,
    /// Torque vectoring.
    pub torque_vectoring: TorqueVectoringState,
    /// Launch control.
    pub launch: LaunchState,
    /// Hill-start assist.
    pub hill_start: HillStartState,
    /// Cruise control.
    pub cruise: CruiseState,
    /// Speed limiter.
    pub speed_limit: SpeedLimitState,
    /// Steer angle that counter-steer and drift assist add, positive to the left (rad).
    pub steer_assistance: Real,
    /// Time for which both pedals have been pressed (s).
    pub both_pedals_time: Real,
    /// Whether both pedals cut the engine.
    pub is_brake_override_active: bool,
    /// Whether a pulled hand brake opens the clutch or frees the center.
    pub is_hand_brake_active: bool,
    /// Whether help in the air turns the body.
    pub is_air_control_active: bool,
    /// Limit of the throttle by aids of the frame, in [0, 1].
    pub frame_throttle_limit: Option<Real>,
    /// Limit of the throttle by traction control, in [0, 1].
    pub traction_throttle_limit: Option<Real>,
}

clone_by_field! {
    impl[] AidsState {
        sensors, anti_lock, traction, stability, drift, torque_vectoring, launch, hill_start,
        cruise, speed_limit, steer_assistance, both_pedals_time, is_brake_override_active,
        is_hand_brake_active, is_air_control_active, frame_throttle_limit, traction_throttle_limit,
    }
}

impl AidsState {
    /// What is asked of the throttle where commands ask for `commanded` and the engine needs `idle`
    /// to keep running, each in [0, 1].
    pub fn throttle_request(&self, commanded: Real, idle: Real) -> ThrottleRequest {
        let limit = least(self.frame_throttle_limit, self.traction_throttle_limit);
        let added = self.torque_vectoring.added_throttle;
        ThrottleRequest { driver: commanded, added, idle, limit, ..Default::default() }
    }

    /// What the aids do.
    pub fn report(&self) -> AidReport {
        let caps = self
            .anti_lock
            .wheels
            .iter()
            .filter(|wheel| wheel.phase != super::anti_lock::AntiLockPhase::Off);
        AidReport {
            active: [
                (Aid::AntiLock, self.anti_lock.is_active()),
                (Aid::Traction, self.traction.is_active()),
                (Aid::Stability, self.stability.is_active()),
                (Aid::SteerAssistance, self.steer_assistance != 0.0),
                (Aid::Drift, self.drift.is_active()),
                (Aid::TorqueVectoring, self.torque_vectoring.is_active()),
                (Aid::Launch, self.launch.is_active()),
                (Aid::HillStart, self.hill_start.is_active()),
                (Aid::Cruise, self.cruise.is_active()),
                (Aid::SpeedLimit, self.speed_limit.is_active),
                (Aid::HandBrake, self.is_hand_brake_active),
                (Aid::AirControl, self.is_air_control_active),
                (Aid::BrakeOverride, self.is_brake_override_active),
            ]
            .into_iter()
            .filter(|(_, is_active)| *is_active)
            .fold(0, |bits, (aid, _)| bits | aid.bit()),
            least_brake_cap: caps.map(|wheel| wheel.torque_limit).reduce(Real::min),
            throttle_limit: least(self.frame_throttle_limit, self.traction_throttle_limit),
            stability_moment: self.stability.moment,
            vectoring_moment: self.torque_vectoring.moment,
            steer_assistance: self.steer_assistance,
        }
    }
}

/// An aid, by which a report is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Aid {
    /// Anti-lock brakes.
    AntiLock,
    /// Traction control.
    Traction,
    /// Stability control.
    Stability,
    /// Counter-steer assist, and the steering of the drift assist.
    SteerAssistance,
    /// Drift assist.
    Drift,
    /// Torque vectoring.
    TorqueVectoring,
    /// Launch control.
    Launch,
    /// Hill-start assist.
    HillStart,
    /// Cruise control.
    Cruise,
    /// Speed limiter.
    SpeedLimit,
    /// Clutch and center differential, open while the hand brake is pulled.
    HandBrake,
    /// Torques that turn the body in the air, for games.
    AirControl,
    /// No drive while both pedals are pressed.
    BrakeOverride,
}

impl Aid {
    /// All of them, in the order of their bits.
    pub const ALL: [Self; 13] = [
        Self::AntiLock,
        Self::Traction,
        Self::Stability,
        Self::SteerAssistance,
        Self::Drift,
        Self::TorqueVectoring,
        Self::Launch,
        Self::HillStart,
        Self::Cruise,
        Self::SpeedLimit,
        Self::HandBrake,
        Self::AirControl,
        Self::BrakeOverride,
    ];

    /// Bit of the aid in [`AidReport::active`].
    pub fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// What aids do, for telemetry and dashboards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AidReport {
    /// The aids that act, by their [bits](Aid::bit).
    pub active: u32,
    /// Least brake torque that anti-lock brakes allow a wheel (N·m).
    pub least_brake_cap: Option<Real>,
    /// Limit of the throttle, in [0, 1].
    pub throttle_limit: Option<Real>,
    /// Moment that stability control asks for, positive to the left (N·m).
    pub stability_moment: Real,
    /// Moment that torque vectoring asks for, positive to the left (N·m).
    pub vectoring_moment: Real,
    /// Steer angle that aids add, positive to the left (rad).
    pub steer_assistance: Real,
}

impl AidReport {
    /// Whether `aid` acts.
    pub fn is_active(&self, aid: Aid) -> bool {
        self.active & aid.bit() != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_name_only_the_aids_that_there_are() {
        let none = serde_json::to_string(&AidsParams::default()).unwrap();
        assert_eq!(none, "{}");
        let written = r#"{"anti_lock": {"mode": "phases"}, "speed_limit": {"speed": 20.0}}"#;
        let params: AidsParams = serde_json::from_str(written).unwrap();
        assert!(params.traction.is_none() && !params.is_none());
        assert_eq!(params.anti_lock.unwrap().response_time, 0.02);
        let again = serde_json::to_string(&params).unwrap();
        assert_eq!(serde_json::from_str::<AidsParams>(&again).unwrap(), params);
        let misspelled = serde_json::from_str::<AidsParams>(r#"{"abs": {}}"#).unwrap_err();
        assert!(misspelled.to_string().contains("unknown field `abs`"), "{misspelled}");
    }

    #[test]
    fn faults_are_named_with_their_aid() {
        let params = AidsParams {
            stability: Some(StabilityParams { yaw_rate_tolerance: 0.0, ..Default::default() }),
            speed_limit: Some(SpeedLimitParams { speed: -1.0 }),
            train_mass: Some(0.0),
            ..Default::default()
        };
        assert_eq!(
            params.validate().unwrap_err().to_string(),
            "train_mass must be positive and finite, got 0; \
             stability.yaw_rate_tolerance must be within [0.01, 0.3], got 0; \
             speed_limit.speed must be positive and finite, got -1"
        );
    }

    #[test]
    fn states_at_rest_are_small() {
        let state = AidsState::default();
        let bytes = postcard::to_allocvec(&state).unwrap();
        assert!(bytes.len() < 100, "{} bytes", bytes.len());
        assert_eq!(postcard::from_bytes::<AidsState>(&bytes).unwrap(), state);
        assert_eq!(state.report(), AidReport::default());
    }

    #[test]
    fn reports_tell_aids_apart() {
        let mut state = AidsState::default();
        state.stability.moment = 5.0;
        state.cruise.set(20.0);
        let report = state.report();
        assert!(report.is_active(Aid::Stability) && report.is_active(Aid::Cruise));
        assert!(!report.is_active(Aid::AntiLock) && !report.is_active(Aid::AirControl));
        assert_eq!(Aid::ALL.map(|aid| aid as usize), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    }
}
